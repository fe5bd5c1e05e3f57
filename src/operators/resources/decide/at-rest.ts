// Nothing to do: what is said of the resource, and when it is looked at again.

import { given } from '#base'
import type { Condition } from '#kube'
import { conditions, type Fields, ownerTag } from '../api.ts'
import type { Content } from '../model/request.ts'
import { tagsIn } from '../model/tags.ts'
import { identityOf } from '../ownership/adoption-keys.ts'
import { ownershipOf } from '../ownership/ownership.ts'
import { recordCondition, recordOf } from '../ownership/ownership-record.ts'
import { resyncMs } from '../resync.ts'
import type { Situation } from '../seen/seen.ts'
import type { ResourcePlan } from './actions.ts'
import { isSyncedByConfig, transientState } from './state.ts'

/** While a resource is not in step by its own account. */
const unsyncedMs = 30_000

export interface RestOptions {
  readonly advisories: readonly Condition[]
  /** Why it is not in step, where more is known than its state says. */
  readonly unsynced?: string
  /** Paths of which the manifest spoke, and which stay in AWS. */
  readonly staying?: readonly string[]
  /** AWS has chosen something of which the manifest does not speak. */
  readonly hasOwnChoices?: boolean
}

export function atRest(situation: Situation, latest: Content, { advisories, unsynced }: RestOptions): ResourcePlan {
  const { model, deviation, settings, seen, place } = situation
  const state = deviation.state?.(latest, { strictSync: settings.strictSync })
  // Where neither the code of the kind nor a config says when it is in step, the state that the resource itself tells counts.
  const transient = state === undefined && model.kind.settings.synced === undefined ? transientState(model, latest) : undefined
  const isSynced = unsynced === undefined && transient === undefined && (state?.synced ?? isSyncedByConfig(model, latest))
  const why =
    unsynced ?? state?.message ?? (transient === undefined ? 'Resource not synced' : `resource is in ${transient} state`)
  const synced: Condition = isSynced
    ? { type: conditions.synced, status: 'True', reason: 'Synced', message: 'Resource synced successfully' }
    : { type: conditions.synced, status: 'False', reason: 'NotSynced', message: why }
  const terminal: readonly Condition[] =
    state?.terminal === true ? [{ type: conditions.terminal, status: 'True', reason: 'Failed', message: state.message }] : []
  const references: readonly Condition[] =
    seen.references.kind === 'resolved' && seen.references.hasReferences
      ? [{ type: conditions.references, status: 'True', reason: 'Resolved', message: '' }, ...seen.references.notices]
      : []
  const ownership = ownershipSaid(situation, latest)
  const said = oneAdvisory([
    ...(place.selected === undefined ? [] : [place.selected]),
    ...references,
    ...advisories,
    ...terminal,
    ...(ownership === undefined ? [] : [ownership]),
    synced,
  ])
  return {
    actions: [],
    conditions: [...said, readyOf(said)],
    status: statusOf(situation, latest),
    next: isSynced
      ? { kind: 'look-again', afterMs: resyncMs(situation), why: 'drift', lane: 'drift' }
      : { kind: 'look-again', afterMs: state?.lookAfterMs ?? unsyncedMs, why },
  }
}

/** What has to be on record of a resource that was looked at in full. */
function ownershipSaid(situation: Situation, latest: Content): Condition | undefined {
  const { model, claim, seen } = situation
  const record = recordOf(claim)
  const isLooking = seen.adoption.kind === 'read-only'
  if (isLooking && ownershipOf(situation, latest).kind !== 'ours') return recordCondition({ kind: 'only-read' })
  // The record of the former mark is kept until the resource bears our mark.
  if (record.kind === 'adopted' && record.formerMark !== undefined && tagsIn(model, latest.spec)[ownerTag] === record.formerMark)
    return recordCondition(record)
  const arn = latest.arn ?? claim.status?.ackResourceMetadata?.arn
  return recordCondition({ kind: 'made', identity: arn === undefined ? identityOf(situation, latest) : {} })
}

/** There is one condition of a type: several notices share it. */
function oneAdvisory(said: readonly Condition[]): readonly Condition[] {
  const notices = said.filter(({ type }) => type === conditions.advisory)
  const message = [...new Set(notices.map(({ message }) => message))].join('; ')
  return said.flatMap(each => (each.type !== conditions.advisory ? [each] : each === notices[0] ? [{ ...each, message }] : []))
}

/** Sums up: whoever waits for one condition waits for this one. */
export function readyOf(said: readonly Condition[]): Condition {
  const failed = [conditions.terminal, conditions.recoverable].flatMap(type =>
    said.filter(each => each.type === type && each.status === 'True'),
  )[0]
  if (failed !== undefined) return { type: conditions.ready, status: 'False', reason: failed.type, message: failed.message }
  const synced = said.find(({ type }) => type === conditions.synced)
  if (synced === undefined) return { type: conditions.ready, status: 'Unknown', reason: 'Unknown', message: '' }
  return { ...synced, type: conditions.ready }
}

/** Every field of the kind's status: those that AWS does not tell any more go. */
export function statusOf(
  { model, place, claim }: Pick<Situation, 'model' | 'place' | 'claim'>,
  latest: Content & { readonly ownerAccount?: string | undefined },
): Fields {
  const fields = Object.fromEntries(model.kind.status.map(({ json }) => [json, latest.status[json]]))
  const held = claim.status?.ackResourceMetadata
  const arn = latest.arn ?? held?.arn
  const ackResourceMetadata = {
    ...given({ arn }),
    ownerAccountID: latest.ownerAccount ?? held?.ownerAccountID ?? place.account,
    partition: held?.partition ?? place.partition,
    region: held?.region ?? place.region,
  }
  return { ...fields, ackResourceMetadata }
}
