// The oldest controller of pods, and the revisions that newer ones keep of their templates.
import { dnsLabelErrors } from '#kube'
import { fieldError } from '../../field-error.ts'
import { isObject, type JsonObject } from '../../json.ts'
import type { ValidationContext } from '../../kind-schema.ts'
import { type Errors, nonNegative, objectOf, text } from './checks.ts'
import { checkTemplate } from './pods/pods.ts'

export function validateReplicationController(object: JsonObject, { subresource }: ValidationContext): Errors {
  const errors: Errors = []
  if (subresource === 'status') return errors
  const spec = objectOf(object.spec)
  nonNegative(spec.minReadySeconds, 'spec.minReadySeconds', errors)
  if (!isObject(spec.selector)) errors.push(fieldError.required('spec.selector'))
  nonNegative(spec.replicas, 'spec.replicas', errors)
  if (isObject(spec.template)) checkControlled(spec.template, objectOf(spec.selector), 'spec.template', errors)
  else errors.push(fieldError.required('spec.template'))
  return errors
}

function checkControlled(template: JsonObject, selector: JsonObject, at: string, errors: Errors): void {
  const { labels } = objectOf(template.metadata)
  const isChosen = Object.entries(selector).every(([key, value]) => objectOf(labels)[key] === value)
  if (!isChosen) errors.push(fieldError.invalid(`${at}.metadata.labels`, labels, '`selector` does not match template `labels`'))
  checkTemplate(template, at, errors, undefined)
  const { restartPolicy, activeDeadlineSeconds } = objectOf(template.spec)
  if (restartPolicy !== undefined && restartPolicy !== 'Always')
    errors.push(fieldError.notSupported(`${at}.spec.restartPolicy`, restartPolicy, ['Always']))
  const why = 'activeDeadlineSeconds in ReplicationController is not Supported'
  if (activeDeadlineSeconds !== undefined) errors.push(fieldError.forbidden(`${at}.spec.activeDeadlineSeconds`, why))
}

/** The names of its pods begin with its own. */
export function replicationControllerWarnings({ metadata }: JsonObject): readonly string[] {
  const problems = dnsLabelErrors(text(objectOf(metadata).name))
  if (problems.length === 0) return []
  const why = 'this is used in Pod names and hostnames, which can result in surprising behavior; a DNS label is recommended'
  return [`metadata.name: ${why}: [${problems.join(' ')}]`]
}

export function validateControllerRevision({ revision, data }: JsonObject): Errors {
  const errors: Errors = []
  nonNegative(revision, 'revision', errors)
  if (data === undefined) errors.push(fieldError.required('data', 'data is mandatory'))
  else if (!isObject(data)) errors.push(fieldError.required('data', 'data must be a valid JSON object'))
  return errors
}
