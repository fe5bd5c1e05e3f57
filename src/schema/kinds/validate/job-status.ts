// What the controller of jobs may say of one: counts that agree with each other, and an end that has everything an end has.
import { fieldError } from '../../field-error.ts'
import { isObject, type Json, type JsonObject } from '../../json.ts'
import { type Errors, listOf, nonNegative, objectOf, text } from './checks.ts'
import { countIndexes } from './index-ranges.ts'

const counts = ['active', 'succeeded', 'failed', 'ready', 'terminating']

export function checkJobStatus(object: JsonObject, errors: Errors): void {
  const [spec, status] = [objectOf(object.spec), objectOf(object.status)]
  for (const count of counts) nonNegative(status[count], `status.${count}`, errors)
  const { active = 0, ready } = status
  if (typeof ready === 'number' && ready > Number(active))
    errors.push(fieldError.invalid('status.ready', ready, 'cannot set more ready pods than active'))
  checkIndexes(spec, status, errors)
  checkUncounted(objectOf(status.uncountedTerminatedPods), 'status.uncountedTerminatedPods', errors)
  checkEnd(status, errors)
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
    const count = spec.completionMode === 'Indexed' ? countIndexes(text(value), Number(spec.completions ?? 0)) : 0
    if (typeof count === 'string') errors.push(fieldError.invalid(at, value, `error parsing ${field}: ${count}`))
  }
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

function checkEnd(status: JsonObject, errors: Errors): void {
  const { startTime, completionTime, active = 0 } = status
  const is = (type: string): boolean =>
    listOf(status.conditions).some(one => isObject(one) && one.type === type && one.status === 'True')
  const [isComplete, isFailed] = [is('Complete'), is('Failed')]
  const [hasStart, hasEnd] = [typeof startTime === 'string', typeof completionTime === 'string']
  const unfit = (why: string): number => errors.push(fieldError.unfit('status.conditions', why))
  if (isComplete && isFailed) unfit('cannot set Complete=True and Failed=true conditions')
  if (isComplete && !is('SuccessCriteriaMet'))
    unfit('cannot set Complete=True condition without the SuccessCriteriaMet=true condition')
  if (isFailed && !is('FailureTarget')) unfit('cannot set Failed=True condition without the FailureTarget=true condition')
  if (isComplete && !hasEnd)
    errors.push(fieldError.required('status.completionTime', 'completionTime is required for Complete jobs'))
  if (hasEnd && !isComplete) {
    const why = 'cannot set completionTime when there is no Complete=True condition'
    errors.push(fieldError.invalid('status.completionTime', completionTime, why))
  }
  if (hasStart && hasEnd && Date.parse(text(completionTime)) < Date.parse(text(startTime)))
    errors.push(fieldError.invalid('status.completionTime', completionTime, 'must be equal to or after `startTime`'))
  if (!isComplete && !isFailed) return
  if (!hasStart) errors.push(fieldError.required('status.startTime', 'startTime is required for finished job'))
  if (Number(active) > 0) errors.push(fieldError.invalid('status.active', active, 'active>0 is invalid for finished job'))
}
