// Labels whose values a new pod itself says: a selector of the pod's neighbours is narrowed to those that are labelled alike, or otherwise.
import { isRecord } from '#base'
import type { Draft } from '../draft.ts'

type Fields = Record<string, unknown>

export function narrowSelectors(draft: Draft): void {
  const spec = isRecord(draft.spec) ? draft.spec : {}
  const labels = draft.metadata.labels ?? {}
  const narrowed = (owner: unknown): unknown => (isRecord(owner) ? withExpressions(owner, labels) : owner)
  const { topologySpreadConstraints: spreads, affinity } = spec
  draft.spec = {
    ...spec,
    ...(Array.isArray(spreads) && { topologySpreadConstraints: spreads.map(narrowed) }),
    ...(isRecord(affinity) && { affinity: withNeighbours(affinity, narrowed) }),
  }
}

function withNeighbours(affinity: Fields, narrowed: (term: unknown) => unknown): Fields {
  const out: Fields = { ...affinity }
  for (const kind of ['podAffinity', 'podAntiAffinity']) {
    const terms = affinity[kind]
    if (!isRecord(terms)) continue
    const { requiredDuringSchedulingIgnoredDuringExecution: needed, preferredDuringSchedulingIgnoredDuringExecution: liked } =
      terms
    out[kind] = {
      ...terms,
      ...(Array.isArray(needed) && { requiredDuringSchedulingIgnoredDuringExecution: needed.map(narrowed) }),
      ...(Array.isArray(liked) && {
        preferredDuringSchedulingIgnoredDuringExecution: liked.map(weighted =>
          isRecord(weighted) ? { ...weighted, podAffinityTerm: narrowed(weighted.podAffinityTerm) } : weighted,
        ),
      }),
    }
  }
  return out
}

/** A label that the pod does not have narrows nothing. */
function withExpressions(owner: Fields, labels: Readonly<Record<string, string>>): Fields {
  const { labelSelector, matchLabelKeys, mismatchLabelKeys } = owner
  if (!isRecord(labelSelector)) return owner
  const expressions = [...expressionsOf(matchLabelKeys, 'In', labels), ...expressionsOf(mismatchLabelKeys, 'NotIn', labels)]
  if (expressions.length === 0) return owner
  const { matchExpressions } = labelSelector
  const given = Array.isArray(matchExpressions) ? (matchExpressions as unknown[]) : []
  return { ...owner, labelSelector: { ...labelSelector, matchExpressions: [...given, ...expressions] } }
}

function expressionsOf(keys: unknown, operator: string, labels: Readonly<Record<string, string>>): readonly Fields[] {
  const known = Array.isArray(keys) ? keys.filter(key => typeof key === 'string' && Object.hasOwn(labels, key)) : []
  return known.map((key: string) => ({ key, operator, values: [labels[key]] }))
}
