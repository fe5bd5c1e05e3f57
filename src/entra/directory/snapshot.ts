// The state as text, and the state in the beginning: the tenants, a subscription of the first, and an administrator who owns it.
import { isRecord, type Random } from '#base'
import type { EntraAdministrator } from '../entra.ts'
import { secretDigest } from '../sign-in/token-endpoint.ts'
import type { Client, Directory } from './directory.ts'
import { builtInRoles } from './roles.ts'

const format = 'vouch-entra/1'

export interface EntraSnapshot {
  readonly seed: string
  readonly directory: Directory
}

export function renderSnapshot(seed: string, directory: Directory): string {
  return JSON.stringify({ format, seed, directory })
}

/** Throws `TypeError` for text that is no snapshot of this version. */
export function readSnapshot(text: string): EntraSnapshot {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    value = undefined
  }
  if (!isRecord(value) || value['format'] !== format || typeof value['seed'] !== 'string' || !isDirectory(value['directory']))
    throw new TypeError('the saved state is none of an Entra emulator, or one of another version')
  return { seed: value['seed'], directory: value['directory'] }
}

function isDirectory(value: unknown): value is Directory {
  const lists = ['tenants', 'subscriptions', 'clients', 'assignments', 'vaults', 'accounts']
  return isRecord(value) && lists.every(name => Array.isArray(value[name]))
}

export function firstDirectory(
  random: Random,
  named?: readonly string[],
): { readonly directory: Directory; readonly administrator: EntraAdministrator } {
  const tenants = (named ?? [random.fork('tenant').uuid()]).map(tenant => tenant.toLowerCase())
  const [tenant = ''] = tenants
  const drawn = random.fork('administrator')
  const clientSecret = Buffer.from(drawn.fork('secret').bytes(30)).toString('base64url')
  const subscription = random.fork('subscription').uuid()
  const client: Client = {
    kind: 'application',
    tenant,
    appId: drawn.fork('app').uuid(),
    id: drawn.fork('object').uuid(),
    principalId: drawn.fork('principal').uuid(),
    displayName: 'administrator',
    secrets: [secretDigest(clientSecret)],
    credentials: [],
    identifierUris: [],
    tokenVersion: 1,
  }
  const scope = `/subscriptions/${subscription}`
  const owner = `${scope}/providers/Microsoft.Authorization/roleDefinitions/${builtInRoles[0]?.id}`
  const assignment = { name: drawn.fork('owner').uuid(), scope, principalId: client.principalId ?? '', roleDefinitionId: owner }
  return {
    directory: {
      tenants,
      subscriptions: [{ id: subscription, tenant }],
      clients: [client],
      assignments: [assignment],
      vaults: [],
      accounts: [],
    },
    administrator: { tenant, subscription, clientId: client.appId, clientSecret },
  }
}
