// What a review is answered: the ServiceAccount read, the pod decided on, and told to metrics and log why.
import type { Log } from '#base'
import type { UnconfirmedTeller } from '../accounts/unconfirmed.ts'
import { isObject, type PatchObject } from '../patch.ts'
import type { Decision, Patience } from '../provider.ts'
import type { ReviewSubject, ReviewVerdict } from '../review.ts'
import { echoed, textOf } from '../review.ts'
import type { WebhookMetrics } from '../serve/metrics.ts'
import type { AccountRead, AccountReads } from './account-reads.ts'
import { admitAzurePod, podAnnotations } from './admit.ts'
import { type Annotations, clientIdOf, wantsProxy } from './annotations.ts'
import {
  type AzureWebhookOptions,
  mirrorPodAnnotation,
  azureProviderName as provider,
  requireClientIdAnnotation,
  useLabel,
} from './api.ts'
import type { ServerVersion } from './server-version.ts'

export interface AzureDecideOptions {
  readonly reads: AccountReads
  readonly version: ServerVersion
  readonly options: AzureWebhookOptions
  readonly log: Log
  /** Whoever makes a pod is told what was odd about it. */
  readonly warns: boolean
  /** A line for each pod. */
  readonly tellsPods: boolean
  readonly metrics: Pick<WebhookMetrics, 'unconfirmed'>
  readonly tellUnconfirmed: UnconfirmedTeller
}

/** A pod that wants the proxy waits this long for the version of the API server, and is then given the older form (§3.9). */
const versionWaitMs = 1_000

export function decideAzureReview(
  options: AzureDecideOptions,
  subject: ReviewSubject,
  patience: Patience,
): Decision | Promise<Decision> {
  const { object, namespace } = subject
  const annotations = podAnnotations(object)
  const passes = passesBy(object, options.options)
  if (passes !== undefined) return unchanged(passes)
  const key = { namespace, name: accountNameOf(object) }
  const read = options.reads.take(key, annotations[requireClientIdAnnotation] === 'true', patience)
  const needsVersion = wantsProxy(annotations, options.options) && options.version.hasNativeSidecars === undefined
  const decide = (one: AccountRead): Decision => told(options, subject, decisionOf(options, subject, one))
  if (read instanceof Promise || needsVersion)
    return Promise.all([read, needsVersion ? options.version.known(versionWaitMs, patience.signal) : undefined]).then(([one]) =>
      decide(one),
    )
  return decide(read)
}

/** Why a pod is let in as it is, whoever its ServiceAccount is. */
export function passesBy(
  pod: PatchObject,
  { requirePodLabel }: Pick<AzureWebhookOptions, 'requirePodLabel'>,
): 'mirror_pod' | 'label_missing' | undefined {
  if (podAnnotations(pod)[mirrorPodAnnotation] !== undefined) return 'mirror_pod'
  return requirePodLabel && !hasUseLabel(pod) ? 'label_missing' : undefined
}

/** That the pod or its ServiceAccount says that there has to be a client id, and there is none. */
export function lacksClientId(pod: PatchObject, account: Annotations): boolean {
  const requires = [podAnnotations(pod), account].some(annotations => annotations[requireClientIdAnnotation] === 'true')
  return requires && clientIdOf(account) === ''
}

export function hasUseLabel(pod: PatchObject): boolean {
  const metadata = isObject(pod['metadata']) ? pod['metadata'] : {}
  return isObject(metadata['labels']) && metadata['labels'][useLabel] === 'true'
}

export function accountNameOf(pod: PatchObject): string {
  const spec = isObject(pod['spec']) ? pod['spec'] : {}
  return textOf(spec['serviceAccountName']) || 'default'
}

function decisionOf(
  options: AzureDecideOptions,
  subject: ReviewSubject,
  { account, outcome, lacksPromised }: AccountRead,
): Decision {
  const { namespace, object } = subject
  const serviceAccount = echoed(accountNameOf(object))
  const isUncertain = outcome === 'timeout' || outcome === 'error'
  if (account === undefined) {
    if (isUncertain) return { verdict: unreadable(namespace, serviceAccount), reason: 'lookup_timeout' }
    return { verdict: unknownAccount(serviceAccount), reason: 'sa_unknown' }
  }
  if (lacksPromised) return { verdict: promised(namespace, serviceAccount), reason: 'role_promised' }
  const warnings: string[] = []
  const admitted = admitAzurePod({
    pod: object,
    namespace,
    account,
    options: options.options,
    hasNativeSidecars: options.version.hasNativeSidecars ?? false,
    warn: (message, fields) => {
      if (options.warns) warnings.push(`${message} (${Object.values(fields).join(', ')})`)
      options.log.debug(message, { ...fields, namespace, 'service-account': serviceAccount })
    },
  })
  if ('refused' in admitted) return { verdict: refuse(admitted.message), reason: admitted.refused }
  if (isUncertain) {
    options.metrics.unconfirmed.add(providerLabels)
    options.tellUnconfirmed({ namespace, serviceAccount })
  }
  const audit = isUncertain ? { audit: unconfirmed } : {}
  return {
    verdict: { kind: 'allow', operations: admitted, warnings, ...audit },
    reason: admitted.length === 0 ? 'already_complete' : 'azure',
  }
}

const providerLabels = Object.freeze({ provider })

/** So that the trace of such a pod is also where its creation is recorded. */
const unconfirmed = Object.freeze({
  'client-id-unconfirmed': 'the API server did not say in time whether the ServiceAccount has a client id',
})

function refuse(message: string): ReviewVerdict {
  return { kind: 'refuse', message }
}

export function unknownAccount(name: string): ReviewVerdict {
  return refuse(`serviceaccounts ${JSON.stringify(name)} not found`)
}

/** An error of the call: the failure policy decides (F-21). */
function unreadable(namespace: string, name: string): ReviewVerdict {
  return { kind: 'fail', message: `ServiceAccount ${namespace}/${name} could not be read from the API server in time` }
}

/** A denial with a time: the failure policy must not let the pod in, and clients that know the code try again by themselves. */
export function promised(namespace: string, name: string): ReviewVerdict {
  return {
    kind: 'refuse',
    code: 429,
    reason: 'TooManyRequests',
    retryAfterSeconds: 1,
    message: `the client id of ServiceAccount ${namespace}/${name} is promised or required but not there yet, and without it the pod would run with no identity of its own; try again in a moment, and see the ServiceAccount's annotation azure.workload.identity/client-id`,
  }
}

function unchanged(reason: Decision['reason']): Decision {
  return { verdict: { kind: 'allow', operations: [] }, reason }
}

function told({ log, tellsPods }: AzureDecideOptions, { namespace, object }: ReviewSubject, decision: Decision): Decision {
  if (!tellsPods) return decision
  const metadata = isObject(object['metadata']) ? object['metadata'] : {}
  const { verdict, reason } = decision
  const isMutated = verdict.kind === 'allow' && verdict.operations.length > 0
  log.info(isMutated ? 'pod mutated' : verdict.kind === 'allow' ? 'pod not mutated' : 'pod refused', {
    pod: echoed(textOf(metadata['name']) || textOf(metadata['generateName'])),
    namespace,
    'service-account': echoed(accountNameOf(object)),
    reason,
  })
  return decision
}
