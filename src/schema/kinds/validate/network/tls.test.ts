import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { test } from 'node:test'
import { issueCertificate } from '#base'
import { schemaOf } from '../../../testing/refusals.ts'
import { secretWarnings } from './tls.ts'

const privateKeyEncoding = { type: 'pkcs8', format: 'pem' } as const
const publicKeyEncoding = { type: 'spki', format: 'pem' } as const
const ecKey = (): string => generateKeyPairSync('ec', { namedCurve: 'P-256', privateKeyEncoding, publicKeyEncoding }).privateKey
const [key, otherKey] = [ecKey(), ecKey()]
const certificate = issueCertificate({
  subject: { commonName: 'a' },
  names: { dns: ['a'] },
  key,
  usage: 'server',
  serial: Uint8Array.of(1),
  validFrom: Date.parse('2026-01-01T00:00:00Z'),
  validUntil: Date.parse('2027-01-01T00:00:00Z'),
})
const block = (type: string): string => `-----BEGIN ${type}-----\nAAAA\n-----END ${type}-----\n`
const ed25519 = generateKeyPairSync('ed25519', { privateKeyEncoding, publicKeyEncoding }).privateKey

const rows: readonly (readonly [what: string, certificate: string, key: string, warning: string | undefined])[] = [
  ['a pair that belongs together', certificate, key, undefined],
  ['a pair behind blocks of other types', block('DH PARAMETERS') + certificate, block('EC PARAMETERS') + key, undefined],
  ['the key of another', certificate, otherKey, 'tls: private key does not match public key'],
  ['a key of another type', certificate, ed25519, 'tls: private key type does not match public key type'],
  ['no certificate', '', key, 'tls: failed to find any PEM data in certificate input'],
  ['no key', certificate, '', 'tls: failed to find any PEM data in key input'],
  [
    'a certificate for a key',
    certificate,
    certificate,
    'tls: found a certificate rather than a key in the PEM for the private key',
  ],
  [
    'a key for a certificate',
    key,
    key,
    'tls: failed to find certificate PEM data in certificate input, but did find a private key; PEM inputs may have been switched',
  ],
  [
    'another block for a certificate',
    block('A'),
    key,
    'tls: failed to find "CERTIFICATE" PEM block in certificate input after skipping PEM blocks of the following types: [A]',
  ],
  [
    'two blocks for a certificate',
    block('A PRIVATE KEY') + block('B PRIVATE KEY'),
    key,
    'tls: failed to find "CERTIFICATE" PEM block in certificate input after skipping PEM blocks of the following types: [A PRIVATE KEY B PRIVATE KEY]',
  ],
  [
    'another block for a key',
    certificate,
    block('A'),
    'tls: failed to find PEM block with type ending in "PRIVATE KEY" in key input after skipping PEM blocks of the following types: [A]',
  ],
  [
    'two blocks for a key',
    certificate,
    certificate + certificate,
    'tls: failed to find PEM block with type ending in "PRIVATE KEY" in key input after skipping PEM blocks of the following types: [CERTIFICATE CERTIFICATE]',
  ],
  ['a certificate that cannot be read', block('CERTIFICATE'), key, 'x509: malformed certificate'],
  ['a key that cannot be read', certificate, block('PRIVATE KEY'), 'tls: failed to parse private key'],
]

for (const [what, crt, secret, warning] of rows)
  test(`a Secret of type kubernetes.io/tls with ${what}`, () => {
    const data = { 'tls.crt': Buffer.from(crt).toString('base64'), 'tls.key': Buffer.from(secret).toString('base64') }
    assert.deepEqual(secretWarnings({ type: 'kubernetes.io/tls', data }), warning === undefined ? [] : [warning])
    assert.deepEqual(secretWarnings({ type: 'Opaque', data }), [])
  })

test('a Secret is warned of where it is written', () => {
  const { validate } = schemaOf({ apiVersion: 'v1', kind: 'Secret' })
  const object = { apiVersion: 'v1', kind: 'Secret', metadata: { name: 's' }, type: 'kubernetes.io/tls' }
  assert.deepEqual(validate({ ...object, data: { 'tls.crt': '', 'tls.key': '' } }).warnings, [
    'tls: failed to find any PEM data in certificate input',
  ])
  assert.deepEqual(schemaOf({ apiVersion: 'v1', kind: 'ConfigMap' }).validate({ ...object, data: {} }).warnings, [])
})
