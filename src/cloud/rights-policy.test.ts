import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rightsPolicy } from './rights-policy.ts'

test('what is allowed alike is one statement, and conditions keep theirs apart', () => {
  const conditions = { StringEquals: { 'iam:PassedToService': 'eks.amazonaws.com' } }
  const policy = rightsPolicy([
    { actions: ['b:Two', 'a:One'], resources: ['*'], why: '' },
    { actions: ['a:One'], resources: ['*'], why: '' },
    { actions: ['a:One'], resources: ['*'], conditions, why: '' },
    { actions: ['a:One'], resources: ['arn:aws:a:::x'], why: '' },
  ])
  assert.deepEqual(policy.Statement, [
    { Effect: 'Allow', Action: ['a:One', 'b:Two'], Resource: ['*'] },
    { Effect: 'Allow', Action: ['a:One'], Resource: ['*'], Condition: conditions },
    { Effect: 'Allow', Action: ['a:One'], Resource: ['arn:aws:a:::x'] },
  ])
})
