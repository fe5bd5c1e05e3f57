// Kinds that every cluster serves, each said once. Kinds of our own stand in the `api` files of their operator.
import type { ResourceType } from './objects.ts'

export const namespaces: ResourceType = acrossNamespaces('', 'Namespace', 'namespaces')
export const pods: ResourceType = inNamespaces('', 'Pod', 'pods')
export const secrets: ResourceType = inNamespaces('', 'Secret', 'secrets')
export const configMaps: ResourceType = inNamespaces('', 'ConfigMap', 'configmaps')
export const serviceAccounts: ResourceType = inNamespaces('', 'ServiceAccount', 'serviceaccounts')
export const services: ResourceType = inNamespaces('', 'Service', 'services')
export const events: ResourceType = inNamespaces('', 'Event', 'events')
export const deployments: ResourceType = inNamespaces('apps', 'Deployment', 'deployments')
export const leases: ResourceType = inNamespaces('coordination.k8s.io', 'Lease', 'leases')
export const customResourceDefinitions: ResourceType = acrossNamespaces(
  'apiextensions.k8s.io',
  'CustomResourceDefinition',
  'customresourcedefinitions',
)
export const mutatingWebhookConfigurations: ResourceType = acrossNamespaces(
  'admissionregistration.k8s.io',
  'MutatingWebhookConfiguration',
  'mutatingwebhookconfigurations',
)
export const validatingWebhookConfigurations: ResourceType = acrossNamespaces(
  'admissionregistration.k8s.io',
  'ValidatingWebhookConfiguration',
  'validatingwebhookconfigurations',
)
export const certificateSigningRequests: ResourceType = acrossNamespaces(
  'certificates.k8s.io',
  'CertificateSigningRequest',
  'certificatesigningrequests',
)
export const tokenReviews: ResourceType = acrossNamespaces('authentication.k8s.io', 'TokenReview', 'tokenreviews')
export const subjectAccessReviews: ResourceType = acrossNamespaces(
  'authorization.k8s.io',
  'SubjectAccessReview',
  'subjectaccessreviews',
)
export const clusterRoles: ResourceType = acrossNamespaces('rbac.authorization.k8s.io', 'ClusterRole', 'clusterroles')
export const clusterRoleBindings: ResourceType = acrossNamespaces(
  'rbac.authorization.k8s.io',
  'ClusterRoleBinding',
  'clusterrolebindings',
)
export const endpointSlices: ResourceType = inNamespaces('discovery.k8s.io', 'EndpointSlice', 'endpointslices')

function inNamespaces(group: string, kind: string, plural: string): ResourceType {
  return { group, version: 'v1', kind, plural, namespaced: true }
}

function acrossNamespaces(group: string, kind: string, plural: string): ResourceType {
  return { group, version: 'v1', kind, plural, namespaced: false }
}
