// Repeats of repeats, as Go bounds them: what one element may come to is a thousand. The engine that runs here bounds the size of the whole
// expression as well, and lower; it would say only that.

const productMax = 1_000

/** The first repeat with which an element may come more than a thousand times, as it is written; undefined where there is none. */
export function nestedRepeat(text: string): string | undefined {
  // The largest product of repeats within each group that is open, and within the element that was read last.
  const open: number[] = []
  let inGroup = 1
  let element = 1
  for (const [token, , , min, max] of text.matchAll(tokens)) {
    if (token === '(') {
      open.push(inGroup)
      inGroup = 1
    } else if (token === ')') {
      element = inGroup
      inGroup = Math.max(open.pop() ?? 1, element)
    } else if (min === undefined) element = 1
    else {
      element *= Math.max(1, Number(max === undefined || max === '' ? min : max))
      if (element > productMax) return token
      inGroup = Math.max(inGroup, element)
    }
  }
  return undefined
}

/** Escapes and classes are elements whatever stands in them; a repeat has its bounds. */
const tokens = /\\[\s\S]|\[\^?\]?(\\[\s\S]|\[:\^?\w+:\]|[^\]])*\]|(\{(\d+)(?:,(\d*))?\})|[\s\S]/g
