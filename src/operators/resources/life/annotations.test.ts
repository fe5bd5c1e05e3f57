// What annotations of objects and namespaces ask for beyond the manifest (6.16, 9).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type EventObject, events, namespaces, secrets } from '#kube'
import { Metrics } from '#runtime'
import { annotations, conditions, ownerTag, type Resource } from '../api.ts'
import { findCycle } from '../references/cycles.ts'
import { changes } from '../testing/changes.ts'
import { modelOf } from '../testing/parts.ts'
import { account, type ResourceWorld, resourceWorld, trust } from '../testing/world.ts'

const kinds = ['Role', 'Policy']
const role = (more: object = {}): object => ({ name: 'reader', assumeRolePolicyDocument: trust(), ...more })

async function annotateNamespace(world: ResourceWorld, notes: Readonly<Record<string, string>>): Promise<void> {
  await world.kube.patch(namespaces, { namespace: '', name: 'default' }, 'merge', { metadata: { annotations: notes } })
}

test('allow-replace: what no API changes is deleted and made anew, and only then [9.10]', async () => {
  await using world = resourceWorld({ kinds })
  world.start()
  await world.create('Role', 'reader', role())
  await world.advance(5_000)
  await world.patch('Role', 'reader', { spec: { path: '/team/' } })
  await world.advance(5_000)
  assert.equal((await world.condition('Role', 'reader', conditions.terminal))?.reason, 'NotUpdatable')
  world.aws.calls.clear()
  await world.patch('Role', 'reader', {
    metadata: { annotations: { [annotations.deletionPolicy]: 'retain', [annotations.allowReplace]: 'true' } },
  })
  await world.advance(5_000)
  assert.deepEqual(changes(world), [])
  await world.patch('Role', 'reader', { metadata: { annotations: { [annotations.deletionPolicy]: null } } })
  await world.advance(120_000)
  assert.deepEqual(changes(world), ['DeleteRole', 'CreateRole'])
  const replaced = await world.get('Role', 'reader')
  assert.equal((await world.condition('Role', 'reader', conditions.ready))?.status, 'True', JSON.stringify(replaced?.status))
  assert.equal(replaced?.status?.ackResourceMetadata?.arn, `arn:aws:iam::${account}:role/team/reader`)
  const { items } = await world.kube.list<EventObject>(events, { namespace: 'default' })
  assert.ok(items.some(({ reason }) => reason === 'Replaced'))
  // What was made anew goes as soon as anything else.
  await world.remove('Role', 'reader')
  await world.advance(5_000)
  assert.equal(await world.get('Role', 'reader'), undefined)
})

test('deletion-protection: the object waits, says why, and nothing is deleted until it is taken away [9.9]', async () => {
  await using world = resourceWorld({ kinds })
  world.start()
  await world.create('Role', 'reader', role(), { annotations: { [annotations.deletionProtection]: 'true' } })
  await world.advance(5_000)
  await world.remove('Role', 'reader')
  await world.advance(600_000)
  assert.equal(world.aws.calls.count({ operation: 'DeleteRole' }), 0)
  assert.match(
    (await world.condition('Role', 'reader', conditions.deleting))?.message ?? '',
    /deletion-protection stands in the way/,
  )
  await world.patch('Role', 'reader', { metadata: { annotations: { [annotations.deletionProtection]: null } } })
  await world.advance(5_000)
  assert.equal(await world.get('Role', 'reader'), undefined)
})

test('drift-policy detect-only: what somebody else changed is told and stays, also after a restart; the manifest still counts [9.7]', async () => {
  await using world = resourceWorld({ kinds, resyncSeconds: 600 })
  const first = world.start()
  await world.create('Role', 'reader', role({ description: 'reads' }), {
    annotations: { [annotations.driftPolicy]: 'detect-only' },
  })
  await world.advance(5_000)
  await world.client('iam').call('UpdateRole', { RoleName: 'reader', Description: 'writes', MaxSessionDuration: 3_600 })
  world.aws.calls.clear()
  await world.advance(700_000)
  await first.stop()
  world.start()
  await world.advance(700_000)
  assert.deepEqual(changes(world), [])
  const advisory = await world.condition('Role', 'reader', conditions.advisory)
  assert.deepEqual([advisory?.reason, advisory?.message.includes('Spec.Description')], ['DriftDetected', true])
  await world.patch('Role', 'reader', { spec: { description: 'reads all' } })
  await world.advance(5_000)
  assert.deepEqual(changes(world), ['UpdateRole'])
  assert.equal(await world.condition('Role', 'reader', conditions.advisory), undefined)
})

test('default-tags of a namespace are added to those of the process, follow it, and never stand in the manifest [9.21]', async () => {
  await using world = resourceWorld({ kinds, resourceTags: ['team=none', 'cost=1'] })
  await annotateNamespace(world, { 'services.k8s.aws/default-tags': 'team=blue, for=%K8S_RESOURCE_NAME%' })
  world.start()
  const made = await world.create('Role', 'reader', role())
  await world.advance(5_000)
  const tags = async (): Promise<object> => {
    const { Tags } = (await world.client('iam').call('ListRoleTags', { RoleName: 'reader' })) as {
      Tags: { Key: string; Value: string }[]
    }
    return Object.fromEntries(Tags.map(({ Key, Value }) => [Key, Value]))
  }
  assert.deepEqual(await tags(), { team: 'blue', cost: '1', for: 'reader', [ownerTag]: made.metadata.uid })
  await annotateNamespace(world, { 'services.k8s.aws/default-tags': 'team=green' })
  await world.advance(5_000)
  assert.deepEqual(await tags(), { team: 'green', cost: '1', [ownerTag]: made.metadata.uid })
  assert.equal((await world.get('Role', 'reader'))?.spec?.['tags'], undefined)
})

test('adoption by ARN: the identifiers are read out of it [9.3]', async () => {
  await using world = resourceWorld({ services: ['iam', 's3'], kinds: ['Role', 'Bucket'] })
  await world.client('iam').call('CreateRole', { RoleName: 'old', Path: '/team/', AssumeRolePolicyDocument: trust() })
  await world.client('s3').call('CreateBucket', {
    Bucket: 'old-1b2c',
    CreateBucketConfiguration: { LocationConstraint: 'eu-west-1' },
  })
  world.start()
  const adopting = (arn: string): object => ({
    annotations: { [annotations.adoptionPolicy]: 'adopt', [annotations.adoptionFields]: JSON.stringify({ arn }) },
  })
  await world.create('Role', 'old', undefined, adopting(`arn:aws:iam::${account}:role/team/old`))
  await world.create('Bucket', 'old', undefined, adopting('arn:aws:s3:::old-1b2c'))
  await world.advance(20_000)
  for (const kind of ['Role', 'Bucket']) {
    const ready = await world.condition(kind, 'old', conditions.ready)
    assert.equal(ready?.status, 'True', `${kind} ${JSON.stringify((await world.get(kind, 'old'))?.status)}`)
  }
})

test('retain by kind: the resource stays when its object goes [9.5]', async () => {
  await using world = resourceWorld({ kinds, deletionPolicyOf: { Role: 'retain' } })
  world.start()
  await world.create('Role', 'reader', role())
  await world.advance(5_000)
  await world.remove('Role', 'reader')
  await world.advance(5_000)
  assert.equal(await world.get('Role', 'reader'), undefined)
  assert.equal(world.aws.calls.count({ operation: 'DeleteRole' }), 0)
})

test('metrics: the series of an object say what holds, and go with it [6.17]', async () => {
  const metrics = new Metrics()
  await using world = resourceWorld({ kinds, metrics })
  world.start()
  await world.create('Role', 'reader', role({ assumeRolePolicyDocument: '{}' }))
  await world.advance(5_000)
  const series = (): readonly string[] =>
    metrics
      .expose()
      .split('\n')
      .filter(line => line.startsWith('ack_resource_condition{'))
      .map(line => line.replace(/^.*type="([^"]+)".*\} /, '$1 '))
      .toSorted()
  assert.ok(series().includes('ACK.Terminal 1'), series().join())
  await world.patch('Role', 'reader', { spec: { assumeRolePolicyDocument: trust() } })
  await world.advance(5_000)
  assert.ok(!series().some(line => line.startsWith('ACK.Terminal')), series().join())
  assert.ok(series().includes('Ready 1'))
  await world.remove('Role', 'reader')
  await world.advance(5_000)
  assert.deepEqual(series(), [])
})

test('references that lead in a circle are told by name [6.12]', () => {
  const model = modelOf('iam', 'Role')
  const named = (name: string, refs: readonly string[]): Resource =>
    ({
      apiVersion: 'iam.services.k8s.aws/v1alpha1',
      kind: 'Role',
      metadata: { namespace: 'default', name, uid: name, resourceVersion: '1' },
      spec: { policyRefs: refs.map(each => ({ from: { name: each } })) },
    }) as Resource
  const objects = new Map([
    ['a', named('a', ['leaf', 'b'])],
    ['b', named('b', ['c'])],
    ['c', named('c', ['b', 'a'])],
    ['leaf', named('leaf', [])],
    ['outside', named('outside', ['b'])],
  ])
  const cycleOf = (name: string): readonly string[] | undefined =>
    findCycle({
      model,
      claim: objects.get(name) as Resource,
      find: target => objects.get(target.name),
      modelOf: () => model,
    })
  assert.deepEqual(cycleOf('a'), ['Role default/a', 'Role default/b', 'Role default/c', 'Role default/a'])
  assert.equal(cycleOf('leaf'), undefined)
  assert.equal(cycleOf('outside'), undefined)
})

test('user agent: AWS is told which controller calls, of which build and for which kind [6.17]', async () => {
  const agents = new Set<string>()
  await using world = resourceWorld({
    kinds: ['Role', 'Policy'],
    version: '1.2.3',
    build: { commit: 'abc123', date: '2026-01-02T03:04:05Z' },
    throughAws: exchange => request => {
      agents.add(String(request.headers['user-agent']))
      return exchange(request)
    },
  })
  world.start()
  await world.create('Role', 'reader', role())
  await world.create('Policy', 'reads', { name: 'reads', policyDocument: '{"Version":"2012-10-17","Statement":[]}' })
  await world.settle()
  const agent = (kind: string): string =>
    `aws-controllers-k8s/iam.services.k8s.aws-1.2.3 (GitCommit/abc123; BuildDate/2026-01-02T03:04:05Z; CRDKind/${kind}; CRDVersion/v1alpha1)`
  assert.deepEqual([...agents].sort(), [agent('Policy'), agent('Role')])
})

test('a Secret of another type is read where that is allowed [9.23]', async () => {
  for (const anySecretType of [true, false]) {
    await using world = resourceWorld({ services: ['acm'], anySecretType, secrets: ['default/*'] })
    world.start()
    await world.kube.create(secrets, {
      apiVersion: 'v1',
      kind: 'Secret',
      type: 'example.com/pair',
      metadata: { namespace: 'default', name: 'pair' },
      data: { crt: 'eA==', key: 'eA==' },
    } as never)
    const [certificate, privateKey] = [
      { name: 'pair', key: 'crt' },
      { name: 'pair', key: 'key' },
    ]
    await world.create('Certificate', 'mine', { certificate, privateKey })
    await world.advance(5_000)
    // ACM then finds that it is no certificate.
    assert.equal(world.aws.calls.count({ operation: 'ImportCertificate' }) > 0, anySecretType)
  }
})

test('lookup: a read-only object finds its resource by a name or by tags, without a finalizer, and others may refer to it [9.8]', async () => {
  await using world = resourceWorld({ kinds, services: ['iam'] })
  const iam = world.client('iam')
  const make = (RoleName: string, team: string): Promise<unknown> =>
    iam.call('CreateRole', { RoleName, AssumeRolePolicyDocument: trust(), Tags: [{ Key: 'team', Value: team }] })
  for (const [name, team] of [
    ['app-blue', 'blue'],
    ['app-red', 'red'],
    ['db-red', 'red'],
  ] as const)
    await make(name, team)
  world.start()
  const look = (name: string, lookup: unknown): Promise<Resource> =>
    world.create('Role', name, undefined, {
      annotations: {
        [annotations.readOnly]: 'true',
        [annotations.lookup]: typeof lookup === 'string' ? lookup : JSON.stringify(lookup),
      },
    })
  await look('by-name', { name: 'app-b*' })
  await look('by-both', { name: 'app-*', tags: { team: 'red' } })
  await look('by-tags', { tags: { team: 'blue' } })
  await look('several', { tags: { team: 'red' } })
  await look('none', { name: 'web' })
  await look('no-json', '{')
  await look('odd', { named: 'x' })
  await look('empty', {})
  await world.create('Role', 'no-read-only', undefined, { annotations: { [annotations.lookup]: '{"name":"app-blue"}' } })
  await world.advance(5_000)
  const arnOf = async (name: string): Promise<string | undefined> =>
    (await world.get('Role', name))?.status?.ackResourceMetadata?.arn
  const arn = (name: string): string => `arn:aws:iam::${account}:role/${name}`
  assert.deepEqual(
    [await arnOf('by-name'), await arnOf('by-both'), await arnOf('by-tags')],
    [arn('app-blue'), arn('app-red'), arn('app-blue')],
  )
  for (const name of ['by-name', 'by-both', 'by-tags']) {
    assert.equal((await world.condition('Role', name, conditions.ready))?.status, 'True', name)
    assert.deepEqual(
      [(await world.get('Role', name))?.metadata.finalizers, (await world.get('Role', name))?.spec],
      [undefined, undefined],
    )
  }
  const said = async (name: string): Promise<string> => {
    const terminal = await world.condition('Role', name, conditions.terminal)
    return (terminal ?? (await world.condition('Role', name, conditions.recoverable)))?.message ?? ''
  }
  assert.match(await said('several'), /^several resources fit the lookup, such as app-red and db-red$/)
  assert.match(await said('none'), /read-only resource not found/)
  assert.match(await said('no-json'), /is no JSON object such as/)
  assert.match(await said('odd'), /has named; known are name, tags, with/)
  assert.match(await said('empty'), /needs a name or tags/)
  assert.match(await said('no-read-only'), /is for objects with services\.k8s\.aws\/read-only/)
  const PolicyDocument = '{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Action":"s3:Get*","Resource":"*"}]}'
  await iam.call('CreatePolicy', { PolicyName: 'shared-read', PolicyDocument })
  await world.create('Policy', 'shared', undefined, {
    annotations: { [annotations.readOnly]: 'true', [annotations.lookup]: '{"name":"shared-*"}' },
  })
  await world.create('Role', 'user', { ...role({ name: 'user' }), policyRefs: [{ from: { name: 'shared' } }] })
  await world.advance(60_000)
  assert.equal(
    world.aws.calls.last({ operation: 'AttachRolePolicy' })?.parameters['PolicyArn'],
    `arn:aws:iam::${account}:policy/shared-read`,
  )
  // Known by its identifiers from then on; another lookup is another search.
  world.aws.calls.clear()
  const again = { metadata: { annotations: { [annotations.reconcileAt]: 'now' } } }
  await world.patch('Role', 'by-name', again)
  await world.advance(1_000)
  assert.equal(world.aws.calls.count({ operation: 'ListRoles' }), 0)
  await world.patch('Role', 'by-name', { metadata: { annotations: { [annotations.lookup]: '{"name":"db-red"}' } } })
  await world.advance(1_000)
  assert.equal(await arnOf('by-name'), arn('db-red'))
  // What it found and is gone is looked for again, and one that comes is found.
  await iam.call('DeleteRole', { RoleName: 'app-blue' })
  await make('app-black', 'blue')
  await world.patch('Role', 'by-tags', again)
  await world.advance(1_000)
  assert.equal(await arnOf('by-tags'), arn('app-black'))
  await world.remove('Role', 'by-both')
  assert.equal(await world.get('Role', 'by-both'), undefined)
  assert.deepEqual(
    changes(world).filter(operation => operation !== 'CreateRole'),
    ['DeleteRole'],
  )
})

test('lookup: a list that needs to be told where says so, and tags of a kind that has none are refused [9.8]', async () => {
  await using world = resourceWorld({ services: ['eks', 'route53'], kinds: ['PodIdentityAssociation', 'RecordSet'] })
  world.start()
  const look = (kind: string, lookup: object): Promise<Resource> =>
    world.create(kind, 'one', undefined, {
      annotations: { [annotations.readOnly]: 'true', [annotations.lookup]: JSON.stringify(lookup) },
    })
  await look('PodIdentityAssociation', { tags: { team: 'blue' } })
  await look('RecordSet', { tags: { team: 'blue' } })
  await world.advance(5_000)
  const said = async (kind: string): Promise<string> => (await world.condition(kind, 'one', conditions.terminal))?.message ?? ''
  assert.match(await said('PodIdentityAssociation'), /needs clusterName: say it in the lookup, "with": \{"clusterName": "…"\}$/)
  assert.match(await said('RecordSet'), /a RecordSet has no tags$/)
})
