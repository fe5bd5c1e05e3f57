// Says what turns: one line for each step that an object takes on its way to Ready, and, when a person breaks something afterwards, what
// went and when it was there again.
import { setTimeout as pause } from 'node:timers/promises'
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

/** A server that ends a watch takes the next one at once; one that fails is left alone for a while. */
const againMs = { ended: 50, failed: 1_000 }

/**
 * Every object of the type as it comes, changes and goes. A server ends each watch after some minutes, and may fail: it is watched again, and
 * what went in between is seen to be gone. That it failed is told once in a row.
 */
export async function followed(
  { kube, type, screen, signal }: Following,
  see: (object: WithConditions, isThere: boolean) => void,
): Promise<void> {
  const there = new Map<string, WithConditions>()
  let isTold = false
  while (!signal.aborted) {
    let waitMs = againMs.ended
    try {
      await followOnce({ kube, type, screen, signal }, there, see)
      isTold = false
    } catch (error) {
      if (!signal.aborted && !isTold) screen.line('failed', `watching ${type.plural} ended, and is tried again: ${String(error)}`)
      isTold = true
      waitMs = againMs.failed
    }
    await pause(waitMs, undefined, { signal }).catch(() => {})
  }
}

async function followOnce(
  { kube, type, signal }: Following,
  there: Map<string, WithConditions>,
  see: (object: WithConditions, isThere: boolean) => void,
): Promise<void> {
  const before = new Map(there)
  for await (const event of kube.watch<WithConditions>(type, { sendInitialEvents: true, allowBookmarks: true, signal })) {
    if (event.type === 'BOOKMARK' && event.initialEventsEnd) {
      // From here on come changes; what was there and was not listed is gone.
      for (const [uid, object] of before) if (there.delete(uid)) see(object, false)
      before.clear()
    } else if (event.type === 'ADDED' || event.type === 'MODIFIED' || event.type === 'DELETED') {
      const isThere = event.type !== 'DELETED'
      const { uid } = event.object.metadata
      before.delete(uid)
      if (isThere) there.set(uid, event.object)
      else there.delete(uid)
      see(event.object, isThere)
    }
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
