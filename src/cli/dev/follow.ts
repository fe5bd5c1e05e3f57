// Says what turns: one line for each step that an object takes on its way to Ready, and, when a person breaks something afterwards, what
// went and when it was there again.
import type { ResourceType, StoredCondition, StoredObject } from '#kube'
import type { KubeClient } from '#kube/client'
import type { Screen, Told } from './screen.ts'

export interface WithConditions extends StoredObject {
  readonly status?: { readonly conditions?: readonly StoredCondition[] }
}

export interface Follow {
  readonly kube: KubeClient
  readonly types: readonly ResourceType[]
  readonly screen: Screen
  readonly signal: AbortSignal
}

/** Follows until the signal aborts. Whoever waits for something asks the server, not this. */
export async function followConditions({ kube, types, screen, signal }: Follow): Promise<void> {
  const known = new Map<string, ReadonlyMap<string, StoredCondition>>()
  await Promise.all(
    types.map(type =>
      followed({ kube, type, screen, signal }, (object, isThere) => {
        const { uid } = object.metadata
        const before = known.get(uid)
        if (!isThere) {
          if (known.delete(uid)) screen.line('done', `${object.kind} ${object.metadata.name} is gone`, toldOf(object))
          return
        }
        const conditions = new Map((object.status?.conditions ?? []).map(condition => [condition.type, condition]))
        known.set(uid, conditions)
        tell(screen, object, before ?? new Map<string, StoredCondition>(), conditions)
      }),
    ),
  )
}

export interface Following {
  readonly kube: KubeClient
  readonly type: ResourceType
  readonly screen: Screen
  readonly signal: AbortSignal
}

/** Every object of the type as it comes, changes and goes. That a watch ends is told; the story goes on without it. */
export async function followed(
  { kube, type, screen, signal }: Following,
  see: (object: WithConditions, isThere: boolean) => void,
): Promise<void> {
  try {
    for await (const event of kube.watch<WithConditions>(type, { sendInitialEvents: true, allowBookmarks: true, signal })) {
      if (event.type === 'ADDED' || event.type === 'MODIFIED' || event.type === 'DELETED') {
        see(event.object, event.type !== 'DELETED')
      }
    }
  } catch (error) {
    if (!signal.aborted) screen.line('failed', `watching ${type.plural} ended: ${String(error)}`)
  }
}

function toldOf({ kind, metadata }: StoredObject): Told {
  return { cluster: metadata.namespace ?? '', object: { kind, name: metadata.name } }
}

function tell(
  screen: Screen,
  object: WithConditions,
  before: ReadonlyMap<string, StoredCondition>,
  now: ReadonlyMap<string, StoredCondition>,
): void {
  const turned = [...now.values()].filter(({ type, status }) => before.get(type)?.status !== status)
  const what = `${object.kind} ${object.metadata.name}`
  const conditions = turned
    .filter(({ type, status, reason }) => type !== 'Ready' && status === 'True' && reason !== 'NotRequired')
    .map(({ type }) => type)
  const ready = turned.find(({ type }) => type === 'Ready')
  const told = { ...toldOf(object), ...(conditions.length > 0 && { conditions }) }
  if (ready?.status === 'True') {
    screen.line('proven', `${what} is Ready${conditions.length > 0 ? `: ${conditions.join(', ')}` : ''}`, told)
  } else if (conditions.length > 0) screen.line('done', `${what}: ${conditions.join(', ')}`, told)
  if (ready?.status === 'False' && before.get('Ready')?.status === 'True') {
    screen.line('lost', `${what} is not Ready any more: ${ready.reason}: ${ready.message ?? ''}`, toldOf(object))
  }
}
