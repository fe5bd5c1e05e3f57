// Whole numbers as Go reads them, and what it says of text that is none: both are part of the upstream's contract.

/** A number, or the sentence that the upstream would answer. */
export type ParsedInteger = { readonly value: bigint } | { readonly trouble: string }

/** A sign and decimal digits, and nothing else; zeros in front do not count. */
export function parseGoInteger(text: string, bits: 32 | 64): ParsedInteger {
  const [, sign, digits] = /^([+-]?)0*(\d+)$/.exec(text) ?? []
  if (digits === undefined) return { trouble: syntaxTrouble(text, 'invalid syntax') }
  // Longer than this no number of 64 bits is.
  const value = digits.length > 19 ? undefined : BigInt(`${sign === '-' ? '-' : ''}${digits}`)
  if (value === undefined || BigInt.asIntN(bits, value) !== value) return { trouble: syntaxTrouble(text, 'value out of range') }
  return { value }
}

/** Input is never echoed at more length (§5.9). */
const echoedMax = 256

function syntaxTrouble(text: string, why: string): string {
  return `strconv.ParseInt: parsing ${quoteGo(text.slice(0, echoedMax))}: ${why}`
}

const escapes: Readonly<Record<string, string>> = {
  '"': '\\"',
  '\\': '\\\\',
  '\x07': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
}

/** A string as Go's `%q` prints it. */
function quoteGo(text: string): string {
  let quoted = '"'
  for (const character of text) quoted += escapes[character] ?? printable(character)
  return `${quoted}"`
}

function printable(character: string): string {
  const code = Number(character.codePointAt(0))
  if (character === ' ' || /[\p{L}\p{M}\p{N}\p{P}\p{S}]/u.test(character)) return character
  if (code < 0x80) return `\\x${code.toString(16).padStart(2, '0')}`
  return code > 0xffff ? `\\U${code.toString(16).padStart(8, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`
}
