// A field that nothing can change makes its object Terminal. The resource is there all the same: its tags change, and others refer to it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { conditions } from '../api.ts'
import { resourceWorld, trust } from '../testing/world.ts'

const policyDocument = JSON.stringify({
  Version: '2012-10-17',
  Statement: [{ Effect: 'Allow', Action: 's3:GetObject', Resource: '*' }],
})

test('a Terminal of one field holds back neither the tags nor the objects that refer to the resource', async () => {
  await using world = resourceWorld({ kinds: ['Role', 'Policy'] })
  world.start()
  await world.create('Policy', 'read', { name: 'read', policyDocument, description: 'one' })
  await world.settle()
  await world.patch('Policy', 'read', { spec: { description: 'two', tags: [{ key: 'team', value: 'blue' }] } })
  await world.settle()
  await world.advance(10_000)
  const terminal = await world.condition('Policy', 'read', conditions.terminal)
  assert.deepEqual([terminal?.status, terminal?.reason], ['True', 'NotUpdatable'])
  const client = world.client('iam')
  const PolicyArn = 'arn:aws:iam::111122223333:policy/read'
  const { Tags } = (await client.call('ListPolicyTags', { PolicyArn })) as { readonly Tags: readonly { readonly Key: string }[] }
  assert.ok(Tags.some(({ Key }) => Key === 'team'))
  const policyRefs = [{ from: { name: 'read' } }]
  await world.create('Role', 'reader', { name: 'reader', assumeRolePolicyDocument: trust(), policyRefs })
  await world.settle()
  await world.advance(10_000)
  const ready = await world.condition('Role', 'reader', conditions.ready)
  assert.equal(ready?.status, 'True', ready?.message)
  assert.equal(world.aws.calls.last({ operation: 'AttachRolePolicy' })?.parameters['PolicyArn'], PolicyArn)
})

test('a value that AWS refuses in an update holds back who refers to the resource no more than it holds back the resource', async () => {
  await using world = resourceWorld({ kinds: ['Role', 'Policy'] })
  world.start()
  await world.create('Policy', 'read', { name: 'read', policyDocument })
  await world.advance(10_000)
  await world.patch('Policy', 'read', { spec: { policyDocument: '{"Version":"2012-10-17","Statement":[{"Effect":"Maybe"}]}' } })
  await world.advance(10_000)
  const terminal = await world.condition('Policy', 'read', conditions.terminal)
  assert.deepEqual([terminal?.status, terminal?.reason], ['True', 'InvalidManifest'])
  await world.create('Role', 'reader', {
    name: 'reader',
    assumeRolePolicyDocument: trust(),
    policyRefs: [{ from: { name: 'read' } }],
  })
  await world.advance(10_000)
  const ready = await world.condition('Role', 'reader', conditions.ready)
  assert.equal(ready?.status, 'True', ready?.message)
  assert.equal(
    world.aws.calls.last({ operation: 'AttachRolePolicy' })?.parameters['PolicyArn'],
    'arn:aws:iam::111122223333:policy/read',
  )
  assert.ok(world.calls().includes('CreatePolicyVersion'))
})

test('a Terminal of an object that has nothing holds back who refers to it', async () => {
  await using world = resourceWorld({ kinds: ['Role', 'Policy'] })
  await world.client('iam').call('CreatePolicy', { PolicyName: 'read', PolicyDocument: policyDocument })
  world.start()
  await world.create('Policy', 'read', { name: 'read', policyDocument })
  await world.create('Role', 'reader', {
    name: 'reader',
    assumeRolePolicyDocument: trust(),
    policyRefs: [{ from: { name: 'read' } }],
  })
  await world.settle()
  await world.advance(10_000)
  assert.equal((await world.condition('Policy', 'read', conditions.terminal))?.reason, 'ResourceExists')
  assert.equal((await world.condition('Role', 'reader', conditions.terminal))?.reason, 'ReferenceUnresolved')
})
