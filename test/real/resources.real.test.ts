// The resource runtime beside programs that are not ours: moto as AWS, and the real API server. Services that this project has never seen
// come from botocore's models, inferred here, without a line of config: a queue, a topic, a key, a table, a repository, a secret, a
// network, a stream, a file system, an API, a schedule, a group of queries, a vault, a domain.
import assert from 'node:assert/strict'
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { createApiServer } from '#apiserver'
import { serviceModel } from '#aws'
import type { AwsClients } from '#aws/client'
import { silentLog, systemClock, systemRandom } from '#base'
import {
  type CustomResourceDefinition,
  customResourceDefinitions,
  findCondition,
  type KubeObject,
  namespaces,
  type ResourceType,
  renderCrd,
  type StoredObject,
  validatingWebhookConfigurations,
} from '#kube'
import { createKubeClient, type KubeClient } from '#kube/client'
import {
  createResourcesOperator,
  type Resource,
  resourceValidatingConfiguration,
  type ServiceWithKinds,
  shippedService,
} from '#operators/resources'
import { createManager, type PassRecord } from '#runtime'
import { inferServices } from '../../src/cli/operator/models.ts'
import { adoptedResourceKind } from '../../src/operators/resources/adopted/api.ts'
import { trust } from '../../src/operators/resources/testing/world.ts'
import { eventually } from './eventually.ts'
import { botocoreData } from './programs/botocore-data.ts'
import { type Moto, motoClients, startMoto } from './programs/moto.ts'
import { type Python, pythonEnvironment } from './programs/python.ts'
import { controlPlaneSkipped, sharedControlPlane } from './shared.ts'

const python = await pythonEnvironment()
const skipMoto = 'missing' in python ? python.missing : false
const noControlPlane = await controlPlaneSkipped()

const account = '123456789012'
const region = 'us-east-1'
const unseen = 'sqs sns kms dynamodb ecr secretsmanager ec2 kinesis efs apigatewayv2 scheduler athena backup opensearch'.split(
  ' ',
)
const shipped = ['iam', 's3', 'route53', 'acm'] as const

interface Case {
  readonly service: string
  readonly kind: string
  readonly spec: object
  /** A change that an update carries out. */
  readonly change?: object
  /** Of the spec that AWS then has, read back by the kind's own read. */
  readonly becomes?: (resource: Resource) => void
}

const policy = JSON.stringify({ Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action: 's3:GetObject', Resource: '*' }] })

const cases: readonly Case[] = [
  {
    service: 'sqs',
    kind: 'Queue',
    spec: { queueName: 'jobs', attributes: { VisibilityTimeout: '40' }, tags: { team: 'blue' } },
    change: { attributes: { VisibilityTimeout: '50' }, tags: { team: 'red' } },
  },
  {
    service: 'sns',
    kind: 'Topic',
    spec: { name: 'news', attributes: { DisplayName: 'News' } },
    change: { attributes: { DisplayName: 'Other' } },
  },
  {
    service: 'kms',
    kind: 'Key',
    spec: { description: 'seals', tags: [{ tagKey: 'team', tagValue: 'blue' }] },
    change: { tags: [{ tagKey: 'team', tagValue: 'red' }] },
  },
  {
    service: 'dynamodb',
    kind: 'Table',
    spec: {
      tableName: 'things',
      billingMode: 'PAY_PER_REQUEST',
      attributeDefinitions: [{ attributeName: 'id', attributeType: 'S' }],
      keySchema: [{ attributeName: 'id', keyType: 'HASH' }],
    },
  },
  { service: 'ecr', kind: 'Repository', spec: { repositoryName: 'images' } },
  {
    service: 'secretsmanager',
    kind: 'Secret',
    spec: { name: 'door', description: 'one', secretString: 'x' },
    change: { description: 'two' },
  },
  { service: 'ec2', kind: 'VPC', spec: { cidrBlock: '10.1.0.0/16' } },
  { service: 'kinesis', kind: 'Stream', spec: { streamName: 'events', shardCount: 1 } },
  {
    service: 'efs',
    kind: 'FileSystem',
    spec: { creationToken: 'home', tags: [{ key: 'team', value: 'blue' }] },
    change: { tags: [{ key: 'team', value: 'red' }] },
  },
  { service: 'apigatewayv2', kind: 'API', spec: { name: 'front', protocolType: 'HTTP' }, change: { description: 'two' } },
  {
    service: 'scheduler',
    kind: 'Schedule',
    spec: {
      name: 'hourly',
      scheduleExpression: 'rate(1 hour)',
      flexibleTimeWindow: { mode: 'OFF' },
      target: { arn: `arn:aws:sqs:${region}:${account}:jobs`, roleARN: `arn:aws:iam::${account}:role/reader` },
    },
    change: { description: 'two' },
  },
  { service: 'athena', kind: 'WorkGroup', spec: { name: 'queries', description: 'one' }, change: { description: 'two' } },
  { service: 'backup', kind: 'BackupVault', spec: { backupVaultName: 'vault' } },
  { service: 'opensearch', kind: 'Domain', spec: { domainName: 'search', engineVersion: 'OpenSearch_2.3' } },
  { service: 'iam', kind: 'Policy', spec: { name: 'read', policyDocument: policy } },
  {
    service: 'iam',
    kind: 'Role',
    spec: { name: 'reader', assumeRolePolicyDocument: trust(), policyRefs: [{ from: { name: 'policy' } }] },
    change: { description: 'reads' },
  },
  {
    service: 'iam',
    kind: 'OpenIDConnectProvider',
    spec: { url: 'https://issuer.example.com', clientIDs: ['a'], thumbprints: ['a'.repeat(40)] },
    change: { clientIDs: ['b'] },
  },
  {
    service: 's3',
    kind: 'Bucket',
    spec: { name: 'data-1b2c', versioning: { status: 'Enabled' } },
    change: { tagging: { tagSet: [{ key: 'team', value: 'blue' }] } },
  },
  { service: 'route53', kind: 'HostedZone', spec: { name: 'example.com.' }, change: { hostedZoneConfig: { comment: 'two' } } },
  {
    service: 'route53',
    kind: 'RecordSet',
    spec: {
      name: 'www',
      recordType: 'A',
      ttl: 60,
      resourceRecords: [{ value: '10.0.0.1' }],
      hostedZoneRef: { from: { name: 'hostedzone' } },
    },
    change: { ttl: 120 },
  },
  {
    service: 'acm',
    kind: 'Certificate',
    spec: { domainName: 'www.example.com' },
    change: { tags: [{ key: 'team', value: 'blue' }] },
  },
]

interface World {
  readonly aws: AwsClients
  readonly kube: KubeClient
  readonly passes: PassRecord[]
  typeOf(kind: string, service: string): ResourceType
  stop(): Promise<void>
}

async function start(url: string, kube: KubeClient, inferred: readonly ServiceWithKinds[], namespace: string): Promise<World> {
  const { clients, close } = motoClients(url)
  const operator = createResourcesOperator({
    services: [...shipped, ...inferred.map(({ service }) => service)],
    aws: clients,
    home: { account, partition: 'aws', region },
    nowMs: () => systemClock.now(),
    watchNamespaces: [namespace],
    kinds: [...new Set(cases.map(({ kind }) => kind))],
    adoptedResources: true,
  })
  const crds = [...shipped.flatMap(alias => shippedService(alias).crds), ...inferred.flatMap(one => one.crds)]
  const wanted = crds.filter(crd => operator.kinds.some(({ type }) => crd.metadata.name === `${type.plural}.${type.group}`))
  for (const crd of [...wanted, renderCrd(adoptedResourceKind)]) await installed(kube, crd)
  const isServed = async (type: ResourceType): Promise<boolean> => {
    try {
      await kube.list(type, { limit: 1 })
      return true
    } catch {
      return false
    }
  }
  for (const { type } of [...operator.kinds, adoptedResourceKind])
    await eventually(
      async () => (await isServed(type)) || undefined,
      () => `${type.plural} are served`,
    )
  const stop = new AbortController()
  const passes: PassRecord[] = []
  const manager = createManager({
    client: kube,
    seams: { clock: systemClock, random: systemRandom, log: silentLog },
    controllers: operator.controllers,
    identity: 'resources-real',
    onPass: record => passes.push(record),
  })
  const run = manager.run(stop.signal)
  return {
    aws: clients,
    kube,
    passes,
    typeOf: (kind, service) => {
      const found = operator.kinds.find(model => model.kind.kind === kind && model.service.alias === service)
      assert.ok(found, `${service} ${kind}`)
      return found.type
    },
    stop: async () => {
      stop.abort(new Error('the test ends'))
      await run
      await close()
    },
  }
}

async function installed(kube: KubeClient, crd: CustomResourceDefinition): Promise<void> {
  const key = { namespace: '', name: crd.metadata.name ?? '' }
  await kube.patch(customResourceDefinitions, key, 'apply', crd, { fieldManager: 'test', force: true })
}

/** A create call whose answer was lost, as happens on a busy machine, is looked for during its first minute before it is made once more. */
const readyMs = 180_000

/** Made, changed and removed; at rest nothing is written. */
async function lives(world: World, situation: Case, namespace: string): Promise<void> {
  const type = world.typeOf(situation.kind, situation.service)
  const key = { namespace, name: situation.kind.toLowerCase() }
  const get = () => world.kube.find<Resource>(type, key)
  const troubles = (): string => {
    const own = world.passes.filter(pass => pass.key.name === key.name && pass.controller.includes(type.plural))
    return own
      .slice(-3)
      .map(
        ({ trouble, plan }) =>
          `${trouble?.message ?? 'ok'} [${plan?.actions.map(({ kind }) => kind).join(' ') ?? ''}] ${trouble?.cause instanceof Error ? (trouble.cause.stack ?? '') : ''}`,
      )
      .join('\n')
  }
  const isReady = async (generation: number): Promise<boolean> => {
    const found = await get()
    return (found?.metadata.generation ?? 0) >= generation && findCondition(found?.status?.conditions, 'Ready')?.status === 'True'
  }
  await world.kube.create(type, {
    apiVersion: `${type.group}/${type.version}`,
    kind: situation.kind,
    metadata: key,
    spec: situation.spec,
  } as KubeObject)
  await eventually(
    async () => (await isReady(1)) || undefined,
    () => `${situation.kind} is ready\n${troubles()}`,
    readyMs,
  )
  if (situation.change !== undefined) {
    const passesBefore = world.passes.length
    const changed = await world.kube.patch<Resource>(type, key, 'merge', { spec: situation.change })
    const isSeen = (): boolean =>
      world.passes
        .slice(passesBefore)
        .some(pass => pass.key.name === key.name && pass.plan?.actions.some(({ kind }) => kind === 'act:aws') === true)
    await eventually(
      () => Promise.resolve(isSeen() || undefined),
      () => `${situation.kind} is changed\n${troubles()}`,
    )
    await eventually(
      async () => (await isReady(changed.metadata.generation ?? 0)) || undefined,
      () => `${situation.kind} is ready again\n${troubles()}`,
    )
    await systemClock.sleep(500)
    const advisory = findCondition((await get())?.status?.conditions, 'ACK.Advisory')
    assert.notEqual(advisory?.reason, 'PersistentDiff', advisory?.message)
  }
}

/** A role that somebody made by hand gets its object, which stays when the AdoptedResource goes. */
async function adopts(world: World, namespace: string): Promise<void> {
  const RoleName = `by-hand-${namespace}`
  const Description = 'by hand'
  await world.aws
    .for({ model: serviceModel('iam'), region })
    .call('CreateRole', { RoleName, AssumeRolePolicyDocument: trust(), Description })
  const key = { namespace, name: 'by-hand' }
  const { type } = adoptedResourceKind
  await world.kube.create(type, {
    apiVersion: 'services.k8s.aws/v1alpha1',
    kind: 'AdoptedResource',
    metadata: key,
    spec: { aws: { nameOrID: RoleName }, kubernetes: { group: 'iam.services.k8s.aws', kind: 'Role' } },
  } as KubeObject)
  const found = async (): Promise<StoredObject & Pick<Resource, 'status'>> => world.kube.get(type, key)
  let told: unknown
  await eventually(
    async () => {
      told = (await found()).status?.conditions
      return findCondition((await found()).status?.conditions, 'ACK.Adopted')?.status === 'True' || undefined
    },
    () => `the role is adopted: ${JSON.stringify(told)}`,
    readyMs,
  )
  await world.kube.delete(type, key)
  await eventually(
    async () => (await world.kube.find(type, key)) === undefined || undefined,
    () => 'the AdoptedResource is gone',
  )
  const role = await world.kube.get<Resource>(world.typeOf('Role', 'iam'), key)
  assert.deepEqual([role.spec?.['name'], role.spec?.['description']], [RoleName, Description])
}

async function goes(world: World, situation: Case, namespace: string): Promise<void> {
  const type = world.typeOf(situation.kind, situation.service)
  const key = { namespace, name: situation.kind.toLowerCase() }
  await world.kube.delete(type, key)
  const last = (): string =>
    world.passes
      .filter(pass => pass.key.name === key.name)
      .slice(-2)
      .map(({ trouble }) => trouble?.message ?? 'ok')
      .join('\n')
  await eventually(
    async () => (await world.kube.find(type, key)) === undefined || undefined,
    () => `${situation.kind} is gone\n${last()}`,
    60_000,
  )
}

test(
  'the real API server takes the configuration of the webhook, with its expressions',
  noControlPlane === undefined ? {} : { skip: noControlPlane },
  async () => {
    const plane = await sharedControlPlane()
    const kube = createKubeClient({ clock: systemClock, address: plane.address, exchange: plane.exchange })
    const place = {
      name: 'resources',
      service: { namespace: 'vouch', name: 'webhook' },
      operatorUser: 'system:serviceaccount:vouch:vouch',
    }
    const taken = await kube.create(
      validatingWebhookConfigurations,
      resourceValidatingConfiguration({ services: [...shipped] }, place),
      { dryRun: true },
    )
    assert.equal(taken.metadata.name, 'resources')
  },
)

describe('kinds of twenty-one sorts against moto', { skip: skipMoto }, () => {
  let moto: Moto
  let folder: string
  let inferred: readonly ServiceWithKinds[]
  before(async () => {
    moto = await startMoto(python as Python)
    folder = await mkdtemp(join(tmpdir(), 'vouch-models-'))
    const data = botocoreData(python as Python)
    for (const service of unseen) await cp(join(data, service), join(folder, service), { recursive: true })
    inferred = await inferServices(folder, () => {})
  })
  after(async () => {
    await moto.stop()
    await rm(folder, { recursive: true, force: true })
  })

  test('on the embedded API server: each is made, changed, and goes', async () => {
    await moto.reset()
    const server = createApiServer()
    const kube = createKubeClient({ clock: systemClock, address: 'embedded', exchange: server.as() })
    const world = await start(moto.url, kube, inferred, 'default')
    try {
      for (const one of cases) await lives(world, one, 'default')
      await adopts(world, 'default')
      for (const one of cases.toReversed()) await goes(world, one, 'default')
    } finally {
      await world.stop()
      await server.close()
    }
  })

  test('on the real API server: the same', noControlPlane === undefined ? {} : { skip: noControlPlane }, async () => {
    await moto.reset()
    const plane = await sharedControlPlane()
    const kube = createKubeClient({ clock: systemClock, address: plane.address, exchange: plane.exchange })
    const namespace = `resources-${systemRandom.uuid().slice(0, 8)}`
    await kube.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } })
    const world = await start(moto.url, kube, inferred, namespace)
    try {
      for (const one of cases) await lives(world, one, namespace)
      await adopts(world, namespace)
      for (const one of cases.toReversed()) await goes(world, one, namespace)
    } finally {
      await world.stop()
    }
  })
})
