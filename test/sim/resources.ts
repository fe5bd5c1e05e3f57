// Kinds of AWS resources in the simulator, with the emulator as AWS: what is made, changed and removed by users, while calls to AWS and to
// the API server are parked, lost, refused and answered late, and people meddle with both. Two subjects, so that each trace stays short
// enough to try every fault at every step of it: what stands on IAM, and what is data and names.
import { serviceModel } from '#aws'
import { given } from '#base'
import type { Aws } from '#emulator'
import type { KubeObject, StoredCondition } from '#kube'
import { ownerTag, type Resource, shippedService } from '#operators/resources'
import { troubleReasons } from '#runtime'
import { cloudName, type Deed, type Effect, type ObjectRole, type ProcessContext, type Subject, type World } from '#simulator'
import { makeEksCluster } from '../../src/operators/identity/testing/life.ts'
import { reasons } from '../../src/operators/resources/errors.ts'
import { adminClients } from './aws/clients.ts'
import { countIn } from './aws/counts.ts'
import { type AwsObject, awsObjects } from './aws/objects.ts'
import { creates, deed, edits, removes } from './deeds.ts'
import { account, leaseMs, region, runResources } from './run-resources.ts'

/** Ten hours in production; less here, so that a run sees what people changed by hand put right. */
const resyncSeconds = 1_800
const readOnly = 'arn:aws:iam::aws:policy/ReadOnlyAccess'
const other = 'arn:aws:iam::aws:policy/AmazonS3ReadOnlyAccess'

type ServiceName = 'iam' | 'eks' | 's3' | 'acm' | 'route53'

interface KindOf {
  readonly service: ServiceName
  readonly plural: string
  /** Reads of AWS that one look takes. */
  readonly reads: number
}

const kinds: Readonly<Record<string, KindOf>> = {
  Role: { service: 'iam', plural: 'roles', reads: 6 },
  Policy: { service: 'iam', plural: 'policies', reads: 2 },
  OpenIDConnectProvider: { service: 'iam', plural: 'openidconnectproviders', reads: 2 },
  PodIdentityAssociation: { service: 'eks', plural: 'podidentityassociations', reads: 2 },
  Bucket: { service: 's3', plural: 'buckets', reads: 26 },
  Certificate: { service: 'acm', plural: 'certificates', reads: 2 },
  HostedZone: { service: 'route53', plural: 'hostedzones', reads: 2 },
  RecordSet: { service: 'route53', plural: 'recordsets', reads: 3 },
}

/** How AWS's own things are called, where that is another name than the kind's. */
const inAws: Readonly<Record<string, string>> = { OpenIDConnectProvider: 'OidcProvider' }

export const conditionReasons: readonly string[] = [
  'ACK.Recoverable',
  'ACK.Terminal',
  'Adopted',
  'Blocked',
  'Creating',
  'DelayedLateInitialization',
  'Intended',
  'Deleting',
  'LateInitialized',
  'Made',
  'NotSynced',
  'OnlyRead',
  'NotTakenOut',
  'PersistentDiff',
  'Progressing',
  'Resolved',
  'Synced',
]

const trust = JSON.stringify({
  Version: '2012-10-17',
  Statement: [
    { Effect: 'Allow', Principal: { Service: 'pods.eks.amazonaws.com' }, Action: ['sts:AssumeRole', 'sts:TagSession'] },
  ],
})

function documentOf(action: string): string {
  return JSON.stringify({ Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action: action, Resource: '*' }] })
}

function pathOf(kind: string, name?: string): string {
  const { service, plural } = kinds[kind] as KindOf
  const root = `/apis/${service}.services.k8s.aws/v1alpha1/namespaces/default/${plural}`
  return name === undefined ? root : `${root}/${name}`
}

function make(kind: string, name: string, spec: object, afterMs: number): Deed {
  const apiVersion = `${(kinds[kind] as KindOf).service}.services.k8s.aws/v1alpha1`
  const body = { apiVersion, kind, metadata: { namespace: 'default', name }, spec }
  return creates(`create ${kind} ${name}`, { path: pathOf(kind) }, body, afterMs)
}

function change(kind: string, name: string, patch: object, afterMs: number | undefined): Deed {
  return edits(`change ${kind} ${name} ${JSON.stringify(patch)}`, { path: pathOf(kind, name) }, patch, afterMs)
}

function remove(kind: string, name: string, afterMs: number | undefined): Deed {
  return removes(`delete ${kind} ${name}`, { path: pathOf(kind, name) }, afterMs)
}

/** IAM keeps a policy that a role has. Whoever deletes it is told that it is in use, and takes it off the role. */
function takesOff({ after }: Effect, world: World): void {
  if (after?.kind !== 'Policy' || after.metadata.deletionTimestamp === undefined) return
  if ((after as Resource).status?.conditions?.some(({ reason }) => reason === 'InUse') !== true) return
  const off = change('Role', 'reader', { spec: { policyRefs: null } }, 10_000)
  world.parkDeed({ label: 'take the policy off the role', afterMs: 10_000, run: off.run })
}

/** Somebody with rights in the account; what is not there cannot be changed. */
function inCloud(label: string, service: ServiceName, operation: string, inputOf: (world: World) => object | undefined): Deed {
  return deed(label, undefined, undefined, async world => {
    const input = inputOf(world)
    if (input !== undefined)
      await world.actInCloud({ service, operation, region, input: { ...input } }).catch((error: unknown) => error)
  })
}

const role = (name: string, more: object): object => ({ name, assumeRolePolicyDocument: trust, ...more })

export const iamResourcesSubject: Subject = subjectOf({
  name: 'resources-iam',
  kinds: ['Role', 'Policy', 'OpenIDConnectProvider', 'PodIdentityAssociation'],
  react: takesOff,
  script: [
    { ...make('Policy', 'read', { name: 'read', policyDocument: documentOf('s3:*') }, 0), creates: true },
    {
      ...make('Role', 'reader', role('reader', { policyRefs: [{ from: { name: 'read' } }], description: 'one' }), 0),
      creates: true,
    },
    make(
      'OpenIDConnectProvider',
      'issuer',
      { url: 'https://issuer.example.com', clientIDs: ['a'], thumbprints: ['a'.repeat(40)] },
      1_000,
    ),
    make('Role', 'brief', role('brief', { policies: [readOnly] }), 2_000),
    change('Role', 'reader', { spec: { description: 'two', tags: [{ key: 'team', value: 'blue' }] } }, 5_000),
    change('Policy', 'read', { spec: { policyDocument: documentOf('s3:Get*') } }, 7_000),
    make(
      'PodIdentityAssociation',
      'app',
      { clusterName: 'prod', namespace: 'team', serviceAccount: 'app', roleRef: { from: { name: 'reader' } } },
      8_000,
    ),
    remove('Role', 'brief', 10_000),
    make('Role', 'brief', role('brief', { policies: [other], inlinePolicies: { own: documentOf('s3:List*') } }), 14_000),
    change('OpenIDConnectProvider', 'issuer', { spec: { clientIDs: ['b'] } }, 16_000),
    change('PodIdentityAssociation', 'app', { spec: { tags: { team: 'blue' } } }, 18_000),
    remove('OpenIDConnectProvider', 'issuer', 22_000),
    remove('PodIdentityAssociation', 'app', 24_000),
  ],
  disturbances: [
    { ...change('Role', 'reader', { metadata: { labels: { team: 'a' } } }, undefined), fault: 'F18' },
    {
      ...change('Role', 'brief', { metadata: { annotations: { 'services.k8s.aws/create-intent': null } } }, undefined),
      fault: 'F18',
    },
    { ...change('Role', 'reader', { spec: { maxSessionDuration: 7_200 } }, undefined), fault: 'F18' },
    { ...remove('Role', 'reader', undefined), fault: 'F19' },
    { ...remove('Policy', 'read', undefined), fault: 'F19' },
    { ...change('Role', 'brief', { metadata: { finalizers: null } }, undefined), fault: 'F20' },
    ...[
      inCloud('somebody describes a role', 'iam', 'UpdateRole', () => ({ RoleName: 'reader', Description: 'by hand' })),
      inCloud('somebody tags a role', 'iam', 'TagRole', () => ({ RoleName: 'brief', Tags: [{ Key: 'mine', Value: 'a' }] })),
      inCloud('somebody attaches to a role', 'iam', 'AttachRolePolicy', () => ({ RoleName: 'reader', PolicyArn: other })),
      inCloud('somebody deletes a provider', 'iam', 'DeleteOpenIDConnectProvider', () => ({
        OpenIDConnectProviderArn: `arn:aws:iam::${account}:oidc-provider/issuer.example.com`,
      })),
    ].map(each => ({ ...each, fault: 'F23' as const })),
    { ...takesRoleName('brief'), fault: 'F24' },
  ],
  prepare: async aws => makeEksCluster(service => adminClients(aws).for({ model: serviceModel(service), region })),
})

export const dataResourcesSubject: Subject = subjectOf({
  name: 'resources-data',
  kinds: ['Bucket', 'HostedZone', 'RecordSet', 'Certificate'],
  script: [
    {
      ...make(
        'Bucket',
        'data',
        { name: 'data-1b2c', versioning: { status: 'Enabled' }, tagging: { tagSet: [{ key: 'a', value: 'b' }] } },
        0,
      ),
      creates: true,
    },
    { ...make('HostedZone', 'zone', { name: 'example.com.', tags: [{ key: 'a', value: 'b' }] }, 0), creates: true },
    make('Certificate', 'web', { domainName: 'www.example.com', subjectAlternativeNames: ['api.example.com'] }, 1_000),
    make('RecordSet', 'www', recordOf('www', '10.0.0.1'), 2_000),
    change('HostedZone', 'zone', { spec: { hostedZoneConfig: { comment: 'changed' } } }, 6_000),
    change('RecordSet', 'www', { spec: { ttl: 120 } }, 8_000),
    change('Bucket', 'data', { spec: { versioning: { status: 'Suspended' }, tagging: null } }, 10_000),
    change('Certificate', 'web', { spec: { tags: [{ key: 'team', value: 'blue' }] } }, 12_000),
    remove('RecordSet', 'www', 15_000),
    remove('Certificate', 'web', 16_000),
    make('RecordSet', 'www', recordOf('www', '10.0.0.2'), 20_000),
    make('Certificate', 'web', { domainName: 'www.example.com' }, 22_000),
    remove('Bucket', 'data', 26_000),
  ],
  disturbances: [
    { ...change('Bucket', 'data', { metadata: { labels: { team: 'a' } } }, undefined), fault: 'F18' },
    { ...change('HostedZone', 'zone', { metadata: { annotations: { note: 'a' } } }, undefined), fault: 'F18' },
    { ...change('Certificate', 'web', { spec: { tags: [{ key: 'team', value: 'red' }] } }, undefined), fault: 'F18' },
    { ...remove('Certificate', 'web', undefined), fault: 'F19' },
    { ...remove('RecordSet', 'www', undefined), fault: 'F19' },
    { ...change('Certificate', 'web', { metadata: { finalizers: null } }, undefined), fault: 'F20' },
    ...[
      inCloud('somebody comments a zone', 'route53', 'UpdateHostedZoneComment', world => {
        const zone = [...world.objects(cloudName)].find(({ kind }) => kind === 'HostedZone')
        return zone === undefined ? undefined : { Id: zone.metadata.name, Comment: 'by hand' }
      }),
      inCloud('somebody enables versions', 's3', 'PutBucketVersioning', () => ({
        Bucket: 'data-1b2c',
        VersioningConfiguration: { Status: 'Enabled' },
      })),
    ].map(each => ({ ...each, fault: 'F23' as const })),
  ],
  // Every other list of buckets leaves one out.
  prepare: aws => {
    const match = { service: 's3', operation: 'ListBuckets', probability: 0.5 }
    aws.faults.add({ match, effect: { kind: 'partial-list' } })
    return Promise.resolve()
  },
})

function recordOf(name: string, address: string): object {
  const resourceRecords = [{ value: address }]
  return { name, recordType: 'A', ttl: 60, resourceRecords, hostedZoneRef: { from: { name: 'zone' } } }
}

/** Somebody takes a name as soon as it is free, and gives it back a while later (B23). */
function takesRoleName(name: string): Deed {
  const call = (world: World, operation: string, input: object): Promise<unknown> =>
    world.actInCloud({ service: 'iam', operation, region, input: { ...input } }).catch((error: unknown) => error)
  const held = (world: World): AwsObject | undefined =>
    awsOf(world).find(each => each.kind === 'Role' && each.metadata.name === name)
  return deed(`a stranger takes the name ${name}`, undefined, undefined, async world => {
    if (held(world) !== undefined) return
    await call(world, 'CreateRole', { RoleName: name, AssumeRolePolicyDocument: trust })
    world.parkDeed({
      label: `the stranger gives ${name} back`,
      afterMs: 30_000,
      run: async later => {
        if (held(later)?.metadata.labels?.[ownerTag] === undefined) await call(later, 'DeleteRole', { RoleName: name })
      },
    })
  })
}

interface Parts {
  readonly name: string
  readonly kinds: readonly string[]
  readonly script: readonly Deed[]
  readonly disturbances: Subject['disturbances']
  readonly prepare?: (aws: Aws) => Promise<void>
  readonly react?: Subject['react']
}

function subjectOf({ name, kinds: served, script, disturbances, prepare, react }: Parts): Subject {
  const services = [...new Set(served.map(kind => (kinds[kind] as KindOf).service))]
  const wanted = new Set(
    served.map(kind => `${(kinds[kind] as KindOf).plural}.${(kinds[kind] as KindOf).service}.services.k8s.aws`),
  )
  return {
    name,
    servers: ['hub'],
    cloud: {
      options: { accounts: [account], region },
      look: awsObjects,
      ...given({ prepare }),
    },
    objects: () =>
      services.flatMap(service => shippedService(service).crds.filter(({ metadata }) => wanted.has(metadata.name ?? ''))),
    replicas: 2,
    start: process => start(process, services, served),
    script,
    disturbances,
    ...given({ react }),
    roleOf,
    ownerUidOf,
    purposeOf: ({ kind, metadata }) => (kind === 'RecordSet' ? (metadata.name ?? '') : kind),
    // Ids that AWS draws, and counts that are as old as the last look.
    madeOfUids:
      /\b(?:AROA|ANPA)[A-Z0-9]{16,}|\bZ[A-Z0-9]{12,}\b|(?<=\/change\/)C[A-Z0-9]+|\ba-[a-z0-9]{16,}\b|ns-\d+\.awsdns-\d+\.[a-z.]+|_[0-9a-f]{32}|\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b|(?<="(?:attachmentCount|resourceRecordSetCount|defaultVersionID)":)(?:\d+|"v\d+")/g,
    isWanted: claim => claim.metadata.deletionTimestamp === undefined,
    readsAtRestPerMinute: readsAtRest,
    finalizer: finalizerOf,
    observesGeneration: false,
    leaseMs,
    reasons: [...Object.keys(reasons), ...Object.keys(troubleReasons), ...conditionReasons],
    invariants: [
      { code: 'S8', check: readyMeansMade },
      { code: 'S2', check: strangersStay },
      { code: 'S26', check: absenceIsConfirmed },
    ],
    unfinished,
    outOfDate,
    settleMs: 5_400_000,
    settleStreamsMs: 300_000,
  }
}

function start(process: ProcessContext, services: readonly string[], served: readonly string[]): Promise<void> {
  const resyncSecondsOf = { Certificate: resyncSeconds }
  return runResources(process, { services, kinds: served, resyncSeconds, resyncSecondsOf, fieldExport: false })
}

function roleOf({ kind, apiVersion, metadata }: KubeObject): ObjectRole {
  if (kind === 'Lease') return 'lease'
  if (kind === 'Event') return 'event'
  if (apiVersion.includes('.services.k8s.aws/')) return 'claim'
  return apiVersion.startsWith('aws/') && metadata.name !== 'control-plane' ? 'external' : 'other'
}

function finalizerOf({ kind }: KubeObject): string {
  return `finalizers.${(kinds[kind] as KindOf | undefined)?.service ?? 'iam'}.services.k8s.aws/${kind}`
}

/** By its mark; zones by the reference that their create call carried, and buckets by whom they were made, since both are tagged later; records,
 * which bear no mark, by their name. */
function ownerUidOf(external: KubeObject, world: World): string | undefined {
  const mark = external.metadata.labels?.[ownerTag]
  if (mark !== undefined) return mark
  const { spec } = external as AwsObject
  if (external.kind === 'HostedZone')
    return claimEver(world, 'HostedZone', ({ metadata }) => {
      const [token] = metadata.annotations?.['services.k8s.aws/create-intent']?.split(' ') ?? []
      return token !== undefined && String(spec['callerReference']).includes(token)
    })
  if (external.kind === 'Bucket' && isMadeByUs(world, external))
    return claimEver(world, 'Bucket', claim => claim.spec?.['name'] === external.metadata.name)
  if (external.kind === 'RecordSet')
    return claimEver(world, 'RecordSet', claim => spec['Name'] === `${String(claim.spec?.['name'])}.example.com.`)
  return undefined
}

/** A bucket is tagged after it was made. */
function isMadeByUs(world: World, { kind, metadata }: KubeObject): boolean {
  const birth = world.effects.find(
    ({ server, before, after }) =>
      server === cloudName && before === undefined && after?.kind === kind && after.metadata.uid === metadata.uid,
  )
  return birth !== undefined && birth.by !== 'user'
}

/** The uid of the newest claim that ever looked so. */
function claimEver(world: World, kind: string, fits: (claim: Resource) => boolean): string | undefined {
  return world.effects.findLast(({ after }) => after?.kind === kind && roleOf(after) === 'claim' && fits(after as Resource))
    ?.after?.metadata.uid
}

const claimsOf = (world: World): readonly Resource[] =>
  [...world.objects()].filter(object => roleOf(object) === 'claim') as unknown as readonly Resource[]
const awsOf = (world: World): readonly AwsObject[] =>
  [...world.objects(cloudName)].filter(object => roleOf(object) === 'external') as unknown as readonly AwsObject[]

function madeFor(world: World, claim: Resource): readonly AwsObject[] {
  const kind = inAws[claim.kind] ?? claim.kind
  return awsOf(world).filter(object => object.kind === kind && ownerUidOf(object, world) === claim.metadata.uid)
}

function readyOf(claim: Resource): StoredCondition | undefined {
  return claim.status?.conditions?.find(({ type }) => type === 'Ready')
}

/** S8 for kinds without observedGeneration: who says Ready=True has something in AWS, or had it when that was read. */
function readyMeansMade({ by, after, before }: Effect, world: World): string | undefined {
  if (after === undefined || by === 'user' || roleOf(after) !== 'claim') return undefined
  const claim = after as Resource
  if (readyOf(claim)?.status !== 'True' || (before !== undefined && readyOf(before as Resource)?.status === 'True'))
    return undefined
  const kind = inAws[claim.kind] ?? claim.kind
  const wasMade = world.effects.some(
    ({ after: object, server }) =>
      server === cloudName && object?.kind === kind && ownerUidOf(object, world) === claim.metadata.uid,
  )
  return wasMade ? undefined : `${claim.kind} ${claim.metadata.name} is Ready, and nothing was ever made for it`
}

/** Nothing is let go of, and nothing made a second time, while what was made is there: lists that leave it out do not decide (S26). */
function absenceIsConfirmed({ by, before, after, server }: Effect, world: World): string | undefined {
  if (by === 'user') return undefined
  if (server === cloudName) return isMadeTwice(before, after, world)
  if (before === undefined || roleOf(before) !== 'claim' || world.released.has(before.metadata.uid ?? '')) return undefined
  const isHeld = (object: KubeObject | undefined): boolean => object?.metadata.finalizers?.includes(finalizerOf(before)) === true
  if (!isHeld(before) || isHeld(after)) return undefined
  const [left] = madeFor(world, before as Resource)
  return left === undefined
    ? undefined
    : `${by} lets go of ${before.kind} ${before.metadata.name} while ${left.metadata.name} is there`
}

function isMadeTwice(before: KubeObject | undefined, after: KubeObject | undefined, world: World): string | undefined {
  const owner = before === undefined && after !== undefined ? ownerUidOf(after, world) : undefined
  const same = awsOf(world).filter(object => object.kind === after?.kind && ownerUidOf(object, world) === owner)
  return owner === undefined || same.length < 2 ? undefined : `${after?.kind} ${after?.metadata.name} is made a second time`
}

/** A tag that somebody gave to a resource of ours is theirs to take back. */
function strangersStay({ by, before, after }: Effect): string | undefined {
  if (by === 'user' || before === undefined || after !== undefined) return undefined
  if (roleOf(before) !== 'external' || before.kind === 'RecordSet' || before.kind === 'HostedZone' || before.kind === 'Bucket')
    return undefined
  return before.metadata.labels?.[ownerTag] === undefined
    ? `${by} deletes ${before.kind} ${before.metadata.name}, which carries no mark of ours`
    : undefined
}

function unfinished(world: World): string | undefined {
  for (const claim of claimsOf(world)) {
    const name = `${claim.kind} ${claim.metadata.name}`
    if (claim.metadata.deletionTimestamp !== undefined) return `${name} is still terminating`
    const ready = readyOf(claim)
    if (ready?.status !== (canBeReady(world, claim) ? 'True' : 'False'))
      return `${name} says Ready=${ready?.status}/${ready?.reason}: ${ready?.message}`
    if (ready.status !== 'True') continue
    const [made, ...more] = madeFor(world, claim)
    if (made === undefined) return `${name} has nothing in AWS`
    if (more.length > 0) return `${name} has ${1 + more.length} in AWS`
    const wrong = differs(world, claim, made)
    if (wrong !== undefined) return `${name} ${wrong}`
  }
  for (const object of awsOf(world)) {
    const owner = ownerUidOf(object, world)
    if (owner === undefined || world.released.has(owner)) continue
    if (!claimsOf(world).some(({ metadata }) => metadata.uid === owner))
      return `${object.kind} ${object.metadata.name} is one too many`
  }
  return undefined
}

/** A count that changed since the last look is told at the next one: nobody says that it changed. */
function outOfDate(world: World): string | undefined {
  for (const claim of claimsOf(world)) {
    const [made] = madeFor(world, claim)
    const count = made === undefined ? undefined : countIn(awsOf(world), made)
    if (count === undefined || readyOf(claim)?.status !== 'True') continue
    const told = claim.status?.[count.field]
    if (told !== count.is)
      return `${claim.kind} ${claim.metadata.name} tells ${String(told)} as ${count.field}, which is ${count.is}`
  }
  return undefined
}

/** What refers to an object that somebody deleted waits for it. */
function canBeReady(world: World, { spec = {} }: Resource): boolean {
  const exists = (kind: string, reference: unknown): boolean => {
    const name = (reference as { readonly from?: { readonly name?: string } } | undefined)?.from?.name
    if (name === undefined) return true
    const target = claimsOf(world).find(claim => claim.kind === kind && claim.metadata.name === name)
    return target !== undefined && canBeReady(world, target)
  }
  const policies = (spec['policyRefs'] ?? []) as readonly unknown[]
  return (
    policies.every(each => exists('Policy', each)) &&
    exists('Role', spec['roleRef']) &&
    exists('HostedZone', spec['hostedZoneRef'])
  )
}

function differs(world: World, { kind, spec = {} }: Resource, made: AwsObject): string | undefined {
  const is = (what: string, wanted: unknown, held: unknown): string | undefined =>
    JSON.stringify(wanted) === JSON.stringify(held)
      ? undefined
      : `has ${what} ${JSON.stringify(held)} instead of ${JSON.stringify(wanted)}`
  switch (kind) {
    case 'Role': {
      const policy = awsOf(world).find(each => each.kind === 'Policy')
      const referred = spec['policyRefs'] === undefined ? [] : [policy?.metadata.uid && `arn:aws:iam::${account}:policy/read`]
      return (
        is('attached', [...((spec['policies'] ?? []) as string[]), ...referred], made.spec['attached']) ??
        is('a description', spec['description'], made.spec['description'])
      )
    }
    case 'Policy':
      return is('a document', spec['policyDocument'], made.spec['document'])
    case 'OpenIDConnectProvider':
      return is('clients', spec['clientIDs'], made.spec['clientIds'])
    case 'Bucket':
      return is('versions', (spec['versioning'] as { status: string }).status, made.spec['versioning'])
    case 'HostedZone':
      return is('a comment', (spec['hostedZoneConfig'] as { comment?: string } | undefined)?.comment, made.spec['comment'])
    case 'RecordSet':
      return is('a TTL', spec['ttl'], made.spec['TTL'])
    default: {
      const tags = Array.isArray(spec['tags'])
        ? Object.fromEntries((spec['tags'] as { key: string; value: string }[]).map(({ key, value }) => [key, value]))
        : ((spec['tags'] ?? {}) as Record<string, string>)
      const missing = Object.entries(tags).find(([key, value]) => made.metadata.labels?.[key] !== value)
      return missing === undefined ? undefined : `lacks the tag ${missing.join('=')}`
    }
  }
}

/** Each claim is looked at once a resync period, by a clock that may be twice as fast; whoever waits, twice a minute. */
function readsAtRest(world: World): number {
  const looksPerMinute = (claim: Resource): number => (readyOf(claim)?.status !== 'True' ? 4 : (2 * 60) / (resyncSeconds * 0.9))
  return claimsOf(world).reduce((sum, claim) => sum + looksPerMinute(claim) * (kinds[claim.kind] as KindOf).reads, 4)
}
