// What a child object is, whatever its kind: made in the parent's namespace, controlled by the parent, labelled with what its parent is.
// Builders give the whole object as it is wanted; apply.ts brings it about.
import { compareText } from '#base'
import { apiVersionOf, controllerReference, type KubeObject, type StoredObject } from '#kube'
import type { ChildKind } from './kinds.ts'

/** The object on whose behalf a child is made. */
export interface ChildParent {
  /** The Config or the Role, as stored: its uid is the proof of ownership. */
  readonly object: StoredObject
  /** The parent's label set (§3.6), which is the tag set in AWS as well. */
  readonly labels: Readonly<Record<string, string>>
  /** The label of that set that holds the parent's uid: what proves an object ours when its owner reference was lost. */
  readonly uidLabel: string
  /** ACK makes the resource here, instead of in the region it runs with; absent: as the reference does. */
  readonly region?: string
}

/** Where ACK makes the resource. */
export const regionAnnotation = 'services.k8s.aws/region'

export type ChildSpec = Readonly<Record<string, unknown>>

/** A child as it is wanted. */
export interface Child {
  readonly kind: ChildKind
  readonly parent: ChildParent
  readonly object: KubeObject & { readonly spec: ChildSpec }
}

export function buildChild(kind: ChildKind, parent: ChildParent, name: string, spec: ChildSpec): Child {
  const { object, labels, region } = parent
  return {
    kind,
    parent,
    object: {
      apiVersion: apiVersionOf(kind.type),
      kind: kind.type.kind,
      metadata: {
        namespace: object.metadata.namespace ?? '',
        name,
        labels,
        ...(region === undefined ? {} : { annotations: { [regionAnnotation]: region } }),
        ownerReferences: [controllerReference(object)],
      },
      // JSON has no undefined; a field that is not wanted is not there.
      spec: Object.fromEntries(Object.entries(spec).filter(([, value]) => value !== undefined)),
    },
  }
}

export interface ChildTag {
  readonly key: string
  readonly value: string
}

/** IAM and S3 take tags as a list; sorted by bytes, so that its order is nobody's news. */
export function tagList(labels: Readonly<Record<string, string>>): readonly ChildTag[] {
  return Object.entries(labels)
    .sort(([a], [b]) => compareText(a, b))
    .map(([key, value]) => ({ key, value }))
}
