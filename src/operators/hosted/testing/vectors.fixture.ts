// What the platform's own builders gave, where the file is: it lies beside the checkout and is never part of it.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { TlsProfile } from '../api/kinds.ts'
import type { SidecarCloud } from '../build/provider.ts'

const path = join(import.meta.dirname, '../../../../../shared/vectors/hypershift-expected.json')

export interface SidecarVector {
  readonly id: string
  readonly input: {
    readonly platform: SidecarCloud
    readonly region?: string
    readonly tenantID?: string
    readonly cloud?: string
    readonly apiServerPort?: number
    readonly tlsProfile: TlsProfile | null
  }
  readonly container: object
  readonly volumes: readonly object[]
}

export interface SecretVector {
  readonly name: string
  readonly type: string
  readonly keys: readonly string[]
  readonly labels: Readonly<Record<string, string>> | null
  readonly annotationKeys: readonly string[]
  readonly caHashLength: number
  readonly 'ca.crt': string
  readonly certificate: Readonly<Record<string, unknown>>
  readonly kubeconfig?: Readonly<Record<string, unknown>>
  readonly afterCAChange?: Readonly<Record<string, boolean>>
}

export interface GoldenVector {
  readonly containerOrder: readonly string[]
  readonly initContainerOrder: readonly string[]
  readonly volumeOrder: readonly string[]
  readonly sidecar: object | null
  readonly volumes: readonly object[]
  readonly kubeconfigSecret?: {
    readonly metadata: Readonly<Record<string, unknown>>
    readonly data: object
    readonly type: string
  }
}

export interface Vectors {
  readonly sidecars: readonly SidecarVector[]
  readonly secrets: readonly SecretVector[]
  readonly guestObjects: Readonly<Record<SidecarCloud, readonly { readonly webhooks?: readonly object[] }[]>>
  readonly golden: Readonly<Record<string, GoldenVector>>
}

/** Undefined where the file is not, for a test that then says so by skipping. */
export function readVectors(): Vectors | undefined {
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Vectors) : undefined
}

export const noVectors = 'what the platform’s own builders gave is not beside this checkout'
