// Flags as Go programs take them, because this program stands in for one: `--name=value`, `--name value`, a single dash as well, and
// booleans bare. A table says which there are; help, defaults and types come from it.
import { parseDuration } from './text/duration.ts'
import { nearest } from './text/nearest.ts'

export interface Flag {
  readonly name: string
  readonly type: 'text' | 'boolean' | 'integer' | 'duration'
  readonly otherwise: string
  readonly help: string
  /** Accepted because manifests carry it, and without effect. */
  readonly isIgnored?: boolean
}

/** Flags that are about one thing, under a heading of the help. */
export interface FlagGroup {
  readonly title: string
  readonly flags: readonly Flag[]
}

/** A line that works as it stands, and what it is for. */
export interface FlagExample {
  readonly what: string
  readonly line: string
}

/** The rows of such a table. */
export const flagOf = {
  text: (name: string, otherwise: string, help: string): Flag => ({ name, type: 'text', otherwise, help }),
  boolean: (name: string, otherwise: boolean, help: string): Flag => ({
    name,
    type: 'boolean',
    otherwise: String(otherwise),
    help,
  }),
  integer: (name: string, otherwise: number, help: string): Flag => ({
    name,
    type: 'integer',
    otherwise: String(otherwise),
    help,
  }),
  duration: (name: string, otherwise: string, help: string): Flag => ({ name, type: 'duration', otherwise, help }),
}

export class FlagError extends Error {
  readonly code = 'bad-flags'
  /** The flag that a wrong name most likely meant, as it is typed. */
  readonly meant: string | undefined
  constructor(message: string, meant?: string) {
    super(message)
    this.name = 'FlagError'
    this.meant = meant
  }
}

/** A name that is none of these, in the words in which every command says it. */
export function unknownFlag(name: string, known: Iterable<string>): FlagError {
  const meant = nearest(name, known)
  return new FlagError(`unknown option '--${name}'`, meant === undefined ? undefined : `--${meant}`)
}

/** Values as text, checked against their types: those given, and the defaults of the others. */
export interface FlagValues {
  readonly given: ReadonlySet<string>
  text(name: string): string
  boolean(name: string): boolean
  integer(name: string): bigint
  durationMs(name: string): number
}

/** Throws `FlagError` for what is unknown or of the wrong type. Arguments that are no flags are refused: a forgotten dash is no choice. */
export function parseFlags(flags: readonly Flag[], args: readonly string[], fallback: ReadonlyMap<string, string>): FlagValues {
  const known = new Map(flags.map(flag => [flag.name, flag]))
  const values = new Map<string, string>()
  const set = (name: string, value: string): void => {
    const flag = known.get(name)
    if (flag === undefined) throw unknownFlag(name, known.keys())
    const trouble = troubleWith(flag, value)
    if (trouble !== undefined) throw new FlagError(`option '--${name}' argument '${value}' is invalid: ${trouble}`)
    values.set(name, value)
  }
  for (const [name, value] of fallback) {
    if (!known.has(name)) throw new FlagError(`unknown key: ${name}`)
    set(name, value)
  }
  const rest = [...args]
  for (let argument = rest.shift(); argument !== undefined; argument = rest.shift()) {
    const match = /^--?([^-=][^=]*)(?:=([\s\S]*))?$/.exec(argument)
    if (match === null) throw new FlagError(`${JSON.stringify(argument)} is no flag; flags look like --name=value`)
    const [, name = '', value] = match
    if (value !== undefined) set(name, value)
    else if (known.get(name)?.type === 'boolean') set(name, 'true')
    else if (known.has(name) && rest.length === 0) throw new FlagError(`option '--${name}' argument missing`)
    else set(name, rest.shift() ?? '')
  }
  const valueOf = (name: string): string => values.get(name) ?? known.get(name)?.otherwise ?? ''
  return {
    given: new Set(values.keys()),
    text: valueOf,
    boolean: name => trueWords.has(valueOf(name)),
    integer: name => BigInt(valueOf(name).replace('+', '')),
    durationMs: name => parseDuration(valueOf(name)) ?? 0,
  }
}

/** What `--help` prints. */
export function renderHelp(program: string, flags: readonly Flag[]): string {
  return `Usage of ${program}:\n${linesOf(flags).join('\n')}\n${unusedOf(flags)}`
}

export interface GroupedHelp {
  readonly program: string
  readonly summary: string
  readonly groups: readonly FlagGroup[]
  readonly examples: readonly FlagExample[]
}

/** What `--help` prints where there are many. */
export function renderGroupedHelp({ program, summary, groups, examples }: GroupedHelp): string {
  const sections = groups.map(({ title, flags }) => `${title}:\n${linesOf(flags).join('\n')}\n`)
  const shown = examples.map(({ what, line }) => `  # ${what}\n  ${line}\n`)
  return [
    `Usage: ${program} [flags]\n\n${summary}\n`,
    `Examples:\n${shown.join('')}`,
    ...sections,
    ...[unusedOf(groups.flatMap(({ flags }) => flags)).trimStart()].filter(text => text !== ''),
  ].join('\n')
}

function linesOf(flags: readonly Flag[]): readonly string[] {
  return flags
    .filter(flag => flag.isIgnored !== true)
    .map(({ name, type, otherwise, help }) => {
      const value = type === 'boolean' ? '' : ` ${type === 'text' ? 'string' : type === 'integer' ? 'int' : 'duration'}`
      const shown = otherwise === '' ? '' : ` (default ${type === 'text' ? JSON.stringify(otherwise) : otherwise})`
      return `  ${name.length === 1 ? '-' : '--'}${name}${value}\n        ${help}${shown}`
    })
}

function unusedOf(flags: readonly Flag[]): string {
  const ignored = flags.filter(flag => flag.isIgnored === true).map(({ name }) => `--${name}`)
  return ignored.length === 0 ? '' : `\nAccepted and without effect: ${ignored.join(', ')}\n`
}

const trueWords = new Set(['1', 't', 'T', 'TRUE', 'true', 'True'])
const falseWords = new Set(['0', 'f', 'F', 'FALSE', 'false', 'False'])

function troubleWith({ type }: Flag, value: string): string | undefined {
  const { isGood, trouble } = checks[type]
  return isGood(value) ? undefined : trouble
}

const checks: Readonly<Record<Flag['type'], { readonly isGood: (value: string) => boolean; readonly trouble: string }>> = {
  text: { isGood: () => true, trouble: '' },
  boolean: { isGood: value => trueWords.has(value) || falseWords.has(value), trouble: 'it is neither true nor false' },
  integer: { isGood: value => /^[+-]?\d{1,18}$/.test(value), trouble: 'it is no whole number' },
  duration: {
    isGood: value => parseDuration(value) !== undefined,
    trouble: 'it is no duration such as 100ms, 1.5s or 1m',
  },
}
