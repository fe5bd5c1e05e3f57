import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import { HttpFailure } from '../../seams/http.ts'
import { drain } from '../../seams/manual-clock.ts'
import { receivePieces } from './receive.ts'

/** A body that is received from `source`; `done` is what the connection was told of it. */
function receiving() {
  const source = new PassThrough()
  const done: boolean[] = []
  const pieces = receivePieces({
    source,
    complete: () => source.readableEnded,
    failure: error => new HttpFailure('reset', String(error)),
    done: finished => void done.push(finished),
  })
  return { source, done, pieces }
}

const textOf = ({ value }: IteratorResult<Uint8Array>): string => (value === undefined ? 'end' : Buffer.from(value).toString())

test('pieces come as they came, and the end once', async () => {
  const { source, done, pieces } = receiving()
  const first = pieces.next()
  source.write('a')
  assert.equal(textOf(await first), 'a')
  source.write('b')
  source.end('c')
  await drain()
  const rest = [
    textOf(await pieces.next()),
    textOf(await pieces.next()),
    textOf(await pieces.next()),
    textOf(await pieces.next()),
  ]
  assert.deepEqual(rest, ['b', 'c', 'end', 'end'])
  assert.deepEqual(done, [true])
})

test('whoever turns away before he has read anything lets the connection go, and what fails afterwards ends nothing', async () => {
  const { source, done, pieces } = receiving()
  await pieces.return?.()
  assert.deepEqual([done, source.destroyed], [[false], true])
  assert.equal(textOf(await pieces.next()), 'end')
  await pieces.return?.()
  assert.deepEqual(done, [false], 'it is told once')
})

test('what went wrong before the first read is told by it, and nothing comes after', async () => {
  const { source, done, pieces } = receiving()
  source.on('error', () => {})
  source.destroy(new Error('gone'))
  await drain()
  await assert.rejects(pieces.next(), HttpFailure)
  assert.deepEqual([textOf(await pieces.next()), done], ['end', [false]])
})

test('what fails in the middle is told once all that had come was read', async () => {
  const { source, done, pieces } = receiving()
  const first = pieces.next()
  source.write('a')
  await first
  source.write('b')
  await drain()
  source.destroy(new Error('gone'))
  await drain()
  assert.equal(textOf(await pieces.next()), 'b')
  await assert.rejects(pieces.next(), HttpFailure)
  assert.deepEqual(done, [false])
})

test('whoever waits when the reader turns away is told of the end', async () => {
  const { done, pieces } = receiving()
  const waiting = pieces.next()
  await pieces.return?.()
  assert.equal(textOf(await waiting), 'end')
  assert.deepEqual(done, [false])
})
