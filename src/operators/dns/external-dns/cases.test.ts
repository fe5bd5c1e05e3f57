// The cases about identity, bundles, operands in trouble and what is said of them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asAudience, asProviderArn } from '#aws'
import type { AwsClient } from '#aws/client'
import { silentLog } from '#base'
import {
  configMaps,
  deployments,
  type EventObject,
  events,
  type KubeObject,
  pods,
  type StoredObject,
  secrets,
  serviceAccounts,
} from '#kube'
import { createKubeClient } from '#kube/client'
import { kinds } from '../api/kinds.ts'
import type { Deployment } from '../operand/deployment.ts'
import { detectPlatform } from '../platform.ts'
import { webIdentityTrust } from '../policies/policies.ts'
import { awsKeys, awsSpec, type DnsWorld, dnsWorld, operandNamespace, operatorNamespace } from '../testing/dns-world.ts'
import { roleArn, twoAccounts, zonesAccount } from '../testing/two-accounts.ts'

const exact = (name: string): object => ({ domains: [{ filterType: 'Include', matchType: 'Exact', name }] })

async function running(options: Parameters<typeof dnsWorld>[0] = {}, spec: object = awsSpec()): Promise<DnsWorld> {
  const world = dnsWorld(options)
  world.start()
  await world.secret('dns-creds', awsKeys)
  await world.create(spec, 'blue', 'v1beta2')
  await world.settle()
  world.writes()
  return world
}

async function edit(world: DnsWorld, change: object): Promise<number> {
  const dns = await world.dns('blue', 'v1beta2')
  world.writes()
  await world.client.update(kinds.v1beta2.type, { ...dns, spec: { ...dns.spec, ...change } } as StoredObject)
  await world.settle()
  return deploymentWrites(world)
}

const deploymentWrites = (world: DnsWorld): number =>
  world.writes().filter(({ type, verb }) => type.plural === 'deployments' && verb === 'update').length

async function conditionOf(world: DnsWorld, type: string, name = 'blue'): Promise<readonly (string | undefined)[]> {
  const found = (await world.dns(name)).status?.conditions?.find(condition => condition.type === type)
  return [found?.status, found?.reason, found?.message]
}

test('what an API server fills in is no change [#62]', async () => {
  await using world = await running()
  const held = await world.client.get<Deployment & StoredObject>(deployments, {
    namespace: operandNamespace,
    name: 'external-dns-blue',
  })
  const { spec } = held.spec.template
  const volumes = spec.volumes?.map(volume =>
    'secret' in volume ? { ...volume, secret: { ...Object(volume.secret), defaultMode: 420 } } : volume,
  )
  const filled = {
    ...spec,
    volumes,
    dnsPolicy: 'ClusterFirst',
    restartPolicy: 'Always',
    schedulerName: 'default-scheduler',
    securityContext: {},
  }
  const template = { ...held.spec.template, spec: filled }
  await world.client.update(deployments, { ...held, spec: { ...held.spec, template, revisionHistoryLimit: 10 } } as StoredObject)
  await world.settle()
  assert.equal(deploymentWrites(world), 0)
})

const bundle = (data: object): KubeObject =>
  ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace: operatorNamespace, name: 'ca' }, data }) as KubeObject
const pem = (text: string): object => ({ 'ca-bundle.crt': `-----BEGIN CERTIFICATE-----\n${text}\n-----END CERTIFICATE-----\n` })

test('without the bundle that is configured no operand starts; once it is there all do, and follow it [#67, #68]', async () => {
  await using world = await running({ settings: { trustedCaConfigMap: 'ca' } })
  await world.create(awsSpec(exact('b.org')), 'red')
  await world.settle()
  assert.equal(await world.deployment(), undefined)
  assert.deepEqual((await conditionOf(world, 'TrustedCAReady')).slice(0, 2), ['False', 'ConfigMapNotFound'])
  const made = await world.client.create(configMaps, bundle(pem('a')))
  await world.settle()
  await world.advance(6_000)
  assert.notEqual(await world.deployment(), undefined)
  assert.equal((await world.said()).TrustedCAReady, 'True/BundleFound')
  world.writes()
  await world.client.update(configMaps, { ...made, ...bundle(pem('b')), metadata: made.metadata } as StoredObject)
  await world.settle()
  assert.equal(deploymentWrites(world), 2)
  const key = { namespace: operatorNamespace, name: 'ca' }
  await world.client.patch(configMaps, key, 'merge', { data: { 'ca-bundle.crt': 'no certificate' } })
  await world.settle()
  assert.deepEqual((await conditionOf(world, 'TrustedCAReady', 'red')).slice(0, 2), ['False', 'InvalidBundle'])
})

const provider = (aws: object): object => ({ provider: { type: 'AWS', aws: { credentials: { name: 'dns-creds' }, ...aws } } })

test('another role is other arguments, and one restart [#78]', async () => {
  await using world = await running({}, awsSpec(provider({ assumeRole: { arn: roleArn } })))
  assert.equal(await edit(world, provider({ assumeRole: { arn: `${roleArn}2` } })), 1)
})

test('what the operand cannot do is told, and the Deployment that is there stays [#79]', async () => {
  await using world = await running({ settings: { operandVersion: '0.12.2' } })
  assert.equal(await edit(world, provider({ assumeRole: { arn: roleArn, externalID: 'id' } })), 0)
  const [status, reason, message] = await conditionOf(world, 'OperandCompatible')
  assert.deepEqual(
    [status, reason, message],
    ['False', 'CapabilityMissing', 'an external id needs ExternalDNS 0.13.0 or newer, and this is 0.12.2'],
  )
  assert.equal((await world.said()).Available, 'False/OperandIncompatible')
  assert.notEqual(await world.deployment(), undefined)
})

test('a filter by the class of an Ingress is told to be unknown to the operands that end at it', async () => {
  const source = { type: 'Ingress', hostnameAnnotation: 'Allow', ingressClassNames: ['nginx'] }
  for (const [operandVersion, wanted] of [
    ['0.13.2', 'False'],
    ['0.13.5', 'True'],
  ] as const) {
    await using world = dnsWorld({ settings: { operandVersion } })
    world.start()
    await world.secret('dns-creds', awsKeys)
    await world.create(awsSpec({ source }), 'blue', 'v1beta2')
    await world.settle()
    const [status, , message] = await conditionOf(world, 'OperandCompatible')
    assert.equal(status, wanted, message)
    assert.equal((await world.deployment()) !== undefined, wanted === 'True')
  }
})

test('a provider that newer operands have not is told before anything runs [#84]', async () => {
  const infoblox = {
    type: 'Infoblox',
    infoblox: { credentials: { name: 'dns-creds' }, gridHost: 'h', wapiPort: 443, wapiVersion: '2' },
  }
  await using world = await running({ settings: { operandVersion: '0.15.0' } }, awsSpec({ provider: infoblox }))
  assert.equal((await conditionOf(world, 'OperandCompatible'))[0], 'False')
  assert.equal(await world.deployment(), undefined)
})

const account = { namespace: operandNamespace, name: 'external-dns-blue' }

async function notesOf(world: DnsWorld): Promise<Readonly<Record<string, string>>> {
  return (await world.find(serviceAccounts, account))?.metadata.annotations ?? {}
}

test('with IRSA the ServiceAccount says its role, again when somebody takes it away, and no more when the mode is another [#80]', async () => {
  const identity = { workloadIdentity: { mode: 'IRSA', roleARN: roleArn } }
  await using world = await running({}, awsSpec({ provider: { type: 'AWS', aws: identity } }))
  const wanted = {
    'eks.amazonaws.com/role-arn': roleArn,
    'eks.amazonaws.com/audience': 'sts.amazonaws.com',
    'eks.amazonaws.com/sts-regional-endpoints': 'true',
    'eks.amazonaws.com/token-expiration': '86400',
  }
  assert.deepEqual(await notesOf(world), wanted)
  assert.equal((await world.deployment())?.spec.template.spec.volumes, undefined)
  await world.client.patch(serviceAccounts, account, 'merge', {
    metadata: { annotations: { 'eks.amazonaws.com/role-arn': null } },
  })
  await world.settle()
  assert.deepEqual(await notesOf(world), wanted)
  await edit(world, provider({}))
  assert.deepEqual(await notesOf(world), {})
})

const issuer = 'https://oidc.example.com'

test('with IRSA and a role to assume the try goes both ways, with a token of the operand [#81]', async () => {
  await using accounts = await twoAccounts(undefined, { issuer })
  const { world, aws } = accounts
  const serve = world.world.server.as()
  aws.registerHost('oidc.example.com', async ({ target }) => {
    const { body, ...answer } = await serve({
      method: 'GET',
      target: target.endsWith('/jwks') ? '/openid/v1/jwks' : target,
      headers: {},
      body: null,
    })
    return { ...answer, body: target.endsWith('/jwks') ? body : discovery }
  })
  const first = await baseRole(accounts.iam)
  const { create } = world
  const identity = { workloadIdentity: { mode: 'IRSA', roleARN: first }, assumeRole: { arn: roleArn } }
  await create(awsSpec({ zones: [accounts.zone], provider: { type: 'AWS', aws: identity } }), 'blue', 'v1beta2')
  await world.settle()
  const said = await world.said()
  assert.deepEqual(
    [said.CredentialsValid, said.RoleAssumable, said.ZonesAccessible],
    ['True/Accepted', 'True/Assumed', 'True/Readable'],
  )
  assert.deepEqual(
    ['AssumeRoleWithWebIdentity', 'AssumeRole'].map(operation => aws.calls.count({ operation }) > 0),
    [true, true],
  )
  await accounts.iam.call('UpdateAssumeRolePolicy', { RoleName: 'base', PolicyDocument: JSON.stringify(trustOf('other')) })
  await accounts.later()
  assert.equal((await world.said()).RoleAssumable, 'False/TrustPolicyMismatch')
  assert.match((await accounts.message('Available')) ?? '', /^The role base cannot be assumed with a token of the operand/)
})

const discovery = Buffer.from(JSON.stringify({ issuer, jwks_uri: `${issuer}/openid/v1/jwks` }))

function trustOf(name: string): object {
  const provider = asProviderArn(`arn:aws:iam::${zonesAccount}:oidc-provider/oidc.example.com`)
  return webIdentityTrust({ provider, operandNamespace, name, audience: asAudience('sts.amazonaws.com') })
}

/** A role that the operand's ServiceAccount takes on, and which the other role trusts. */
async function baseRole(iam: AwsClient): Promise<string> {
  const arn = `arn:aws:iam::${zonesAccount}:role/base`
  await iam.call('CreateOpenIDConnectProvider', { Url: issuer, ClientIDList: ['sts.amazonaws.com'] })
  await iam.call('CreateRole', { RoleName: 'base', AssumeRolePolicyDocument: JSON.stringify(trustOf('blue')) })
  const may = { Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action: 'sts:AssumeRole', Resource: roleArn }] }
  await iam.call('PutRolePolicy', { RoleName: 'base', PolicyName: 'assume', PolicyDocument: JSON.stringify(may) })
  const trust = { Version: '2012-10-17', Statement: [{ Effect: 'Allow', Principal: { AWS: arn }, Action: 'sts:AssumeRole' }] }
  await iam.call('UpdateAssumeRolePolicy', { RoleName: 'dns', PolicyDocument: JSON.stringify(trust) })
  return arn
}

test('with Pod Identity nobody but the pod can try, and its log says how records fare [#82]', async () => {
  const identity = { provider: { type: 'AWS', aws: { workloadIdentity: { mode: 'PodIdentity' } } } }
  await using world = await running(
    { settings: { preflightEnabled: true }, sts: nobody, through: logs('level=info msg="All records are already up to date"') },
    awsSpec(identity),
  )
  await world.advance(130_000)
  const said = await world.said()
  assert.deepEqual(
    [said.RoleAssumable, said.RecordsSynced, said.Available],
    ['Unknown/NotChecked', 'True/UpToDate', 'True/Available'],
  )
})

type Options = NonNullable<Parameters<typeof dnsWorld>[0]>

/** AWS is not there at all. */
const nobody: NonNullable<Options['sts']> = clock => ({
  clock,
  random: { float: () => 0 } as never,
  transport: { exchange: () => Promise.reject(new Error('no AWS expected')) } as never,
})

/** Every container says this. */
function logs(text: string, status = 200): NonNullable<Options['through']> {
  return exchange => request =>
    /\/pods\/[^/]+\/log\?/.test(request.target)
      ? Promise.resolve({ status, headers: {}, body: Buffer.from(`${text}\n`) })
      : exchange(request)
}

test('without the right to read logs nothing but the state of records is unknown [#86]', async () => {
  await using world = await running({ through: logs('forbidden', 403) })
  await world.advance(130_000)
  const said = await world.said()
  assert.deepEqual([said.RecordsSynced, said.Available], ['Unknown/NotCheckedYet', 'True/Available'])
})

test('a throttled try leaves what was known, and after ten minutes without an answer somebody is told once [#85, 17.12]', async () => {
  await using accounts = await twoAccounts()
  await accounts.create({ arn: roleArn })
  const before = await accounts.said()
  accounts.aws.faults.add({ match: { service: 'sts' }, effect: { kind: 'throttle' } })
  for (let count = 0; count < 4; count++) await accounts.later()
  assert.deepEqual(await accounts.said(), before)
  const { items } = await accounts.world.client.list<EventObject & StoredObject>(events, { namespace: 'default' })
  assert.deepEqual(
    items.filter(({ reason }) => reason === 'STSUnavailable').map(({ count }) => count),
    [1],
  )
})

test('a source that goes is told once, by an event', async () => {
  await using world = await running()
  await world.client.delete(secrets, { namespace: operatorNamespace, name: 'dns-creds' })
  await world.settle()
  await world.advance(60_000)
  const { items } = await world.client.list<EventObject & StoredObject>(events, { namespace: 'default' })
  assert.deepEqual(
    items.filter(({ reason }) => reason === 'SourceSecretMissing').map(({ count }) => count),
    [1],
  )
})

async function withPod(world: DnsWorld, status: object): Promise<void> {
  const [pod] = (await world.client.list(pods, { namespace: operandNamespace, labelSelector: 'app.kubernetes.io/instance=blue' }))
    .items
  const key = { namespace: operandNamespace, name: pod?.metadata.name ?? '' }
  await world.client.patch(pods, key, 'merge', { status }, { subresource: 'status' })
  await world.settle()
  await world.advance(61_000)
}

function crashed(message: string): object {
  const lastState = { terminated: { exitCode: 1, reason: 'Error', message } }
  const state = { waiting: { reason: 'CrashLoopBackOff' } }
  return {
    containerStatuses: [
      { name: 'external-dns-n56fh6dh59ch5fcq', restartCount: 5, ready: false, image: 'i', imageID: 'i', state, lastState },
    ],
  }
}

test('an operand that ends at a flag is not Available, with the line by which it ended; another is unharmed [#88, 17.7]', async () => {
  await using world = await running()
  await world.create(awsSpec(exact('b.org')), 'red')
  await world.settle()
  await withPod(world, crashed('time="2026" level=fatal msg="flag parsing error: unknown long flag \'--foo\'"'))
  const [status, reason, message] = await conditionOf(world, 'Available')
  assert.deepEqual([status, reason], ['False', 'OperandIncompatible'])
  assert.match(message ?? '', /unknown long flag '--foo'/)
  assert.equal((await world.said('red')).Available, 'True/Available')
})

test('an image that cannot be pulled is told with its reason, and another operand is unharmed', async () => {
  await using world = await running()
  await world.create(awsSpec(exact('b.org')), 'red')
  await world.settle()
  const state = { waiting: { reason: 'ImagePullBackOff', message: 'Back-off pulling image "x"' } }
  const containerStatuses = [
    { name: 'external-dns-n56fh6dh59ch5fcq', restartCount: 0, ready: false, image: 'i', imageID: 'i', state },
  ]
  await withPod(world, { containerStatuses })
  const [status, reason, message] = await conditionOf(world, 'Available')
  assert.deepEqual([status, reason], ['False', 'DeploymentUnavailable'])
  assert.match(
    message ?? '',
    /^The image cannot be pulled \(ImagePullBackOff\): Back-off pulling image "x"\. Check --externaldns-image/,
  )
  assert.equal((await world.said('red')).Available, 'True/Available')
})

test('objects of one name in two clusters write under ids of their own where the clusters have one, and an older object keeps its id [#91, #92]', async () => {
  const ownerOf = async (world: DnsWorld): Promise<string | undefined> =>
    (await world.deployment())?.spec.template.spec.containers[0]?.args?.find(text => text.startsWith('--txt-owner-id='))
  for (const clusterId of ['east', 'west']) {
    await using world = await running({ settings: { clusterId } })
    assert.equal(await ownerOf(world), `--txt-owner-id=external-dns-${clusterId}-blue`)
  }
  await using old = dnsWorld({ settings: { clusterId: 'east' } })
  old.start()
  await old.secret('dns-creds', awsKeys)
  await old.create(awsSpec())
  await old.settle()
  assert.equal(await ownerOf(old), '--txt-owner-id=external-dns-blue')
})

test('a younger object under the owner id of another waits until that is gone: it reaches none of its records', async () => {
  await using world = await running()
  await world.advance(2_000)
  await world.create(awsSpec({ ownership: { ownerID: 'external-dns-blue' } }), 'red', 'v1beta2')
  await world.settle()
  const [, reason, message] = await conditionOf(world, 'Available', 'red')
  assert.equal(reason, 'InvalidSpec')
  assert.match(message ?? '', /^the owner id external-dns-blue is that of blue, whose records this object would take away/)
  assert.equal(await world.deployment('red'), undefined)
  assert.equal((await world.said()).OwnershipConflict, 'True/SameNames')
  await world.client.delete(kinds.v1beta1.type, { namespace: '', name: 'blue' })
  await world.settle()
  assert.notEqual(await world.deployment('red'), undefined)
})

test('a cluster without the groups of OpenShift is plain Kubernetes, and one that does not say ends the start [#95, 19.3]', async () => {
  await using world = dnsWorld()
  const found = await detectPlatform(world.client, silentLog)
  assert.deepEqual([found.platform.isOpenShift, found.hasRoutes], [false, false])
  const silent = createKubeClient({
    clock: world.world.clock,
    address: 'silent',
    exchange: () => Promise.resolve({ status: 500, headers: {}, body: null }),
  })
  await assert.rejects(Promise.all([detectPlatform(silent, silentLog), world.advance(120_000)]))
})
