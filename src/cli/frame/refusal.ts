// How every command says that it cannot: one line that names what is wrong and, where the reader can do something, what. No stack, since
// almost always the words are for somebody who did not write this program; VOUCH_STACK=1 shows it for those who did.

import { FlagError } from '#base'
import { warn } from './print.ts'

/** Tells it on standard error; the process will end with 1. */
export function tellRefusal(error: unknown, hint?: string): void {
  const [first = '', ...more] = `error: ${wordsOf(error)}`.split('\n')
  warn(first)
  // Further lines are indented, so that foreign text never looks like another message of ours.
  for (const line of more) warn(`  ${line}`)
  if (error instanceof FlagError && error.meant !== undefined) warn(`(Did you mean ${error.meant}?)`)
  if (hint !== undefined) warn(`(${hint})`)
  if (process.env['VOUCH_STACK'] === '1' && error instanceof Error) for (const line of (error.stack ?? '').split('\n')) warn(line)
  process.exitCode = 1
}

function wordsOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  const { code, path, message, address, port } = error as NodeJS.ErrnoException & {
    readonly address?: string
    readonly port?: number
  }
  if (code === 'EADDRINUSE') return `${address}:${port} is taken; choose another with --port, 0 takes a free one`
  if (code === 'EADDRNOTAVAIL') return `${address} is no address of this machine; choose one with --host`
  const why = code === undefined ? undefined : ofFiles[code]
  if (why !== undefined && path !== undefined) return `${path}: ${why}`
  return isMistake(error) ? `${message} (a mistake in vouch itself: please report it; VOUCH_STACK=1 shows where)` : message
}

const ofFiles: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or folder',
  EACCES: 'you may not read or write it',
  EPERM: 'you may not read or write it',
  EROFS: 'it is on a file system that cannot be written',
  EISDIR: 'a folder, where a file is needed',
  ENOTDIR: 'a part of this path is no folder',
  ENOSPC: 'there is no room left',
}

/** Errors that only a defect of this program throws. */
function isMistake(error: Error): boolean {
  return ['TypeError', 'ReferenceError', 'RangeError', 'AssertionError'].includes(error.name)
}
