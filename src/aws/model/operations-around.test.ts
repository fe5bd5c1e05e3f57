import assert from 'node:assert/strict'
import { test } from 'node:test'
import { aroundResource } from './operations-around.ts'

const rows: readonly (readonly [resource: string, operation: string, isAround: boolean])[] = [
  ['Role', 'TagRole', true],
  ['Role', 'AttachRolePolicy', true],
  ['Role', 'ListRoles', true],
  ['Role', 'ListRoleTags', true],
  ['Role', 'AddRoleToInstanceProfile', false],
  ['InstanceProfile', 'AddRoleToInstanceProfile', true],
  ['InstanceProfile', 'RemoveRoleFromInstanceProfile', true],
  ['Policy', 'CreatePolicyVersion', true],
  ['Policy', 'SetDefaultPolicyVersion', true],
  ['Policy', 'CreatePolicy', false],
  ['DBParameterGroup', 'ResetDBParameterGroup', true],
  ['User', 'GetUserPolicy', true],
  ['User', 'GetUserless', false],
  ['Queue', 'TagResource', true],
  ['Queue', 'ListTagsForResource', true],
  ['Queue', 'AddTagsToStream', true],
  ['Queue', 'ListTagsExtra', false],
]

for (const [resource, operation, isAround] of rows)
  test(`${operation} is ${isAround ? 'around' : 'nothing to'} a ${resource}`, () => {
    assert.equal(aroundResource(resource)(operation), isAround)
  })
