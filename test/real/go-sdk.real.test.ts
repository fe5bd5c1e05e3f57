// The AWS SDK for Go, unmodified and told nothing but an address, against the emulator with signatures verified.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { promisify } from 'node:util'
import { createAws } from '#emulator'
import { goProgram } from './programs/go-program.ts'

const run = promisify(execFile)
const program = goProgram('go-aws', 'aws-sdk-go')
const folder = mkdtempSync(join(tmpdir(), 'vouch-go-sdk-'))
after(() => rmSync(folder, { recursive: true, force: true }))

describe('the AWS SDK for Go', { skip: 'skipped' in program ? program.skipped : false }, () => {
  for (const tls of [false, true]) {
    test(`it calls every service and does all it wants over ${tls ? 'https' : 'http'} [#2]`, async () => {
      const aws = createAws({ signatures: 'verify' })
      try {
        const { port } = await aws.listen({ tls })
        const ca = join(folder, 'ca.pem')
        writeFileSync(ca, aws.ca)
        const { accessKeyId, secretAccessKey } = aws.adminCredentials()
        const { stdout } = await run((program as { path: string }).path, [], {
          timeout: 60_000,
          env: {
            PATH: process.env['PATH'] ?? '',
            HOME: folder,
            AWS_ENDPOINT_URL: `${tls ? 'https' : 'http'}://127.0.0.1:${port}`,
            AWS_ACCESS_KEY_ID: accessKeyId,
            AWS_SECRET_ACCESS_KEY: secretAccessKey,
            AWS_REGION: 'us-east-1',
            AWS_EC2_METADATA_DISABLED: 'true',
            ...(tls && { AWS_CA_BUNDLE: ca }),
          },
        })
        assert.match(stdout, /all done\n$/)
        assert.deepEqual(aws.unimplemented(), {})
        const services = new Set(aws.calls.all().map(call => call.service))
        assert.deepEqual([...services].sort(), [
          'acm',
          'eks',
          'iam',
          'organizations',
          'route53',
          's3',
          'servicequotas',
          'sts',
          'tagging',
        ])
      } finally {
        await aws.close()
      }
    })
  }
})
