// Volumes at nodes.
import { dnsSubdomainErrors } from '#kube'
import { fieldError } from '../../../field-error.ts'
import { isObject, type JsonObject } from '../../../json.ts'
import type { ValidationContext } from '../../../kind-schema.ts'
import { type Errors, immutable, objectOf, say, text } from '../checks.ts'
import { checkDriverName } from './drivers.ts'
import { checkVolumeSpec } from './persistent-volumes.ts'

const oneSource = 'must specify exactly one of inlineVolumeSpec and persistentVolumeName'

/**
 * A real server looks at a changed one twice, and says everything twice; of a new one it looks at the names again when all else has
 * been looked at. What is attached where stays.
 */
export function validateAttachment(object: JsonObject, { old }: ValidationContext): Errors {
  const errors: Errors = []
  const spec = objectOf(object.spec)
  checkOwn(object, errors)
  if (old === undefined) checkNames(spec, errors)
  else {
    checkOwn(object, errors)
    checkKept(spec, objectOf(old.spec), errors)
  }
  return errors
}

function checkOwn({ spec, status }: JsonObject, errors: Errors): void {
  const { attacher, source, nodeName } = objectOf(spec)
  if (text(attacher) === '') errors.push(fieldError.required('spec.attacher'))
  checkSource(objectOf(source), 'spec.source', errors)
  say(errors, 'spec.nodeName', text(nodeName), dnsSubdomainErrors(text(nodeName)))
  checkStatus(objectOf(status), 'status', errors)
}

const metadataBytesMax = 256 * 1024
const messageBytesMax = 1024

/** Whatever is too long is told by the bound of the metadata. */
function checkStatus({ attachmentMetadata, attachError, detachError }: JsonObject, at: string, errors: Errors): void {
  const entries = Object.entries(objectOf(attachmentMetadata))
  const bytes = entries.reduce((sum, [key, value]) => sum + Buffer.byteLength(key) + Buffer.byteLength(text(value)), 0)
  if (bytes > metadataBytesMax) errors.push(fieldError.tooLong(`${at}.attachmentMetadata`, metadataBytesMax))
  for (const [field, error] of Object.entries({ attachError, detachError }))
    if (Buffer.byteLength(text(objectOf(error).message)) > messageBytesMax)
      errors.push(fieldError.tooLong(`${at}.${field}.message`, metadataBytesMax))
}

function checkNames({ attacher, source }: JsonObject, errors: Errors): void {
  checkDriverName(text(attacher), 'spec.attacher', errors)
  const { persistentVolumeName: name } = objectOf(source)
  if (name !== undefined) say(errors, 'spec.source.persistentVolumeName', name, dnsSubdomainErrors(text(name)))
}

function checkKept(spec: JsonObject, before: JsonObject, errors: Errors): void {
  const changes: Errors = []
  immutable(spec, before, 'spec', changes)
  for (const error of changes) errors.push({ ...error, value: shownSpec(spec), ordered: true })
}

function shownSpec({ attacher, source, nodeName }: JsonObject): JsonObject {
  const { persistentVolumeName, inlineVolumeSpec } = objectOf(source)
  return {
    Attacher: text(attacher),
    Source: { PersistentVolumeName: persistentVolumeName ?? null, InlineVolumeSpec: inlineVolumeSpec ?? null },
    NodeName: text(nodeName),
  }
}

function checkSource({ inlineVolumeSpec, persistentVolumeName }: JsonObject, at: string, errors: Errors): void {
  if (inlineVolumeSpec === undefined && persistentVolumeName === undefined) errors.push(fieldError.required(at, oneSource))
  else if (inlineVolumeSpec !== undefined && persistentVolumeName !== undefined) errors.push(fieldError.forbidden(at, oneSource))
  else if (persistentVolumeName === '')
    errors.push(fieldError.required(`${at}.persistentVolumeName`, 'must specify non empty persistentVolumeName'))
  else if (isObject(inlineVolumeSpec)) checkVolumeSpec(inlineVolumeSpec, `${at}.inlineVolumeSpec`, errors, true)
}
