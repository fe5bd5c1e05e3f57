// The variables of a container that has an identity, in the order of §3.5. Each is decided on its own: there is a value, and no variable of
// the name; whoever sets one keeps it.
import { appendAll, type PatchObject, type PodOperation, readList } from '../patch.ts'
import { textOf } from '../review.ts'
import { type AzureWebhookOptions, caPath, layoutPaths, type TokenEndpoint } from './api.ts'
import type { AzureWarn } from './mount.ts'

export type AzureVariable = { readonly name: string; readonly value: string }

export interface AzureIdentity {
  readonly clientId: string
  readonly tenantId: string
  /** Present when the pod asks for it. */
  readonly tokenEndpoint: TokenEndpoint | undefined
}

/** The variables that say who a pod is. */
export const identityVariableNames: ReadonlySet<string> = new Set([
  'AZURE_CLIENT_ID',
  'AZURE_TENANT_ID',
  'AZURE_FEDERATED_TOKEN_FILE',
  'AZURE_AUTHORITY_HOST',
])

export function identityVariables(identity: AzureIdentity, options: AzureWebhookOptions): readonly AzureVariable[] {
  const { mountPath, tokenPath } = layoutPaths[options.layout]
  const all: readonly AzureVariable[] = [
    { name: 'AZURE_CLIENT_ID', value: identity.clientId },
    { name: 'AZURE_TENANT_ID', value: identity.tenantId },
    { name: 'AZURE_FEDERATED_TOKEN_FILE', value: `${mountPath}/${tokenPath}` },
    { name: 'AZURE_AUTHORITY_HOST', value: options.authorityHost },
    ...(identity.tokenEndpoint === undefined ? [] : endpointVariables(identity.tokenEndpoint, options)),
  ]
  return all.filter(({ value }) => value !== '')
}

function endpointVariables({ proxyUrl, sniName, ca }: TokenEndpoint, options: AzureWebhookOptions): readonly AzureVariable[] {
  const hasFile = ca.kind === 'config-map' || ca.kind === 'trust-bundle'
  const { mountPath } = layoutPaths[options.layout]
  return [
    { name: 'AZURE_KUBERNETES_TOKEN_PROXY', value: proxyUrl },
    { name: 'AZURE_KUBERNETES_SNI_NAME', value: sniName },
    // Upstream names the file where there is none, too (§3.20).
    { name: 'AZURE_KUBERNETES_CA_FILE', value: hasFile || !options.omitMissingCaFile ? `${mountPath}/${caPath}` : '' },
    { name: 'AZURE_KUBERNETES_CA_DATA', value: ca.kind === 'data' ? ca.pem : '' },
  ]
}

export function environmentOperations(
  container: PatchObject,
  path: string,
  variables: readonly AzureVariable[],
  warn: AzureWarn,
): readonly PodOperation[] {
  const env = readList(container, path, 'env')
  const has = new Map(env.items.map(entry => [entry['name'], entry]))
  const kept = variables.filter(({ name, value }) => has.has(name) && has.get(name)?.['value'] !== value)
  if (kept.length > 0)
    warn('the container sets variables of its own, which are kept', {
      container: textOf(container['name']),
      variables: kept.map(({ name }) => name).join(' '),
    })
  return appendAll(
    env,
    variables.filter(({ name }) => !has.has(name)),
  )
}
