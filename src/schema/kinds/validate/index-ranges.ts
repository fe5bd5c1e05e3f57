// The pods of an indexed job as text: numbers and ranges of them, in order, as `0,2-4`.

/** The first index that both of two well-formed texts name. */
export function firstShared(text: string, other: string): number | undefined {
  const others = rangesOf(other)
  for (const [first, last] of rangesOf(text))
    for (const [from, to] of others) if (first <= to && from <= last) return Math.max(first, from)
  return undefined
}

function rangesOf(text: string): readonly (readonly [number, number])[] {
  return text
    .split(',')
    .filter(Boolean)
    .map(fragment => {
      const [first = '', last = first] = fragment.split('-')
      return [Number(first), Number(last)]
    })
}

/** How many indexes a text names, or what is wrong with it. */
export function countIndexes(text: string, completions: number): number | string {
  let [count, last] = [0, -1]
  for (const fragment of text === '' ? [] : text.split(',')) {
    const ends = fragment.split('-')
    if (ends.length > 2) {
      const why = "violates the requirement that an index interval can have at most two parts separated by '-'"
      return `the fragment ${JSON.stringify(fragment)} ${why}`
    }
    for (const end of ends) {
      const index = readIndex(end, last, completions)
      if (typeof index === 'string') return index
      last = index
    }
    count += last - Number(ends[0]) + 1
  }
  return count
}

function readIndex(text: string, previous: number, completions: number): number | string {
  if (!/^[+-]?\d+$/.test(text)) return `cannot convert string to integer for index: ${JSON.stringify(text)}`
  const index = Number(text)
  if (index >= completions) return `too large index: ${JSON.stringify(text)}`
  return index <= previous ? `non-increasing order, previous: ${previous}, current: ${index}` : index
}
