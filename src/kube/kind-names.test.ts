import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isKindNamed } from './kind-names.ts'

const role = { kind: 'Role', plural: 'roles', group: 'iam.services.k8s.aws', shortNames: ['ro'] }

for (const [name, isMeant] of [
  ['Role', true],
  ['role', true],
  ['ROLES', true],
  ['ro', true],
  ['roles.iam', true],
  ['role.iam.services.k8s.aws', true],
  ['rol', false],
  ['roles.ia', false],
  ['roles.rbac.authorization.k8s.io', false],
  ['', false],
] as const)
  test(`a kind ${isMeant ? 'is' : 'is not'} called ${JSON.stringify(name)}`, () => {
    assert.equal(isKindNamed(name, role), isMeant)
  })
