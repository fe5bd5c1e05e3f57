// What the certificate operator may do on the API server: the one list from which manifests are rendered, and that tests hold against what
// it really does.
import { configMaps, events, type ResourceType, type Right, rightTo, services } from '#kube'
import { certKind } from '../api/kinds.ts'

export interface RightsOptions {
  readonly publishes: boolean
  /** All when absent. */
  readonly namespaces: readonly string[] | undefined
}

/** Beside what every process of ours needs. */
export function kubeRights({ publishes, namespaces }: RightsOptions): readonly Right[] {
  const scope = namespaces === undefined ? {} : { within: namespaces }
  const rights = [
    rightTo(certKind.type, ['get', 'list', 'watch', 'patch'], 'what is asked for; patched for finalizer and counters'),
    rightTo(certKind.type, ['patch'], 'what is said of it', 'status'),
    rightTo(events, ['create', 'patch'], 'the life of a certificate'),
    ...(publishes ? publishRights() : []),
  ]
  return rights.map(right => ({ ...right, ...scope }))
}

function publishRights(): readonly Right[] {
  const why = 'objects that carry the ARN of a certificate'
  return [
    ...[ingresses, services, gateways, loadBalancerConfigurations].map(type => rightTo(type, ['get', 'list', 'patch'], why)),
    rightTo(configMaps, ['get', 'create', 'patch'], why),
  ]
}

export const ingresses: ResourceType = {
  group: 'networking.k8s.io',
  version: 'v1',
  kind: 'Ingress',
  plural: 'ingresses',
  namespaced: true,
}
export const gateways: ResourceType = {
  group: 'gateway.networking.k8s.io',
  version: 'v1',
  kind: 'Gateway',
  plural: 'gateways',
  namespaced: true,
}
export const loadBalancerConfigurations: ResourceType = {
  group: 'gateway.k8s.aws',
  version: 'v1beta1',
  kind: 'LoadBalancerConfiguration',
  plural: 'loadbalancerconfigurations',
  namespaced: true,
}
