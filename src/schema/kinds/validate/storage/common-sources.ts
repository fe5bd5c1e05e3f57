// Sources of volumes that pods and the cluster's own volumes have alike, and are judged alike in both.
import { fieldError } from '../../../field-error.ts'
import { isList, type Json, type JsonObject } from '../../../json.ts'
import { type Errors, listOf, oneOf, text } from '../checks.ts'

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
    const { partition } = source
    // No partition is none, and the first is told as the least.
    if (isOutside(partition))
      errors.push(fieldError.invalid(`${at}.partition`, partition, 'must be between 1 and 255, inclusive'))
  }
}

export function checkUnit(lun: Json | undefined, at: string, errors: Errors): void {
  if (isOutside(lun)) errors.push(fieldError.invalid(at, lun, 'must be between 0 and 255, inclusive'))
}

function isOutside(number: Json | undefined): boolean {
  return typeof number === 'number' && (number < 0 || number > 255)
}

export function goesNotUp(path: string, at: string, errors: Errors): void {
  if (path.split('/').includes('..')) errors.push(fieldError.invalid(at, path, "must not contain '..'"))
}

const hostTypes = ['', 'BlockDevice', 'CharDevice', 'Directory', 'DirectoryOrCreate', 'File', 'FileOrCreate', 'Socket']

export function checkHostPath({ path, type }: JsonObject, at: string, errors: Errors): void {
  if (text(path) === '') {
    errors.push(fieldError.required(`${at}.path`))
    return
  }
  goesNotUp(text(path), `${at}.path`, errors)
  oneOf(type, `${at}.type`, hostTypes, errors)
}

export function checkNfs(source: JsonObject, at: string, errors: Errors): void {
  needs('server', 'path')(source, at, errors)
  const path = text(source.path)
  if (!path.startsWith('/')) errors.push(fieldError.invalid(`${at}.path`, path, 'must be an absolute path'))
}

export function checkFlocker({ datasetName, datasetUUID }: JsonObject, at: string, errors: Errors): void {
  const [name, id] = [text(datasetName), text(datasetUUID)]
  if (name === '' && id === '') errors.push(fieldError.required(at, 'one of datasetName and datasetUUID is required'))
  const why = 'datasetName and datasetUUID can not be specified simultaneously'
  if (name !== '' && id !== '') errors.push(fieldError.invalid(at, 'resource', why))
  if (name.includes('/')) errors.push(fieldError.invalid(`${at}.datasetName`, name, "must not contain '/'"))
}

export function checkFibreChannel({ targetWWNs, wwids, lun }: JsonObject, at: string, errors: Errors): void {
  const path = `${at}.targetWWNs`
  const [targets, ids] = [listOf(targetWWNs).length > 0, listOf(wwids).length > 0]
  if (!targets && !ids) errors.push(fieldError.required(path, 'must specify either targetWWNs or wwids, but not both'))
  if (targets && ids)
    errors.push(fieldError.invalid(path, targetWWNs, 'targetWWNs and wwids can not be specified simultaneously'))
  if (targets && lun === undefined) errors.push(fieldError.required(`${at}.lun`, 'lun is required if targetWWNs is specified'))
  if (targets) checkUnit(lun, `${at}.lun`, errors)
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
