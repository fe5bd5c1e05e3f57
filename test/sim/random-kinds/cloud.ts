// The AWS of random kinds: it does what their operations say, and knows what was so a while ago. What goes wrong with a call is the
// simulator's choice.
import type { HttpRequest, HttpResponse } from '#base'
import { ownerTag } from '#operators/resources'
import type { CloudBeside } from '#simulator'
import { kept, type SmallField, told } from '../../resources/small-aws.ts'
import { absentPart, type Input, json } from '../../resources/small-server.ts'
import type { AwsObject } from '../aws/objects.ts'
import type { RandomKind } from './kinds.ts'

type Effect = Parameters<CloudBeside['serve']>[1]['effect']

export interface Thing {
  readonly kind: string
  /** Unlike that of any other that ever was. */
  readonly key: string
  /** What its manifest calls it; an object that is made again gets another one. */
  readonly label: string
  readonly values: Readonly<Record<string, unknown>>
}

/** What a reader of old may still be answered from. */
interface Past {
  readonly untilMs: number
  readonly things: readonly Thing[]
}

/** As long as an answer may be old, and longer. */
const pastMs = 60_000

export class RandomCloud implements CloudBeside {
  readonly #kinds: readonly RandomKind[]
  #things: readonly Thing[] = []
  #past: readonly Past[] = []
  #made = 0

  constructor(kinds: readonly RandomKind[]) {
    this.#kinds = kinds
  }

  serve(request: HttpRequest, { nowMs, effect }: { readonly nowMs: number; readonly effect: Effect }): HttpResponse | undefined {
    const target = String(request.headers['x-amz-target'] ?? '')
    if (!target.startsWith('Small.')) return undefined
    if (effect?.kind === 'error') return json(effect.http, { __type: effect.code, message: 'no' })
    if (effect?.kind === 'throttle') return json(400, { __type: 'ThrottlingException', message: 'slow down' })
    if (effect?.kind === 'html-502')
      return { status: 502, headers: { 'content-type': 'text/html' }, body: new TextEncoder().encode('<html></html>') }
    const operation = target.slice('Small.'.length)
    const kind = this.#kinds.find(each => operation.includes(each.kind))
    if (kind === undefined) throw new Error(`nothing here is called ${operation}`)
    const text = Buffer.from((request.body as Uint8Array | null) ?? Buffer.from('{}')).toString()
    const call = { operation, kind, input: JSON.parse(text) as Input }
    if (!/^(?:Get|List)/.test(operation)) return this.#write(call, nowMs)
    const things = effect?.kind === 'stale-read' ? this.#asOf(nowMs - effect.ageMs) : this.#things
    return read(things, call, effect?.kind === 'partial-list')
  }

  objects(): readonly AwsObject[] {
    return this.#things.map(({ kind, key, label, values }) => ({
      apiVersion: 'aws/small',
      kind,
      metadata: { name: key, uid: key, labels: tagsOf(values) },
      spec: { ...values, label },
    }))
  }

  /** By hand. */
  change(kind: string, to: (thing: Thing) => Thing | undefined): void {
    this.#things = this.#things.flatMap(each => (each.kind === kind ? (to(each) ?? []) : [each]))
  }

  #asOf(thenMs: number): readonly Thing[] {
    return this.#past.find(({ untilMs }) => untilMs > thenMs)?.things ?? this.#things
  }

  #write({ operation, kind, input }: Call, nowMs: number): HttpResponse {
    this.#past = [...this.#past.filter(({ untilMs }) => untilMs > nowMs - pastMs), { untilMs: nowMs, things: this.#things }]
    if (operation === `Create${kind.kind}`) return this.#create(kind, input)
    const thing = find(this.#things, kind, input)
    if (thing === undefined) return absent(kind)
    if (operation.endsWith('Rule')) return this.#writeRule(thing, { operation, kind, input })
    if (operation === `Delete${kind.kind}`) {
      if (Object.keys(rulesOf(thing)).length > 0) return json(409, { __type: 'DeleteConflictException', message: 'it has rules' })
      this.#things = this.#things.filter(each => each !== thing)
      return json(200, {})
    }
    const { [kind.key]: _, ...given } = input
    const values = heldOf(kind, given)
    const part = operation.startsWith('Delete') ? operation.slice(`Delete${kind.kind}`.length) : undefined
    const changed =
      part === undefined ? { ...without(thing.values, undoneBy(kind, values)), ...values } : without(thing.values, [part])
    this.#things = this.#things.map(each => (each === thing ? { ...thing, values: changed } : each))
    return json(200, {})
  }

  #writeRule(thing: Thing, { operation, kind, input }: Call): HttpResponse {
    const { [String(input['RuleName'])]: old, ...others } = rulesOf(thing)
    if (operation.startsWith('Delete') && old === undefined) return absentRule
    const put = operation.startsWith('Put') ? { [String(input['RuleName'])]: input['RuleText'] ?? true } : {}
    const rules = Object.entries({ ...others, ...put }).sort(([a], [b]) => (a < b ? -1 : 1))
    const isMap = kind.fields.some(({ entries }) => entries === 'map')
    const held = isMap ? Object.fromEntries(rules) : rules.map(([key]) => key)
    const values = rules.length === 0 ? without(thing.values, ['Rules']) : { ...thing.values, Rules: held }
    this.#things = this.#things.map(each => (each === thing ? { ...thing, values } : each))
    return json(200, {})
  }

  #create(kind: RandomKind, { [kind.key]: given, Label: label, ...sent }: Input): HttpResponse {
    const values = heldOf(kind, sent)
    const name = String(kind.identity === 'named' ? given : label)
    const isTaken = this.#things.some(each => each.kind === kind.kind && each.label === name)
    if (isTaken && (kind.identity === 'named' || kind.identity === 'unread'))
      return json(409, { __type: `${kind.kind}AlreadyExistsException`, message: 'that name is taken' })
    const chosen = kind.identity === 'unread' ? keyOf(name) : `id-${++this.#made}-of-aws`
    const key = kind.identity === 'named' ? name : typeof given === 'string' ? given : chosen
    const thing = { kind: kind.kind, key, label: name, values }
    this.#things = [...this.#things, thing]
    return json(200, { ...(kind.identity === 'unread' ? {} : { [kind.key]: key }), [`${kind.kind}Arn`]: arnOf(thing) })
  }
}

interface Call {
  readonly operation: string
  readonly kind: RandomKind
  readonly input: Input
}

function read(things: readonly Thing[], { operation, kind, input }: Call, isPartial: boolean): HttpResponse {
  if (operation === `List${kind.kind}s`) {
    const all = things.filter(each => each.kind === kind.kind).map(({ key, label }) => ({ [kind.key]: key, Label: label }))
    return json(200, { [`${kind.kind}s`]: isPartial ? all.slice(1) : all })
  }
  const thing = find(things, kind, input)
  if (thing === undefined) return absent(kind)
  const rules = rulesOf(thing)
  if (operation === `List${kind.kind}Rules`) return json(200, { RuleNames: Object.keys(rules) })
  const name = String(input['RuleName'])
  if (operation === `Get${kind.kind}Rule`)
    return rules[name] === undefined ? absentRule : json(200, { RuleName: name, RuleText: rules[name] })
  const part = kind.fields.find(field => operation === `Get${kind.kind}${field.name}`)
  if (part !== undefined)
    return thing.values[part.name] === undefined ? absentPart : json(200, { [part.name]: told(part, thing.values[part.name]) })
  const tells = kind.fields.filter(({ name, isTold }) => isTold && thing.values[name] !== undefined)
  const tags = kind.identity === 'listed' ? {} : { Tags: tagsOf(thing.values) }
  return json(200, {
    [kind.key]: thing.key,
    [`${kind.kind}Arn`]: arnOf(thing),
    Label: thing.label,
    ...tags,
    ...Object.fromEntries(tells.map(field => [field.name, told(field, thing.values[field.name])])),
  })
}

function find(things: readonly Thing[], kind: RandomKind, input: Input): Thing | undefined {
  return things.find(each => each.kind === kind.kind && each.key === input[kind.key])
}

/** By their names, as the manifest has them: in a map, or in a list of names. */
function rulesOf({ values }: Thing): Readonly<Record<string, unknown>> {
  const rules = values['Rules'] ?? {}
  return Array.isArray(rules) ? Object.fromEntries(rules.map(name => [String(name), true])) : (rules as Record<string, unknown>)
}

const absentRule = json(404, { __type: 'RuleNotFoundException', message: 'there is no such rule' })

function absent({ kind }: RandomKind): HttpResponse {
  return json(404, { __type: `${kind}NotFoundException`, message: 'there is none' })
}

function heldOf({ fields }: RandomKind, values: Input): Input {
  const field = (name: string): SmallField | undefined => fields.find(each => each.name === name)
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, kept(field(name), value)]))
}

/** Of two parts that exclude each other, the one that goes when the other comes. */
function undoneBy({ undoing }: RandomKind, values: Input): readonly string[] {
  return undoing.some(name => name in values) ? undoing.filter(name => !(name in values)) : []
}

function without(values: Thing['values'], names: readonly string[]): Thing['values'] {
  return Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name)))
}

/** The key that AWS gave to what was made under a label: told to nobody, and known to who looks into its console. */
export function keyOf(label: string): string {
  return `key-of-${label}`
}

function arnOf({ kind, key }: Thing): string {
  return `arn:aws:small:eu-west-1:111122223333:${kind.toLowerCase()}/${key}`
}

function tagsOf(values: Thing['values']): Record<string, string> {
  return (values['Tags'] ?? {}) as Record<string, string>
}

export function markOf(object: AwsObject): string | undefined {
  return object.metadata.labels?.[ownerTag]
}
