import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CallLog } from './calls.ts'

type Record = Parameters<CallLog['add']>[0]
const record = (requestId: string, more: object = {}): Record =>
  ({
    call: { requestId, service: 'iam', operation: 'GetRole', caller: 'ann', result: 'ok', ...more },
    explanation: { requestId },
  }) as unknown as Record
const ids = (log: CallLog, filter?: object): string =>
  log
    .all(filter)
    .map(call => call.requestId)
    .join(' ')

test('calls are told in their order, by what they were', () => {
  const log = new CallLog()
  log.add(record('1'))
  log.add(record('2', { service: 's3', operation: 'GetObject' }))
  log.add(record('3', { caller: 'bob', result: 'AccessDenied' }))
  assert.equal(ids(log), '1 2 3')
  for (const [filter, expected] of [
    [{ service: 'iam' }, '1 3'],
    [{ operation: 'GetObject' }, '2'],
    [{ caller: 'bob' }, '3'],
    [{ result: 'ok' }, '1 2'],
    [{ service: 'iam', result: 'ok' }, '1'],
    [{ service: 'iam', operation: 'GetObject' }, ''],
    [{ caller: 'ann', result: 'AccessDenied' }, ''],
  ] as const)
    assert.equal(ids(log, filter), expected, JSON.stringify(filter))
  assert.deepEqual(
    [log.count(), log.count({ service: 's3' }), log.last()?.requestId, log.last({ caller: 'ann' })?.requestId],
    [3, 1, '3', '2'],
  )
  assert.deepEqual(log.explanation('2'), { requestId: '2' })
  assert.equal(log.explanation('4'), undefined)
})

test('the last ten thousand calls are remembered', () => {
  const log = new CallLog()
  for (let index = 0; index < 10_000; index++) log.add(record(`${index}`))
  assert.deepEqual([log.count(), log.all()[0]?.requestId], [10_000, '0'])
  for (const id of ['10000', '10001', '10002']) log.add(record(id))
  const all = log.all()
  assert.deepEqual([all.length, all[0]?.requestId, all.at(-4)?.requestId, all.at(-1)?.requestId], [10_000, '3', '9999', '10002'])
  assert.deepEqual(
    [log.record('2'), log.record('3')?.call.requestId, log.record('10002')?.call.requestId],
    [undefined, '3', '10002'],
  )
  log.clear()
  log.add(record('new'))
  assert.deepEqual([ids(log), log.record('10002')], ['new', undefined])
})

test('the last refusal is one of a right, unless only absent things were asked for', () => {
  const log = new CallLog()
  const last = (): string | undefined => log.lastRefused()?.call.requestId
  log.add(record('1'))
  assert.equal(last(), undefined)
  log.add(record('2', { result: 'NoSuchEntity' }))
  log.add(record('3', { result: 'ResourceNotFoundException' }))
  assert.equal(last(), '3')
  log.add(record('4', { result: 'AccessDenied' }))
  log.add(record('5', { result: 'NoSuchKey' }))
  log.add(record('6'))
  assert.equal(last(), '4')
})

test('what is not served is counted by its name', () => {
  const log = new CallLog()
  for (const pair of ['ec2:RunInstances', 's3:X', 'ec2:RunInstances']) log.noteUnimplemented(pair)
  assert.deepEqual(log.unimplemented(), { 'ec2:RunInstances': 2, 's3:X': 1 })
})
