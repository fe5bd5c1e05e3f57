// Sources of volumes that stand elsewhere and are judged in a pod otherwise than in a volume of the cluster.
import { dnsLabelErrors } from '#kube'
import { fieldError } from '../../../../field-error.ts'
import { isObject, type Json, type JsonObject } from '../../../../json.ts'
import { type Errors, objectOf, say, text } from '../../checks.ts'
import { checkUnit, needs } from '../../storage/common-sources.ts'

export function checkIscsi(source: JsonObject, at: string, errors: Errors): void {
  needs('targetPortal')(source, at, errors)
  if (text(source.iqn) === '') errors.push(fieldError.required(`${at}.iqn`))
  else checkQualifiedName(text(source.iqn), `${at}.iqn`, errors)
  checkUnit(source.lun, `${at}.lun`, errors)
  const isSecured = source.chapAuthDiscovery === true || source.chapAuthSession === true
  if (isSecured && !isObject(source.secretRef)) errors.push(fieldError.required(`${at}.secretRef`))
  // A real server spells the field without its capital here.
  if (source.initiatorName !== undefined) checkQualifiedName(text(source.initiatorName), `${at}.initiatorname`, errors)
}

const qualifiedForms: Readonly<Record<string, RegExp>> = {
  iqn: /^iqn\.\d{4}-\d{2}\.[A-Za-z0-9.-]+:[^,;*&$|\s]+$/,
  eui: /^eui.[A-Za-z0-9]{16}$/,
  naa: /^naa.[A-Za-z0-9]{32}$/,
}

function checkQualifiedName(name: string, at: string, errors: Errors): void {
  const form = qualifiedForms[name.slice(0, 3)]
  if (form === undefined) errors.push(fieldError.invalid(at, name, 'must be valid format starting with iqn, eui, or naa'))
  else if (!form.test(name)) errors.push(fieldError.invalid(at, name, 'must be valid format'))
}

export function checkQuobyte(source: JsonObject, at: string, errors: Errors): void {
  const [registry, path] = [text(source.registry), `${at}.registry`]
  const why = 'must be a host:port pair or multiple pairs separated by commas'
  if (registry === '') errors.push(fieldError.required(path, why))
  else if (!registry.split(',').every(pair => pair.includes(':'))) errors.push(fieldError.invalid(path, registry, why))
  needs('volume')(source, at, errors)
}

export function checkCinder(source: JsonObject, at: string, errors: Errors): void {
  needs('volumeID')(source, at, errors)
  needsNameOf(source.secretRef, `${at}.secretRef`, errors)
}

function needsNameOf(reference: Json | undefined, at: string, errors: Errors): void {
  if (isObject(reference)) needs('name')(reference, at, errors)
}

export function checkFlexVolume(source: JsonObject, at: string, errors: Errors): void {
  needs('driver')(source, at, errors)
  const why = 'kubernetes.io and k8s.io namespaces are reserved'
  for (const option of Object.keys(objectOf(source.options)))
    if (/^(?:[^/]*\.)?(?:kubernetes|k8s)\.io\//.test(option))
      errors.push(fieldError.invalid(`${at}.options[${option}]`, option, why))
}

export function checkStorageOs(source: JsonObject, at: string, errors: Errors): void {
  needs('volumeName')(source, at, errors)
  for (const field of ['volumeName', 'volumeNamespace'])
    if (text(source[field]) !== '') say(errors, `${at}.${field}`, source[field], dnsLabelErrors(text(source[field])))
  needsNameOf(source.secretRef, `${at}.secretRef`, errors)
}
