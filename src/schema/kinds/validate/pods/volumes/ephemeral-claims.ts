// Claims of storage that are made for one pod and go with it.
import { qualifiedNameErrors } from '#kube'
import { fieldError } from '../../../../field-error.ts'
import { isList, isObject, type Json, type JsonObject } from '../../../../json.ts'
import { type Errors, objectOf, qualifiedKeys, say } from '../../checks.ts'
import { checkClaimSpec } from '../../storage/claims.ts'

export function checkEphemeral({ volumeClaimTemplate }: JsonObject, at: string, errors: Errors): void {
  const path = `${at}.volumeClaimTemplate`
  if (!isObject(volumeClaimTemplate)) {
    errors.push(fieldError.required(path))
    return
  }
  checkMetadata(objectOf(volumeClaimTemplate.metadata), `${path}.metadata`, errors)
  checkClaimSpec(objectOf(volumeClaimTemplate.spec), `${path}.spec`, errors)
}

/** What the server gives a claim, in the order in which it is told. */
const given = [
  'name',
  'generateName',
  'namespace',
  'selfLink',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'ownerReferences',
  'finalizers',
] as const

function checkMetadata(metadata: JsonObject, at: string, errors: Errors): void {
  for (const key of Object.keys(objectOf(metadata.annotations)))
    say(errors, `${at}.annotations`, key, qualifiedNameErrors(key.toLowerCase()))
  qualifiedKeys(metadata.labels, `${at}.labels`, errors)
  for (const field of given) if (isGiven(metadata[field])) errors.push(fieldError.forbidden(`${at}.${field}`, 'cannot be set'))
}

function isGiven(value: Json | undefined): boolean {
  if (isList(value)) return value.length > 0
  return value !== undefined && value !== null && value !== '' && value !== 0
}
