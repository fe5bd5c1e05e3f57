// What a name server of the emulated zones says to a message. It stands for all servers of all zones, and for a resolver that
// follows CNAMEs from zone to zone: an asker has one address and gets the answer that the world would give.
import type { MessageRoad } from '#base'
import { parseDnsName } from '../route53/names.ts'
import { MessageWriter } from './bytes.ts'
import { type DnsQuery, type DnsQueryQuestion, readQuery } from './query.ts'
import { isRecordType, typeName, typeNumbers, writeValue } from './record-bytes.ts'
import type { DnsRecord, DnsReply } from './reply.ts'

export type LookUp = (name: string, type: string) => DnsReply

const codes = { NOERROR: 0, FORMERR: 1, SERVFAIL: 2, NXDOMAIN: 3, NOTIMP: 4, REFUSED: 5, BADVERS: 16 } as const
type Code = keyof typeof codes

const internetClass = 1
/** Nobody is told everything there is at a name (RFC 8482), and zones are not given away. */
const refusedTypes: ReadonlyMap<number, Code> = new Map([
  [251, 'NOTIMP'],
  [252, 'REFUSED'],
  [255, 'NOTIMP'],
])
/** Without EDNS a datagram holds so much; with it, so much reaches everybody in one piece. */
const udpBytes = { plain: 512, extended: 1_232 }
const tcpBytesMax = 65_535

export function answerMessage(message: Uint8Array, road: MessageRoad, lookUp: LookUp): Uint8Array | undefined {
  const query = readQuery(message)
  if (query === undefined) return undefined
  const reply = replyTo(query, lookUp)
  const whole = render(query, reply)
  if (whole.length <= bytesMax(query, road)) return whole
  // The asker comes again over TCP.
  return render(query, { ...reply, records: [], authority: [], isTruncated: true })
}

interface Reply {
  readonly code: Code
  readonly records: readonly DnsRecord[]
  readonly authority: readonly DnsRecord[]
  readonly isTruncated?: boolean
}

function replyTo(query: DnsQuery, lookUp: LookUp): Reply {
  const code = refusalOf(query)
  if (code !== undefined) return { code, records: [], authority: [] }
  const { name, type } = query.question as DnsQueryQuestion
  const parsed = parseDnsName(name)
  // The root, and whatever has no form as a name of a zone, is nobody's here.
  return parsed.ok ? lookUp(parsed.name, typeName(type)) : { code: 'REFUSED', records: [], authority: [] }
}

function refusalOf({ opcode, question, extension }: DnsQuery): Code | undefined {
  if (opcode !== 0) return 'NOTIMP'
  if (question === undefined) return 'FORMERR'
  if (extension !== undefined && extension.version !== 0) return 'BADVERS'
  if (question.class !== internetClass) return 'REFUSED'
  return refusedTypes.get(question.type)
}

function bytesMax({ extension }: DnsQuery, road: MessageRoad): number {
  if (road === 'tcp') return tcpBytesMax
  if (extension === undefined) return udpBytes.plain
  return Math.min(udpBytes.extended, Math.max(udpBytes.plain, extension.udpBytesMax))
}

function render(query: DnsQuery, reply: Reply): Uint8Array {
  const message = new MessageWriter()
  const records = reply.records.filter(record => isRecordType(record.type))
  message.u16(query.id)
  message.u16(flagsOf(query, reply))
  message.u16(query.question === undefined ? 0 : 1)
  message.u16(records.length)
  message.u16(reply.authority.length)
  message.u16(query.extension === undefined ? 0 : 1)
  if (query.question !== undefined) message.raw(query.question.bytes)
  for (const record of [...records, ...reply.authority]) renderRecord(message, record)
  if (query.extension !== undefined) renderExtension(message, reply.code)
  return message.finish()
}

const answered = 0x8000
const authoritative = 0x0400
const truncated = 0x0200
const recursionDesired = 0x0100
const recursionAvailable = 0x0080

function flagsOf(query: DnsQuery, { code, authority, isTruncated = false }: Reply): number {
  const isOurs = code === 'NOERROR' || code === 'NXDOMAIN'
  // A referral tells who has the authority, so it is not us.
  const hasAuthority = isOurs && !authority.some(record => record.type === 'NS')
  return (
    answered |
    (query.opcode << 11) |
    (hasAuthority ? authoritative : 0) |
    (isTruncated ? truncated : 0) |
    (query.isRecursive ? recursionDesired : 0) |
    recursionAvailable |
    (codes[code] & 0xf)
  )
}

function renderRecord(message: MessageWriter, { name, type, ttl, value }: DnsRecord): void {
  if (!isRecordType(type)) return
  message.name(name)
  message.u16(typeNumbers[type])
  message.u16(internetClass)
  message.u32(ttl)
  message.sized(() => writeValue(message, type, value))
}

function renderExtension(message: MessageWriter, code: Code): void {
  message.u8(0)
  message.u16(41)
  message.u16(udpBytes.extended)
  message.u32((codes[code] >> 4) * 0x1000000)
  message.u16(0)
}
