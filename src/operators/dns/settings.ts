// What one operator process was told, beside what it found out about its cluster.
import type { ResourceType } from '#kube'
import { kinds } from './api/kinds.ts'
import type { ApiVersionName } from './api/names.ts'
import type { Platform } from './operand/request.ts'

export interface DnsSettings {
  readonly operatorNamespace: string
  readonly operandNamespace: string
  /** Whether somebody said where operands run: manifests make roles there. */
  readonly isPlaced: boolean
  readonly image: string
  readonly operandVersion: string
  /** Empty: no bundle of authorities is handed on. */
  readonly trustedCaConfigMap: string
  /** The version in which the definition of the manifests stores objects. */
  readonly storageVersion: ApiVersionName
  readonly servesWebhooks: boolean
  readonly detectsPlatform: boolean
  readonly requeueMs: number
  readonly logScanMs: number
  readonly logScanLines: number
  readonly preflightEnabled: boolean
  readonly clusterId: string
  /** Before the port of an operand's metrics; empty for all addresses of its pod. */
  readonly metricsHost: string
  readonly perInstanceRbac: boolean
  /** Where bindings are made for objects that ask for one. */
  readonly bindingNamespaces: readonly string[]
  /** What watches the metrics, in the manifests. */
  readonly monitoring: 'none' | 'prometheus'
  readonly proxy: Readonly<Record<string, string | undefined>>
  readonly workers: number
}

/** What every decision rests on that is no object. */
export interface DnsSurroundings {
  readonly settings: DnsSettings
  readonly platform: Platform
  readonly hasRoutes: boolean
}

/** What this process reads and writes: the version that is stored, which the API server gives without asking our webhook to convert it. */
export function claimType({ settings }: Pick<DnsSurroundings, 'settings'>): ResourceType {
  return kinds[settings.storageVersion].type
}
