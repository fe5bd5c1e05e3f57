import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Alone, type Given } from './alone.fixture.ts'
import { roleAggregation } from './cluster-roles.ts'

const role = (
  name: string,
  rules: readonly object[] | undefined,
  more: object = {},
  labels: Record<string, string> = {},
): Given => ({
  apiVersion: 'rbac.authorization.k8s.io/v1',
  kind: 'ClusterRole',
  metadata: { name, labels },
  ...(rules && { rules }),
  ...more,
})
const rule = (...verbs: readonly string[]): object => ({ apiGroups: [''], resources: ['pods'], verbs })
const gathers = (...selectors: readonly object[]): object => ({ aggregationRule: { clusterRoleSelectors: selectors } })
const labelled = (value: string): object => ({ matchLabels: { to: value } })
const path = 'PATCH /apis/rbac.authorization.k8s.io/v1/clusterroles'

test('a role that gathers has the rules of all that one of its selectors meets, each once', async () => {
  const world = new Alone(roleAggregation)
  world.put(
    role('a', [rule('get'), rule('list')], {}, { to: 'x' }),
    role('b', [rule('list'), rule('watch')], {}, { to: 'y' }),
    role('c', [rule('delete')], {}, { to: 'z' }),
    role('d', undefined, {}, { to: 'x' }),
    role('gathering', [rule('patch')], gathers(labelled('x'), labelled('y')), { to: 'x' }),
    role('done', [rule('delete')], gathers(labelled('z'))),
    role('nothing', undefined, { aggregationRule: {} }),
    role('plain', [rule('create')]),
  )
  const { asked, again } = await world.look('all')
  assert.equal(again, undefined)
  assert.deepEqual(asked, [{ what: `${path}/gathering`, body: { rules: [rule('get'), rule('list'), rule('watch')] } }])
})

test('whatever becomes of a role, all are looked at', () => {
  const world = new Alone(roleAggregation)
  assert.deepEqual(world.put(role('a', [])), ['all'])
  assert.deepEqual(world.remove('clusterroles.rbac.authorization.k8s.io', 'a'), ['all'])
  assert.deepEqual(world.put({ kind: 'ConfigMap', metadata: { name: 'm' } }), [])
})
