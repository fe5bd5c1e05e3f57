// What a review is answered: the snapshot taken, the pod decided on, and told to metrics and log why.
import type { Clock, Log, Random } from '#base'
import type { UnconfirmedTeller } from '../accounts/unconfirmed.ts'
import { isObject, type PatchObject, type PatchValue } from '../patch.ts'
import type { Decision, Patience } from '../provider.ts'
import type { AdmissionReason } from '../reasons.ts'
import { echoed, type ReviewSubject, type ReviewVerdict } from '../review.ts'
import type { WebhookMetrics } from '../serve/metrics.ts'
import { admitPod } from './admit.ts'
import { type AwsWebhookOptions, type IdentitySnapshot, mirrorAnnotation, awsProviderName as provider } from './api.ts'
import { roleSourceOf } from './role-source.ts'
import { requireRoleAnnotation, type Snapshots, type TakenSnapshot } from './snapshots.ts'

export interface DecideOptions {
  readonly snapshots: Snapshots
  readonly flags: AwsWebhookOptions
  readonly random: Random
  readonly clock: Clock
  readonly log: Log
  readonly metrics: WebhookMetrics
  readonly warns: boolean
  /** 3: a line per pod; 4: the reasons. */
  readonly verbosity: number
  /** A pod is let in without a role though nobody could say that it has none. */
  readonly tellUnconfirmed: UnconfirmedTeller
}

/** So that the trace of such a pod is also where its creation is recorded. */
const unconfirmed = Object.freeze({
  'role-unconfirmed': 'the API server did not say in time whether the ServiceAccount has a role',
})

/** A value when the cache can answer, which is nearly always; a promise when something has to be waited for. */
export function decideReview(options: DecideOptions, subject: ReviewSubject, patience: Patience): Decision | Promise<Decision> {
  const { object, namespace } = subject
  const annotations = mapOf(mapOf(object['metadata'])['annotations'])
  if (typeof annotations[mirrorAnnotation] === 'string') return told(options, subject, unchanged('mirror_pod'))
  const name = textOf(mapOf(object['spec'])['serviceAccountName'])
  const requires = annotations[`${options.flags.annotationPrefix}/${requireRoleAnnotation}`] === 'true'
  const taken = options.snapshots.take({ namespace, name }, requires, patience)
  const decide = (one: TakenSnapshot): Decision => told(options, subject, decisionOf(options, subject, one, name))
  return taken instanceof Promise ? taken.then(decide) : decide(taken)
}

function decisionOf(options: DecideOptions, subject: ReviewSubject, taken: TakenSnapshot, name: string): Decision {
  const { namespace, object } = subject
  const { snapshot, outcome } = taken
  if (taken.lacksPromisedRole) return { verdict: refusal(namespace, echoed(name)), reason: 'role_promised' }
  const warnings: string[] = []
  const operations = admitPod({
    object,
    snapshot,
    flags: options.flags,
    randomBelow: below => options.random.integer(below),
    warn: (message, fields) => {
      if (options.warns) warnings.push(warningText(message, fields))
      if (options.verbosity >= 4) options.log.warn(message, { ...fields, namespace, serviceAccount: echoed(name) })
    },
    broken: (message, fields) => {
      warnings.push(warningText(message, fields))
      options.log.warn(message, { ...fields, namespace, serviceAccount: echoed(name) })
    },
    note: (message, fields) => {
      if (options.verbosity >= 4) options.log.info(message, { ...fields, namespace, serviceAccount: echoed(name) })
    },
  })
  const reason = reasonOf(snapshot, outcome)
  if (operations.length > 0) return { verdict: { kind: 'allow', operations, warnings }, reason }
  if (reason === 'lookup_timeout') {
    options.metrics.unconfirmed.add(providerLabels)
    options.tellUnconfirmed({ namespace, serviceAccount: echoed(name) })
    return { verdict: { kind: 'allow', operations, warnings, audit: unconfirmed }, reason }
  }
  const had = snapshot.usesContainerCredentials || reason === 'sa_role' || reason === 'cm_role'
  return { verdict: { kind: 'allow', operations, warnings }, reason: had ? 'already_complete' : reason }
}

function warningText(message: string, fields: Readonly<Record<string, string>>): string {
  return `${message} (${Object.values(fields).join(', ')})`
}

function told(options: DecideOptions, subject: ReviewSubject, decision: Decision): Decision {
  const { metrics, log, verbosity } = options
  const { verdict, reason } = decision
  const isMutated = verdict.kind === 'allow' && verdict.operations.length > 0
  if (isMutated) {
    metrics.podCount.add(reason === 'container_credentials' ? byContainer : byWebIdentity)
    metrics.used.set(1)
  }
  if (verbosity >= 3) {
    const metadata = mapOf(subject.object['metadata'])
    log.info(isMutated ? 'pod mutated' : verdict.kind === 'refuse' ? 'pod refused' : 'pod not mutated', {
      pod: echoed(textOf(metadata['name']) || textOf(metadata['generateName'])),
      namespace: subject.namespace,
      serviceAccount: echoed(textOf(mapOf(subject.object['spec'])['serviceAccountName'])),
      ...(verbosity >= 4 ? { reason } : {}),
    })
  }
  return decision
}

const providerLabels = Object.freeze({ provider })
const byContainer = Object.freeze({ method: 'container_credentials' })
const byWebIdentity = Object.freeze({ method: 'sts_web_identity' })

/**
 * 429 with a time, and not an error of the call: the failure policy must not let the pod in, and clients that know the header (kubectl,
 * the controllers that make pods) try again by themselves.
 */
function refusal(namespace: string, name: string): ReviewVerdict {
  return {
    kind: 'refuse',
    code: 429,
    reason: 'TooManyRequests',
    retryAfterSeconds: 1,
    message: `the role of ServiceAccount ${namespace}/${name} is promised or required but not there yet, and without it the pod would run with no identity of its own; try again in a moment, and see the ServiceAccount's role-arn annotation`,
  }
}

function unchanged(reason: AdmissionReason): Decision {
  return { verdict: { kind: 'allow', operations: [] }, reason }
}

function reasonOf(snapshot: IdentitySnapshot, outcome: TakenSnapshot['outcome']): AdmissionReason {
  if (snapshot.usesContainerCredentials) return 'container_credentials'
  const source = roleSourceOf(snapshot)
  if (source !== undefined) return source.kind === 'service-account' ? 'sa_role' : 'cm_role'
  if (outcome === 'timeout' || outcome === 'error') return 'lookup_timeout'
  return snapshot.serviceAccount === undefined ? 'sa_unknown' : 'no_role'
}

function mapOf(value: PatchValue | undefined): PatchObject {
  return isObject(value) ? value : nothing
}

const nothing: PatchObject = {}

function textOf(value: PatchValue | undefined): string {
  return typeof value === 'string' ? value : ''
}
