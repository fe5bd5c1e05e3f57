// What the help of the webhook says after its flags: it lists those itself, as the program does that it stands in for.
import { examples } from './examples.ts'
import { renderExitCodes } from './exit-codes.ts'

export function helpAfterFlags(name: string): string {
  const lines = (examples['webhook aws'] ?? []).map(
    ({ what, line }) => `  # ${what}\n  ${line.replace('vouch webhook aws', name)}\n`,
  )
  return `Examples:\n${lines.join('')}\nExit codes: ${renderExitCodes('webhook aws')}.\n`
}
