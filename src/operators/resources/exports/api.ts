// The kind that belongs to no service and says where values go.
import { defineKind, type Kind, type Schema, type StoredCondition, type StoredObject, schema } from '#kube'

const { boolean, list, object, oneOf, string } = schema

export interface FieldExportSpec {
  readonly from: {
    readonly path?: string
    readonly resource: { readonly group: string; readonly kind: string; readonly name: string }
  }
  readonly to: {
    readonly kind: 'configmap' | 'secret'
    readonly name: string
    readonly namespace?: string
    readonly key?: string
    readonly createIfMissing?: boolean
  }
  /** Further keys of the same target; extended CRDs only. */
  readonly exports?: readonly { readonly key: string; readonly path?: string; readonly template?: string }[]
}

/** A Secret as a source. */
export function isSecret({ group, kind }: FieldExportSpec['from']['resource']): boolean {
  return group === '' && kind === 'Secret'
}

export interface FieldExport extends StoredObject {
  /** The published CRD does not ask for one. */
  readonly spec?: FieldExportSpec
  readonly status?: { readonly conditions?: readonly StoredCondition[] }
}

/** As ACK's own kinds publish it. */
export const publishedCondition: Schema<unknown> = object({
  lastTransitionTime: string({ format: 'date-time' }).optional(),
  message: string().optional(),
  reason: string().optional(),
  status: string(),
  type: string(),
})

const fieldExport = {
  group: 'services.k8s.aws',
  version: 'v1alpha1',
  kind: 'FieldExport',
  plural: 'fieldexports',
  namespaced: true,
  description: 'Writes a field of a resource into a ConfigMap or a Secret. As in AWS Controllers for Kubernetes.',
  status: object({ conditions: list(publishedCondition) }),
  columns: [
    { name: 'From', type: 'string', jsonPath: '.spec.from.resource.kind' },
    { name: 'Resource', type: 'string', jsonPath: '.spec.from.resource.name' },
    { name: 'To', type: 'string', jsonPath: '.spec.to.kind' },
    { name: 'Target', type: 'string', jsonPath: '.spec.to.name' },
    { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
  ],
} as const

const source = object({ group: string(), kind: string(), name: string() })
const target = {
  key: string().optional(),
  kind: oneOf('configmap', 'secret'),
  name: string(),
  namespace: string().optional(),
}

export const fieldExportKind: Kind<unknown, unknown> = defineKind<unknown, unknown>({
  ...fieldExport,
  spec: object({ from: object({ path: string(), resource: source }), to: object(target) }).optional(),
})

/** More than AWS Controllers for Kubernetes have: several keys, templates, targets that are made, Secrets as sources. */
export const extendedFieldExportKind: Kind<unknown, unknown> = defineKind<unknown, unknown>({
  ...fieldExport,
  spec: object({
    from: object({ path: string().optional(), resource: source }),
    to: object({ ...target, createIfMissing: boolean().optional() }),
    exports: list(
      object({ key: string({ minLength: 1, maxLength: 253 }), path: string().optional(), template: string().optional() }),
      {
        maxItems: 64,
      },
    ).optional(),
  }).optional(),
})
