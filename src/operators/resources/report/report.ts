// What the status says after a pass: the plan's own words when all went well, trouble in the words of AWS Controllers for Kubernetes
// otherwise. What was made is recorded at once when nothing else would find it again.

import { given } from '#base'
import type { Condition } from '#kube'
import { failuresOf, type Outcome, type Plan, type Report, type ReportInput, type Trouble } from '#runtime'
import { conditions, conditionTypes, type Fields, noteTypes } from '../api.ts'
import type { CallAction, ResourceAction } from '../decide/actions.ts'
import { readyOf, statusOf } from '../decide/at-rest.ts'
import { noDeviation } from '../kinds/deviation.ts'
import { answerOf, isSearchable, toldByRead } from '../model/answer.ts'
import { readInput } from '../model/read-input.ts'
import type { Content, Values } from '../model/request.ts'
import { identityOf } from '../ownership/adoption-keys.ts'
import { intentOf } from '../ownership/intent.ts'
import { hasProof, marksAtCreate } from '../ownership/ownership.ts'
import { recordCondition } from '../ownership/ownership-record.ts'
import type { Rules, Seen } from '../seen/seen.ts'
import { withRequestId } from './request-ids.ts'

export function report(rules: Rules, input: ReportInput<ResourceAction> & { readonly seen: Seen }): Report | undefined {
  const { outcomes, plan, seen } = input
  const { claim } = seen
  if (claim === undefined) return undefined
  if (outcomes.length === 0) return ofPlan(plan)
  const generation = generationOf(outcomes, claim.metadata.generation)
  const found = worst(failuresOf(outcomes))
  const made = createdOf(rules, input, { isFinished: found === undefined })
  if (found !== undefined) {
    if (isSilent(found, input))
      return made === undefined ? undefined : { ...owning({ conditions: [] }, made.note), ...generation, status: made.status }
    const said = saying(troubleConditions(found, { seen, strict: rules.settings.strictConditions }))
    const { status } = made ?? plan
    return { ...(made === undefined ? said : owning(said, made.note)), ...given({ status }), ...generation }
  }
  const planned = ofPlan(plan)
  if (planned !== undefined) return isNoteAlone(plan) ? planned : { ...planned, ...generation }
  return made === undefined ? undefined : { ...owning(saying(creating), made.note), status: made.status, ...generation }
}

/** In the plan's own words. */
function ofPlan(plan: Plan<ResourceAction>): Report | undefined {
  if (plan.conditions.length === 0) return undefined
  if (isNoteAlone(plan)) return { conditions: plan.conditions }
  const said = saying(plan.conditions)
  const note = plan.conditions.find(({ type }) => type === conditions.ownership)
  // A plan that has a whole status also says who owns the resource; other plans leave the ownership that is on record.
  return plan.status === undefined ? said : { ...owning(said, note), status: plan.status }
}

/** A plan with nothing but notes to ourselves leaves all other conditions as they are. */
function isNoteAlone({ conditions: said }: Plan<ResourceAction>): boolean {
  return said.every(({ type }) => noteTypes.includes(type))
}

/** The report with what it says of the ownership; with nothing, what was said before is taken back. */
function owning(said: Report, note: Condition | undefined): Report {
  if (note === undefined) return { ...said, forgotten: [...(said.forgotten ?? []), conditions.ownership] }
  return { ...said, conditions: [...said.conditions.filter(({ type }) => type !== conditions.ownership), note] }
}

const creating: readonly Condition[] = [
  { type: conditions.synced, status: 'False', reason: 'Creating', message: 'the resource was made and is looked at next' },
  { type: conditions.ready, status: 'False', reason: 'Creating', message: 'the resource was made and is looked at next' },
]

function saying(some: readonly Condition[]): Report {
  const said = [...some, ...healthOf(some)]
  const types = new Set(said.map(({ type }) => type))
  return { conditions: said, forgotten: conditionTypes.filter(type => !types.has(type)) }
}

/** Not ready is one of two: only a person can help, or it goes on by itself. */
function healthOf(said: readonly Condition[]): readonly Condition[] {
  const terminal = said.find(({ type, status }) => type === conditions.terminal && status === 'True')
  if (terminal !== undefined) return [{ ...terminal, type: conditions.stalled }]
  const ready = said.find(({ type }) => type === conditions.ready)
  if (ready === undefined || ready.status === 'True') return []
  const failing = said.find(({ type, status }) => type === conditions.recoverable && status === 'True')
  const reason = failing?.reason ?? 'Progressing'
  return [{ type: conditions.reconciling, status: 'True', reason, message: ready.message }]
}

/** What asks for a person comes before what waits, and that before weather. */
function worst(troubles: readonly Trouble[]): Trouble | undefined {
  for (const kind of ['stop', 'wait', 'backoff'] as const) {
    const found = troubles.find(trouble => trouble.kind === kind)
    if (found !== undefined) return found
  }
  return undefined
}

/** Weather that passes within so many tries is not worth a status write that wakes every watcher. */
const silentFailuresMax = 2
const weather: readonly string[] = [
  'Throttled',
  'Unreachable',
  'OutcomeUnknown',
  'Malformed',
  'DeadlineExceeded',
  'Unauthenticated',
  'NotVisibleYet',
]

function isSilent({ reason }: Trouble, { failures }: ReportInput<ResourceAction>): boolean {
  if (reason === 'NotLeader' || reason === 'CacheStarting') return true
  return weather.includes(reason) && failures <= silentFailuresMax
}

interface TroubleOptions {
  readonly seen: Seen
  readonly strict: boolean
}

export function troubleConditions(trouble: Trouble, { seen, strict }: TroubleOptions): readonly Condition[] {
  const { reason, kind } = trouble
  const isTerminal = kind === 'stop'
  const mainType = isTerminal ? conditions.terminal : conditions.recoverable
  const message = withRequestId(trouble, seen.claim, mainType)
  // The reference implementation gives the whole error as a reason; with strict conditions a reason is one word, and the text follows.
  const told = (text: string): Pick<Condition, 'reason' | 'message'> =>
    strict
      ? { reason, message: `${text}: ${message}` }
      : { reason: message === '' ? reason : message.slice(0, 1_000), message: text }
  if (reason === 'RoleMissing') {
    const synced: Condition = { type: conditions.synced, status: 'False', ...told('IAM Role is not available') }
    return [synced, readyOf([synced])]
  }
  const main: Condition = { type: mainType, status: 'True', reason, message }
  const synced: Condition = isTerminal
    ? { type: conditions.synced, status: 'False', ...told('Resource not synced') }
    : {
        type: conditions.synced,
        status: 'Unknown',
        ...told('Unable to determine if desired resource state matches latest observed state'),
      }
  const said = [...referenceConditions(trouble, seen, told), main, synced]
  const deleting: readonly Condition[] =
    seen.claim?.metadata.deletionTimestamp === undefined
      ? []
      : [{ type: conditions.deleting, status: 'True', reason: 'Blocked', message: `${reason}: ${message}` }]
  return [...deleting, ...said, readyOf(said)]
}

function referenceConditions(
  { reason, kind }: Trouble,
  { references }: Seen,
  told: (text: string) => Pick<Condition, 'reason' | 'message'>,
): readonly Condition[] {
  if (reason !== 'ReferenceUnresolved') {
    const isResolved = references.kind === 'resolved' && references.hasReferences
    return isResolved ? [{ type: conditions.references, status: 'True', reason: 'Resolved', message: '' }] : []
  }
  const isHopeless = kind === 'stop' || (references.kind === 'unresolved' && references.how === 'stop')
  return [{ type: conditions.references, status: isHopeless ? 'False' : 'Unknown', ...told('Reference resolution failed') }]
}

/** The status fields that find a new resource again, when its manifest does not, or that prove it ours, when nothing else would. */
function createdOf(
  rules: Rules,
  { outcomes, seen }: ReportInput<ResourceAction> & { readonly seen: Seen },
  { isFinished }: { readonly isFinished: boolean },
): { readonly status: Fields; readonly note: Condition | undefined } | undefined {
  const { model, deviation } = rules
  const { claim, place, wanted } = seen
  const done = outcomes.find(isCreation)
  if (done === undefined || claim === undefined || place.kind !== 'chosen') return undefined
  const action = done.action as CallAction
  const answered: Content = answerOf(model, action.call.operation, { output: done.value as Values, wanted, method: 'Create' })
  const full = deviation.created?.(done.value as Values, answered, { model, claim, wanted, place: place.place }) ?? answered
  if (
    isFinished &&
    !tellsMoreThanReads(model, answered) &&
    action.call.records !== true &&
    deviation !== noDeviation &&
    hasProof(rules) &&
    isFound(model, { spec: wanted.spec, status: {}, arn: deviation.arnOf === undefined ? undefined : wanted.arn })
  )
    return undefined
  const identity = full.arn === undefined ? identityOf(rules, wanted) : {}
  // Some services hand out what is there already under the name, whoever made it: the mark says it, at the next look.
  const isHandedOut = answered.arn !== undefined || Object.keys(answered.status).length > 0
  const awaitsMark = isHandedOut && deviation.read === undefined && marksAtCreate(rules) && action.intent !== undefined
  const intent = { token: action.intent ?? '', atMs: intentOf({ claim })?.atMs ?? 0, prints: [] }
  const note = recordCondition(awaitsMark ? { kind: 'intended', intent, identity } : { kind: 'made', identity })
  return { status: statusOf({ model, place: place.place, claim }, full), note }
}

/** What no read tells is had from this answer, or never. */
function tellsMoreThanReads(model: Rules['model'], { status }: Content): boolean {
  const told = toldByRead(model)
  return model.kind.status.some(({ json, camel }) => (status[json] ?? undefined) !== undefined && !told.has(camel))
}

function isCreation(outcome: Outcome): outcome is Outcome & { kind: 'done' } {
  if (outcome.kind !== 'done' || outcome.action.kind !== 'act:aws') return false
  const { call } = outcome.action as CallAction
  return call.verb === 'CREATE' || call.records === true
}

function isFound(model: Rules['model'], content: Content): boolean {
  const { readOne, getAttributes, readMany } = model.kind.operations
  const read = readOne ?? getAttributes
  if (read !== undefined) return readInput(model, read, content) !== undefined
  return readMany !== undefined && isSearchable(model, readMany, content)
}

/** A write of the manifest by this pass moved the generation on; what is said is said of that one. */
function generationOf(outcomes: readonly Outcome[], held: number | undefined): { readonly generation?: number } {
  for (const outcome of outcomes) {
    if (outcome.kind !== 'done' || outcome.action.kind !== 'patch' || !('body' in outcome.action)) continue
    const { body } = outcome.action as { readonly body: { readonly spec?: unknown } }
    const generation = (outcome.value as { readonly metadata?: { readonly generation?: number } } | undefined)?.metadata
      ?.generation
    // The patch was bound to the version that was decided on, so that nobody else's change is in it.
    if (body.spec !== undefined && generation !== undefined && generation === (held ?? 0) + 1) return { generation }
  }
  return {}
}
