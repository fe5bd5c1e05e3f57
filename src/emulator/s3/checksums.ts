// The five checksums of S3, as base64 of their big-endian bytes.
import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { assertNever } from '#base'
import type { ChecksumAlgorithm } from './model.ts'

export function checksumOf(algorithm: ChecksumAlgorithm, body: Uint8Array): string {
  switch (algorithm) {
    case 'CRC32':
      return fourBytes(crc32(body))
    case 'CRC32C':
      return fourBytes(crc32c(body))
    case 'CRC64NVME':
      return crc64nvme(body)
    case 'SHA1':
      return createHash('sha1').update(body).digest('base64')
    case 'SHA256':
      return createHash('sha256').update(body).digest('base64')
    default:
      return assertNever(algorithm)
  }
}

function fourBytes(value: number): string {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value >>> 0)
  return bytes.toString('base64')
}

const castagnoli = crcTable(0x82f63b78)

function crc32c(body: Uint8Array): number {
  let crc = 0xffffffff
  for (const byte of body) crc = (castagnoli[(crc ^ byte) & 0xff] as number) ^ (crc >>> 8)
  return crc ^ 0xffffffff
}

function crcTable(polynomial: number): Uint32Array {
  return Uint32Array.from({ length: 256 }, (_, index) => {
    let value = index
    for (let bit = 0; bit < 8; bit++) value = value & 1 ? polynomial ^ (value >>> 1) : value >>> 1
    return value >>> 0
  })
}

// The reflected polynomial of CRC-64/NVME in two halves: 64-bit integers would cost an allocation per byte.
const polynomialHigh = 0x9a6c9329
const polynomialLow = 0xac4bc9b5
const [tableHigh, tableLow] = crc64Tables()

function crc64Tables(): readonly [Uint32Array, Uint32Array] {
  const high = new Uint32Array(256)
  const low = new Uint32Array(256)
  for (let index = 0; index < 256; index++) {
    let upper = 0
    let lower = index
    for (let bit = 0; bit < 8; bit++) {
      const odd = lower & 1
      lower = ((lower >>> 1) | (upper << 31)) >>> 0
      upper >>>= 1
      if (odd === 1) {
        upper = (upper ^ polynomialHigh) >>> 0
        lower = (lower ^ polynomialLow) >>> 0
      }
    }
    high[index] = upper
    low[index] = lower
  }
  return [high, low]
}

function crc64nvme(body: Uint8Array): string {
  let upper = 0xffffffff
  let lower = 0xffffffff
  for (const byte of body) {
    const index = (lower ^ byte) & 0xff
    lower = (((lower >>> 8) | (upper << 24)) ^ (tableLow[index] as number)) >>> 0
    upper = ((upper >>> 8) ^ (tableHigh[index] as number)) >>> 0
  }
  const bytes = Buffer.alloc(8)
  bytes.writeUInt32BE((upper ^ 0xffffffff) >>> 0, 0)
  bytes.writeUInt32BE((lower ^ 0xffffffff) >>> 0, 4)
  return bytes.toString('base64')
}
