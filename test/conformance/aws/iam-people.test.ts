// Users, groups and access keys of IAM: what follows a new name, what holds a deletion up, and how lists are cut.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CreateAccessKeyCommand, CreateUserCommand, GetAccessKeyLastUsedCommand, GetUserCommand } from '@aws-sdk/client-iam'
import { ListBucketsCommand } from '@aws-sdk/client-s3'
import { type Asked, asked, at, each, pages } from './asked.ts'
import { clients, refusal } from './clients.ts'

const allow = JSON.stringify({
  Version: '2012-10-17',
  Statement: [{ Effect: 'Allow', Action: 's3:GetObject', Resource: '*' }],
})
const taken = (message: string): readonly unknown[] => ['EntityAlreadyExistsException', 409, message]
const absent = (message: string): readonly unknown[] => ['NoSuchEntityException', 404, message]
const conflict = (message: string): readonly unknown[] => ['DeleteConflictException', 409, message]
const tooMany = (message: string): readonly unknown[] => ['LimitExceededException', 409, message]

async function people(...names: readonly string[]): Promise<Asked> {
  const world = asked()
  for (const UserName of names) await world.iam('CreateUser', { UserName })
  return world
}

test('a user of a new name keeps keys and groups, and those of others stay theirs', async () => {
  const { iam } = await people('ann', 'bob')
  await iam('CreateGroup', { GroupName: 'devs' })
  for (const UserName of ['ann', 'bob']) {
    await iam('AddUserToGroup', { GroupName: 'devs', UserName })
    await iam('CreateAccessKey', { UserName })
  }
  await iam('UpdateUser', { UserName: 'ann', NewUserName: 'carol', NewPath: '/x/' })
  assert.deepEqual(await iam('GetUser', { UserName: 'ann' }), absent('The user with name ann cannot be found.'))
  assert.equal(at(await iam('GetUser', { UserName: 'carol' }), 'User', 'Arn'), 'arn:aws:iam::123456789012:user/x/carol')
  for (const UserName of ['carol', 'bob'])
    assert.deepEqual(each(await iam('ListAccessKeys', { UserName }), 'AccessKeyMetadata', 'UserName'), [UserName])
  assert.deepEqual(each(await iam('ListGroupsForUser', { UserName: 'carol' }), 'Groups', 'GroupName'), ['devs'])
  assert.deepEqual(each(await iam('GetGroup', { GroupName: 'devs' }), 'Users', 'UserName'), ['bob', 'carol'])
  await iam('CreateUser', { UserName: 'ann' })
})

test('a user can be written in another case, and not as somebody else', async () => {
  const { iam } = await people('ann', 'bob')
  await iam('CreateAccessKey', { UserName: 'ann' })
  assert.deepEqual(await iam('UpdateUser', { UserName: 'ann', NewUserName: 'Bob' }), taken('User with name Bob already exists.'))
  await iam('UpdateUser', { UserName: 'ann', NewUserName: 'Ann' })
  assert.equal(at(await iam('GetUser', { UserName: 'ann' }), 'User', 'UserName'), 'Ann')
  assert.equal(each(await iam('ListAccessKeys', { UserName: 'ann' }), 'AccessKeyMetadata', 'UserName').length, 1)
  await iam('UpdateUser', { UserName: 'ann', NewPath: '/y/' })
  assert.equal(at(await iam('GetUser', { UserName: 'ann' }), 'User', 'Arn'), 'arn:aws:iam::123456789012:user/y/Ann')
})

test('members follow their group to its new name', async () => {
  const { iam } = await people('ann', 'bob')
  for (const GroupName of ['devs', 'ops']) await iam('CreateGroup', { GroupName })
  for (const GroupName of ['devs', 'ops']) await iam('AddUserToGroup', { GroupName, UserName: 'ann' })
  await iam('AddUserToGroup', { GroupName: 'ops', UserName: 'bob' })
  assert.deepEqual(
    await iam('UpdateGroup', { GroupName: 'devs', NewGroupName: 'Ops' }),
    taken('Group with name Ops already exists.'),
  )
  await iam('UpdateGroup', { GroupName: 'devs', NewGroupName: 'makers', NewPath: '/x/' })
  assert.deepEqual(await iam('GetGroup', { GroupName: 'devs' }), absent('The group with name devs cannot be found.'))
  assert.equal(at(await iam('GetGroup', { GroupName: 'makers' }), 'Group', 'Arn'), 'arn:aws:iam::123456789012:group/x/makers')
  assert.deepEqual(each(await iam('ListGroupsForUser', { UserName: 'ann' }), 'Groups', 'GroupName'), ['makers', 'ops'])
  assert.deepEqual(each(await iam('ListGroupsForUser', { UserName: 'bob' }), 'Groups', 'GroupName'), ['ops'])
  await iam('UpdateGroup', { GroupName: 'makers', NewGroupName: 'Makers' })
  assert.deepEqual(each(await iam('GetGroup', { GroupName: 'makers' }), 'Users', 'UserName'), ['ann'])
  assert.equal(at(await iam('GetGroup', { GroupName: 'makers' }), 'Group', 'GroupName'), 'Makers')
})

test('a member of a group is in it once, and out of it once', async () => {
  const { iam } = await people('ann')
  for (const GroupName of ['devs', 'ops']) await iam('CreateGroup', { GroupName })
  for (const GroupName of ['devs', 'ops', 'devs']) await iam('AddUserToGroup', { GroupName, UserName: 'ann' })
  assert.deepEqual(each(await iam('ListGroupsForUser', { UserName: 'ann' }), 'Groups', 'GroupName'), ['ops', 'devs'])
  for (const _ of [1, 2]) await iam('RemoveUserFromGroup', { GroupName: 'devs', UserName: 'ann' })
  assert.deepEqual(each(await iam('ListGroupsForUser', { UserName: 'ann' }), 'Groups', 'GroupName'), ['ops'])
  assert.deepEqual(
    await iam('AddUserToGroup', { GroupName: 'devs', UserName: 'nobody' }),
    absent('The user with name nobody cannot be found.'),
  )
  assert.deepEqual(
    await iam('AddUserToGroup', { GroupName: 'none', UserName: 'ann' }),
    absent('The group with name none cannot be found.'),
  )
})

test('a user goes only without policies, keys and groups', async () => {
  const { iam } = await people('ann', 'bob')
  const ann = { UserName: 'ann' }
  const PolicyArn = at(await iam('CreatePolicy', { PolicyName: 'p', PolicyDocument: allow }), 'Policy', 'Arn')
  await iam('AttachUserPolicy', { ...ann, PolicyArn })
  await iam('PutUserPolicy', { ...ann, PolicyName: 'i', PolicyDocument: allow })
  await iam('CreateAccessKey', ann)
  await iam('CreateGroup', { GroupName: 'devs' })
  await iam('AddUserToGroup', { ...ann, GroupName: 'devs' })
  assert.deepEqual(await iam('DeleteUser', ann), conflict('Cannot delete entity, must detach all policies first.'))
  await iam('DetachUserPolicy', { ...ann, PolicyArn })
  assert.deepEqual(await iam('DeleteUser', ann), conflict('Cannot delete entity, must delete policies first.'))
  await iam('DeleteUserPolicy', { ...ann, PolicyName: 'i' })
  assert.deepEqual(await iam('DeleteUser', ann), conflict('Cannot delete entity, must delete access keys first.'))
  assert.deepEqual(await iam('DeleteUser', { UserName: 'bob' }), {})
})

test('a user who is in a group stays, and so does a group with members or policies', async () => {
  const { iam } = await people('ann')
  const devs = { GroupName: 'devs' }
  await iam('CreateGroup', devs)
  await iam('AddUserToGroup', { ...devs, UserName: 'ann' })
  assert.deepEqual(
    await iam('DeleteUser', { UserName: 'ann' }),
    conflict('Cannot delete entity, must remove users from group first.'),
  )
  assert.deepEqual(await iam('DeleteGroup', devs), conflict('Cannot delete entity, must remove users from group first.'))
  await iam('RemoveUserFromGroup', { ...devs, UserName: 'ann' })
  const PolicyArn = at(await iam('CreatePolicy', { PolicyName: 'p', PolicyDocument: allow }), 'Policy', 'Arn')
  await iam('AttachGroupPolicy', { ...devs, PolicyArn })
  await iam('PutGroupPolicy', { ...devs, PolicyName: 'i', PolicyDocument: allow })
  assert.deepEqual(await iam('DeleteGroup', devs), conflict('Cannot delete entity, must detach all policies first.'))
  await iam('DetachGroupPolicy', { ...devs, PolicyArn })
  assert.deepEqual(await iam('DeleteGroup', devs), conflict('Cannot delete entity, must delete policies first.'))
  await iam('DeleteGroupPolicy', { ...devs, PolicyName: 'i' })
  assert.deepEqual(await iam('DeleteGroup', devs), {})
})

test('users and groups beyond their quota are refused, and what was deleted does not count', async () => {
  const { iam } = asked({ profile: 'async', knobs: { quotas: { users: 2, groups: 2 } } })
  for (const name of ['a', 'b']) {
    await iam('CreateUser', { UserName: name })
    await iam('CreateGroup', { GroupName: name })
  }
  assert.deepEqual(await iam('CreateUser', { UserName: 'c' }), tooMany('Cannot exceed quota for UsersPerAccount: 2'))
  assert.deepEqual(await iam('CreateGroup', { GroupName: 'c' }), tooMany('Cannot exceed quota for GroupsPerAccount: 2'))
  await iam('DeleteUser', { UserName: 'a' })
  await iam('DeleteGroup', { GroupName: 'a' })
  assert.equal(at(await iam('CreateUser', { UserName: 'c' }), 'User', 'UserName'), 'c')
  assert.equal(at(await iam('CreateGroup', { GroupName: 'c' }), 'Group', 'GroupName'), 'c')
})

test('a user has two access keys at most, and each is of one user', async () => {
  const world = clients()
  const { iam } = world
  for (const UserName of ['ann', 'bob']) await iam.send(new CreateUserCommand({ UserName }))
  const create = async (UserName: string): Promise<string> =>
    (await iam.send(new CreateAccessKeyCommand({ UserName }))).AccessKey?.AccessKeyId ?? ''
  const first = await create('ann')
  await create('ann')
  const { code, status, message } = await refusal(create('ann'))
  assert.deepEqual([code, status, message], tooMany('Cannot exceed quota for AccessKeysPerUser: 2'))
  await create('bob')
  assert.match(first, /^AKIA[A-Z2-7]{16}$/)
  const used = await iam.send(new GetAccessKeyLastUsedCommand({ AccessKeyId: first }))
  assert.deepEqual([used.UserName, used.AccessKeyLastUsed], ['ann', { ServiceName: 'N/A', Region: 'N/A' }])
  assert.equal((await refusal(iam.send(new GetAccessKeyLastUsedCommand({ AccessKeyId: 'AKIAABSENTABSENTABSE' })))).status, 404)
})

test('a key that was used tells when, for what and where; its user is found without a name', async () => {
  const world = clients({ enforce: 'none' })
  await world.iam.send(new CreateUserCommand({ UserName: 'ann' }))
  const { AccessKey } = await world.iam.send(new CreateAccessKeyCommand({ UserName: 'ann' }))
  const { AccessKeyId: accessKeyId = '', SecretAccessKey: secretAccessKey = '' } = AccessKey ?? {}
  const own = world.as({ credentials: { accessKeyId, secretAccessKey }, region: 'eu-west-1' })
  await own.s3.send(new ListBucketsCommand({}))
  const { AccessKeyLastUsed } = await world.iam.send(new GetAccessKeyLastUsedCommand({ AccessKeyId: accessKeyId }))
  assert.deepEqual([AccessKeyLastUsed?.ServiceName, AccessKeyLastUsed?.Region], ['s3', 'eu-west-1'])
  assert.equal(AccessKeyLastUsed?.LastUsedDate?.getTime(), Math.floor(world.clock.now() / 1_000) * 1_000)
  assert.equal((await own.iam.send(new GetUserCommand({}))).User?.UserName, 'ann')
})

test('users and groups are listed by name and below a path, in pages of the size that was asked for', async () => {
  const { iam } = await people()
  for (const [index, name] of ['d', 'b', 'a', 'C'].entries()) {
    const Path = index === 0 ? '/x/y/' : '/x/'
    await iam('CreateUser', { UserName: name, Path })
    await iam('CreateGroup', { GroupName: name, Path })
  }
  await iam('CreateUser', { UserName: 'other' })
  await iam('CreateGroup', { GroupName: 'other' })
  for (const [operation, list, member] of [
    ['ListUsers', 'Users', 'UserName'],
    ['ListGroups', 'Groups', 'GroupName'],
  ] as const) {
    const below = (PathPrefix: string, MaxItems: number): Promise<unknown> =>
      pages(
        more => iam(operation, { PathPrefix, MaxItems, ...more }),
        page => each(page, list, member),
      )
    assert.deepEqual(await below('/', 2), [['a', 'b'], ['C', 'd'], ['other']])
    assert.deepEqual(await below('/x/', 4), [['a', 'b', 'C', 'd']])
    assert.deepEqual(await below('/x/', 3), [['a', 'b', 'C'], ['d']])
    assert.deepEqual(await below('/x/y/', 1), [['d']])
    assert.deepEqual(await below('/z/', 1), [[]])
  }
})

test('members of a group, and groups of a user, come in pages too', async () => {
  const { iam } = await people('a', 'b', 'c')
  for (const GroupName of ['x', 'y', 'z']) await iam('CreateGroup', { GroupName })
  for (const UserName of ['a', 'b', 'c']) await iam('AddUserToGroup', { GroupName: 'x', UserName })
  for (const GroupName of ['y', 'z']) await iam('AddUserToGroup', { GroupName, UserName: 'a' })
  const members = (more: object): Promise<unknown> => iam('GetGroup', { GroupName: 'x', MaxItems: 2, ...more })
  assert.deepEqual(await pages(members, page => each(page, 'Users', 'UserName')), [['a', 'b'], ['c']])
  const groups = (more: object): Promise<unknown> => iam('ListGroupsForUser', { UserName: 'a', MaxItems: 1, ...more })
  assert.deepEqual(await pages(groups, page => each(page, 'Groups', 'GroupName')), [['x'], ['y'], ['z']])
})

test('a page begins where one of the same list ended, and a marker of another list is none', async () => {
  const { iam } = await people('a', 'b', 'c')
  const Marker = at(await iam('ListUsers', { MaxItems: 1 }), 'Marker')
  assert.deepEqual(each(await iam('ListUsers', { Marker }), 'Users', 'UserName'), ['b', 'c'])
  const invalid = ['ValidationError', 400, 'Invalid Marker.']
  assert.deepEqual(await iam('ListUsers', { Marker, PathPrefix: '/x/' }), invalid)
  assert.deepEqual(await iam('ListGroups', { Marker }), invalid)
  assert.deepEqual(await iam('ListUsers', { Marker: 'x' }), invalid)
})

test('with short pages a list comes in halves, of one entry at least', async () => {
  const { iam } = asked({ knobs: { shortPages: true } })
  for (const UserName of ['a', 'b', 'c']) await iam('CreateUser', { UserName })
  const users = async (MaxItems: number): Promise<unknown> => each(await iam('ListUsers', { MaxItems }), 'Users', 'UserName')
  assert.deepEqual([await users(1), await users(2), await users(3), await users(4)], [['a'], ['a'], ['a', 'b'], ['a', 'b']])
})
