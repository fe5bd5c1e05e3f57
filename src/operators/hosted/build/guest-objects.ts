// What the guest has for the sidecar (§4.7, §4.8): the right to read ServiceAccounts, and the configuration by which its API server asks.
import type { KubeObject } from '#kube'
import { guestNamespace } from '../api/names.ts'
import type { HostedChoices } from './choices.ts'
import { providers, type SidecarCloud, type SidecarProvider } from './provider.ts'

export interface GuestRole extends KubeObject {
  readonly rules: readonly object[]
}

export interface GuestBinding extends KubeObject {
  readonly subjects: readonly object[]
  readonly roleRef: { readonly apiGroup: string; readonly kind: string; readonly name: string }
}

/** One entry of a configuration, as far as it is read again. */
export interface GuestWebhook {
  readonly name: string
  readonly [field: string]: unknown
  readonly clientConfig?: { readonly url?: string; readonly caBundle?: string }
}

export interface GuestConfiguration extends KubeObject {
  readonly webhooks: readonly GuestWebhook[]
}

export interface GuestObjects {
  readonly role: GuestRole
  readonly binding: GuestBinding
  readonly configuration: GuestConfiguration
}

type Choices = Pick<HostedChoices, 'ports' | 'azurePath' | 'awsReviewVersions' | 'webhookTimeoutSeconds'>

/** `authorities`: PEM of whom the API server trusts when it calls. */
export function buildGuestObjects(cloud: SidecarCloud, authorities: string, choices: Choices): GuestObjects {
  const provider = providers[cloud]
  return {
    role: roleOf(provider),
    binding: bindingOf(provider),
    configuration: {
      apiVersion: 'admissionregistration.k8s.io/v1',
      kind: 'MutatingWebhookConfiguration',
      metadata: { name: provider.configuration },
      webhooks: [webhookOf(cloud, Buffer.from(authorities).toString('base64'), choices)],
    },
  }
}

const rbac = 'rbac.authorization.k8s.io'

function roleOf({ name }: SidecarProvider): GuestRole {
  const rules = [{ verbs: ['get', 'list', 'watch'], apiGroups: [''], resources: ['serviceaccounts'] }]
  return { apiVersion: `${rbac}/v1`, kind: 'ClusterRole', metadata: { name }, rules }
}

/** The account need not exist: the sidecar's certificate names it. */
function bindingOf({ name }: SidecarProvider): GuestBinding {
  return {
    apiVersion: `${rbac}/v1`,
    kind: 'ClusterRoleBinding',
    metadata: { name },
    subjects: [{ kind: 'ServiceAccount', name, namespace: guestNamespace }],
    roleRef: { apiGroup: rbac, kind: 'ClusterRole', name },
  }
}

function webhookOf(
  cloud: SidecarCloud,
  caBundle: string,
  { ports, azurePath, awsReviewVersions, webhookTimeoutSeconds }: Choices,
): GuestWebhook {
  const rules = [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] }]
  const timeout = webhookTimeoutSeconds === undefined ? {} : { timeoutSeconds: webhookTimeoutSeconds }
  // Never Fail: the configuration may be there before the sidecar serves, and pods of the platform itself would be refused.
  const common = { rules, failurePolicy: 'Ignore', sideEffects: 'None', ...timeout }
  if (cloud === 'AWS')
    return {
      name: 'pod-identity-webhook.amazonaws.com',
      clientConfig: { url: `https://127.0.0.1:${ports.aws}/mutate`, caBundle },
      ...common,
      admissionReviewVersions: awsReviewVersions,
    }
  return {
    name: 'pod-identity-webhook.azure.mutate.io',
    clientConfig: { url: `https://127.0.0.1:${ports.azure}${azurePath}`, caBundle },
    ...common,
    matchPolicy: 'Equivalent',
    objectSelector: { matchLabels: { 'azure.workload.identity/use': 'true' } },
    admissionReviewVersions: ['v1', 'v1beta1'],
    reinvocationPolicy: 'IfNeeded',
  }
}
