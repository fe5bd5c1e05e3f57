// Strategic patches and what is applied are converted value by value, not decoded from text, and a real server says so of a value of the
// wrong type.
import { isRecord, NumberText } from '#base'
import type { JsonObject } from '#schema'
import type { ResourceCall } from '../http/call.ts'

/** Ten digits may be more than 32 bits hold. */
const large = /\d{10}/

/** What is converted so, with the numbers that it has then; most bodies hold none that is too large. */
export function withWrapped(object: JsonObject, { body, kind }: Pick<ResourceCall, 'body' | 'kind'>): JsonObject {
  return large.test(Buffer.from(body).toString('latin1')) ? (kind.schema.wrapIntegers?.(object) ?? object) : object
}

/** The same trouble in the words of a conversion; any other is left as it is. `sent` is what was sent, with its numbers by their texts. */
export function asConverted(why: string, sent: () => unknown = () => undefined): string {
  return why.replace(mismatchText, (_, from: string, number: string | undefined, place: string, to: string) => {
    const isFraction = from === 'number' && number === undefined && hasNumberText(sent(), place.split('.').slice(1))
    return converted(isFraction ? 'float64' : goTypeOf(from, number), to)
  })
}

const mismatchText = /^json: cannot unmarshal (\w+)(?: (\S+))? into Go struct field (\S+) of type (\S+)$/

/** Whether the value at a place, or the first of its members that is a number, was written with a fraction; lists are no step of a path. */
function hasNumberText(value: unknown, path: readonly string[]): boolean {
  if (value instanceof NumberText) return path.length === 0
  if (Array.isArray(value)) return value.some(item => hasNumberText(item, path))
  if (!isRecord(value)) return false
  const [key, ...rest] = path
  if (key !== undefined) return hasNumberText(value[key], rest)
  return Object.values(value).find(item => item instanceof NumberText || typeof item === 'number') instanceof NumberText
}

function converted(type: string, to: string): string {
  if (to.startsWith('[]')) return `cannot restore slice from ${type}`
  if (to.startsWith('map[')) return `cannot restore map from ${type}`
  if (to.startsWith('v1.')) return `cannot restore struct from: ${type}`
  // Go turns whole numbers into texts as well, fractions into other numbers only.
  const isScalar = type === 'int64' || (type === 'float64' && to.startsWith('int'))
  return isScalar ? `cannot convert ${type} to ${to}` : `unrecognized type: ${to}`
}

/** Go's word for a kind of JSON value. A number is told with its digits where the digits are what does not fit. */
function goTypeOf(kind: string, number: string | undefined): string {
  if (kind === 'number') return number?.includes('.') === true ? 'float64' : 'int64'
  return kind === 'object' ? 'map' : kind === 'array' ? 'slice' : kind
}
