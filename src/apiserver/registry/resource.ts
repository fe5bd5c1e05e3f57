// What the server serves: resources (one storage table each) and the versions in which each is shown.

import type { FieldError, KindSchema, StoredForm } from '#schema'
import type { Draft } from '../draft.ts'

export interface ScalePaths {
  readonly specReplicas: string
  readonly statusReplicas: string
  readonly labelSelector: string | undefined
}

export interface Subresource {
  readonly name: string
  readonly verbs: readonly string[]
  readonly kind: string
  /** Group and version of the kind when they differ from the resource's. */
  readonly group?: string
  readonly version?: string
}

/** How a kind's metadata and status behave; the same for all its versions. */
export interface Behaviour {
  /** What bumps `metadata.generation`: nothing, the named fields, or everything outside metadata (and status where it has one). */
  readonly generation: 'none' | 'outside-metadata' | readonly string[]
  readonly statusSubresource: boolean
  /** What of the metadata a write of status does not change; default nothing. A custom resource keeps it all. */
  /** Whether who writes metadata with a status owns it; default yes. */
  readonly isMetadataOwnedByStatus?: false
  readonly statusKeeps?: readonly ('labels' | 'ownerReferences' | 'deletionTimestamp')[]
  /** A PUT without resourceVersion takes the current one. */
  readonly unconditionalUpdate: boolean
  readonly createOnUpdate: boolean
  /** What of the metadata the kind's own rules for updates look at again, in this order; default the change alone. */
  readonly metadataChecks?: readonly ('whole' | 'change')[]
  /** The same for a write of status; default as for the object. */
  readonly statusMetadataChecks?: readonly ('whole' | 'change')[]
  /** Fields that nobody owns: whoever writes the object does not decide them. */
  readonly givenBySystem?: readonly (readonly string[])[]
  /** Finalizers need no domain. */
  readonly anyFinalizers?: boolean
  readonly nameRule: 'subdomain' | 'label' | 'label-1035' | 'path-segment'
  /** DELETE answers with the object instead of a Status. */
  readonly returnsDeleted: boolean
  readonly gracefulDelete: boolean
  /** Who deletes one and does not say what becomes of what it owns leaves that alone: so it was before anybody could say. */
  readonly orphansByDefault?: { readonly warning: string }
  /** POST only and answered at once: reviews. */
  readonly virtual: boolean
  /** Changes a new object before it is validated: what the server alone knows. */
  readonly prepareCreate?: (draft: Draft, dryRun: boolean) => void
  readonly prepareUpdate?: (draft: Draft, old: Readonly<Draft>, subresource: string, dryRun: boolean) => void
  /** Rules that no schema says. */
  readonly validate?: (draft: Draft, old: Readonly<Draft> | undefined) => readonly FieldError[]
}

export interface RegisteredResource {
  readonly group: string
  readonly plural: string
  readonly singular: string
  readonly kind: string
  readonly listKind: string
  readonly namespaced: boolean
  readonly shortNames: readonly string[]
  readonly categories: readonly string[]
  readonly verbs: readonly string[]
  readonly behaviour: Behaviour
  /** Name of the storage table; two resources may share one. */
  readonly table: string
  readonly storageVersion: string
  readonly versions: readonly ServedKind[]
  /** The same objects under another name: events have two groups. */
  readonly cohabitants: readonly RegisteredResource[]
  /** The definition behind a custom resource. */
  readonly custom: CustomResource | undefined
}

export interface CustomResource {
  readonly uid: string
  /** While true, creates are refused: the definition is on its way out. */
  readonly terminating: boolean
  readonly conversion: Readonly<Record<string, unknown>>
  /** The version at which rows are stored; it need not be served. */
  readonly storage: ServedKind
  /** Every version that the definition has, served or not. */
  readonly all: readonly ServedKind[]
}

/** One version of a resource. The identity of the value changes when its schema does, so caches key on it. */
export interface ServedKind {
  readonly resource: RegisteredResource
  readonly version: string
  readonly apiVersion: string
  readonly schema: KindSchema
  /** Of a built-in kind that is stored in another form than this. */
  readonly storedForm: StoredForm | undefined
  readonly subresources: readonly Subresource[]
  readonly scale: ScalePaths | undefined
  /** Text of the Warning header when the version is deprecated. */
  readonly deprecation: string | undefined
  /** Field selectors beyond metadata.name and metadata.namespace, as paths. */
  readonly selectableFields: readonly string[]
  readonly printerColumns: readonly Readonly<Record<string, unknown>>[]
  /** The raw schema, for OpenAPI and apply. */
  readonly openApi: Readonly<Record<string, unknown>> | undefined
}

export const allVerbs: readonly string[] = ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch']

/** A certificate request's approval is a part of its status that has rights of its own. */
export function writesStatus(subresource: string): boolean {
  return subresource === 'status' || subresource === 'approval'
}

export function apiVersion(group: string, version: string): string {
  return group === '' ? version : `${group}/${version}`
}

/** The version at which the server's own parts ask: the stored one where it is served, which no converter has to be alive for. */
export function servedVersion({ versions, storageVersion }: RegisteredResource): string {
  return (versions.find(kind => kind.version === storageVersion) ?? versions[0])?.version ?? ''
}

/** All forms in which the objects of a resource are served. */
export function formsOf({ versions, cohabitants }: RegisteredResource): readonly ServedKind[] {
  return cohabitants.length === 0 ? versions : [...versions, ...cohabitants.flatMap(other => other.versions)]
}

/** The kind as refusals of invalid objects name it; events are validated under the core group's name, whatever group they came by. */
export function invalidName({ group, kind }: Pick<RegisteredResource, 'group' | 'kind'>): { group: string; kind: string } {
  return { group: group === 'events.k8s.io' ? '' : group, kind }
}

/** Table key of an object. */
export function rowKey(resource: Pick<RegisteredResource, 'namespaced'>, namespace: string, name: string): string {
  return resource.namespaced ? `${namespace}/${name}` : name
}

/** The Go package of a group: its first label; the core group's is called so. */
export function shortGroup(group: string): string {
  return group === '' ? 'core' : (group.split('.')[0] ?? '')
}
