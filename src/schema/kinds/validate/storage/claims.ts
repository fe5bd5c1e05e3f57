// Claims of storage.
import { dnsSubdomainErrors, qualifiedNameErrors } from '#kube'
import { fieldError } from '../../../field-error.ts'
import { isObject, type Json, type JsonObject, jsonEqual } from '../../../json.ts'
import type { ValidationContext } from '../../../kind-schema.ts'
import { compareQuantities, parseQuantity, type Quantity } from '../../../quantity.ts'
import { withFieldsOf } from '../../changes.ts'
import { type Errors, immutable, listOf, objectOf, oneOf, say, text } from '../checks.ts'
import { formChange } from '../forms/form.ts'
import { claimSpec } from '../forms/volumes.ts'
import { checkSelector } from '../selectors.ts'

export const accessModes: readonly string[] = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod']
const frozen = 'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims'

export function validateClaim(object: JsonObject, { old, subresource }: ValidationContext): Errors {
  const errors: Errors = []
  const spec = objectOf(object.spec)
  if (subresource === 'status') {
    checkStatus(objectOf(object.status), 'status', errors)
    return errors
  }
  checkClaimSpec(spec, 'spec', errors, old !== undefined)
  if (old === undefined) return errors
  // A real server looks at a changed claim twice, and says everything twice.
  checkClaimSpec(spec, 'spec', errors, true)
  const before = objectOf(old.spec)
  const now = withMayChange(spec, old)
  if (!jsonEqual(now, before)) errors.push(fieldError.forbidden('spec', `${frozen}\n${formChange(before, now, claimSpec)}`))
  checkSize(spec, old, errors)
  immutable(spec.volumeMode, before.volumeMode, 'volumeMode', errors)
  return errors
}

/** A claim as it would be without what may change: its volume and its class while it has none, and once it is bound how much it asks for. */
function withMayChange(spec: JsonObject, old: JsonObject): JsonObject {
  const before = objectOf(old.spec)
  const isNamed = text(before.volumeName) !== ''
  const isBound = objectOf(old.status).phase === 'Bound'
  const kept = [
    ...(isNamed ? [] : ['volumeName']),
    ...(isNamed || before.storageClassName !== undefined ? [] : ['storageClassName']),
    ...(isBound ? ['volumeAttributesClassName'] : []),
  ]
  const now = withFieldsOf(before, kept, spec)
  const resources = withFieldsOf(objectOf(before.resources), ['requests'], objectOf(spec.resources))
  return isBound ? { ...now, resources } : now
}

/** A claim may ask for less as long as it has not got that much. */
function checkSize(spec: JsonObject, old: JsonObject, errors: Errors): void {
  const now = storageOf(objectOf(spec.resources).requests)
  const got = storageOf(objectOf(old.status).capacity)
  const why = 'field can not be less than status.capacity'
  const before = storageOf(objectOf(objectOf(old.spec).resources).requests)
  if (compareQuantities(now, before) < 0 && compareQuantities(now, got) <= 0)
    errors.push(fieldError.forbidden('spec.resources.requests.storage', why))
}

function storageOf(amounts: Json | undefined): Quantity {
  return parseQuantity(text(objectOf(amounts).storage) || '0') ?? { numerator: 0n, scale: 0, text: '0' }
}

const resizing = [
  'ControllerResizeInProgress',
  'ControllerResizeInfeasible',
  'NodeResizeInProgress',
  'NodeResizeInfeasible',
  'NodeResizePending',
]

/** What is said of a state that is none names the resource, not the state. */
function checkStatus({ capacity, allocatedResourceStatuses, allocatedResources }: JsonObject, at: string, errors: Errors): void {
  for (const name of namesOf(capacity)) checkNotNegative(objectOf(capacity)[name], `${at}.capacity[${name}]`, errors)
  for (const name of namesOf(allocatedResourceStatuses)) {
    const path = `${at}.allocatedResourceStatuses`
    checkAllocated(name, path, errors)
    const state = text(objectOf(allocatedResourceStatuses)[name])
    if (!resizing.includes(state)) errors.push(fieldError.notSupported(path, name, resizing))
  }
  for (const name of namesOf(allocatedResources)) {
    checkAllocated(name, `${at}.allocatedResources`, errors)
    checkNotNegative(objectOf(allocatedResources)[name], `${at}.allocatedResources[${name}]`, errors)
  }
}

function namesOf(amounts: Json | undefined): readonly string[] {
  return Object.keys(objectOf(amounts)).sort()
}

function checkAllocated(name: string, at: string, errors: Errors): void {
  const problems = qualifiedNameErrors(name)
  say(errors, at, name, problems)
  if (problems.length === 0 && name !== 'storage' && !name.includes('/'))
    errors.push(fieldError.notSupported(at, name, ['storage']))
}

function checkNotNegative(value: Json | undefined, at: string, errors: Errors): void {
  const amount = parseQuantity(text(value))
  if (amount !== undefined && amount.numerator < 0n)
    errors.push(fieldError.invalid(at, wholeBelow(amount), 'must be a valid resource quantity'))
}

/** Of an amount that is not positive. */
export function wholeBelow({ numerator, scale }: Quantity): bigint {
  const divisor = 10n ** BigInt(scale)
  return -((divisor - 1n - numerator) / divisor)
}

/** The group of what a claim is filled from is looked at when the claim is made. */
export function checkClaimSpec(spec: JsonObject, at: string, errors: Errors, isKnown = false): void {
  if (listOf(spec.accessModes).length === 0)
    errors.push(fieldError.required(`${at}.accessModes`, 'at least 1 access mode is required'))
  checkSelector(spec.selector, `${at}.selector`, errors)
  checkModes(listOf(spec.accessModes), `${at}.accessModes`, errors)
  const storage = objectOf(objectOf(spec.resources).requests).storage
  if (storage === undefined) errors.push(fieldError.required(`${at}.resources[storage]`))
  else if ((parseQuantity(text(storage))?.numerator ?? 1n) <= 0n)
    errors.push(fieldError.invalid(`${at}.resources[storage]`, storage, 'must be greater than zero'))
  checkName(spec.storageClassName, `${at}.storageClassName`, errors)
  oneOf(spec.volumeMode, `${at}.volumeMode`, ['Block', 'Filesystem'], errors)
  checkContent(spec, at, errors, isKnown)
  checkName(spec.volumeAttributesClassName, `${at}.volumeAttributesClassName`, errors)
}

function checkName(name: Json | undefined, at: string, errors: Errors): void {
  if (text(name) !== '') say(errors, at, name, dnsSubdomainErrors(text(name)))
}

/** What a volume is filled with at first stands in two fields, which say the same. */
function checkContent({ dataSource, dataSourceRef }: JsonObject, at: string, errors: Errors, isKnown: boolean): void {
  if (isObject(dataSource)) checkContentSource(dataSource, `${at}.dataSource`, errors, isKnown)
  if (isObject(dataSourceRef)) checkContentSource(dataSourceRef, `${at}.dataSourceRef`, errors, isKnown)
  if (isObject(dataSource) && isObject(dataSourceRef) && !jsonEqual(dataSource, dataSourceRef))
    errors.push(fieldError.invalid(at, {}, 'must match dataSourceRef'))
}

function checkContentSource({ name, kind, apiGroup }: JsonObject, at: string, errors: Errors, isKnown: boolean): void {
  if (text(name) === '') errors.push(fieldError.required(`${at}.name`))
  if (text(kind) === '') errors.push(fieldError.required(`${at}.kind`))
  const group = text(apiGroup)
  if (group !== '') say(errors, `${at}.apiGroup`, apiGroup, isKnown ? [] : dnsSubdomainErrors(group))
  else if (kind !== 'PersistentVolumeClaim')
    errors.push(fieldError.invalid(at, text(kind), "must be 'PersistentVolumeClaim' when referencing the default apiGroup"))
}

export function claimWarnings(object: JsonObject): readonly string[] {
  return [...classWarnings(object), ...claimAmountWarnings(object, 'spec')]
}

/** Of what a claim asks for; `at` is where its spec stands, as a real server calls it. */
export function claimAmountWarnings({ spec }: JsonObject, at: string): readonly string[] {
  const warnings: string[] = []
  const resources = objectOf(objectOf(spec).resources)
  for (const list of ['requests', 'limits']) {
    const { storage } = objectOf(resources[list])
    const amount = parseQuantity(text(storage))
    if (amount !== undefined && amount.numerator % 10n ** BigInt(amount.scale) !== 0n)
      warnings.push(`${at}.resources.${list}[storage]: fractional byte value "${text(storage)}" is invalid, must be an integer`)
  }
  return warnings
}

const classAnnotation = 'volume.beta.kubernetes.io/storage-class'

/** The class of a claim or a volume stood in an annotation once. */
export function classWarnings({ metadata }: JsonObject): readonly string[] {
  if (objectOf(objectOf(metadata).annotations)[classAnnotation] === undefined) return []
  return [`metadata.annotations[${classAnnotation}]: deprecated since v1.8; use "storageClassName" attribute instead`]
}

function checkModes(modes: readonly Json[], at: string, errors: Errors): void {
  for (const mode of modes) oneOf(mode, at, accessModes, errors)
  if (modes.includes('ReadWriteOncePod') && modes.length > 1)
    errors.push(fieldError.forbidden(at, 'may not use ReadWriteOncePod with other access modes'))
}
