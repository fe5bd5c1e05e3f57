import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'

const main = join(import.meta.dirname, '..', '..', 'src', 'cli', 'main.ts')

interface Line {
  readonly atMs: number
  readonly chapter: string
  readonly outcome: string
  readonly text: string
}

test('vouch dev --once proves the chain of trust and ends with 0', { timeout: 120_000 }, async () => {
  const { code, output } = await vouch(['dev', '--once', '--json'])
  assert.equal(code, 0, output)
  const lines = output
    .trim()
    .split('\n')
    .map(line => JSON.parse(line) as Line)
  const told = lines.filter(({ chapter }) => chapter.startsWith('The proof')).map(({ outcome, text }) => `${outcome}: ${text}`)
  assert.deepEqual(told.filter(text => text.startsWith('proven')).sort(), [
    "proven: edge: pod reader read s3://vouch-demo-data/hello.txt (STS, through the operator's own issuer in S3)",
    'proven: prod: pod reader read s3://vouch-demo-data/hello.txt (EKS Pod Identity)',
    "proven: stage: pod reader read s3://vouch-demo-data/hello.txt (STS, through the EKS cluster's issuer)",
  ])
  const subject =
    /trust policy: .*wants \[system:serviceaccount:demo:reader\], the request has \[system:serviceaccount:demo:stranger\]/
  assert.equal(told.filter(text => subject.test(text)).length, 2, 'edge and stage name the condition that did not hold')
  assert.equal(told.filter(text => /EKS Auth: ResourceNotFoundException: No association found/.test(text)).length, 1)
  assert.equal(told.filter(text => text.startsWith('refused')).length, 3)
  const ready = lines.filter(({ outcome, text }) => outcome === 'proven' && text.endsWith('is Ready'))
  assert.equal(ready.length, 6, 'three configs and three roles')
  // Ten seconds is the promise on a machine at rest; this one may be running everything else at the same time.
  assert.ok(Math.max(...ready.map(({ atMs }) => atMs)) < 20_000, 'everything is Ready within seconds')
})

test('vouch dev stays up until Ctrl-C, then leaves nothing behind', { timeout: 120_000 }, async () => {
  let kubeconfig = ''
  const { code, output } = await vouch(['dev'], (text, interrupt) => {
    kubeconfig = /KUBECONFIG=(\S+)/.exec(text)?.[1] ?? ''
    if (kubeconfig === '' || !text.includes('aws s3 ls')) return
    assert.ok(existsSync(kubeconfig), 'the kubeconfig is there while it runs')
    interrupt()
  })
  assert.equal(code, 0, output)
  assert.ok(!existsSync(dirname(kubeconfig)), 'its folder is gone')
})

test('an unknown command names the nearest one and how to go on', async () => {
  const { code, output } = await vouch(['apiservr'])
  assert.equal(code, 1)
  assert.match(output, /Did you mean apiserver\?/)
  assert.match(output, /vouch --help lists the commands/)
})

function vouch(
  args: readonly string[],
  onOutput: (text: string, interrupt: () => void) => void = () => {},
): Promise<{ code: number | null; output: string }> {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', main, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  let interrupted = false
  const interrupt = (): void => {
    if (!interrupted) child.kill('SIGINT')
    interrupted = true
  }
  const take = (chunk: Buffer): void => {
    output += chunk.toString()
    if (!interrupted) onOutput(output, interrupt)
  }
  child.stdout.on('data', take)
  child.stderr.on('data', take)
  return new Promise(resolve => child.on('close', code => resolve({ code, output })))
}
