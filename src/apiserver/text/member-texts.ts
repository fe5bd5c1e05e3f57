// The text of one member of each object in a JSON list, as it was written but for white space: what a value of its own does not keep,
// such as keys that stand twice.

/** By the place in the list; of a member that an object has twice the later one. The text must be a well-formed list. */
export function memberTexts(text: string, key: string): ReadonlyMap<number, string> {
  const found = new Map<number, string>()
  let [depth, index, start] = [0, 0, -1]
  const close = (end: number): void => {
    if (start >= 0) found.set(index, compact(text.slice(start, end)))
    start = -1
  }
  for (const match of text.matchAll(token)) {
    const mark = match[0]
    if (mark === '{' || mark === '[') depth++
    else if (mark === '}' || mark === ']') {
      if (depth === depthOfMembers) close(match.index)
      depth--
    } else if (mark === ',') {
      if (depth === depthOfMembers) close(match.index)
      if (depth === 1) index++
    } else if (match[1] !== undefined && depth === depthOfMembers && nameOf(mark, match[1]) === key)
      start = match.index + mark.length
  }
  return found
}

const token = /"(?:[^"\\]|\\.)*"(\s*:)?|[{}[\],]/gs
/** Within the list, within an object of it. */
const depthOfMembers = 2

function nameOf(mark: string, colon: string): unknown {
  return JSON.parse(mark.slice(0, mark.length - colon.length))
}

function compact(text: string): string {
  return text.replaceAll(/("(?:[^"\\]|\\.)*")|\s+/gs, '$1')
}
