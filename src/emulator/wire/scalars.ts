// Scalars as text: in forms, headers, query strings, labels and XML.
import type { Member, Shape, TimestampFormat } from '#aws'
import { MalformedInput } from './malformed.ts'
import { type Precision, parseTimestamp, renderTimestamp } from './timestamps.ts'

const wholeNumber = /^[+-]?\d{1,19}$/

export function parseScalar(shape: Shape, text: string, path: string): unknown {
  switch (shape.type) {
    case 'string':
      return text
    case 'boolean':
      return parseBoolean(text, path)
    case 'byte':
    case 'short':
    case 'integer':
    case 'long':
    case 'intEnum':
    case 'bigInteger':
      if (!wholeNumber.test(text)) throw new MalformedInput(path, `"${shorten(text)}" is not a whole number`)
      return Number(text)
    case 'float':
    case 'double':
    case 'bigDecimal':
      return parseNumber(text, path)
    case 'timestamp': {
      const at = parseTimestamp(text)
      if (at === undefined) throw new MalformedInput(path, `"${shorten(text)}" is not a timestamp`)
      return at
    }
    case 'blob':
      return new Uint8Array(Buffer.from(text, 'base64'))
    default:
      throw new MalformedInput(path, `a ${shape.type} cannot be given as text`)
  }
}

export interface TextForm {
  readonly timestamp: TimestampFormat
  readonly precision: Precision
}

export function renderScalar(member: Member | undefined, shape: Shape, value: unknown, form: TextForm): string {
  if (shape.type === 'timestamp') {
    return renderTimestamp(value as number, member?.timestampFormat ?? shape.format ?? form.timestamp, form.precision)
  }
  if (shape.type === 'blob') return Buffer.from(value as Uint8Array).toString('base64')
  return String(value)
}

function parseBoolean(text: string, path: string): boolean {
  if (/^true$/i.test(text)) return true
  if (/^false$/i.test(text)) return false
  throw new MalformedInput(path, `"${shorten(text)}" is neither true nor false`)
}

function parseNumber(text: string, path: string): number {
  if (/^-?Infinity$|^NaN$/.test(text)) return Number(text)
  const value = Number(text)
  if (text.trim() === '' || Number.isNaN(value)) throw new MalformedInput(path, `"${shorten(text)}" is not a number`)
  return value
}

export function shorten(text: string): string {
  return text.length > 100 ? `${text.slice(0, 100)}…` : text
}
