// What a token can be for: Azure's own services, and applications of the tenant by their identifiers.
import type { Directory } from '../directory/directory.ts'

export interface TokenAudience {
  readonly audience: string
  readonly version: 1 | 2
}

export const vaultAudience = 'https://vault.azure.net'
export const storageAudience = 'https://storage.azure.com'
export const managementAudience = 'https://management.azure.com'
export const graphAudience = 'https://graph.microsoft.com'

/** Names of the services by which tokens are asked for; they issue tokens of version 1. */
const services: readonly string[] = [
  vaultAudience,
  storageAudience,
  managementAudience,
  'https://management.core.windows.net',
  graphAudience,
]

/** The audience stands in a token as the resource was asked for. */
export function resourceNamed(directory: Directory, tenant: string, resource: string): TokenAudience | undefined {
  const bare = resource.replace(/\/$/, '')
  if (services.includes(bare)) return { audience: resource, version: 1 }
  if (/^https:\/\/[a-z0-9]{3,24}\.blob\.core\.windows\.net$/.test(bare)) return { audience: resource, version: 1 }
  const application = directory.clients.find(
    client => client.tenant === tenant && (client.appId === resource || client.identifierUris.includes(bare)),
  )
  if (application?.principalId === undefined) return undefined
  return { audience: application.tokenVersion === 2 ? application.appId : resource, version: application.tokenVersion }
}
