// Replica sets: as many pods as wanted, made from the template.
import { type Committed, equalJson } from '../draft.ts'
import { controllerOf, findObject, isReady, objectsIn, ownerReference } from './look.ts'
import type { ControllerContext, MakeController } from './runner.ts'

const setsTable = 'replicasets.apps'
/** A refused pod (quota, webhook, missing service account) is tried again. */
const retryMs = 5_000

interface SetSpec {
  readonly replicas?: number
  readonly template: { readonly metadata?: object; readonly spec: object }
}

export const replicaSets: MakeController = context => ({
  name: 'replicaset',
  keys: (event, table) => {
    if (table.name === setsTable) return event.type === 'DELETED' ? [] : [event.key]
    if (table.name !== 'pods') return []
    const owner = controllerOf(event.version.object)
    return owner?.kind === 'ReplicaSet' ? [`${event.version.object.metadata.namespace}/${owner.name}`] : []
  },
  reconcile: async key => {
    const set = findObject(context.ports, setsTable, key)
    if (set === undefined) return undefined
    const failed = set.metadata.deletionTimestamp === undefined ? await matchReplicas(context, set) : undefined
    await writeStatus(context, key, failed)
    return failed === undefined ? undefined : retryMs
  },
})

function podsOf({ ports }: ControllerContext, set: Committed): Committed[] {
  return objectsIn(ports, 'pods', set.metadata.namespace as string).filter(
    pod => controllerOf(pod)?.uid === set.metadata.uid && !isOver(pod),
  )
}

function isOver(pod: Committed): boolean {
  const { phase } = (pod.status ?? {}) as { phase?: string }
  return phase === 'Succeeded' || phase === 'Failed'
}

/** The message of the first refusal, when pods could not be made. */
async function matchReplicas(context: ControllerContext, set: Committed): Promise<string | undefined> {
  const { replicas = 1, template } = set.spec as SetSpec
  const living = podsOf(context, set).filter(pod => pod.metadata.deletionTimestamp === undefined)
  const { namespace, name } = set.metadata
  const path = `/api/v1/namespaces/${namespace}/pods`
  for (let missing = replicas - living.length; missing > 0; missing--) {
    const { status, object } = await context.api.create(path, {
      kind: 'Pod',
      apiVersion: 'v1',
      metadata: { ...template.metadata, generateName: `${name}-`, namespace, ownerReferences: [ownerReference(set)] },
      spec: template.spec,
    })
    if (status >= 300) return object.message as string
  }
  const surplus = living
    .sort(
      (a, b) =>
        Number(isReady(a)) - Number(isReady(b)) || Number(b.metadata.resourceVersion) - Number(a.metadata.resourceVersion),
    )
    .slice(0, Math.max(0, living.length - replicas))
  for (const pod of surplus) await context.api.delete(`${path}/${pod.metadata.name}`)
  return undefined
}

async function writeStatus(context: ControllerContext, key: string, failed: string | undefined): Promise<void> {
  const set = findObject(context.ports, setsTable, key)
  if (set === undefined) return
  const pods = podsOf(context, set).filter(pod => pod.metadata.deletionTimestamp === undefined)
  const ready = pods.filter(isReady).length
  const status = {
    replicas: pods.length,
    ...(pods.length === 0 ? {} : { fullyLabeledReplicas: pods.length }),
    ...(ready === 0 ? {} : { readyReplicas: ready, availableReplicas: ready }),
    observedGeneration: set.metadata.generation,
    ...(failed === undefined
      ? {}
      : { conditions: [{ type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate', message: failed }] }),
  }
  if (equalJson(status, set.status)) return
  await context.api.update(`/apis/apps/v1/namespaces/${set.metadata.namespace}/replicasets/${set.metadata.name}/status`, {
    ...set,
    status,
  })
}
