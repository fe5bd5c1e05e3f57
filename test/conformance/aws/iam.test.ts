import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  AddClientIDToOpenIDConnectProviderCommand,
  AddRoleToInstanceProfileCommand,
  AttachRolePolicyCommand,
  AttachUserPolicyCommand,
  CreateAccessKeyCommand,
  CreateInstanceProfileCommand,
  CreateOpenIDConnectProviderCommand,
  CreatePolicyCommand,
  CreatePolicyVersionCommand,
  CreateRoleCommand,
  CreateUserCommand,
  DeleteOpenIDConnectProviderCommand,
  DeletePolicyCommand,
  DeletePolicyVersionCommand,
  DeleteRoleCommand,
  DeleteRolePolicyCommand,
  DetachRolePolicyCommand,
  GetOpenIDConnectProviderCommand,
  GetPolicyCommand,
  GetPolicyVersionCommand,
  GetRoleCommand,
  ListAttachedRolePoliciesCommand,
  ListOpenIDConnectProvidersCommand,
  ListPoliciesCommand,
  ListRolesCommand,
  PutRolePolicyCommand,
  RemoveClientIDFromOpenIDConnectProviderCommand,
  RemoveRoleFromInstanceProfileCommand,
  TagRoleCommand,
  UpdateRoleCommand,
} from '@aws-sdk/client-iam'
import { CreateBucketCommand, ListBucketsCommand } from '@aws-sdk/client-s3'
import { accountA, type Clients, clients, refusal } from './clients.ts'

const trust = (principal: unknown, more: object = {}): string =>
  JSON.stringify({
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Principal: principal, Action: 'sts:AssumeRole', ...more }],
  })
const own = trust({ AWS: accountA })
const allow = (action = 's3:GetObject', resource = '*'): string =>
  JSON.stringify({ Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action: action, Resource: resource }] })

const makeRole = ({ iam }: Clients, RoleName: string, AssumeRolePolicyDocument = own): Promise<unknown> =>
  iam.send(new CreateRoleCommand({ RoleName, AssumeRolePolicyDocument }))
async function makePolicy({ iam }: Clients, PolicyName: string, PolicyDocument = allow()): Promise<string> {
  return (await iam.send(new CreatePolicyCommand({ PolicyName, PolicyDocument }))).Policy?.Arn ?? ''
}
const told = async (promise: Promise<unknown>): Promise<readonly [string, number | undefined, string]> => {
  const { code, status, message } = await refusal(promise)
  return [code, status, message]
}

test('a role comes back with its document byte for byte and an hour as its longest session [#18]', async () => {
  const world = clients()
  const document =
    '{ "Version": "2012-10-17",\n "Statement": {"Effect":"Allow","Principal":{"AWS":"123456789012"},"Action":"sts:AssumeRole"} }'
  await makeRole(world, 'r', document)
  const { Role } = await world.iam.send(new GetRoleCommand({ RoleName: 'r' }))
  assert.equal(decodeURIComponent(Role?.AssumeRolePolicyDocument ?? ''), document)
  assert.equal(Role?.MaxSessionDuration, 3600)
  assert.equal(Role?.Arn, `arn:aws:iam::${accountA}:role/r`)
  assert.match(Role?.RoleId ?? '', /^AROA[A-Z2-7]{17}$/)
})

test('a second role of the name, in whatever case, is refused [#19]', async () => {
  const world = clients()
  await makeRole(world, 'r')
  assert.deepEqual(await told(makeRole(world, 'r')), ['EntityAlreadyExistsException', 409, 'Role with name r already exists.'])
  assert.deepEqual(await told(makeRole(world, 'R')), ['EntityAlreadyExistsException', 409, 'Role with name R already exists.'])
})

const faults: readonly (readonly [document: string, message: string])[] = [
  ['no json', 'Syntax errors in policy.'],
  [trust({ AWS: accountA }, { Resource: '*' }), 'Has prohibited field Resource'],
  [trust({ AWS: accountA }, { Action: 's3:GetObject' }), 'AssumeRole policy may only specify STS AssumeRole actions.'],
  ['{"Version":"2012-10-17","Statement":[]}', 'Syntax errors in policy.'],
  ['{}', 'Syntax errors in policy.'],
  [trust({ Federated: '*' }), 'Federated principals must be valid domain names or SAML metadata ARNs'],
  [
    trust({ Federated: `arn:aws-cn:iam::${accountA}:oidc-provider/x` }),
    'Federated principals must be valid domain names or SAML metadata ARNs',
  ],
  [trust({ AWS: `arn:aws:iam::${accountA}:role/*` }), `Invalid principal in policy: "AWS":"arn:aws:iam::${accountA}:role/*"`],
  [trust({ AWS: '999999999999' }), 'Invalid principal in policy: "AWS":"999999999999"'],
  [trust({ AWS: accountA }, { Condition: { StringEqual: { 'aws:x': 'y' } } }), 'Syntax errors in policy.'],
]
for (const [document, message] of faults) {
  test(`the trust policy ${document} is malformed: ${message} [#20]`, async () => {
    assert.deepEqual(await told(makeRole(clients(), 'r', document)), ['MalformedPolicyDocumentException', 400, message])
  })
}

test('faults of identity policies have their own texts [#20]', async () => {
  const world = clients()
  const rows: readonly (readonly [object, string])[] = [
    [{ Effect: 'Allow', Action: 's3:Get', Resource: '*', Principal: '*' }, 'Policy document should not specify a principal.'],
    [{ Effect: 'Allow', Resource: '*' }, 'Policy statement must contain actions.'],
    [{ Effect: 'Allow', Action: 's3:Get' }, 'Policy statement must contain resources.'],
    [{ Effect: 'Allow', Action: 's3:Get', Resource: 'bucket' }, 'Resource bucket must be in ARN format or "*".'],
    [
      { Effect: 'Allow', Action: 'GetObject', Resource: '*' },
      'Actions/Conditions must be prefaced by a vendor, e.g., iam, sdb, ec2, etc.',
    ],
    [{ Effect: 'allow', Action: 's3:Get', Resource: '*' }, 'Syntax errors in policy.'],
    [{ Effect: 'Allow', Action: 's3:Get', Resource: '*', Extra: 1 }, 'Syntax errors in policy.'],
  ]
  for (const [statement, message] of rows) {
    assert.deepEqual(await told(makePolicy(world, 'p', JSON.stringify({ Statement: statement }))), [
      'MalformedPolicyDocumentException',
      400,
      message,
    ])
  }
  const twice = [1, 2].map(() => ({ Sid: 'a', Effect: 'Allow', Action: 's3:Get', Resource: '*' }))
  assert.deepEqual(
    (await told(makePolicy(world, 'p', JSON.stringify({ Statement: twice }))))[2],
    'Statement IDs (SID) in a single policy must be unique.',
  )
})

test('a trust policy must not name a role that is absent, or too new to be seen [#21]', async () => {
  const world = clients({ knobs: { delays: { iam: 5_000 } } })
  const arn = `arn:aws:iam::${accountA}:role/first`
  const expected = ['MalformedPolicyDocumentException', 400, `Invalid principal in policy: "AWS":"${arn}"`]
  assert.deepEqual(await told(makeRole(world, 'second', trust({ AWS: arn }))), expected)
  await makeRole(world, 'first')
  assert.deepEqual(await told(makeRole(world, 'second', trust({ AWS: arn }))), expected)
  await world.clock.advance(5_000)
  await makeRole(world, 'second', trust({ AWS: arn }))
})

test('UpdateRole without a duration puts it back to an hour and keeps the description that it omits [#22]', async () => {
  const { iam, ...world } = clients()
  await makeRole({ iam, ...world }, 'r')
  await iam.send(new UpdateRoleCommand({ RoleName: 'r', MaxSessionDuration: 7200, Description: 'd' }))
  await iam.send(new UpdateRoleCommand({ RoleName: 'r' }))
  const { Role } = await iam.send(new GetRoleCommand({ RoleName: 'r' }))
  assert.deepEqual([Role?.MaxSessionDuration, Role?.Description], [3600, 'd'])
})

test('ListRoles leaves out tags and boundary, GetRole has both [#23]', async () => {
  const world = clients()
  const boundary = await makePolicy(world, 'b')
  await world.iam.send(
    new CreateRoleCommand({
      RoleName: 'r',
      AssumeRolePolicyDocument: own,
      PermissionsBoundary: boundary,
      Tags: [{ Key: 'a', Value: '' }],
    }),
  )
  const listed = (await world.iam.send(new ListRolesCommand({}))).Roles?.[0]
  assert.deepEqual([listed?.Tags, listed?.PermissionsBoundary, listed?.RoleLastUsed], [undefined, undefined, undefined])
  const { Role } = await world.iam.send(new GetRoleCommand({ RoleName: 'r' }))
  assert.deepEqual(Role?.Tags, [{ Key: 'a', Value: '' }])
  assert.deepEqual(Role?.PermissionsBoundary, { PermissionsBoundaryType: 'Policy', PermissionsBoundaryArn: boundary })
  assert.deepEqual(Role?.RoleLastUsed, {})
})

test('attaching twice is one entry, the eleventh policy is one too many [#24]', async () => {
  const world = clients()
  await makeRole(world, 'r')
  const attach = async (name: string): Promise<unknown> =>
    world.iam.send(new AttachRolePolicyCommand({ RoleName: 'r', PolicyArn: name }))
  const first = await makePolicy(world, 'p0')
  await attach(first)
  await attach(first)
  const { AttachedPolicies } = await world.iam.send(new ListAttachedRolePoliciesCommand({ RoleName: 'r' }))
  assert.deepEqual(AttachedPolicies, [{ PolicyName: 'p0', PolicyArn: first }])
  for (let index = 1; index < 10; index++) await attach(await makePolicy(world, `p${index}`))
  assert.deepEqual(await told(attach(await makePolicy(world, 'p10'))), [
    'LimitExceededException',
    409,
    'Cannot exceed quota for PoliciesPerRole: 10',
  ])
})

test('a policy that is absent cannot be attached, one that is not attached cannot be detached [#25, #26]', async () => {
  const world = clients()
  await makeRole(world, 'r')
  const PolicyArn = `arn:aws:iam::${accountA}:policy/none`
  assert.deepEqual(await told(world.iam.send(new AttachRolePolicyCommand({ RoleName: 'r', PolicyArn }))), [
    'NoSuchEntityException',
    404,
    `Policy ${PolicyArn} does not exist or is not attachable.`,
  ])
  assert.deepEqual(await told(world.iam.send(new DetachRolePolicyCommand({ RoleName: 'r', PolicyArn }))), [
    'NoSuchEntityException',
    404,
    `Policy ${PolicyArn} was not found.`,
  ])
})

test('a role goes only without policies and profiles, and only once [#27]', async () => {
  const world = clients()
  const { iam } = world
  await makeRole(world, 'r')
  const PolicyArn = await makePolicy(world, 'p')
  const remove = (): Promise<unknown> => iam.send(new DeleteRoleCommand({ RoleName: 'r' }))
  await iam.send(new AttachRolePolicyCommand({ RoleName: 'r', PolicyArn }))
  await iam.send(new PutRolePolicyCommand({ RoleName: 'r', PolicyName: 'i', PolicyDocument: allow() }))
  await iam.send(new CreateInstanceProfileCommand({ InstanceProfileName: 'ip' }))
  await iam.send(new AddRoleToInstanceProfileCommand({ InstanceProfileName: 'ip', RoleName: 'r' }))
  const conflict = (message: string): readonly unknown[] => ['DeleteConflictException', 409, message]
  assert.deepEqual(await told(remove()), conflict('Cannot delete entity, must detach all policies first.'))
  await iam.send(new DetachRolePolicyCommand({ RoleName: 'r', PolicyArn }))
  assert.deepEqual(await told(remove()), conflict('Cannot delete entity, must delete policies first.'))
  await iam.send(new DeleteRolePolicyCommand({ RoleName: 'r', PolicyName: 'i' }))
  assert.deepEqual(await told(remove()), conflict('Cannot delete entity, must remove roles from instance profile first.'))
  await iam.send(new RemoveRoleFromInstanceProfileCommand({ InstanceProfileName: 'ip', RoleName: 'r' }))
  await remove()
  assert.deepEqual(await told(remove()), ['NoSuchEntityException', 404, 'The role with name r cannot be found.'])
})

test('five versions are enough, the default stays, numbers are not used again [#28]', async () => {
  const world = clients()
  const { iam } = world
  const PolicyArn = await makePolicy(world, 'p')
  const version = async (): Promise<string | undefined> =>
    (await iam.send(new CreatePolicyVersionCommand({ PolicyArn, PolicyDocument: allow() }))).PolicyVersion?.VersionId
  for (const id of ['v2', 'v3', 'v4', 'v5']) assert.equal(await version(), id)
  assert.deepEqual(await told(version()), [
    'LimitExceededException',
    409,
    'A managed policy can have up to 5 versions. Before you create a new version, you must delete an existing version.',
  ])
  assert.deepEqual(await told(iam.send(new DeletePolicyVersionCommand({ PolicyArn, VersionId: 'v1' }))), [
    'DeleteConflictException',
    409,
    'Cannot delete the default version of a policy.',
  ])
  await iam.send(new DeletePolicyVersionCommand({ PolicyArn, VersionId: 'v2' }))
  assert.equal(await version(), 'v6')
})

test('a policy goes only when it is detached and has one version [#29]', async () => {
  const world = clients()
  const { iam } = world
  await makeRole(world, 'r')
  const PolicyArn = await makePolicy(world, 'p')
  const remove = (): Promise<unknown> => iam.send(new DeletePolicyCommand({ PolicyArn }))
  await iam.send(new AttachRolePolicyCommand({ RoleName: 'r', PolicyArn }))
  assert.deepEqual(await told(remove()), ['DeleteConflictException', 409, 'Cannot delete a policy attached to entities.'])
  await iam.send(new DetachRolePolicyCommand({ RoleName: 'r', PolicyArn }))
  await iam.send(new CreatePolicyVersionCommand({ PolicyArn, PolicyDocument: allow(), SetAsDefault: true }))
  assert.match((await told(remove()))[2], /^This policy has more than one version\./)
  await iam.send(new DeletePolicyVersionCommand({ PolicyArn, VersionId: 'v1' }))
  await remove()
})

test('white space does not count against the size of a policy [#30]', async () => {
  const world = clients()
  const sized = (size: number): string => {
    const base = allow('s3:GetObject', 'arn:aws:s3:::')
    return base.replace('arn:aws:s3:::', `arn:aws:s3:::${'x'.repeat(size - base.length)}`)
  }
  assert.deepEqual(await told(makePolicy(world, 'a', sized(6145))), [
    'LimitExceededException',
    409,
    'Cannot exceed quota for PolicySize: 6144',
  ])
  await makePolicy(world, 'a', JSON.stringify(JSON.parse(sized(6144)), undefined, 8))
})

test("AWS's policies can be attached and not changed [#31]", async () => {
  const world = clients()
  await makeRole(world, 'r')
  const PolicyArn = 'arn:aws:iam::aws:policy/ReadOnlyAccess'
  await world.iam.send(new AttachRolePolicyCommand({ RoleName: 'r', PolicyArn }))
  const { code, status } = await refusal(world.iam.send(new CreatePolicyVersionCommand({ PolicyArn, PolicyDocument: allow() })))
  assert.deepEqual([code, status], ['AccessDenied', 403])
  const { Policy } = await world.iam.send(new GetPolicyCommand({ PolicyArn }))
  const VersionId = Policy?.DefaultVersionId ?? ''
  const { PolicyVersion } = await world.iam.send(new GetPolicyVersionCommand({ PolicyArn, VersionId }))
  assert.equal(JSON.parse(decodeURIComponent(PolicyVersion?.Document ?? '')).Version, '2012-10-17')
})

test('fifty tags and no more, and keys that differ in case only are one key [#32]', async () => {
  const world = clients()
  await makeRole(world, 'r')
  const tags = (count: number, prefix = 'k'): { Key: string; Value: string }[] =>
    Array.from({ length: count }, (_, index) => ({ Key: `${prefix}${index}`, Value: 'v' }))
  const tag = (Tags: { Key: string; Value: string }[]): Promise<unknown> =>
    world.iam.send(new TagRoleCommand({ RoleName: 'r', Tags }))
  const many = await refusal(tag(tags(51)))
  assert.deepEqual([many.code, many.status], ['ValidationError', 400])
  await tag(tags(50))
  await tag(tags(1, 'K'))
  const more = await refusal(tag(tags(1, 'other')))
  assert.deepEqual([more.code, more.status], ['LimitExceededException', 409])
  assert.deepEqual(
    await told(
      tag([
        { Key: 'A', Value: '' },
        { Key: 'a', Value: '' },
      ]),
    ),
    ['InvalidInputException', 400, 'Duplicate tag keys found. Please note that Tag keys are case insensitive.'],
  )
})

const provider = (
  { iam }: Clients,
  Url: string,
  more: { ThumbprintList?: string[]; ClientIDList?: string[] } = {},
): Promise<{ OpenIDConnectProviderArn?: string | undefined }> =>
  iam.send(new CreateOpenIDConnectProviderCommand({ Url, ...more }))

test('a provider of an issuer in the emulated S3 needs no thumbprint; plain http and queries are refused [#33]', async () => {
  const world = clients()
  const { OpenIDConnectProviderArn } = await provider(world, 'https://s3.eu-west-1.amazonaws.com/b')
  assert.equal(OpenIDConnectProviderArn, `arn:aws:iam::${accountA}:oidc-provider/s3.eu-west-1.amazonaws.com/b`)
  const { ThumbprintList } = await world.iam.send(new GetOpenIDConnectProviderCommand({ OpenIDConnectProviderArn }))
  assert.equal(ThumbprintList?.length, 1)
  assert.match(ThumbprintList?.[0] ?? '', /^[0-9a-f]{40}$/)
  assert.equal((await refusal(provider(world, 'http://s3.amazonaws.com/b'))).message, 'Invalid Open ID Connect Provider URL')
  assert.equal((await refusal(provider(world, 'https://s3.amazonaws.com/b?x=1'))).message, 'Invalid Open ID Connect Provider URL')
  assert.equal((await refusal(provider(world, 'https://nowhere.example'))).code, 'OpenIdIdpCommunicationErrorException')
})

test('the same URL again is refused; with a trailing slash it is another provider [#34]', async () => {
  const world = clients()
  const url = 'https://s3.amazonaws.com/b'
  await provider(world, url)
  assert.deepEqual(await told(provider(world, url)), [
    'EntityAlreadyExistsException',
    409,
    `Provider with url ${url} already exists.`,
  ])
  assert.match((await provider(world, `${url}/`)).OpenIDConnectProviderArn ?? '', /\/b\/$/)
})

test('reads show the URL without scheme; client ids and deletion are idempotent [#35, #36, #37]', async () => {
  const world = clients()
  const { iam } = world
  const { OpenIDConnectProviderArn } = await provider(world, 'https://s3.amazonaws.com/b')
  assert.equal((await iam.send(new GetOpenIDConnectProviderCommand({ OpenIDConnectProviderArn }))).Url, 's3.amazonaws.com/b')
  assert.deepEqual((await iam.send(new ListOpenIDConnectProvidersCommand({}))).OpenIDConnectProviderList, [
    { Arn: OpenIDConnectProviderArn },
  ])
  for (const _ of [1, 2])
    await iam.send(new AddClientIDToOpenIDConnectProviderCommand({ OpenIDConnectProviderArn, ClientID: 'c' }))
  assert.deepEqual((await iam.send(new GetOpenIDConnectProviderCommand({ OpenIDConnectProviderArn }))).ClientIDList, ['c'])
  for (const _ of [1, 2])
    await iam.send(new RemoveClientIDFromOpenIDConnectProviderCommand({ OpenIDConnectProviderArn, ClientID: 'c' }))
  assert.deepEqual((await iam.send(new GetOpenIDConnectProviderCommand({ OpenIDConnectProviderArn }))).ClientIDList, [])
  for (const _ of [1, 2]) await iam.send(new DeleteOpenIDConnectProviderCommand({ OpenIDConnectProviderArn }))
  assert.deepEqual(await told(iam.send(new GetOpenIDConnectProviderCommand({ OpenIDConnectProviderArn }))), [
    'NoSuchEntityException',
    404,
    `OpenIDConnect Provider not found for arn ${OpenIDConnectProviderArn}`,
  ])
})

test('six thumbprints are too many, and one of 39 digits is no thumbprint [#38]', async () => {
  const world = clients({ signatures: 'off' })
  const { code, status } = await refusal(
    provider(world, 'https://s3.amazonaws.com/b', { ThumbprintList: Array.from({ length: 6 }, () => 'a'.repeat(40)) }),
  )
  assert.deepEqual([code, status], ['InvalidInputException', 400])
  const form = `Action=CreateOpenIDConnectProvider&Version=2010-05-08&Url=https%3A%2F%2Fs3.amazonaws.com%2Fb&ThumbprintList.member.1=${'a'.repeat(39)}`
  const reply = await world.raw({
    method: 'POST',
    target: '/',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: form,
  })
  assert.equal(reply.status, 400)
  assert.match(
    reply.text,
    /<Code>ValidationError<\/Code><Message>1 validation error detected: Value .*\[a{39}\].* at 'thumbprintList' failed to satisfy constraint: Member must satisfy constraint: \[Member must have length less than or equal to 40, Member must have length greater than or equal to 40\]</,
  )
})

test('a role beyond the quota is refused [#39]', async () => {
  const world = clients({ knobs: { quotas: { roles: 3 } } })
  for (const name of ['a', 'b', 'c']) await makeRole(world, name)
  assert.deepEqual(await told(makeRole(world, 'd')), [
    'LimitExceededException',
    409,
    'Cannot exceed quota for RolesPerAccount: 3',
  ])
})

test('a role that is made again is not the role that a trust policy named [#40]', async () => {
  const world = clients()
  await makeRole(world, 'caller')
  const { Role } = await world.iam.send(new GetRoleCommand({ RoleName: 'caller' }))
  const named = trust({ AWS: Role?.Arn })
  await makeRole(world, 'target', named)
  const shown = async (): Promise<string> =>
    decodeURIComponent((await world.iam.send(new GetRoleCommand({ RoleName: 'target' }))).Role?.AssumeRolePolicyDocument ?? '')
  assert.equal(await shown(), named)
  await world.iam.send(new DeleteRoleCommand({ RoleName: 'caller' }))
  await makeRole(world, 'caller')
  assert.equal(await shown(), trust({ AWS: Role?.RoleId }))
})

test('the managed policies that people attach most are there, with the documents of AWS', async () => {
  const { iam } = clients({ signatures: 'parse' })
  const listed: string[] = []
  for (let Marker: string | undefined, more = true; more; ) {
    const page = await iam.send(new ListPoliciesCommand({ Scope: 'AWS', ...(Marker !== undefined && { Marker }) }))
    listed.push(...(page.Policies ?? []).map(({ Arn = '' }) => Arn))
    Marker = page.Marker
    more = page.IsTruncated === true
  }
  assert.ok(listed.length >= 60, `${listed.length} are there`)
  assert.equal(new Set(listed).size, listed.length)
  const documentOf = async (PolicyArn: string): Promise<string> => {
    const { Policy } = await iam.send(new GetPolicyCommand({ PolicyArn }))
    const at = { PolicyArn, VersionId: Policy?.DefaultVersionId ?? '' }
    const { PolicyVersion } = await iam.send(new GetPolicyVersionCommand(at))
    return decodeURIComponent(PolicyVersion?.Document ?? '')
  }
  for (const [name, action] of [
    ['service-role/AmazonEBSCSIDriverPolicy', 'ec2:CreateSnapshot'],
    ['AmazonSSMManagedInstanceCore', 'ssmmessages:OpenDataChannel'],
    ['AmazonEC2ReadOnlyAccess', 'ec2:Describe*'],
    ['CloudWatchAgentServerPolicy', 'cloudwatch:PutMetricData'],
    ['job-function/ViewOnlyAccess', 's3:ListAllMyBuckets'],
    ['IAMUserChangePassword', 'arn:aws:iam::*:user/${aws:username}'],
  ] as const) {
    const document = await documentOf(`arn:aws:iam::aws:policy/${name}`)
    assert.ok(document.includes(`"${action}"`), `${name} without ${action}`)
  }
})

test('a user with a managed policy of AWS may do what its document says, and nothing else', async () => {
  const world = clients({ enforce: 'full' })
  await world.iam.send(new CreateUserCommand({ UserName: 'reader' }))
  const PolicyArn = 'arn:aws:iam::aws:policy/AmazonS3ReadOnlyAccess'
  await world.iam.send(new AttachUserPolicyCommand({ UserName: 'reader', PolicyArn }))
  const { AccessKey } = await world.iam.send(new CreateAccessKeyCommand({ UserName: 'reader' }))
  const { AccessKeyId: accessKeyId = '', SecretAccessKey: secretAccessKey = '' } = AccessKey ?? {}
  const { s3, iam } = world.as({ credentials: { accessKeyId, secretAccessKey } })
  await s3.send(new ListBucketsCommand({}))
  assert.equal((await refusal(s3.send(new CreateBucketCommand({ Bucket: 'mine' })))).code, 'AccessDenied')
  assert.equal((await refusal(iam.send(new ListPoliciesCommand({})))).code, 'AccessDenied')
})
