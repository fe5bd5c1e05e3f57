// What the platform does to every container and volume of a control plane, done to the sidecar: a root that cannot be written, a folder for
// what is passing, the end of the log as the last word, and Secrets that only their owner and group can read.
import type { SecretVolume, Sidecar, SidecarContainer } from './sidecar.ts'

/** Of the platform, one for all containers of the pod. */
export const scratchVolume: { readonly name: string; readonly emptyDir: object } = { name: 'tmp-dir', emptyDir: {} }

/** 0640. */
const secretMode = 0o640

/** `hasScratch`: whether the pod has the platform's volume; a mount of one that is not there would keep the pod from starting. */
export function placeSidecar({ container, volumes }: Sidecar, hasScratch: boolean): Sidecar {
  const placed: SidecarContainer = {
    ...container,
    volumeMounts: [...container.volumeMounts, ...(hasScratch ? [{ name: scratchVolume.name, mountPath: '/tmp' }] : [])],
    securityContext: { readOnlyRootFilesystem: true },
    terminationMessagePolicy: 'FallbackToLogsOnError',
  }
  return { container: placed, volumes: volumes.map(readableByGroup) }
}

function readableByGroup({ name, secret }: SecretVolume): SecretVolume {
  return { name, secret: { ...secret, defaultMode: secretMode } }
}
