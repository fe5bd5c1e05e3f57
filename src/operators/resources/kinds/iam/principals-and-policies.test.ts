// The exact calls by which IAM is told what differs, and what is read beside the read.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AwsError } from '#aws'
import { annotations, type Resource } from '../../api.ts'
import { textOf } from '../../model/convert.ts'
import type { Content, Values } from '../../model/request.ts'
import { renderIntent } from '../../ownership/intent-text.ts'
import { type Answer, answering } from '../../testing/answers.ts'
import { modelOf } from '../../testing/parts.ts'
import type { Deviation, SyncContext } from '../deviation.ts'
import { iamInstanceProfile } from './instance-profile.ts'
import { iamOidcProvider } from './oidc-provider.ts'
import { iamPolicy } from './policy.ts'
import { iamGroup, iamRole, iamUser } from './principal.ts'
import { iamServiceLinkedRole } from './service-linked-role.ts'

const content = (spec: object, more: object = {}): Content => ({ spec, status: {}, ...more }) as Content
const place = { account: '111122223333', partition: 'aws', region: 'eu-west-1' }
const claimOf = (metadata: object = {}): Resource => ({ metadata: { name: 'x', ...metadata } }) as unknown as Resource
const error = (code: string): AwsError =>
  new AwsError({
    service: 'iam',
    operation: 'Get',
    code,
    httpStatus: code === 'NoSuchEntity' ? 404 : 403,
    requestId: 'r',
    message: code,
  })

const roleModel = modelOf('iam', 'Role')
const tags = (...keys: readonly string[]) => keys.map(key => ({ key, value: 'x' }))
const document = (Action: string): string =>
  JSON.stringify({ Version: '2012-10-17', Statement: [{ Effect: 'Allow', Action, Resource: '*' }] })

function sync(deviation: Deviation, wanted: object, latest: object, more: Partial<SyncContext> = {}) {
  const context = {
    model: roleModel,
    wanted: content({ name: 'r', ...wanted }),
    latest: content({ name: 'r', ...latest }, { arn: 'arn' }),
    isNew: false,
    delta: [] as string[],
    ...more,
  }
  return (deviation.sync?.(context as never) ?? []).map(({ operation, input, tolerates }) =>
    [
      operation,
      ...Object.entries(input).map(([name, value]) => `${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`),
      ...(tolerates ?? []),
    ].join(' '),
  )
}

const rows: readonly (readonly [
  what: string,
  wanted: object,
  latest: object,
  more: Partial<SyncContext>,
  calls: readonly string[],
])[] = [
  ['nothing', { tags: tags('a'), permissionsBoundary: 'b' }, { tags: tags('a'), permissionsBoundary: 'b' }, {}, []],
  [
    'a policy for another',
    { policies: ['p', 'q', 'q'] },
    { policies: ['p', 'o'] },
    {},
    ['AttachRolePolicy RoleName=r PolicyArn=q', 'DetachRolePolicy RoleName=r PolicyArn=o NoSuchEntity'],
  ],
  [
    'inline policies',
    { inlinePolicies: { a: document('s3:*'), b: document('b:*'), toString: 'x' } },
    { inlinePolicies: { a: `${document('s3:*')} `, b: document('c:*'), d: '{}' } },
    {},
    [
      `PutRolePolicy RoleName=r PolicyName=b PolicyDocument=${document('b:*')}`,
      'PutRolePolicy RoleName=r PolicyName=toString PolicyDocument=x',
      'DeleteRolePolicy RoleName=r PolicyName=d NoSuchEntity',
    ],
  ],
  [
    'a tag for another',
    { tags: tags('a') },
    { tags: tags('b') },
    {},
    ['UntagRole RoleName=r TagKeys=["b"]', 'TagRole RoleName=r Tags=[{"Key":"a","Value":"x"}]'],
  ],
  ['a boundary', { permissionsBoundary: 'b' }, {}, {}, ['PutRolePermissionsBoundary RoleName=r PermissionsBoundary=b']],
  [
    'another boundary',
    { permissionsBoundary: 'b' },
    { permissionsBoundary: 'c' },
    {},
    ['PutRolePermissionsBoundary RoleName=r PermissionsBoundary=b'],
  ],
  ['a boundary that goes', {}, { permissionsBoundary: 'c' }, {}, ['DeleteRolePermissionsBoundary RoleName=r NoSuchEntity']],
  [
    'a boundary that is emptied',
    { permissionsBoundary: '' },
    { permissionsBoundary: 'c' },
    {},
    ['DeleteRolePermissionsBoundary RoleName=r NoSuchEntity'],
  ],
  ['an empty boundary where there is none', { permissionsBoundary: '' }, {}, {}, []],
  [
    'whom it trusts',
    { assumeRolePolicyDocument: '{}' },
    {},
    { delta: ['Spec.AssumeRolePolicyDocument'] },
    ['UpdateAssumeRolePolicy RoleName=r PolicyDocument={}'],
  ],
  [
    'everything of a new one',
    { policies: ['p'], tags: tags('a'), permissionsBoundary: 'b', assumeRolePolicyDocument: '{}' },
    {},
    { isNew: true, delta: ['Spec.AssumeRolePolicyDocument'] },
    ['AttachRolePolicy RoleName=r PolicyArn=p'],
  ],
]

for (const [what, wanted, latest, more, calls] of rows)
  test(`a role of which ${what} differs is changed by ${calls.length} calls`, () =>
    assert.deepEqual(sync(iamRole, wanted, latest, more), calls))

test('a group has neither tags nor a boundary; a user has both', () => {
  const wanted = { tags: tags('a'), permissionsBoundary: 'b' }
  assert.deepEqual(sync(iamGroup, wanted, {}), [])
  assert.deepEqual(sync(iamUser, wanted, {}), [
    'TagUser UserName=r Tags=[{"Key":"a","Value":"x"}]',
    'PutUserPermissionsBoundary UserName=r PermissionsBoundary=b',
  ])
})

test('what a principal holds is taken from it before it goes', () => {
  const latest = content({ name: 'r', policies: ['p'], inlinePolicies: { a: '{}' } })
  const calls = iamGroup.beforeDelete?.({ latest } as never) ?? []
  assert.deepEqual(
    calls.map(({ operation, input, tolerates }) => [operation, input, tolerates]),
    [
      ['DetachGroupPolicy', { GroupName: 'r', PolicyArn: 'p' }, ['NoSuchEntity']],
      ['DeleteGroupPolicy', { GroupName: 'r', PolicyName: 'a' }, ['NoSuchEntity']],
    ],
  )
})

test('a path is what an update of a user or a group changes, and of a role nothing of it', () => {
  const context = { wanted: content({ path: '/p/' }) } as never
  assert.deepEqual(iamUser.update?.({ UserName: 'u', NewUserName: 'v' }, context), { UserName: 'u', NewPath: '/p/' })
  assert.deepEqual(iamGroup.update?.({ GroupName: 'g', NewGroupName: 'h' }, context), { GroupName: 'g', NewPath: '/p/' })
  assert.deepEqual(
    [iamRole.update, iamUser.own?.includes('AssumeRolePolicyDocument'), iamRole.own?.includes('AssumeRolePolicyDocument')],
    [undefined, false, true],
  )
})

test('roles that AWS made for its services are not exported as roles', () => {
  const skips = (Path?: string) => iamRole.exported?.skips?.({ Path })
  assert.deepEqual([skips('/aws-service-role/x/'), skips('/'), skips()], [true, false, false])
})

const sameInline = (wanted: unknown, latest: unknown) => iamRole.same?.['InlinePolicies']?.(wanted, latest, {} as never)

for (const [what, wanted, latest, same] of [
  ['none and none', undefined, {}, true],
  ['the same in other words', { a: document('s3:*') }, { a: `${document('s3:*')} ` }, true],
  ['one more', { a: '{}', b: '{}' }, { a: '{}' }, false],
  ['one less', { a: '{}' }, { a: '{}', b: '{}' }, false],
  ['another name', { a: '{}' }, { b: '{}' }, false],
  ['a name that objects have', { toString: '{}' }, { b: '{}' }, false],
  ['another document in one of two', { a: document('s3:*'), b: '{}' }, { a: document('iam:*'), b: '{}' }, false],
] as const)
  test(`inline policies, ${what}, ${same ? 'are as they are wanted' : 'differ'}`, () =>
    assert.equal(sameInline(wanted, latest), same))

const quiet = { ListAttachedRolePolicies: {}, ListRolePolicies: {} }

async function readMore(answers: Readonly<Record<string, Answer>>, found: Content, wanted = content({ name: 'r' })) {
  const { caller, asked } = answering({ ...quiet, ...answers })
  return { more: await iamRole.readMore?.({ caller, wanted } as never, found), asked }
}

test('a role is read with what is attached to it and written into it', async () => {
  const { more, asked } = await readMore(
    {
      ListAttachedRolePolicies: { AttachedPolicies: [{ PolicyArn: 'p' }] },
      ListRolePolicies: { PolicyNames: ['a', 'gone'] },
      GetRolePolicy: ({ PolicyName }) => {
        if (PolicyName === 'gone') throw error('NoSuchEntity')
        return { PolicyDocument: encodeURIComponent(document('s3:*')) }
      },
    },
    content({ assumeRolePolicyDocument: encodeURIComponent('{"a":1}') }),
  )
  assert.deepEqual(more?.spec, { assumeRolePolicyDocument: '{"a":1}', policies: ['p'], inlinePolicies: { a: document('s3:*') } })
  assert.deepEqual(asked[0], ['ListAttachedRolePolicies', { RoleName: 'r' }])
  assert.deepEqual(asked.at(-1), ['GetRolePolicy', { RoleName: 'r', PolicyName: 'gone' }])
})

test('a role that holds nothing says nothing of it, and is asked for by the name that it has', async () => {
  const { more, asked } = await readMore({}, content({ name: 'held', policies: ['p'], inlinePolicies: { a: 'b' } }))
  assert.deepEqual(more?.spec, { name: 'held' })
  assert.deepEqual(asked[0]?.[1], { RoleName: 'held' })
})

test('an inline policy that may not be read is no policy that is gone', async () => {
  const answers = { ListRolePolicies: { PolicyNames: ['a'] } }
  await assert.rejects(readMore({ ...answers, GetRolePolicy: error('AccessDenied') }, content({})), /AccessDenied/)
  await assert.rejects(readMore({ ...answers, GetRolePolicy: new Error('broken') }, content({})), /broken/)
  const { more } = await readMore({ ...answers, GetRolePolicy: {} }, content({}))
  assert.deepEqual(more?.spec['inlinePolicies'], { a: '' })
})

test('the ARN of a policy follows from its path and name', () => {
  const arnOf = (spec: object) => iamPolicy.arnOf?.(content({ name: 'p', ...spec }), place as never)
  assert.deepEqual(
    [arnOf({}), arnOf({ path: '/team/' })],
    ['arn:aws:iam::111122223333:policy/p', 'arn:aws:iam::111122223333:policy/team/p'],
  )
})

const Versions = [
  { VersionId: 'v2', IsDefaultVersion: true, CreateDate: new Date(2_000) },
  { VersionId: 'v1', IsDefaultVersion: false, CreateDate: new Date(1_000) },
  { VersionId: 'v3' },
]

async function readPolicy(metadata: object, wanted: string) {
  const { caller, asked } = answering({
    GetPolicyVersion: { PolicyVersion: { Document: encodeURIComponent(document('s3:*')) } },
    ListPolicyVersions: { Versions },
  })
  const found = content({ name: 'p' }, { arn: 'arn', status: { defaultVersionID: 'v2' } })
  const context = { caller, wanted: content({ policyDocument: wanted }), claim: claimOf(metadata) }
  return { more: await iamPolicy.readMore?.(context as never, found), asked: asked.map(([operation]) => operation) }
}

test('the versions of a policy are listed where one has to make room, or all have to go', async () => {
  const rested = await readPolicy({}, document('s3:*'))
  assert.deepEqual(
    [rested.asked, rested.more?.extra, rested.more?.spec],
    [['GetPolicyVersion'], undefined, { name: 'p', policyDocument: document('s3:*') }],
  )
  const versions = [
    { id: 'v2', isDefault: true, createdMs: 2_000 },
    { id: 'v1', isDefault: false, createdMs: 1_000 },
    { id: 'v3', isDefault: false, createdMs: 0 },
  ]
  assert.deepEqual((await readPolicy({}, document('iam:*'))).more?.extra, { versions })
  assert.deepEqual((await readPolicy({ deletionTimestamp: 'now' }, document('s3:*'))).more?.extra, { versions })
})

const version = (id: string, createdMs: number, isDefault = false) => ({ id, isDefault, createdMs })

function syncPolicy(versions: readonly object[] | undefined, more: Partial<SyncContext> = {}) {
  const latest = content({ name: 'p' }, { arn: 'arn', ...(versions === undefined ? {} : { extra: { versions } }) })
  const context = {
    model: modelOf('iam', 'Policy'),
    wanted: content({ policyDocument: 'd' }),
    latest,
    isNew: false,
    delta: ['Spec.PolicyDocument'],
    ...more,
  }
  return (iamPolicy.sync?.(context as never) ?? []).map(({ operation, input }) => [
    operation,
    input['VersionId'] ?? input['PolicyDocument'] ?? input['TagKeys'] ?? input['Tags'],
    ...(input['SetAsDefault'] === true ? ['default'] : []),
  ])
}
const four = [version('v2', 5, true), version('v3', 4), version('v4', 3), version('v5', 3)]

for (const [what, versions, removed] of [
  ['none that is known', undefined, undefined],
  ['four', four, undefined],
  ['five, of which one is the oldest', [...four, version('v6', 2)], 'v6'],
  ['five, of which the default is the oldest', [version('v2', 1, true), ...four.slice(1), version('v6', 9)], 'v4'],
  [
    'five of one time',
    [version('v11', 1), version('v10', 1), version('v9', 1), version('v12', 1), version('v13', 1, true)],
    'v9',
  ],
] as const)
  test(`before a policy with versions, ${what}, gets another, ${removed ?? 'none'} goes`, () => {
    const made = ['CreatePolicyVersion', 'd', 'default']
    assert.deepEqual(syncPolicy(versions), removed === undefined ? [made] : [['DeletePolicyVersion', removed], made])
  })

test('a policy whose document is as it is wanted gets its tags alone, and a new one nothing', () => {
  const wanted = content({ tags: tags('a') })
  const latest = content({ tags: tags('b') }, { arn: 'arn' })
  assert.deepEqual(syncPolicy(undefined, { delta: [], wanted, latest }), [
    ['UntagPolicy', ['b']],
    ['TagPolicy', [{ Key: 'a', Value: 'x' }]],
  ])
  assert.deepEqual(syncPolicy(undefined, { delta: [], wanted, latest: wanted }), [])
  assert.deepEqual(syncPolicy(undefined, { isNew: true, wanted }), [])
})

test('all versions of a policy but the default go before it', () => {
  const latest = content({}, { arn: 'arn', extra: { versions: four } })
  assert.deepEqual(
    iamPolicy.beforeDelete?.({ latest } as never).map(({ input }) => input['VersionId']),
    ['v3', 'v4', 'v5'],
  )
})

const linkedModel = modelOf('iam', 'ServiceLinkedRole')
const arn = 'arn:aws:iam::111122223333:role/aws-service-role/x/AWSRoleForX'
const begun = claimOf({ annotations: { [annotations.createIntent]: renderIntent({ token: 't', atMs: 0, prints: [] }) } })
const role = (more: object = {}): Values => ({
  Role: { RoleName: 'AWSRoleForX', Arn: arn, Path: '/', RoleId: 'A', CreateDate: new Date(0), ...more },
})
const names = (...all: readonly string[]) => ({ Roles: all.map(RoleName => ({ RoleName })) })

async function readLinked(wanted: Content, claim: Resource, answers: Readonly<Record<string, Answer>> = {}) {
  const { caller, asked } = answering({ GetRole: role(), ...answers })
  const found = await iamServiceLinkedRole.read?.({ model: linkedModel, wanted, caller, claim } as never)
  return { found, asked: asked.map(([, input]) => Object.values(input)[0]) }
}
const linked = (more: object = {}, at: object = {}) => content({ awsServiceName: 'x', description: 'old', ...more }, at)

for (const [what, wanted, claim, pages, asked] of [
  ['its name is on record', linked({}, { status: { roleName: 'R' } }), claimOf(), [], ['R']],
  ['its ARN is on record', linked({}, { arn }), claimOf(), [], ['AWSRoleForX']],
  ['nothing was begun', linked(), claimOf(), [], []],
  ['its name on record is empty', linked({}, { status: { roleName: '' } }), claimOf(), [], []],
  [
    'its call got no answer',
    linked(),
    begun,
    [names('AWSRoleForX_s'), names('AWSRoleForX')],
    ['/aws-service-role/x/', 'AWSRoleForX'],
  ],
  [
    'its call with a suffix got no answer',
    linked({ customSuffix: 's' }),
    begun,
    [names('AWSRoleForX', 'AWSRoleForX_s')],
    ['/aws-service-role/x/', 'AWSRoleForX_s'],
  ],
  [
    'its call with an empty suffix got no answer',
    linked({ customSuffix: '' }),
    begun,
    [names('A_s', 'B')],
    ['/aws-service-role/x/', 'B'],
  ],
  ['its call made nothing', linked(), begun, [names('AWSRoleForX_s')], ['/aws-service-role/x/']],
] as const)
  test(`of a service-linked role ${what}: ${asked.length} questions`, async () => {
    const { found, asked: questions } = await readLinked(wanted, claim, { ListRoles: pages })
    assert.deepEqual([questions, found !== undefined], [asked, asked.length > 0 && !String(asked.at(-1)).startsWith('/')])
  })

test('a service-linked role has the description, the ARN and the facts that IAM tells', async () => {
  const wanted = linked({}, { arn, status: { kept: 1 } })
  const { found } = await readLinked(wanted, claimOf(), {
    GetRole: role({ Description: 'new', AssumeRolePolicyDocument: '%7B%7D' }),
  })
  assert.deepEqual([found?.spec, found?.arn], [{ awsServiceName: 'x', description: 'new' }, arn])
  assert.deepEqual(
    [found?.status['roleName'], found?.status['assumeRolePolicyDocument'], found?.status['kept']],
    ['AWSRoleForX', '{}', 1],
  )
  for (const Description of ['', undefined]) {
    const silent = await readLinked(wanted, claimOf(), { GetRole: role({ Description }) })
    assert.deepEqual(silent.found?.spec, { awsServiceName: 'x' })
  }
  assert.equal((await readLinked(wanted, claimOf(), { GetRole: {} })).found, undefined)
})

test('a service-linked role that is younger than our call by a minute at most is what it made', () => {
  const proves = (createDate: string) =>
    iamServiceLinkedRole.proves?.(content({}, { status: { createDate } }), { intent: { atMs: 100_000 } } as never)
  assert.deepEqual(['1970-01-01T00:00:39.999Z', '1970-01-01T00:00:40Z', 'x'].map(proves), [false, true, false])
})

test('a service-linked role is looked for in a list while neither its name nor its ARN is known, and described anew', () => {
  const finds = (status: object, held?: string) =>
    iamServiceLinkedRole.findsByList?.(content({}, { status, ...(held === undefined ? {} : { arn: held }) }))
  assert.deepEqual([finds({}), finds({ roleName: 'R' }), finds({}, arn)], [true, false, false])
  const described = (description: string | undefined, isNew: boolean) =>
    iamServiceLinkedRole
      .sync?.({ wanted: content({ description }), latest: content({}, { status: { roleName: 'R' } }), isNew } as never)
      .map(({ input }) => input)
  assert.deepEqual(described('d', false), [{ RoleName: 'R', Description: 'd' }])
  assert.deepEqual(described(undefined, false), [{ RoleName: 'R', Description: '' }])
  assert.deepEqual(described('d', true), [])
})

const url = 'https://oidc.example.com/id'

test('a provider is the same with its scheme and without, and keeps the spelling of its manifest', async () => {
  const same = (wanted: unknown, latest: unknown) => iamOidcProvider.same?.['URL']?.(wanted, latest, {} as never)
  assert.deepEqual([same(url, 'oidc.example.com/id'), same(url, 'oidc.example.com'), same(undefined, '')], [true, false, true])
  const read = async (held: string) =>
    (await iamOidcProvider.readMore?.({ wanted: content({ url }) } as never, content({ url: held })))?.spec
  assert.deepEqual([await read('oidc.example.com/id'), await read('other')], [{ url }, { url: 'other' }])
  assert.equal(
    iamOidcProvider.arnOf?.(content({ url: `${url}/` }), place as never),
    'arn:aws:iam::111122223333:oidc-provider/oidc.example.com/id',
  )
})

test('client ids of a provider come and go one by one, thumbprints all at once, tags by themselves', () => {
  const model = modelOf('iam', 'OpenIDConnectProvider')
  const calls = (wanted: object, latest: object, more: Partial<SyncContext> = {}) =>
    iamOidcProvider
      .sync?.({
        model,
        wanted: content(wanted),
        latest: content(latest, { arn: 'arn' }),
        isNew: false,
        delta: [],
        ...more,
      } as never)
      .map(({ operation, input: { OpenIDConnectProviderArn: at, ...input } }) => [operation, at, ...Object.values(input)])
  assert.deepEqual(calls({ tags: tags('a'), clientIDs: ['c'] }, { tags: tags('a'), clientIDs: ['c'] }), [])
  assert.deepEqual(calls({ tags: tags('a'), clientIDs: ['c'] }, {}, { isNew: true }), [])
  assert.deepEqual(
    calls(
      { tags: tags('a'), clientIDs: ['c', 'd'], thumbprints: ['t'] },
      { tags: tags('b'), clientIDs: ['c', 'e'] },
      { delta: ['Spec.Thumbprints'] },
    ),
    [
      ['UpdateOpenIDConnectProviderThumbprint', 'arn', ['t']],
      ['AddClientIDToOpenIDConnectProvider', 'arn', 'd'],
      ['RemoveClientIDFromOpenIDConnectProvider', 'arn', 'e'],
      ['UntagOpenIDConnectProvider', 'arn', ['b']],
      ['TagOpenIDConnectProvider', 'arn', [{ Key: 'a', Value: 'x' }]],
    ],
  )
})

test('the role of an instance profile is read, put in, taken out and exchanged', async () => {
  const read = async (Roles: readonly object[]) => {
    const { caller } = answering({ GetInstanceProfile: { InstanceProfile: { Roles } } })
    return (
      await iamInstanceProfile.readMore?.(
        { caller, wanted: content({ name: 'p' }) } as never,
        content({ name: 'p', role: 'old' }),
      )
    )?.spec
  }
  assert.deepEqual([await read([{ RoleName: 'r' }]), await read([])], [{ name: 'p', role: 'r' }, { name: 'p' }])
  const calls = (want: string | undefined, have: string | undefined) =>
    iamInstanceProfile
      .sync?.({
        wanted: content({ name: 'p', ...(want && { role: want }) }),
        latest: content({ name: 'p', ...(have && { role: have }) }),
      } as never)
      .map(({ operation, input }) => `${operation} ${textOf(input['RoleName'])}`)
  assert.deepEqual(calls('r', 'r'), [])
  assert.deepEqual(calls('r', undefined), ['AddRoleToInstanceProfile r'])
  assert.deepEqual(calls(undefined, 'r'), ['RemoveRoleFromInstanceProfile r'])
  assert.deepEqual(calls('r', 'o'), ['RemoveRoleFromInstanceProfile o', 'AddRoleToInstanceProfile r'])
  const before = (spec: object) => iamInstanceProfile.beforeDelete?.({ latest: content(spec) } as never).map(({ input }) => input)
  assert.deepEqual(before({ name: 'p', role: 'r' }), [{ InstanceProfileName: 'p', RoleName: 'r' }])
  assert.deepEqual(before({ name: 'p' }), [])
})
