// A life of the operator in which it does everything that it ever does with Kubernetes: for the proof of its rights. The same on the
// embedded server and on a real one.
import type { AwsClient } from '#aws/client'
import { writePlacement } from '#fleet'
import {
  clusterRoleBindings,
  clusterRoles,
  deployments,
  type KubeObject,
  mutatingWebhookConfigurations,
  namespaces,
  type StoredObject,
  secrets,
  serviceAccounts,
  services,
} from '#kube'
import type { KubeClient } from '#kube/client'
import {
  annotations,
  configKind,
  labels,
  operatorConfigKind,
  operatorName,
  replicaSetKind,
  roleKind,
  type ServiceAccountRole,
  type WorkloadIdentityConfig,
} from '../api.ts'
import { associationKind, bucketKind, providerKind } from '../children/kinds.ts'

export interface LifeWorld {
  /** As an admin. */
  readonly hub: KubeClient
  readonly target: KubeClient
  readonly region: string
  /** Lets everybody work until it is so; rejects when it never is. */
  until(what: string, isSo: () => Promise<boolean>): Promise<void>
  /** Brings about that the cluster is asked with which key it signs, where nobody can wait until the operator does it by itself. */
  handOver?(): Promise<void>
  /** Whether the operator had a token signed by the target. */
  hasAskedSigner(): boolean
  /** What others do while everything is there. */
  besides?(): Promise<void>
  /** Leaves the target's inventory record. */
  publish(cluster: string, properties: Readonly<Record<string, string>>): Promise<void>
}

export const selfHosted = 'life-edge'
export const eks = 'life-prod'
export const runtimeNamespace = 'aws-pod-identity-webhook'
const hook = { namespace: runtimeNamespace, name: 'pod-identity-webhook' }
const wide = { namespace: '', name: hook.name }

export async function liveThrough(world: LifeWorld): Promise<void> {
  await grow(world)
  await world.besides?.()
  await fanOut(world)
  await drift(world)
  await rotate(world)
  await die(world)
}

/** What the association of a pod identity is with. */
export async function makeEksCluster(client: (service: 'iam' | 'eks') => Pick<AwsClient, 'call'>): Promise<void> {
  const trust = {
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Principal: { Service: 'eks.amazonaws.com' }, Action: 'sts:AssumeRole' }],
  }
  const role = await client('iam').call('CreateRole', {
    RoleName: 'control-plane',
    AssumeRolePolicyDocument: JSON.stringify(trust),
  })
  await client('eks').call('CreateCluster', {
    name: 'prod',
    roleArn: (role.Role as { readonly Arn: string }).Arn,
    resourcesVpcConfig: { subnetIds: ['subnet-1', 'subnet-2'] },
  })
}

/** Both ways of delivery, with and without a policy of its own. */
async function grow(world: LifeWorld): Promise<void> {
  const { hub, target, region } = world
  for (const name of [selfHosted, eks]) await ensure(hub, name)
  await ensure(target, 'life-apps')
  for (const name of ['arns', 'document']) {
    const key = { namespace: 'life-apps', name }
    if ((await target.find(serviceAccounts, key)) === undefined) await target.create(serviceAccounts, account(name))
  }
  await hub.create(operatorConfigKind.type, operatorConfigKind.make({ name: 'default' }, {})).catch(() => undefined)
  await world.publish(selfHosted, {})
  await world.publish(eks, {
    'aws.identity.appthrust.io/eks-cluster-name': 'prod',
    'aws.identity.appthrust.io/eks-cluster-arn': `arn:aws:eks:${region}:111122223333:cluster/prod`,
    'aws.identity.appthrust.io/aws-account-id': '111122223333',
    'aws.identity.appthrust.io/eks-auto-mode': 'true',
  })
  await hub.create(
    configKind.type,
    configKind.make({ namespace: selfHosted, name: 'default' }, { type: 'SelfHostedIRSA', region }),
  )
  await hub.create(configKind.type, configKind.make({ namespace: eks, name: 'default' }, { type: 'EKSPodIdentity', region }))
  await hub.create(roleKind.type, role(selfHosted, 'arns', { policyARNs: ['arn:aws:iam::aws:policy/ReadOnlyAccess'] }))
  const policyDocument = { Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action: 's3:GetObject', Resource: '*' }] }
  await hub.create(roleKind.type, role(selfHosted, 'document', { policyDocument }))
  await hub.create(roleKind.type, role(eks, 'arns', { policyARNs: ['arn:aws:iam::aws:policy/ReadOnlyAccess'] }))
  await world.until('the Deployment is there', async () => (await target.find(deployments, hook)) !== undefined)
  await everythingReady(world)
}

/** A set makes a Role, changes it, takes it away where its placement does not mean the cluster any more, and goes. */
async function fanOut({ hub, until }: LifeWorld): Promise<void> {
  const namespace = 'life-platform'
  await ensure(hub, namespace)
  const placement = { namespace, name: 'p' }
  const set = { namespace, name: 'fanned' }
  const at = { namespace: selfHosted, name: set.name }
  await writePlacement(hub, placement, [{ clusters: [selfHosted] }])
  const spec = {
    serviceAccount: { namespace: 'life-apps', name: set.name },
    policyARNs: ['arn:aws:iam::aws:policy/ReadOnlyAccess'],
  }
  await hub.create(
    replicaSetKind.type,
    replicaSetKind.make(set, { placementRefs: [{ name: placement.name }], template: { spec } }),
  )
  const child = (): Promise<ServiceAccountRole | undefined> => hub.find<ServiceAccountRole>(roleKind.type, at)
  await until('the set has made its Role', async () => (await child()) !== undefined)
  await hub.patch(roleKind.type, at, 'merge', { metadata: { labels: { [labels.managedBy]: operatorName, mine: 'kept' } } })
  await hub.patch(replicaSetKind.type, set, 'merge', { spec: { template: { metadata: { labels: { team: 'a' } } } } })
  await until('the set has changed its Role', async () => (await child())?.metadata.labels?.team === 'a')
  await writePlacement(hub, placement, [])
  await until('the Role is taken away', async () => (await child()) === undefined)
  await hub.delete(replicaSetKind.type, set)
  await until('the set is gone', async () => (await hub.find(replicaSetKind.type, set)) === undefined)
}

/** Each kind of object that is kept is changed by somebody. */
async function drift(world: LifeWorld): Promise<void> {
  const { hub, target } = world
  const name = { 'app.kubernetes.io/name': null }
  await target.patch(secrets, hook, 'merge', { metadata: { labels: name } })
  await target.patch(secrets, { ...hook, name: 'pod-identity-webhook-ca' }, 'merge', { metadata: { labels: name } })
  await target.patch(serviceAccounts, hook, 'merge', { metadata: { labels: name } })
  await target.patch(clusterRoles, wide, 'merge', { metadata: { labels: name } })
  await target.patch(clusterRoleBindings, wide, 'merge', { metadata: { labels: name } })
  await target.patch(services, hook, 'merge', { metadata: { labels: name } })
  await target.patch(deployments, hook, 'merge', { metadata: { labels: name } })
  await target.patch(mutatingWebhookConfigurations, wide, 'merge', { metadata: { labels: name } })
  await target.patch(namespaces, { namespace: '', name: runtimeNamespace }, 'merge', { metadata: { labels: name } })
  const annotated = { namespace: 'life-apps', name: 'arns' }
  await target.patch(serviceAccounts, annotated, 'merge', { metadata: { annotations: { 'eks.amazonaws.com/role-arn': null } } })
  // Children are kept as they should be.
  const label = 'aws.identity.appthrust.io/delivery'
  for (const { type } of [bucketKind, providerKind, associationKind]) {
    for (const { metadata } of (await hub.listAll(type)).items) {
      const key = { namespace: metadata.namespace ?? '', name: metadata.name }
      await hub.patch(type, key, 'merge', { metadata: { labels: { [label]: 'changed' } } })
      await world.until(
        `${type.kind} is as it was`,
        async () => (await hub.get(type, key)).metadata.labels?.[label] !== 'changed',
      )
    }
  }
  // A change of the role is one of its children.
  const policyDocument = { Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action: 's3:*', Resource: '*' }] }
  await hub.patch(roleKind.type, { namespace: selfHosted, name: 'document' }, 'merge', { spec: { policyDocument } })
  await world.until('all labels are back', async () => {
    const found = await Promise.all([
      ...[secrets, serviceAccounts, services, deployments].map(type => target.find(type, hook)),
      ...[clusterRoles, clusterRoleBindings, mutatingWebhookConfigurations].map(type => target.find(type, wide)),
      target.find(secrets, { ...hook, name: 'pod-identity-webhook-ca' }),
      target.find(namespaces, { namespace: '', name: runtimeNamespace }),
    ])
    return found.every(object => object?.metadata.labels?.['app.kubernetes.io/name'] === hook.name)
  })
  await world.until(
    'the annotation is back',
    async () => (await target.get(serviceAccounts, annotated)).metadata.annotations?.['eks.amazonaws.com/role-arn'] !== undefined,
  )
  // A second time: what happens again is counted, and not told anew.
  await target.patch(serviceAccounts, annotated, 'merge', { metadata: { annotations: { 'eks.amazonaws.com/role-arn': null } } })
  await world.until(
    'the annotation is back again',
    async () => (await target.get(serviceAccounts, annotated)).metadata.annotations?.['eks.amazonaws.com/role-arn'] !== undefined,
  )
  await everythingReady(world)
}

async function rotate(world: LifeWorld): Promise<void> {
  const { hub } = world
  const key = { namespace: selfHosted, name: 'default' }
  const secretKey = { namespace: selfHosted, name: 'awi-signing-key-default' }
  const versionOf = async (): Promise<string> => (await hub.get(secrets, secretKey)).metadata.resourceVersion
  const before = await versionOf()
  await hub.patch(configKind.type, key, 'merge', { metadata: { annotations: { [annotations.rotateSigningKey]: 'now' } } })
  await world.until('a rotation has begun', async () => (await versionOf()) !== before)
  await world.handOver?.()
  await world.until('the cluster was asked which key it uses', () => Promise.resolve(world.hasAskedSigner()))
  await everythingReady(world)
}

async function die(world: LifeWorld): Promise<void> {
  const { hub, target } = world
  const roles = (await hub.listAll(roleKind.type)).items.filter(({ metadata }) =>
    [selfHosted, eks].includes(metadata.namespace ?? ''),
  )
  for (const { metadata } of roles) await hub.delete(roleKind.type, { namespace: metadata.namespace ?? '', name: metadata.name })
  const gone = async (type: typeof roleKind.type): Promise<boolean> =>
    (await hub.listAll(type)).items.every(({ metadata }) => ![selfHosted, eks].includes(metadata.namespace ?? ''))
  await world.until('the roles are gone', () => gone(roleKind.type))
  for (const at of [selfHosted, eks]) await hub.delete(configKind.type, { namespace: at, name: 'default' })
  await world.until('the configs are gone', () => gone(configKind.type))
  await world.until('the runtime is gone', async () => (await target.find(deployments, hook)) === undefined)
}

async function everythingReady(world: LifeWorld): Promise<void> {
  const { hub } = world
  let said = ''
  try {
    await world.until('everything is Ready', async () => {
      await bringUp(world.target)
      const configs = await hub.listAll<WorkloadIdentityConfig & StoredObject>(configKind.type)
      const roles = await hub.listAll<ServiceAccountRole & StoredObject>(roleKind.type)
      const objects = [...configs.items, ...roles.items].filter(({ metadata }) =>
        [selfHosted, eks].includes(metadata.namespace ?? ''),
      )
      const not = objects.filter(({ status }) => status?.conditions?.find(({ type }) => type === 'Ready')?.status !== 'True')
      said = not.map(({ kind, metadata, status }) => `${kind} ${metadata.name} ${JSON.stringify(status?.conditions)}`).join('\n')
      return not.length === 0
    })
  } catch (error) {
    throw new Error(`not Ready:\n${said}`, { cause: error })
  }
}

/** What a Deployment controller says, where there is none. */
async function bringUp(target: KubeClient): Promise<void> {
  const counts = { replicas: 1, updatedReplicas: 1, readyReplicas: 1, availableReplicas: 1 }
  await bringUpWith(target, { counts, conditions: [{ type: 'Available', status: 'True', reason: 'Said', message: '' }] })
}

/** It says so of what is there; nothing twice. */
export async function bringUpWith(
  target: KubeClient,
  { counts, conditions }: { readonly counts: Readonly<Record<string, number>>; readonly conditions: readonly object[] },
): Promise<void> {
  const deployment = await target.find(deployments, hook)
  if (deployment === undefined) return
  const { generation } = deployment.metadata
  const { status: held } = deployment as StoredObject & { readonly status?: Readonly<Record<string, unknown>> }
  if (held?.observedGeneration === generation && held?.availableReplicas === 1) return
  await target.patch(
    deployments,
    hook,
    'merge',
    { status: { ...counts, conditions, observedGeneration: generation } },
    { subresource: 'status' },
  )
}

async function ensure(hub: KubeClient, name: string): Promise<void> {
  if ((await hub.find(namespaces, { namespace: '', name })) === undefined) await hub.create(namespaces, namespace(name))
}

function namespace(name: string): KubeObject {
  return { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }
}

function account(name: string): KubeObject {
  return { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { namespace: 'life-apps', name } }
}

function role(at: string, name: string, more: object): KubeObject {
  return roleKind.make({ namespace: at, name }, { serviceAccount: { namespace: 'life-apps', name }, ...more })
}
