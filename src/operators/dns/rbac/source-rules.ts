// What ExternalDNS reads for each source, and what it is given for it.
import type { KubeObject, PolicyRule } from '#kube'
import { sourceTypes } from '../api/source-schema.ts'

const reading = ['get', 'list', 'watch']
const read = (apiGroup: string, ...resources: readonly string[]): PolicyRule => ({
  apiGroups: [apiGroup],
  resources: [...resources],
  verbs: reading,
})

const rulesBySource: Readonly<Record<string, readonly PolicyRule[]>> = {
  Service: [read('', 'endpoints', 'services', 'pods', 'nodes'), read('discovery.k8s.io', 'endpointslices')],
  Ingress: [read('networking.k8s.io', 'ingresses')],
  OpenShiftRoute: [read('route.openshift.io', 'routes')],
  CRD: [
    read('externaldns.k8s.io', 'dnsendpoints'),
    { apiGroups: ['externaldns.k8s.io'], resources: ['dnsendpoints/status'], verbs: ['update', 'patch'] },
  ],
  GatewayHTTPRoute: [read('gateway.networking.k8s.io', 'gateways', 'httproutes'), read('', 'namespaces')],
}

/** Of all sources, as the existing operator gives them to all of its operands. */
export const rulesOfAll: readonly PolicyRule[] = sourceTypes.flatMap(source => rulesBySource[source] ?? [])

/** The ClusterRole of one source. */
export const sourceRoleName = (source: string): string => `external-dns-source-${source.toLowerCase()}`

export const sourceRoleNames: readonly string[] = sourceTypes.map(sourceRoleName)

export function sourceRoles(labels: Readonly<Record<string, string>>): readonly KubeObject[] {
  return sourceTypes.map(source => {
    const metadata = { name: sourceRoleName(source), labels }
    const rules = rulesBySource[source] ?? []
    return { apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'ClusterRole', metadata, rules } as KubeObject
  })
}
