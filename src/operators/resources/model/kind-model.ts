// A kind with what is looked up all the time: its operations with their members, its fields by name, its name in Kubernetes.
import type {
  Member,
  ModelType,
  Operation,
  ResourceField,
  ResourceKind,
  ResourceService,
  ServiceModel,
  StructureShape,
} from '#aws'
import { Bug } from '#base'
import type { ResourceType } from '#kube'
import { nameKey } from './names.ts'

export interface KindModel {
  readonly service: ResourceService
  readonly kind: ResourceKind
  readonly type: ResourceType
  readonly finalizer: string
  /** `service/Kind`: under which deviations are listed. */
  readonly id: string
  readonly spec: FieldsByName
  readonly status: FieldsByName
  /** Members of inputs that are always the same, by operation. */
  readonly constants: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  /** Where the tags stand in the spec; absent when the kind has none. */
  readonly tags: ResourceField | undefined
}

export interface FieldsByName {
  readonly all: readonly ResourceField[]
  /** By the name that configs and operations use. */
  named(name: string): ResourceField | undefined
}

export function kindModel(service: ResourceService, kind: ResourceKind): KindModel {
  const type = { group: service.group, version: kind.version, kind: kind.kind, plural: kind.plural, namespaced: true }
  const spec = fieldsByName(kind.spec)
  const path = kind.settings.tags?.path ?? 'Tags'
  return {
    service,
    kind,
    type,
    finalizer: `finalizers.${service.group}/${kind.kind}`,
    id: `${service.alias}/${kind.kind}`,
    constants: constantsOf(`${service.alias}/${kind.kind}`),
    spec,
    status: fieldsByName(kind.status),
    tags: kind.settings.tags === undefined ? undefined : fieldAt(service, spec, path),
  }
}

/**
 * What follows from a kind alone, or from a kind and names of its service, is made when it is first asked for and held as long as the kind is:
 * every look at every claim asks for it. `of` must be few and the same each time, such as operations, never what a manifest says.
 */
export function onceOfKind<Of extends readonly unknown[], T>(
  make: (model: KindModel, ...of: Of) => T,
): (model: KindModel, ...of: Of) => T {
  const made = new WeakMap<KindModel, Branch<T>>()
  return (model, ...of) => {
    let branch = made.get(model)
    if (branch === undefined) made.set(model, (branch = { further: new Map() }))
    for (const key of of) {
      let next = branch.further.get(key)
      if (next === undefined) branch.further.set(key, (next = { further: new Map() }))
      branch = next
    }
    branch.made ??= { value: make(model, ...of) }
    return branch.made.value
  }
}

interface Branch<T> {
  made?: { readonly value: T }
  readonly further: Map<unknown, Branch<T>>
}

/** The field at a dotted Camel path below `fields`. */
function fieldAt(service: ResourceService, fields: FieldsByName, path: string): ResourceField | undefined {
  const [first = '', ...rest] = path.split('.')
  const field = fields.named(first)
  if (field === undefined || rest.length === 0) return field
  const shape = field.type.kind === 'structure' ? field.type.shape : undefined
  return shape === undefined ? undefined : fieldAt(service, fieldsByName(structureFields(service, shape)), rest.join('.'))
}

export function structureFields({ structures }: ResourceService, shape: string): readonly ResourceField[] {
  return Object.hasOwn(structures, shape) ? (structures[shape] as readonly ResourceField[]) : []
}

/** The fields of a structure; without a name those of the spec. */
export function fieldsIn({ kind, service }: KindModel, shape: string | undefined): readonly ResourceField[] {
  return shape === undefined ? kind.spec : structureFields(service, shape)
}

/** The structure that a field holds, or each element of the list that it holds. */
export function shapeIn({ type }: ResourceField): string | undefined {
  const held = type.kind === 'list' ? type.element : type
  return held.kind === 'structure' ? held.shape : undefined
}

/** Whether a field, or one within the structures that it leads to, is such a one. */
export function leadsTo(model: KindModel, field: ResourceField, isSuch: (field: ResourceField) => boolean): boolean {
  const seen = new Set<string>()
  const isOnTheWay = (each: ResourceField): boolean => {
    if (isSuch(each)) return true
    const shape = shapeIn(each)
    if (shape === undefined || seen.has(shape)) return false
    seen.add(shape)
    return fieldsIn(model, shape).some(isOnTheWay)
  }
  return isOnTheWay(field)
}

/** What an index or a key of a value leads to. */
export function elementOf(type: ModelType | undefined): ModelType | undefined {
  return type?.kind === 'list' ? type.element : type?.kind === 'map' ? type.value : undefined
}

export function fieldsByName(all: readonly ResourceField[]): FieldsByName {
  const byName = new Map<string, ResourceField>()
  for (const field of all) {
    if (field.type.kind === 'reference' || (field.type.kind === 'list' && field.type.element.kind === 'reference')) continue
    byName.set(nameKey(field.camel), field)
  }
  return { all, named: name => byName.get(nameKey(name)) }
}

export function operationNamed(model: ServiceModel, name: string): Operation {
  const operation = Object.hasOwn(model.operations, name) ? model.operations[name] : undefined
  if (operation === undefined) throw new Bug('the representation names an operation that its model lacks', `${model.id} ${name}`)
  return operation
}

const noMembers: StructureShape = { type: 'structure', members: {}, required: [] }

export function inputOf(model: ServiceModel, operation: string): StructureShape {
  return structureNamed(model, operationNamed(model, operation).input)
}

export function outputOf(model: ServiceModel, operation: string): StructureShape {
  return structureNamed(model, operationNamed(model, operation).output)
}

export function structureNamed(model: ServiceModel, name: string | undefined): StructureShape {
  const shape = name === undefined ? undefined : model.shapes[name]
  return shape?.type === 'structure' || shape?.type === 'union' ? shape : noMembers
}

/** The structure that a member leads to: its own, or a list's elements'. */
export function structureOfMember(model: ServiceModel, member: Member | undefined): StructureShape | undefined {
  const shape = member === undefined ? undefined : model.shapes[member.target]
  if (shape?.type === 'list') return structureOfMember(model, shape.member)
  return shape?.type === 'structure' || shape?.type === 'union' ? shape : undefined
}

// Members that an API takes and that leave no choice: a key of KMS has one policy, and it has a name.
type Constants = Readonly<Record<string, Readonly<Record<string, unknown>>>>

const constants: Readonly<Record<string, Constants>> = {
  'kms/Key': { GetKeyPolicy: { PolicyName: 'default' }, PutKeyPolicy: { PolicyName: 'default' } },
}

/** By operation; `id` is `service/Kind`. */
function constantsOf(id: string): Constants {
  const found = Object.hasOwn(constants, id) ? constants[id] : undefined
  return found ?? {}
}
