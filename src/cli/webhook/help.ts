// What the help of a webhook says after its flags: it lists those itself, as the program does that it stands in for.
import { examples } from '../frame/examples.ts'
import { renderExitCodes } from '../frame/exit-codes.ts'

/** `called` stands in the examples for `vouch` and the command. */
export function helpAfterFlags(command: string, called: string): string {
  const lines = (examples[command] ?? []).map(({ what, line }) => `  # ${what}\n  ${line.replace(`vouch ${command}`, called)}\n`)
  return `Examples:\n${lines.join('')}\n${renderExitCodes(command)}\n`
}
