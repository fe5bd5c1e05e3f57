// `--set a.b=c`, as Helm reads it: a path of names, and a word that is a number, true, false, null or text. Commas separate pairs, a list
// stands in braces, and a backslash takes a dot, a comma or an equals sign as it is.
import { isRecord } from '#base'

/** A map to be merged over values. Throws for what is no pair. */
export function setValues(text: string): Readonly<Record<string, unknown>> {
  let values: Readonly<Record<string, unknown>> = {}
  for (const pair of splitAt(text, ',')) {
    const [path = '', ...rest] = splitAt(pair, '=')
    const names = splitAt(path, '.').map(plain)
    if (rest.length === 0 || names.includes('')) throw new Error(`--set ${text}: ${JSON.stringify(pair)} is no path=value`)
    if (names.some(name => /\[\d*\]$/.test(name)))
      throw new Error(`--set ${text}: a list stands in braces, {a,b}, or in a file of --values`)
    values = withValue(values, names, valueOf(rest.join('=')))
  }
  return values
}

function withValue(
  values: Readonly<Record<string, unknown>>,
  [name = '', ...rest]: readonly string[],
  value: unknown,
): Readonly<Record<string, unknown>> {
  if (rest.length === 0) return { ...values, [name]: value }
  const below = values[name]
  return { ...values, [name]: withValue(isRecord(below) ? below : {}, rest, value) }
}

function valueOf(word: string): unknown {
  const list = /^\{([\s\S]*)\}$/.exec(word)?.[1]
  if (list !== undefined) return list === '' ? [] : splitAt(list, ',').map(valueOf)
  if (word === 'true' || word === 'false') return word === 'true'
  if (word === 'null') return null
  return /^(?:0|-?[1-9]\d{0,17})$/.test(word) ? Number(word) : plain(word)
}

/** At each such character that is neither behind a backslash nor within braces. */
function splitAt(text: string, separator: string): readonly string[] {
  const parts = ['']
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const character = text[at] ?? ''
    if (character === '{') depth++
    if (character === '}') depth--
    if (character === separator && depth === 0) parts.push('')
    else parts[parts.length - 1] += character === '\\' ? character + (text[++at] ?? '') : character
  }
  return parts
}

function plain(text: string): string {
  return text.replaceAll(/\\([\s\S])/g, '$1')
}
