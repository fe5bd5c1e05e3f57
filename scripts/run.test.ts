// The set-up script, tried in a folder of its own with an npm that only pretends.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'

interface Ran {
  readonly code: number | null
  readonly output: string
}

test('the first start installs, says so, and hands over; the second one only hands over', async t => {
  const checkout = makeCheckout(t, 'mkdir -p node_modules && echo one more >> installs')
  const first = await run(checkout)
  assert.equal(first.code, 0, first.output)
  assert.match(first.output, /Installing dependencies/)
  assert.match(first.output, /ran with a b\n$/)
  const second = await run(checkout)
  assert.equal(second.output, 'ran with a b\n')
  assert.equal(readFileSync(join(checkout, 'installs'), 'utf8'), 'one more\n')
})

test('a changed lock file is installed again', async t => {
  const checkout = makeCheckout(t, 'mkdir -p node_modules && echo one more >> installs')
  await run(checkout)
  writeFileSync(join(checkout, 'package-lock.json'), '{"changed":true}')
  await run(checkout)
  assert.equal(readFileSync(join(checkout, 'installs'), 'utf8'), 'one more\none more\n')
})

test('an install that fails says what to do, ends with an error, and is tried again next time', async t => {
  const checkout = makeCheckout(t, 'exit 1')
  const failed = await run(checkout)
  assert.equal(failed.code, 1)
  assert.match(failed.output, /npm could not install the dependencies\. Check the network and run the command again\./)
  assert.doesNotMatch(failed.output, /ran with/)
  writeFileSync(join(checkout, 'bin', 'npm'), '#!/bin/sh\nmkdir -p node_modules\n')
  assert.equal((await run(checkout)).code, 0)
})

test('two starts at once install once', async t => {
  const checkout = makeCheckout(t, 'mkdir -p node_modules && echo one more >> installs')
  const both = await Promise.all([run(checkout), run(checkout)])
  assert.deepEqual(
    both.map(({ code }) => code),
    [0, 0],
  )
  assert.equal(readFileSync(join(checkout, 'installs'), 'utf8'), 'one more\n')
})

test('a lock left by a killed start is taken over', async t => {
  const checkout = makeCheckout(t, 'mkdir -p node_modules')
  mkdirSync(join(checkout, '.installing'))
  writeFileSync(join(checkout, '.installing', 'pid'), '2147483646')
  assert.equal((await run(checkout)).code, 0)
})

test('dependencies that another checkout lends are left alone', async t => {
  const lender = makeCheckout(t, 'exit 1')
  mkdirSync(join(lender, 'node_modules'))
  const checkout = makeCheckout(t, 'echo one more >> installs')
  symlinkSync(join(lender, 'node_modules'), join(checkout, 'node_modules'))
  assert.deepEqual(await run(checkout), { code: 0, output: 'ran with a b\n' })
})

test('the exit code of the program is the exit code of the start', async t => {
  const checkout = makeCheckout(t, 'mkdir -p node_modules')
  writeFileSync(join(checkout, 'main.mjs'), 'process.exit(7)')
  assert.equal((await run(checkout)).code, 7)
})

/** A checkout that holds the script, a lock file, a program that tells its arguments, and the given shell line as npm. */
function makeCheckout(t: TestContext, npm: string): string {
  const checkout = mkdtempSync(join(tmpdir(), 'vouch-run-'))
  t.after(() => rmSync(checkout, { recursive: true, force: true }))
  mkdirSync(join(checkout, 'scripts'))
  mkdirSync(join(checkout, 'bin'))
  copyFileSync(join(import.meta.dirname, 'run.mjs'), join(checkout, 'scripts', 'run.mjs'))
  writeFileSync(join(checkout, 'package-lock.json'), '{}')
  writeFileSync(join(checkout, 'main.mjs'), "console.log('ran with', process.argv.slice(2).join(' '))")
  writeFileSync(join(checkout, 'bin', 'npm'), `#!/bin/sh\n${npm}\n`)
  chmodSync(join(checkout, 'bin', 'npm'), 0o755)
  return checkout
}

function run(checkout: string): Promise<Ran> {
  const path = `${join(checkout, 'bin')}:${dirname(process.execPath)}:/usr/bin:/bin`
  const child = spawn(process.execPath, [join(checkout, 'scripts', 'run.mjs'), 'main.mjs', 'a', 'b'], {
    env: { PATH: path },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
  return new Promise(resolve => child.on('close', code => resolve({ code, output })))
}
