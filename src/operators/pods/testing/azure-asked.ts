// Worlds for the oracle of the Azure webhook: flags, environment, ServiceAccounts, and pods that an API server would send, leaning towards what
// the tables speak of: names and paths that are taken, tokens by hand, containers of the proxy, values that are none.
import * as fc from 'fast-check'
import { given } from '#base'
import type { AzureOracleWorld } from './azure-oracle.ts'

type Tree = Record<string, unknown>

export interface AzureAsked {
  readonly world: AzureOracleWorld
  readonly serverVersion: string
  readonly asks: readonly { readonly namespace: string; readonly pod: Tree }[]
}

const prefix = 'azure.workload.identity/'
const [classicPath, reservedPath] = ['/var/run/secrets/azure/tokens', '/var/run/secrets/azure/wi']
/** Of the pods `p` and `web-`. */
const reserved = ['148de9c5a7a44d19e56cd9ae1a554b', '0'.repeat(30)].map(hash => `azure-workload-identity-reserved-${hash}`)

/** Of what every pod may have, and of what is odd. */
const mostly = <T>(usual: readonly T[], odd: readonly T[]): fc.Arbitrary<T> =>
  fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...usual) }, { weight: 1, arbitrary: fc.constantFrom(...odd) })
/** Absent in one of two, and in one of five. */
const maybe = <T>(of: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(of, { nil: undefined, freq: 2 })
const often = <T>(of: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> => fc.option(of, { nil: undefined, freq: 5 })

const lives = [
  '',
  '3600',
  '86400',
  '7200',
  '3599',
  '86401',
  '+3600',
  '0003600',
  '-1',
  ' 3600',
  '3600 ',
  '1h',
  '3_600',
  '0x1000',
  '1e4',
  '3600.0',
  '٣٦٠٠',
]
const hugeLives = ['9223372036854775807', '9223372036854775808', '-9223372036854775808', '-9223372036854775809', '9'.repeat(40)]
const ports = [
  '',
  '8080',
  '+8081',
  '008082',
  '0',
  '1',
  '65535',
  '65536',
  '-1',
  'x',
  '8080 ',
  '2147483647',
  '2147483648',
  '-2147483649',
  '8e3',
]
const skips = [
  '',
  'c0',
  'c1; c0',
  'c0,c1',
  ' i0 ;c1',
  ';',
  'c0;azwi-proxy;azwi-proxy-init',
  '\u00a0c0\u0085',
  '\ufeffc0',
  'C0',
  '\u200bc0;\u3000i0\u2028',
]

const annotations = fc
  .record({
    [`${prefix}service-account-token-expiration`]: maybe(mostly(['3600', '86400', '7200', ''], [...lives, ...hugeLives])),
    [`${prefix}skip-containers`]: maybe(fc.constantFrom(...skips)),
    [`${prefix}inject-proxy-sidecar`]: maybe(fc.constantFrom('', 'true', 'false')),
    [`${prefix}proxy-sidecar-port`]: maybe(mostly(['8080', '+8081', '1', '65535'], ports)),
    [`${prefix}use-private`]: maybe(fc.constantFrom('true', 'TRUE', 'tRue', 'yes', '', ' true')),
    other: maybe(fc.constantFrom('x')),
  })
  .map(held => given(held))

const variableNames = [
  'AZURE_CLIENT_ID',
  'AZURE_TENANT_ID',
  'AZURE_FEDERATED_TOKEN_FILE',
  'AZURE_AUTHORITY_HOST',
  'AZURE_KUBERNETES_CA_FILE',
  'azure_client_id',
  'A',
]
const env = fc.array(
  fc
    .tuple(
      fc.constantFrom(...variableNames),
      fc.constantFrom<Tree>({ value: 'mine' }, { value: '' }, {}, { valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }),
    )
    .map(([name, rest]) => ({ name, ...rest })),
  { maxLength: 3 },
)

const tokenSources = [
  { serviceAccountToken: { path: 'azure-identity-token', audience: 'x' } },
  {
    serviceAccountToken: { path: 'token/azure-identity-token', audience: 'api://AzureADTokenExchange', expirationSeconds: 3_600 },
  },
  { serviceAccountToken: { path: 'token' } },
  { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
]
const volumeKinds: readonly Tree[] = [
  { emptyDir: {} },
  { secret: { secretName: 's', defaultMode: 256 } },
  { configMap: { name: 'azure-identity-token' } },
  { futureSource: { path: 'azure-identity-token' } },
  { persistentVolumeClaim: { claimName: 'c' } },
  ...tokenSources.map(source => ({ projected: { defaultMode: 420, sources: [source] } })),
  { projected: { sources: tokenSources.slice(1) } },
]
const volumeNames = ['v', 'w', 'azure-identity-token', 'azure-identity-token-2', ...reserved]
const volumes = fc.uniqueArray(
  fc.tuple(fc.constantFrom(...volumeNames), fc.constantFrom(...volumeKinds)).map(([name, kind]) => ({ name, ...kind })),
  { maxLength: 4, selector: ({ name }) => name },
)
const mountPaths = [
  '/x',
  classicPath,
  `${classicPath}/`,
  '/var/run/secrets/azure',
  reservedPath,
  `${reservedPath}/token`,
  '/var/run/secrets/kubernetes.io/serviceaccount',
]

/** Mounts of the volumes that there are, each path once. */
const mountsOf = (names: readonly string[]): fc.Arbitrary<readonly Tree[] | undefined> =>
  names.length === 0
    ? fc.constantFrom(undefined, [])
    : maybe(
        fc.uniqueArray(
          fc
            .record({
              name: fc.constantFrom(...names),
              mountPath: fc.constantFrom(...mountPaths),
              more: fc.constantFrom<Tree>({}, { readOnly: true }, { subPath: 'a' }),
            })
            .map(({ more, ...mount }) => ({ ...mount, ...more })),
          { maxLength: 3, selector: ({ mountPath }) => mountPath },
        ),
      )

const more = fc.constantFrom<Tree>(
  {},
  { futureField: { deep: [1] } },
  { envFrom: [{ configMapRef: { name: 'AZURE_CLIENT_ID' } }] },
  { livenessProbe: { grpc: { port: 1 } } },
  { ports: [{ containerPort: 8_000 }] },
)

const container = (name: string, names: readonly string[]): fc.Arbitrary<Tree> =>
  fc
    .record({ env: often(env), volumeMounts: mountsOf(names), more })
    .map(({ more: rest, ...held }) => ({ name, image: 'img', ...rest, ...given(held) }))

const containers = (names: readonly string[], held: readonly string[]): fc.Arbitrary<Tree[]> =>
  names.reduce<fc.Arbitrary<Tree[]>>(
    (list, name) => fc.tuple(list, container(name, held)).map(([all, one]) => [...all, one]),
    fc.constant([]),
  )

/** Which containers of the pod are where; each name once. */
const shapes = fc.constantFrom(
  { regular: ['c0'], init: undefined },
  { regular: ['c0', 'c1'], init: ['i0'] },
  { regular: ['c0'], init: [] },
  { regular: ['c0', 'azwi-proxy'], init: ['i0'] },
  { regular: ['c0'], init: ['azwi-proxy', 'azwi-proxy-init', 'i0'] },
  { regular: ['azwi-proxy-init', 'c0'], init: undefined },
)

const metadata = fc.record({
  named: fc.constantFrom<Tree>({ name: 'p' }, { generateName: 'web-' }, { name: 'p', generateName: 'web-' }),
  more: fc.constantFrom<Tree>({}, { namespace: 'ns1' }, { labels: { 'azure.workload.identity/use': 'true', 'a/b': '' } }),
  annotations: often(annotations),
})

const pods: fc.Arbitrary<Tree> = fc
  .tuple(volumes, shapes, maybe(fc.constant(null)))
  .chain(([held, { regular, init }, emptied]) => {
    const names = held.map(({ name }) => name)
    return fc
      .record({
        metadata,
        containers: containers(regular, names),
        initContainers: init === undefined ? fc.constant(undefined) : containers(init, names),
        serviceAccountName: mostly<string | undefined>(['app', 'app', 'bare', 'default', ''], [undefined, 'nobody']),
        spec: mostly<Tree>(
          [
            {},
            { hostNetwork: false },
            { os: { name: 'linux' } },
            { nodeSelector: { 'kubernetes.io/os': 'windows' } },
            { automountServiceAccountToken: false },
            { ephemeralContainers: [{ name: 'debug', image: 'i' }], futureField: 1 },
          ],
          [{ hostNetwork: true }, { os: { name: 'windows' } }],
        ),
      })
      .map(({ metadata: { named, more: others, annotations: said }, spec, ...lists }) => ({
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { ...named, ...others, ...given({ annotations: said }) },
        spec: { ...spec, ...given(lists), ...(held.length > 0 ? { volumes: held } : emptied === null ? { volumes: [] } : {}) },
      }))
  })

const accounts = fc.record({
  'ns1/app': fc
    .record({
      [`${prefix}client-id`]: often(fc.constantFrom('id', '')),
      [`${prefix}tenant-id`]: maybe(fc.constantFrom('other', '')),
      [`${prefix}service-account-token-expiration`]: maybe(mostly(['3600', '7200'], lives)),
      [`${prefix}skip-containers`]: maybe(fc.constant('c0')),
    })
    .map(held => given(held)),
  'ns1/default': fc.constantFrom<Record<string, string>>({}, { [`${prefix}client-id`]: 'of-default' }),
  'ns1/bare': fc.constant({}),
  'ns2/app': fc.constant({ [`${prefix}client-id`]: 'of-ns2' }),
  'ns2/default': fc.constant({}),
  'ns2/nobody': fc.constant({ [`${prefix}client-id`]: 'elsewhere' }),
})

const images = { PROXY_IMAGE: 'registry.example/proxy:1', PROXY_INIT_IMAGE: 'registry.example/init:1' }
const authorities = fc.constantFrom<Record<string, string>>(
  {},
  { AZURE_KUBERNETES_CA_DATA: 'PEM' },
  { AZURE_KUBERNETES_CA_CONFIGMAP_NAME: 'ca' },
  { AZURE_KUBERNETES_CA_CTB_SIGNER_NAME: 's/x' },
  { AZURE_KUBERNETES_CA_CTB_SIGNER_NAME: 's/x', AZURE_KUBERNETES_CA_CTB_LABEL_SELECTOR: '{"matchLabels":{"a":"b"}}' },
)
const endpoint = fc
  .record({
    authority: authorities,
    proxy: fc.constantFrom<Record<string, string>>({}, { AZURE_KUBERNETES_TOKEN_PROXY: 'https://proxy' }),
    sni: fc.constantFrom<Record<string, string>>({}, { AZURE_KUBERNETES_SNI_NAME: 'sni' }),
  })
  .map(({ authority, proxy, sni }) => ({
    flags: { 'custom-token-endpoint-annotation-suffix': 'private', 'custom-token-endpoint-audience': 'api://private' },
    env: { ...authority, ...proxy, ...sni },
  }))
const settings = fc
  .record({
    level: fc.constantFrom<Record<string, string>>({}, { 'log-level': 'info' }),
    audience: fc.constantFrom<Record<string, string>>({}, { audience: 'api://mine' }),
    cloud: fc.constantFrom<Record<string, string>>(
      {},
      { AZURE_ENVIRONMENT: 'azureusgovernmentCLOUD' },
      { AZURE_ENVIRONMENT: 'AzureChinaCloud' },
    ),
    reserved: fc.option(fc.option(endpoint, { nil: { flags: {}, env: {} } }), { nil: undefined }),
  })
  .map(({ level, audience, cloud, reserved: custom }) => ({
    flags: { ...level, ...audience, ...(custom === undefined ? {} : { 'volume-layout': 'reserved', ...custom.flags }) },
    env: { AZURE_TENANT_ID: 'TEN', ...images, ...cloud, ...custom?.env },
  }))

export const azureAsked: fc.Arbitrary<AzureAsked> = fc
  .record({
    settings,
    accounts,
    serverVersion: fc.constantFrom('v1.31.4', 'v1.32.0', 'v1.34.4'),
    asks: fc.array(fc.record({ namespace: mostly(['ns1'], ['ns2']), pod: pods }), {
      minLength: 1,
      maxLength: 4,
    }),
  })
  .map(({ settings: { flags, env }, accounts: held, serverVersion, asks }) => ({
    world: { flags, env, accounts: held, isNative: serverVersion !== 'v1.31.4' },
    serverVersion,
    asks,
  }))
