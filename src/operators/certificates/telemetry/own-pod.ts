// Events on the operator's own Pod: of what concerns all Certs at once. Told beside everything else, and never a reason for anything to fail.
import type { Clock, Log, Seams } from '#base'
import { type EventObject, events, type Occurrence, renderEvent, renderTime } from '#kube'
import { type KubeClient, KubeError, podFolder } from '#kube/client'

export interface OwnPod {
  readonly namespace: string
  readonly name: string
}

/** Absent outside a cluster. */
export async function findOwnPod({ env, files }: Pick<Seams, 'env' | 'files'>): Promise<OwnPod | undefined> {
  const name = env['HOSTNAME'] ?? ''
  if (name === '' || env['KUBERNETES_SERVICE_HOST'] === undefined) return undefined
  const bytes = await files.read(`${podFolder}/namespace`).catch(() => undefined)
  const namespace = new TextDecoder().decode(bytes).trim()
  return namespace === '' ? undefined : { namespace, name }
}

export interface PodEventsOptions {
  readonly client: KubeClient
  readonly pod: OwnPod | undefined
  readonly component: string
  readonly clock: Clock
  readonly log: Log
}

/** The same said again raises the count of the event that is there. */
export function podEvents({
  client,
  pod,
  component,
  clock,
  log,
}: PodEventsOptions): (said: Omit<Occurrence, 'regarding'>) => void {
  return said => {
    if (pod === undefined) return
    const regarding = { apiVersion: 'v1', kind: 'Pod', ...pod }
    const event = renderEvent({ ...said, regarding }, { component, instance: pod.name, now: clock.now() })
    void tellEvent(client, event, clock).catch((error: unknown) => {
      log.warn('an event of our own pod could not be told', { reason: said.reason, error: String(error) })
    })
  }
}

async function tellEvent(client: KubeClient, event: EventObject, clock: Clock): Promise<void> {
  const { namespace = '', name = '' } = event.metadata
  try {
    await client.create(events, event)
  } catch (error) {
    if (!(error instanceof KubeError) || error.httpStatus !== 409) throw error
    const held = await client.get<EventObject>(events, { namespace, name })
    const counted = { count: (held.count ?? 1) + 1, lastTimestamp: renderTime(clock.now()) }
    await client.patch(events, { namespace, name }, 'merge', counted)
  }
}
