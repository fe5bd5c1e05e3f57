// What the client wants to read: the first clause of its Accept header that we can serve.

export type Transform = 'none' | 'table' | 'partial' | 'partial-list'

export interface Accepted {
  readonly format: 'json' | 'yaml'
  readonly transform: Transform
  /** Version of meta.k8s.io that the transform was asked in. */
  readonly metaVersion: 'v1' | 'v1beta1'
  readonly pretty: boolean
}

export const acceptedTypes: readonly string[] = ['application/json', 'application/yaml', 'application/vnd.kubernetes.protobuf']

const plainJson: Accepted = { format: 'json', transform: 'none', metaVersion: 'v1', pretty: false }

interface Clause {
  readonly type: string
  readonly parameters: ReadonlyMap<string, string>
}

/** Undefined: nothing on the list can be served, which is a 406. */
export function negotiate(header: string | undefined, allows: (clause: Accepted) => boolean = () => true): Accepted | undefined {
  if (header === undefined || header === '' || header === 'application/json' || header === '*/*') return plainJson
  for (const clause of parseAccept(header)) {
    const accepted = serve(clause)
    if (accepted !== undefined && allows(accepted)) return accepted
  }
  return undefined
}

/** For refusals, which are never transformed. */
export function negotiatePlain(header: string | undefined): Accepted {
  if (header === undefined) return plainJson
  for (const clause of parseAccept(header)) {
    const format = formatOf(clause.type)
    if (format !== undefined && !clause.parameters.has('as')) return { ...plainJson, format }
  }
  return plainJson
}

/** Clauses in order of quality, then the particular before the general, then of appearance. No quality is as good as the whole. */
export function parseAccept(header: string): readonly Clause[] {
  const clauses = header.split(',').map(text => {
    const [type = '', ...rest] = text.split(';').map(part => part.trim())
    const parameters = new Map(rest.map(splitParameter))
    return { type: type.toLowerCase(), parameters, quality: qualityOf(parameters.get('q')) }
  })
  return clauses
    .filter(clause => clause.type !== '')
    .sort((a, b) => b.quality - a.quality || wildcards(a.type) - wildcards(b.type))
}

function qualityOf(text = '1'): number {
  const quality = Number(text)
  return Number.isNaN(quality) ? 1 : quality
}

/** The more parts, the more of them are any. */
function wildcards(type: string): number {
  return type.split('*').length
}

function serve(clause: Clause): Accepted | undefined {
  const format = formatOf(clause.type)
  if (format === undefined) return undefined
  const pretty = clause.parameters.get('pretty') === '1'
  const as = clause.parameters.get('as')
  if (as === undefined) return { format, transform: 'none', metaVersion: 'v1', pretty }
  const version = clause.parameters.get('v')
  if (clause.parameters.get('g') !== 'meta.k8s.io' || (version !== 'v1' && version !== 'v1beta1')) return undefined
  if (as === 'Table') return { format, transform: 'table', metaVersion: version, pretty }
  if (as === 'PartialObjectMetadata') return { format, transform: 'partial', metaVersion: version, pretty }
  if (as === 'PartialObjectMetadataList') return { format, transform: 'partial-list', metaVersion: version, pretty }
  return undefined
}

function formatOf(type: string): 'json' | 'yaml' | undefined {
  if (type === 'application/json' || type === '*/*' || type === 'application/*') return 'json'
  return type === 'application/yaml' ? 'yaml' : undefined
}

function splitParameter(text: string): [string, string] {
  const equals = text.indexOf('=')
  if (equals < 0) return [text, '']
  return [
    text.slice(0, equals).trim(),
    text
      .slice(equals + 1)
      .trim()
      .replace(/^"(.*)"$/, '$1'),
  ]
}
