// Programs that we did not write: the SDKs of Azure, unmodified, over TLS.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { systemClock } from '#base'
import { allow, type EntraWorld, entraWorld, makeOrders, type Orders } from './testing/world.ts'

const program = fileURLToPath(new URL('./read-with-sdk.fixture.ts', import.meta.url))
const contributor = 'ba92f5b4-2d11-453d-a403-e96b0029c9fe'

interface Pod {
  readonly environment: Readonly<Record<string, string>>
  readonly orders: Orders
  readonly world: EntraWorld
}

/** What a pod of the ServiceAccount gets, and a process with exactly that. */
async function withPod(
  run: (pod: Pod, read: (more?: Readonly<Record<string, string>>) => Promise<Record<string, unknown>>) => Promise<void>,
): Promise<void> {
  await using world = await entraWorld({ clock: systemClock })
  const folder = await mkdtemp(join(tmpdir(), 'vouch-entra-'))
  try {
    const orders = await makeOrders(world)
    const account = `${orders.group}/providers/Microsoft.Storage/storageAccounts/ordersdata`
    await world.arm('PUT', account, { location: 'westeurope' })
    await allow(world, account, orders.principalId, contributor)
    const { port } = await world.entra.listen()
    const origin = `https://127.0.0.1:${port}`
    await writeFile(join(folder, 'ca.pem'), world.entra.ca)
    await writeFile(join(folder, 'token'), world.issuer.token())
    await setPassword(world, orders)
    const environment = {
      AZURE_AUTHORITY_HOST: origin,
      AZURE_TENANT_ID: world.entra.administrator.tenant,
      AZURE_CLIENT_ID: orders.clientId,
      AZURE_FEDERATED_TOKEN_FILE: join(folder, 'token'),
      NODE_EXTRA_CA_CERTS: join(folder, 'ca.pem'),
      VAULT_URL: `${origin}/vaults/orders-vault`,
    }
    const pod = { environment, orders, world }
    await run(pod, async (more = {}) => {
      const env = { PATH: process.env['PATH'] ?? '', HOME: folder, ...environment, ...more }
      const { stdout } = await promisify(execFile)(process.execPath, ['--disable-warning=ExperimentalWarning', program], { env })
      return JSON.parse(stdout) as Record<string, unknown>
    })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** By the administrator, who gives himself the right to. */
async function setPassword(world: EntraWorld, { vault }: Orders): Promise<void> {
  const { tenant, clientId, clientSecret } = world.entra.administrator
  const { body } = await world.exchange({ client_id: clientId, client_secret: clientSecret }, tenant)
  const token = String(body['access_token'])
  const principal = (JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString('utf8')) as { oid: string }).oid
  await allow(world, vault, principal, 'b86a8fe4-44ce-4948-aee5-eccb2c155cd7')
  const set = await world.ask('PUT', '/secrets/password?api-version=7.6', {
    host: 'orders-vault.vault.azure.net',
    token,
    body: { value: 'open sesame' },
  })
  assert.equal(set.status, 200)
}

test('the unmodified SDK of a pod reads the secret and the blobs that its identity may, with WorkloadIdentityCredential', async () => {
  await withPod(async ({ environment, orders, world }, read) => {
    const { body } = await world.exchange({ client_id: orders.clientId, scope: 'https://storage.azure.com/.default' })
    const host = 'ordersdata.blob.core.windows.net'
    const made = await world.ask('PUT', '/orders?restype=container', { host, token: String(body['access_token']) })
    assert.equal(made.status, 201)
    const BLOB_URL = `${environment['AZURE_AUTHORITY_HOST']}/blobs/ordersdata`
    assert.deepEqual(await read({ BLOB_URL }), { workload: 'open sesame', blob: 'hello', blobs: ['first.txt'] })
  })
})

test('DefaultAzureCredential finds the same identity, and ClientAssertionCredential is given it', async () => {
  await withPod(async (_pod, read) => {
    assert.deepEqual(await read({ CREDENTIALS: 'default,assertion' }), { default: 'open sesame', assertion: 'open sesame' })
  })
})

test('a stranger is refused by the SDK’s own error, which carries the code and the subject that did not match', async () => {
  await withPod(async ({ environment, world }, read) => {
    await writeFile(
      environment['AZURE_FEDERATED_TOKEN_FILE'] ?? '',
      world.issuer.token({ sub: 'system:serviceaccount:apps:stranger' }),
    )
    const { name, message } = await read()
    assert.equal(name, 'AuthenticationRequiredError')
    assert.match(String(message), /AADSTS700213.*'system:serviceaccount:apps:stranger'/s)
  })
})

test('an identity without a role is refused by the vault, which names it', async () => {
  await withPod(async ({ orders, world }, read) => {
    const other = `${orders.group}/providers/Microsoft.KeyVault/vaults/other-vault`
    await world.arm('PUT', other, { location: 'westeurope' })
    const { port } = await world.entra.listen()
    const { statusCode, message } = await read({ VAULT_URL: `https://127.0.0.1:${port}/vaults/other-vault` })
    assert.equal(statusCode, 403)
    assert.match(String(message), new RegExp(`Caller: appid=${orders.clientId};oid=${orders.principalId}`))
  })
})
