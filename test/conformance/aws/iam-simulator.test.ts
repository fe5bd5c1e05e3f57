// The policy simulator of IAM: what it says of an action, which policies it names, and what it would have to know.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Ask, asked, at, each, pages } from './asked.ts'

const account = 'arn:aws:iam::123456789012'
const policy = (...statements: readonly object[]): string => JSON.stringify({ Version: '2012-10-17', Statement: statements })
const allow = (Action: string, more: object = {}): object => ({ Effect: 'Allow', Action, Resource: '*', ...more })
const deny = (Action: string): object => ({ Effect: 'Deny', Action, Resource: '*' })
const trust = policy({ Effect: 'Allow', Principal: { Service: 'ec2.amazonaws.com' }, Action: 'sts:AssumeRole' })

interface Row {
  readonly what: string
  readonly input: object
  readonly decision: string
  readonly matched?: readonly string[]
  readonly missing?: readonly string[]
  readonly bounded?: boolean
}
const rows: readonly Row[] = [
  {
    what: 'an action that is allowed',
    input: { PolicyInputList: [policy(allow('s3:GetObject'))] },
    decision: 'allowed',
    matched: ['PolicyInputList.1'],
  },
  {
    what: 'an action of which nothing is said',
    input: { PolicyInputList: [policy(allow('s3:PutObject'))] },
    decision: 'implicitDeny',
  },
  {
    what: 'an action that the second policy denies',
    input: { PolicyInputList: [policy(allow('s3:*')), policy(deny('s3:Get*'))] },
    decision: 'explicitDeny',
    matched: ['PolicyInputList.1', 'PolicyInputList.2'],
  },
  {
    what: 'an action within the boundary',
    input: { PolicyInputList: [policy(allow('s3:*'))], PermissionsBoundaryPolicyInputList: [policy(allow('s3:GetObject'))] },
    decision: 'allowed',
    matched: ['PolicyInputList.1'],
    bounded: true,
  },
  {
    what: 'an action beyond the boundary',
    input: { PolicyInputList: [policy(allow('s3:*'))], PermissionsBoundaryPolicyInputList: [policy(allow('s3:PutObject'))] },
    decision: 'implicitDeny',
    matched: ['PolicyInputList.1'],
    bounded: false,
  },
  {
    what: 'an action that the boundary denies',
    input: {
      PolicyInputList: [policy(allow('s3:*'))],
      PermissionsBoundaryPolicyInputList: [policy(allow('s3:*'), deny('s3:GetObject'))],
    },
    decision: 'explicitDeny',
    matched: ['PolicyInputList.1'],
    bounded: false,
  },
  {
    what: 'a condition of which nothing is known',
    input: {
      PolicyInputList: [policy(allow('s3:GetObject', { Condition: { StringEquals: { 'ec2:Vpc': 'a', 'aws:Zone': 'b' } } }))],
    },
    decision: 'implicitDeny',
    missing: ['aws:Zone', 'ec2:Vpc'],
  },
  {
    what: 'a condition that is told',
    input: {
      PolicyInputList: [policy(allow('s3:GetObject', { Condition: { StringEquals: { 'ec2:Vpc': 'a' } } }))],
      ContextEntries: [{ ContextKeyName: 'ec2:vpc', ContextKeyValues: ['a'], ContextKeyType: 'string' }],
    },
    decision: 'allowed',
    matched: ['PolicyInputList.1'],
  },
  {
    what: 'a bucket that lets the caller in',
    input: {
      PolicyInputList: [policy(allow('s3:PutObject'))],
      ResourceArns: ['arn:aws:s3:::b/x'],
      CallerArn: `${account}:user/ann`,
      ResourceOwner: `${account}:root`,
      ResourcePolicy: policy({
        Effect: 'Allow',
        Principal: { AWS: `${account}:user/ann` },
        Action: 's3:GetObject',
        Resource: '*',
      }),
    },
    decision: 'allowed',
  },
  {
    what: 'a bucket of another account, which does not let the caller in',
    input: {
      PolicyInputList: [policy(allow('s3:GetObject'))],
      ResourceArns: ['arn:aws:s3:::b/x'],
      CallerArn: `${account}:user/ann`,
      ResourceOwner: '210987654321',
    },
    decision: 'implicitDeny',
    matched: ['PolicyInputList.1'],
  },
  {
    what: 'a caller of another account, whom the bucket does not let in',
    input: {
      PolicyInputList: [policy(allow('s3:GetObject'))],
      ResourceArns: ['arn:aws:s3:::b/x'],
      CallerArn: 'arn:aws:iam::210987654321:user/ann',
      ResourceOwner: '123456789012',
    },
    decision: 'implicitDeny',
    matched: ['PolicyInputList.1'],
  },
  {
    what: 'a caller who is nobody, by the name that a simulation has',
    input: {
      PolicyInputList: [
        policy(
          allow('s3:GetObject', { Condition: { StringEquals: { 'aws:username': 'simulated', 'aws:userid': 'AIDASIMULATED' } } }),
        ),
      ],
    },
    decision: 'allowed',
    matched: ['PolicyInputList.1'],
  },
]
for (const { what, input, decision, matched = [], missing = [], bounded } of rows) {
  test(`${what}: ${decision}`, async () => {
    const { iam } = asked()
    const answer = await iam('SimulateCustomPolicy', { ActionNames: ['s3:GetObject'], ...input })
    const result = at(answer, 'EvaluationResults', 0)
    assert.equal(at(result, 'EvalDecision'), decision)
    assert.deepEqual(new Set(each(result, 'MatchedStatements', 'SourcePolicyId')), new Set(matched))
    assert.deepEqual(at(result, 'MissingContextValues') ?? [], missing)
    assert.equal(at(result, 'PermissionsBoundaryDecisionDetail', 'AllowedByPermissionsBoundary'), bounded)
  })
}

test('every action is asked of every resource, in pages, and without one of all resources', async () => {
  const { iam } = asked()
  const PolicyInputList = [policy(allow('s3:GetObject', { Resource: 'arn:aws:s3:::b/*' }))]
  const input = {
    PolicyInputList,
    ActionNames: ['s3:GetObject', 's3:PutObject'],
    ResourceArns: ['arn:aws:s3:::b/x', 'arn:aws:s3:::c/x'],
  }
  const said = (answer: unknown): readonly unknown[] =>
    (at(answer, 'EvaluationResults') as object[]).map(result =>
      ['EvalActionName', 'EvalResourceName', 'EvalDecision'].map(name => at(result, name)).join(' '),
    )
  assert.deepEqual(await pages(more => iam('SimulateCustomPolicy', { ...input, MaxItems: 3, ...more }), said), [
    [
      's3:GetObject arn:aws:s3:::b/x allowed',
      's3:GetObject arn:aws:s3:::c/x implicitDeny',
      's3:PutObject arn:aws:s3:::b/x implicitDeny',
    ],
    ['s3:PutObject arn:aws:s3:::c/x implicitDeny'],
  ])
  assert.deepEqual(said(await iam('SimulateCustomPolicy', { PolicyInputList, ActionNames: ['s3:GetObject'] })), [
    's3:GetObject * implicitDeny',
  ])
})

async function furnished(iam: Ask): Promise<void> {
  await iam('CreatePolicy', { PolicyName: 'p', PolicyDocument: policy(allow('s3:ListBucket')) })
  await iam('CreateRole', { RoleName: 'r', AssumeRolePolicyDocument: trust, Path: '/x/' })
  await iam('CreateUser', { UserName: 'u' })
  await iam('CreateGroup', { GroupName: 'g' })
  await iam('AddUserToGroup', { GroupName: 'g', UserName: 'u' })
  await iam('AttachRolePolicy', { RoleName: 'r', PolicyArn: `${account}:policy/p` })
  await iam('PutRolePolicy', { RoleName: 'r', PolicyName: 'i', PolicyDocument: policy(allow('s3:GetObject')) })
  await iam('PutUserPolicy', { UserName: 'u', PolicyName: 'i', PolicyDocument: policy(allow('s3:GetObject')) })
  await iam('PutGroupPolicy', { GroupName: 'g', PolicyName: 'i', PolicyDocument: policy(allow('s3:PutObject')) })
}

for (const [arn, allowed] of [
  [`${account}:role/x/r`, ['s3:GetObject', 's3:ListBucket']],
  [`${account}:user/u`, ['s3:GetObject', 's3:PutObject']],
  [`${account}:group/g`, ['s3:PutObject']],
] as const) {
  test(`${arn} may do what its policies allow, with those of its groups: ${allowed.join(' and ')}`, async () => {
    const { iam } = asked()
    await furnished(iam)
    const ActionNames = ['s3:GetObject', 's3:PutObject', 's3:ListBucket', 's3:DeleteObject']
    const simulate = async (more: object = {}): Promise<unknown> => {
      const answer = await iam('SimulatePrincipalPolicy', { PolicySourceArn: arn, ActionNames, ...more })
      const results = at(answer, 'EvaluationResults') as { EvalActionName: string; EvalDecision: string }[]
      return results.filter(result => result.EvalDecision === 'allowed').map(result => result.EvalActionName)
    }
    assert.deepEqual(await simulate(), allowed)
    const more = policy(allow('s3:DeleteObject'))
    assert.deepEqual(await simulate({ PolicyInputList: [more] }), [...allowed, 's3:DeleteObject'])
    assert.deepEqual(await simulate({ PermissionsBoundaryPolicyInputList: [more] }), [])
  })
}

test('the boundary of a role bounds it, unless another is given', async () => {
  const { iam } = asked()
  await furnished(iam)
  await iam('PutRolePermissionsBoundary', { RoleName: 'r', PermissionsBoundary: `${account}:policy/p` })
  const simulate = async (more: object = {}): Promise<unknown> => {
    const input = { PolicySourceArn: `${account}:role/x/r`, ActionNames: ['s3:GetObject', 's3:ListBucket'], ...more }
    return each(await iam('SimulatePrincipalPolicy', input), 'EvaluationResults', 'EvalDecision')
  }
  assert.deepEqual(await simulate(), ['implicitDeny', 'allowed'])
  assert.deepEqual(await simulate({ PermissionsBoundaryPolicyInputList: [policy(allow('s3:*'))] }), ['allowed', 'allowed'])
})

for (const [arn, keys] of [
  [`${account}:user/u`, { 'aws:username': 'u', 'aws:PrincipalType': 'User', 'aws:userid': 'AIDA*' }],
  [
    `${account}:role/x/r`,
    { 'aws:PrincipalType': 'AssumedRole', 'aws:userid': 'AROA*:simulated', 'aws:PrincipalArn': `${account}:role/x/r` },
  ],
] as const) {
  test(`${arn} is simulated as itself: ${Object.keys(keys).join(', ')}`, async () => {
    const { iam } = asked()
    await furnished(iam)
    for (const [key, value] of Object.entries(keys)) {
      const more = policy(allow('s3:DeleteObject', { Condition: { StringLike: { [key]: value } } }))
      const input = { PolicySourceArn: arn, ActionNames: ['s3:DeleteObject'], PolicyInputList: [more] }
      assert.equal(at(await iam('SimulatePrincipalPolicy', input), 'EvaluationResults', 0, 'EvalDecision'), 'allowed', key)
    }
  })
}

for (const [arn, refused] of [
  [`${account}:role/r`, ['NoSuchEntityException', 404, `role ${account}:role/r does not exist`]],
  [`${account}:user/nobody`, ['NoSuchEntityException', 404, `user ${account}:user/nobody does not exist`]],
  [
    `${account}:policy/p`,
    ['InvalidInputException', 400, `Invalid Entity Arn: ${account}:policy/p does not clearly define entity type and name.`],
  ],
] as const) {
  test(`${arn} is nobody whose policies could be simulated`, async () => {
    const { iam } = asked()
    await furnished(iam)
    assert.deepEqual(await iam('SimulatePrincipalPolicy', { PolicySourceArn: arn, ActionNames: ['s3:GetObject'] }), refused)
  })
}

test('the condition keys of policies are told by name, each once', async () => {
  const { iam } = asked()
  await furnished(iam)
  const condition = (...keys: readonly string[]): string =>
    policy(...keys.map(key => allow('s3:GetObject', { Condition: { StringEquals: { [key]: 'x' } } })))
  const custom = await iam('GetContextKeysForCustomPolicy', {
    PolicyInputList: [condition('b:b', 'c:c'), condition('b:b', 'a:a')],
  })
  assert.deepEqual(at(custom, 'ContextKeyNames'), ['a:a', 'b:b', 'c:c'])
  assert.equal(at(await iam('GetContextKeysForCustomPolicy', { PolicyInputList: ['{}'] }), 0), 'MalformedPolicyDocumentException')
  await iam('PutRolePolicy', { RoleName: 'r', PolicyName: 'i', PolicyDocument: condition('z:z') })
  const own = await iam('GetContextKeysForPrincipalPolicy', {
    PolicySourceArn: `${account}:role/x/r`,
    PolicyInputList: [condition('y:y')],
  })
  assert.deepEqual(at(own, 'ContextKeyNames'), ['y:y', 'z:z'])
})

test('a policy that is none is refused before anything is simulated', async () => {
  const { iam } = asked()
  const ActionNames = ['s3:GetObject']
  for (const input of [
    { PolicyInputList: ['{}'] },
    { PolicyInputList: [policy(allow('s3:*'))], PermissionsBoundaryPolicyInputList: ['{}'] },
  ])
    assert.equal(at(await iam('SimulateCustomPolicy', { ActionNames, ...input }), 0), 'MalformedPolicyDocumentException')
})
