// The text of a file that a command line names; `-` is standard input, as it is for kubectl and for Helm.
import { readFile } from 'node:fs/promises'
import { text } from 'node:stream/consumers'

export const standardInput = '-'

/** Read once: whoever names it twice means the same text. */
let input: Promise<string> | undefined

export function readText(path: string): Promise<string> {
  if (path !== standardInput) return readFile(path, 'utf8')
  input ??= text(process.stdin)
  return input
}

/** For messages. */
export function nameOfInput(path: string): string {
  return path === standardInput ? 'standard input' : path
}
