// Looks at a Cert and at what AWS has of it. Which questions are worth a call depends on the state; what the answers mean is decided
// elsewhere. A call that fails is a value too.
import { findCondition, type ObjectKey } from '#kube'
import type { Reads } from '#runtime'
import { conditionTypes } from '../api/conditions.ts'
import { type Cert, certKind } from '../api/kinds.ts'
import { annotations, finalizer } from '../api/labels.ts'
import type { CertStatus } from '../api/status.ts'
import { type CloudCertificate, ownerOf, ownershipOf } from '../aws/certificate.ts'
import { faultOf } from '../aws/faults.ts'
import { settledName, wantedOf } from '../names/wanted.ts'
import { policyErrorsFor } from '../policy/look.ts'
import { sanitise } from '../sanitise.ts'
import { recordsOf, type Unseen } from './asked-records.ts'
import { dayRequestOf, requestsSince } from './day/day-requests.ts'
import { adoptedArn, isCertificateArn } from './decide/adopt.ts'
import { isAnswered, isBack } from './decide/back.ts'
import { attemptIn } from './decide/backoff.ts'
import { looksAtRecords } from './decide/created.ts'
import { freeCertificates, takesAway } from './decide/deletion.ts'
import { datedIn, listedArns } from './decide/fields.ts'
import { isReplacementWanted } from './decide/issued.ts'
import { isLost } from './decide/lost-status.ts'
import { isReplacementOpen, unlistedOf } from './decide/open-request.ts'
import { needsSearch, requesterOf } from './decide/pending.ts'
import { isRenewalPending } from './decide/renewal.ts'
import { mayGo } from './decide/superseded.ts'
import { type DeletionTools, isAnyOwnLeft, observeCrowd, observeDeletion } from './observe-deletion.ts'
import type { ObserveTools } from './observe-tools.ts'
import { findRival } from './rivals.ts'
import { askedBy, isCrowded } from './room.ts'
import type { AskedRecord, CertSeen, Look, RecordSeen, Sighted } from './seen.ts'

export async function observeCert(key: ObjectKey, world: Reads, signal: AbortSignal, tools: ObserveTools): Promise<CertSeen> {
  const claim = world.find<Cert>(certKind.type, key)
  const nothing = unlooked(claim, world, tools)
  if (claim === undefined || nothing.wanted === undefined) return nothing
  const look = new Looking({ ...nothing, claim, wanted: nothing.wanted }, world, signal, tools)
  try {
    await look.all()
    tools.cloud.lookEnded(claim.metadata.uid)
    return look.seen
  } catch (error) {
    const fault = faultOf(error)
    // Who is to come back for a list takes the one that it waited for.
    if (fault?.isOurPace !== true) tools.cloud.lookEnded(claim.metadata.uid)
    if (fault === undefined) throw error
    return { ...look.seen, fault }
  }
}

function unlooked(claim: Cert | undefined, world: Reads, { zones, settings, nowMs: now, draw, ahead }: ObserveTools): CertSeen {
  const { registry, privateIds, deniedIds } = zones
  const nowMs = now()
  const wanted =
    claim === undefined ? undefined : wantedOf(claim.spec, registry, { ...settings, settled: settledName(claim.status) })
  return {
    claim,
    nowMs,
    ...(claim === undefined ? {} : { aheadMs: ahead.knownMs(claim.metadata.uid, datedIn(claim), nowMs) }),
    draw: draw(),
    wanted,
    privateZones: privateIds,
    deniedZones: deniedIds,
    rival: claim === undefined || wanted === undefined ? undefined : findRival(claim, wanted, { world, registry }),
    current: { kind: 'unasked' },
    pending: { kind: 'unasked' },
    given: { kind: 'unasked' },
    owned: undefined,
    vainMs: 0,
    superseded: new Map(),
    records: [],
    deletion: undefined,
    forbidden:
      settings.hasPolicies && claim !== undefined && wanted !== undefined ? policyErrorsFor(claim, wanted, world)[0] : undefined,
    fault: undefined,
  }
}

class Looking {
  seen: Sighted
  readonly #world: Reads
  readonly #signal: AbortSignal
  readonly #tools: ObserveTools

  constructor(seen: Sighted, world: Reads, signal: AbortSignal, tools: ObserveTools) {
    this.seen = seen
    this.#world = world
    this.#signal = signal
    this.#tools = tools
  }

  async all(): Promise<void> {
    const { claim } = this.seen
    if (claim.metadata.deletionTimestamp !== undefined) return this.#deletion()
    this.#knowAtFirst()
    const isPaused = claim.metadata.annotations?.[annotations.paused] === 'true'
    if (isPaused || claim.status?.state === undefined) return
    await this.#certificates()
    await this.#search()
    await this.#given()
    await this.#superseded()
    await this.#crowd()
    if (this.seen.crowd === undefined) await this.#records()
    this.#tools.looks.looked(claim.metadata.uid, this.seen.nowMs)
    this.#awaitTurn()
  }

  /** Thousands may ask for a certificate at once: nobody holds a worker, or says anything, until it is its turn. Whoever has none today stands nowhere. */
  #awaitTurn(): void {
    const { budget, cloud, settings } = this.#tools
    const request = isBack(this.seen) ? undefined : requesterOf(this.seen, settings)
    if (request === undefined) return
    budget.begin(sinceMs => requestsSince(this.#world.list<Cert>(certKind.type), sinceMs))
    const refusal = budget.refusal(request)
    if (refusal !== undefined) this.seen = { ...this.seen, dayRefusal: sanitise(refusal) }
    else if (this.seen.claim.status?.state === 'Pending') cloud.awaitRequest(request.token)
  }

  async #deletion(): Promise<void> {
    if (!takesAway(this.seen)) return
    const deletion = await observeDeletion(this.seen, this.#deletionTools())
    const { metadata, status } = this.seen.claim
    const isAwaited = status?.request === undefined && this.#tools.requests.isUnanswered(metadata.uid)
    this.seen = { ...this.seen, deletion, isAwaited, vainMs: this.#vainMs(isAnyOwnLeft(this.seen, deletion, this.#tools)) }
    const [first] = freeCertificates(this.seen, deletion, this.#tools.settings)
    await this.#lookAtCrowd(askedBy(first?.[1]), [...deletion.certificates.values()])
  }

  #deletionTools(): DeletionTools {
    return { ...this.#tools, world: this.#world, signal: this.#signal }
  }

  /** One certificate at a time has the room: first what was replaced and may go, then the one that is on its way or serves. */
  async #crowd(): Promise<void> {
    const { claim, current, pending, superseded } = this.seen
    const going = (claim.status?.supersededCertificates ?? []).find(entry => mayGo(entry, superseded.get(entry.arn), this.seen))
    const target = claim.status?.pendingCertificateArn === undefined ? current : pending
    const look = going === undefined ? target : superseded.get(going.arn)
    await this.#lookAtCrowd(askedBy(look), [current, pending, ...superseded.values()])
  }

  async #lookAtCrowd(asked: readonly AskedRecord[], looks: readonly Look[]): Promise<void> {
    if (!isCrowded(this.seen.claim.status?.validationRecords ?? [], asked)) return
    this.seen = { ...this.seen, crowd: await observeCrowd(this.seen, this.#deletionTools(), { asked, looks }) }
  }

  /** The certificate on its way, and the current one. */
  async #certificates(): Promise<void> {
    const { claim, wanted } = this.seen
    const { certificateArn, pendingCertificateArn, state, request } = claim.status ?? {}
    // What may be replaced, given up or called failed is looked at past the memory.
    const isFresh = state === 'Failed' || request?.specHash !== wanted.hash
    const { generation = 1 } = claim.metadata
    // What its tags were asked for with may have changed since.
    const isLate = state !== 'Ready' && generation > 1
    if (pendingCertificateArn !== undefined) {
      const pending = await this.#look(pendingCertificateArn, isFresh)
      this.seen = { ...this.seen, pending: await this.#withTags(pending, isLate && isIssued(pending)) }
    }
    if (certificateArn === undefined) return
    const current = await this.#look(certificateArn, isFresh)
    const isNews = claim.status?.observedGeneration !== generation || !isDone(claim.status) || this.#isAnotherDay()
    const isFirst = isLate && pendingCertificateArn === undefined && claim.status?.certReady !== true && isIssued(current)
    // Before it is replaced: it may be a stranger's, and what is our own is to be found again, not asked for once more.
    const isOdd = current.kind === 'present' && isReplacementWanted(this.seen, current.certificate)
    const isAgain = isBack({ claim, wanted, current }) || isAnswered({ claim, wanted, current })
    const isAsked = (state === 'Ready' && (isNews || isOdd)) || isFirst || isAgain
    this.seen = { ...this.seen, current: await this.#withTags(current, isAsked) }
  }

  /** At rest thousands are looked at when a process begins, and their tags once a day; what is on its way is looked at whole. */
  #knowAtFirst(): void {
    const { metadata, status } = this.seen.claim
    // Whoever of us wrote a status put the finalizer on first.
    const isAtRest = status?.state === 'Ready' && metadata.finalizers?.includes(finalizer) === true
    if (this.#tools.arns.isNew(metadata.uid)) this.#tools.arns.know(metadata.uid, isAtRest ? listedArns(this.seen.claim) : [])
  }

  /** An ARN that this process neither saw nor wrote before may be a stranger's. */
  async #withTags(look: Look, isAsked: boolean): Promise<Look> {
    if (look.kind !== 'present') return look
    const { arn } = look.certificate
    const { cloud, arns, settings } = this.#tools
    const { uid } = this.seen.claim.metadata
    const isByAnother = arns.isByAnother(uid, arn)
    if (!isAsked && !isByAnother) return look
    const owner = ownerOf(this.seen.claim, settings.clusterId)
    const tags = await cloud.marks(arn, owner, this.#signal)
    if (ownershipOf(tags, owner) === 'ours') arns.know(uid, [arn])
    return { ...look, tags, isByAnother }
  }

  async #look(arn: string, isFresh: boolean): Promise<Look> {
    const { cloud, absences } = this.#tools
    const signal = this.#signal
    let certificate = await cloud.certificate(arn, { signal, isFresh })
    if (certificate !== undefined && !isFresh && !lively.has(certificate.status))
      certificate = await cloud.certificate(arn, { signal, isFresh: true })
    if (certificate === undefined) {
      const { uid } = this.seen.claim.metadata
      const absence = absences.absent(arn)
      if (absence.isConfirmed) this.#tools.arns.gone(uid, arn)
      return { kind: 'absent', ...absence, isByAnother: this.#tools.arns.isByAnother(uid, arn) }
    }
    absences.present(arn)
    return { kind: 'present', certificate, asked: recordsOf(certificate, this.seen.wanted, this.#tools.zones.registry) }
  }

  async #search(): Promise<void> {
    this.seen = { ...this.seen, isAnyUnlisted: this.#knowsUnlisted() }
    const { claim, wanted } = this.seen
    const isUnknown = needsSearch(this.seen) || isLost(this.seen, this.#tools.settings)
    const isSearched = (claim.status?.state === 'Pending' && isUnknown) || (isBack(this.seen) && isReplacementOpen(this.seen))
    if (wanted.primary === undefined || !isSearched) return
    const { uid } = claim.metadata
    const { requests } = this.#tools
    const owner = ownerOf(claim, this.#tools.settings.clusterId)
    const owned = await this.#tools.cloud.owned(wanted.primary, owner, this.#signal)
    this.#tools.arns.know(
      uid,
      owned.map(({ certificate }) => certificate.arn),
    )
    const shown = new Set(owned.map(({ certificate }) => certificate.arn))
    const isAwaited = requests.isUnanswered(uid) || requests.lately(uid).some(arn => !shown.has(arn))
    this.seen = { ...this.seen, owned, isAwaited, vainMs: this.#vainMs(unlistedOf({ claim, owned, wanted }) !== undefined) }
  }

  /** What the intent of now is known to have made is found by its token. */
  #knowsUnlisted(): boolean {
    const { claim, wanted, nowMs } = this.seen
    const { arns, requests } = this.#tools
    const request = claim.status?.request
    const isAsWanted = request !== undefined && request.specHash === wanted.hash
    const made = isAsWanted ? requests.madeBy(dayRequestOf({ claim, request, nowMs }).token) : []
    return arns.knowsAnother(claim.metadata.uid, [...listedArns(claim), ...made])
  }

  #vainMs(isAnyFound: boolean): number {
    return isAnyFound ? 0 : this.#tools.absences.vainMs(this.seen.claim.metadata.uid)
  }

  async #given(): Promise<void> {
    const arn = adoptedArn(this.seen)
    if (arn === undefined || !isCertificateArn(arn) || this.seen.claim.status?.state !== 'Pending') return
    const given = await this.#look(arn, true)
    const tags = given.kind === 'present' ? await this.#tools.cloud.tags(arn, this.#signal) : {}
    this.seen = { ...this.seen, given: given.kind === 'present' ? { ...given, tags } : given }
  }

  async #records(): Promise<void> {
    const certificate = this.#provable()
    if (certificate === undefined || !this.seen.wanted.isPublic) return
    const wanted = recordsOf(certificate, this.seen.wanted, this.#tools.zones.registry)
    // Those of a certificate that goes are listed just now.
    if (isCrowded(this.seen.claim.status?.validationRecords ?? [], wanted)) return
    const records: RecordSeen[] = []
    // One after the other: a zone takes few calls a second, and many names would only wait at its bucket.
    for (const record of wanted) records.push(await this.#record(record))
    this.seen = { ...this.seen, records }
    if (isLongInPlace(this.seen.claim, certificate)) this.seen = { ...this.seen, records: await this.#withAstray(records) }
  }

  /** One record of each zone is asked for: a zone that the DNS does not lead to shows none of them. */
  async #withAstray(records: readonly RecordSeen[]): Promise<readonly RecordSeen[]> {
    const { dnsLooks } = this.#tools
    if (dnsLooks === undefined) return records
    const unproven = records.filter(({ domainStatus }) => domainStatus !== 'SUCCESS')
    const firsts = unproven.filter(({ zone }, index) => unproven.findIndex(each => each.zone.id === zone.id) === index)
    const looked = new Map<RecordSeen, RecordSeen>()
    for (const record of firsts) looked.set(record, { ...record, astray: await dnsLooks.astray(record) })
    return records.map(record => looked.get(record) ?? record)
  }

  /** The certificate whose records are worth a look in this state. */
  #provable(): CloudCertificate | undefined {
    const { claim, current, pending } = this.seen
    const { state, pendingCertificateArn } = claim.status ?? {}
    const look = pendingCertificateArn === undefined ? current : pending
    if (look.kind !== 'present') return undefined
    const { certificate } = look
    if (state === 'Ready') return certificate.status === 'ISSUED' && this.#isRecordDay(certificate) ? certificate : undefined
    return certificate.status === 'PENDING_VALIDATION' && state !== 'Pending' ? certificate : undefined
  }

  /**
   * Once a day, at an hour that is the object's own; always while a renewal waits for them, something is amiss, or somebody asks. What a process
   * has not seen before may not have been looked at since the one before it, which had its last look at most an interval before its end.
   */
  #isRecordDay(certificate: CloudCertificate): boolean {
    const { claim } = this.seen
    const renew = claim.metadata.annotations?.[annotations.renew]
    if (isRenewalPending(certificate) || (renew !== undefined && renew !== claim.status?.answered?.renew)) return true
    if (findCondition(claim.status?.conditions, conditionTypes.recordsReady)?.status === 'False') return true
    // Somebody wiped the list, it was never written, or a zone is another one by now.
    const { validationRecords = [] } = claim.status ?? {}
    const asked = recordsOf(certificate, this.seen.wanted, this.#tools.zones.registry)
    const isListed = ({ name, zone }: Unseen): boolean =>
      validationRecords.some(each => each.name === name && each.zoneId === zone.id)
    return validationRecords.length === 0 || !asked.every(isListed) || this.#isAnotherDay()
  }

  #isAnotherDay(): boolean {
    const { claim, nowMs } = this.seen
    const momentMs = dayMomentMs(claim.metadata.uid)
    const slot = (ms: number): number => Math.floor((ms + momentMs) / dayMs)
    const lastMs = this.#tools.looks.lastMs(claim.metadata.uid) ?? nowMs - 2 * this.#tools.settings.intervals.readyMs
    return slot(nowMs) !== slot(lastMs)
  }

  async #record(record: Unseen): Promise<RecordSeen> {
    const { claim } = this.seen
    const { state, validationRecords = [] } = claim.status ?? {}
    const held = validationRecords.find(({ name, zoneId }) => name === record.name && zoneId === record.zone.id)
    const { cloud } = this.#tools
    const isDue =
      state === 'Ready' || state === 'Failed' || (state === 'Validated' && looksAtRecords(attemptIn(claim, 'Validated')))
    // It comes into the status before anything is done for it: until then the zone is asked nothing.
    if (held === undefined && !isDue) return { ...record, standing: undefined, change: undefined }
    const isOnItsWay = held?.phase === 'Submitted' && held.changeId !== undefined && state !== 'Ready'
    const change = isOnItsWay ? await cloud.change(held.changeId ?? '', record.zone, this.#signal) : undefined
    const isKnown = held?.phase === 'InSync' || (change !== undefined && change !== 'unknown')
    const standing = isKnown && !isDue ? undefined : await cloud.standing(record.zone, record.name, this.#signal)
    return { ...record, standing, change }
  }

  async #superseded(): Promise<void> {
    const { claim } = this.seen
    if (claim.status?.state !== 'Ready') return
    const removes = claim.spec.rotation?.deleteSuperseded === true
    const looks = new Map<string, Look>()
    for (const { arn, inUse } of claim.status.supersededCertificates ?? [])
      if (inUse || removes) looks.set(arn, await this.#look(arn, true))
    this.seen = { ...this.seen, superseded: looks }
  }
}

/** Whether ACM had minutes to see the records, and does not. */
function isLongInPlace({ status }: Cert, certificate: CloudCertificate): boolean {
  return status?.state === 'Validated' || (status?.state === 'Ready' && isRenewalPending(certificate))
}

/** Whether nothing was refused when it was looked at last. */
function isDone(status: CertStatus | undefined): boolean {
  return findCondition(status?.conditions, conditionTypes.ready)?.status === 'True'
}

function isIssued(look: Look): boolean {
  return look.kind === 'present' && look.certificate.status === 'ISSUED'
}

const lively = new Set(['PENDING_VALIDATION', 'ISSUED'])
const dayMs = 86_400_000

/** So that not all look at the same hour. */
function dayMomentMs(uid: string): number {
  let hash = 0
  for (let index = 0; index < uid.length; index++) hash = (hash * 31 + uid.charCodeAt(index)) % 86_400
  return hash * 1_000
}
