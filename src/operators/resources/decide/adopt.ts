// Takes a resource over that stands in AWS already: our record first, then the annotation and, where the manifest is to be filled in, the spec.
import type { Condition } from '#kube'
import { annotations, conditions, ownerTag } from '../api.ts'
import { nameByArn } from '../model/named-by-arn.ts'
import type { Content } from '../model/request.ts'
import { nothingSent } from '../model/sent.ts'
import { isReserved, tagsIn, withTags } from '../model/tags.ts'
import { identityOf } from '../ownership/adoption-keys.ts'
import { ownershipOf } from '../ownership/ownership.ts'
import { recordCondition, recordOf } from '../ownership/ownership-record.ts'
import type { Situation } from '../seen/seen.ts'
import { type ResourcePlan, stop } from './actions.ts'
import { statusOf } from './at-rest.ts'
import { tell } from './events.ts'

/** Our record first: without it, the annotation that follows is one that anybody could have written. */
export function adopt(situation: Situation, latest: Content, policy: 'adopt' | 'adopt-or-create'): ResourcePlan {
  const stranger = withoutTag(situation, latest)
  if (stranger !== undefined) return stop('ResourceExists', stranger)
  const record = recordOf(situation.claim)
  const isOnRecord = record.kind === 'adopted' && ownershipOf(situation, latest).kind === 'ours'
  return isOnRecord
    ? takeOver(situation, latest, policy === 'adopt' ? { spec: ownSpec(situation, latest) } : {})
    : putOnRecord(situation, latest)
}

/** Why it is not taken over, where the manifest wants that only of what carries a certain tag. */
function withoutTag({ model, claim, seen }: Situation, latest: Content): string | undefined {
  const key = claim.metadata.annotations?.[annotations.adoptionTag]
  if (key === undefined) return undefined
  const wanted = tagsIn(model, seen.wanted.spec)[key]
  return wanted !== undefined && tagsIn(model, latest.spec)[key] === wanted
    ? undefined
    : `Resource already exists, and is not adopted: it does not carry the tag ${key} of this manifest`
}

function putOnRecord(situation: Situation, latest: Content): ResourcePlan {
  const { model } = situation
  const identity = latest.arn === undefined ? identityOf(situation, latest) : {}
  const formerMark = tagsIn(model, latest.spec)[ownerTag]
  const note = recordCondition({ kind: 'adopted', formerMark, identity })
  return {
    actions: [],
    conditions: [...(note === undefined ? [] : [note]), ...adopted, ...nothingSent(situation.claim)],
    status: statusOf(situation, latest),
    next: { kind: 'look-again', afterMs: 0, why: adoptedText, lane: 'begun' },
  }
}

function takeOver(situation: Situation, latest: Content, more: { readonly spec?: unknown }): ResourcePlan {
  const { claim, model } = situation
  const { uid, resourceVersion, finalizers = [] } = claim.metadata
  const metadata = {
    ...(finalizers.includes(model.finalizer) ? {} : { finalizers: [...finalizers, model.finalizer] }),
    annotations: { [annotations.adopted]: 'true' },
  }
  const key = { namespace: claim.metadata.namespace ?? '', name: claim.metadata.name }
  const body = { metadata, ...more }
  return {
    actions: [
      { kind: 'patch', type: model.type, key, patch: 'merge', body, uid, resourceVersion },
      tell(claim, 'Adopted', `taken over${latest.arn === undefined ? '' : ` ${latest.arn}`}`),
    ],
    conditions: adopted,
    next: { kind: 'look-again', afterMs: 0, why: adoptedText, lane: 'begun' },
  }
}

const adoptedText = 'the resource was adopted and is looked at next'

const adopted = [conditions.synced, conditions.ready].map(
  (type): Condition => ({ type, status: 'False', reason: 'Adopted', message: adoptedText }),
)

/** What AWS has, as a manifest of its own: without the tags that are not the user's. */
function ownSpec({ model, seen, deviation, claim }: Situation, latest: Content): unknown {
  const defaults = Object.keys(tagsIn(model, seen.wanted.spec))
  const kept = Object.entries(tagsIn(model, latest.spec)).filter(
    ([key]) => !isReserved(key) && key !== ownerTag && !defaults.includes(key),
  )
  const spec = deviation.adoptedSpec?.(latest.spec, latest) ?? latest.spec
  const said = claim.spec?.['region']
  const region = model.kind.settings.regionInSpec === true && said !== undefined ? { region: said } : {}
  return withTags(model, { ...nameByArn(model, latest), ...spec, ...region }, Object.fromEntries(kept))
}
