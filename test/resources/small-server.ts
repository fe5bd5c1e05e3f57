// An AWS for kinds of small models: it keeps what it is told, a part of a thing under the word that its operations are called by, and tells
// of a thing itself no more than its name and ARN.
import type { HttpExchange, HttpResponse } from '#base'

export type Input = Readonly<Record<string, unknown>>

export interface SmallServer {
  readonly things: Map<string, Record<string, unknown>>
  /** Operations in the order of their calls. */
  readonly calls: string[]
  /** Operations that are refused. */
  readonly denied: Set<string>
  readonly through: (exchange: HttpExchange) => HttpExchange
}

/** `tells`: what is answered, where it is not the name and the ARN. */
export function smallServer(tells: (operation: string, thing: Input) => object | undefined = () => undefined): SmallServer {
  const things = new Map<string, Record<string, unknown>>()
  const calls: string[] = []
  const denied = new Set<string>()
  const through = throughSmall((operation, { ThingName, ThingArn, ...input }) => {
    calls.push(operation)
    if (denied.has(operation)) return json(403, { __type: 'AccessDeniedException', message: 'no' })
    const name = typeof ThingName === 'string' ? ThingName : String(ThingArn).replace(/^.*\//, '')
    if (operation === 'CreateThing' || operation === 'RestoreThing')
      things.set(name, { ...input, ThingName: name, ThingArn: arnOf(name) })
    const thing = things.get(name)
    if (thing === undefined) return absentThing
    const part = /Thing(.+)$/.exec(operation)?.[1]
    if (part !== undefined) return answerOfPart(thing, { part, operation, input })
    if (operation === 'DeleteThing') things.delete(name)
    else if (operation === 'UpdateThing') Object.assign(thing, input)
    return json(200, tells(operation, thing) ?? { Thing: { ThingName: name, ThingArn: thing['ThingArn'] } })
  })
  return { things, calls, denied, through }
}

function answerOfPart(
  thing: Record<string, unknown>,
  { part, operation, input }: { readonly part: string; readonly operation: string; readonly input: Input },
): HttpResponse {
  if (operation.startsWith('Get')) return thing[part] === undefined ? absentPart : json(200, thing[part] as object)
  if (operation.startsWith('Delete')) delete thing[part]
  else thing[part] = input
  return json(200, {})
}

export function arnOf(name: string): string {
  return `arn:aws:small:eu-west-1:111122223333:thing/${name}`
}

export const absentThing: HttpResponse = json(404, { __type: 'ThingNotFoundException', message: 'no such thing' })
export const absentPart: HttpResponse = json(404, { __type: 'PartNotFoundException', message: 'none' })

/** Answers what is asked of the small service; everything else goes on. */
export function throughSmall(answer: (operation: string, input: Input) => HttpResponse): SmallServer['through'] {
  return exchange => async request => {
    const target = String(request.headers['x-amz-target'] ?? '')
    if (!target.startsWith('Small.')) return exchange(request)
    const body = Buffer.from((request.body as Uint8Array | null) ?? Buffer.from('{}')).toString()
    return answer(target.slice('Small.'.length), JSON.parse(body) as Input)
  }
}

export function json(status: number, value: object): HttpResponse {
  const headers = { 'content-type': 'application/x-amz-json-1.1', 'x-amzn-requestid': 's-1' }
  return { status, headers, body: new TextEncoder().encode(JSON.stringify(value)) }
}
