// CBOR (RFC 8949) as far as AWS's RPC protocol goes. Read into the values that JSON would have given, so that one reader by the model
// serves both: bytes come as Base64, tagged times as seconds.
import { MalformedInput } from './malformed.ts'

const decoder = new TextDecoder('utf-8', { fatal: true })
/** Deeper than any model nests; what comes from strangers must not exhaust the stack. */
const depthMax = 64

/** The one value that the bytes hold. */
export function readCbor(bytes: Uint8Array): unknown {
  const reader = new CborReader(bytes)
  const value = reader.value(0)
  if (!reader.isAtEnd) throw new MalformedInput('', 'the body holds more than one value')
  return value
}

const ends: unique symbol = Symbol('break')

class CborReader {
  readonly #bytes: Uint8Array
  readonly #view: DataView
  #at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length
  }

  value(depth: number): unknown {
    const value = this.#item(depth)
    if (value === ends) throw new MalformedInput('', 'the body is not CBOR: an end without a beginning')
    return value
  }

  #item(depth: number): unknown {
    if (depth > depthMax) throw new MalformedInput('', 'the body is nested too deeply')
    const first = this.#number(1)
    const [major, info] = [first >> 5, first & 0x1f]
    if (major === 7) return this.#simple(info)
    const argument = info === 31 ? undefined : this.#argument(info)
    switch (major) {
      case 0:
        return this.#needed(argument)
      case 1:
        return -1 - this.#needed(argument)
      case 2:
        return this.#joined(major, argument, depth).toString('base64')
      case 3:
        return this.#text(this.#joined(major, argument, depth))
      case 4:
        return this.#list(argument, depth)
      case 5:
        return this.#map(argument, depth)
      default:
        this.#needed(argument)
        return this.value(depth + 1)
    }
  }

  #needed(argument: number | undefined): number {
    if (argument === undefined) throw new MalformedInput('', 'the body is not CBOR: a length is missing')
    return argument
  }

  #argument(info: number): number {
    if (info < 24) return info
    if (info > 27) throw new MalformedInput('', 'the body is not CBOR: a length of no known size')
    return this.#number(1 << (info - 24))
  }

  /** Of one, two, four or eight bytes. */
  #number(size: number): number {
    const at = this.#take(size)
    if (size === 8) return Number(this.#view.getBigUint64(at))
    if (size === 4) return this.#view.getUint32(at)
    return size === 2 ? this.#view.getUint16(at) : this.#view.getUint8(at)
  }

  #take(length: number): number {
    const at = this.#at
    if (at + length > this.#bytes.length) throw new MalformedInput('', 'the body is not CBOR: it is cut short')
    this.#at = at + length
    return at
  }

  #simple(info: number): unknown {
    switch (info) {
      case 20:
      case 21:
        return info === 21
      case 22:
      case 23:
        return null
      case 25:
        return half(this.#number(2))
      case 26:
        return this.#view.getFloat32(this.#take(4))
      case 27:
        return this.#view.getFloat64(this.#take(8))
      case 31:
        return ends
      default:
        throw new MalformedInput('', 'the body is not CBOR: a simple value that is not known')
    }
  }

  /** Bytes of a text or a blob; without a length they come in pieces. */
  #joined(major: number, length: number | undefined, depth: number): Buffer {
    if (length !== undefined) {
      const at = this.#take(length)
      return Buffer.from(this.#bytes.subarray(at, at + length))
    }
    const pieces: Buffer[] = []
    for (;;) {
      const first = this.#number(1)
      if (first === 0xff) return Buffer.concat(pieces)
      if (first >> 5 !== major || (first & 0x1f) === 31) throw new MalformedInput('', 'the body is not CBOR: mixed pieces')
      pieces.push(this.#joined(major, this.#argument(first & 0x1f), depth))
    }
  }

  #text(bytes: Uint8Array): string {
    try {
      return decoder.decode(bytes)
    } catch {
      throw new MalformedInput('', 'a text is not UTF-8')
    }
  }

  #list(length: number | undefined, depth: number): unknown[] {
    const items: unknown[] = []
    while (length === undefined || items.length < length) {
      const item = this.#item(depth + 1)
      if (item === ends && length === undefined) return items
      if (item === ends) throw new MalformedInput('', 'the body is not CBOR: a list ends early')
      items.push(item)
    }
    return items
  }

  #map(length: number | undefined, depth: number): object {
    const entries: [string, unknown][] = []
    while (length === undefined || entries.length < length) {
      const key = this.#item(depth + 1)
      if (key === ends && length === undefined) break
      if (typeof key !== 'string') throw new MalformedInput('', 'a key is no text')
      entries.push([key, this.value(depth + 1)])
    }
    return Object.fromEntries(entries)
  }
}

/** IEEE 754 in sixteen bits. */
function half(bits: number): number {
  const [sign, exponent, fraction] = [bits >> 15 === 0 ? 1 : -1, (bits >> 10) & 0x1f, bits & 0x3ff]
  if (exponent === 0) return sign * 2 ** -24 * fraction
  if (exponent === 31) return fraction === 0 ? sign * Number.POSITIVE_INFINITY : Number.NaN
  return sign * 2 ** (exponent - 25) * (1024 + fraction)
}

/** A time, of which CBOR says that it is one. */
export class CborTime {
  readonly seconds: number
  constructor(seconds: number) {
    this.seconds = seconds
  }
}

/** Numbers, texts, bytes, times, truths, lists and records of them. */
export function writeCbor(value: unknown): Buffer {
  if (value === null || value === undefined) return Buffer.of(0xf6)
  if (typeof value === 'boolean') return Buffer.of(value ? 0xf5 : 0xf4)
  if (typeof value === 'number') return numberBytes(value)
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)])
  if (value instanceof Uint8Array) return Buffer.concat([head(2, value.length), value])
  if (value instanceof CborTime) return Buffer.concat([Buffer.of(0xc1), numberBytes(value.seconds)])
  if (Array.isArray(value)) return Buffer.concat([head(4, value.length), ...value.map(writeCbor)])
  const entries = Object.entries(value)
  return Buffer.concat([head(5, entries.length), ...entries.flat().map(writeCbor)])
}

function numberBytes(value: number): Buffer {
  if (Number.isSafeInteger(value)) return value < 0 ? head(1, -1 - value) : head(0, value)
  const bytes = Buffer.alloc(9, 0xfb)
  bytes.writeDoubleBE(value, 1)
  return bytes
}

function head(major: number, argument: number): Buffer {
  const first = major << 5
  if (argument < 24) return Buffer.of(first | argument)
  if (argument < 0x100) return Buffer.of(first | 24, argument)
  const bytes = Buffer.alloc(argument < 0x1_0000 ? 3 : argument < 0x1_0000_0000 ? 5 : 9)
  bytes[0] = first | (bytes.length === 3 ? 25 : bytes.length === 5 ? 26 : 27)
  if (bytes.length === 3) bytes.writeUInt16BE(argument, 1)
  else if (bytes.length === 5) bytes.writeUInt32BE(argument, 1)
  else bytes.writeBigUInt64BE(BigInt(argument), 1)
  return bytes
}
