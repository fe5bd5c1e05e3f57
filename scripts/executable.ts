// `npm run executable [-- FILE]`: the consumers of remote identities as one file that needs no other, by default dist/vouch-tools. Prints its
// size, as it is and as a layer of an image has it, and how long it takes to start, beside the same program as a file for Node. What else was
// tried: docs/adr, "one file for the tools".
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { gzipSync } from 'node:zlib'
import { bundleProgram, makeExecutable } from './executable/make.ts'
import { commands } from './flags/commands.ts'
import { takeFlags } from './flags/flags.ts'

const root = dirname(import.meta.dirname)
const out = resolve(takeFlags(commands['executable']).words[0] ?? join(root, 'dist', 'vouch-tools'))
const entry = 'src/cli/consumers/executable.ts'
const { codeBytes } = await makeExecutable(entry, out)
const mb = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`
const size = `${mb(statSync(out).size)}, ${mb(gzipSync(readFileSync(out), { level: 9 }).length)} compressed, ${mb(codeBytes)} of it ours`
const asked = ['credential-process', '--help']
const folder = mkdtempSync(join(tmpdir(), 'vouch-bundle-'))
const bundle = await bundleProgram(entry, join(folder, 'tools.cjs'))
const [own, beside, empty] = startsOf([
  [out, ...asked],
  [process.execPath, bundle, ...asked],
  [process.execPath, '-e', '0'],
])
rmSync(folder, { recursive: true, force: true })
const load = `the machine's load is ${loadavg()[0]?.toFixed(1)} on ${availableParallelism()} cores`
console.log(
  `${relative(root, out)}: ${size}; starts in ${own}; the same beside a Node in ${beside}, an empty Node in ${empty}; ${load}`,
)

/** The middle of nine, in turns, so that what else the machine does hits all of them. */
function startsOf(lines: readonly (readonly string[])[]): readonly string[] {
  const times = lines.map((): number[] => [])
  for (let round = 0; round < 9; round++)
    for (const [index, [program = '', ...args]] of lines.entries()) {
      const beganMs = performance.now()
      const { status } = spawnSync(program, args)
      if (status !== 0) throw new Error(`${program} does not start`)
      times[index]?.push(performance.now() - beganMs)
    }
  return times.map(each => `${each.toSorted((a, b) => a - b)[4]?.toFixed(0) ?? '?'} ms (best ${Math.min(...each).toFixed(0)})`)
}
