// The kind by which AWS Controllers for Kubernetes took resources over until they dropped it: it belongs to no service, and makes the object of
// a resource that is there.
import { defineKind, type Kind, type OwnerReference, type StoredCondition, type StoredObject, schema } from '#kube'
import { publishedCondition } from '../exports/api.ts'

const { boolean, list, map, object, string } = schema

export interface AdoptedResourceSpec {
  readonly aws: {
    readonly arn?: string
    readonly nameOrID?: string
    readonly additionalKeys?: Readonly<Record<string, string>>
  }
  readonly kubernetes: {
    readonly group: string
    readonly kind: string
    readonly metadata?: {
      readonly namespace?: string
      readonly name?: string
      readonly generateName?: string
      readonly labels?: Readonly<Record<string, string>>
      readonly annotations?: Readonly<Record<string, string>>
      readonly ownerReferences?: readonly OwnerReference[]
    }
  }
}

export interface AdoptedResource extends StoredObject {
  /** The published CRD does not ask for one. */
  readonly spec?: AdoptedResourceSpec
  readonly status?: { readonly conditions?: readonly StoredCondition[] }
}

/** Of ACK's controllers. Ours need none: with an AdoptedResource nothing goes that it made. */
export const adoptedFinalizer = 'finalizers.services.k8s.aws/AdoptedResource'

const ownerReference = object({
  apiVersion: string(),
  blockOwnerDeletion: boolean().optional(),
  controller: boolean().optional(),
  kind: string(),
  name: string(),
  uid: string(),
})

export const adoptedResourceKind: Kind<unknown, unknown> = defineKind<unknown, unknown>({
  group: 'services.k8s.aws',
  version: 'v1alpha1',
  kind: 'AdoptedResource',
  plural: 'adoptedresources',
  namespaced: true,
  description: 'Makes the object of a resource that is there already. As it was in AWS Controllers for Kubernetes.',
  spec: object({
    aws: object({
      additionalKeys: map(string()).optional(),
      arn: string().optional(),
      nameOrID: string().optional(),
    }),
    kubernetes: object({
      group: string(),
      kind: string(),
      metadata: object({
        annotations: map(string()).optional(),
        generateName: string().optional(),
        labels: map(string()).optional(),
        name: string().optional(),
        namespace: string().optional(),
        ownerReferences: list(ownerReference).optional(),
      }).optional(),
    }),
  }).optional(),
  status: object({ conditions: list(publishedCondition) }),
  columns: [
    { name: 'Kind', type: 'string', jsonPath: '.spec.kubernetes.kind' },
    { name: 'Adopted', type: 'string', jsonPath: '.status.conditions[?(@.type=="ACK.Adopted")].status' },
    { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
  ],
})
