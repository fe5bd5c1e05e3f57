// What a volume of the cluster is filled from: one of many kinds of source, most of them of the time before drivers.
import { dnsLabelErrors, dnsSubdomainErrors } from '#kube'
import { fieldError } from '../../../field-error.ts'
import { isObject, type Json, type JsonObject } from '../../../json.ts'
import { type Errors, objectOf, say, text } from '../checks.ts'
import {
  checkAzureDisk,
  checkDisk,
  checkFibreChannel,
  checkFlocker,
  checkHostPath,
  checkNfs,
  checkUnit,
  goesNotUp,
  needs,
} from './common-sources.ts'
import { checkDriverName } from './drivers.ts'

type CheckSource = (source: JsonObject, at: string, errors: Errors, spec: JsonObject, owner: string) => void

interface SourceKind {
  readonly field: string
  /** The name in refusals, where it is another one. */
  readonly told?: string
  /** Whether it may be mounted with options that an annotation of an older version gives. */
  readonly takesOptions?: true
  /** Whether it may follow another source without being refused for that. */
  readonly isNeverTooMany?: true
  readonly check: CheckSource
}

/** In the order in which they are looked at. */
const kinds: readonly SourceKind[] = [
  { field: 'hostPath', check: checkHostPath },
  { field: 'gcePersistentDisk', told: 'persistentDisk', takesOptions: true, check: checkDisk('pdName') },
  { field: 'awsElasticBlockStore', takesOptions: true, check: checkDisk('volumeID') },
  { field: 'glusterfs', takesOptions: true, check: checkGluster },
  { field: 'flocker', check: checkFlocker },
  { field: 'nfs', takesOptions: true, check: checkNfs },
  { field: 'rbd', takesOptions: true, check: needs('monitors', 'image') },
  { field: 'quobyte', takesOptions: true, check: checkQuobyte },
  { field: 'cephfs', takesOptions: true, check: needs('monitors') },
  { field: 'iscsi', takesOptions: true, check: checkIscsi },
  { field: 'cinder', takesOptions: true, check: checkCinder },
  { field: 'fc', check: checkFibreChannel },
  { field: 'flexVolume', isNeverTooMany: true, check: checkFlex },
  { field: 'azureFile', takesOptions: true, check: checkAzureFile },
  { field: 'vsphereVolume', takesOptions: true, check: needs('volumePath') },
  { field: 'photonPersistentDisk', takesOptions: true, check: needs('pdID') },
  { field: 'portworxVolume', check: needs('volumeID') },
  { field: 'azureDisk', takesOptions: true, check: checkAzureDisk },
  { field: 'scaleIO', check: needs('gateway', 'system', 'volumeName') },
  { field: 'local', check: checkLocal },
  { field: 'storageos', check: checkStorageOs },
  { field: 'csi', check: checkDriverVolume },
]

export function checkSources(spec: JsonObject, at: string, errors: Errors): void {
  let count = 0
  for (const { field, told = field, isNeverTooMany, check } of kinds) {
    const source = spec[field]
    if (!isObject(source)) continue
    count++
    if (count === 1 || isNeverTooMany) check(source, `${at}.${told}`, errors, spec, at)
    else errors.push(fieldError.forbidden(`${at}.${toldAsExtra(field)}`, 'may not specify more than 1 volume type'))
  }
  if (count === 0) errors.push(fieldError.required(at, 'must specify a volume type'))
}

function toldAsExtra(field: string): string {
  return field === 'cephfs' ? 'cephFS' : field
}

export function takesMountOptions(spec: JsonObject): boolean {
  return kinds.some(({ field, takesOptions }) => takesOptions === true && spec[field] !== undefined)
}

/** Sources that nothing in the cluster mounts any more. */
const abandoned: readonly (readonly [field: string, told: string, deprecated: string, gone: string])[] = [
  ['photonPersistentDisk', 'photonPersistentDisk', 'v1.11', 'v1.16'],
  ['scaleIO', 'scaleIO', 'v1.16', 'v1.22'],
  ['storageos', 'storageOS', 'v1.22', 'v1.25'],
  ['glusterfs', 'glusterfs', 'v1.25', 'v1.26'],
  ['rbd', 'rbd', 'v1.28', 'v1.31'],
  ['cephfs', 'cephfs', 'v1.28', 'v1.31'],
]

export function sourceWarnings(spec: JsonObject, at: string): readonly string[] {
  return abandoned
    .filter(([field]) => spec[field] !== undefined)
    .map(([, told, deprecated, gone]) => `${at}.${told}: deprecated in ${deprecated}, non-functional in ${gone}+`)
}

function checkGluster(source: JsonObject, at: string, errors: Errors): void {
  const { endpointsNamespace: namespace } = source
  needs('endpoints', 'path')(source, at, errors)
  const path = `${at}.endpointsNamespace`
  if (namespace === '')
    errors.push(fieldError.invalid(path, '', 'if the endpointnamespace is set, it must be a valid namespace name'))
  else if (namespace !== undefined) say(errors, path, namespace, dnsLabelErrors(text(namespace)))
}

const registryText = 'must be a host:port pair or multiple pairs separated by commas'
const tenantLengthMax = 64

/** Of a registry that is given the hosts are looked at only where the tenant could be one. */
function checkQuobyte(source: JsonObject, at: string, errors: Errors): void {
  const [registry, tenant] = [text(source.registry), text(source.tenant)]
  if (registry === '') errors.push(fieldError.required(`${at}.registry`, registryText))
  else if (tenant.length > tenantLengthMax)
    errors.push(fieldError.required(`${at}.tenant`, 'must be a UUID and may not exceed a length of 64 characters'))
  else
    for (const host of registry.split(','))
      if (!isHostAndPort(host)) errors.push(fieldError.invalid(`${at}.registry`, registry, registryText))
  needs('volume')(source, at, errors)
}

function isHostAndPort(text: string): boolean {
  return /^(?:\[[^[\]]*\]|[^:[\]]*):[^:[\]]*$/.test(text)
}

const iscsiNames = /^(?:iqn\.\d{4}-\d{2}\.[A-Za-z\d.-]+:[^,;*&$|\s]+|eui.[A-Za-z\d]{16}|naa.[A-Za-z\d]{32})$/

function checkIscsi(source: JsonObject, at: string, errors: Errors): void {
  const { iqn, lun, initiatorName, secretRef, chapAuthDiscovery, chapAuthSession } = source
  needs('targetPortal', 'iqn')(source, at, errors)
  if (text(iqn) !== '') checkIscsiName(iqn, `${at}.iqn`, errors)
  checkUnit(lun, `${at}.lun`, errors)
  if (secretRef === undefined && (chapAuthDiscovery === true || chapAuthSession === true))
    errors.push(fieldError.required(`${at}.secretRef`))
  if (isObject(secretRef)) needs('name')(secretRef, `${at}.secretRef`, errors)
  if (initiatorName !== undefined) checkIscsiName(initiatorName, `${at}.initiatorname`, errors)
}

function checkIscsiName(name: Json | undefined, at: string, errors: Errors): void {
  if (!iscsiNames.test(text(name))) errors.push(fieldError.invalid(at, name, 'must be valid format'))
}

function checkCinder(source: JsonObject, at: string, errors: Errors): void {
  needs('volumeID')(source, at, errors)
  if (isObject(source.secretRef)) needs('name', 'namespace')(source.secretRef, `${at}.secretRef`, errors)
}

function checkFlex(source: JsonObject, at: string, errors: Errors): void {
  needs('driver')(source, at, errors)
  for (const option of Object.keys(objectOf(source.options)))
    if (/^(?:[^/]*\.)?(?:kubernetes|k8s)\.io(?:\/|$)/i.test(option)) {
      const why = 'kubernetes.io and k8s.io namespaces are reserved'
      errors.push(fieldError.invalid(`${at}.options[${option}]`, option, why))
    }
}

function checkAzureFile(source: JsonObject, at: string, errors: Errors): void {
  needs('secretName', 'shareName')(source, at, errors)
  if (source.secretNamespace === '') errors.push(fieldError.required(`${at}.secretNamespace`))
}

function checkLocal({ path }: JsonObject, at: string, errors: Errors, { nodeAffinity }: JsonObject, owner: string): void {
  if (text(path) === '') errors.push(fieldError.required(`${at}.path`))
  else goesNotUp(text(path), `${at}.path`, errors)
  if (nodeAffinity === undefined) errors.push(fieldError.required(`${owner}.nodeAffinity`, 'Local volume requires node affinity'))
}

function checkStorageOs(source: JsonObject, at: string, errors: Errors): void {
  needs('volumeName')(source, at, errors)
  for (const field of ['volumeName', 'volumeNamespace'])
    if (text(source[field]) !== '') say(errors, `${at}.${field}`, source[field], dnsLabelErrors(text(source[field])))
  if (isObject(source.secretRef)) needs('name', 'namespace')(source.secretRef, `${at}.secretRef`, errors)
}

/** A secret that is needed where the volume is staged is not looked at there. */
const driverSecrets = ['controllerPublishSecretRef', 'controllerExpandSecretRef', 'nodePublishSecretRef', 'nodeExpandSecretRef']

function checkDriverVolume(source: JsonObject, at: string, errors: Errors): void {
  checkDriverName(text(source.driver), `${at}.driver`, errors)
  needs('volumeHandle')(source, at, errors)
  for (const field of driverSecrets) {
    const secret = source[field]
    if (!isObject(secret)) continue
    const [name, namespace] = [text(secret.name), text(secret.namespace)]
    if (name === '') errors.push(fieldError.required(`${at}.${field}.name`))
    else say(errors, `${at}.${field}.name`, name, dnsSubdomainErrors(name))
    if (namespace === '') errors.push(fieldError.required(`${at}.${field}.namespace`))
    else say(errors, `${at}.${field}.namespace`, namespace, dnsLabelErrors(namespace))
  }
}
