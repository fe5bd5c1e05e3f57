import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rightsOf } from './rights.ts'

const installed = { name: 'vouch', namespace: 'vouch-system' } as const

test('what all shipped services take fits into one managed policy of AWS', async () => {
  const asked = { ...installed, of: 'aws' } as const
  const { aws } = await rightsOf(
    ['--controllers=resources', '--aws-services=acm,eks,iam,route53,s3', '--aws-region=eu-west-1'],
    asked,
  )
  const text = JSON.stringify(aws?.['resources'])
  assert.match(text, /route53:ChangeResourceRecordSets.*s3:CreateBucket/)
  assert.ok(text.length <= 6_144, `${text.length} characters`)
})

test('with an authority of its own the process may keep it and tell the webhooks of it, and without one it may not', async () => {
  const rightsWith = async (more: object): Promise<string> => {
    const asked = { ...installed, ...more, of: 'kubernetes' } as const
    return JSON.stringify(await rightsOf(['--cluster-profile-namespaces=fleet'], asked))
  }
  assert.match(await rightsWith({ ownCertificate: true }), /vouch-webhook-authority.*validatingwebhookconfigurations/)
  assert.doesNotMatch(await rightsWith({}), /vouch-webhook-authority|validatingwebhookconfigurations/)
})
