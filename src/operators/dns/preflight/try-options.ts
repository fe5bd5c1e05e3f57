// What a try of credentials is asked, and what it shows.
import type { Condition } from '#kube'
import type { AwsSpec } from '../api/spec.ts'
import type { KnownZones, ZoneWish } from '../zones/find-zones.ts'
import type { BaseOptions } from './base-credentials.ts'

export interface TryAccessOptions extends BaseOptions {
  readonly aws: AwsSpec
  readonly zones: readonly string[]
  /** Zones that are written with a role of their own. */
  readonly zoneRoles: Readonly<Record<string, string>>
  /** Where zones are looked for: which ones, and what is known of them. */
  readonly discovery: (ZoneWish & { readonly known: KnownZones }) | undefined
  /** Whether IAM is asked if records may be changed. */
  readonly simulates: boolean
  readonly signal: AbortSignal
}

export interface Tried {
  readonly conditions: readonly Condition[]
  readonly callerArnHash?: string
  readonly assumedRole?: string
  readonly found?: KnownZones
}
