// Volumes that a cluster keeps.
import { dnsSubdomainErrors } from '#kube'
import { fieldError } from '../../field-error.ts'
import { type Json, type JsonObject, jsonEqual } from '../../json.ts'
import type { ValidationContext } from '../../kind-schema.ts'
import { parseQuantity } from '../../quantity.ts'
import { type Errors, immutable, listOf, objectOf, oneOf, say, text } from './checks.ts'
import { accessModes } from './claims.ts'
import { checkVolumeSource } from './pods/volumes.ts'

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

export function validateVolume(object: JsonObject, { old, subresource }: ValidationContext): Errors {
  const errors: Errors = []
  if (subresource === 'status') return errors
  const spec = objectOf(object.spec)
  const modes = listOf(spec.accessModes)
  if (modes.length === 0) errors.push(fieldError.required('spec.accessModes'))
  for (const mode of modes) oneOf(mode, 'spec.accessModes', accessModes, errors)
  checkCapacity(spec.capacity, 'spec.capacity', errors)
  checkSources(spec, 'spec', errors)
  oneOf(spec.persistentVolumeReclaimPolicy, 'spec.persistentVolumeReclaimPolicy', ['Delete', 'Recycle', 'Retain'], errors)
  oneOf(spec.volumeMode, 'spec.volumeMode', ['Block', 'Filesystem'], errors)
  if (text(spec.storageClassName) !== '')
    say(errors, 'spec.storageClassName', spec.storageClassName, dnsSubdomainErrors(text(spec.storageClassName)))
  if (old === undefined) return errors
  const before = objectOf(old.spec)
  if (!jsonEqual(sourcesOf(spec), sourcesOf(before))) errors.push(fieldError.forbidden('spec.persistentvolumesource', frozen))
  immutable(spec.volumeMode, before.volumeMode, 'volumeMode', errors)
  return errors
}

export function volumeWarnings({ spec }: JsonObject): readonly string[] {
  if (objectOf(spec).persistentVolumeReclaimPolicy !== 'Recycle') return []
  const instead = 'Instead, the recommended approach is to use dynamic provisioning.'
  return [`spec.persistentVolumeReclaimPolicy: The Recycle reclaim policy is deprecated. ${instead}`]
}

function checkCapacity(capacity: Json | undefined, at: string, errors: Errors): void {
  const given = objectOf(capacity)
  const names = Object.keys(given)
  if (names.length === 0) errors.push(fieldError.required(at))
  if (given.storage === undefined || names.length > 1) errors.push(fieldError.notSupported(at, capacity ?? null, ['storage']))
  const amount = parseQuantity(text(given.storage))
  if (amount !== undefined && amount.numerator <= 0n)
    errors.push(fieldError.invalid(`${at}[storage]`, given.storage, 'must be greater than zero'))
}

function checkSources(spec: JsonObject, at: string, errors: Errors): void {
  const [first, ...more] = Object.keys(sourcesOf(spec))
  if (first === undefined) errors.push(fieldError.required(at, 'must specify a volume type'))
  for (const extra of more) errors.push(fieldError.forbidden(`${at}.${extra}`, 'may not specify more than 1 volume type'))
  checkVolumeSource(spec, at, errors)
  const { csi } = spec
  if (csi !== undefined && text(objectOf(csi).volumeHandle) === '') errors.push(fieldError.required(`${at}.csi.volumeHandle`))
}

function sourcesOf(spec: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(spec).filter(([field]) => !common.has(field)))
}
