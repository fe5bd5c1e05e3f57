// Updates: every change of a cluster or of its parts answers with one, which is Successful after a while.
import type { Call } from '../service.ts'
import { activeCluster, checkSubnets, clusterOf, putCluster } from './clusters.ts'
import { eksDelays } from './delays.ts'
import { eksFailure } from './errors.ts'
import { pageOf } from './lists.ts'
import { type Cluster, type ClusterSettings, type ClusterUpdate, clusterArn, clusterStatus, type EksState } from './model.ts'

type CallEks<I> = Call<EksState, I>

/** Registers an update of the cluster or a part of it; the caller has changed what is updated. */
export function recordUpdate(
  call: Call<EksState>,
  cluster: Cluster,
  given: Pick<ClusterUpdate, 'type' | 'params' | 'addonName' | 'nodegroupName'> & { readonly takesMs: number },
): { readonly cluster: Cluster; readonly update: ClusterUpdate } {
  const { takesMs, ...rest } = given
  const id = call.random(`update/${cluster.name}/${call.serial()}`).uuid()
  const update: ClusterUpdate = { ...rest, id, createdMs: call.now, doneMs: call.now + takesMs }
  const next = { ...cluster, updates: cluster.updates.set(id, update) }
  putCluster(call, next)
  if (takesMs > 0) call.schedule({ kind: 'ready', id, atMs: update.doneMs, class: 'progress' })
  return { cluster: next, update }
}

/** The answer to the change itself always says InProgress. */
export function renderUpdate(update: ClusterUpdate, now: number, fresh = false): object {
  return {
    id: update.id,
    status: fresh || update.doneMs > now ? 'InProgress' : 'Successful',
    type: update.type,
    params: update.params,
    createdAt: update.createdMs,
    errors: [],
  }
}

interface VersionInput {
  readonly name: string
  readonly version: string
}

export function updateClusterVersion(call: CallEks<VersionInput>): object {
  const { name, version } = call.input
  call.authorise({ action: 'eks:UpdateClusterVersion', resource: clusterArn({ ...call, name }) })
  const cluster = idleCluster(call, name)
  const [current, wanted] = [cluster.version, version].map(text => Number(text.split('.')[1]))
  if (!/^1\.\d+$/.test(version) || wanted === undefined || current === undefined || wanted < current || wanted > current + 1) {
    throw eksFailure(
      'InvalidParameterException',
      `Unsupported Kubernetes minor version update from ${cluster.version} to ${version}`,
      {
        clusterName: name,
      },
    )
  }
  if (wanted === current) {
    throw eksFailure('InvalidRequestException', `Cluster is already at the desired version: ${version}`, { clusterName: name })
  }
  const takesMs = call.delay(eksDelays.clusterReady, `cluster/${name}/version`)
  const changed = { ...cluster, version, updatingUntilMs: call.now + takesMs }
  const { update } = recordUpdate(call, changed, {
    type: 'VersionUpdate',
    params: [{ type: 'Version', value: version }],
    takesMs,
  })
  return { update: renderUpdate(update, call.now, true) }
}

function idleCluster(call: Call<EksState>, name: string): Cluster {
  const cluster = activeCluster(call, name)
  if (clusterStatus(cluster, call.now) === 'ACTIVE') return cluster
  throw eksFailure('ResourceInUseException', `Cluster ${name} has an update in progress`, { clusterName: name })
}

const configUpdates: readonly (readonly [member: keyof ClusterSettings, type: string])[] = [
  ['resourcesVpcConfig', 'VpcConfigUpdate'],
  ['logging', 'LoggingUpdate'],
  ['accessConfig', 'AccessConfigUpdate'],
  ['upgradePolicy', 'UpgradePolicyUpdate'],
  ['zonalShiftConfig', 'ZonalShiftConfigUpdate'],
  ['computeConfig', 'AutoModeUpdate'],
  ['kubernetesNetworkConfig', 'AutoModeUpdate'],
  ['storageConfig', 'AutoModeUpdate'],
  ['remoteNetworkConfig', 'RemoteNetworkConfigUpdate'],
  ['deletionProtection', 'DeletionProtectionUpdate'],
]

export function updateClusterConfig(call: CallEks<{ readonly name: string } & Partial<ClusterSettings>>): object {
  const { name } = call.input
  call.authorise({ action: 'eks:UpdateClusterConfig', resource: clusterArn({ ...call, name }) })
  const cluster = idleCluster(call, name)
  const changed = configUpdates.filter(([member]) => call.input[member] !== undefined)
  const [first] = changed
  if (first === undefined) {
    throw eksFailure('InvalidParameterException', 'No changes were given for the cluster configuration', { clusterName: name })
  }
  const { resourcesVpcConfig } = call.input
  if (resourcesVpcConfig?.['subnetIds'] !== undefined) checkSubnets({ name, resourcesVpcConfig })
  const settings = changed.reduce<ClusterSettings>((all, [member]) => merged(all, member, call.input[member]), cluster.settings)
  const params = changed.map(([member]) => ({ type: paramOf(member), value: JSON.stringify(call.input[member]) }))
  const takesMs = call.delay(eksDelays.addonReady, `cluster/${name}/config`)
  const next = { ...cluster, settings, updatingUntilMs: call.now + takesMs }
  const { update } = recordUpdate(call, next, { type: first[1], params, takesMs })
  return { update: renderUpdate(update, call.now, true) }
}

function merged(all: ClusterSettings, member: keyof ClusterSettings, value: unknown): ClusterSettings {
  const old = all[member]
  const both = isObject(old) && isObject(value) ? { ...old, ...value } : value
  return { ...all, [member]: both }
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return value !== null && typeof value === 'object' && !Array.isArray(value)
}

function paramOf(member: string): string {
  const names: Readonly<Record<string, string>> = {
    resourcesVpcConfig: 'EndpointPublicAccess',
    logging: 'ClusterLogging',
    accessConfig: 'AuthenticationMode',
    deletionProtection: 'DeletionProtection',
  }
  return names[member] ?? `${member.charAt(0).toUpperCase()}${member.slice(1)}`
}

interface PartInput {
  readonly name: string
  readonly nodegroupName?: string
  readonly addonName?: string
}

export function describeUpdate(call: CallEks<PartInput & { readonly updateId: string }>): object {
  const { name, updateId } = call.input
  call.authorise({ action: 'eks:DescribeUpdate', resource: clusterArn({ ...call, name }) })
  const update = clusterOf(call, name).updates.get(updateId)
  if (update === undefined || !belongsTo(update, call.input)) {
    throw eksFailure('ResourceNotFoundException', `No update found for ID: ${updateId}`, { clusterName: name })
  }
  return { update: renderUpdate(update, call.now) }
}

export function listUpdates(call: CallEks<PartInput & { readonly maxResults?: number; readonly nextToken?: string }>): object {
  const { name, nodegroupName, addonName } = call.input
  call.authorise({ action: 'eks:ListUpdates', resource: clusterArn({ ...call, name }) })
  const ids = [...clusterOf(call, name).updates.values()].filter(update => belongsTo(update, call.input)).map(update => update.id)
  const { items, more } = pageOf(call, ids, id => id, [name, nodegroupName, addonName])
  return { updateIds: items, ...more }
}

function belongsTo(update: ClusterUpdate, { nodegroupName, addonName }: PartInput): boolean {
  return update.nodegroupName === nodegroupName && update.addonName === addonName
}
