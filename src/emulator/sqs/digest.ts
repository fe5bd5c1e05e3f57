// The digests by which clients check that a message arrived as it was sent.
import { createHash } from 'node:crypto'
import type { MessageAttribute } from './model.ts'

export function md5(text: string): string {
  return createHash('md5').update(text, 'utf8').digest('hex')
}

/** Of attributes: each name, type and value behind its length, in the order of the names. */
export function md5OfAttributes(attributes: Readonly<Record<string, MessageAttribute>> | undefined): string | undefined {
  const entries = Object.entries(attributes ?? {})
  if (entries.length === 0) return undefined
  const hash = createHash('md5')
  const add = (bytes: Uint8Array): void => {
    const length = Buffer.alloc(4)
    length.writeUInt32BE(bytes.length)
    hash.update(length).update(bytes)
  }
  for (const [name, { DataType, StringValue, BinaryValue }] of entries.sort(([a], [b]) => (a < b ? -1 : 1))) {
    add(Buffer.from(name))
    add(Buffer.from(DataType))
    hash.update(Uint8Array.of(BinaryValue === undefined ? 1 : 2))
    add(BinaryValue ?? Buffer.from(StringValue ?? ''))
  }
  return hash.digest('hex')
}
