// What the manifests of the Azure webhook consist of, wherever it runs: alone, or beside that of AWS. Names are those of upstream's
// installation, so that one takes the place of the other.
import type { KubeObject, ObjectMeta, PolicyRule } from '#kube'
import { useLabel } from '../azure/api.ts'
import { azureConfigurationName, azureSecretName, azureServiceName } from '../azure/own-certificate.ts'

/** Who keeps the serving pair: the webhook itself, or somebody in a Secret; PEM of whom API servers then trust. */
export type AzureCertificateChoice =
  | { readonly kind: 'rotated' }
  | { readonly kind: 'secret'; readonly secretName: string; readonly caBundle: string }

export interface AzurePlace {
  readonly namespace: string
  /** Of ServiceAccounts that name none. */
  readonly tenantId: string
  readonly cloud: string
  /** Fail, as upstream: a labelled pod never runs without what its label asks for. */
  readonly failurePolicy: 'Ignore' | 'Fail'
  readonly certificate: AzureCertificateChoice
  /** Besides those that upstream's installation has. */
  readonly labels: Readonly<Record<string, string>>
}

export const azureSystemLabels = { 'azure-workload-identity.io/system': 'true' }
export const azureConfigName = 'azure-wi-webhook-config'
/** Where the container listens. */
export const azureReviewsPort = 9_443
const systemNamespace = 'kube-system'

export function azureNamespaced({ namespace, labels }: Pick<AzurePlace, 'namespace' | 'labels'>, name: string): ObjectMeta {
  return { name, namespace, labels: { ...labels, ...azureSystemLabels } }
}

export function kubeObject(apiVersion: string, kind: string, metadata: ObjectMeta, fields: object): KubeObject {
  return { apiVersion, kind, metadata, ...fields }
}

/** Its settings, and where it keeps its pair: empty at first, since a right to make a Secret could not be confined to its name. */
export function azureSettingsObjects(place: AzurePlace): readonly KubeObject[] {
  const data = { AZURE_ENVIRONMENT: place.cloud, AZURE_TENANT_ID: place.tenantId }
  const config = kubeObject('v1', 'ConfigMap', azureNamespaced(place, azureConfigName), { data })
  if (place.certificate.kind === 'secret') return [config]
  return [config, kubeObject('v1', 'Secret', azureNamespaced(place, azureSecretName), { type: 'Opaque' })]
}

export function azureService(place: AzurePlace, selector: Readonly<Record<string, string>>): KubeObject {
  const ports = [{ port: 443, targetPort: azureReviewsPort, protocol: 'TCP' }]
  return kubeObject('v1', 'Service', azureNamespaced(place, azureServiceName), { spec: { selector, ports } })
}

/** No more than is done: with a pair that somebody else keeps, neither Secrets nor configurations. */
export function azureRotationRules({ kind }: AzureCertificateChoice): {
  readonly cluster: readonly PolicyRule[]
  readonly namespaced: readonly PolicyRule[]
} {
  if (kind === 'secret') return { cluster: [], namespaced: [] }
  const verbs = ['get', 'list', 'watch', 'update']
  return {
    cluster: [
      {
        apiGroups: ['admissionregistration.k8s.io'],
        resources: ['mutatingwebhookconfigurations'],
        verbs,
        resourceNames: [azureConfigurationName],
      },
    ],
    namespaced: [{ apiGroups: [''], resources: ['secrets'], verbs, resourceNames: [azureSecretName] }],
  }
}

export function azureConfiguration({ namespace, failurePolicy, certificate, labels }: AzurePlace): KubeObject {
  const caBundle = certificate.kind === 'secret' ? { caBundle: Buffer.from(certificate.caBundle).toString('base64') } : {}
  const kept = [...new Set([systemNamespace, namespace])]
  const webhook = {
    name: 'mutation.azure-workload-identity.io',
    admissionReviewVersions: ['v1', 'v1beta1'],
    clientConfig: { service: { namespace, name: azureServiceName, path: '/mutate-v1-pod', port: 443 }, ...caBundle },
    failurePolicy,
    matchPolicy: 'Equivalent',
    // Pods that the cluster itself needs, and our own, are never held up.
    namespaceSelector: { matchExpressions: [{ key: 'kubernetes.io/metadata.name', operator: 'NotIn', values: kept }] },
    objectSelector: { matchLabels: { [useLabel]: 'true' } },
    // A later webhook may add containers; asked again, we add nothing twice.
    reinvocationPolicy: 'IfNeeded',
    rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'], scope: '*' }],
    sideEffects: 'None',
    timeoutSeconds: 10,
  }
  return kubeObject(
    'admissionregistration.k8s.io/v1',
    'MutatingWebhookConfiguration',
    { name: azureConfigurationName, labels: { ...labels, ...azureSystemLabels } },
    {
      webhooks: [webhook],
    },
  )
}
