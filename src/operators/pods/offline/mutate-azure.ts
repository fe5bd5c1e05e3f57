// A review of the Azure webhook decided without a cluster, from the manifests of ServiceAccounts in hand. The same decision as the server's.
import type { KubeObject } from '#kube'
import { type AzureAdmission, admitAzurePod } from '../azure/admit.ts'
import { azureAnswer } from '../azure/answer.ts'
import { type AzureWebhookOptions, useLabel } from '../azure/api.ts'
import { accountNameOf, hasUseLabel, lacksClientId, passesBy, promised, unknownAccount } from '../azure/decide-review.ts'
import type { AzureWarn } from '../azure/mount.ts'
import type { ReviewSubject, ReviewVerdict } from '../review.ts'
import { type OfflineAnswer, outcomeOf } from './mutate.ts'

export interface AzureOfflineOptions {
  readonly review: Uint8Array
  readonly objects: readonly KubeObject[]
  readonly flags: AzureWebhookOptions
  /** The API server is 1.32 or newer. */
  readonly hasNativeSidecars: boolean
  readonly warn: AzureWarn
}

/** Throws when an input cannot be read. */
export async function mutateAzureOffline(options: AzureOfflineOptions): Promise<OfflineAnswer> {
  const accounts = annotationsOfAccounts(options.objects)
  const clock = { monotonicMs: () => 0 }
  const answer = await azureAnswer({ clock, observe: () => {} })('application/json', options.review, subject => {
    if (!hasUseLabel(subject.object))
      options.warn('the configuration of the webhook asks about pods with the label alone', { label: `${useLabel}: "true"` })
    return azureVerdict(subject, { ...options, accounts })
  })
  return { review: answer.body, ...outcomeOf(options.review, answer) }
}

export interface KnownToAzure extends Pick<AzureOfflineOptions, 'flags' | 'hasNativeSidecars' | 'warn'> {
  readonly accounts: AccountAnnotations
}

/** By `namespace/name`. */
export type AccountAnnotations = ReadonlyMap<string, AzureAdmission['account']>

export function annotationsOfAccounts(objects: readonly KubeObject[]): AccountAnnotations {
  return new Map(
    objects
      .filter(({ kind }) => kind === 'ServiceAccount')
      .map(({ metadata }) => [`${metadata.namespace ?? 'default'}/${metadata.name ?? ''}`, metadata.annotations ?? {}]),
  )
}

/** What the webhook says when it knows everything that there is to know. */
export function azureVerdict({ namespace, object }: ReviewSubject, known: KnownToAzure): ReviewVerdict {
  const { accounts, flags: options, hasNativeSidecars, warn } = known
  if (passesBy(object, options) !== undefined) return { kind: 'allow', operations: [] }
  const name = accountNameOf(object)
  const account = accounts.get(`${namespace}/${name}`)
  if (account === undefined) return unknownAccount(name)
  if (lacksClientId(object, account)) return promised(namespace, name)
  const admitted = admitAzurePod({ pod: object, namespace, account, options, hasNativeSidecars, warn })
  return 'refused' in admitted
    ? { kind: 'refuse', message: admitted.message }
    : { kind: 'allow', operations: admitted, warnings: [] }
}
