// The garbage collector: what an owner leaves behind goes with it, now or after it, or stays as an orphan, as the deletion asked.
import type { Committed, DraftOwner } from '../draft.ts'
import { apiVersion, type RegisteredResource, servedVersion } from '../registry/resource.ts'
import type { ControllerContext, MakeController } from './runner.ts'

interface StoreAddress {
  readonly resource: RegisteredResource
  readonly key: string
}

/** Who depends on whom, by uid, kept in step with the store. */
class Graph {
  readonly objects = new Map<string, StoreAddress & { readonly object: Committed }>()
  readonly #dependents = new Map<string, Set<string>>()

  set(resource: RegisteredResource, key: string, object: Committed): void {
    const uid = object.metadata.uid
    this.#unlink(uid)
    this.objects.set(uid, { resource, key, object })
    for (const owner of object.metadata.ownerReferences ?? []) {
      const known = this.#dependents.get(owner.uid)
      if (known === undefined) this.#dependents.set(owner.uid, new Set([uid]))
      else known.add(uid)
    }
  }

  delete(uid: string): void {
    this.#unlink(uid)
    this.objects.delete(uid)
  }

  dependentsOf(uid: string): readonly string[] {
    return [...(this.#dependents.get(uid) ?? [])]
  }

  #unlink(uid: string): void {
    for (const owner of this.objects.get(uid)?.object.metadata.ownerReferences ?? []) {
      const known = this.#dependents.get(owner.uid)
      known?.delete(uid)
      if (known?.size === 0) this.#dependents.delete(owner.uid)
    }
  }
}

export const garbageCollector: MakeController = context => {
  const graph = new Graph()
  return {
    name: 'garbage-collector',
    keys: (event, table) => {
      const { uid } = event.version.object.metadata
      if (uid === undefined || table.name === 'events') return []
      const resource = resourceOf(context, table.name)
      if (resource === undefined) return []
      const dependents = graph.dependentsOf(uid)
      const owners = [
        ...(event.version.object.metadata.ownerReferences ?? []),
        ...(event.previous?.object.metadata.ownerReferences ?? []),
      ]
      if (event.type === 'DELETED') {
        graph.delete(uid)
        return [...dependents, ...owners.map(owner => owner.uid)]
      }
      graph.set(resource, event.key, event.version.object)
      const isCollected = (event.version.object.metadata.finalizers ?? []).some(
        name => name === 'orphan' || name === 'foregroundDeletion',
      )
      const concerned = owners.length > 0 || isCollected ? [uid] : []
      // An owner whose deletion waits for this object may go on when the object changes.
      return [
        ...concerned,
        ...(isCollected ? dependents : []),
        ...owners.map(owner => owner.uid).filter(owner => isWaiting(graph, owner)),
      ]
    },
    reconcile: async uid => {
      const node = graph.objects.get(uid)
      if (node === undefined) return undefined
      await finishDeletion(context, graph, node)
      if (graph.objects.get(uid) === node) await collect(context, graph, node)
      return undefined
    },
  }
}

type Node = StoreAddress & { readonly object: Committed }

function isWaiting(graph: Graph, uid: string): boolean {
  return graph.objects.get(uid)?.object.metadata.deletionTimestamp !== undefined
}

function resourceOf({ ports }: ControllerContext, table: string): RegisteredResource | undefined {
  return ports.registry.resources.find(resource => resource.table === table && !resource.behaviour.virtual)
}

/** A deleting owner that carries one of our finalizers. */
async function finishDeletion(context: ControllerContext, graph: Graph, node: Node): Promise<void> {
  const { finalizers = [], deletionTimestamp, uid } = node.object.metadata
  if (deletionTimestamp === undefined) return
  if (finalizers.includes('orphan')) {
    for (const dependent of graph.dependentsOf(uid as string))
      await dropOwners(context, graph, dependent, new Set([uid as string]))
    await dropFinalizer(context, node, 'orphan')
    return
  }
  if (!finalizers.includes('foregroundDeletion')) return
  const dependents = graph.dependentsOf(uid as string).flatMap(dependent => graph.objects.get(dependent) ?? [])
  for (const dependent of dependents) {
    if (dependent.object.metadata.deletionTimestamp === undefined && isSolelyOwnedBy(graph, dependent, uid as string)) {
      await deleteObject(
        context,
        dependent,
        graph.dependentsOf(dependent.object.metadata.uid).length > 0 ? 'Foreground' : 'Background',
      )
    } else if (!isSolelyOwnedBy(graph, dependent, uid as string)) {
      await dropOwners(context, graph, dependent.object.metadata.uid, new Set([uid as string]))
    }
  }
  const blocking = graph
    .dependentsOf(uid as string)
    .flatMap(dependent => graph.objects.get(dependent)?.object.metadata.ownerReferences ?? [])
    .some(owner => owner.uid === uid && owner.blockOwnerDeletion === true)
  if (!blocking) await dropFinalizer(context, node, 'foregroundDeletion')
}

/** True unless some other owner is alive and not itself on its way out. */
function isSolelyOwnedBy(graph: Graph, { object }: Node, uid: string): boolean {
  return !(object.metadata.ownerReferences ?? []).some(
    owner =>
      owner.uid !== uid &&
      graph.objects.get(owner.uid)?.object.metadata.deletionTimestamp === undefined &&
      graph.objects.has(owner.uid),
  )
}

async function collect(context: ControllerContext, graph: Graph, node: Node): Promise<void> {
  const owners = node.object.metadata.ownerReferences ?? []
  if (owners.length === 0 || node.object.metadata.deletionTimestamp !== undefined) return
  const judged = owners.map(owner => ({ owner, state: judge(context, graph, node, owner) }))
  const gone = judged.filter(({ state }) => state === 'gone' || state === 'elsewhere')
  if (gone.length === 0) return
  for (const { owner, state } of judged) if (state === 'elsewhere') await warnOfNamespace(context, node, owner)
  if (gone.length === owners.length) await deleteObject(context, node, 'Background')
  else if (judged.some(({ state }) => state === 'alive')) {
    await dropOwners(context, graph, node.object.metadata.uid, new Set(gone.map(({ owner }) => owner.uid)))
  }
}

type OwnerState = 'alive' | 'gone' | 'elsewhere' | 'unknown'

function judge({ ports }: ControllerContext, graph: Graph, { object }: Node, owner: DraftOwner): OwnerState {
  const slash = owner.apiVersion.indexOf('/')
  const group = slash < 0 ? '' : owner.apiVersion.slice(0, slash)
  const resource = ports.registry.resources.find(candidate => candidate.group === group && candidate.kind === owner.kind)
  if (resource === undefined) return 'unknown'
  const found = graph.objects.get(owner.uid)
  if (resource.namespaced && found !== undefined && found.object.metadata.namespace !== object.metadata.namespace)
    return 'elsewhere'
  if (resource.namespaced && object.metadata.namespace === undefined) return 'elsewhere'
  return found === undefined || found.object.metadata.name !== owner.name ? 'gone' : 'alive'
}

async function warnOfNamespace(context: ControllerContext, { object, resource }: Node, owner: DraftOwner): Promise<void> {
  const namespace = object.metadata.namespace ?? 'default'
  await context.api.create(`/api/v1/namespaces/${namespace}/events`, {
    kind: 'Event',
    apiVersion: 'v1',
    metadata: { generateName: `${object.metadata.name}.`, namespace },
    involvedObject: {
      kind: resource.kind,
      apiVersion: object.apiVersion,
      name: object.metadata.name,
      namespace: object.metadata.namespace,
      uid: object.metadata.uid,
    },
    reason: 'OwnerRefInvalidNamespace',
    message: `ownerRef [${owner.apiVersion}/${owner.kind}, namespace: ${namespace}, name: ${owner.name}, uid: ${owner.uid}] does not exist in namespace "${namespace}"`,
    type: 'Warning',
    source: { component: 'garbage-collector-controller' },
    count: 1,
  })
}

function pathOf({ resource, object }: Node): string {
  const version = servedVersion(resource)
  const root = resource.group === '' ? `/api/${version}` : `/apis/${apiVersion(resource.group, version)}`
  const scope = resource.namespaced ? `/namespaces/${object.metadata.namespace}` : ''
  return `${root}${scope}/${resource.plural}/${object.metadata.name}`
}

async function deleteObject({ api }: ControllerContext, node: Node, propagationPolicy: string): Promise<void> {
  await api.delete(pathOf(node), {
    kind: 'DeleteOptions',
    apiVersion: 'v1',
    propagationPolicy,
    preconditions: { uid: node.object.metadata.uid },
  })
}

async function dropFinalizer({ api }: ControllerContext, node: Node, finalizer: string): Promise<void> {
  const { finalizers = [], uid, resourceVersion } = node.object.metadata
  const rest = finalizers.filter(name => name !== finalizer)
  await retryOnConflict(
    await api.merge(pathOf(node), { metadata: { uid, resourceVersion, finalizers: rest.length === 0 ? null : rest } }),
  )
}

async function dropOwners({ api }: ControllerContext, graph: Graph, uid: string, owners: ReadonlySet<string>): Promise<void> {
  const node = graph.objects.get(uid)
  if (node === undefined) return
  const { ownerReferences = [], resourceVersion } = node.object.metadata
  const rest = ownerReferences.filter(owner => !owners.has(owner.uid))
  await retryOnConflict(
    await api.merge(pathOf(node), { metadata: { uid, resourceVersion, ownerReferences: rest.length === 0 ? null : rest } }),
  )
}

/** Somebody was faster: the change that made it so brings the key back; throwing makes sure. */
function retryOnConflict({ status, object }: { status: number; object: Committed }): Promise<void> {
  if (status === 409) return Promise.reject(new Error(`the object changed meanwhile: ${object.message as string}`))
  return Promise.resolve()
}
