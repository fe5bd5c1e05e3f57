import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StoredObject } from '#kube'
import { type SourceBinding, sourceBindingActions, wantedSourceBinding } from './binding-actions.ts'
import { rulesOfAll, sourceRoles } from './source-rules.ts'

const wish = { name: 'blue', uid: 'uid-1', operandNamespace: 'there', source: 'Service' }
const wanted = wantedSourceBinding(wish)
const held = (more: object = {}): SourceBinding & StoredObject => ({ ...wanted, ...more }) as SourceBinding & StoredObject
const strangers = {
  ...wanted.metadata,
  ownerReferences: [{ apiVersion: 'v1', kind: 'ExternalDNS', name: 'red', uid: 'uid-2', controller: true }],
}

for (const [what, binding, expected] of [
  ['that is not there', undefined, ['create']],
  ['that is as it should be', held(), []],
  ['of a stranger', held({ metadata: strangers, subjects: [] }), []],
  ['to another role', held({ roleRef: { ...wanted.roleRef, name: 'other' } }), ['delete', 'create']],
  ['for other accounts', held({ subjects: [] }), ['update']],
] as const)
  test(`of a binding ${what} comes ${expected.join(' and ') || 'nothing'}`, () => {
    const actions = sourceBindingActions(binding, wish)
    assert.deepEqual(
      actions.map(({ kind }) => kind),
      expected,
    )
    const last = actions.at(-1)
    if (last?.kind === 'update') assert.deepEqual(Reflect.get(last.object, 'subjects'), wanted.subjects)
  })

test('each source has rights of its own, and all of them together are the rights of all', () => {
  const roles = sourceRoles({})
  const rules = roles.map(role => Reflect.get(role, 'rules') as readonly unknown[])
  assert.ok(rules.every(({ length }) => length > 0))
  assert.deepEqual(rules.flat(), rulesOfAll)
  assert.deepEqual(
    roles.map(({ metadata }) => metadata.name),
    ['openshiftroute', 'service', 'crd', 'ingress', 'gatewayhttproute'].map(source => `external-dns-source-${source}`),
  )
})
