// The ConfigMap source (§2.8): roles by `<namespace>/<name>` or `*/<name>`, in one JSON text. What cannot be read keeps what was read
// before: a slip of the pen must not take every pod's role away.
import type { ConfigMapEntry } from '../aws/api.ts'
import { fieldOf, isRecord } from './loose-fields.ts'

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
  let value: unknown
  try {
    value = parseWithIntegers(text)
  } catch (error) {
    return error as Error
  }
  if (value === null) return noRoleEntries
  if (!isRecord(value)) return new Error('it is no JSON object')
  const entries = new Map<string, RoleEntry>()
  const ignored: string[] = []
  for (const [key, fields] of Object.entries(value)) {
    if (fields === null) continue
    const entry = parseEntry(fields)
    if (entry instanceof Error) return new Error(`${key.slice(0, 256)}: ${entry.message}`)
    if (keyPattern.test(key)) entries.set(key, entry)
    else ignored.push(key)
  }
  return { entries, ignored }
}

/** Keys whose entry came, went, or says something else. */
export function changedKeys({ entries: before }: RoleEntries, { entries: after }: RoleEntries): readonly string[] {
  if (before === after) return []
  return [...new Set([...before.keys(), ...after.keys()])].filter(key => !isSameEntry(before.get(key), after.get(key)))
}

function isSameEntry(a: RoleEntry | undefined, b: RoleEntry | undefined): boolean {
  return a === b || (a !== undefined && b !== undefined && textOf(a) === textOf(b))
}

function textOf({ expirationSeconds, ...entry }: RoleEntry): string {
  return JSON.stringify([entry, String(expirationSeconds)])
}

/** A namespace, or one asterisk for any; a name. Patterns match nothing, though upstream's readme suggests them. */
const keyPattern = /^(?:\*|[^/*]+)\/[^/*]+$/

/** Whole numbers of 64 bits as such, by how they are written: the upstream's decoder takes no `9e2` or `900.0` for a number of seconds. */
function parseWithIntegers(text: string): unknown {
  const revive = (_key: string, value: unknown, { source = '' }: { readonly source?: string } = {}): unknown => {
    if (typeof value !== 'number' || !/^-?\d+$/.test(source)) return value
    const whole = BigInt(source)
    return BigInt.asIntN(64, whole) === whole ? whole : value
  }
  return JSON.parse(text, revive)
}

function parseEntry(fields: unknown): RoleEntry | Error {
  if (!isRecord(fields)) return new Error('the entry is no JSON object')
  const roleArn = fieldOf(fields, 'RoleARN') ?? ''
  const audience = fieldOf(fields, 'Audience') ?? ''
  const regionalSts = fieldOf(fields, 'UseRegionalSTS') ?? false
  const expiration = fieldOf(fields, 'TokenExpiration') ?? 0n
  const promised = fieldOf(fields, 'Promised') ?? false
  if (typeof roleArn !== 'string') return new Error('RoleARN is no text')
  if (typeof audience !== 'string') return new Error('Audience is no text')
  if (typeof regionalSts !== 'boolean') return new Error('UseRegionalSTS is neither true nor false')
  if (typeof expiration !== 'bigint') return new Error('TokenExpiration is no whole number of seconds')
  return { roleArn, audience, regionalSts, expirationSeconds: expiration, isPromised: promised === true }
}
