// The kinds that live on a target, and the marks by which ours are known there.
import type { KubeObject, ResourceType, StoredObject } from '#kube'

export type Json = Readonly<Record<string, unknown>>

const core = (kind: string, plural: string, namespaced = true): ResourceType => ({
  group: '',
  version: 'v1',
  kind,
  plural,
  namespaced,
})
const rbac = (kind: string, plural: string): ResourceType => ({
  group: 'rbac.authorization.k8s.io',
  version: 'v1',
  kind,
  plural,
  namespaced: false,
})

export const namespaces: ResourceType = core('Namespace', 'namespaces', false)
export const secrets: ResourceType = core('Secret', 'secrets')
export const serviceAccounts: ResourceType = core('ServiceAccount', 'serviceaccounts')
export const services: ResourceType = core('Service', 'services')
export const clusterRoles: ResourceType = rbac('ClusterRole', 'clusterroles')
export const clusterRoleBindings: ResourceType = rbac('ClusterRoleBinding', 'clusterrolebindings')
export const deployments: ResourceType = {
  group: 'apps',
  version: 'v1',
  kind: 'Deployment',
  plural: 'deployments',
  namespaced: true,
}
export const mutatingWebhooks: ResourceType = {
  group: 'admissionregistration.k8s.io',
  version: 'v1',
  kind: 'MutatingWebhookConfiguration',
  plural: 'mutatingwebhookconfigurations',
  namespaced: false,
}

/** The name of nearly everything of the runtime. */
export const runtimeName = 'pod-identity-webhook'
export const caSecretName = 'pod-identity-webhook-ca'

/** Merged into every object of the runtime. */
export const runtimeLabels: Readonly<Record<string, string>> = {
  'app.kubernetes.io/name': runtimeName,
  'app.kubernetes.io/managed-by': 'aws-workload-identity-operator',
  'aws.identity.appthrust.io/delivery': 'SelfHostedIRSA',
  'aws.identity.appthrust.io/runtime': 'self-hosted-webhook',
}

/** Both labels: an object that has them is ours to change, any other is not. */
export const managedLabels: Readonly<Record<string, string>> = {
  'app.kubernetes.io/managed-by': 'aws-workload-identity-operator',
  'aws.identity.appthrust.io/runtime': 'self-hosted-webhook',
}

export const managedSelector: string = Object.entries(managedLabels)
  .map(([name, value]) => `${name}=${value}`)
  .join(',')

export function isManaged({ metadata }: KubeObject): boolean {
  return Object.entries(managedLabels).every(([name, value]) => metadata.labels?.[name] === value)
}

/** An object whose other fields are looked at as JSON. */
export type Loose<T extends StoredObject = StoredObject> = T & {
  readonly spec?: Json
  readonly status?: Json
  readonly data?: Readonly<Record<string, string>>
}
