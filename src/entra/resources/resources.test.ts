// Identities, credentials, role assignments, vaults and blobs, as the resource manager, Graph and the services themselves answer for them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type Answer,
  allow,
  audience,
  type EntraWorld,
  entraWorld,
  issuer,
  makeOrders,
  secretsUser,
  subject,
} from '../testing/world.ts'

const errorOf = ({ status, body }: Answer): readonly unknown[] => [
  status,
  (body['error'] as { readonly code?: string } | undefined)?.code,
]
const officer = 'b86a8fe4-44ce-4948-aee5-eccb2c155cd7'

async function tokenFor(world: EntraWorld, client_id: string, scope = 'https://vault.azure.net/.default'): Promise<string> {
  return String((await world.exchange({ client_id, scope })).body['access_token'])
}

test('a managed identity is made, read, listed and deleted; its ids stay when it is written again', async () => {
  await using world = await entraWorld()
  const { id, group, clientId } = await makeOrders(world)
  const again = await world.arm('PUT', id, { location: 'westeurope', tags: { team: 'orders' } })
  assert.deepEqual([again.status, (again.body['properties'] as { clientId: string }).clientId], [200, clientId])
  const read = await world.arm('GET', id.toUpperCase().replace('/SUBSCRIPTIONS', '/subscriptions'))
  assert.deepEqual([read.status, read.body['tags']], [200, { team: 'orders' }])
  const listed = await world.arm('GET', `${group}/providers/Microsoft.ManagedIdentity/userAssignedIdentities`)
  assert.deepEqual(
    (listed.body['value'] as { id: string }[]).map(each => each.id),
    [id],
  )
  assert.equal((await world.arm('DELETE', id)).status, 200)
  assert.equal((await world.arm('DELETE', id)).status, 204)
  assert.deepEqual(errorOf(await world.arm('GET', id)), [404, 'ResourceNotFound'])
})

test('federated credentials: at most twenty, names and fields as Azure takes them, no two for one token', async () => {
  await using world = await entraWorld()
  const { id } = await makeOrders(world)
  const put = (name: string, properties: object): Promise<Answer> =>
    world.arm('PUT', `${id}/federatedIdentityCredentials/${name}`, { properties })
  const wish = (sub: string): object => ({ issuer, subject: sub, audiences: [audience] })
  for (const [name, properties] of [
    ['ab', wish('a')],
    ['a name', wish('a')],
    ['good', { ...wish('a'), issuer: 'http://issuer.example.com' }],
    ['good', { ...wish('a'), audiences: [] }],
    ['good', { ...wish('a'), audiences: ['a', 'b'] }],
    ['good', { ...wish('') }],
    ['good', { issuer, audiences: [audience], claimsMatchingExpression: { value: 'x', languageVersion: 1 } }],
    ['good', wish(subject)],
  ] as const)
    assert.deepEqual(errorOf(await put(name, properties)), [400, 'BadRequest'], JSON.stringify([name, properties]))
  for (let count = 2; count <= 20; count++) assert.equal((await put(`number-${count}`, wish(`s${count}`))).status, 201)
  const over = await put('number-21', wish('s21'))
  assert.match(over.text, /There are 20 federated credentials already/)
  assert.equal((await put('number-20', wish('other'))).status, 200, 'one that is there may be changed')
  const listed = await world.arm('GET', `${id}/federatedIdentityCredentials`)
  assert.equal((listed.body['value'] as unknown[]).length, 20)
})

test('writes of one identity’s credentials go one after another in a real world', async () => {
  await using world = await entraWorld({ profile: 'real' })
  const { id } = await makeOrders(world)
  const put = (name: string): Promise<Answer> =>
    world.arm('PUT', `${id}/federatedIdentityCredentials/${name}`, {
      properties: { issuer, subject: name, audiences: [audience] },
    })
  assert.deepEqual(errorOf(await put('second')), [409, 'ConcurrentFederatedIdentityCredentialsWritesForSingleManagedIdentity'])
  await world.clock.advance(1_000)
  assert.equal((await put('second')).status, 201)
})

test('the resource manager refuses who brings no token, no version, no right, or asks for what is not served', async () => {
  await using world = await entraWorld()
  const { id, clientId, group } = await makeOrders(world)
  assert.deepEqual(errorOf(await world.ask('GET', `${id}?api-version=2023-01-31`)), [401, 'AuthenticationFailed'])
  const vaultToken = await tokenFor(world, clientId)
  assert.deepEqual(errorOf(await world.ask('GET', `${id}?api-version=2023-01-31`, { token: vaultToken })), [
    401,
    'AuthenticationFailed',
  ])
  const token = await tokenFor(world, clientId, 'https://management.azure.com/.default')
  assert.deepEqual(errorOf(await world.ask('GET', id, { token })), [400, 'MissingApiVersionParameter'])
  const denied = await world.ask('GET', `${id}?api-version=2023-01-31`, { token })
  assert.deepEqual(errorOf(denied), [403, 'AuthorizationFailed'])
  assert.match(denied.text, /perform action 'Microsoft\.ManagedIdentity\/userAssignedIdentities\/read' over scope/)
  assert.deepEqual(errorOf(await world.arm('GET', '/subscriptions/other/providers/Microsoft.KeyVault/vaults')), [
    404,
    'SubscriptionNotFound',
  ])
  assert.deepEqual(errorOf(await world.arm('GET', `${group}/providers/Microsoft.Compute/disks/x`)), [404, 'InvalidResourceType'])
  assert.equal((await world.arm('POST', id)).status, 405)
})

test('a role assignment counts at its scope and below, not beside it; it is made once, and ends with its deletion', async () => {
  await using world = await entraWorld()
  const { group, principalId, clientId, vault } = await makeOrders(world)
  const beside = `${group}-2/providers/Microsoft.KeyVault/vaults/beside-vault`
  await world.arm('PUT', beside, { location: 'westeurope' })
  const token = await tokenFor(world, clientId)
  const read = async (name: string): Promise<unknown> =>
    errorOf(await world.ask('GET', '/secrets/password?api-version=7.6', { host: `${name}.vault.azure.net`, token }))
  assert.deepEqual(await read('orders-vault'), [404, 'SecretNotFound'])
  assert.deepEqual(await read('beside-vault'), [403, 'Forbidden'])
  await allow(world, group, principalId, secretsUser)
  assert.deepEqual(await read('beside-vault'), [403, 'Forbidden'], 'the scope of group "apps" says nothing of "apps-2"')
  await allow(world, group.split('/resourceGroups')[0] ?? '', principalId, secretsUser)
  assert.deepEqual(await read('beside-vault'), [404, 'SecretNotFound'], 'a subscription covers its groups')
  assert.deepEqual(errorOf(await allow(world, vault, principalId, secretsUser)), [409, 'RoleAssignmentExists'])
  assert.deepEqual(errorOf(await allow(world, vault, '11111111-2222-4333-8444-555555555555', officer)), [
    400,
    'PrincipalNotFound',
  ])
  assert.deepEqual(errorOf(await allow(world, vault, principalId, 'nothing')), [400, 'InvalidCreateRoleAssignmentRequest'])
  for (const scope of [vault, group, group.split('/resourceGroups')[0] ?? '']) {
    const listed = await world.arm('GET', `${scope}/providers/Microsoft.Authorization/roleAssignments`)
    for (const { id, properties } of listed.body['value'] as { id: string; properties: { principalId: string } }[])
      if (properties.principalId === principalId) assert.equal((await world.arm('DELETE', id)).status, 200)
  }
  assert.deepEqual(await read('orders-vault'), [403, 'Forbidden'])
})

test('a vault tells who brings no token where to get one, keeps versions, and shows values to readers only', async () => {
  await using world = await entraWorld()
  const { clientId, principalId, vault } = await makeOrders(world)
  const host = 'orders-vault.vault.azure.net'
  const target = (path: string): string => `/secrets${path}?api-version=7.6`
  const open = await world.ask('GET', target('/password'), { host })
  const { tenant } = world.entra.administrator
  const challenge = `Bearer authorization="https://${host}/${tenant}", resource="https://vault.azure.net"`
  assert.deepEqual([open.status, open.headers['www-authenticate']], [401, challenge])
  const token = await tokenFor(world, clientId)
  const put = (value: unknown): Promise<Answer> => world.ask('PUT', target('/password'), { host, token, body: { value } })
  assert.deepEqual(errorOf(await put('one')), [403, 'Forbidden'])
  await allow(world, vault, principalId, officer)
  assert.equal((await put('one')).status, 200)
  const second = await put('two')
  assert.deepEqual(errorOf(await put(2)), [400, 'BadParameter'])
  assert.equal((await world.ask('GET', target('/password'), { host, token })).body['value'], 'two')
  const versions = (await world.ask('GET', target('/password/versions'), { host, token })).body['value'] as { id: string }[]
  assert.equal(versions.length, 2)
  const first = versions[0]?.id.split('/').at(-1) ?? ''
  assert.equal((await world.ask('GET', target(`/password/${first}`), { host, token })).body['value'], 'one')
  const listed = await world.ask('GET', target(''), { host, token })
  assert.deepEqual([(listed.body['value'] as unknown[]).length, listed.text.includes('two')], [1, false])
  assert.equal(versions[1]?.id, second.body['id'])
  assert.equal((await world.ask('DELETE', target('/password'), { host, token })).status, 200)
  assert.deepEqual(errorOf(await world.ask('GET', target('/password'), { host, token })), [404, 'SecretNotFound'])
  assert.deepEqual(errorOf(await world.ask('GET', '/secrets/password', { host, token })), [400, 'BadParameter'])
  const management = await tokenFor(world, clientId, 'https://management.azure.com/.default')
  assert.equal((await world.ask('GET', target('/password'), { host, token: management })).status, 401)
})

test('a token of somebody else’s key, of another tenant or of yesterday opens no vault', async () => {
  const tenants = ['aaaaaaaa-0000-4000-8000-000000000001', 'aaaaaaaa-0000-4000-8000-000000000002']
  await using world = await entraWorld({ tenants })
  await using other = await entraWorld({ tenants, seed: 'other' })
  const { clientId } = await makeOrders(world)
  const { clientId: foreign } = await makeOrders(other)
  const read = async (token: string): Promise<number> =>
    (await world.ask('GET', '/secrets/a?api-version=7.6', { host: 'orders-vault.vault.azure.net', token })).status
  const token = await tokenFor(world, clientId)
  assert.equal(await read(token), 404)
  assert.equal(await read(await tokenFor(other, foreign)), 401)
  assert.equal(await read(`${token.slice(0, -6)}AAAAAA`), 401)
  await world.clock.advance(91 * 60_000)
  assert.equal(await read(token), 401)
})

test('Graph makes applications with secrets and federated credentials, for administrators only', async () => {
  await using world = await entraWorld()
  const { clientId } = await makeOrders(world)
  const token = await tokenFor(world, clientId, 'https://graph.microsoft.com/.default')
  assert.deepEqual(errorOf(await world.ask('GET', '/v1.0/applications', { token })), [403, 'Authorization_RequestDenied'])
  assert.deepEqual(errorOf(await world.ask('GET', '/v1.0/applications')), [401, 'InvalidAuthenticationToken'])
  const { body } = await world.graph('POST', 'applications', { displayName: 'billing' })
  const [id, appId] = [String(body['id']), String(body['appId'])]
  await world.graph('POST', 'servicePrincipals', { appId })
  assert.deepEqual(errorOf(await world.graph('POST', 'servicePrincipals', { appId })), [
    409,
    'Request_MultipleObjectsWithSameKeyValue',
  ])
  const found = await world.graph('GET', `applications?$filter=${encodeURIComponent(`appId eq '${appId}'`)}`)
  assert.deepEqual(
    (found.body['value'] as { id: string }[]).map(each => each.id),
    [id],
  )
  const { body: secret } = await world.graph('POST', `applications/${id}/addPassword`, {})
  const client_secret = String(secret['secretText'])
  assert.equal((await world.exchange({ client_id: appId, client_secret })).status, 200)
  const credential = { name: 'cluster-a', issuer, subject: 'system:serviceaccount:apps:billing', audiences: [audience] }
  const made = await world.graph('POST', `applications/${id}/federatedIdentityCredentials`, credential)
  assert.deepEqual([made.status, made.body['subject'], 'fromMs' in made.body], [201, credential.subject, false])
  const client_assertion = world.issuer.token({ sub: credential.subject })
  assert.equal((await world.exchange({ client_id: appId, client_assertion })).status, 200)
  assert.equal((await world.graph('DELETE', `applications/${id}/federatedIdentityCredentials/cluster-a`)).status, 204)
  assert.equal((await world.exchange({ client_id: appId, client_assertion })).status, 401)
  assert.equal((await world.graph('DELETE', `applications/${id}`)).status, 204)
  assert.equal((await world.exchange({ client_id: appId, client_secret })).status, 400)
  assert.equal(world.entra.snapshot().includes(client_secret), false, 'what is kept is a digest')
})
