// The one way out: whatever a command prints goes through here, so that no name of an object, no answer of a server and no text of a
// manifest reaches a terminal as anything but text. `vouch dev` draws its own screen, with the same care.
import { printable, printableLine } from '#base'

/** A line of the answer. */
export function tell(line: string): void {
  console.log(printableLine(line))
}

/** A line beside the answer. */
export function warn(line: string): void {
  console.error(printableLine(line))
}

/** Several lines of the answer, such as JSON or a help; foreign text in them must not be able to end a line. */
export function tellText(text: string): void {
  console.log(printable(text).replace(/\n$/, ''))
}

/** Lines of a log, which are escaped already. */
export function writeLog(line: string): void {
  process.stdout.write(line)
}

/** How commander prints what is wrong with a command line. */
export const printing = {
  writeOut: (text: string): void => void process.stdout.write(printable(text)),
  writeErr: (text: string): void => void process.stderr.write(printable(text)),
  // Commander writes one line, and one with a suggestion; every other line break came with foreign text.
  outputError: (text: string, write: (text: string) => void): void =>
    write(text.replace(/\n(?!\(Did you mean .*\n?$|$)/g, '\\n')),
}
