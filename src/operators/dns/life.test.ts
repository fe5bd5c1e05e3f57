// The operator as a whole, over an embedded API server.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type StoredObject, secrets, serviceAccounts } from '#kube'
import { awsKeys, awsSpec, dnsWorld, operandNamespace } from './testing/dns-world.ts'

test('an object becomes Available in a handful of writes, and then rests', async () => {
  await using world = dnsWorld()
  world.start()
  await world.secret('dns-creds', awsKeys)
  await world.create(awsSpec({ zones: ['Z1', 'Z2'] }))
  await world.settle()
  await world.advance(60_000)
  const deployment = await world.deployment()
  assert.deepEqual(
    deployment?.spec.template.spec.containers.map(({ args }) => args?.find(text => text.startsWith('--zone-id-filter='))),
    ['--zone-id-filter=Z1', '--zone-id-filter=Z2'],
  )
  assert.ok((await world.find(serviceAccounts, { namespace: operandNamespace, name: 'external-dns-blue' })) !== undefined)
  assert.deepEqual(await world.said(), {
    CredentialsSecretExists: 'True/SecretFound',
    DeploymentAvailable: 'True/DeploymentAvailable',
    DeploymentReplicasMinAvailable: 'True/DeploymentMinimumReplicasMet',
    DeploymentReplicasAllAvailable: 'True/DeploymentReplicasAvailable',
    PodsScheduled: 'True/AllPodsScheduled',
    CredentialsValid: 'Unknown/NotChecked',
    RoleAssumable: 'Unknown/NotChecked',
    ZonesAccessible: 'Unknown/NotChecked',
    RecordsSynced: 'Unknown/NotCheckedYet',
    OperandCompatible: 'True/Compatible',
    OwnershipConflict: 'False/NoConflict',
    Available: 'True/Available',
  })
  assert.deepEqual(
    world.writes().map(({ verb, type, subresource }) => [verb, type.plural, subresource].join(' ').trim()),
    [
      'create secrets',
      'create serviceaccounts',
      'patch externaldnses status',
      'create deployments',
      ...Array.from({ length: 3 }, () => 'patch externaldnses status'),
    ],
  )
  await world.advance(3_600_000)
  assert.deepEqual(world.writes(), [])
})

test('what waits for its Secret looks again after the period that is set, and that is no error [19.4]', async () => {
  await using world = dnsWorld()
  const { passes } = world.start()
  await world.create(awsSpec())
  await world.settle()
  const looked = (): number => passes.filter(({ controller }) => controller === 'externaldns').length
  const before = looked()
  await world.advance(26_000)
  assert.equal(looked() - before, 5)
  assert.deepEqual(
    passes.flatMap(({ trouble }) => trouble ?? []),
    [],
  )
})

test('without its Secret an object says so, and goes on as soon as it is there [#42, 17.4]', async () => {
  await using world = dnsWorld()
  world.start()
  await world.create(awsSpec())
  await world.settle()
  const before = await world.said()
  assert.deepEqual([before.CredentialsSecretExists, before.Available], ['False/SecretNotFound', 'False/CredentialsMissing'])
  await world.secret('dns-creds', awsKeys)
  await world.settle()
  const target = await world.find<StoredObject & { readonly data: Readonly<Record<string, string>> }>(secrets, {
    namespace: operandNamespace,
    name: 'external-dns-credentials-blue',
  })
  assert.equal(
    Buffer.from(target?.data.credentials ?? '', 'base64').toString(),
    '[default]\naws_access_key_id = AKIAEXAMPLE\naws_secret_access_key = secret',
  )
  assert.equal((await world.said()).CredentialsSecretExists, 'True/SecretFound')
})

test('a server that lists no objects for as long as logs are left alone ends nothing, and all goes on once it does', async () => {
  let isSilent = true
  await using world = dnsWorld({
    through: exchange => async request =>
      isSilent && request.method === 'GET' && request.target.includes('/externaldnses')
        ? { status: 503, headers: {}, body: null }
        : await exchange(request),
  })
  world.start()
  await world.secret('dns-creds', awsKeys)
  await world.create(awsSpec())
  await world.advance(200_000)
  assert.equal(await world.deployment(), undefined)
  isSilent = false
  await world.advance(60_000)
  assert.notEqual(await world.deployment(), undefined)
})
