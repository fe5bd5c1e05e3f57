import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { systemKeys } from '../system/keys.ts'
import { DerError } from './der-read.ts'
import { distinguishedName, issueCertificate } from './issue.ts'
import { parsePem, renderPem } from './pem.ts'
import { readSigningRequest, requestCertificate } from './request.ts'

const subject = distinguishedName([
  ['2.5.4.6', 'DE'],
  ['2.5.4.10', 'Acme & Söhne'],
  ['2.5.4.11', 'Platform'],
  ['2.5.4.3', 'db.corp'],
])
const name = 'C=DE\nO=Acme & Söhne\nOU=Platform\nCN=db.corp'

test('what is asked is read again: name, key and names; and a certificate can be made of it', async () => {
  for (const key of [await systemKeys.generateEc(), await systemKeys.generateRsa(2048)]) {
    const asked = readSigningRequest(requestCertificate({ subject, key, names: { dns: ['db.corp'], ips: ['10.0.0.1'] } }))
    const times = { validFrom: Date.UTC(2026, 0, 1), validUntil: Date.UTC(2027, 0, 1) }
    const ca = issueCertificate({
      subject: { commonName: 'ca' },
      key,
      usage: 'ca',
      pathLength: 0,
      serial: Uint8Array.of(1),
      ...times,
    })
    const issuer = { certificate: ca, key }
    const pem = issueCertificate({
      ...asked,
      names: asked.names ?? {},
      usage: 'server',
      digest: 'sha384',
      serial: Uint8Array.of(2),
      issuer,
      ...times,
    })
    const made = new X509Certificate(pem)
    assert.deepEqual([made.subject, made.subjectAltName], [name, 'DNS:db.corp, IP Address:10.0.0.1'])
    assert.ok(made.verify(new X509Certificate(ca).publicKey))
    const text = spawnSync('openssl', ['x509', '-noout', '-text'], { input: ca, encoding: 'utf8' }).stdout
    assert.match(text, /CA:TRUE, pathlen:0/)
  }
})

test('openssl takes what we ask, and we what it asks', async () => {
  const key = await systemKeys.generateEc()
  const ours = requestCertificate({ subject, key })
  const read = spawnSync('openssl', ['req', '-verify', '-noout'], { input: ours, encoding: 'utf8' })
  assert.match(read.stderr + read.stdout, /verify OK/)
  const folder = mkdtempSync(join(tmpdir(), 'request-'))
  const file = join(folder, 'key.pem')
  writeFileSync(file, key)
  const args = ['req', '-new', '-key', file, '-subj', '/C=DE/CN=theirs', '-addext', 'subjectAltName=DNS:theirs.corp,email:a@b.c']
  const theirs = spawnSync('openssl', args, { encoding: 'utf8' }).stdout
  rmSync(folder, { recursive: true })
  const { names, subject: asked } = readSigningRequest(theirs)
  assert.ok(names !== undefined && Buffer.from(names).includes('theirs.corp') && Buffer.from(names).includes('a@b.c'))
  assert.deepEqual(Buffer.from(asked).includes('theirs'), true)
})

test('a request that was changed, or is none, is refused', async () => {
  const pem = requestCertificate({ subject, key: await systemKeys.generateEc() })
  const bytes = Uint8Array.from(parsePem(pem)[0]?.bytes ?? [])
  const at = Buffer.from(bytes).indexOf('db.corp')
  bytes[at] = 'x'.charCodeAt(0)
  assert.throws(() => readSigningRequest(renderPem('CERTIFICATE REQUEST', bytes)), /signature of the request does not hold/)
  for (const wrong of ['', 'nonsense', pem.replace(/\n[^\n]{20}/, '\n'), pem.replaceAll('CERTIFICATE REQUEST', 'CERTIFICATE')])
    assert.throws(() => readSigningRequest(wrong), DerError)
})
