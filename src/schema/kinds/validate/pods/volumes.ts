// Volumes of pods.
import { dnsLabelErrors, dnsSubdomainErrors } from '#kube'
import { fieldError } from '../../../field-error.ts'
import { isObject, type Json, type JsonObject } from '../../../json.ts'
import { parseQuantity } from '../../../quantity.ts'
import { type Errors, eachItem, objectOf, oneOf, say, text } from '../checks.ts'
import { checkFileField } from './variables.ts'

/** The names that containers may mount. */
export function checkVolumes(volumes: Json | undefined, at: string, errors: Errors): ReadonlySet<string> {
  const names = new Set<string>()
  eachItem(volumes, at, (volume, path) => {
    const name = text(volume.name)
    if (name === '') errors.push(fieldError.required(`${path}.name`))
    else say(errors, `${path}.name`, name, dnsLabelErrors(name))
    if (name !== '' && names.has(name)) errors.push(fieldError.duplicate(`${path}.name`, name))
    checkSource(volume, path, errors)
    checkVolumeSource(volume, path, errors)
    names.add(name)
  })
  return names
}

function checkSource(volume: JsonObject, at: string, errors: Errors): void {
  const sources = Object.keys(volume).filter(key => key !== 'name')
  for (const extra of sources.slice(1))
    errors.push(fieldError.forbidden(`${at}.${extra}`, 'may not specify more than 1 volume type'))
  const { secret, configMap, persistentVolumeClaim, projected, emptyDir, downwardAPI } = volume
  if (secret !== undefined && text(objectOf(secret).secretName) === '')
    errors.push(fieldError.required(`${at}.secret.secretName`))
  if (configMap !== undefined && text(objectOf(configMap).name) === '') errors.push(fieldError.required(`${at}.configMap.name`))
  if (persistentVolumeClaim !== undefined && text(objectOf(persistentVolumeClaim).claimName) === '') {
    errors.push(fieldError.required(`${at}.persistentVolumeClaim.claimName`))
  }
  const limit = parseQuantity(text(objectOf(emptyDir).sizeLimit))
  if (limit !== undefined && limit.numerator < 0n)
    errors.push(fieldError.forbidden(`${at}.emptyDir.sizeLimit`, 'SizeLimit field must be a valid resource quantity'))
  for (const [kind, source] of Object.entries({ secret, configMap, projected, downwardAPI })) {
    checkMode(objectOf(source).defaultMode, `${at}.${kind}.defaultMode`, errors)
    eachItem(objectOf(source).items, `${at}.${kind}.items`, (item, path) => checkFile(item, kind, `${at}.${kind}`, path, errors))
  }
  eachItem(objectOf(projected).sources, `${at}.projected.sources`, (source, path) => checkProjection(source, path, errors))
}

function checkProjection(source: JsonObject, at: string, errors: Errors): void {
  const token = source.serviceAccountToken
  if (token === undefined) return
  const seconds = objectOf(token).expirationSeconds
  if (typeof seconds === 'number' && seconds < 600) {
    errors.push(
      fieldError.invalid(
        `${at}.serviceAccountToken.expirationSeconds`,
        seconds,
        'may not specify a duration less than 10 minutes',
      ),
    )
  }
  if (text(objectOf(token).path) === '') errors.push(fieldError.required(`${at}.serviceAccountToken.path`))
}

function checkMode(mode: Json | undefined, at: string, errors: Errors): void {
  if (typeof mode === 'number' && (mode < 0 || mode > 0o777))
    errors.push(fieldError.invalid(at, mode, 'must be a number between 0 and 0777 (octal), both inclusive'))
}

/** A file of a volume, by the key or the field that it shows. */
function checkFile(item: JsonObject, kind: string, source: string, at: string, errors: Errors): void {
  const path = text(item.path)
  if (kind !== 'downwardAPI' && text(item.key) === '') errors.push(fieldError.required(`${at}.key`))
  if (path === '') errors.push(fieldError.required(`${at}.path`))
  else if (path.startsWith('/')) errors.push(fieldError.invalid(`${at}.path`, path, 'must be a relative path'))
  goesNotUp(path, `${at}.path`, errors)
  checkMode(item.mode, `${at}.mode`, errors)
  // A real server names the volume's source here, not the file.
  if (isObject(item.fieldRef)) checkFileField(item.fieldRef.fieldPath, `${source}.fieldRef.fieldPath`, errors)
}

function goesNotUp(path: string, at: string, errors: Errors): void {
  if (path.split('/').includes('..')) errors.push(fieldError.invalid(at, path, "must not contain '..'"))
}

const hostTypes = ['', 'BlockDevice', 'CharDevice', 'Directory', 'DirectoryOrCreate', 'File', 'FileOrCreate', 'Socket']

/** What a pod and a volume of the cluster can be filled from alike. */
export function checkVolumeSource({ hostPath, nfs, csi }: JsonObject, at: string, errors: Errors): void {
  if (isObject(hostPath)) {
    if (text(hostPath.path) === '') errors.push(fieldError.required(`${at}.hostPath.path`))
    goesNotUp(text(hostPath.path), `${at}.hostPath.path`, errors)
    oneOf(hostPath.type, `${at}.hostPath.type`, hostTypes, errors)
  }
  if (isObject(nfs)) {
    for (const field of ['server', 'path']) if (text(nfs[field]) === '') errors.push(fieldError.required(`${at}.nfs.${field}`))
    if (text(nfs.path) !== '' && !text(nfs.path).startsWith('/'))
      errors.push(fieldError.invalid(`${at}.nfs.path`, nfs.path, 'must be an absolute path'))
  }
  if (!isObject(csi)) return
  const driver = text(csi.driver)
  if (driver === '') errors.push(fieldError.required(`${at}.csi.driver`))
  else say(errors, `${at}.csi.driver`, driver, dnsSubdomainErrors(driver.toLowerCase()))
}
