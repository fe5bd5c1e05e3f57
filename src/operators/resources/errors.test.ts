// Which refusals stop a claim, and what else is thrown while it is worked on.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AwsError } from '#aws'
import { Trouble } from '#runtime'
import { troubleOf } from './errors.ts'
import type { Deviation } from './kinds/deviation.ts'
import { ValueError } from './model/convert.ts'
import { madeUpKind } from './testing/made-up-kind.ts'

const refusal = new AwsError({ service: 'madeup', operation: 'CreateThing', code: 'OddFailure', message: 'odd', httpStatus: 400 })
const passing: Deviation = { passes: ({ code }) => code === 'OddFailure' }
const strict: Deviation = { passes: () => false }

for (const [what, terminalCodes, deviation, kind] of [
  ['of a kind that calls nothing final', undefined, {}, 'backoff'],
  ['that the kind calls final', ['OddFailure'], {}, 'stop'],
  ['beside those that the kind calls final', ['OtherFailure'], {}, 'backoff'],
  ['that the kind calls final and its code lets pass', ['OddFailure'], passing, 'backoff'],
  ['that the kind calls final and its code does not let pass', ['OddFailure'], strict, 'stop'],
] as const)
  test(`a refusal ${what} ${kind === 'stop' ? 'waits for a person' : 'is tried again'}`, () => {
    const model = madeUpKind({ settings: terminalCodes === undefined ? {} : { terminalCodes } })
    const trouble = troubleOf(refusal, { model, deviation }, 'aws madeup')
    assert.ok(trouble instanceof Trouble)
    assert.deepEqual([trouble.kind, trouble.dependency], [kind, 'aws madeup'])
  })

test('a value that AWS cannot take is the fault of the manifest, and what is no trouble of a call is left alone', () => {
  const model = madeUpKind({})
  const wrong = troubleOf(new ValueError('size', 'does not fit'), { model, deviation: {} }, 'd') as Trouble
  assert.deepEqual(
    [wrong.kind, wrong.reason, wrong.message, wrong.dependency],
    ['stop', 'InvalidManifest', 'size: does not fit', 'd'],
  )
  const own = new Trouble({ kind: 'wait', reason: 'InUse', message: 'x' })
  assert.equal(troubleOf(own, { model, deviation: {} }, 'd'), own)
})
