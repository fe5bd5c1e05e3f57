// What the AWS webhook is to make of a pod, said a second time: from the tables of docs/rules/webhook.md alone (§2, with the
// corrections of §13), as a pod built by hand and not as a patch. It shares no line with the program and is as plain as the tables are.
import { posix } from 'node:path'

const { join } = posix

type Tree = Record<string, unknown>
type Words = Readonly<Record<string, string>>

export interface OracleWorld {
  /** §2.13, as given: what is not here has its default. */
  readonly flags: Words
  /** Annotations by `namespace/name`. */
  readonly accounts: Readonly<Record<string, Words>>
  /** Entries by key, in the words of the ConfigMap; undefined: it cannot be read. */
  readonly entries: Readonly<Record<string, OracleEntry>> | undefined
  /** `namespace/name` of the container-credentials file. */
  readonly listed: ReadonlySet<string>
}

export interface OracleEntry {
  readonly role?: string
  readonly audience?: string
  readonly regional?: boolean
  readonly seconds?: bigint
}

export interface Expected {
  readonly pod: Tree
  /** §2.9: the life may be anything from 79200 to 86400, and stands here as 86400. */
  readonly isJittered: boolean
}

/** §2.3, in its order. */
export function expectedPod(world: OracleWorld, namespace: string, sent: Tree): Expected {
  const pod = structuredClone(sent)
  const flag = (name: string): string => world.flags[name] ?? defaults[name] ?? ''
  const spec = treeOf(pod['spec'])
  const annotations = treeOf(treeOf(pod['metadata'])['annotations'])
  const untouched = { pod, isJittered: false }
  if ('kubernetes.io/config.mirror' in annotations) return untouched // F-26
  const name = typeof spec['serviceAccountName'] === 'string' ? spec['serviceAccountName'] : ''
  const account = name === '' ? undefined : accountOf(world, `${namespace}/${name}`, flag)
  const entries = flag('watch-config-map') === 'true' ? (world.entries ?? {}) : {}
  const [exact, wild] = [entries[`${namespace}/${name}`], entries[`*/${name}`]]
  const ownLife = lifeOf(annotations[`${flag('annotation-prefix')}/token-expiration`])

  if (flag('watch-container-credentials-config') !== '' && world.listed.has(`${namespace}/${name}`)) {
    const life = ownLife ?? account?.life ?? (exact === undefined ? undefined : entryLife(exact, flag)) ?? 86_400n
    const metadata = treeOf(pod['metadata'])
    metadata['labels'] = { ...treeOf(metadata['labels']), 'eks.amazonaws.com/pod-identity': 'enabled' }
    pod['metadata'] = metadata
    give(pod, flag, {
      volume: flag('container-credentials-token-volume-name'),
      path: flag('container-credentials-token-path'),
      mountPath: flag('container-credentials-token-mount-path'),
      audience: flag('container-credentials-audience'),
      life,
      regional: account?.regional ?? exact?.regional ?? false,
      first: ['AWS_CONTAINER_CREDENTIALS_FULL_URI', flag('container-credentials-full-uri')],
      second: 'AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE',
    })
    return { pod, isJittered: life === 86_400n }
  }
  const found =
    account !== undefined && account.role !== ''
      ? account
      : [exact ?? wild]
          .filter(entry => (entry?.role ?? '') !== '')
          .map(entry => ({
            role: entry?.role ?? '',
            audience: entry?.audience ?? '',
            regional: entry?.regional ?? false,
            life: entryLife(entry ?? {}, flag),
          }))[0]
  if (found === undefined) return untouched
  give(pod, flag, {
    volume: 'aws-iam-token',
    path: 'token',
    mountPath: flag('token-mount-path'),
    audience: found.audience,
    life: ownLife ?? found.life,
    regional: found.regional,
    first: ['AWS_ROLE_ARN', found.role],
    second: 'AWS_WEB_IDENTITY_TOKEN_FILE',
  })
  return { pod, isJittered: false }
}

/** §2.13. */
const defaults: Words = {
  'annotation-prefix': 'eks.amazonaws.com',
  'token-audience': 'sts.amazonaws.com',
  'token-mount-path': '/var/run/secrets/eks.amazonaws.com/serviceaccount',
  'token-expiration': '86400',
  'container-credentials-audience': 'pods.eks.amazonaws.com',
  'container-credentials-token-mount-path': '/var/run/secrets/pods.eks.amazonaws.com/serviceaccount',
  'container-credentials-token-volume-name': 'eks-pod-identity-token',
  'container-credentials-token-path': 'eks-pod-identity-token',
  'container-credentials-full-uri': 'http://169.254.170.23/v1/credentials',
}

/** §2.1. */
function accountOf({ accounts }: OracleWorld, key: string, flag: (name: string) => string) {
  const annotations = Object.hasOwn(accounts, key) ? accounts[key] : undefined
  if (annotations === undefined) return undefined
  const get = (name: string): string | undefined => annotations[`${flag('annotation-prefix')}/${name}`]
  const given = get('role-arn') ?? ''
  const isWhole = given === '' || flag('compose-role-arn') !== 'true' || given.includes('arn:')
  const word = get('sts-regional-endpoints') ?? ''
  const words = [
    ['1', 't', 'T', 'TRUE', 'true', 'True'],
    ['0', 'f', 'F', 'FALSE', 'false', 'False'],
  ]
  return {
    role: isWhole ? given : `arn:${flag('aws-partition') || 'aws'}:iam::${flag('aws-account-id')}:role/${given}`,
    audience: get('audience') ?? flag('token-audience'),
    regional: words[0]?.includes(word) || (!words[1]?.includes(word) && flag('sts-regional-endpoint') === 'true'),
    life: lifeOf(get('token-expiration')) ?? bounded(BigInt(flag('token-expiration'))),
  }
}

function entryLife({ seconds = 0n }: OracleEntry, flag: (name: string) => string): bigint {
  return bounded(seconds === 0n ? BigInt(flag('token-expiration')) : seconds)
}

/** §2.1: base ten, 64 bits, an optional sign; anything else says nothing. */
function lifeOf(text: unknown): bigint | undefined {
  if (typeof text !== 'string') return undefined
  const digits = /^[+-]/.test(text) ? text.slice(1) : text
  if (digits === '' || digits.split('').some(digit => !'0123456789'.includes(digit))) return undefined
  const seconds = text.startsWith('-') ? -BigInt(digits) : BigInt(digits)
  return seconds > 2n ** 63n - 1n || seconds < -(2n ** 63n) ? undefined : bounded(seconds)
}

/** 600, and F-07. */
function bounded(seconds: bigint): bigint {
  return seconds < 600n ? 600n : seconds > 2n ** 32n ? 2n ** 32n : seconds
}

interface Gift {
  readonly volume: string
  readonly path: string
  readonly mountPath: string
  readonly audience: string
  readonly life: bigint
  readonly regional: boolean
  readonly first: readonly [string, string]
  readonly second: string
}

/** §2.4 to §2.6. */
function give(pod: Tree, flag: (name: string) => string, gift: Gift): void {
  const spec = treeOf(pod['spec'])
  const selector = treeOf(spec['nodeSelector'])
  const isWindows = ['kubernetes.io/os', 'beta.kubernetes.io/os'].some(key => selector[key] === 'windows')
  const linuxFile = join(gift.mountPath, gift.path).replace(/\/$/, '')
  const file = isWindows ? `C:${linuxFile.split('/').join('\\')}` : linuxFile
  const volumes = treesOf(spec['volumes'])
  if (!volumes.some(({ name }) => name === gift.volume)) {
    const audience = gift.audience === '' ? {} : { audience: gift.audience }
    const token = { ...audience, expirationSeconds: Number(gift.life), path: gift.path }
    spec['volumes'] = [{ name: gift.volume, projected: { sources: [{ serviceAccountToken: token }] } }, ...volumes]
  }
  const skipped = firstLineOfCsv(treeOf(treeOf(pod['metadata'])['annotations'])[`${flag('annotation-prefix')}/skip-containers`])
  for (const container of [...treesOf(spec['initContainers']), ...treesOf(spec['containers'])]) {
    if (skipped.some(name => name === (container['name'] ?? ''))) continue
    const env = treesOf(container['env'])
    const has = (...names: readonly string[]): boolean => env.some(({ name }) => names.includes(String(name)))
    const hasPair = has(gift.first[0], gift.second)
    const hasRegion = has('AWS_REGION', 'AWS_DEFAULT_REGION')
    const hasSts = has('AWS_STS_REGIONAL_ENDPOINTS')
    if (hasPair && hasRegion && hasSts) continue // 2.4.3
    const region = flag('aws-default-region')
    const added: [string, string][] = []
    if (gift.regional && !hasSts) added.push(['AWS_STS_REGIONAL_ENDPOINTS', 'regional'])
    if (region !== '' && !hasRegion) added.push(['AWS_DEFAULT_REGION', region], ['AWS_REGION', region])
    if (!hasPair) added.push([...gift.first], [gift.second, file])
    if (added.length > 0) container['env'] = [...env, ...added.map(([name, value]) => ({ name, value }))]
    const mounts = treesOf(container['volumeMounts'])
    const isTaken = mounts.some(({ name, mountPath }) => name === gift.volume || mountPath === gift.mountPath) // F-04
    if (!isTaken) container['volumeMounts'] = [...mounts, { name: gift.volume, readOnly: true, mountPath: gift.mountPath }]
  }
}

/** §2.2: one record of RFC 4180, a character at a time; a fault gives none. */
function firstLineOfCsv(value: unknown): readonly string[] {
  if (typeof value !== 'string') return []
  const text = value.replace(/\r$/, '').replaceAll('\r\n', '\n').replace(/^\n*/, '')
  const fields = ['']
  let state: 'start' | 'bare' | 'quoted' | 'closed' = 'start'
  if (text === '') return []
  for (const letter of text) {
    const isEnd = letter === ',' || letter === '\n'
    if (state === 'quoted') {
      if (letter === '"') state = 'closed'
      else fields.push(`${fields.pop()}${letter}`)
    } else if (isEnd) {
      if (letter === '\n') return fields
      fields.push('')
      state = 'start'
    } else if (letter === '"') {
      if (state === 'bare') return []
      if (state === 'closed') fields.push(`${fields.pop()}"`)
      state = 'quoted'
    } else {
      if (state === 'closed') return []
      fields.push(`${fields.pop()}${letter}`)
      state = 'bare'
    }
  }
  return state === 'quoted' ? [] : fields
}

function treeOf(value: unknown): Tree {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Tree) : {}
}

function treesOf(value: unknown): Tree[] {
  return Array.isArray(value) ? (value as Tree[]) : []
}
