// What a person may write where values take flags: the map of the process, the map of each operator, the list of last arguments. What
// the manifests decide or cannot follow is refused with the place where it is said instead. Whether a flag is known, and of which type
// its value is, the process itself says (`parseFlags`).
import type { Flag } from '#base'
import type { Operator } from '#runtime'
import { decidedFlags, decidedWith, flagName, type Reasons, shapingReasons } from './decided-flags.ts'

export type FlagWords = Readonly<Record<string, string | number | boolean>>

export interface GivenFlags {
  /** Flags of the process, and those that several operators share. */
  readonly flags: FlagWords
  readonly operators: Readonly<Record<string, { readonly flags: FlagWords }>>
}

/** Throws for a flag that stands where the operators that run do not read it. */
export function refuseGivenFlags({ flags, operators: told }: GivenFlags, running: readonly Operator[]): void {
  const decided = decidedWith(running)
  refuseNames(Object.keys(flags), 'flags', decided)
  for (const operator of running) {
    const own = told[operator.name]?.flags ?? {}
    const where = `operators.${operator.name}.flags`
    refuseNames(Object.keys(own), where, decided)
    for (const name of Object.keys(own)) refuseStranger({ name, where, operator, running })
  }
}

function refuseNames(names: readonly string[], where: string, reasons: Reasons): void {
  for (const name of names)
    if (Object.hasOwn(reasons, name)) throw new Error(`${where}: --${name} is not taken here: ${reasons[name]}`)
}

export interface LastArguments {
  readonly where: string
  readonly args: readonly string[]
  readonly reasons: Reasons
  readonly known: readonly Flag[]
}

/** Flags that stand after all others, from which no manifest is rendered. */
export function refuseLastArguments({ where, args, reasons, known }: LastArguments): void {
  const texts = new Set(known.filter(({ type }) => type !== 'boolean').map(({ name }) => name))
  let isValue = false
  for (const argument of args) {
    const name: string = isValue ? '' : flagName(argument)
    refuseNames([name], where, reasons)
    isValue = !isValue && texts.has(name) && !argument.includes('=')
  }
}

/** Why flags are refused among the last arguments of a process with these operators. */
export function reasonsOfLastArguments(operators: readonly Operator[]): Reasons {
  return { ...shapingReasons(operators), ...decidedFlags, ...decidedWith(operators) }
}

interface Told {
  readonly name: string
  readonly where: string
  readonly operator: Operator
  readonly running: readonly Operator[]
}

/** Throws for a flag that another operator has as well: the process would give it to that operator, and the manifests to this one. */
function refuseStranger({ name, where, operator, running }: Told): void {
  const own = flagOf(operator, name)
  if (own === undefined) throw new Error(`${where}: --${name} is no flag of ${operator.name}`)
  for (const other of running.filter(each => each !== operator)) {
    const same = flagOf(other, name)
    if (same === undefined) continue
    if (same === own) throw new Error(`${where}: --${name} is a flag of ${other.name} as well, and stands under flags`)
    if (running.indexOf(other) < running.indexOf(operator))
      throw new Error(`${where}: --${name} is what ${other.name} takes it for where both run in one process`)
  }
}

function flagOf({ flags }: Operator, name: string): Flag | undefined {
  return flags.flatMap(group => group.flags).find(flag => flag.name === name)
}
