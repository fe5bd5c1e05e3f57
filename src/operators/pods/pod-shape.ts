// Whether the parts of a review and its pod that are read here have the types that the API gives them. The upstream decodes the whole of
// both into types and denies what does not fit; an API server never sends such, but whoever else calls gets an answer and not a guess.
import { isObject, type PatchObject, type PatchValue } from './patch.ts'

/** The first thing that is wrong around the pod, or nothing. */
export function findReviewTrouble(review: PatchObject): string | undefined {
  const { apiVersion, kind, request } = review
  return (
    textTrouble('apiVersion', apiVersion) ??
    textTrouble('kind', kind) ??
    (isAbsent(request) ? undefined : isObject(request) ? requestTrouble(request) : wrong('request', request, 'an object'))
  )
}

const requestTexts = ['uid', 'name', 'namespace', 'operation', 'subResource', 'requestSubResource']
const requestMaps = ['kind', 'resource', 'requestKind', 'requestResource']

function requestTrouble(request: PatchObject): string | undefined {
  for (const name of requestTexts) {
    const trouble = textTrouble(`request.${name}`, request[name])
    if (trouble !== undefined) return trouble
  }
  for (const name of requestMaps) {
    const trouble = mapTrouble(`request.${name}`, request[name])
    if (trouble !== undefined) return trouble
  }
  const { dryRun } = request
  return isAbsent(dryRun) || typeof dryRun === 'boolean' ? undefined : wrong('request.dryRun', dryRun, 'true or false')
}

/** The first thing that is wrong with the pod, or nothing. Missing and null fit everywhere. */
export function findDecodeTrouble(pod: PatchObject): string | undefined {
  const { metadata, spec } = pod
  return (
    (isAbsent(metadata)
      ? undefined
      : isObject(metadata)
        ? metadataTrouble(metadata)
        : wrong('metadata', metadata, 'an object')) ??
    (isAbsent(spec) ? undefined : isObject(spec) ? specTrouble(spec) : wrong('spec', spec, 'an object'))
  )
}

function metadataTrouble({ name, generateName, labels, annotations }: PatchObject): string | undefined {
  return (
    textTrouble('metadata.name', name) ??
    textTrouble('metadata.generateName', generateName) ??
    mapTrouble('metadata.labels', labels) ??
    mapTrouble('metadata.annotations', annotations)
  )
}

function specTrouble({ serviceAccountName, nodeSelector, volumes, initContainers, containers }: PatchObject): string | undefined {
  return (
    textTrouble('spec.serviceAccountName', serviceAccountName) ??
    mapTrouble('spec.nodeSelector', nodeSelector) ??
    listTrouble('spec.volumes', volumes, namedTrouble) ??
    listTrouble('spec.initContainers', initContainers, containerTrouble) ??
    listTrouble('spec.containers', containers, containerTrouble)
  )
}

function containerTrouble(path: string, container: PatchObject): string | undefined {
  return (
    namedTrouble(path, container) ??
    listTrouble(`${path}.env`, container['env'], namedTrouble) ??
    listTrouble(`${path}.volumeMounts`, container['volumeMounts'], mountTrouble) ??
    listTrouble(`${path}.volumeDevices`, container['volumeDevices'], namedTrouble)
  )
}

function mountTrouble(path: string, mount: PatchObject): string | undefined {
  return namedTrouble(path, mount) ?? textTrouble(`${path}.mountPath`, mount['mountPath'])
}

function namedTrouble(path: string, value: PatchObject): string | undefined {
  return textTrouble(`${path}.name`, value['name'])
}

function textTrouble(path: string, value: PatchValue | undefined): string | undefined {
  return isAbsent(value) || typeof value === 'string' ? undefined : wrong(path, value, 'a string')
}

function mapTrouble(path: string, value: PatchValue | undefined): string | undefined {
  if (isAbsent(value)) return undefined
  if (!isObject(value)) return wrong(path, value, 'an object')
  for (const key in value) {
    const trouble = textTrouble(path, value[key])
    if (trouble !== undefined) return trouble
  }
  return undefined
}

function listTrouble(
  path: string,
  value: PatchValue | undefined,
  itemTrouble: (path: string, item: PatchObject) => string | undefined,
): string | undefined {
  if (isAbsent(value)) return undefined
  if (!Array.isArray(value)) return wrong(path, value, 'a list')
  for (const item of value as readonly PatchValue[]) {
    if (item === null) continue
    const trouble = isObject(item) ? itemTrouble(path, item) : wrong(path, item, 'an object')
    if (trouble !== undefined) return trouble
  }
  return undefined
}

function isAbsent(value: PatchValue | undefined): value is null | undefined {
  return value === null || value === undefined
}

function wrong(path: string, value: PatchValue | undefined, wanted: string): string {
  const is = Array.isArray(value) ? 'a list' : typeof value === 'object' ? 'an object' : `a ${typeof value}`
  return `json: cannot decode: ${path} is ${is}, not ${wanted}`
}
