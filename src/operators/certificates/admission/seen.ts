// What the webhook knows at one moment: the zones, and the other Certs.
import type { Cert } from '../api.ts'
import type { WantedNames } from '../names/wanted.ts'
import type { ZoneRegistry } from '../zones/registry.ts'

export interface AdmissionSeen {
  readonly registry: ZoneRegistry
  /** Ids of zones that nobody outside can see. */
  readonly privateZones: ReadonlySet<string>
  /** Certs whose primary name begins as this one's, from all namespaces; the own one may be among them. */
  readonly others: readonly Cert[]
  /** What policies forbid of it, in words; empty where none does. */
  forbidden(cert: Cert, wanted: WantedNames): readonly string[]
}

export interface AdmissionRules {
  readonly allowsCrossZone: boolean
  readonly anyPrivateName: boolean
  /** Whether this operator writes ARNs into other objects. */
  readonly publishes: boolean
}
