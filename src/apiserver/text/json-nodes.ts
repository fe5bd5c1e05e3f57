// JSON that is read as far as its structure: maps and lists are what they are, each remembered with its text, and of a value that has
// nothing within it there is the text alone. Null is null.
import { type Json, setKey } from '#schema'

/** Of a map or a list that stands in a text: where it does. */
export interface TextPart {
  readonly text: string
  readonly start: number
  readonly end: number
}

const token = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/gs

interface Open {
  readonly node: Json[] | Record<string, Json>
  readonly start: number
  /** Of a map: what comes next is a value of this name. */
  key: string | undefined
}

/** Reads a text that is known to be well formed. Of a key that stands twice the later value counts. */
export function readNodes(text: string, parts: { set(node: object, part: TextPart): unknown }): Json {
  const stack: Open[] = []
  let root: Json = null
  const put = (value: Json): void => {
    const top = stack.at(-1)
    if (top === undefined) root = value
    else if (Array.isArray(top.node)) top.node.push(value)
    else setKey(top.node, top.key ?? '', value)
    if (top !== undefined) top.key = undefined
  }
  for (const match of text.matchAll(token)) {
    const mark = match[0]
    const top = stack.at(-1)
    if (mark === '{' || mark === '[') stack.push({ node: mark === '{' ? {} : [], start: match.index, key: undefined })
    else if (mark === '}' || mark === ']') {
      stack.pop()
      if (top === undefined) continue
      parts.set(top.node, { text, start: top.start, end: match.index + 1 })
      put(top.node)
    } else if (mark !== ',' && mark !== ':') {
      if (top !== undefined && !Array.isArray(top.node) && top.key === undefined) top.key = String(JSON.parse(mark))
      else put(mark === 'null' ? null : mark)
    }
  }
  return root
}

/** The same text without the white space between its values. */
export function compactJson(text: string): string {
  return text.replaceAll(/("(?:[^"\\]|\\.)*")|\s+/gs, '$1')
}

const escapes: Readonly<Record<string, string>> = {
  '<': '\\u003c',
  '>': '\\u003e',
  '&': '\\u0026',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
}

/** JSON as Go writes it, which is safe inside HTML and scripts. */
export function asGoWrites(json: string): string {
  return json.replaceAll(/[<>&\u2028\u2029]/g, character => escapes[character] ?? character)
}
