// The behaviour of the Azure webhook as a table (§8.2): one pod, what its ServiceAccount says, and what the pod has to be. Rows that say
// `byServer` are also asked by way of an API server, which makes the pod for real.
import assert from 'node:assert/strict'
import type { AzureReply, AzureSetting, ContainerShape, PodShape } from './azure-world.ts'
import { tenant } from './azure-world.ts'

export interface AzureRow {
  readonly id: string
  readonly what: string
  readonly setting?: AzureSetting
  /** Of ServiceAccount `app`; null: there is none. Default: it has a client id. */
  readonly account?: Readonly<Record<string, string>> | null
  readonly pod: PodShape
  readonly expect: (seen: SeenPod) => void
  /** An API server sends such a pod, and takes the answer. */
  readonly byServer?: boolean
}

export interface SeenPod {
  /** As it would be stored, or was. */
  readonly pod: PodShape
  readonly sent: PodShape
  /** Absent where an API server asked. */
  readonly reply?: AzureReply
  /** Why it was refused. */
  readonly refused?: string
}

const prefix = 'azure.workload.identity'
export const clientId = '11111111-2222-4333-8444-555555555555'
const withClient = { [`${prefix}/client-id`]: clientId }
const classicPath = '/var/run/secrets/azure/tokens'
const reservedPath = '/var/run/secrets/azure/wi'
export const tokenFile: string = `${classicPath}/azure-identity-token`
const publicHost = 'https://login.microsoftonline.com/'
export const reserved: AzureSetting = { flags: { 'volume-layout': 'reserved' } }

export function container(name: string, more: object = {}): ContainerShape {
  return { name, image: 'registry.example/app:v1', ...more }
}

interface PodParts {
  readonly annotations?: Readonly<Record<string, string>>
  readonly metadata?: object
  readonly spec?: object
}

/** With one container, and the label that upstream's configuration selects by. */
export function podOf({ annotations, metadata, spec }: PodParts = {}): PodShape {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: 'p',
      labels: { [`${prefix}/use`]: 'true' },
      ...(annotations === undefined ? {} : { annotations: prefixed(annotations) }),
      ...metadata,
    },
    spec: { serviceAccountName: 'app', containers: [container('c0')], ...spec },
  } as PodShape
}

export function prefixed(annotations: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(Object.entries(annotations).map(([name, value]) => [`${prefix}/${name}`, value]))
}

/** Names and values of a container, in their order. */
export function envOf(pod: PodShape, name = 'c0'): Readonly<Record<string, string | undefined>> {
  const found = [...(pod.spec.initContainers ?? []), ...pod.spec.containers].find(one => one.name === name)
  assert.ok(found, `there is no container ${name}`)
  return Object.fromEntries((found.env ?? []).map(({ name: variable, value }) => [variable, value]))
}

export function mountsOf(pod: PodShape, name = 'c0'): readonly (readonly [string, string])[] {
  const found = [...(pod.spec.initContainers ?? []), ...pod.spec.containers].find(one => one.name === name)
  return (found?.volumeMounts ?? [])
    .filter(mount => !mount.name.startsWith('kube-api-access'))
    .map(mount => [mount.name, mount.mountPath])
}

interface Token {
  readonly audience?: string
  readonly expirationSeconds?: number
  readonly path: string
}

export function tokenOf(pod: PodShape, volume = 'azure-identity-token'): Token | undefined {
  const sources = pod.spec.volumes?.find(({ name }) => name === volume)?.projected?.sources
  return sources?.find(source => source.serviceAccountToken !== undefined)?.serviceAccountToken as Token | undefined
}

const full = (more: object = {}): object => ({
  AZURE_CLIENT_ID: clientId,
  AZURE_TENANT_ID: tenant,
  AZURE_FEDERATED_TOKEN_FILE: tokenFile,
  AZURE_AUTHORITY_HOST: publicHost,
  ...more,
})
const without = (name: string): object => {
  const { [name]: _, ...rest } = full() as Record<string, string>
  return rest
}

const hasEnv = (expected: object, name?: string) => (seen: SeenPod) => {
  assert.equal(seen.refused, undefined)
  assert.deepEqual(envOf(seen.pod, name), expected)
}
const isRefused = (message: string) => (seen: SeenPod) => {
  assert.equal(seen.refused, message)
}
const lastsSeconds = (seconds: number) => (seen: SeenPod) => {
  assert.equal(seen.refused, undefined)
  assert.equal(tokenOf(seen.pod)?.expirationSeconds, seconds)
}
const bad = (text: string): string => `strconv.ParseInt: parsing "${text}": invalid syntax`
const range = (seconds: string): string => `token expiration ${seconds} not valid. Expected value to be between 3600 and 86400`

const tokenVolume = (name: string, path = 'azure-identity-token'): object => ({
  name,
  projected: { sources: [{ serviceAccountToken: { audience: 'api://AzureADTokenExchange', expirationSeconds: 3600, path } }] },
})

const hashOfP = 'azure-workload-identity-reserved-148de9c5a7a44d19e56cd9ae1a554b'

export const identityRows: readonly AzureRow[] = [
  {
    id: 'Z-01',
    what: 'the example of the proposal gets its four variables, the volume and a mount that cannot be written to',
    account: { ...withClient, [`${prefix}/tenant-id`]: 'T2' },
    pod: podOf(),
    byServer: true,
    expect: ({ pod }) => {
      assert.deepEqual(envOf(pod), full({ AZURE_TENANT_ID: 'T2' }))
      assert.deepEqual(tokenOf(pod), {
        audience: 'api://AzureADTokenExchange',
        expirationSeconds: 3600,
        path: 'azure-identity-token',
      })
      const mount = pod.spec.containers[0]?.volumeMounts?.find(({ name }) => name === 'azure-identity-token')
      assert.deepEqual([mount?.mountPath, mount?.readOnly], [classicPath, true])
    },
  },
  {
    id: 'Z-02',
    what: 'without a tenant of its own the ServiceAccount has the one of the server',
    pod: podOf(),
    byServer: true,
    expect: hasEnv(full()),
  },
  {
    id: 'Z-03',
    what: 'an empty client id sets no variable',
    account: { [`${prefix}/client-id`]: '' },
    pod: podOf(),
    byServer: true,
    expect: hasEnv(without('AZURE_CLIENT_ID')),
  },
  {
    id: 'Z-04',
    what: 'an empty tenant sets no variable, and does not mean the one of the server',
    account: { ...withClient, [`${prefix}/tenant-id`]: '' },
    pod: podOf(),
    byServer: true,
    expect: hasEnv(without('AZURE_TENANT_ID')),
  },
  {
    id: 'Z-05',
    what: 'a ServiceAccount without annotations gives all but a client id',
    account: {},
    pod: podOf(),
    byServer: true,
    expect: hasEnv(without('AZURE_CLIENT_ID')),
  },
  {
    id: 'Z-06',
    what: 'a pod without the label that is sent anyway is given its identity',
    pod: podOf({ metadata: { labels: {} } }),
    expect: hasEnv(full()),
  },
  {
    id: 'Z-06',
    what: 'a pod without the label is let in as it is where the label is required',
    setting: { flags: { 'require-pod-label': 'true' } },
    pod: podOf({ metadata: { labels: { [`${prefix}/use`]: 'True' } } }),
    expect: ({ pod, sent }) => assert.deepEqual(pod, sent),
  },
  { id: 'Z-07', what: 'a label on the ServiceAccount is not looked for', pod: podOf(), byServer: true, expect: hasEnv(full()) },
  {
    id: 'Z-10',
    what: 'an unknown ServiceAccount is a refusal',
    account: null,
    pod: podOf(),
    expect: isRefused('serviceaccounts "app" not found'),
  },
  {
    id: 'Z-20',
    what: 'containers that the pod skips are left alone, names are trimmed',
    pod: podOf({
      annotations: { 'skip-containers': 'a; b' },
      spec: { containers: [container('a'), container('b'), container('c')] },
    }),
    byServer: true,
    expect: ({ pod }) => {
      assert.deepEqual([envOf(pod, 'a'), envOf(pod, 'b'), mountsOf(pod, 'a')], [{}, {}, []])
      assert.deepEqual(envOf(pod, 'c'), full())
    },
  },
  {
    id: 'Z-21',
    what: 'a comma is part of a name, and nobody is skipped',
    pod: podOf({ annotations: { 'skip-containers': 'c0,c1' }, spec: { containers: [container('c0'), container('c1')] } }),
    byServer: true,
    expect: ({ pod }) => assert.deepEqual([envOf(pod, 'c0'), envOf(pod, 'c1')], [full(), full()]),
  },
  {
    id: 'Z-22',
    what: 'a pod that skips all its containers is given the volume alone',
    pod: podOf({ annotations: { 'skip-containers': 'c0' } }),
    byServer: true,
    expect: ({ pod }) => {
      assert.deepEqual([envOf(pod), mountsOf(pod)], [{}, []])
      assert.ok(tokenOf(pod))
    },
  },
  {
    id: 'Z-23',
    what: 'variables that the container sets are kept, and the others follow them',
    pod: podOf({
      spec: {
        containers: [
          container('c0', {
            env: [
              { name: 'AZURE_CLIENT_ID', value: 'mine' },
              { name: 'AZURE_TENANT_ID', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
            ],
          }),
        ],
      },
    }),
    byServer: true,
    expect: hasEnv(full({ AZURE_CLIENT_ID: 'mine', AZURE_TENANT_ID: undefined })),
  },
  {
    id: 'Z-24',
    what: 'a container that sets all four is given the mount, and the pod its volume',
    pod: podOf({
      spec: { containers: [container('c0', { env: Object.keys(full()).map(name => ({ name, value: 'own' })) })] },
    }),
    byServer: true,
    expect: ({ pod }) => {
      assert.deepEqual([...new Set(Object.values(envOf(pod)))], ['own'])
      assert.deepEqual(mountsOf(pod), [['azure-identity-token', classicPath]])
    },
  },
  {
    id: 'Z-25',
    what: 'init containers are given the same, and the volume stands at the end',
    pod: podOf({ spec: { initContainers: [container('i0')], volumes: [{ name: 'v', emptyDir: {} }] } }),
    byServer: true,
    expect: ({ pod }) => {
      assert.deepEqual([envOf(pod, 'i0'), mountsOf(pod, 'i0')], [full(), [['azure-identity-token', classicPath]]])
      assert.deepEqual([pod.spec.volumes?.[0]?.name, pod.spec.volumes?.at(-1)?.name], ['v', 'azure-identity-token'])
    },
  },
  {
    id: 'Z-56',
    what: 'a pod for Windows nodes is given the same',
    pod: podOf({ spec: { nodeSelector: { 'kubernetes.io/os': 'windows' } } }),
    byServer: true,
    expect: hasEnv(full()),
  },
  {
    id: 'Z-57',
    what: 'ephemeral containers are left alone',
    pod: podOf({ spec: { ephemeralContainers: [container('e0')] } }),
    expect: ({ pod, sent }) => assert.deepEqual(pod.spec.ephemeralContainers, sent.spec.ephemeralContainers),
  },
  {
    id: 'Z-58',
    what: 'fields that nobody knows are kept, at every depth',
    pod: podOf({
      metadata: { later: { a: 1 } },
      spec: { newer: [true], containers: [container('c0', { newest: { x: null } })] },
    }),
    expect: ({ pod }) => {
      const { metadata, spec } = pod as { metadata: { later?: object }; spec: { newer?: unknown } }
      assert.deepEqual([metadata.later, spec.newer, pod.spec.containers[0]?.['newest']], [{ a: 1 }, [true], { x: null }])
      assert.deepEqual(envOf(pod), full())
    },
  },
]

const ofPod = (text: string): PodShape => podOf({ annotations: { 'service-account-token-expiration': text } })
const ofAccount = (text: string): Record<string, string> => ({
  ...withClient,
  [`${prefix}/service-account-token-expiration`]: text,
})

export const expirationRows: readonly AzureRow[] = [
  {
    id: 'Z-13',
    what: 'the ServiceAccount says how long its tokens last',
    account: ofAccount('7200'),
    pod: podOf(),
    byServer: true,
    expect: lastsSeconds(7200),
  },
  {
    id: 'Z-14',
    what: 'a life with a unit is a refusal',
    account: ofAccount('3600s'),
    pod: podOf(),
    byServer: true,
    expect: isRefused(bad('3600s')),
  },
  {
    id: 'Z-15',
    what: 'what the pod says counts before what its ServiceAccount says',
    account: ofAccount('7200'),
    pod: ofPod('3600'),
    byServer: true,
    expect: lastsSeconds(3600),
  },
  { id: 'Z-16', what: 'a day is the longest life', pod: ofPod('86400'), byServer: true, expect: lastsSeconds(86_400) },
  {
    id: 'Z-17',
    what: 'a life shorter than an hour is a refusal that names it',
    pod: ofPod('3599'),
    byServer: true,
    expect: isRefused(range('3599')),
  },
  {
    id: 'Z-17',
    what: 'a life longer than a day is a refusal that names it',
    pod: ofPod('86401'),
    byServer: true,
    expect: isRefused(range('86401')),
  },
  { id: 'Z-18', what: 'a life that is no number is a refusal', pod: ofPod('abc'), byServer: true, expect: isRefused(bad('abc')) },
  {
    id: 'Z-19',
    what: 'an empty life of the pod is none',
    account: ofAccount('7200'),
    pod: ofPod(''),
    byServer: true,
    expect: lastsSeconds(7200),
  },
]

function withDevice(device: object): AzureRow['pod'] {
  const volumes = [tokenVolume('token'), { name: 'block', persistentVolumeClaim: { claimName: 'block' } }]
  return podOf({ spec: { volumes, containers: [container('c0', { volumeDevices: [device] })] } })
}

export const layoutRows: readonly AzureRow[] = [
  {
    id: 'Z-26',
    what: 'where the name of the volume is taken, ours has a number, and the mount follows it [F-15]',
    pod: podOf({ spec: { volumes: [{ name: 'azure-identity-token', emptyDir: {} }] } }),
    byServer: true,
    expect: ({ pod }) => {
      assert.deepEqual(mountsOf(pod), [['azure-identity-token-2', classicPath]])
      assert.ok(tokenOf(pod, 'azure-identity-token-2'))
    },
  },
  {
    id: 'Z-27',
    what: 'a token that is projected in another volume is the one that is mounted [F-16]',
    pod: podOf({ spec: { volumes: [tokenVolume('other')] } }),
    byServer: true,
    expect: ({ pod }) => {
      assert.deepEqual(mountsOf(pod), [['other', classicPath]])
      assert.ok(!pod.spec.volumes?.some(({ name }) => name.startsWith('azure-identity-token')))
    },
  },
  {
    id: 'Z-28',
    what: 'a token that is projected and mounted by hand under our name is left as it is',
    pod: podOf({
      spec: {
        volumes: [tokenVolume('azure-identity-token')],
        containers: [container('c0', { volumeMounts: [{ name: 'azure-identity-token', mountPath: '/own' }] })],
      },
    }),
    byServer: true,
    expect: ({ pod }) => {
      assert.deepEqual([envOf(pod), mountsOf(pod)], [full(), [['azure-identity-token', '/own']]])
      assert.equal(pod.spec.volumes?.filter(({ name }) => name === 'azure-identity-token').length, 1)
    },
  },
  {
    id: 'Z-29',
    what: 'where something else is mounted at the path the container gets the variables and no second mount [F-04]',
    pod: podOf({
      spec: {
        volumes: [{ name: 'mine', emptyDir: {} }],
        containers: [container('c0', { volumeMounts: [{ name: 'mine', mountPath: classicPath }] })],
      },
    }),
    byServer: true,
    expect: ({ pod }) => assert.deepEqual([envOf(pod), mountsOf(pod)], [full(), [['mine', classicPath]]]),
  },
  {
    id: 'Z-29',
    what: 'where a block device is at the path the container gets the variables and no mount [F-04]',
    pod: withDevice({ name: 'block', devicePath: classicPath }),
    expect: ({ pod }) => assert.deepEqual([envOf(pod), mountsOf(pod)], [full(), []]),
  },
  {
    id: 'Z-29',
    what: 'where the volume of the token is a block device the container gets the variables and no mount [F-04]',
    pod: withDevice({ name: 'token', devicePath: '/dev/token' }),
    expect: ({ pod }) => assert.deepEqual([envOf(pod), mountsOf(pod)], [full(), []]),
  },
  {
    id: 'Z-29',
    what: 'a block device of another volume at another path is in nobody’s way',
    pod: withDevice({ name: 'block', devicePath: '/dev/block' }),
    expect: ({ pod }) => assert.deepEqual([envOf(pod), mountsOf(pod)], [full(), [['token', classicPath]]]),
  },
  {
    id: 'Z-30',
    what: 'a pod that has the beginning of a name only is given the same',
    pod: podOf({ metadata: { name: undefined, generateName: 'web-7d9-' } }),
    byServer: true,
    expect: hasEnv(full()),
  },
  {
    id: 'Z-31',
    what: 'the reserved volume is called after the name of the pod',
    setting: reserved,
    pod: podOf(),
    byServer: true,
    expect: ({ pod }) => {
      assert.deepEqual(mountsOf(pod), [[hashOfP, reservedPath]])
      assert.equal(tokenOf(pod, hashOfP)?.path, 'token/azure-identity-token')
      assert.equal(envOf(pod)['AZURE_FEDERATED_TOKEN_FILE'], `${reservedPath}/token/azure-identity-token`)
    },
  },
  {
    id: 'Z-32',
    what: 'the reserved volume is called after the beginning of the name where there is no more',
    setting: reserved,
    pod: podOf({ metadata: { name: undefined, generateName: 'web-7d9-' } }),
    byServer: true,
    expect: ({ pod }) =>
      assert.deepEqual(mountsOf(pod), [['azure-workload-identity-reserved-0148c94011d543f741dfa3c188266f', reservedPath]]),
  },
  {
    id: 'Z-33',
    what: 'the reserved volume of a pod without any name is called after that',
    setting: reserved,
    pod: podOf({ metadata: { name: undefined } }),
    expect: ({ pod }) =>
      assert.deepEqual(mountsOf(pod), [['azure-workload-identity-reserved-7ae265465cf68a19ccd3c91d70dc31', reservedPath]]),
  },
  {
    id: 'Z-34',
    what: 'the reserved volume stands beside a classic one',
    setting: reserved,
    pod: podOf({ spec: { volumes: [tokenVolume('azure-identity-token')] } }),
    byServer: true,
    expect: ({ pod }) => {
      assert.ok(tokenOf(pod, hashOfP) !== undefined && tokenOf(pod) !== undefined)
      assert.deepEqual(mountsOf(pod), [[hashOfP, reservedPath]])
    },
  },
  {
    id: 'Z-35',
    what: 'what stands under the reserved name is replaced, volume and mount',
    setting: reserved,
    pod: podOf({
      spec: {
        volumes: [{ name: hashOfP, emptyDir: {} }],
        containers: [container('c0', { volumeMounts: [{ name: hashOfP, mountPath: '/own', subPath: 'x' }] })],
      },
    }),
    byServer: true,
    expect: ({ pod }) => {
      assert.deepEqual(mountsOf(pod), [[hashOfP, reservedPath]])
      assert.ok(tokenOf(pod, hashOfP))
    },
  },
]

const cloud = (env: Readonly<Record<string, string>>, more: AzureSetting = {}): AzureSetting => ({
  ...more,
  env: { AZURE_TENANT_ID: tenant, ...env },
})
const hasHost = (host: string) => hasEnv(full({ AZURE_AUTHORITY_HOST: host }))

export const cloudRows: readonly AzureRow[] = [
  {
    id: 'Z-36',
    what: 'the cloud of the US government has its own authority',
    setting: cloud({ AZURE_ENVIRONMENT: 'AzureUSGovernmentCloud' }),
    pod: podOf(),
    byServer: true,
    expect: hasHost('https://login.microsoftonline.us/'),
  },
  {
    id: 'Z-37',
    what: 'the name of a cloud counts in any letter case',
    setting: cloud({ AZURE_ENVIRONMENT: 'azurechinacloud' }),
    pod: podOf(),
    byServer: true,
    expect: hasHost('https://login.chinacloudapi.cn/'),
  },
  {
    id: 'Z-38',
    what: 'an Azure Stack has the authority that its file names',
    setting: cloud(
      { AZURE_ENVIRONMENT: 'AzureStackCloud' },
      { environmentFile: { activeDirectoryEndpoint: 'https://login.stack.example/' } },
    ),
    pod: podOf(),
    byServer: true,
    expect: hasHost('https://login.stack.example/'),
  },
  {
    id: 'Z-41',
    what: 'a variable with the prefix CONFIG_ wins',
    setting: { env: { AZURE_TENANT_ID: 'a', CONFIG_AZURE_TENANT_ID: 'b' } },
    pod: podOf(),
    byServer: true,
    expect: hasEnv(full({ AZURE_TENANT_ID: 'b' })),
  },
]
