// What a deletion has to know: whose the certificates are and who uses them, past every memory; then, for each record, who else needs it.
import { given } from '#base'
import type { Reads } from '#runtime'
import { type Cert, certKind } from '../api/kinds.ts'
import type { CertValidationRecord } from '../api/status.ts'
import { type CertificateOwner, type CloudCertificate, isOwnedBy, ownerOf } from '../aws/certificate.ts'
import type { Standing } from '../aws/cloud.ts'
import { faultOf, isAbsence } from '../aws/faults.ts'
import type { ListedCertificate } from '../aws/listed.ts'
import { baseName } from '../names/domain-name.ts'
import type { WantedNames } from '../names/wanted.ts'
import type { RegisteredZone } from '../zones/registry.ts'
import { recordsOf } from './asked-records.ts'
import { listedTwice } from './decide/deletion.ts'
import { listedArns, supersededMax } from './decide/fields.ts'
import type { ObserveTools } from './observe-tools.ts'
import { askedBy, isAsked } from './room.ts'
import type { AskedRecord, Crowd, DeletionSeen, ListedRecord, Look, Reference, Sighted } from './seen.ts'

export interface DeletionTools extends ObserveTools {
  readonly world: Reads
  readonly signal: AbortSignal
}

export async function observeDeletion(seen: Sighted, tools: DeletionTools): Promise<DeletionSeen> {
  const { certificates, mayList } = await lookAtCertificates(seen, tools)
  const isOurs = isOwn(ownerOf(seen.claim, tools.settings.clusterId))
  const isAnyLeft = isAnyOwnLeft(seen, { certificates }, tools)
  const entries = seen.claim.status?.validationRecords ?? []
  // What is not ours by its tags needs its records, whatever the status says of it.
  const own = new Map([...certificates].filter(([, look]) => look.kind === 'absent' || isOurs(look)))
  const records = isAnyLeft ? undefined : await lookAtRecords(seen, tools, { entries, own, mayList })
  return { certificates, records }
}

/** Of what was found: what is not ours by its tags is no reason to stay. */
export function isAnyOwnLeft(
  seen: Pick<Sighted, 'claim'>,
  { certificates }: Pick<DeletionSeen, 'certificates'>,
  tools: Pick<ObserveTools, 'settings'>,
): boolean {
  return [...certificates.values()].some(isOwn(ownerOf(seen.claim, tools.settings.clusterId)))
}

function isOwn(owner: CertificateOwner): (look: Look) => boolean {
  return look => look.kind === 'present' && isOwnedBy(look.tags ?? {}, owner)
}

/** What has to leave the list for these records. What a certificate asks for that we see is needed, whatever a list tells of it. */
export async function observeCrowd(
  seen: Sighted,
  tools: DeletionTools,
  { asked, looks }: { readonly asked: readonly AskedRecord[]; readonly looks: readonly Look[] },
): Promise<Crowd> {
  const needed = [...asked, ...looks.flatMap(askedBy)]
  const entries = (seen.claim.status?.validationRecords ?? []).filter(entry => !isAsked(entry, needed))
  return { asked, leaving: await lookAtRecords(seen, tools, { entries, own: new Map(), mayList: true }) }
}

interface OwnLooks {
  readonly certificates: ReadonlyMap<string, Look>
  /** False where the account has just refused it: it is not asked twice in one look. */
  readonly mayList: boolean
}

async function lookAtCertificates({ claim, wanted }: Sighted, tools: DeletionTools): Promise<OwnLooks> {
  const known = listedArns(claim)
  const owner = ownerOf(claim, tools.settings.clusterId)
  const looks = new Map<string, Look>()
  for (const arn of new Set([...known, ...unrecorded(claim, tools)]))
    looks.set(arn, withRecords(await look(arn, owner, tools), wanted, tools))
  const isUnlisted = mayBeUnlisted(claim, known.length)
  const isLast = ![...looks.values()].some(isOwn(owner))
  if (wanted.primary === undefined || !(isUnlisted || isLast)) return { certificates: looks, mayList: true }
  const search = tools.cloud.owned(wanted.primary, owner, tools.signal)
  const found = isUnlisted ? await search : await unlessDenied(search)
  for (const { certificate, tags } of found ?? [])
    looks.set(certificate.arn, withRecords({ kind: 'present', certificate, tags }, wanted, tools))
  return { certificates: looks, mayList: found !== undefined }
}

/** Without an intent nothing in the status says that ACM was asked a moment ago: then what this process had in answer counts as well. */
function unrecorded({ metadata, status }: Cert, { requests }: DeletionTools): readonly string[] {
  return status?.request === undefined ? requests.lately(metadata.uid) : []
}

/** Before the object goes its marks are looked for in any case: a hand may have taken from the list. Nothing says that there is one. */
async function unlessDenied<T>(asked: Promise<T>): Promise<T | undefined> {
  try {
    return await asked
  } catch (error) {
    if (faultOf(error)?.class === 'denied') return undefined
    throw error
  }
}

/** Asked for and the answer lost, more than a list holds, or a status that somebody wiped: what was made is found by its marks. */
function mayBeUnlisted({ status }: Cert, known: number): boolean {
  const { state, request } = status ?? {}
  // What was seen deleted has a state, and no intent any more.
  if (request === undefined) return state === undefined
  return known === 0 || state === 'Pending' || state === 'Failed' || request.revision > supersededMax + 1
}

function withRecords(look: Look, wanted: WantedNames, { zones }: DeletionTools): Look {
  return look.kind === 'present' ? { ...look, asked: recordsOf(look.certificate, wanted, zones.registry) } : look
}

async function look(arn: string, owner: CertificateOwner, { cloud, signal, absences, requests }: DeletionTools): Promise<Look> {
  const certificate = await cloud.certificate(arn, { signal, isFresh: true })
  if (certificate === undefined && requests.isGone(arn)) return { kind: 'absent', isConfirmed: true, isSettled: true }
  if (certificate === undefined) return { kind: 'absent', ...absences.absent(arn) }
  try {
    return { kind: 'present', certificate, tags: await cloud.marks(arn, owner, signal) }
  } catch (error) {
    if (isAbsence(error)) return { kind: 'absent', ...absences.absent(arn) }
    throw error
  }
}

interface RecordQuestion {
  readonly entries: readonly CertValidationRecord[]
  /** These are not asked what they need: they are gone, or going. */
  readonly own: ReadonlyMap<string, Look>
  readonly mayList: boolean
}

async function lookAtRecords(
  { claim }: Sighted,
  tools: DeletionTools,
  { entries, own, mayList }: RecordQuestion,
): Promise<readonly ListedRecord[]> {
  if (entries.length === 0 || tools.settings.recordCleanup === 'Never') return []
  const needed = new Map(entries.map(entry => [entry, isNeededByAnother(claim, entry, tools.world)]))
  const isListWorth = [...needed.values()].some(isNeeded => !isNeeded)
  const listed = !mayList ? undefined : isListWorth ? await listEverywhere(claim, tools, new Set(own.keys())) : []
  const records: ListedRecord[] = []
  for (const [entry, isNeeded] of needed) {
    const zone = tools.zones.registry.zones.find(({ id }) => id === entry.zoneId)
    // A zone that is not configured any more is not ours to write to.
    if (zone === undefined) continue
    const told: Reference = isNeeded ? 'referenced' : await referenceIn(listed, entry)
    const reference = told === 'none' && !isToldTwice(claim, entry, tools) ? 'unlisted' : told
    records.push(await recordOf(entry, { zone, reference, tools }))
  }
  return records
}

/** A list may leave one out: nobody takes a record away from whom two lists in a row did not leave out (S26). */
function isToldTwice({ metadata }: Cert, { zoneId, name }: CertValidationRecord, { absences }: DeletionTools): boolean {
  return absences.vainMs(`${metadata.uid}/${zoneId}/${name}`) >= listedTwice.afterMs
}

async function recordOf(
  { name, value, domains, domainStatus }: CertValidationRecord,
  { zone, reference, tools }: { readonly zone: RegisteredZone; readonly reference: Reference; readonly tools: DeletionTools },
): Promise<ListedRecord> {
  const standing = reference === 'none' ? await tools.cloud.standing(zone, name, tools.signal) : undefined
  const isSettled = standing === undefined || isSure(standing, `${zone.id}/${name}`, tools)
  return { name, value, zone, domains, domainStatus, standing, change: undefined, reference: isSettled ? reference : 'unsettled' }
}

/** Route 53 tells of a record by a list, which may leave it out once: nothing is given up for an absence that was seen once (S26). */
function isSure({ kind }: Standing, record: string, { absences }: DeletionTools): boolean {
  if (kind === 'present') absences.present(record)
  return kind !== 'absent' || absences.absent(record).isConfirmed
}

export const recordIndexName = 'validation-record'

/** Another object that stays, or is not through with its certificates, and lists the record. */
function isNeededByAnother(claim: Cert, entry: CertValidationRecord, world: Reads): boolean {
  return world
    .byIndex<Cert>(certKind.type, recordIndexName, `${entry.zoneId}/${entry.name}`)
    .some(({ metadata }) => metadata.uid !== claim.metadata.uid && metadata.deletionTimestamp === undefined)
}

type Listed = ListedCertificate & { readonly region: string | undefined }

/** A certificate of the account that a list tells of. */
interface Other {
  readonly names: readonly string[]
  /** A list may tell for a while of what is gone: whether it is there is asked of the certificate itself, where that matters. */
  reference(): Promise<Reference>
}

/** `undefined` where the account does not let us look. */
async function listEverywhere(
  { metadata: { uid } }: Cert,
  tools: DeletionTools,
  own: ReadonlySet<string>,
): Promise<readonly Other[] | undefined> {
  const others = async (): Promise<readonly Other[]> => {
    const all: Other[] = []
    for (const each of await tools.cloud.listed(uid, [undefined, ...tools.referenceRegions], tools.signal))
      if (!own.has(each.arn) && !tools.requests.isGone(each.arn)) all.push(await otherOf(each, tools))
    return all
  }
  return unlessDenied(others())
}

async function otherOf(listed: Listed, tools: DeletionTools): Promise<Other> {
  const { cloud, signal, absences } = tools
  const { arn, region } = listed
  const look = (): Promise<CloudCertificate | undefined> =>
    cloud.certificate(arn, { signal, isFresh: true, ...given({ region }) })
  const whole = listed.isPartial ? await look() : undefined
  let told: Promise<Reference> | undefined
  const referenceOf = async (): Promise<Reference> => {
    if ((whole ?? (await look())) === undefined) return absences.absent(arn).isConfirmed ? 'none' : 'unsettled'
    absences.present(arn)
    return 'referenced'
  }
  return {
    names: whole?.names ?? listed.names,
    reference: () => (told ??= unlessDenied(referenceOf()).then(each => each ?? 'unknown')),
  }
}

/** What keeps a record comes first. */
const strongest = ['referenced', 'unsettled', 'unknown'] as const

/** Any certificate of the account for a name with this base needs the same record, issued or not. */
async function referenceIn(listed: readonly Other[] | undefined, { domains }: CertValidationRecord): Promise<Reference> {
  if (listed === undefined) return 'unknown'
  const bases = new Set(domains.map(baseName))
  const references = new Set<Reference>()
  for (const other of listed.filter(({ names }) => names.some(name => bases.has(baseName(name)))))
    references.add(await other.reference())
  return strongest.find(each => references.has(each)) ?? 'none'
}
