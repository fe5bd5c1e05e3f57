// The Azure provider: it follows the ServiceAccounts of one cluster and the version of its API server, and decides reviews from what it
// knows of them.
import { BoundedCache, given, type Seams } from '#base'
import type { ObjectKey } from '#kube'
import type { KubeClient } from '#kube/client'
import type { Histogram, InformerLimits, MetricLabels, Metrics } from '#runtime'
import { annotationsOf } from '../accounts/account.ts'
import { Accounts, type AccountsOptions } from '../accounts/accounts.ts'
import { unconfirmedTeller } from '../accounts/unconfirmed.ts'
import type { Provider } from '../provider.ts'
import type { WebhookMetrics } from '../serve/metrics.ts'
import { followedSource } from '../sources/followed.ts'
import { AccountReads, type AzureLookupSettings } from './account-reads.ts'
import { azureAnswer, tooLarge } from './answer.ts'
import { type AzureWebhookOptions, azurePrefix, azureProviderName, clientIdAnnotation } from './api.ts'
import { decideAzureReview } from './decide-review.ts'
import { ServerVersion } from './server-version.ts'

export interface AzureWebhookSettings {
  /** What goes into pods. */
  readonly admission: AzureWebhookOptions
  readonly lookup: AzureLookupSettings
  readonly admissionWarnings: boolean
  readonly tellsPods: boolean
  /** Off: one namespace for all, where there are too many (3.17.1). */
  readonly labelsNamespaces: boolean
}

export interface AzureProviderOptions {
  /** Of the cluster whose pods are admitted. */
  readonly client: KubeClient
  readonly seams: Pick<Seams, 'clock' | 'random' | 'log'>
  readonly settings: AzureWebhookSettings
  readonly registry: Metrics
  readonly metrics: WebhookMetrics
  readonly isPromised: (key: ObjectKey) => boolean
  /** What ends a process that cannot serve: a version of the API server that is none. */
  readonly onFatal: (error: Error) => void
  readonly informerLimits?: Partial<InformerLimits>
  /** Where another provider reads the same ServiceAccounts: one cache for both. */
  readonly accounts?: Accounts
}

/** What of a ServiceAccount is read here. */
export const keptForAzure: Pick<AccountsOptions, 'annotationPrefixes' | 'identityAnnotations'> = {
  annotationPrefixes: [azurePrefix],
  identityAnnotations: [clientIdAnnotation],
}

export function azureProvider(options: AzureProviderOptions): Provider {
  const { client, settings, metrics, registry, isPromised, onFatal } = options
  const { clock, random, log } = options.seams
  const limits = given({ limits: options.informerLimits })
  const accounts = options.accounts ?? new Accounts({ client, clock, random, log, ...keptForAzure, ...limits })
  const version = new ServerVersion({ client, clock, random: random.fork('server version'), log, onIllegal: onFatal })
  const requests = requestHistogram(registry)
  const labelsOf = namespaceLabels()
  const decideOptions = {
    reads: new AccountReads({ client, accounts, clock, metrics, isPromised, lookup: settings.lookup }),
    version,
    options: settings.admission,
    log,
    warns: settings.admissionWarnings,
    tellsPods: settings.tellsPods,
    metrics,
    tellUnconfirmed: unconfirmedTeller(clock, log, 'client id'),
  }
  return {
    name: azureProviderName,
    reviewPaths: ['/mutate-v1-pod', '/mutate'],
    answer: azureAnswer({
      clock,
      observe: (namespace, seconds) => requests.observe(seconds, labelsOf(settings.labelsNamespaces ? namespace : '')),
    }),
    answerTooLarge: tooLarge,
    countsRequests: false,
    sources: [followedSource('serviceaccounts', 'serviceaccounts', accounts), version.source()],
    serviceAccounts: accounts,
    decide: (subject, patience) => decideAzureReview(decideOptions, subject, patience),
    wake: () => accounts.tellAll(),
    knows: () => ({
      serviceAccounts: Object.fromEntries(
        [...accounts.all()].map(account => [`${account.metadata.namespace}/${account.metadata.name}`, annotationsOf(account)]),
      ),
    }),
    refresh: () => accounts.refresh(),
  }
}

/** The registry renders frozen labels once; there are as many as it takes of one metric. */
function namespaceLabels(): (namespace: string) => MetricLabels {
  const held = new BoundedCache<string, MetricLabels>(5_000)
  return namespace =>
    held.getOrMake(
      namespace,
      () => Object.freeze({ namespace }),
      () => 1,
    )
}

/** A step within each power of ten, and wider ones above a second (§3.17). */
const requestBuckets = [
  ...[1, 2, 3, 4, 5, 6, 7, 8, 9].map(step => step / 1_000),
  ...[1, 2, 3, 4, 5, 6, 7, 8, 9].map(step => step / 100),
  ...[1, 2, 3, 4, 5, 6, 7, 8, 9].map(step => step / 10),
  1,
  1.5,
  2,
  2.5,
  3,
]

function requestHistogram(metrics: Metrics): Histogram {
  return metrics.histogram(
    'azwi_mutation_request',
    'Distribution of how long it took for the azure-workload-identity mutation request',
    requestBuckets,
  )
}
