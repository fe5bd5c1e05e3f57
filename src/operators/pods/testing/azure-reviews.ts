// Random pods, ServiceAccounts and settings of the Azure webhook: odd in what a webhook looks at, and as an API server would send them.
import * as fc from 'fast-check'
import { type AzureWebhookOptions, azurePrefix as prefix } from '../azure/api.ts'
import { readAzureProgram } from '../flags/azure-settings.ts'
import type { PatchObject, PatchValue } from '../patch.ts'

const mostly = <T>(of: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight: 4, arbitrary: of }, fc.constant(undefined))
const own = ['AZURE_CLIENT_ID', 'AZURE_TENANT_ID', 'AZURE_FEDERATED_TOKEN_FILE', 'AZURE_AUTHORITY_HOST']
const env = fc.uniqueArray(
  fc.record({
    name: fc.constantFrom('A', ...own),
    value: fc.constantFrom('', 'x', '/var/run/secrets/azure/tokens/azure-identity-token'),
  }),
  { maxLength: 4, selector: ({ name }) => name },
)
const paths = fc.constantFrom(
  '/x',
  '/var/run/secrets/azure/tokens',
  '/var/run/secrets/azure/tokens/',
  '/var/run/secrets/azure/wi',
)
const volumeNames = ['v', 'azure-identity-token', 'azure-identity-token-2', 'azure-workload-identity-reserved-0']
const mounts = fc.uniqueArray(fc.record({ name: fc.constantFrom('v'), mountPath: paths }), {
  maxLength: 2,
  selector: ({ mountPath }) => mountPath,
})
const part = fc.record({ env: mostly(env), volumeMounts: mostly(mounts) })

const source = fc.constantFrom<PatchObject>(
  { emptyDir: {} },
  { projected: { sources: [{ serviceAccountToken: { audience: 'x', path: 'other' } }] } },
  { projected: { sources: [{ serviceAccountToken: { audience: 'x', path: 'azure-identity-token' } }] } },
)
const volumes = fc
  .uniqueArray(fc.record({ name: fc.constantFrom(...volumeNames), source }), { maxLength: 3, selector: ({ name }) => name })
  .map(list => [
    ...list.map(({ name, source: of }) => ({ name, ...of })),
    ...(list.some(({ name }) => name === 'v') ? [] : [{ name: 'v', emptyDir: {} }]),
  ])

const podAnnotations = fc.dictionary(
  fc.constantFrom(
    ...['inject-proxy-sidecar', 'proxy-sidecar-port', 'skip-containers', 'service-account-token-expiration', 'other'].map(
      name => `${prefix}/${name}`,
    ),
  ),
  fc.constantFrom('true', 'false', '', '8080', '3600', '7200', '99999', 'c0', 'c0;azwi-proxy', ' i0 ;c1'),
  { maxKeys: 3 },
)

export const azurePods: fc.Arbitrary<PatchObject> = fc
  .record({
    name: fc.constantFrom('p', ''),
    annotations: mostly(podAnnotations),
    labels: mostly(fc.constant({ [`${prefix}/use`]: 'true' })),
    containers: fc.array(part, { maxLength: 3 }),
    initContainers: mostly(fc.array(part, { maxLength: 2 })),
    hasProxy: fc.constantFrom(false, false, true),
    volumes: mostly(volumes),
    hostNetwork: fc.constantFrom(undefined, undefined, false, true),
  })
  .map(({ name, annotations, labels, containers, initContainers, hasProxy, volumes: held, hostNetwork }) => {
    const numbered = (list: typeof containers, letter: string): object[] =>
      list.map((one, index) => ({ name: `${letter}${index}`, ...one }))
    const pod = {
      metadata: { ...(name === '' ? { generateName: 'p-' } : { name }), annotations, labels },
      spec: {
        serviceAccountName: 'app',
        containers: [...numbered(containers, 'c'), ...(hasProxy ? [{ name: 'azwi-proxy' }] : [])],
        initContainers: initContainers === undefined ? undefined : numbered(initContainers, 'i'),
        volumes: held ?? [{ name: 'v', emptyDir: {} }],
        hostNetwork,
      },
    }
    const text: PatchValue = JSON.parse(JSON.stringify(pod))
    return text as PatchObject
  })

export const clientAccounts: fc.Arbitrary<Readonly<Record<string, string>>> = fc.dictionary(
  fc.constantFrom(...['client-id', 'tenant-id', 'service-account-token-expiration'].map(name => `${prefix}/${name}`)),
  fc.constantFrom('', 'id', '3600', '86400'),
)

export const azureSettings: fc.Arbitrary<AzureWebhookOptions> = fc
  .record({ layout: fc.constantFrom('classic', 'reserved'), requiresTrue: fc.boolean(), hasTenant: fc.boolean() })
  .map(
    ({ layout, requiresTrue }) =>
      readAzureProgram([`--volume-layout=${layout}`, `--proxy-requires-true=${requiresTrue}`], { AZURE_TENANT_ID: 'tenant' })
        .webhook.admission,
  )
