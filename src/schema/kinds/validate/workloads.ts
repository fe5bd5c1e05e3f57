// Deployments and their siblings.
import { fieldError } from '../../field-error.ts'
import { isObject, type Json, type JsonObject, jsonEqual } from '../../json.ts'
import type { ValidationContext } from '../../kind-schema.ts'
import { type Errors, immutable, nonNegative, objectOf, text } from './checks.ts'
import { checkTemplate } from './pods.ts'
import { checkSelector, isReadable, selects } from './selectors.ts'

export function validateDeployment(object: JsonObject, { old }: ValidationContext): Errors {
  const errors: Errors = []
  const spec = objectOf(object.spec)
  nonNegative(spec.replicas, 'spec.replicas', errors)
  checkWorkload(spec, errors, { restart: ['Always'] })
  checkStrategy(objectOf(spec.strategy), errors)
  nonNegative(spec.minReadySeconds, 'spec.minReadySeconds', errors)
  nonNegative(spec.revisionHistoryLimit, 'spec.revisionHistoryLimit', errors)
  const deadline = spec.progressDeadlineSeconds
  if (typeof deadline === 'number') {
    nonNegative(deadline, 'spec.progressDeadlineSeconds', errors)
    if (deadline <= Number(spec.minReadySeconds ?? 0)) {
      errors.push(fieldError.invalid('spec.progressDeadlineSeconds', deadline, 'must be greater than minReadySeconds'))
    }
  }
  if (old !== undefined) immutable(spec.selector, objectOf(old.spec).selector, 'spec.selector', errors)
  return errors
}

function checkWorkload(
  spec: JsonObject,
  errors: Errors,
  options: { readonly restart: readonly string[]; readonly selectorRequired?: false },
): void {
  const { selector, template } = spec
  const labels = objectOf(objectOf(objectOf(template).metadata)).labels
  if (!isObject(selector)) {
    if (options.selectorRequired !== false) errors.push(fieldError.required('spec.selector'))
    errors.push(
      fieldError.invalid('spec.template.metadata.labels', labels ?? null, '`selector` does not match template `labels`'),
    )
  } else {
    checkSelector(selector, 'spec.selector', errors)
    const isEmpty = Object.keys(objectOf(selector.matchLabels)).length === 0 && selector.matchExpressions === undefined
    if (isEmpty) errors.push(fieldError.invalid('spec.selector', selector, 'empty selector is invalid for deployment'))
    if (!isReadable(selector))
      errors.push({ ...fieldError.invalid('spec.selector', ordered(selector), 'invalid label selector'), ordered: true })
    else if (!isEmpty && !selects(selector, labels)) {
      errors.push(
        fieldError.invalid('spec.template.metadata.labels', labels ?? null, '`selector` does not match template `labels`'),
      )
    }
  }
  checkTemplate(template, 'spec.template', errors, options.restart)
}

/** As the server's own type has it. */
function ordered({ matchLabels, matchExpressions }: JsonObject): JsonObject {
  return { ...(matchLabels !== undefined && { matchLabels }), ...(matchExpressions !== undefined && { matchExpressions }) }
}

function checkStrategy(strategy: JsonObject, errors: Errors): void {
  const at = 'spec.strategy'
  const rolling = strategy.rollingUpdate
  if (strategy.type === 'Recreate') {
    if (rolling !== undefined)
      errors.push(fieldError.forbidden(`${at}.rollingUpdate`, "may not be specified when strategy `type` is 'Recreate'"))
  } else if (strategy.type === 'RollingUpdate') {
    if (isObject(rolling)) checkRolling(rolling, `${at}.rollingUpdate`, errors)
  } else {
    const shown = { Type: text(strategy.type), RollingUpdate: null }
    errors.push({ ...fieldError.notSupported(at, shown, ['Recreate', 'RollingUpdate']), ordered: true })
  }
}

function checkRolling({ maxUnavailable, maxSurge }: JsonObject, at: string, errors: Errors): void {
  checkAmount(maxUnavailable, `${at}.maxUnavailable`, errors)
  checkAmount(maxSurge, `${at}.maxSurge`, errors)
  if (isNothing(maxUnavailable) && isNothing(maxSurge)) {
    errors.push(fieldError.invalid(`${at}.maxUnavailable`, maxUnavailable ?? 0, 'may not be 0 when `maxSurge` is 0'))
  }
  if (typeof maxUnavailable === 'string' && /^\d+%$/.test(maxUnavailable) && Number.parseInt(maxUnavailable, 10) > 100) {
    errors.push(fieldError.invalid(`${at}.maxUnavailable`, maxUnavailable, 'must not be greater than 100%'))
  }
}

export function isNothing(value: Json | undefined): boolean {
  return value === undefined || value === 0 || value === '0%'
}

export function checkAmount(value: Json | undefined, at: string, errors: Errors): void {
  if (typeof value === 'string' && !/^\d+%$/.test(value)) {
    const why =
      "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')"
    errors.push(fieldError.invalid(at, value, why))
  }
  nonNegative(value, at, errors)
}

export function validateReplicaSet(object: JsonObject, { old }: ValidationContext): Errors {
  const errors: Errors = []
  const spec = objectOf(object.spec)
  nonNegative(spec.replicas, 'spec.replicas', errors)
  nonNegative(spec.minReadySeconds, 'spec.minReadySeconds', errors)
  checkWorkload(spec, errors, { restart: ['Always'] })
  if (old !== undefined) immutable(spec.selector, objectOf(old.spec).selector, 'spec.selector', errors)
  return errors
}

export function validateDaemonSet(object: JsonObject, { old }: ValidationContext): Errors {
  const errors: Errors = []
  const spec = objectOf(object.spec)
  checkWorkload(spec, errors, { restart: ['Always'], selectorRequired: false })
  nonNegative(spec.minReadySeconds, 'spec.minReadySeconds', errors)
  nonNegative(spec.revisionHistoryLimit, 'spec.revisionHistoryLimit', errors)
  if (old !== undefined) immutable(spec.selector, objectOf(old.spec).selector, 'spec.selector', errors)
  return errors
}

const statefulChangeable = [
  'replicas',
  'ordinals',
  'template',
  'updateStrategy',
  'revisionHistoryLimit',
  'persistentVolumeClaimRetentionPolicy',
  'minReadySeconds',
]

export function validateStatefulSet(object: JsonObject, { old }: ValidationContext): Errors {
  const errors: Errors = []
  const spec = objectOf(object.spec)
  nonNegative(spec.replicas, 'spec.replicas', errors)
  nonNegative(spec.minReadySeconds, 'spec.minReadySeconds', errors)
  checkWorkload(spec, errors, { restart: ['Always'] })
  if (old !== undefined) {
    const fixed = (from: JsonObject): JsonObject =>
      Object.fromEntries(Object.entries(from).filter(([key]) => !statefulChangeable.includes(key)))
    if (!jsonEqual(fixed(spec), fixed(objectOf(old.spec)))) {
      const text =
        "updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden"
      errors.push(fieldError.forbidden('spec', text))
    }
  }
  return errors
}

export function validateJob(object: JsonObject, { old }: ValidationContext): Errors {
  const errors: Errors = []
  const spec = objectOf(object.spec)
  for (const field of ['parallelism', 'completions', 'activeDeadlineSeconds', 'backoffLimit', 'ttlSecondsAfterFinished']) {
    nonNegative(spec[field], `spec.${field}`, errors)
  }
  const labels = objectOf(objectOf(spec.template).metadata).labels
  if (!isObject(spec.selector)) errors.push(fieldError.required('spec.selector'))
  else if (!selects(spec.selector, labels)) {
    errors.push(
      fieldError.invalid('spec.template.metadata.labels', labels ?? null, '`selector` does not match template `labels`'),
    )
  }
  checkTemplate(spec.template, 'spec.template', errors, undefined)
  const restart = objectOf(objectOf(spec.template).spec).restartPolicy
  if (restart === undefined || restart === 'Always') {
    errors.push(fieldError.required('spec.template.spec.restartPolicy', 'valid values: "OnFailure", "Never"'))
  }
  if (old === undefined) return errors
  const before = objectOf(old.spec)
  immutable(spec.selector, before.selector, 'spec.selector', errors)
  const suspended = before.suspend === true
  if (!suspended) immutable(spec.template, before.template, 'spec.template', errors)
  immutable(spec.completionMode, before.completionMode, 'spec.completionMode', errors)
  return errors
}
