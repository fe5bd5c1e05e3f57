// Text as Go quotes it.

/** A string as Go's `%q` prints it. */
export function quote(text: string): string {
  if (/^[\x20\x21\x23-\x5b\x5d-\x7e]*$/.test(text)) return `"${text}"`
  let out = '"'
  for (const character of text) out += quoteCharacter(character)
  return `${out}"`
}

/** A character as it stands within such a string. */
export function quoteCharacter(character: string): string {
  const escape = characterEscapes[character]
  if (escape !== undefined) return escape
  const code = character.codePointAt(0) as number
  if (code < 0x20 || code === 0x7f) return `\\x${code.toString(16).padStart(2, '0')}`
  if (/[\p{L}\p{M}\p{N}\p{P}\p{S}]/u.test(character) || character === ' ') return character
  return code > 0xffff ? `\\U${code.toString(16).padStart(8, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`
}

/** What stands for a character that has an escape of its own. */
export const characterEscapes: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\n': '\\n',
  '\t': '\\t',
  '\r': '\\r',
  '\x07': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\v': '\\v',
}
