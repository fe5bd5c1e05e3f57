// The AWS provider: it follows the ServiceAccounts, the ConfigMap and the container-credentials file of one cluster, and decides reviews from
// one snapshot of them each.
import { type Clock, given, type Seams } from '#base'
import { configMaps, type ObjectKey, type StoredObject, serviceAccounts } from '#kube'
import type { KubeClient } from '#kube/client'
import type { InformerLimits } from '#runtime'
import { Accounts, type AccountsOptions } from '../accounts/accounts.ts'
import { DirectReads } from '../accounts/direct-reads.ts'
import { type LookupOptions, type Other, readUntilAnswered } from '../accounts/lookup.ts'
import { PromiseHolds } from '../accounts/promise-holds.ts'
import { accountBudgets, ReadBudget } from '../accounts/read-budget.ts'
import { SteadyAccounts } from '../accounts/steady.ts'
import { unconfirmedTeller } from '../accounts/unconfirmed.ts'
import type { AwsWebhookSettings } from '../flags/settings.ts'
import type { IdentitySource, Provider } from '../provider.ts'
import { answerReview } from '../review.ts'
import type { WebhookMetrics } from '../serve/metrics.ts'
import { configMapName } from '../sources/config-map.ts'
import { CredentialsFileSource } from '../sources/credentials-file.ts'
import { ConfigMapSource } from '../sources/follow-config-map.ts'
import { followedSource } from '../sources/followed.ts'
import { awsProviderName } from './api.ts'
import { BehindAnswers } from './behind-answers.ts'
import { decideReview } from './decide-review.ts'
import { Snapshots } from './snapshots.ts'

export interface AwsProviderOptions {
  /** Of the cluster whose pods are admitted. */
  readonly client: KubeClient
  readonly seams: Pick<Seams, 'clock' | 'random' | 'log' | 'files'>
  readonly settings: AwsWebhookSettings
  readonly metrics: WebhookMetrics
  /** Whether a role is promised for this ServiceAccount though nothing in the cluster says so yet. */
  readonly isPromised: (key: ObjectKey) => boolean
  readonly informerLimits?: Partial<InformerLimits>
  /** What another provider reads of the same ServiceAccounts: one cache for both. */
  readonly alsoKept?: KeptOfAccounts
}

export type KeptOfAccounts = Pick<AccountsOptions, 'annotationPrefixes' | 'identityAnnotations'>

/** Others may read its cache of ServiceAccounts. */
export interface AwsProvider extends Provider {
  readonly serviceAccounts: Accounts
}

/** Of the ConfigMap: one read serves all who wait, so that they wait for a turn. */
const configMapReads = { perSecond: 200, burst: 200, queuedMax: 1_000 }

export function awsProvider(options: AwsProviderOptions): AwsProvider {
  const { settings, metrics } = options
  const { clock, random, log } = options.seams
  const { accounts, configMap, credentialsFile, steady } = followed(options)
  const lookup = lookupOptions(options, { accounts, configMap, credentialsFile })
  const checks = new BehindAnswers({ lookup, steady, clock, log, metrics, snapshots: () => snapshots })
  const ms = settings.lookup.requiredRoleWaitMs
  const holds = new PromiseHolds({ clock, accounts, ms, waiting: metrics.waiting, provider: awsProviderName })
  const snapshots: Snapshots = new Snapshots({
    accounts,
    configMap,
    credentialsFile,
    lookup,
    behind: lookup.confirmBudget === undefined || lookup.graceMs === 0 ? undefined : { steady, checks },
    flags: settings.admission,
    clock,
    log,
    metrics,
    isPromised: options.isPromised,
    holds,
  })
  const decideOptions = {
    snapshots,
    flags: settings.admission,
    random,
    clock,
    log,
    metrics,
    warns: settings.admissionWarnings,
    verbosity: settings.verbosity,
    tellUnconfirmed: unconfirmedTeller(clock, log, 'role'),
  }
  return {
    name: awsProviderName,
    reviewPaths: ['/mutate'],
    answer: answerReview,
    countsRequests: true,
    sources: [
      followedSource('serviceaccounts', 'serviceaccounts', accounts, checks),
      ...(configMap === undefined ? [] : [followedSource('configmap', 'configmaps', configMap)]),
      ...(credentialsFile === undefined ? [] : [fileSource(credentialsFile)]),
    ],
    serviceAccounts: accounts,
    decide: (subject, patience) => decideReview(decideOptions, subject, patience),
    wake: () => accounts.tellAll(),
    knows: () => known({ accounts, configMap, credentialsFile }),
    refresh: () => accounts.refresh(),
  }
}

interface Sources {
  readonly accounts: Accounts
  readonly configMap: ConfigMapSource | undefined
  readonly credentialsFile: CredentialsFileSource | undefined
}

interface Followed extends Sources {
  readonly steady: SteadyAccounts
}

function followed({ client, seams, settings, informerLimits, alsoKept }: AwsProviderOptions): Followed {
  const { clock, random, log, files } = seams
  const { annotationPrefix } = settings.admission
  const { confirmation } = settings.lookup
  // A file is looked at once a second, and no watch: nobody can say of it when it last changed.
  const hasFile = settings.credentialsFile !== ''
  const steadyAfterMs = confirmation.kind === 'read' && !hasFile ? confirmation.steadyAfterMs : 0
  const onChange = (id: string): void => steady.changed(id)
  const common = { client, clock, random, log, ...given({ limits: informerLimits }) }
  const accounts: Accounts = new Accounts({
    ...common,
    annotationPrefixes: [annotationPrefix, ...(alsoKept?.annotationPrefixes ?? [])],
    identityAnnotations: [`${annotationPrefix}/role-arn`, ...(alsoKept?.identityAnnotations ?? [])],
    verbosity: settings.verbosity,
    onChange,
  })
  const onEntries = (keys: readonly string[]): void => {
    for (const key of keys) steady.changed(key)
    accounts.tellAll()
  }
  const configMap = settings.watchConfigMap
    ? new ConfigMapSource({ ...common, namespace: settings.namespace, onChange: onEntries })
    : undefined
  const informers = [accounts.informer, ...(configMap === undefined ? [] : [configMap.informer])]
  const steady = new SteadyAccounts({ clock, afterMs: steadyAfterMs, informers })
  return {
    accounts,
    steady,
    configMap,
    credentialsFile: !hasFile
      ? undefined
      : new CredentialsFileSource({
          path: settings.credentialsFile,
          files,
          clock,
          random,
          log,
          onChange: () => accounts.tellAll(),
        }),
  }
}

function lookupOptions({ client, seams, settings }: AwsProviderOptions, followedOnes: Sources): LookupOptions {
  const { clock } = seams
  const { accounts, configMap, credentialsFile } = followedOnes
  return {
    accounts,
    reads: new DirectReads(client, serviceAccounts),
    clock,
    graceMs: settings.lookup.graceMs,
    ...accountBudgets(clock, settings.lookup.confirmation.kind === 'read'),
    others: [
      ...(configMap === undefined ? [] : [configMapReader({ client, clock, configMap, namespace: settings.namespace })]),
      ...(credentialsFile === undefined ? [] : [fileReader(credentialsFile)]),
    ],
  }
}

/** It says nothing of its state, and is read within milliseconds of the start. */
function fileSource(file: CredentialsFileSource): IdentitySource {
  return {
    name: 'container-credentials',
    get synced() {
      return file.synced
    },
    run: signal => file.run(signal),
  }
}

function known({ accounts, configMap, credentialsFile }: Sources): object {
  const entries = [...(configMap?.current.entries ?? [])].map(([key, { expirationSeconds, ...entry }]) => [
    key,
    { ...entry, expirationSeconds: Number(expirationSeconds) },
  ])
  return {
    serviceAccounts: Object.fromEntries(
      [...accounts.all()].map(({ metadata }) => [`${metadata.namespace}/${metadata.name}`, metadata.annotations ?? {}]),
    ),
    configMap: Object.fromEntries(entries) as unknown,
    containerCredentials: [...(credentialsFile?.current ?? [])],
  }
}

/** The ConfigMap may name a role that its watch has not brought yet. One read serves all who wait. */
function configMapReader({ client, clock, configMap, namespace }: ConfigMapReaderOptions): Other {
  const reads = new DirectReads(client, configMaps)
  const budget = new ReadBudget(clock, configMapReads)
  const key = { namespace, name: configMapName }
  const learn = (object: StoredObject): void => configMap.learn(object)
  return (isDone, signal) => readUntilAnswered({ reads, clock, learn }, { key, budget, isDone }, signal)
}

interface ConfigMapReaderOptions {
  readonly client: KubeClient
  readonly clock: Clock
  readonly configMap: ConfigMapSource
  readonly namespace: string
}

function fileReader(file: CredentialsFileSource): Other {
  return (_isDone, signal) =>
    new Promise(resolve => {
      const late = (): void => resolve('timeout')
      signal.addEventListener('abort', late, { once: true })
      // It rejects for nothing: what cannot be read is logged, and what was read before counts.
      void file.refresh().then(() => {
        signal.removeEventListener('abort', late)
        resolve('not_found')
      })
    })
}
