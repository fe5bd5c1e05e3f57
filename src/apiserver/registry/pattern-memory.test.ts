// Many definitions whose patterns become large programs, each with an object of its own: what is kept of them has a bound. The server
// runs in a process with little memory, which ends when the attack succeeds.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'

test('definitions with patterns do not fill the memory, however many there are', () => {
  const program = join(import.meta.dirname, 'pattern-memory.fixture.ts')
  const done = spawnSync(process.execPath, ['--disable-warning=ExperimentalWarning', '--max-old-space-size=75', program], {
    encoding: 'utf8',
    env: { ...process.env, NODE_TEST_CONTEXT: undefined },
  })
  assert.equal(`${done.stdout}${done.stderr}`, '110 definitions, 110 objects\n')
})
