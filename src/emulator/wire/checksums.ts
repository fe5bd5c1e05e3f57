// The checksums that S3 takes and gives, as base64 text.
import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'

export type ChecksumAlgorithm = 'crc32' | 'crc32c' | 'crc64nvme' | 'sha1' | 'sha256'

const algorithms: readonly string[] = ['crc32', 'crc32c', 'crc64nvme', 'sha1', 'sha256']

export function isChecksumAlgorithm(name: string): name is ChecksumAlgorithm {
  return algorithms.includes(name)
}

export function checksumOf(algorithm: ChecksumAlgorithm, data: Uint8Array): string {
  switch (algorithm) {
    case 'crc32':
      return base64Of32(crc32(data))
    case 'crc32c':
      return base64Of32(crc32c(data))
    case 'crc64nvme':
      return crc64nvme(data).toString('base64')
    default:
      return createHash(algorithm).update(data).digest('base64')
  }
}

function base64Of32(value: number): string {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value >>> 0)
  return bytes.toString('base64')
}

/** Castagnoli, reflected. */
const crc32cTable: Uint32Array = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? (value >>> 1) ^ 0x82f63b78 : value >>> 1
  return value >>> 0
})

function crc32c(data: Uint8Array): number {
  let crc = 0xffffffff
  for (const byte of data) crc = (crcStep(crc32cTable, crc ^ byte) ^ (crc >>> 8)) >>> 0
  return ~crc >>> 0
}

function crcStep(table: Uint32Array, index: number): number {
  return table[index & 0xff] as number
}

/** CRC-64/NVME: reflected polynomial 0x9a6c9329ac4bc9b5, kept in two halves because BigInt is a hundred times slower. */
const crc64Tables: { readonly high: Uint32Array; readonly low: Uint32Array } = (() => {
  const high = new Uint32Array(256)
  const low = new Uint32Array(256)
  for (let index = 0; index < 256; index++) {
    let h = 0
    let l = index
    for (let bit = 0; bit < 8; bit++) {
      const odd = l & 1
      l = ((l >>> 1) | (h << 31)) >>> 0
      h >>>= 1
      if (odd) {
        h = (h ^ 0x9a6c9329) >>> 0
        l = (l ^ 0xac4bc9b5) >>> 0
      }
    }
    high[index] = h
    low[index] = l
  }
  return { high, low }
})()

function crc64nvme(data: Uint8Array): Buffer {
  let high = 0xffffffff
  let low = 0xffffffff
  for (const byte of data) {
    const index = (low ^ byte) & 0xff
    low = (crcStep(crc64Tables.low, index) ^ ((low >>> 8) | (high << 24))) >>> 0
    high = (crcStep(crc64Tables.high, index) ^ (high >>> 8)) >>> 0
  }
  const bytes = Buffer.alloc(8)
  bytes.writeUInt32BE(~high >>> 0, 0)
  bytes.writeUInt32BE(~low >>> 0, 4)
  return bytes
}
