// Tags of a certificate that are ours to keep: those of the spec and our marks. Those of others stay.
import type { Tags } from '#aws'
import type { Cert } from '../../api/kinds.ts'
import { ownerTags } from './calls.ts'

/** Which tags the spec had before, the status remembers: only those are taken away. */
export function ownTagsOnly(
  claim: Cert,
  actual: Tags,
  clusterId: string,
): { readonly missing: Tags; readonly surplus: readonly string[] } {
  const revision = claim.status?.request?.revision ?? 1
  const marks = ownerTags(claim, clusterId, revision)
  const wanted = { ...claim.spec.tags, ...marks }
  const missing = Object.fromEntries(Object.entries(wanted).filter(([key, value]) => actual[key] !== value))
  const before = claim.status?.appliedTags ?? []
  return { missing, surplus: before.filter(key => !(key in wanted) && key in actual) }
}

export function appliedTags({ spec }: Cert): { readonly appliedTags: readonly string[] | undefined } {
  const keys = Object.keys(spec.tags).sort()
  return { appliedTags: keys.length === 0 ? undefined : keys }
}
