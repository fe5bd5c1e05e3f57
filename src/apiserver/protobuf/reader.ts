// The wire form of protobuf: tags, numbers, lengths. Every read is bounded by the bytes at hand; nothing is copied.

export class ProtobufError extends Error {}

export type WireValue =
  | { readonly kind: 'varint'; readonly value: bigint }
  | { readonly kind: 'bytes'; readonly value: Uint8Array }
  | { readonly kind: 'double'; readonly value: number }

/** Calls back with each field of a message, in the order of the wire. */
export function eachField(bytes: Uint8Array, visit: (number: number, value: WireValue) => void): void {
  let at = 0
  const varint = (): bigint => {
    let result = 0n
    let shift = 0n
    for (;;) {
      const byte = bytes[at++]
      if (byte === undefined) throw new ProtobufError('unexpected EOF')
      result |= BigInt(byte & 0x7f) << shift
      if (byte < 0x80) return BigInt.asIntN(64, result)
      shift += 7n
      if (shift > 63n) throw new ProtobufError('proto: integer overflow')
    }
  }
  const take = (length: number): Uint8Array => {
    if (length < 0 || at + length > bytes.length) throw new ProtobufError('unexpected EOF')
    at += length
    return bytes.subarray(at - length, at)
  }
  while (at < bytes.length) {
    const tag = Number(varint())
    const number = Math.floor(tag / 8)
    if (number <= 0) throw new ProtobufError(`proto: illegal tag ${number} (wire type ${tag & 7})`)
    switch (tag & 7) {
      case 0:
        visit(number, { kind: 'varint', value: varint() })
        break
      case 1:
        visit(number, { kind: 'double', value: doubleAt(take(8)) })
        break
      case 2:
        visit(number, { kind: 'bytes', value: take(Number(varint())) })
        break
      case 5:
        take(4)
        break
      default:
        throw new ProtobufError(`proto: illegal wireType ${tag & 7}`)
    }
  }
}

function doubleAt(bytes: Uint8Array): number {
  return new DataView(bytes.buffer, bytes.byteOffset, 8).getFloat64(0, true)
}

const utf8 = new TextDecoder('utf-8')

export function textOf(value: WireValue): string {
  if (value.kind !== 'bytes') throw new ProtobufError('proto: wrong wireType for a string')
  return utf8.decode(value.value)
}

export function bytesOf(value: WireValue): Uint8Array {
  if (value.kind !== 'bytes') throw new ProtobufError('proto: wrong wireType for a message')
  return value.value
}

export function integerOf(value: WireValue): number | bigint {
  if (value.kind !== 'varint') throw new ProtobufError('proto: wrong wireType for a number')
  const number = Number(value.value)
  return Number.isSafeInteger(number) ? number : value.value
}
