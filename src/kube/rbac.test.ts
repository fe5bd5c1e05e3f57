import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mergeRights, type Right, renderRbac } from './rbac.ts'

const pods = (verbs: Right['verbs'], more: Partial<Right> = {}): Right => ({
  group: '',
  resource: 'pods',
  verbs,
  why: 'pods',
  ...more,
})

test('rights of two programs are merged: the same place is said once, and what is wider somewhere else is left out', () => {
  const merged = mergeRights([
    pods(['list', 'watch']),
    pods(['get', 'list'], { why: 'more pods' }),
    pods(['get', 'delete'], { within: ['a'], names: ['one'] }),
    pods(['delete'], { within: ['a'] }),
    pods(['watch'], { within: ['b'] }),
  ])
  assert.deepEqual(merged, [pods(['list', 'watch', 'get'], { why: 'pods; more pods' }), pods(['delete'], { within: ['a'] })])
})

test('a right on some objects is held by one on more of them, and not by one on others', () => {
  const both = pods(['get'], { names: ['one', 'two'] })
  assert.deepEqual(mergeRights([pods(['get'], { names: ['one'] }), both]), [both])
  const others = [both, pods(['get'], { names: ['two', 'three'] })]
  assert.deepEqual(mergeRights(others), others)
})

test('what is narrower in one way and wider in another stays', () => {
  const rights = [pods(['get'], { within: ['a'] }), pods(['get'], { names: ['one'] })]
  assert.deepEqual(mergeRights(rights), rights)
})

test('a ClusterRole for what holds everywhere, and a Role and its binding for each namespace in which more holds', () => {
  const objects = renderRbac({
    name: 'x',
    account: { namespace: 'at', name: 'x' },
    labels: {},
    rights: [pods(['get']), pods(['list'], { within: ['a', 'b'] })],
  })
  assert.deepEqual(
    objects.map(({ kind, metadata, rules }) => [kind, metadata.namespace, rules?.map(({ verbs }) => verbs.join()).join(';')]),
    [
      ['ClusterRole', undefined, 'get'],
      ['ClusterRoleBinding', undefined, undefined],
      ['Role', 'a', 'list'],
      ['RoleBinding', 'a', undefined],
      ['Role', 'b', 'list'],
      ['RoleBinding', 'b', undefined],
    ],
  )
})
