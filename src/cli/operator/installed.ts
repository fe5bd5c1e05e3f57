// The operators of the list as an installation would have them: with the flags that each has where nobody says otherwise.
import type { Environment } from '#base'
import type { InstallPlace, OperatorNeeds } from '#runtime'
import { operators } from '../operators.ts'
import { type OperatorSettings, readOperatorFlags } from './flags.ts'

/** What the chart would say with every operator enabled that works without being told more. */
export function settingsAsInstalled(env: Environment): OperatorSettings {
  const working = operators.filter(({ needsAPerson }) => needsAPerson !== true)
  const names = working.map(({ name }) => name).join(',')
  const flags = working.flatMap(({ installed }) => Object.entries(installed?.flags ?? {}))
  const args = [
    `--controllers=${names}`,
    ...working.flatMap(({ deployedArgs = [] }) => deployedArgs),
    ...flags.map(([flag, word]) => `--${flag}=${word}`),
  ]
  return readOperatorFlags(args, env)
}

/** By flag: what stands in the files that flags name. */
export function filesAsInstalled(): Readonly<Record<string, string>> {
  return Object.fromEntries(operators.flatMap(({ installed }) => Object.entries(installed?.files ?? {})))
}

export function needsOf({ chosen }: OperatorSettings, place: InstallPlace): Promise<readonly OperatorNeeds[]> {
  return Promise.all(chosen.map(({ operator, settings }) => operator.describe(settings, place)))
}
