// How one built-in kind is written down.
import type { EmulatedVersion } from '../emulated-version.ts'
import type { Behaviour, ScalePaths, Subresource } from './resource.ts'

export interface BuiltinRow {
  /** The first release of ours that serves it in this version; absent means all. */
  readonly since?: Exclude<EmulatedVersion, '1.32'>
  /** What a server of 1.33 and later says to who uses it. */
  readonly deprecated?: string
  readonly group: string
  readonly version?: string
  /** Further versions that show the same objects, newest first. */
  readonly older?: readonly string[]
  readonly kind: string
  readonly plural: string
  readonly short?: readonly string[]
  readonly cluster?: boolean
  readonly all?: boolean
  readonly category?: string
  readonly verbs?: readonly string[]
  readonly subresources?: readonly Subresource[]
  readonly scale?: ScalePaths
  readonly fields?: readonly string[]
  readonly table?: string
  readonly behaviour?: Partial<Behaviour>
}

export const readWrite: readonly string[] = ['get', 'patch', 'update']
export const onSpec = { generation: ['spec'] } as const
/** Metadata is looked at as a whole as well as for what changed. */
export const both = { metadataChecks: ['change', 'whole'] } as const
export const strict = { unconditionalUpdate: false } as const

export function status(kind: string): Subresource {
  return { name: 'status', verbs: readWrite, kind }
}
