// The cluster behind a hub namespace: its ClusterProfile, the region that it says, and the way in.
import { given } from '#base'
import { accessOf, type ClusterProfile, clusterProfileKind, resolveCluster } from '#fleet'
import type { ObjectKey } from '#kube'
import { connect } from '#kube/client'
import { propertiesOf } from '#operators/identity/api'
import type { HubReader, RemoteAccess, RemoteRequest, TokenGiver } from './options.ts'
import { RemoteCredentialsError, type RemoteWay } from './remote-error.ts'

export interface RemoteCluster {
  readonly profile: ObjectKey
  readonly provider?: string
  /** As the profile says it. */
  readonly region: string | undefined
  readonly tokens: TokenGiver
  close(): Promise<void>
}

export async function findCluster(
  hub: HubReader,
  request: RemoteRequest,
  way: RemoteWay,
  signal?: AbortSignal,
): Promise<RemoteCluster> {
  const access = await accessOfRequest(request, way)
  const profiles = await listProfiles(hub, request, way, signal)
  const resolution = resolveCluster(request.namespace, profiles, access.mayName)
  if (resolution.kind === 'unresolved') {
    const reason = resolution.reason === 'InventoryAmbiguous' ? 'MultipleClusterProfiles' : 'MissingInventoryAccess'
    throw new RemoteCredentialsError(reason, resolution.message, { way })
  }
  return await enter(resolution.profile, access, way)
}

async function accessOfRequest({ access }: RemoteRequest, way: RemoteWay): Promise<RemoteAccess> {
  if (access === undefined) {
    throw new RemoteCredentialsError('MissingInventoryAccess', 'nothing says how clusters are entered; give access', { way })
  }
  if (typeof access !== 'function') return access
  return await access().catch((cause: unknown) => {
    throw new RemoteCredentialsError('MissingInventoryAccess', 'the provider file cannot be used', { way, cause })
  })
}

/** Namespace by namespace where they are named: the right to list everywhere is not needed then. */
async function listProfiles(
  hub: HubReader,
  { profileNamespaces }: RemoteRequest,
  way: RemoteWay,
  signal?: AbortSignal,
): Promise<readonly ClusterProfile[]> {
  const { type } = clusterProfileKind
  const found: ClusterProfile[] = []
  for (const namespace of profileNamespaces ?? [undefined]) {
    const options = given({ namespace, signal })
    const { items } = await hub.listAll<ClusterProfile>(type, options).catch((cause: unknown) => {
      const where = namespace === undefined ? 'of all namespaces' : `of namespace ${namespace}`
      throw new RemoteCredentialsError('MissingInventoryAccess', `the ClusterProfiles ${where} cannot be listed`, { way, cause })
    })
    found.push(...items)
  }
  return found
}

async function enter(profile: ClusterProfile, access: RemoteAccess, known: RemoteWay): Promise<RemoteCluster> {
  const clusterProfile = { namespace: profile.metadata.namespace ?? '', name: profile.metadata.name }
  const common = { profile: clusterProfile, region: propertiesOf(profile).region }
  const handed = access.clientOf?.(profile)
  if (handed !== undefined) return { ...common, tokens: handed, close: async () => {} }
  const found = accessOf(profile, access.providers)
  if (found.kind === 'none') {
    throw new RemoteCredentialsError('MissingInventoryAccess', found.message, { way: { ...known, clusterProfile } })
  }
  const { provider, kubeconfig, passedEnv } = found
  const { client } = await connect(access.seams, { kubeconfig: { text: kubeconfig }, pluginEnvironment: passedEnv }).catch(
    (cause: unknown) => {
      const way = { ...known, clusterProfile, provider }
      throw new RemoteCredentialsError('MissingInventoryAccess', 'its access data make no connection', { way, cause })
    },
  )
  return { ...common, provider, tokens: client, close: () => client.close() }
}
