// Under which id the records of an object stand. It tells ours from those of others: another id orphans every record that is there, so it
// never changes without being asked to, twice.
import type { DnsObject } from '../api/kinds.ts'
import { annotations, operandName } from '../api/names.ts'
import type { Model } from '../convert/convert.ts'

export interface OwnerChoice {
  readonly ownerId: string
  /** What was asked for and is not done. */
  readonly problem?: string
}

export function chooseOwner({ metadata, status }: DnsObject, { origin, spec }: Model, clusterId: string): OwnerChoice {
  const name = metadata.name ?? ''
  const scoped = origin === 'v1beta2' && clusterId !== '' ? `external-dns-${clusterId}-${name}` : operandName(name)
  const asked = spec.ownership?.ownerID
  const held = status?.operand?.ownerID
  const wanted = asked ?? held ?? scoped
  const mayChange = metadata.annotations?.[annotations.allowOwnerChange] === 'true'
  if (held === undefined || held === wanted || mayChange) return { ownerId: wanted }
  const problem = `the records stand under the owner id ${held}; with ${wanted} they would be left behind: annotate the object with ${annotations.allowOwnerChange}=true to do so`
  return { ownerId: held, problem }
}
