// From the hub to credentials of a ServiceAccount in another cluster, step by step (§11.2). Each step ends with a value or with one
// `RemoteCredentialsError` that says how far it came.
import { given } from '#base'
import { assumeRole, type RemoteCredentials, requestToken } from './assume-role.ts'
import { findCluster } from './find-cluster.ts'
import { findConfig, findRole, roleArnOf } from './find-role.ts'
import { checkOptions, type HubReader, type RemoteProviderOptions, type RemoteRequest } from './options.ts'
import { RemoteCredentialsError, type RemoteWay } from './remote-error.ts'

export interface RemoteProvider {
  /** Asks the hub, the cluster and STS anew at each call; rejects with the reason of the signal when that aborts. */
  retrieve(signal?: AbortSignal): Promise<RemoteCredentials>
  /** As it was asked for; 0 leaves it to STS. */
  readonly sessionDurationMs: number
}

/** Checks the options and makes no call. Throws `RemoteCredentialsError` with the reason `InvalidOptions`. */
export function createRemoteProvider(options: RemoteProviderOptions): RemoteProvider {
  const request = checkOptions(options)
  return {
    retrieve: async signal => await unlessAborted(() => retrieve(request, signal), signal),
    sessionDurationMs: request.sessionDurationMs,
  }
}

/** Who leaves hears its own reason and waits for nobody: not for a hub that hangs, nor for a plugin. What was opened is closed all the same. */
async function unlessAborted<T>(begin: () => Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return await begin()
  signal.throwIfAborted()
  const { promise: left, reject } = Promise.withResolvers<never>()
  const leave = (): void => reject(signal.reason)
  signal.addEventListener('abort', leave, { once: true })
  try {
    return await Promise.race([left, begin()])
  } finally {
    signal.removeEventListener('abort', leave)
  }
}

async function retrieve(request: RemoteRequest, signal?: AbortSignal): Promise<RemoteCredentials> {
  const asked: RemoteWay = { workloadNamespace: request.namespace, serviceAccount: request.serviceAccount }
  const hub = await openHub(request, asked)
  const config = await findConfig(hub, request, asked, signal)
  const role = await findRole(hub, request, asked, signal)
  const way = { ...asked, role: { namespace: request.namespace, name: role.metadata.name } }
  const roleArn = roleArnOf(role, request, way)
  if (request.region === '' && config.spec.region === '') throw noRegion(way)
  const cluster = await findCluster(hub, request, way, signal)
  try {
    const whole = {
      ...way,
      clusterProfile: cluster.profile,
      ...given({ provider: cluster.provider }),
    }
    const region = request.region || cluster.region || config.spec.region
    const token = await requestToken(cluster.tokens, request, whole, signal)
    return await assumeRole(request, { roleArn, region, token }, whole, signal)
  } finally {
    await cluster.close()
  }
}

async function openHub({ hub }: RemoteRequest, way: RemoteWay): Promise<HubReader> {
  if (typeof hub !== 'function') return hub
  return await hub().catch((cause: unknown) => {
    throw new RemoteCredentialsError('ConfigNotFound', 'there is no way to the hub', { way, cause })
  })
}

function noRegion(way: RemoteWay): RemoteCredentialsError {
  return new RemoteCredentialsError('RegionNotReady', 'neither the options nor the config say a region', { way })
}
