// The runtime scenarios of docs/rules/resources.md (§10.3), by number, over the embedded API server and the emulator.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HttpFailure } from '#base'
import { configMaps, type KubeObject, namespaces } from '#kube'
import { Metrics } from '#runtime'
import { annotations, conditions, ownerTag, type Resource } from '../api.ts'
import { changes } from '../testing/changes.ts'
import { account, type ResourceWorld, type ResourceWorldOptions, resourceWorld, trust } from '../testing/world.ts'

const role = (more: object = {}): object => ({ name: 'reader', assumeRolePolicyDocument: trust(), ...more })
const kinds = ['Role', 'Policy']

test('create: the finalizer is there before the first call that changes anything [10.3.1]', async () => {
  let held: readonly string[] | undefined
  await using world = resourceWorld({
    kinds,
    throughAws: exchange => async request => {
      const text = request.body instanceof Uint8Array ? new TextDecoder().decode(request.body) : ''
      if (text.includes('Action=CreateRole')) held = (await world.get('Role', 'reader'))?.metadata.finalizers
      return exchange(request)
    },
  })
  world.start()
  await world.create('Role', 'reader', role())
  await world.settle()
  assert.deepEqual(held, ['finalizers.iam.services.k8s.aws/Role'])
})

test('drift: corrected on resync, and counted [10.3.4]', async () => {
  const metrics = new Metrics()
  await using world = resourceWorld({ kinds, resyncSeconds: 600, metrics })
  world.start()
  await world.create('Role', 'reader', role({ description: 'reads' }))
  await world.advance(700_000)
  await world.client('iam').call('UpdateRole', { RoleName: 'reader', Description: 'writes' })
  await world.client('iam').call('TagRole', { RoleName: 'reader', Tags: [{ Key: 'aws-like', Value: 'x' }] })
  world.aws.calls.clear()
  await world.advance(700_000)
  assert.deepEqual(changes(world), ['UntagRole', 'UpdateRole'])
  assert.match(metrics.expose(), /ack_drift_detected_total\{kind="Role"\} 1/)
})

test('terminal code: said once, without a storm of retries [10.3.5]', async () => {
  await using world = resourceWorld({ kinds })
  world.start()
  await world.create('Role', 'reader', role({ assumeRolePolicyDocument: '{"Version":"2012-10-17"}' }))
  await world.advance(3_600_000)
  assert.deepEqual(changes(world), ['CreateRole'])
  const [terminal, ready] = [
    await world.condition('Role', 'reader', conditions.terminal),
    await world.condition('Role', 'reader', conditions.ready),
  ]
  assert.equal(terminal?.status, 'True')
  assert.match(terminal?.message ?? '', /MalformedPolicyDocument/)
  assert.deepEqual([ready?.status, ready?.reason], ['False', 'ACK.Terminal'])
  // A mended manifest needs no help.
  await world.patch('Role', 'reader', { spec: { assumeRolePolicyDocument: trust() } })
  await world.advance(60_000)
  assert.equal((await world.condition('Role', 'reader', conditions.ready))?.status, 'True')
  assert.equal(await world.condition('Role', 'reader', conditions.terminal), undefined)
})

test('throttled twenty times: recoverable, ever slower, then done [10.3.6]', async () => {
  await using world = resourceWorld({ kinds })
  world.aws.faults.add({ match: { service: 'iam', operation: 'CreateRole' }, effect: { kind: 'throttle' }, times: 20 })
  world.start()
  await world.create('Role', 'reader', role())
  await world.advance(5_000)
  const early = world.aws.calls.count({ operation: 'CreateRole' })
  assert.equal((await world.condition('Role', 'reader', conditions.recoverable))?.reason, 'Throttled')
  await world.advance(5_000)
  const late = world.aws.calls.count({ operation: 'CreateRole' }) - early
  assert.ok(late < early, `${early} calls, then ${late}`)
  await world.advance(1_200_000)
  assert.equal((await world.condition('Role', 'reader', conditions.ready))?.status, 'True')
  assert.equal(await world.condition('Role', 'reader', conditions.recoverable), undefined)
})

test('crash after create, before anything was recorded: no second resource, and the claim is managed [10.3.7]', async () => {
  let crash: (() => void) | undefined
  await using world = resourceWorld({
    services: ['iam', 'route53', 'acm'],
    kinds: ['Role', 'Policy', 'HostedZone', 'Certificate'],
    throughAws: exchange => async request => {
      const answer = await exchange(request)
      const text = request.body instanceof Uint8Array ? new TextDecoder().decode(request.body) : ''
      const isRequest = String(request.headers['x-amz-target']).endsWith('RequestCertificate')
      if (!text.includes('Action=CreateRole') && !text.includes('CreateHostedZoneRequest') && !isRequest) return answer
      if (crash === undefined) return answer
      crash()
      throw new HttpFailure('reset', 'the process died')
    },
  })
  for (const [kind, spec] of [
    ['Role', role()],
    ['HostedZone', { name: 'example.com.' }],
    ['Certificate', { domainName: 'www.example.com' }],
  ] as const) {
    const first = world.start()
    crash = () => void first.stop()
    await world.create(kind, 'one', spec)
    await world.settle()
    crash = undefined
    await world.advance(5_000)
    world.start()
    await world.advance(120_000)
    assert.equal(
      (await world.condition(kind, 'one', conditions.ready))?.status,
      'True',
      JSON.stringify((await world.get(kind, 'one'))?.status),
    )
  }
  const { HostedZones } = await world.client('route53').call('ListHostedZones')
  assert.equal((HostedZones as unknown[]).length, 1)
  const { CertificateSummaryList } = await world.client('acm').call('ListCertificates')
  assert.equal((CertificateSummaryList as unknown[]).length, 1)
})

test('crash between finalizer and create: created once [10.3.8]', async () => {
  let crash: (() => void) | undefined
  await using world = resourceWorld({
    kinds,
    throughAws: exchange => request => {
      const text = request.body instanceof Uint8Array ? new TextDecoder().decode(request.body) : ''
      if (crash !== undefined && text.includes('Action=CreateRole')) {
        crash()
        return Promise.reject(new HttpFailure('unreachable', 'the process died before'))
      }
      return exchange(request)
    },
  })
  const first = world.start()
  crash = () => void first.stop()
  await world.create('Role', 'reader', role())
  await world.settle()
  assert.equal((await world.get('Role', 'reader'))?.metadata.finalizers?.length, 1)
  crash = undefined
  await world.advance(5_000)
  world.start()
  await world.advance(120_000)
  assert.equal(world.aws.calls.count({ operation: 'CreateRole', result: 'ok' }), 1)
  assert.equal((await world.condition('Role', 'reader', conditions.ready))?.status, 'True')
})

test('an existing resource that nobody gave us: terminal, and left alone [10.3.9]', async () => {
  await using world = resourceWorld({ kinds })
  await world.client('iam').call('CreateRole', { RoleName: 'reader', AssumeRolePolicyDocument: trust('lambda.amazonaws.com') })
  world.aws.calls.clear()
  world.start()
  await world.create('Role', 'reader', role())
  await world.settle()
  assert.deepEqual(changes(world), [])
  const terminal = await world.condition('Role', 'reader', conditions.terminal)
  assert.deepEqual([terminal?.status, terminal?.reason], ['True', 'ResourceExists'])
  assert.match(terminal?.message ?? '', /adoption-policy/)
  assert.equal((await world.get('Role', 'reader'))?.metadata.finalizers, undefined)
  // It goes, and the role stays.
  await world.remove('Role', 'reader')
  await world.settle()
  assert.equal(await world.get('Role', 'reader'), undefined)
  assert.deepEqual(changes(world), [])
})

test('adopt: the manifest is filled from AWS; absent or badly asked for is said [10.3.10]', async () => {
  await using world = resourceWorld({ kinds })
  await world.client('iam').call('CreateRole', { RoleName: 'old', AssumeRolePolicyDocument: trust(), Description: 'from before' })
  world.aws.calls.clear()
  world.start()
  const adopt = (fields: string) => ({
    annotations: { [annotations.adoptionPolicy]: 'adopt', [annotations.adoptionFields]: fields },
  })
  await world.create('Role', 'old', undefined, adopt('{"name":"old"}'))
  await world.create('Role', 'absent', undefined, adopt('{"name":"nowhere"}'))
  await world.create('Role', 'broken', undefined, adopt('{"name":'))
  await world.create('Role', 'keyless', undefined, adopt('{}'))
  await world.advance(10_000)
  const adopted = await world.get('Role', 'old')
  assert.equal(adopted?.spec?.['description'], 'from before')
  assert.equal(adopted?.spec?.['name'], 'old')
  assert.equal(adopted?.spec?.['tags'], undefined)
  assert.equal(adopted?.metadata.annotations?.[annotations.adopted], 'true')
  assert.equal((await world.condition('Role', 'old', conditions.ready))?.status, 'True', JSON.stringify(adopted?.status))
  const absent = await world.condition('Role', 'absent', conditions.recoverable)
  assert.deepEqual([absent?.reason, absent?.message], ['AdoptedResourceNotFound', 'adopted resource not found'])
  assert.equal((await world.condition('Role', 'broken', conditions.terminal))?.status, 'True')
  assert.match((await world.condition('Role', 'keyless', conditions.terminal))?.message ?? '', /required field missing: name/)
})

test('adopt-or-create: brought in step with the manifest when there, made when not [10.3.10]', async () => {
  await using world = resourceWorld({ kinds })
  await world.client('iam').call('CreateRole', { RoleName: 'reader', AssumeRolePolicyDocument: trust(), Description: 'old' })
  world.aws.calls.clear()
  world.start()
  const metadata = { annotations: { [annotations.adoptionPolicy]: 'adopt-or-create' } }
  await world.create('Role', 'reader', role({ description: 'new' }), metadata)
  await world.create('Role', 'other', role({ name: 'other' }), metadata)
  await world.advance(30_000)
  assert.equal(world.aws.calls.count({ operation: 'CreateRole' }), 1)
  assert.equal(world.aws.calls.last({ operation: 'UpdateRole' })?.parameters['Description'], 'new')
  for (const name of ['reader', 'other'])
    assert.equal((await world.condition('Role', name, conditions.ready))?.status, 'True', name)
})

test('read-only: looked at, never touched, and no deletion reaches it [10.3.10, 10.3.11]', async () => {
  await using world = resourceWorld({ kinds })
  await world.client('iam').call('CreateRole', { RoleName: 'reader', AssumeRolePolicyDocument: trust(), Description: 'old' })
  world.aws.calls.clear()
  world.start()
  await world.create('Role', 'reader', role({ description: 'new' }), { annotations: { [annotations.readOnly]: 'true' } })
  await world.settle()
  const seen = await world.get('Role', 'reader')
  assert.equal(seen?.metadata.finalizers, undefined)
  assert.match(String(seen?.status?.['roleID']), /^AROA/)
  await world.remove('Role', 'reader')
  await world.settle()
  assert.deepEqual(changes(world), [])
})

test('delete with retain: by annotation, by namespace, by flag [10.3.11]', async () => {
  const service = 'iam.services.k8s.aws/deletion-policy'
  for (const how of ['annotation', 'namespace', 'flag'] as const) {
    await using world = resourceWorld({ kinds, ...(how === 'flag' ? { deletionPolicy: 'retain' } : {}) })
    if (how === 'namespace')
      await world.kube.patch(namespaces, { namespace: '', name: 'default' }, 'merge', {
        metadata: { annotations: { [service]: 'retain' } },
      })
    world.start()
    const metadata = how === 'annotation' ? { annotations: { [annotations.deletionPolicy]: 'retain' } } : {}
    await world.create('Role', 'reader', role(), metadata)
    await world.settle()
    await world.remove('Role', 'reader')
    await world.settle()
    assert.equal(await world.get('Role', 'reader'), undefined, how)
    assert.equal(world.aws.calls.count({ operation: 'DeleteRole' }), 0, how)
  }
})

/** A cluster in a cloud that takes its time, about to go. */
async function goingCluster(options: ResourceWorldOptions = {}): Promise<ResourceWorld> {
  const world = resourceWorld({ services: ['eks'], kinds: ['Cluster'], awsOptions: { profile: 'async' }, ...options })
  await world.client('iam').call('CreateRole', { RoleName: 'cluster', AssumeRolePolicyDocument: trust('eks.amazonaws.com') })
  await world.advance(20_000)
  world.start()
  const resourcesVPCConfig = { subnetIDs: ['subnet-1', 'subnet-2'] }
  await world.create('Cluster', 'main', { name: 'main', roleARN: `arn:aws:iam::${account}:role/cluster`, resourcesVPCConfig })
  await world.advance(1_800_000)
  assert.equal(
    (await world.get('Cluster', 'main'))?.status?.['status'],
    'ACTIVE',
    JSON.stringify((await world.get('Cluster', 'main'))?.status),
  )
  await world.remove('Cluster', 'main')
  await world.advance(10_000)
  return world
}

test('asynchronous delete: the object stays until AWS shows nothing, and says what it waits for [10.3.12]', async () => {
  await using world = await goingCluster()
  assert.equal((await world.condition('Cluster', 'main', conditions.deleting))?.status, 'True')
  assert.equal(world.aws.calls.count({ operation: 'DeleteCluster' }), 1)
  await world.advance(3_600_000)
  assert.equal(await world.get('Cluster', 'main'), undefined)
  assert.equal(world.aws.calls.count({ operation: 'DeleteCluster' }), 1)
})

test('a kind may do without the wait: its object goes once AWS has taken the deletion [6.7]', async () => {
  await using world = await goingCluster({ releaseAfterDelete: ['Cluster'] })
  assert.equal(await world.get('Cluster', 'main'), undefined)
  assert.equal(world.aws.calls.count({ operation: 'DeleteCluster' }), 1)
  const held = await world.client('eks').call('DescribeCluster', { name: 'main' })
  assert.equal((held['cluster'] as { readonly status?: string }).status, 'DELETING')
})

test('references: another namespace is noticed when allowed, and refused when not [10.3.13]', async () => {
  for (const crossNamespace of [true, false]) {
    await using world = resourceWorld({ kinds, crossNamespace })
    world.start()
    const policyRefs = [{ from: { name: 'read', namespace: 'elsewhere' } }]
    await world.create('Role', 'reader', role({ policyRefs }))
    await world.settle()
    const [references, terminal] = [
      await world.condition('Role', 'reader', conditions.references),
      await world.condition('Role', 'reader', conditions.terminal),
    ]
    assert.equal(references?.status, crossNamespace ? 'Unknown' : 'False')
    assert.equal(terminal?.status, crossNamespace ? undefined : 'True')
    assert.deepEqual(world.calls(), [])
  }
})

test('a role mapping that is missing is waited for, without a restart [10.3.15]', async () => {
  await using world = resourceWorld({ kinds, awsOptions: { accounts: [account, '999988887777'] } })
  const owner = { metadata: { annotations: { 'services.k8s.aws/owner-account-id': '999988887777' } } }
  await world.kube.patch(namespaces, { namespace: '', name: 'default' }, 'merge', owner)
  await world.kube.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'ack-system' } })
  world.start()
  await world.create('Role', 'reader', role())
  await world.settle()
  const synced = await world.condition('Role', 'reader', conditions.synced)
  assert.deepEqual([synced?.status, synced?.message], ['False', 'IAM Role is not available'])
  assert.deepEqual(world.calls(), [])
  const data = { '999988887777': 'arn:aws:iam::999988887777:role/vouch' }
  await world.kube.create(configMaps, {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { namespace: 'ack-system', name: 'ack-role-account-map' },
    data,
  } as never)
  await world.advance(30_000)
  // The role of that account is not there in this world; that it is tried is what matters here.
  assert.ok(world.calls().includes('AssumeRole'), world.calls().join(' '))
})

test('what people write on namespaces of Kubernetes itself says nothing of accounts and regions [6.1]', async () => {
  await using world = resourceWorld({ kinds })
  const say = async (name: string): Promise<void> => {
    const metadata = { name, annotations: { 'services.k8s.aws/default-region': 'us-west-2' } }
    await world.kube.patch(namespaces, { namespace: '', name }, 'merge', { metadata })
    await world.kube.create(world.typeOf('Role'), {
      apiVersion: 'iam.services.k8s.aws/v1alpha1',
      kind: 'Role',
      metadata: { namespace: name, name: 'one' },
      spec: role({ name: `of-${name}` }),
    } as KubeObject)
  }
  world.start()
  for (const name of ['kube-system', 'default']) await say(name)
  await world.advance(5_000)
  const regionOf = async (namespace: string): Promise<string | undefined> =>
    (await world.kube.find<Resource>(world.typeOf('Role'), { namespace, name: 'one' }))?.status?.ackResourceMetadata?.region
  assert.deepEqual([await regionOf('kube-system'), await regionOf('default')], ['eu-west-1', 'us-west-2'])
})

test('a pass is worth a change of the manifest, of our annotations, or a deletion; labels and statuses are not [6.1]', async () => {
  await using world = resourceWorld({ kinds })
  const { passes } = world.start()
  await world.create('Role', 'reader', role())
  await world.advance(5_000)
  const passesBy = async (body: object): Promise<number> => {
    const before = passes.length
    await world.patch('Role', 'reader', body)
    await world.settle()
    return passes.length - before
  }
  assert.equal(await passesBy({ metadata: { labels: { team: 'blue' } } }), 0)
  assert.equal(await passesBy({ metadata: { annotations: { 'example.com/note': 'x' } } }), 0)
  assert.equal(await passesBy({ metadata: { annotations: { 'services.k8s.aws/reconcile-at': '1' } } }), 1)
  assert.ok((await passesBy({ spec: { description: 'writes' } })) > 0)
})

test('health as kstatus reads it: Reconciling while it goes on by itself, Stalled when only a person can help, neither at rest [9.16]', async () => {
  await using world = resourceWorld({ kinds })
  const healthOf = async (): Promise<readonly string[]> =>
    ((await world.get('Role', 'reader'))?.status?.conditions ?? [])
      .filter(({ type }) => type === 'Reconciling' || type === 'Stalled')
      .map(({ type, status, reason }) => `${type} ${status} ${reason}`)
  const denied = { kind: 'error', code: 'AccessDenied', http: 403 } as const
  const fault = { match: { service: 'iam', operation: 'CreateRole' }, effect: denied, times: 2 } as const
  world.aws.faults.add(fault)
  world.start()
  await world.create('Role', 'reader', role())
  await world.settle()
  assert.deepEqual(await healthOf(), ['Reconciling True MissingPermission'])
  await world.advance(120_000)
  assert.deepEqual(await healthOf(), [])
  await world.patch('Role', 'reader', { spec: { name: 'another' } })
  await world.advance(5_000)
  assert.deepEqual(await healthOf(), ['Stalled True NotUpdatable'])
})

test('a region that changes under a living resource: terminal, and nothing is called there [10.3.16]', async () => {
  await using world = resourceWorld({ services: ['s3'] })
  world.start()
  await world.create('Bucket', 'data', { name: 'data-1b2c' })
  await world.settle()
  world.aws.calls.clear()
  await world.patch('Bucket', 'data', { metadata: { annotations: { [annotations.region]: 'us-west-2' } } })
  await world.advance(60_000)
  assert.deepEqual(world.calls(), [])
  const terminal = await world.condition('Bucket', 'data', conditions.terminal)
  assert.match(terminal?.message ?? '', /eu-west-1.*us-west-2/)
})

test('default tags go to AWS and never into the manifest; those of the user win, those of AWS stay [10.3.17]', async () => {
  const resourceTags = ['services.k8s.aws/namespace=%K8S_NAMESPACE%', 'kind=%K8S_RESOURCE_KIND%', 'empty=%KRO_VERSION%', 'a=b=c']
  await using world = resourceWorld({ kinds, resourceTags })
  world.start()
  const created = await world.create('Role', 'reader', role({ tags: [{ key: 'kind', value: 'mine' }] }))
  await world.settle()
  const { Tags } = (await world.client('iam').call('ListRoleTags', { RoleName: 'reader' })) as {
    Tags: { Key: string; Value: string }[]
  }
  assert.deepEqual(Object.fromEntries(Tags.map(({ Key, Value }) => [Key, Value])), {
    'services.k8s.aws/namespace': 'default',
    kind: 'mine',
    [ownerTag]: created.metadata.uid,
  })
  assert.deepEqual((await world.get('Role', 'reader'))?.spec?.['tags'], [{ key: 'kind', value: 'mine' }])
})

test('a conflict on a patch is overcome, and no status is lost [10.3.22]', async () => {
  await using world = resourceWorld({ kinds })
  world.start()
  await world.create('Role', 'reader', role())
  for (let turn = 0; turn < 5; turn++) {
    await world.patch('Role', 'reader', { metadata: { labels: { turn: String(turn) } } })
    await world.settle()
  }
  await world.advance(10_000)
  const ready = await world.get('Role', 'reader')
  assert.equal((await world.condition('Role', 'reader', conditions.ready))?.status, 'True')
  assert.equal(ready?.metadata.labels?.['turn'], '4')
  assert.equal(world.aws.calls.count({ operation: 'CreateRole' }), 1)
})

test('plan: says what would be done, and does nothing [10.3.25]', async () => {
  await using world = resourceWorld({ kinds })
  world.start()
  await world.create('Role', 'reader', role(), { annotations: { [annotations.plan]: 'true' } })
  await world.settle()
  assert.deepEqual(changes(world), [])
  const planned = await world.get('Role', 'reader')
  assert.equal(planned?.metadata.finalizers, undefined)
  assert.match((await world.condition('Role', 'reader', conditions.advisory))?.message ?? '', /CreateRole/)
  await world.patch('Role', 'reader', { metadata: { annotations: { [annotations.plan]: null } } })
  await world.settle()
  assert.equal((await world.condition('Role', 'reader', conditions.ready))?.status, 'True')
})

test('paused: nothing is called until the annotation goes', async () => {
  await using world = resourceWorld({ kinds })
  world.start()
  await world.create('Role', 'reader', role(), { annotations: { [annotations.paused]: 'true' } })
  await world.settle()
  assert.deepEqual(world.calls(), [])
  await world.patch('Role', 'reader', { metadata: { annotations: { [annotations.paused]: null } } })
  await world.settle()
  assert.equal((await world.condition('Role', 'reader', conditions.ready))?.status, 'True')
})

test('of two claims that adopt one resource the older has it; the other says so, and its deletion takes nothing [9.3]', async () => {
  await using world = resourceWorld({ kinds })
  await world.client('iam').call('CreateRole', { RoleName: 'shared', AssumeRolePolicyDocument: trust() })
  world.start()
  const metadata = { annotations: { [annotations.adoptionPolicy]: 'adopt', [annotations.adoptionFields]: '{"name":"shared"}' } }
  await world.create('Role', 'first', undefined, metadata)
  await world.advance(10_000)
  await world.create('Role', 'second', undefined, metadata)
  await world.advance(10_000)
  assert.equal((await world.condition('Role', 'first', conditions.ready))?.status, 'True')
  const terminal = await world.condition('Role', 'second', conditions.terminal)
  assert.equal(terminal?.reason, 'DuplicateOwner')
  assert.match(terminal?.message ?? '', /default\/first/)
  await world.remove('Role', 'second')
  await world.advance(10_000)
  assert.equal(await world.get('Role', 'second'), undefined)
  assert.equal(world.aws.calls.count({ operation: 'DeleteRole' }), 0)
})
