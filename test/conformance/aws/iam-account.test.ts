// The account as a whole, tags, instance profiles, providers and service-linked roles of IAM.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CreateAccountAliasCommand, ListAccountAliasesCommand } from '@aws-sdk/client-iam'
import { type Ask, asked, at, each, pages } from './asked.ts'
import { accountA, accountB, clients, refusal } from './clients.ts'

const account = 'arn:aws:iam::123456789012'
const allow = JSON.stringify({
  Version: '2012-10-17',
  Statement: [{ Effect: 'Allow', Action: 's3:GetObject', Resource: '*' }],
})
const trust = JSON.stringify({
  Version: '2012-10-17',
  Statement: [{ Effect: 'Allow', Principal: { Service: 'ec2.amazonaws.com' }, Action: 'sts:AssumeRole' }],
})
const absent = (message: string): readonly unknown[] => ['NoSuchEntityException', 404, message]
const invalid = (message: string): readonly unknown[] => ['InvalidInputException', 400, message]
const role = (iam: Ask, RoleName: string, more: object = {}): Promise<unknown> =>
  iam('CreateRole', { RoleName, AssumeRolePolicyDocument: trust, ...more })

test('the summary counts what is there, and tells the quotas', async () => {
  const { iam } = asked({ knobs: { quotas: { roles: 7 } } })
  for (const name of ['a', 'b', 'c', 'd', 'e']) await role(iam, name)
  for (const UserName of ['a', 'b', 'c', 'd']) await iam('CreateUser', { UserName })
  for (const PolicyName of ['a', 'b', 'c']) await iam('CreatePolicy', { PolicyName, PolicyDocument: allow })
  for (const GroupName of ['a', 'b']) await iam('CreateGroup', { GroupName })
  await iam('CreateInstanceProfile', { InstanceProfileName: 'a' })
  for (const host of ['a', 'b', 'c', 'd', 'e', 'f'])
    await iam('CreateOpenIDConnectProvider', { Url: `https://${host}.example.com`, ThumbprintList: ['a'.repeat(40)] })
  assert.deepEqual(at(await iam('GetAccountSummary'), 'SummaryMap'), {
    Users: 4,
    UsersQuota: 5000,
    Roles: 5,
    RolesQuota: 7,
    Policies: 3,
    PoliciesQuota: 1500,
    Groups: 2,
    GroupsQuota: 300,
    InstanceProfiles: 1,
    InstanceProfilesQuota: 1000,
    Providers: 6,
    PolicySizeQuota: 6144,
    AssumeRolePolicySizeQuota: 2048,
    UserPolicySizeQuota: 2048,
    GroupPolicySizeQuota: 5120,
    RolePolicySizeQuota: 10_240,
    AttachedPoliciesPerRoleQuota: 10,
    AttachedPoliciesPerUserQuota: 10,
    AttachedPoliciesPerGroupQuota: 10,
    VersionsPerPolicyQuota: 5,
    AccessKeysPerUserQuota: 2,
    AccountMFAEnabled: 0,
    AccountAccessKeysPresent: 0,
    MFADevices: 0,
  })
})

async function furnished(iam: Ask): Promise<void> {
  const PolicyArn = `${account}:policy/p`
  await iam('CreatePolicy', { PolicyName: 'p', PolicyDocument: allow, Description: 'd' })
  await iam('CreateGroup', { GroupName: 'g' })
  await iam('CreateUser', { UserName: 'u', Tags: [{ Key: 'k', Value: 'v' }], PermissionsBoundary: PolicyArn })
  await iam('AddUserToGroup', { GroupName: 'g', UserName: 'u' })
  await role(iam, 'r', { PermissionsBoundary: PolicyArn })
  await role(iam, 's')
  await iam('CreateInstanceProfile', { InstanceProfileName: 'ip' })
  await iam('AddRoleToInstanceProfile', { InstanceProfileName: 'ip', RoleName: 'r' })
  for (const [kind, name] of [
    ['Role', 'r'],
    ['User', 'u'],
    ['Group', 'g'],
  ] as const) {
    await iam(`Put${kind}Policy`, { [`${kind}Name`]: name, PolicyName: 'i', PolicyDocument: allow })
    await iam(`Attach${kind}Policy`, { [`${kind}Name`]: name, PolicyArn })
  }
}

test('the details of the account hold everybody with his policies, tags and boundary', async () => {
  const { iam } = asked()
  await furnished(iam)
  const inline = [{ PolicyName: 'i', PolicyDocument: allow }]
  const attached = [{ PolicyName: 'p', PolicyArn: `${account}:policy/p` }]
  const boundary = { PermissionsBoundaryArn: `${account}:policy/p`, PermissionsBoundaryType: 'Policy' }
  const entity = (word: string, name: string): object => ({ Path: '/', Arn: `${account}:${word}/${name}`, CreateDate: '<date>' })
  const bare = {
    ...entity('role', 'r'),
    RoleName: 'r',
    RoleId: '<RoleId>',
    AssumeRolePolicyDocument: trust,
  }
  const answer = await iam('GetAccountAuthorizationDetails')
  assert.deepEqual(at(answer, 'UserDetailList'), [
    {
      ...entity('user', 'u'),
      UserName: 'u',
      UserId: '<UserId>',
      UserPolicyList: inline,
      GroupList: ['g'],
      AttachedManagedPolicies: attached,
      PermissionsBoundary: boundary,
      Tags: [{ Key: 'k', Value: 'v' }],
    },
  ])
  assert.deepEqual(at(answer, 'GroupDetailList'), [
    {
      ...entity('group', 'g'),
      GroupName: 'g',
      GroupId: '<GroupId>',
      GroupPolicyList: inline,
      AttachedManagedPolicies: attached,
    },
  ])
  const [first, second] = at(answer, 'RoleDetailList') as [Record<string, unknown>, Record<string, unknown>]
  const { InstanceProfileList: profiles, ...rest } = first
  assert.deepEqual(rest, {
    ...bare,
    RolePolicyList: inline,
    AttachedManagedPolicies: attached,
    PermissionsBoundary: boundary,
    Tags: [],
    RoleLastUsed: {},
  })
  assert.deepEqual(
    (profiles as { InstanceProfileName: string }[]).map(profile => profile.InstanceProfileName),
    ['ip'],
  )
  assert.deepEqual([second['RoleName'], second['InstanceProfileList'], second['RolePolicyList']], ['s', [], []])
  const [policy] = at(answer, 'Policies') as [Record<string, unknown>]
  assert.deepEqual(
    [policy['PolicyName'], policy['AttachmentCount'], policy['PermissionsBoundaryUsageCount'], policy['Description']],
    ['p', 3, 2, 'd'],
  )
  assert.deepEqual(policy['PolicyVersionList'], [
    { CreateDate: '<date>', Document: allow, IsDefaultVersion: true, VersionId: 'v1' },
  ])
})

test('the details come filtered by kind, and in pages over all kinds', async () => {
  const { iam } = asked()
  await furnished(iam)
  const lists = ['UserDetailList', 'GroupDetailList', 'RoleDetailList', 'Policies']
  const sizes = (answer: unknown): readonly number[] => lists.map(list => each(answer, list, 'Arn').length)
  const details = async (more: object): Promise<unknown> => sizes(await iam('GetAccountAuthorizationDetails', more))
  assert.deepEqual(await details({}), [1, 1, 2, 1])
  assert.deepEqual(await details({ Filter: ['User'] }), [1, 0, 0, 0])
  assert.deepEqual(await details({ Filter: ['Group'] }), [0, 1, 0, 0])
  assert.deepEqual(await details({ Filter: ['Role'] }), [0, 0, 2, 0])
  assert.deepEqual(await details({ Filter: ['LocalManagedPolicy'] }), [0, 0, 0, 1])
  assert.deepEqual(await details({ Filter: ['AWSManagedPolicy'] }), [0, 0, 0, 0])
  const page = (more: object): Promise<unknown> => iam('GetAccountAuthorizationDetails', { MaxItems: 3, ...more })
  assert.deepEqual(await pages(page, sizes), [
    [1, 1, 1, 0],
    [0, 0, 1, 1],
  ])
})

test('an account has one alias, which no other account has', async () => {
  const { iam } = asked()
  assert.deepEqual(at(await iam('ListAccountAliases'), 'IsTruncated'), false)
  assert.deepEqual(await iam('DeleteAccountAlias', { AccountAlias: 'one' }), absent('The account alias one does not exist.'))
  assert.deepEqual(
    [await iam('CreateAccountAlias', { AccountAlias: 'one' }), await iam('CreateAccountAlias', { AccountAlias: 'one' })],
    [{}, {}],
  )
  assert.deepEqual(await iam('CreateAccountAlias', { AccountAlias: 'two' }), [
    'LimitExceededException',
    409,
    'Cannot exceed quota for AccountAliasesPerAccount: 1',
  ])
  assert.deepEqual(at(await iam('ListAccountAliases'), 'AccountAliases'), ['one'])
  await iam('DeleteAccountAlias', { AccountAlias: 'one' })
  assert.deepEqual(at(await iam('ListAccountAliases'), 'AccountAliases') ?? [], [])
  const world = clients({ accounts: [accountA, accountB] })
  const create = new CreateAccountAliasCommand({ AccountAlias: 'mine' })
  await world.iam.send(create)
  const other = world.as({ account: accountB })
  assert.deepEqual(await refusal(other.iam.send(create)), {
    code: 'EntityAlreadyExistsException',
    status: 409,
    message: 'The account alias mine already exists.',
  })
  assert.deepEqual((await other.iam.send(new ListAccountAliasesCommand({}))).AccountAliases, [])
})

const tagged: readonly (readonly [
  suffix: string,
  list: string,
  name: object,
  make: (iam: Ask) => Promise<unknown>,
  missing: object,
  message: string,
])[] = [
  ['Role', 'Role', { RoleName: 'x' }, iam => role(iam, 'x'), { RoleName: 'y' }, 'The role with name y cannot be found.'],
  [
    'User',
    'User',
    { UserName: 'x' },
    iam => iam('CreateUser', { UserName: 'x' }),
    { UserName: 'y' },
    'The user with name y cannot be found.',
  ],
  [
    'Policy',
    'Policy',
    { PolicyArn: `${account}:policy/x` },
    iam => iam('CreatePolicy', { PolicyName: 'x', PolicyDocument: allow }),
    { PolicyArn: `${account}:policy/path/x` },
    `Policy ${account}:policy/path/x was not found.`,
  ],
  [
    'OpenIDConnectProvider',
    'OpenIDConnectProvider',
    { OpenIDConnectProviderArn: `${account}:oidc-provider/x.example.com` },
    iam => iam('CreateOpenIDConnectProvider', { Url: 'https://x.example.com', ThumbprintList: ['a'.repeat(40)] }),
    { OpenIDConnectProviderArn: 'arn:aws:iam::210987654321:oidc-provider/x.example.com' },
    'OpenIDConnect Provider not found for arn arn:aws:iam::210987654321:oidc-provider/x.example.com',
  ],
  [
    'InstanceProfile',
    'InstanceProfile',
    { InstanceProfileName: 'x' },
    iam => iam('CreateInstanceProfile', { InstanceProfileName: 'x' }),
    { InstanceProfileName: 'y' },
    'Instance Profile y cannot be found.',
  ],
]
for (const [suffix, list, name, make, missing, message] of tagged) {
  test(`${suffix}: tags are added, replaced, taken away and listed in pages`, async () => {
    const { iam } = asked()
    await make(iam)
    const tag = (Key: string, Value: string, of: object = name): Promise<unknown> =>
      iam(`Tag${suffix}`, { ...of, Tags: [{ Key, Value }] })
    const untag = (TagKeys: readonly string[], of: object = name): Promise<unknown> => iam(`Untag${suffix}`, { ...of, TagKeys })
    const tags = async (more: object = name): Promise<unknown> => at(await iam(`List${list}Tags`, more), 'Tags')
    for (const [key, value] of [
      ['a', '1'],
      ['b', '2'],
      ['A', '3'],
      ['c', '4'],
    ] as const)
      assert.deepEqual(await tag(key, value), {})
    assert.deepEqual(await tags(), [
      { Key: 'A', Value: '3' },
      { Key: 'b', Value: '2' },
      { Key: 'c', Value: '4' },
    ])
    const page = (more: object): Promise<unknown> => iam(`List${list}Tags`, { ...name, MaxItems: 2, ...more })
    assert.deepEqual(await pages(page, answer => each(answer, 'Tags', 'Key')), [['A', 'b'], ['c']])
    await untag(['B', 'a', 'none'])
    assert.deepEqual(await tags(), [{ Key: 'c', Value: '4' }])
    const refused = absent(message)
    assert.deepEqual(
      [await tag('a', 'b', missing), await untag(['a'], missing), await iam(`List${list}Tags`, missing)],
      [refused, refused, refused],
    )
    assert.deepEqual(await tag('aws:x', 'b'), invalid('Tag keys beginning with "aws:" are reserved: aws:x'))
  })
}

test('tags count up to the quota, new values of old keys among them', async () => {
  const { iam } = asked({ knobs: { quotas: { tags: 2 } } })
  await role(iam, 'r', { Tags: [{ Key: 'a', Value: '1' }] })
  const tag = (Key: string): Promise<unknown> => iam('TagRole', { RoleName: 'r', Tags: [{ Key, Value: '' }] })
  assert.deepEqual([await tag('b'), await tag('a')], [{}, {}])
  assert.deepEqual(await tag('c'), ['LimitExceededException', 409, 'The number of tags has reached the maximum limit: 2'])
})

test('an instance profile holds one role, and goes when it holds none', async () => {
  const { iam } = asked({ knobs: { quotas: { instanceProfiles: 3 } } })
  for (const name of ['r', 's']) await role(iam, name)
  for (const [InstanceProfileName, Path] of [
    ['b', '/x/'],
    ['a', '/'],
    ['c', '/x/y/'],
  ])
    await iam('CreateInstanceProfile', { InstanceProfileName, Path })
  assert.deepEqual(await iam('CreateInstanceProfile', { InstanceProfileName: 'd' }), [
    'LimitExceededException',
    409,
    'Cannot exceed quota for InstanceProfilesPerAccount: 3',
  ])
  const add = (InstanceProfileName: string, RoleName: string): Promise<unknown> =>
    iam('AddRoleToInstanceProfile', { InstanceProfileName, RoleName })
  assert.deepEqual(await add('b', 'nobody'), absent('The role with name nobody cannot be found.'))
  assert.deepEqual([await add('b', 'R'), await add('c', 'r')], [{}, {}])
  assert.deepEqual(await add('b', 's'), [
    'LimitExceededException',
    409,
    'Cannot exceed quota for InstanceSessionsPerInstanceProfile: 1',
  ])
  const list = async (operation: string, input: object): Promise<unknown> =>
    pages(
      more => iam(operation, { ...input, ...more }),
      page => each(page, 'InstanceProfiles', 'InstanceProfileName'),
    )
  assert.deepEqual(await list('ListInstanceProfiles', { MaxItems: 2 }), [['a', 'b'], ['c']])
  assert.deepEqual(await list('ListInstanceProfiles', { PathPrefix: '/x/' }), [['b', 'c']])
  assert.deepEqual(await list('ListInstanceProfilesForRole', { RoleName: 'r', MaxItems: 1 }), [['b'], ['c']])
  assert.deepEqual(await list('ListInstanceProfilesForRole', { RoleName: 's' }), [[]])
  assert.deepEqual(await iam('DeleteInstanceProfile', { InstanceProfileName: 'b' }), [
    'DeleteConflictException',
    409,
    'Cannot delete entity, must remove roles from instance profile first.',
  ])
  const drop = (RoleName: string): Promise<unknown> =>
    iam('RemoveRoleFromInstanceProfile', { InstanceProfileName: 'b', RoleName })
  assert.deepEqual(await drop('s'), absent('Role s does not exist in instance profile b.'))
  assert.deepEqual([await drop('r'), await iam('DeleteInstanceProfile', { InstanceProfileName: 'B' })], [{}, {}])
  assert.deepEqual(await iam('GetInstanceProfile', { InstanceProfileName: 'b' }), absent('Instance Profile b cannot be found.'))
})

const thumbprint = 'a'.repeat(40)

for (const [url, why] of [
  ['http://a.example.com', 'ValidationError'],
  ['https://', 'ValidationError'],
  ['https:///path', 'ValidationError'],
  ['a.example.com', 'ValidationError'],
  ['https://a.example.com?x', 'InvalidInputException'],
  ['https://a.example.com#x', 'InvalidInputException'],
  ['https://a.example.com/a b', 'InvalidInputException'],
  ['https://a.example.com:8443', 'InvalidInputException'],
  ['https://a.example.com:443/x', 'InvalidInputException'],
  ['https://me@a.example.com', 'InvalidInputException'],
  ['https://a.example.com/p:1', undefined],
  ['https://a.example.com/x/y/', undefined],
] as const) {
  test(`a provider of ${url}: ${why ?? 'taken'}`, async () => {
    const { iam } = asked()
    const answer = await iam('CreateOpenIDConnectProvider', { Url: url, ThumbprintList: [thumbprint] })
    if (why === undefined) assert.equal(at(answer, 'OpenIDConnectProviderArn'), `${account}:oidc-provider/${url.slice(8)}`)
    else assert.deepEqual(answer, [why, 400, 'Invalid Open ID Connect Provider URL'])
  })
}

test('a provider has thumbprints and client ids up to their quotas, and one thumbprint at least', async () => {
  const { iam } = asked({ knobs: { quotas: { thumbprints: 2, clientIds: 2, openIdConnectProviders: 2 } } })
  const create = (host: string, more: object = {}): Promise<unknown> =>
    iam('CreateOpenIDConnectProvider', { Url: `https://${host}`, ThumbprintList: [thumbprint], ...more })
  const three = ['a', 'b', 'c'].map(digit => digit.repeat(40))
  assert.deepEqual(await create('a', { ThumbprintList: three }), invalid('Thumbprint list must contain fewer than 2 entries.'))
  assert.equal(at(await create('a', { ThumbprintList: ['z'.repeat(40)] }), 0), 'ValidationError')
  const many = ['LimitExceededException', 409, 'Cannot exceed quota for ClientIdsPerOpenIdConnectProvider: 2']
  assert.deepEqual(await create('a', { ClientIDList: ['a', 'b', 'c'] }), many)
  await create('a', { ThumbprintList: three.slice(0, 2), ClientIDList: ['a', 'b', 'a'] })
  const OpenIDConnectProviderArn = `${account}:oidc-provider/a`
  const read = async (): Promise<unknown> => {
    const answer = await iam('GetOpenIDConnectProvider', { OpenIDConnectProviderArn })
    return [at(answer, 'ClientIDList'), at(answer, 'ThumbprintList')]
  }
  assert.deepEqual(await read(), [['a', 'b'], three.slice(0, 2)])
  assert.deepEqual(await iam('AddClientIDToOpenIDConnectProvider', { OpenIDConnectProviderArn, ClientID: 'c' }), many)
  assert.deepEqual(await iam('AddClientIDToOpenIDConnectProvider', { OpenIDConnectProviderArn, ClientID: 'b' }), {})
  await iam('RemoveClientIDFromOpenIDConnectProvider', { OpenIDConnectProviderArn, ClientID: 'a' })
  const update = (ThumbprintList: readonly string[]): Promise<unknown> =>
    iam('UpdateOpenIDConnectProviderThumbprint', { OpenIDConnectProviderArn, ThumbprintList })
  assert.deepEqual(await update([]), invalid('Thumbprint list must contain at least one entry.'))
  assert.deepEqual(await update(three), invalid('Thumbprint list must contain fewer than 2 entries.'))
  assert.deepEqual(await update(three.slice(2)), {})
  assert.deepEqual(await read(), [['b'], three.slice(2)])
  await create('b')
  assert.deepEqual(await create('c'), [
    'LimitExceededException',
    409,
    'Cannot exceed quota for OpenIdConnectProvidersPerAccount: 2',
  ])
  assert.deepEqual(
    await iam('DeleteOpenIDConnectProvider', { OpenIDConnectProviderArn: 'arn:aws:iam::210987654321:oidc-provider/b' }),
    {},
  )
  assert.deepEqual(each(await iam('ListOpenIDConnectProviders'), 'OpenIDConnectProviderList', 'Arn'), [
    `${account}:oidc-provider/a`,
    `${account}:oidc-provider/b`,
  ])
})

for (const [service, suffix, name] of [
  ['eks.amazonaws.com', undefined, 'AWSServiceRoleForAmazonEKS'],
  ['acm.amazonaws.com', undefined, 'AWSServiceRoleForCertificateManager'],
  ['spot-fleet.amazonaws.com', undefined, 'AWSServiceRoleForSpotFleet'],
  ['autoscaling.amazonaws.com', 'mine', 'AWSServiceRoleForAutoScaling_mine'],
] as const) {
  test(`the role of ${service} is ${name}: it goes by a task of its own, and nobody else changes it`, async () => {
    const { iam, clock, aws } = asked({ profile: 'demo' })
    const made = await iam('CreateServiceLinkedRole', { AWSServiceName: service, CustomSuffix: suffix, Description: 'd' })
    assert.equal(at(made, 'Role', 'RoleName'), name)
    assert.equal(at(made, 'Role', 'Arn'), `${account}:role/aws-service-role/${service}/${name}`)
    assert.equal(at(made, 'Role', 'Description'), 'd')
    assert.deepEqual(
      await iam('CreateServiceLinkedRole', { AWSServiceName: service, CustomSuffix: suffix }),
      invalid(`Service role name ${name} has been taken in this account, please try a different suffix.`),
    )
    const refused = [
      'UnmodifiableEntityException',
      400,
      `Cannot perform the operation on the protected role '${name}' - this role is only modifiable by AWS`,
    ]
    for (const [operation, more] of [
      ['DeleteRole', {}],
      ['UpdateRole', { Description: 'x' }],
      ['UpdateAssumeRolePolicy', { PolicyDocument: trust }],
      ['PutRolePolicy', { PolicyName: 'p', PolicyDocument: allow }],
      ['AttachRolePolicy', { PolicyArn: 'arn:aws:iam::aws:policy/ReadOnlyAccess' }],
    ] as const)
      assert.deepEqual(await iam(operation, { RoleName: name, ...more }), refused, operation)
    assert.equal(
      at(await iam('DeleteServiceLinkedRole', { RoleName: name }, 'task'), 'DeletionTaskId'),
      `task/aws-service-role/${service}/${name}/<uuid>`,
    )
    const task = { DeletionTaskId: { $ref: 'task.DeletionTaskId' } }
    const status = async (): Promise<unknown> => at(await iam('GetServiceLinkedRoleDeletionStatus', task), 'Status')
    assert.equal(await status(), 'IN_PROGRESS')
    assert.equal(at(await iam('GetRole', { RoleName: name }), 'Role', 'RoleName'), name)
    await clock.advance(1_000)
    assert.equal(await status(), 'SUCCEEDED')
    assert.deepEqual(await iam('GetRole', { RoleName: name }), absent(`The role with name ${name} cannot be found.`))
    await clock.advance(500)
    const [{ state }] = aws.stored('iam') as unknown as [{ state: Readonly<Record<'roles' | 'ids', unknown>> }]
    assert.doesNotMatch(JSON.stringify([state.roles, state.ids]), /aws-?service-?role/i)
  })
}

test('a service-linked role is of a service, and other roles are not deleted as one', async () => {
  const { iam } = asked()
  assert.deepEqual(
    await iam('CreateServiceLinkedRole', { AWSServiceName: 'eks.example.com' }),
    invalid('eks.example.com is not a valid AWS service name.'),
  )
  await role(iam, 'r')
  assert.deepEqual(await iam('DeleteServiceLinkedRole', { RoleName: 'r' }), [
    'UnmodifiableEntityException',
    400,
    'Role r is not a service-linked role.',
  ])
  assert.deepEqual(await iam('DeleteServiceLinkedRole', { RoleName: 'x' }), absent('The role with name x cannot be found.'))
  assert.deepEqual(
    await iam('GetServiceLinkedRoleDeletionStatus', { DeletionTaskId: 'task/none' }),
    absent('Deletion task task/none cannot be found.'),
  )
  for (const [RoleName, Path] of [
    ['awsserviceroleforeks', '/'],
    ['x', '/aws-service-role/eks.amazonaws.com/'],
  ])
    assert.equal(at(await role(iam, RoleName as string, { Path }), 0), 'InvalidInputException')
})

test('the description of a role is written by either operation, and an hour is the session of a role that says nothing', async () => {
  const { iam } = asked()
  await role(iam, 'r', { Description: 'first', MaxSessionDuration: 7200 })
  const described = await iam('UpdateRoleDescription', { RoleName: 'r', Description: 'second' })
  assert.deepEqual([at(described, 'Role', 'Description'), at(described, 'Role', 'MaxSessionDuration')], ['second', 7200])
  await iam('UpdateRole', { RoleName: 'r', Description: 'third', MaxSessionDuration: 4000 })
  const read = await iam('GetRole', { RoleName: 'r' })
  assert.deepEqual([at(read, 'Role', 'Description'), at(read, 'Role', 'MaxSessionDuration')], ['third', 4000])
})
