// Parameters of SVCB and HTTPS records (RFC 9460): `alpn="h2,h3" port=8443`. They go out in the order of their numbers.
import { parseIpAddress } from '#base'
import type { MessageWriter } from './bytes.ts'

const keys: Readonly<Record<string, number>> = {
  mandatory: 0,
  alpn: 1,
  'no-default-alpn': 2,
  port: 3,
  ipv4hint: 4,
  ech: 5,
  ipv6hint: 6,
}

export function writeServiceParameters(message: MessageWriter, parameters: readonly string[]): void {
  for (const { key, value } of parameters.map(parse).sort((a, b) => a.key - b.key)) {
    message.u16(key)
    message.sized(() => writeParameter(message, key, value))
  }
}

function parse(parameter: string): { readonly key: number; readonly value: string } {
  const [, name = '', quoted, plain] = /^([^=]+)(?:=(?:"(.*)"|(.*)))?$/.exec(parameter) ?? []
  return { key: keyNumber(name), value: quoted ?? plain ?? '' }
}

/** What has no name yet is written `key667`. */
function keyNumber(name: string): number {
  return keys[name] ?? Number(name.replace(/^key/, ''))
}

function writeParameter(message: MessageWriter, key: number, value: string): void {
  const list = value.split(',').filter(part => part !== '')
  switch (key) {
    case keys.mandatory:
      for (const name of list) message.u16(keyNumber(name))
      return
    case keys.alpn:
      for (const protocol of list) message.text(Buffer.from(protocol))
      return
    case keys.port:
      return message.u16(Number(value))
    case keys.ipv4hint:
    case keys.ipv6hint:
      for (const address of list) message.raw(parseIpAddress(address) ?? [])
      return
    case keys.ech:
      return message.raw(Buffer.from(value, 'base64'))
    default:
      return message.raw(Buffer.from(value))
  }
}
