// What ACK's controllers left behind beside what ours leave: every difference is one that is meant, with a line on the page for those who
// come from there, or it is a fault of ours.

export interface Meant {
  /** The row of the page that gives the reason begins with it. */
  readonly row: string
  readonly scenarios: RegExp
  readonly paths: RegExp
}

export const meant: readonly Meant[] = [
  { row: 'A failure of a call', scenarios: /./, paths: /\.conds\.(?:Stalled|Reconciling)$/ },
  { row: 'A tag that is changed', scenarios: /^s03/, paths: /^aws1\.tags/ },
  { row: 'A path or description', scenarios: /^s(?:06|18)/, paths: /^obj\.conds/ },
  { row: 'A new name', scenarios: /^s06/, paths: /^(?:obj2|awsnew|aws$)/ },
  {
    row: 'A resource of somebody else',
    scenarios: /^(?:s09|s32|b03)/,
    paths: /\.status\.(?:ackResourceMetadata|roleLastUsed|roleID|createDate)/,
  },
  { row: 'A second object', scenarios: /^s19/, paths: /^second\.(?:status|fin)/ },
  { row: 'Before anything was made', scenarios: /^(?:s28|b07)/, paths: /\.status\.ackResourceMetadata$/ },
  { row: 'A reference to what is not there', scenarios: /^s13/, paths: /^waiting\.conds/ },
  { row: 'Tags of a provider', scenarios: /^s19/, paths: /^obj2?\.spec\.tags/ },
  { row: 'A client id that AWS does not take', scenarios: /^s19/, paths: /^obj2\.conds/ },
  { row: 'A deletion that waits', scenarios: /^(?:s20|b04)/, paths: /^(?:role-delete-while-in-profile|blocked)\.conds/ },
  { row: 'An object that only looks', scenarios: /^s22/, paths: /ACK\.Ownership$/ },
  { row: 'The ARN of a queue', scenarios: /^q0/, paths: /\.status\.queueARN$/ },
  { row: 'The record of a creation', scenarios: /^(?:b06|b07|q06|s26|s29)/, paths: /ACK\.Ownership$/ },
  { row: 'The finalizer', scenarios: /^b07/, paths: /\.fin$/ },
  { row: 'Settings that S3 gives', scenarios: /^b0[124]/, paths: /\.(?:own|pab)$|\.spec\.(?:encryption|ownershipControls)$/ },
  { row: '`abac` of a bucket', scenarios: /^b0/, paths: /\.spec\.abac$/ },
  { row: 'More tags than AWS takes', scenarios: /^s35/, paths: /^obj\.conds/ },
  { row: 'A policy that says the same', scenarios: /^s31/, paths: /^puts/ },
]

export interface Difference {
  readonly path: string
  readonly theirs: unknown
  readonly ours: unknown
}

type Answers = readonly (readonly [what: string, value: unknown])[]

export function differencesOf(theirs: Answers, ours: Answers): readonly Difference[] {
  return compare(Object.fromEntries(theirs), Object.fromEntries(ours), '')
}

/** Ids, times, how long a step took, and versions of objects are another in each run. */
const passing = /(?:^|\.)(?:createDate|updateDate|roleID|policyID|userID|groupID|instanceProfileID|queueURL|secs|r01 rv)$/

function compare(theirs: unknown, ours: unknown, path: string): readonly Difference[] {
  if (passing.test(path) && isThere(theirs) === isThere(ours)) return []
  // Fewer calls are none too few.
  if (path === 'ncalls') return Number(ours) <= Number(theirs) ? [] : [{ path, theirs, ours }]
  // Of a condition, what it says: why and in which words is another's to compare.
  if (/\.conds\.[^.]+(?:\.[A-Z]\w+)?$/.test(path) && Array.isArray(theirs) && Array.isArray(ours))
    return compare(theirs[0], ours[0], `${path}!`)
  if (isObject(theirs) && isObject(ours)) {
    const names = [...new Set([...Object.keys(theirs), ...Object.keys(ours)])].sort()
    return names.flatMap(name => compare(theirs[name], ours[name], path === '' ? name : `${path}.${name}`))
  }
  if (Array.isArray(theirs) && Array.isArray(ours) && theirs.length === ours.length)
    return theirs.flatMap((item, index) => compare(item, ours[index], `${path}[${index}]`))
  return textOf(theirs) === textOf(ours) ? [] : [{ path: path.replace('!', ''), theirs, ours }]
}

function isThere(value: unknown): boolean {
  return value !== undefined && value !== null
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Nothing, null and what is empty are the same. */
function textOf(value: unknown): string {
  const isEmpty = typeof value === 'object' && value !== null && Object.keys(value).length === 0
  return JSON.stringify(isEmpty ? null : (value ?? null))
}
