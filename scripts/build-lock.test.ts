import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { lock, lockBlocking, takeLock } from './build-lock.ts'

test('a lock is held by one process at a time, and leaves nothing behind', t => {
  const path = lockIn(t)
  const unlock = takeLock(path)
  assert.ok(unlock !== undefined)
  assert.equal(takeLock(path), undefined, 'somebody holds it')
  unlock()
  assert.deepEqual(readdirSync(join(path, '..')), [])
  const again = takeLock(path)
  assert.ok(again !== undefined, 'it was let go')
  again()
})

test('the lock of a process that has ended is taken over, and that of one that runs is not', t => {
  const path = lockIn(t)
  const { pid } = spawnSync(process.execPath, ['--version'])
  writeFileSync(path, String(pid))
  const unlock = takeLock(path)
  assert.ok(unlock !== undefined, 'its owner has ended')
  unlock()
  writeFileSync(path, String(process.ppid))
  assert.equal(takeLock(path), undefined, 'its owner runs')
})

test('a lock that names nobody, or is a folder as earlier versions made it, is taken over', t => {
  const path = lockIn(t)
  writeFileSync(path, '')
  takeLock(path)?.()
  assert.equal(existsSync(path), false)
  mkdirSync(path)
  writeFileSync(join(path, 'pid'), '1')
  takeLock(path)?.()
  assert.equal(existsSync(path), false)
})

test('whoever waits is told so once, and has the lock when it is let go', async t => {
  const path = lockIn(t)
  const waits: string[] = []
  const first = takeLock(path)
  const second = await lock(path, () => {
    waits.push('in turn')
    first?.()
  })
  const third = lockBlocking(path, () => {
    waits.push('blocking')
    second()
  })
  assert.deepEqual(waits, ['in turn', 'blocking'])
  third()
})

function lockIn(t: { after(clean: () => void): void }): string {
  const folder = mkdtempSync(join(tmpdir(), 'vouch-lock-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return join(folder, 'program.lock')
}
