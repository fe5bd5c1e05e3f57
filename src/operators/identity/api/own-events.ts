// Events of what was done, besides those of conditions that changed (§10.4). The action is a word of the reference's, for machines.
import type { Occurrence, StoredObject } from '#kube'
import type { RecordEventAction } from '#runtime'

type Regarding = Occurrence['regarding']

/** The object without its version: what happens to it twice is one event, counted. */
export function regardingOf({ apiVersion, kind, metadata }: StoredObject): Regarding {
  const { namespace = '', name, uid } = metadata
  return { apiVersion, kind, namespace, name, uid }
}

export function finalizerRemoved(claim: StoredObject, message: string): RecordEventAction {
  const regarding = regardingOf(claim)
  return { kind: 'record-event', regarding, type: 'Normal', reason: 'FinalizerRemoved', message, action: 'RemoveFinalizer' }
}

/** An object of a child's name that is not ours was left as it is. */
export function foreignChildLeft(claim: StoredObject, object: StoredObject): RecordEventAction {
  const { namespace = '', name } = object.metadata
  const message = `${object.kind} ${namespace}/${name} is not of this Config and was left as it is`
  return {
    kind: 'record-event',
    regarding: regardingOf(claim),
    type: 'Warning',
    reason: 'ChildOwnershipMismatch',
    message,
    action: 'SkipDeleteForeignChild',
  }
}

/** Before the role goes: a Role made again for the ServiceAccount gets another ARN, and policies that name this one fit nobody. */
export function roleArnEnds(claim: StoredObject, arn: string): RecordEventAction {
  const message = `${arn} ends with this object: one that is made again gets another ARN, and policies that name this one have to be changed; roleNames: ServiceAccount in the AWSWorkloadIdentityOperatorConfig gives roles yet to be made a name that stays`
  return {
    kind: 'record-event',
    regarding: regardingOf(claim),
    type: 'Warning',
    reason: 'RoleARNEnds',
    message,
    action: 'DeleteRole',
  }
}

/** A former role goes, since somebody said that nobody needs it. */
export function roleArnReleased(claim: StoredObject, arn: string, roleName: string): RecordEventAction {
  return {
    kind: 'record-event',
    regarding: regardingOf(claim),
    type: 'Warning',
    reason: 'RoleARNEnds',
    message: `${arn} ends as it was asked for; ${roleName} is the role now: policies that name the former one fit nobody any more`,
    action: 'DeleteRole',
  }
}

export function annotationRepaired(regarding: Regarding, account: string): RecordEventAction {
  const message = `repaired the annotations of ServiceAccount ${account}`
  return { kind: 'record-event', regarding, type: 'Normal', reason: 'AnnotationRepaired', message, action: 'RepairAnnotation' }
}

/** `keys`: of the documents that were not what was published. */
export function documentsOverwritten(claim: StoredObject, keys: readonly string[], bucket: string): RecordEventAction {
  const message = `somebody wrote over ${keys.join(' and ')} in bucket ${bucket}, which says whose tokens are trusted: it is written anew; find out who may write there`
  return {
    kind: 'record-event',
    regarding: regardingOf(claim),
    type: 'Warning',
    reason: 'IssuerDocumentsOverwritten',
    message,
    action: 'PublishDocuments',
  }
}
