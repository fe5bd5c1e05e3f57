import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HttpFailure } from '#base'
import { conditions } from '../../api.ts'
import { changes } from '../../testing/changes.ts'
import { account, resourceWorld, trust } from '../../testing/world.ts'

const allow = (Action: string | string[], Resource = '*'): string =>
  JSON.stringify({ Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action, Resource }] })

test('Role: an inline policy that is renamed is one put and one delete of the old name [10.4]', async () => {
  await using world = resourceWorld({ kinds: ['Role', 'Policy'] })
  world.start()
  const spec = { name: 'reader', assumeRolePolicyDocument: trust(), inlinePolicies: { old: allow('s3:GetObject') } }
  await world.create('Role', 'reader', spec)
  await world.settle()
  world.aws.calls.clear()
  await world.patch('Role', 'reader', { spec: { inlinePolicies: { old: null, new: allow('s3:GetObject') } } })
  await world.settle()
  assert.deepEqual(changes(world), ['PutRolePolicy', 'DeleteRolePolicy'])
  assert.equal(world.aws.calls.last({ operation: 'DeleteRolePolicy' })?.parameters['PolicyName'], 'old')
})

for (const operation of ['GetGroupPolicy', 'ListAttachedGroupPolicies'])
  test(`Group: a part that goes while the group is looked at is no absence of the group (${operation})`, async () => {
    await using world = resourceWorld({ kinds: ['Group', 'Policy'] })
    world.start()
    await world.create('Group', 'crew', { name: 'crew', inlinePolicies: { own: allow('s3:GetObject') } })
    await world.advance(10_000)
    world.aws.calls.clear()
    const effect = { kind: 'error', code: 'NoSuchEntity', http: 404 } as const
    world.aws.faults.add({ match: { service: 'iam', operation }, effect, times: 1 })
    await world.patch('Group', 'crew', { spec: { inlinePolicies: { own: allow('s3:PutObject') } } })
    await world.advance(120_000)
    assert.equal(world.aws.calls.count({ operation: 'CreateGroup' }), 0)
    assert.equal((await world.condition('Group', 'crew', conditions.ready))?.status, 'True')
    assert.equal(await world.condition('Group', 'crew', conditions.ownership), undefined)
  })

test('a group that one look does not find is looked for once more before it is made anew', async () => {
  await using world = resourceWorld({ kinds: ['Group', 'Policy'] })
  world.start()
  await world.create('Group', 'crew', { name: 'crew', inlinePolicies: { own: allow('s3:GetObject') } })
  await world.advance(10_000)
  const effect = { kind: 'error', code: 'NoSuchEntity', http: 404 } as const
  world.aws.faults.add({ match: { service: 'iam', operation: 'GetGroup' }, effect, times: 1 })
  world.aws.calls.clear()
  await world.patch('Group', 'crew', { spec: { inlinePolicies: { own: allow('s3:PutObject') } } })
  await world.advance(120_000)
  assert.equal(world.aws.calls.count({ operation: 'CreateGroup' }), 0)
  assert.equal((await world.condition('Group', 'crew', conditions.ready))?.status, 'True')
})

test('Role: documents that are written in another way are no difference [10.3.21, 10.4]', async () => {
  await using world = resourceWorld({ kinds: ['Role', 'Policy'] })
  world.start()
  const inlinePolicies = { own: allow(['s3:GetObject', 's3:PutObject']) }
  await world.create('Role', 'reader', { name: 'reader', assumeRolePolicyDocument: trust(), inlinePolicies })
  await world.settle()
  world.aws.calls.clear()
  const statement = { Principal: { Service: ['ec2.amazonaws.com'] }, Action: ['sts:AssumeRole'], Effect: 'Allow' }
  const document = JSON.stringify({ Statement: statement, Version: '2012-10-17' }, undefined, 2)
  const other = allow(['s3:PutObject', 's3:GetObject'])
  await world.patch('Role', 'reader', { spec: { assumeRolePolicyDocument: document, inlinePolicies: { own: other } } })
  await world.settle()
  assert.ok(world.calls().includes('GetRole'))
  assert.deepEqual(changes(world), [])
})

test('Role: whom a role trusts, its boundary and its tags have calls of their own [7.1]', async () => {
  await using world = resourceWorld({ kinds: ['Role', 'Policy'] })
  world.start()
  await world.create('Role', 'reader', { name: 'reader', assumeRolePolicyDocument: trust() })
  await world.settle()
  world.aws.calls.clear()
  const permissionsBoundary = 'arn:aws:iam::aws:policy/ReadOnlyAccess'
  const tags = [{ key: 'team', value: 'blue' }]
  await world.patch('Role', 'reader', {
    spec: { assumeRolePolicyDocument: trust('lambda.amazonaws.com'), permissionsBoundary, tags },
  })
  await world.settle()
  assert.deepEqual(changes(world), ['TagRole', 'PutRolePermissionsBoundary', 'UpdateAssumeRolePolicy'])
  world.aws.calls.clear()
  await world.patch('Role', 'reader', { spec: { permissionsBoundary: null, tags: null } })
  await world.settle()
  assert.deepEqual(changes(world), ['UntagRole', 'DeleteRolePermissionsBoundary'])
  assert.equal((await world.condition('Role', 'reader', conditions.ready))?.status, 'True')
})

test('Role: a name or path that changes is refused, since no API changes it [7.1]', async () => {
  await using world = resourceWorld({ kinds: ['Role', 'Policy'] })
  world.start()
  await world.create('Role', 'reader', { name: 'reader', assumeRolePolicyDocument: trust() })
  await world.settle()
  world.aws.calls.clear()
  await world.patch('Role', 'reader', { spec: { path: '/team/' } })
  await world.settle()
  assert.deepEqual(changes(world), [])
  const terminal = await world.condition('Role', 'reader', conditions.terminal)
  assert.deepEqual([terminal?.status, terminal?.reason], ['True', 'NotUpdatable'])
  assert.match(terminal?.message ?? '', /Spec\.Path/)
})

test('Role: under another name nothing is made, so that nothing is left behind; what goes is what was made [7.1]', async () => {
  await using world = resourceWorld({ kinds: ['Role', 'Policy', 'User'] })
  world.start()
  await world.create('Role', 'reader', { name: 'reader', assumeRolePolicyDocument: trust() })
  await world.create('User', 'ann', { name: 'ann' })
  await world.settle()
  world.aws.calls.clear()
  for (const [kind, name] of [
    ['Role', 'reader'],
    ['User', 'ann'],
  ] as const) {
    await world.patch(kind, name, { spec: { name: 'writer' } })
    await world.advance(5_000)
    const terminal = await world.condition(kind, name, conditions.terminal)
    const message = `Spec.Name: the resource was made as ${name}, and is not renamed: put that back, or make a new object`
    assert.deepEqual([terminal?.reason, terminal?.message], ['NotUpdatable', message])
  }
  assert.deepEqual(changes(world), [])
  await world.patch('User', 'ann', { spec: { name: 'ann' } })
  await world.advance(5_000)
  assert.equal((await world.condition('User', 'ann', conditions.ready))?.status, 'True')
  await world.remove('Role', 'reader')
  await world.advance(5_000)
  assert.equal(await world.get('Role', 'reader'), undefined)
  assert.equal(world.aws.calls.last({ operation: 'DeleteRole' })?.parameters['RoleName'], 'reader')
})

test('Policy: the sixth document change deletes the oldest version that is not the default first [10.4]', async () => {
  await using world = resourceWorld({ kinds: ['Policy'] })
  world.start()
  await world.create('Policy', 'read', { name: 'read', policyDocument: allow('s3:Get0') })
  await world.settle()
  assert.equal((await world.get('Policy', 'read'))?.status?.ackResourceMetadata?.arn, `arn:aws:iam::${account}:policy/read`)
  for (let change = 1; change <= 5; change++) {
    world.aws.calls.clear()
    await world.patch('Policy', 'read', { spec: { policyDocument: allow(`s3:Get${change}`) } })
    // IAM takes so many calls a second, and we keep to that.
    await world.advance(5_000)
    const expected = change < 5 ? ['CreatePolicyVersion'] : ['DeletePolicyVersion', 'CreatePolicyVersion']
    assert.deepEqual(changes(world), expected, `change ${change}`)
  }
  assert.equal(world.aws.calls.last({ operation: 'DeletePolicyVersion' })?.parameters['VersionId'], 'v1')
  assert.equal((await world.get('Policy', 'read'))?.status?.['defaultVersionID'], 'v6')
  world.aws.calls.clear()
  await world.remove('Policy', 'read')
  await world.advance(5_000)
  assert.deepEqual(changes(world), [...Array<string>(4).fill('DeletePolicyVersion'), 'DeletePolicy'])
  assert.equal(await world.get('Policy', 'read'), undefined)
})

test('Policy: a description cannot change [7.2]', async () => {
  await using world = resourceWorld({ kinds: ['Policy'] })
  world.start()
  await world.create('Policy', 'read', { name: 'read', policyDocument: allow('s3:Get'), description: 'reads' })
  await world.settle()
  assert.equal((await world.condition('Policy', 'read', conditions.ready))?.status, 'True')
  await world.patch('Policy', 'read', { spec: { description: 'reads more' } })
  await world.settle()
  assert.equal((await world.condition('Policy', 'read', conditions.terminal))?.reason, 'NotUpdatable')
})

test('OpenIDConnectProvider: thumbprints are filled in, a client id is swapped by one add and one remove, the scheme is no difference [10.4]', async () => {
  await using world = resourceWorld({ kinds: ['OpenIDConnectProvider'] })
  world.aws.registerHost('issuer.example.com', () => Promise.resolve({ status: 404, headers: {}, body: null }))
  world.start()
  await world.create('OpenIDConnectProvider', 'issuer', { url: 'https://issuer.example.com/id', clientIDs: ['one', 'two'] })
  await world.settle()
  const made = await world.get('OpenIDConnectProvider', 'issuer')
  assert.equal(made?.status?.ackResourceMetadata?.arn, `arn:aws:iam::${account}:oidc-provider/issuer.example.com/id`)
  assert.equal((await world.condition('OpenIDConnectProvider', 'issuer', conditions.ready))?.status, 'True')
  assert.equal((made?.spec?.['thumbprints'] as readonly string[] | undefined)?.length, 1)
  world.aws.calls.clear()
  await world.patch('OpenIDConnectProvider', 'issuer', { spec: { clientIDs: ['two', 'three'] } })
  await world.settle()
  assert.deepEqual(changes(world), ['AddClientIDToOpenIDConnectProvider', 'RemoveClientIDFromOpenIDConnectProvider'])
  world.aws.calls.clear()
  await world.remove('OpenIDConnectProvider', 'issuer')
  await world.settle()
  assert.deepEqual(changes(world), ['DeleteOpenIDConnectProvider'])
})

test('users, groups and instance profiles fall out of the general rules', async () => {
  await using world = resourceWorld({ kinds: ['User', 'Group', 'InstanceProfile', 'Role'] })
  world.start()
  const policies = ['arn:aws:iam::aws:policy/ReadOnlyAccess']
  await world.create('User', 'ada', { name: 'ada', policies })
  await world.create('Group', 'readers', { name: 'readers', policies })
  await world.create('Role', 'node', { name: 'node', assumeRolePolicyDocument: trust() })
  await world.create('InstanceProfile', 'node', { name: 'node', roleRef: { from: { name: 'node' } } })
  await world.advance(30_000)
  for (const [kind, name] of [
    ['User', 'ada'],
    ['Group', 'readers'],
    ['InstanceProfile', 'node'],
  ] as const) {
    assert.equal(
      (await world.condition(kind, name, conditions.ready))?.status,
      'True',
      `${kind} ${JSON.stringify((await world.get(kind, name))?.status)}`,
    )
  }
  for (const [kind, name] of [
    ['InstanceProfile', 'node'],
    ['Role', 'node'],
    ['User', 'ada'],
    ['Group', 'readers'],
  ] as const)
    await world.remove(kind, name)
  await world.settle()
  await world.advance(60_000)
  assert.equal(await world.get('InstanceProfile', 'node'), undefined)
  assert.equal(await world.get('Role', 'node'), undefined)
  assert.equal(await world.get('User', 'ada'), undefined)
})

test('ServiceLinkedRole: made, described anew, found again after a lost answer, and gone when IAM says so [7.1]', async () => {
  let lost = false
  await using world = resourceWorld({
    kinds: ['ServiceLinkedRole'],
    throughAws: exchange => async request => {
      const answer = await exchange(request)
      const text = request.body instanceof Uint8Array ? new TextDecoder().decode(request.body) : ''
      if (!text.includes('Action=CreateServiceLinkedRole') || lost) return answer
      lost = true
      throw new HttpFailure('reset', 'the answer was lost')
    },
  })
  world.start()
  await world.create('ServiceLinkedRole', 'eks', { awsServiceName: 'eks.amazonaws.com', description: 'for clusters' })
  await world.advance(120_000)
  const made = await world.get('ServiceLinkedRole', 'eks')
  assert.equal(
    (await world.condition('ServiceLinkedRole', 'eks', conditions.ready))?.status,
    'True',
    JSON.stringify(made?.status),
  )
  assert.equal(made?.status?.['roleName'], 'AWSServiceRoleForAmazonEKS')
  assert.match(
    made?.status?.ackResourceMetadata?.arn ?? '',
    /:role\/aws-service-role\/eks\.amazonaws\.com\/AWSServiceRoleForAmazonEKS$/,
  )
  assert.equal(world.aws.calls.all({ operation: 'CreateServiceLinkedRole' }).length, 1)
  world.aws.calls.clear()
  await world.patch('ServiceLinkedRole', 'eks', { spec: { description: 'for all clusters' } })
  await world.advance(10_000)
  assert.deepEqual(changes(world), ['UpdateRoleDescription'])
  await world.remove('ServiceLinkedRole', 'eks')
  await world.advance(120_000)
  assert.equal(await world.get('ServiceLinkedRole', 'eks'), undefined)
  assert.equal(world.aws.calls.count({ operation: 'DeleteServiceLinkedRole' }), 1)
})
