// Certs whose surroundings are meddled with: statuses that are wiped whole or in part, names that ACM refuses at once, zones that go and come
// back, certificates that are deleted by hand while others are on their way, objects that come back from a backup, and names that change so
// often that the status cannot list all certificates. What must hold is what holds for every Cert, said more sharply.
import type { KubeObject } from '#kube'
import { type Cert, certKind, type Zones } from '#operators/certificates'
import { finalizer, tagKeys } from '#operators/certificates/api'
import type { Deed, Effect, Subject, World } from '#simulator'
import {
  alternatives,
  arnOf,
  baseOf,
  certificatesOf,
  certificatesSubject,
  change,
  claimsOf,
  conditionOf,
  covers,
  deletesCertificate,
  fqdn,
  isCertificate,
  isLive,
  isSaidToStay,
  isTakenOver,
  isValidation,
  make,
  namesOf,
  ownerUidOf,
  recordsOf,
  remove,
  rotation,
  startWith,
  uses,
  whenReady,
  zoneId,
  zoneName,
} from '../certificates.ts'
import { deed } from '../deeds.ts'

const root = '/apis/acm.ops.example.dev/v1/namespaces/default/certs'
/** ACM fails at the first look at it, and nothing but another spec helps. */
const refused = 'refused'
/** The same, and asking again later may help. */
const restricted = 'restricted'
const minuteMs = 60_000
/** A pass that began while a zone was away has ended by then. */
const passMsMax = 5 * minuteMs

/** What people took from the operator's view, and what it cannot know any more because of that. */
interface Meddling {
  /** Names of records that stood in a status which was wiped, and which no certificate asks for any more. */
  readonly forgottenRecords: Set<string>
  /** ARNs that stood in a status which was wiped: they are found again when the object goes. */
  readonly forgottenArns: Set<string>
  awayUntilMs: number
}

const meddlings = new WeakMap<World, Meddling>()

function meddlingOf(world: World): Meddling {
  const known = meddlings.get(world) ?? { forgottenRecords: new Set(), forgottenArns: new Set(), awayUntilMs: -1 }
  meddlings.set(world, known)
  return known
}

export const certNamed = (world: World, name: string): Cert | undefined =>
  claimsOf(world).find(({ metadata }) => metadata.name === name)

function listedIn({ status }: Cert): readonly string[] {
  const { certificateArn, pendingCertificateArn, supersededCertificates = [] } = status ?? {}
  return [certificateArn, pendingCertificateArn, ...supersededCertificates.map(({ arn }) => arn)].filter(arn => arn !== undefined)
}

/** Before a hand takes something from the status: records that only it knew of are nobody's from now on. */
export function noteForgotten(world: World, cert: Cert): void {
  const { forgottenArns, forgottenRecords } = meddlingOf(world)
  for (const arn of listedIn(cert)) forgottenArns.add(arn)
  const own = certificatesOf(world).filter(({ metadata }) => metadata.labels?.[tagKeys.uid] === cert.metadata.uid)
  for (const { name } of cert.status?.validationRecords ?? []) {
    const base = name.replace(/^[^.]+\./, '')
    // The certificate of an object that goes may be deleted at this moment, and tell no more what it asked for.
    const isGoing = cert.metadata.deletionTimestamp !== undefined
    if (isGoing || !own.some(certificate => isLive(certificate) && covers(certificate, base))) forgottenRecords.add(name)
  }
}

/** What it asked for, and no status lists any more or yet, nobody knows afterwards. */
function losesCertificate(name: string): Deed['run'] {
  return async world => {
    const cert = certNamed(world, name)
    const made = certificatesOf(world).find(each => arnOf(each.metadata.name ?? '') === cert?.status?.certificateArn)
    for (const record of recordsOf(world).filter(isValidation)) {
      const recordName = String(record.spec['Name']).replace(/\.$/, '')
      const isItsOwn = made !== undefined && covers(made, baseOf(record))
      if (isItsOwn && cert !== undefined && !lists(cert, recordName)) meddlingOf(world).forgottenRecords.add(recordName)
    }
    await deletesCertificate(name)(world)
  }
}

/** Fields of the status, or all of it. */
export function wipes(name: string, ...fields: readonly string[]): Deed {
  const what = fields.length === 0 ? 'the status' : fields.join(' and ')
  return deed(`somebody wipes ${what} of ${name}`, `${root}/${name}`, undefined, async world => {
    const cert = certNamed(world, name)
    if (cert === undefined) return
    noteForgotten(world, cert)
    const status = fields.length === 0 ? null : Object.fromEntries(fields.map(field => [field, null]))
    await world.act('hub', 'PATCH', `${root}/${name}/status`, { status }, 'application/merge-patch+json')
  })
}

/** A backup has the spec and the finalizers of an object, and neither its uid nor its status. */
function restores(name: string): Deed {
  return deed(`${name} comes back from a backup`, `${root}/${name}`, undefined, async world => {
    const cert = certNamed(world, name)
    if (cert === undefined || cert.metadata.deletionTimestamp !== undefined) return
    await world.act('hub', 'PATCH', `${root}/${name}`, { metadata: { finalizers: null } }, 'application/merge-patch+json')
    await world.act('hub', 'DELETE', `${root}/${name}`)
    const metadata = { namespace: 'default', name, finalizers: [finalizer] }
    await world.act('hub', 'POST', root, { apiVersion: certKind.apiVersion, kind: 'Cert', metadata, spec: cert.spec })
  })
}

/** Wants a name that ACM refuses, and after a while a good one. */
function wantsForAWhile(name: string, bad: string): Deed {
  const { run } = change(name, alternatives('shared', bad), undefined)
  return deed(`${name} wants ${bad} for a while`, `${root}/${name}`, undefined, async world => {
    await run(world)
    world.parkDeed(change(name, alternatives('shared'), minuteMs))
  })
}

/** Its certificate is deleted by hand while another one is asked for. */
function losesCertificateMeanwhile(name: string, other: string): Deed {
  const { run } = change(name, alternatives(other), undefined)
  const label = `${name} wants ${other} and loses its certificate`
  return deed(label, `${root}/${name}`, undefined, async world => {
    await run(world)
    const lose = losesCertificate(name)
    world.parkDeed({ label: `somebody deletes the certificate of ${name} meanwhile`, afterMs: 3_000, run: lose })
  })
}

/** What each process that runs is configured with. */
export const zonesOf: WeakMap<AbortSignal, Zones> = new WeakMap()

export function configure(world: World, names: readonly string[], id: string = zoneId): void {
  for (const process of world.processes.values()) zonesOf.get(process.abort.signal)?.replace(names.map(name => ({ name, id })))
}

const nowOf = (world: World): number => world.scheduler.nowMs

/** From now on what stands in a zone may be out of reach. */
export function markAway(world: World): void {
  meddlingOf(world).awayUntilMs = nowOf(world) + minuteMs + passMsMax
}

/** The zone is taken out of the configuration of those who run, and comes back. */
const zoneUnconfigured: Deed = deed('the zone is not configured for a while', undefined, undefined, async world => {
  configure(world, [])
  markAway(world)
  const run = async (): Promise<void> => configure(world, [zoneName])
  world.parkDeed({ label: 'the zone is configured again', afterMs: minuteMs, run })
})

/** Route 53 does not know the zone, and knows it again. */
const zoneGone: Deed = deed('Route 53 has no such zone for a while', undefined, undefined, async world => {
  const effect = { kind: 'error', code: 'NoSuchHostedZone', http: 404 } as const
  const rule = world.cloud?.aws.faults.add({ match: { service: 'route53' }, effect })
  markAway(world)
  const run = async (): Promise<void> => rule?.remove()
  world.parkDeed({ label: 'Route 53 has the zone again', afterMs: minuteMs, run })
})

const cloudOf = certificatesSubject.cloud
const own: ReadonlySet<string> = new Set(['S1', 'P2'])

export const meddledCertificatesSubject: Subject = {
  ...certificatesSubject,
  name: 'certificates-meddled',
  ...(cloudOf === undefined ? {} : { cloud: { ...cloudOf, options: withFailures(cloudOf.options) } }),
  start: process => startWith(process, { zonesOf: zones => void zonesOf.set(process.signal, zones) }),
  script: [
    { ...make('web', { subjectAlternativeNames: [fqdn('shared')], rotation }, 0), creates: true },
    { ...make('api', {}, 0), creates: true },
    make('twin', { subjectAlternativeNames: [fqdn(refused)], rotation }, 1_000),
    uses('web', 'attach', 22_000),
    change('web', alternatives('shared', 'second'), 24_000),
    change('twin', alternatives('shared'), 40_000),
    uses('web', 'detach', 45_000),
    whenReady('api', change('api', alternatives(refused), 30_000)),
    whenReady('twin', remove('twin', 50_000)),
  ],
  disturbances: [
    ...['web', 'api'].flatMap(name =>
      [
        wipes(name),
        wipes(name, 'certificateArn'),
        wipes(name, 'request'),
        wipes(name, 'certificateArn', 'request'),
        wipes(name, 'pendingCertificateArn'),
        wipes(name, 'supersededCertificates'),
        wipes(name, 'validationRecords'),
        wipes(name, 'state'),
        wipes(name, 'conditions', 'observedGeneration'),
      ].map(each => ({ ...each, fault: 'F18' as const })),
    ),
    { ...wantsForAWhile('web', refused), fault: 'F23' },
    { ...wantsForAWhile('web', restricted), fault: 'F23' },
    { ...losesCertificateMeanwhile('web', 'third'), fault: 'F23' },
    { ...losesCertificateMeanwhile('api', refused), fault: 'F23' },
    { ...deed('somebody deletes the certificate of web', undefined, undefined, losesCertificate('web')), fault: 'F23' },
    { ...deed('somebody deletes the certificate of api', undefined, undefined, losesCertificate('api')), fault: 'F23' },
    { ...zoneUnconfigured, fault: 'F22' },
    { ...zoneGone, fault: 'F22' },
    { ...restores('web'), fault: 'F20' },
    { ...remove('web', undefined), fault: 'F19' },
    { ...remove('api', undefined), fault: 'F19' },
  ],
  invariants: [
    ...certificatesSubject.invariants.filter(({ code }) => !own.has(code)),
    { code: 'S1', check: oneLiveForEachHash },
    { code: 'P2', check: recordsWereListedFirst },
    { code: 'S27', check: readyIsOfItsGeneration },
  ],
  unfinished,
}

function withFailures(options: NonNullable<Subject['cloud']>['options']): NonNullable<Subject['cloud']>['options'] {
  const certificateFailures = { [fqdn(refused)]: 'ADDITIONAL_VERIFICATION_REQUIRED', [fqdn(restricted)]: 'CAA_ERROR' }
  return { ...options, knobs: { ...options.knobs, certificateFailures } }
}

/** More certificates than the status lists. */
const replacements = 12

function changesOften(name: string, round = 0): Deed {
  const label = `${name} is given its name ${round}`
  const run = async (world: World): Promise<void> => {
    const cert = certNamed(world, name)
    if (cert === undefined) {
      if (!wasThere(world, name)) world.parkDeed({ label: `${label} later`, afterMs: 3_000, run })
      return
    }
    const { state, observedGeneration } = cert.status ?? {}
    const isSettled = state === 'Ready' && observedGeneration === cert.metadata.generation
    if (!isSettled) return world.parkDeed({ label: `${label} later`, afterMs: 3_000, run })
    if (round === replacements) return remove(name, undefined).run(world)
    await change(name, alternatives(`n${round}`), undefined).run(world)
    world.parkDeed({ ...changesOften(name, round + 1), afterMs: 3_000 })
  }
  return deed(label, `${root}/${name}`, 10_000, run)
}

const wasThere = (world: World, name: string): boolean =>
  world.effects.some(({ after }) => after?.kind === 'Cert' && after.metadata.name === name)

/** One Cert that is given other names again and again, and goes with all that was made for it. */
export const replacedCertificatesSubject: Subject = {
  ...meddledCertificatesSubject,
  name: 'certificates-replaced',
  script: [make('web', {}, 0), changesOften('web')],
  disturbances: [
    ...[wipes('web'), wipes('web', 'supersededCertificates'), wipes('web', 'request')].map(each => ({
      ...each,
      fault: 'F18' as const,
    })),
    { ...deed('somebody deletes the certificate of web', undefined, undefined, losesCertificate('web')), fault: 'F23' },
    { ...remove('web', undefined), fault: 'F19' },
  ],
  safetyMs: 5 * minuteMs,
  unfinished: world => (claimsOf(world).length > 0 ? 'the Cert is still there' : unfinished(world)),
}

interface Past {
  seen: number
  /** Everything that a Cert ever said of itself. */
  readonly superseded: Set<string>
  readonly records: Set<string>
  /** By uid and generation. */
  readonly specs: Map<string, Cert>
}

const pasts = new WeakMap<World, Past>()

function pastOf(world: World): Past {
  const past = pasts.get(world) ?? { seen: 0, superseded: new Set(), records: new Set(), specs: new Map() }
  pasts.set(world, past)
  for (; past.seen < world.effects.length; past.seen++) {
    const object = world.effects[past.seen]?.after
    if (object?.kind !== 'Cert') continue
    const cert = object as Cert
    for (const { arn } of cert.status?.supersededCertificates ?? []) past.superseded.add(arn)
    for (const { name } of cert.status?.validationRecords ?? []) past.records.add(name)
    past.specs.set(`${cert.metadata.uid} ${cert.metadata.generation}`, cert)
  }
  return past
}

/** As for every Cert; what was replaced may be wanted again later, and another one is asked for then. */
function oneLiveForEachHash({ by, before, after }: Effect, world: World): string | undefined {
  if (by === 'user' || before !== undefined || !isCertificate(after)) return undefined
  const uid = after.metadata.labels?.[tagKeys.uid]
  const { superseded } = pastOf(world)
  const hash = namesOf(after).join()
  const other = certificatesOf(world).find(
    each =>
      each.metadata.uid !== after.metadata.uid &&
      each.metadata.labels?.[tagKeys.uid] === uid &&
      isLive(each) &&
      namesOf(each).join() === hash &&
      !superseded.has(arnOf(each.metadata.name ?? '')),
  )
  return other === undefined
    ? undefined
    : `a second certificate for ${hash}: ${after.metadata.name} beside ${other.metadata.name}`
}

/** P2: what is written into a zone stood in the status of a Cert before that, whatever hand took it out since. */
function recordsWereListedFirst({ by, before, after }: Effect, world: World): string | undefined {
  if (by === 'user' || before !== undefined || after?.kind !== 'RecordSet') return undefined
  const name = String(Reflect.get(Object(Reflect.get(after, 'spec')), 'Name')).replace(/\.$/, '')
  return pastOf(world).records.has(name) ? undefined : `${by} writes the record ${name}, which no Cert lists`
}

/** As it was in that generation. */
export function certAt(world: World, cert: Cert, generation: number | undefined): Cert {
  return pastOf(world).specs.get(`${cert.metadata.uid} ${generation}`) ?? cert
}

const wantedBy = ({ metadata, spec }: Cert): readonly string[] =>
  [...new Set([spec.domainName ?? fqdn(`${metadata.name}-prod`), ...spec.subjectAlternativeNames])].sort()

/** S27: Ready is said of the names that the spec of that generation asks for. */
function readyIsOfItsGeneration({ by, after, subresource }: Effect, world: World): string | undefined {
  if (by === 'user' || after?.kind !== 'Cert' || subresource !== 'status') return undefined
  const cert = after as Cert
  const ready = conditionOf(cert, 'Ready')
  if (ready?.status !== 'True') return undefined
  const { certificateArn } = cert.status ?? {}
  const asked = certAt(world, cert, ready.observedGeneration)
  const names = namesWhenMade(world, certificateArn)
  const wanted = wantedBy(asked).join()
  if (names === undefined || names === wanted) return undefined
  return `${cert.metadata.name} is Ready for generation ${ready.observedGeneration} with ${names} instead of ${wanted}`
}

function namesWhenMade(world: World, arn: string | undefined): string | undefined {
  const isIt = ({ after }: Effect): boolean => isCertificate(after) && arnOf(after.metadata.name ?? '') === arn
  const made = world.effects.find(isIt)?.after
  return isCertificate(made) ? namesOf(made).join() : undefined
}

export function unfinished(world: World): string | undefined {
  for (const cert of claimsOf(world)) {
    const trouble = troubleOf(cert, world)
    if (trouble !== undefined) return `${cert.metadata.name} ${trouble}`
  }
  return leftCertificate(world) ?? leftRecord(world)
}

function troubleOf(cert: Cert, world: World): string | undefined {
  const { metadata, status, spec } = cert
  if (metadata.deletionTimestamp !== undefined) return 'is still terminating'
  const { state, certificateArn, certReady, observedGeneration } = status ?? {}
  if (observedGeneration !== metadata.generation) return `has seen generation ${observedGeneration} of ${metadata.generation}`
  const made = certificatesOf(world).find(each => arnOf(each.metadata.name ?? '') === certificateArn)
  const isIssued = made?.spec['status'] === 'ISSUED'
  if (certReady !== isIssued) return `says certReady ${certReady}, and its certificate is ${String(made?.spec['status'])}`
  const isRefused = spec.subjectAlternativeNames.includes(fqdn(refused))
  if (isRefused) return state === 'Failed' ? undefined : `wants what ACM refuses, and is ${state}`
  if (state !== 'Ready' || made === undefined) return `is ${state}: ${status?.message}`
  if (namesOf(made).join() !== wantedBy(cert).join()) return `has ${namesOf(made).join()} instead of ${wantedBy(cert).join()}`
  if (spec.rotation !== undefined && (status?.supersededCertificates ?? []).length > 0) return 'still lists what was replaced'
  const isZoneTold = conditionOf(cert, 'ZoneResolved')?.status === 'True'
  if (!isZoneTold || conditionOf(cert, 'DNSRecordsReady')?.status !== 'True') return 'does not say that its records stand'
  return metadata.uid === made.metadata.labels?.[tagKeys.uid] ? undefined : 'has a certificate of another object'
}

function leftCertificate(world: World): string | undefined {
  const { forgottenArns } = meddlingOf(world)
  const { superseded } = pastOf(world)
  for (const certificate of certificatesOf(world)) {
    const owner = ownerUidOf(certificate, world)
    if (owner === undefined || world.released.has(owner)) continue
    const claim = claimsOf(world).find(({ metadata }) => metadata.uid === owner)
    const arn = arnOf(certificate.metadata.name ?? '')
    if (claim === undefined) return `certificate ${arn} is nobody's`
    if (listedIn(claim).includes(arn) || forgottenArns.has(arn)) continue
    if (claim.spec.rotation === undefined && superseded.has(arn)) continue
    return `certificate ${arn} of ${claim.metadata.name} is one too many`
  }
  return undefined
}

function leftRecord(world: World): string | undefined {
  const { forgottenRecords } = meddlingOf(world)
  const isReleased = (name: string): boolean =>
    world.effects.some(
      ({ after }) => after?.kind === 'Cert' && world.released.has(after.metadata.uid ?? '') && lists(after as Cert, name),
    )
  for (const record of recordsOf(world).filter(each => isValidation(each) && !isTakenOver(each))) {
    const name = String(record.spec['Name']).replace(/\.$/, '')
    if (forgottenRecords.has(name) || wentWhileAway(world, name) || isReleased(name)) continue
    if (claimsOf(world).some(cert => lists(cert, name)) || isSaidToStay(record, world)) continue
    if (certificatesOf(world).some(each => covers(each, baseOf(record)))) continue
    return `the record of ${baseOf(record)} proves no certificate`
  }
  return undefined
}

const lists = ({ status }: Cert, name: string): boolean => status?.validationRecords?.some(each => each.name === name) === true

/** A zone that is not there, or not ours to write to, keeps no object: what stands in it stays. */
function wentWhileAway(world: World, name: string): boolean {
  const { awayUntilMs } = meddlingOf(world)
  if (awayUntilMs < 0) return false
  const isThere = (uid: string | undefined): boolean => claimsOf(world).some(({ metadata }) => metadata.uid === uid)
  return world.effects.some(({ after }: { readonly after: KubeObject | undefined }) => {
    return after?.kind === 'Cert' && !isThere(after.metadata.uid) && lists(after as Cert, name)
  })
}
