// The annotations of a ServiceAccount on a target: written, kept, taken away. They are all that a target learns of a role.

import type { RoleArn } from '#aws'
import { type Engagements, seeTarget, type TargetAway } from '#fleet'
import {
  type Condition,
  type ObjectKey,
  type ObjectReference,
  type StoredCondition,
  type StoredObject,
  serviceAccounts,
} from '#kube'
import { type Action, keepOwnFields, type Reads, type Source, type Targets, type Watch } from '#runtime'
import { roleArnAnnotation } from '../api/labels.ts'
import { annotationRepaired } from '../api/own-events.ts'

export type AnnotationSeen =
  | TargetAway
  | {
      readonly kind: 'reachable'
      readonly cluster: string
      readonly key: ObjectKey
      /** Absent: no such ServiceAccount. */
      readonly account: StoredObject | undefined
    }

/** What becomes of a ServiceAccount that somebody gave another role: it gets ours all the same, as the reference does, or it is left alone. */
export type ForeignAnnotation = 'overwrite' | 'refuse'

export interface AnnotationWanted {
  readonly roleArn: RoleArn
  /** Of the binding's other role: an annotation that names it is ours, and moves. */
  readonly otherRoleArn?: RoleArn | undefined
  /** What is said now of `ServiceAccountAnnotationReady`. */
  readonly current?: StoredCondition | undefined
  /** Default `overwrite`. */
  readonly foreign?: ForeignAnnotation | undefined
  /** The role, for the event of a repair; without it none is recorded. */
  readonly regarding?: ObjectReference
}

export interface AnnotationDecision {
  readonly actions: readonly Action[]
  /** `ServiceAccountAnnotationReady`. */
  readonly condition: Condition
  /** Look again after this long, where no event may come. */
  readonly lookAgainMs?: number
}

/** From the cache (M2): a target costs one write per binding and no read. */
export function observeAnnotation(
  world: Reads,
  cluster: string,
  serviceAccount: ObjectKey,
  engagements?: Engagements,
): AnnotationSeen {
  const target = seeTarget(world, { cluster, types: [serviceAccounts] }, engagements)
  if (target.kind !== 'reachable') return target
  return { kind: 'reachable', cluster, key: serviceAccount, account: target.reads.find(serviceAccounts, serviceAccount) }
}

export function decideAnnotation(seen: AnnotationSeen, wanted: AnnotationWanted): AnnotationDecision {
  if (seen.kind !== 'reachable') return decideAway(seen, wanted.current)
  const { account, cluster, key } = seen
  const name = `${key.namespace}/${key.name}`
  if (account === undefined || account.metadata.deletionTimestamp !== undefined) {
    return pending(
      `ServiceAccount ${name} does not exist in cluster ${cluster}; create it, and it is annotated the moment it appears`,
    )
  }
  const other = account.metadata.annotations?.[roleArnAnnotation]
  const moves = other !== undefined && other === wanted.otherRoleArn
  if (wanted.foreign === 'refuse' && !moves && other !== undefined && other !== '' && !isSameRole(other, wanted.roleArn)) {
    return pending(
      `ServiceAccount ${name} in cluster ${cluster} has the role ${other} from somebody else: remove its annotation ${roleArnAnnotation}, or let the operator take it over (--foreign-role-annotation overwrite)`,
    )
  }
  const changes = changesOf(account, annotationsFor(wanted.roleArn))
  if (Object.keys(changes).length === 0) return done([], 'Ready', `ServiceAccount ${name} in cluster ${cluster} is annotated`)
  const patch = patchOf(cluster, account, changes)
  // What was in order and is not any more was changed by someone: it is put right, and told.
  if (wanted.current?.status !== 'True' || moves) {
    return done([patch], 'Ready', `ServiceAccount ${name} in cluster ${cluster} is annotated`)
  }
  return done(
    [patch, ...(wanted.regarding === undefined ? [] : [annotationRepaired(wanted.regarding, name)])],
    'AnnotationRepaired',
    `the annotations of ServiceAccount ${name} in cluster ${cluster} had been changed and were put right`,
  )
}

/** `gone`: nothing of `owned` is left there. A ServiceAccount that has another role by now is none of our business. */
export function decideAnnotationRemoval(
  seen: AnnotationSeen,
  owned: { readonly roleArn: string },
): {
  readonly actions: readonly Action[]
  readonly gone: boolean
  readonly blocked?: { readonly reason: 'RemoteClusterUnavailable'; readonly message: string }
} {
  if (seen.kind !== 'reachable') {
    return { actions: [], gone: false, blocked: { reason: 'RemoteClusterUnavailable', message: seen.message } }
  }
  const { account, cluster } = seen
  if (account === undefined || account.metadata.annotations?.[roleArnAnnotation] !== owned.roleArn) {
    return { actions: [], gone: true }
  }
  const held = Object.keys(annotationsFor(owned.roleArn)).filter(name => account.metadata.annotations?.[name] !== undefined)
  return { actions: [patchOf(cluster, account, Object.fromEntries(held.map(name => [name, null])))], gone: false }
}

/** The whole set. */
export function annotationsFor(roleArn: string): Readonly<Record<string, string>> {
  return {
    [roleArnAnnotation]: roleArn,
    'eks.amazonaws.com/audience': 'sts.amazonaws.com',
    'eks.amazonaws.com/sts-regional-endpoints': 'true',
    'eks.amazonaws.com/token-expiration': '86400',
  }
}

/** Of every target: all ServiceAccounts, since annotations cannot be selected. Shared by all who watch them, so that it is one copy. */
export const serviceAccountSource: Source = { type: serviceAccounts, project: keepAnnotated() }

/**
 * Any change of a ServiceAccount that a binding names is an event for that binding: its creation (M8), its deletion, a drift.
 * `rolesOf` finds the bindings of the workload namespace that name the account; for all others nothing happens.
 * `isNamedBy`: whether a role of that name is the binding's own.
 */
export function serviceAccountWatch(
  rolesOf: (world: Reads, namespace: string, serviceAccount: ObjectKey) => Targets,
  isNamedBy: (world: Reads, binding: ObjectKey, roleName: string) => boolean = () => false,
): Watch {
  return {
    ...serviceAccountSource,
    on: 'targets',
    toClaims: ({ metadata }, world, cluster) =>
      rolesOf(world, cluster, { namespace: metadata.namespace ?? '', name: metadata.name }),
    // Most changes are the echo of the annotations that a binding has just written: behind those of a whole fleet no new binding is to wait.
    canWait: (change, binding, world) => {
      const arn = change.kind === 'changed' ? change.object.metadata.annotations?.[roleArnAnnotation] : undefined
      if (arn === undefined || Object.keys(changesOf(change.object, annotationsFor(arn))).length > 0) return false
      return isNamedBy(world, binding, nameOfRole(arn))
    },
  }
}

function keepAnnotated(): NonNullable<Source['project']> {
  const strip = keepOwnFields([])
  const ours = Object.keys(annotationsFor('x'))
  const project = (object: StoredObject): StoredObject => {
    const { annotations, managedFields: _fields, ...metadata } = strip(object).metadata
    const kept = Object.entries(annotations ?? {}).filter(([name]) => ours.includes(name))
    return {
      apiVersion: object.apiVersion,
      kind: object.kind,
      metadata: { ...metadata, ...(kept.length === 0 ? {} : { annotations: Object.fromEntries(kept) }) },
    }
  }
  return Object.assign(project, { fieldManagers: [] })
}

function decideAway(seen: TargetAway, current: StoredCondition | undefined): AnnotationDecision {
  if (seen.kind === 'unknown' && current?.status === 'True') {
    const { type, status, reason, message } = current
    return { actions: [], condition: { type, status, reason, message }, lookAgainMs: seen.lookAgainMs }
  }
  return { ...pending(seen.message), lookAgainMs: 30_000 }
}

function changesOf(account: StoredObject, wanted: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const held = account.metadata.annotations ?? {}
  return Object.fromEntries(Object.entries(wanted).filter(([name, value]) => held[name] !== value))
}

/** Account and path may be others after a move, and it is ours all the same. */
function isSameRole(one: string, other: string): boolean {
  return one === other || nameOfRole(one) === nameOfRole(other)
}

function nameOfRole(arn: string): string {
  return arn.slice(arn.lastIndexOf('/') + 1)
}

/** With the version that was seen: whoever changed it since is not overwritten. */
function patchOf(cluster: string, account: StoredObject, annotations: Readonly<Record<string, string | null>>): Action {
  const { namespace = '', name, uid, resourceVersion } = account.metadata
  const body = { metadata: { annotations } }
  return { kind: 'patch', cluster, type: serviceAccounts, key: { namespace, name }, patch: 'merge', body, uid, resourceVersion }
}

function pending(message: string): AnnotationDecision {
  return {
    actions: [],
    condition: { type: 'ServiceAccountAnnotationReady', status: 'False', reason: 'RemoteDeliveryPending', message },
  }
}

function done(actions: readonly Action[], reason: 'Ready' | 'AnnotationRepaired', message: string): AnnotationDecision {
  return { actions, condition: { type: 'ServiceAccountAnnotationReady', status: 'True', reason, message } }
}
