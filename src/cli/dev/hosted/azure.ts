// Azure of the story: one identity that trusts one ServiceAccount of the guest, and a vault that only this identity may read. Everything by
// the administrator's calls, as `az` would make them.
import { randomUUID } from 'node:crypto'
import { collectBody, isRecord, readJson } from '#base'
import { createEntra, type Entra } from '#entra'

export const secretText = 'open sesame'
const vaultHost = 'orders-vault.vault.azure.net'
const roleOf = { secretsUser: '4633458b-17de-408a-b874-0445c86b69e6', secretsOfficer: 'b86a8fe4-44ce-4948-aee5-eccb2c155cd7' }
const bodyBytesMax = 65_536

export interface StoryAzure {
  readonly entra: Entra
  /** The client id of the identity. */
  readonly clientId: string
}

export interface TrustedSubject {
  readonly tenant: string
  readonly issuer: string
  readonly subject: string
}

export async function openStoryAzure(
  { tenant, issuer, subject }: TrustedSubject,
  publish: (entra: Entra) => void,
): Promise<StoryAzure> {
  const entra = createEntra({ tenants: [tenant], profile: 'instant' })
  publish(entra)
  const { subscription } = entra.administrator
  const group = `/subscriptions/${subscription}/resourceGroups/apps`
  const identity = `${group}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/orders`
  const made = await arm(entra, 'PUT', identity, { location: 'westeurope' })
  const properties = isRecord(made['properties']) ? made['properties'] : {}
  const trust = { properties: { issuer, subject, audiences: ['api://AzureADTokenExchange'] } }
  await arm(entra, 'PUT', `${identity}/federatedIdentityCredentials/blue`, trust)
  const vault = `${group}/providers/Microsoft.KeyVault/vaults/orders-vault`
  await arm(entra, 'PUT', vault, { location: 'westeurope' })
  const token = await signIn(entra, 'https://vault.azure.net')
  const claims = readJson(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())
  await allow(entra, vault, String(properties['principalId']), roleOf.secretsUser)
  await allow(entra, vault, String(isRecord(claims) ? claims['oid'] : ''), roleOf.secretsOfficer)
  await ask(entra, 'PUT', '/secrets/password?api-version=7.6', { host: vaultHost, token, body: { value: secretText } })
  return { entra, clientId: String(properties['clientId']) }
}

async function allow(entra: Entra, scope: string, principalId: string, role: string): Promise<void> {
  const roleDefinitionId = `/subscriptions/${entra.administrator.subscription}/providers/Microsoft.Authorization/roleDefinitions/${role}`
  const assignment = `${scope}/providers/Microsoft.Authorization/roleAssignments/${randomUUID()}`
  await arm(entra, 'PUT', assignment, { properties: { principalId, roleDefinitionId } })
}

async function arm(entra: Entra, method: string, target: string, body: object): Promise<Readonly<Record<string, unknown>>> {
  const token = await signIn(entra, 'https://management.azure.com')
  return await ask(entra, method, `${target}?api-version=2023-01-31`, { host: 'management.azure.com', token, body })
}

async function signIn(entra: Entra, resource: string): Promise<string> {
  const { tenant, clientId, clientSecret } = entra.administrator
  const form = {
    client_id: clientId,
    client_secret: clientSecret,
    grant_type: 'client_credentials',
    scope: `${resource}/.default`,
  }
  const answer = await ask(entra, 'POST', `/${tenant}/oauth2/v2.0/token`, {
    host: 'login.microsoftonline.com',
    body: String(new URLSearchParams(form)),
  })
  return String(answer['access_token'])
}

interface Asked {
  readonly host: string
  readonly token?: string
  readonly body: object | string
}

async function ask(
  entra: Entra,
  method: string,
  target: string,
  { host, token, body }: Asked,
): Promise<Readonly<Record<string, unknown>>> {
  const headers = { host, ...(token === undefined ? {} : { authorization: `Bearer ${token}` }) }
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const response = await entra.handle({ method, target, headers, body: Buffer.from(text) })
  const answered = Buffer.from(await collectBody(response.body, bodyBytesMax)).toString()
  if (response.status >= 300) throw new Error(`Azure answered ${response.status} to ${method} ${target}: ${answered}`)
  const answer = readJson(answered)
  return isRecord(answer) ? answer : {}
}
