// Access entries: which IAM principal is whom in the cluster. Stored; the embedded API server does not ask them.
import type { Call } from '../service.ts'
import { SortedMap } from '../state/sorted-map.ts'
import { activeCluster, clusterOf, putCluster, tagContext } from './clusters.ts'
import { eksFailure } from './errors.ts'
import { madeBefore, pageOf, rememberToken } from './lists.ts'
import { type AccessEntry, type Cluster, clusterArn, type EksState, type EksTags, eksArn } from './model.ts'
import { eksQuotas } from './quotas.ts'
import { checkTags } from './tag-rules.ts'

type CallEks<I> = Call<EksState, I>

interface OneInput {
  readonly clusterName: string
  readonly principalArn: string
}

interface CreateInput extends OneInput {
  readonly kubernetesGroups?: readonly string[]
  readonly username?: string
  readonly type?: string
  readonly tags?: EksTags
  readonly clientRequestToken?: string
}

const types = ['STANDARD', 'EC2_LINUX', 'EC2_WINDOWS', 'FARGATE_LINUX', 'EC2', 'HYBRID_LINUX', 'HYPERPOD_LINUX']

export function createAccessEntry(call: CallEks<CreateInput>): object {
  const { input } = call
  const { clusterName, principalArn, type = 'STANDARD' } = input
  call.authorise({
    action: 'eks:CreateAccessEntry',
    resource: clusterArn({ ...call, name: clusterName }),
    context: { ...tagContext(input.tags), 'eks:principalArn': principalArn, 'eks:accessEntryType': type },
  })
  const cluster = activeCluster(call, clusterName)
  if (madeBefore(call, clusterName) !== undefined) return { accessEntry: renderEntry(cluster, entryOf(cluster, principalArn)) }
  checkTags(input.tags ?? {}, call.quota(eksQuotas.tags))
  const refuse = (message: string): Error => eksFailure('InvalidParameterException', message, { clusterName })
  const kind = /^arn:aws[a-z-]*:iam::\d{12}:(role|user)\/(.+)$/.exec(principalArn)
  if (kind === null) throw refuse('The principalArn parameter format is not valid')
  if (!types.includes(type)) throw refuse(`Invalid access entry type: ${type}`)
  if (type !== 'STANDARD' && ((input.kubernetesGroups?.length ?? 0) > 0 || input.username !== undefined)) {
    throw refuse(`kubernetesGroups and username cannot be set for entries of type ${type}`)
  }
  if (cluster.accessEntries.has(principalArn)) {
    throw eksFailure('ResourceInUseException', 'The specified access entry resource is already in use on this cluster.', {
      clusterName,
    })
  }
  const [, service = 'role', name = ''] = kind
  const id = call.random(`access-entry/${clusterName}/${principalArn}/${call.serial()}`).uuid()
  const entry: AccessEntry = {
    principalArn,
    arn: eksArn(call, `access-entry/${clusterName}/${service}/${call.account}/${name}/${id}`),
    kubernetesGroups: input.kubernetesGroups ?? [],
    username: input.username ?? defaultUsername(principalArn, type),
    type,
    createdMs: call.now,
    modifiedMs: call.now,
    tags: input.tags ?? {},
    policies: SortedMap.empty(),
  }
  putEntry(call, cluster, entry)
  rememberToken(call, clusterName, principalArn)
  return { accessEntry: renderEntry(cluster, entry) }
}

function defaultUsername(principalArn: string, type: string): string {
  if (type.startsWith('EC2') || type === 'HYPERPOD_LINUX') return 'system:node:{{EC2PrivateDNSName}}'
  if (type === 'FARGATE_LINUX' || type === 'HYBRID_LINUX') return 'system:node:{{SessionName}}'
  const [, , , , account, resource = ''] = principalArn.split(':')
  if (!resource.startsWith('role/')) return principalArn
  const role = resource.slice(resource.lastIndexOf('/') + 1)
  return `${principalArn.split(':').slice(0, 2).join(':')}:sts::${account}:assumed-role/${role}/{{SessionName}}`
}

function putEntry(call: Call<EksState>, cluster: Cluster, entry: AccessEntry): void {
  putCluster(call, { ...cluster, accessEntries: cluster.accessEntries.set(entry.principalArn, entry) })
}

function entryOf(cluster: Cluster, principalArn: string): AccessEntry {
  const entry = cluster.accessEntries.get(principalArn)
  if (entry !== undefined) return entry
  throw eksFailure(
    'ResourceNotFoundException',
    "The specified principalArn could not be found. You can view your available access entries with 'list-access-entries'.",
    {
      clusterName: cluster.name,
    },
  )
}

function renderEntry(cluster: Cluster, entry: AccessEntry): object {
  return {
    clusterName: cluster.name,
    principalArn: entry.principalArn,
    kubernetesGroups: entry.kubernetesGroups,
    accessEntryArn: entry.arn,
    createdAt: entry.createdMs,
    modifiedAt: entry.modifiedMs,
    tags: entry.tags,
    username: entry.username,
    type: entry.type,
  }
}

function opened(call: CallEks<OneInput>, action: string): { readonly cluster: Cluster; readonly entry: AccessEntry } {
  const { clusterName, principalArn } = call.input
  const resource = call.store.get().clusters.get(clusterName)?.accessEntries.get(principalArn)?.arn
  call.authorise({ action: `eks:${action}`, resource: resource ?? eksArn(call, `access-entry/${clusterName}/*`) })
  const cluster = clusterOf(call, clusterName)
  return { cluster, entry: entryOf(cluster, principalArn) }
}

export function describeAccessEntry(call: CallEks<OneInput>): object {
  const { cluster, entry } = opened(call, 'DescribeAccessEntry')
  return { accessEntry: renderEntry(cluster, entry) }
}

export function updateAccessEntry(
  call: CallEks<OneInput & { readonly kubernetesGroups?: readonly string[]; readonly username?: string }>,
): object {
  const { cluster, entry } = opened(call, 'UpdateAccessEntry')
  const next: AccessEntry = {
    ...entry,
    modifiedMs: call.now,
    kubernetesGroups: call.input.kubernetesGroups ?? entry.kubernetesGroups,
    username: call.input.username ?? entry.username,
  }
  putEntry(call, cluster, next)
  return { accessEntry: renderEntry(cluster, next) }
}

export function deleteAccessEntry(call: CallEks<OneInput>): object {
  const { cluster, entry } = opened(call, 'DeleteAccessEntry')
  putCluster(call, { ...cluster, accessEntries: cluster.accessEntries.delete(entry.principalArn) })
  return {}
}

interface ListInput {
  readonly clusterName: string
  readonly associatedPolicyArn?: string
  readonly maxResults?: number
  readonly nextToken?: string
}

export function listAccessEntries(call: CallEks<ListInput>): object {
  const { clusterName, associatedPolicyArn } = call.input
  call.authorise({ action: 'eks:ListAccessEntries', resource: clusterArn({ ...call, name: clusterName }) })
  const arns = [...clusterOf(call, clusterName).accessEntries.values()]
    .filter(entry => associatedPolicyArn === undefined || entry.policies.has(associatedPolicyArn))
    .map(entry => entry.principalArn)
  const { items, more } = pageOf(call, arns, arn => arn, [clusterName, associatedPolicyArn])
  return { accessEntries: items, ...more }
}

interface PolicyInput extends OneInput {
  readonly policyArn: string
  readonly accessScope: { readonly type?: string; readonly namespaces?: readonly string[] }
}

const policies = [
  'AmazonEKSAdminPolicy',
  'AmazonEKSAdminViewPolicy',
  'AmazonEKSClusterAdminPolicy',
  'AmazonEKSEditPolicy',
  'AmazonEKSViewPolicy',
]

export function associateAccessPolicy(call: CallEks<PolicyInput>): object {
  const { cluster, entry } = opened(call, 'AssociateAccessPolicy')
  const { policyArn, accessScope } = call.input
  const name = /^arn:aws[a-z-]*:eks::aws:cluster-access-policy\/(.+)$/.exec(policyArn)?.[1]
  if (name === undefined || !policies.includes(name)) {
    throw eksFailure('InvalidParameterException', 'The policyArn parameter format is not valid', { clusterName: cluster.name })
  }
  if (accessScope.type === 'namespace' && (accessScope.namespaces?.length ?? 0) === 0) {
    throw eksFailure('InvalidParameterException', 'Namespaces must be given for a scope of type namespace', {
      clusterName: cluster.name,
    })
  }
  const associatedMs = entry.policies.get(policyArn)?.associatedMs ?? call.now
  const policy = { policyArn, accessScope, associatedMs, modifiedMs: call.now }
  putEntry(call, cluster, { ...entry, policies: entry.policies.set(policyArn, policy) })
  return { clusterName: cluster.name, principalArn: entry.principalArn, associatedAccessPolicy: renderPolicy(policy) }
}

export function disassociateAccessPolicy(call: CallEks<OneInput & { readonly policyArn: string }>): object {
  const { cluster, entry } = opened(call, 'DisassociateAccessPolicy')
  if (!entry.policies.has(call.input.policyArn)) {
    throw eksFailure('ResourceNotFoundException', `No associated policy found for ARN: ${call.input.policyArn}`, {
      clusterName: cluster.name,
    })
  }
  putEntry(call, cluster, { ...entry, policies: entry.policies.delete(call.input.policyArn) })
  return {}
}

export function listAssociatedAccessPolicies(
  call: CallEks<OneInput & { readonly maxResults?: number; readonly nextToken?: string }>,
): object {
  const { cluster, entry } = opened(call, 'ListAssociatedAccessPolicies')
  const { items, more } = pageOf(call, [...entry.policies.values()], policy => policy.policyArn, [
    cluster.name,
    entry.principalArn,
  ])
  return {
    clusterName: cluster.name,
    principalArn: entry.principalArn,
    associatedAccessPolicies: items.map(renderPolicy),
    ...more,
  }
}

function renderPolicy(policy: { policyArn: string; accessScope: unknown; associatedMs: number; modifiedMs: number }): object {
  return {
    policyArn: policy.policyArn,
    accessScope: policy.accessScope,
    associatedAt: policy.associatedMs,
    modifiedAt: policy.modifiedMs,
  }
}

export function listAccessPolicies(call: CallEks<{ readonly maxResults?: number; readonly nextToken?: string }>): object {
  call.authorise({ action: 'eks:ListAccessPolicies', resource: '*' })
  const { items, more } = pageOf(call, policies, name => name, null)
  const arn = (name: string): string => `arn:${call.partition}:eks::aws:cluster-access-policy/${name}`
  return { accessPolicies: items.map(name => ({ name, arn: arn(name) })), ...more }
}
