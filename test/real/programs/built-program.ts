// Programs of ours in other languages, from a folder beside this file: built once, into the cache outside the checkout, keyed by their
// sources so that an edit builds anew.
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { cacheFolder } from '../../../scripts/kubernetes.ts'

/** Room for a first build, with its downloads; with the cache filled it takes a second. */
export const buildMsMax = 400_000

export type BuiltProgram = { readonly path: string } | { readonly skipped: string }

interface Recipe {
  readonly folder: string
  /** What its name is in the cache, and to people. */
  readonly what: string
  /** All that the build reads, so that the same bytes are the same program. */
  readonly files: readonly string[]
  /** Makes a file or a folder at the path; says what went wrong, in one line. */
  readonly build: (source: string, path: string) => string | undefined
}

/** Where the cache has it, once it is built. */
export function builtPath({ folder, what, files }: Pick<Recipe, 'folder' | 'what' | 'files'>): string {
  const hash = createHash('sha256')
  for (const file of files) hash.update(readFileSync(join(sourceOf(folder), file)))
  return join(dirname(dirname(cacheFolder())), what, hash.digest('hex').slice(0, 16))
}

function sourceOf(folder: string): string {
  return join(import.meta.dirname, '..', folder)
}

export function builtProgram({ folder, what, files, build }: Recipe): BuiltProgram {
  const path = builtPath({ folder, what, files })
  if (existsSync(path)) return { path }
  process.stderr.write(`Building the ${what} program (once, some minutes) ...\n`)
  mkdirSync(dirname(path), { recursive: true })
  const partial = `${path}.${process.pid}`
  const trouble = build(sourceOf(folder), partial)
  if (trouble !== undefined) return { skipped: trouble }
  // Whoever was faster has made the same.
  if (existsSync(path)) rmSync(partial, { recursive: true, force: true })
  else renameSync(partial, path)
  return { path }
}

/** The end of what a failed build printed, fit for the reason of a skip. */
export function lastWords(text: string | null): string {
  const lines = (text ?? '').trim().split('\n')
  return lines.slice(-2).join(' | ').slice(0, 400)
}
