// What the existing operator's own functions gave, where the file is: it lies beside the checkout and is never part of it.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { DnsObject } from '../api/kinds.ts'
import type { DeploymentSpec } from '../operand/deployment.ts'

const path = join(import.meta.dirname, '../../../../../shared/vectors/external-dns-operator.json')

export interface DeploymentVector {
  readonly id: string
  readonly tags?: readonly string[]
  readonly cr: DnsObject & { readonly metadata: { readonly name: string; readonly uid: string } }
  readonly error?: string
  readonly deployment?: { readonly metadata: object; readonly spec: object }
  readonly podTemplate?: DeploymentSpec['template']
  readonly credentialsRequest: { readonly metadata: object; readonly spec: object } | null
  readonly settings: {
    readonly env: Readonly<Record<string, string>>
    readonly image: string
    readonly isOpenShift: boolean
    readonly operandNamespace: string
    readonly operatorNamespace: string
    readonly platformStatus: {
      readonly type?: string
      readonly aws?: { readonly region?: string }
      readonly gcp?: { readonly projectID?: string }
    } | null
    readonly targetSecret: { readonly name: string; readonly data: Readonly<Record<string, string>> } | null
    readonly trustedCA: { readonly data: Readonly<Record<string, string>> } | null
  }
}

export interface Vectors {
  readonly deployments: readonly DeploymentVector[]
  readonly drift: readonly {
    readonly id: string
    readonly mutations: readonly string[]
    readonly mutationsOnlyTheSpecCompares?: readonly string[]
    readonly desired: DeploymentSpec
    readonly current: DeploymentSpec
    readonly updated?: DeploymentSpec
    readonly changed: boolean
    readonly changedWhenProjectedModeIgnored: boolean
  }[]
  readonly containerNames: readonly { readonly zone: string; readonly container: string }[]
  readonly conditions: readonly {
    readonly id: string
    readonly deployment: { readonly spec: object; readonly status: object | null }
    readonly conditions: readonly object[]
  }[]
  readonly conversions: readonly {
    readonly id: string
    readonly from: string
    readonly to?: string
    readonly input: DnsObject
    readonly asRead?: DnsObject
    readonly converted?: DnsObject
    readonly refusedBySchema?: readonly string[]
    readonly droppedUnknown?: readonly string[]
  }[]
  readonly validations: readonly {
    readonly id: string
    readonly isOpenShift: boolean
    readonly operation: 'CREATE' | 'UPDATE' | 'DELETE'
    readonly object: DnsObject
    readonly oldObject?: DnsObject
    readonly allowed: boolean
    readonly error?: string
    readonly status?: { readonly code: number; readonly reason: string }
    readonly refusedBySchema?: readonly string[]
  }[]
  readonly patterns: readonly { readonly pattern: string; readonly accepted: boolean; readonly error?: string }[]
  readonly arns: readonly { readonly arn: string; readonly accepted: boolean; readonly error?: string }[]
  readonly credentialSecrets: readonly {
    readonly id: string
    readonly cr: DnsObject
    readonly isOpenShift: boolean
    readonly namedInCR: boolean
    readonly reachable: boolean
    readonly source: Readonly<Record<string, string>>
    readonly target?: { readonly data: Readonly<Record<string, string>> }
    readonly error?: string
  }[]
}

/** Undefined where the file is not, for a test that then says so by skipping. */
export function readVectors(): Vectors | undefined {
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as Vectors) : undefined
}

export const noVectors = 'the recorded answers of the existing operator are not beside this checkout'
