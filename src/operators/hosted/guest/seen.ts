// What a decision about the half in the guest rests on.
import type { TargetAway } from '#fleet'
import type { StoredObject } from '#kube'
import type { ClaimKey, OwnAction } from '#runtime'
import type { ControlPlane } from '../api/kinds.ts'
import type { PlatformSecret } from '../build/authority.ts'
import type { GuestBinding, GuestConfiguration, GuestRole } from '../build/guest-objects.ts'
import type { HostedSettings } from '../settings.ts'
import type { GuestAccess } from './access.ts'

export interface GuestHeld {
  readonly role: (GuestRole & StoredObject) | undefined
  readonly binding: (GuestBinding & StoredObject) | undefined
  readonly configuration: (GuestConfiguration & StoredObject) | undefined
}

export type GuestSeen = TargetAway | { readonly kind: 'reachable'; readonly held: GuestHeld }

export interface GuestPlaneSeen {
  readonly key: ClaimKey
  /** Its name among the clusters that are connected. */
  readonly cluster: string
  readonly plane: ControlPlane | undefined
  readonly settings: HostedSettings
  readonly rootCa: PlatformSecret | undefined
  /** With what the sidecar serves, or will as soon as the file is there. */
  readonly serving: PlatformSecret | undefined
  readonly access: GuestAccess | undefined
  /** By exactly this way in. */
  readonly isConnected: boolean
  /** By any. */
  readonly isMember: boolean
  readonly guest: GuestSeen
  /** Until when a configuration like this is not written again, because somebody undoes it. */
  readonly heldUntil: (wanted: unknown) => number | undefined
}

export type GuestAction =
  | (OwnAction & {
      readonly kind: 'act:connect'
      readonly key: ClaimKey
      readonly plane: ControlPlane
      readonly access: Extract<GuestAccess, { kind: 'access' }>
    })
  | (OwnAction & { readonly kind: 'act:leave'; readonly cluster: string })
  | (OwnAction & { readonly kind: 'act:note'; readonly uid: string; readonly wanted: unknown })
