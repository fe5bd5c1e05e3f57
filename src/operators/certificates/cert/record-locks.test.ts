// One removal of a record at a time.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { RecordLocks } from './record-locks.ts'

const forever = new AbortController().signal

test('two removals of one record follow each other, and those of others do not wait', async () => {
  const locks = new RecordLocks()
  const done: string[] = []
  let end = (): void => {}
  const first = locks.hold('a', forever, () => new Promise<void>(resolve => (end = () => resolve(void done.push('first')))))
  const second = locks.hold('a', forever, async () => void done.push('second'))
  await locks.hold('b', forever, async () => void done.push('other'))
  assert.deepEqual(done, ['other'])
  end()
  assert.deepEqual(await Promise.all([first, second]), [undefined, undefined])
  assert.deepEqual(done, ['other', 'first', 'second'])
})

test('what fails holds nobody up, and who is told to stop while he waits does nothing', async () => {
  const locks = new RecordLocks()
  const failing = locks.hold('a', forever, () => Promise.reject(new Error('refused')))
  const next = locks.hold('a', forever, () => Promise.resolve('done'))
  await assert.rejects(failing, /refused/)
  assert.equal(await next, 'done')
  await assert.rejects(
    locks.hold('a', AbortSignal.abort(new Error('stopped')), () => assert.fail('it was carried out')),
    /stopped/,
  )
})

test('a third one waits for the second one, though the first one is through', async () => {
  const locks = new RecordLocks()
  const done: string[] = []
  let end = (): void => {}
  const first = locks.hold('a', forever, async () => void done.push('first'))
  const second = locks.hold('a', forever, () => new Promise<void>(resolve => (end = () => resolve(void done.push('second')))))
  await first
  await Promise.resolve()
  const third = locks.hold('a', forever, async () => void done.push('third'))
  await new Promise(setImmediate)
  assert.deepEqual(done, ['first'])
  end()
  await Promise.all([second, third])
  assert.deepEqual(done, ['first', 'second', 'third'])
})
