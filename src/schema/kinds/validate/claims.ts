// Claims of storage.
import { dnsSubdomainErrors } from '#kube'
import { fieldError } from '../../field-error.ts'
import { isObject, type Json, type JsonObject, jsonEqual } from '../../json.ts'
import type { ValidationContext } from '../../kind-schema.ts'
import { parseQuantity } from '../../quantity.ts'
import { type Errors, listOf, objectOf, oneOf, say, text } from './checks.ts'
import { checkSelector } from './selectors.ts'

export const accessModes: readonly string[] = ['ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOnce', 'ReadWriteOncePod']
const frozen = 'spec is immutable after creation except resources.requests and volumeAttributesClassName for bound claims'

export function validateClaim(object: JsonObject, { old, subresource }: ValidationContext): Errors {
  const errors: Errors = []
  const spec = objectOf(object.spec)
  if (subresource === 'status') return errors
  checkClaimSpec(spec, 'spec', errors)
  if (old !== undefined && !jsonEqual(fixedParts(spec, old), fixedParts(objectOf(old.spec), old)))
    errors.push(fieldError.forbidden('spec', frozen))
  return errors
}

/** What may grow once the claim has its volume, and the class that a claim without one may still be given. */
function fixedParts(spec: JsonObject, old: JsonObject): JsonObject {
  const isBound = objectOf(old.status).phase === 'Bound'
  const { volumeAttributesClassName, storageClassName, resources, ...rest } = spec
  const { requests, ...otherResources } = objectOf(resources)
  const mayBeGivenClass = objectOf(old.spec).storageClassName === undefined && text(objectOf(old.spec).volumeName) === ''
  return {
    ...rest,
    ...(!mayBeGivenClass && storageClassName !== undefined && { storageClassName }),
    ...(!isBound && volumeAttributesClassName !== undefined && { volumeAttributesClassName }),
    resources: { ...otherResources, ...(!isBound && requests !== undefined && { requests }) },
  }
}

export function checkClaimSpec(spec: JsonObject, at: string, errors: Errors): void {
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
  checkContent(spec, at, errors)
  checkName(spec.volumeAttributesClassName, `${at}.volumeAttributesClassName`, errors)
}

function checkName(name: Json | undefined, at: string, errors: Errors): void {
  if (text(name) !== '') say(errors, at, name, dnsSubdomainErrors(text(name)))
}

/** What a volume is filled with at first stands in two fields, which say the same. */
function checkContent({ dataSource, dataSourceRef }: JsonObject, at: string, errors: Errors): void {
  if (isObject(dataSource)) checkContentSource(dataSource, `${at}.dataSource`, errors)
  if (isObject(dataSourceRef)) checkContentSource(dataSourceRef, `${at}.dataSourceRef`, errors)
  if (isObject(dataSource) && isObject(dataSourceRef) && !jsonEqual(dataSource, dataSourceRef))
    errors.push(fieldError.invalid(at, {}, 'must match dataSourceRef'))
}

function checkContentSource({ name, kind, apiGroup }: JsonObject, at: string, errors: Errors): void {
  if (text(name) === '') errors.push(fieldError.required(`${at}.name`))
  if (text(kind) === '') errors.push(fieldError.required(`${at}.kind`))
  if (text(apiGroup) !== '') say(errors, `${at}.apiGroup`, apiGroup, dnsSubdomainErrors(text(apiGroup)))
  else if (kind !== 'PersistentVolumeClaim')
    errors.push(fieldError.invalid(at, text(kind), "must be 'PersistentVolumeClaim' when referencing the default apiGroup"))
}

export function claimWarnings(object: JsonObject): readonly string[] {
  const warnings = [...classWarnings(object)]
  const resources = objectOf(objectOf(object.spec).resources)
  for (const list of ['requests', 'limits']) {
    const { storage } = objectOf(resources[list])
    const amount = parseQuantity(text(storage))
    if (amount !== undefined && amount.numerator % 10n ** BigInt(amount.scale) !== 0n)
      warnings.push(`spec.resources.${list}[storage]: fractional byte value "${text(storage)}" is invalid, must be an integer`)
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
