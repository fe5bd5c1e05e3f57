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

/**
 * The same trouble in the words of a conversion; any other is left as it is. `wanted` is the kind of the right type, `sent` what was
 * sent, with its numbers by their texts.
 */
export function asConverted(why: string, wanted: unknown, sent: () => unknown = () => undefined): string {
  if (why.startsWith('illegal base64')) return `error decoding from json: ${why}`
  return why.replace(mismatchText, (_, from: string, number: string | undefined, place: string, to: string) => {
    if (readsText.has(wanted))
      return `json: cannot unmarshal ${from}${number === undefined ? '' : ` ${number}`} into Go value of type ${to}`
    const isFraction = from === 'number' && number === undefined && hasNumberText(sent(), place.split('.').slice(1))
    return converted(isFraction ? 'float64' : goTypeOf(from, number), to, wanted)
  })
}

/** Types that read themselves from text also here. */
const readsText: ReadonlySet<unknown> = new Set(['int-or-string', 'time', 'micro-time'])

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

function converted(type: string, to: string, wanted: unknown): string {
  if (wanted === 'list' || wanted === 'bytes') return `cannot restore slice from ${type}`
  if (wanted === 'map') return `cannot restore map from ${type}`
  // Metadata is looked at before the object is known to be of a kind.
  if (wanted === 'struct' || to === 'v1.ObjectMeta') return `cannot restore struct from: ${type}`
  // Go turns whole numbers into texts as well, fractions into other numbers only.
  const isScalar = type === 'int64' || (type === 'float64' && to.startsWith('int'))
  const plain = wanted === 'string' ? 'string' : to
  return isScalar && wanted !== 'boolean' ? `cannot convert ${type} to ${to}` : `unrecognized type: ${plain}`
}

/** Go's word for a kind of JSON value. A number is told with its digits where the digits are what does not fit. */
function goTypeOf(kind: string, number: string | undefined): string {
  if (kind === 'number') return number?.includes('.') === true ? 'float64' : 'int64'
  return kind === 'object' ? 'map' : kind === 'array' ? 'slice' : kind
}
