import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Call } from '../service.ts'
import type { EksState } from './model.ts'
import { checkPodRole } from './roles.ts'

const account = '123456789012'
const arn = `arn:aws:iam::${account}:role/app`
const pods = { Service: 'pods.eks.amazonaws.com' }
const both = ['sts:AssumeRole', 'sts:TagSession']

function outcome(
  statements: unknown,
  { roleArn = arn, sessionTags = true, there = true }: { roleArn?: string; sessionTags?: boolean; there?: boolean } = {},
): string {
  const trustPolicy = JSON.stringify({ Version: '2012-10-17', Statement: statements })
  const call = {
    partition: 'aws',
    account,
    ports: {
      roles: {
        find: (asked: string, view: string) => (there && asked === roleArn && view === 'late' ? { trustPolicy } : undefined),
      },
    },
  } as unknown as Call<EksState>
  try {
    checkPodRole(call, { arn: roleArn, sessionTags, clusterName: 'c' })
    return 'taken'
  } catch (error) {
    const { code, message, fields } = error as { code: string; message: string; fields: unknown }
    assert.deepEqual([code, fields], ['InvalidParameterException', { clusterName: 'c' }])
    return message
  }
}

const invalid = 'Trust policy of the role provided is invalid'
const absent = 'Role provided in the request does not exist.'
const allow = (Action: unknown, more: object = {}): object => ({ Effect: 'Allow', Principal: pods, Action, ...more })

const trusts: readonly (readonly [statements: unknown, outcome: string])[] = [
  [[allow(both)], 'taken'],
  [allow(both), 'taken'],
  [[allow('sts:AssumeRole'), allow('sts:TagSession')], 'taken'],
  [[allow('sts:*')], 'taken'],
  [[allow('*')], 'taken'],
  [[allow('STS:assumerole'), allow('sts:tagsession')], 'taken'],
  [[allow(['sts:Assume*', 'sts:*Session'])], 'taken'],
  [[allow('s*:*s*')], 'taken'],
  [[allow(['sts:Assume?ole', 'sts:TagSessio?'])], 'taken'],
  [[allow(both, { Principal: '*' })], 'taken'],
  [[allow(both, { Principal: { Service: ['ec2.amazonaws.com', 'pods.eks.amazonaws.com'] } })], 'taken'],
  [[allow(both, { Condition: { StringEquals: { 'aws:SourceAccount': 'x' } } })], 'taken'],
  [[{ Effect: 'Deny', Principal: pods, Action: both }], invalid],
  [[allow('sts:AssumeRole')], invalid],
  [[allow('sts:TagSession')], invalid],
  [[allow(['sts:AssumeRol', 'sts:TagSession'])], invalid],
  [[allow(['sts:AssumeRole?', 'sts:TagSession'])], invalid],
  [[allow(['sts:AssumeRoleWith*', 'sts:TagSession'])], invalid],
  [[allow(['sts:AssumeRole*e', 'sts:TagSession'])], invalid],
  [[allow(['*Assume*Assume*', 'sts:TagSession'])], invalid],
  [[allow(['*x*', 'sts:TagSession'])], invalid],
  [[allow(['ts:*', 'sts:TagSession'])], invalid],
  [[allow([1, 'sts:TagSession'])], invalid],
  [[allow(both, { Principal: { Service: 'ec2.amazonaws.com' } })], invalid],
  [[allow(both, { Principal: { AWS: '*' } })], invalid],
  [[allow(both, { Principal: null })], invalid],
  [[allow(both, { Principal: 'pods.eks.amazonaws.com' })], invalid],
  [[], invalid],
  [undefined, invalid],
]
for (const [statements, expected] of trusts) {
  test(`a role for pods with the statements ${JSON.stringify(statements)}: ${expected}`, () => {
    assert.equal(outcome(statements), expected)
  })
}

test('without session tags the right to assume the role is enough', () => {
  assert.equal(outcome([allow('sts:AssumeRole')], { sessionTags: false }), 'taken')
  assert.equal(outcome([allow('sts:TagSession')], { sessionTags: false }), invalid)
})

test('a role for pods is one of the account that is there', () => {
  assert.equal(outcome([allow(both)], { there: false }), absent)
  for (const roleArn of [
    'arn:aws:iam::210987654321:role/app',
    `arn:aws-cn:iam::${account}:role/app`,
    `arn:aws:sts::${account}:role/app`,
    'app',
  ])
    assert.equal(outcome([allow(both)], { roleArn }), absent, roleArn)
})
