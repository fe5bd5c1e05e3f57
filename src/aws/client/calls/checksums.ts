// Body checksums: which header an operation wants, and whether an answer's body is the one that was sent.
import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import type { Operation } from '../../model/service-model.ts'
import type { Values, WireRequest } from '../wire/protocols.ts'

/** Algorithms by the name in inputs. CRC32 is what is chosen when the caller chooses nothing, as in all current SDKs. */
const algorithms: Readonly<Record<string, (body: Uint8Array) => Uint8Array>> = {
  CRC32: body => bigEndian(crc32(body)),
  CRC32C: body => bigEndian(crc32c(body)),
  SHA1: body => createHash('sha1').update(body).digest(),
  SHA256: body => createHash('sha256').update(body).digest(),
}

/** The member by which the caller chooses an algorithm, filled in where the operation supports one: part of what is sent. */
export function checksumInput({ checksum }: Operation, input: Values): Values {
  const chosen: Record<string, unknown> = {}
  const { algorithmMember, validationMember } = checksum ?? {}
  if (algorithmMember !== undefined && input[algorithmMember] === undefined) chosen[algorithmMember] = 'CRC32'
  if (validationMember !== undefined && input[validationMember] === undefined) chosen[validationMember] = 'ENABLED'
  return Object.keys(chosen).length === 0 ? input : { ...input, ...chosen }
}

/** Adds the checksum header. The caller's own wins. */
export function addChecksum(request: WireRequest, operation: Operation, input: Values): void {
  const { checksum, checksumRequired } = operation
  const body = bytesOf(request.body)
  if (Object.keys(request.headers).some(name => name.startsWith('x-amz-checksum-'))) return
  if (checksum?.algorithmMember !== undefined) {
    const name = (input[checksum.algorithmMember] as string | undefined) ?? 'CRC32'
    const digest = Object.hasOwn(algorithms, name) ? algorithms[name] : undefined
    if (digest === undefined)
      throw new TypeError(`checksum algorithm ${name} is not supported: use ${Object.keys(algorithms).join(', ')}`)
    request.headers[`x-amz-checksum-${name.toLowerCase()}`] = Buffer.from(digest(body)).toString('base64')
  } else if (checksumRequired && request.headers['content-md5'] === undefined) {
    request.headers['content-md5'] = createHash('md5').update(body).digest('base64')
  }
}

/** The name of the checksum that an answer's body does not have, or `undefined` when all that can be checked is right. */
export function brokenChecksum(headers: Readonly<Record<string, string>>, body: Uint8Array): string | undefined {
  for (const [name, digest] of Object.entries(algorithms)) {
    const stated = headers[`x-amz-checksum-${name.toLowerCase()}`]
    // A multipart object has a checksum of checksums, marked by its number of parts.
    if (stated === undefined || stated.includes('-')) continue
    if (stated !== Buffer.from(digest(body)).toString('base64')) return name
  }
  return undefined
}

export function bytesOf(body: string | Uint8Array | undefined): Uint8Array {
  if (body === undefined) return new Uint8Array()
  return typeof body === 'string' ? Buffer.from(body, 'utf8') : body
}

function bigEndian(value: number): Uint8Array {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value >>> 0)
  return bytes
}

const castagnoli = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0x82f63b78 : value >>> 1
  return value
})

function crc32c(body: Uint8Array): number {
  let value = 0xffffffff
  for (const byte of body) value = (castagnoli[(value ^ byte) & 0xff] as number) ^ (value >>> 8)
  return ~value
}
