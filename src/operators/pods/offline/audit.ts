// Which pods run without the identity that they would get if they were made now: let in while the webhook was away, or before their
// ServiceAccount had its role. The question is the webhook's own: would it still add something?
import type { KubeObject } from '#kube'
import { admitPod } from '../aws/admit.ts'
import { readServiceAccount } from '../aws/annotations.ts'
import type { AwsWebhookOptions } from '../aws/api.ts'
import { skipLabel } from '../aws/api.ts'
import type { JsonObject } from '../patch.ts'
import type { RoleEntries } from '../sources/config-map.ts'
import type { CredentialsIdentities } from '../sources/credentials-file.ts'

export interface AuditOptions {
  readonly pods: readonly KubeObject[]
  readonly accounts: readonly KubeObject[]
  readonly entries: RoleEntries
  readonly identities: CredentialsIdentities
  readonly flags: AwsWebhookOptions
}

export interface PodWithoutIdentity {
  readonly namespace: string
  readonly name: string
  readonly serviceAccount: string
  /** Who has to make it anew: the controller, or whoever made the pod. */
  readonly madeBy: string
  readonly missing: 'container credentials' | 'web identity'
}

type PodObject = KubeObject & {
  readonly spec?: { readonly serviceAccountName?: string }
  readonly status?: { readonly phase?: string }
}

const over: ReadonlySet<string> = new Set(['Succeeded', 'Failed'])

export function findPodsWithoutIdentity(options: AuditOptions): readonly PodWithoutIdentity[] {
  const { entries, identities, flags } = options
  const warn = (): void => {}
  const accounts = new Map(
    options.accounts.map(({ metadata }) => [`${metadata.namespace}/${metadata.name}`, metadata.annotations ?? {}]),
  )
  return options.pods.flatMap(object => {
    const pod = object as PodObject
    const { namespace = '', name = '', labels, ownerReferences, deletionTimestamp } = pod.metadata
    const serviceAccount = pod.spec?.serviceAccountName ?? ''
    const isAsked = labels?.[skipLabel] === undefined && deletionTimestamp === undefined && !over.has(pod.status?.phase ?? '')
    if (!isAsked) return []
    const annotations = accounts.get(`${namespace}/${serviceAccount}`)
    const usesContainerCredentials = identities.has(`${namespace}/${serviceAccount}`)
    const operations = admitPod({
      object: pod as unknown as JsonObject,
      snapshot: {
        serviceAccount: annotations === undefined ? undefined : readServiceAccount(annotations, flags, warn),
        exactEntry: entries.entries.get(`${namespace}/${serviceAccount}`),
        wildcardEntry: entries.entries.get(`*/${serviceAccount}`),
        usesContainerCredentials,
      },
      flags,
      randomBelow: () => 0,
      warn,
    })
    // A variable more or less is a flag that changed; without the volume there is no identity at all.
    if (!operations.some(({ path }) => path.startsWith('/spec/volumes'))) return []
    const owner = ownerReferences?.find(({ controller }) => controller === true)
    const madeBy = owner === undefined ? 'nobody: delete it and make it again' : `${owner.kind} ${owner.name}`
    return [
      { namespace, name, serviceAccount, madeBy, missing: usesContainerCredentials ? 'container credentials' : 'web identity' },
    ]
  })
}
