// Policies of IAM: what is listed where, in which order and in what pages, and what holds a deletion up.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Ask, asked, at, each, pages } from './asked.ts'

const account = 'arn:aws:iam::123456789012'
const document = (Action: string, Resource = '*'): string =>
  JSON.stringify({ Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action, Resource }] })
const read = document('s3:GetObject')
const trust = JSON.stringify({
  Version: '2012-10-17',
  Statement: [{ Effect: 'Allow', Principal: { Service: 'ec2.amazonaws.com' }, Action: 'sts:AssumeRole' }],
})
const absent = (message: string): readonly unknown[] => ['NoSuchEntityException', 404, message]

async function everybody(iam: Ask): Promise<void> {
  await iam('CreateRole', { RoleName: 'r', AssumeRolePolicyDocument: trust, Path: '/x/' })
  await iam('CreateUser', { UserName: 'u' })
  await iam('CreateGroup', { GroupName: 'g', Path: '/x/' })
}

for (const [kind, name] of [
  ['Role', 'r'],
  ['User', 'u'],
  ['Group', 'g'],
] as const) {
  const who = { [`${kind}Name`]: name }
  const word = kind.toLowerCase()

  test(`inline policies of a ${word} are found in whatever case, and listed by name`, async () => {
    const { iam } = asked()
    await everybody(iam)
    for (const PolicyName of ['b', 'a', 'B'])
      await iam(`Put${kind}Policy`, { ...who, PolicyName, PolicyDocument: PolicyName === 'B' ? document('s3:PutObject') : read })
    assert.deepEqual(at(await iam(`List${kind}Policies`, who), 'PolicyNames'), ['a', 'b'])
    const found = await iam(`Get${kind}Policy`, { ...who, PolicyName: 'B' })
    assert.deepEqual([at(found, 'PolicyName'), at(found, 'PolicyDocument')], ['b', document('s3:PutObject')])
    const list = (more: object): Promise<unknown> => iam(`List${kind}Policies`, { ...who, MaxItems: 1, ...more })
    assert.deepEqual(await pages(list, page => at(page, 'PolicyNames') as unknown[]), [['a'], ['b']])
    await iam(`Delete${kind}Policy`, { ...who, PolicyName: 'A' })
    assert.deepEqual(at(await iam(`List${kind}Policies`, who), 'PolicyNames'), ['b'])
    assert.deepEqual(
      await iam(`Delete${kind}Policy`, { ...who, PolicyName: 'a' }),
      absent(`The ${word} policy with name a cannot be found.`),
    )
  })

  test(`attached policies of a ${word} are listed as they were attached, below a path and in pages`, async () => {
    const { iam } = asked()
    await everybody(iam)
    for (const [PolicyName, Path] of [
      ['c', '/'],
      ['a', '/x/'],
      ['b', '/x/y/'],
    ]) {
      await iam('CreatePolicy', { PolicyName, Path, PolicyDocument: read })
      await iam(`Attach${kind}Policy`, { ...who, PolicyArn: `${account}:policy${Path}${PolicyName}` })
    }
    const list = (PathPrefix: string, MaxItems: number): Promise<unknown> =>
      pages(
        more => iam(`ListAttached${kind}Policies`, { ...who, PathPrefix, MaxItems, ...more }),
        page => each(page, 'AttachedPolicies', 'PolicyName'),
      )
    assert.deepEqual(await list('/', 1), [['c'], ['a'], ['b']])
    assert.deepEqual(await list('/', 2), [['c', 'a'], ['b']])
    assert.deepEqual(await list('/x/', 5), [['a', 'b']])
    assert.deepEqual(await list('/x/y/', 5), [['b']])
    await iam(`Detach${kind}Policy`, { ...who, PolicyArn: `${account}:policy/x/a` })
    assert.deepEqual(await list('/', 5), [['c', 'b']])
    assert.deepEqual(await iam(`Attach${kind}Policy`, { ...who, PolicyArn: 'arn:aws:iam::aws:role/not-a-policy' }), [
      'InvalidInputException',
      400,
      'ARN arn:aws:iam::aws:role/not-a-policy is not valid.',
    ])
  })

  test(`a ${word} has attached policies up to the quota`, async () => {
    const { iam } = asked({ knobs: { quotas: { attachedPolicies: 2 } } })
    await everybody(iam)
    for (const PolicyName of ['a', 'b', 'c']) await iam('CreatePolicy', { PolicyName, PolicyDocument: read })
    const attach = (name: string): Promise<unknown> =>
      iam(`Attach${kind}Policy`, { ...who, PolicyArn: `${account}:policy/${name}` })
    assert.deepEqual([await attach('a'), await attach('b'), await attach('b')], [{}, {}, {}])
    assert.deepEqual(await attach('c'), ['LimitExceededException', 409, `Cannot exceed quota for PoliciesPer${kind}: 2`])
  })
}

test('policies are listed by whose they are, by path, and by what uses them', async () => {
  const { iam } = asked()
  await everybody(iam)
  for (const [PolicyName, Path] of [
    ['attached', '/'],
    ['bounding', '/x/'],
    ['unused', '/x/'],
  ])
    await iam('CreatePolicy', { PolicyName, Path, PolicyDocument: read })
  await iam('AttachRolePolicy', { RoleName: 'r', PolicyArn: `${account}:policy/attached` })
  await iam('AttachUserPolicy', { UserName: 'u', PolicyArn: 'arn:aws:iam::aws:policy/ReadOnlyAccess' })
  await iam('PutUserPermissionsBoundary', { UserName: 'u', PermissionsBoundary: `${account}:policy/x/bounding` })
  const list = async (input: object): Promise<unknown> =>
    each(await iam('ListPolicies', { MaxItems: 1_000, ...input }), 'Policies', 'PolicyName')
  assert.deepEqual(await list({ Scope: 'Local' }), ['attached', 'bounding', 'unused'])
  assert.deepEqual(await list({ Scope: 'Local', PathPrefix: '/x/' }), ['bounding', 'unused'])
  assert.deepEqual(await list({ Scope: 'Local', OnlyAttached: true }), ['attached', 'bounding'])
  assert.deepEqual(await list({ OnlyAttached: true }), ['attached', 'bounding', 'ReadOnlyAccess'])
  assert.deepEqual(await list({ Scope: 'AWS', OnlyAttached: true }), ['ReadOnlyAccess'])
  assert.deepEqual(await list({ PolicyUsageFilter: 'PermissionsPolicy' }), ['attached', 'ReadOnlyAccess'])
  assert.deepEqual(await list({ PolicyUsageFilter: 'PermissionsBoundary' }), ['bounding'])
  assert.deepEqual(await list({ PolicyUsageFilter: 'PermissionsBoundary', Scope: 'AWS' }), [])
  const all = (await list({})) as string[]
  assert.deepEqual(all.slice(0, 3), ['attached', 'bounding', 'unused'])
  const paged = (await pages(
    more => iam('ListPolicies', { MaxItems: 2, ...more }),
    page => each(page, 'Policies', 'PolicyName'),
  )) as string[][]
  assert.deepEqual(paged.flat(), all)
})

test('what a policy is used for is counted, and told again when it is no longer used', async () => {
  const { iam } = asked()
  await everybody(iam)
  const PolicyArn = `${account}:policy/p`
  await iam('CreatePolicy', { PolicyName: 'p', PolicyDocument: read, Description: 'd' })
  const counts = async (): Promise<unknown> => {
    const answer = await iam('GetPolicy', { PolicyArn })
    return ['AttachmentCount', 'PermissionsBoundaryUsageCount', 'IsAttachable', 'Description'].map(name =>
      at(answer, 'Policy', name),
    )
  }
  assert.deepEqual(await counts(), [0, 0, true, 'd'])
  await iam('AttachRolePolicy', { RoleName: 'r', PolicyArn })
  await iam('AttachGroupPolicy', { GroupName: 'g', PolicyArn })
  for (const who of [{ RoleName: 'r' }, { RoleName: 'r' }])
    await iam('PutRolePermissionsBoundary', { ...who, PermissionsBoundary: PolicyArn })
  await iam('PutUserPermissionsBoundary', { UserName: 'u', PermissionsBoundary: PolicyArn })
  assert.deepEqual(await counts(), [2, 2, true, 'd'])
  assert.deepEqual(await iam('DeletePolicy', { PolicyArn }), [
    'DeleteConflictException',
    409,
    'Cannot delete a policy attached to entities.',
  ])
  await iam('DetachRolePolicy', { RoleName: 'r', PolicyArn })
  await iam('DetachGroupPolicy', { GroupName: 'g', PolicyArn })
  assert.equal(at(await iam('DeletePolicy', { PolicyArn }), 0), 'DeleteConflictException')
  await iam('DeleteRolePermissionsBoundary', { RoleName: 'r' })
  await iam('DeleteUserPermissionsBoundary', { UserName: 'u' })
  assert.deepEqual(await counts(), [0, 0, true, 'd'])
  assert.deepEqual(await iam('DeletePolicy', { PolicyArn }), {})
})

test('a boundary is a policy that is there, of a role or user that is there', async () => {
  const { iam } = asked()
  await everybody(iam)
  await iam('CreatePolicy', { PolicyName: 'p', PolicyDocument: read })
  const PermissionsBoundary = `${account}:policy/p`
  for (const [kind, who, name] of [
    ['Role', 'RoleName', 'r'],
    ['User', 'UserName', 'u'],
  ] as const) {
    const put = (boundary: string, target: string = name): Promise<unknown> =>
      iam(`Put${kind}PermissionsBoundary`, { [who]: target, PermissionsBoundary: boundary })
    const drop = (target: string): Promise<unknown> => iam(`Delete${kind}PermissionsBoundary`, { [who]: target })
    assert.deepEqual(await drop(name), absent(`${kind} ${name} has no permissions boundary.`))
    assert.deepEqual(
      await put(`${account}:policy/none`),
      absent(`Scope ARN: ${account}:policy/none does not exist or is not attachable.`),
    )
    assert.deepEqual(await put(`${account}:role/not-a-policy`), [
      'InvalidInputException',
      400,
      `ARN ${account}:role/not-a-policy is not valid.`,
    ])
    const missing = absent(`The ${kind.toLowerCase()} with name nobody cannot be found.`)
    assert.deepEqual([await put(PermissionsBoundary, 'nobody'), await drop('nobody')], [missing, missing])
    assert.deepEqual(await put(PermissionsBoundary), {})
    const boundary = at(await iam(`Get${kind}`, { [who]: name }), kind, 'PermissionsBoundary')
    assert.deepEqual(boundary, { PermissionsBoundaryArn: PermissionsBoundary, PermissionsBoundaryType: 'Policy' })
    assert.deepEqual(await drop(name), {})
    assert.equal(at(await iam(`Get${kind}`, { [who]: name }), kind, 'PermissionsBoundary'), undefined)
  }
})

test('versions are listed from the newest, with the default marked', async () => {
  const { iam } = asked()
  const PolicyArn = `${account}:policy/p`
  await iam('CreatePolicy', { PolicyName: 'p', PolicyDocument: read })
  await iam('CreatePolicyVersion', { PolicyArn, PolicyDocument: document('s3:PutObject') })
  const third = await iam('CreatePolicyVersion', { PolicyArn, PolicyDocument: document('s3:DeleteObject'), SetAsDefault: true })
  assert.deepEqual(at(third, 'PolicyVersion'), { CreateDate: '<date>', IsDefaultVersion: true, VersionId: 'v3' })
  const list = async (more: object = {}): Promise<unknown> => iam('ListPolicyVersions', { PolicyArn, ...more })
  assert.deepEqual(each(await list(), 'Versions', 'VersionId'), ['v3', 'v2', 'v1'])
  assert.deepEqual(each(await list(), 'Versions', 'IsDefaultVersion'), [true, false, false])
  assert.deepEqual(
    await pages(
      more => list({ MaxItems: 2, ...more }),
      page => each(page, 'Versions', 'VersionId'),
    ),
    [['v3', 'v2'], ['v1']],
  )
  await iam('SetDefaultPolicyVersion', { PolicyArn, VersionId: 'v2' })
  assert.deepEqual(each(await list(), 'Versions', 'IsDefaultVersion'), [false, true, false])
  assert.equal(
    at(await iam('GetPolicyVersion', { PolicyArn, VersionId: 'v2' }), 'PolicyVersion', 'Document'),
    document('s3:PutObject'),
  )
  assert.deepEqual(
    await iam('SetDefaultPolicyVersion', { PolicyArn, VersionId: 'v9' }),
    absent(`Policy ${PolicyArn} version v9 does not exist or is not attachable.`),
  )
  await iam('DeletePolicyVersion', { PolicyArn, VersionId: 'v1' })
  assert.deepEqual(each(await list(), 'Versions', 'VersionId'), ['v3', 'v2'])
})

test("of AWS's policies the default version is the only one", async () => {
  const { iam } = asked()
  const PolicyArn = 'arn:aws:iam::aws:policy/ReadOnlyAccess'
  const VersionId = at(await iam('GetPolicy', { PolicyArn }), 'Policy', 'DefaultVersionId')
  assert.deepEqual(await iam('ListPolicyVersions', { PolicyArn }), {
    IsTruncated: false,
    Versions: [{ CreateDate: '<date>', IsDefaultVersion: true, VersionId }],
  })
  assert.equal(at(await iam('GetPolicyVersion', { PolicyArn, VersionId }), 'PolicyVersion', 'IsDefaultVersion'), true)
  assert.deepEqual(
    await iam('GetPolicyVersion', { PolicyArn, VersionId: 'v9999' }),
    absent(`Policy ${PolicyArn} version v9999 does not exist or is not attachable.`),
  )
  assert.deepEqual(
    await iam('GetPolicy', { PolicyArn: 'arn:aws:iam::aws:policy/NobodysAccess' }),
    absent('Policy arn:aws:iam::aws:policy/NobodysAccess was not found.'),
  )
})

test('whom a policy is attached to, and whom it bounds, is listed by kind and path', async () => {
  const { iam } = asked()
  await everybody(iam)
  const PolicyArn = `${account}:policy/p`
  await iam('CreatePolicy', { PolicyName: 'p', PolicyDocument: read })
  await iam('CreateRole', { RoleName: 's', AssumeRolePolicyDocument: trust, PermissionsBoundary: PolicyArn })
  await iam('AttachRolePolicy', { RoleName: 'r', PolicyArn })
  await iam('AttachUserPolicy', { UserName: 'u', PolicyArn })
  await iam('AttachGroupPolicy', { GroupName: 'g', PolicyArn })
  const list = async (more: object = {}): Promise<unknown> => {
    const answer = await iam('ListEntitiesForPolicy', { PolicyArn, ...more })
    return [
      each(answer, 'PolicyRoles', 'RoleName'),
      each(answer, 'PolicyUsers', 'UserName'),
      each(answer, 'PolicyGroups', 'GroupName'),
    ]
  }
  assert.deepEqual(await list(), [['r'], ['u'], ['g']])
  assert.deepEqual(await list({ EntityFilter: 'Role' }), [['r'], [], []])
  assert.deepEqual(await list({ EntityFilter: 'User' }), [[], ['u'], []])
  assert.deepEqual(await list({ EntityFilter: 'Group' }), [[], [], ['g']])
  assert.deepEqual(await list({ PathPrefix: '/x/' }), [['r'], [], ['g']])
  assert.deepEqual(await list({ PolicyUsageFilter: 'PermissionsBoundary' }), [['s'], [], []])
  assert.deepEqual(
    await pages(
      more => iam('ListEntitiesForPolicy', { PolicyArn, MaxItems: 2, ...more }),
      page => ['PolicyRoles', 'PolicyUsers', 'PolicyGroups'].map(name => (at(page, name) as unknown[] | undefined)?.length ?? 0),
    ),
    [
      [1, 1, 0],
      [0, 0, 1],
    ],
  )
  assert.deepEqual(
    await iam('ListEntitiesForPolicy', { PolicyArn: `${account}:policy/none` }),
    absent(`Policy ${account}:policy/none was not found.`),
  )
  assert.deepEqual(
    each(await iam('ListEntitiesForPolicy', { PolicyArn: 'arn:aws:iam::aws:policy/ReadOnlyAccess' }), 'PolicyRoles', 'RoleName'),
    [],
  )
})

test('a policy of another path is another policy, though names are unique', async () => {
  const { iam } = asked()
  await iam('CreatePolicy', { PolicyName: 'p', Path: '/x/', PolicyDocument: read })
  assert.deepEqual(
    await iam('GetPolicy', { PolicyArn: `${account}:policy/p` }),
    absent(`Policy ${account}:policy/p was not found.`),
  )
  assert.deepEqual(await iam('CreatePolicy', { PolicyName: 'P', PolicyDocument: read }), [
    'EntityAlreadyExistsException',
    409,
    'A policy called P already exists. Duplicate names are not allowed.',
  ])
})

test('policies beyond the quota are refused, and what was deleted does not count', async () => {
  const { iam } = asked({ profile: 'async', knobs: { quotas: { policies: 2 } } })
  for (const PolicyName of ['a', 'b']) await iam('CreatePolicy', { PolicyName, PolicyDocument: read })
  const third = (): Promise<unknown> => iam('CreatePolicy', { PolicyName: 'c', PolicyDocument: read })
  assert.deepEqual(await third(), ['LimitExceededException', 409, 'Cannot exceed quota for PoliciesPerAccount: 2'])
  await iam('DeletePolicy', { PolicyArn: `${account}:policy/a` })
  assert.equal(at(await third(), 'Policy', 'PolicyName'), 'c')
})

test('a marker goes on with the list that it came from, whatever that was filtered by', async () => {
  const { iam } = asked()
  for (const RoleName of ['r', 's']) {
    await iam('CreateRole', { RoleName, AssumeRolePolicyDocument: trust })
    await iam('AttachRolePolicy', { RoleName, PolicyArn: 'arn:aws:iam::aws:policy/ReadOnlyAccess' })
    await iam('AttachRolePolicy', { RoleName, PolicyArn: 'arn:aws:iam::aws:policy/AdministratorAccess' })
  }
  const invalid = ['ValidationError', 400, 'Invalid Marker.']
  const lists: readonly (readonly [operation: string, input: object, others: readonly object[]])[] = [
    ['ListPolicies', { PolicyUsageFilter: 'PermissionsPolicy' }, [{}, { PolicyUsageFilter: 'PermissionsBoundary' }]],
    [
      'ListEntitiesForPolicy',
      { PolicyArn: 'arn:aws:iam::aws:policy/ReadOnlyAccess', EntityFilter: 'Role', PolicyUsageFilter: 'PermissionsPolicy' },
      [{ EntityFilter: 'User' }, { PolicyUsageFilter: 'PermissionsBoundary' }, { PathPrefix: '/x/' }],
    ],
  ]
  for (const [operation, input, others] of lists) {
    const Marker = at(await iam(operation, { ...input, MaxItems: 1 }), 'Marker')
    assert.equal(at(await iam(operation, { ...input, Marker }), 'IsTruncated'), false)
    for (const other of others)
      assert.deepEqual(await iam(operation, { ...(operation === 'ListPolicies' ? {} : input), ...other, Marker }), invalid)
  }
})

test('lists lag behind what is made and deleted, and show the newest of what they show', async () => {
  const { iam, clock } = asked({ knobs: { delays: { list: 5_000 } } })
  const PolicyArn = `${account}:policy/p`
  await iam('CreatePolicy', { PolicyName: 'p', PolicyDocument: read })
  await iam('CreateRole', { RoleName: 'r', AssumeRolePolicyDocument: trust })
  const listed = async (): Promise<unknown> => [
    each(await iam('ListPolicies', { Scope: 'Local' }), 'Policies', 'DefaultVersionId'),
    each(await iam('ListRoles', {}), 'Roles', 'Description'),
  ]
  assert.deepEqual(await listed(), [[], []])
  await clock.advance(5_000)
  assert.deepEqual(await listed(), [['v1'], [undefined]])
  await iam('CreatePolicyVersion', { PolicyArn, PolicyDocument: read, SetAsDefault: true })
  await iam('UpdateRole', { RoleName: 'r', Description: 'd' })
  assert.deepEqual(await listed(), [['v2'], ['d']])
  assert.deepEqual(each(await iam('ListRoles', { PathPrefix: '/x/' }), 'Roles', 'RoleName'), [])
  await clock.advance(5_000)
  await iam('DeletePolicyVersion', { PolicyArn, VersionId: 'v1' })
  await iam('DeletePolicy', { PolicyArn })
  await iam('DeleteRole', { RoleName: 'r' })
  assert.deepEqual(await listed(), [['v2'], ['d']])
  await clock.advance(5_000)
  assert.deepEqual(await listed(), [[], []])
})

test('a list has a hundred entries when no number is given', async () => {
  const { iam } = asked()
  for (let index = 0; index < 101; index++) await iam('CreateGroup', { GroupName: `g${index}` })
  const sizes = await pages(
    more => iam('ListGroups', more),
    page => [each(page, 'Groups', 'GroupName').length],
  )
  assert.deepEqual(sizes, [[100], [1]])
})

for (const [what, delays, keptMs] of [
  ['at once', {}, 0],
  ['when a late reader cannot see it any more', { iam: 1 }, 1],
  ['when a late reader cannot see it any more', { iam: 1_000 }, 1_000],
] as const) {
  test(`what was deleted is forgotten ${what}: after ${keptMs} ms`, async () => {
    const { iam, aws, clock } = asked({ knobs: { delays } })
    await iam('CreateRole', { RoleName: 'passing', AssumeRolePolicyDocument: trust })
    await iam('CreateUser', { UserName: 'passing' })
    await iam('CreateGroup', { GroupName: 'passing' })
    await iam('CreatePolicy', { PolicyName: 'passing', PolicyDocument: read })
    await iam('CreateOpenIDConnectProvider', { Url: 'https://passing', ThumbprintList: ['a'.repeat(40)] })
    assert.equal(aws.nextDeadline(), undefined)
    await clock.advance(keptMs)
    for (const [operation, input] of [
      ['DeleteRole', { RoleName: 'passing' }],
      ['DeleteUser', { UserName: 'passing' }],
      ['DeleteGroup', { GroupName: 'passing' }],
      ['DeletePolicy', { PolicyArn: `${account}:policy/passing` }],
      ['DeleteOpenIDConnectProvider', { OpenIDConnectProviderArn: `${account}:oidc-provider/passing` }],
    ] as const) {
      assert.deepEqual(await iam(operation, input), {}, operation)
      assert.equal(aws.nextDeadline(), keptMs === 0 ? undefined : clock.now() + keptMs, operation)
      await clock.advance(keptMs)
      const { state } = aws.stored('iam')[0] as { state: Readonly<Record<string, unknown>> }
      assert.equal(aws.nextDeadline(), undefined, operation)
      const table = operation.replace('Delete', '').replace('OpenIDConnect', '').toLowerCase().replace('policy', 'policie')
      assert.ok(!JSON.stringify(state[`${table}s`]).includes('passing'), operation)
      assert.ok(table !== 'role' || !JSON.stringify(state['ids']).includes('role/passing'))
    }
  })
}
