// Namespaces: each active one has its default service account and the cluster's CA; one that is deleted is emptied and then let go.

import { type Committed, equalJson } from '../draft.ts'
import { apiVersion, type RegisteredResource, servedVersion } from '../registry/resource.ts'
import { timestamp } from '../timestamp.ts'
import type { ControllerContext, MakeController } from './runner.ts'

const rootCaName = 'kube-root-ca.crt'

/** `default` in every namespace, again when it was deleted. */
export const serviceAccounts: MakeController = context => ({
  name: 'serviceaccount',
  keys: (event, table) => {
    if (table.name === 'namespaces') return event.type === 'DELETED' ? [] : [event.key]
    return table.name === 'serviceaccounts' && event.type === 'DELETED' && event.key.endsWith('/default')
      ? [event.key.split('/')[0] ?? '']
      : []
  },
  reconcile: async namespace => {
    if (
      !isActive(context, namespace) ||
      context.ports.store.table('serviceaccounts').rows.get(`${namespace}/default`) !== undefined
    )
      return undefined
    await context.api.create(`/api/v1/namespaces/${namespace}/serviceaccounts`, {
      kind: 'ServiceAccount',
      apiVersion: 'v1',
      metadata: { name: 'default' },
    })
    return undefined
  },
})

/** The CA that pods verify the API with, put back when somebody changes it. */
export const rootCa: MakeController = context => ({
  name: 'root-ca-cert-publisher',
  keys: (event, table) => {
    if (table.name === 'namespaces') return event.type === 'DELETED' ? [] : [event.key]
    return table.name === 'configmaps' && event.key.endsWith(`/${rootCaName}`) ? [event.key.split('/')[0] ?? ''] : []
  },
  reconcile: async namespace => {
    if (!isActive(context, namespace)) return undefined
    const data = { 'ca.crt': context.ca() }
    const path = `/api/v1/namespaces/${namespace}/configmaps`
    const live = context.ports.store.table('configmaps').rows.get(`${namespace}/${rootCaName}`)?.object
    if (live === undefined) {
      const description =
        'Contains a CA bundle that can be used to verify the kube-apiserver when using internal endpoints such as the internal service IP or kubernetes.default.svc. No other usage is guaranteed across distributions of Kubernetes clusters.'
      const metadata = { name: rootCaName, annotations: { 'kubernetes.io/description': description } }
      await context.api.create(path, { kind: 'ConfigMap', apiVersion: 'v1', metadata, data })
    } else if (!equalJson(live.data, data)) await context.api.update(`${path}/${rootCaName}`, { ...live, data })
    return undefined
  },
})

function isActive({ ports }: ControllerContext, namespace: string): boolean {
  const object = ports.store.table('namespaces').rows.get(namespace)?.object
  return object !== undefined && object.metadata.deletionTimestamp === undefined
}

/** Deletes everything in a deleted namespace and says what holds it up. */
export const namespaceLifecycle: MakeController = context => ({
  name: 'namespace',
  keys: (event, table) => {
    if (table.name === 'namespaces')
      return event.type !== 'DELETED' && event.version.object.metadata.deletionTimestamp !== undefined ? [event.key] : []
    const { namespace } = event.version.object.metadata
    return namespace !== undefined && event.type === 'DELETED' && !isActive(context, namespace) ? [namespace] : []
  },
  reconcile: name => emptyNamespace(context, name),
})

/** Pods take their grace; until then there is nothing to do but look again. */
const lookAgainMs = 5_000

async function emptyNamespace(context: ControllerContext, name: string): Promise<number | undefined> {
  const { ports, api } = context
  const namespace = ports.store.table('namespaces').rows.get(name)?.object
  if (namespace?.metadata.deletionTimestamp === undefined) return undefined
  const remaining = await deleteContent(context, name)
  const live = ports.store.table('namespaces').rows.get(name)?.object
  if (live === undefined) return undefined
  await writeConditions(context, live, remaining)
  if (remaining.length > 0) return lookAgainMs
  const fresh = ports.store.table('namespaces').rows.get(name)?.object
  if (fresh !== undefined) {
    const finalizers = ((fresh.spec as { finalizers?: string[] } | undefined)?.finalizers ?? []).filter(
      finalizer => finalizer !== 'kubernetes',
    )
    await api.update(`/api/v1/namespaces/${name}/finalize`, { ...fresh, spec: { ...(fresh.spec as object), finalizers } })
  }
  return undefined
}

/** Gives what could not go yet. From 1.33 on the pods go first, and what they use stays until the last of them is gone. */
async function deleteContent(context: ControllerContext, name: string): Promise<readonly Remaining[]> {
  const all = namespacedResources(context)
  const pods = all.filter(({ group, plural }) => group === '' && plural === 'pods')
  for (const resources of context.ports.emulate === '1.32' ? [all] : [pods, all]) {
    for (const resource of resources) {
      if (countIn(context, resource, name) === 0) continue
      const options = { kind: 'DeleteOptions', apiVersion: 'v1', propagationPolicy: 'Background' }
      await context.api.delete(pathOf(resource, name), options)
    }
    const remaining = resources.flatMap(resource => remainingIn(context, resource, name))
    if (remaining.length > 0) return remaining
  }
  return []
}

interface Remaining {
  readonly resource: RegisteredResource
  readonly object: Committed
}

function namespacedResources({ ports }: ControllerContext): readonly RegisteredResource[] {
  // Two resources may share a table (events); emptying it once is enough.
  const seen = new Set<string>()
  return ports.registry.resources.filter(resource => {
    if (!resource.namespaced || resource.behaviour.virtual || seen.has(resource.table)) return false
    seen.add(resource.table)
    return true
  })
}

function remainingIn({ ports }: ControllerContext, resource: RegisteredResource, namespace: string): Remaining[] {
  const found: Remaining[] = []
  const prefix = `${namespace}/`
  ports.store.table(resource.table).rows.visit(prefix, (version, key) => {
    if (!key.startsWith(prefix)) return false
    found.push({ resource, object: version.object })
    return true
  })
  return found
}

function countIn(context: ControllerContext, resource: RegisteredResource, namespace: string): number {
  return remainingIn(context, resource, namespace).length
}

function pathOf(resource: RegisteredResource, namespace: string): string {
  const root = resource.group === '' ? '/api/v1' : `/apis/${apiVersion(resource.group, servedVersion(resource))}`
  return `${root}/namespaces/${namespace}/${resource.plural}`
}

async function writeConditions(context: ControllerContext, live: Committed, remaining: readonly Remaining[]): Promise<void> {
  const at = timestamp(context.ports.clock.now())
  const condition = (type: string, isTrue: boolean, reason: string, message: string): Record<string, string> => ({
    type,
    status: isTrue ? 'True' : 'False',
    lastTransitionTime: at,
    reason,
    message,
  })
  const wanted = [
    condition('NamespaceDeletionDiscoveryFailure', false, 'ResourcesDiscovered', 'All resources successfully discovered'),
    condition(
      'NamespaceDeletionGroupVersionParsingFailure',
      false,
      'ParsedGroupVersions',
      'All legacy kube types successfully parsed',
    ),
    condition(
      'NamespaceDeletionContentFailure',
      false,
      'ContentDeleted',
      'All content successfully deleted, may be waiting on finalization',
    ),
    contentCondition(condition, remaining),
    finalizerCondition(condition, remaining),
  ]
  const status = (live.status ?? {}) as { conditions?: readonly Record<string, string>[] }
  const withoutTime = (list: readonly Record<string, string>[]): unknown =>
    list.map(({ lastTransitionTime: _time, ...rest }) => rest)
  if (equalJson(withoutTime(status.conditions ?? []), withoutTime(wanted))) return
  await context.api.update(`/api/v1/namespaces/${live.metadata.name}/status`, {
    ...live,
    status: { ...status, phase: 'Terminating', conditions: wanted },
  })
}

type MakeCondition = (type: string, isTrue: boolean, reason: string, message: string) => Record<string, string>

function contentCondition(condition: MakeCondition, remaining: readonly Remaining[]): Record<string, string> {
  if (remaining.length === 0)
    return condition('NamespaceContentRemaining', false, 'ContentRemoved', 'All content successfully removed')
  const counts = countBy(
    remaining.map(({ resource }) => (resource.group === '' ? `${resource.plural}.` : `${resource.plural}.${resource.group}`)),
  )
  const text = counts.map(([name, count]) => `${name} has ${count} resource instances`).join(', ')
  return condition('NamespaceContentRemaining', true, 'SomeResourcesRemain', `Some resources are remaining: ${text}`)
}

function finalizerCondition(condition: MakeCondition, remaining: readonly Remaining[]): Record<string, string> {
  const counts = countBy(remaining.flatMap(({ object }) => object.metadata.finalizers ?? []))
  if (counts.length === 0)
    return condition(
      'NamespaceFinalizersRemaining',
      false,
      'ContentHasNoFinalizers',
      'All content-preserving finalizers finished',
    )
  const text = counts.map(([name, count]) => `${name} in ${count} resource instances`).join(', ')
  return condition(
    'NamespaceFinalizersRemaining',
    true,
    'SomeFinalizersRemain',
    `Some content in the namespace has finalizers remaining: ${text}`,
  )
}

function countBy(names: readonly string[]): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return [...counts].sort(([a], [b]) => (a < b ? -1 : 1))
}
