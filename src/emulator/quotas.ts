// What the emulator counts and bounds. A service says which of AWS's limits it enforces; the numbers are those of `#aws`, so that who calls
// and who answers cannot mean two of them.
import type { Limit } from '#aws'

export interface Quota {
  /** Under which the knob `quotas` changes it. */
  readonly name: string
  readonly limit: Limit
  /** The code by which Service Quotas knows it; one that AWS publishes none for has ours. */
  readonly code: string | undefined
}

/** The quotas of a service as Service Quotas lists them. */
export interface QuotaList {
  /** The name of the service in full. */
  readonly title: string
  readonly quotas: Readonly<Record<string, Quota>>
}

/** `codes` are our own, for limits that Service Quotas lists under a code that is not published. */
export function quotaTable<Name extends string>(
  rows: Readonly<Record<Name, Limit>>,
  codes?: Readonly<Partial<Record<Name, string>>>,
): Readonly<Record<Name, Quota>> {
  const names = Object.keys(rows) as Name[]
  const quotaNamed = (name: Name): Quota => ({ name, limit: rows[name], code: codes?.[name] ?? rows[name].quotaCode })
  return Object.fromEntries(names.map(name => [name, quotaNamed(name)])) as Readonly<Record<Name, Quota>>
}
