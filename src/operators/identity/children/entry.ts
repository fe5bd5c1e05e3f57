// What the parent's status tells of a child: `status.ackResources[]`, one entry per child with a copy of its conditions (§2.2, 5.1).
import { isRecord, memberAt } from '#base'
import { apiVersionOf, type ConditionStatus, type ObjectKey, type ResourceType, type StoredObject } from '#kube'
import type { AckCondition, AckResourceEntry } from '../api/status.ts'

export type { AckCondition, AckResourceEntry } from '../api/status.ts'

/** The child's conditions; what is no condition is left out, since others write that status. */
export function ackConditionsOf(object: StoredObject | undefined): readonly AckCondition[] {
  const conditions = memberAt(object, 'status', 'conditions')
  if (!Array.isArray(conditions)) return []
  return conditions.flatMap((condition: unknown): AckCondition[] => {
    if (!isRecord(condition)) return []
    const { type, status, lastTransitionTime, reason, message } = condition
    if (typeof type !== 'string' || type === '' || !isStatus(status)) return []
    return [
      {
        type,
        status,
        ...(typeof lastTransitionTime === 'string' ? { lastTransitionTime } : {}),
        ...(typeof reason === 'string' && reason !== '' ? { reason } : {}),
        ...(typeof message === 'string' ? { message } : {}),
      },
    ]
  })
}

export function entryOf(type: ResourceType, key: ObjectKey, conditions: readonly AckCondition[]): AckResourceEntry {
  return {
    apiVersion: apiVersionOf(type),
    kind: type.kind,
    namespace: key.namespace,
    name: key.name,
    ...(conditions.length === 0 ? {} : { conditions }),
  }
}

/** The API's own limit of the list. */
const entriesMax = 16

/**
 * The entries after these children were seen, in the order in which they first came. An entry whose conditions say the same keeps the
 * times that stand there: ACK moves them on with every try, and each move would be a write that wakes every watcher (P7).
 */
export function upsertEntries(
  held: readonly AckResourceEntry[] | undefined,
  seen: readonly AckResourceEntry[],
  isKept: (entry: AckResourceEntry) => boolean = () => true,
): readonly AckResourceEntry[] {
  const byPlace = new Map(seen.map(entry => [placeOf(entry), entry]))
  const merged = (held ?? []).filter(isKept).map(entry => {
    const next = byPlace.get(placeOf(entry))
    byPlace.delete(placeOf(entry))
    return next === undefined ? entry : keepTimes(entry, next)
  })
  return [...merged, ...byPlace.values()].slice(-entriesMax)
}

function keepTimes(held: AckResourceEntry, next: AckResourceEntry): AckResourceEntry {
  if (next.conditions === undefined) return next
  const conditions = next.conditions.map(condition => {
    const before = held.conditions?.find(({ type }) => type === condition.type)
    return before !== undefined && saysTheSame(before, condition) ? before : condition
  })
  return { ...next, conditions }
}

function saysTheSame(a: AckCondition, b: AckCondition): boolean {
  return a.status === b.status && (a.reason ?? '') === (b.reason ?? '') && (a.message ?? '') === (b.message ?? '')
}

function placeOf({ apiVersion, kind, namespace, name }: AckResourceEntry): string {
  return `${apiVersion}/${kind}/${namespace}/${name}`
}

function isStatus(value: unknown): value is ConditionStatus {
  return value === 'True' || value === 'False' || value === 'Unknown'
}
