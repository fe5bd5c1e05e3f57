// The one grammar of the command line. Flags stand anywhere after their command, as --name=value or --name value. A command that works with
// the settings of another program takes that program's flags beside its own, with or without `--` before them. A wrong flag is told in the
// same words everywhere: what is unknown, what was likely meant, and which help explains it.
import type { Command, Option } from 'commander'
import { type Flag, FlagError, nearest, unknownFlag } from '#base'
import { nameOf } from './exit-codes.ts'
import { tellRefusal } from './refusal.ts'

/** Programs that read their flags themselves, since they stand in for others whose flags are not ours. */
export const flagReaders = ['operator', 'webhook aws', 'webhook azure', 'webhook both', 'credential-process', 'sidecar'] as const
export type FlagReader = (typeof flagReaders)[number]

/** Whose flags a command takes beside its own. */
export const borrowedFlags: Readonly<Record<string, FlagReader>> = {
  'webhook mutate': 'webhook aws',
  'webhook audit': 'webhook aws',
  'webhook manifests': 'webhook aws',
  render: 'operator',
  rights: 'operator',
  plan: 'operator',
  export: 'operator',
}

/** Commands that work for more than one webhook, and for which: `--provider` says it. */
const otherLenders: Readonly<Record<string, readonly FlagReader[]>> = {
  'webhook manifests': ['webhook azure', 'webhook both'],
  'webhook mutate': ['webhook azure'],
  'webhook audit': ['webhook azure'],
}

/** Whose flags this line may have, beside the command's own. */
function lenderOf(name: string, words: readonly string[]): FlagReader | undefined {
  const isSaid = (provider: string): boolean =>
    words.some((word, at) => word === `--provider=${provider}` || (word === provider && words[at - 1] === '--provider'))
  return otherLenders[name]?.find(lender => isSaid(providerOf(lender))) ?? borrowedFlags[name]
}

/** As `--provider` names it. */
export function providerOf(lender: FlagReader): string {
  return lender.split(' ').at(-1) ?? ''
}

/** All who lend flags to it, the one of most lines first. */
export function lendersOf(name: string): readonly FlagReader[] {
  const lender = borrowedFlags[name]
  return [...(lender === undefined ? [] : [lender]), ...(otherLenders[name] ?? [])]
}

export async function flagsOf(program: FlagReader): Promise<readonly Flag[]> {
  if (program === 'operator') return (await import('../operator/flags.ts')).operatorFlags
  if (program === 'credential-process') return (await import('#credentials')).processFlags
  if (program === 'sidecar') return (await import('#credentials')).sidecarFlags
  const { awsFlags, azureFlags, bothFlags } = await import('#operators/pods')
  return { 'webhook aws': awsFlags, 'webhook azure': azureFlags, 'webhook both': bothFlags }[program]
}

/** The line as commander takes it; nothing when it was wrong, which is told. */
export async function readCommandLine(program: Command, argv: readonly string[]): Promise<readonly string[] | undefined> {
  const line = withoutVainHelp(program, argv)
  const { command, words } = commandOf(program, line)
  const at = 2 + words
  const stray = strayWord(command, line[at])
  // The program itself says so of its own commands; one that also does something by itself would take the word for an argument too many.
  if (stray !== undefined && command !== program) {
    const names = visibleCommands(command).map(one => one.name())
    const meant = nearest(stray, names)
    tellRefusal(new FlagError(`unknown command '${stray}'`, meant), `vouch ${nameOf(command)} --help lists its commands`)
    return undefined
  }
  const lender = lenderOf(nameOf(command), line.slice(at))
  if (lender === undefined) return line
  try {
    return [...line.slice(0, at), ...separate(command, await flagsOf(lender), line.slice(at))]
  } catch (error) {
    tellRefusal(error, `vouch ${nameOf(command)} --help lists its flags`)
    return undefined
  }
}

/** `help A B` is `A B --help`, at any depth. */
function asHelpFlag([node = '', script = '', ...words]: readonly string[]): readonly string[] {
  return words[0] === 'help' && words.length > 1 ? [node, script, ...words.slice(1), '--help'] : [node, script, ...words]
}

/**
 * Takes `--help` away where a word is no command. Commander would print the help of the command above and end with 0, and a script with a
 * mistyped command would never be told.
 */
export function withoutVainHelp(program: Command, argv: readonly string[]): readonly string[] {
  const line = asHelpFlag(argv)
  const { command, words } = commandOf(program, line)
  const isVain = strayWord(command, line[2 + words]) !== undefined
  return isVain ? line.filter(one => one !== '--help' && one !== '-h') : line
}

/** A word that stands where the name of a command below is expected, and is none. */
function strayWord({ commands, registeredArguments }: Command, next: string | undefined): string | undefined {
  const isStray = next !== undefined && next !== 'help' && !next.startsWith('-') && commands.length > 0
  return isStray && registeredArguments.length === 0 ? next : undefined
}

/** The commands that a help shows; the others are for this program itself. */
export function visibleCommands(command: Command): readonly Command[] {
  const shown = new Set(command.createHelp().visibleCommands(command))
  return command.commands.filter(one => shown.has(one))
}

/** The command that the first words name, and how many they are. */
function commandOf(program: Command, argv: readonly string[]): { readonly command: Command; readonly words: number } {
  let command = program
  let words = 0
  for (const word of argv.slice(2)) {
    const below = command.commands.find(one => one.name() === word || one.aliases().includes(word))
    if (below === undefined) break
    command = below
    words += 1
  }
  return { command, words }
}

/** The command's own words, then `--`, then what is the other program's. Throws `FlagError` for what is neither's. */
export function separate(command: Command, lent: readonly Flag[], args: readonly string[]): readonly string[] {
  const own: string[] = []
  const borrowed: string[] = []
  const rest = [...args]
  for (let word = rest.shift(); word !== undefined && word !== '--'; word = rest.shift()) {
    const option = optionOf(command, word)
    const [, name, value] = /^--?([^-=][^=]*)(?:=([\s\S]*))?$/.exec(word) ?? []
    const flag = lent.find(one => one.name === name)
    if (option !== undefined) own.push(word, ...(isWhole(option, word) ? [] : valuesOf(option, rest)))
    else if (name === undefined || name === 'help' || word === '-h') own.push(word)
    else if (flag === undefined) throw unknownFlag(name, namesFor(command, lent))
    else borrowed.push(word, ...(value !== undefined || flag.type === 'boolean' ? [] : [valueOf(`--${name}`, rest)]))
  }
  return [...own, ...(borrowed.length + rest.length > 0 ? ['--', ...borrowed, ...rest] : [])]
}

/** The command's own option that a word is: `--name`, `--name=value`, `-n`, `-nvalue`. */
function optionOf({ options }: Command, word: string): Option | undefined {
  if (word.startsWith('--')) return options.find(({ long }) => long === word.split('=')[0])
  return options.find(({ short, required, optional }) =>
    required || optional ? short !== undefined && word.startsWith(short) : short === word,
  )
}

/** The word has its value in it. */
function isWhole({ short }: Option, word: string): boolean {
  return word.startsWith('--') ? word.includes('=') : word !== short
}

/** The words after an option that are its values. */
function valuesOf({ required, optional, variadic, flags }: Option, rest: string[]): readonly string[] {
  if (required && !variadic) return [valueOf(flags, rest)]
  if (!required && !optional) return []
  const end = rest.findIndex(word => word.startsWith('-'))
  const most = variadic ? rest.length : 1
  return rest.splice(0, end < 0 ? most : Math.min(end, most))
}

/** The word after a flag that needs one: `--` is none, because what follows it belongs to the other program. */
function valueOf(flag: string, rest: string[]): string {
  const value = rest[0] === '--' ? undefined : rest.shift()
  if (value === undefined) throw new FlagError(`option '${flag}' argument missing`)
  return value
}

function namesFor(command: Command, lent: readonly Flag[]): readonly string[] {
  const own = command.options.flatMap(({ long }) => (long === undefined || long === null ? [] : [long.slice(2)]))
  return [...own, ...lent.map(({ name }) => name)]
}
