// What admission adds to a new claim or volume: the finalizer that keeps it while something uses it.
import type { Draft } from '../../draft.ts'
import type { AdmissionAttributes } from '../admission.ts'
import type { MakePlugin } from '../plugin.ts'

export const claimProtection = 'kubernetes.io/pvc-protection'
export const volumeProtection = 'kubernetes.io/pv-protection'

const protections: Readonly<Record<string, string>> = {
  persistentvolumeclaims: claimProtection,
  persistentvolumes: volumeProtection,
}

export const storageInUse: MakePlugin = () => ({ name: 'StorageObjectInUseProtection', mutate: withProtection })

function withProtection({ kind, operation, subresource, object }: AdmissionAttributes): Draft | undefined {
  const protection = kind.resource.group === '' ? protections[kind.resource.plural] : undefined
  if (object === undefined || protection === undefined || operation !== 'CREATE' || subresource !== '') return object
  const { finalizers = [] } = object.metadata
  if (finalizers.includes(protection)) return object
  return { ...object, metadata: { ...object.metadata, finalizers: [...finalizers, protection] } }
}
