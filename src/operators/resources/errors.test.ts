// What is thrown while a claim is worked on, as trouble of the claim: what its author has to put right stops it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AwsError } from '#aws'
import { Trouble } from '#runtime'
import { troubleOf } from './errors.ts'
import type { Deviation } from './kinds/deviation.ts'
import { ValueError } from './model/convert.ts'
import { type KindMadeUp, madeUpKind } from './testing/made-up-kind.ts'

function told(error: unknown, parts: KindMadeUp = {}, deviation: Deviation = {}): string {
  const trouble = troubleOf(error, { model: madeUpKind(parts), deviation }, 'd')
  return trouble instanceof Trouble ? trouble.kind : 'left alone'
}

const busy = new AwsError({ service: 'madeup', operation: 'CreateThing', code: 'ThingBusy', message: 'busy', httpStatus: 400 })

test('a value that no call can carry stops the claim', () => {
  assert.equal(told(new ValueError('size', 'is too large')), 'stop')
})

test('a code that a config calls terminal stops the claim, unless code of the kind lets it pass', () => {
  const terminal: KindMadeUp = { settings: { terminalCodes: ['Other', 'ThingBusy'] } }
  const otherwise = told(busy)
  assert.notEqual(otherwise, 'stop')
  assert.equal(told(busy, terminal), 'stop')
  assert.equal(told(busy, { settings: { terminalCodes: ['Other'] } }), otherwise)
  assert.equal(told(busy, terminal, { passes: ({ code }) => code === 'ThingBusy' }), otherwise)
  assert.equal(told(busy, terminal, { passes: () => false }), 'stop')
})
