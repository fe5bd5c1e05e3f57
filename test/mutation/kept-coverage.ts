// What was measured of a test file, kept outside the checkout until anything changes that the test can read: itself, what it imports, the
// data beside the sources, the pages if it names them, the packages, Node, and this tool. A file per test, so that the folder does not grow.
import { createHash, type Hash } from 'node:crypto'
import { globSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import type { Coverage } from './coverage.ts'
import type { ImportGraph } from './import-graph.ts'

/** This tool, and what is loaded before every test. */
const ofTool = ['cover.ts', 'coverage.ts', 'kept-coverage.ts', 'run-tests.ts', '../house/traps.ts', '../house/properties.ts']

export class KeptCoverage {
  readonly #folder: string
  readonly #graph: ImportGraph
  #data: string | undefined
  #pages: string | undefined

  constructor(folder: string, graph: ImportGraph) {
    this.#folder = folder
    this.#graph = graph
  }

  /** Nothing for what was never measured, has changed since, or was not written to its end. */
  find(test: string): Coverage | undefined {
    try {
      const { key, coverage } = JSON.parse(gunzipSync(readFileSync(this.#pathOf(test))).toString()) as {
        readonly key: string
        readonly coverage: Coverage
      }
      return key === this.#keyOf(test) ? coverage : undefined
    } catch {
      return undefined
    }
  }

  /** A test that loads what no import names is measured each time: nobody would see that it changed. */
  keep(test: string, coverage: Coverage): void {
    const imported = this.#graph.loadedBy(test)
    const tool = /^test\/(?:mutation|house)\//
    if (Object.keys(coverage.ranges).some(file => !imported.has(file) && !tool.test(file))) return
    mkdirSync(this.#folder, { recursive: true })
    const path = this.#pathOf(test)
    writeFileSync(`${path}.${process.pid}`, gzipSync(JSON.stringify({ key: this.#keyOf(test), coverage })))
    renameSync(`${path}.${process.pid}`, path)
  }

  #pathOf(test: string): string {
    return join(this.#folder, `${test.replaceAll('/', '~')}.json.gz`)
  }

  #keyOf(test: string): string {
    const { root } = this.#graph
    const hash = createHash('sha256').update((this.#data ??= dataOfTests(root)))
    if (this.#graph.sourceOf(test).includes('docs/')) hash.update((this.#pages ??= digestOf(root, ['docs/**/*'])))
    for (const file of [...this.#graph.loadedBy(test).keys()].toSorted()) add(hash, file, this.#graph.sourceOf(file))
    return hash.digest('hex')
  }
}

/** Recordings may lie beside the checkout; where they do not, their tests are skipped. */
function dataOfTests(root: string): string {
  const within = digestOf(root, ['{src,test,deploy,examples}/**/*', 'package*.json'])
  return within + digestOf(dirname(root), ['shared/vectors/*'])
}

function digestOf(root: string, patterns: readonly string[]): string {
  const hash = createHash('sha256').update(process.version)
  for (const file of ofTool) add(hash, file, readFileSync(join(import.meta.dirname, file)))
  const files = globSync(patterns, { cwd: root }).filter(path => !path.endsWith('.ts') && !path.includes('node_modules'))
  for (const file of files.toSorted()) if (statSync(join(root, file)).isFile()) add(hash, file, readFileSync(join(root, file)))
  return hash.digest('hex')
}

function add(hash: Hash, name: string, content: string | Uint8Array): void {
  const bytes = Buffer.from(content)
  hash.update(`${name} ${bytes.length}\n`).update(bytes)
}
