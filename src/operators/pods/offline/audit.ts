// Which pods run with another identity than they would get if they were made now: let in while the webhook was away or before their
// ServiceAccount had its role, or made before the role, the audience, the path of the token or the method changed. What a pod has is read
// off it; what it would get is the webhook's own decision on the same pod without what it has.
import { applyJsonPatch, type KubeObject } from '#kube'
import { admitPod } from '../aws/admit.ts'
import { readServiceAccount } from '../aws/annotations.ts'
import type { AwsWebhookOptions } from '../aws/api.ts'
import { mirrorAnnotation, skipLabel } from '../aws/api.ts'
import type { PatchObject } from '../patch.ts'
import type { RoleEntries } from '../sources/config-map.ts'
import type { CredentialsIdentities } from '../sources/credentials-file.ts'
import { type GivenIdentity, identityOf, mapOf, textOf, withoutIdentity } from './given-identity.ts'
import { type Audit, audited, differencesByContainer, isRunning, type PodObject } from './outdated.ts'

export interface AuditOptions {
  readonly pods: readonly KubeObject[]
  readonly accounts: readonly KubeObject[]
  readonly entries: RoleEntries
  readonly identities: CredentialsIdentities
  readonly flags: AwsWebhookOptions
}

export function auditPods(options: AuditOptions): Audit {
  const annotations = new Map(
    options.accounts.map(({ metadata }) => [`${metadata.namespace}/${metadata.name}`, metadata.annotations ?? {}]),
  )
  return audited(options.pods.filter(isAsked), pod => {
    const metadata = mapOf(pod['metadata'])
    const serviceAccount = textOf(mapOf(pod['spec'])['serviceAccountName'])
    const id = `${textOf(metadata['namespace'])}/${serviceAccount}`
    const today = podOfToday(pod, { id, name: serviceAccount, annotations: annotations.get(id) }, options)
    return differencesByContainer(identityOf(pod, options.flags), identityOf(today, options.flags), (has, wouldGet) => {
      const difference = differenceOf(has, wouldGet)
      return difference === undefined ? [] : [difference]
    })
  })
}

function isAsked(pod: PodObject): boolean {
  const { labels, annotations } = pod.metadata
  return labels?.[skipLabel] === undefined && annotations?.[mirrorAnnotation] === undefined && isRunning(pod)
}

interface Account {
  readonly id: string
  readonly name: string
  readonly annotations: Readonly<Record<string, string>> | undefined
}

/** The pod as the webhook would have it. */
function podOfToday(
  pod: PatchObject,
  { id, name, annotations }: Account,
  { entries, identities, flags }: AuditOptions,
): PatchObject {
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
  return applyJsonPatch(object, operations) as PatchObject
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
