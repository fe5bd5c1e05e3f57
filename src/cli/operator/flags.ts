// The flags of `vouch operator`: those of the process, and those of each operator that there is. Which operators run is a flag as well, so
// the flags of all are known to every process: manifests may carry those of an operator that does not run, and they mean nothing then.

import type { Environment } from '#base'
import { type Flag, FlagError, type FlagGroup, type FlagValues, parseFlags } from '#base'
import type { Operator } from '#runtime'
import { operators } from '../operators.ts'
import { namesOfDns, otherNames, type ProcessSettings, processFlagGroups, readProcessFlags } from './process-flags.ts'

export type { LogSettings } from './process-flags.ts'

/** An operator of a process, with its settings. */
export interface ChosenOperator<Settings = unknown> {
  readonly operator: Operator<Settings>
  readonly settings: Settings
}

export interface OperatorSettings {
  readonly process: ProcessSettings
  readonly chosen: readonly ChosenOperator[]
}

/** Each group once, in the order of the help. */
export function operatorFlagGroups(known: readonly Operator[] = operators): readonly FlagGroup[] {
  const ofProcess = processFlagGroups(known.map(({ name }) => name))
  const ofOperators = [...new Set(known.flatMap(({ flags }) => flags))]
  return [...ofProcess, ...onceEach(ofOperators), otherNames, namesOfDns]
}

/** A name that several operators have is told in one place, with what each of them takes it for. */
function onceEach(groups: readonly FlagGroup[]): readonly FlagGroup[] {
  const uses = groups.flatMap(({ title, flags }) => flags.map(flag => ({ title, flag })))
  const isShared = ({ name }: Flag): boolean => uses.filter(({ flag }) => flag.name === name).length > 1
  const shared = flagsOf(groups).filter(isShared)
  const told = shared.map(flag => {
    const ways = uses.filter(use => use.flag.name === flag.name).map(use => `${use.title}: ${use.flag.help}`)
    return { ...flag, help: `the first that runs takes it. ${ways.join('; ')}` }
  })
  const own = groups.map(group => ({ ...group, flags: group.flags.filter(flag => !isShared(flag)) }))
  return told.length === 0 ? own : [...own, { title: 'What several operators take, each in its way', flags: told }]
}

/** The flags of all operators, each name once: its help is that of the first operator that has it. */
export const operatorFlags: readonly Flag[] = flagsOf(operatorFlagGroups())

function flagsOf(groups: readonly FlagGroup[]): readonly Flag[] {
  const byName = new Map<string, Flag>()
  for (const flag of groups.flatMap(({ flags }) => flags)) if (!byName.has(flag.name)) byName.set(flag.name, flag)
  return [...byName.values()]
}

/** Throws `FlagError` with the flag and what it takes. */
export function readOperatorFlags(
  args: readonly string[],
  env: Environment,
  known: readonly Operator[] = operators,
): OperatorSettings {
  const values = parseFlags(known === operators ? operatorFlags : flagsOf(operatorFlagGroups(known)), args, new Map())
  const running = chooseOperators(values.text('controllers'), known)
  const process = readProcessFlags(withOwnDefaults(values, running), env)
  const stranger = Object.keys(process.accounts).find(name => running.every(operator => operator.name !== name))
  if (stranger !== undefined) throw new FlagError(`--operator-accounts: ${JSON.stringify(stranger)} does not run in this process`)
  return {
    process,
    chosen: running.map(operator => ({
      operator,
      settings: operator.readSettings(valuesFor(operator, running, values), { workers: process.workers, env }),
    })),
  }
}

/** Where one operator has the process to itself, the process is what the program was that this operator stands in for. */
function withOwnDefaults(values: FlagValues, running: readonly Operator[]): FlagValues {
  const [only, ...more] = running
  const own = more.length === 0 ? (only?.alone ?? {}) : {}
  return { ...values, text: name => (values.given.has(name) ? undefined : own[name]) ?? values.text(name) }
}

/** The operators that run, in the order in which they start. */
export function chooseOperators(list: string, known: readonly Operator[] = operators): readonly Operator[] {
  const names = list.split(',').map(name => name.trim())
  for (const name of names) {
    if (known.every(operator => operator.name !== name)) {
      const all = known.map(operator => operator.name).join(', ')
      throw new FlagError(`--controllers: ${JSON.stringify(name)} is none of ${all}`)
    }
  }
  return known.filter(({ name }) => names.includes(name))
}

/** Two operators may use one name for different flags. The first of them that runs gets the value, and the others have their default. */
function valuesFor(operator: Operator, running: readonly Operator[], values: FlagValues): FlagValues {
  const mine = new Map(flagsOf(operator.flags).map(flag => [flag.name, flag]))
  const before = flagsOf(running.slice(0, running.indexOf(operator)).flatMap(({ flags }) => flags))
  const taken = new Set(before.filter(flag => mine.has(flag.name) && mine.get(flag.name) !== flag).map(({ name }) => name))
  if (taken.size === 0) return values
  const defaults = parseFlags([...mine.values()], [], new Map())
  const from = (name: string): FlagValues => (taken.has(name) ? defaults : values)
  return {
    given: new Set([...values.given].filter(name => !taken.has(name))),
    text: name => from(name).text(name),
    boolean: name => from(name).boolean(name),
    integer: name => from(name).integer(name),
    durationMs: name => from(name).durationMs(name),
  }
}

/** The settings of one operator, with its type; throws when the operator does not run. */
export function settingsOf<Settings>({ chosen }: OperatorSettings, operator: Operator<Settings>): Settings {
  const found = chosen.find(each => each.operator === operator)
  if (found === undefined) throw new Error(`the operator ${operator.name} does not run in this process`)
  // The list holds operators of many settings; this one's own reader made them.
  return found.settings as Settings
}
