// Lets claims and volumes go that are being deleted once nothing uses them any more.
import { claimProtection, volumeProtection } from '../admission/storage-in-use/storage-in-use.ts'
import type { Committed } from '../draft.ts'
import { findObject, objectsIn } from './look.ts'
import type { ControllerContext, MakeController } from './runner.ts'

const claimsTable = 'persistentvolumeclaims'
const volumesTable = 'persistentvolumes'

export const claimsInUse: MakeController = context => ({
  name: 'persistentvolumeclaim-protection',
  keys: (event, table) => {
    if (table.name === claimsTable) return event.type === 'DELETED' ? [] : [event.key]
    if (table.name !== 'pods' || event.type !== 'DELETED') return []
    const { namespace } = event.version.object.metadata
    return claimsOf(event.version.object).map(name => `${namespace}/${name}`)
  },
  reconcile: async key => {
    const claim = findObject(context.ports, claimsTable, key)
    if (claim === undefined) return undefined
    const { namespace = '', name } = claim.metadata
    // A pod that no node has yet cannot start on a claim that is going, so it does not hold it.
    const isUsed = objectsIn(context.ports, 'pods', namespace).some(
      pod => (pod.spec as { nodeName?: string }).nodeName !== undefined && claimsOf(pod).includes(name),
    )
    if (!isUsed) await letGo(context, claim, claimProtection, `/api/v1/namespaces/${namespace}/persistentvolumeclaims/${name}`)
    return undefined
  },
})

export const volumesInUse: MakeController = context => ({
  name: 'persistentvolume-protection',
  keys: (event, table) => (table.name === volumesTable && event.type !== 'DELETED' ? [event.key] : []),
  reconcile: async key => {
    const volume = findObject(context.ports, volumesTable, key)
    if (volume === undefined || (volume.status as { phase?: string } | undefined)?.phase === 'Bound') return undefined
    await letGo(context, volume, volumeProtection, `/api/v1/persistentvolumes/${volume.metadata.name}`)
    return undefined
  },
})

function claimsOf(pod: Committed): string[] {
  const { volumes } = pod.spec as {
    volumes?: readonly { name: string; persistentVolumeClaim?: { claimName: string }; ephemeral?: object }[]
  }
  return (volumes ?? []).flatMap(({ name, persistentVolumeClaim, ephemeral }) => {
    if (persistentVolumeClaim !== undefined) return [persistentVolumeClaim.claimName]
    return ephemeral === undefined ? [] : [`${pod.metadata.name}-${name}`]
  })
}

async function letGo({ api }: ControllerContext, object: Committed, protection: string, path: string): Promise<void> {
  const { deletionTimestamp, finalizers = [], resourceVersion } = object.metadata
  if (deletionTimestamp === undefined || !finalizers.includes(protection)) return
  await api.merge(path, { metadata: { resourceVersion, finalizers: finalizers.filter(one => one !== protection) } })
}
