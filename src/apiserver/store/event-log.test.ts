import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EventLog, type StoreEvent } from './event-log.ts'

function event(revision: number, atMs = 0): StoreEvent {
  return { revision, type: 'ADDED', key: String(revision), version: undefined as never, previous: undefined, atMs }
}

function logOf(count: number, atMs: (revision: number) => number = () => 0): EventLog {
  const log = new EventLog()
  for (let revision = 1; revision <= count; revision++) log.append(event(revision, atMs(revision)))
  return log
}

/** The revisions that come after this one. */
function after(log: EventLog, revision: number): (number | undefined)[] {
  const first = log.after(revision)
  return Array.from({ length: log.end - first }, (_, index) => log.at(first + index)?.revision)
}

test('a reader finds the events after a revision, whichever it is', () => {
  const log = new EventLog(2)
  assert.deepEqual([log.floor, log.length, log.end], [2, 0, 0])
  for (const revision of [3, 5, 6, 9]) log.append(event(revision))
  assert.equal(log.length, 4)
  for (const [revision, wanted] of [
    [0, [3, 5, 6, 9]],
    [3, [5, 6, 9]],
    [4, [5, 6, 9]],
    [8, [9]],
    [9, []],
    [10, []],
  ] as const)
    assert.deepEqual(after(log, revision), wanted)
})

const fiveMinutesMs = 300_000

test('a hundred events stay however old they are; older ones go after five minutes', () => {
  const quiet = logOf(100)
  quiet.append(event(101, fiveMinutesMs))
  assert.deepEqual([quiet.floor, quiet.length], [0, 101], 'after exactly five minutes')
  quiet.append(event(102, fiveMinutesMs + 1))
  assert.deepEqual([quiet.floor, quiet.length], [2, 100])
  assert.deepEqual(after(quiet, 0).slice(0, 2), [3, 4])
})

test('no more than 102400 events stay however young they are', () => {
  const log = logOf(102_400)
  assert.deepEqual([log.floor, log.length], [0, 102_400])
  log.append(event(102_401))
  assert.deepEqual([log.floor, log.length], [1, 102_400])
  assert.deepEqual(after(log, 102_399), [102_400, 102_401])
})

test('what is dropped is cut off when it is most of the log', () => {
  const log = logOf(1_200, revision => (revision <= 1_100 ? 0 : fiveMinutesMs))
  assert.equal(log.end, 1_200)
  log.append(event(1_201, fiveMinutesMs + 1))
  assert.deepEqual([log.floor, log.length, log.end], [1_100, 101, 101])
  assert.deepEqual(after(log, 1_199), [1_200, 1_201])
})

test('a log that is compacted begins after the revision, and never before where it began', () => {
  const log = logOf(10)
  log.compact(4)
  assert.deepEqual([log.floor, log.length], [4, 6])
  assert.deepEqual(after(log, 0), [5, 6, 7, 8, 9, 10])
  log.compact(2)
  assert.deepEqual([log.floor, log.length], [4, 6])
})

test('a fork goes its own way, and so does what it was forked from', () => {
  const log = logOf(3)
  const fork = log.fork()
  assert.deepEqual(after(fork, 1), [2, 3])
  log.append(event(4))
  fork.append(event(5))
  const third = fork.fork()
  third.compact(2)
  assert.deepEqual(after(log, 0), [1, 2, 3, 4])
  assert.deepEqual(after(fork, 0), [1, 2, 3, 5])
  assert.deepEqual(after(third, 0), [3, 5])
  assert.deepEqual([log.floor, fork.floor, third.floor], [0, 0, 2])
})

test('a fork of a log that dropped events has the same events', () => {
  const log = logOf(150, revision => (revision <= 50 ? 0 : fiveMinutesMs + 1))
  assert.deepEqual([log.floor, log.length], [50, 100])
  const fork = log.fork()
  assert.deepEqual([fork.floor, fork.length], [50, 100])
  fork.append(event(151, fiveMinutesMs + 1))
  assert.deepEqual([fork.length, log.length], [101, 100])
  assert.equal(fork.at(fork.after(0))?.revision, 51)
})
