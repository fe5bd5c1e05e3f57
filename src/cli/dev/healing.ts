// After the proof a person breaks things. What was there and is not is told, and how long it took to be there again.
import { mutatingWebhookConfigurations, type ResourceType, type StoredObject, serviceAccounts } from '#kube'
import { followed } from './follow.ts'
import type { Screen } from './screen.ts'
import type { DevCluster, DevWorld } from './world.ts'

interface Kept {
  readonly cluster: DevCluster
  readonly type: ResourceType
  /** The kind of object, in words for a person. */
  readonly what: string
  readonly name: string
  readonly holds: (object: StoredObject) => boolean
}

const roleAnnotation = 'eks.amazonaws.com/role-arn'

/** Follows what the operators keep in the clusters, until the signal aborts. */
export async function followHealing(world: DevWorld, screen: Screen, signal: AbortSignal): Promise<void> {
  const { edge, stage } = world
  const annotated = (object: StoredObject): boolean => object.metadata.annotations?.[roleAnnotation] !== undefined
  const annotation = {
    type: serviceAccounts,
    what: 'the role annotation of ServiceAccount reader',
    name: 'reader',
    holds: annotated,
  }
  const kept: readonly Kept[] = [
    { ...annotation, cluster: edge },
    { ...annotation, cluster: stage },
    {
      cluster: edge,
      type: mutatingWebhookConfigurations,
      what: 'the webhook configuration pod-identity-webhook',
      name: 'pod-identity-webhook',
      holds: () => true,
    },
  ]
  await Promise.all(kept.map(one => followKept(one, screen, signal)))
}

async function followKept({ cluster, type, what, name, holds }: Kept, screen: Screen, signal: AbortSignal): Promise<void> {
  let lostAt: number | undefined
  let wasThere = false
  await followed({ kube: cluster.kube, type, screen, signal }, (object, isThere) => {
    if (object.metadata.name !== name) return
    const isThereNow = isThere && holds(object)
    const told = { cluster: cluster.name, object: { kind: object.kind, name } }
    if (wasThere && !isThereNow) {
      lostAt = performance.now()
      screen.line('lost', `${what} is gone`, told)
    } else if (!wasThere && isThereNow && lostAt !== undefined) {
      screen.line('proven', `${what} is there again, after ${Math.max(1, Math.round(performance.now() - lostAt))} ms`, told)
    }
    wasThere = isThereNow
  })
}
