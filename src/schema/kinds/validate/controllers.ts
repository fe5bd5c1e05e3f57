// The oldest controller of pods, and the revisions that newer ones keep of their templates.
import { fieldError } from '../../field-error.ts'
import { isObject, type JsonObject } from '../../json.ts'
import type { ValidationContext } from '../../kind-schema.ts'
import { type Errors, immutable, nonNegative, objectOf } from './checks.ts'
import { checkRestarts, checkTemplate } from './pods/pods.ts'
import { checkCounts } from './workloads.ts'

/** A real server looks at a changed one twice, and says everything twice. */
export function validateReplicationController(object: JsonObject, { old, subresource }: ValidationContext): Errors {
  const errors: Errors = []
  const { spec, status } = object
  if (subresource === 'status') {
    checkCounts(objectOf(status), ['fullyLabeledReplicas', 'readyReplicas', 'availableReplicas'], errors, {
      others: ['observedGeneration'],
    })
    return errors
  }
  checkController(objectOf(spec), errors)
  if (old !== undefined) checkController(objectOf(spec), errors)
  return errors
}

function checkController(spec: JsonObject, errors: Errors): void {
  nonNegative(spec.minReadySeconds, 'spec.minReadySeconds', errors)
  if (!isObject(spec.selector)) errors.push(fieldError.required('spec.selector'))
  nonNegative(spec.replicas, 'spec.replicas', errors)
  if (isObject(spec.template)) checkControlled(spec.template, objectOf(spec.selector), 'spec.template', errors)
  else errors.push(fieldError.required('spec.template'))
}

function checkControlled(template: JsonObject, selector: JsonObject, at: string, errors: Errors): void {
  const { labels } = objectOf(template.metadata)
  const isChosen = Object.entries(selector).every(([key, value]) => objectOf(labels)[key] === value)
  if (!isChosen) errors.push(fieldError.invalid(`${at}.metadata.labels`, labels, '`selector` does not match template `labels`'))
  checkTemplate(template, at, errors)
  checkRestarts(template, at, ['Always'], errors)
  const { activeDeadlineSeconds } = objectOf(template.spec)
  const why = 'activeDeadlineSeconds in ReplicationController is not Supported'
  if (activeDeadlineSeconds !== undefined) errors.push(fieldError.forbidden(`${at}.spec.activeDeadlineSeconds`, why))
}

/** What a revision keeps is not looked at again: it stays. */
export function validateControllerRevision({ revision, data }: JsonObject, { old }: ValidationContext): Errors {
  const errors: Errors = []
  nonNegative(revision, 'revision', errors)
  if (old !== undefined) {
    const changes: Errors = []
    immutable(data, old.data, 'data', changes)
    for (const error of changes) errors.push({ ...error, ordered: true })
  }
  if (old !== undefined) return errors
  if (data === undefined) errors.push(fieldError.required('data', 'data is mandatory'))
  else if (!isObject(data)) errors.push(fieldError.required('data', 'data must be a valid JSON object'))
  return errors
}
