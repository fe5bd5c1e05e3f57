// How late consumers see what was written, and how long things take (spec §12.2), by profile. A range is drawn per object, from the
// seed and the object's name and not from the order of calls, so that one more call does not shift the delays of the others.
import { assertNever, type Random } from '#base'
import type { Profile } from './aws.ts'
import type { Knobs } from './knobs.ts'

type Range = readonly [minMs: number, maxMs: number]

export type DelayName =
  | 'iam'
  | 'credentials'
  | 'association'
  | 'bucketAccess'
  | 'dnsChange'
  | 'certificateDetails'
  | 'certificateIssue'
  | 'clusterReady'
  | 'clusterGone'
  | 'addonReady'
  | 'identityProviderReady'
  | 'serviceLinkedRoleDeletion'
  | 'list'

const seconds = (min: number, max: number = min): Range => [min * 1_000, max * 1_000]

/** Columns: demo, async. `instant` is always 0, `hostile` is three times async. */
const table: Readonly<Record<DelayName, readonly [Range, Range]>> = {
  /** IAM objects as authorisation, STS, EKS and "principal exists" see them. */
  iam: [seconds(0.5), seconds(4, 12)],
  /** New temporary credentials as services other than STS see them. */
  credentials: [seconds(0), seconds(0, 2)],
  /** EKS associations as EKS Auth sees them. */
  association: [seconds(1), seconds(5)],
  /** Bucket policy and public access block as anonymous and cross-account readers see them. */
  bucketAccess: [seconds(0.5), seconds(2, 10)],
  /** Route 53 changes as GetChange, DNS and ACM see them. */
  dnsChange: [seconds(2), seconds(30, 60)],
  certificateDetails: [seconds(0.5), seconds(3)],
  certificateIssue: [seconds(1), seconds(10, 120)],
  clusterReady: [seconds(2), seconds(600)],
  clusterGone: [seconds(2), seconds(600)],
  addonReady: [seconds(1), seconds(60)],
  identityProviderReady: [seconds(1), seconds(600)],
  serviceLinkedRoleDeletion: [seconds(1), seconds(5, 20)],
  /** Creates and deletes as ListRoles, ListPolicies and ListCertificates show them. */
  list: [seconds(0), seconds(2, 3)],
}

const hostileFactor = 3

/** The delay of one object, in milliseconds; the same at every call. `objectId` holds the service: `iam/123456789012/role/app`. */
export function delayOf(
  name: DelayName,
  objectId: string,
  from: { readonly profile: Profile; readonly knobs: Knobs; readonly random: Random },
): number {
  const [min, max] = rangeOf(name, from)
  if (min === max) return min
  return Math.round(min + from.random.fork(`delay/${name}/${objectId}`).float() * (max - min))
}

/** No object's delay of this name is longer; what must be remembered for late readers. */
export function longestDelayOf(name: DelayName, from: { readonly profile: Profile; readonly knobs: Knobs }): number {
  return rangeOf(name, from)[1]
}

function rangeOf(name: DelayName, { profile, knobs }: { readonly profile: Profile; readonly knobs: Knobs }): Range {
  const own = knobs.delays[name]
  if (own !== undefined) return typeof own === 'number' ? [own, own] : own
  const [demo, strict] = table[name]
  switch (profile) {
    case 'instant':
      return [0, 0]
    case 'demo':
      return demo
    case 'async':
      return strict
    case 'hostile':
      return [strict[0] * hostileFactor, strict[1] * hostileFactor]
    default:
      return assertNever(profile)
  }
}
