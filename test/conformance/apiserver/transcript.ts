// What was asked and answered, and its normal form: everything that differs between two runs of the same sequence by nature (uids,
// resource versions, times, generated names, addresses) becomes a symbol that says where it was first seen, `<uid 3.1>`. The same
// value has the same symbol for the whole sequence, so "unchanged" and "changed" are still compared.
import { canonical, sorted } from './lossless.ts'
import type { Caller } from './target.ts'

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json | undefined }

export interface RecordedRequest {
  readonly method: string
  readonly target: string
  readonly as?: Caller
  readonly headers?: Readonly<Record<string, string>>
  readonly type?: string
  readonly body?: Json
  readonly raw?: string
  readonly base64?: string
}

export interface RecordedReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly body: Json
}

export type Step =
  | { readonly kind: 'request'; readonly request: RecordedRequest; readonly reply: RecordedReply }
  | { readonly kind: 'watch'; readonly id: number; readonly request: RecordedRequest; readonly reply: RecordedReply }
  | { readonly kind: 'until'; readonly request: RecordedRequest; readonly reply: RecordedReply }
  | {
      readonly kind: 'events'
      readonly id: number
      readonly count: number | 'all'
      readonly events: readonly Json[]
      readonly ended: boolean
    }
  | { readonly kind: 'pass'; readonly ms: number }
  | { readonly kind: 'compact'; readonly revision: string }

/** Headers whose value is the same on every server; of those in `presence` only that they are there. */
const headersKept = [
  'content-type',
  'warning',
  'retry-after',
  'content-encoding',
  'vary',
  'cache-control',
  'location',
  'allow',
  'audit-id',
]
const presence = ['etag', 'www-authenticate', 'expires']

const day = 86_400_000
const uuid = /(?<![0-9a-f])[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}(?![0-9a-f])/g
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/
const jwt = /\beyJ[\w-]+\.[\w-]+\.[\w-]+/g
const clusterIp = /\b10\.(?:9[6-9]|10\d|11[01])\.\d+\.\d+\b/g
const age = /^\d+[ydhms](\d+[ydhms])?$/
const symbol = /<(?:uid|rv|list|bookmark|continue|name|jwt|ip) \d+\.\d+>/g

/** Turns one sequence into its normal form, step by step and in order. */
export class Normaliser {
  readonly #now: () => number
  readonly #symbolOf = new Map<string, string>()
  readonly #valueOf = new Map<string, string>()
  /** Revisions that only lists and bookmarks showed; they compare with nothing but can be asked for. */
  readonly #listRevision = new Map<string, string>()
  readonly #literal = new Set<string>()
  #step = 0
  readonly #count = new Map<string, number>()

  constructor(now: () => number) {
    this.#now = now
  }

  step(step: Step): Step {
    this.#step++
    this.#count.clear()
    switch (step.kind) {
      case 'request':
      case 'until':
      case 'watch': {
        const request = this.request(step.request)
        return { ...step, request, reply: this.#reply(step.reply) }
      }
      case 'events':
        return { ...step, events: step.events.map(event => this.#event(event)) }
      case 'compact':
        return { ...step, revision: this.#revisionAsked(step.revision) }
      default:
        return step
    }
  }

  /** Values seen in earlier replies become their symbols; whatever else the request says is meant literally. */
  request(request: RecordedRequest): RecordedRequest {
    for (const text of stringsOf(request))
      for (const found of text.match(uuid) ?? []) if (!this.#symbolOf.has(found)) this.#literal.add(found)
    for (const text of stringsOf(request))
      for (const found of text.match(clusterIp) ?? []) if (!this.#symbolOf.has(found)) this.#literal.add(found)
    const target = this.#known(request.target)
      .replace(/([?&]resourceVersion=)([^&]+)/, (_, name: string, value: string) => name + this.#revisionAsked(value))
      .replace(
        /([?&]continue=)([^&]+)/,
        (_, name: string, value: string) => name + (this.#symbolOf.get(decodeURIComponent(value)) ?? value),
      )
    const asked: RecordedRequest = { ...(this.#ask(request, '') as unknown as RecordedRequest), target }
    return asked
  }

  /** Puts the values of this run where the JSON text has symbols. */
  resolveJson(text: string): string {
    return text.replace(symbol, found => {
      const value = this.#valueOf.get(found)
      return value === undefined ? found : JSON.stringify(value).slice(1, -1)
    })
  }

  #ask(value: unknown, key: string): Json {
    if (typeof value === 'string') return key === 'resourceVersion' ? this.#revisionAsked(value) : this.#known(value)
    if (Array.isArray(value)) return value.map(item => this.#ask(item, key))
    if (typeof value !== 'object' || value === null) return value as Json
    const record = value as Record<string, unknown>
    const isRevisionPatch =
      typeof record['path'] === 'string' && record['path'].endsWith('/resourceVersion') && typeof record['value'] === 'string'
    return Object.fromEntries(
      Object.entries(record).map(([name, item]) => [
        name,
        this.#ask(item, isRevisionPatch && name === 'value' ? 'resourceVersion' : name),
      ]),
    )
  }

  #revisionAsked(value: string): string {
    return this.#symbolOf.get(`rv ${value}`) ?? this.#listRevision.get(value) ?? value
  }

  #known(text: string): string {
    let known = text
      .replace(uuid, found => this.#symbolOf.get(found) ?? found)
      .replace(jwt, found => this.#symbolOf.get(found) ?? found)
    known = known.replace(clusterIp, found => this.#symbolOf.get(found) ?? found)
    for (const [value, name] of this.#symbolOf)
      if (name.startsWith('<name') && known.includes(value)) known = known.replaceAll(value, name)
    return known
  }

  #reply(reply: RecordedReply): RecordedReply {
    const headers: Record<string, string | readonly string[]> = {}
    for (const name of headersKept) {
      const value = reply.headers[name]
      if (value === undefined || (name === 'audit-id' && uuid.test(String(value)))) continue
      // A header that came several times is the same as its values in one line.
      const texts = (typeof value === 'string' ? [value] : value).map(text => this.#text(text))
      headers[name] = texts.join(', ')
    }
    for (const name of presence) if (reply.headers[name] !== undefined) headers[name] = '<present>'
    return { status: reply.status, headers, body: this.#value(sorted(reply.body), '', undefined) }
  }

  #event(event: Json): Json {
    const { type, object } = event as { type: string; object: Json }
    if (type === 'BOOKMARK') {
      const meta = (object as { metadata: { resourceVersion: string } }).metadata
      const name = this.#next('bookmark', meta.resourceVersion)
      this.#listRevision.set(meta.resourceVersion, name)
      return {
        type,
        object: this.#value(
          sorted({ ...(object as object), metadata: { ...meta, resourceVersion: '<bookmark>' } }),
          '',
          undefined,
        ),
      }
    }
    return { type, object: this.#value(sorted(object), '', undefined) }
  }

  #value(value: unknown, key: string, owner: Record<string, unknown> | undefined): Json {
    if (typeof value === 'string') return this.#string(value, key, owner)
    if (typeof value === 'number' && (key === 'nodePort' || key === 'healthCheckNodePort') && value >= 30000 && value <= 32767)
      return '<nodePort>'
    if (Array.isArray(value)) return this.#array(value, key)
    if (typeof value !== 'object' || value === null) return value as Json
    return this.#object(value as Record<string, unknown>, key, owner)
  }

  #object(record: Record<string, unknown>, key: string, owner: Record<string, unknown> | undefined): Json {
    if (key === 'metadata' && owner !== undefined && isList(owner)) return this.#listMeta(record)
    if (typeof record['generateName'] === 'string' && typeof record['name'] === 'string' && record['generateName'] !== '') {
      const name = record['name']
      if (!this.#symbolOf.has(name) && name.startsWith(record['generateName'].slice(0, 58))) this.#next('name', name)
    }
    const plain = Object.fromEntries(
      // Keys hold uids too: `k:{"uid":"…"}` in fieldsV1.
      Object.entries(record).map(([name, item]) => [
        name.includes('{') ? this.#text(name) : name,
        this.#value(item, name, record),
      ]),
    )
    return isStatusWithCauses(plain) ? sortCauses(plain) : plain
  }

  #listMeta(meta: Record<string, unknown>): Json {
    const plain: Record<string, Json> = {}
    for (const [name, item] of Object.entries(meta)) {
      if (name === 'resourceVersion' && typeof item === 'string' && item !== '') {
        this.#listRevision.set(item, this.#next('list', item))
        plain[name] = '<list>'
      } else plain[name] = this.#value(item, name, meta)
    }
    return plain
  }

  #array(items: readonly unknown[], key: string): Json {
    const plain = items.map(item => this.#value(item, key === 'cells' ? 'cell' : '', undefined))
    if (key === 'resourceRules' || key === 'nonResourceRules') return plain.sort((a, b) => (canonical(a) < canonical(b) ? -1 : 1))
    if (key !== 'managedFields') return plain
    // The server orders them by second as well, so that the order depends on when the test ran.
    const rank = (entry: Json): string => {
      const { operation, manager, apiVersion, subresource } = entry as Record<string, string>
      return [operation, manager, apiVersion, subresource].join('|')
    }
    return plain.sort((a, b) => (rank(a) < rank(b) ? -1 : 1))
  }

  #string(text: string, key: string, owner: Record<string, unknown> | undefined): Json {
    if (key === 'resourceVersion' && text !== '' && text !== '0') return this.#revision(text, owner)
    if (key === 'continue' && text !== '') return this.#symbolOf.get(text) ?? this.#next('continue', text)
    if (key === 'cell' && age.test(text)) return '<age>'
    if (key === 'serverAddress') return '<address>'
    return this.#text(text)
  }

  #revision(text: string, owner: Record<string, unknown> | undefined): string {
    if (text === '<bookmark>' || owner === undefined) return text
    const known = this.#symbolOf.get(`rv ${text}`)
    if (known !== undefined) return known
    const name = this.#next('rv', `rv ${text}`)
    this.#valueOf.set(name, text)
    return name
  }

  #text(text: string): string {
    if (time.test(text) && Math.abs(Date.parse(text) - this.#now()) < day) return text.includes('.') ? '<microtime>' : '<time>'
    let plain = text.replace(uuid, found =>
      this.#literal.has(found) ? found : (this.#symbolOf.get(found) ?? this.#next('uid', found)),
    )
    plain = plain.replace(jwt, found => this.#symbolOf.get(found) ?? this.#next('jwt', found))
    plain = plain.replace(clusterIp, found =>
      found === '10.96.0.1' || this.#literal.has(found) ? found : (this.#symbolOf.get(found) ?? this.#next('ip', found)),
    )
    for (const [value, name] of this.#symbolOf)
      if (name.startsWith('<name') && plain.includes(value)) plain = plain.replaceAll(value, name)
    return (
      plain
        // Two bootstrap bindings allow the same; which of them is found first changes between runs.
        .replace(/("system:)public-info-viewer(" of ClusterRole "system:)public-info-viewer"/g, '$1discovery$2discovery"')
        // Whole objects are quoted in some refusals.
        .replace(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, found =>
          Math.abs(Date.parse(found) - this.#now()) < day ? '<time>' : found,
        )
        .replace(/(resourceVersion\\*":\\*")\d+/g, '$1<n>')
        .replace(/(Key: )\/[^/]+\//, '$1/registry/')
        .replace(/:3[0-2]\d{3}\/(TCP|UDP)/g, ':<nodePort>/$1')
        .replace(/\bkube-api-access-[a-z0-9]{5}\b/g, 'kube-api-access-<5>')
        .replace(/(too old resource version: )\d+ \(\d+\)/, '$1<n> (<n>)')
        .replace(/(Too large resource version: \d+, current: )\d+/, '$1<n>')
        .replace(/(ResourceVersion in the precondition \()[^)]*(\) does not match .*record \()[^)]*\)/, '$1<n>$2<n>)')
        // The fields of an object are gone through in no particular order.
        .replace(/(?<=errors:\n)( {2}.*(\n {2}.*)+)/g, lines => lines.split('\n').sort().join('\n'))
        .replace(/(127\.0\.0\.1|localhost):\d{4,5}/g, '$1:<port>')
        .replace(/hash=[0-9A-F]{128}/g, 'hash=<hash>')
    )
  }

  #next(kind: string, value: string): string {
    const count = (this.#count.get(kind) ?? 0) + 1
    this.#count.set(kind, count)
    const name = `<${kind} ${this.#step}.${count}>`
    if (kind !== 'list' && kind !== 'bookmark') this.#symbolOf.set(value, name)
    this.#valueOf.set(name, value)
    return name
  }
}

/** Everything in one go. */
export function normalise(steps: readonly Step[], now: () => number): Step[] {
  const normaliser = new Normaliser(now)
  return steps.map(step => normaliser.step(step))
}

function isList(object: Record<string, unknown>): boolean {
  return Array.isArray(object['items']) || (object['kind'] === 'Table' && Array.isArray(object['rows']))
}

function isStatusWithCauses(object: Record<string, Json>): boolean {
  const details = object['details'] as { causes?: Json[] } | undefined
  return object['kind'] === 'Status' && Array.isArray(details?.causes) && details.causes.length > 1
}

// The real server walks hash maps while it validates, so the order of several causes is its own accident.
function sortCauses(status: Record<string, Json>): Json {
  const details = status['details'] as { causes: readonly { field?: string; message?: string }[] }
  const rank = (cause: { field?: string; message?: string }): string => `${cause.field ?? ''} ${cause.message ?? ''}`
  const causes = [...details.causes].sort((a, b) => (rank(a) < rank(b) ? -1 : 1))
  const message = (status['message'] as string).replace(/( is invalid: )\[.*\]$/s, '$1[<causes>]')
  return { ...status, message, details: { ...details, causes } as unknown as Json }
}

function* stringsOf(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value
  else if (typeof value === 'object' && value !== null) for (const item of Object.values(value)) yield* stringsOf(item)
}
