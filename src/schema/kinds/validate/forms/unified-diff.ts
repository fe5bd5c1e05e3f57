// Two texts beside each other, line by line, as `diff -u` shows them: so a real server tells what changed in a part that may not.

/** Lines that stay around a change. */
const contextLines = 3
/** So many comparisons of lines are made: about a third of a second. */
const comparisonsMax = 5_000_000
/** In a text of so many lines one that stands in more than a hundredth of them is no place to begin a run of equal lines. */
const manyLines = 200

/** From the first line to before the last, on both sides. */
interface Change {
  readonly left: readonly [number, number]
  readonly right: readonly [number, number]
}

interface Run {
  readonly left: number
  readonly right: number
  readonly size: number
}

/** Every line ends with a line break. Of equal texts nothing is said. */
export function unifiedDiff(before: readonly string[], after: readonly string[]): string {
  return hunksOf(changesOf(before, after))
    .map(hunk => shownHunk(hunk, before, after))
    .join('')
}

function changesOf(before: readonly string[], after: readonly string[]): Change[] {
  const end = { left: before.length, right: after.length, size: 0 }
  const changes: Change[] = []
  let [left, right] = [0, 0]
  const runs = new Comparison(before, after).equalRuns() ?? equalEnds(before, after)
  for (const run of [...runs, end]) {
    if (left < run.left || right < run.right) changes.push({ left: [left, run.left], right: [right, run.right] })
    left = run.left + run.size
    right = run.right + run.size
  }
  return changes
}

function equalEnds(before: readonly string[], after: readonly string[]): Run[] {
  const shorter = Math.min(before.length, after.length)
  let [head, tail] = [0, 0]
  while (head < shorter && before[head] === after[head]) head++
  while (tail < shorter - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++
  return [
    { left: 0, right: 0, size: head },
    { left: before.length - tail, right: after.length - tail, size: tail },
  ]
}

class Comparison {
  readonly #before: readonly string[]
  readonly #after: readonly string[]
  /** Where a line stands on the right, in order. */
  readonly #places: ReadonlyMap<string, readonly number[]>
  #left = comparisonsMax

  constructor(before: readonly string[], after: readonly string[]) {
    this.#before = before
    this.#after = after
    this.#places = placesOf(after)
  }

  /** The longest run of equal lines, and so on to both sides of it; nothing when that would take too long. */
  equalRuns(): Run[] | undefined {
    const runs: Run[] = []
    const open: Change[] = [{ left: [0, this.#before.length], right: [0, this.#after.length] }]
    for (let part = open.pop(); part !== undefined; part = open.pop()) {
      const run = this.#longestRun(part)
      if (this.#left < 0) return undefined
      if (run.size === 0) continue
      runs.push(run)
      const { left, right } = part
      open.push({ left: [left[0], run.left], right: [right[0], run.right] })
      open.push({ left: [run.left + run.size, left[1]], right: [run.right + run.size, right[1]] })
    }
    return runs.sort((one, other) => one.left - other.left)
  }

  /** Of several the first. It is looked for from lines that are not frequent, and goes as far as the lines are equal. */
  #longestRun({ left, right }: Change): Run {
    const { left: from, right: to, size } = this.#longestRareRun({ left, right })
    let [back, length] = [0, size]
    while (from - back > left[0] && to - back > right[0] && this.#isEqual(from - back - 1, to - back - 1)) back++
    while (from + length < left[1] && to + length < right[1] && this.#isEqual(from + length, to + length)) length++
    return { left: from - back, right: to - back, size: back + length }
  }

  #longestRareRun({ left, right }: Change): Run {
    let best: Run = { left: left[0], right: right[0], size: 0 }
    // How long the run is that ends at a place on the right, and at the line before on the left.
    let ending = new Map<number, number>()
    if (right[0] === right[1]) return best
    for (const [offset, line] of this.#before.slice(...left).entries()) {
      const longer = new Map<number, number>()
      this.#left--
      for (const place of between(this.#places.get(line) ?? [], right)) {
        const size = (ending.get(place - 1) ?? 0) + 1
        longer.set(place, size)
        if (size > best.size) best = { left: left[0] + offset - size + 1, right: place - size + 1, size }
        this.#left--
      }
      if (this.#left < 0) return best
      ending = longer
    }
    return best
  }

  #isEqual(left: number, right: number): boolean {
    this.#left--
    return this.#before[left] === this.#after[right]
  }
}

function placesOf(lines: readonly string[]): ReadonlyMap<string, readonly number[]> {
  const places = new Map<string, number[]>()
  for (const [at, line] of lines.entries()) {
    const known = places.get(line)
    if (known === undefined) places.set(line, [at])
    else known.push(at)
  }
  if (lines.length < manyLines) return places
  const most = Math.floor(lines.length / 100) + 1
  return new Map([...places].filter(([, at]) => at.length <= most))
}

/** Those from the first to before the last, of a list that is in order. */
function between(places: readonly number[], [from, to]: readonly [number, number]): readonly number[] {
  return places.slice(firstFrom(places, from), firstFrom(places, to))
}

/** Where the first is that is not less. */
function firstFrom(places: readonly number[], least: number): number {
  let [low, high] = [0, places.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if (Number(places[middle]) < least) low = middle + 1
    else high = middle
  }
  return low
}

/** Changes whose surroundings touch are shown together. */
function hunksOf(changes: readonly Change[]): Change[][] {
  const hunks: Change[][] = []
  for (const change of changes) {
    const last = hunks.at(-1)
    const end = last?.at(-1)?.left[1]
    if (last !== undefined && end !== undefined && change.left[0] - end <= 2 * contextLines) last.push(change)
    else hunks.push([change])
  }
  return hunks
}

function shownHunk(hunk: readonly Change[], before: readonly string[], after: readonly string[]): string {
  const [first, last] = [hunk[0] as Change, hunk.at(-1) as Change]
  const ahead = Math.min(contextLines, first.left[0])
  const behind = Math.min(contextLines, before.length - last.left[1])
  const parts: string[][] = []
  let at = first.left[0] - ahead
  for (const { left, right } of hunk) {
    parts.push(marked(' ', before.slice(at, left[0])), marked('-', before.slice(...left)), marked('+', after.slice(...right)))
    at = left[1]
  }
  parts.push(marked(' ', before.slice(at, at + behind)))
  const from = shownRange(first.left[0] - ahead, last.left[1] + behind)
  const to = shownRange(first.right[0] - ahead, last.right[1] + behind)
  return [`@@ -${from} +${to} @@`, ...parts.flat()].map(line => `${line}\n`).join('')
}

function marked(mark: string, lines: readonly string[]): string[] {
  return lines.map(line => mark + line)
}

/** A single line is told by its number alone, and no line by the one before it. */
function shownRange(start: number, end: number): string {
  const length = end - start
  if (length === 1) return String(start + 1)
  return `${length === 0 ? start : start + 1},${length}`
}
