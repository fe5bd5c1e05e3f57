// Messages that read as one JSON value: times, quantities, numbers or text, raw JSON.
import type { Json, LeafType } from '#schema'
import { bytesOf, eachField, integerOf, ProtobufError, textOf } from './reader.ts'

/** Undefined: the message stands for null. */
export function decodeLeafMessage(kind: LeafType['kind'], bytes: Uint8Array): Json | undefined {
  switch (kind) {
    case 'time':
      return decodeTime(bytes, false)
    case 'micro-time':
      return decodeTime(bytes, true)
    case 'quantity':
      return decodeText(bytes)
    case 'int-or-string':
      return decodeIntOrString(bytes)
    default:
      return decodeRaw(bytes)
  }
}

/** Whole seconds, or with six digits. */
function decodeTime(bytes: Uint8Array, micro: boolean): Json | undefined {
  let seconds: bigint | undefined
  let nanos = 0
  eachField(bytes, (number, value) => {
    if (number === 1) seconds = BigInt(integerOf(value))
    if (number === 2) nanos = Number(integerOf(value))
  })
  if (seconds === undefined) return undefined
  const ms = Number(seconds) * 1000
  // The years 1 to 9999, as RFC 3339 has them.
  if (ms < -62_135_596_800_000 || ms > 253_402_300_799_000) return undefined
  const text = new Date(ms).toISOString().slice(0, 19)
  return !micro ? `${text}Z` : `${text}.${String(Math.floor(nanos / 1000)).padStart(6, '0')}Z`
}

function decodeText(bytes: Uint8Array): Json {
  let text = '0'
  eachField(bytes, (number, value) => {
    if (number === 1) text = textOf(value)
  })
  return text
}

function decodeIntOrString(bytes: Uint8Array): Json {
  let isText = false
  let number: number | bigint = 0
  let text = ''
  eachField(bytes, (field, value) => {
    if (field === 1) isText = integerOf(value) === 1
    if (field === 2) number = integerOf(value)
    if (field === 3) text = textOf(value)
  })
  return isText ? text : number
}

function decodeRaw(bytes: Uint8Array): Json | undefined {
  let raw: Uint8Array | undefined
  eachField(bytes, (number, value) => {
    if (number === 1) raw = bytesOf(value)
  })
  if (raw === undefined || raw.length === 0) return undefined
  try {
    return JSON.parse(new TextDecoder().decode(raw)) as Json
  } catch {
    throw new ProtobufError('a field that holds JSON holds something else')
  }
}
