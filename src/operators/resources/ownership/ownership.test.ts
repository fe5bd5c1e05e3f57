// A tenant who may make objects in a namespace of his own, with any metadata, and nothing else: no status, no rights in AWS. Nothing that
// belongs to another claim or to a stranger is changed or deleted by what he writes.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { namespaces, type ObjectKey } from '#kube'
import { annotations, conditions, ownerTag, type Resource } from '../api.ts'
import { changes } from '../testing/changes.ts'
import { account, type ResourceWorld, type ResourceWorldOptions, resourceWorld, trust } from '../testing/world.ts'

const tenant = 'tenant'
const forceDelete = 's3.services.k8s.aws/force-delete'
/** As an earlier life of a controller would have left it. */
const oldIntent = '11111111-1111-4111-8111-111111111111 2020-01-01T00:00:00Z'

async function tenantWorld(options: ResourceWorldOptions): Promise<ResourceWorld> {
  const world = resourceWorld(options)
  await world.kube.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: tenant } })
  return world
}

interface Forgery {
  readonly annotations?: Readonly<Record<string, string>>
  readonly finalizer?: boolean
}

/** What the tenant can write: everything but the status. */
function forged(world: ResourceWorld, kind: string, { annotations: notes = {}, finalizer = true }: Forgery): object {
  const { group } = world.typeOf(kind)
  return {
    namespace: tenant,
    ...(finalizer ? { finalizers: [`finalizers.${group}/${kind}`] } : {}),
    annotations: notes,
  }
}

const keyOf = (name: string): ObjectKey => ({ namespace: tenant, name })

async function held(world: ResourceWorld, kind: string, name: string): Promise<Resource | undefined> {
  return world.kube.find<Resource>(world.typeOf(kind), keyOf(name))
}

function reasonOf(claim: Resource | undefined): string | undefined {
  return claim?.status?.conditions?.find(({ type, status }) => type === conditions.terminal && status === 'True')?.reason
}

async function readyOf(world: ResourceWorld, kind: string, name: string): Promise<string | undefined> {
  return (await world.condition(kind, name, conditions.ready))?.status
}

const forgeries: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  adopted: { [annotations.adopted]: 'true' },
  intent: { [annotations.createIntent]: oldIntent },
  both: { [annotations.adopted]: 'true', [annotations.createIntent]: oldIntent },
  'adopted by fields': { [annotations.adopted]: 'true', [annotations.adoptionFields]: '{"name":"data-1b2c"}' },
}

for (const [what, notes] of Object.entries(forgeries)) {
  test(`a bucket of another claim is neither emptied nor deleted for an object that is made with our finalizer and marks: ${what}`, async () => {
    await using world = await tenantWorld({ services: ['s3'] })
    world.start()
    await world.create('Bucket', 'data', { name: 'data-1b2c' })
    await world.settle()
    await world.client('s3').call('PutObject', { Bucket: 'data-1b2c', Key: 'precious', Body: new Uint8Array([1]) })
    world.aws.calls.clear()
    const marks = forged(world, 'Bucket', { annotations: { ...notes, [forceDelete]: 'true' } })
    await world.create('Bucket', 'thief', { name: 'data-1b2c' }, marks)
    await world.kube.delete(world.typeOf('Bucket'), keyOf('thief'))
    await world.advance(600_000)
    assert.deepEqual(changes(world), [])
    const listed = await world.client('s3').call('ListObjectVersions', { Bucket: 'data-1b2c' })
    assert.equal((listed['Versions'] as unknown[]).length, 1)
    assert.equal(await held(world, 'Bucket', 'thief'), undefined)
    assert.equal(await readyOf(world, 'Bucket', 'data'), 'True')
  })

  test(`a bucket that nobody asked for here stays a stranger's, whatever an object claims of itself: ${what}`, async () => {
    await using world = await tenantWorld({ services: ['s3'] })
    await world.client('s3').call('CreateBucket', {
      Bucket: 'data-1b2c',
      CreateBucketConfiguration: { LocationConstraint: 'eu-west-1' },
    })
    world.start()
    world.aws.calls.clear()
    const marks = forged(world, 'Bucket', { annotations: { ...notes, [forceDelete]: 'true' } })
    await world.create('Bucket', 'thief', { name: 'data-1b2c' }, marks)
    await world.advance(5_000)
    assert.equal(reasonOf(await held(world, 'Bucket', 'thief')), 'UnexpectedFinalizer')
    await world.kube.delete(world.typeOf('Bucket'), keyOf('thief'))
    await world.advance(600_000)
    assert.deepEqual(changes(world), [])
    assert.equal(await held(world, 'Bucket', 'thief'), undefined)
  })

  test(`whom a role of another claim trusts is not changed by an object that is made with our finalizer and marks: ${what}`, async () => {
    await using world = await tenantWorld({ kinds: ['Role'] })
    world.start()
    await world.create('Role', 'reader', { name: 'data-1b2c', assumeRolePolicyDocument: trust() })
    await world.settle()
    world.aws.calls.clear()
    const spec = { name: 'data-1b2c', assumeRolePolicyDocument: trust('lambda.amazonaws.com') }
    await world.create('Role', 'thief', spec, forged(world, 'Role', { annotations: notes }))
    await world.advance(600_000)
    assert.deepEqual(changes(world), [])
    await world.kube.delete(world.typeOf('Role'), keyOf('thief'))
    await world.advance(600_000)
    assert.deepEqual(changes(world), [])
    assert.equal(await readyOf(world, 'Role', 'reader'), 'True')
  })
}

const zone = async (world: ResourceWorld): Promise<string> => {
  await world.create('HostedZone', 'zone', { name: 'example.com.' })
  await world.advance(60_000)
  return String((await world.get('HostedZone', 'zone'))?.status?.['id'])
}

const record = (hostedZoneID: string, more: object = {}): object => ({
  name: 'www',
  hostedZoneID,
  recordType: 'A',
  ttl: 60,
  resourceRecords: [{ value: '10.0.0.1' }],
  ...more,
})

async function addressOf(world: ResourceWorld, HostedZoneId: string, name = 'www.example.com.'): Promise<unknown> {
  const { ResourceRecordSets } = await world.client('route53').call('ListResourceRecordSets', { HostedZoneId })
  const sets = ResourceRecordSets as { Name: string; Type: string; ResourceRecords: { Value: string }[] }[]
  const found = sets.find(({ Name, Type }) => Name === name && Type === 'A')
  return found?.ResourceRecords.map(({ Value }) => Value)
}

const records: Readonly<Record<string, Forgery>> = {
  'our finalizer and adopted': { annotations: { [annotations.adopted]: 'true' } },
  'our finalizer and an intent': { annotations: { [annotations.createIntent]: oldIntent } },
  'a policy that adopts': { finalizer: false, annotations: { [annotations.adoptionPolicy]: 'adopt-or-create' } },
}

for (const [what, forgery] of Object.entries(records)) {
  test(`a record that a claim manages is not taken by an object with ${what}, and does not go with it`, async () => {
    await using world = await tenantWorld({ services: ['route53'] })
    world.start()
    const id = await zone(world)
    // By a reference and a short name, while the thief says both in full.
    await world.create('RecordSet', 'www', {
      ...record(id),
      hostedZoneID: undefined,
      hostedZoneRef: { from: { name: 'zone' } },
    })
    await world.advance(60_000)
    assert.equal(await readyOf(world, 'RecordSet', 'www'), 'True')
    world.aws.calls.clear()
    const spec = record(id, { name: 'WWW.example.com.', resourceRecords: [{ value: '6.6.6.6' }] })
    await world.create('RecordSet', 'thief', spec, forged(world, 'RecordSet', forgery))
    await world.advance(600_000)
    assert.deepEqual(changes(world), [])
    assert.ok(reasonOf(await held(world, 'RecordSet', 'thief')) !== undefined)
    await world.kube.delete(world.typeOf('RecordSet'), keyOf('thief'))
    await world.advance(600_000)
    assert.deepEqual(changes(world), [])
    assert.deepEqual(await addressOf(world, id), ['10.0.0.1'])
    assert.equal(await held(world, 'RecordSet', 'thief'), undefined)
  })
}

test('a record that was made for an object under one name gives it no right to another name', async () => {
  await using world = await tenantWorld({ services: ['route53'] })
  world.start()
  const id = await zone(world)
  const Changes = [
    {
      Action: 'CREATE',
      ResourceRecordSet: { Name: 'mail.example.com.', Type: 'A', TTL: 60, ResourceRecords: [{ Value: '10.0.0.9' }] },
    },
  ]
  await world.client('route53').call('ChangeResourceRecordSets', { HostedZoneId: id, ChangeBatch: { Changes } })
  // What a zone is called by a reference can change; a name can be given once.
  await world.create('RecordSet', 'thief', record(id, { name: undefined }), { namespace: tenant })
  await world.advance(60_000)
  assert.deepEqual(await addressOf(world, id, 'example.com.'), ['10.0.0.1'])
  world.aws.calls.clear()
  await world.kube.patch(world.typeOf('RecordSet'), keyOf('thief'), 'merge', { spec: { name: 'mail' } })
  await world.advance(600_000)
  assert.deepEqual(changes(world), [])
  assert.equal(reasonOf(await held(world, 'RecordSet', 'thief')), 'NotUpdatable')
  await world.kube.delete(world.typeOf('RecordSet'), keyOf('thief'))
  await world.advance(600_000)
  assert.deepEqual(await addressOf(world, id, 'mail.example.com.'), ['10.0.0.9'])
  assert.equal(await addressOf(world, id, 'example.com.'), undefined, 'what was made for it went with it')
})

test('what an object only looks at is not its own once it does more than look', async () => {
  await using world = await tenantWorld({ services: ['s3'] })
  await world.client('s3').call('CreateBucket', {
    Bucket: 'data-1b2c',
    CreateBucketConfiguration: { LocationConstraint: 'eu-west-1' },
  })
  world.start()
  const marks = forged(world, 'Bucket', { annotations: { [annotations.readOnly]: 'true', [forceDelete]: 'true' } })
  await world.create('Bucket', 'thief', { name: 'data-1b2c' }, marks)
  await world.advance(60_000)
  assert.equal((await held(world, 'Bucket', 'thief'))?.status?.ackResourceMetadata?.arn, 'arn:aws:s3:::data-1b2c')
  world.aws.calls.clear()
  const metadata = { annotations: { [annotations.readOnly]: null } }
  await world.kube.patch(world.typeOf('Bucket'), keyOf('thief'), 'merge', { metadata })
  await world.advance(60_000)
  assert.equal(reasonOf(await held(world, 'Bucket', 'thief')), 'UnexpectedFinalizer')
  await world.kube.delete(world.typeOf('Bucket'), keyOf('thief'))
  await world.advance(600_000)
  assert.deepEqual(changes(world), [])
})

test('a living claim keeps what bears its mark, whatever policy another object adopts it by', async () => {
  await using world = await tenantWorld({ kinds: ['Role'] })
  world.start()
  await world.create('Role', 'reader', { name: 'reader', assumeRolePolicyDocument: trust() })
  await world.settle()
  // By its mark alone: what the status says of it is lost.
  const status = { ackResourceMetadata: null, conditions: null }
  await world.kube.patch(
    world.typeOf('Role'),
    { namespace: 'default', name: 'reader' },
    'merge',
    { status },
    { subresource: 'status' },
  )
  world.aws.calls.clear()
  for (const policy of ['adopt', 'adopt-or-create']) {
    const notes = { [annotations.adoptionPolicy]: policy, [annotations.adoptionFields]: '{"name":"reader"}' }
    const spec = policy === 'adopt' ? undefined : { name: 'reader', assumeRolePolicyDocument: trust('lambda.amazonaws.com') }
    await world.create('Role', policy, spec, forged(world, 'Role', { finalizer: false, annotations: notes }))
    await world.advance(60_000)
    assert.deepEqual(changes(world), [])
    assert.equal(reasonOf(await held(world, 'Role', policy)), 'DuplicateOwner')
  }
})

test('the mark of an owner is ours to write: a manifest that names another uid does not', async () => {
  await using world = await tenantWorld({ kinds: ['Role'] })
  world.start()
  const tags = [{ key: ownerTag, value: 'somebody-elses-uid' }]
  const made = await world.create('Role', 'reader', { name: 'reader', assumeRolePolicyDocument: trust(), tags })
  await world.advance(60_000)
  const { Tags } = await world.client('iam').call('ListRoleTags', { RoleName: 'reader' })
  const found = (Tags as { Key: string; Value: string }[]).find(({ Key }) => Key === ownerTag)
  assert.equal(found?.Value, made.metadata.uid)
  assert.equal(await readyOf(world, 'Role', 'reader'), 'True')
})

async function staysUnadopted(more: readonly { readonly Key: string; readonly Value: string }[]): Promise<void> {
  await using world = await tenantWorld({ kinds: ['Role'] })
  const tag = 'aws.identity.appthrust.io/binding-uid'
  const Tags = [
    { Key: tag, Value: 'uid-of-the-binding' },
    { Key: 'aws.identity.appthrust.io/owner-ref', Value: 'prod-app-0a1b2c3d' },
    ...more,
  ]
  await world.client('iam').call('CreateRole', { RoleName: 'awi-app', AssumeRolePolicyDocument: trust(), Tags })
  world.start()
  world.aws.calls.clear()
  const spec = {
    name: 'awi-app',
    assumeRolePolicyDocument: trust('lambda.amazonaws.com'),
    tags: Tags.map(({ Key, Value }) => ({ key: Key, value: Value })),
  }
  const tries = {
    plain: { [annotations.adoptionPolicy]: 'adopt-or-create' },
    tagged: { [annotations.adoptionPolicy]: 'adopt-or-create', [annotations.adoptionTag]: tag },
    forged: { [annotations.adopted]: 'true' },
  }
  for (const [name, notes] of Object.entries(tries)) {
    await world.create('Role', name, spec, forged(world, 'Role', { finalizer: name === 'forged', annotations: notes }))
    await world.advance(60_000)
    assert.deepEqual(changes(world), [], name)
    assert.ok(reasonOf(await held(world, 'Role', name)) !== undefined, name)
  }
}

test('a role that the identity operator made for a binding elsewhere is not adopted', () => staysUnadopted([]))

test('a role that the identity operator made through a child object that is gone is not adopted either', () =>
  staysUnadopted([{ Key: ownerTag, Value: 'uid-of-a-child-that-is-gone' }]))

test('the token of a request is made of the object that asks: another one cannot be borrowed', async () => {
  await using world = await tenantWorld({ services: ['acm'] })
  world.start()
  await world.create('Certificate', 'web', { domainName: 'www.example.com' })
  await world.advance(5_000)
  const token = (await world.get('Certificate', 'web'))?.metadata.annotations?.[annotations.createIntent] ?? oldIntent
  const notes = { [annotations.createIntent]: token }
  await world.create(
    'Certificate',
    'thief',
    { domainName: 'www.example.com' },
    forged(world, 'Certificate', { annotations: notes }),
  )
  await world.advance(60_000)
  const [own, stolen] = [await world.get('Certificate', 'web'), await held(world, 'Certificate', 'thief')]
  assert.notEqual(own?.status?.ackResourceMetadata?.arn, undefined)
  assert.notEqual(stolen?.status?.ackResourceMetadata?.arn, own?.status?.ackResourceMetadata?.arn)
})

test('a pod identity association of another claim is not found again by a forged intent', async () => {
  await using world = await tenantWorld({ services: ['eks', 'iam'], kinds: ['PodIdentityAssociation'] })
  const cluster = { name: 'prod', roleArn: `arn:aws:iam::${account}:role/cluster`, resourcesVpcConfig: {} }
  await world.client('iam').call('CreateRole', { RoleName: 'cluster', AssumeRolePolicyDocument: trust('eks.amazonaws.com') })
  await world.client('iam').call('CreateRole', { RoleName: 'app', AssumeRolePolicyDocument: trust('pods.eks.amazonaws.com') })
  await world.client('eks').call('CreateCluster', { ...cluster, resourcesVpcConfig: { subnetIds: ['subnet-1', 'subnet-2'] } })
  await world.advance(1_800_000)
  world.start()
  const spec = { clusterName: 'prod', namespace: 'team', serviceAccount: 'app', roleARN: `arn:aws:iam::${account}:role/app` }
  await world.create('PodIdentityAssociation', 'app', spec)
  await world.advance(60_000)
  assert.equal(await readyOf(world, 'PodIdentityAssociation', 'app'), 'True')
  world.aws.calls.clear()
  const marks = forged(world, 'PodIdentityAssociation', { annotations: { [annotations.createIntent]: oldIntent } })
  await world.create('PodIdentityAssociation', 'thief', spec, marks)
  await world.advance(60_000)
  await world.kube.delete(world.typeOf('PodIdentityAssociation'), keyOf('thief'))
  await world.advance(600_000)
  assert.deepEqual(changes(world), [])
  const { associations } = await world.client('eks').call('ListPodIdentityAssociations', { clusterName: 'prod' })
  assert.equal((associations as unknown[]).length, 1)
})

test('what cannot be marked by its create call is on record before the call goes out [S3, S5]', async () => {
  let recorded: string | undefined
  await using world = await tenantWorld({
    services: ['s3'],
    throughAws: exchange => async request => {
      const isCreation = request.method === 'PUT' && !request.target.includes('?')
      if (isCreation) {
        const claim = await world.get('Bucket', 'data')
        recorded = claim?.status?.conditions?.find(({ type }) => type === conditions.ownership)?.reason
      }
      return exchange(request)
    },
  })
  world.start()
  await world.create('Bucket', 'data', { name: 'data-1b2c' })
  await world.advance(5_000)
  assert.equal(recorded, 'Intended')
  assert.equal(await readyOf(world, 'Bucket', 'data'), 'True')
  // It bears the mark by now, which says all there is to say.
  assert.equal(await world.condition('Bucket', 'data', conditions.ownership), undefined)
})

test('a record that was about to be made in one zone gives no right to the same record in another', async () => {
  await using world = await tenantWorld({ services: ['route53'] })
  world.start()
  await zone(world)
  await world.create('HostedZone', 'other', { name: 'example.org.' })
  await world.advance(60_000)
  const id = String((await world.get('HostedZone', 'other'))?.status?.['id'])
  const ResourceRecordSet = { Name: 'www.example.org.', Type: 'A', TTL: 60, ResourceRecords: [{ Value: '10.0.0.1' }] }
  const Changes = [{ Action: 'CREATE', ResourceRecordSet }]
  await world.client('route53').call('ChangeResourceRecordSets', { HostedZoneId: id, ChangeBatch: { Changes } })
  const match = { service: 'route53', operation: 'ChangeResourceRecordSets' }
  world.aws.faults.add({ match, effect: { kind: 'throttle' }, untilMs: world.clock.now() + 60_000 })
  const ref = (name: string): object => ({ from: { name, namespace: tenant } })
  for (const [name, HostedZoneId] of [
    ['zone', (await world.get('HostedZone', 'zone'))?.status?.['id']],
    ['other', id],
  ] as const) {
    const notes = {
      [annotations.readOnly]: 'true',
      [annotations.adoptionPolicy]: 'adopt',
      [annotations.adoptionFields]: JSON.stringify({ id: HostedZoneId }),
    }
    const type = world.typeOf('HostedZone')
    const spec = { name: name === 'zone' ? 'example.com.' : 'example.org.' }
    await world.kube.create(type, {
      apiVersion: `${type.group}/${type.version}`,
      kind: 'HostedZone',
      metadata: { namespace: tenant, name, annotations: notes },
      spec,
    } as never)
    await world.kube.patch(type, keyOf(name), 'merge', { status: { id: HostedZoneId } }, { subresource: 'status' })
  }
  await world.advance(5_000)
  const asked = { ...record(id), hostedZoneID: undefined, hostedZoneRef: ref('zone') }
  await world.create('RecordSet', 'thief', asked, { namespace: tenant })
  await world.advance(10_000)
  const before = await held(world, 'RecordSet', 'thief')
  assert.equal(before?.status?.conditions?.find(({ type }) => type === conditions.ownership)?.reason, 'Intended')
  await world.kube.patch(world.typeOf('RecordSet'), keyOf('thief'), 'merge', { spec: { hostedZoneRef: ref('other') } })
  await world.advance(600_000)
  await world.kube.delete(world.typeOf('RecordSet'), keyOf('thief'))
  await world.advance(600_000)
  assert.deepEqual(await addressOf(world, id, 'www.example.org.'), ['10.0.0.1'])
})
