// A limit range as it is read, and what containers ask for.
import { isRecord } from '#base'
import type { Draft } from '../../draft.ts'

/** `cpu` to `100m`. */
export type Amounts = Readonly<Record<string, string>>

export interface LimitItem {
  readonly type: string
  readonly max: Amounts
  readonly min: Amounts
  readonly default: Amounts
  readonly defaultRequest: Amounts
  readonly maxLimitRequestRatio: Amounts
}

export function readLimits({ spec }: Readonly<Draft>): readonly LimitItem[] {
  const { limits } = isRecord(spec) ? spec : {}
  return (Array.isArray(limits) ? limits : []).filter(isRecord).map(item => ({
    type: String(item.type),
    max: amountsOf(item.max),
    min: amountsOf(item.min),
    default: amountsOf(item.default),
    defaultRequest: amountsOf(item.defaultRequest),
    maxLimitRequestRatio: amountsOf(item.maxLimitRequestRatio),
  }))
}

export function amountsOf(value: unknown): Amounts {
  return isRecord(value) ? Object.fromEntries(Object.entries(value).map(([name, amount]) => [name, String(amount)])) : {}
}

export interface AskedAmounts {
  readonly requests: Amounts
  readonly limits: Amounts
}

export function askedBy(container: Readonly<Record<string, unknown>>): AskedAmounts {
  const resources = isRecord(container.resources) ? container.resources : {}
  return { requests: amountsOf(resources.requests), limits: amountsOf(resources.limits) }
}

export function containersIn(
  spec: unknown,
  field: 'containers' | 'initContainers',
): readonly Readonly<Record<string, unknown>>[] {
  const list = isRecord(spec) ? spec[field] : undefined
  return Array.isArray(list) ? list.filter(isRecord) : []
}
