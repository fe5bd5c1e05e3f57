import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inferSmall, structure } from '../infer/model.fixture.ts'
import { policyOf } from './policy.ts'

const own = { Sid: 'Thing', Effect: 'Allow', Action: ['small:CreateThing', 'small:DeleteThing'], Resource: '*' }
const passes = { Sid: 'ThingPassRole', Effect: 'Allow', Action: ['iam:PassRole'], Resource: '*' }
const shapes = {
  Job: structure({ Next: 'Strings', RoleArn: 'String' }),
  Jobs: { type: 'list', member: { shape: 'Job' } },
}

for (const [what, statements, field, alias] of [
  ['without references', [own], undefined, 'small'],
  [
    'with a reference to a role of IAM',
    [own, passes],
    'RoleArn: {references: {resource: Role, service_name: iam, path: Status.ARN}}',
    'small',
  ],
  [
    'with such a reference in a list',
    [own, passes],
    'Jobs.RoleArn: {references: {resource: Role, service_name: iam, path: Status.ARN}}',
    'small',
  ],
  ['with a reference to a role of its own', [own], 'RoleArn: {references: {resource: Role, path: Status.ARN}}', 'small'],
  [
    'of IAM with a reference to a role of its own',
    [own, passes],
    'RoleArn: {references: {resource: Role, path: Status.ARN}}',
    'iam',
  ],
  [
    'with a reference to another kind of IAM',
    [own],
    'RoleArn: {references: {resource: Policy, service_name: iam, path: Status.ARN}}',
    'small',
  ],
] as const)
  test(`the policy of a kind ${what} is ${statements.map(({ Sid }) => Sid).join(' and ')}`, () => {
    const operations = {
      CreateThing: [{ '!Name': 'String', RoleArn: 'String', Jobs: 'Jobs' }, {}],
      DeleteThing: [{ '!Name': 'String' }],
    } as const
    const config = field === undefined ? '' : `resources:\n  Thing:\n    fields:\n      ${field}\n`
    const service = inferSmall({ operations, shapes }, config, { alias })
    const [kind] = service.kinds
    assert.ok(kind)
    assert.deepEqual(policyOf(service, kind), { Version: '2012-10-17', Statement: statements })
  })
