// `npm run executable [-- FILE]`: the consumers of remote identities as one file that needs no other, by default dist/vouch-tools. Prints its
// size, as it is and as a layer of an image has it, and how long it takes to start. What else was tried: docs/adr, "one file for the tools".
import { spawnSync } from 'node:child_process'
import { readFileSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { makeExecutable } from './executable/make.ts'

const root = dirname(import.meta.dirname)
const out = resolve(process.argv[2] ?? join(root, 'dist', 'vouch-tools'))
const { codeBytes } = await makeExecutable('src/cli/consumers/executable.ts', out)
const mb = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`
const size = `${mb(statSync(out).size)}, ${mb(gzipSync(readFileSync(out), { level: 9 }).length)} compressed, ${mb(codeBytes)} of it ours`
const times = `starts in ${startOf(out, ['credential-process', '--help'])}, an empty Node in ${startOf(process.execPath, ['-e', '0'])}`
console.log(`${relative(root, out)}: ${size}; ${times}`)

/** The middle of nine. */
function startOf(program: string, args: readonly string[]): string {
  const times = Array.from({ length: 9 }, () => {
    const beganMs = performance.now()
    const { status } = spawnSync(program, args)
    if (status !== 0) throw new Error(`${program} does not start`)
    return performance.now() - beganMs
  })
  return `${times.toSorted((a, b) => a - b)[4]?.toFixed(0) ?? '?'} ms`
}
