import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ClusterProfile } from './cluster-profile.ts'
import { parseNameRule } from './name-rule.ts'

function profileOf(namespace: string, label: string | undefined, name = 'p'): ClusterProfile {
  const labels = label === undefined ? {} : { 'open-cluster-management.io/cluster-name': label }
  return { metadata: { namespace, name, uid: 'u', resourceVersion: '1', labels } } as unknown as ClusterProfile
}

test('a namespace has the names that were bound to it, and one that is not listed has none', () => {
  const rule = parseNameRule('fleet=*, team-a=team-a-*,team-a=shared,own=own')
  assert.ok(typeof rule === 'function')
  const rows: readonly (readonly [namespace: string, name: string, allowed: boolean])[] = [
    ['fleet', 'anything', true],
    ['team-a', 'team-a-east', true],
    ['team-a', 'shared', true],
    ['team-a', 'team-b-east', false],
    ['team-a', 'not-team-a-east', false],
    ['team-a', 'shared-not', false],
    ['own', 'own', true],
    ['team-b', 'team-a-east', false],
  ]
  for (const [namespace, name, allowed] of rows) {
    assert.equal(rule(profileOf(namespace, name)), allowed, `${namespace} as ${name}`)
    assert.equal(rule(profileOf(namespace, undefined, name)), allowed, 'without the label the name of the object is the claim')
  }
})

test('what is no binding is told', () => {
  for (const wrong of ['fleet', '=a', 'fleet=', 'Fleet=*', 'fleet=a b', 'fleet=a,', '*=a']) {
    assert.ok(typeof parseNameRule(wrong) === 'object', wrong)
  }
})
