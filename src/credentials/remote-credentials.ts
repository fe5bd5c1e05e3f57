// The same as `createRemoteProvider`, put together from what a process has: the hub that kubectl would talk to, a provider file, the network.
import { type AwsClient, anonymous, endpointFromEnvironment, netTransport, staticCredentials, stsClient } from '#aws/client'
import { given, type Seams } from '#base'
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
  const providerOver = ({ hub, access, stsOf }: Links): RemoteProvider => createRemoteProvider({ ...asked, hub, access, stsOf })
  // Of links that are not opened: the options are checked now.
  const { sessionDurationMs } = providerOver(linksFor(seams, choice))
  return {
    sessionDurationMs,
    retrieve: async signal => {
      await using links = linksFor(seams, choice)
      return await providerOver(links).retrieve(signal)
    },
  }
}

/** The ways to the hub, to the clusters and to STS, as long as one retrieval lasts: a program that is done is not kept by open sockets. */
interface Links extends AsyncDisposable {
  readonly hub: () => Promise<KubeClient>
  readonly access: () => Promise<RemoteAccess>
  readonly stsOf: (region: string) => AwsClient
}

function linksFor(seams: RemoteSeams, { kubeconfig, providerFile, mayName }: RemoteChoice): Links {
  const transport = netTransport(seams.net)
  const endpoint = endpointFromEnvironment(seams.env, 'STS')
  let hub: KubeClient | undefined
  return {
    hub: async () => {
      const chosen = kubeconfig === undefined ? { prefersPod: true } : { kubeconfig: [kubeconfig] }
      hub = (await connect(seams, { ...chosen, userAgent: 'vouch-credentials' })).client
      return hub
    },
    access: async () => {
      const providers = await readProviders(seams, providerFile)
      return { seams, providers, ...given({ mayName }) }
    },
    stsOf: region => stsClient({ ...seams, region, transport, endpoint }, staticCredentials(anonymous)),
    [Symbol.asyncDispose]: async () => {
      await Promise.all([hub?.close(), transport.close()])
    },
  }
}

async function readProviders({ files }: Pick<Seams, 'files'>, path: string): Promise<readonly ClusterProvider[]> {
  const bytes = await files.read(path)
  if (bytes === undefined) throw new Error(`${path}: there is no such file`)
  return parseProviderFile(new TextDecoder().decode(bytes), path)
}
