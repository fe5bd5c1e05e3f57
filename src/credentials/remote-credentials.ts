// The same as `createRemoteProvider`, put together from what a process has: the hub that kubectl would talk to, a provider file, the network.
import {
  type AwsClient,
  anonymous,
  endpointFromEnvironment,
  netTransport,
  staticCredentials,
  stsClient,
  type Transport,
} from '#aws/client'
import type { Seams } from '#base'
import { type ClusterProvider, parseProviderFile } from '#fleet'
import { connect, type KubeClient } from '#kube/client'
import type { RemoteAccess, RemoteProviderOptions } from './options.ts'
import { createRemoteProvider, type RemoteProvider } from './remote-provider.ts'
import { cachedCredentials, type SdkCredentials } from './sdk-credentials.ts'

export interface RemoteChoice extends Omit<RemoteProviderOptions, 'hub' | 'access' | 'stsOf'>, Pick<RemoteAccess, 'mayName'> {
  /** Path of the provider file: which program gives the credentials for which cluster. */
  readonly providerFile: string
  /** Path of the hub's kubeconfig; the pod's own account when absent, outside of a cluster what kubectl would take. */
  readonly kubeconfig?: string
}

export type RemoteSeams = Pick<Seams, 'clock' | 'random' | 'net' | 'files' | 'programs' | 'env'>

/** Checks the options and makes no call; nothing is read before the first credentials are asked for. */
export function remoteCredentials(seams: RemoteSeams, choice: RemoteChoice): SdkCredentials {
  return cachedCredentials(openRemoteProvider(seams, choice), seams)
}

/** Without keeping what it gave: for who asks once. */
export function openRemoteProvider(seams: RemoteSeams, choice: RemoteChoice): RemoteProvider {
  const { providerFile: _file, kubeconfig: _path, mayName: _rule, ...asked } = choice
  const providerOver = (links: Links): RemoteProvider => createRemoteProvider({ ...asked, ...links })
  // Of links that are not opened: the options are checked now.
  const { sessionDurationMs } = providerOver(new Links(seams, choice))
  return {
    sessionDurationMs,
    retrieve: async signal => {
      await using links = new Links(seams, choice)
      return await providerOver(links).retrieve(signal)
    },
  }
}

/** The ways to the hub, to the clusters and to STS, as long as one retrieval lasts: a program that is done is not kept by open sockets. */
class Links implements AsyncDisposable, Pick<RemoteProviderOptions, 'hub' | 'access' | 'stsOf'> {
  readonly #seams: RemoteSeams
  readonly #choice: RemoteChoice
  readonly #transport: Transport
  #hub: KubeClient | undefined

  constructor(seams: RemoteSeams, choice: RemoteChoice) {
    this.#seams = seams
    this.#choice = choice
    this.#transport = netTransport(seams.net)
  }

  readonly hub = async (): Promise<KubeClient> => {
    const { kubeconfig } = this.#choice
    const chosen = kubeconfig === undefined ? { prefersPod: true } : { kubeconfig: [kubeconfig] }
    this.#hub = (await connect(this.#seams, { ...chosen, userAgent: 'vouch-credentials' })).client
    return this.#hub
  }

  readonly access = async (): Promise<RemoteAccess> => {
    const { providerFile, mayName } = this.#choice
    const providers = await readProviders(this.#seams, providerFile)
    return { seams: this.#seams, providers, ...(mayName === undefined ? {} : { mayName }) }
  }

  readonly stsOf = (region: string): AwsClient => {
    const endpoint = endpointFromEnvironment(this.#seams.env, 'STS')
    return stsClient({ ...this.#seams, region, transport: this.#transport, endpoint }, staticCredentials(anonymous))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([this.#hub?.close(), this.#transport.close()])
  }
}

async function readProviders({ files }: Pick<Seams, 'files'>, path: string): Promise<readonly ClusterProvider[]> {
  const bytes = await files.read(path)
  if (bytes === undefined) throw new Error(`${path}: there is no such file`)
  return parseProviderFile(new TextDecoder().decode(bytes), path)
}
