// FieldExports in the hands of a tenant: whoever may make objects of AWS resources in one namespace tries to have the operator write for
// him what he may not write himself. Each test carries the attack out; the operator has every right that it could have.
import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { test } from 'node:test'
import { AwsClients, inProcessTransport, staticCredentials } from '#aws/client'
import { seededRandom } from '#base'
import { configMaps, type KubeObject, type ObjectKey, type ResourceType, renderCrd, type StoredObject, secrets } from '#kube'
import type { KubeClient } from '#kube/client'
import { conditions, createResourcesOperator, type Resource, type ResourcesOptions } from '#operators/resources'
import { account as hubAccount } from '../../src/operators/identity/testing/ack.ts'
import { issuerOf, signingSecret } from '../../src/operators/identity/testing/chain.ts'
import { namespaceObject, type RoomWorld, region, roomWorld, told } from '../../src/operators/identity/testing/room-world.ts'
import { type FieldExport, fieldExportKind } from '../../src/operators/resources/exports/api.ts'
import { type ResourceWorld, resourceWorld, trust } from '../../src/operators/resources/testing/world.ts'

const kinds = ['Role', 'Policy']

interface Held extends StoredObject {
  readonly data?: Readonly<Record<string, string>>
}

function publicKey(): string {
  const { publicKey: key } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  return key.export({ type: 'spki', format: 'pem' }).toString()
}

interface Export {
  readonly namespace: string
  readonly name?: string
  readonly to: object
  readonly path?: string
  readonly metadata?: object
}

function exportOf({ namespace, name = 'attack', to, path = '.spec.description', metadata }: Export): KubeObject {
  const from = { path, resource: { group: 'iam.services.k8s.aws', kind: 'Role', name: 'mine' } }
  return {
    apiVersion: 'services.k8s.aws/v1alpha1',
    kind: 'FieldExport',
    metadata: { namespace, name, ...metadata },
    spec: { from, to },
  } as KubeObject
}

function roleOf(namespace: string, description: string, name = `of-${namespace}`): KubeObject {
  const spec = { name, description, assumeRolePolicyDocument: trust() }
  return { apiVersion: 'iam.services.k8s.aws/v1alpha1', kind: 'Role', metadata: { namespace, name: 'mine' }, spec } as KubeObject
}

async function dataOf(client: KubeClient, type: ResourceType, key: ObjectKey): Promise<Readonly<Record<string, string>>> {
  return (await client.find<Held>(type, key))?.data ?? {}
}

async function saidOf(client: KubeClient, namespace: string, name = 'attack'): Promise<string> {
  const found = await client.find<FieldExport>(fieldExportKind.type, { namespace, name })
  const all = found?.status?.conditions ?? []
  const one = all.find(({ type }) => type === conditions.terminal) ?? all.find(({ type }) => type === conditions.recoverable)
  return one === undefined ? (all.length === 0 ? 'nothing' : 'exported') : `${one.type} ${one.reason}: ${one.message}`
}

/** Identity and resources in one process, with the rights of both. */
function oneProcess(world: RoomWorld, options: Partial<ResourcesOptions> = {}): void {
  for (const kind of ['Role', 'Policy', 'OpenIDConnectProvider', 'Bucket']) world.ack.down.add(kind)
  const { controllers } = createResourcesOperator({
    services: ['iam', 's3'],
    kinds: ['Role', 'Policy', 'OpenIDConnectProvider', 'Bucket'],
    aws: new AwsClients({
      credentials: staticCredentials(world.aws.adminCredentials()),
      transport: inProcessTransport(world.aws.handle),
      clock: world.clock,
      random: seededRandom(7),
    }),
    home: { account: hubAccount, partition: 'aws', region },
    nowMs: () => world.clock.now(),
    ...options,
  })
  world.start({ beside: controllers })
}

/** A cluster whose key is made and published, and the tenant's role, with his key for its description. */
async function readyHub(world: RoomWorld, tenant: string, description: string): Promise<void> {
  await world.addCluster('wlc-a', { issuer: issuerOf('wlc-a') })
  await world.makeConfig('wlc-a', { type: 'SelfHostedIRSA', region })
  await world.advance(5_000)
  assert.equal(told(await world.config('wlc-a')).Ready, 'True Reconciled')
  await world.client.create(roleType, roleOf(tenant, description))
  await world.advance(5_000)
  const role = await world.client.get<Resource>(roleType, { namespace: tenant, name: 'mine' })
  assert.equal(role.status?.conditions?.find(({ type }) => type === conditions.ready)?.status, 'True')
}

const roleType: ResourceType = {
  group: 'iam.services.k8s.aws',
  version: 'v1alpha1',
  kind: 'Role',
  plural: 'roles',
  namespaced: true,
}

for (const [tenant, settings] of [
  ['b', {}],
  ['b', { crossNamespace: true, secrets: ['*'] }],
  ['wlc-a', {}],
  ['wlc-a', { secrets: ['wlc-a/*'] }],
] as const) {
  const how = `${tenant === 'b' ? 'another' : 'the very'} namespace, with ${JSON.stringify(settings)},`
  test(`a tenant of ${how} cannot add his key to those that a cluster's issuer publishes [X5]`, async () => {
    await using world = roomWorld({ objects: [renderCrd(fieldExportKind), namespaceObject('b')] })
    oneProcess(world, settings)
    await readyHub(world, tenant, publicKey())
    const name = (await signingSecret(world, 'wlc-a'))?.metadata.name ?? ''
    const before = await dataOf(world.client, secrets, { namespace: 'wlc-a', name })
    await world.client.create(
      fieldExportKind.type,
      exportOf({ namespace: tenant, to: { kind: 'secret', namespace: 'wlc-a', name, key: 'previous.pub' } }),
    )
    await world.advance(60_000)
    const after = await dataOf(world.client, secrets, { namespace: 'wlc-a', name })
    assert.deepEqual(Object.keys(after), Object.keys(before))
    assert.ok(Object.keys(before).every(key => after[key] === before[key]))
    assert.match(await saidOf(world.client, tenant), /^ACK\.Terminal /)
  })
}

async function tenantWorld(
  options: Partial<ResourcesOptions> & { readonly objects?: readonly KubeObject[] } = {},
): Promise<ResourceWorld> {
  const { objects = [], ...settings } = options
  const world = resourceWorld({ kinds, ...settings, objects: [...['a', 'b', 'ack-system'].map(namespaceObject), ...objects] })
  world.start()
  for (const namespace of ['a', 'b', 'ack-system'])
    await world.kube.create(roleType, roleOf(namespace, 'arn:aws:iam::999988887777:role/mine'))
  await world.advance(5_000)
  return world
}

function object(type: ResourceType, key: ObjectKey, more: object = {}, metadata: object = {}): KubeObject {
  return {
    apiVersion: 'v1',
    kind: type.kind,
    metadata: { ...key, ...metadata },
    data: { kept: 'a2VwdA==' },
    ...more,
  } as KubeObject
}

test('nobody gives himself a role of another account by an export into the role mappings [X5]', async () => {
  for (const settings of [{}, { crossNamespace: true }])
    for (const [tenant, name] of [
      ['b', 'ack-role-account-map'],
      ['ack-system', 'ack-role-account-map'],
      ['ack-system', 'ack-role-team-map'],
    ] as const) {
      const key = { namespace: 'ack-system', name }
      await using world = await tenantWorld(settings)
      await world.kube.create(configMaps, object(configMaps, key))
      await world.kube.create(
        fieldExportKind.type,
        exportOf({ namespace: tenant, to: { kind: 'configmap', ...key, key: '999988887777' } }),
      )
      await world.advance(60_000)
      assert.deepEqual(await dataOf(world.kube, configMaps, key), { kept: 'a2VwdA==' }, `${tenant} ${name}`)
      assert.match(await saidOf(world.kube, tenant), /^ACK\.Terminal /)
    }
})

const everything = { crossNamespace: true, secrets: ['*'] }

/** By an object that stays, since what is left behind by its owner goes. */
async function withOwner(world: ResourceWorld, { ownedBy, ...metadata }: { readonly ownedBy?: string }): Promise<object> {
  if (ownedBy === undefined) return metadata
  const key = { namespace: 'b', name: ownedBy }
  const { metadata: held } = await world.kube.create(configMaps, object(configMaps, key))
  const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: ownedBy, uid: held.uid, controller: true }
  return { ...metadata, ownerReferences: [owner] }
}

/** What stands in a tenant's own namespace and is not his to write, each with what is said of it. */
const protectedTargets: Readonly<Record<string, readonly [ResourceType, object, object, RegExp]>> = {
  'made by the identity operator': [
    secrets,
    {},
    { labels: { 'app.kubernetes.io/managed-by': 'aws-workload-identity-operator' } },
    /was made by an operator/,
  ],
  'with a label of ours': [
    configMaps,
    {},
    { labels: { 'aws.identity.appthrust.io/config-uid': 'u' } },
    /was made by an operator/,
  ],
  'of the installation': [configMaps, {}, { labels: { 'app.kubernetes.io/name': 'vouch' } }, /was made by an operator/],
  controlled: [secrets, {}, { ownedBy: 'operator' }, /belongs to ConfigMap operator/],
  'of another type': [
    secrets,
    { type: 'kubernetes.io/basic-auth', data: { username: 'a2VwdA==', password: 'a2VwdA==' } },
    {},
    /is of type kubernetes.io\/basic-auth, and only Opaque/,
  ],
  'a mapping by another name': [
    configMaps,
    { data: { 'iam.111122223333': 'arn:aws:iam::111122223333:role/worker' } },
    {},
    /holds role mappings/,
  ],
  'the mapping of EKS': [configMaps, { data: { mapRoles: '[]' } }, {}, /holds role mappings/],
}

test('in his own namespace a tenant writes nothing that an operator or a controller made, or that maps roles', async () => {
  await using world = await tenantWorld(everything)
  let at = 0
  for (const [what, [type, more, metadata, said]] of Object.entries(protectedTargets)) {
    const name = `target-${at++}`
    const key = { namespace: 'b', name }
    await world.kube.create(type, object(type, key, more, await withOwner(world, metadata)))
    const before = await dataOf(world.kube, type, key)
    const to = { kind: type.kind.toLowerCase(), name, key: 'attack' }
    await world.kube.create(fieldExportKind.type, exportOf({ namespace: 'b', name, to }))
    await world.advance(1_000)
    assert.match(await saidOf(world.kube, 'b', name), said, what)
    assert.match(await saidOf(world.kube, 'b', name), /^ACK\.Terminal TargetRefused: .*: choose another target$/, what)
    assert.deepEqual(await dataOf(world.kube, type, key), before, what)
  }
})

test('a finalizer in the manifest does not take a key out of what may not be written', async () => {
  await using world = await tenantWorld(everything)
  const finalizers = ['finalizers.services.k8s.aws/FieldExport']
  let at = 0
  for (const [what, [type, more, metadata]] of Object.entries(protectedTargets)) {
    const key = { namespace: 'b', name: `target-${at++}` }
    await world.kube.create(type, object(type, key, more, await withOwner(world, metadata)))
    const before = await dataOf(world.kube, type, key)
    const [first = ''] = Object.keys(before)
    const to = { kind: type.kind.toLowerCase(), name: key.name, key: first }
    await world.kube.create(fieldExportKind.type, exportOf({ ...key, to, metadata: { finalizers } }))
    await world.kube.delete(fieldExportKind.type, key)
    await world.advance(1_000)
    assert.deepEqual(await dataOf(world.kube, type, key), before, what)
    assert.equal(await world.kube.find(fieldExportKind.type, key), undefined, what)
  }
})

test('another namespace is written only where the operator and the target both let it, and nobody learns what stands there', async () => {
  const key = { namespace: 'a', name: 'shared' }
  const accept = (namespaces: string): object => ({
    metadata: { annotations: { 'services.k8s.aws/accept-exports-from': namespaces } },
  })
  for (const type of [configMaps, secrets]) {
    const to = { kind: type.kind.toLowerCase(), ...key, key: 'arn' }
    await using closed = await tenantWorld({ secrets: ['*'] })
    await closed.kube.create(type, object(type, key, {}, { annotations: { 'services.k8s.aws/accept-exports-from': 'b' } }))
    await closed.kube.create(fieldExportKind.type, exportOf({ namespace: 'b', to }))
    await closed.advance(60_000)
    assert.deepEqual(Object.keys(await dataOf(closed.kube, type, key)), ['kept'])
    assert.match(await saidOf(closed.kube, 'b'), /TargetRefused: .*--enable-cross-namespace/)
    await using open = await tenantWorld(everything)
    await open.kube.create(fieldExportKind.type, exportOf({ namespace: 'b', to }))
    await open.advance(1_000)
    const missing = await saidOf(open.kube, 'b')
    await open.kube.create(type, object(type, key))
    for (const others of ['c', 'bb, c', '*']) {
      await open.kube.patch(type, key, 'merge', accept(others))
      await open.advance(60_000)
      assert.deepEqual(Object.keys(await dataOf(open.kube, type, key)), ['kept'], others)
      assert.equal(await saidOf(open.kube, 'b'), missing, others)
    }
    assert.match(missing, /annotate it with services\.k8s\.aws\/accept-exports-from: b$/)
    await open.kube.patch(type, key, 'merge', accept('c, b'))
    await open.advance(60_000)
    assert.deepEqual(Object.keys(await dataOf(open.kube, type, key)).toSorted(), ['arn', 'kept'])
    // What is accepted no more is not written any more, not even to take the key away; the export goes all the same.
    await open.kube.patch(type, key, 'merge', accept('c'))
    await open.kube.delete(fieldExportKind.type, { namespace: 'b', name: 'attack' })
    await open.advance(1_000)
    assert.deepEqual(Object.keys(await dataOf(open.kube, type, key)).toSorted(), ['arn', 'kept'])
    assert.equal(await open.kube.find(fieldExportKind.type, { namespace: 'b', name: 'attack' }), undefined)
  }
})

test('no Secret is read or written that the settings do not name, and the condition says which setting to add', async () => {
  const key = { namespace: 'b', name: 'own' }
  for (const [listed, reads] of [
    [[], 0],
    [['b/other', 'a/*'], 0],
    [['b/own'], 1],
    [['b/*'], 1],
  ] as const) {
    let asked = 0
    await using world = resourceWorld({
      kinds,
      secrets: listed,
      objects: ['a', 'b'].map(namespaceObject),
      throughKube: exchange => request => {
        if (/\/secrets\/own/.test(request.target)) asked++
        return exchange(request)
      },
    })
    await world.kube.create(secrets, object(secrets, key))
    world.start()
    await world.kube.create(roleType, roleOf('b', 'text'))
    await world.kube.create(fieldExportKind.type, exportOf({ namespace: 'b', to: { kind: 'secret', name: 'own', key: 'text' } }))
    await world.advance(60_000)
    assert.equal(asked > 0, reads > 0, listed.join())
    assert.equal((await dataOf(world.kube, secrets, key))['text'] !== undefined, reads > 0)
    if (reads === 0) assert.match(await saidOf(world.kube, 'b'), /SecretUnusable: .* add b\/own to --allow-secrets/)
  }
})

test('an export does not make what an operator looks for under that name', async () => {
  await using world = await tenantWorld({ ...everything, extendedFieldExports: true })
  for (const [kind, name] of [
    ['configmap', 'ack-role-account-map'],
    ['configmap', 'pod-identity-webhook'],
    ['secret', 'awi-signing-key-default'],
  ] as const) {
    const to = { kind, name, key: 'sa.pub', createIfMissing: true }
    await world.kube.create(fieldExportKind.type, exportOf({ namespace: 'b', name, to }))
    await world.advance(1_000)
    assert.match(await saidOf(world.kube, 'b', name), /TargetRefused/)
    assert.equal(await world.kube.find(kind === 'secret' ? secrets : configMaps, { namespace: 'b', name }), undefined)
  }
})

test('a value is taken from no Secret that the settings do not name, and the condition says which setting to add', async () => {
  let asked = 0
  await using world = resourceWorld({
    services: ['acm'],
    kinds: ['Certificate'],
    secrets: ['default/other'],
    throughKube: exchange => request => {
      if (/\/secrets\/pair/.test(request.target)) asked++
      return exchange(request)
    },
  })
  await world.kube.create(secrets, object(secrets, { namespace: 'default', name: 'pair' }))
  world.start()
  const kept = { name: 'pair', key: 'kept' }
  await world.create('Certificate', 'web', { certificate: kept, privateKey: kept })
  await world.advance(10_000)
  const terminal = await world.condition('Certificate', 'web', conditions.terminal)
  assert.equal(terminal?.reason, 'SecretUnusable')
  assert.match(terminal?.message ?? '', /add default\/pair to --allow-secrets/)
  assert.deepEqual([asked, world.calls()], [0, []])
})
