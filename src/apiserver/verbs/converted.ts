// Strategic patches and what is applied are converted value by value, not decoded from text, and a real server says so of a value of the
// wrong type.
import type { JsonObject } from '#schema'
import type { ResourceCall } from '../http/call.ts'

/** Ten digits may be more than 32 bits hold. */
const large = /\d{10}/

/** What is converted so, with the numbers that it has then; most bodies hold none that is too large. */
export function withWrapped(object: JsonObject, { body, kind }: Pick<ResourceCall, 'body' | 'kind'>): JsonObject {
  return large.test(Buffer.from(body).toString('latin1')) ? (kind.schema.wrapIntegers?.(object) ?? object) : object
}

/** The same trouble in the words of a conversion; any other is left as it is. */
export function asConverted(why: string): string {
  return why.replace(mismatchText, converted)
}

const mismatchText = /^json: cannot unmarshal (\w+)(?: (\S+))? into Go struct field \S+ of type (\S+)$/

function converted(_: string, from: string, number: string | undefined, to: string): string {
  const type = goTypeOf(from, number)
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
