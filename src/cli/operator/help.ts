// What `vouch operator --help` prints: what each operator says of itself, lines to begin with, and the flags by what they are about.
import { renderGroupedHelp } from '#base'
import { renderExitCodes } from '../frame/exit-codes.ts'
import { operators } from '../operators.ts'
import { operatorFlagGroups } from './flags.ts'

export function operatorHelp(): string {
  const width = Math.max(...operators.map(({ name }) => name.length))
  const lines = operators.map(({ name, summary }) => `  ${name.padEnd(width)}  ${summary}`)
  const help = renderGroupedHelp({
    program: 'vouch operator',
    summary: `Runs the operators of a platform in one process. They are:\n${lines.join('\n')}`,
    groups: operatorFlagGroups(),
    examples: operators.flatMap(({ examples }) => examples),
  })
  return `${help}\n${renderExitCodes('operator')}\n`
}
