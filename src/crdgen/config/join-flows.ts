// Braces and brackets that go over several lines may end at any indentation for the YAML readers of Go and Python, and not for the one that
// we stand on. So where a text is refused, it is read once more with each such collection on one line: line ends become spaces, and comments
// within go, so that every character keeps its place and a refusal still names the right line.

/** The text with the same length and each flow collection on one line. */
export function joinFlows(source: string): string {
  const out = source.split('')
  let depth = 0
  /** Indentation of the line whose value is a block of text; its lines are taken as they are. */
  let block: number | undefined
  for (const { from, to } of linesOf(source)) {
    const text = source.slice(from, to)
    const indent = text.search(/\S/)
    if (block !== undefined && (indent < 0 || indent > block)) continue
    block = undefined
    const read = readLine(text, depth)
    for (let at = from + read.commentAt; read.endDepth > 0 && at < to; at++) out[at] = ' '
    depth = read.endDepth
    if (depth > 0 && to < source.length) out[to] = ' '
    else if (/(?:^|[:-]\s+)[|>][+-]?\d?[+-]?\s*$/.test(text.slice(0, read.commentAt))) block = indent
  }
  return out.join('')
}

function* linesOf(source: string): Generator<{ readonly from: number; readonly to: number }> {
  for (let from = 0; from <= source.length; ) {
    const end = source.indexOf('\n', from)
    const to = end < 0 ? source.length : end
    yield { from, to }
    from = to + 1
  }
}

/** How deep in collections a line ends, and where its comment begins. A quoted text that goes over lines is not looked into. */
function readLine(line: string, startDepth: number): { readonly endDepth: number; readonly commentAt: number } {
  let depth = startDepth
  for (let at = 0; at < line.length; at++) {
    const character = line.charAt(at)
    const opensValue = depth > 0 || /(?:^|[:-]\s+|^\s+)$/.test(line.slice(0, at))
    // Within a word an apostrophe is one.
    if ((character === '"' || character === "'") && /(?:^|[\s,:[{])$/.test(line.slice(0, at))) {
      const end = line.indexOf(character, at + 1)
      if (end < 0) return { endDepth: depth, commentAt: line.length }
      at = end
    } else if (character === '#' && (at === 0 || /\s/.test(line.charAt(at - 1)))) {
      return { endDepth: depth, commentAt: at }
    } else if (/[[{]/.test(character) && opensValue) depth++
    else if (/[\]}]/.test(character) && depth > 0) depth--
  }
  return { endDepth: depth, commentAt: line.length }
}
