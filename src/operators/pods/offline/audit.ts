// Which pods run with another identity than they would get if they were made now: let in while the webhook was away or before their
// ServiceAccount had its role, or made before the role, the audience, the path of the token or the method changed. What a pod has is read
// off it; what it would get is the webhook's own decision on the same pod without what it has.
import { applyJsonPatch, type KubeObject } from '#kube'
import { admitPod } from '../aws/admit.ts'
import { readServiceAccount } from '../aws/annotations.ts'
import type { AwsWebhookOptions } from '../aws/api.ts'
import { mirrorAnnotation, skipLabel } from '../aws/api.ts'
import type { JsonObject } from '../patch.ts'
import type { RoleEntries } from '../sources/config-map.ts'
import type { CredentialsIdentities } from '../sources/credentials-file.ts'
import { type GivenIdentity, identityOf, withoutIdentity } from './given-identity.ts'

export interface AuditOptions {
  readonly pods: readonly KubeObject[]
  readonly accounts: readonly KubeObject[]
  readonly entries: RoleEntries
  readonly identities: CredentialsIdentities
  readonly flags: AwsWebhookOptions
}

export interface Audit {
  /** Pods that run and that the webhook is asked about. The others say nothing about it. */
  readonly looked: number
  readonly outdated: readonly OutdatedPod[]
}

/** A pod that has to be made anew. */
export interface OutdatedPod {
  readonly namespace: string
  readonly name: string
  readonly serviceAccount: string
  /** Who has to make it anew: the controller, or whoever made the pod. */
  readonly madeBy: string
  /** What it has and what it would get, for people, by container; a difference that all containers share is told once. */
  readonly differences: readonly string[]
}

type PodObject = KubeObject & {
  readonly spec?: { readonly serviceAccountName?: string }
  readonly status?: { readonly phase?: string }
}

const over: ReadonlySet<string> = new Set(['Succeeded', 'Failed'])

export function auditPods(options: AuditOptions): Audit {
  const annotations = new Map(
    options.accounts.map(({ metadata }) => [`${metadata.namespace}/${metadata.name}`, metadata.annotations ?? {}]),
  )
  const asked = options.pods.filter(isAsked)
  return { looked: asked.length, outdated: asked.flatMap(pod => outdatedOf(pod, annotations, options) ?? []) }
}

function isAsked({ metadata, status }: PodObject): boolean {
  const { labels, annotations, deletionTimestamp } = metadata
  const isMirror = annotations?.[mirrorAnnotation] !== undefined
  return labels?.[skipLabel] === undefined && !isMirror && deletionTimestamp === undefined && !over.has(status?.phase ?? '')
}

function outdatedOf(
  pod: PodObject,
  annotations: ReadonlyMap<string, Readonly<Record<string, string>>>,
  options: AuditOptions,
): OutdatedPod | undefined {
  const { namespace = '', name = '', ownerReferences } = pod.metadata
  const serviceAccount = pod.spec?.serviceAccountName ?? ''
  const object = pod as unknown as JsonObject
  const id = `${namespace}/${serviceAccount}`
  const today = podOfToday(object, { id, name: serviceAccount, annotations: annotations.get(id) }, options)
  const differences = differencesOf(identityOf(object, options.flags), identityOf(today, options.flags))
  if (differences.length === 0) return undefined
  const owner = ownerReferences?.find(({ controller }) => controller === true)
  const madeBy = owner === undefined ? 'nobody: delete it and make it again' : `${owner.kind} ${owner.name}`
  return { namespace, name, serviceAccount, madeBy, differences }
}

interface Account {
  readonly id: string
  readonly name: string
  readonly annotations: Readonly<Record<string, string>> | undefined
}

/** The pod as the webhook would have it. */
function podOfToday(
  pod: JsonObject,
  { id, name, annotations }: Account,
  { entries, identities, flags }: AuditOptions,
): JsonObject {
  const warn = (): void => {}
  const object = withoutIdentity(pod, flags)
  const operations = admitPod({
    object,
    snapshot: {
      serviceAccount: annotations === undefined ? undefined : readServiceAccount(annotations, flags, warn),
      exactEntry: entries.entries.get(id),
      wildcardEntry: entries.entries.get(`*/${name}`),
      usesContainerCredentials: identities.has(id),
    },
    flags,
    randomBelow: () => 0,
    warn,
  })
  return applyJsonPatch(object, operations) as JsonObject
}

type ByContainer = ReadonlyMap<string, GivenIdentity>

function differencesOf(has: ByContainer, wouldGet: ByContainer): readonly string[] {
  const containers = new Set([...has.keys(), ...wouldGet.keys()])
  return [...new Set([...containers].flatMap(name => differenceOf(has.get(name), wouldGet.get(name)) ?? []))]
}

/** Variables that a flag would add or leave out today are no other identity. */
function differenceOf(has: GivenIdentity | undefined, wouldGet: GivenIdentity | undefined): string | undefined {
  if (has === undefined || wouldGet === undefined || has.method !== wouldGet.method)
    return `has ${methodText(has)} and would get ${methodText(wouldGet)}`
  if (has.roleArn !== wouldGet.roleArn) return `has ${methodText(has)} and would get ${methodText(wouldGet)}`
  if (has.audience !== wouldGet.audience)
    return `has a token for ${has.audience || 'the API server'} and would get one for ${wouldGet.audience || 'the API server'}`
  if (has.tokenFile !== wouldGet.tokenFile) return `has its token at ${has.tokenFile} and would get it at ${wouldGet.tokenFile}`
  return undefined
}

function methodText(identity: GivenIdentity | undefined): string {
  if (identity === undefined) return 'no identity'
  if (identity.method === 'container credentials') return 'container credentials'
  return identity.roleArn === '' ? 'a role of its own choice' : `role ${identity.roleArn}`
}
