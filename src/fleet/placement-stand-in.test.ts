import assert from 'node:assert/strict'
import { test } from 'node:test'
import { renderCrd } from '#kube'
import { engineWorld } from '../runtime/testing/world.ts'
import {
  type OcmDecisionStatus,
  type Placement,
  type PlacementDecision,
  placementDecisionKind,
  placementKind,
} from './placement-kinds.ts'
import { chooseGroups, writePlacement } from './placement-stand-in.ts'
import { resolvePlacement } from './resolve-placement.ts'

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

test('a decision holds a hundred clusters at most, no cluster is left out or twice, and what is too many later goes [6.5]', async () => {
  await using world = engineWorld({ objects: [renderCrd(placementKind), renderCrd(placementDecisionKind)] })
  const key = { namespace: 'default', name: 'everywhere' }
  const many = Array.from({ length: 250 }, (_, index) => `c${String(index).padStart(3, '0')}`)
  const written = async () => {
    const { items } = await world.client.list<PlacementDecision>(placementDecisionKind.type, { namespace: 'default' })
    const sizes = items.map(({ status }) => (status as OcmDecisionStatus).decisions?.length ?? 0)
    const placement = await world.client.get<Placement>(placementKind.type, key)
    const found = resolvePlacement(key.name, placement, items)
    return { sizes, groups: found.ok ? found.groups.map(({ name, clusters }) => [name, clusters]) : found.message }
  }
  await writePlacement(world.client, key, [{ name: 'first', clusters: ['a'] }, { clusters: many }])
  assert.deepEqual(await written(), {
    sizes: [1, 100, 100, 50],
    groups: [
      ['first', ['a']],
      ['', many],
    ],
  })
  await writePlacement(world.client, key, [{ clusters: [] }])
  assert.deepEqual(await written(), { sizes: [0], groups: [['', []]] })
})
