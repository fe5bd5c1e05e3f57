// The values of record sets, which Route 53 keeps as text, as the bytes of DNS answers. Values were checked when they were written.
import { parseIpAddress } from '#base'
import { parseDnsName } from '../route53/names.ts'
import { characterStrings, type RecordType } from '../route53/record-data.ts'
import type { MessageWriter } from './bytes.ts'
import { writeServiceParameters } from './service-parameters.ts'

export const typeNumbers: Readonly<Record<RecordType, number>> = {
  A: 1,
  NS: 2,
  CNAME: 5,
  SOA: 6,
  PTR: 12,
  MX: 15,
  TXT: 16,
  AAAA: 28,
  SRV: 33,
  NAPTR: 35,
  DS: 43,
  SSHFP: 44,
  TLSA: 52,
  SVCB: 64,
  HTTPS: 65,
  SPF: 99,
  CAA: 257,
}

const typeNames: ReadonlyMap<number, string> = new Map(Object.entries(typeNumbers).map(([name, number]) => [number, name]))

/** `TYPE65280` for what Route 53 does not hold. */
export function typeName(number: number): string {
  return typeNames.get(number) ?? `TYPE${number}`
}

export function isRecordType(type: string): type is RecordType {
  return Object.hasOwn(typeNumbers, type)
}

export function writeValue(message: MessageWriter, type: RecordType, value: string): void {
  writers[type](message, value)
}

type Write = (message: MessageWriter, value: string) => void

const writers: Readonly<Record<RecordType, Write>> = {
  A: (message, value) => message.raw(parseIpAddress(value) ?? []),
  AAAA: (message, value) => message.raw(parseIpAddress(value) ?? []),
  NS: (message, value) => writeName(message, value, true),
  CNAME: (message, value) => writeName(message, value, true),
  PTR: (message, value) => writeName(message, value, true),
  TXT: writeStrings,
  SPF: writeStrings,
  SOA: (message, value) => {
    const [server = '.', mail = '.', ...numbers] = value.split(/[ \t]+/)
    writeName(message, server, true)
    writeName(message, mail, true)
    for (const number of numbers) message.u32(Number(number))
  },
  MX: (message, value) => {
    const [preference, host = '.'] = value.split(/[ \t]+/)
    message.u16(Number(preference))
    writeName(message, host, true)
  },
  SRV: (message, value) => {
    const [priority, weight, port, host = '.'] = value.split(/[ \t]+/)
    for (const number of [priority, weight, port]) message.u16(Number(number))
    writeName(message, host, false)
  },
  CAA: (message, value) => {
    const [, flags, tag = '', text = ''] = /^(\d+) (\S+) "(.*)"$/.exec(value) ?? []
    message.u8(Number(flags))
    message.text(Buffer.from(tag))
    message.raw(Buffer.from(text))
  },
  NAPTR: (message, value) => {
    const [, order, preference, flags = '', services = '', pattern = '', replacement = '.'] =
      /^(\d+) (\d+) "([^"]*)" "([^"]*)" "([^"]*)" (\S+)$/.exec(value) ?? []
    message.u16(Number(order))
    message.u16(Number(preference))
    for (const text of [flags, services, pattern]) message.text(Buffer.from(text))
    writeName(message, replacement, false)
  },
  DS: (message, value) => {
    const [tag, algorithm, digest, ...hex] = value.split(/ +/)
    message.u16(Number(tag))
    message.u8(Number(algorithm))
    message.u8(Number(digest))
    message.raw(Buffer.from(hex.join(''), 'hex'))
  },
  TLSA: writeBytesAndHex,
  SSHFP: writeBytesAndHex,
  SVCB: writeServiceBinding,
  HTTPS: writeServiceBinding,
}

function writeName(message: MessageWriter, value: string, compress: boolean): void {
  const parsed = parseDnsName(value)
  message.name(parsed.ok ? parsed.name : '.', { compress })
}

function writeStrings(message: MessageWriter, value: string): void {
  const strings = characterStrings(value)
  if (typeof strings === 'string') return
  // An escape stands for one byte, whatever letter it may be.
  for (const text of strings) message.text(Buffer.from(text, 'latin1'))
}

/** Numbers of one byte each, then a digest or fingerprint. */
function writeBytesAndHex(message: MessageWriter, value: string): void {
  const parts = value.split(/ +/)
  for (const number of parts.slice(0, -1)) message.u8(Number(number))
  message.raw(Buffer.from(parts.at(-1) ?? '', 'hex'))
}

function writeServiceBinding(message: MessageWriter, value: string): void {
  const [priority, target = '.', ...parameters] = value.split(/ +/)
  message.u16(Number(priority))
  writeName(message, target, false)
  writeServiceParameters(message, parameters)
}
