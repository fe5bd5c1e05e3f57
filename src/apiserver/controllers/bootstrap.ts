// What is there from the start.
import type { Random } from '#base'
import type { KubeObject } from '#kube'
import type { Draft } from '../draft.ts'
import { rowKey } from '../registry/resource.ts'
import { definitionsTable } from '../registry/termination.ts'
import { timestamp } from '../timestamp.ts'
import { bootstrapRbac } from './bootstrap-rbac.ts'
import type { DefinitionPorts } from './definition-status.ts'
import { establish } from './definitions.ts'

export interface BootstrapPorts extends DefinitionPorts {
  readonly random: Random
}

export function bootstrap(ports: BootstrapPorts, objects: readonly KubeObject[]): void {
  if (ports.store.table('namespaces').rows.size > 0) return
  for (const name of ['default', 'kube-system', 'kube-public', 'kube-node-lease']) plant(ports, namespace(name))
  for (const object of bootstrapRbac()) plant(ports, object)
  plant(ports, apiService())
  for (const [name, value, description] of systemPriorities) plant(ports, priorityClass(name, value, description))
  for (const object of objects) plant(ports, structuredClone(object) as unknown as Draft)
}

/** Puts an object into the store without asking anybody. */
export function plant(ports: BootstrapPorts, object: Draft): void {
  const slash = object.apiVersion.indexOf('/')
  const group = slash < 0 ? '' : object.apiVersion.slice(0, slash)
  const kind = ports.registry.findKind(group, object.apiVersion.slice(slash + 1), object.kind)
  if (kind === undefined) throw new Error(`no kind ${object.kind} in ${object.apiVersion} is served: put its definition first`)
  const { kind: _kind, apiVersion: _apiVersion, metadata, ...rest } = object
  const draft: Draft = { kind: object.kind, apiVersion: object.apiVersion, metadata: { ...metadata }, ...rest }
  draft.metadata.uid ??= ports.random.uuid()
  draft.metadata.creationTimestamp ??= timestamp(ports.clock.now())
  if (kind.resource.namespaced) draft.metadata.namespace ??= 'default'
  if (kind.resource.behaviour.generation !== 'none') draft.metadata.generation ??= 1
  // As one that is created: what it stores is known from the first object on.
  if (kind.resource.table === definitionsTable && draft.status === undefined)
    kind.resource.behaviour.prepareCreate?.(draft, false)
  const table = ports.store.table(kind.resource.table)
  const key = rowKey(kind.resource, draft.metadata.namespace ?? '', draft.metadata.name ?? '')
  ports.store.create(table, key, draft)
  // A server is ready when it is returned: definitions that come with it do not wait for their turn.
  if (table.name === definitionsTable) establish(ports, key)
}

/** How pods find the API. */
function apiService(): Draft {
  return {
    kind: 'Service',
    apiVersion: 'v1',
    metadata: { name: 'kubernetes', namespace: 'default', labels: { component: 'apiserver', provider: 'kubernetes' } },
    spec: {
      ports: [{ name: 'https', protocol: 'TCP', port: 443, targetPort: 6443 }],
      clusterIP: '10.96.0.1',
      clusterIPs: ['10.96.0.1'],
      type: 'ClusterIP',
      sessionAffinity: 'None',
      ipFamilies: ['IPv4'],
      ipFamilyPolicy: 'SingleStack',
      internalTrafficPolicy: 'Cluster',
    },
    status: { loadBalancer: {} },
  }
}

function namespace(name: string): Draft {
  return {
    kind: 'Namespace',
    apiVersion: 'v1',
    metadata: { name, labels: { 'kubernetes.io/metadata.name': name } },
    spec: { finalizers: ['kubernetes'] },
    status: { phase: 'Active' },
  }
}

const systemPriorities = [
  [
    'system-cluster-critical',
    2_000_000_000,
    'Used for system critical pods that must run in the cluster, but can be moved to another node if necessary.',
  ],
  ['system-node-critical', 2_000_001_000, 'Used for system critical pods that must not be moved from their current node.'],
] as const

function priorityClass(name: string, value: number, description: string): Draft {
  return {
    kind: 'PriorityClass',
    apiVersion: 'scheduling.k8s.io/v1',
    metadata: { name },
    value,
    description,
    preemptionPolicy: 'PreemptLowerPriority',
  }
}
