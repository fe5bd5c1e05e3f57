// Add-ons: names, versions and the associations that they own. Nothing is installed anywhere.
import type { Call, Context } from '../service.ts'
import { addAssociation, withoutAssociation } from './associations.ts'
import { activeCluster, clusterOf, putCluster, tagContext } from './clusters.ts'
import { eksDelays } from './delays.ts'
import { eksFailure } from './errors.ts'
import { madeBefore, pageOf, rememberToken } from './lists.ts'
import {
  type Addon,
  associationById,
  type Cluster,
  clusterArn,
  type EksState,
  type EksTags,
  eksArn,
  isGone,
  partStatus,
} from './model.ts'
import { eksQuotas } from './quotas.ts'
import { checkPodRole, passRole } from './roles.ts'
import { checkTags } from './tag-rules.ts'
import { recordUpdate, renderUpdate } from './updates.ts'

type CallEks<I> = Call<EksState, I>

interface PodIdentity {
  readonly serviceAccount: string
  readonly roleArn: string
}

interface CreateAddonInput {
  readonly clusterName: string
  readonly addonName: string
  readonly addonVersion?: string
  readonly serviceAccountRoleArn?: string
  readonly configurationValues?: string
  readonly podIdentityAssociations?: readonly PodIdentity[]
  readonly tags?: EksTags
  readonly clientRequestToken?: string
}

/** Namespaces in which known add-ons run; the rest is taken to run in kube-system. */
const namespaces: Readonly<Record<string, string>> = {
  adot: 'opentelemetry-operator-system',
  'amazon-cloudwatch-observability': 'amazon-cloudwatch',
  'aws-guardduty-agent': 'amazon-guardduty',
  'cert-manager': 'cert-manager',
  'external-dns': 'external-dns',
}

function addonOf(call: Context<EksState>, cluster: Cluster, name: string): Addon {
  const addon = cluster.addons.get(name)
  if (addon !== undefined && !isGone(addon, call.now)) return addon
  throw eksFailure('ResourceNotFoundException', `No addon: ${name} found in cluster: ${cluster.name}`, {
    clusterName: cluster.name,
    addonName: name,
  })
}

export function createAddon(call: CallEks<CreateAddonInput>): object {
  const { input } = call
  const { clusterName, addonName, podIdentityAssociations = [] } = input
  call.authorise(
    { action: 'eks:CreateAddon', resource: clusterArn({ ...call, name: clusterName }), context: tagContext(input.tags) },
    ...podIdentityAssociations.flatMap(({ roleArn }) => passRole(call, roleArn, 'pods.eks.amazonaws.com')),
  )
  const cluster = activeCluster(call, clusterName)
  if (madeBefore(call, clusterName) !== undefined)
    return { addon: renderAddon(cluster, addonOf(call, cluster, addonName), call.now) }
  checkTags(input.tags ?? {}, call.quota(eksQuotas.tags))
  const existing = cluster.addons.get(addonName)
  if (existing !== undefined && !isGone(existing, call.now)) {
    throw eksFailure('ResourceInUseException', 'Addon already exists.', { clusterName, addonName })
  }
  const id = call.random(`addon/${clusterName}/${addonName}/${call.serial()}`).uuid()
  const arn = eksArn(call, `addon/${clusterName}/${addonName}/${id}`)
  const associationArns = ownAssociations(call, cluster, { arn, addonName, wanted: podIdentityAssociations })
  const addon: Addon = {
    name: addonName,
    arn,
    version: input.addonVersion ?? 'v1.0.0-eksbuild.1',
    createdMs: call.now,
    modifiedMs: call.now,
    readyMs: call.now + call.delay(eksDelays.addonReady, `addon/${clusterName}/${addonName}`),
    ...(input.serviceAccountRoleArn !== undefined && { serviceAccountRoleArn: input.serviceAccountRoleArn }),
    ...(input.configurationValues !== undefined && { configurationValues: input.configurationValues }),
    associationArns,
    tags: input.tags ?? {},
  }
  putAddon(call, clusterName, addon)
  rememberToken(call, clusterName, addonName)
  if (addon.readyMs > call.now) call.schedule({ kind: 'ready', id: addonName, atMs: addon.readyMs, class: 'progress' })
  return { addon: { ...renderAddon(cluster, addon, call.now), status: 'CREATING' } }
}

function putAddon(call: Context<EksState>, clusterName: string, addon: Addon): void {
  const cluster = clusterOf(call, clusterName)
  putCluster(call, { ...cluster, addons: cluster.addons.set(addon.name, addon) })
}

function ownAssociations(
  call: Call<EksState>,
  cluster: Cluster,
  addon: { readonly arn: string; readonly addonName: string; readonly wanted: readonly PodIdentity[] },
): readonly string[] {
  const namespace = namespaces[addon.addonName] ?? 'kube-system'
  return addon.wanted.map(({ serviceAccount, roleArn }) => {
    checkPodRole(call, { arn: roleArn, sessionTags: true, clusterName: cluster.name })
    const given = { namespace, serviceAccount, roleArn, tags: {}, ownerArn: addon.arn, disableSessionTags: false }
    return addAssociation(call, clusterOf(call, cluster.name), given).arn
  })
}

function renderAddon(cluster: Cluster, addon: Addon, now: number): object {
  return {
    addonName: addon.name,
    clusterName: cluster.name,
    status: partStatus(addon, now),
    addonVersion: addon.version,
    health: { issues: [] },
    addonArn: addon.arn,
    createdAt: addon.createdMs,
    modifiedAt: addon.modifiedMs,
    ...(addon.serviceAccountRoleArn !== undefined && { serviceAccountRoleArn: addon.serviceAccountRoleArn }),
    ...(addon.configurationValues !== undefined && { configurationValues: addon.configurationValues }),
    podIdentityAssociations: addon.associationArns,
    tags: addon.tags,
  }
}

interface OneInput {
  readonly clusterName: string
  readonly addonName: string
}

function authoriseOne(call: CallEks<OneInput>, action: string): void {
  const { clusterName, addonName } = call.input
  call.authorise({ action: `eks:${action}`, resource: eksArn(call, `addon/${clusterName}/${addonName}/*`) })
}

export function describeAddon(call: CallEks<OneInput>): object {
  authoriseOne(call, 'DescribeAddon')
  const cluster = clusterOf(call, call.input.clusterName)
  return { addon: renderAddon(cluster, addonOf(call, cluster, call.input.addonName), call.now) }
}

export function listAddons(
  call: CallEks<{ readonly clusterName: string; readonly maxResults?: number; readonly nextToken?: string }>,
): object {
  const { clusterName } = call.input
  call.authorise({ action: 'eks:ListAddons', resource: clusterArn({ ...call, name: clusterName }) })
  const names = [...clusterOf(call, clusterName).addons.values()]
    .filter(addon => !isGone(addon, call.now))
    .map(addon => addon.name)
  const { items, more } = pageOf(call, names, name => name, clusterName)
  return { addons: items, ...more }
}

export function updateAddon(call: CallEks<CreateAddonInput>): object {
  authoriseOne(call, 'UpdateAddon')
  const { input } = call
  const { clusterName, addonName } = input
  const cluster = activeCluster(call, clusterName)
  const addon = addonOf(call, cluster, addonName)
  let associationArns = addon.associationArns
  if (input.podIdentityAssociations !== undefined) {
    dropAssociations(call, clusterName, addon)
    const wanted = input.podIdentityAssociations
    associationArns = ownAssociations(call, clusterOf(call, clusterName), { arn: addon.arn, addonName, wanted })
  }
  putAddon(call, clusterName, {
    ...addon,
    modifiedMs: call.now,
    version: input.addonVersion ?? addon.version,
    associationArns,
    ...(input.serviceAccountRoleArn !== undefined && { serviceAccountRoleArn: input.serviceAccountRoleArn }),
    ...(input.configurationValues !== undefined && { configurationValues: input.configurationValues }),
  })
  const params = input.addonVersion === undefined ? [] : [{ type: 'AddonVersion', value: input.addonVersion }]
  const takesMs = call.delay(eksDelays.addonReady, `addon/${clusterName}/${addonName}/update`)
  const { update } = recordUpdate(call, clusterOf(call, clusterName), { type: 'AddonUpdate', params, addonName, takesMs })
  return { update: renderUpdate(update, call.now, true) }
}

function dropAssociations(call: Context<EksState>, clusterName: string, addon: Addon): void {
  for (const arn of addon.associationArns) {
    const cluster = clusterOf(call, clusterName)
    const association = associationById(cluster, arn.slice(arn.lastIndexOf('/') + 1))
    if (association !== undefined) putCluster(call, withoutAssociation(call, cluster, association))
  }
}

/** The associations go with it; `preserve` keeps what runs in the cluster, of which there is nothing here. */
export function deleteAddon(call: CallEks<OneInput>): object {
  authoriseOne(call, 'DeleteAddon')
  const { clusterName, addonName } = call.input
  const addon = addonOf(call, clusterOf(call, clusterName), addonName)
  dropAssociations(call, clusterName, addon)
  const deleted: Addon = {
    ...addon,
    goneMs: call.now + call.delay(eksDelays.addonReady, `addon/${clusterName}/${addonName}/delete`),
  }
  putAddon(call, clusterName, deleted)
  if (deleted.goneMs !== undefined && deleted.goneMs > call.now) {
    call.schedule({ kind: 'ready', id: addonName, atMs: deleted.goneMs, class: 'progress' })
  }
  return { addon: renderAddon(clusterOf(call, clusterName), deleted, call.now) }
}
