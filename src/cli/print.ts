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

/** Lines of a log, which makes them fit itself. */
export function writeLog(line: string): void {
  process.stdout.write(line)
}

/** For what reads the command line and says itself what is wrong with it. */
export const printing = {
  writeOut: (text: string): void => void process.stdout.write(printable(text)),
  writeErr: (text: string): void => void process.stderr.write(printable(text)),
  // Of its own lines there is one, and one that suggests; any other was brought along.
  outputError: (text: string, write: (text: string) => void): void =>
    write(text.replace(/\n(?!\(Did you mean .*\n?$|$)/g, '\\n')),
}
