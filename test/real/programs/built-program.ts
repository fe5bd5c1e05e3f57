// Programs of ours in other languages, from a folder beside this file: built once, into the cache outside the checkout, keyed by their
// sources so that an edit builds anew.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { lockBlocking } from '../../../scripts/build-lock.ts'
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
  const unlock = lockBlocking(`${path}.lock`, () =>
    process.stderr.write(`Another run builds the ${what} program: waiting for it ...\n`),
  )
  try {
    return existsSync(path) ? { path } : builtNow(path, what, partial => build(sourceOf(folder), partial))
  } finally {
    unlock()
  }
}

/** Built beside its place and moved there, so that what stands there is whole. */
function builtNow(path: string, what: string, build: (partial: string) => string | undefined): BuiltProgram {
  process.stderr.write(`Building the ${what} program (once, some minutes) ...\n`)
  const partial = `${path}.${process.pid}`
  const trouble = build(partial)
  if (trouble === undefined) renameSync(partial, path)
  else rmSync(partial, { recursive: true, force: true })
  return trouble === undefined ? { path } : { skipped: trouble }
}

/** The end of what a failed build printed, fit for the reason of a skip. */
export function lastWords(text: string | null): string {
  const lines = (text ?? '').trim().split('\n')
  return lines.slice(-2).join(' | ').slice(0, 400)
}
