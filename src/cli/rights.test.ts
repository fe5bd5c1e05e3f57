import assert from 'node:assert/strict'
import { test } from 'node:test'
import { policyOf, rightsOf } from './rights.ts'

test('what all shipped services take fits into one managed policy of AWS', async () => {
  const asked = { of: 'aws', name: 'vouch', namespace: 'vouch-system' } as const
  const { aws } = await rightsOf(
    ['--controllers=resources', '--aws-services=acm,eks,iam,route53,s3', '--aws-region=eu-west-1'],
    asked,
  )
  const text = JSON.stringify(aws?.['resources'])
  assert.match(text, /route53:ChangeResourceRecordSets.*s3:CreateBucket/)
  assert.ok(text.length <= 6_144, `${text.length} characters`)
})

test('what is allowed alike is one statement, and conditions keep theirs apart', () => {
  const conditions = { StringEquals: { 'iam:PassedToService': 'eks.amazonaws.com' } }
  const policy = policyOf([
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
