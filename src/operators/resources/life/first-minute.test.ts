// The minute after a creation is no excuse: what was taken out of a manifest goes, and what somebody deletes is made again.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { resourceWorld, trust } from '../testing/world.ts'

test('settings of a bucket that are taken out within its first minute are taken away at once [S27]', async () => {
  await using world = resourceWorld({ services: ['s3'], resourceTags: [] })
  const run = world.start()
  const cors = { corsRules: [{ allowedMethods: ['GET'], allowedOrigins: ['*'] }] }
  await world.create('Bucket', 'data', { name: 'data', cors, versioning: { status: 'Enabled' } })
  await world.settle()
  assert.equal((await world.condition('Bucket', 'data', 'Ready'))?.status, 'True')
  await world.patch('Bucket', 'data', { spec: { cors: null } })
  await world.settle()
  await assert.rejects(world.client('s3').call('GetBucketCors', { Bucket: 'data' }), /The CORS configuration does not exist/)
  assert.equal((await world.condition('Bucket', 'data', 'Ready'))?.status, 'True')
  await run.stop()
})

test('a role that somebody deletes within its first minute is made again at once', async () => {
  await using world = resourceWorld()
  const run = world.start()
  await world.create('Role', 'reader', { name: 'reader', assumeRolePolicyDocument: trust() })
  await world.settle()
  assert.equal((await world.condition('Role', 'reader', 'Ready'))?.status, 'True')
  await world.client('iam').call('DeleteRole', { RoleName: 'reader' })
  await world.patch('Role', 'reader', { metadata: { annotations: { 'services.k8s.aws/reconcile-at': 'now' } } })
  await world.settle()
  assert.ok((await world.client('iam').call('GetRole', { RoleName: 'reader' }))['Role'])
  await run.stop()
})
