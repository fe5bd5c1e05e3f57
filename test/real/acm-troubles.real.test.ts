// Certificates that do not come, as boto3 and its waiters are told of them by the emulator: a CAA record, three days without a proof, and calls that are
// one too many. The clock stands still but where the script has it moved.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { isRecord, ManualClock } from '#base'
import { createAws } from '#emulator'
import { type Python, pythonEnvironment } from './programs/python.ts'

const python = await pythonEnvironment()
const skip = 'missing' in python ? python.missing : false

/** What the script prints last. */
async function played(args: readonly string[], clock: ManualClock): Promise<unknown> {
  const env = { PATH: process.env['PATH'] ?? '', AWS_EC2_METADATA_DISABLED: 'true' }
  const child = spawn((python as Python).program('python'), [join(import.meta.dirname, 'acm_troubles.py'), ...args], {
    env,
    stdio: ['pipe', 'pipe', 'inherit'],
    timeout: 240_000,
  })
  let told: unknown
  for await (const line of createInterface({ input: child.stdout })) {
    told = JSON.parse(line)
    if (!isRecord(told) || typeof told['advance'] !== 'number') continue
    await clock.advance(told['advance'] * 1_000)
    child.stdin.write('\n')
  }
  return told
}

test('boto3 is told of a CAA record, of three days without a proof, and of calls that are one too many', {
  skip,
}, async () => {
  const clock = new ManualClock()
  const aws = createAws({ seed: 'troubles', clock, signatures: 'parse', region: 'us-east-1', knobs: { throttling: 'published' } })
  try {
    const { port } = await aws.listen()
    const { accessKeyId, secretAccessKey } = aws.adminCredentials()
    const told = await played([`http://127.0.0.1:${port}`, accessKeyId, secretAccessKey], clock)
    const throttled = ['ThrottlingException', 400]
    assert.deepEqual(told, {
      'another authority alone': ['FAILED', 'CAA_ERROR'],
      'and the waiter':
        'Waiter CertificateValidated failed: Waiter encountered a terminal failure state: For expression "Certificate.Status" we matched expected path: "FAILED"',
      'Amazon too': 'ISSUED',
      'and its waiter': 'issued',
      'just before three days': 'PENDING_VALIDATION',
      'after three days': ['VALIDATION_TIMED_OUT', 'FAILED', false],
      'lists at once': ['ok', throttled],
      'a second later': ['ok'],
      'looks at zones at once': ['ok', 'ok', 'ok', 'ok', 'ok', ['Throttling', 400]],
    })
    assert.deepEqual(aws.unimplemented(), {})
  } finally {
    await aws.close()
  }
})
