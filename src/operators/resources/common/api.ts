// The two kinds that belong to no service: who works as whom, and where values go.
import { defineKind, type Kind, type KubeObject, type StoredCondition, type StoredObject, schema } from '#kube'

const { boolean, list, map, object, oneOf, string } = schema

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

const condition = object({
  lastTransitionTime: string({ format: 'date-time' }).optional(),
  message: string().optional(),
  reason: string().optional(),
  status: string(),
  type: string(),
})

const description = 'As in AWS Controllers for Kubernetes.'

const fieldExport = {
  group: 'services.k8s.aws',
  version: 'v1alpha1',
  kind: 'FieldExport',
  plural: 'fieldexports',
  namespaced: true,
  description: `Writes a field of a resource into a ConfigMap or a Secret. ${description}`,
  status: object({ conditions: list(condition) }),
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

export interface RoleSelectorSpec {
  readonly arn: string
  readonly namespaceSelector?: {
    readonly names?: readonly string[]
    readonly labelSelector?: { readonly matchLabels: Readonly<Record<string, string>> }
  }
  readonly resourceTypeSelector?: readonly { readonly group: string; readonly version: string; readonly kind: string }[]
  readonly resourceLabelSelector?: { readonly matchLabels: Readonly<Record<string, string>> }
}

/** What a selector says beside its spec, whose form is that of AWS Controllers for Kubernetes. */
export const selectorAnnotations = {
  /** Of several selectors that fit, the one with the highest number is used; 0 where none is given. */
  priority: 'services.k8s.aws/priority',
  /** Sent with AssumeRole, for roles whose trust policy asks for one. */
  externalId: 'services.k8s.aws/external-id',
  /** `key=value` with %K8S_NAMESPACE% and %CONTROLLER_SERVICE%, separated by commas: sent with AssumeRole, for policies that ask for them. */
  sessionTags: 'services.k8s.aws/session-tags',
} as const

export interface RoleSelector extends KubeObject {
  /** The published CRD does not ask for one. */
  readonly spec?: RoleSelectorSpec
}

const labels = object({ matchLabels: map(string()) })

export const roleSelectorKind: Kind<unknown, unknown> = defineKind<unknown, unknown>({
  group: 'services.k8s.aws',
  version: 'v1alpha1',
  kind: 'IAMRoleSelector',
  plural: 'iamroleselectors',
  namespaced: false,
  description: `Says as which role the resources that it selects are looked after. ${description}`,
  spec: object({
    arn: string().rule({ rule: 'self == oldSelf', message: 'Value is immutable once set' }),
    namespaceSelector: object({ labelSelector: labels.optional(), names: list(string()) }).optional(),
    resourceLabelSelector: labels.optional(),
    resourceTypeSelector: list(object({ group: string(), kind: string(), version: string() })).optional(),
  }).optional(),
  status: object({}),
})
