// A question as it comes from a resolver or from `dig`.
import { readName } from './bytes.ts'

export interface DnsQuery {
  readonly id: number
  /** Operation, 0 for a question; the others change or notify. */
  readonly opcode: number
  /** The asker wants CNAMEs followed to the end. It is told that they are, whether it asks or not. */
  readonly isRecursive: boolean
  /** Absent when there is not exactly one that can be read. */
  readonly question?: DnsQueryQuestion
  /** What the asker says by EDNS: how large a datagram may be, and which version the asker speaks. */
  readonly extension?: { readonly udpBytesMax: number; readonly version: number }
}

export interface DnsQueryQuestion {
  readonly name: string
  readonly type: number
  readonly class: number
  /** Sent back as they came: askers compare them, upper case included. */
  readonly bytes: Uint8Array
}

const headerBytes = 12
const optType = 41

/** `undefined` for what nobody waits for an answer to: answers themselves, and what is too short to have an id. */
export function readQuery(message: Uint8Array): DnsQuery | undefined {
  if (message.length < headerBytes) return undefined
  const view = new DataView(message.buffer, message.byteOffset, message.byteLength)
  const flags = view.getUint16(2)
  if ((flags & 0x8000) !== 0) return undefined
  const head = { id: view.getUint16(0), opcode: (flags >> 11) & 0xf, isRecursive: (flags & 0x100) !== 0 }
  const question = view.getUint16(4) === 1 ? readQuestion(message, view) : undefined
  if (question === undefined) return head
  // Questions bring no records but the extension, so it stands right behind the question.
  const behind = headerBytes + question.bytes.length
  const hasRecords = view.getUint16(6) + view.getUint16(8) > 0
  const extension = hasRecords || view.getUint16(10) === 0 ? undefined : readExtension(message, view, behind)
  return { ...head, question, ...(extension !== undefined && { extension }) }
}

function readQuestion(message: Uint8Array, view: DataView): DnsQueryQuestion | undefined {
  const read = readName(message, headerBytes)
  if (read === undefined || read.end + 4 > message.length) return undefined
  return {
    name: read.name,
    type: view.getUint16(read.end),
    class: view.getUint16(read.end + 2),
    bytes: message.slice(headerBytes, read.end + 4),
  }
}

function readExtension(message: Uint8Array, view: DataView, at: number): DnsQuery['extension'] {
  if (at + 11 > message.length || message[at] !== 0 || view.getUint16(at + 1) !== optType) return undefined
  return { udpBytesMax: view.getUint16(at + 3), version: view.getUint8(at + 6) }
}
