// Values that AWS chooses when a manifest leaves them out, copied into it once: from then on they are wanted.

import type { ResourceField } from '#aws'
import { type Condition, findCondition } from '#kube'
import { annotations, conditions } from '../api.ts'
import { type KindModel, onceOfKind } from '../model/kind-model.ts'
import type { Content } from '../model/request.ts'
import type { Situation } from '../seen/seen.ts'
import { annotate, note, type PlanAction, type ResourcePlan } from './actions.ts'
import { atRest, type RestOptions } from './at-rest.ts'
import { takenNote } from './sent.ts'
import { elementsOf } from './spoken-of.ts'
import { rememberedOf } from './taken-out.ts'

const delayMsMin = 5_000
const delayMsMax = 300_000
/** So many looks, and AWS will never say. */
const looksMax = 10

/** In step with AWS: late values first, then rest. */
export function settled(situation: Situation, latest: Content, rest: RestOptions): ResourcePlan {
  const late = lateFields(situation, latest)
  const plan = late.all.length === 0 ? atRest(situation, latest, rest) : withLateValues(situation, latest, { rest, late })
  const taken = takenNote(situation, rest.hasOwnChoices === true)
  const fills = late.found.length > 0
  return {
    ...plan,
    actions: [
      ...remembered(situation, { fills, staying: rest.staying ?? [] }),
      ...secretHashPatch(situation),
      ...(fills ? [patchSpec(situation, late.found, latest)] : []),
      ...inStepPatch(situation, fills),
      ...plan.actions,
    ],
    conditions: taken === undefined ? plan.conditions : [...plan.conditions, taken],
  }
}

function withLateValues(
  situation: Situation,
  latest: Content,
  { rest, late: { missing } }: { readonly rest: RestOptions; readonly late: LateFields },
): ResourcePlan {
  const { advisories } = rest
  const { claim, seen } = situation
  const looks = (seen.notes.lateLooks ?? 0) + 1
  const gaveUp = missing.length > 0 && (looks > looksMax || wasGivenUp(claim.status?.conditions))
  if (missing.length > 0 && !gaveUp) {
    const message = `AWS has not said yet: ${missing.map(({ camel }) => camel).join(', ')}`
    const late: Condition = { type: conditions.lateInitialized, status: 'False', reason: 'DelayedLateInitialization', message }
    const said = atRest(situation, latest, { advisories: [...advisories, late], unsynced: message })
    const afterMs = Math.min(delayMsMax, delayMsMin * 2 ** (looks - 1))
    return {
      ...said,
      actions: [note(claim.metadata.uid, { lateLooks: looks }), ...said.actions],
      next: { kind: 'look-again', afterMs, why: message },
    }
  }
  const done: Condition = { type: conditions.lateInitialized, status: 'True', reason: 'LateInitialized', message: '' }
  const given: readonly Condition[] = gaveUp ? [neverSaid(missing)] : []
  return atRest(situation, latest, { ...rest, advisories: [...advisories, done, ...given] })
}

interface LateFields {
  readonly all: readonly ResourceField[]
  /** Empty in the manifest, and known to AWS. */
  readonly found: readonly ResourceField[]
  /** Empty in the manifest, and AWS must still say. */
  readonly missing: readonly ResourceField[]
}

function lateFields({ model, deviation, claim, seen }: Situation, latest: Content): LateFields {
  const { late, neverLate } = deviation
  const [also, never] = [late?.(claim) ?? [], (camel: string): boolean => neverLate?.(claim, camel) === true]
  const ofConfig = lateByConfig(model)
  const all =
    also.length === 0 && neverLate === undefined
      ? ofConfig
      : model.kind.spec.filter(field => also.includes(field.camel) || (ofConfig.includes(field) && !never(field.camel)))
  if (all.length === 0) return { all, found: [], missing: [] }
  const empty = all.filter(({ json }) => isNil(claim.spec?.[json]) && isNil(seen.wanted.spec[json]))
  const found = empty.filter(({ json }) => !isNil(latest.spec[json]))
  const missing = empty.filter(field => !found.includes(field) && field.lateInitialize?.skipIncompleteCheck === false)
  return { all, found, missing }
}

const lateByConfig: (model: KindModel) => readonly ResourceField[] = onceOfKind(({ kind }) =>
  kind.spec.filter(({ lateInitialize }) => lateInitialize !== undefined),
)

/** It was found in step: what was remembered of changes on their way is of no use any more. */
function remembered(
  situation: Situation,
  { fills, staying }: { readonly fills: boolean; readonly staying: readonly string[] },
): readonly PlanAction[] {
  const { claim, seen } = situation
  const { update, creations, inStepWith: held } = seen.notes
  // Our own filling of the manifest moves its generation on.
  const inStepWith = (claim.metadata.generation ?? 0) + (fills ? 1 : 0)
  const isFresh = update === undefined && creations === undefined && held === inStepWith
  if (isFresh) return []
  const given = rememberedOf(situation, staying)
  // What stays in AWS may stand in an element that says nothing of it: of such a manifest no element is known to have lost nothing.
  const found = staying.length === 0 ? elementsOf(situation.model, seen.wanted.spec) : []
  const elements = found.length === 0 ? undefined : found
  return [note(claim.metadata.uid, { update: undefined, creations: undefined, inStepWith, given, elements })]
}

/** Secrets of a resource that we did not make are taken to be the ones that it has. */
function secretHashPatch({ claim, model, seen }: Situation): readonly PlanAction[] {
  const hash = seen.secrets.kind === 'read' ? seen.secrets.hash : undefined
  const isKnown = claim.metadata.annotations?.[annotations.secretHash] !== undefined
  return hash === undefined || isKnown ? [] : [annotate(model, claim, { [annotations.secretHash]: hash })]
}

/** Where drift is only told, what was in step has to outlive this process. */
function inStepPatch({ claim, model, seen }: Situation, fills: boolean): readonly PlanAction[] {
  const policy = claim.metadata.annotations?.[annotations.driftPolicy] ?? seen.namespaceAnnotations[annotations.driftPolicy]
  const generation = String((claim.metadata.generation ?? 0) + (fills ? 1 : 0))
  if (policy !== 'detect-only' || claim.metadata.annotations?.[annotations.inStepWith] === generation) return []
  return [annotate(model, claim, { [annotations.inStepWith]: generation })]
}

const neverReason = 'LateInitializationIncomplete'
const neverText = 'AWS never said a value of'

function neverSaid(missing: readonly ResourceField[]): Condition {
  const message = `${neverText} ${missing.map(({ camel }) => camel).join(', ')}`
  return { type: conditions.advisory, status: 'True', reason: neverReason, message }
}

function wasGivenUp(held: Parameters<typeof findCondition>[0]): boolean {
  return findCondition(held, conditions.advisory)?.message.includes(neverText) === true
}

function patchSpec({ claim, model }: Situation, found: readonly ResourceField[], latest: Content): PlanAction {
  const { uid, resourceVersion } = claim.metadata
  const key = { namespace: claim.metadata.namespace ?? '', name: claim.metadata.name }
  const spec = Object.fromEntries(found.map(({ json }) => [json, latest.spec[json]]))
  return { kind: 'patch', type: model.type, key, patch: 'merge', body: { spec }, uid, resourceVersion }
}

function isNil(value: unknown): boolean {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0)
}
