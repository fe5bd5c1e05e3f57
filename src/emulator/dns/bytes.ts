// Bytes as DNS messages have them: numbers with the high byte first, names as labels, later copies of a name as a pointer to the first.
import { labelsOf } from '../route53/names.ts'

/** A pointer holds 14 bits: what stands further back is written out again. */
const pointerMax = 0x3fff

export class MessageWriter {
  #bytes: number[] = []
  readonly #names = new Map<string, number>()

  get length(): number {
    return this.#bytes.length
  }

  u8(value: number): void {
    this.#bytes.push(value & 0xff)
  }

  u16(value: number): void {
    this.#bytes.push((value >> 8) & 0xff, value & 0xff)
  }

  u32(value: number): void {
    this.u16(Math.floor(value / 0x10000))
    this.u16(value % 0x10000)
  }

  raw(bytes: Uint8Array | readonly number[]): void {
    for (const byte of bytes) this.#bytes.push(byte)
  }

  /** A character string: its length in one byte, then itself. */
  text(bytes: Uint8Array): void {
    this.u8(bytes.length)
    this.raw(bytes)
  }

  /** A stored name. Only the types of RFC 1035 may point into the message from their data. */
  name(name: string, options: { readonly compress: boolean } = { compress: true }): void {
    const labels = name === '.' ? [] : labelsOf(name)
    for (let index = 0; index < labels.length; index++) {
      const rest = labels.slice(index).join('.')
      const known = this.#names.get(rest)
      if (known !== undefined && options.compress) return this.u16(0xc000 | known)
      if (known === undefined && this.length <= pointerMax) this.#names.set(rest, this.length)
      this.text(labelBytes(labels[index] as string))
    }
    this.u8(0)
  }

  /** Data whose length stands before it. */
  sized(write: () => void): void {
    const at = this.length
    this.u16(0)
    write()
    const size = this.length - at - 2
    this.#bytes[at] = size >> 8
    this.#bytes[at + 1] = size & 0xff
  }

  finish(): Uint8Array {
    return Uint8Array.from(this.#bytes)
  }
}

/** A label of a stored name: what is escaped there in octal is a byte here. */
export function labelBytes(label: string): Uint8Array {
  const text = label.replace(/\\([0-3][0-7][0-7])/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)))
  return Uint8Array.from(text, character => character.charCodeAt(0))
}

export interface ReadName {
  /** As a request to Route 53 may write it; `.` for the root. */
  readonly name: string
  readonly end: number
}

/** The name that begins at `at`; `undefined` when the bytes end in it, or when it points elsewhere, which questions have no need to. */
export function readName(message: Uint8Array, at: number): ReadName | undefined {
  const labels: string[] = []
  for (let index = at; index < message.length; ) {
    const length = message[index] as number
    if (length === 0) return { name: labels.length === 0 ? '.' : `${labels.join('.')}.`, end: index + 1 }
    if (length > 63 || index + 1 + length > message.length) return undefined
    labels.push([...message.subarray(index + 1, index + 1 + length)].map(escapedByte).join(''))
    index += 1 + length
  }
  return undefined
}

/** Dots and backslashes within a label, and what is no ASCII text, are escaped. */
function escapedByte(byte: number): string {
  const plain = byte > 0x20 && byte < 0x7f && byte !== 0x2e && byte !== 0x5c
  return plain ? String.fromCharCode(byte) : `\\${byte.toString(8).padStart(3, '0')}`
}
