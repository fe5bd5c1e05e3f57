// The embedded world of `vouch dev`: a hub, three clusters and AWS in this process, all reachable by outside programs too. edge is a
// cluster of one's own; prod and stage are EKS clusters, as far as AWS can tell.
import { rmSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ApiServer, createApiServer } from '#apiserver'
import { type ShippedService, serviceModel } from '#aws'
import { type AwsClient, type Credentials, createAwsClient, inProcessTransport, staticCredentials } from '#aws/client'
import { type HttpExchange, type HttpListener, type Seams, systemSeams } from '#base'
import { type Aws, createAws, podIdentityAgent } from '#emulator'
import { namespaces, pods } from '#kube'
import { createKubeClient, type KubeClient } from '#kube/client'
import { bucketName, issuerUrl, selfHostedHostPath, webhookNamespaceDefault } from '#operators/identity'

export const region = 'us-east-1'
export const account = '123456789012'
/** This account owns the zones of the chapter about DNS. */
export const namesAccount = '210987654321'
const eksHost = `oidc.eks.${region}.amazonaws.com`
/** Its keys are published there by the operator; the cluster's `--service-account-issuer` has to say so. */
const ownIssuer = (name: string): string => issuerUrl(selfHostedHostPath(bucketName(name, region), region))
const prodIssuer = `https://${eksHost}/id/9B0D6E7A51C24F8E93D1`
/** What hub/1-platform.yaml of the quickstart says of stage. */
const stageIssuer = `https://${eksHost}/id/57A6E0EC1B9D4F3C8A27`

export interface DevCluster {
  readonly name: string
  readonly server: ApiServer
  readonly kube: KubeClient
  readonly address: string
  readonly kubeconfig: string
}

export interface DevWorld extends AsyncDisposable {
  readonly seams: Seams
  readonly hub: DevCluster
  readonly edge: DevCluster
  readonly prod: DevCluster
  readonly stage: DevCluster
  readonly aws: Aws
  readonly awsAddress: string
  /** The address at which the emulator says why it answered as it did. */
  readonly controlAddress: string
  /** Of 127.0.0.1, where all hosted zones answer by DNS, over UDP and TCP. */
  readonly dnsPort: number
  /** Where the nodes of prod answer with credentials, as the EKS Pod Identity agent does. */
  readonly agentAddress: string
  /** The emulator's refusals and their reasons, which SDKs do not pass on. */
  readonly agentRefusals: readonly string[]
  /** A folder for files of this run, which is removed at its end. */
  readonly folder: string
  /** A client of the service with these credentials; the administrator's without. */
  service(name: ShippedService, credentials?: Credentials): AwsClient
}

export async function openDevWorld(): Promise<DevWorld> {
  const seams = systemSeams(process.env)
  const folder = await ownFolder()
  const aws = createAws({ accounts: [account, namesAccount], region, enforce: 'full', signatures: 'verify', profile: 'instant' })
  const refusals: string[] = []
  const open = (name: string, issuer?: string): Promise<DevCluster> => openCluster({ name, issuer, folder, seams })
  const awsAddress = addressOf('http', await aws.listen())
  const about = { owner: `vouch dev, process ${process.pid}`, endpoint: awsAddress }
  const [controlListener, dnsListener, agentListener, hub, edge, prod, stage] = await Promise.all([
    aws.listenControl({ about }),
    aws.dns.listen(),
    seams.net.listen({ host: '127.0.0.1', port: 0 }, remembering(podIdentityAgent(aws, { name: 'prod' }), refusals)),
    open('hub', ownIssuer('hub')),
    open('edge', ownIssuer('edge')),
    open('prod', prodIssuer),
    open('stage', stageIssuer),
  ])
  const service: DevWorld['service'] = (name, credentials = aws.adminCredentials(account)) =>
    createAwsClient({
      model: serviceModel(name),
      region,
      credentials: staticCredentials(credentials),
      transport: inProcessTransport(aws.handle),
      clock: seams.clock,
      random: seams.random,
    })
  await edge.kube.create(namespaces, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: webhookNamespaceDefault } })
  serveIssuers(aws, [prod, stage])
  for (const cluster of [prod, stage]) await makeEksCluster(aws, service, cluster)
  return {
    seams,
    hub,
    edge,
    prod,
    stage,
    aws,
    awsAddress,
    controlAddress: addressOf('http', controlListener),
    dnsPort: dnsListener.port,
    agentAddress: addressOf('http', agentListener),
    agentRefusals: refusals,
    folder,
    service,
    [Symbol.asyncDispose]: async () => {
      await Promise.all([...[hub, edge, prod, stage].map(({ server }) => server.close()), aws.close(), agentListener.close()])
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** The folder belongs to this run alone, and goes with it however the run ends. */
async function ownFolder(): Promise<string> {
  const place = tmpdir()
  const folder = await mkdtemp(join(place, 'vouch-dev-')).catch((error: NodeJS.ErrnoException) => {
    throw new Error(`kubeconfigs cannot be written in ${place} (${error.code ?? error.message}); TMPDIR names another place`, {
      cause: error,
    })
  })
  // A second Ctrl-C leaves no time for an orderly end.
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }))
  return folder
}

function remembering(exchange: HttpExchange, refusals: string[]): HttpExchange {
  return async request => {
    const response = await exchange(request)
    if (response.status >= 400 && response.body instanceof Uint8Array)
      refusals.push(new TextDecoder().decode(response.body).trim())
    return response
  }
}

interface ClusterOptions {
  readonly name: string
  readonly issuer: string | undefined
  readonly folder: string
  readonly seams: Seams
}

async function openCluster({ name, issuer, folder, seams }: ClusterOptions): Promise<DevCluster> {
  const server = createApiServer({ name, ...(issuer !== undefined && { issuer }) })
  const listener = await server.listen()
  await mkdir(folder, { recursive: true })
  const kubeconfig = join(folder, `${name}.kubeconfig`)
  await writeFile(kubeconfig, server.kubeconfig(), { mode: 0o600 })
  const kube = createKubeClient({ clock: seams.clock, address: name, exchange: server.as() })
  return { name, server, kube, address: addressOf('https', listener), kubeconfig }
}

function addressOf(scheme: 'http' | 'https', { host, port }: HttpListener): string {
  return `${scheme}://${host}:${port}`
}

/** EKS serves the issuer documents of all its clusters from one host. */
function serveIssuers(aws: Aws, clusters: readonly DevCluster[]): void {
  const json = (text: string) => ({
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: new TextEncoder().encode(text),
  })
  aws.registerHost(eksHost, async ({ target }) => {
    const cluster = clusters.find(({ server }) => `https://${eksHost}${target}`.startsWith(`${server.tokens.issuer}/`))
    if (cluster === undefined) return { status: 404, headers: {}, body: null }
    const { tokens } = cluster.server
    if (target.endsWith('/keys')) return json(tokens.jwks())
    // The server's own document points at its own address, which AWS cannot reach.
    return json(JSON.stringify({ ...(JSON.parse(tokens.discoveryDocument()) as object), jwks_uri: `${tokens.issuer}/keys` }))
  })
}

async function makeEksCluster(
  aws: Aws,
  service: DevWorld['service'],
  { name, server, kube, address }: DevCluster,
): Promise<void> {
  const trust = {
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Principal: { Service: 'eks.amazonaws.com' }, Action: 'sts:AssumeRole' }],
  }
  const role = await service('iam').call('CreateRole', {
    RoleName: `${name}-control-plane`,
    AssumeRolePolicyDocument: JSON.stringify(trust),
  })
  await service('eks').call('CreateCluster', {
    name,
    roleArn: (role['Role'] as { readonly Arn: string }).Arn,
    resourcesVpcConfig: { subnetIds: ['subnet-1', 'subnet-2'] },
  })
  aws.bindCluster({
    name,
    endpoint: address,
    certificateAuthority: server.ca,
    issuer: server.tokens.issuer,
    podExists: async pod => (await kube.find(pods, pod))?.metadata.uid === pod.uid,
  })
}
