// Classes of priority, runtime and storage, CSI, admission policies.
import { dnsLabelErrors, dnsSubdomainErrors } from '#kube'
import { fieldError } from '../../field-error.ts'
import type { Json, JsonObject } from '../../json.ts'
import type { ValidationContext } from '../../kind-schema.ts'
import { type Errors, eachItem, immutable, listOf, objectOf, oneOf, say, text } from './checks.ts'

/** The highest priority of a class that people make; those of the system are above it. */
const priorityMax = 1_000_000_000

export function validatePriorityClass(object: JsonObject, { old }: ValidationContext): Errors {
  const errors: Errors = []
  const { value, preemptionPolicy } = object
  if (old === undefined) {
    const name = text(objectOf(object.metadata).name)
    if (name.startsWith('system-')) errors.push(fieldError.forbidden('metadata.name', reserved(name)))
    else if (typeof value === 'number' && value > priorityMax)
      errors.push(fieldError.forbidden('value', `maximum allowed value of a user defined priority is ${priorityMax}`))
    oneOf(preemptionPolicy, 'preemptionPolicy', ['PreemptLowerPriority', 'Never'], errors)
    return errors
  }
  if (value !== old.value) errors.push(fieldError.forbidden('value', 'may not be changed in an update.'))
  immutable(preemptionPolicy, old.preemptionPolicy, 'preemptionPolicy', errors)
  return errors
}

function reserved(name: string): string {
  return `priority class names with 'system-' prefix are reserved for system use only. error: ${name} is not a known system priority class`
}

export function validateRuntimeClass(object: JsonObject, { old }: ValidationContext): Errors {
  const errors: Errors = []
  if (old === undefined) say(errors, 'handler', text(object.handler), dnsLabelErrors(text(object.handler)))
  else immutable(object.handler, old.handler, 'handler', errors)
  return errors
}

export function validateStorageClass(object: JsonObject, { old }: ValidationContext): Errors {
  const errors: Errors = []
  if (old === undefined) {
    required(object, ['provisioner'], '', errors)
    oneOf(object.reclaimPolicy, 'reclaimPolicy', ['Delete', 'Retain'], errors)
    oneOf(object.volumeBindingMode, 'volumeBindingMode', ['Immediate', 'WaitForFirstConsumer'], errors)
    return errors
  }
  fixed(object, old, ['parameters', 'provisioner', 'reclaimPolicy'], errors)
  immutable(object.volumeBindingMode, old.volumeBindingMode, 'volumeBindingMode', errors)
  return errors
}

/** Fields whose change is refused in an older form of words. */
function fixed(object: JsonObject, old: JsonObject, fields: readonly string[], errors: Errors): void {
  for (const field of fields)
    if (isChanged(object[field], old[field])) errors.push(fieldError.forbidden(field, `updates to ${field} are forbidden.`))
}

function isChanged(value: Json | undefined, old: Json | undefined): boolean {
  const changes: Errors = []
  immutable(value, old, '', changes)
  return changes.length > 0
}

function required(object: JsonObject, fields: readonly string[], at: string, errors: Errors): void {
  for (const field of fields) if (text(object[field]) === '') errors.push(fieldError.required(`${at}${field}`))
}

export function validateNodeDrivers(object: JsonObject): Errors {
  const errors: Errors = []
  eachItem(objectOf(object.spec).drivers, 'spec.drivers', (driver, at) => {
    say(errors, `${at}.name`, text(driver.name), dnsSubdomainErrors(text(driver.name).toLowerCase()))
    required(driver, ['name', 'nodeID'], `${at}.`, errors)
  })
  return errors
}

export function validateStorageCapacity(object: JsonObject, { old }: ValidationContext): Errors {
  const errors: Errors = []
  const name = text(object.storageClassName)
  if (old === undefined) say(errors, 'storageClassName', name, dnsSubdomainErrors(name))
  else immutable(object.storageClassName, old.storageClassName, 'storageClassName', errors)
  return errors
}

export function validateAttachment(object: JsonObject): Errors {
  const errors: Errors = []
  const spec = objectOf(object.spec)
  const attacher = text(spec.attacher)
  say(errors, 'spec.attacher', attacher, dnsSubdomainErrors(attacher.toLowerCase()))
  required(spec, ['attacher', 'attacher', 'nodeName'], 'spec.', errors)
  return errors
}

export function validateAttributesClass(object: JsonObject): Errors {
  const errors: Errors = []
  required(object, ['driverName'], '', errors)
  return errors
}

export function validateFlowSchema(object: JsonObject): Errors {
  const errors: Errors = []
  const { matchingPrecedence } = objectOf(object.spec)
  if (typeof matchingPrecedence === 'number' && matchingPrecedence > 10_000)
    errors.push(fieldError.invalid('spec.matchingPrecedence', matchingPrecedence, 'must not be greater than 10000'))
  return errors
}

export function validatePriorityLevel(object: JsonObject): Errors {
  const errors: Errors = []
  oneOf(objectOf(object.spec).type, 'spec.type', ['Exempt', 'Limited'], errors)
  return errors
}

export function validateAdmissionBinding(object: JsonObject): Errors {
  const errors: Errors = []
  const actions = objectOf(object.spec).validationActions
  if (listOf(actions).includes('Deny') && listOf(actions).includes('Warn'))
    errors.push(
      fieldError.invalid(
        'spec.validationActions',
        actions,
        'must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)',
      ),
    )
  return errors
}
