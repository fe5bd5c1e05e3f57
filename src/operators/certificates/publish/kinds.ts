// The kinds into which an ARN can be written. Of kinds that are no part of Kubernetes the version is asked for, since clusters have
// different ones.
import { configMaps, type ResourceType, services } from '#kube'
import type { KubeClient } from '#kube/client'
import type { PublishKind } from '../api/publish.ts'

export type PublishTypes = Readonly<Record<PublishKind, ResourceType>>

export const publishTypesDefault: PublishTypes = {
  Ingress: { group: 'networking.k8s.io', version: 'v1', kind: 'Ingress', plural: 'ingresses', namespaced: true },
  Service: services,
  Gateway: { group: 'gateway.networking.k8s.io', version: 'v1', kind: 'Gateway', plural: 'gateways', namespaced: true },
  LoadBalancerConfiguration: {
    group: 'gateway.k8s.aws',
    version: 'v1beta1',
    kind: 'LoadBalancerConfiguration',
    plural: 'loadbalancerconfigurations',
    namespaced: true,
  },
  ConfigMap: configMaps,
}

const discovered: readonly PublishKind[] = ['Gateway', 'LoadBalancerConfiguration']

/** What is not served keeps its default, and is found once it is installed in that version. */
export async function discoverPublishTypes(client: Pick<KubeClient, 'discover'>): Promise<PublishTypes> {
  const served = await client.discover().catch(() => [])
  const found = discovered.flatMap(name => {
    const { group, kind, plural, namespaced } = publishTypesDefault[name]
    const type = served.find(each => each.group === group && each.kind === kind)
    return type === undefined ? [] : [[name, { group, version: type.version, kind, plural, namespaced }] as const]
  })
  return { ...publishTypesDefault, ...Object.fromEntries(found) }
}
