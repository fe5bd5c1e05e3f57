import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readAzureProgram } from '../flags/azure-settings.ts'
import type { AzureWebhookOptions, CaSource, TokenEndpoint } from './api.ts'
import { environmentOperations, identityVariables } from './environment.ts'

const options: AzureWebhookOptions = readAzureProgram([], { AZURE_TENANT_ID: 'tenant' }).webhook.admission
const endpointOf = (ca: CaSource): TokenEndpoint => ({
  annotation: 'a',
  audience: 'b',
  proxyUrl: 'https://proxy.example',
  sniName: '',
  ca,
})

/** Names and values of what comes after the first four. */
function endpointVariables(ca: CaSource, more: Partial<AzureWebhookOptions> = {}): readonly (readonly [string, string])[] {
  const identity = { clientId: 'c', tenantId: 't', tokenEndpoint: endpointOf(ca) }
  const variables = identityVariables(identity, { ...options, layout: 'reserved', ...more })
  return variables.slice(4).map(({ name, value }) => [name, value])
}

const proxy = ['AZURE_KUBERNETES_TOKEN_PROXY', 'https://proxy.example'] as const
const file = ['AZURE_KUBERNETES_CA_FILE', '/var/run/secrets/azure/wi/ca-cert/ca.crt'] as const

for (const [ca, usual, omitting] of [
  [{ kind: 'none' }, [proxy, file], [proxy]],
  [
    { kind: 'data', pem: 'PEM' },
    [proxy, file, ['AZURE_KUBERNETES_CA_DATA', 'PEM']],
    [proxy, ['AZURE_KUBERNETES_CA_DATA', 'PEM']],
  ],
  [{ kind: 'config-map', name: 'ca' }, [proxy, file], [proxy, file]],
  [{ kind: 'trust-bundle', signerName: 's', labelSelector: undefined }, [proxy, file], [proxy, file]],
] as const satisfies readonly (readonly [CaSource, readonly unknown[], readonly unknown[]])[])
  test(`with an authority of kind ${ca.kind} the pod has its variables, and the file by the flag only where there is one [§3.20]`, () => {
    assert.deepEqual(endpointVariables(ca), usual)
    assert.deepEqual(endpointVariables(ca, { omitMissingCaFile: true }), omitting)
  })

test('a variable without a value is not among them, and without the custom token endpoint there are four', () => {
  const identity = { clientId: '', tenantId: '', tokenEndpoint: undefined }
  assert.deepEqual(identityVariables(identity, { ...options, authorityHost: '' }), [
    { name: 'AZURE_FEDERATED_TOKEN_FILE', value: '/var/run/secrets/azure/tokens/azure-identity-token' },
  ])
  assert.equal(identityVariables({ ...identity, clientId: 'c', tenantId: 't' }, options).length, 4)
})

/** The names that are added, and what is warned of. */
function added(env: readonly object[] | undefined): readonly unknown[] {
  const warned: unknown[] = []
  const variables = [
    { name: 'AZURE_CLIENT_ID', value: 'c' },
    { name: 'AZURE_TENANT_ID', value: 't' },
  ]
  const container = { name: 'a', ...(env === undefined ? {} : { env: env as readonly { name: string }[] }) }
  const operations = environmentOperations(container, '/c', variables, (_, fields) => warned.push(fields['variables']))
  return [operations.map(({ path, value }) => [path, value]), warned]
}

const [client, tenant] = [
  { name: 'AZURE_CLIENT_ID', value: 'c' },
  { name: 'AZURE_TENANT_ID', value: 't' },
]

test('each variable is added that the container does not set, and whoever is warned hears of those that it sets otherwise', () => {
  assert.deepEqual(added(undefined), [[['/c/env', [client, tenant]]], []])
  assert.deepEqual(added([{ name: 'A' }]), [
    [
      ['/c/env/-', client],
      ['/c/env/-', tenant],
    ],
    [],
  ])
  assert.deepEqual(added([client]), [[['/c/env/-', tenant]], []])
  assert.deepEqual(added([client, tenant]), [[], []])
  assert.deepEqual(added([{ name: 'AZURE_CLIENT_ID', value: 'own' }]), [[['/c/env/-', tenant]], ['AZURE_CLIENT_ID']])
  assert.deepEqual(added([{ ...client, value: '' }, { name: 'AZURE_TENANT_ID' }]), [[], ['AZURE_CLIENT_ID AZURE_TENANT_ID']])
})
