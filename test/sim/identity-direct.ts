// `--aws-writer direct` in the simulator: the bindings of identity-roles.ts without child objects. The roles, policies and associations
// are AWS's own, in a fork of the emulator; calls to it are parked, lost, refused and answered late like those to the API servers, and
// its state is looked at after each of them.

import { serviceModel } from '#aws'
import { cloudReasons } from '#cloud'
import type { Aws } from '#emulator'
import type { KubeObject } from '#kube'
import type { ServiceAccountRole } from '#operators/identity/api'
import { finalizers, labels, reasons } from '#operators/identity/api'
import { troubleReasons } from '#runtime'
import type { Deed, Effect, ObjectRole, ProcessContext, Subject, World } from '#simulator'
import { cloudName } from '#simulator'
import { directResources } from '../../src/operators/identity/direct/resources.ts'
import { createRoleController } from '../../src/operators/identity/role/controller.ts'
import { resourceNames, roleNamesOf } from '../../src/operators/identity/role/resources.ts'
import { makeEksCluster } from '../../src/operators/identity/testing/life.ts'
import { adminClients, processClients } from './aws/clients.ts'
import { type AwsObject, awsObjects } from './aws/objects.ts'
import {
  account,
  accounts,
  annotate,
  annotatedAccounts,
  annotationHasBinding,
  bindingKind,
  bindings,
  bindingsHub,
  bindingsIn,
  bindingsTarget,
  change,
  childTypes,
  claims,
  config,
  create,
  document,
  hasElder,
  identityProcess,
  isReady,
  isWantedRole,
  leaseMs,
  makeAccount,
  moves,
  movesToChosen,
  namespace,
  profile,
  purposeOfRole,
  readOnly,
  releases,
  remove,
  roleArnAnnotation,
  roleInUseStays,
  target,
  tearsDownApps,
  tellsOfReleasedRole,
} from './bindings.ts'
import { deed } from './deeds.ts'
import { probedClients, runProbed } from './probed.ts'

/** The namespace whose bindings EKS delivers, without a target. */
const eks = 'prod'
const region = 'eu-west-1'
const s3ReadOnly = 'arn:aws:iam::aws:policy/AmazonS3ReadOnlyAccess'
const strangerTag = 'team'
const adversary = 'stranger'
/** How old what is remembered of AWS may be, and how often a binding is looked at: hours in production, less here so that a run sees it. */
const memoryMs = 600_000
const driftMs = 900_000

export const identityDirectSubject: Subject = {
  name: 'identity-direct',
  servers: ['hub', target],
  cloud: { options: { accounts: [account], region }, prepare, look: awsObjects },
  objects: server => (server === 'hub' ? hubObjects : bindingsTarget),
  replicas: 2,
  versions: 2,
  start,
  script: [
    { ...create('app1', { policyARNs: [readOnly] }, 0), creates: true },
    { ...create('app2', document, 0), creates: true },
    create('job', { policyARNs: [readOnly] }, 1_000, 'job', eks),
    change(bindings, 'app1', { spec: { policyARNs: [s3ReadOnly] } }, 5_000),
    // Of the ServiceAccount of app1, for a while.
    create('twin', { policyARNs: [readOnly] }, 8_000, 'app1'),
    remove('hub', bindings, 'twin', 12_000),
    remove('hub', bindings, 'app2', 14_000),
    remove('hub', bindingsIn(eks), 'job', 15_000),
    create('app2', { policyARNs: [readOnly] }, 16_000),
    create('job', document, 18_000, 'job', eks),
    // Its ServiceAccount comes later.
    create('app3', document, 16_000),
    makeAccount('app3', 19_000),
    remove('hub', bindings, 'app1', 24_000),
    change(bindings, 'app3', { spec: { policyARNs: [readOnly], policyDocument: null } }, 26_000),
    // To names that stay, in both ways of delivery; what was before goes when somebody says so.
    moves('app2', bindings, 18_000),
    moves('job', bindingsIn(eks), 20_000),
    movesToChosen('app3', bindings, 30_000),
    releases('app2', bindings, 45_000),
    releases('job', bindingsIn(eks), 46_000),
    releases('app3', bindings, 52_000),
  ],
  disturbances: [
    { ...annotate('app1', `arn:aws:iam::${account}:role/stranger`), fault: 'F18' },
    { ...annotate('app2', null), fault: 'F18' },
    { ...remove('hub', bindings, 'app2', undefined), fault: 'F19' },
    { ...remove('hub', bindingsIn(eks), 'job', undefined), fault: 'F19' },
    { ...remove(target, accounts, 'app2', undefined), fault: 'F19' },
    { ...change(bindings, 'app1', { metadata: { finalizers: null } }, undefined), fault: 'F20' },
    // Of ours, which comes back, and besides ours, which stays (B30).
    ...[
      inCloud('attaches more to a role', 'AttachRolePolicy', ({ role }) => ({ RoleName: role, PolicyArn: s3ReadOnly })),
      inCloud('trusts somebody else with a role', 'UpdateAssumeRolePolicy', ({ role }) => ({
        RoleName: role,
        PolicyDocument: trustOf('arn:aws:iam::123456789012:root'),
      })),
      inCloud('puts a policy into a role', 'PutRolePolicy', ({ role }) => ({
        RoleName: role,
        PolicyName: 'more',
        PolicyDocument: JSON.stringify(document.policyDocument),
      })),
      inCloud('tags a role', 'TagRole', ({ role }) => ({ RoleName: role, Tags: [{ Key: strangerTag, Value: 'a' }] })),
      inCloud('detaches from a role', 'DetachRolePolicy', ({ role }) => ({ RoleName: role, PolicyArn: readOnly })),
      inCloud('changes a policy', 'CreatePolicyVersion', ({ policy }) => ({
        PolicyArn: `arn:aws:iam::${account}:policy/${policy}`,
        PolicyDocument: JSON.stringify(document.policyDocument).replace('s3:*', '*'),
        SetAsDefault: true,
      })),
    ].map(done => ({ ...done, fault: 'F23' as const })),
    { ...takesName(), fault: 'F24' },
    { ...tearsDownApps(), fault: 'F17' },
  ],
  roleOf,
  ownerUidOf: ({ metadata }) => metadata.labels?.[labels.bindingUid],
  // A binding that moves has two roles for a while, each once.
  purposeOf: ({ kind, metadata }) => (kind === 'Role' ? purposeOfRole(metadata.name ?? '') : kind),
  madeOfUids: /(?<=awi-(?:pol-)?(?:wlc-a|prod)-(?:app\d|twin|job)-)[0-9a-f]{10}/g,
  isWanted,
  // Each look at a role, its policy and its association is up to nine calls, and each claim is looked at in turn, by a clock that may be
  // fast; whoever waits for somebody looks once a minute.
  readsAtRestPerMinute: world => claims(world).length * 9 * 2 * (60_000 / (driftMs * 0.75)) + 8,
  finalizer: finalizers.role,
  leaseMs,
  reasons: [...reasons, ...Object.keys(troubleReasons), ...Object.keys(cloudReasons)],
  invariants: [
    { code: 'S10', check: annotationHasBinding },
    { code: 'S9', check: readyMeansMade },
    { code: 'S11', check: trustIsExact },
    { code: 'S9', check: deliveredRoleIsThere },
    { code: 'S9', check: roleInUseStays },
  ],
  unfinished,
  settleMs: 2_700_000,
  settleStreamsMs: 240_000,
}

function start(process: ProcessContext): Promise<void> {
  const clients = probedClients(process)
  const aws = processClients(process)
  const resources = directResources({ clients: aws, region: 'us-east-1', clock: process.seams.clock, driftMs: memoryMs })
  return runProbed(process, {
    clients,
    // Another version means the same and goes about it otherwise (F26, D6).
    controllers: [{ ...createRoleController({ resources }), driftMs, ...(process.version === 0 ? {} : { workers: 1 }) }],
    ...identityProcess(process),
    attach: ({ targets: fleet }) => fleet.join(target, clients.of(target)),
  })
}

async function prepare(aws: Aws): Promise<void> {
  const clients = adminClients(aws)
  await makeEksCluster(service => clients.for({ model: serviceModel(service), region }))
}

const hubObjects: readonly KubeObject[] = [
  ...bindingsHub(childTypes),
  namespace(eks),
  config(eks, { type: 'EKSPodIdentity', region }, {}),
  profile(eks, {
    'eks-cluster-name': 'prod',
    'eks-cluster-arn': `arn:aws:eks:${region}:${account}:cluster/prod`,
    'aws-account-id': account,
    'eks-auto-mode': 'true',
  }),
]

function roleOf({ kind, apiVersion, metadata }: KubeObject): ObjectRole {
  if (kind === 'Lease') return 'lease'
  if (kind === 'Event') return 'event'
  if (kind === bindingKind) return 'claim'
  return apiVersion.startsWith('aws/') && metadata.name !== 'control-plane' ? 'external' : 'other'
}

function isWanted(claim: KubeObject, external: KubeObject): boolean {
  const { policyDocument } = (claim as ServiceAccountRole).spec
  if (external.kind === 'Policy') return policyDocument !== undefined
  if (external.kind === 'Role') return isWantedRole(claim as ServiceAccountRole, external.metadata.name)
  return claim.metadata.namespace === eks
}

/** Ready=True is said of a binding whose role was there and had what it asks for, at one time at least. */
function readyMeansMade({ by, after }: Effect, world: World): string | undefined {
  if (after === undefined || by === 'user' || after.kind !== bindingKind) return undefined
  const claim = after as ServiceAccountRole
  const ready = claim.status?.conditions?.find(({ type }) => type === 'Ready')
  if (ready?.status !== 'True' || ready.observedGeneration !== claim.metadata.generation) return undefined
  const made = (kind: string): readonly AwsObject[] =>
    world.effects.flatMap(({ after: object }) =>
      object?.kind === kind && object.metadata.labels?.[labels.bindingUid] === claim.metadata.uid ? [object as AwsObject] : [],
    )
  // What somebody attached besides goes with the next look at the role.
  const hasAll = ({ spec }: AwsObject): boolean => attachedTo(claim).every(arn => sorted(spec['attached']).includes(arn))
  if (!made('Role').some(hasAll))
    return `${claim.metadata.name} is Ready, and no role with ${attachedTo(claim).join()} was ever made for it`
  if (claim.metadata.namespace === eks) {
    const isAssociated = made('PodIdentityAssociation').some(({ spec }) => arnsOf(claim).includes(String(spec['roleArn'])))
    return isAssociated ? undefined : `${claim.metadata.name} is Ready, and was never associated`
  }
  // While it moves to another name, the role before does what it is there for until the ServiceAccount names the new one.
  const wasAnnotated = world.effects.some(
    ({ after: object }) =>
      object?.kind === 'ServiceAccount' && arnsOf(claim).includes(object.metadata.annotations?.[roleArnAnnotation] ?? ''),
  )
  return wasAnnotated
    ? undefined
    : `${claim.metadata.name} is Ready, and nothing was ever annotated with ${arnsOf(claim).join(' or ')}`
}

/** A role that pods are sent to is there, also while its binding moves to another name. */
function deliveredRoleIsThere(_effect: Effect, world: World): string | undefined {
  const cloud = [...(world.shadows.get(cloudName)?.objects.values() ?? [])]
  const delivered = [
    ...annotatedAccounts(world).map(({ arn }) => arn),
    ...cloud.flatMap(one => (one.kind === 'PodIdentityAssociation' ? [String((one as AwsObject).spec['roleArn'])] : [])),
  ]
  const owners = claims(world).filter(({ metadata }) => !world.released.has(metadata.uid ?? ''))
  const missing = delivered.find(
    arn =>
      owners.some(claim => Object.values(roleNamesOf(claim)).some(name => arn.endsWith(`:role/${name}`))) &&
      !cloud.some(({ kind, metadata }) => kind === 'Role' && arn.endsWith(`:role/${metadata.name}`)),
  )
  return missing === undefined ? undefined : `pods are sent to ${missing}, which is not there`
}

/** What a process gives to a role as its trust policy accepts one issuer, one audience and one subject, by equality only. */
function trustIsExact({ by, after }: Effect): string | undefined {
  if (by === 'user' || after?.kind !== 'Role' || !after.apiVersion.startsWith('aws/')) return undefined
  const text = String((after as AwsObject).spec['trustPolicy'])
  if (text === trustOf('arn:aws:iam::123456789012:root')) return undefined
  const { Statement } = JSON.parse(text) as { Statement: readonly { Condition?: Readonly<Record<string, object>> }[] }
  for (const { Condition = {} } of Statement) {
    const operators = Object.keys(Condition)
    if (operators.length === 0 || operators.some(operator => operator !== 'StringEquals')) return `a role trusts by ${text}`
    if (/[*?]/.test(JSON.stringify(Condition))) return `a role trusts a pattern: ${text}`
  }
  return Statement.length === 1 ? undefined : `a role trusts more than one: ${text}`
}

function unfinished(world: World): string | undefined {
  for (const claim of claims(world)) {
    if (claim.metadata.deletionTimestamp !== undefined) return `${claim.metadata.name} is still terminating`
    const wrong = wrongIn(world, claim)
    if (wrong !== undefined) return `${claim.metadata.name} ${wrong}`
  }
  for (const object of world.objects(cloudName)) {
    const owner = object.metadata.labels?.[labels.bindingUid]
    if (roleOf(object) !== 'external' || owner === undefined || world.released.has(owner)) continue
    const claim = claims(world).find(({ metadata }) => metadata.uid === owner)
    // A former role stays until the one in force is delivered, which it is not to a ServiceAccount that is gone.
    if (claim === undefined || (!isWanted(claim, object) && isReady(claim)))
      return `${object.kind} ${object.metadata.name} is one too many`
  }
  return undefined
}

function wrongIn(world: World, claim: ServiceAccountRole): string | undefined {
  const { serviceAccount } = claim.spec
  const isAnnotated = claim.metadata.namespace !== eks
  const delivered = world.find(target, `${accounts}/${serviceAccount.name}`)
  const isExpected = !hasElder(world, claim) && (!isAnnotated || delivered !== undefined)
  const ready = claim.status?.conditions?.find(({ type }) => type === 'Ready')
  if (ready?.status !== (isExpected ? 'True' : 'False')) return `says Ready=${ready?.status}/${ready?.reason}: ${ready?.message}`
  if (ready.observedGeneration !== claim.metadata.generation) return `speaks of generation ${ready.observedGeneration}`
  if (!isExpected) return undefined
  if (tellsOfReleasedRole(claim)) return 'still tells of the role that was let go'
  if (claim.status?.roleARN !== arnOf(claim)) return `says that its role is ${claim.status?.roleARN}`
  if (isAnnotated && delivered?.metadata.annotations?.[roleArnAnnotation] !== arnOf(claim)) return 'is not delivered'
  return wrongInCloud(world, claim)
}

function wrongInCloud(world: World, claim: ServiceAccountRole): string | undefined {
  const { role, policy } = resourceNames(claim)
  const find = (kind: string, name: string): AwsObject | undefined =>
    [...world.objects(cloudName)].find(object => object.kind === kind && object.metadata.name === name) as AwsObject | undefined
  const made = find('Role', role)
  if (made === undefined) return 'has no role'
  const { attached, inline, trustPolicy } = made.spec
  if (JSON.stringify(sorted(attached)) !== JSON.stringify(sorted(attachedTo(claim))))
    return `has a role with ${JSON.stringify(attached)}`
  if (Object.keys(inline as object).length > 0) return 'has a role with a policy in it'
  const issuer = claim.metadata.namespace === eks ? 'cluster/prod' : 'oidc-provider/'
  if (!String(trustPolicy).includes(issuer)) return `has a role that trusts ${String(trustPolicy)}`
  const { policyDocument } = claim.spec
  if (policyDocument !== undefined) {
    const text = (find('Policy', policy)?.spec['document'] ?? 'null') as string
    if (inOrder(JSON.parse(text)) !== inOrder(policyDocument)) return `has a policy that says ${text}`
  }
  if (claim.metadata.namespace !== eks) return undefined
  const association = find(
    'PodIdentityAssociation',
    `prod/${claim.spec.serviceAccount.namespace}/${claim.spec.serviceAccount.name}`,
  )
  return association?.spec['roleArn'] === arnOf(claim) ? undefined : `is associated with ${String(association?.spec['roleArn'])}`
}

/** As text with the members of each object in one order: a document says the same in any. */
function inOrder(document: unknown): string {
  return JSON.stringify(document, (_name, value: unknown) =>
    value !== null && typeof value === 'object' && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  )
}

function attachedTo(claim: ServiceAccountRole): readonly string[] {
  const { policyARNs = [], policyDocument } = claim.spec
  return policyDocument === undefined ? policyARNs : [`arn:aws:iam::${account}:policy/${resourceNames(claim).policy}`]
}

const arnOf = (claim: ServiceAccountRole): string => `arn:aws:iam::${account}:role/${resourceNames(claim).role}`

const arnsOf = (claim: ServiceAccountRole): readonly string[] =>
  Object.values(roleNamesOf(claim)).map(name => `arn:aws:iam::${account}:role/${name}`)

function sorted(arns: unknown): readonly string[] {
  return ((arns ?? []) as readonly string[]).toSorted((a, b) => (a < b ? -1 : 1))
}

function trustOf(principal: string): string {
  const Statement = [{ Effect: 'Allow', Principal: { AWS: principal }, Action: 'sts:AssumeRole' }]
  return JSON.stringify({ Version: '2012-10-17', Statement })
}

/** Somebody with rights in the account meddles with what was made for the newest binding that has something: it may live long enough. */
function inCloud(label: string, operation: string, input: (names: { role: string; policy: string }) => object): Deed {
  return deed(`somebody ${label}`, undefined, undefined, async world => {
    const named = claims(world).map(claim => resourceNames(claim))
    const names = named.findLast(({ role }) => [...world.objects(cloudName)].some(({ metadata }) => metadata.name === role))
    if (names === undefined) return
    // What is not there cannot be changed.
    await world
      .actInCloud({ service: 'iam', operation, region: 'us-east-1', input: { ...input(names) } })
      .catch((error: unknown) => error)
  })
}

/** Whoever may make roles takes the name that a new binding is about to need, and gives it back a while later (B23). */
function takesName(): Deed {
  const call = (world: World, operation: string, input: object): Promise<unknown> =>
    world.actInCloud({ service: 'iam', operation, region: 'us-east-1', input: { ...input } }).catch((error: unknown) => error)
  return deed(`${adversary} takes the name of a role`, undefined, undefined, async world => {
    const claim = claims(world).find(
      one => ![...world.objects(cloudName)].some(({ metadata }) => metadata.name === resourceNames(one).role),
    )
    if (claim === undefined) return
    const RoleName = resourceNames(claim).role
    await call(world, 'CreateRole', { RoleName, AssumeRolePolicyDocument: trustOf('arn:aws:iam::123456789012:root') })
    world.parkDeed({
      label: `${adversary} gives the name back`,
      afterMs: 30_000,
      run: async later => {
        const held = [...later.objects(cloudName)].find(({ metadata }) => metadata.name === RoleName)
        if (held !== undefined && held.metadata.labels?.[labels.bindingUid] === undefined)
          await call(later, 'DeleteRole', { RoleName })
      },
    })
  })
}
