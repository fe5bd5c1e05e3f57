// A small API model, written by hand: what a test does not say has a default.
import type { ServiceModel } from '#aws'
import { flattenCrd } from '../compare/flatten.ts'
import { readGeneratorConfig } from '../config/read-config.ts'
import { readModel } from '../read/read-model.ts'
import { crdOf } from '../render/crd.ts'
import { type InferOptions, type InferredService, inferService } from './infer-service.ts'

export type C2jShape = Readonly<Record<string, unknown>>

/** Members as `name: shape`; required ones begin with `!`. */
export function structure(members: Readonly<Record<string, string>>, rest: C2jShape = {}): C2jShape {
  const names = Object.keys(members)
  return {
    type: 'structure',
    required: names.filter(name => name.startsWith('!')).map(name => name.slice(1)),
    members: Object.fromEntries(names.map(name => [name.replace('!', ''), { shape: members[name] }])),
    ...rest,
  }
}

export interface SmallModel {
  /** Operation to its input and output: members, or the name of a shape. */
  readonly operations: Readonly<
    Record<string, readonly [input?: Readonly<Record<string, string>>, output?: Readonly<Record<string, string>>]>
  >
  readonly shapes?: Readonly<Record<string, C2jShape>>
  readonly serviceId?: string
}

const scalars: Readonly<Record<string, C2jShape>> = {
  String: { type: 'string' },
  Integer: { type: 'integer' },
  Boolean: { type: 'boolean' },
  Timestamp: { type: 'timestamp' },
  Strings: { type: 'list', member: { shape: 'String' } },
  StringMap: { type: 'map', key: { shape: 'String' }, value: { shape: 'String' } },
}

export function smallModel({ operations, shapes = {}, serviceId = 'Small' }: SmallModel): ServiceModel {
  const payloads: Record<string, C2jShape> = {}
  const listed = Object.entries(operations).map(([name, [input, output]]) => {
    if (input !== undefined) payloads[`${name}Request`] = structure(input)
    if (output !== undefined) payloads[`${name}Response`] = structure(output)
    return [
      name,
      {
        name,
        http: { method: 'POST', requestUri: '/' },
        ...(input === undefined ? {} : { input: { shape: `${name}Request` } }),
        ...(output === undefined ? {} : { output: { shape: `${name}Response` } }),
      },
    ]
  })
  const metadata = {
    apiVersion: '2020-01-01',
    endpointPrefix: 'small',
    protocol: 'json',
    jsonVersion: '1.1',
    targetPrefix: 'Small',
    serviceId,
    signatureVersion: 'v4',
  }
  return readModel(
    JSON.stringify({ metadata, operations: Object.fromEntries(listed), shapes: { ...scalars, ...payloads, ...shapes } }),
    { documentation: true },
  )
}

export function inferSmall(model: SmallModel, generator = '', options: Partial<InferOptions> = {}): InferredService {
  const loaded = readGeneratorConfig(generator)
  return inferService(smallModel(model), { alias: 'small', loaded, ...options })
}

/** `spec.name: string required` … of a kind, in order. */
export function fieldsOf(service: InferredService, name: string): readonly string[] {
  const kind = service.kinds.find(each => each.kind === name)
  if (kind === undefined) throw new Error(`no kind ${name}; refused: ${JSON.stringify(service.refused)}`)
  const { fields } = flattenCrd(crdOf(service, kind))
  return [...fields]
    .filter(([path]) => path !== 'spec' && path !== 'status')
    .map(
      ([path, { type, required, immutable }]) => `${path}: ${type}${required ? ' required' : ''}${immutable ? ' immutable' : ''}`,
    )
}
