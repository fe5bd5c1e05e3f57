// What lasts only a moment is not told: a status write wakes every watcher, and the next one a moment later would say the opposite (M4).
// And what was said before a change is not taken for an answer to it (S8).
import { type Instant, memberAt } from '#base'
import type { StoredObject } from '#kube'
import { operatorName } from '../api/labels.ts'
import { ackConditionsOf } from '../children/entry.ts'
import { type ChildState, isSynced, leftOverReason, standsForOther } from '../children/state.ts'
import type { ResourceName, ResourceStates } from './resources.ts'

/** What ACK as a rule has done after this long is not worth two status writes; what takes longer is told. */
export const settlingMsMax = 2_000

/** Clocks that are kept in step differ by less. */
const skewMsMax = 5_000

const names: readonly ResourceName[] = ['role', 'policy', 'association', 'other']

/** The states without the "in sync" that speaks of a spec from before our last change. */
export function settledStates<S extends ResourceStates>(states: S, now: Instant): S {
  return { ...states, ...Object.fromEntries(names.map(name => [name, settledState(states[name], now)])) }
}

function settledState(state: ChildState, now: Instant): ChildState {
  const isEarly = state.owned === 'ours' && state.stage === 'synced' && settlingMs(state.object, now) > 0
  return isEarly ? { ...state, stage: 'waiting' } : state
}

/**
 * For how long what the child says may still be about its old spec. Where its conditions carry a generation, as ours do on request, that
 * decides for good. ACK's carry none; they carry a time, and our change has one too, both in whole seconds: of the same second nobody can
 * tell which came first. A controller that does not touch its times is believed after a moment all the same.
 */
export function settlingMs(object: StoredObject | undefined, now: Instant): number {
  if (object === undefined) return 0
  const generation = syncedGeneration(object)
  if (generation !== undefined) return generation === object.metadata.generation ? 0 : settlingMsMax
  const changedAt = changeOf(object)
  if (changedAt === undefined || changedAt <= Date.parse(object.metadata.creationTimestamp ?? '')) return 0
  const synced = ackConditionsOf(object).find(({ type }) => type === 'ACK.ResourceSynced')
  if (synced?.lastTransitionTime !== undefined && Date.parse(synced.lastTransitionTime) > changedAt) return 0
  return leftOf(changedAt, now)
}

/** Of which generation the child says that it is in sync; undefined where its conditions do not tell. */
function syncedGeneration(object: StoredObject): number | undefined {
  const conditions = memberAt(object, 'status', 'conditions')
  const synced = Array.isArray(conditions)
    ? conditions.find((condition: unknown) => memberAt(condition, 'type') === 'ACK.ResourceSynced')
    : undefined
  const generation: unknown = memberAt(synced, 'observedGeneration')
  return typeof generation === 'number' ? generation : undefined
}

/** How long it may be left untold that these only wait; 0 when one of them has something to say. */
export function silentWaitMs(states: readonly ChildState[], now: Instant): number {
  let left = 0
  for (const state of states) {
    const { trouble, object } = state
    if (isSynced(state)) continue
    if (trouble !== undefined || object?.metadata.deletionTimestamp !== undefined) return 0
    const madeAt = object?.metadata.creationTimestamp
    // An object that is not there is made in this pass, and has all its time before it.
    const made = madeAt === undefined || madeAt === null ? settlingMsMax : leftOf(Date.parse(madeAt), now)
    left = Math.max(left, made, settlingMs(object, now))
  }
  return left
}

/** The same for what is on its way out. */
export function silentDeletionMs(state: ChildState, now: Instant): number {
  const { object, trouble } = state
  const since = object?.metadata.deletionTimestamp
  // An object that we do not delete, and that has to go first, does not go by itself.
  if (since === undefined) return trouble?.reason === leftOverReason || standsForOther(state) ? 0 : settlingMsMax
  return trouble === undefined ? leftOf(Date.parse(since), now) : 0
}

/**
 * What is left of the moment that began then by the server's clock. Ours may be another (W8): by a clock that is behind, the moment would
 * not end, so what cannot be is over.
 */
function leftOf(sinceMs: number, now: Instant): number {
  const left = sinceMs + settlingMsMax - now
  return left > settlingMsMax + skewMsMax ? 0 : Math.max(0, left)
}

/** When we last changed the spec, as the server remembers it. */
function changeOf({ metadata }: StoredObject): number | undefined {
  const times = (metadata.managedFields ?? [])
    .filter(({ manager, subresource }) => manager === operatorName && subresource === undefined)
    .flatMap(({ time }) => (time === undefined ? [] : [Date.parse(time)]))
  return times.length === 0 ? undefined : Math.max(...times)
}
