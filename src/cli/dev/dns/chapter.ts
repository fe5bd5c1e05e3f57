// The part of the story that is about DNS: a Service of one account's cluster gets a name in the zone of another account, through a role that
// it may assume there, and the name is asked for by DNS.
import { Resolver } from 'node:dns/promises'
import { silentLog } from '#base'
import { configMaps, namespaces, secrets, services } from '#kube'
import type { KubeClient } from '#kube/client'
import { type ExternalDns, newestKind } from '#operators/dns'
import { isAwsHost, openGateway, ownLoopback, startNode } from '../node/index.ts'
import type { Screen } from '../screen.ts'
import { until } from '../until.ts'
import { account, type DevWorld, namesAccount as zonesAccount } from '../world.ts'
import { domain, makeAccounts, type NamesAccounts } from './accounts.ts'
import { startDnsOperator } from './operator.ts'
import { chooseOperand } from './program.ts'

const operatorNamespace = 'external-dns-operator'
const operandNamespace = 'external-dns'
const image = 'registry.k8s.io/external-dns/external-dns:v0.14.2'
const service = 'shop'
const address = '192.0.2.7'
const fullName = `${service}.${domain}`

/** True when the name resolves. What it starts runs until the signal aborts, and ends with `running`. */
export async function tellDns(
  world: DevWorld,
  screen: Screen,
  signal: AbortSignal,
  running: Promise<unknown>[],
): Promise<boolean> {
  screen.chapter('dns', 'A Service of one account gets a name in the zone of another')
  const { edge, aws } = world
  const accounts = await makeAccounts(world)
  screen.line('done', `account ${zonesAccount} has the zone ${domain} and a role for it; the cluster is of account ${account}`)
  const { image: operand, what } = chooseOperand()
  const tls = await aws.listen({ tls: true })
  const gateway = await openGateway(host => (isAwsHost(host) ? tls.port : undefined))
  await prepare(edge.kube, accounts, aws.ca)
  const place = { cluster: edge, args: argumentsOf(), proxy: gateway.url }
  const operator = await screen.during(() => 'the dns operator starts', startDnsOperator(world, place, signal))
  const node = startNode(
    {
      name: 'embedded-node-0',
      kube: edge.kube,
      clock: world.seams.clock,
      log: silentLog,
      apiServer: edge.address,
      folder: `${world.folder}/operands`,
      images: { [image]: operand },
      ownRoots: false,
      namespaces: [operandNamespace],
      restartMs: 1_000,
      onPrinted: ({ metadata }, _container, text) =>
        edge.server.printed({ namespace: metadata.namespace ?? operandNamespace, name: metadata.name }, text),
    },
    signal,
  )
  running.push(
    operator.stopped,
    node.stopped.then(() => gateway.close()),
  )
  screen.line('done', `the operator of ExternalDNS objects runs on ${edge.name}; what it starts is ${what}`, {
    cluster: edge.name,
  })
  await ask(edge.kube, accounts)
  screen.line('done', `Service ${service} with address ${address}, and an ExternalDNS with that role and zone`, {
    cluster: edge.name,
  })
  return await resolves(screen, signal, { kube: edge.kube, port: world.dnsPort })
}

/** Names of AWS lead to the emulator, and its authority is one that operands trust. */
function argumentsOf(): readonly string[] {
  return [
    `--operator-namespace=${operatorNamespace}`,
    `--operand-namespace=${operandNamespace}`,
    `--externaldns-image=${image}`,
    '--trusted-ca-configmap=authorities',
    '--log-scan-interval=2s',
    `--operand-metrics-bind=${ownLoopback()}`,
  ]
}

async function prepare(kube: KubeClient, { keys }: NamesAccounts, ca: string): Promise<void> {
  for (const name of [operatorNamespace, operandNamespace, 'apps'])
    await kube.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } })
  const bundle = { namespace: operatorNamespace, name: 'authorities' }
  const authorities = { apiVersion: 'v1', kind: 'ConfigMap', metadata: bundle, data: { 'ca-bundle.crt': ca } }
  await kube.create(configMaps, authorities)
  const metadata = { namespace: operatorNamespace, name: 'dns-keys' }
  const secret = { apiVersion: 'v1', kind: 'Secret', metadata, stringData: keys }
  await kube.create(secrets, secret)
}

async function ask(kube: KubeClient, { zone, roleArn }: NamesAccounts): Promise<void> {
  const metadata = { namespace: 'apps', name: service, labels: { dns: 'public' } }
  const made = { apiVersion: 'v1', kind: 'Service', metadata, spec: { type: 'LoadBalancer', ports: [{ port: 443 }] } }
  await kube.create(services, made)
  const status = { loadBalancer: { ingress: [{ ip: address }] } }
  await kube.patch(services, { namespace: 'apps', name: service }, 'merge', { status }, { subresource: 'status' })
  const spec = {
    domains: [{ filterType: 'Include', matchType: 'Exact', name: domain }],
    provider: { type: 'AWS', aws: { credentials: { name: 'dns-keys' }, assumeRole: { arn: roleArn }, region: 'us-east-1' } },
    source: { type: 'Service', labelFilter: { matchLabels: { dns: 'public' } }, fqdnTemplate: [`{{.Name}}.${domain}`] },
    zones: [zone],
  }
  const { group, version } = newestKind.type
  const dns = { apiVersion: `${group}/${version}`, kind: 'ExternalDNS', metadata: { name: 'public' }, spec }
  await kube.create(newestKind.type, dns)
}

interface Asking {
  readonly kube: KubeClient
  /** The port of the name server of all zones. */
  readonly port: number
}

async function resolves(screen: Screen, signal: AbortSignal, { kube, port }: Asking): Promise<boolean> {
  const resolver = new Resolver()
  resolver.setServers([`127.0.0.1:${port}`])
  const isThere = async (): Promise<boolean> => (await resolver.resolve4(fullName).catch((): string[] => [])).includes(address)
  const why = async (): Promise<string> => {
    const { status } = await kube.get<ExternalDns>(newestKind.type, { namespace: '', name: 'public' })
    return (status?.conditions ?? []).find(({ type }) => type === 'Available')?.message ?? 'no status yet'
  }
  await screen.during(() => `${fullName} is written`, until({ what: fullName, signal, why }, isThere))
  screen.line(
    'proven',
    `dig @127.0.0.1 -p ${port} ${fullName} A  ->  ${address}, written by the role of account ${zonesAccount}`,
    {
      cluster: 'edge',
      object: { kind: 'ExternalDNS', name: 'public' },
    },
  )
  return true
}
