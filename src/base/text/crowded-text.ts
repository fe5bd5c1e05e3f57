// What a text of YAML asks of its reader is not its length but the number of things in it: a megabyte of manifests holds some fifty
// thousand, a megabyte of `- ` or `---` half a million, and reading those takes a second of the only thread there is.

/** Things in a text that are fine whatever its length. */
const itemsMax = 60_000

/**
 * Whether a text holds more lines, entries and brackets than one in so many characters. Manifests as tools print them have fourteen
 * characters for each, the smallest that people write seven.
 */
export function isCrowdedText(text: string, charactersPerItemMin: number): boolean {
  let left = Math.max(itemsMax, text.length / charactersPerItemMin)
  let isLineStart = true
  for (let at = 0; at < text.length && left >= 0; at += 1) {
    const code = text.charCodeAt(at)
    if (isMark(code) || (isLineStart && code === dash)) left -= 1
    isLineStart = code === newline || (isLineStart && (code === dash || code === space))
  }
  return left < 0
}

const [newline, space, dash] = [0x0a, 0x20, 0x2d]
const marks = '\0\n\r,:[{'

function isMark(code: number): boolean {
  return marks.includes(String.fromCharCode(code))
}
