import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checksumOf } from './checksums.ts'

test('the five checksums of "123456789" are the published check values', () => {
  const check = new TextEncoder().encode('123456789')
  const hex = (text: string): string => Buffer.from(text, 'base64').toString('hex')
  assert.equal(hex(checksumOf('CRC32', check)), 'cbf43926')
  assert.equal(hex(checksumOf('CRC32C', check)), 'e3069283')
  assert.equal(hex(checksumOf('CRC64NVME', check)), 'ae8b14860a799888')
  assert.equal(hex(checksumOf('SHA1', check)), 'f7c3bc1d808e04732adf679965ccc34ca7ae3441')
  assert.equal(hex(checksumOf('SHA256', check)), '15e2b0d3c33891ebb0f1ef609ec419420c20e320ce94c65fbc8c3312448eb225')
})
