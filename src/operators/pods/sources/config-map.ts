// The ConfigMap source (§2.8): roles by `<namespace>/<name>` or `*/<name>`, in one JSON text. What cannot be read keeps what was read
// before: a slip of the pen must not take every pod's role away.
import type { JsonNode } from '#base'
import type { ConfigMapEntry } from '../aws/api.ts'
import { fieldOf, type LooseFields, readFields, textOf } from './loose-fields.ts'

export const configMapName = 'pod-identity-webhook'
export const configMapKey = 'config'

/** An entry, and whether a role is promised for it that is not known yet: its pods wait, and are refused rather than left without. */
export interface RoleEntry extends ConfigMapEntry {
  readonly isPromised: boolean
}

export interface RoleEntries {
  readonly entries: ReadonlyMap<string, RoleEntry>
  /** Keys that name no ServiceAccount [F-09]. */
  readonly ignored: readonly string[]
}

export const noRoleEntries: RoleEntries = { entries: new Map(), ignored: [] }

/** The entries, or what is wrong with the text. */
export function parseRoleEntries(text: string): RoleEntries | Error {
  const members = readFields(text)
  if (members instanceof Error) return members
  if (members.length === 0) return noRoleEntries
  const entries = new Map<string, RoleEntry>()
  const ignored = new Set<string>()
  // Only the last of one name counts, as in a decoder's map.
  for (const { name, value } of members) {
    entries.delete(name)
    if (value.kind === 'null') continue
    const entry = value.kind === 'object' ? parseEntry(value.members) : new Error('the entry is no JSON object')
    if (entry instanceof Error) return new Error(`${name.slice(0, 256)}: ${entry.message}`)
    if (keyPattern.test(name)) entries.set(name, entry)
    else ignored.add(name)
  }
  return { entries, ignored: [...ignored] }
}

/** Keys whose entry came, went, or says something else. */
export function changedKeys({ entries: before }: RoleEntries, { entries: after }: RoleEntries): readonly string[] {
  if (before === after) return []
  return [...new Set([...before.keys(), ...after.keys()])].filter(key => !isSameEntry(before.get(key), after.get(key)))
}

function isSameEntry(a: RoleEntry | undefined, b: RoleEntry | undefined): boolean {
  return a === b || (a !== undefined && b !== undefined && renderedEntry(a) === renderedEntry(b))
}

function renderedEntry({ expirationSeconds, ...entry }: RoleEntry): string {
  return JSON.stringify([entry, String(expirationSeconds)])
}

/** A namespace, or one asterisk for any; a name. Patterns match nothing, though upstream's readme suggests them. */
const keyPattern = /^(?:\*|[^/*]+)\/[^/*]+$/

function parseEntry(fields: LooseFields): RoleEntry | Error {
  const roleArn = textOf(fields, 'RoleARN')
  const audience = textOf(fields, 'Audience')
  const regionalSts = fieldOf(fields, 'UseRegionalSTS')
  const expirationSeconds = wholeNumber(fieldOf(fields, 'TokenExpiration'))
  const promised = fieldOf(fields, 'Promised')
  if (roleArn === undefined) return new Error('RoleARN is no text')
  if (audience === undefined) return new Error('Audience is no text')
  if (regionalSts !== undefined && regionalSts.kind !== 'boolean') return new Error('UseRegionalSTS is neither true nor false')
  if (expirationSeconds === undefined) return new Error('TokenExpiration is no whole number of seconds')
  const isPromised = promised?.kind === 'boolean' && promised.value
  return { roleArn, audience, regionalSts: regionalSts?.value ?? false, expirationSeconds, isPromised }
}

/** A whole number of 64 bits by how it is written: the upstream's decoder takes no `9e2` or `900.0`. Nothing given is 0. */
function wholeNumber(node: JsonNode | undefined): bigint | undefined {
  if (node === undefined) return 0n
  if (node.kind !== 'number' || !/^-?\d{1,19}$/.test(node.text)) return undefined
  const whole = BigInt(node.text)
  return BigInt.asIntN(64, whole) === whole ? whole : undefined
}
