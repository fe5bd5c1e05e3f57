// Two Certs of one primary name: the earlier one keeps it.
import { indexBy, type Reads, type SourceIndex } from '#runtime'
import { type Cert, certKind } from '../api/kinds.ts'
import type { CertSpec } from '../api/spec.ts'
import { normalName } from '../names/domain-name.ts'
import { joinedLabel, primaryName, settledName, type WantedNames } from '../names/wanted.ts'
import type { ZoneRegistry } from '../zones/registry.ts'
import type { Rival } from './seen.ts'

export const labelIndexName = 'first-label'

/** Names that are the same begin the same, whatever the zones are: an index that no change of the configuration makes wrong. */
export const labelIndex: SourceIndex = indexBy<Cert>(({ spec, status }) => [
  ...new Set([firstLabelOf(spec), ...(status?.domainName === undefined ? [] : [firstLabel(status.domainName)])]),
])

export function firstLabelOf(spec: CertSpec): string {
  return spec.domainName === undefined || spec.domainName === '' ? joinedLabel(spec) : firstLabel(normalName(spec.domainName))
}

export function firstLabel(name: string): string {
  const [first = '', second = ''] = name.split('.')
  return first === '*' ? `*.${second}` : first
}

export function findRival(
  claim: Cert,
  { primary }: Pick<WantedNames, 'primary'>,
  { world, registry }: { readonly world: Pick<Reads, 'byIndex'>; readonly registry: ZoneRegistry },
): Rival | undefined {
  if (primary === undefined) return undefined
  const others = world
    .byIndex<Cert>(certKind.type, labelIndexName, firstLabel(primary))
    .filter(other => other.metadata.uid !== claim.metadata.uid && hasName(other, primary, registry) && isEarlier(other, claim))
  const [first] = others
  if (first === undefined) return undefined
  const { namespace = '', name, deletionTimestamp } = first.metadata
  return { namespace, name, isDeleting: deletionTimestamp !== undefined }
}

/** By what it asks for, or by what it was given: the latter stays its own when zones change. */
export function hasName({ spec, status }: Cert, name: string, registry: ZoneRegistry): boolean {
  return primaryName(spec, registry, settledName(status)) === name
}

function isEarlier({ metadata: other }: Cert, { metadata: own }: Cert): boolean {
  const [theirs, ours] = [Date.parse(other.creationTimestamp ?? ''), Date.parse(own.creationTimestamp ?? '')]
  return theirs === ours ? other.uid < own.uid : theirs < ours
}
