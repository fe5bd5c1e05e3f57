// What a volume of a pod can be filled from.
import { dnsSubdomainErrors } from '#kube'
import { fieldError } from '../../../../field-error.ts'
import { isObject, type JsonObject } from '../../../../json.ts'
import { parseQuantity } from '../../../../quantity.ts'
import { type Errors, say, text } from '../../checks.ts'
import {
  type CheckSource,
  checkAzureDisk,
  checkDisk,
  checkFibreChannel,
  checkFlocker,
  checkHostPath,
  checkNfs,
  needs,
} from '../../storage/common-sources.ts'
import { checkDriverName } from '../../storage/drivers.ts'
import { checkEphemeral } from './ephemeral-claims.ts'
import { checkCinder, checkFlexVolume, checkIscsi, checkQuobyte, checkStorageOs } from './remote-sources.ts'
import { checkDownward, checkFiles, checkMode, checkProjected, staysWithin } from './volume-files.ts'

export interface VolumeSource {
  readonly field: string
  /** How a real server calls it when it is judged, if otherwise. */
  readonly shownAs?: string
  /** How a real server calls it when it is one too many, if otherwise. */
  readonly extraAs?: string
  readonly check: CheckSource
}

/** In the order in which a real server looks for them. */
export const podVolumeSources: readonly VolumeSource[] = [
  { field: 'emptyDir', check: checkEmptyDirectory },
  { field: 'hostPath', check: checkHostPath },
  { field: 'gitRepo', check: checkRepository },
  { field: 'gcePersistentDisk', shownAs: 'persistentDisk', check: checkDisk('pdName') },
  { field: 'awsElasticBlockStore', check: checkDisk('volumeID') },
  { field: 'secret', check: filesOf('secretName') },
  { field: 'nfs', check: checkNfs },
  { field: 'iscsi', check: checkIscsi },
  { field: 'glusterfs', check: needs('endpoints', 'path') },
  { field: 'flocker', check: checkFlocker },
  { field: 'persistentVolumeClaim', check: needs('claimName') },
  { field: 'rbd', check: needs('monitors', 'image') },
  { field: 'cinder', check: checkCinder },
  { field: 'cephfs', extraAs: 'cephFS', check: needs('monitors') },
  { field: 'quobyte', check: checkQuobyte },
  { field: 'downwardAPI', extraAs: 'downwarAPI', check: checkDownward },
  { field: 'fc', check: checkFibreChannel },
  { field: 'flexVolume', check: checkFlexVolume },
  { field: 'configMap', check: filesOf('name') },
  { field: 'azureFile', check: needs('secretName', 'shareName') },
  { field: 'vsphereVolume', check: needs('volumePath') },
  { field: 'photonPersistentDisk', check: needs('pdID') },
  { field: 'portworxVolume', check: needs('volumeID') },
  { field: 'azureDisk', check: checkAzureDisk },
  { field: 'storageos', check: checkStorageOs },
  { field: 'projected', check: checkProjected },
  { field: 'scaleIO', check: needs('gateway', 'system', 'volumeName') },
  { field: 'csi', check: checkCsi },
  { field: 'ephemeral', check: checkEphemeral },
]

function filesOf(name: string): CheckSource {
  return (source, at, errors) => {
    needs(name)(source, at, errors)
    checkMode(source.defaultMode, `${at}.defaultMode`, errors)
    checkFiles(source.items, `${at}.items`, errors)
  }
}

function checkEmptyDirectory(source: JsonObject, at: string, errors: Errors): void {
  if ((parseQuantity(text(source.sizeLimit))?.numerator ?? 0n) < 0n)
    errors.push(fieldError.forbidden(`${at}.sizeLimit`, 'SizeLimit field must be a valid resource quantity'))
}

function checkRepository(source: JsonObject, at: string, errors: Errors): void {
  needs('repository')(source, at, errors)
  staysWithin(text(source.directory), `${at}.directory`, errors)
}

function checkCsi(source: JsonObject, at: string, errors: Errors): void {
  checkDriverName(text(source.driver), `${at}.driver`, errors)
  const { nodePublishSecretRef } = source
  if (!isObject(nodePublishSecretRef)) return
  const name = text(nodePublishSecretRef.name)
  if (name === '') errors.push(fieldError.required(`${at}.nodePublishSecretRef.name`))
  // A real server names the volume's source here, not the reference.
  else say(errors, `${at}.name`, name, dnsSubdomainErrors(name))
}
