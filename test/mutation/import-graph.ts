// Which files a test loads, by following its imports, and which tests load a file, nearest first.
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { targetsOf } from '../house/imports.ts'

export class ImportGraph {
  readonly root: string
  readonly #sources = new Map<string, string>()
  readonly #targets = new Map<string, readonly string[]>()
  readonly #loaded = new Map<string, ReadonlyMap<string, number>>()

  constructor(root: string) {
    this.root = root
  }

  /** What is loaded with a file, itself among it, each with the number of imports that lead there. */
  loadedBy(file: string): ReadonlyMap<string, number> {
    const known = this.#loaded.get(file)
    if (known !== undefined) return known
    const steps = new Map([[file, 0]])
    // A map that grows is walked to its end, so this is breadth first.
    for (const [at, step] of steps) for (const next of this.#targetsOf(at)) if (!steps.has(next)) steps.set(next, step + 1)
    this.#loaded.set(file, steps)
    return steps
  }

  /** Of these tests, those that load the file: the one of its name, then of its folder, then by imports between; the small before whole worlds. */
  testsOf(file: string, tests: readonly string[]): readonly string[] {
    const farOf = (test: string): readonly number[] => {
      const loaded = this.loadedBy(test)
      return [
        Number(!isNamesake(test, file)),
        Number(dirname(test) !== dirname(file)),
        loaded.get(file) ?? 0,
        Math.round(Math.log2(loaded.size)),
      ]
    }
    return tests
      .filter(test => this.loadedBy(test).has(file))
      .map(test => ({ test, far: farOf(test) }))
      .toSorted((a, b) => a.far.map((part, index) => part - (b.far[index] ?? 0)).find(part => part !== 0) ?? 0)
      .map(({ test }) => test)
  }

  /** Empty for what is not there, such as an import within a text. */
  sourceOf(file: string): string {
    let source = this.#sources.get(file)
    if (source === undefined) {
      try {
        source = readFileSync(join(this.root, file), 'utf8')
      } catch {
        source = ''
      }
      this.#sources.set(file, source)
    }
    return source
  }

  #targetsOf(file: string): readonly string[] {
    const known = this.#targets.get(file) ?? targetsOf(file, this.sourceOf(file))
    this.#targets.set(file, known)
    return known
  }
}

function isNamesake(test: string, file: string): boolean {
  return test.replace(/\.test\.\w+$/, '') === file.replace(/\.\w+$/, '')
}
