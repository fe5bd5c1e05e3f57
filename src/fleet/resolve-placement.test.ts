import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Placement, PlacementDecision } from './placement-kinds.ts'
import { resolvePlacement } from './resolve-placement.ts'

const api = { apiVersion: 'cluster.open-cluster-management.io/v1beta1' }

function placement(status: Placement['status'] = {}): Placement {
  return { ...api, kind: 'Placement', metadata: { namespace: 'n', name: 'p', uid: 'p-uid', resourceVersion: '1' }, status }
}

interface DecisionParts {
  readonly index?: string
  readonly name?: string
  readonly owner?: string
}

function decision(clusters: readonly string[], { index = '0', name, owner = 'p-uid' }: DecisionParts = {}): PlacementDecision {
  const prefix = 'cluster.open-cluster-management.io'
  const labels = {
    [`${prefix}/placement`]: 'p',
    ...(index === '' ? {} : { [`${prefix}/decision-group-index`]: index }),
    ...(name === undefined ? {} : { [`${prefix}/decision-group-name`]: name }),
  }
  const ownerReferences = [{ ...api, kind: 'Placement', name: 'p', uid: owner, controller: true }]
  return {
    ...api,
    kind: 'PlacementDecision',
    metadata: { namespace: 'n', name: `d-${clusters.join('-')}`, uid: 'd', resourceVersion: '1', labels, ownerReferences },
    status: { decisions: clusters.map(clusterName => ({ clusterName, reason: '' })) },
  }
}

const summary = (decisions: readonly PlacementDecision[], of: Placement | undefined = placement()): string => {
  const found = resolvePlacement('p', of, decisions)
  return found.ok
    ? found.groups.map(({ name, index, clusters }) => `${index}${name}:${clusters.join()}`).join(' ')
    : found.message
}

test('decisions of one group are one group, and groups come by index [6.5]', () => {
  const two = decision(['c'], { index: '1', name: 'rest' })
  assert.equal(summary([two, decision(['b', 'a']), decision(['a', 'd'])]), '0:a,b,d 1rest:c')
  assert.equal(summary([]), '')
})

test('a decision that is not controlled by the Placement is ignored, whatever its labels say [13.8 #158]', () => {
  assert.equal(summary([decision(['evil'], { owner: 'other-uid' }), decision(['a'])]), '0:a')
  const { ownerReferences: _, ...metadata } = decision(['evil']).metadata
  assert.equal(summary([{ ...decision(['evil']), metadata }]), '')
  const uncontrolled = (decision(['evil']).metadata.ownerReferences ?? []).map(reference => ({ ...reference, controller: false }))
  assert.equal(summary([{ ...decision(['x']), metadata: { ...metadata, ownerReferences: uncontrolled } }]), '')
})

test('a missing Placement fails its reference [13.8 #159]', () => {
  assert.equal(resolvePlacement('p', undefined, [decision(['a'])]).ok || 'failed', 'failed')
})

test('a decision without a group index, or with one that is no number, fails its reference [13.8 #186]', () => {
  assert.match(summary([decision(['a'], { index: '' })]), /^PlacementDecision d-a has no label .*decision-group-index$/)
  for (const index of ['x', '1.5', '0x1', '99999999999'])
    assert.match(summary([decision(['a'], { index })]), /which is no number$/)
  assert.match(summary([decision(['evil'], { index: '', owner: 'other' }), decision(['a'])]), /^0:a$/)
})

test('a decision for what cannot be a cluster fails its reference, in few words [6.5]', () => {
  const ending = ', which cannot be the name of a cluster'
  for (const name of ['UPPER', '../kube-system', 'a\nb', '*', '-a', 'a..b', ' a'])
    assert.ok(summary([decision(['a', name])]).endsWith(`chooses ${JSON.stringify(name)}${ending}`), name)
  assert.ok(summary([decision(['x'.repeat(254)])]).endsWith(` chooses "${'x'.repeat(63)}"${ending}`))
  for (const name of ['a.b', '0', 'x'.repeat(253)]) assert.equal(summary([decision([name])]), `0:${name}`)
  assert.equal(summary([decision(['', 'a'])]), '0:a')
})

test('an index that leaves a gap is a group all the same [6.8]', () => {
  assert.equal(summary([decision(['a']), decision(['b'], { index: '7' })]), '0:a 7:b')
})

test('two names for one index fail the reference, which says both [6.8]', () => {
  const said = summary([decision(['a'], { name: 'canary' }), decision(['b'], { name: 'beta' })])
  assert.equal(said, 'Placement p: decision group 0 has two names, "beta" and "canary"; one index is one group')
})

test('what the Placement counts is taken from its status', () => {
  const groups = [{ decisionGroupIndex: 0 }, { decisionGroupIndex: 1 }]
  const found = resolvePlacement('p', placement({ numberOfSelectedClusters: 7, decisionGroups: groups }), [decision(['a'])])
  assert.deepEqual(found.ok && [found.decisionGroupCount, found.selectedClusterCount], [2, 7])
})

test('a Placement that counts more clusters than its decisions hold is not done, nor is one without a status', () => {
  const unfinished = (status: Placement['status'], ...decisions: PlacementDecision[]): string | undefined => {
    const found = resolvePlacement('p', placement(status), decisions)
    return found.ok ? found.unfinished : 'failed'
  }
  const two = 'Placement p counts 2 clusters and its decisions hold 1'
  assert.equal(unfinished({ numberOfSelectedClusters: 2 }, decision(['a']), decision(['a'], { index: '1' })), two)
  assert.equal(unfinished({ numberOfSelectedClusters: 2 }, decision(['a']), decision(['b'], { owner: 'other' })), two)
  assert.equal(unfinished({ numberOfSelectedClusters: 2 }, decision(['a', 'b'])), undefined)
  assert.equal(
    unfinished({ numberOfSelectedClusters: 1 }, decision(['a', 'b'])),
    undefined,
    'its status comes after its decisions',
  )
  assert.match(unfinished({}, decision(['a'])) ?? '', /has no status/)
  assert.equal(unfinished({ numberOfSelectedClusters: 0 }), undefined)
})
