// Clusters: a simplified state machine. The control plane behind a cluster is the emulator's word for it, unless the cluster is bound
// to an embedded API server.
import type { Call, Context } from '../service.ts'
import { SortedMap } from '../state/sorted-map.ts'
import { eksDelays } from './delays.ts'
import { eksFailure } from './errors.ts'
import { newCertificateAuthority } from './issuer.ts'
import { madeBefore, pageOf, rememberToken } from './lists.ts'
import {
  type Cluster,
  type ClusterSettings,
  clusterArn,
  clusterStatus,
  type EksState,
  type EksTags,
  isGone,
  issuerOf,
} from './model.ts'
import { eksQuotas } from './quotas.ts'
import { passRole } from './roles.ts'
import { checkTags } from './tag-rules.ts'

type CallEks<I> = Call<EksState, I>

export function clusterOf(context: Context<EksState>, name: string): Cluster {
  const cluster = context.store.get().clusters.get(name)
  if (cluster === undefined || isGone(cluster, context.now)) {
    throw eksFailure('ResourceNotFoundException', `No cluster found for name: ${name}.`, { clusterName: name })
  }
  return cluster
}

/** Parts can only be made in a cluster that is there and ready. */
export function activeCluster(context: Context<EksState>, name: string): Cluster {
  const cluster = clusterOf(context, name)
  const status = clusterStatus(cluster, context.now)
  if (status === 'ACTIVE' || status === 'UPDATING') return cluster
  throw eksFailure('InvalidRequestException', `Cluster '${name}' is not in ACTIVE status`, { clusterName: name })
}

export function putCluster(context: Context<EksState>, cluster: Cluster): void {
  const state = context.store.get()
  context.store.set({ ...state, clusters: state.clusters.set(cluster.name, cluster) })
}

/** Kubernetes versions that can be asked for; the last is the default. */
const versions = ['1.31', '1.32', '1.33', '1.34']
const defaultVersion = '1.34'

interface CreateClusterInput extends ClusterSettings {
  readonly name: string
  readonly version?: string
  readonly tags?: EksTags
  readonly clientRequestToken?: string
}

export function createCluster(call: CallEks<CreateClusterInput>): object {
  const { input, now } = call
  call.authorise(
    { action: 'eks:CreateCluster', resource: '*', context: tagContext(input.tags) },
    ...(input.tags === undefined ? [] : [{ action: 'eks:TagResource', resource: '*', context: tagContext(input.tags) }]),
    ...passRole(call, input.roleArn, 'eks.amazonaws.com'),
  )
  const earlier = madeBefore(call, input.name)
  if (earlier !== undefined) return { cluster: renderCluster(clusterOf(call, earlier), call) }
  checkCreation(call)
  const cluster = newCluster(call)
  putCluster(call, cluster)
  rememberToken(call, cluster.name, cluster.name)
  if (cluster.readyMs > now) call.schedule({ kind: 'ready', id: cluster.name, atMs: cluster.readyMs, class: 'progress' })
  const { endpoint: _endpoint, certificateAuthority: _authority, ...shown } = renderCluster(cluster, call)
  return { cluster: { ...shown, status: 'CREATING' } }
}

/** In the order in which the service says what is wrong. */
function checkCreation(call: CallEks<CreateClusterInput>): void {
  const { input, now } = call
  checkTags(input.tags ?? {}, call.quota(eksQuotas.tags))
  checkVersion(input.version)
  const { clusters } = call.store.get()
  const existing = clusters.get(input.name)
  if (existing !== undefined && !isGone(existing, now)) {
    throw eksFailure('ResourceInUseException', `Cluster already exists with name: ${input.name}`, { clusterName: input.name })
  }
  checkSubnets(input)
  if (clusters.size >= call.quota(eksQuotas.clusters)) {
    throw eksFailure('ResourceLimitExceededException', `Cluster limit exceeded: ${call.quota(eksQuotas.clusters)}`)
  }
  checkRole(call)
}

function checkRole({ input, ports }: CallEks<CreateClusterInput>): void {
  if (ports.roles.find(input.roleArn, 'late') !== undefined) return
  const why = 'could not be assumed because it does not exist or the trusted entity is not correct'
  throw eksFailure('InvalidParameterException', `Role with arn: ${input.roleArn}, ${why}`, { clusterName: input.name })
}

function newCluster(call: CallEks<CreateClusterInput>): Cluster {
  const { name, version, tags, clientRequestToken: _, ...settings } = call.input
  const issuerId = Buffer.from(call.random(`issuer/${name}/${call.serial()}`).bytes(16))
    .toString('hex')
    .toUpperCase()
  return {
    name,
    partition: call.partition,
    account: call.account,
    region: call.region,
    createdMs: call.now,
    readyMs: call.now + call.delay(eksDelays.clusterReady, `cluster/${name}`),
    version: version ?? defaultVersion,
    issuerId,
    certificateAuthority: newCertificateAuthority(call, { issuerId, createdMs: call.now }),
    settings,
    tags: tags ?? {},
    associations: SortedMap.empty(),
    associationIds: SortedMap.empty(),
    addons: SortedMap.empty(),
    accessEntries: SortedMap.empty(),
    identityProviders: SortedMap.empty(),
    nodegroups: SortedMap.empty(),
    updates: SortedMap.empty(),
  }
}

function checkVersion(version: string | undefined): void {
  if (version === undefined || versions.includes(version)) return
  throw eksFailure('InvalidParameterException', `unsupported Kubernetes version ${version}`)
}

/** There is no VPC here, so two subnets are taken to lie in two zones. */
export function checkSubnets({ name, resourcesVpcConfig }: Pick<CreateClusterInput, 'name' | 'resourcesVpcConfig'>): void {
  const { subnetIds } = resourcesVpcConfig
  if (Array.isArray(subnetIds) && new Set(subnetIds).size >= 2) return
  throw eksFailure('InvalidParameterException', 'Subnets specified must be in at least two different AZs', { clusterName: name })
}

export function tagContext(tags: EksTags | undefined): Readonly<Record<string, string | readonly string[]>> {
  if (tags === undefined) return {}
  const pairs = Object.entries(tags).map(([key, value]) => [`aws:RequestTag/${key}`, value])
  return { 'aws:TagKeys': Object.keys(tags), ...Object.fromEntries(pairs) }
}

const logTypes = ['api', 'audit', 'authenticator', 'controllerManager', 'scheduler']

/** As Describe shows it: endpoint and CA only when the control plane is there. */
export function renderCluster(cluster: Cluster, context: Context<EksState>): Readonly<Record<string, unknown>> {
  const status = clusterStatus(cluster, context.now)
  const ready = cluster.readyMs <= context.now
  const { settings } = cluster
  const { roleArn, resourcesVpcConfig, kubernetesNetworkConfig, accessConfig, ...rest } = settings
  return {
    name: cluster.name,
    arn: clusterArn(cluster),
    createdAt: cluster.createdMs,
    version: cluster.version,
    roleArn,
    resourcesVpcConfig: {
      subnetIds: [],
      securityGroupIds: [],
      endpointPublicAccess: true,
      endpointPrivateAccess: false,
      publicAccessCidrs: ['0.0.0.0/0'],
      ...resourcesVpcConfig,
      vpcId: 'vpc-0a1b2c3d4e5f60718',
      ...(ready && { clusterSecurityGroupId: `sg-0${cluster.issuerId.slice(0, 16).toLowerCase()}` }),
    },
    kubernetesNetworkConfig: { serviceIpv4Cidr: '172.20.0.0/16', ipFamily: 'ipv4', ...kubernetesNetworkConfig },
    status,
    platformVersion: 'eks.1',
    tags: cluster.tags,
    identity: { oidc: { issuer: issuerOf(cluster) } },
    accessConfig: { authenticationMode: 'CONFIG_MAP', ...accessConfig },
    health: { issues: [] },
    deletionProtection: false,
    logging: { clusterLogging: [{ types: logTypes, enabled: false }] },
    ...rest,
    ...(ready && {
      endpoint: cluster.bound?.endpoint ?? `https://${cluster.issuerId}.gr7.${cluster.region}.eks.amazonaws.com`,
      certificateAuthority: {
        data: Buffer.from(cluster.bound?.certificateAuthority ?? cluster.certificateAuthority).toString('base64'),
      },
    }),
  }
}

export function describeCluster(call: CallEks<{ readonly name: string }>): object {
  const { name } = call.input
  call.authorise({ action: 'eks:DescribeCluster', resource: clusterArn({ ...call, name }) })
  return { cluster: renderCluster(clusterOf(call, name), call) }
}

export function listClusters(call: CallEks<{ readonly maxResults?: number; readonly nextToken?: string }>): object {
  call.authorise({ action: 'eks:ListClusters', resource: '*' })
  const names = [...call.store.get().clusters.values()].filter(cluster => !isGone(cluster, call.now)).map(cluster => cluster.name)
  const { items, more } = pageOf(call, names, name => name, null)
  return { clusters: items, ...more }
}

export function deleteCluster(call: CallEks<{ readonly name: string }>): object {
  const { name } = call.input
  call.authorise({ action: 'eks:DeleteCluster', resource: clusterArn({ ...call, name }) })
  const cluster = clusterOf(call, name)
  if (clusterStatus(cluster, call.now) === 'DELETING') return { cluster: renderCluster(cluster, call) }
  if ([...cluster.nodegroups.values()].some(group => !isGone(group, call.now))) {
    throw eksFailure('ResourceInUseException', 'Cluster has nodegroups attached', { clusterName: name })
  }
  if (cluster.settings.deletionProtection === true) {
    throw eksFailure('InvalidRequestException', 'Cluster has deletion protection enabled', { clusterName: name })
  }
  const deleted: Cluster = {
    ...cluster,
    goneMs: call.now + call.delay(eksDelays.clusterGone, `cluster/${name}`),
    associations: SortedMap.empty(),
    associationIds: SortedMap.empty(),
    addons: SortedMap.empty(),
    accessEntries: SortedMap.empty(),
    identityProviders: SortedMap.empty(),
  }
  putCluster(call, deleted)
  call.schedule({ kind: 'gone', id: name, atMs: deleted.goneMs ?? call.now, class: 'progress' })
  return { cluster: renderCluster(deleted, call) }
}

/** The timer that ends a deletion. */
export function removeGone(context: Context<EksState>, name: string): void {
  const state = context.store.get()
  const cluster = state.clusters.get(name)
  if (cluster === undefined || !isGone(cluster, context.now)) return
  const tokens = [...state.tokens].filter(([key]) => key.split('/')[1] === name).map(([key]) => key)
  context.store.set({
    clusters: state.clusters.delete(name),
    tokens: tokens.reduce((kept, key) => kept.delete(key), state.tokens),
  })
}
