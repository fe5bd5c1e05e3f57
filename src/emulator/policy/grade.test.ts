import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Principal } from '../principal.ts'
import { PolicyReader, parseOperator, readPolicy } from './document.ts'
import { gradeOf } from './grade.ts'

const account = '123456789012'
const user = { kind: 'user', partition: 'aws', account, arn: `arn:aws:iam::${account}:user/u`, userId: 'AIDA1' } as Principal
const session = {
  kind: 'session',
  partition: 'aws',
  account,
  arn: `arn:aws:sts::${account}:assumed-role/r/s`,
  userId: 'AROA1:s',
  roleId: 'AROA1',
  roleArn: `arn:aws:iam::${account}:role/r`,
} as Principal
const service: Principal = { kind: 'service', service: 'eks.amazonaws.com' }

const rows: readonly (readonly [caller: Principal, type: string, value: string, grade: string | undefined])[] = [
  [{ kind: 'anonymous' }, 'AWS', '*', 'anyone'],
  [{ kind: 'anonymous' }, 'AWS', account, undefined],
  [{ kind: 'anonymous' }, 'Service', '*', undefined],
  [service, 'Service', 'eks.amazonaws.com', 'caller'],
  [service, 'Service', 'ec2.amazonaws.com', undefined],
  [service, 'AWS', 'eks.amazonaws.com', undefined],
  [service, 'AWS', '*', 'anyone'],
  [service, 'Service', '*', undefined],
  [user, 'AWS', '*', 'anyone'],
  [user, 'AWS', `arn:aws:iam::${account}:user/u`, 'caller'],
  [user, 'AWS', 'AIDA1', 'caller'],
  [user, 'AWS', account, 'account'],
  [user, 'AWS', `arn:aws:iam::${account}:root`, 'account'],
  [user, 'AWS', `arn:aws-cn:iam::${account}:root`, undefined],
  [user, 'AWS', '210987654321', undefined],
  [user, 'Service', account, undefined],
  [user, 'Federated', '*', undefined],
  [session, 'AWS', 'AROA1', 'role'],
  [session, 'AWS', `arn:aws:iam::${account}:role/r`, 'role'],
  [session, 'AWS', `arn:aws:sts::${account}:assumed-role/r/s`, 'caller'],
  [session, 'AWS', 'AROA1:s', 'caller'],
  [session, 'AWS', account, 'account'],
  [session, 'AWS', `arn:aws:iam::${account}:role/other`, undefined],
]
for (const [caller, type, value, grade] of rows) {
  test(`${type} ${value} names a caller of the kind ${caller.kind} as ${grade ?? 'nobody'}`, () => {
    assert.equal(gradeOf(caller)(type, value), grade)
  })
}

test('an operator is read with its qualifier and whether it is optional', () => {
  const read = (text: string): unknown => Object.values(parseOperator(text))
  assert.deepEqual(read('StringLike'), ['StringLike', undefined, false])
  assert.deepEqual(read('StringLikeIfExists'), ['StringLike', undefined, true])
  assert.deepEqual(read('ForAnyValue:StringLike'), ['StringLike', 'ForAnyValue', false])
  assert.deepEqual(read('forallvalues:stringlikeifexists'), ['stringlike', 'ForAllValues', true])
})

test('a statement without actions or a known effect does nothing, and one without a name is known by its place', () => {
  const read = readPolicy(
    JSON.stringify({
      Version: '2012-10-17',
      Statement: [
        { Effect: 'Allow', Sid: '', Resource: '*' },
        { Effect: 'Maybe', Action: '*' },
        'x',
        { Effect: 'Deny', Sid: 'No', NotAction: ['a:b', 1], NotPrincipal: { AWS: ['x', 2] }, Condition: { Bool: 'x' } },
      ],
    }),
  )
  const told = read?.statements.map(({ index, sid, effect, actions, principals, conditions }) => [
    index,
    sid,
    effect,
    actions?.negated,
    actions?.patterns.map(pattern => pattern.source),
    principals,
    conditions,
  ])
  assert.deepEqual(told, [
    [1, undefined, 'Allow', undefined, undefined, undefined, []],
    [4, 'No', 'Deny', true, ['a:b'], { negated: true, values: [{ type: 'AWS', value: 'x' }] }, []],
  ])
  assert.deepEqual([readPolicy('x'), readPolicy('1'), readPolicy('{}')?.statements], [undefined, undefined, []])
})

test('only a document of the newer version has variables, and actions have none', () => {
  const literalOf = (Version: string | undefined): readonly unknown[] => {
    const statement = { Effect: 'Allow', Action: 's3:${x}', Resource: 'arn:${x}' }
    const [read] = readPolicy(JSON.stringify({ Version, Statement: statement }))?.statements ?? []
    return [read?.actions?.patterns[0]?.literal, read?.resources?.patterns[0]?.literal]
  }
  assert.deepEqual(literalOf('2012-10-17'), ['s3:${x}', undefined])
  assert.deepEqual(literalOf('2008-10-17'), ['s3:${x}', 'arn:${x}'])
  assert.deepEqual(literalOf(undefined), ['s3:${x}', 'arn:${x}'])
})

test('a text is read once', () => {
  const reader = new PolicyReader()
  const text = '{"Statement":[]}'
  assert.equal(reader.read(text), reader.read(text))
  assert.equal(reader.read('x'), undefined)
})
