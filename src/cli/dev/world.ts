// The embedded world of `vouch dev`: a Kubernetes API server and AWS in this process, both reachable by outside programs too.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ApiServer, createApiServer } from '#apiserver'
import { type ShippedService, serviceModel } from '#aws'
import { type AwsClient, type Credentials, createAwsClient, inProcessTransport, staticCredentials } from '#aws/client'
import { type Seams, systemSeams } from '#base'
import { type Aws, createAws } from '#emulator'
import { createKubeClient, type KubeClient } from '#kube/client'

export const region = 'us-east-1'
export const account = '123456789012'
/** Where the cluster's public keys are published; its address is the issuer in every token of the cluster. */
export const issuerBucket = 'edge-issuer-7d1f'
export const issuer: string = `https://${issuerBucket}.s3.${region}.amazonaws.com`

export interface DevWorld extends AsyncDisposable {
  readonly seams: Seams
  readonly cluster: ApiServer
  readonly kube: KubeClient
  readonly aws: Aws
  readonly kubeconfig: string
  readonly clusterAddress: string
  readonly awsAddress: string
  /** A client of the service with these credentials; the administrator's without. */
  service(name: ShippedService, credentials?: Credentials): AwsClient
}

export async function openDevWorld(): Promise<DevWorld> {
  const seams = systemSeams(process.env)
  const cluster = createApiServer({ issuer, name: 'edge' })
  const aws = createAws({ accounts: [account], region, enforce: 'full', signatures: 'verify', profile: 'instant' })
  const [clusterListener, awsListener] = await Promise.all([cluster.listen(), aws.listen()])
  const folder = await mkdtemp(join(tmpdir(), 'vouch-dev-'))
  const kubeconfig = join(folder, 'kubeconfig')
  await writeFile(kubeconfig, cluster.kubeconfig(), { mode: 0o600 })
  const admin = aws.adminCredentials(account)
  return {
    seams,
    cluster,
    aws,
    kubeconfig,
    kube: createKubeClient({ clock: seams.clock, address: 'edge', exchange: cluster.as() }),
    clusterAddress: `https://${clusterListener.host}:${clusterListener.port}`,
    awsAddress: `http://${awsListener.host}:${awsListener.port}`,
    service: (name, credentials = admin) =>
      createAwsClient({
        model: serviceModel(name),
        region,
        credentials: staticCredentials(credentials),
        transport: inProcessTransport(aws.handle),
        clock: seams.clock,
        random: seams.random,
      }),
    [Symbol.asyncDispose]: async () => {
      await Promise.all([cluster.close(), aws.close()])
      await rm(folder, { recursive: true, force: true })
    },
  }
}
