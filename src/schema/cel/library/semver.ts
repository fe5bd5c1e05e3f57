// Versions (`1.2.3-rc.1+build`).
import { CelOpaque, type CelValue, EvalError } from '../values.ts'
import type { LibraryFunction } from './function.ts'

const semverName = 'kubernetes.Semver'

export const semvers: Readonly<Record<string, LibraryFunction>> = {
  isSemver: ([text, normalize]) => (typeof text === 'string' ? parse(prepared(text, normalize)) !== undefined : undefined),
  semver: ([text, normalize]) => (typeof text === 'string' ? semverValue(text, normalize) : undefined),
  major: ([value]) => on(value, version => version.numbers[0]),
  minor: ([value]) => on(value, version => version.numbers[1]),
  patch: ([value]) => on(value, version => version.numbers[2]),
}

/** The comparisons that versions share with quantities by name. */
export const semverComparisons: Readonly<Record<string, LibraryFunction>> = {
  isGreaterThan: ([a, b]) => compare(a, b, order => order > 0),
  isLessThan: ([a, b]) => compare(a, b, order => order < 0),
  compareTo: ([a, b]) => compare(a, b, order => BigInt(order)),
}

interface Version {
  readonly text: string
  readonly numbers: readonly [bigint, bigint, bigint]
  readonly pre: readonly string[]
}

const pattern = /^(0|[1-9]\d{0,18})\.(0|[1-9]\d{0,18})\.(0|[1-9]\d{0,18})(?:-([0-9A-Za-z.-]+))?(?:\+([0-9A-Za-z.-]+))?$/

function parse(text: string): Version | undefined {
  const match = text.length > 512 ? null : pattern.exec(text)
  if (match === null) return undefined
  const pre = match[4]?.split('.') ?? []
  const build = match[5]?.split('.') ?? []
  if ([...pre, ...build].includes('') || pre.some(part => /^0\d+$/.test(part))) return undefined
  return { text, numbers: [BigInt(match[1] as string), BigInt(match[2] as string), BigInt(match[3] as string)], pre }
}

/** With `true` as second argument a `v`, missing parts and leading zeros are forgiven. */
function prepared(text: string, normalize: CelValue | undefined): string {
  if (normalize !== true) return text
  const [, core = '', rest = ''] = /^v?([\d.]*)(.*)$/s.exec(text) ?? []
  const parts = core.split('.').map(part => part.replace(/^0+(?=\d)/, ''))
  while (parts.length < 3) parts.push('0')
  return parts.join('.') + rest
}

function semverValue(text: string, normalize: CelValue | undefined): CelOpaque {
  const version = parse(prepared(text, normalize))
  if (version === undefined) throw new EvalError(`No Major.Minor.Patch elements found`)
  return new CelOpaque(semverName, version, other => order(version, other.content as Version) === 0)
}

function on(value: CelValue | undefined, work: (version: Version) => CelValue): CelValue | undefined {
  return value instanceof CelOpaque && value.type === semverName ? work(value.content as Version) : undefined
}

function compare(a: CelValue | undefined, b: CelValue | undefined, result: (order: number) => CelValue): CelValue | undefined {
  return on(b, right => on(a, left => result(order(left, right))) ?? null)
}

function order(a: Version, b: Version): number {
  for (let i = 0; i < 3; i++) {
    const [left, right] = [a.numbers[i] as bigint, b.numbers[i] as bigint]
    if (left !== right) return left < right ? -1 : 1
  }
  if (a.pre.length === 0 || b.pre.length === 0) return Math.sign(b.pre.length - a.pre.length)
  for (let i = 0; i < Math.min(a.pre.length, b.pre.length); i++) {
    const result = orderPart(a.pre[i] as string, b.pre[i] as string)
    if (result !== 0) return result
  }
  return Math.sign(a.pre.length - b.pre.length)
}

/** Numbers before words, numbers by size. */
function orderPart(a: string, b: string): number {
  const [left, right] = [/^\d+$/.test(a), /^\d+$/.test(b)]
  if (left !== right) return left ? -1 : 1
  if (left && BigInt(a) !== BigInt(b)) return BigInt(a) < BigInt(b) ? -1 : 1
  if (a === b || left) return 0
  return a < b ? -1 : 1
}
