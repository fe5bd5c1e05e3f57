// Sources of volumes that stand elsewhere: disks of clouds, and systems of storage that are asked over the network.
import { dnsLabelErrors } from '#kube'
import { fieldError } from '../../../../field-error.ts'
import { isList, isObject, type Json, type JsonObject } from '../../../../json.ts'
import { type Errors, listOf, objectOf, oneOf, say, text } from '../../checks.ts'

export type CheckSource = (source: JsonObject, at: string, errors: Errors) => void

/** Fields that have to be there. */
export function needs(...fields: readonly string[]): CheckSource {
  return (source, at, errors) => {
    for (const field of fields) if (isEmpty(source[field])) errors.push(fieldError.required(`${at}.${field}`))
  }
}

function isEmpty(value: Json | undefined): boolean {
  return isList(value) ? value.length === 0 : text(value) === ''
}

export function checkDisk(name: string): CheckSource {
  return (source, at, errors) => {
    needs(name)(source, at, errors)
    inRange(source.partition, `${at}.partition`, errors, { least: 0, told: 1 })
  }
}

/** Of a partition nothing is none, and the first is told as the least. */
function inRange(value: Json | undefined, at: string, errors: Errors, { least, told }: { least: number; told: number }): void {
  if (typeof value === 'number' && (value < least || value > 255))
    errors.push(fieldError.invalid(at, value, `must be between ${told} and 255, inclusive`))
}

export function checkIscsi(source: JsonObject, at: string, errors: Errors): void {
  needs('targetPortal')(source, at, errors)
  if (text(source.iqn) === '') errors.push(fieldError.required(`${at}.iqn`))
  else checkQualifiedName(text(source.iqn), `${at}.iqn`, errors)
  inRange(source.lun, `${at}.lun`, errors, { least: 0, told: 0 })
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

export function checkFlocker({ datasetName, datasetUUID }: JsonObject, at: string, errors: Errors): void {
  const [name, id] = [text(datasetName), text(datasetUUID)]
  if (name === '' && id === '') errors.push(fieldError.required(at, 'one of datasetName and datasetUUID is required'))
  const why = 'datasetName and datasetUUID can not be specified simultaneously'
  if (name !== '' && id !== '') errors.push(fieldError.invalid(at, 'resource', why))
  if (name.includes('/')) errors.push(fieldError.invalid(`${at}.datasetName`, name, "must not contain '/'"))
}

export function checkQuobyte(source: JsonObject, at: string, errors: Errors): void {
  const [registry, path] = [text(source.registry), `${at}.registry`]
  const why = 'must be a host:port pair or multiple pairs separated by commas'
  if (registry === '') errors.push(fieldError.required(path, why))
  else if (!registry.split(',').every(pair => pair.includes(':'))) errors.push(fieldError.invalid(path, registry, why))
  needs('volume')(source, at, errors)
}

export function checkFibreChannel({ targetWWNs, wwids, lun }: JsonObject, at: string, errors: Errors): void {
  const path = `${at}.targetWWNs`
  const [targets, ids] = [listOf(targetWWNs).length > 0, listOf(wwids).length > 0]
  if (!targets && !ids) errors.push(fieldError.required(path, 'must specify either targetWWNs or wwids, but not both'))
  if (targets && ids)
    errors.push(fieldError.invalid(path, targetWWNs, 'targetWWNs and wwids can not be specified simultaneously'))
  if (targets && lun === undefined) errors.push(fieldError.required(`${at}.lun`, 'lun is required if targetWWNs is specified'))
  if (targets) inRange(lun, `${at}.lun`, errors, { least: 0, told: 0 })
}

const diskForms = {
  own: ['https://', 'https://{account-name}.blob.core.windows.net/{container-name}/{disk-name}.vhd'],
  managed: ['/subscriptions', '/subscriptions/{sub-id}/resourcegroups/{group-name}/providers/microsoft.compute/disks/{disk-id}'],
} as const

export function checkAzureDisk(source: JsonObject, at: string, errors: Errors): void {
  needs('diskName', 'diskURI')(source, at, errors)
  oneOf(source.cachingMode, `${at}.cachingMode`, ['None', 'ReadOnly', 'ReadWrite'], errors)
  oneOf(source.kind, `${at}.kind`, ['Dedicated', 'Managed', 'Shared'], errors)
  const [start, form] = diskForms[source.kind === 'Managed' ? 'managed' : 'own']
  const address = text(source.diskURI)
  if (!address.startsWith(start)) errors.push(fieldError.notSupported(`${at}.diskURI`, address, [form]))
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
