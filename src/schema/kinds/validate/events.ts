// Events of both kinds.
import { qualifiedNameErrors } from '#kube'
import { fieldError } from '../../field-error.ts'
import { isObject, type Json, type JsonObject, jsonEqual } from '../../json.ts'
import type { ValidationContext } from '../../kind-schema.ts'
import { type Errors, objectOf, say, text } from './checks.ts'

const lengthMax = 128

/** Old-style events are held to little, unless they use what the new ones brought. */
export function validateCoreEvent(object: JsonObject): Errors {
  const errors: Errors = []
  checkNamespace(object, objectOf(object.involvedObject).namespace, errors)
  if (hasTime(object)) checkReporter(object.reportingComponent, 'reportingComponent', object, errors)
  return errors
}

function hasTime({ eventTime }: JsonObject): boolean {
  return eventTime !== undefined && eventTime !== null
}

/** What has no namespace is told of in two namespaces only. A new-style event may tell of another namespace than its own. */
function checkNamespace(event: JsonObject, about: Json | undefined, errors: Errors): void {
  const own = text(objectOf(event.metadata).namespace)
  const namespace = text(about)
  const fits = namespace === '' ? own === 'default' || own === 'kube-system' : namespace === own || hasTime(event)
  if (!fits) errors.push(fieldError.invalid('involvedObject.namespace', namespace, 'does not match event.namespace'))
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

/** A real server looks at the reason twice, and says so twice. */
const frozen = [
  'regarding',
  'reason',
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
  checkNamespace(object, objectOf(object.regarding).namespace, errors)
  if (hasTime(object)) checkReporter(object.reportingController, 'reportingController', object, errors)
  if (old === undefined || !jsonEqual(object.series ?? null, old.series ?? null)) checkSeries(object.series, errors)
  if (old === undefined) checkNewEvent(object, errors)
  else for (const field of frozen) checkFrozen(object, old, field, errors)
  return errors
}

function checkSeries(series: Json | undefined, errors: Errors): void {
  if (!isObject(series)) return
  if (Number(series.count ?? 0) < 2) errors.push(fieldError.invalid('series.count', '', 'should be at least 2'))
  if (series.lastObservedTime === undefined || series.lastObservedTime === null)
    errors.push(fieldError.required('series.lastObservedTime'))
}

/** Fields of the old form, which who writes the new one leaves alone. */
const unused = ['deprecatedFirstTimestamp', 'deprecatedLastTimestamp', 'deprecatedCount', 'deprecatedSource']

function checkNewEvent(object: JsonObject, errors: Errors): void {
  if (!hasTime(object)) errors.push(fieldError.required('eventTime'))
  if (object.type !== 'Normal' && object.type !== 'Warning')
    errors.push(fieldError.invalid('type', '', `has invalid value: ${text(object.type)}`))
  if (text(object.note).length > 1024) errors.push(fieldError.invalid('message', '', 'can have at most 1024 characters'))
  for (const field of unused) {
    const value = object[field] ?? null
    const isEmpty = value === null || (isObject(value) && Object.keys(value).length === 0)
    if (!isEmpty) errors.push(fieldError.invalid(oldNames[field] ?? field, '', 'needs to be unset'))
  }
}

/** Structures are shown as the server holds them. */
const references = ['Kind', 'Namespace', 'Name', 'UID', 'APIVersion', 'ResourceVersion', 'FieldPath']
const structures: Readonly<Record<string, readonly string[] | undefined>> = {
  regarding: references,
  related: references,
  deprecatedSource: ['Component', 'Host'],
}
const texts = ['reason', 'note', 'type', 'action', 'reportingController', 'reportingInstance']

function checkFrozen(object: JsonObject, old: JsonObject, field: string, errors: Errors): void {
  const value = object[field] ?? (texts.includes(field) ? '' : null)
  if (jsonEqual(value, old[field] ?? (texts.includes(field) ? '' : null))) return
  const fields = structures[field]
  const shown = fields === undefined || !isObject(value) ? value : shownStructure(value, fields)
  errors.push({ ...fieldError.invalid(oldNames[field] ?? field, shown, 'field is immutable'), ordered: true })
}

function shownStructure(value: JsonObject, fields: readonly string[]): JsonObject {
  const given = new Map(Object.entries(value).map(([field, member]) => [field.toLowerCase(), member]))
  return Object.fromEntries(fields.map(field => [field, given.get(field.toLowerCase()) ?? '']))
}
