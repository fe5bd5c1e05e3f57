// Certs in the simulator, with the emulator as ACM and Route 53, and with their delays: a certificate is invisible at first, its records are
// told later, a change reaches the DNS late, and who uses a certificate is told late. Users ask, change their minds and delete; somebody
// takes certificates into use and lets them go; calls are lost, refused and answered late; people meddle with certificates and records.
import { serviceModel } from '#aws'
import { AwsClients, inProcessTransport, staticCredentials } from '#aws/client'
import type { Aws } from '#emulator'
import { type KubeObject, renderCrd, type StoredCondition } from '#kube'
import {
  type Cert,
  type CertificatesOptions,
  type CertSpec,
  certKind,
  createCertificatesOperator,
  measuringTransport,
  Zones,
} from '#operators/certificates'
import { annotations, failureReasons, finalizer, managedBy, tagKeys } from '#operators/certificates/api'
import { troubleReasons } from '#runtime'
import { cloudName, type Deed, type Effect, type ObjectRole, type ProcessContext, type Subject, type World } from '#simulator'
import { adminClients } from './aws/clients.ts'
import { type AwsObject, awsObjects } from './aws/objects.ts'
import { creates, deed, edits, removes } from './deeds.ts'
import { runProbed } from './probed.ts'

const account = '111122223333'
export const region = 'eu-west-1'
const leaseMs = 240_000
export const zoneName = 'k8s.example.com'
/** An hour in production; less here, so that a run sees what people changed by hand. */
const readyMs = 1_800_000
/** Every call waits for its token: three workers, each in a pass of six calls to a zone that takes three a second (9.3). */
const pacedMs = 6_000
const oldValue = '_old.abcdefghij.acm-validations.aws.'
const consumerArn = `arn:aws:elasticloadbalancing:${region}:${account}:loadbalancer/app/web/1`

const root = '/apis/acm.ops.example.dev/v1/namespaces/default/certs'
const at = (name: string): { readonly path: string } => ({ path: `${root}/${name}` })

export function make(name: string, spec: Partial<CertSpec>, afterMs: number): Deed {
  const body = {
    apiVersion: certKind.apiVersion,
    kind: 'Cert',
    metadata: { namespace: 'default', name },
    spec: { serviceName: name, environment: 'prod', deleteOnRemoval: true, ...spec },
  }
  return creates(`create Cert ${name}`, { path: root }, body, afterMs)
}

export const change = (name: string, patch: object, afterMs: number | undefined): Deed =>
  edits(`change Cert ${name} ${JSON.stringify(patch)}`, at(name), patch, afterMs)
export const remove = (name: string, afterMs: number | undefined): Deed => removes(`delete Cert ${name}`, at(name), afterMs)

export const fqdn = (name: string): string => `${name}.${zoneName}`
export const alternatives = (...names: readonly string[]): object => ({ spec: { subjectAlternativeNames: names.map(fqdn) } })

/** Somebody's load balancer takes the certificate of a Cert, or lets it go: `attach` and `detach` of the emulator. */
export function uses(name: string, what: 'attach' | 'detach', afterMs: number): Deed {
  const run = async (world: World): Promise<void> => {
    const arns = certificatesOf(world)
      .filter(({ metadata }) => metadata.labels?.[tagKeys.name] === name)
      .map(({ metadata }) => arnOf(metadata.name ?? ''))
    for (const certificateArn of arns) world.cloud?.aws.control('acm', what, { certificateArn, consumerArn }, { account, region })
    // A look, so that the invariants see it.
    await world.actInCloud({ service: 'acm', operation: 'GetAccountConfiguration', input: {}, region }).catch(() => undefined)
  }
  return deed(`${what} ${name}`, undefined, afterMs, run)
}

/** Waits until the Cert is ready: what it leaves behind does not depend on when it goes. */
export function whenReady(name: string, then: Deed): Deed {
  const run = async (world: World): Promise<void> => {
    const cert = claimsOf(world).find(({ metadata }) => metadata.name === name)
    if (cert === undefined || cert.status?.state === 'Ready') return then.run(world)
    world.parkDeed({ label: `${then.label} again`, afterMs: 5_000, run })
  }
  return { ...then, run }
}

/** What was replaced goes soon, so that two runs end alike. */
export const rotation = { deleteSuperseded: true, retain: '1s' }

export const certificatesSubject: Subject = {
  name: 'certificates',
  servers: ['hub'],
  cloud: {
    options: {
      accounts: [account],
      region,
      knobs: {
        virtualDateHeader: true,
        certificateGoneMs: 1_000,
        delays: {
          certificateVisible: [0, 2_000],
          certificateDetails: [0, 3_000],
          certificateIssue: [0, 4_000],
          certificateTaken: [0, 2_000],
          certificateFreed: [0, 20_000],
          dnsChange: [0, 4_000],
        },
      },
    },
    look: awsObjects,
    prepare,
  },
  objects: () => [renderCrd(certKind)],
  replicas: 2,
  start,
  script: [
    { ...make('web', { subjectAlternativeNames: [fqdn('shared')], rotation }, 0), creates: true },
    { ...make('api', {}, 0), creates: true },
    make('twin', { subjectAlternativeNames: [fqdn('shared'), fqdn('twin-prod')] }, 1_000),
    make('kept', { deleteOnRemoval: false }, 2_000),
    uses('twin', 'attach', 22_000),
    change('web', alternatives('shared', 'second'), 24_000),
    remove('api', 26_000),
    remove('twin', 34_000),
    make('api', { keyAlgorithm: 'EC_prime256v1' }, 40_000),
    uses('twin', 'detach', 50_000),
    whenReady('kept', remove('kept', 55_000)),
  ],
  disturbances: [
    { ...change('web', { metadata: { labels: { team: 'a' } } }, undefined), fault: 'F18' },
    {
      ...change(
        'api',
        { metadata: { annotations: { 'acm.ops.example.dev/reconcile-attempts-in-state': '99999999999' } } },
        undefined,
      ),
      fault: 'F18',
    },
    { ...change('web', alternatives('shared', 'third'), undefined), fault: 'F18' },
    { ...change('web', alternatives('shared'), undefined), fault: 'F18' },
    { ...remove('web', undefined), fault: 'F19' },
    { ...remove('api', undefined), fault: 'F19' },
    { ...change('web', { metadata: { finalizers: null } }, undefined), fault: 'F20' },
    { ...deed('somebody deletes the certificate of web', undefined, undefined, deletesCertificate('web')), fault: 'F23' },
    { ...deed('somebody deletes the records of web', undefined, undefined, deletesRecords('web')), fault: 'F23' },
    { ...deed('somebody writes an old value for web', undefined, undefined, writesOldValue('web')), fault: 'F23' },
  ],
  roleOf,
  ownerUidOf,
  // A Cert has several for a while, one for each set of names: which of them may be there, `oneLiveForEachHash` says.
  purposeOf: ({ metadata }) => metadata.uid ?? '',
  // Ids that AWS draws, how often it was asked, when, and what it counts.
  madeOfUids:
    /\bZ[A-Z0-9]{12,}\b|(?<=\/change\/|"changeId":")C[A-Z0-9]+|\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b|(?<="serial":")[0-9a-f:]+|(?<="acm.ops.example.dev\/revision":")\d+|(?<="revision":)\d+|(?<="acm.ops.example.dev\/reconcile-attempts-in-state":")\d+/g,
  isWanted: (claim, external) => isServed(claim as Cert, external),
  waitsMsMax: { begun: pacedMs, fresh: pacedMs, retry: pacedMs, drift: 60_000 },
  readsAtRestPerMinute: world => 8 + claimsOf(world).length * ((4 * 60_000) / (readyMs * 0.9)) * 6,
  finalizer,
  leaseMs,
  reasons: [
    ...failureReasons,
    ...Object.keys(troubleReasons),
    'AllValidated',
    'AWSUnavailable',
    'CertificateInUse',
    'CertificateMissing',
    'Failed',
    'Idle',
    'InSync',
    'Issued',
    'NotBlocked',
    'NotDue',
    'PendingAutoRenewal',
    'Renewed',
    'Overdue',
    'PendingValidation',
    'RenewalFailed',
    'NotInUse',
    'NotIssued',
    'NotRequested',
    'NotStalled',
    'Pending',
    'Progressing',
    'ReplacementInProgress',
    'Requesting',
    'Resolved',
    'Submitting',
    'WaitingForDNS',
    'WaitingForIssuance',
  ],
  invariants: [
    { code: 'S1', check: oneLiveForEachHash },
    { code: 'S2', check: strangersStay },
    { code: 'S4', check: deletesWhatMayGo },
    { code: 'S9', check: readyMeansIssued },
    { code: 'S25', check: recordsStayWhileNeeded },
    { code: 'P2', check: recordsAreListedFirst },
    { code: 'S21', check: stateAndConditionsAgree },
  ],
  unfinished,
  settleMs: 14_400_000,
  settleStreamsMs: 7_200_000,
}

/** Follow from the emulator's seed and the calls below, so they are the same in every world. */
export let zoneId = ''
let givenArn = ''
/** Of the certificate of somebody else. */
export let strangersArn = ''

/** The zone, and a certificate of somebody else for a name that is asked for as well. */
async function prepare(aws: Aws): Promise<void> {
  const clients = adminClients(aws)
  const route53 = clients.for({ model: serviceModel('route53'), region })
  const { HostedZone } = await route53.call('CreateHostedZone', { Name: zoneName, CallerReference: 'zone' })
  zoneId = (HostedZone as { readonly Id: string }).Id.replace('/hostedzone/', '')
  const acm = clients.for({ model: serviceModel('acm'), region })
  const asked = await acm.call('RequestCertificate', { DomainName: fqdn('api-prod'), ValidationMethod: 'DNS' })
  strangersArn = String(asked['CertificateArn'])
}

/** One of somebody else, given to the Cert `taken` by its tags. */
async function prepareGiven(aws: Aws): Promise<void> {
  await prepare(aws)
  const Tags = [
    { Key: tagKeys.managedBy, Value: managedBy },
    { Key: tagKeys.namespace, Value: 'default' },
    { Key: tagKeys.name, Value: 'taken' },
  ]
  const acm = adminClients(aws).for({ model: serviceModel('acm'), region })
  const given = await acm.call('RequestCertificate', { DomainName: fqdn('taken-prod'), ValidationMethod: 'DNS', Tags })
  givenArn = String(given['CertificateArn'])
}

/** Names the certificate that was given to it: no other is asked for. */
function adopts(name: string, afterMs: number): Deed {
  const run = async (world: World): Promise<void> => {
    const { status } = await world.act('hub', 'POST', root, {
      apiVersion: certKind.apiVersion,
      kind: 'Cert',
      metadata: { namespace: 'default', name, annotations: { [annotations.adopt]: givenArn } },
      spec: { serviceName: name, environment: 'prod', rotation },
    })
    if (status === 409) world.parkDeed({ label: `adopt by ${name} again`, afterMs: 3_000, run })
  }
  return deed(`create Cert ${name}, which adopts`, `${root}/${name}`, afterMs, run)
}

const cloudOf = certificatesSubject.cloud

/** A Cert that takes over what is there, and wants another name later, beside one that asks for its own. */
export const adoptedCertificatesSubject: Subject = {
  ...certificatesSubject,
  name: 'certificates-adopted',
  ...(cloudOf === undefined ? {} : { cloud: { ...cloudOf, prepare: prepareGiven } }),
  script: [
    adopts('taken', 0),
    make('web', { rotation }, 1_000),
    whenReady('taken', change('taken', alternatives('second'), 60_000)),
  ],
  disturbances: [
    { ...change('taken', { spec: { tags: { team: 'a' } } }, undefined), fault: 'F18' },
    { ...change('taken', { metadata: { labels: { team: 'a' } } }, undefined), fault: 'F18' },
    { ...remove('taken', undefined), fault: 'F19' },
    { ...change('taken', { metadata: { finalizers: null } }, undefined), fault: 'F20' },
    { ...deed('somebody deletes the records of taken', undefined, undefined, deletesRecords('taken')), fault: 'F23' },
  ],
  unfinished: world => unfinished(world) ?? unadopted(world),
}

/** Its first certificate is the one that was given: what it asked for by itself came later, for both names. */
function unadopted(world: World): string | undefined {
  const other = world.effects.find(
    ({ by, before, after }) =>
      by !== 'user' && before === undefined && isCertificate(after) && namesOf(after).join() === fqdn('taken-prod'),
  )
  return other === undefined ? undefined : 'another certificate was asked for instead of the one that is there'
}

function isGiven({ metadata }: KubeObject): boolean {
  return metadata.labels?.[tagKeys.managedBy] === managedBy && metadata.labels[tagKeys.name] === 'taken'
}

function start(process: ProcessContext): Promise<void> {
  return startWith(process, {})
}

/** Publishing, policies and exports are chosen by whoever runs the operator, and how often is looked again. */
interface Chosen extends Pick<CertificatesOptions, 'publish' | 'exportNamespaces'> {
  readonly hasPolicies?: boolean
  readonly lookMs?: number
  /** Kept by whoever changes the configuration of a process that runs. */
  readonly zonesOf?: (own: Zones) => void
}

export function startWith(
  process: ProcessContext,
  { hasPolicies = false, lookMs = readyMs, zonesOf, ...chosen }: Chosen,
): Promise<void> {
  const { seams, cloud } = process
  if (cloud === undefined) throw new Error('this subject has a cloud')
  const zones = new Zones([{ name: zoneName, id: zoneId }])
  zonesOf?.(zones)
  const { transport, skewMs } = measuringTransport(inProcessTransport(cloud.exchange), seams.clock)
  const { controllers } = createCertificatesOperator({
    seams,
    clients: new AwsClients({
      credentials: staticCredentials(cloud.credentials),
      transport,
      clock: seams.clock,
      random: seams.random,
      triesMax: 1,
    }),
    region,
    skewMs,
    ...chosen,
    zones,
    settings: {
      hasPolicies,
      intervals: {
        pending: { baseMs: 5_000, maxMs: 60_000 },
        created: { baseMs: 3_000, maxMs: 30_000 },
        validatedMs: 5_000,
        readyMs: lookMs,
        failedMs: 60_000,
      },
    },
  })
  return runProbed(process, { controllers, lease: { namespace: 'default', name: 'certs' }, leaseMs, renewMs: 60_000 })
}

function roleOf({ kind, apiVersion, metadata }: KubeObject): ObjectRole {
  if (kind === 'Lease') return 'lease'
  if (kind === 'Event') return 'event'
  if (kind === 'Cert') return 'claim'
  // A stranger's certificate lives a life of its own, and records belong to whoever needs them.
  return apiVersion === 'aws/acm' && metadata.labels?.[tagKeys.uid] !== undefined ? 'external' : 'other'
}

/** By its mark. What a Cert leaves behind by its own word is nobody's claim any more, and may stay. */
export function ownerUidOf(object: KubeObject, world: World): string | undefined {
  const uid = object.metadata.labels?.[tagKeys.uid]
  if (uid === undefined) return isGiven(object) ? adopterUid(world) : undefined
  const claim = lastOf(world, uid)
  if (claim?.metadata.deletionTimestamp === undefined || claim.spec.deleteOnRemoval) return uid
  return world.chronicle.leave(uid)
}

/** The Cert that names what was given to it, by its own word. */
function adopterUid(world: World): string | undefined {
  return claimsOf(world).find(({ metadata }) => metadata.annotations?.[annotations.adopt] === givenArn)?.metadata.uid
}

interface Known {
  seen: number
  readonly claims: Map<string, Cert>
  /** What was said of records that stay. */
  readonly kept: Set<string>
}

const known = new WeakMap<World, Known>()

/** How a Cert looked last, also after it is gone. */
function lastOf(world: World, uid: string): Cert | undefined {
  return claimsOf(world).find(({ metadata }) => metadata.uid === uid) ?? knownOf(world).claims.get(uid)
}

function knownOf(world: World): Known {
  const memory = known.get(world) ?? { seen: 0, claims: new Map<string, Cert>(), kept: new Set<string>() }
  known.set(world, memory)
  for (; memory.seen < world.effects.length; memory.seen++) {
    const object = world.effects[memory.seen]?.after ?? world.effects[memory.seen]?.before
    if (object?.kind === 'Cert') memory.claims.set(object.metadata.uid ?? '', object as Cert)
    if (object?.kind === 'Event' && 'reason' in object && object.reason === 'ValidationRecordKept')
      memory.kept.add(String((object as { readonly message?: unknown }).message))
  }
  return memory
}

export const claimsOf = (world: World): readonly Cert[] =>
  [...world.objects()].filter(object => object.kind === 'Cert') as unknown as readonly Cert[]
export const certificatesOf = (world: World): readonly AwsObject[] =>
  [...world.objects(cloudName)].filter(({ kind }) => kind === 'Certificate') as unknown as readonly AwsObject[]
export const recordsOf = (world: World): readonly AwsObject[] =>
  [...world.objects(cloudName)].filter(({ kind }) => kind === 'RecordSet') as unknown as readonly AwsObject[]

export const arnOf = (id: string): string => `arn:aws:acm:${region}:${account}:certificate/${id}`
export const namesOf = ({ spec }: AwsObject): readonly string[] => [...(spec['names'] as readonly string[])].sort()
export const isLive = (certificate: AwsObject): boolean =>
  ['PENDING_VALIDATION', 'ISSUED'].includes(String(certificate.spec['status']))

export function isCertificate(object: KubeObject | undefined): object is AwsObject {
  return object?.kind === 'Certificate'
}

/** What is asked for twice with the same names is two certificates: the one before has to be gone, or replaced. */
function oneLiveForEachHash({ by, before, after }: Effect, world: World): string | undefined {
  if (by === 'user' || before !== undefined || !isCertificate(after)) return undefined
  const uid = after.metadata.labels?.[tagKeys.uid]
  const superseded = new Set((lastOf(world, uid ?? '')?.status?.supersededCertificates ?? []).map(({ arn }) => arn))
  const hashOf = (certificate: AwsObject): string => `${namesOf(certificate).join()} ${String(certificate.spec['keyAlgorithm'])}`
  const other = certificatesOf(world).find(
    each =>
      each.metadata.uid !== after.metadata.uid &&
      each.metadata.labels?.[tagKeys.uid] === uid &&
      isLive(each) &&
      hashOf(each) === hashOf(after) &&
      !superseded.has(arnOf(each.metadata.name ?? '')),
  )
  return other === undefined
    ? undefined
    : `a second certificate for ${hashOf(after)}: ${after.metadata.name} beside ${other.metadata.name}`
}

/** A certificate without our mark is neither deleted nor tagged, but for one that was given. */
function strangersStay({ by, before, after }: Effect): string | undefined {
  if (by === 'user' || !isCertificate(before) || before.metadata.labels?.[tagKeys.uid] !== undefined) return undefined
  const isTouched = !isCertificate(after) || (after.metadata.labels?.[tagKeys.uid] !== undefined && !isGiven(before))
  return isTouched ? `${by} touches the certificate ${before.metadata.name}, which carries no mark of ours` : undefined
}

/** Deleted is what a Cert that goes away takes with it, and what never became its certificate. */
function deletesWhatMayGo({ by, before, after }: Effect, world: World): string | undefined {
  if (by === 'user' || !isCertificate(before) || after !== undefined) return undefined
  const claim = lastOf(world, before.metadata.labels?.[tagKeys.uid] ?? '')
  if (claim === undefined) return `${by} deletes ${before.metadata.name}, whose Cert never was`
  if (claim.metadata.deletionTimestamp !== undefined)
    return claim.spec.deleteOnRemoval ? undefined : `${by} deletes ${before.metadata.name}, which was to stay`
  return isServed(claim, before) ? `${by} deletes ${before.metadata.name}, the certificate of ${claim.metadata.name}` : undefined
}

/** What a Cert gives to whoever serves by it. */
function isServed({ metadata, status }: Cert, certificate: KubeObject): boolean {
  const isCurrent = status?.certReady === true && status.certificateArn === arnOf(certificate.metadata.name ?? '')
  return isCurrent && metadata.deletionTimestamp === undefined
}

/** S9: what a process says is ready was issued when that was read. What a hand wiped of a status stands there until the next one is written. */
export function readyMeansIssued({ by, after, subresource }: Effect, world: World): string | undefined {
  if (by === 'user' || after?.kind !== 'Cert' || subresource !== 'status') return undefined
  const { certReady, certificateArn } = (after as Cert).status ?? {}
  if (certReady !== true) return undefined
  const id = certificateArn?.split('/').at(-1)
  const wasIssued = world.effects.some(
    ({ after: each }) => isCertificate(each) && each.metadata.name === id && each.spec['status'] === 'ISSUED',
  )
  return wasIssued ? undefined : `${after.metadata.name} is ready with ${certificateArn}, which never was issued`
}

/** The name that a validation record proves. */
export const baseOf = (record: AwsObject): string =>
  String(record.spec['Name'])
    .replace(/^[^.]+\./, '')
    .replace(/\.$/, '')
export const covers = (certificate: AwsObject, base: string): boolean =>
  namesOf(certificate).some(name => name.replace(/^\*\./, '') === base)
export const isValidation = ({ spec }: AwsObject): boolean =>
  JSON.stringify(spec['ResourceRecords']).includes('.acm-validations.aws')

/** A record stays as long as any certificate of the account asks for it, whoever's it is. */
function recordsStayWhileNeeded({ by, before, after, sentAtMs }: Effect, world: World): string | undefined {
  if (by === 'user' || before?.kind !== 'RecordSet' || after !== undefined) return undefined
  const base = baseOf(before as unknown as AwsObject)
  const user = certificatesOf(world).find(each => isLive(each) && covers(each, base) && !isNewborn(each, sentAtMs, world))
  return user === undefined ? undefined : `${by} deletes the record of ${base}, which ${user.metadata.name} needs`
}

/** P2: what is written into a zone stands in the status of a Cert before that. */
function recordsAreListedFirst({ by, before, after }: Effect, world: World): string | undefined {
  if (by === 'user' || before !== undefined || after?.kind !== 'RecordSet') return undefined
  const name = String((after as unknown as AwsObject).spec['Name']).replace(/\.$/, '')
  const lists = ({ status }: Cert): boolean => status?.validationRecords?.some(each => each.name === name) === true
  const isListed = [...claimsOf(world), ...knownOf(world).claims.values()].some(lists)
  return isListed ? undefined : `${by} writes the record ${name}, which no Cert lists`
}

/** What was asked for at the same moment could not be listed yet; its own Cert writes the record again. */
const newbornMs = 60_000
function isNewborn({ metadata }: AwsObject, atMs: number, world: World): boolean {
  const birth = world.effects.find(({ before, after }) => before === undefined && after?.metadata.uid === metadata.uid)
  return birth !== undefined && birth.by !== 'user' && atMs - birth.sentAtMs < newbornMs
}

export function conditionOf(cert: Cert, type: string): StoredCondition | undefined {
  return cert.status?.conditions?.find(each => each.type === type)
}

/** The state, which programs read, and the conditions, which people read, tell one story. */
function stateAndConditionsAgree({ by, after, subresource }: Effect): string | undefined {
  if (by === 'user' || after?.kind !== 'Cert' || subresource !== 'status') return undefined
  const cert = after as Cert
  const { state, certReady } = cert.status ?? {}
  const is = (type: string): boolean => conditionOf(cert, type)?.status === 'True'
  const wrong =
    (is('Ready') && (state !== 'Ready' || certReady !== true) && 'Ready=True') ||
    (cert.metadata.deletionTimestamp === undefined &&
      is('Stalled') !== (state === 'Failed') &&
      `Stalled=${String(is('Stalled'))}`) ||
    (is('Ready') && is('Reconciling') && 'Ready=True and Reconciling=True')
  return wrong === false
    ? undefined
    : `${cert.metadata.name} is in state ${state}, certReady ${String(certReady)}, and says ${wrong}`
}

export function unfinished(world: World): string | undefined {
  for (const claim of claimsOf(world)) {
    const { name, uid, deletionTimestamp } = claim.metadata
    if (deletionTimestamp !== undefined) return `${name} is still terminating`
    const { state, certificateArn, certReady, supersededCertificates = [] } = claim.status ?? {}
    if (supersededCertificates.length > 0) return `${name} still lists what was replaced`
    if (state !== 'Ready' || certReady !== true) return `${name} is ${state}: ${claim.status?.message}`
    const made = certificatesOf(world).find(each => arnOf(each.metadata.name ?? '') === certificateArn)
    if (made === undefined) return `${name} has no certificate in ACM`
    if (made.spec['status'] !== 'ISSUED') return `the certificate of ${name} is ${String(made.spec['status'])}`
    const wanted = [...new Set([fqdn(`${name}-prod`), ...(claim.spec.subjectAlternativeNames ?? [])])].sort()
    if (wanted.join() !== namesOf(made).join()) return `${name} has ${namesOf(made).join()} instead of ${wanted.join()}`
    if (made.metadata.labels?.[tagKeys.uid] !== uid) return `the certificate of ${name} is marked for another object`
  }
  return leftover(world)
}

function leftover(world: World): string | undefined {
  for (const certificate of certificatesOf(world)) {
    const owner = ownerUidOf(certificate, world)
    if (owner === undefined || world.released.has(owner)) continue
    const claim = claimsOf(world).find(({ metadata }) => metadata.uid === owner)
    const { certificateArn, pendingCertificateArn, supersededCertificates = [] } = claim?.status ?? {}
    const listed = [certificateArn, pendingCertificateArn, ...supersededCertificates.map(({ arn }) => arn)]
    if (!listed.includes(arnOf(certificate.metadata.name ?? '')))
      return `certificate ${certificate.metadata.name} of ${claim?.metadata.name ?? 'nobody'} is one too many`
  }
  for (const record of recordsOf(world).filter(each => isValidation(each) && !isTakenOver(each))) {
    // Those of names that a Cert had once go with it.
    // Whoever took the finalizer off by hand has them now (F20).
    const isListed = [...claimsOf(world), ...releasedOf(world)].some(({ status }) =>
      status?.validationRecords?.some(({ name }) => record.spec['Name'] === `${name}.`),
    )
    if (isListed || isSaidToStay(record, world) || certificatesOf(world).some(each => covers(each, baseOf(record)))) continue
    return `the record of ${baseOf(record)} proves no certificate`
  }
  return undefined
}

/** Where a denied list (F21) kept anybody from telling whether another certificate needs it, it stays, and that is said. */
export function isSaidToStay(record: AwsObject, world: World): boolean {
  const name = String(record.spec['Name']).replace(/\.$/, '')
  return world.counts.faults.has('F21') && [...knownOf(world).kept].some(said => said.includes(` ${name} `))
}

function releasedOf(world: World): readonly Cert[] {
  return [...knownOf(world).claims].filter(([uid]) => world.released.has(uid)).map(([, cert]) => cert)
}

export function deletesCertificate(name: string): Deed['run'] {
  return async world => {
    const arn = claimsOf(world).find(({ metadata }) => metadata.name === name)?.status?.certificateArn
    if (arn === undefined) return
    await world
      .actInCloud({ service: 'acm', operation: 'DeleteCertificate', input: { CertificateArn: arn }, region })
      .catch(() => undefined)
  }
}

function changesRecords(name: string, changeOf: (record: AwsObject) => object): Deed['run'] {
  return async world => {
    for (const record of recordsOf(world).filter(each => isValidation(each) && baseOf(each) === fqdn(`${name}-prod`)))
      await world
        .actInCloud({
          service: 'route53',
          operation: 'ChangeResourceRecordSets',
          input: { HostedZoneId: zoneId, ChangeBatch: { Changes: [changeOf(record)] } },
          region,
        })
        .catch(() => undefined)
  }
}

export function deletesRecords(name: string): Deed['run'] {
  return changesRecords(name, ({ spec }) => ({ Action: 'DELETE', ResourceRecordSet: spec }))
}

/** Another value than ours says that somebody needs it: such a record stays when its Cert goes. */
export function isTakenOver({ spec }: AwsObject): boolean {
  return JSON.stringify(spec['ResourceRecords']).includes(oldValue)
}

function writesOldValue(name: string): Deed['run'] {
  const ResourceRecords = [{ Value: oldValue }]
  return changesRecords(name, ({ spec }) => ({ Action: 'UPSERT', ResourceRecordSet: { ...spec, ResourceRecords } }))
}
