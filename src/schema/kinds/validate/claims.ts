// Claims of storage.
import { dnsSubdomainErrors } from '#kube'
import { fieldError } from '../../field-error.ts'
import { type Json, type JsonObject, jsonEqual } from '../../json.ts'
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
  checkModes(listOf(spec.accessModes), `${at}.accessModes`, errors)
  checkSelector(spec.selector, `${at}.selector`, errors)
  const storage = objectOf(objectOf(spec.resources).requests).storage
  if (storage === undefined) errors.push(fieldError.required(`${at}.resources[storage]`))
  else if ((parseQuantity(text(storage))?.numerator ?? 1n) <= 0n)
    errors.push(fieldError.invalid(`${at}.resources[storage]`, storage, 'must be greater than zero'))
  if (text(spec.storageClassName) !== '')
    say(errors, `${at}.storageClassName`, spec.storageClassName, dnsSubdomainErrors(text(spec.storageClassName)))
  oneOf(spec.volumeMode, `${at}.volumeMode`, ['Block', 'Filesystem'], errors)
}

function checkModes(modes: readonly Json[], at: string, errors: Errors): void {
  if (modes.length === 0) errors.push(fieldError.required(at, 'at least 1 access mode is required'))
  for (const mode of modes) oneOf(mode, at, accessModes, errors)
  if (modes.includes('ReadWriteOncePod') && modes.length > 1)
    errors.push(fieldError.forbidden(at, 'may not use ReadWriteOncePod with other access modes'))
}
