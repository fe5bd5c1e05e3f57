// What becomes of an object that is going and wants its records to go as well: its operand ends, runs once more over nothing, and then the
// object is let go.
import { type Condition, deployments, isOwnedBy, type ResourceType, type StoredObject } from '#kube'
import type { Action, Plan } from '#runtime'
import { type ExternalDns, kinds } from '../api/kinds.ts'
import { storageVersion } from '../api/names.ts'
import { versionOf } from '../convert/convert.ts'
import type { Deployment } from '../operand/deployment.ts'
import { type CleanupJob, cleanupFinalizer, cleanupJob, jobs, stateOf } from './job.ts'

export interface CleanupSeen {
  readonly dns: ExternalDns
  readonly wantsCleanup: boolean
  /** The operand's own, and its pods: two never write at once. */
  readonly deployment: (Deployment & StoredObject) | undefined
  readonly podsLeft: number
  readonly job: (CleanupJob & StoredObject) | undefined
  /** What would run, or why nothing can. */
  readonly wanted: { readonly deployment: Deployment } | { readonly problem: string }
}

export function holdsForCleanup({ metadata }: StoredObject): boolean {
  return metadata.finalizers?.includes(cleanupFinalizer) === true
}

/** Before the operand writes its first record. */
export function finalizerActions(dns: ExternalDns, wantsCleanup: boolean): readonly Action[] {
  const held = holdsForCleanup(dns)
  if (held === wantsCleanup) return []
  const kind = wantsCleanup ? 'add-finalizer' : 'remove-finalizer'
  return [{ kind, type: typeOf(dns), object: dns, finalizer: cleanupFinalizer }]
}

/** Of the version in which the object was read. */
function typeOf(dns: ExternalDns): ResourceType {
  return kinds[versionOf(dns) ?? storageVersion].type
}

export function decideCleanup(seen: CleanupSeen): Plan {
  const { dns, wantsCleanup, deployment, podsLeft, job, wanted } = seen
  if (!wantsCleanup) return letGo(dns)
  if (deployment !== undefined) return plan(remove(deployment), 'The operand ends before its records are taken away.')
  if (podsLeft > 0) return plan([], 'The pods of the operand end before its records are taken away.')
  if (job !== undefined && !isOwnedBy(job, dns)) return inTheWay
  const state = job === undefined ? undefined : stateOf(job)
  if (state === 'done') return letGo(dns)
  if (state === 'under-way') return plan([], 'The records are being taken away.')
  if (state !== undefined) return stuck(`the run that takes the records away failed: ${state.failed}`)
  if ('problem' in wanted) return stuck(`nothing can take the records away: ${wanted.problem}`)
  const { name, uid } = dns.metadata
  return plan(
    [{ kind: 'create', type: jobs, object: cleanupJob(wanted.deployment, { name, uid }) }],
    'The records are being taken away.',
  )
}

/** The end of a run that is not this object's says nothing of its records; nor does anything wake us when that run goes. */
const inTheWay: Plan = {
  ...plan([], 'The Job of an earlier object of this name is in the way: it goes with that object, or delete it.'),
  next: { kind: 'look-again', afterMs: 30_000, why: 'another Job is in the way' },
}

function remove(object: Deployment & StoredObject): readonly Action[] {
  if (object.metadata.deletionTimestamp !== undefined) return []
  return [{ kind: 'delete', type: deployments, object, precondition: 'any-version', propagation: 'Foreground' }]
}

function letGo(object: ExternalDns): Plan {
  const release: Action = { kind: 'remove-finalizer', type: typeOf(object), object, finalizer: cleanupFinalizer }
  return { actions: [release], conditions: [], next: { kind: 'await-change' } }
}

/** A Job that is deleted by hand is made again. */
function stuck(why: string): Plan {
  const message = `${why}. Mend that and delete the Job, or set spec.operand.cleanup to false to let the object go and leave its records.`
  return { actions: [], conditions: [unavailable('OperandCrashing', message)], next: { kind: 'await-change' } }
}

function plan(actions: readonly Action[], message: string): Plan {
  return { actions, conditions: [unavailable('DeploymentUnavailable', message)], next: { kind: 'await-change' } }
}

function unavailable(reason: string, message: string): Condition {
  return { type: 'Available', status: 'False', reason, message }
}
