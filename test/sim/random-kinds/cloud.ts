// The AWS of random kinds: it does what their operations say, and knows what was so a while ago. What goes wrong with a call is the
// simulator's choice.
import type { HttpRequest, HttpResponse } from '#base'
import { ownerTag } from '#operators/resources'
import type { CloudBeside } from '#simulator'
import { kept, type SmallField, told } from '../../resources/small-aws.ts'
import { absentPart, type Input, json } from '../../resources/small-server.ts'
import type { AwsObject } from '../aws/objects.ts'
import { arnName, type RandomKind, type RandomKinds } from './kinds.ts'
import { keysFrom, type Removal, type Tags, tagsAs, tagsFrom } from './tagging.ts'

type Effect = Parameters<CloudBeside['serve']>[1]['effect']

export interface Thing {
  readonly kind: string
  /** Unlike that of any other that ever was. */
  readonly key: string
  /** What its manifest calls it; an object that is made again gets another one. */
  readonly label: string
  readonly values: Readonly<Record<string, unknown>>
  /** Nobody made it for an object. */
  readonly isForeign?: true
}

/** What a reader of old may still be answered from. */
interface Past {
  readonly untilMs: number
  readonly things: readonly Thing[]
}

/** As long as an answer may be old, and longer. */
const pastMs = 60_000

export class RandomCloud implements CloudBeside {
  readonly #drawn: RandomKinds
  #things: readonly Thing[]
  #past: readonly Past[] = []
  #made = 0

  /** `things`: what is there before anything starts. */
  constructor(drawn: RandomKinds, things: readonly Thing[] = []) {
    this.#drawn = drawn
    this.#things = things
  }

  serve(request: HttpRequest, { nowMs, effect }: { readonly nowMs: number; readonly effect: Effect }): HttpResponse | undefined {
    const target = String(request.headers['x-amz-target'] ?? '')
    if (!target.startsWith('Small.')) return undefined
    if (effect?.kind === 'error') return json(effect.http, { __type: effect.code, message: 'no' })
    if (effect?.kind === 'throttle') return json(400, { __type: 'ThrottlingException', message: 'slow down' })
    if (effect?.kind === 'html-502')
      return { status: 502, headers: { 'content-type': 'text/html' }, body: new TextEncoder().encode('<html></html>') }
    const operation = target.slice('Small.'.length)
    const text = Buffer.from((request.body as Uint8Array | null) ?? Buffer.from('{}')).toString()
    const input = JSON.parse(text) as Input
    const isRead = /^(?:Get|List|Describe)/.test(operation)
    const things = isRead && effect?.kind === 'stale-read' ? this.#asOf(nowMs - effect.ageMs) : this.#things
    const { common, kinds } = this.#drawn
    if (common !== undefined && [...common.verbs, common.tells].includes(operation)) {
      const [arn] = [input[common.address]].flat()
      // A `ResourceId` is an id, where there is one, or an ARN.
      const thing = things.find(each => arnOf(each) === arn || (common.address === 'ResourceId' && each.key === arn))
      if (thing === undefined) return json(404, { __type: 'ResourceNotFoundException', message: 'there is none' })
      return this.#tagged(thing, { operation, input, ...common }, nowMs)
    }
    const kind = kinds.find(each => operation.includes(each.kind))
    if (kind === undefined) throw new Error(`nothing here is called ${operation}`)
    const call = { operation, kind, input }
    return isRead ? read(things, call, effect?.kind === 'partial-list') : this.#write(call, nowMs)
  }

  #tagged(thing: Thing, { operation, input, form, removes, isWithin }: TagCall, nowMs: number): HttpResponse {
    const held = tagsOf(thing.values)
    if (/^(?:Get|List)/.test(operation)) {
      const told = { Tags: tagsAs(form, held) }
      return json(200, isWithin ? { TagInfo: told } : told)
    }
    const gone = /^(?:Untag|Remove)/.test(operation) ? keysFrom({ removes, form }, input) : undefined
    const tags =
      gone === undefined
        ? { ...held, ...tagsFrom(form, input['Tags']) }
        : Object.fromEntries(Object.entries(held).filter(([key]) => !gone.includes(key)))
    this.#remember(nowMs)
    this.#things = this.#things.map(each => (each === thing ? { ...each, values: { ...each.values, Tags: tags } } : each))
    return json(200, {})
  }

  objects(): readonly AwsObject[] {
    return this.#things.map(({ kind, key, label, values, isForeign }) => ({
      apiVersion: 'aws/small',
      kind,
      metadata: { name: key, uid: key, labels: tagsOf(values) },
      spec: { ...values, label, ...(isForeign === true ? { isForeign } : {}) },
    }))
  }

  /** By hand. */
  change(kind: string, to: (thing: Thing) => Thing | undefined): void {
    this.#things = this.#things.flatMap(each => (each.kind === kind ? (to(each) ?? []) : [each]))
  }

  #asOf(thenMs: number): readonly Thing[] {
    return this.#past.find(({ untilMs }) => untilMs > thenMs)?.things ?? this.#things
  }

  #remember(nowMs: number): void {
    this.#past = [...this.#past.filter(({ untilMs }) => untilMs > nowMs - pastMs), { untilMs: nowMs, things: this.#things }]
  }

  #write({ operation, kind, input }: Call, nowMs: number): HttpResponse {
    this.#remember(nowMs)
    if (operation === `Create${kind.kind}`) return this.#create(kind, input)
    const thing = find(this.#things, kind, input)
    if (thing === undefined) return absent(kind)
    if (/^(?:Tag|Untag)/.test(operation)) return this.#tagged(thing, ownTagCall(kind, operation, input), nowMs)
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

  #create(kind: RandomKind, { [kind.key]: given, Label: label, Tags: tags, ...sent }: Input): HttpResponse {
    const values = { ...heldOf(kind, sent), Tags: tagsFrom(kind.tagging?.form ?? 'map', tags) }
    const name = String(kind.identity === 'named' ? given : label)
    const isTaken = this.#things.some(each => each.kind === kind.kind && each.label === name)
    if (isTaken && (kind.identity === 'named' || kind.identity === 'unread'))
      return json(409, { __type: `${kind.kind}AlreadyExistsException`, message: 'that name is taken' })
    const chosen = kind.identity === 'unread' ? keyOf(name) : `id-${++this.#made}-of-aws`
    const key = kind.identity === 'named' ? name : typeof given === 'string' ? given : chosen
    const thing = { kind: kind.kind, key, label: name, values }
    this.#things = [...this.#things, thing]
    return json(200, around(kind, kind.identity === 'unread' ? { [`${kind.kind}Arn`]: arnOf(thing) } : idsOf(kind, thing)))
  }
}

function idsOf(kind: RandomKind, thing: Thing): object {
  return { [kind.key]: addressOf(kind, thing), [arnName(kind)]: arnOf(thing) }
}

/** By which it is asked for. */
function addressOf({ identity }: RandomKind, thing: Thing): string {
  return identity === 'by-arn' ? arnOf(thing) : thing.key
}

function around({ kind, isWithin }: RandomKind, output: object): object {
  return isWithin ? { [kind]: output } : output
}

interface TagCall extends Removal {
  readonly operation: string
  readonly input: Input
  readonly isWithin: boolean
}

function ownTagCall({ tagging }: RandomKind, operation: string, input: Input): TagCall {
  return { operation, input, form: tagging?.form ?? 'map', removes: 'TagKeys', isWithin: false }
}

interface Call {
  readonly operation: string
  readonly kind: RandomKind
  readonly input: Input
}

function read(things: readonly Thing[], { operation, kind, input }: Call, isPartial: boolean): HttpResponse {
  if (operation === `List${kind.kind}s`) {
    const all = things
      .filter(each => each.kind === kind.kind)
      .map(thing => ({ [kind.key]: addressOf(kind, thing), Label: thing.label }))
    return json(200, { [`${kind.kind}s`]: isPartial ? all.slice(1) : all })
  }
  if (operation === `Describe${kind.kind}s`) return readSeveral(things, { operation, kind, input }, isPartial)
  const thing = find(things, kind, input)
  if (thing === undefined) return absent(kind)
  if (operation === `List${kind.kind}Tags`) return json(200, { Tags: tagsAs(kind.tagging?.form ?? 'map', tagsOf(thing.values)) })
  const rules = rulesOf(thing)
  if (operation === `List${kind.kind}Rules`) return json(200, { RuleNames: Object.keys(rules) })
  const name = String(input['RuleName'])
  if (operation === `Get${kind.kind}Rule`)
    return rules[name] === undefined ? absentRule : json(200, { RuleName: name, RuleText: rules[name] })
  const part = kind.fields.find(field => operation === `Get${kind.kind}${field.name}`)
  if (part !== undefined)
    return thing.values[part.name] === undefined ? absentPart : json(200, { [part.name]: told(part, thing.values[part.name]) })
  return json(200, around(kind, toldOf(kind, thing)))
}

/** Without a name, it tells all that there is. */
function readSeveral(things: readonly Thing[], { kind, input }: Call, isPartial: boolean): HttpResponse {
  const keys = input[`${kind.key}s`] as readonly string[] | undefined
  const all = things.filter(each => each.kind === kind.kind)
  const found = keys === undefined ? all : all.filter(({ key }) => keys.includes(key))
  if (keys !== undefined && found.length < keys.length && !kind.isSilent) return absent(kind)
  const told = found.map(thing => toldOf(kind, thing))
  return json(200, { [`${kind.kind}s`]: isPartial && keys === undefined ? told.slice(1) : told })
}

function toldOf(kind: RandomKind, thing: Thing): object {
  const tells = kind.fields.filter(({ name, isTold }) => isTold && thing.values[name] !== undefined)
  const { tagging } = kind
  return {
    ...idsOf(kind, thing),
    Label: thing.label,
    ...(tagging?.toldBy === 'read' ? { Tags: tagsAs(tagging.form, tagsOf(thing.values)) } : {}),
    ...Object.fromEntries(tells.map(field => [field.name, told(field, thing.values[field.name])])),
  }
}

function find(things: readonly Thing[], kind: RandomKind, input: Input): Thing | undefined {
  return things.find(each => each.kind === kind.kind && input[kind.key] === addressOf(kind, each))
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

function tagsOf(values: Thing['values']): Tags {
  return (values['Tags'] ?? {}) as Tags
}

export function markOf(object: AwsObject): string | undefined {
  return object.metadata.labels?.[ownerTag]
}
