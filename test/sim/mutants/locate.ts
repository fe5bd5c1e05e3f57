// Where the text of a hand-written defect stands. A defect names the file that it was written for; when the text has moved, the one file of
// the sources that holds it is meant, so that a defect survives a move.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Mutant } from './mutants.ts'

const root = join(import.meta.dirname, '..', '..', '..')
let sources: ReadonlyMap<string, string> | undefined

/** The file below the checkout, or undefined when the text stands nowhere, or in several places. */
export function locate({ file, find }: Pick<Mutant, 'file' | 'find'>): string | undefined {
  sources ??= new Map(
    globSync('{src,examples}/**/*.ts', { cwd: root })
      .filter(path => !/\.(?:test|gen)\.ts$/.test(path))
      .map(path => [path, readFileSync(join(root, path), 'utf8')]),
  )
  const countIn = (path: string): number => (sources?.get(path) ?? '').split(find).length - 1
  if (sources.has(file)) return countIn(file) === 1 ? file : countIn(file) === 0 ? onlyFile(sources, find) : undefined
  return onlyFile(sources, find)
}

function onlyFile(all: ReadonlyMap<string, string>, find: string): string | undefined {
  const holding = [...all].filter(([, text]) => text.includes(find))
  const [path, text] = holding[0] ?? []
  return holding.length === 1 && text?.split(find).length === 2 ? path : undefined
}
