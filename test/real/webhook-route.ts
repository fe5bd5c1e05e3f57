// The way from a real API server to the webhooks of `vouch operator`, as the controller of EndpointSlices would keep it.
import { endpointSlices, type KubeObject } from '#kube'
import type { KubeClient } from '#kube/client'
import { ownAddress } from './own-address.ts'

/** Has the Service of the webhooks lead to these ports of this machine, and to no others. */
export async function routeWebhooks(admin: KubeClient, namespace: string, ports: readonly number[]): Promise<void> {
  for (const { metadata } of (await admin.list(endpointSlices, { namespace })).items)
    await admin.delete(endpointSlices, { namespace, name: metadata.name })
  for (const port of ports) await admin.create(endpointSlices, sliceOf(namespace, port))
}

function sliceOf(namespace: string, port: number): KubeObject {
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { namespace, name: `vouch-webhook-${port}`, labels: { 'kubernetes.io/service-name': 'vouch-webhook' } },
    addressType: 'IPv4',
    ports: [{ name: 'webhook', port, protocol: 'TCP' }],
    endpoints: [{ addresses: [ownAddress], conditions: { ready: true } }],
  } as KubeObject
}
