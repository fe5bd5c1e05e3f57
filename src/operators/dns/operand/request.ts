// All that a Deployment of the operand rests on. Nothing is read to build it, and nothing is chosen afterwards.
import type { Model } from '../convert/convert.ts'

/** What was found out about the cluster at the start. */
export interface Platform {
  readonly isOpenShift: boolean
  /** Of the Infrastructure object: AWS, GCP, Azure and others; empty on plain Kubernetes. */
  readonly type: string
  readonly awsRegion: string
  readonly gcpProject: string
}

export const plainKubernetes: Platform = { isOpenShift: false, type: '', awsRegion: '', gcpProject: '' }

export interface OperandRequest {
  readonly name: string
  readonly uid: string
  readonly namespace: string
  readonly model: Model
  /** Those of the spec, or those that were found. */
  readonly zones: readonly string[]
  /** Zones that are written with a role of their own. */
  readonly zoneRoles: Readonly<Record<string, string>>
  readonly ownerId: string
  readonly platform: Platform
  readonly image: string
  readonly operandVersion: string
  /** The Secret in the namespace of the operand; absent where the pod has another identity. */
  readonly secret: { readonly name: string; readonly hash: string }
  /** Where a bundle of authorities is configured. */
  readonly trustedCaHash: string | undefined
  /** Of the operator, which its operands share. */
  readonly proxy: Readonly<Record<string, string | undefined>>
  /** Before the port of its metrics; empty for all addresses of its pod. */
  readonly metricsHost: string
}

/** What a provider adds to a container and to its pod. */
export interface ProviderPart {
  readonly args: readonly string[]
  readonly env: readonly EnvVar[]
  readonly volumes: readonly OperandVolume[]
  readonly mounts: readonly VolumeMount[]
}

export interface EnvVar {
  readonly name: string
  readonly value?: string
  readonly valueFrom?: object
}

export interface OperandVolume {
  readonly name: string
  readonly [source: string]: unknown
}

export interface VolumeMount {
  readonly name: string
  readonly mountPath: string
  readonly readOnly?: boolean
}
