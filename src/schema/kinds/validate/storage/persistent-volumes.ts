// Volumes that a cluster keeps.
import { dnsSubdomainErrors } from '#kube'
import { fieldError } from '../../../field-error.ts'
import { isObject, type Json, type JsonObject, jsonEqual } from '../../../json.ts'
import type { ValidationContext } from '../../../kind-schema.ts'
import { parseQuantity } from '../../../quantity.ts'
import { type Errors, immutable, listOf, objectOf, oneOf, say, text } from '../checks.ts'
import { formChange } from '../forms/form.ts'
import { persistentSources } from '../forms/volumes.ts'
import { checkNodeSelector, nodeSelectorWarnings } from '../pods/node-selectors.ts'
import { checkKeptAffinity } from './affinities.ts'
import { accessModes, classWarnings, wholeBelow } from './claims.ts'
import { checkSources, sourceWarnings, takesMountOptions } from './volume-sources.ts'

const frozen = 'spec.persistentvolumesource is immutable after creation'
/** Everything of the spec that does not say what the volume is. */
const common = new Set([
  'accessModes',
  'capacity',
  'claimRef',
  'mountOptions',
  'nodeAffinity',
  'persistentVolumeReclaimPolicy',
  'storageClassName',
  'volumeAttributesClassName',
  'volumeMode',
])

const optionsAnnotation = 'volume.beta.kubernetes.io/mount-options'

export function validateVolume(object: JsonObject, { old, subresource }: ValidationContext): Errors {
  const errors: Errors = []
  if (subresource === 'status') return errors
  checkOwnVolume(object, errors)
  if (old === undefined) return errors
  // A real server looks at a changed volume twice, and says everything twice.
  checkOwnVolume(object, errors)
  const spec = objectOf(object.spec)
  const before = objectOf(old.spec)
  if (!jsonEqual(sourcesOf(spec), sourcesOf(before)))
    errors.push(fieldError.forbidden('spec.persistentvolumesource', `${frozen}\n${formChange(before, spec, persistentSources)}`))
  immutable(spec.volumeMode, before.volumeMode, 'volumeMode', errors)
  if (isObject(before.nodeAffinity)) checkKeptAffinity(spec.nodeAffinity, before.nodeAffinity, errors)
  if (before.volumeAttributesClassName !== undefined && spec.volumeAttributesClassName === undefined)
    errors.push(fieldError.forbidden('spec.volumeAttributesClassName', 'update from non-nil value to nil is forbidden'))
  return errors
}

function checkOwnVolume(object: JsonObject, errors: Errors): void {
  const spec = objectOf(object.spec)
  checkVolumeSpec(spec, 'spec', errors)
  if (annotationOf(object, optionsAnnotation) !== undefined && !takesMountOptions(spec)) {
    const why = 'may not specify mount options for this volume type'
    errors.push(fieldError.forbidden(`metadata.annotations.${optionsAnnotation}`, why))
  }
}

function annotationOf({ metadata }: JsonObject, name: string): Json | undefined {
  return objectOf(objectOf(metadata).annotations)[name]
}

export function volumeWarnings(object: JsonObject): readonly string[] {
  const spec = objectOf(object.spec)
  const warnings = [...classWarnings(object)]
  if (annotationOf(object, optionsAnnotation) !== undefined)
    warnings.push(`metadata.annotations[${optionsAnnotation}]: deprecated since v1.31; use "mountOptions" attribute instead`)
  if (spec.persistentVolumeReclaimPolicy === 'Recycle') warnings.push(recycleText)
  const { required } = objectOf(spec.nodeAffinity)
  return [...warnings, ...nodeSelectorWarnings(objectOf(required), 'spec.nodeAffinity.required'), ...sourceWarnings(spec, 'spec')]
}

const recycleText =
  'spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. Instead, the recommended approach is to use dynamic provisioning.'

/** One that stands in an attachment says what is attached, and nothing about whose it is. */
export function checkVolumeSpec(spec: JsonObject, at: string, errors: Errors, isInline = false): void {
  if (isInline) checkInline(spec, at, errors)
  checkModes(listOf(spec.accessModes), `${at}.accessModes`, errors)
  if (!isInline) checkCapacity(spec.capacity, `${at}.capacity`, errors)
  checkPolicy(spec.persistentVolumeReclaimPolicy, `${at}.persistentVolumeReclaimPolicy`, errors, isInline)
  if (isInline) forbidInline(spec, ['nodeAffinity'], at, errors)
  else if (isObject(spec.nodeAffinity)) checkAffinity(spec.nodeAffinity, `${at}.nodeAffinity`, errors)
  checkSources(spec, at, errors)
  if (spec.persistentVolumeReclaimPolicy === 'Recycle' && isRoot(objectOf(spec.hostPath).path)) {
    const why = "may not be 'recycle' for a hostPath mount of '/'"
    errors.push(fieldError.forbidden(`${at}.persistentVolumeReclaimPolicy`, why))
  }
  checkClass(spec, at, errors, isInline)
  checkVolumeMode(spec.volumeMode, `${at}.volumeMode`, errors, isInline)
  if (!isInline) checkAttributes(spec, at, errors)
}

const inlineText = 'may not be specified in the context of inline volumes'

function forbidInline(spec: JsonObject, fields: readonly string[], at: string, errors: Errors): void {
  for (const field of fields) {
    const value = spec[field]
    const isEmpty = value === undefined || (field === 'capacity' && Object.keys(objectOf(value)).length === 0)
    if (!isEmpty) errors.push(fieldError.forbidden(`${at}.${field}`, inlineText))
  }
}

function checkInline(spec: JsonObject, at: string, errors: Errors): void {
  forbidInline(spec, ['claimRef', 'capacity'], at, errors)
  if (spec.csi === undefined)
    errors.push(fieldError.required(`${at}.csi`, 'has to be specified in the context of inline volumes'))
}

function checkModes(modes: readonly Json[], at: string, errors: Errors): void {
  if (modes.length === 0) errors.push(fieldError.required(at))
  for (const mode of modes) oneOf(mode, at, accessModes, errors)
  const areKnown = modes.every(mode => accessModes.includes(text(mode)))
  if (areKnown && modes.includes('ReadWriteOncePod') && modes.length > 1)
    errors.push(fieldError.forbidden(at, 'may not use ReadWriteOncePod with other access modes'))
}

function checkCapacity(capacity: Json | undefined, at: string, errors: Errors): void {
  const given = objectOf(capacity)
  const names = Object.keys(given).sort()
  if (names.length === 0) errors.push(fieldError.required(at))
  if (given.storage === undefined || names.length > 1) errors.push(fieldError.notSupported(at, capacity ?? null, ['storage']))
  for (const name of names) checkAmount(given[name], `${at}[${name}]`, errors)
}

/** A negative amount is told as the whole number below it, and again as it is written. */
function checkAmount(value: Json | undefined, at: string, errors: Errors): void {
  const amount = parseQuantity(text(value))
  if (amount === undefined || amount.numerator > 0n) return
  const whole = wholeBelow(amount)
  if (whole < 0n && whole >= -(2n ** 63n)) errors.push(fieldError.invalid(at, whole, 'must be a valid resource quantity'))
  errors.push(fieldError.invalid(at, value, 'must be greater than zero'))
}

function checkPolicy(policy: Json | undefined, at: string, errors: Errors, isInline: boolean): void {
  if (!isInline) oneOf(policy, at, ['Delete', 'Recycle', 'Retain'], errors)
  else if (policy !== undefined && policy !== 'Retain')
    errors.push(fieldError.forbidden(at, 'may only be Retain in the context of inline volumes'))
}

function checkAffinity({ required }: JsonObject, at: string, errors: Errors): void {
  if (isObject(required)) checkNodeSelector(required, `${at}.required`, errors)
  else errors.push(fieldError.required(`${at}.required`, 'must specify required node constraints'))
}

function isRoot(path: Json | undefined): boolean {
  if (!text(path).startsWith('/')) return false
  const names: string[] = []
  for (const name of text(path).split('/'))
    if (name === '..') names.pop()
    else if (name !== '' && name !== '.') names.push(name)
  return names.length === 0
}

function checkClass({ storageClassName: name }: JsonObject, at: string, errors: Errors, isInline: boolean): void {
  const path = `${at}.storageClassName`
  if (text(name) === '') return
  if (isInline) errors.push(fieldError.forbidden(path, inlineText))
  else say(errors, path, name, dnsSubdomainErrors(text(name)))
}

function checkVolumeMode(mode: Json | undefined, at: string, errors: Errors, isInline: boolean): void {
  if (!isInline) oneOf(mode, at, ['Block', 'Filesystem'], errors)
  else if (mode !== undefined && mode !== 'Filesystem')
    errors.push(fieldError.forbidden(at, 'may not specify volumeMode other than Filesystem in the context of inline volumes'))
}

function checkAttributes({ volumeAttributesClassName: name, csi }: JsonObject, at: string, errors: Errors): void {
  if (name === undefined) return
  const path = `${at}.volumeAttributesClassName`
  if (name === '') errors.push(fieldError.required(path, 'an empty string is disallowed'))
  else say(errors, path, name, dnsSubdomainErrors(text(name)))
  if (csi === undefined) errors.push(fieldError.required(`${at}.csi`, 'has to be specified when using volumeAttributesClassName'))
}

function sourcesOf(spec: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(spec).filter(([field]) => !common.has(field)))
}
