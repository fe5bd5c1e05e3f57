// The cases about credentials, and the ways in which a Secret can be of no use.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deployments, type StoredObject, secrets } from '#kube'
import { kinds } from '../api/kinds.ts'
import { decodeSecret } from '../operand/content-hash.ts'
import {
  awsKeys,
  awsSpec,
  type DnsWorld,
  dnsWorld,
  openShift,
  operandNamespace,
  operatorNamespace,
} from '../testing/dns-world.ts'
import { type CredentialsRequest, credentialsRequests, requestNamespace } from './request.ts'
import { targetData } from './target-data.ts'

type Secret = StoredObject & { readonly data: Readonly<Record<string, string>> }

async function targetOf(
  world: DnsWorld,
  name = 'blue',
  namespace = operandNamespace,
): Promise<Readonly<Record<string, string>> | undefined> {
  const secret = await world.find<Secret>(secrets, { namespace, name: `external-dns-credentials-${name}` })
  if (secret === undefined) return undefined
  return Object.fromEntries(Object.entries(decodeSecret(secret.data)).map(([key, value]) => [key, Buffer.from(value).toString()]))
}

async function holding(data: Readonly<Record<string, string>>, spec: object = awsSpec()): Promise<DnsWorld> {
  const world = dnsWorld()
  world.start()
  await world.secret('dns-creds', data)
  await world.create(spec)
  await world.settle()
  return world
}

const aws = (more: object = {}): object => ({ provider: { type: 'AWS', aws: more }, source: { type: 'OpenShiftRoute' } })
const requestKey = (name: string): { readonly namespace: string; readonly name: string } => ({
  namespace: requestNamespace,
  name,
})
const requestOf = (world: DnsWorld, name: string): Promise<(CredentialsRequest & StoredObject) | undefined> =>
  world.find<CredentialsRequest & StoredObject>(credentialsRequests, requestKey(`externaldns-credentials-request-${name}`))

test('two keys become a file without a line end at its end, and a file that is there wins over keys [#35, #36]', async () => {
  await using world = await holding(awsKeys)
  const file = '[default]\naws_access_key_id = AKIAEXAMPLE\naws_secret_access_key = secret'
  assert.deepEqual(await targetOf(world), { ...awsKeys, credentials: file })
  await using both = await holding({ ...awsKeys, credentials: '[default]\nrole_arn = x' })
  assert.deepEqual(await targetOf(both), { ...awsKeys, credentials: '[default]\nrole_arn = x' })
})

test('a Secret without a key that its provider needs is told by name of what is wrong, and no value of it is shown [#37, 17.5]', async () => {
  const bad: readonly (readonly [object, Readonly<Record<string, string>>, string])[] = [
    [
      { type: 'AWS', aws: { credentials: { name: 'dns-creds' } } },
      { aws_access_key_id: 'AKIASECRET' },
      'invalid secret for aws credentials',
    ],
    [{ type: 'AWS', aws: { credentials: { name: 'dns-creds' } } }, {}, 'invalid secret for aws credentials'],
    [{ type: 'Azure', azure: { configFile: { name: 'dns-creds' } } }, { 'azure.json': '' }, 'invalid config for azure'],
    [{ type: 'GCP', gcp: { credentials: { name: 'dns-creds' } } }, { other: 'AKIASECRET' }, 'invalid credentials for GCP'],
    [{ type: 'BlueCat', blueCat: { configFile: { name: 'dns-creds' } } }, {}, 'invalid config for bluecat'],
    [infoblox, { EXTERNAL_DNS_INFOBLOX_WAPI_PASSWORD: 'AKIASECRET' }, 'invalid credentials for infoblox: username not found'],
    [infoblox, { EXTERNAL_DNS_INFOBLOX_WAPI_USERNAME: 'AKIASECRET' }, 'invalid credentials for infoblox: password not found'],
  ]
  for (const [provider, data, message] of bad) {
    await using world = await holding(data, awsSpec({ provider }))
    const { status } = await world.dns()
    const valid = status?.conditions?.find(({ type }) => type === 'CredentialsValid')
    assert.deepEqual([valid?.status, valid?.reason, valid?.message], ['False', 'InvalidSecret', message])
    assert.equal((await world.said()).Available, 'False/AuthenticationFailed', message)
    assert.equal(await targetOf(world), undefined)
    assert.doesNotMatch(JSON.stringify(status), /AKIASECRET/)
  }
})

const infoblox = {
  type: 'Infoblox',
  infoblox: { credentials: { name: 'dns-creds' }, gridHost: 'h', wapiPort: 443, wapiVersion: '2' },
}

test('who stops naming a Secret on OpenShift gets the credentials of the platform instead [#43]', async () => {
  await using world = dnsWorld({ platform: openShift })
  world.start()
  await world.secret('dns-creds', awsKeys)
  await world.secret('externaldns-cloud-credentials', { ...awsKeys, credentials: 'of the platform' })
  await world.create(aws({ credentials: { name: 'dns-creds' } }))
  await world.settle()
  assert.equal(await requestOf(world, 'aws'), undefined)
  const dns = await world.dns()
  await world.client.update(kinds.v1beta1.type, { ...dns, spec: { ...dns.spec, provider: { type: 'AWS' } } })
  await world.settle()
  assert.notEqual(await requestOf(world, 'aws'), undefined)
  assert.equal((await targetOf(world))?.credentials, 'of the platform')
})

test('a Secret that two objects name has two copies, and both follow it [#44]', async () => {
  await using world = await holding(awsKeys)
  await world.create(awsSpec({ domains: [{ filterType: 'Include', matchType: 'Exact', name: 'b.org' }] }), 'red')
  await world.settle()
  const source = await world.client.get<Secret>(secrets, { namespace: operatorNamespace, name: 'dns-creds' })
  await world.client.update(secrets, { ...source, data: { credentials: Buffer.from('new').toString('base64') } })
  await world.settle()
  assert.deepEqual([await targetOf(world), await targetOf(world, 'red')], [{ credentials: 'new' }, { credentials: 'new' }])
})

test('where both namespaces are one, an object may name the copy itself: nothing is copied and nothing goes in circles [#45]', async () => {
  await using world = dnsWorld({ settings: { operandNamespace: operatorNamespace } })
  world.start()
  const name = 'external-dns-credentials-blue'
  const made = await world.secret(name, { credentials: 'x' })
  await world.create(awsSpec({ provider: { type: 'AWS', aws: { credentials: { name } } } }))
  await world.settle()
  await world.advance(60_000)
  const held = await world.client.get<Secret>(secrets, { namespace: operatorNamespace, name })
  assert.deepEqual([held.metadata.resourceVersion, held.metadata.ownerReferences], [made.metadata.resourceVersion, undefined])
  assert.equal((await world.said()).CredentialsSecretExists, 'True/SecretFound')
  assert.notEqual(await world.find(deployments, { namespace: operatorNamespace, name: 'external-dns-blue' }), undefined)
  assert.deepEqual(
    world.writes().filter(({ type }) => type.plural === 'secrets'),
    [],
  )
})

test('the copy that was made for one object is no source for another [S2]', async () => {
  await using world = dnsWorld({ settings: { operandNamespace: operatorNamespace } })
  world.start()
  await world.secret('dns-creds', awsKeys)
  await world.create(awsSpec())
  await world.settle()
  const provider = { type: 'AWS', aws: { credentials: { name: 'external-dns-credentials-blue' } } }
  await world.create(awsSpec({ provider, domains: [{ filterType: 'Include', matchType: 'Exact', name: 'b.org' }] }), 'red')
  await world.settle()
  assert.equal(await targetOf(world, 'red', operatorNamespace), undefined)
  const valid = (await world.dns('red')).status?.conditions?.find(({ type }) => type === 'CredentialsValid')
  assert.deepEqual(
    [valid?.reason, valid?.message],
    ['InvalidSecret', 'the secret was made for another ExternalDNS; name the one that it was made from'],
  )
})

test('of Azure, a key that the platform left out is empty in the file, and said [#46]', async () => {
  await using world = dnsWorld({ platform: { ...openShift, type: 'Azure' } })
  world.start()
  await world.secret('externaldns-cloud-credentials', {
    azure_client_id: 'c',
    azure_client_secret: 's',
    azure_subscription_id: 'u',
    azure_tenant_id: 't',
  })
  await world.create({ provider: { type: 'Azure' }, source: { type: 'OpenShiftRoute' } })
  await world.settle()
  const file = '{"aadClientId":"c","aadClientSecret":"s","resourceGroup":"","subscriptionId":"u","tenantId":"t"}'
  assert.deepEqual(await targetOf(world), { 'azure.json': file })
  assert.equal((await world.said()).CredentialsValid, 'False/InvalidSecret')
})

test('one request serves all objects of a provider, is put right when somebody changes it, and made again when it is gone [#47, #48]', async () => {
  await using world = dnsWorld({ platform: openShift })
  world.start()
  await world.create(aws())
  await world.create({ ...aws(), domains: [{ filterType: 'Include', matchType: 'Exact', name: 'b.org' }] }, 'red')
  await world.settle()
  assert.equal((await world.client.list(credentialsRequests)).items.length, 1)
  const held = await requestOf(world, 'aws')
  assert.ok(held !== undefined)
  await world.client.update(credentialsRequests, {
    ...held,
    spec: { ...held.spec, serviceAccountNames: ['stranger'] },
  } as StoredObject)
  await world.settle()
  assert.deepEqual((await requestOf(world, 'aws'))?.spec, held.spec)
  await world.client.delete(credentialsRequests, requestKey('externaldns-credentials-request-aws'))
  await world.settle()
  assert.deepEqual((await requestOf(world, 'aws'))?.spec, held.spec)
  assert.equal(world.writes().filter(({ type, verb }) => type.plural === 'credentialsrequests' && verb === 'delete').length, 0)
})

test('two objects with roles of their own on OpenShift have a request, a Secret and a token for each [#83]', async () => {
  await using world = dnsWorld({ platform: openShift })
  world.start()
  for (const name of ['blue', 'red']) {
    const roleARN = `arn:aws:iam::111122223333:role/${name}`
    const domains = [{ filterType: 'Include', matchType: 'Exact', name: `${name}.org` }]
    await world.create({ ...aws({ workloadIdentity: { mode: 'OpenShiftSTS', roleARN } }), domains }, name, 'v1beta2')
    await world.settle()
    const { spec } = (await requestOf(world, `aws-${name}`)) ?? {}
    assert.deepEqual(
      [spec?.providerSpec.stsIAMRoleARN, spec?.secretRef.name, spec?.serviceAccountNames, spec?.cloudTokenPath],
      [
        roleARN,
        `externaldns-cloud-credentials-${name}`,
        [`external-dns-${name}`],
        '/var/run/secrets/openshift/serviceaccount/token',
      ],
    )
    await world.secret(`externaldns-cloud-credentials-${name}`, { credentials: `of ${name}` })
    await world.settle()
    assert.deepEqual(await targetOf(world, name), { credentials: `of ${name}` })
    assert.notEqual(await world.deployment(name), undefined)
  }
})

test('a platform that cannot give credentials is quoted [17.6]', async () => {
  await using world = dnsWorld({ platform: openShift })
  world.start()
  await world.create(aws())
  await world.settle()
  const conditions = [{ type: 'InsufficientCloudCreds', status: 'True', message: 'no right to make a user' }]
  await world.client.patch(credentialsRequests, requestKey('externaldns-credentials-request-aws'), 'merge', {
    status: { conditions },
  })
  await world.settle()
  const available = (await world.dns()).status?.conditions?.find(({ type }) => type === 'Available')
  assert.deepEqual(
    [available?.reason, available?.message],
    ['CredentialsMissing', 'The credentials secret not found. The platform says: no right to make a user'],
  )
})

test('keys with line ends of Windows are copied as they are', () => {
  const spec = { provider: { type: 'AWS', aws: { credentials: { name: 'x' } } }, source: { type: 'OpenShiftRoute' } }
  const keys = { aws_access_key_id: Buffer.from('AKIA\r\n'), aws_secret_access_key: Buffer.from('s\r\n') }
  const made = targetData(spec, keys, false)
  assert.ok('data' in made)
  const file = '[default]\naws_access_key_id = AKIA\r\n\naws_secret_access_key = s\r\n'
  assert.equal(Buffer.from(made.data.credentials ?? []).toString(), file)
})
