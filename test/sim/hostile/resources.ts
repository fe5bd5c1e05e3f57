// Resources of AWS beside a hostile tenant: two others have a role with a policy, a provider, a bucket with something in it and a record, all
// at rest, and Secrets and a mapping of roles. Whatever the tenant makes, forges, exports and deletes, none of it changes.
import { findCondition, type KubeObject, type StoredCondition } from '#kube'
import { type Resource, resourceCrds, shippedService } from '#operators/resources'
import { cloudName, type Deed, type ProcessContext, type Subject, type World } from '#simulator'
import { awsObjects } from '../aws/objects.ts'
import { creates, deed } from '../deeds.ts'
import { iamResourcesSubject } from '../resources.ts'
import { account, region, runResources } from '../run-resources.ts'
import { type Aims, configMapOf, hostileDeeds, type Spot, secretOf } from './deeds.ts'
import { canary, lair, pathIn, type Served } from './lair.ts'
import { holdsCanary, type Others, quietInvariants } from './quiet.ts'

const victim = 'team'
const deedCount = 120

const served = {
  Role: { service: 'iam', kind: 'Role', plural: 'roles' },
  Policy: { service: 'iam', kind: 'Policy', plural: 'policies' },
  OpenIDConnectProvider: { service: 'iam', kind: 'OpenIDConnectProvider', plural: 'openidconnectproviders' },
  Bucket: { service: 's3', kind: 'Bucket', plural: 'buckets' },
  HostedZone: { service: 'route53', kind: 'HostedZone', plural: 'hostedzones' },
  RecordSet: { service: 'route53', kind: 'RecordSet', plural: 'recordsets' },
  Certificate: { service: 'acm', kind: 'Certificate', plural: 'certificates' },
} satisfies Readonly<Record<string, Served>>

function documentOf(action: string): string {
  return JSON.stringify({ Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action: action, Resource: '*' }] })
}

function trustOf(service: string): string {
  const Statement = [{ Effect: 'Allow', Principal: { Service: service }, Action: 'sts:AssumeRole' }]
  return JSON.stringify({ Version: '2012-10-17', Statement })
}

function make(kind: keyof typeof served, namespace: string, name: string, spec: object, afterMs: number): Deed {
  const { service } = served[kind]
  const body = { apiVersion: `${service}.services.k8s.aws/v1alpha1`, kind, metadata: { namespace, name }, spec }
  return creates(`create ${kind} ${namespace}/${name}`, { path: pathIn(namespace, served[kind]) }, body, afterMs)
}

const password: Spot = { kind: 'secret', namespace: victim, name: 'password', key: 'password' }
const settings: Spot = { kind: 'configmap', namespace: victim, name: 'settings', key: 'endpoint' }
const mapping: Spot = { kind: 'configmap', namespace: 'ack-system', name: 'ack-role-account-map', key: account }
const platform: Spot = { kind: 'secret', namespace: 'ack-system', name: 'platform', key: 'token' }

const aims: Aims = {
  prizes: [
    {
      ...served.Role,
      path: pathIn(victim, served.Role, 'reader'),
      evil: { assumeRolePolicyDocument: trustOf('ec2.amazonaws.com') },
    },
    { ...served.Policy, path: pathIn(victim, served.Policy, 'read'), evil: { policyDocument: documentOf('*') } },
    {
      ...served.OpenIDConnectProvider,
      path: pathIn(victim, served.OpenIDConnectProvider, 'issuer'),
      evil: { clientIDs: ['evil'] },
    },
    { ...served.Bucket, path: pathIn(victim, served.Bucket, 'data'), evil: { versioning: { status: 'Suspended' } } },
    { ...served.RecordSet, find: recordInItsZone, evil: { resourceRecords: [{ value: '10.6.6.6' }] } },
  ],
  targets: [password, settings, mapping, platform],
  secrets: [password, platform],
  mouthpieces: [{ namespace: lair, name: 'mouth', paths: ['.spec.description', '.status.ackResourceMetadata.arn'] }],
  certificates: true,
}

/** The record of the others, with the zone named as AWS names it: references do not lead out of a namespace. */
function recordInItsZone(world: World): Resource | undefined {
  const record = world.find('hub', pathIn(victim, served.RecordSet, 'www')) as Resource | undefined
  const zone = world.find('hub', pathIn(victim, served.HostedZone, 'zone')) as Resource | undefined
  const id = zone?.status?.['id']
  return record === undefined || id === undefined ? undefined : { ...record, spec: { ...record.spec, hostedZoneID: id } }
}

/** Not before the record is there: how many there are stands in the status of the zone, which is looked at again for it. */
async function commentTheZone(world: World): Promise<void> {
  const record = world.find('hub', pathIn(victim, served.RecordSet, 'www')) as Resource | undefined
  if (record === undefined || readyOf(record)?.status !== 'True')
    return world.parkDeed({ label: 'comment the zone later', afterMs: 3_000, run: commentTheZone })
  const body = { spec: { hostedZoneConfig: { comment: 'ours' } } }
  await world.act('hub', 'PATCH', pathIn(victim, served.HostedZone, 'zone'), body, 'application/merge-patch+json')
}

function readyOf({ status }: Resource): StoredCondition | undefined {
  return findCondition(status?.conditions, 'Ready')
}

const lookAgainAtMs = 20_000
const fromMs = 30_000

/** Records bear no mark: that one is the others', whoever names it besides. */
function ownerUidOf(external: KubeObject, world: World): string | undefined {
  if (external.kind !== 'RecordSet') return iamResourcesSubject.ownerUidOf(external, world)
  return world.find('hub', pathIn(victim, served.RecordSet, 'www'))?.metadata.uid
}

const others: Others = { fromMs, unfinished: notReady, ownerUidOf }

function notReady(world: World): string | undefined {
  const claims = [...world.objects()].filter(
    ({ apiVersion, metadata }) => isClaim(apiVersion) && (metadata.namespace !== lair || metadata.name === 'mouth'),
  )
  if (claims.length < aims.prizes.length + 2) return 'not all is there'
  for (const claim of claims as readonly Resource[]) {
    const ready = readyOf(claim)
    if (ready?.status !== 'True') return `${claim.kind} ${claim.metadata.name} says Ready=${ready?.status}: ${ready?.message}`
    // The zone says how many records it has: its own two, and that of the others.
    const count = claim.status?.['resourceRecordSetCount']
    if (claim.kind === 'HostedZone' && count !== 3) return `the zone says that it has ${String(count)} records`
  }
  return undefined
}

function isClaim(apiVersion: string): boolean {
  return /^(?:iam|s3|route53|acm)\.services\.k8s\.aws\//.test(apiVersion)
}

const services = ['iam', 's3', 'route53', 'acm'] as const

export const tenantResourcesSubject: Subject = {
  ...iamResourcesSubject,
  name: 'tenant-resources',
  replicas: 1,
  cloud: { options: { accounts: [account], region }, look: awsObjects },
  objects: () => hubObjects,
  start,
  script: [
    make('Policy', victim, 'read', { name: 'read', policyDocument: documentOf('s3:Get*') }, 0),
    make(
      'Role',
      victim,
      'reader',
      { name: 'reader', assumeRolePolicyDocument: trustOf('pods.eks.amazonaws.com'), description: 'reads' },
      0,
    ),
    make(
      'OpenIDConnectProvider',
      victim,
      'issuer',
      { url: 'https://issuer.example.com', clientIDs: ['a'], thumbprints: ['a'.repeat(40)] },
      0,
    ),
    make('Bucket', victim, 'data', { name: 'data-1b2c', versioning: { status: 'Enabled' } }, 1_000),
    make('HostedZone', victim, 'zone', { name: 'example.com.' }, 1_000),
    make('RecordSet', victim, 'www', recordOf('www'), 2_000),
    deed('comment the zone', pathIn(victim, served.HostedZone, 'zone'), lookAgainAtMs, commentTheZone),
    make(
      'Role',
      lair,
      'mouth',
      { name: 'mouth', assumeRolePolicyDocument: trustOf('ec2.amazonaws.com'), description: 'what I like' },
      2_000,
    ),
  ],
  disturbances: hostileDeeds(aims, others, deedCount).map(deed => ({ ...deed, fault: 'F27' })),
  ownerUidOf,
  invariants: quietInvariants,
  unfinished: notReady,
  safetyMs: 120_000,
  readsAtRestPerMinute: world => [...world.objects()].length * 26,
}

function recordOf(name: string): object {
  return { name, recordType: 'A', ttl: 60, resourceRecords: [{ value: '10.0.0.1' }], hostedZoneRef: { from: { name: 'zone' } } }
}

const hubObjects: readonly KubeObject[] = [
  ...[victim, lair, 'ack-system'].map(name => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } })),
  ...services.flatMap(service => shippedService(service).crds.filter(({ metadata }) => isServed(metadata.name ?? ''))),
  ...resourceCrds({ services }).filter(({ metadata }) => metadata.name === 'fieldexports.services.k8s.aws'),
  secretOf(password, canary),
  secretOf(platform, canary),
  configMapOf(settings, 'https://example.com'),
  configMapOf(mapping, `arn:aws:iam::${account}:role/ack`),
]

function isServed(name: string): boolean {
  return Object.values(served).some(({ plural, service }) => name === `${plural}.${service}.services.k8s.aws`)
}

function start(process: ProcessContext): Promise<void> {
  const wanted = { services, kinds: Object.keys(served), resyncSeconds: 1_800 }
  return runResources(process, wanted, { leaseNamespace: 'ack-system', cloud: listening(process) })
}

/** What goes to AWS is listened to: a Secret of another's is not in it. How long the tenant's own failures are put off is his affair. */
export function listening(process: ProcessContext): ProcessContext {
  const { cloud } = process
  if (cloud === undefined) return process
  return {
    ...process,
    probe: { ...process.probe, atRest: () => {} },
    cloud: {
      ...cloud,
      exchange: request => {
        const text = request.body instanceof Uint8Array ? Buffer.from(request.body).toString() : ''
        const heard = holdsCanary(decodeURIComponent(text.replaceAll('+', ' ').replace(/%(?![0-9A-F]{2})/gi, '')))
        process.probe.expected('S25', heard ? `a call to ${cloudName} carries what is in another's Secret` : undefined)
        return cloud.exchange(request)
      },
    },
  }
}
