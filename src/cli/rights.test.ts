import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rightsOf } from './rights.ts'

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
