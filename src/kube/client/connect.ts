// From "the cluster that kubectl would talk to" to a client: kubeconfig or in-cluster files, credentials that renew themselves,
// connections that follow renewed certificates.
import type { HttpHeaders, Seams, TlsClientOptions } from '#base'
import { type KubeClient, KubeError } from './client.ts'
import { createKubeClient, type KubeClientOptions } from './create-client.ts'
import { fixedCredentials, type KubeCredentials, noCredentials } from './credentials.ts'
import { type ExecCredential, ExecPlugin, pluginEnvironment } from './kubeconfig/exec-plugin.ts'
import { FreshFile } from './kubeconfig/fresh-file.ts'
import { type ClusterEntry, KubeconfigError, type Placed, parseKubeconfig, type UserEntry } from './kubeconfig/kubeconfig.ts'
import { besides, loadKubeconfig } from './kubeconfig/load.ts'
import { proxyFromEnv } from './kubeconfig/proxy-env.ts'
import { type KubeconfigChoice, type KubeconfigSelection, selectContext } from './kubeconfig/select.ts'
import { rotatingTransport, type ServerRoute } from './transport.ts'

export type ConnectSeams = Pick<Seams, 'clock' | 'net' | 'files' | 'programs' | 'env'>

export interface ConnectOptions
  extends KubeconfigChoice,
    Omit<KubeClientOptions, 'exchange' | 'clock' | 'credentials' | 'address' | 'onClose'> {
  /** Paths of kubeconfig files, or one as text. Default: as kubectl, and inside a cluster the pod's own service account. */
  readonly kubeconfig?: readonly string[] | { readonly text: string }
  /** Within a cluster, that one goes before kubeconfig files that nobody named. */
  readonly prefersPod?: boolean
  /** Another address for the cluster that was chosen; with nothing else to go by, the address alone, without credentials. */
  readonly server?: string
  readonly connectTimeoutMs?: number
  readonly pingIntervalMs?: number
  /** Looks at the kubeconfig files again and again: whoever renews them by writing them anew need not start us anew. */
  readonly followsKubeconfig?: boolean
  /** What exec plugins see of our environment beside `PATH` and `HOME`; by default what they use to find their own configuration. */
  readonly pluginEnvironment?: readonly string[]
  /** Instead of all that the chosen user would prove itself with, certificates too. */
  readonly credentials?: KubeCredentials
}

export interface Connected {
  readonly client: KubeClient
  /** The context's namespace, or the pod's. */
  readonly namespace: string
  readonly context: string
}

/** Reads all that is needed and makes no call. Rejects with `KubeconfigError` when there is nothing to connect to. */
export async function connect(seams: ConnectSeams, options: ConnectOptions = {}): Promise<Connected> {
  const selection = await select(seams, options)
  const { cluster, user, context, namespace } = selection
  const route = await openRoute(seams, options, selection)
  const routes = options.followsKubeconfig === true ? followedRoute(seams, options, selection, route) : fixedRoute(route)
  const transport = rotatingTransport(seams.net, async () => {
    const { server, dial, login } = await routes.current()
    return { server, dial, tls: await login.tls() }
  })
  const impersonate = options.impersonate ?? user.entry.impersonate
  const client = createKubeClient({
    ...options,
    clock: seams.clock,
    exchange: transport.exchange,
    address: cluster.entry.server,
    credentials: options.credentials ?? {
      headers: async signal => (await routes.current()).login.credentials.headers(signal),
      refused: () => routes.refused(),
    },
    ...(impersonate !== undefined && { impersonate }),
    onClose: () => transport.close(),
  })
  return { client, namespace, context }
}

interface Route extends Pick<ServerRoute, 'server' | 'dial'> {
  readonly login: Login
}

interface Routes {
  current(): Promise<Route>
  /** The server did not accept the credentials. True when asking again may give better ones. */
  refused(): boolean
}

async function openRoute(seams: ConnectSeams, options: ConnectOptions, { cluster, user }: KubeconfigSelection): Promise<Route> {
  const { server } = cluster.entry
  const env = pluginEnvironment(seams.env, options.pluginEnvironment)
  const login = await logIn({ ...seams, env }, cluster, user)
  const proxyUrl = cluster.entry.proxyUrl ?? proxyFromEnv(seams.env, server)
  if (proxyUrl?.startsWith('socks') === true) {
    throw new KubeconfigError(
      cluster.file,
      `proxy-url ${proxyUrl.split('@').at(-1)}: SOCKS proxies are not supported; use an http:// or https:// proxy`,
    )
  }
  const dial = {
    ...(proxyUrl !== undefined && { proxyUrl }),
    ...(options.connectTimeoutMs !== undefined && { connectTimeoutMs: options.connectTimeoutMs }),
    ...(options.pingIntervalMs !== undefined && { pingIntervalMs: options.pingIntervalMs }),
  }
  return { server, dial, login }
}

function fixedRoute(route: Route): Routes {
  return { current: () => Promise.resolve(route), refused: () => route.login.credentials.refused() }
}

/** Two reads of a small file cost nothing; whoever moves a cluster waits this long for us. */
const kubeconfigMaxAgeMs = 10_000

/** What cannot be read, or leads nowhere, changes nothing: the last route that was good goes on serving. */
function followedRoute(seams: ConnectSeams, options: ConnectOptions, first: KubeconfigSelection, opened: Route): Routes {
  let route = opened
  let seen = JSON.stringify(first)
  let lookedMs = seams.clock.monotonicMs()
  const look = async (): Promise<void> => {
    const selection = await select(seams, options)
    const text = JSON.stringify(selection)
    if (text === seen) return
    route = await openRoute(seams, options, selection)
    seen = text
  }
  return {
    current: async () => {
      if (seams.clock.monotonicMs() - lookedMs < kubeconfigMaxAgeMs) return route
      lookedMs = seams.clock.monotonicMs()
      await look().catch(() => {})
      return route
    },
    refused: () => {
      if (route.login.credentials.refused()) return true
      // Not asked again for each of many that are refused at once.
      if (seams.clock.monotonicMs() - lookedMs < refusedEveryMs) return false
      lookedMs = Number.NEGATIVE_INFINITY
      return true
    },
  }
}

const refusedEveryMs = 1_000

async function select(seams: ConnectSeams, options: ConnectOptions): Promise<KubeconfigSelection> {
  const found = atServer(await choose(seams, options), options.server)
  return options.credentials === undefined ? found : { ...found, user: { file: found.user.file, entry: {} } }
}

async function choose(seams: ConnectSeams, options: ConnectOptions): Promise<KubeconfigSelection> {
  const source = options.kubeconfig
  if (source !== undefined && 'text' in source) {
    return selectContext(parseKubeconfig(source.text, '(given as text)'), options, ['(given as text)'])
  }
  const isPodFirst = options.prefersPod === true && source === undefined
  const first = isPodFirst ? await inCluster(seams) : undefined
  if (first !== undefined) return first
  const loaded = await loadKubeconfig(seams, source)
  if (loaded !== undefined) return selectContext(loaded.config, options, loaded.files)
  const pod = isPodFirst ? undefined : await inCluster(seams)
  if (pod !== undefined) return pod
  if (options.server !== undefined) return bareServer(options.server)
  const looked = seams.env.KUBECONFIG ?? `${seams.env.HOME ?? '~'}/.kube/config`
  throw new KubeconfigError(
    looked,
    'there is no such file, and this is no pod in a cluster; name a kubeconfig by --kubeconfig or KUBECONFIG',
  )
}

function atServer(selection: KubeconfigSelection, server: string | undefined): KubeconfigSelection {
  if (server === undefined) return selection
  const { cluster } = selection
  return { ...selection, cluster: { ...cluster, entry: { ...cluster.entry, server } } }
}

function bareServer(server: string): KubeconfigSelection {
  const file = '(given as an address)'
  return {
    context: server,
    namespace: 'default',
    cluster: { file, entry: { server, insecureSkipVerify: false } },
    user: { file, entry: {} },
  }
}

/** What Kubernetes lays into each container: `token`, `ca.crt` and `namespace`. */
export const podFolder = '/var/run/secrets/kubernetes.io/serviceaccount'

async function inCluster(seams: ConnectSeams): Promise<KubeconfigSelection | undefined> {
  const { KUBERNETES_SERVICE_HOST: host, KUBERNETES_SERVICE_PORT: port } = seams.env
  if (host === undefined || port === undefined) return undefined
  if ((await seams.files.info(`${podFolder}/token`)) === undefined) return undefined
  const namespace = await seams.files.read(`${podFolder}/namespace`)
  const server = `https://${host.includes(':') ? `[${host}]` : host}:${port}`
  return {
    context: 'in-cluster',
    namespace: namespace === undefined ? 'default' : new TextDecoder().decode(namespace).trim(),
    cluster: { file: podFolder, entry: { server, caFile: `${podFolder}/ca.crt`, insecureSkipVerify: false } },
    user: { file: podFolder, entry: { tokenFile: `${podFolder}/token` } },
  }
}

/** Bound tokens are renewed at 80 % of an hour; certificates at much more. A minute is soon enough for both. */
const fileMaxAgeMs = 60_000

interface Login {
  readonly tls: () => Promise<TlsClientOptions>
  readonly credentials: KubeCredentials
}

async function logIn(seams: ConnectSeams, cluster: Placed<ClusterEntry>, user: Placed<UserEntry>): Promise<Login> {
  const text = (placed: Placed<unknown>, what: string, inline: string | undefined, path: string | undefined) => {
    if (inline !== undefined) return () => Promise.resolve<string | undefined>(inline)
    if (path === undefined) return () => Promise.resolve<string | undefined>(undefined)
    const file = new FreshFile(seams, besides(placed.file, path), { what, maxAgeMs: fileMaxAgeMs })
    return () => file.text() as Promise<string | undefined>
  }
  const ca = text(cluster, 'the certificate authority of the cluster', cluster.entry.caData, cluster.entry.caFile)
  const certificate = text(user, 'the client certificate', user.entry.certificateData, user.entry.certificateFile)
  const key = text(user, 'the client key', user.entry.keyData, user.entry.keyFile)
  const caPem = await ca()
  // Read once now, so that what is missing is told before the first call.
  if (((await certificate()) === undefined) !== ((await key()) === undefined)) {
    throw new KubeconfigError(user.file, 'a user has client-certificate without client-key, or the other way round; give both')
  }
  const secure = cluster.entry.server.startsWith('https:')
  const { exec } = user.entry
  const plugin = exec && new ExecPlugin(seams, { exec: { file: user.file, entry: exec }, cluster: cluster.entry, caPem })
  return {
    tls: async () => {
      const issued: ExecCredential = plugin === undefined ? {} : await plugin.credential()
      const [authority, own, ownKey] = await Promise.all([ca(), certificate(), key()])
      return tlsOptions(cluster.entry, authority, issued.certificate ?? own, issued.key ?? ownKey)
    },
    // Like kubectl: proofs of who we are do not travel in the clear.
    credentials: withExtra(secure ? credentialsOf(seams, user, plugin) : noCredentials, user.entry.impersonateExtra),
  }
}

function tlsOptions(cluster: ClusterEntry, ca?: string, certificate?: string, key?: string): TlsClientOptions {
  return {
    ...(ca !== undefined && { ca }),
    ...(certificate !== undefined && { certificate }),
    ...(key !== undefined && { key }),
    ...(cluster.tlsServerName !== undefined && { serverName: cluster.tlsServerName }),
    ...(cluster.insecureSkipVerify && { insecureSkipVerify: true }),
  }
}

function credentialsOf(seams: ConnectSeams, { file, entry }: Placed<UserEntry>, plugin: ExecPlugin | undefined): KubeCredentials {
  if (plugin !== undefined) {
    return {
      headers: async () => bearer((await plugin.credential()).token),
      refused: () => plugin.refused(),
    }
  }
  if (entry.tokenFile !== undefined) {
    return tokenFileCredentials(
      seams,
      new FreshFile(seams, besides(file, entry.tokenFile), { what: 'the token', maxAgeMs: fileMaxAgeMs }),
    )
  }
  if (entry.token !== undefined) return fixedCredentials(bearer(entry.token))
  if (entry.username === undefined) return noCredentials
  const basic = Buffer.from(`${entry.username}:${entry.password ?? ''}`).toString('base64')
  return fixedCredentials({ authorization: `Basic ${basic}` })
}

function tokenFileCredentials(seams: ConnectSeams, file: FreshFile): KubeCredentials {
  let sent: string | undefined
  let refusedMs = Number.NEGATIVE_INFINITY
  return {
    headers: async () => {
      try {
        sent = (await file.text()).trim()
      } catch (error) {
        throw new KubeError('unauthenticated', error instanceof Error ? error.message : String(error), { cause: error })
      }
      return bearer(sent)
    },
    // The kubelet may have renewed it since we last looked; once in a while is enough to find out.
    refused: () => {
      const nowMs = seams.clock.monotonicMs()
      if (nowMs - refusedMs < 10_000) return false
      refusedMs = nowMs
      file.forget()
      return true
    },
  }
}

function bearer(token: string | undefined): HttpHeaders {
  return token === undefined ? {} : { authorization: `Bearer ${token}` }
}

function withExtra(credentials: KubeCredentials, extra: UserEntry['impersonateExtra']): KubeCredentials {
  if (extra === undefined) return credentials
  const headers = Object.fromEntries(
    Object.entries(extra).map(([name, values]) => [`impersonate-extra-${encodeURIComponent(name.toLowerCase())}`, values]),
  )
  return {
    headers: async signal => ({ ...headers, ...(await credentials.headers(signal)) }),
    refused: () => credentials.refused(),
  }
}
