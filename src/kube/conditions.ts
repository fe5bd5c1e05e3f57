// Conditions: how an object says how it is. The rules of the Kubernetes API (S21) live in one function, `mergeConditions`: one of
// each type, a transition time that moves only when the status does, bounded texts, the generation that was looked at.
import { given } from '#base'

export type ConditionStatus = 'True' | 'False' | 'Unknown'

/** What a decision wants said. The time and the generation are added when it is merged. */
export interface Condition {
  readonly type: string
  readonly status: ConditionStatus
  /** CamelCase, from the closed list of whoever says it. */
  readonly reason: string
  readonly message: string
}

/** A condition as it stands in a status. */
export interface StoredCondition extends Condition {
  readonly observedGeneration?: number
  readonly lastTransitionTime: string
}

/** The API's own limit is 32768; what a person reads in `kubectl describe` is a lot less, and every byte is sent to every watcher. */
export const conditionMessageLengthMax = 1_024
/** The API's own limits. */
export const conditionReasonLengthMax = 1_024
export const conditionTypeLengthMax = 316

export interface MergeConditionsOptions {
  readonly now: number
  readonly generation: number | undefined
}

/**
 * The conditions after `wanted` has been said. Those of other types stay as they are and where they are; new ones follow in the order
 * of `wanted`, and `Ready`, where it is said with them and sums up, after them: `kubectl describe` prints them in this order, and its end is what is on the screen.
 * Returns `current` itself when nothing changes, so that `===` tells.
 */
export function mergeConditions(
  current: readonly StoredCondition[],
  wanted: readonly Condition[],
  options: MergeConditionsOptions,
): readonly StoredCondition[] {
  const byType = new Map(wanted.map(condition => [condition.type, condition]))
  let changed = false
  const merged = current.map(held => {
    const condition = byType.get(held.type)
    if (condition === undefined) return held
    byType.delete(held.type)
    const next = nextCondition(held, condition, options)
    if (next !== held) changed = true
    return next
  })
  for (const condition of byType.values()) {
    merged.push(nextCondition(undefined, condition, options))
    changed = true
  }
  if (!changed) return current
  const sumsUp = merged.length > current.length && wanted.some(({ type }) => type === 'Ready')
  return sumsUp ? readyLast(merged) : merged
}

function readyLast(conditions: readonly StoredCondition[]): readonly StoredCondition[] {
  const isReady = ({ type }: StoredCondition): boolean => type === 'Ready'
  return [...conditions.filter(condition => !isReady(condition)), ...conditions.filter(isReady)]
}

export function findCondition(conditions: readonly StoredCondition[] | undefined, type: string): StoredCondition | undefined {
  return conditions?.find(condition => condition.type === type)
}

/** True when the condition is True and speaks of this generation: an old success is no success (S8). */
export function isConditionTrue(
  object: {
    readonly metadata: { readonly generation?: number }
    readonly status?: { readonly conditions?: readonly StoredCondition[] }
  },
  type: string,
): boolean {
  const condition = findCondition(object.status?.conditions, type)
  if (condition?.status !== 'True') return false
  const { observedGeneration } = condition
  return observedGeneration === undefined || observedGeneration === (object.metadata.generation ?? observedGeneration)
}

/** RFC 3339 to the second, as metav1.Time is stored. */
export function renderTime(instant: number): string {
  return `${new Date(instant).toISOString().slice(0, 19)}Z`
}

/** As metav1.MicroTime is stored: leases and events. */
export function renderMicroTime(instant: number): string {
  return `${new Date(instant).toISOString().slice(0, 23)}000Z`
}

/** Cuts at a code point, with an ellipsis that shows it. */
export function boundText(text: string, lengthMax: number): string {
  if (text.length <= lengthMax) return text
  let end = lengthMax - 1
  const code = text.charCodeAt(end - 1)
  if (code >= 0xd800 && code <= 0xdbff) end--
  return `${text.slice(0, end)}…`
}

function nextCondition(held: StoredCondition | undefined, wanted: Condition, options: MergeConditionsOptions): StoredCondition {
  const message = boundText(wanted.message, conditionMessageLengthMax)
  const { generation } = options
  if (
    held !== undefined &&
    held.status === wanted.status &&
    held.reason === wanted.reason &&
    held.message === message &&
    held.observedGeneration === generation
  ) {
    return held
  }
  return {
    type: wanted.type,
    status: wanted.status,
    ...given({ observedGeneration: generation }),
    lastTransitionTime: held?.status === wanted.status ? held.lastTransitionTime : renderTime(options.now),
    reason: wanted.reason,
    message,
  }
}
