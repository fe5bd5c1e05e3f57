// Kubeconfig files as values: read, checked, merged as kubectl merges them. Whatever is wrong names the file, the key and the way out.
import { loadAll } from 'js-yaml'
import { isCrowdedText } from '#base'
import { kubernetesYaml } from '../../yaml-schema.ts'

export class KubeconfigError extends Error {
  readonly code = 'bad-kubeconfig'
  readonly file: string
  constructor(file: string, detail: string, options?: ErrorOptions) {
    super(`kubeconfig ${file}: ${detail}`, options)
    this.name = 'KubeconfigError'
    this.file = file
  }
}

export interface ClusterEntry {
  readonly server: string
  readonly caData?: string
  readonly caFile?: string
  readonly tlsServerName?: string
  readonly insecureSkipVerify: boolean
  readonly proxyUrl?: string
  /** What an exec plugin may ask to be told. */
  readonly execConfig?: unknown
}

export interface ExecEntry {
  readonly apiVersion: string
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly installHint?: string
  readonly provideClusterInfo: boolean
}

export interface UserEntry {
  readonly certificateData?: string
  readonly certificateFile?: string
  readonly keyData?: string
  readonly keyFile?: string
  readonly token?: string
  readonly tokenFile?: string
  readonly username?: string
  readonly password?: string
  readonly exec?: ExecEntry
  readonly impersonate?: { readonly user: string; readonly groups: readonly string[]; readonly uid?: string }
  readonly impersonateExtra?: Readonly<Record<string, readonly string[]>>
}

export interface ContextEntry {
  readonly cluster: string
  readonly user: string
  readonly namespace?: string
}

/** An entry and the file that it stands in, against whose folder its relative paths count. */
export interface Placed<T> {
  readonly file: string
  readonly entry: T
}

export interface Kubeconfig {
  readonly currentContext: string
  readonly clusters: ReadonlyMap<string, Placed<ClusterEntry>>
  readonly users: ReadonlyMap<string, Placed<UserEntry>>
  readonly contexts: ReadonlyMap<string, Placed<ContextEntry>>
}

/** Far above any fleet's file; below what would stall the process. */
const textLengthMax = 8_388_608

export function parseKubeconfig(text: string, file: string): Kubeconfig {
  if (text.length > textLengthMax) throw new KubeconfigError(file, `it has more than ${textLengthMax} characters`)
  if (isCrowdedText(text, 14)) throw new KubeconfigError(file, 'it holds too many lines and entries for its length')
  let value: unknown
  try {
    // An empty file has no document, and is an empty kubeconfig.
    value = loadAll(text, { schema: kubernetesYaml })[0]
  } catch (error) {
    const detail = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
    throw new KubeconfigError(file, `it is no YAML (${detail}); mend the file or name another by KUBECONFIG`, { cause: error })
  }
  const root = new Reader(value ?? {}, file, '')
  const kind = root.text('kind')
  if (kind !== undefined && kind !== 'Config') throw root.wrong('kind', `is ${JSON.stringify(kind)}, and should be "Config"`)
  return {
    currentContext: root.text('current-context') ?? '',
    clusters: named(root, 'clusters', 'cluster', readCluster),
    users: named(root, 'users', 'user', readUser),
    contexts: named(root, 'contexts', 'context', readContext),
  }
}

/** The first file that has an entry of a name gives all of it; later ones add what is missing by name. */
export function mergeKubeconfigs(configs: readonly Kubeconfig[]): Kubeconfig {
  const merge = <T>(pick: (config: Kubeconfig) => ReadonlyMap<string, Placed<T>>): ReadonlyMap<string, Placed<T>> =>
    new Map([...configs].reverse().flatMap(config => [...pick(config)]))
  return {
    currentContext: configs.find(({ currentContext }) => currentContext !== '')?.currentContext ?? '',
    clusters: merge(config => config.clusters),
    users: merge(config => config.users),
    contexts: merge(config => config.contexts),
  }
}

function named<T>(root: Reader, list: string, inner: string, read: (entry: Reader) => T): ReadonlyMap<string, Placed<T>> {
  const entries = new Map<string, Placed<T>>()
  for (const item of root.list(list)) {
    const name = item.text('name')
    if (name === undefined) throw item.wrong('name', 'is missing')
    if (entries.has(name)) throw item.wrong('name', `is ${JSON.stringify(name)}, which is there twice in this file`)
    entries.set(name, { file: root.file, entry: read(item.section(inner)) })
  }
  return entries
}

function readCluster(from: Reader): ClusterEntry {
  const server = from.text('server')
  if (server === undefined) throw from.wrong('server', 'is missing: it is the address of the API server, https://host:port')
  if (!/^https?:\/\/[^/\s]+/.test(server)) {
    throw from.wrong('server', `is ${JSON.stringify(server)}, which is no address: expected https://host:port`)
  }
  return present<ClusterEntry>({
    server,
    caData: from.base64('certificate-authority-data'),
    caFile: from.text('certificate-authority'),
    tlsServerName: from.text('tls-server-name'),
    insecureSkipVerify: from.flag('insecure-skip-tls-verify'),
    proxyUrl: from.text('proxy-url'),
    execConfig: from.extension('client.authentication.k8s.io/exec'),
  })
}

function readUser(from: Reader): UserEntry {
  if (from.has('auth-provider')) {
    throw from.wrong('auth-provider', 'is no longer supported by Kubernetes clients: use an exec plugin (users[].user.exec)')
  }
  const as = from.text('as')
  const uid = from.text('as-uid')
  const extra = from.map('as-user-extra', (inner, key) => inner.texts(key))
  return present<UserEntry>({
    certificateData: from.base64('client-certificate-data'),
    certificateFile: from.text('client-certificate'),
    keyData: from.base64('client-key-data'),
    keyFile: from.text('client-key'),
    token: from.text('token'),
    tokenFile: from.text('tokenFile'),
    username: from.text('username'),
    password: from.text('password'),
    exec: from.has('exec') ? readExec(from.section('exec')) : undefined,
    impersonate: as === undefined ? undefined : { user: as, groups: from.texts('as-groups'), ...(uid !== undefined && { uid }) },
    impersonateExtra: Object.keys(extra).length === 0 ? undefined : extra,
  })
}

const execVersions = ['client.authentication.k8s.io/v1', 'client.authentication.k8s.io/v1beta1']

function readExec(from: Reader): ExecEntry {
  const apiVersion = from.text('apiVersion')
  const command = from.text('command')
  if (command === undefined) throw from.wrong('command', 'is missing')
  if (apiVersion === undefined || !execVersions.includes(apiVersion)) {
    throw from.wrong('apiVersion', `is ${JSON.stringify(apiVersion)}, and should be one of ${execVersions.join(', ')}`)
  }
  const env: Record<string, string> = {}
  for (const item of from.list('env')) env[item.text('name') ?? ''] = item.text('value') ?? ''
  return present<ExecEntry>({
    apiVersion,
    command,
    args: from.texts('args'),
    env,
    installHint: from.text('installHint'),
    provideClusterInfo: from.flag('provideClusterInfo'),
  })
}

function readContext(from: Reader): ContextEntry {
  return present<ContextEntry>({
    cluster: from.text('cluster') ?? '',
    user: from.text('user') ?? '',
    namespace: from.text('namespace'),
  })
}

function present<T>(value: { readonly [K in keyof T]: T[K] | undefined }): T {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined)) as T
}

/** Reads one mapping, and knows where it stands for messages. */
class Reader {
  readonly file: string
  readonly #value: Readonly<Record<string, unknown>>
  readonly #at: string

  constructor(value: unknown, file: string, at: string) {
    this.file = file
    this.#at = at
    if (typeof value !== 'object' || value === null || Array.isArray(value)) {
      throw new KubeconfigError(file, `${at === '' ? 'the document' : at} should be a mapping`)
    }
    this.#value = value as Record<string, unknown>
  }

  has(key: string): boolean {
    return this.#value[key] !== undefined && this.#value[key] !== null
  }

  /** Empty text counts as absent, as it does for kubectl. */
  text(key: string): string | undefined {
    const value = this.#value[key]
    if (value === undefined || value === null || value === '') return undefined
    if (typeof value === 'string') return value
    throw this.wrong(key, 'should be text')
  }

  base64(key: string): string | undefined {
    const text = this.text(key)?.replace(/\s+/g, '')
    if (text === undefined) return undefined
    if (!/^[A-Za-z0-9+/]*={0,2}$/.test(text) || text.length % 4 !== 0) throw this.wrong(key, 'is no base64')
    return Buffer.from(text, 'base64').toString('utf8')
  }

  flag(key: string): boolean {
    const value = this.#value[key]
    if (value === undefined || value === null) return false
    if (typeof value === 'boolean') return value
    throw this.wrong(key, 'should be true or false')
  }

  texts(key: string): readonly string[] {
    const value = this.#value[key]
    if (value === undefined || value === null) return []
    if (Array.isArray(value) && value.every(one => typeof one === 'string')) return value as string[]
    throw this.wrong(key, 'should be a list of texts')
  }

  list(key: string): readonly Reader[] {
    const value = this.#value[key]
    if (value === undefined || value === null) return []
    if (!Array.isArray(value)) throw this.wrong(key, 'should be a list')
    return value.map((item, index) => new Reader(item, this.file, `${this.#path(key)}[${index}]`))
  }

  section(key: string): Reader {
    return new Reader(this.#value[key] ?? {}, this.file, this.#path(key))
  }

  map<T>(key: string, read: (inner: Reader, key: string) => T): Readonly<Record<string, T>> {
    if (!this.has(key)) return {}
    const inner = this.section(key)
    return Object.fromEntries(Object.keys(inner.#value).map(name => [name, read(inner, name)]))
  }

  extension(name: string): unknown {
    for (const item of this.list('extensions')) if (item.text('name') === name) return item.#value.extension
    return undefined
  }

  wrong(key: string, detail: string): KubeconfigError {
    return new KubeconfigError(this.file, `${this.#path(key)} ${detail}`)
  }

  #path(key: string): string {
    return this.#at === '' ? key : `${this.#at}.${key}`
  }
}
