// Where containers see volumes: as directories, and as devices.
import { fieldError } from '../../../field-error.ts'
import { isObject, type JsonObject } from '../../../json.ts'
import { type Errors, eachItem, listOf, objectOf, oneOf, text } from '../checks.ts'
import { staysWithin } from './volumes/volume-files.ts'
import type { Volumes } from './volumes/volumes.ts'

/** Names and paths that are taken by the other kind of use. */
type Taken = ReadonlySet<string>

export function checkMounts(container: JsonObject, at: string, volumes: Volumes, errors: Errors): void {
  const paths = new Set<string>()
  const devices = { names: taken(container, 'volumeDevices', 'name'), paths: taken(container, 'volumeDevices', 'devicePath') }
  eachItem(container.volumeMounts, `${at}.volumeMounts`, (mount, path) => {
    const [name, where] = [text(mount.name), text(mount.mountPath)]
    if (name === '') errors.push(fieldError.required(`${path}.name`))
    if (!volumes.has(name)) errors.push(fieldError.notFound(`${path}.name`, name))
    if (where === '') errors.push(fieldError.required(`${path}.mountPath`))
    unique(where, `${path}.mountPath`, paths, errors)
    notElsewhere(name, `${path}.name`, devices.names, 'must not already exist in volumeDevices', errors)
    notElsewhere(where, `${path}.mountPath`, devices.paths, 'must not already exist as a path in volumeDevices', errors)
    checkSubPaths(mount, `${at}.volumeMounts`, path, errors)
    checkSpreading(mount, `${at}.volumeMounts`, isPrivileged(container), errors)
  })
}

function taken(container: JsonObject, list: string, field: string): Taken {
  return new Set(listOf(container[list]).map(use => text(objectOf(use)[field])))
}

function unique(value: string, at: string, seen: Set<string>, errors: Errors): void {
  if (seen.has(value)) errors.push(fieldError.invalid(at, value, 'must be unique'))
  seen.add(value)
}

function notElsewhere(value: string, at: string, others: Taken, why: string, errors: Errors): void {
  if (others.has(value)) errors.push(fieldError.invalid(at, value, why))
}

function isPrivileged({ securityContext }: JsonObject): boolean {
  return objectOf(securityContext).privileged === true
}

/** Of these fields a real server mostly names the list, not its item. */
function checkSubPaths({ subPath, subPathExpr }: JsonObject, list: string, at: string, errors: Errors): void {
  if (text(subPath) !== '') staysWithin(text(subPath), `${list}.subPath`, errors)
  if (text(subPathExpr) === '') return
  const why = 'subPathExpr and subPath are mutually exclusive'
  if (text(subPath) !== '') errors.push(fieldError.invalid(`${at}.subPathExpr`, subPathExpr, why))
  staysWithin(text(subPathExpr), `${list}.subPathExpr`, errors)
}

const propagations = ['Bidirectional', 'HostToContainer', 'None']

function checkSpreading(mount: JsonObject, list: string, privileged: boolean, errors: Errors): void {
  const { mountPropagation } = mount
  oneOf(mountPropagation, `${list}.mountPropagation`, propagations, errors)
  if (mountPropagation === 'Bidirectional' && !privileged) {
    const why = 'Bidirectional mount propagation is available only to privileged containers'
    errors.push(fieldError.forbidden(`${list}.mountPropagation`, why))
  }
  checkRecursion(mount, `${list}.recursiveReadOnly`, errors)
}

function checkRecursion({ recursiveReadOnly, readOnly, mountPropagation }: JsonObject, at: string, errors: Errors): void {
  oneOf(recursiveReadOnly, at, ['Disabled', 'Enabled', 'IfPossible'], errors)
  if (recursiveReadOnly !== 'Enabled' && recursiveReadOnly !== 'IfPossible') return
  if (readOnly !== true) errors.push(fieldError.forbidden(at, 'may only be specified when readOnly is true'))
  const why = 'may only be specified when mountPropagation is None or not specified'
  if ((mountPropagation ?? 'None') !== 'None') errors.push(fieldError.forbidden(at, why))
}

export function checkDevices(container: JsonObject, at: string, volumes: Volumes, errors: Errors): void {
  const [names, paths] = [new Set<string>(), new Set<string>()]
  const mounts = { names: taken(container, 'volumeMounts', 'name'), paths: taken(container, 'volumeMounts', 'mountPath') }
  eachItem(container.volumeDevices, `${at}.volumeDevices`, (device, path) => {
    const [name, where] = [text(device.name), text(device.devicePath)]
    if (name === '') errors.push(fieldError.required(`${path}.name`))
    else unique(name, `${path}.name`, names, errors)
    checkBlock(name, `${path}.name`, volumes, errors)
    checkDevicePath(where, `${path}.devicePath`, paths, errors)
    notElsewhere(name, `${path}.name`, mounts.names, 'must not already exist in volumeMounts', errors)
    notElsewhere(where, `${path}.devicePath`, mounts.paths, 'must not already exist as a path in volumeMounts', errors)
  })
}

/** Only a claim's volume can be a block. */
function checkBlock(name: string, at: string, volumes: Volumes, errors: Errors): void {
  const volume = volumes.get(name)
  const why = 'can only use volume source type of PersistentVolumeClaim or Ephemeral for block mode'
  if (volume === undefined) errors.push(fieldError.notFound(at, name))
  else if (!isObject(volume.persistentVolumeClaim) && !isObject(volume.ephemeral)) errors.push(fieldError.invalid(at, name, why))
}

function checkDevicePath(path: string, at: string, seen: Set<string>, errors: Errors): void {
  const goesUp = path.split('/').includes('..')
  if (path === '') errors.push(fieldError.required(at))
  if (seen.has(path)) errors.push(fieldError.invalid(at, path, 'must be unique'))
  if (goesUp) errors.push(fieldError.invalid(at, path, "can not contain backsteps ('..')"))
  else seen.add(path)
}
