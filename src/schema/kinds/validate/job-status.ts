// What the controller of jobs may say of one: counts that agree with each other, and an end that has everything an end has.
import { fieldError } from '../../field-error.ts'
import { isObject, type Json, type JsonObject } from '../../json.ts'
import { type Errors, listOf, nonNegative, objectOf, text } from './checks.ts'
import { countIndexes, firstShared } from './index-ranges.ts'

const counts = ['active', 'succeeded', 'failed', 'ready', 'terminating']

export function checkJobStatus(object: JsonObject, old: JsonObject, errors: Errors): void {
  const [spec, status, before] = [objectOf(object.spec), objectOf(object.status), objectOf(old.status)]
  for (const count of counts) nonNegative(status[count], `status.${count}`, errors)
  const { active = 0, ready } = status
  if (typeof ready === 'number' && ready > Number(active))
    errors.push(fieldError.invalid('status.ready', ready, 'cannot set more ready pods than active'))
  checkIndexes(spec, status, errors)
  checkUncounted(objectOf(status.uncountedTerminatedPods), 'status.uncountedTerminatedPods', errors)
  checkCourse(spec, status, before, errors)
  checkEnd(status, before, errors)
}

const terminal = ['Complete', 'Failed', 'FailureTarget', 'SuccessCriteriaMet']

/** A job that has begun has begun, one that is at its end stays there, and pods that were counted are counted. */
function checkCourse(spec: JsonObject, status: JsonObject, before: JsonObject, errors: Errors): void {
  for (const count of ['succeeded', 'failed']) {
    const value = status[count] ?? 0
    if (Number(value) < Number(before[count] ?? 0))
      errors.push(fieldError.invalid(`status.${count}`, value, `cannot decrease the ${count} counter`))
  }
  for (const type of terminal)
    if (isSaid(before, type) && !isSaid(status, type))
      errors.push(fieldError.unfit('status.conditions', `cannot disable the terminal ${type}=True condition`))
  const began = before.startTime ?? null
  if (began !== null && status.startTime !== began && spec.suspend !== true)
    errors.push(fieldError.required('status.startTime', 'startTime cannot be removed for unsuspended job'))
}

function isSaid(status: JsonObject, type: string): boolean {
  return listOf(status.conditions).some(one => isObject(one) && one.type === type && one.status === 'True')
}

function checkIndexes(spec: JsonObject, status: JsonObject, errors: Errors): void {
  for (const field of ['completedIndexes', 'failedIndexes']) {
    const value = status[field]
    if (value === undefined) continue
    const at = `status.${field}`
    if (field === 'failedIndexes' && spec.backoffLimitPerIndex === undefined) {
      errors.push(fieldError.invalid(at, value, 'cannot set non-null failedIndexes when backoffLimitPerIndex is null'))
      continue
    }
    if (spec.completionMode !== 'Indexed') {
      const why = `cannot set non-empty ${field} when non-indexed completion mode`
      errors.push(fieldError.invalid(at, value, why))
      continue
    }
    const count = countIndexes(text(value), Number(spec.completions ?? 0))
    if (typeof count === 'string') errors.push(fieldError.invalid(at, value, `error parsing ${field}: ${count}`))
    else if (field === 'failedIndexes') checkApart(text(value), text(status.completedIndexes), at, errors)
  }
}

/** No pod has both failed and completed. */
function checkApart(failed: string, completed: string, at: string, errors: Errors): void {
  const shared = firstShared(failed, completed)
  if (shared === undefined) return
  errors.push(fieldError.invalid(at, failed, `failedIndexes and completedIndexes overlap at index: ${shared}`))
}

/** Pods that are gone and not yet counted; each is counted once. */
function checkUncounted(pods: JsonObject, at: string, errors: Errors): void {
  const known = new Set<Json>()
  for (const end of ['succeeded', 'failed'])
    for (const [index, uid] of listOf(pods[end]).entries()) {
      if (uid === '') errors.push(fieldError.invalid(`${at}.${end}[${index}]`, uid, 'must not be empty'))
      else if (known.has(uid)) errors.push(fieldError.duplicate(`${at}.${end}[${index}]`, uid))
      known.add(uid)
    }
}

/** Conditions that go together, or do not; looked at when the first of them is new. */
const together = [
  {
    type: 'Complete',
    without: 'SuccessCriteriaMet',
    why: 'Complete=True condition without the SuccessCriteriaMet=true condition',
  },
  { type: 'Failed', without: 'FailureTarget', why: 'Failed=True condition without the FailureTarget=true condition' },
  { type: 'Complete', beside: 'Failed', why: 'Complete=True and Failed=true conditions' },
  { type: 'SuccessCriteriaMet', beside: 'FailureTarget', why: 'SuccessCriteriaMet=True and FailureTarget=true conditions' },
  { type: 'SuccessCriteriaMet', beside: 'Failed', why: 'SuccessCriteriaMet=True and Failed=true conditions' },
]

function checkEnd(status: JsonObject, before: JsonObject, errors: Errors): void {
  for (const { type, without, beside, why } of together) {
    if (!isSaid(status, type) || isSaid(before, type)) continue
    if ((without !== undefined && !isSaid(status, without)) || (beside !== undefined && isSaid(status, beside)))
      errors.push(fieldError.unfit('status.conditions', `cannot set ${why}`))
  }
  const isComplete = isSaid(status, 'Complete')
  checkTimes(status, isComplete, errors)
  if (!isComplete && !isSaid(status, 'Failed')) return
  if (typeof status.startTime !== 'string')
    errors.push(fieldError.required('status.startTime', 'startTime is required for finished job'))
  for (const count of ['active', 'terminating'])
    if (Number(status[count] ?? 0) > 0)
      errors.push(fieldError.invalid(`status.${count}`, status[count], `${count}>0 is invalid for finished job`))
  const { succeeded = null, failed = null } = objectOf(status.uncountedTerminatedPods)
  if (listOf(succeeded).length + listOf(failed).length === 0) return
  const shown = { Succeeded: succeeded, Failed: failed }
  const why = 'must be empty for finished job'
  errors.push({ ...fieldError.invalid('status.uncountedTerminatedPods', shown, why), ordered: true })
}

function checkTimes({ startTime, completionTime }: JsonObject, isComplete: boolean, errors: Errors): void {
  const at = 'status.completionTime'
  if (typeof completionTime !== 'string') {
    if (isComplete) errors.push(fieldError.required(at, 'completionTime is required for Complete jobs'))
    return
  }
  if (!isComplete)
    errors.push(fieldError.invalid(at, completionTime, 'cannot set completionTime when there is no Complete=True condition'))
  if (typeof startTime === 'string' && Date.parse(completionTime) < Date.parse(startTime))
    errors.push(fieldError.invalid(at, completionTime, 'must be equal to or after `startTime`'))
}
