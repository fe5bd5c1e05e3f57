// Who uses the platform: teams that make, change and delete what they may, and a hostile tenant who does so to what is not his.
import type { Random } from '#base'
import { deployments, type KubeObject, type ResourceType } from '#kube'
import type { KubeClient } from '#kube/client'
import { configKind, roleKind } from '#operators/identity'
import type { Resource } from '#operators/resources'
import { forgeries, together } from '../sim/hostile/forgeries.ts'
import { appNames, home, lair, make, type Platform, team } from './platform.ts'

type AckKind = 'Role' | 'Policy' | 'Bucket'

export const ackTypes: Readonly<Record<AckKind, ResourceType>> = {
  Role: typeOf('iam', 'Role', 'roles'),
  Policy: typeOf('iam', 'Policy', 'policies'),
  Bucket: typeOf('s3', 'Bucket', 'buckets'),
}

export const exportType: ResourceType = {
  group: 'services.k8s.aws',
  version: 'v1alpha1',
  kind: 'FieldExport',
  plural: 'fieldexports',
  namespaced: true,
}

function typeOf(service: string, kind: string, plural: string): ResourceType {
  return { group: `${service}.services.k8s.aws`, version: 'v1alpha1', kind, plural, namespaced: true }
}

/** Kinds whose objects somebody made: all of them go in the end. */
export const claimTypes: readonly ResourceType[] = [exportType, roleKind.type, ...Object.values(ackTypes), configKind.type]

const slots = 6

function documentOf(action: string): string {
  return JSON.stringify({ Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action: action, Resource: '*' }] })
}

export const trust: string = JSON.stringify({
  Version: '2012-10-17',
  Statement: [{ Effect: 'Allow', Principal: { Service: 'ec2.amazonaws.com' }, Action: 'sts:AssumeRole' }],
})

/** What a slot of a kind is, in one of its variants. */
function specOf(kind: AckKind, slot: number, variant: number): object {
  const name = `chaos-${kind.toLowerCase()}-${slot}`
  switch (kind) {
    case 'Role':
      return { name, assumeRolePolicyDocument: trust, description: `variant ${variant}` }
    case 'Policy':
      return { name, policyDocument: documentOf(`s3:Get${variant === 0 ? '*' : 'Object'}`) }
    default:
      return { name, versioning: { status: variant === 0 ? 'Enabled' : 'Suspended' } }
  }
}

/** One thing that a team does. Returns what; a refusal is the platform's good right. */
export async function teamActs({ hub }: Platform, random: Random): Promise<string> {
  const variant = random.integer(2)
  if (random.float() < 0.4) return bindingActs(hub, random, variant)
  const kinds = Object.keys(ackTypes) as AckKind[]
  const kind = kinds[random.integer(kinds.length)] as AckKind
  const slot = random.integer(slots)
  const key = { namespace: team, name: `${kind.toLowerCase()}-${slot}` }
  return acts(hub, ackTypes[kind], key, { spec: specOf(kind, slot, variant) }, random)
}

function bindingActs(hub: KubeClient, random: Random, variant: number): Promise<string> {
  const app = appNames[random.integer(appNames.length)] as string
  const statement = { Effect: 'Allow', Action: variant === 0 ? 's3:*' : 's3:Get*', Resource: '*' }
  const policyDocument = { Version: '2012-10-17', Statement: [statement] }
  const body = { spec: { serviceAccount: { namespace: 'apps', name: app }, policyDocument } }
  return acts(hub, roleKind.type, { namespace: home, name: app }, body, random)
}

interface Key {
  readonly namespace: string
  readonly name: string
}

async function acts(hub: KubeClient, type: ResourceType, key: Key, body: object, random: Random): Promise<string> {
  const held = await hub.find(type, key)
  if (held === undefined) {
    await make(hub, type, { metadata: key, ...body })
    return 'made'
  }
  if (held.metadata.deletionTimestamp !== undefined) return 'left alone'
  if (random.float() < 0.4) {
    await hub.delete(type, key)
    return 'deleted'
  }
  await hub.patch(type, key, 'merge', body)
  return 'changed'
}

/** An object of the same kind and name in AWS as one of another's, with forgeries on it; or an export to where he has no business. */
export async function hostileActs({ hub }: Platform, random: Random): Promise<string> {
  const name = `m${random.integer(40)}`
  if (random.float() < 0.25) return hostileExport(hub, random, name)
  const kinds = Object.keys(ackTypes) as AckKind[]
  const type = ackTypes[kinds[random.integer(kinds.length)] as AckKind]
  const { items } = await hub.list<Resource>(type)
  const others = items.filter(({ metadata }) => metadata.namespace !== lair)
  const victim = others[random.integer(Math.max(1, others.length))]
  if (victim === undefined) return 'nothing'
  const finalizer = `finalizers.${type.group.split('.')[0]}.services.k8s.aws/${type.kind}`
  const chosen = forgeries.filter((_, index) => random.float() < (index < 2 ? 0.5 : 0.15))
  const metadata = { namespace: lair, name, ...together(chosen.map(one => one.of(victim, finalizer))) }
  const held = await hub.find(type, { namespace: lair, name })
  if (held !== undefined) {
    await hub.delete(type, { namespace: lair, name })
    return 'hostile deletion'
  }
  const evil = type.kind === 'Role' ? { description: 'evil' } : {}
  await make(hub, type, { metadata, spec: { ...victim.spec, ...evil } })
  return 'hostile object'
}

async function hostileExport(hub: KubeClient, random: Random, name: string): Promise<string> {
  const namespace = random.float() < 0.5 ? lair : home
  const resource = { group: 'iam.services.k8s.aws', kind: 'Role', name: 'mouth' }
  const mouth = await hub.find(ackTypes.Role, { namespace, name: 'mouth' })
  if (mouth === undefined) {
    const spec = { name: `mouth-${namespace}`, assumeRolePolicyDocument: trust, description: 'what I like' }
    await make(hub, ackTypes.Role, { metadata: { namespace, name: 'mouth' }, spec })
  }
  const to = { kind: 'secret', namespace: home, name: 'awi-signing-key-default', key: 'previous.pub' }
  await make(hub, exportType, { metadata: { namespace, name }, spec: { from: { path: '.spec.description', resource }, to } })
  return 'hostile export'
}

/** Nothing here rolls Deployments out: what the operators install is said to run. */
export async function playDeploymentController(cluster: KubeClient): Promise<void> {
  const { items } = await cluster.list<KubeObject & { readonly status?: { readonly observedGeneration?: number } }>(deployments)
  for (const { metadata, status } of items) {
    if (status?.observedGeneration === metadata.generation) continue
    const now = new Date().toISOString().replace(/\.\d+Z/, 'Z')
    const times = { lastTransitionTime: now, lastUpdateTime: now }
    const condition = { type: 'Available', status: 'True', reason: 'MinimumReplicasAvailable', message: '', ...times }
    const counts = { replicas: 1, updatedReplicas: 1, readyReplicas: 1, availableReplicas: 1 }
    const key = { namespace: metadata.namespace ?? '', name: metadata.name ?? '' }
    const said = { observedGeneration: metadata.generation, ...counts, conditions: [condition] }
    await cluster.patch(deployments, key, 'merge', { status: said }, { subresource: 'status' })
  }
}
