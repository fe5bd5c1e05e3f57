// `npm run mutants -- --follow REF`: a hand-written defect whose words were renamed since the commit REF gets the new words. A text that only
// moved needs no help: `locate` finds it. A text that was rewritten stays as it is, and a person has to break the line in another way.
import { execFileSync } from 'node:child_process'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { locate } from './mutants/locate.ts'
import type { Mutant } from './mutants/mutants.ts'

const root = join(import.meta.dirname, '..', '..')
const tables = join(root, 'test/sim')

/** Rewrites the tables of defects. The ids of those that nobody could follow are returned. */
export function followMutants(mutants: readonly Mutant[], ref: string): readonly string[] {
  const stale = mutants.filter(mutant => locate(mutant) === undefined)
  const diff = execFileSync('git', ['diff', '-M', '-U0', ref, '--', 'src', 'examples'], { cwd: root, maxBuffer: 1 << 30 })
  const renames = renamedWords(diff.toString())
  const lost: string[] = []
  for (const mutant of stale) {
    const { id, file, find } = mutant
    const ways = renames.get(file) ?? [...renames.values()].flat()
    const words = ways.find(way => locate({ file, find: withWords(find, way) }) !== undefined)
    if (words === undefined) lost.push(id)
    else rewrite(mutant, words)
  }
  return lost
}

/** Old words, and the new ones in their places. */
export type Words = ReadonlyMap<string, string>

/** By the old path of a file: what its words became in the whole of it, where that is one thing each, and then in each changed place. */
export function renamedWords(diff: string): ReadonlyMap<string, readonly Words[]> {
  return new Map(
    diff.split(/^diff --git /m).flatMap(part => {
      const path = /^--- a\/(.*)$/m.exec(part)?.[1]
      const places = part
        .split(/^@@ .*$/m)
        .slice(1)
        .map(pairsOf)
      return path === undefined ? [] : [[path, [wordsOf(places.flat()), ...places.map(wordsOf)]] as const]
    }),
  )
}

/** The words of the lines that went and those of the lines that came, side by side; none where the lines were rewritten. */
function pairsOf(place: string): readonly (readonly [string, string])[] {
  const lines = place.split('\n')
  const [old, now] = ['-', '+'].map(sign =>
    tokensOf(
      lines
        .filter(line => line.startsWith(sign))
        .join('')
        .replaceAll(sign, '\n'),
    ),
  )
  if (old === undefined || now === undefined || old.length !== now.length) return []
  return old.map((word, index) => [word, now[index] ?? ''])
}

function wordsOf(pairs: readonly (readonly [string, string])[]): Words {
  const words = new Map(pairs)
  const torn = new Set(pairs.filter(([word, other]) => words.get(word) !== other).map(([word]) => word))
  return new Map([...words].filter(([word, other]) => word !== other && !torn.has(word) && /^\w+$/.test(word)))
}

function withWords(text: string, words: Words): string {
  return tokensOf(text)
    .map(word => words.get(word) ?? word)
    .join('')
}

function tokensOf(text: string): readonly string[] {
  return text.match(/\w+|\W/g) ?? []
}

/** In whichever table the defect stands: its two texts, and nothing else of it. */
function rewrite({ find, replace }: Mutant, words: Words): void {
  for (const name of globSync('*mutants.ts', { cwd: tables })) {
    const file = join(tables, name)
    const source = readFileSync(file, 'utf8')
    const next = source.replaceAll(literal, text => {
      if (text.includes('${')) return text
      const value: unknown = runInNewContext(text)
      return value === find || value === replace ? withWords(text, words) : text
    })
    if (next !== source) writeFileSync(file, next)
  }
}

/** A text in quotes. A template is looked at only when it holds no value: what it says is not known otherwise. */
const literal = /'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g
