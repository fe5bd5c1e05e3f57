// Texts with fields in them: `postgres://{{ .status.endpoint.address }}:{{ .status.endpoint.port }}/app`, and, in what goes into a Secret,
// `{{ secret "db" "password" }}`.
import { type PathStep, parseFieldPath } from './field-path.ts'

export type TemplatePart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'field'; readonly path: string; readonly steps: readonly PathStep[] }
  | { readonly kind: 'secret'; readonly name: string; readonly key: string }

const secretCall = /^secret\s+"([a-z0-9.-]{1,253})"\s+"([-._a-zA-Z0-9]{1,253})"$/

/** A connection string is a few hundred characters. */
const lengthMax = 16_384

/** `undefined` for what is no template: braces that do not close, or hold neither a path nor a secret. */
export function parseTemplate(text: string): readonly TemplatePart[] | undefined {
  if (text.length > lengthMax) return undefined
  const parts: TemplatePart[] = []
  let rest = text
  for (;;) {
    const start = rest.indexOf('{{')
    if (start < 0) return rest === '' ? parts : [...parts, { kind: 'text', text: rest }]
    const end = rest.indexOf('}}', start)
    if (end < 0) return undefined
    if (start > 0) parts.push({ kind: 'text', text: rest.slice(0, start) })
    const part = parsePart(rest.slice(start + 2, end).trim())
    if (part === undefined) return undefined
    parts.push(part)
    rest = rest.slice(end + 2)
  }
}

function parsePart(text: string): TemplatePart | undefined {
  const [whole, name = '', key = ''] = secretCall.exec(text) ?? []
  if (whole !== undefined) return { kind: 'secret', name, key }
  const steps = parseFieldPath(text)
  return steps === undefined ? undefined : { kind: 'field', path: text, steps }
}
