import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { systemKeys } from '../system/keys.ts'
import { DerError } from './der-read.ts'
import { parseIpAddress } from './ip-address.ts'
import { type CertificateRequest, issueCertificate } from './issue.ts'
import { parseCertificate } from './parse.ts'

const validFrom = Date.UTC(2026, 0, 1)
const validUntil = Date.UTC(2056, 0, 1)
let caKey = ''
let leafKey = ''
let rsaKey = ''

before(async () => {
  caKey = await systemKeys.generateEc()
  leafKey = await systemKeys.generateEc()
  rsaKey = await systemKeys.generateRsa(2048)
})

function certify(request: Partial<CertificateRequest>): string {
  return issueCertificate({
    subject: { commonName: 'test' },
    key: leafKey,
    usage: 'server',
    validFrom,
    validUntil,
    serial: Uint8Array.of(0xff, 2, 3),
    ...request,
  })
}

function authority(key = caKey): string {
  return certify({ subject: { commonName: 'test ca', organizations: ['vouch'] }, key, usage: 'ca' })
}

test('a client certificate carries user and groups, its times, and its issuer`s signature', () => {
  const ca = authority()
  const pem = certify({
    subject: { commonName: 'jané', organizations: ['system:masters', 'developers'] },
    usage: 'client',
    issuer: { certificate: ca, key: caKey },
  })
  const certificate = new X509Certificate(pem)
  assert.ok(certificate.verify(new X509Certificate(ca).publicKey))
  assert.ok(certificate.checkIssued(new X509Certificate(ca)))
  assert.ok(certificate.checkPrivateKey(createPrivateKey(leafKey)))
  assert.equal(certificate.ca, false)
  assert.equal(certificate.validFromDate.getTime(), validFrom)
  assert.equal(certificate.validToDate.getTime(), validUntil)
  assert.equal(certificate.serialNumber, '7F0203')
  assert.deepEqual(certificate.keyUsage, ['1.3.6.1.5.5.7.3.2'])
  const { subject, ...read } = parseCertificate(pem)
  assert.deepEqual(subject, { commonName: 'jané', organizations: ['system:masters', 'developers'] })
  assert.deepEqual([read.validFrom, read.validUntil], [validFrom, validUntil])
  assert.deepEqual(Buffer.from(read.der), certificate.raw)
})

test('a server certificate names hosts, addresses and URIs', () => {
  const names = { dns: ['localhost', '*.example.com'], ips: ['127.0.0.1', '2001:db8::7'], uris: ['spiffe://x/y'] }
  const certificate = new X509Certificate(certify({ names }))
  assert.equal(
    certificate.subjectAltName,
    'DNS:localhost, DNS:*.example.com, URI:spiffe://x/y, IP Address:127.0.0.1, IP Address:2001:DB8:0:0:0:0:0:7',
  )
  assert.equal(certificate.checkIP('127.0.0.1'), '127.0.0.1')
  assert.equal(certificate.checkHost('a.example.com'), '*.example.com')
})

test('a name that no certificate can hold is refused', () => {
  assert.throws(() => certify({ names: { ips: ['300.1.1.1'] } }), /"300\.1\.1\.1" is no IP address/)
  assert.throws(() => certify({ names: { dns: ['bücher.example'] } }), /cannot hold the DNS name/)
})

test('IP addresses become their bytes, and anything else nothing', () => {
  const hex = (text: string) => parseIpAddress(text) && Buffer.from(parseIpAddress(text) as Uint8Array).toString('hex')
  assert.equal(hex('10.0.255.1'), '0a00ff01')
  assert.equal(hex('::'), '0'.repeat(32))
  assert.equal(hex('::ffff:10.0.0.1'), '00000000000000000000ffff0a000001')
  assert.equal(hex('fe80::1:2'), 'fe800000000000000000000000010002')
  for (const wrong of [
    '',
    '1.2.3',
    '01.2.3.4',
    '1.2.3.256',
    ':::',
    '1::2::3',
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8:9',
    'g::',
    '::1.2.3',
  ]) {
    assert.equal(parseIpAddress(wrong), undefined, wrong)
  }
})

test('parsing strangers` bytes ends in a value or a DerError', () => {
  const der = parseCertificate(authority()).der
  for (let cut = 0; cut < der.length; cut++) {
    assert.throws(() => parseCertificate(der.subarray(0, cut)), DerError)
    const bent = Uint8Array.from(der)
    bent[cut] = 0xff
    try {
      parseCertificate(bent)
    } catch (error) {
      assert.ok(error instanceof DerError, String(error))
    }
  }
  assert.throws(() => parseCertificate('no PEM'), /no CERTIFICATE block/)
})

const openssl = spawnSync('openssl', ['version']).status === 0
test('openssl accepts chains of EC and RSA, strictly', { skip: openssl ? false : 'openssl not here' }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'x509-'))
  try {
    for (const issuerKey of [caKey, rsaKey]) {
      for (const [usage, purpose] of [
        ['server', 'sslserver'],
        ['client', 'sslclient'],
      ] as const) {
        for (const key of [leafKey, rsaKey]) {
          const ca = authority(issuerKey)
          const leaf = certify({ key, usage, issuer: { certificate: ca, key: issuerKey }, names: { dns: ['localhost'] } })
          writeFileSync(join(folder, 'ca.pem'), ca)
          writeFileSync(join(folder, 'leaf.pem'), leaf)
          const args = ['verify', '-x509_strict', '-purpose', purpose, '-CAfile', 'ca.pem', 'leaf.pem']
          const verified = spawnSync('openssl', args, { cwd: folder, encoding: 'utf8' })
          assert.equal(verified.stdout, 'leaf.pem: OK\n', verified.stderr)
        }
      }
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
})
