import assert from 'node:assert/strict'
import { test } from 'node:test'
import { awsCall, changeOf, isCreation } from './action.ts'

const place = { which: 'role', service: 'iam', region: 'us-east-1', memory: 'm' } as const

for (const [operation, creates, removes] of [
  ['CreateRole', true, false],
  ['PutRolePolicy', false, false],
  ['TagRole', false, false],
  ['DeleteRole', false, true],
  ['DetachRolePolicy', false, true],
  ['RemoveClientIDFromOpenIDConnectProvider', false, true],
] as const)
  test(`${operation} ${creates ? 'creates' : removes ? 'removes' : 'neither creates nor removes'}`, () => {
    const action = awsCall(place, operation, { RoleName: 'r' }, 'r')
    assert.equal(isCreation(action), creates)
    assert.deepEqual(changeOf(action), { operation, input: { RoleName: 'r' }, isRemoval: removes })
    assert.equal(action.destructive, removes ? true : undefined)
  })
