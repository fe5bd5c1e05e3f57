// What is on record of what was sent, and of what stays in AWS although nobody asks for it any more.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { conditions, type Resource } from '../api.ts'
import { isSaidToStay, isSentOnRecord, nothingSent, sentCondition, sentOf, staysSaid } from './sent.ts'

const claim = (...said: readonly object[]): Resource => ({ status: { conditions: said } }) as unknown as Resource
const sent = (message: string, status = 'True'): Resource => claim({ type: conditions.sent, status, reason: 'Sent', message })

test('the record is read as it was written, and only while it holds', () => {
  assert.deepEqual(sentOf(sent('{"Password":"p","Count":7}')), { Password: 'p' })
  assert.deepEqual(sentOf(sent('{"Password":"p"}', 'False')), {})
  assert.deepEqual([sentOf(sent('no JSON')), sentOf(claim()), sentOf({} as Resource)], [{}, {}, {}])
  assert.deepEqual([sent('{}'), sent('{}', 'False'), claim()].map(isSentOnRecord), [true, false, false])
})

test('the record is written where it does not stand there already', () => {
  const record = { type: conditions.sent, status: 'True', reason: 'Sent', message: '{"Password":"p"}' }
  assert.deepEqual(sentCondition(claim(), { Password: 'p' }), record)
  assert.deepEqual(sentCondition(claim(record), { Password: 'q' }), { ...record, message: '{"Password":"q"}' })
  assert.deepEqual(sentCondition(claim({ ...record, status: 'False' }), { Password: 'p' }), record)
  assert.equal(sentCondition(claim(record), { Password: 'p' }), undefined)
})

test('of a resource that is taken over nothing was sent', () => {
  assert.deepEqual(nothingSent(sent('{}')), [{ type: conditions.sent, status: 'False', reason: 'NothingSent', message: '' }])
  assert.deepEqual(nothingSent(claim()), [])
})

test('what stays is told, and known again', () => {
  const [said] = staysSaid(['Spec.A'])
  assert.equal(said?.message, 'the manifest does not speak of Spec.A any more, and nothing here takes it out of AWS')
  assert.deepEqual(
    [isSaidToStay(claim(said ?? {}), 'Spec.A'), isSaidToStay(claim(said ?? {}), 'Spec.B'), isSaidToStay(claim(), 'Spec.A')],
    [true, false, false],
  )
})
