import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tlsFlagsOf } from './tls-profile.ts'

test('names that every object of the language has are no ciphers and no profiles [4.6.3]', () => {
  const inherited = ['constructor', 'toString', '__proto__', 'hasOwnProperty']
  const custom = { ciphers: [...inherited, 'ECDHE-RSA-AES128-GCM-SHA256'], minTLSVersion: 'VersionTLS12' }
  assert.deepEqual(tlsFlagsOf({ type: 'Custom', custom }), {
    minVersion: 'VersionTLS12',
    cipherSuites: 'TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256',
  })
  for (const type of inherited) assert.deepEqual(tlsFlagsOf({ type }), tlsFlagsOf({ type: 'Intermediate' }))
})
