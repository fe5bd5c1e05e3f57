// What the Azure webhook is to make of a pod, said a second time: as upstream makes it by the tables of docs/rules/webhook.md (§3), a pod built by
// hand and not as a patch, and then whether an API server would take that pod. It shares no line with the program and is as plain as the
// tables are. Where upstream's pod would be refused, a correction of §13 applies, and the oracle only says so.
import { createHash } from 'node:crypto'

type Tree = Record<string, unknown>
type Words = Readonly<Record<string, string>>

export interface AzureOracleWorld {
  /** §3.13, as given. */
  readonly flags: Words
  /** §3.8, as given. */
  readonly env: Words
  /** Annotations by `namespace/name`. */
  readonly accounts: Readonly<Record<string, Words>>
  readonly isNative: boolean
}

export type AzureExpected =
  | { readonly kind: 'pod'; readonly pod: Tree }
  | { readonly kind: 'refused'; readonly message: string }
  /** Upstream's pod would not be taken (P2). */
  | { readonly kind: 'corrected'; readonly why: string }

const prefix = 'azure.workload.identity/'

/** §3.4, in its order. */
export function expectedAzurePod(world: AzureOracleWorld, namespace: string, sent: Tree): AzureExpected {
  const pod = structuredClone(sent)
  const metadata = treeOf(pod['metadata'])
  const annotations = treeOf(metadata['annotations']) as Words
  if ('kubernetes.io/config.mirror' in annotations) return { kind: 'pod', pod } // F-26
  metadata['namespace'] = namespace
  pod['metadata'] = metadata
  const spec = treeOf(pod['spec'])
  const name =
    typeof spec['serviceAccountName'] === 'string' && spec['serviceAccountName'] !== '' ? spec['serviceAccountName'] : 'default'
  const account = world.accounts[`${namespace}/${name}`]
  if (account === undefined) return refused(`serviceaccounts ${JSON.stringify(name)} not found`)
  const wantsProxy = `${prefix}inject-proxy-sidecar` in annotations
  if (wantsProxy) {
    if (spec['hostNetwork'] === true) return refused('hostNetwork is set to true, cannot inject proxy sidecar')
    const port = portOf(annotations)
    if (typeof port === 'string') return refused(port)
    addProxy(spec, port, world)
  }
  const life = lifeOf(annotations[`${prefix}service-account-token-expiration`], account)
  if (typeof life === 'string') return refused(life)
  const layout = layoutOf(world, metadata)
  const custom = customOf(world, annotations)
  const variables = variablesOf(world, account, layout, custom !== undefined)
  const skipped = skippedOf(annotations[`${prefix}skip-containers`] ?? '')
  for (const container of [...listOf(spec, 'initContainers'), ...listOf(spec, 'containers')])
    if (!skipped.has(String(container['name']))) give(container, variables, layout)
  const audience = custom ?? (world.flags['audience'] || 'api://AzureADTokenExchange')
  addVolume(spec, layout, [
    { serviceAccountToken: { audience, expirationSeconds: life, path: layout.token } },
    ...(custom === undefined ? [] : authorityOf(world.env)),
  ])
  const why = whyNotTaken(spec)
  return why === undefined ? { kind: 'pod', pod } : { kind: 'corrected', why }
}

function refused(message: string): AzureExpected {
  return { kind: 'refused', message }
}

/** §3.9. */
function addProxy(spec: Tree, port: number, { env, flags, isNative }: AzureOracleWorld): void {
  const init = listOf(spec, 'initContainers')
  if (!init.some(({ name }) => name === 'azwi-proxy-init'))
    init.push({
      name: 'azwi-proxy-init',
      image: env['PROXY_INIT_IMAGE'],
      imagePullPolicy: 'IfNotPresent',
      env: [{ name: 'PROXY_PORT', value: `${port}` }],
      securityContext: {
        capabilities: { add: ['NET_ADMIN'], drop: ['ALL'] },
        privileged: true,
        runAsNonRoot: false,
        runAsUser: 0,
      },
    })
  spec['initContainers'] = init
  const list = isNative ? 'initContainers' : 'containers'
  const others = listOf(spec, list)
  if (others.some(({ name }) => name === 'azwi-proxy')) return
  const level = `--log-level=${flags['log-level'] ?? ''}`
  const sidecar = {
    name: 'azwi-proxy',
    image: env['PROXY_IMAGE'],
    imagePullPolicy: 'IfNotPresent',
    args: [`--proxy-port=${port}`, level],
    ports: [{ containerPort: port }],
    lifecycle: { postStart: { exec: { command: ['/proxy', `--proxy-port=${port}`, '--probe', level] } } },
    securityContext: {
      allowPrivilegeEscalation: false,
      capabilities: { drop: ['ALL'] },
      privileged: false,
      readOnlyRootFilesystem: true,
      runAsNonRoot: true,
    },
    ...(isNative ? { restartPolicy: 'Always' } : {}),
  }
  spec[list] = [sidecar, ...others]
}

/** §3.3 and §3.20.6; a text is why there is none. */
function portOf(annotations: Words): number | string {
  const text = annotations[`${prefix}proxy-sidecar-port`]
  if (text === undefined) return 8_000
  const number = integerOf(text, 2n ** 31n)
  return typeof number === 'string' ? `failed to parse proxy sidecar port: ${number}` : Number(number)
}

/** §3.2, §3.3 and §3.20.5. */
function lifeOf(ofPod: string | undefined, account: Words): number | string {
  const text = ofPod || account[`${prefix}service-account-token-expiration`] || '3600'
  const number = integerOf(text, 2n ** 63n)
  if (typeof number === 'string') return number
  if (number >= 3_600n && number <= 86_400n) return Number(number)
  return `token expiration ${number} not valid. Expected value to be between 3600 and 86400`
}

function integerOf(text: string, beyond: bigint): bigint | string {
  if (!/^[+-]?[0-9]+$/.test(text)) return `strconv.ParseInt: parsing ${JSON.stringify(text)}: invalid syntax`
  const number = BigInt(text.replace(/^\+/, ''))
  return number >= -beyond && number < beyond ? number : `strconv.ParseInt: parsing ${JSON.stringify(text)}: value out of range`
}

interface Layout {
  readonly isClassic: boolean
  readonly volume: string
  readonly mount: string
  readonly token: string
}

/** §3.6. */
function layoutOf({ flags }: AzureOracleWorld, { name, generateName }: Tree): Layout {
  if (flags['volume-layout'] !== 'reserved')
    return {
      isClassic: true,
      volume: 'azure-identity-token',
      mount: '/var/run/secrets/azure/tokens',
      token: 'azure-identity-token',
    }
  const known =
    typeof name === 'string' && name !== '' ? name : `${typeof generateName === 'string' ? generateName : ''} (prefix)`
  const hash = createHash('sha256').update(known).digest('hex').slice(0, 30)
  return {
    isClassic: false,
    volume: `azure-workload-identity-reserved-${hash}`,
    mount: '/var/run/secrets/azure/wi',
    token: 'token/azure-identity-token',
  }
}

/** §3.11: the audience, where the pod asks for the endpoint and there is one. */
function customOf({ flags }: AzureOracleWorld, annotations: Words): string | undefined {
  const suffix = flags['custom-token-endpoint-annotation-suffix']
  if (suffix === undefined) return undefined
  return annotations[`${prefix}use-${suffix}`]?.toLowerCase() === 'true' ? flags['custom-token-endpoint-audience'] : undefined
}

function authorityOf(env: Words): readonly Tree[] {
  const path = 'ca-cert/ca.crt'
  const configMap = env['AZURE_KUBERNETES_CA_CONFIGMAP_NAME']
  const signerName = env['AZURE_KUBERNETES_CA_CTB_SIGNER_NAME']
  const selector = env['AZURE_KUBERNETES_CA_CTB_LABEL_SELECTOR']
  if (configMap !== undefined) return [{ configMap: { name: configMap, items: [{ key: 'ca.crt', path }], optional: false } }]
  if (signerName === undefined) return []
  const labelSelector: unknown = selector === undefined ? undefined : JSON.parse(selector)
  return [
    { clusterTrustBundle: { signerName, ...(labelSelector === undefined ? {} : { labelSelector }), path, optional: false } },
  ]
}

const authorities: Words = {
  azurepubliccloud: 'https://login.microsoftonline.com/',
  azureusgovernmentcloud: 'https://login.microsoftonline.us/',
  azurechinacloud: 'https://login.chinacloudapi.cn/',
}

/** §3.5, in its order. */
function variablesOf(world: AzureOracleWorld, account: Words, { mount, token }: Layout, isCustom: boolean): readonly Tree[] {
  const { env } = world
  const endpoint = [
    ['AZURE_KUBERNETES_TOKEN_PROXY', env['AZURE_KUBERNETES_TOKEN_PROXY']],
    ['AZURE_KUBERNETES_SNI_NAME', env['AZURE_KUBERNETES_SNI_NAME']],
    ['AZURE_KUBERNETES_CA_FILE', `${mount}/ca-cert/ca.crt`],
    ['AZURE_KUBERNETES_CA_DATA', env['AZURE_KUBERNETES_CA_DATA']],
  ]
  return [
    ['AZURE_CLIENT_ID', account[`${prefix}client-id`]],
    ['AZURE_TENANT_ID', account[`${prefix}tenant-id`] ?? env['AZURE_TENANT_ID']],
    ['AZURE_FEDERATED_TOKEN_FILE', `${mount}/${token}`],
    ['AZURE_AUTHORITY_HOST', authorities[(env['AZURE_ENVIRONMENT'] || 'AzurePublicCloud').toLowerCase()]],
    ...(isCustom ? endpoint : []),
  ]
    .filter(([, value]) => value !== undefined && value !== '')
    .map(([name, value]) => ({ name, value }))
}

/** §3.3 and §3.20.10. */
function skippedOf(list: string): ReadonlySet<string> {
  return new Set(list === '' ? [] : list.split(';').map(trimmed))
}

const spaces =
  '\t\n\v\f\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000'

function trimmed(text: string): string {
  let [start, end] = [0, text.length]
  while (start < end && spaces.includes(text.charAt(start))) start++
  while (end > start && spaces.includes(text.charAt(end - 1))) end--
  return text.slice(start, end)
}

function give(container: Tree, variables: readonly Tree[], { isClassic, volume, mount }: Layout): void {
  const env = listOf(container, 'env')
  const had = new Set(env.map(({ name }) => name))
  for (const variable of variables) if (!had.has(variable['name'])) env.push({ ...variable })
  if (env.length > 0) container['env'] = env
  const mounts = listOf(container, 'volumeMounts')
  const ours = { name: volume, mountPath: mount, readOnly: true }
  const at = mounts.findIndex(({ name }) => name === volume)
  if (at < 0) mounts.push(ours)
  else if (!isClassic) mounts[at] = ours
  container['volumeMounts'] = mounts
}

function addVolume(spec: Tree, { isClassic, volume, token }: Layout, sources: readonly Tree[]): void {
  const volumes = listOf(spec, 'volumes')
  const ours = { name: volume, projected: { sources } }
  const at = isClassic ? -1 : volumes.findIndex(({ name }) => name === volume)
  const holdsToken = (one: Tree): boolean =>
    listOf(treeOf(one['projected']), 'sources').some(source => treeOf(source['serviceAccountToken'])['path'] === token)
  if (at >= 0) volumes[at] = ours
  else if (!isClassic || !volumes.some(holdsToken)) volumes.push(ours)
  spec['volumes'] = volumes
}

/** What an API server checks of what is added; undefined: it takes the pod. */
export function whyNotTaken(spec: Tree): string | undefined {
  const volumes = listOf(spec, 'volumes').map(({ name }) => name)
  if (new Set(volumes).size < volumes.length) return 'two volumes of one name'
  const containers = [...listOf(spec, 'initContainers'), ...listOf(spec, 'containers')]
  if (new Set(containers.map(({ name }) => name)).size < containers.length) return 'two containers of one name'
  for (const container of containers) {
    const mounts = listOf(container, 'volumeMounts')
    const devices = listOf(container, 'volumeDevices')
    const places = [...mounts.map(({ mountPath }) => mountPath), ...devices.map(({ devicePath }) => devicePath)]
    if (new Set(places).size < places.length) return 'two mounts at one path'
    if (mounts.some(({ name }) => !volumes.includes(name))) return 'a mount of no volume'
    if (devices.some(({ name }) => mounts.some(mount => mount['name'] === name))) return 'a device and a mount of one volume'
    for (const { containerPort } of listOf(container, 'ports'))
      if (Number(containerPort) < 1 || Number(containerPort) > 65_535) return 'a port that is none'
    // Only the containers of the proxy have such a context here.
    if (treeOf(spec['os'])['name'] === 'windows' && treeOf(container['securityContext'])['privileged'] !== undefined)
      return 'the proxy on Windows'
  }
  return undefined
}

function treeOf(value: unknown): Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Tree) : {}
}

function listOf(parent: Tree, name: string): Tree[] {
  const list = parent[name]
  return Array.isArray(list) ? (list as Tree[]) : []
}
