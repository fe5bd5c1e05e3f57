// How the API server is told to call us. All fields that it would default are there, so that what is stored is what is printed.
import type { KubeObject } from '#kube'
import { skipLabel } from '../aws/api.ts'
import { clusterWide } from './names.ts'
import type { ManifestOptions } from './options.ts'

const webhookName = 'pod-identity-webhook.amazonaws.com'
const namespaceLabel = 'kubernetes.io/metadata.name'
const systemNamespace = 'kube-system'

export function webhookConfiguration(options: ManifestOptions): KubeObject {
  const { certificate, name, namespace } = options
  const metadata = {
    ...clusterWide(options),
    ...(certificate.kind === 'cert-manager' ? { annotations: { 'cert-manager.io/inject-ca-from': `${namespace}/${name}` } } : {}),
  }
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'MutatingWebhookConfiguration',
    metadata,
    webhooks: options.failurePolicy === 'Ignore' ? [webhook(options, {})] : failingWebhooks(options),
  } as KubeObject
}

/**
 * Pods that the cluster itself needs are never held up, and neither is our own namespace: two webhooks, told apart by namespace. The pods of
 * both are asked about all the same, and our own are left out by their label.
 */
function failingWebhooks(options: ManifestOptions): readonly object[] {
  const neverHeldUp = [...new Set([systemNamespace, options.namespace])]
  const among = (operator: 'In' | 'NotIn', values: readonly string[]) => ({
    matchExpressions: [{ key: namespaceLabel, operator, values }],
  })
  return [
    webhook(options, {
      failurePolicy: 'Fail',
      namespaceSelector: among('NotIn', neverHeldUp),
    }),
    webhook(options, { name: `system.${webhookName}`, namespaceSelector: among('In', neverHeldUp) }),
  ]
}

function webhook({ namespace, name, certificate }: ManifestOptions, more: object): object {
  const caBundle = !('caBundle' in certificate) ? {} : { caBundle: Buffer.from(certificate.caBundle).toString('base64') }
  return {
    name: webhookName,
    admissionReviewVersions: ['v1', 'v1beta1'],
    clientConfig: { service: { namespace, name, path: '/mutate', port: 443 }, ...caBundle },
    failurePolicy: 'Ignore',
    matchPolicy: 'Equivalent',
    namespaceSelector: {},
    objectSelector: { matchExpressions: [{ key: skipLabel, operator: 'DoesNotExist' }] },
    // A later webhook may add containers; asked again, we add nothing twice.
    reinvocationPolicy: 'IfNeeded',
    rules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'], scope: '*' }],
    sideEffects: 'None',
    timeoutSeconds: 10,
    ...more,
  }
}
