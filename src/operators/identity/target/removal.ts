// Taking the runtime away: first what calls it, then what it consists of. The namespace stays: it was there before us.
import type { Action } from '#runtime'
import type { Found, RuntimeObjects } from './found.ts'
import { foreignNames, type RuntimeSeen, runtimeSlots, unmanagedMessage } from './runtime.ts'

export interface RuntimeRemoval {
  readonly actions: readonly Action[]
  /** Seen absent, all of it. */
  readonly gone: boolean
  readonly blocked?: { readonly reason: 'RemoteRuntimeUnmanaged' | 'RemoteClusterUnavailable'; readonly message: string }
}

/** An object without our labels is not deleted. In a namespace it does not matter; one for the whole cluster blocks until a person decides. */
export function decideRuntimeRemoval(seen: RuntimeSeen): RuntimeRemoval {
  if (seen.kind !== 'reachable') {
    return { actions: [], gone: false, blocked: { reason: 'RemoteClusterUnavailable', message: seen.message } }
  }
  const { cluster, objects } = seen
  const foreign = foreignNames(onlyClusterWide(objects))
  const blocked = { reason: 'RemoteRuntimeUnmanaged', message: unmanagedMessage(foreign) } as const
  if (objects.webhook.kind === 'foreign') return { actions: [], gone: false, blocked }
  const { webhook, ...others } = objects
  const rest = Object.entries(others).map(([slot, found]: [string, Found]) =>
    deletion(cluster, slot as keyof RuntimeObjects, found),
  )
  const branches = rest.filter(branch => branch.length > 0)
  const isGone = [webhook, ...Object.values(others)].every((found: Found) => found.kind !== 'ours')
  return {
    actions: [
      ...deletion(cluster, 'webhook', webhook),
      ...(branches.length === 0 ? [] : [{ kind: 'together', branches } as const]),
    ],
    gone: isGone && foreign.length === 0,
    ...(foreign.length === 0 ? {} : { blocked }),
  }
}

/** Once per object (M14), in whatever state it is: no state of it is wanted. */
function deletion(cluster: string, slot: keyof RuntimeObjects, found: Found): readonly Action[] {
  if (found.kind !== 'ours' || found.object.metadata.deletionTimestamp !== undefined) return []
  const [type] = runtimeSlots[slot]
  return [{ kind: 'delete', cluster, type, object: found.object, precondition: 'any-version' }]
}

function onlyClusterWide(objects: RuntimeObjects): RuntimeObjects {
  const absent: Found = { kind: 'absent' }
  return {
    ...objects,
    caSecret: absent,
    servingSecret: absent,
    serviceAccount: absent,
    service: absent,
    deployment: absent,
  }
}
