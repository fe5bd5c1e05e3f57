import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chooseGroups } from './placement-stand-in.ts'

const clusters = [
  { name: 'c', labels: { tier: 'late' } },
  { name: 'b', labels: { tier: 'early', region: 'eu' } },
  { name: 'a', labels: {} },
]
const tier = (value: string) => ({ labelSelector: { matchLabels: { tier: value } } })

test('without predicates and groups every cluster is of one group, in the order of names', () => {
  assert.deepEqual(chooseGroups({}, clusters), [{ clusters: ['a', 'b', 'c'] }])
  assert.deepEqual(chooseGroups({}, []), [{ clusters: [] }])
})

test('any predicate lets a cluster in, the first group that fits has it, and the rest comes last', () => {
  const decisionGroups = [
    { groupName: 'first', groupClusterSelector: tier('early') },
    { groupName: 'none', groupClusterSelector: tier('nowhere') },
    { groupName: 'again', groupClusterSelector: { labelSelector: { matchLabels: { region: 'eu' } } } },
  ]
  const decisionStrategy = { groupStrategy: { decisionGroups } }
  const [first, none, again] = [
    { name: 'first', clusters: ['b'] },
    { name: 'none', clusters: [] },
    { name: 'again', clusters: [] },
  ]
  assert.deepEqual(chooseGroups({ decisionStrategy }, clusters), [first, none, again, { clusters: ['a', 'c'] }])
  const predicates = [{ requiredClusterSelector: tier('late') }, { requiredClusterSelector: tier('early') }]
  assert.deepEqual(chooseGroups({ predicates }, clusters), [{ clusters: ['b', 'c'] }])
  assert.deepEqual(chooseGroups({ predicates: predicates.slice(1), decisionStrategy }, clusters), [first, none, again])
})
