// Who may call the webhook: a NetworkPolicy, and the authority whose certificate a caller has to show.
import type { KubeObject } from '#kube'
import { clientCaName, namespaced, ports } from './names.ts'
import type { ManifestOptions } from './options.ts'

/** Reviews from where API servers are; health and metrics from anywhere, since nobody knows where kubelets and scrapers are. */
export function networkPolicy(options: ManifestOptions, moreReviews: readonly number[] = []): KubeObject {
  const from = options.apiServers.map(cidr => ({ ipBlock: { cidr } }))
  const spec = {
    podSelector: { matchLabels: { 'app.kubernetes.io/name': options.name } },
    policyTypes: ['Ingress'],
    ingress: [
      { ports: [ports.https, ...moreReviews].map(port), ...(from.length === 0 ? {} : { from }) },
      { ports: [port(ports.health), port(ports.metrics)] },
    ],
  }
  return { apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy', metadata: namespaced(options), spec } as KubeObject
}

export function clientCaObjects(options: ManifestOptions): readonly KubeObject[] {
  if (options.clientCa === '') return []
  const metadata = namespaced(options, clientCaName(options))
  return [{ apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { 'ca.crt': options.clientCa } } as KubeObject]
}

function port(number: number): object {
  return { port: number, protocol: 'TCP' }
}
