import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'

const main = join(import.meta.dirname, '..', '..', 'src', 'cli', 'main.ts')

interface Line {
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
  assert.deepEqual(
    lines.filter(({ outcome }) => outcome !== 'done' && outcome !== 'hint').map(({ outcome, text }) => `${outcome}: ${text}`),
    [
      'proven: its token was exchanged for credentials of demo-reader, valid for an hour',
      'proven: with them it read s3://demo-data-7d1f/hello.txt: "hello from the other side"',
      'refused: writing there was refused, as it should be: AccessDenied',
      'refused: pod demo/stranger, with a token just as valid, asked for the same role: AccessDenied',
    ],
  )
  const hint = lines.find(({ outcome }) => outcome === 'hint')?.text ?? ''
  assert.match(
    hint,
    /trust policy: .*wants \[system:serviceaccount:demo:reader\], the request has \[system:serviceaccount:demo:stranger\]/,
  )
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
