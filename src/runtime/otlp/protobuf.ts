// Protobuf, as much of it as OTLP's messages need: written, never read. A field is its number with its wire type, then its value.

/** A field that is written, or a run of them. */
export type EncodedField = Uint8Array

const varintWire = 0
const fixed64Wire = 1
const lengthWire = 2

export function message(number: number, ...fields: readonly EncodedField[]): EncodedField {
  return bytes(number, Buffer.concat(fields))
}

export function bytes(number: number, value: Uint8Array): EncodedField {
  return Buffer.concat([tag(number, lengthWire), varint(BigInt(value.length)), value])
}

export function text(number: number, value: string): EncodedField {
  return bytes(number, Buffer.from(value))
}

/** Integers, enumerations and booleans. Negative ones take ten bytes, as they should. */
export function integer(number: number, value: number | bigint | boolean): EncodedField {
  return Buffer.concat([tag(number, varintWire), varint(BigInt.asUintN(64, BigInt(value)))])
}

export function fixed64(number: number, value: bigint): EncodedField {
  const out = Buffer.alloc(8)
  out.writeBigUInt64LE(BigInt.asUintN(64, value))
  return Buffer.concat([tag(number, fixed64Wire), out])
}

export function double(number: number, value: number): EncodedField {
  return Buffer.concat([tag(number, fixed64Wire), doubleBytes(value)])
}

export function packedFixed64(number: number, values: readonly number[]): EncodedField {
  const out = Buffer.alloc(8 * values.length)
  for (const [index, value] of values.entries()) out.writeBigUInt64LE(BigInt(value), 8 * index)
  return bytes(number, out)
}

export function packedDoubles(number: number, values: readonly number[]): EncodedField {
  return bytes(number, Buffer.concat(values.map(doubleBytes)))
}

function doubleBytes(value: number): Buffer {
  const out = Buffer.alloc(8)
  out.writeDoubleLE(value)
  return out
}

function tag(number: number, wire: number): Buffer {
  return varint(BigInt((number << 3) | wire))
}

function varint(value: bigint): Buffer {
  const out: number[] = []
  for (let left = value; ; left >>= 7n) {
    const low = Number(left & 0x7fn)
    if (left < 0x80n) return Buffer.from([...out, low])
    out.push(low | 0x80)
  }
}
