// A program in Go from a folder beside this file: built once, into the cache, keyed by its sources so that an edit builds anew.
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { cacheFolder } from '../../scripts/kubernetes.ts'

/** Room for a first build, with its downloads; with the cache filled it takes a second. */
const buildMsMax = 400_000

export type GoProgram = { readonly binary: string } | { readonly skipped: string }

export function goProgram(folder: string, what: string): GoProgram {
  if (spawnSync('go', ['version']).status !== 0) return { skipped: 'Go is not installed' }
  const source = join(import.meta.dirname, folder)
  const hash = createHash('sha256')
  for (const file of ['main.go', 'go.mod', 'go.sum']) hash.update(readFileSync(join(source, file)))
  const binary = join(dirname(dirname(cacheFolder())), what, hash.digest('hex').slice(0, 16))
  if (existsSync(binary)) return { binary }
  process.stderr.write(`Building the ${what} program (once, a minute or two) ...\n`)
  mkdirSync(dirname(binary), { recursive: true })
  const partial = `${binary}.${process.pid}`
  const built = spawnSync('go', ['build', '-mod=readonly', '-buildvcs=false', '-o', partial, '.'], {
    cwd: source,
    timeout: buildMsMax,
    encoding: 'utf8',
    env: { ...process.env, GOWORK: 'off' },
  })
  if (built.status !== 0) return { skipped: `go build failed: ${(built.stderr ?? '').trim().split('\n').slice(-2).join(' | ')}` }
  renameSync(partial, binary)
  return { binary }
}
