// Jobs, and CronJobs that make them.
import { dnsLabelErrors } from '#kube'
import { fieldError } from '../../field-error.ts'
import { isObject, type Json, type JsonObject } from '../../json.ts'
import type { ValidationContext } from '../../kind-schema.ts'
import { domainPrefixedPath, type Errors, immutable, nonNegative, objectOf, oneOf, text } from './checks.ts'
import { sameTemplates, templateForm } from './forms/pods.ts'
import { checkFixedFailure, checkFixedSuccess, checkPolicies, checkRestartsOfPolicy } from './job-policies.ts'
import { checkJobStatus } from './job-status.ts'
import { checkRestarts, checkTemplate } from './pods/pods.ts'
import { isTimeZone, scheduleTrouble } from './schedule.ts'
import { checkSelector, fixedSelector, isReadable, selects } from './selectors.ts'

const counts = ['parallelism', 'completions', 'activeDeadlineSeconds', 'backoffLimit', 'ttlSecondsAfterFinished']
/** Of an indexed job at once, and as many that failed. */
const indexesMax = 100_000
const manyIndexesMax = 10_000
const managerBytesMax = 63
/** A job's pods are named after it, and a CronJob's jobs after it: what it appends needs room. */
const cronNameMax = 52

export function validateJob(object: JsonObject, { old, subresource }: ValidationContext): Errors {
  const errors: Errors = []
  if (subresource === 'status') {
    checkJobStatus(object, old ?? {}, errors)
    return errors
  }
  const spec = objectOf(object.spec)
  checkGenerated(object, errors)
  checkOwnJob(object, errors)
  if (old === undefined) {
    checkPodNames(object, errors)
    return errors
  }
  // A real server looks at a changed job twice, and says everything twice but what it generated.
  checkOwnJob(object, errors)
  const before = objectOf(old.spec)
  checkCompletions(spec, before, errors)
  fixedSelector(spec.selector, before.selector, errors)
  checkFrozenTemplate(spec.template, before.template, before.suspend === true, errors)
  checkFixedParts(spec, before, errors)
  return errors
}

/** In the order in which a real server tells of them. */
function checkFixedParts(spec: JsonObject, before: JsonObject, errors: Errors): void {
  const fixed = (field: string): void => immutable(spec[field], before[field], `spec.${field}`, errors)
  fixed('completionMode')
  checkFixedFailure(spec.podFailurePolicy, before.podFailurePolicy, errors)
  fixed('backoffLimitPerIndex')
  fixed('managedBy')
  checkFixedSuccess(spec.successPolicy, before.successPolicy, errors)
}

/** An indexed job grows and shrinks as a whole: every index has its pod. */
function checkCompletions(spec: JsonObject, before: JsonObject, errors: Errors): void {
  const { completions, parallelism } = spec
  if (spec.completionMode !== 'Indexed') immutable(completions, before.completions, 'spec.completions', errors)
  else if (completions !== undefined && completions !== before.completions && completions !== parallelism)
    errors.push(fieldError.invalid('spec.completions', completions, 'can only be modified in tandem with spec.parallelism'))
}

/** The last pod of an indexed job has the longest name. */
function checkPodNames({ metadata, spec }: JsonObject, errors: Errors): void {
  const { completionMode, completions } = objectOf(spec)
  if (completionMode !== 'Indexed' || typeof completions !== 'number' || completions < 1) return
  const name = text(objectOf(metadata).name)
  const last = `${name}-${completions - 1}`
  if (dnsLabelErrors(last).length > 0)
    errors.push(fieldError.invalid('metadata.name', name, `will not able to create pod with invalid DNS label: ${last}`))
}

/** Where the pods of a job may run can change while it is suspended, and nothing else of them. */
function checkFrozenTemplate(template: Json | undefined, before: Json | undefined, isSuspended: boolean, errors: Errors): void {
  const comparable = isSuspended ? withoutPlacement : (value: Json | undefined) => value
  if (sameTemplates(comparable(template), comparable(before))) return
  const form = templateForm(template)
  const error = fieldError.invalid('spec.template', form ?? template, 'field is immutable')
  errors.push(form === undefined ? error : { ...error, ordered: true })
}

/** Of an affinity only the nodes may change; one that says nothing else is none. */
function withoutPlacement(template: Json | undefined): Json {
  const { metadata, spec, ...rest } = objectOf(template)
  const { labels: _l, annotations: _a, ...named } = objectOf(metadata)
  const { affinity, nodeSelector: _n, tolerations: _t, schedulingGates: _g, ...fixed } = objectOf(spec)
  const { nodeAffinity: _f, ...pods } = objectOf(affinity)
  return { ...rest, metadata: named, spec: { ...fixed, ...(Object.keys(pods).length > 0 && { affinity: pods }) } }
}

function checkOwnJob(object: JsonObject, errors: Errors): void {
  const spec = objectOf(object.spec)
  checkJobSpec(spec, 'spec', errors)
  const labels = labelsOf(spec)
  checkSelector(spec.selector, 'spec.selector', errors)
  if (!isObject(spec.selector)) errors.push(fieldError.required('spec.selector'))
  else if (!isReadable(spec.selector)) return
  if (!isObject(spec.selector) || !selects(spec.selector, labels))
    errors.push(
      fieldError.invalid('spec.template.metadata.labels', labels ?? null, '`selector` does not match template `labels`'),
    )
}

/** Who does not say `manualSelector` gets a selector that finds the pods of this very job and no others. */
function checkGenerated({ metadata, spec }: JsonObject, errors: Errors): void {
  const { selector, manualSelector } = objectOf(spec)
  if (manualSelector === true || !isObject(selector)) return
  const { uid = '', name = '' } = objectOf(metadata)
  const expected: JsonObject = {
    'controller-uid': uid,
    'job-name': name,
    'batch.kubernetes.io/controller-uid': uid,
    'batch.kubernetes.io/job-name': name,
  }
  const labels = objectOf(labelsOf(objectOf(spec)))
  for (const [key, value] of Object.entries(expected)) {
    const at = `spec.template.metadata.labels[${key}]`
    const why = `must be '${text(value)}'`
    if (labels[key] === undefined) errors.push(fieldError.required(at, why))
    else if (labels[key] !== value) errors.push(fieldError.invalid(at, labels, why))
  }
  if (isReadable(selector) && !selects(selector, expected))
    errors.push(fieldError.invalid('spec.selector', selector, '`selector` not auto-generated'))
}

function labelsOf(spec: JsonObject): Json | undefined {
  return objectOf(objectOf(spec.template).metadata).labels
}

function checkJobSpec(spec: JsonObject, at: string, errors: Errors): void {
  for (const field of [...counts, 'backoffLimitPerIndex', 'maxFailedIndexes']) nonNegative(spec[field], `${at}.${field}`, errors)
  if (spec.managedBy === '') errors.push(fieldError.required(`${at}.managedBy`))
  else if (spec.managedBy !== undefined) checkManager(text(spec.managedBy), `${at}.managedBy`, errors)
  checkMode(spec, at, errors)
  checkPolicies(spec, at, errors)
  // Which failures count is judged when a pod has failed, so it is replaced no sooner.
  const replacements = isObject(spec.podFailurePolicy) ? ['Failed'] : ['Failed', 'TerminatingOrFailed']
  oneOf(spec.podReplacementPolicy, `${at}.podReplacementPolicy`, replacements, errors)
  checkTemplate(spec.template, `${at}.template`, errors)
  const restart = objectOf(objectOf(spec.template).spec).restartPolicy
  if (restart === undefined || restart === 'Always')
    errors.push(fieldError.required(`${at}.template.spec.restartPolicy`, 'valid values: "OnFailure", "Never"'))
  else checkRestarts(spec.template, `${at}.template`, ['OnFailure', 'Never'], errors)
  checkRestartsOfPolicy(spec, at, errors)
}

function checkManager(manager: string, at: string, errors: Errors): void {
  domainPrefixedPath(manager, at, errors)
  if (Buffer.byteLength(manager) > managerBytesMax) errors.push(fieldError.tooLong(at, managerBytesMax))
}

function checkMode(spec: JsonObject, at: string, errors: Errors): void {
  const { completionMode, backoffLimitPerIndex, maxFailedIndexes } = spec
  oneOf(completionMode, `${at}.completionMode`, ['NonIndexed', 'Indexed'], errors)
  if (maxFailedIndexes !== undefined && backoffLimitPerIndex === undefined)
    errors.push(fieldError.required(`${at}.backoffLimitPerIndex`, 'when maxFailedIndexes is specified'))
  if (completionMode === 'Indexed') checkIndexed(spec, at, errors)
  if (completionMode !== 'NonIndexed') return
  for (const [field, value] of Object.entries({ backoffLimitPerIndex, maxFailedIndexes }))
    if (value !== undefined) errors.push(fieldError.invalid(`${at}.${field}`, value, 'requires indexed completion mode'))
}

function checkIndexed(spec: JsonObject, at: string, errors: Errors): void {
  const { completions, parallelism, maxFailedIndexes } = spec
  if (completions === undefined) errors.push(fieldError.required(`${at}.completions`, 'when completion mode is Indexed'))
  atMost(parallelism, `${at}.parallelism`, indexesMax, ' when completion mode is Indexed', errors)
  if (Number(maxFailedIndexes ?? 0) > Number(completions ?? 0))
    errors.push(fieldError.invalid(`${at}.maxFailedIndexes`, maxFailedIndexes, 'must be less than or equal to completions'))
  atMost(maxFailedIndexes, `${at}.maxFailedIndexes`, indexesMax, '', errors)
  if (Number(completions ?? 0) > indexesMax && spec.backoffLimitPerIndex !== undefined) checkManyIndexes(spec, at, errors)
}

/** Each index that failed is remembered: of so many only some may. */
function checkManyIndexes({ parallelism, maxFailedIndexes }: JsonObject, at: string, errors: Errors): void {
  if (maxFailedIndexes === undefined)
    errors.push(fieldError.required(`${at}.maxFailedIndexes`, `must be specified when completions is above ${indexesMax}`))
  const when = ` when completions are above ${indexesMax} and used with backoff limit per index`
  atMost(parallelism, `${at}.parallelism`, manyIndexesMax, when, errors)
  atMost(maxFailedIndexes, `${at}.maxFailedIndexes`, manyIndexesMax, when, errors)
}

function atMost(value: Json | undefined, at: string, most: number, when: string, errors: Errors): void {
  if (Number(value ?? 0) > most) errors.push(fieldError.invalid(at, value, `must be less than or equal to ${most}${when}`))
}

export function validateCronJob(object: JsonObject, { old }: ValidationContext): Errors {
  const errors: Errors = []
  const spec = objectOf(object.spec)
  const name = text(objectOf(object.metadata).name)
  if (old === undefined && name.length > cronNameMax)
    errors.push(fieldError.invalid('metadata.name', name, `must be no more than ${cronNameMax} characters`))
  checkSchedule(text(spec.schedule), text(objectOf(old?.spec).schedule), spec.timeZone, errors)
  nonNegative(spec.startingDeadlineSeconds, 'spec.startingDeadlineSeconds', errors)
  checkTimeZone(spec.timeZone, objectOf(old?.spec).timeZone, errors)
  oneOf(spec.concurrencyPolicy, 'spec.concurrencyPolicy', ['Allow', 'Forbid', 'Replace'], errors)
  checkJobTemplate(objectOf(objectOf(spec.jobTemplate).spec), 'spec.jobTemplate.spec', errors)
  nonNegative(spec.successfulJobsHistoryLimit, 'spec.successfulJobsHistoryLimit', errors)
  nonNegative(spec.failedJobsHistoryLimit, 'spec.failedJobsHistoryLimit', errors)
  return errors
}

function checkSchedule(schedule: string, before: string, timeZone: Json | undefined, errors: Errors): void {
  const at = 'spec.schedule'
  if (schedule === '') {
    errors.push(fieldError.required(at))
    return
  }
  const trouble = scheduleTrouble(schedule)
  if (trouble !== undefined) errors.push(fieldError.invalid(at, schedule, trouble))
  if (!schedule.includes('TZ')) return
  // Who had a zone in the schedule before it was forbidden keeps it.
  const why = before.includes('TZ')
    ? timeZone === undefined
      ? undefined
      : 'cannot use both timeZone field and TZ or CRON_TZ in schedule'
    : 'cannot use TZ or CRON_TZ in schedule, use timeZone field instead'
  if (why !== undefined) errors.push(fieldError.invalid(at, schedule, why))
}

function checkTimeZone(zone: Json | undefined, before: Json | undefined, errors: Errors): void {
  if (zone === undefined || zone === before) return
  const [at, name] = ['spec.timeZone', text(zone)]
  if (name === '') errors.push(fieldError.invalid(at, name, 'timeZone must be nil or non-empty string'))
  else if (name.toLowerCase() === 'local')
    errors.push(
      fieldError.invalid(at, name, 'timeZone must be an explicit time zone as defined in https://www.iana.org/time-zones'),
    )
  else if (!isTimeZone(name)) errors.push(fieldError.invalid(at, name, `unknown time zone ${name}`))
}

function checkJobTemplate(spec: JsonObject, at: string, errors: Errors): void {
  checkJobSpec(spec, at, errors)
  if (isObject(spec.selector))
    errors.push(fieldError.invalid(`${at}.selector`, spec.selector, '`selector` will be auto-generated'))
  if (spec.manualSelector === true) errors.push(fieldError.notSupported(`${at}.manualSelector`, true, ['nil', 'false']))
}
