import assert from 'node:assert/strict'
import { test } from 'node:test'
import { madeUpKind } from '../testing/made-up-kind.ts'
import { nameByArn } from './named-by-arn.ts'

test('a name that no read tells is what the ARN ends with, under the field that the kind has for it', () => {
  const arn = 'arn:aws:madeup:eu-west-1:111122223333:thing/one'
  const own = madeUpKind({ spec: { Name: 'string', ThingName: 'string' } })
  const named = madeUpKind({ spec: { Name: 'string' } })
  assert.deepEqual([nameByArn(own, { arn }), nameByArn(named, { arn })], [{ thingName: 'one' }, { name: 'one' }])
  assert.deepEqual(nameByArn(named, { arn: 'arn:aws:sns:eu-west-1:111122223333:topic' }), { name: 'topic' })
  assert.deepEqual(nameByArn(named, { arn: 'arn:aws:madeup:eu-west-1:111122223333:thing/' }), {})
  assert.deepEqual([nameByArn(named, {}), nameByArn(named, { arn: 'no ARN' })], [{}, {}])
  assert.deepEqual(nameByArn(madeUpKind({ spec: { Name: 'integer' } }), { arn }), {})
  assert.deepEqual(nameByArn(madeUpKind({}), { arn }), {})
})
