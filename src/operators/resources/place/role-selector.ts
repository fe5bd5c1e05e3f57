// The kind that belongs to no service and says who works as whom.
import { defineKind, type Kind, type KubeObject, schema } from '#kube'

const { list, map, object, string } = schema

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
  description: 'Says as which role the resources that it selects are looked after. As in AWS Controllers for Kubernetes.',
  spec: object({
    arn: string().rule({ rule: 'self == oldSelf', message: 'Value is immutable once set' }),
    namespaceSelector: object({ labelSelector: labels.optional(), names: list(string()) }).optional(),
    resourceLabelSelector: labels.optional(),
    resourceTypeSelector: list(object({ group: string(), kind: string(), version: string() })).optional(),
  }).optional(),
  status: object({}),
  columns: [
    { name: 'ARN', type: 'string', jsonPath: '.spec.arn' },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
  ],
})
