// Identity provider configurations and node groups: simple parts of a cluster that become ready, and go, after a while.
import type { Call } from '../service.ts'
import { activeCluster, clusterOf, putCluster, tagContext } from './clusters.ts'
import { eksDelays } from './delays.ts'
import { eksFailure } from './errors.ts'
import { madeBefore, pageOf, rememberToken } from './lists.ts'
import {
  type Cluster,
  clusterArn,
  type EksState,
  type EksTags,
  eksArn,
  type IdentityProvider,
  isGone,
  type Nodegroup,
  partStatus,
} from './model.ts'
import { eksQuotas } from './quotas.ts'
import { passRole } from './roles.ts'
import { checkTags } from './tag-rules.ts'
import { recordUpdate, renderUpdate } from './updates.ts'

type CallEks<I> = Call<EksState, I>
type Fields = Readonly<Record<string, unknown>>

interface AssociateInput {
  readonly clusterName: string
  readonly oidc: Fields & { readonly identityProviderConfigName: string; readonly issuerUrl: string; readonly clientId: string }
  readonly tags?: EksTags
}

export function associateIdentityProviderConfig(call: CallEks<AssociateInput>): object {
  const { clusterName, oidc, tags = {} } = call.input
  const name = oidc.identityProviderConfigName
  call.authorise({
    action: 'eks:AssociateIdentityProviderConfig',
    resource: clusterArn({ ...call, name: clusterName }),
    context: { ...tagContext(call.input.tags), 'eks:clientId': oidc.clientId, 'eks:issuerUrl': oidc.issuerUrl },
  })
  const cluster = activeCluster(call, clusterName)
  checkTags(tags, call.quota(eksQuotas.tags))
  if (!oidc.issuerUrl.startsWith('https://')) {
    throw eksFailure('InvalidParameterException', 'issuerUrl must begin with https://', { clusterName })
  }
  if ([...cluster.identityProviders.values()].some(provider => !isGone(provider, call.now))) {
    throw eksFailure('ResourceInUseException', 'Identity provider config is already associated with cluster', { clusterName })
  }
  const takesMs = call.delay(eksDelays.identityProviderReady, `identity-provider/${clusterName}/${name}`)
  const id = call.random(`identity-provider/${clusterName}/${call.serial()}`).uuid()
  const provider: IdentityProvider = {
    name,
    arn: eksArn(call, `identityproviderconfig/${clusterName}/oidc/${name}/${id}`),
    oidc,
    readyMs: call.now + takesMs,
    tags,
  }
  const changed = { ...cluster, identityProviders: cluster.identityProviders.set(name, provider) }
  const params = [{ type: 'IdentityProviderConfig', value: JSON.stringify([{ type: 'oidc', name }]) }]
  const { update } = recordUpdate(call, changed, { type: 'AssociateIdentityProviderConfig', params, takesMs })
  return { update: renderUpdate(update, call.now, true), tags }
}

interface OneProvider {
  readonly clusterName: string
  readonly identityProviderConfig: { readonly type: string; readonly name: string }
}

function openedProvider(
  call: CallEks<OneProvider>,
  action: string,
): { readonly cluster: Cluster; readonly provider: IdentityProvider } {
  const { clusterName, identityProviderConfig } = call.input
  const { name } = identityProviderConfig
  call.authorise({ action: `eks:${action}`, resource: eksArn(call, `identityproviderconfig/${clusterName}/oidc/${name}/*`) })
  const cluster = clusterOf(call, clusterName)
  const provider = cluster.identityProviders.get(name)
  if (provider === undefined || isGone(provider, call.now)) {
    throw eksFailure('ResourceNotFoundException', 'Identity provider config is not associated with cluster', { clusterName })
  }
  return { cluster, provider }
}

export function describeIdentityProviderConfig(call: CallEks<OneProvider>): object {
  const { cluster, provider } = openedProvider(call, 'DescribeIdentityProviderConfig')
  return {
    identityProviderConfig: {
      oidc: {
        ...provider.oidc,
        identityProviderConfigArn: provider.arn,
        clusterName: cluster.name,
        tags: provider.tags,
        status: partStatus(provider, call.now),
      },
    },
  }
}

export function disassociateIdentityProviderConfig(call: CallEks<OneProvider>): object {
  const { cluster, provider } = openedProvider(call, 'DisassociateIdentityProviderConfig')
  const takesMs = call.delay(eksDelays.identityProviderReady, `identity-provider/${cluster.name}/${provider.name}/delete`)
  const leaving = { ...provider, goneMs: call.now + takesMs }
  const changed = { ...cluster, identityProviders: cluster.identityProviders.set(provider.name, leaving) }
  const params = [{ type: 'IdentityProviderConfig', value: JSON.stringify([call.input.identityProviderConfig]) }]
  const { update } = recordUpdate(call, changed, { type: 'DisassociateIdentityProviderConfig', params, takesMs })
  return { update: renderUpdate(update, call.now, true) }
}

interface ListInput {
  readonly clusterName: string
  readonly maxResults?: number
  readonly nextToken?: string
}

export function listIdentityProviderConfigs(call: CallEks<ListInput>): object {
  const { clusterName } = call.input
  call.authorise({ action: 'eks:ListIdentityProviderConfigs', resource: clusterArn({ ...call, name: clusterName }) })
  const names = [...clusterOf(call, clusterName).identityProviders.values()]
    .filter(one => !isGone(one, call.now))
    .map(one => one.name)
  const { items, more } = pageOf(call, names, name => name, clusterName)
  return { identityProviderConfigs: items.map(name => ({ type: 'oidc', name })), ...more }
}

interface CreateNodegroupInput extends Fields {
  readonly clusterName: string
  readonly nodegroupName: string
  readonly nodeRole: string
  readonly subnets: readonly string[]
  readonly tags?: EksTags
  readonly clientRequestToken?: string
}

export function createNodegroup(call: CallEks<CreateNodegroupInput>): object {
  const { clusterName, nodegroupName, clientRequestToken: _, tags = {}, ...settings } = call.input
  call.authorise(
    { action: 'eks:CreateNodegroup', resource: clusterArn({ ...call, name: clusterName }), context: tagContext(call.input.tags) },
    ...passRole(call, settings.nodeRole, 'eks.amazonaws.com'),
  )
  const cluster = activeCluster(call, clusterName)
  const existing = cluster.nodegroups.get(nodegroupName)
  if (madeBefore(call, clusterName) !== undefined && existing !== undefined) {
    return { nodegroup: renderNodegroup(cluster, existing, call.now) }
  }
  checkTags(tags, call.quota(eksQuotas.tags))
  if (existing !== undefined && !isGone(existing, call.now)) {
    const message = `NodeGroup already exists with name ${nodegroupName} and cluster name ${clusterName}`
    throw eksFailure('ResourceInUseException', message, { clusterName, nodegroupName })
  }
  const id = call.random(`nodegroup/${clusterName}/${nodegroupName}/${call.serial()}`).uuid()
  const group: Nodegroup = {
    name: nodegroupName,
    arn: eksArn(call, `nodegroup/${clusterName}/${nodegroupName}/${id}`),
    createdMs: call.now,
    modifiedMs: call.now,
    readyMs: call.now + call.delay(eksDelays.addonReady, `nodegroup/${clusterName}/${nodegroupName}`),
    settings,
    tags,
  }
  putCluster(call, { ...cluster, nodegroups: cluster.nodegroups.set(nodegroupName, group) })
  rememberToken(call, clusterName, nodegroupName)
  if (group.readyMs > call.now) call.schedule({ kind: 'ready', id: nodegroupName, atMs: group.readyMs, class: 'progress' })
  return { nodegroup: { ...renderNodegroup(cluster, group, call.now), status: 'CREATING' } }
}

function renderNodegroup(cluster: Cluster, group: Nodegroup, now: number): object {
  return {
    capacityType: 'ON_DEMAND',
    amiType: 'AL2023_x86_64_STANDARD',
    scalingConfig: { minSize: 1, maxSize: 2, desiredSize: 2 },
    instanceTypes: ['t3.medium'],
    diskSize: 20,
    version: cluster.version,
    releaseVersion: `${cluster.version}.0-20260101`,
    ...group.settings,
    nodegroupName: group.name,
    nodegroupArn: group.arn,
    clusterName: cluster.name,
    createdAt: group.createdMs,
    modifiedAt: group.modifiedMs,
    status: partStatus(group, now),
    health: { issues: [] },
    tags: group.tags,
  }
}

interface OneNodegroup {
  readonly clusterName: string
  readonly nodegroupName: string
}

function openedNodegroup(call: CallEks<OneNodegroup>, action: string): { readonly cluster: Cluster; readonly group: Nodegroup } {
  const { clusterName, nodegroupName } = call.input
  call.authorise({ action: `eks:${action}`, resource: eksArn(call, `nodegroup/${clusterName}/${nodegroupName}/*`) })
  const cluster = clusterOf(call, clusterName)
  const group = cluster.nodegroups.get(nodegroupName)
  if (group === undefined || isGone(group, call.now)) {
    throw eksFailure('ResourceNotFoundException', `No node group found for name: ${nodegroupName}.`, {
      clusterName,
      nodegroupName,
    })
  }
  return { cluster, group }
}

export function describeNodegroup(call: CallEks<OneNodegroup>): object {
  const { cluster, group } = openedNodegroup(call, 'DescribeNodegroup')
  return { nodegroup: renderNodegroup(cluster, group, call.now) }
}

export function deleteNodegroup(call: CallEks<OneNodegroup>): object {
  const { cluster, group } = openedNodegroup(call, 'DeleteNodegroup')
  const leaving = {
    ...group,
    goneMs: call.now + call.delay(eksDelays.addonReady, `nodegroup/${cluster.name}/${group.name}/delete`),
  }
  putCluster(call, { ...cluster, nodegroups: cluster.nodegroups.set(group.name, leaving) })
  if (leaving.goneMs > call.now) call.schedule({ kind: 'ready', id: group.name, atMs: leaving.goneMs, class: 'progress' })
  return { nodegroup: renderNodegroup(cluster, leaving, call.now) }
}

export function listNodegroups(call: CallEks<ListInput>): object {
  const { clusterName } = call.input
  call.authorise({ action: 'eks:ListNodegroups', resource: clusterArn({ ...call, name: clusterName }) })
  const names = [...clusterOf(call, clusterName).nodegroups.values()].filter(one => !isGone(one, call.now)).map(one => one.name)
  const { items, more } = pageOf(call, names, name => name, clusterName)
  return { nodegroups: items, ...more }
}
