// The snapshot that an answer of the webhook rests on: zones, and the Certs whose names begin alike, from the cache of the process.
import type { Reads } from '#runtime'
import { type Cert, certKind } from '../api.ts'
import { firstLabel, firstLabelOf, labelIndexName } from '../cert/rivals.ts'
import { normalName } from '../names/domain-name.ts'
import { policyErrorsFor } from '../policy/look.ts'
import type { Zones } from '../zones/zones.ts'
import type { AdmissionSeen } from './seen.ts'

export interface LookOptions {
  readonly zones: Zones
  /** `undefined` before the process has caches. */
  world(): Pick<Reads, 'isSynced' | 'byIndex' | 'list' | 'find'> | undefined
  /** Whether policies are kept. */
  readonly hasPolicies: boolean
}

/** Throws before every Cert is known: who has a name could not be told. */
export function lookAtOthers(cert: Cert, { zones, world: worldNow, hasPolicies }: LookOptions): AdmissionSeen {
  const world = worldNow()
  if (world === undefined || !world.isSynced(certKind.type)) throw new Error('the index of Certs is not complete yet')
  const { spec } = cert
  const labels = new Set([firstLabelOf(spec), ...spec.subjectAlternativeNames.map(name => firstLabel(normalName(name)))])
  const others = new Map<string, Cert>()
  for (const label of labels)
    for (const other of world.byIndex<Cert>(certKind.type, labelIndexName, label)) others.set(other.metadata.uid, other)
  return {
    registry: zones.registry,
    privateZones: zones.privateIds,
    others: [...others.values()],
    forbidden: (asked, wanted) => (hasPolicies ? policyErrorsFor(asked, wanted, world) : []),
  }
}
