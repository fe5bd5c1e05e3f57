// What the chores of this repository are called with: `npm run sim`, `npm run bench -- NAME` and the others. Each says its flags in a table; by
// it `--help` teaches and whatever is misspelt is refused before anything begins, since some of them run for an hour.
import { assertNever, didYouMean } from '#base'

export interface FlagShape {
  /** What stands for its value in the help, `N` and `N,N` for numbers; a flag without it takes none. */
  readonly value?: string
  readonly help: string
  readonly default?: string
  /** It may be given several times. */
  readonly many?: true
  /** Its value may be left out. */
  readonly bare?: true
}

export interface CommandShape {
  /** As it is typed: `npm run sim --`. */
  readonly command: string
  readonly does: string
  /** What may be given besides flags, as the help writes it: `[SERVICE...]`. Nothing when absent. */
  readonly words?: string
  readonly flags: Readonly<Record<string, FlagShape>>
}

/** By the names of the table; a name that is not in it is a mistake of the program that asks. */
export interface FlagsGiven {
  readonly words: readonly string[]
  isGiven(name: string): boolean
  /** The value that was given last, or the default. */
  find(name: string): string | undefined
  /** Of a flag that has a default. */
  text(name: string): string
  all(name: string): readonly string[]
}

export type FlagReading =
  | { readonly kind: 'read'; readonly given: FlagsGiven }
  | { readonly kind: 'help'; readonly text: string }
  | { readonly kind: 'wrong'; readonly message: string }

export function readFlags(shape: CommandShape, args: readonly string[]): FlagReading {
  const given = new Map<string, string[]>()
  const words: string[] = []
  const rest = [...args]
  for (let argument = rest.shift(); argument !== undefined; argument = rest.shift()) {
    if (argument === '--help' || argument === '-h') return { kind: 'help', text: renderUsage(shape) }
    const [, name, value] = /^--?([^=]+)(?:=([\s\S]*))?$/.exec(argument) ?? []
    if (name === undefined) {
      words.push(argument)
      continue
    }
    const taken = takeValue(shape, name, value, rest)
    if ('wrong' in taken) return { kind: 'wrong', message: taken.wrong }
    given.set(name, [...(given.get(name) ?? []), taken.text])
  }
  if (words.length > 0 && shape.words === undefined) {
    return { kind: 'wrong', message: `${JSON.stringify(words[0])} is no flag, and nothing else is taken` }
  }
  return { kind: 'read', given: givenOf(shape, given, words) }
}

/** The value of a flag that was named, which is taken from the arguments that follow where it stands there. */
function takeValue(
  { flags }: CommandShape,
  name: string,
  value: string | undefined,
  rest: string[],
): { readonly text: string } | { readonly wrong: string } {
  const flag = Object.hasOwn(flags, name) ? flags[name] : undefined
  if (flag === undefined)
    return { wrong: `there is no flag --${name}${didYouMean(name, Object.keys(flags)).replace('"', '"--')}` }
  if (flag.value === undefined) return value === undefined ? { text: '' } : { wrong: `--${name} takes no value` }
  const isNext = rest[0] !== undefined && !rest[0].startsWith('--')
  const text = value ?? (isNext ? rest.shift() : undefined)
  if (text === undefined)
    return flag.bare === true ? { text: '' } : { wrong: `--${name} lacks its value: --${name} ${flag.value}` }
  const pattern = numbers[flag.value]
  return pattern?.test(text) === false ? { wrong: `--${name} ${text}: give ${flag.value}, where N is a number` } : { text }
}

const numbers: Readonly<Record<string, RegExp>> = { N: /^\d+(?:\.\d+)?$/, 'N,N': /^\d+(?:,\d+)*$/ }

function givenOf(
  { command, flags }: CommandShape,
  given: ReadonlyMap<string, readonly string[]>,
  words: readonly string[],
): FlagsGiven {
  const shapeOf = (name: string): FlagShape => {
    const shape = flags[name]
    if (shape === undefined) throw new Error(`${command} asks for --${name}, which its table does not have`)
    return shape
  }
  const find = (name: string): string | undefined => given.get(name)?.at(-1) ?? shapeOf(name).default
  return {
    words,
    isGiven: name => shapeOf(name) !== undefined && given.has(name),
    find,
    text: name => {
      const value = find(name)
      if (value === undefined) throw new Error(`${command} asks for the value of --${name}, which has no default`)
      return value
    },
    all: name => (shapeOf(name).many === true ? (given.get(name) ?? []) : []),
  }
}

function renderUsage({ command, does, words, flags }: CommandShape): string {
  const rows = Object.entries(flags).map(([name, { value, help, default: otherwise, bare }]) => {
    const shown = value === undefined ? '' : bare === true ? ` [${value}]` : ` ${value}`
    return [`--${name}${shown}`, otherwise === undefined ? help : `${help} (default ${otherwise})`] as const
  })
  const width = Math.max(0, ...rows.map(([left]) => left.length)) + 2
  const list = rows.map(([left, right]) => `  ${left.padEnd(width)}${right}`)
  const heading = `usage: ${[command, words, rows.length === 0 ? undefined : '[FLAGS]'].filter(part => part !== undefined).join(' ')}`
  return [heading, '', does, ...(list.length === 0 ? [] : ['', ...list])].join('\n')
}

/** What was given, or the end of this process: with 0 after `--help`, with 2 after what cannot be read. */
export function takeFlags(shape: CommandShape | undefined, args: readonly string[] = process.argv.slice(2)): FlagsGiven {
  if (shape === undefined) throw new Error('the table of commands does not have this one')
  const reading = readFlags(shape, args)
  switch (reading.kind) {
    case 'read':
      return reading.given
    case 'help':
      console.log(reading.text)
      return process.exit(0)
    case 'wrong':
      console.error(`${reading.message}\n${shape.command} --help lists what there is`)
      return process.exit(2)
    default:
      return assertNever(reading)
  }
}
