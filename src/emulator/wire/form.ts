// Forms and query strings: `a.b.1=c&…` as a map, and as the tree that the query protocol makes of dotted names.
import { MalformedInput } from './malformed.ts'

// The largest real request, an AssumeRole with 50 tags and 50 transitive keys, has under 200 parameters.
const parametersMax = 5_000
const depthMax = 16

/** Later values of a repeated key are ignored, as AWS does. */
export function parseForm(text: string): ReadonlyMap<string, string> {
  const form = new Map<string, string>()
  if (text === '') return form
  for (const pair of text.split('&', parametersMax + 1)) {
    if (pair === '') continue
    const equals = pair.indexOf('=')
    const key = decodedPart(equals === -1 ? pair : pair.slice(0, equals))
    if (!form.has(key)) form.set(key, equals === -1 ? '' : decodedPart(pair.slice(equals + 1)))
  }
  if (form.size > parametersMax) throw new MalformedInput('', `more than ${parametersMax} parameters`)
  return form
}

/** "+" is a space here, in form bodies as in query strings. A stray "%" is left as it is. */
function decodedPart(text: string): string {
  if (!/[%+]/.test(text)) return text
  const spaced = text.replaceAll('+', ' ')
  try {
    return decodeURIComponent(spaced)
  } catch {
    return spaced
  }
}

export interface FormNode {
  value: string | undefined
  readonly children: Map<string, FormNode>
}

export function formTree(form: ReadonlyMap<string, string>): FormNode {
  const root: FormNode = { value: undefined, children: new Map() }
  for (const [key, value] of form) {
    let node = root
    const parts = key.split('.', depthMax + 1)
    if (parts.length > depthMax) throw new MalformedInput(key, 'parameter names are nested too deeply')
    for (const part of parts) {
      let next = node.children.get(part)
      if (next === undefined) {
        next = { value: undefined, children: new Map() }
        node.children.set(part, next)
      }
      node = next
    }
    node.value = value
  }
  return root
}
