// A review decided without a cluster: from the manifests of ServiceAccounts and ConfigMap in hand. The same decision as the server's, for
// tests of policies and for people who want to see what would happen.
import type { Random } from '#base'
import { applyJsonPatch, type KubeObject } from '#kube'
import { admitPod } from '../aws/admit.ts'
import { readServiceAccount, type Warn } from '../aws/annotations.ts'
import type { AwsWebhookOptions, IdentitySnapshot } from '../aws/api.ts'
import { isObject, type PatchObject } from '../patch.ts'
import { answerReview, type ReviewAnswer } from '../review.ts'
import { configMapKey, configMapName, noRoleEntries, parseRoleEntries, type RoleEntries } from '../sources/config-map.ts'
import { type CredentialsIdentities, parseCredentialsFile } from '../sources/credentials-file.ts'

export interface OfflineOptions {
  readonly review: Uint8Array
  readonly objects: readonly KubeObject[]
  readonly flags: AwsWebhookOptions
  readonly watchConfigMap: boolean
  /** The namespace of the ConfigMap. */
  readonly namespace: string
  /** Text of the container-credentials file. */
  readonly credentials?: string
  readonly random: Random
  readonly warn: Warn
}

export interface OfflineAnswer {
  readonly review: string
  readonly allowed: boolean
  /** The pod as it would be stored; the one that was sent when it is refused. */
  readonly pod: unknown
}

/** Throws when an input cannot be read. */
export async function mutateOffline(options: OfflineOptions): Promise<OfflineAnswer> {
  const { flags, random, warn } = options
  const entries = options.watchConfigMap ? entriesOf(options) : noRoleEntries
  const listed = identitiesOf(options.credentials)
  const accounts = new Map(
    options.objects
      .filter(({ kind }) => kind === 'ServiceAccount')
      .map(({ metadata }) => [`${metadata.namespace ?? 'default'}/${metadata.name ?? ''}`, metadata.annotations ?? {}]),
  )
  const answer = await answerReview('application/json', options.review, ({ namespace, object }) => {
    const spec = isObject(object['spec']) ? object['spec'] : {}
    const name = typeof spec['serviceAccountName'] === 'string' ? spec['serviceAccountName'] : ''
    const annotations = accounts.get(`${namespace}/${name}`)
    const snapshot: IdentitySnapshot = {
      serviceAccount: annotations === undefined ? undefined : readServiceAccount(annotations, flags, warn),
      exactEntry: entries.entries.get(`${namespace}/${name}`),
      wildcardEntry: entries.entries.get(`*/${name}`),
      usesContainerCredentials: listed.has(`${namespace}/${name}`),
    }
    const operations = admitPod({ object, snapshot, flags, randomBelow: below => random.integer(below), warn })
    return { kind: 'allow', operations }
  })
  return { review: answer.body, ...outcomeOf(options.review, answer) }
}

/** What became of the pod of the review. */
export function outcomeOf(review: Uint8Array, answer: ReviewAnswer): Omit<OfflineAnswer, 'review'> {
  const { response } = JSON.parse(answer.body) as { response: { allowed: boolean; patch?: string } }
  let pod: unknown
  try {
    pod = (JSON.parse(new TextDecoder().decode(review)) as { request?: { object?: PatchObject } }).request?.object
  } catch {
    // What is no JSON has no pod; the answer says so.
  }
  if (response.patch === undefined) return { allowed: response.allowed, pod }
  const operations = JSON.parse(Buffer.from(response.patch, 'base64').toString()) as unknown[]
  return { allowed: response.allowed, pod: applyJsonPatch(pod, operations) }
}

function entriesOf({ objects, namespace }: OfflineOptions): RoleEntries {
  const found = objects.find(
    ({ kind, metadata }) => kind === 'ConfigMap' && metadata.name === configMapName && metadata.namespace === namespace,
  ) as (KubeObject & { readonly data?: Readonly<Record<string, string>> }) | undefined
  if (found === undefined) return noRoleEntries
  const entries = parseRoleEntries(found.data?.[configMapKey] ?? '')
  if (entries instanceof Error) throw new Error(`ConfigMap ${namespace}/${configMapName}: ${entries.message}`)
  return entries
}

function identitiesOf(text: string | undefined): CredentialsIdentities {
  const identities = parseCredentialsFile(text ?? '')
  if (identities instanceof Error) throw new Error(`the container-credentials file: ${identities.message}`)
  return identities
}
