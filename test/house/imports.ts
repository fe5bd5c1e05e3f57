// Every import of the sources, and the circles that they make.
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { rooms } from './walls.ts'

const root = dirname(dirname(import.meta.dirname))

/** The text of every file of `src`, by its path from the top. */
export const sources: ReadonlyMap<string, string> = new Map(
  globSync('src/**/*.ts', { cwd: root })
    .sort()
    .map(file => [file, readFileSync(join(root, file), 'utf8')]),
)

export interface Import {
  readonly from: string
  readonly line: number
  readonly specifier: string
  readonly typeOnly: boolean
}

export function importsOf(file: string, source: string): Import[] {
  const pattern =
    /(?:^|\n)[ \t]*(?:import|export)\b([^'"\n;]*(?:\{[^}]*\})?[^'"\n;]*)from\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)|(?:^|\n)import\s+['"]([^'"]+)['"]/g
  return [...source.matchAll(pattern)].map(match => {
    const specifier = match[2] ?? match[3] ?? match[4] ?? ''
    const line = source.slice(0, match.index + match[0].lastIndexOf(specifier)).split('\n').length
    return { from: file, line, specifier, typeOnly: /^\s*type\b/.test(match[1] ?? '') }
  })
}

export function roomOf(file: string): string {
  const fitting = Object.entries(rooms).filter(([, room]) => file.startsWith(`${room.folder}/`))
  fitting.sort(([, a], [, b]) => b.folder.length - a.folder.length)
  return fitting[0]?.[0] ?? 'outside'
}

/** Files imported at run time; types leave no trace there, so a circle of types alone is no cycle. */
export function targetsOf(file: string, source: string): string[] {
  return importsOf(file, source)
    .filter(({ typeOnly }) => !typeOnly)
    .flatMap(targetOf)
}

/** The file that is imported; none when it is no file of ours. */
export function targetOf({ from, specifier }: Import): string[] {
  if (specifier.startsWith('#')) return [doorOf(specifier.slice(1))]
  return specifier.startsWith('.') ? [normalize(join(dirname(from), specifier))] : []
}

/** What an operator says of itself, and its kinds, are doors of their own, so that whoever only wants those does not load the rest. */
function doorOf(name: string): string {
  return /^operators\/[^/]+\/(?:operator|api)$/.test(name) ? `src/${name}.ts` : `src/${name}/index.ts`
}

/** The strongly connected parts with more than one file, each sorted (Tarjan's algorithm). */
export function cyclesIn(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const found: string[][] = []
  const index = new Map<string, number>()
  const low = new Map<string, number>()
  const stack: string[] = []
  const visit = (node: string): void => {
    index.set(node, index.size)
    low.set(node, index.get(node) ?? 0)
    stack.push(node)
    for (const next of graph.get(node) ?? []) {
      if (!graph.has(next)) continue
      if (!index.has(next)) {
        visit(next)
        low.set(node, Math.min(low.get(node) ?? 0, low.get(next) ?? 0))
      } else if (stack.includes(next)) low.set(node, Math.min(low.get(node) ?? 0, index.get(next) ?? 0))
    }
    if (low.get(node) !== index.get(node)) return
    const part = stack.splice(stack.indexOf(node))
    if (part.length > 1) found.push(part.sort())
  }
  for (const node of graph.keys()) if (!index.has(node)) visit(node)
  return found
}
