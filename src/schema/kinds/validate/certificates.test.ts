import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../../json.ts'
import { refusals } from '../../testing/refusals.ts'

const framed = (der: readonly number[], type = 'CERTIFICATE REQUEST'): string =>
  Buffer.from(`-----BEGIN ${type}-----\n${Buffer.from(der).toString('base64')}\n-----END ${type}-----\n`).toString('base64')
const whole = framed([0x30, 0x02, 0x05, 0x00])

function request(spec: JsonObject): JsonObject {
  return {
    apiVersion: 'certificates.k8s.io/v1',
    kind: 'CertificateSigningRequest',
    metadata: { name: 'r' },
    spec: { request: whole, usages: ['client auth'], signerName: 'example.com/signer', ...spec },
  }
}

const label =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')"
const subdomain =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"
const segments = 'should be a domain with at least two segments separated by dots'
const signer = "must be a fully qualified domain and path of the form 'example.com/signer-name'"
const wrong = (encoded: string, why: string): string => `spec.request: Invalid value: "${encoded}": ${why}`
const long = [0x30, 0x82, 0x01, 0x00, ...Array.from({ length: 256 }, () => 0)]

const frames: readonly (readonly [what: string, encoded: string, why?: string])[] = [
  ['a structure', whole],
  ['a long structure', framed(long)],
  ['a structure of 127 bytes', framed([0x30, 0x7f, ...Array.from({ length: 127 }, () => 0)])],
  ['an empty structure', framed([0x30, 0x00])],
  ['a length of four bytes', framed([0x30, 0x84, 0, 0, 0, 0])],
  ['nothing', '', 'PEM block type must be CERTIFICATE REQUEST'],
  ['another block', framed([0x30, 0x00], 'CERTIFICATE'), 'PEM block type must be CERTIFICATE REQUEST'],
  ['an empty block', framed([]), 'asn1: syntax error: sequence truncated'],
  ['no structure', framed([0x02, 0x01, 0x00]), "asn1: structure error: tags don't match"],
  ['less than a structure', framed([0x30, 0x03, 0x05, 0x00]), 'asn1: syntax error: data truncated'],
  ['less than a long structure', framed(long.slice(0, -1)), 'asn1: syntax error: data truncated'],
  ['less than the length of a structure', framed([0x30, 0x82, 0x01]), 'asn1: syntax error: data truncated'],
  ['a length of five bytes', framed([0x30, 0x85, 0, 0, 0, 0, 0]), 'asn1: syntax error: data truncated'],
]

for (const [what, encoded, why] of frames)
  test(`a request of a certificate that holds ${what} is ${why === undefined ? 'taken' : 'refused'}`, () => {
    assert.deepEqual(refusals(request({ request: encoded })), why === undefined ? [] : [wrong(encoded, why)])
  })

const usages =
  '"any", "cert sign", "client auth", "code signing", "content commitment", "crl sign", "data encipherment", "decipher only", "digital signature", "email protection", "encipher only", "ipsec end system", "ipsec tunnel", "ipsec user", "key agreement", "key encipherment", "microsoft sgc", "netscape sgc", "ocsp signing", "s/mime", "server auth", "signing", "timestamping"'

const rows: readonly (readonly [spec: JsonObject, ...told: string[]])[] = [
  [{ expirationSeconds: 600, usages: ['client auth', 'any'] }],
  [
    { expirationSeconds: 599 },
    'spec.expirationSeconds: Invalid value: 599: may not specify a duration less than 600 seconds (10 minutes)',
  ],
  [{ usages: [] }, 'spec.usages: Required value'],
  [
    { usages: ['any', 'any', 'all'] },
    `spec.usages[2]: Unsupported value: "all": supported values: ${usages}`,
    'spec.usages[1]: Duplicate value: "any"',
  ],
  [{ signerName: '' }, 'spec.signerName: Required value'],
  [{ signerName: 'signer' }, `spec.signerName: Invalid value: "signer": ${signer}`],
  [{ signerName: 'a.b/c.d' }],
  [{ signerName: `${'a.'.repeat(126)}b/${'c.'.repeat(285)}d` }],
  [
    { signerName: `${'a.'.repeat(127)}b/${'c.'.repeat(286)}d` },
    'spec.signerName: Too long: may not be more than 253 bytes',
    'spec.signerName: Too long: may not be more than 571 bytes',
  ],
  [{ signerName: 'a/b' }, `spec.signerName: Invalid value: "a": ${segments}`],
  [
    { signerName: '-/-' },
    `spec.signerName: Invalid value: "-": validating label "-": ${label}`,
    `spec.signerName: Invalid value: "-": ${segments}`,
    `spec.signerName: Invalid value: "-": validating label "-": ${subdomain}`,
  ],
  [
    { signerName: 'A.B/C.D' },
    `spec.signerName: Invalid value: "A.B": validating label "A": ${label}`,
    `spec.signerName: Invalid value: "C.D": validating label "C": ${subdomain}`,
  ],
  [{ signerName: '../a' }, `spec.signerName: Invalid value: "..": validating label "": ${label}`],
  [
    { signerName: 'kubernetes.io/legacy-unknown' },
    'spec.signerName: Invalid value: "kubernetes.io/legacy-unknown": the legacy signerName is not allowed via this API version',
  ],
  [{ signerName: 'kubernetes.io/kubelet-serving' }],
  [{ signerName: 'a/b/c' }, `spec.signerName: Invalid value: "a/b/c": ${signer}`],
]

for (const [spec, ...told] of rows)
  test(`a request of a certificate with ${JSON.stringify(spec)} is ${told.length === 0 ? 'taken' : 'refused'}`, () => {
    assert.deepEqual(refusals(request(spec)), told)
  })

test('what was asked is not judged again', () => {
  assert.deepEqual(refusals(request({ usages: [] }), { old: request({ usages: [] }) }), [])
})
