// The few DER shapes that a certificate is made of. Values are nested byte arrays; nothing is changed after it was made.

export function derNode(tag: number, ...contents: readonly Uint8Array[]): Uint8Array {
  const length = contents.reduce((sum, content) => sum + content.length, 0)
  const header = [tag, ...lengthBytes(length)]
  const node = new Uint8Array(header.length + length)
  node.set(header)
  let at = header.length
  for (const content of contents) {
    node.set(content, at)
    at += content.length
  }
  return node
}

export function sequence(...items: readonly Uint8Array[]): Uint8Array {
  return derNode(0x30, ...items)
}

export function setOf(...items: readonly Uint8Array[]): Uint8Array {
  return derNode(0x31, ...items)
}

/** A number that is not negative, from its big-endian bytes. */
export function unsigned(bytes: Uint8Array): Uint8Array {
  let start = 0
  while (start < bytes.length - 1 && bytes[start] === 0) start++
  const digits = bytes.subarray(start)
  return derNode(0x02, ((digits[0] ?? 0) & 0x80) === 0 ? digits : Uint8Array.of(0, ...digits))
}

export function truth(value: boolean): Uint8Array {
  return derNode(0x01, Uint8Array.of(value ? 0xff : 0))
}

export function oid(dotted: string): Uint8Array {
  const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number)
  return derNode(0x06, Uint8Array.from([first * 40 + second, ...rest].flatMap(base128)))
}

export function utf8Text(text: string): Uint8Array {
  return derNode(0x0c, new TextEncoder().encode(text))
}

export function octets(content: Uint8Array): Uint8Array {
  return derNode(0x04, content)
}

export function bits(content: Uint8Array, unusedBits = 0): Uint8Array {
  return derNode(0x03, Uint8Array.of(unusedBits), content)
}

export const nothing: Uint8Array = Uint8Array.of(0x05, 0x00)

/** `[n]` around whole values. */
export function tagged(number: number, ...items: readonly Uint8Array[]): Uint8Array {
  return derNode(0xa0 | number, ...items)
}

/** `[n]` in place of the value's own tag. */
export function retagged(number: number, content: Uint8Array): Uint8Array {
  return derNode(0x80 | number, content)
}

/** Two-digit years up to 2049, four after, as RFC 5280 wants it; parts of a second are cut off. */
export function time(instantMs: number): Uint8Array {
  const digits = new Date(instantMs).toISOString().replace(/[-:T]|\.\d{3}/g, '')
  const short = instantMs < Date.UTC(2050, 0, 1) && instantMs >= Date.UTC(1950, 0, 1)
  return derNode(short ? 0x17 : 0x18, new TextEncoder().encode(short ? digits.slice(2) : digits))
}

function lengthBytes(length: number): number[] {
  if (length < 0x80) return [length]
  const bytes: number[] = []
  for (let left = length; left > 0; left = Math.floor(left / 256)) bytes.unshift(left % 256)
  return [0x80 | bytes.length, ...bytes]
}

function base128(value: number): number[] {
  const bytes = [value % 128]
  for (let left = Math.floor(value / 128); left > 0; left = Math.floor(left / 128)) bytes.unshift(0x80 | (left % 128))
  return bytes
}
