// What of an object is kept. A cache of whole objects is mostly managedFields and copies of the last manifest; an operator that says
// what it reads holds a hundred thousand objects in the memory of ten thousand.
import type { Log } from '#base'
import { apiVersionOf, type KubeObject, type ManagedFieldsEntry, type ResourceType, type StoredObject } from '#kube'
import { Sharing } from './sharing.ts'

/** Builds what is cached of an object. Must keep name, namespace, uid and resourceVersion; must not fail on odd objects. */
export interface Projection<T extends StoredObject> {
  (object: StoredObject): T
  /** Whose field sets it looks at; the others need not be read at all. Everybody's when absent. */
  readonly fieldManagers?: readonly string[]
}

const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration'

/**
 * The default: everything but other managers' field sets, those of subresources, and kubectl's copy of the manifest, none of which a
 * controller may use.
 */
export function keepOwnFields(managers: readonly string[]): Projection<StoredObject> {
  const project = (object: StoredObject): StoredObject => {
    // Nothing to leave out, as a rule: the client has not even read the field sets.
    if (object.metadata.managedFields === undefined && object.metadata.annotations?.[lastApplied] === undefined) return object
    const { managedFields, annotations, ...metadata } = object.metadata
    // A filtered list has room for more, which a copy has not.
    const own = managedFields?.filter(entry => isOwn(entry, managers)).slice()
    const kept =
      annotations === undefined || annotations[lastApplied] === undefined ? annotations : withoutLastApplied(annotations)
    return {
      ...object,
      metadata: {
        ...metadata,
        ...(kept === undefined ? {} : { annotations: kept }),
        ...(own === undefined || own.length === 0 ? {} : { managedFields: own }),
      },
    }
  }
  return Object.assign(project, { fieldManagers: managers })
}

/** Metadata without managedFields and annotations: for kinds of which only existence, labels or owners matter. */
export const keepIdentity: Projection<StoredObject> = Object.assign(identityOf, { fieldManagers: [] })

function identityOf(object: StoredObject): StoredObject {
  const { name, namespace, uid, resourceVersion, generation, labels, ownerReferences, deletionTimestamp, finalizers } =
    object.metadata
  return {
    apiVersion: object.apiVersion,
    kind: object.kind,
    metadata: {
      name,
      uid,
      resourceVersion,
      ...(namespace === undefined ? {} : { namespace }),
      ...(generation === undefined ? {} : { generation }),
      ...(labels === undefined ? {} : { labels }),
      ...(ownerReferences === undefined ? {} : { ownerReferences }),
      ...(deletionTimestamp === undefined ? {} : { deletionTimestamp }),
      ...(finalizers === undefined ? {} : { finalizers }),
    },
  }
}

/** What an informer does to each object before it is cached. */
export function projector<T extends StoredObject>(options: {
  readonly type: ResourceType
  readonly project?: Projection<T> | undefined
  /** Of others that say the same; its own by default. */
  readonly sharing?: Sharing | undefined
  readonly log: Log
}): (object: KubeObject) => T {
  const { type, project, log } = options
  const apiVersion = apiVersionOf(type)
  // What is secret is kept no longer than the object that says it.
  let { sharing } = options
  const shared = (kept: T): T => {
    if (type.kind === 'Secret') return kept
    sharing ??= new Sharing()
    return sharing.within(kept)
  }
  return object => {
    const named = withKind(object, apiVersion, type.kind)
    // Without a projection the cache holds what the caller said it holds: whole objects of the kind.
    if (project === undefined) return shared(named as T)
    try {
      return shared(project(named))
    } catch (error) {
      // One odd object must not keep all others out of the cache (B21): it is kept whole.
      log.error('projection failed', { kind: type.kind, object: named.metadata.name, error: String(error) })
      return named as T
    }
  }
}

/** Items of a list carry no kind on the wire; the cache's objects all do. */
function withKind(object: KubeObject, apiVersion: string, kind: string): StoredObject {
  const stored = object as StoredObject
  return object.kind === kind && object.apiVersion === apiVersion ? stored : { ...stored, apiVersion, kind }
}

/** Of what was written through a subresource nobody asks who wrote it, and it is the largest part: a status has more fields than a spec. */
function isOwn({ manager, subresource }: ManagedFieldsEntry, managers: readonly string[]): boolean {
  return subresource === undefined && manager !== undefined && managers.includes(manager)
}

function withoutLastApplied(annotations: Readonly<Record<string, string>>): Readonly<Record<string, string>> | undefined {
  const { [lastApplied]: _, ...rest } = annotations
  return Object.keys(rest).length === 0 ? undefined : rest
}
