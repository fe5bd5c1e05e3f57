// A kind that no service has, with just the fields and operations that a test speaks of. Whatever it does not speak of is empty.

import type { ModelType, ResourceField, ResourceKind, ResourceService, ServiceModel, StructureShape } from '#aws'
import { given } from '#base'
import { type KindModel, kindModel } from '../model/kind-model.ts'

/** `KMSKeyID: 'string'`, `Subnets: list('string')`, or with what a config says of the field: `wire: undefined` of one that AWS does not know. */
type FieldsMadeUp = Readonly<Record<string, ModelType['kind'] | ModelType | FieldMadeUp>>
type FieldMadeUp = Partial<Omit<ResourceField, 'wire'>> & { readonly wire?: string | undefined }

export interface KindMadeUp extends Partial<Omit<ResourceKind, 'spec' | 'status'>> {
  readonly spec?: FieldsMadeUp
  readonly status?: FieldsMadeUp
  /** Structures of fields, by shape. */
  readonly structures?: Readonly<Record<string, FieldsMadeUp>>
  /** Members of the inputs and outputs by operation, each with the shape that it targets; none of an operation that is only named. */
  readonly inputs?: MembersMadeUp
  readonly outputs?: MembersMadeUp
  /** Members of inputs that are required, by operation. They are texts, unless `inputs` says otherwise. */
  readonly required?: Readonly<Record<string, readonly string[]>>
  readonly shapes?: ServiceModel['shapes']
}

type MembersMadeUp = Readonly<Record<string, Readonly<Record<string, string>>>>

export function madeUpKind(parts: KindMadeUp): KindModel {
  const { spec = {}, status = {}, structures = {}, inputs = {}, outputs = {}, required = {}, shapes = {}, ...more } = parts
  const kind: ResourceKind = {
    kind: 'Thing',
    plural: 'things',
    resource: 'Thing',
    version: 'v1alpha1',
    operations: { create: 'CreateThing' },
    bindings: {},
    settings: {},
    ...more,
    spec: fieldsOf(spec),
    status: fieldsOf(status),
  }
  const service: ResourceService = {
    format: 1,
    alias: 'madeup',
    group: 'madeup.services.k8s.aws',
    madeOf: { model: '', config: '', program: '' },
    kinds: { Thing: kind },
    structures: Object.fromEntries(Object.entries(structures).map(([shape, fields]) => [shape, fieldsOf(fields)])),
    model: modelOf(Object.values(kind.operations), { inputs, outputs, required, shapes }),
  }
  return kindModel(service, kind)
}

export function list(element: ModelType['kind'] | ModelType): ModelType {
  return { kind: 'list', element: typeOf(element) }
}

export function map(value: ModelType['kind'] | ModelType): ModelType {
  return { kind: 'map', value: typeOf(value) }
}

export function structure(shape: string): ModelType {
  return { kind: 'structure', shape }
}

/** Members that are texts, unless it is said what they are; none is required. */
export function structureShape(
  members: Readonly<Record<string, string>>,
  type: StructureShape['type'] = 'structure',
): StructureShape {
  return {
    type,
    required: [],
    members: Object.fromEntries(Object.entries(members).map(([name, target]) => [name, { target }])),
  }
}

function typeOf(type: ModelType['kind'] | ModelType): ModelType {
  return typeof type === 'string' ? ({ kind: type } as ModelType) : type
}

function fieldsOf(fields: FieldsMadeUp): readonly ResourceField[] {
  return Object.entries(fields).map(([camel, said]) => {
    const json = `${camel.slice(0, 1).toLowerCase()}${camel.slice(1)}`
    const more: FieldMadeUp = typeof said === 'string' || 'kind' in said ? { type: typeOf(said) } : said
    const { wire, ...rest } = { wire: camel, ...more }
    return { json, camel, member: camel, type: { kind: 'string' }, ...rest, ...given({ wire }) }
  })
}

function inputShape(members: Readonly<Record<string, string>>, required: readonly string[]): StructureShape {
  const texts = Object.fromEntries(required.map(name => [name, 'String']))
  return { ...structureShape({ ...texts, ...members }), required }
}

type Parts = Required<Pick<KindMadeUp, 'inputs' | 'outputs' | 'required' | 'shapes'>>

function modelOf(named: readonly string[], { inputs, outputs, required, shapes }: Parts): ServiceModel {
  const names = [...new Set([...named, ...[inputs, outputs, required].flatMap(each => Object.keys(each))])]
  const operations = names.map(name => [
    name,
    { name, http: { method: 'POST', uri: '/', code: 200 }, input: `${name}Request`, output: `${name}Response`, errors: [] },
  ])
  const payloads = names.flatMap(name => [
    [`${name}Request`, inputShape(inputs[name] ?? {}, required[name] ?? [])],
    [`${name}Response`, structureShape(outputs[name] ?? {})],
  ])
  return {
    id: 'Made Up',
    apiVersion: '2026-01-01',
    protocol: 'json-1.1',
    endpointPrefix: 'madeup',
    signingName: 'madeup',
    operations: Object.fromEntries(operations),
    shapes: {
      String: { type: 'string' },
      Boolean: { type: 'boolean' },
      Integer: { type: 'integer' },
      Long: { type: 'long' },
      Blob: { type: 'blob' },
      Timestamp: { type: 'timestamp' },
      ...Object.fromEntries(payloads),
      ...shapes,
    },
  } as ServiceModel
}
