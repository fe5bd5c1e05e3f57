// What a decision about the half in the management cluster rests on.
import type { DrawnKey } from '#base'
import type { StoredObject } from '#kube'
import type { OwnAction } from '#runtime'
import type { ControlPlane } from '../api/kinds.ts'
import type { PlatformSecret } from '../build/authority.ts'
import type { KubeApiserver } from '../build/deployment.ts'
import type { ImageMap } from '../build/image-map.ts'
import type { ReleaseSeen } from '../release/release-images.ts'
import type { HostedSettings } from '../settings.ts'

export type StoredSecret = PlatformSecret & StoredObject
export type StoredKubeApiserver = KubeApiserver & StoredObject

export interface PlaneSeen {
  readonly plane: ControlPlane
  readonly settings: HostedSettings
  readonly rootCa: StoredSecret | undefined
  readonly clusterSigner: StoredSecret | undefined
  /** Those of the sidecars of both clouds that are there, by name. */
  readonly secrets: ReadonlyMap<string, StoredSecret>
  readonly images: ImageMap | undefined
  /** What the release image says; absent where nobody has to ask it, or there is none. */
  readonly release: ReleaseSeen | undefined
  readonly deployment: StoredKubeApiserver | undefined
  /** Until when a Deployment or Secret like this is not written again, because somebody undoes it. */
  readonly heldUntil: (wanted: unknown) => number | undefined
}

/** Writes a Secret with a pair that is only now drawn. */
export interface IssueAction extends OwnAction {
  readonly kind: 'act:issue'
  readonly held: StoredSecret | undefined
  readonly render: (drawn: DrawnKey, now: number) => PlatformSecret
}

/** After the Deployment or a Secret was written: what was wanted. */
export interface RememberAction extends OwnAction {
  readonly kind: 'act:note'
  readonly uid: string
  readonly wanted: unknown
}

export type PlaneAction = IssueAction | RememberAction
