// Says what turns: one line for each step that an object takes on its way to Ready.
import type { ResourceType, StoredCondition, StoredObject } from '#kube'
import type { KubeClient } from '#kube/client'
import type { Screen } from './screen.ts'

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
    types.map(async type => {
      try {
        for await (const event of kube.watch<WithConditions>(type, { sendInitialEvents: true, allowBookmarks: true, signal })) {
          if (event.type !== 'ADDED' && event.type !== 'MODIFIED') continue
          const { object } = event
          const before = known.get(object.metadata.uid) ?? new Map<string, StoredCondition>()
          const conditions = new Map((object.status?.conditions ?? []).map(condition => [condition.type, condition]))
          known.set(object.metadata.uid, conditions)
          tell(screen, object, before, conditions)
        }
      } catch (error) {
        if (!signal.aborted) screen.line('failed', `watching ${type.plural} ended: ${String(error)}`)
      }
    }),
  )
}

function tell(
  screen: Screen,
  { kind, metadata }: StoredObject,
  before: ReadonlyMap<string, StoredCondition>,
  now: ReadonlyMap<string, StoredCondition>,
): void {
  const turned = [...now.values()].filter(({ type, status }) => before.get(type)?.status !== status)
  const name = `${metadata.namespace ?? ''}  ${kind} ${metadata.name}`
  const reached = turned.filter(({ type, status, reason }) => type !== 'Ready' && status === 'True' && reason !== 'NotRequired')
  if (reached.length > 0) screen.line('done', `${name}: ${reached.map(({ type }) => type).join(', ')}`)
  const ready = turned.find(({ type }) => type === 'Ready')
  if (ready?.status === 'True') screen.line('proven', `${name} is Ready`)
  else if (ready !== undefined && before.get('Ready')?.status === 'True') {
    screen.line('failed', `${name} is not Ready any more: ${ready.reason}: ${ready.message ?? ''}`)
  }
}
