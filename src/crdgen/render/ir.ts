// The representation that the resource runtime reads.
import { createHash } from 'node:crypto'
import {
  aroundResource,
  type ModelType,
  type OperationBinding,
  type ResourceField,
  type ResourceKind,
  type ResourceOperations,
  type ResourcePart,
  type ResourceService,
  type ServiceModel,
} from '#aws'
import { compareText, given } from '#base'
import { type Api } from '../infer/api.ts'
import type { OperationType } from '../infer/classify.ts'
import { type Field, type FieldMap, type FieldType, leafOf, type TypeRegistry } from '../infer/field-type.ts'
import type { InferredService } from '../infer/infer-service.ts'
import type { InferredKind } from '../infer/inferred-kind.ts'
import { deletionOf } from '../parts/find-deletion.ts'
import { listOf } from '../parts/find-list.ts'
import { makingsOf } from '../parts/find-makings.ts'
import { partsOf } from '../parts/find-parts.ts'
import { subResourcesOf } from '../parts/sub-resources.ts'
import { untoldFields } from '../parts/untold.ts'
import { pruneModel } from '../read/prune.ts'
import { membersOf } from '../read/references.ts'
import { settingsOf } from './ir-settings.ts'

export interface MadeOf {
  /** Bytes of model and config; hashed. */
  readonly model: string | Uint8Array
  readonly config: string
  readonly program: string
}

export function resourceService(
  service: InferredService,
  { kinds, madeOf }: { readonly kinds: readonly InferredKind[]; readonly madeOf: MadeOf },
): ResourceService {
  const { alias, group, api, types } = service
  const operations = new Set(kinds.flatMap(kind => wireOperations(service, kind)))
  return {
    format: 1,
    alias,
    group,
    madeOf: { model: sha256(madeOf.model), config: sha256(madeOf.config), program: madeOf.program },
    kinds: Object.fromEntries(kinds.map(kind => [kind.kind, kindOf(service, kind)])),
    structures: structuresOf(kinds, types, api),
    model: undocumented(pruneModel(service.model, operations)),
  }
}

function sha256(content: string | Uint8Array): string {
  return createHash('sha256').update(content).digest('hex')
}

const slots: readonly (readonly [keyof ResourceOperations, OperationType])[] = [
  ['create', 'Create'],
  ['readOne', 'Get'],
  ['readMany', 'List'],
  ['getAttributes', 'GetAttributes'],
  ['setAttributes', 'SetAttributes'],
  ['update', 'Update'],
  ['replace', 'Replace'],
  ['delete', 'Delete'],
]

export function operationsOf(service: InferredService, kind: InferredKind): ResourceOperations {
  const { operations } = kind
  const { api } = service
  const named = slots.flatMap(([slot, type]) => {
    const chosen = type === 'Delete' ? deletionOf(service, kind) : operations[type]
    const name = type === 'List' ? listOf(service, kind) : chosen
    const operation = api.operations.get(name ?? '')
    return operation === undefined ? [] : [[slot, operation.wire]]
  })
  // Every kind has a Create operation: that is what makes it one.
  return Object.fromEntries(named) as ResourceOperations
}

/** Of the verbs, and those that hooks are written with: whatever the config takes fields from, and what tags are changed by. */
export function wireOperations(service: InferredService, kind: InferredKind): readonly string[] {
  const verbs = Object.values(operationsOf(service, kind)) as string[]
  const named = [...(kind.config.fields?.values() ?? [])].flatMap(({ from }) =>
    from?.operation === undefined ? [] : [from.operation],
  )
  const renamed = [...(kind.config.renames?.operations?.keys() ?? [])]
  const all = [
    ...verbs,
    ...[...named, ...renamed, ...companions(service, kind)].flatMap(name => service.api.operations.get(name)?.wire ?? []),
    ...partsOf(service, kind).flatMap(({ part }) => operationsOfPart(part)),
    ...subResourcesOf(service, kind).flatMap(sub => [sub.list, sub.put, sub.delete, ...(sub.get === undefined ? [] : [sub.get])]),
  ]
  return [...new Set(all)].sort(compareText)
}

function operationsOfPart({ operation, off, remove, read }: ResourcePart): readonly string[] {
  return [operation, ...[off, remove, read?.operation].filter(each => each !== undefined)]
}

/** Operations around the resource that no verb covers: `TagRole`, `AttachRolePolicy`, `PutBucketPolicy`, `ListTagsForResource`. */
function companions({ api }: InferredService, { resource }: InferredKind): readonly string[] {
  return [...api.operations.keys()].filter(aroundResource(resource))
}

function kindOf(service: InferredService, kind: InferredKind): ResourceKind {
  const token = tokenMembers(service, kind)
  return {
    kind: kind.kind,
    plural: kind.plural,
    resource: kind.resource,
    version:
      kind.config.api_versions?.find(({ storage }) => storage === true)?.name ??
      kind.config.api_versions?.[0]?.name ??
      'v1alpha1',
    operations: operationsOf(service, kind),
    spec: fieldsOf(kind.spec, token),
    status: fieldsOf(kind.status, new Set()),
    ...given({ arnMember: kind.arnMember }),
    bindings: bindingsOf(service, kind),
    settings: settingsOf(kind.config, service.loaded.config),
    ...partsAndUntold(service, kind),
  }
}

function partsAndUntold(
  service: InferredService,
  kind: InferredKind,
): Pick<ResourceKind, 'makings' | 'parts' | 'subResources' | 'untold'> {
  const parts = partsOf(service, kind).map(({ part }) => part)
  const untold = untoldFields(service, kind, parts)
  const makings = makingsOf(service, kind)
  const subResources = subResourcesOf(service, kind)
  return {
    ...(makings.length === 0 ? {} : { makings }),
    ...(parts.length === 0 ? {} : { parts }),
    ...(subResources.length === 0 ? {} : { subResources }),
    ...(untold.length === 0 ? {} : { untold }),
  }
}

function tokenMembers({ api }: InferredService, { operations }: InferredKind): ReadonlySet<string> {
  const input = api.shapes.get(api.operations.get(operations.Create ?? '')?.input ?? '')
  if (input?.type !== 'structure') return new Set()
  return new Set([...input.members].filter(([, member]) => member.idempotencyToken === true).map(([name]) => name))
}

function bindingsOf({ api, loaded }: InferredService, { config }: InferredKind): Record<string, OperationBinding> {
  const bindings: Record<string, OperationBinding> = {}
  for (const [name, { wire }] of api.operations) {
    const renames = config.renames?.operations?.get(name)
    const operation = loaded.config.operations?.get(name)
    const binding: OperationBinding = {
      ...(renames?.input_fields === undefined ? {} : { inputRenames: Object.fromEntries(renames.input_fields) }),
      ...(renames?.output_fields === undefined ? {} : { outputRenames: Object.fromEntries(renames.output_fields) }),
      ...(operation?.input_wrapper_field_path === undefined ? {} : { inputWrapper: operation.input_wrapper_field_path }),
      ...(operation?.output_wrapper_field_path === undefined ? {} : { outputWrapper: operation.output_wrapper_field_path }),
      ...(operation?.override_values === undefined
        ? {}
        : { overrides: Object.fromEntries([...operation.override_values].map(([name, value]) => [name, plainValue(value)])) }),
      ...(operation?.custom_implementation === undefined ? {} : { customImplementation: operation.custom_implementation }),
      ...(operation?.set_output_custom_method_name === undefined
        ? {}
        : { setOutputHook: operation.set_output_custom_method_name }),
      ...(operation?.custom_check_required_fields_missing_method === undefined
        ? {}
        : { requiredFieldsHook: operation.custom_check_required_fields_missing_method }),
    }
    if (Object.keys(binding).length > 0) bindings[wire] = binding
  }
  return bindings
}

function fieldsOf(fields: FieldMap, tokens: ReadonlySet<string>): readonly ResourceField[] {
  return [...fields.values()].sort((a, b) => compareText(a.json, b.json)).map(field => fieldOf(field, tokens.has(field.model)))
}

function fieldOf(field: Field, isToken: boolean): ResourceField {
  const { config = {} } = field
  const { references: reference, compare, late_initialize: late } = config
  return compact({
    json: field.json,
    camel: field.names.camel,
    member: field.model,
    wire: field.wire,
    type: typeOf(field.type),
    required: field.required,
    immutable: field.immutable,
    referenceFor: field.referenceFor,
    reference:
      reference === undefined
        ? undefined
        : compact({
            resource: reference.resource ?? '',
            path: reference.path ?? '',
            service: reference.service_name,
            skipStateChecks: reference.skip_resource_state_validations,
          }),
    attribute: config.is_attribute,
    primaryKey: config.is_primary_key,
    arn: config.is_arn,
    ownerAccount: config.is_owner_account_id,
    iamPolicy: config.is_iam_policy,
    document: config.is_document,
    idempotencyToken: isToken,
    lateInitialize: late === undefined ? undefined : { skipIncompleteCheck: late.skip_incomplete_check !== undefined },
    compare:
      compare === undefined
        ? undefined
        : compact({
            ignored: compare.is_ignored,
            nilEqualsZero: compare.nil_equals_zero_value,
            preDelete: compare.pre_delete_include,
            normalise: compare.normalise,
          }),
    set: config.set,
    customSync: config.custom_sync !== undefined,
    from: config.from,
  }) as unknown as ResourceField
}

function typeOf(type: FieldType): ModelType {
  switch (type.kind) {
    case 'list':
      return { kind: 'list', element: typeOf(type.element) }
    case 'map':
      return { kind: 'map', value: typeOf(type.value) }
    case 'structure':
      return { kind: 'structure', shape: type.shape }
    case 'unsupported':
      break
    default:
      return { kind: type.kind }
  }
  // checkFields refuses such kinds before.
  throw new Error(`${type.shape}: a ${type.what} reached the renderer`)
}

/** The shapes that fields of the kinds lead to. */
export function reachedShapes(kinds: readonly InferredKind[], types: TypeRegistry): readonly string[] {
  const reached = new Set<string>()
  const visit = (field: Field): void => {
    const leaf = leafOf(field.type)
    if (leaf.kind !== 'structure' || reached.has(leaf.shape)) return
    reached.add(leaf.shape)
    for (const member of types.fieldsOf(leaf.shape).values()) visit(member)
  }
  for (const kind of kinds) for (const field of [...kind.spec.values(), ...kind.status.values()]) visit(field)
  return [...reached].sort(compareText)
}

function structuresOf(kinds: readonly InferredKind[], types: TypeRegistry, api: Api): Record<string, readonly ResourceField[]> {
  return Object.fromEntries(
    reachedShapes(kinds, types).map(shape => {
      const found = api.shapes.get(shape)
      const tokens =
        found?.type === 'structure' ? [...found.members].filter(([, { idempotencyToken }]) => idempotencyToken === true) : []
      return [shape, fieldsOf(types.fieldsOf(shape), new Set(tokens.map(([name]) => name)))]
    }),
  )
}

/** What is committed and shipped carries no documentation text of the models. */
function undocumented(model: ServiceModel): ServiceModel {
  const strip = <T extends object>(value: T): T => {
    if (!Object.hasOwn(value, 'documentation')) return value
    const { documentation: _documentation, ...rest } = value as T & { documentation?: unknown }
    return rest as T
  }
  const operations = Object.fromEntries(Object.entries(model.operations).map(([name, operation]) => [name, strip(operation)]))
  const shapes = Object.fromEntries(
    Object.entries(model.shapes).map(([name, shape]) => {
      const bare = strip(shape)
      if (bare.type === 'list') return [name, { ...bare, member: strip(bare.member) }]
      if (bare.type === 'map') return [name, { ...bare, key: strip(bare.key), value: strip(bare.value) }]
      if (bare.type !== 'structure' && bare.type !== 'union') return [name, bare]
      return [name, { ...bare, members: Object.fromEntries(membersOf(bare).map(([member, value]) => [member, strip(value)])) }]
    }),
  )
  return { ...model, operations, shapes }
}

function compact<T extends object>(value: T): { [K in keyof T]: T[K] } {
  return Object.fromEntries(Object.entries(value).filter(([, each]) => each !== undefined && each !== false)) as T
}

/** A config writes values in the words of Go: `aws.Bool(true)` means `true`, `aws.String("x")` means `x`. */
function plainValue(text: string): string {
  const inner = /^\w+\.\w+\((.*)\)$/s.exec(text.trim())?.[1] ?? text
  return /^"(.*)"$/s.exec(inner.trim())?.[1] ?? inner.trim()
}
