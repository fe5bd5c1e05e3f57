// Overloads written as people write them: `string.indexOf(string, int) int`, `size(list(A)) int`.
import {
  boolType,
  bytesType,
  type CelType,
  doubleType,
  durationType,
  dynType,
  intType,
  listOf,
  mapOf,
  nullType,
  optionalOf,
  stringType,
  timestampType,
  typeType,
  uintType,
} from '../types.ts'
import type { Overload } from './function.ts'

export interface Signature {
  readonly name: string
  readonly overload: Overload
}

const simple: Readonly<Record<string, CelType>> = {
  bool: boolType,
  int: intType,
  uint: uintType,
  double: doubleType,
  string: stringType,
  bytes: bytesType,
  null: nullType,
  dyn: dynType,
  duration: durationType,
  timestamp: timestampType,
  type: typeType,
}

/** `[target.]name(params) result`; a name may have dots of its own when there is no target: `::ip.isCanonical(string) bool`. */
export function parseSignature(text: string): Signature {
  const match = /^(?:::([\w.]+)|(?:(.+)\.)?([\w@!?:<>=+\-*/%&|[\]]+))\((.*)\) (\S.*)$/.exec(text)
  if (match === null) throw new Error(`no signature: ${text}`)
  const [, qualified, target, plain, params = '', result = ''] = match
  const types = splitTypes(params).map(parseType)
  const overload: Overload =
    target === undefined
      ? { member: false, params: types, result: parseType(result) }
      : { member: true, params: [parseType(target), ...types], result: parseType(result) }
  return { name: qualified ?? (plain as string), overload }
}

function splitTypes(text: string): string[] {
  const parts: string[] = []
  let depth = 0
  let current = ''
  for (const character of text) {
    if (character === '(') depth++
    if (character === ')') depth--
    if (character === ',' && depth === 0) {
      parts.push(current.trim())
      current = ''
    } else current += character
  }
  if (current.trim() !== '') parts.push(current.trim())
  return parts
}

function parseType(text: string): CelType {
  const known = simple[text]
  if (known !== undefined) return known
  if (/^[A-Z]$/.test(text)) return { kind: 'param', name: text }
  const match = /^(list|map|optional)\((.*)\)$/.exec(text)
  if (match === null) return { kind: 'opaque', name: text, params: [] }
  const params = splitTypes(match[2] as string).map(parseType)
  const [first = dynType, second = dynType] = params
  if (match[1] === 'list') return listOf(first)
  return match[1] === 'map' ? mapOf(first, second) : optionalOf(first)
}
