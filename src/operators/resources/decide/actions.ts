// The actions of a resource's plan beside those that the engine knows.

import { given } from '#base'
import type { Action, OwnAction, Plan, Trouble, TroubleOptions } from '#runtime'
import type { Resource } from '../api.ts'
import type { PlannedCall, SecretKey } from '../kinds/deviation.ts'
import type { KindModel } from '../model/kind-model.ts'
import type { Content } from '../model/request.ts'
import { dependencyOf } from '../place/client-choice.ts'
import type { Place } from '../place/select-place.ts'
import type { Notes } from '../seen/notes.ts'

/** One call of AWS. */
export interface CallAction extends OwnAction {
  readonly kind: 'act:aws'
  readonly call: PlannedCall
  readonly place: Place
  /** Of a create call: the intent that it carries out. */
  readonly intent?: string
  readonly uid?: string
  /** Of a call that removes: what its answer tells of the resource of that uid. */
  readonly remembers?: { readonly ifDone: Notes; readonly ifNothingWasThere: Notes }
}

/** What keeps us from going on, found by looking: it is told and scheduled like a failed action. */
export interface TroubleAction extends OwnAction {
  readonly kind: 'act:trouble'
  readonly trouble: TroubleOptions
}

/** What the resource's secrets are, fetched and written into the Secret. */
export interface OutputAction extends OwnAction {
  readonly kind: 'act:output'
  readonly place: Place
  readonly latest: Content
  readonly target: SecretKey
  readonly secretUid: string
  readonly secretVersion: string
  readonly mark: string
}

/** Something to remember in this process. */
export interface NoteAction extends OwnAction {
  readonly kind: 'act:note'
  readonly uid: string
  readonly notes: Notes | 'forget'
}

export type ResourceAction = CallAction | OutputAction | TroubleAction | NoteAction
export type ResourcePlan = Plan<ResourceAction>
export type PlanAction = Action<ResourceAction>

export function awsAction(model: KindModel, place: Place, call: PlannedCall): CallAction {
  return {
    kind: 'act:aws',
    call,
    place,
    summary: `${model.service.alias} ${call.operation} in ${place.account}/${place.region}`,
    dependency: dependencyOf(model, place),
    destructive: call.verb === 'DELETE',
  }
}

export function note(uid: string, notes: Notes | 'forget'): NoteAction {
  return { kind: 'act:note', uid, notes, summary: 'remember' }
}

/** Notes on the claim itself. */
export function annotate({ type }: KindModel, claim: Resource, notes: Readonly<Record<string, string>>): PlanAction {
  const { namespace = '', name, uid } = claim.metadata
  return { kind: 'patch', type, key: { namespace, name }, patch: 'merge', body: { metadata: { annotations: notes } }, uid }
}

/** A plan that only says what is in the way. */
export function trouble(options: TroubleOptions): ResourcePlan {
  const action: TroubleAction = { kind: 'act:trouble', trouble: options, summary: `${options.reason}: ${options.message}` }
  return { actions: [action], conditions: [], next: { kind: 'await-change' } }
}

/** Trouble that was met while looking. A deletion is never given up: nobody can change the manifest of what is going. */
export function planForTrouble(found: Trouble, { isDeletion = false }: { readonly isDeletion?: boolean } = {}): ResourcePlan {
  const { kind, reason, message, cause, dependency, retryAfterMs } = found
  return trouble({
    kind: isDeletion && kind === 'stop' ? 'backoff' : kind,
    reason,
    message,
    cause,
    ...given({ dependency, retryAfterMs }),
  })
}

export function stop(reason: string, message: string): ResourcePlan {
  return trouble({ kind: 'stop', reason, message })
}
