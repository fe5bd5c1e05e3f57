// Pod identity associations: which role the pods of a service account get (§7.2). The API shows a write at once; EKS Auth sees
// it after a delay, so every pair of namespace and service account has a timeline.
import type { Call, Context } from '../service.ts'
import { newestOf, written } from '../state/timeline.ts'
import { activeCluster, clusterOf, putCluster, tagContext } from './clusters.ts'
import { eksDelays } from './delays.ts'
import { eksFailure } from './errors.ts'
import { madeBefore, pageOf, rememberToken } from './lists.ts'
import {
  type Association,
  associationById,
  type Cluster,
  clusterArn,
  type EksState,
  type EksTags,
  eksArn,
  pairKey,
} from './model.ts'
import { eksQuotas } from './quotas.ts'
import { checkPodRole, passRole } from './roles.ts'
import { checkTags } from './tag-rules.ts'

type CallEks<I> = Call<EksState, I>

interface CreateInput {
  readonly clusterName: string
  readonly namespace: string
  readonly serviceAccount: string
  readonly roleArn: string
  readonly clientRequestToken?: string
  readonly tags?: EksTags
  readonly disableSessionTags?: boolean
  readonly targetRoleArn?: string
  readonly policy?: string
}

const podService = 'pods.eks.amazonaws.com'

export function createPodIdentityAssociation(call: CallEks<CreateInput>): object {
  const { input } = call
  const resource = clusterArn({ ...call, name: input.clusterName })
  call.authorise(
    { action: 'eks:CreatePodIdentityAssociation', resource, context: tagContext(input.tags) },
    ...(input.tags === undefined
      ? []
      : [
          {
            action: 'eks:TagResource',
            resource: eksArn(call, `podidentityassociation/${input.clusterName}/*`),
            context: tagContext(input.tags),
          },
        ]),
    ...passRole(call, input.roleArn, podService),
  )
  const cluster = activeCluster(call, input.clusterName)
  checkSubject(input)
  const earlier = madeBefore(call, cluster.name)
  const before = earlier === undefined ? undefined : associationById(cluster, earlier)
  if (before !== undefined) return { association: renderAssociation(cluster, before) }
  checkTags(input.tags ?? {}, call.quota(eksQuotas.tags))
  const disableSessionTags = input.disableSessionTags === true
  checkPolicy(input.policy, disableSessionTags, cluster.name)
  checkPodRole(call, { arn: input.roleArn, sessionTags: !disableSessionTags, clusterName: cluster.name })
  checkTarget(input.targetRoleArn, cluster.name)
  const made = addAssociation(call, cluster, {
    namespace: input.namespace,
    serviceAccount: input.serviceAccount,
    roleArn: input.roleArn,
    tags: input.tags ?? {},
    disableSessionTags,
    ...(input.targetRoleArn !== undefined && { targetRoleArn: input.targetRoleArn }),
    ...(input.policy !== undefined && { policy: input.policy }),
  })
  rememberToken(call, cluster.name, made.id)
  return { association: renderAssociation(cluster, made) }
}

type NewAssociation = Omit<Association, 'id' | 'arn' | 'createdMs' | 'modifiedMs' | 'externalId'>

/** Writes a new association, for a caller or for an add-on. */
export function addAssociation(call: Context<EksState>, cluster: Cluster, given: NewAssociation): Association {
  const pair = pairKey(given.namespace, given.serviceAccount)
  const existing = newestOf(cluster.associations.get(pair))
  if (existing !== undefined) {
    throw eksFailure('ResourceInUseException', `Association already exists: ${existing.id}`, { clusterName: cluster.name })
  }
  if (cluster.associationIds.size >= call.quota(eksQuotas.associationsPerCluster)) {
    throw eksFailure(
      'ResourceLimitExceededException',
      `Pod identity association limit exceeded: ${call.quota(eksQuotas.associationsPerCluster)} per cluster`,
      { clusterName: cluster.name },
    )
  }
  const id = drawnId(call, `${cluster.name}/${pair}`)
  const association: Association = {
    ...given,
    id,
    arn: eksArn(cluster, `podidentityassociation/${cluster.name}/${id}`),
    createdMs: call.now,
    modifiedMs: call.now,
    ...(given.targetRoleArn !== undefined && { externalId: externalIdOf(call, id) }),
  }
  writeAssociation(call, cluster, association)
  return association
}

const idAlphabet = 'abcdefghijklmnopqrstuvwxyz0123456789'

function drawnId(call: Context<EksState>, name: string): string {
  const random = call.random(`association/${name}/${call.serial()}`)
  return `a-${Array.from({ length: 17 }, () => idAlphabet[random.integer(idAlphabet.length)]).join('')}`
}

function externalIdOf(call: Context<EksState>, id: string): string {
  return call.random(`external-id/${id}`).uuid()
}

function writeAssociation(call: Context<EksState>, cluster: Cluster, association: Association): void {
  const pair = pairKey(association.namespace, association.serviceAccount)
  const timeline = written(cluster.associations.get(pair), association, {
    now: call.now,
    keepMs: call.keepMs(eksDelays.association),
  })
  if (timeline === undefined) return
  putCluster(call, {
    ...cluster,
    associations: cluster.associations.set(pair, timeline),
    associationIds: cluster.associationIds.set(association.id, pair),
  })
  const visibleMs = call.now + call.delay(eksDelays.association, `${cluster.name}/${pair}`)
  if (visibleMs > call.now) call.schedule({ kind: 'ready', id: association.id, atMs: visibleMs, class: 'progress' })
}

/** Kubernetes names; the objects themselves need not exist. */
function checkSubject({ namespace, serviceAccount, clusterName }: CreateInput): void {
  if (!/^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/.test(namespace)) {
    throw eksFailure('InvalidParameterException', `Invalid namespace: ${namespace}`, { clusterName })
  }
  if (serviceAccount.length > 253 || !/^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/.test(serviceAccount)) {
    throw eksFailure('InvalidParameterException', `Invalid service account: ${serviceAccount}`, { clusterName })
  }
}

/** A session policy and session tags would not fit into one packed policy, so AWS takes one or the other. */
function checkPolicy(policy: string | undefined, disableSessionTags: boolean, clusterName: string): void {
  if (policy === undefined || policy === '') return
  if (!disableSessionTags) {
    throw eksFailure('InvalidParameterException', 'A policy can only be specified when session tags are disabled', {
      clusterName,
    })
  }
  try {
    const document: unknown = JSON.parse(policy)
    if (document !== null && typeof document === 'object' && 'Statement' in document) return
  } catch {
    // Falls through to the refusal.
  }
  throw eksFailure('InvalidParameterException', 'The policy is not a valid JSON policy document', { clusterName })
}

function checkTarget(targetRoleArn: string | undefined, clusterName: string): void {
  if (targetRoleArn === undefined || targetRoleArn === '') return
  if (/^arn:aws[a-z-]*:iam::\d{12}:role\/.+$/.test(targetRoleArn)) return
  throw eksFailure('InvalidParameterException', `Invalid target role ARN: ${targetRoleArn}`, { clusterName })
}

export function renderAssociation(cluster: Cluster, association: Association): object {
  const { targetRoleArn, externalId, policy, ownerArn } = association
  return {
    clusterName: cluster.name,
    namespace: association.namespace,
    serviceAccount: association.serviceAccount,
    roleArn: association.roleArn,
    associationArn: association.arn,
    associationId: association.id,
    tags: association.tags,
    createdAt: association.createdMs,
    modifiedAt: association.modifiedMs,
    disableSessionTags: association.disableSessionTags,
    ...(ownerArn !== undefined && { ownerArn }),
    ...(targetRoleArn !== undefined && { targetRoleArn }),
    ...(externalId !== undefined && { externalId }),
    ...(policy !== undefined && { policy }),
  }
}

interface OneInput {
  readonly clusterName: string
  readonly associationId: string
}

function associationArn(call: Call<EksState, OneInput>): string {
  return eksArn(call, `podidentityassociation/${call.input.clusterName}/${call.input.associationId}`)
}

function found(call: CallEks<OneInput>, cluster: Cluster): Association {
  const { associationId, clusterName } = call.input
  const association = associationById(cluster, associationId)
  if (association !== undefined) return association
  throw eksFailure('ResourceNotFoundException', `Association ${associationId} not found in cluster ${clusterName}`, {
    clusterName,
  })
}

export function describePodIdentityAssociation(call: CallEks<OneInput>): object {
  call.authorise({ action: 'eks:DescribePodIdentityAssociation', resource: associationArn(call) })
  const cluster = clusterOf(call, call.input.clusterName)
  return { association: renderAssociation(cluster, found(call, cluster)) }
}

interface ListInput {
  readonly clusterName: string
  readonly namespace?: string
  readonly serviceAccount?: string
  readonly maxResults?: number
  readonly nextToken?: string
}

export function listPodIdentityAssociations(call: CallEks<ListInput>): object {
  const { clusterName, namespace, serviceAccount } = call.input
  call.authorise({ action: 'eks:ListPodIdentityAssociations', resource: clusterArn({ ...call, name: clusterName }) })
  const cluster = clusterOf(call, clusterName)
  const wanted = [...cluster.associations.values()]
    .flatMap(timeline => newestOf(timeline) ?? [])
    .filter(association => namespace === undefined || association.namespace === namespace)
    .filter(association => serviceAccount === undefined || association.serviceAccount === serviceAccount)
  const key = (association: Association): string => pairKey(association.namespace, association.serviceAccount)
  const { items, more } = pageOf(call, wanted, key, [clusterName, namespace, serviceAccount])
  return {
    associations: items.map(association => ({
      clusterName,
      namespace: association.namespace,
      serviceAccount: association.serviceAccount,
      associationArn: association.arn,
      associationId: association.id,
      ...(association.ownerArn !== undefined && { ownerArn: association.ownerArn }),
    })),
    ...more,
  }
}

interface UpdateInput extends OneInput {
  readonly roleArn?: string
  readonly clientRequestToken?: string
  readonly disableSessionTags?: boolean
  readonly targetRoleArn?: string
  readonly policy?: string
}

export function updatePodIdentityAssociation(call: CallEks<UpdateInput>): object {
  const { input } = call
  const { clusterName } = input
  call.authorise(
    { action: 'eks:UpdatePodIdentityAssociation', resource: associationArn(call) },
    ...(input.roleArn === undefined ? [] : passRole(call, input.roleArn, podService)),
  )
  const cluster = activeCluster(call, clusterName)
  const current = found(call, cluster)
  refuseOwned(current, clusterName)
  const { roleArn, disableSessionTags, targetRoleArn, policy } = input
  if ([roleArn, disableSessionTags, targetRoleArn, policy].every(value => value === undefined)) {
    throw eksFailure(
      'InvalidParameterException',
      'There is nothing to update: give a role, a target role, a policy or session tags',
      {
        clusterName,
      },
    )
  }
  const next = updated(call, current, input)
  checkPolicy(next.policy, next.disableSessionTags, clusterName)
  checkTarget(next.targetRoleArn, clusterName)
  if (roleArn !== undefined) checkPodRole(call, { arn: roleArn, sessionTags: !next.disableSessionTags, clusterName })
  writeAssociation(call, cluster, next)
  return { association: renderAssociation(cluster, next) }
}

/** An empty target role or policy takes it away; the external id stays with the association for life. */
function updated(call: CallEks<UpdateInput>, current: Association, input: UpdateInput): Association {
  const { targetRoleArn: oldTarget, policy: oldPolicy, ...rest } = current
  const target = input.targetRoleArn ?? oldTarget
  const policy = input.policy ?? oldPolicy
  return {
    ...rest,
    modifiedMs: call.now,
    roleArn: input.roleArn ?? current.roleArn,
    disableSessionTags: input.disableSessionTags ?? current.disableSessionTags,
    ...(target !== undefined &&
      target !== '' && { targetRoleArn: target, externalId: current.externalId ?? externalIdOf(call, current.id) }),
    ...(policy !== undefined && policy !== '' && { policy }),
  }
}

function refuseOwned(association: Association, clusterName: string): void {
  if (association.ownerArn === undefined) return
  throw eksFailure(
    'InvalidRequestException',
    `Association ${association.id} is owned by ${association.ownerArn}; change the add-on instead`,
    {
      clusterName,
    },
  )
}

export function deletePodIdentityAssociation(call: CallEks<OneInput>): object {
  call.authorise({ action: 'eks:DeletePodIdentityAssociation', resource: associationArn(call) })
  const cluster = clusterOf(call, call.input.clusterName)
  const association = found(call, cluster)
  refuseOwned(association, cluster.name)
  putCluster(call, withoutAssociation(call, cluster, association))
  return { association: renderAssociation(cluster, association) }
}

/** EKS Auth goes on seeing it for a while. */
export function withoutAssociation(call: Context<EksState>, cluster: Cluster, association: Association): Cluster {
  const pair = pairKey(association.namespace, association.serviceAccount)
  const timeline = written(cluster.associations.get(pair), undefined, {
    now: call.now,
    keepMs: call.keepMs(eksDelays.association),
  })
  return {
    ...cluster,
    associations: timeline === undefined ? cluster.associations.delete(pair) : cluster.associations.set(pair, timeline),
    associationIds: cluster.associationIds.delete(association.id),
  }
}
