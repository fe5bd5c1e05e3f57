import assert from 'node:assert/strict'
import { test } from 'node:test'
import { conditions } from '../../api.ts'
import { account, resourceWorld, trust } from '../../testing/world.ts'

const readOnly = 'arn:aws:iam::aws:policy/ReadOnlyAccess'

test('a role is made in six calls, three writes and an event, and is left alone afterwards [10.3.1, 10.3.2]', async () => {
  const sent: string[] = []
  await using world = resourceWorld({
    kinds: ['Role', 'Policy'],
    resyncSeconds: 600,
    throughKube: exchange => request => {
      if (request.method !== 'GET')
        sent.push(`${request.method} ${(request.target.split('?')[0] ?? '').split('/').slice(-2).join('/')}`)
      return exchange(request)
    },
  })
  const { passes } = world.start()
  await world.settle()
  await world.create('Role', 'reader', { name: 'reader', assumeRolePolicyDocument: trust(), policies: [readOnly] })
  await world.settle()
  const role = await world.get('Role', 'reader')
  assert.equal(role?.status?.ackResourceMetadata?.arn, `arn:aws:iam::${account}:role/reader`)
  assert.equal((await world.condition('Role', 'reader', conditions.ready))?.status, 'True')
  assert.equal((await world.condition('Role', 'reader', conditions.synced))?.status, 'True')
  assert.deepEqual(role?.metadata.finalizers, ['finalizers.iam.services.k8s.aws/Role'])
  const reads = ['GetRole', 'ListAttachedRolePolicies', 'ListRolePolicies']
  assert.deepEqual(world.calls(), ['GetRole', 'CreateRole', 'AttachRolePolicy', ...reads])
  const written = passes.flatMap(({ writes }) => writes.map(({ verb, subresource }) => `${verb} ${subresource ?? ''}`.trim()))
  // Finalizer and intent; what AWS chose; the status. The event that tells of it goes beside them.
  assert.deepEqual(written, ['patch', 'patch', 'patch status'])
  assert.deepEqual(sent.toSorted(byText), [
    'PATCH reader/status',
    'PATCH roles/reader',
    'PATCH roles/reader',
    'POST default/events',
  ])
  sent.length = 0

  world.aws.calls.clear()
  await world.advance(1350000)
  assert.equal((await world.get('Role', 'reader'))?.metadata.resourceVersion, role?.metadata.resourceVersion)
  assert.deepEqual(world.calls(), [...reads, ...reads])
  assert.deepEqual(sent, [])
})

const byText = (a: string, b: string): number => (a < b ? -1 : 1)

test('one changed field is one update call with that field [10.3.3]', async () => {
  await using world = resourceWorld()
  world.start()
  await world.create('Role', 'reader', { name: 'reader', assumeRolePolicyDocument: trust() })
  await world.settle()
  world.aws.calls.clear()
  await world.patch('Role', 'reader', { spec: { policies: [readOnly] } })
  await world.settle()
  const changes = world.aws.calls.all().filter(({ operation }) => !/^(?:Get|List)/.test(operation))
  assert.deepEqual(
    changes.map(({ operation, parameters }) => [operation, parameters['PolicyArn']]),
    [['AttachRolePolicy', readOnly]],
  )
})

test('Role: what is attached goes before the role [10.4]', async () => {
  await using world = resourceWorld()
  world.start()
  const inlinePolicies = {
    own: JSON.stringify({ Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action: 's3:*', Resource: '*' }] }),
  }
  await world.create('Role', 'reader', {
    name: 'reader',
    assumeRolePolicyDocument: trust(),
    policies: [readOnly],
    inlinePolicies,
  })
  await world.settle()
  world.aws.calls.clear()
  await world.remove('Role', 'reader')
  await world.settle()
  assert.equal(await world.get('Role', 'reader'), undefined)
  const changes = world.calls().filter(operation => !/^(?:Get|List)/.test(operation))
  assert.deepEqual(changes, ['DetachRolePolicy', 'DeleteRolePolicy', 'DeleteRole'])
})
