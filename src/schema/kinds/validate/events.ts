// Events of both kinds.
import { qualifiedNameErrors } from '#kube'
import { fieldError } from '../../field-error.ts'
import { type Json, type JsonObject, jsonEqual } from '../../json.ts'
import type { ValidationContext } from '../../kind-schema.ts'
import { type Errors, immutable, objectOf, say, text } from './checks.ts'

const lengthMax = 128

/** Old-style events are held to little, unless they use what the new ones brought. */
export function validateCoreEvent(object: JsonObject): Errors {
  const errors: Errors = []
  checkNamespace(
    objectOf(object.metadata).namespace,
    objectOf(object.involvedObject).namespace,
    'involvedObject.namespace',
    errors,
  )
  if (object.eventTime === undefined || object.eventTime === null) return errors
  checkReporter(object.reportingComponent, 'reportingComponent', object, errors)
  return errors
}

function checkNamespace(own: Json | undefined, about: Json | undefined, at: string, errors: Errors): void {
  const namespace = text(about)
  if (namespace === '') {
    if (text(own) !== 'default' && text(own) !== 'kube-system')
      errors.push(fieldError.invalid(at, namespace, 'does not match event.namespace'))
  } else if (namespace !== text(own)) errors.push(fieldError.invalid(at, namespace, 'does not match event.namespace'))
}

function checkReporter(controller: Json | undefined, at: string, object: JsonObject, errors: Errors): void {
  if (text(controller) === '') errors.push(fieldError.required(at))
  say(errors, at, controller ?? '', qualifiedNameErrors(text(controller)))
  if (text(object.reportingInstance) === '') errors.push(fieldError.required('reportingInstance'))
  else if (text(object.reportingInstance).length > lengthMax) {
    errors.push(fieldError.invalid('reportingInstance', '', `can have at most ${lengthMax} characters`))
  }
  if (text(object.action) === '') errors.push(fieldError.required('action'))
  else if (text(object.action).length > lengthMax)
    errors.push(fieldError.invalid('action', '', `can have at most ${lengthMax} characters`))
  if (text(object.reason) === '') errors.push(fieldError.required('reason'))
  else if (text(object.reason).length > lengthMax)
    errors.push(fieldError.invalid('reason', '', `can have at most ${lengthMax} characters`))
}

const frozen = [
  'regarding',
  'reason',
  'note',
  'deprecatedSource',
  'deprecatedFirstTimestamp',
  'deprecatedLastTimestamp',
  'deprecatedCount',
  'type',
  'eventTime',
  'action',
  'related',
  'reportingController',
  'reportingInstance',
]
/** The server holds all events in their old form and names fields so. */
const oldNames: Readonly<Record<string, string>> = {
  regarding: 'involvedObject',
  note: 'message',
  deprecatedSource: 'source',
  deprecatedFirstTimestamp: 'firstTimestamp',
  deprecatedLastTimestamp: 'lastTimestamp',
  deprecatedCount: 'count',
  reportingController: 'reportingController',
}

export function validateEvent(object: JsonObject, { old }: ValidationContext): Errors {
  const errors: Errors = []
  checkNamespace(objectOf(object.metadata).namespace, objectOf(object.regarding).namespace, 'involvedObject.namespace', errors)
  if (old === undefined) {
    if (object.eventTime === undefined || object.eventTime === null) errors.push(fieldError.required('eventTime'))
    if (object.type !== 'Normal' && object.type !== 'Warning')
      errors.push(fieldError.invalid('type', '', `has invalid value: ${text(object.type)}`))
    checkReporter(object.reportingController, 'reportingController', object, errors)
    if (text(object.note).length > 1024) errors.push(fieldError.invalid('message', '', 'can have at most 1024 characters'))
    return errors
  }
  for (const field of frozen) {
    if (!jsonEqual(object[field] ?? null, old[field] ?? null))
      immutable(object[field], old[field], oldNames[field] ?? field, errors)
  }
  return errors
}
