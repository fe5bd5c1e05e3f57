// The whole of it: an API server, embedded or real; two accounts of AWS; the operator as its manifests install it, with its own rights; and
// operands as processes that are given what it rendered.
import { configMaps, deployments, namespaces, pods, type StoredCondition, type StoredObject, secrets, services } from '#kube'
import { ownLoopback, type PodContainer, type StartedWith } from '../../../src/cli/dev/node/index.ts'
import { installOperator } from '../../../src/cli/testing/installed-operator.ts'
import { type ExternalDns, group, kinds } from '../../../src/operators/dns/api.ts'
import { comesAbout } from '../eventually.ts'
import { type Accounts, openAccounts } from './accounts.ts'
import type { Cluster, ClusterOptions } from './cluster.ts'
import { hastyClock } from './hasty-clock.ts'

export const operatorNamespace = 'external-dns-operator'
export const operandNamespace = 'external-dns'
export const appNamespace = 'shop'
const apiVersion = `${group}/v1beta2`
const image = 'registry.example.com/external-dns'

export interface OperandWorld extends AsyncDisposable {
  readonly cluster: Cluster
  readonly accounts: Accounts
  /** One more replica, which ends with the world. */
  startAnother(): Promise<void>
  /** The replica that has run for longest ends, as a pod that is deleted. */
  stopOldest(): Promise<void>
  /** An ExternalDNS of the newest version. */
  create(name: string, spec: object): Promise<void>
  change(name: string, spec: object): Promise<void>
  remove(name: string): Promise<void>
  secret(name: string, data: Readonly<Record<string, string>>): Promise<void>
  /** A Service of type LoadBalancer with an address, as its cloud gives it one. */
  loadBalancer(name: string, address: string, more?: Readonly<Record<string, object>>): Promise<void>
  withoutService(name: string): Promise<void>
  /** The operand looks once a minute; a new pod looks at once. */
  lookAgain(name: string): Promise<void>
  condition(name: string, type: string): Promise<StoredCondition | undefined>
  /** Waits until the condition is `status/reason`. */
  comesToSay(name: string, type: string, words: string, withinMs?: number): Promise<StoredCondition>
  /** Waits until these are the records of the zone, by type and name; `among`: of those whose name holds the word. */
  comesToHold(name: string, records: readonly string[], options?: { readonly among?: string }): Promise<void>
  /** Its pods end. */
  withoutPods(name: string): Promise<void>
  log(name: string): Promise<string>
  /** The first container of the Deployment, and what its process got. */
  startedWith(name: string): Promise<readonly [PodContainer | undefined, StartedWith | undefined]>
}

export interface OperandWorldOptions {
  readonly program: string
  readonly version: string
  readonly openCluster: (options: ClusterOptions) => Promise<Cluster>
  readonly knobs?: Readonly<Record<string, unknown>>
  readonly args?: readonly string[]
  /** Before the operator is installed. */
  readonly prepare?: (place: Place) => Promise<void>
}

/** What is there before the operator is, and what its operands will be. */
export interface Place extends Pick<OperandWorld, 'cluster' | 'accounts' | 'secret'> {
  readonly image: string
  readonly metricsHost: string
}

export async function openOperandWorld(options: OperandWorldOptions): Promise<OperandWorld> {
  const { program, version, openCluster, knobs } = options
  const accounts = await openAccounts(knobs)
  const images = { [image]: { program, kubeconfigArguments: (path: string) => [`--kubeconfig=${path}`] } }
  const cluster = await openCluster({ images, namespaces: [operandNamespace] })
  const { admin } = cluster
  const stop = new AbortController()
  const metricsHost = ownLoopback()
  for (const name of [operatorNamespace, operandNamespace, appNamespace])
    if ((await admin.find(namespaces, { namespace: '', name })) === undefined)
      await admin.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
  const bundle = { namespace: operatorNamespace, name: 'authorities' }
  const data = { 'ca-bundle.crt': accounts.aws.ca }
  const authorities = { apiVersion: 'v1', kind: 'ConfigMap', metadata: bundle, data }
  await admin.create(configMaps, authorities)
  const { secret } = hands(cluster, accounts)
  await options.prepare?.({ cluster, accounts, secret, image, metricsHost })
  const operator = await installOperator({
    ...cluster,
    args: [
      '--controllers=dns',
      `--operator-namespace=${operatorNamespace}`,
      `--operand-namespace=${operandNamespace}`,
      `--externaldns-image=${image}`,
      `--operand-version=${version}`,
      '--trusted-ca-configmap=authorities',
      '--log-scan-interval=5s',
      `--operand-metrics-bind=${metricsHost}`,
      ...(options.args ?? []),
    ],
    clock: hastyClock(10),
    env: { AWS_ENDPOINT_URL: accounts.endpoint, HTTPS_PROXY: accounts.gateway.url },
  })
  const replicas: { readonly stop: AbortController; readonly ended: Promise<void> }[] = []
  const startAnother = async (): Promise<void> => {
    const own = new AbortController()
    const { ended } = await operator.start(AbortSignal.any([stop.signal, own.signal]))
    replicas.push({ stop: own, ended })
  }
  await startAnother()
  return {
    cluster,
    accounts,
    startAnother,
    stopOldest: async () => {
      const oldest = replicas.shift()
      oldest?.stop.abort(new Error('deleted'))
      await oldest?.ended
    },
    ...hands(cluster, accounts),
    [Symbol.asyncDispose]: async () => {
      stop.abort(new Error('enough'))
      await Promise.all(replicas.map(({ ended }) => ended))
      await cluster[Symbol.asyncDispose]()
      await accounts[Symbol.asyncDispose]()
    },
  }
}

/** What a test does in such a world, and looks for. */
export type Hands = Omit<OperandWorld, 'cluster' | 'accounts' | 'startAnother' | 'stopOldest' | typeof Symbol.asyncDispose>

const { type: newest } = kinds.v1beta2
/** The existing operator serves it as well. */
const { type: oldest } = kinds.v1beta1
const waitMs = 60_000

/** `inNamespace`: where the operands are. */
export function hands({ admin, node }: Cluster, accounts: Accounts, inNamespace: string = operandNamespace): Hands {
  const operandsOf = async (name: string): Promise<readonly string[]> => {
    const labelSelector = `app.kubernetes.io/instance=${name}`
    const { items } = await admin.list(pods, { namespace: inNamespace, labelSelector })
    return items.map(({ metadata }) => metadata.name)
  }
  const condition: Hands['condition'] = async (name, type) => {
    const { status } = await admin.get<ExternalDns>(newest, { namespace: '', name })
    return (status?.conditions ?? []).find(each => each.type === type)
  }
  const log: Hands['log'] = async name => {
    const texts = (await operandsOf(name)).map(pod => node.logsOf({ namespace: inNamespace, name: pod }))
    return texts.join('')
  }
  const told = async (name: string): Promise<string> => {
    const { status } = await admin.get<ExternalDns>(oldest, { namespace: '', name })
    const conditions = (status?.conditions ?? []).map(
      ({ type, status: is, reason, message }) => `${type}=${is}/${reason} ${message}`,
    )
    const last = (await log(name)).split('\n').slice(-12)
    return [...conditions, ...last, ...accounts.gateway.refused].join('\n')
  }
  return {
    create: async (name, spec) => {
      const dns = { apiVersion, kind: 'ExternalDNS', metadata: { name }, spec }
      await admin.create(newest, dns)
    },
    change: async (name, spec) => {
      // In one write, as the operator may tell of the object at any moment.
      await admin.patch(newest, { namespace: '', name }, 'json', [{ op: 'replace', path: '/spec', value: spec }])
    },
    remove: async name => {
      await admin.delete(newest, { namespace: '', name })
    },
    secret: async (name, data) => {
      const metadata = { namespace: operatorNamespace, name }
      const made = { apiVersion: 'v1', kind: 'Secret', metadata, stringData: data }
      await admin.create(secrets, made)
    },
    loadBalancer: async (name, address, more = {}) => {
      const metadata = { namespace: appNamespace, name, ...more }
      const spec = { type: 'LoadBalancer', ports: [{ port: 443 }], selector: { app: name } }
      const made = { apiVersion: 'v1', kind: 'Service', metadata, spec }
      await admin.create(services, made)
      const status = { loadBalancer: { ingress: [{ ip: address }] } }
      await admin.patch(services, { namespace: appNamespace, name }, 'merge', { status }, { subresource: 'status' })
    },
    withoutService: async name => {
      await admin.delete(services, { namespace: appNamespace, name })
    },
    lookAgain: async name => {
      for (const pod of await operandsOf(name)) await admin.delete(pods, { namespace: inNamespace, name: pod })
    },
    withoutPods: async name => {
      for (const pod of await operandsOf(name)) await admin.delete(pods, { namespace: inNamespace, name: pod })
      await comesAbout(
        async () => (await operandsOf(name)).length === 0,
        () => `pods of ${name} stay`,
        waitMs,
      )
    },
    condition,
    comesToSay: async (name, type, words, withinMs = waitMs) => {
      const isSaid = async (): Promise<boolean> => {
        const said = await condition(name, type)
        return said !== undefined && `${said.status}/${said.reason}` === words
      }
      await comesAbout(isSaid, async () => `${type}=${words} of ${name}:\n${await told(name)}`, withinMs)
      return (await condition(name, type)) ?? never(type)
    },
    comesToHold: async (name, wanted, { among = '' } = {}) => {
      const held = async (): Promise<readonly string[]> =>
        (await accounts.records()).map(text => text.split(' ').slice(0, 2).join(' ')).filter(text => text.includes(among))
      const isHeld = async (): Promise<boolean> => JSON.stringify(await held()) === JSON.stringify([...wanted].sort())
      await comesAbout(
        isHeld,
        async () => `records ${wanted.join(', ')}, held ${(await held()).join(', ')}:\n${await told(name)}`,
        waitMs,
      )
    },
    log,
    startedWith: async name => {
      const key = { namespace: inNamespace, name: `external-dns-${name}` }
      const { spec } = await admin.get<Deployment>(deployments, key)
      const [container] = spec.template.spec.containers
      const [pod = ''] = await operandsOf(name)
      return [container, node.startedWith({ namespace: inNamespace, name: pod }, container?.name ?? '')]
    },
  }
}

type Deployment = StoredObject & {
  readonly spec: { readonly template: { readonly spec: { readonly containers: readonly PodContainer[] } } }
}

function never(type: string): never {
  throw new Error(`${type} was there a moment ago`)
}
