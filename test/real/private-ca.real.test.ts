// A private authority of the emulator as boto3 makes it, and what ACM has signed by it as openssl verifies it.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { createAws } from '#emulator'
import { type Python, pythonEnvironment } from './programs/python.ts'

const run = promisify(execFile)
const python = await pythonEnvironment()
const skip = 'missing' in python ? python.missing : false

test('boto3 makes an authority, has it sign itself, and openssl verifies what ACM gets from it', { skip }, async () => {
  const aws = createAws({ seed: 'private', signatures: 'verify' })
  const folder = await mkdtemp(join(tmpdir(), 'private-ca-'))
  try {
    const { port } = await aws.listen()
    const { accessKeyId, secretAccessKey } = aws.adminCredentials()
    const args = [join(import.meta.dirname, 'private_ca.py'), `http://127.0.0.1:${port}`, accessKeyId, secretAccessKey]
    const env = { PATH: process.env['PATH'] ?? '', HOME: folder, AWS_EC2_METADATA_DISABLED: 'true' }
    const { stdout } = await run((python as Python).program('python'), args, { env, timeout: 120_000 })
    const { certificate, chain, root, ...told } = JSON.parse(stdout) as Record<string, unknown>
    assert.deepEqual(told, {
      before: 'PENDING_CERTIFICATE',
      early: ['FAILED', 'PCA_INVALID_STATE'],
      after: ['ACTIVE', 10],
      permissions: ['IssueCertificate', 'GetCertificate', 'ListPermissions'],
      listed: [true],
      tags: [{ Key: 'team', Value: 'boto' }],
      twice: 'PermissionAlreadyExistsException',
      'active is kept': 'InvalidStateException',
      'no request': 'MalformedCSRException',
      detail: ['PRIVATE', 'Boto Root', 'SHA256WITHECDSA', true],
    })
    assert.equal(chain, root)
    await writeFile(join(folder, 'root.pem'), root as string)
    await writeFile(join(folder, 'leaf.pem'), certificate as string)
    const verify = ['verify', '-x509_strict', '-purpose', 'sslserver', '-verify_hostname', 'a.db.corp']
    const verified = await run('openssl', [...verify, '-CAfile', join(folder, 'root.pem'), join(folder, 'leaf.pem')])
    assert.match(verified.stdout, /leaf\.pem: OK/)
    const text = await run('openssl', ['x509', '-in', join(folder, 'root.pem'), '-noout', '-subject', '-nameopt', 'RFC2253'])
    assert.equal(text.stdout.trim(), 'subject=CN=Boto Root,O=Boto,C=DE')
    assert.deepEqual(aws.unimplemented(), {})
  } finally {
    await aws.close()
    await rm(folder, { recursive: true, force: true })
  }
})
