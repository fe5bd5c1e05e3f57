// Which keys of the signing Secret are ours. Others can write that Secret: a tenant with a right too many, an exporter that was told its
// name, a restore from an old backup. So nothing in the Secret proves anything. The proof is the status of the Config, which is written
// with a right that tenants do not have: an id is the SHA-256 of the public key, and a key whose id is on record is the key that was meant.
//
// A key comes on record before it comes into the Secret (`planned`), so that a process that dies in between leaves nothing that its
// successor would have to believe. Keys that somebody brought are on record when the Config, which decides over the cluster's identity
// anyway, names them.
import type { WorkloadIdentityConfig } from '../api/kinds.ts'
import { annotations } from '../api/labels.ts'
import { renderDocumentSet } from '../documents/publication.ts'
import { acceptedKeys, dataNames, type KeyRing } from './key-ring.ts'

/** What the status says of keys. */
export interface KeyRecord {
  /** Ids of what the Secret was seen to hold. */
  readonly held: readonly string[]
  /** Ids of what was drawn here and may be in the Secret by now, oldest first. */
  readonly planned: readonly string[]
}

export interface ForeignKey {
  /** Under which name it stands in the Secret. */
  readonly name: string
  readonly keyId: string
}

export type KeyProof =
  | { readonly kind: 'ours' }
  /** All keys on record are there, and `foreign` beside them: `ring` is what is ours. */
  | { readonly kind: 'foreign-beside'; readonly ring: KeyRing; readonly foreign: readonly ForeignKey[] }
  /** The key that signs is not ours, or one that is on record made room for one that is not. */
  | { readonly kind: 'foreign'; readonly foreign: readonly ForeignKey[] }
  /** Nothing is on record: a key that somebody brought, or an installation from before there were records. */
  | { readonly kind: 'unrecorded'; readonly foreign: readonly ForeignKey[] }

/** At most so many draws that never arrived are remembered; each is a process that died within a second of another. */
const plannedMax = 8

/** `undefined` where no version of ours that records keys has run yet. */
export function keyRecordOf({ status }: WorkloadIdentityConfig): KeyRecord | undefined {
  return status?.signingKeys
}

/** Whether this Config accounts for the key: a copy of it in somebody's Secret does not make it theirs. */
export function accountsFor(config: WorkloadIdentityConfig, keyId: string): boolean {
  return (
    keyRecordOf(config)?.held.includes(keyId) === true || config.status?.selfHostedIssuer?.publication?.signingKeyID === keyId
  )
}

/** `issuer` is what the documents of the Config name; the digest of the published set is over it. */
export function proveKeys(ring: KeyRing, config: WorkloadIdentityConfig, issuer: string): KeyProof {
  const record = keyRecordOf(config)
  const known = new Set([
    ...(record?.held ?? []),
    ...(record?.planned ?? []),
    ...acceptedByConfig(config),
    ...publishedBefore(ring, config, issuer),
  ])
  const isOurs = (keyId: string | undefined): boolean => keyId !== undefined && known.has(keyId)
  const foreign = entriesOf(ring).filter(({ keyId }) => !isOurs(keyId))
  if (foreign.length === 0) return { kind: 'ours' }
  if (known.size === 0) return { kind: 'unrecorded', foreign }
  const present = entriesOf(ring).map(({ keyId }) => keyId)
  const isLost = (record?.held ?? []).some(keyId => !present.includes(keyId))
  if (!isOurs(ring.current.public.keyId) || isLost) return { kind: 'foreign', foreign }
  const { next, nextPublishedMs, previous, retiresMs, ...rest } = ring
  return {
    kind: 'foreign-beside',
    foreign,
    ring: {
      ...rest,
      ...(isOurs(next?.public.keyId) && next !== undefined ? { next, ...defined({ nextPublishedMs }) } : {}),
      ...(isOurs(previous?.keyId) && previous !== undefined ? { previous, ...defined({ retiresMs }) } : {}),
    },
  }
}

/** The record after a look at a Secret that holds these keys, or at none; `drawn` is about to be written into it. */
export function nextRecord(
  { planned }: Pick<KeyRecord, 'planned'>,
  ring: KeyRing | undefined,
  drawn: string | undefined,
): KeyRecord {
  const held = ring === undefined ? [] : acceptedKeys(ring).map(({ keyId }) => keyId)
  // A draw that arrived was written over the version before it: what was drawn earlier cannot arrive any more.
  const arrived = planned.findLastIndex(keyId => held.includes(keyId))
  const pending = planned.slice(arrived + 1).filter(keyId => keyId !== drawn)
  return { held, planned: (drawn === undefined ? pending : [...pending, drawn]).slice(-plannedMax) }
}

/** For people: which entries, and which keys. */
export function renderForeign(foreign: readonly ForeignKey[]): string {
  return foreign.map(({ name, keyId }) => `${name} (key ${keyId})`).join(', ')
}

/** What the platform team says of keys that it brought. */
function acceptedByConfig({ metadata }: WorkloadIdentityConfig): readonly string[] {
  return (metadata.annotations?.[annotations.acceptSigningKeys] ?? '').split(/[\s,]+/).filter(keyId => keyId !== '')
}

/** Older versions, and the reference operator, recorded which documents they published: the same documents hold the same keys. */
function publishedBefore(ring: KeyRing, { status }: WorkloadIdentityConfig, issuer: string): readonly string[] {
  const publication = status?.selfHostedIssuer?.publication
  if (publication === undefined) return []
  const keys = acceptedKeys(ring)
  const isWhole = renderDocumentSet(issuer, keys)?.digest === publication.objectSetDigest
  return isWhole ? keys.map(({ keyId }) => keyId) : [publication.signingKeyID]
}

function entriesOf({ current, next, previous }: KeyRing): readonly ForeignKey[] {
  return [
    { name: dataNames.publicKey, keyId: current.public.keyId },
    ...(next === undefined ? [] : [{ name: dataNames.nextPublicKey, keyId: next.public.keyId }]),
    ...(previous === undefined ? [] : [{ name: dataNames.previousPublicKey, keyId: previous.keyId }]),
  ]
}

function defined<T extends Readonly<Record<string, number | undefined>>>(times: T): { [N in keyof T]?: number } {
  return Object.fromEntries(Object.entries(times).filter(([, ms]) => ms !== undefined)) as { [N in keyof T]?: number }
}
