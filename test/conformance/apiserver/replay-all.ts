// Replays the recorded files against a target and sorts the steps into: as recorded, forgiven by the table, known to differ, different.
import { differences } from './differences.ts'
import { type Known, keyOf } from './known.ts'
import { type Outcome, replay } from './replay.ts'
import type { Target } from './target.ts'
import { readVectors, vectorFiles } from './vectors.ts'

export interface Tally {
  readonly file: string
  readonly steps: number
  readonly same: number
  readonly forgiven: number
  /** Listed in known-differences.json and indeed different. */
  readonly known: readonly Found[]
  /** Different and nowhere listed. */
  readonly unknown: readonly Found[]
  /** Listed, but no longer different: to be taken off the list. */
  readonly mended: readonly string[]
  readonly used: ReadonlySet<string>
}

export interface Found extends Outcome {
  readonly key: string
}

/** The prelude comes first, on the same server, since the others build on what it defines. */
export async function replayFile(
  target: Target,
  file: string,
  known: Known,
  only: (id: string) => boolean = () => true,
): Promise<Tally> {
  const found: { key: string; outcome: Outcome }[] = []
  for (const sequence of readVectors(file)) {
    if (!only(sequence.id)) continue
    for (const outcome of await replay(target, sequence)) found.push({ key: keyOf(file, sequence.id, outcome.step), outcome })
  }
  const differs = found.filter(({ outcome }) => outcome.difference !== undefined).map(({ key, outcome }) => ({ ...outcome, key }))
  return {
    file,
    steps: found.length,
    same: found.filter(({ outcome }) => outcome.difference === undefined && outcome.forgiven.length === 0).length,
    forgiven: found.filter(({ outcome }) => outcome.forgiven.length > 0).length,
    known: differs.filter(({ key }) => known[key] !== undefined),
    unknown: differs.filter(({ key }) => known[key] === undefined),
    mended: found
      .filter(({ key, outcome }) => known[key] !== undefined && outcome.difference === undefined)
      .map(({ key }) => key),
    used: new Set(found.flatMap(({ outcome }) => outcome.forgiven)),
  }
}

/** Entries of the table that forgave nothing in a whole replay. */
export function idleDifferences(tallies: readonly Tally[]): string[] {
  return differences.map(({ id }) => id).filter(id => !tallies.some(tally => tally.used.has(id)))
}

export function themes(): string[] {
  return vectorFiles().filter(file => file !== 'prelude.jsonl')
}
