// What a role is after a call was answered: the next pass decides by it, without a look.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type RoleActual, roleAfter } from './iam-role.ts'

const role: RoleActual = {
  arn: 'arn:aws:iam::111122223333:role/r',
  trustPolicy: 'old',
  maxSessionSeconds: 3_600,
  boundary: 'arn:aws:iam::aws:policy/Old',
  tags: { a: '1' },
  attached: ['p1', 'p2', 'p3'],
  inline: ['i1', 'i2', 'i3'],
}
const { boundary: _boundary, ...unbounded } = role

for (const [operation, input, after] of [
  ['AttachRolePolicy', { PolicyArn: 'p4' }, { ...role, attached: ['p1', 'p2', 'p3', 'p4'] }],
  ['DetachRolePolicy', { PolicyArn: 'p2' }, { ...role, attached: ['p1', 'p3'] }],
  ['DeleteRolePolicy', { PolicyName: 'i2' }, { ...role, inline: ['i1', 'i3'] }],
  ['UpdateAssumeRolePolicy', { PolicyDocument: 'new' }, { ...role, trustPolicy: 'new' }],
  ['UpdateRole', { MaxSessionDuration: 7_200 }, { ...role, maxSessionSeconds: 7_200 }],
  ['TagRole', { Tags: [{ Key: 'b', Value: '2' }] }, { ...role, tags: { a: '1', b: '2' } }],
  ['PutRolePermissionsBoundary', { PermissionsBoundary: 'b' }, { ...role, boundary: 'b' }],
  ['DeleteRolePermissionsBoundary', {}, unbounded],
  ['DeleteRole', {}, undefined],
] as const)
  test(`a role after ${operation} is as the call left it`, () => {
    assert.deepEqual(roleAfter(role, { operation, input }, {}), after)
    assert.equal(roleAfter(undefined, { operation, input }, {}), undefined, 'of a role that is not known nothing is known')
  })

test('a role after CreateRole is what was asked for, with the name that AWS gave it', () => {
  const input = {
    AssumeRolePolicyDocument: 'trust',
    MaxSessionDuration: 3_600,
    PermissionsBoundary: 'b',
    Tags: [{ Key: 'a', Value: '1' }],
  }
  const madeAt = new Date(5)
  const output = { Role: { Arn: role.arn, CreateDate: madeAt } }
  const { arn, tags, maxSessionSeconds } = role
  const made = { arn, trustPolicy: 'trust', maxSessionSeconds, tags, madeAt: 5, boundary: 'b', attached: [], inline: [] }
  assert.deepEqual(roleAfter(undefined, { operation: 'CreateRole', input }, output), made)
})
