// Volumes at nodes.
import { dnsSubdomainErrors } from '#kube'
import { fieldError } from '../../../field-error.ts'
import { isObject, type JsonObject } from '../../../json.ts'
import { type Errors, objectOf, say, text } from '../checks.ts'
import { checkVolumeSpec } from '../persistent-volumes.ts'
import { checkDriverName } from './drivers.ts'

const oneSource = 'must specify exactly one of inlineVolumeSpec and persistentVolumeName'

/** A real server looks at the attacher again when all else has been looked at. */
export function validateAttachment(object: JsonObject): Errors {
  const errors: Errors = []
  const { attacher, source, nodeName } = objectOf(object.spec)
  if (text(attacher) === '') errors.push(fieldError.required('spec.attacher'))
  checkSource(objectOf(source), 'spec.source', errors)
  say(errors, 'spec.nodeName', text(nodeName), dnsSubdomainErrors(text(nodeName)))
  checkDriverName(text(attacher), 'spec.attacher', errors)
  const { persistentVolumeName: name } = objectOf(source)
  if (name !== undefined) say(errors, 'spec.source.persistentVolumeName', name, dnsSubdomainErrors(text(name)))
  return errors
}

function checkSource({ inlineVolumeSpec, persistentVolumeName }: JsonObject, at: string, errors: Errors): void {
  if (inlineVolumeSpec === undefined && persistentVolumeName === undefined) errors.push(fieldError.required(at, oneSource))
  else if (inlineVolumeSpec !== undefined && persistentVolumeName !== undefined) errors.push(fieldError.forbidden(at, oneSource))
  else if (persistentVolumeName === '')
    errors.push(fieldError.required(`${at}.persistentVolumeName`, 'must specify non empty persistentVolumeName'))
  else if (isObject(inlineVolumeSpec)) checkVolumeSpec(inlineVolumeSpec, `${at}.inlineVolumeSpec`, errors, true)
}
