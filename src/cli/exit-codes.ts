// With which code each command ends: shown by its --help and by docs/reference/commands.md. 0 is "done" and 1 "could not" everywhere; what
// is said here is what a script may want to tell apart.
import type { Command } from 'commander'

export const exitCodes: Readonly<Record<string, string>> = {
  dev: '0 all of the proof held, 1 it did not or could not be told, 130 stopped before its end',
  plan: '0 nothing would be done, 2 something would, 1 something is in the way, is wrong or is not known, or it could not look',
  'aws can': '0 the pod may, 1 it may not or nobody could be asked',
  'infer diff': '0 the same, 1 they differ or could not be read',
  'webhook aws': '0 told to stop, 1 it could not go on, 2 the flags are wrong',
  'webhook mutate': '0 the pod is allowed, 2 it is refused, 1 something could not be read',
  'webhook audit': '0 every pod has what it would get today, 3 some do not, 4 there was no pod to look at, 1 it could not look',
  operator: '0 told to stop, 1 it could not go on or the flags are wrong',
}

/** `aws can` of the command `can` below `aws`. */
export function nameOf(command: Command): string {
  const { parent } = command
  return parent === null || parent.parent === null ? command.name() : `${nameOf(parent)} ${command.name()}`
}

/** Every command's help says how it ends. */
export function showExitCodes(command: Command): void {
  for (const one of command.commands) {
    const codes = exitCodes[nameOf(one)]
    if (codes !== undefined) one.addHelpText('after', `\nExit codes: ${codes}.`)
    showExitCodes(one)
  }
}
