// How large a pattern becomes when it is compiled, told from its text. Seven characters (`x{1000}`) become a thousand instructions, so
// the length of a pattern says nothing, and compiling it to find out is what has to be avoided.

/** At least as many instructions as the pattern compiles to, or nearly; text that is no pattern has some size as well. */
export function patternSize(text: string): number {
  /** What stands before the parts of each group that is open. */
  const outer: number[] = []
  let total = 1
  let last = 0
  for (const [token] of text.matchAll(tokens)) {
    if (token.startsWith('(')) {
      outer.push(total + last)
      total = 2
      last = 0
    } else if (token === ')') {
      last += total
      total = outer.pop() ?? 0
    } else if (token === '|') {
      total += last + 1
      last = 0
    } else if (repeats.test(token)) last = repeated(last, token)
    else {
      total += last
      last = token.startsWith('\\Q') ? token.length : 1
    }
  }
  return outer.reduce((sum, size) => sum + size, total + last)
}

const repeats = /^(?:[*+?]|\{\d+(?:,\d*)?\})$/

/** Quoted text, an escape, a class, the head of a group, a repetition, or a character. What is not closed goes on to the end. */
const tokens =
  /\\Q[\s\S]*?(?:\\E|$)|\\[pPx]\{[^}]*(?:\}|$)|\\[\s\S]|\[\^?\]?(?:\[:\^?\w+:\]|\\[\s\S]?|[^\]\\])*(?:\]|$)|\((?:\?P?<\w+>|\?[a-zA-Z-]*:)?|\{\d+(?:,\d*)?\}|[\s\S]/g

function repeated(size: number, token: string): number {
  if (!token.startsWith('{')) return size + 1
  const [least = 0, most] = token
    .slice(1, -1)
    .split(',')
    .map(text => (text === '' ? undefined : Number(text)))
  return most === undefined ? Math.max(1, least) * size + 1 : Math.max(least, most) * (size + 1) + 1
}
