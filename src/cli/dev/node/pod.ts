// A pod, as far as a node reads it.
import type { StoredObject } from '#kube'

export interface KeyToPath {
  readonly key: string
  readonly path: string
}

export interface ProjectedSource {
  readonly serviceAccountToken?: { readonly audience?: string; readonly expirationSeconds?: number; readonly path: string }
  readonly configMap?: { readonly name: string; readonly items?: readonly KeyToPath[]; readonly optional?: boolean }
  readonly secret?: { readonly name: string; readonly items?: readonly KeyToPath[]; readonly optional?: boolean }
  readonly downwardAPI?: { readonly items?: readonly { readonly path: string; readonly fieldRef?: FieldRef }[] }
}

export interface PodVolume {
  readonly name: string
  readonly secret?: { readonly secretName: string; readonly items?: readonly KeyToPath[]; readonly optional?: boolean }
  readonly configMap?: { readonly name: string; readonly items?: readonly KeyToPath[]; readonly optional?: boolean }
  readonly emptyDir?: object
  readonly projected?: { readonly sources?: readonly ProjectedSource[] }
}

export interface FieldRef {
  readonly fieldPath: string
}

interface KeyRef {
  readonly name: string
  readonly key: string
  readonly optional?: boolean
}

export interface PodVariable {
  readonly name: string
  readonly value?: string
  readonly valueFrom?: { readonly secretKeyRef?: KeyRef; readonly configMapKeyRef?: KeyRef; readonly fieldRef?: FieldRef }
}

export interface PodContainer {
  readonly name: string
  readonly image: string
  readonly command?: readonly string[]
  readonly args?: readonly string[]
  readonly env?: readonly PodVariable[]
  readonly volumeMounts?: readonly { readonly name: string; readonly mountPath: string; readonly subPath?: string }[]
}

export interface StartedStatus {
  readonly name: string
  readonly ready: boolean
  readonly restartCount: number
  readonly state?: object
}

export interface Pod extends StoredObject {
  readonly spec: {
    readonly serviceAccountName?: string
    readonly nodeName?: string
    readonly restartPolicy?: string
    readonly containers: readonly PodContainer[]
    readonly volumes?: readonly PodVolume[]
  }
  readonly status?: { readonly phase?: string; readonly containerStatuses?: readonly StartedStatus[] }
}
