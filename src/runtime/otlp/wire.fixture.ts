// Reads what was written for a collector: it knows the wire format of protobuf, and nothing of OTLP.
import assert from 'node:assert/strict'

/** A field on the wire: varints and fixed numbers as bigint, the rest as bytes. */
export interface Node {
  readonly field: number
  readonly value: bigint | Uint8Array
}

export function read(message: Uint8Array): Node[] {
  const nodes: Node[] = []
  let at = 0
  const varint = (): bigint => {
    let value = 0n
    for (let shift = 0n; ; shift += 7n) {
      const byte = message[at++] as number
      value |= BigInt(byte & 0x7f) << shift
      if (byte < 0x80) return value
    }
  }
  while (at < message.length) {
    const tag = Number(varint())
    const [field, wire] = [tag >> 3, tag & 7]
    if (wire === 0) nodes.push({ field, value: varint() })
    else if (wire === 1) {
      nodes.push({ field, value: Buffer.from(message.subarray(at, at + 8)).readBigUInt64LE() })
      at += 8
    } else {
      assert.equal(wire, 2)
      const length = Number(varint())
      nodes.push({ field, value: message.subarray(at, at + length) })
      at += length
    }
  }
  return nodes
}
