// Volumes at nodes.
import { dnsSubdomainErrors } from '#kube'
import { fieldError } from '../../../field-error.ts'
import { isObject, type JsonObject } from '../../../json.ts'
import type { ValidationContext } from '../../../kind-schema.ts'
import { type Errors, immutable, objectOf, say, text } from '../checks.ts'
import { checkVolumeSpec } from '../persistent-volumes.ts'
import { checkDriverName } from './drivers.ts'

const oneSource = 'must specify exactly one of inlineVolumeSpec and persistentVolumeName'

/**
 * A real server looks at a changed one twice, and says everything twice; of a new one it looks at the names again when all else has
 * been looked at. What is attached where stays.
 */
export function validateAttachment(object: JsonObject, { old }: ValidationContext): Errors {
  const errors: Errors = []
  const spec = objectOf(object.spec)
  checkOwn(spec, errors)
  if (old === undefined) checkNames(spec, errors)
  else {
    checkOwn(spec, errors)
    checkKept(spec, objectOf(old.spec), errors)
  }
  return errors
}

function checkOwn({ attacher, source, nodeName }: JsonObject, errors: Errors): void {
  if (text(attacher) === '') errors.push(fieldError.required('spec.attacher'))
  checkSource(objectOf(source), 'spec.source', errors)
  say(errors, 'spec.nodeName', text(nodeName), dnsSubdomainErrors(text(nodeName)))
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
