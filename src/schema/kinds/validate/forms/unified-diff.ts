// Two texts beside each other, line by line, as `diff -u` shows them: so a real server tells what changed in a part that may not.

/** Lines that stay around a change. */
const contextLines = 3
/** Of longer texts only the beginning and the end are compared: the time to look for runs between them grows with the cube of the lines. */
const comparedLines = 500

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
  const long = Math.max(before.length, after.length) > comparedLines
  const runs = long ? equalEnds(before, after) : equalRuns(before, after, { left: [0, end.left], right: [0, end.right] })
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

/** The longest run of equal lines, and so on to both sides of it. */
function equalRuns(before: readonly string[], after: readonly string[], { left, right }: Change): Run[] {
  const run = longestRun(before, after, { left, right })
  if (run.size === 0) return []
  const [leftEnd, rightEnd] = [run.left + run.size, run.right + run.size]
  return [
    ...equalRuns(before, after, { left: [left[0], run.left], right: [right[0], run.right] }),
    run,
    ...equalRuns(before, after, { left: [leftEnd, left[1]], right: [rightEnd, right[1]] }),
  ]
}

/** Of several the first. */
function longestRun(before: readonly string[], after: readonly string[], { left, right }: Change): Run {
  let best: Run = { left: left[0], right: right[0], size: 0 }
  for (let i = left[0]; i < left[1]; i++)
    for (let j = right[0]; j < right[1]; j++) {
      let size = 0
      while (i + size < left[1] && j + size < right[1] && before[i + size] === after[j + size]) size++
      if (size > best.size) best = { left: i, right: j, size }
    }
  return best
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
