import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ChecksumAlgorithm, checksumOf } from './checksums.ts'

// The check value that catalogues of CRCs give for the text "123456789"; SHA from FIPS 180's implementations.
const known: Readonly<Record<ChecksumAlgorithm, string>> = {
  crc32: 'cbf43926',
  crc32c: 'e3069283',
  crc64nvme: 'ae8b14860a799888',
  sha1: 'f7c3bc1d808e04732adf679965ccc34ca7ae3441',
  sha256: '15e2b0d3c33891ebb0f1ef609ec419420c20e320ce94c65fbc8c3312448eb225',
}
for (const [algorithm, hex] of Object.entries(known)) {
  test(`${algorithm} of the usual nine digits is its published check value`, () => {
    assert.equal(Buffer.from(checksumOf(algorithm as ChecksumAlgorithm, Buffer.from('123456789')), 'base64').toString('hex'), hex)
  })
}
