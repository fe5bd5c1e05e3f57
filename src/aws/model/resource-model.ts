// The kinds of a service as the resource runtime needs them: what inference decided, and the API model of the operations that it
// decided upon. Plain JSON, without documentation; `vouch infer` writes it as `ir.json`.
import type { ServiceModel } from './service-model.ts'

export interface ResourceService {
  readonly format: 1
  readonly alias: string
  /** API group of the kinds. */
  readonly group: string
  /** What it was made of: hashes of model and config, version of the program. */
  readonly madeOf: { readonly model: string; readonly config: string; readonly program: string }
  readonly kinds: Readonly<Record<string, ResourceKind>>
  /** Structures that fields refer to, by the model's shape name. */
  readonly structures: Readonly<Record<string, readonly ResourceField[]>>
  /** Only what the kinds' operations reach. */
  readonly model: ServiceModel
}

/** Names of operations as on the wire. */
export interface ResourceOperations {
  readonly create: string
  readonly readOne?: string
  readonly readMany?: string
  readonly getAttributes?: string
  readonly setAttributes?: string
  readonly update?: string
  readonly replace?: string
  readonly delete?: string
}

export interface ResourceKind {
  readonly kind: string
  readonly plural: string
  /** The noun in the operations' names. */
  readonly resource: string
  readonly version: string
  readonly operations: ResourceOperations
  readonly spec: readonly ResourceField[]
  readonly status: readonly ResourceField[]
  /** Member of answers that holds the resource's own ARN. */
  readonly arnMember?: string
  /** Per operation (wire name): what its members are called in the kind, and where in its payloads the resource stands. */
  readonly bindings: Readonly<Record<string, OperationBinding>>
  readonly settings: KindSettings
  /** Operations beside the create verb that make a resource. */
  readonly makings?: readonly ResourceMaking[]
  /** Operations beside the verbs that set some of the fields, found in the model. */
  readonly parts?: readonly ResourcePart[]
  /** Fields whose elements are entries of their own in AWS, as a config declares them. */
  readonly subResources?: readonly ResourceSubResource[]
  /** Camel names of the fields of the spec that no read tells. */
  readonly untold?: readonly string[]
}

/** An operation that sets a part of a resource, and how the part is read and taken away again. Operations by their wire names. */
export interface ResourcePart {
  readonly operation: string
  /** Fields of the spec by Camel name, and the members that carry them; without one, the field's own members are the input's. */
  readonly fields: readonly { readonly field: string; readonly member?: string }[]
  /** For a switch: what turns it off. */
  readonly off?: string
  readonly remove?: string
  /** Where in the answer each field stands: dotted, empty for the answer itself. */
  readonly read?: { readonly operation: string; readonly paths: Readonly<Record<string, string>> }
}

/** A field whose elements are listed, put and deleted each by itself. Operations and members by their wire names. */
export interface ResourceSubResource {
  /** Camel name, of the spec. */
  readonly field: string
  readonly list: string
  /** The member of the list's answer that holds the entries: their keys, or structures that have them. */
  readonly entries: string
  /** Tells one entry, where the list tells keys only. */
  readonly get?: string
  readonly put: string
  readonly delete: string
  /** The member of the inputs that says which entry is meant. */
  readonly key: string
  /** Only of a map: the member that carries the value of an entry. */
  readonly value?: string
}

/** Another operation that makes a resource of the kind: where one of the fields is given, by Camel name, that is the one. */
export interface ResourceMaking {
  readonly operation: string
  readonly fields: readonly string[]
}

export interface OperationBinding {
  /** Exported member name to the kind's original field name. */
  readonly inputRenames?: Readonly<Record<string, string>>
  readonly outputRenames?: Readonly<Record<string, string>>
  readonly inputWrapper?: string
  readonly outputWrapper?: string
  /** Constants for input members. */
  readonly overrides?: Readonly<Record<string, string>>
  /** Names of hooks. */
  readonly customImplementation?: string
  readonly setOutputHook?: string
  readonly requiredFieldsHook?: string
}

export type ModelType =
  | { readonly kind: 'string' | 'boolean' | 'integer' | 'number' | 'timestamp' | 'blob' | 'secret' | 'reference' }
  | { readonly kind: 'list'; readonly element: ModelType }
  | { readonly kind: 'map'; readonly value: ModelType }
  | { readonly kind: 'structure'; readonly shape: string }

/** Ways in which a field may be written differently and mean the same. */
export const normalisers = ['arn', 'case-insensitive', 'dns-name', 'json', 'unordered'] as const
export type Normaliser = (typeof normalisers)[number]

export interface ResourceField {
  /** Name in manifests. */
  readonly json: string
  /** Go-style name, by which configs and reference paths mean it: `KMSKeyID`. */
  readonly camel: string
  /** The model's name before renames, exported: `KmsKeyId`. */
  readonly member: string
  /** The member as the model spells it; absent for fields that only a config knows. */
  readonly wire?: string
  readonly type: ModelType
  readonly required?: true
  readonly immutable?: true
  /** `ResourceKind.spec` or a structure's field for which this one, a reference, can stand: its Camel name. */
  readonly referenceFor?: string
  readonly reference?: {
    readonly resource: string
    readonly path: string
    /** Alias of the service, where it is another. */
    readonly service?: string
    readonly skipStateChecks?: true
  }
  readonly attribute?: true
  readonly primaryKey?: true
  readonly arn?: true
  readonly ownerAccount?: true
  readonly iamPolicy?: true
  readonly document?: true
  readonly idempotencyToken?: true
  readonly lateInitialize?: { readonly skipIncompleteCheck: boolean }
  readonly compare?: {
    readonly ignored?: true
    readonly nilEqualsZero?: true
    readonly preDelete?: true
    readonly normalise?: Normaliser
  }
  readonly set?: readonly { readonly method?: string; readonly from?: string; readonly to?: string; readonly ignore?: string }[]
  readonly customSync?: true
  /** Where a config-defined field is read from. */
  readonly from?: { readonly operation: string; readonly path: string }
}

export interface StateCondition {
  readonly path: string
  readonly in: readonly string[]
}

export interface StateGate {
  readonly when: readonly StateCondition[]
  readonly requeueAfterSeconds: number
}

export interface KindSettings {
  readonly ignoreIdempotencyToken?: true
  readonly unpackAttributes?: {
    readonly setOneByOne?: true
    readonly getOverrides?: Readonly<Record<string, readonly string[]>>
  }
  /** By HTTP status. */
  readonly errors?: Readonly<
    Record<string, { readonly code?: string; readonly messagePrefix?: string; readonly messageSuffix?: string }>
  >
  readonly terminalCodes?: readonly string[]
  readonly synced?: readonly StateCondition[]
  readonly updateable?: StateGate
  readonly deletable?: StateGate
  readonly matchFields?: readonly string[]
  readonly findHook?: string
  readonly updateHook?: string
  readonly deleteHook?: string
  readonly conditionsHook?: string
  readonly omitUnchanged?: true
  readonly onlySetChanged?: true
  readonly resyncSeconds?: number
  readonly preDeleteCompareAll?: true
  readonly compareIgnore?: readonly string[]
  readonly arnIsPrimaryKey?: true
  readonly notAdoptable?: true
  /** `spec.region` says where the resource is; no call carries it. */
  readonly regionInSpec?: true
  /** Absent when the resource has no tags. */
  readonly tags?: { readonly path: string; readonly key: string; readonly value: string }
  /** Ids of configured hooks; their bodies are other programs' and are not kept. */
  readonly hooks?: readonly string[]
  readonly notFoundIsError?: string
}
