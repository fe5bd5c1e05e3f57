import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ClusterProfile, clusterManagerLabel, clusterNameLabel, clusterNameOf } from './cluster-profile.ts'
import { namespaceOfLogicalName, resolveCluster } from './resolve.ts'
import { accessOffer, ocmLabels, profileOf } from './testing/profiles.ts'

const summary = (profiles: readonly ClusterProfile[], namespace = 'wlc-a'): string => {
  const found = resolveCluster(namespace, profiles)
  return found.kind === 'resolved'
    ? `${found.logicalName} by ${found.profile.metadata.name}`
    : `${found.reason}: ${found.message}`
}

test('a namespace is the cluster of the one profile with both labels and an access provider [6.1]', () => {
  assert.equal(summary([profileOf('a')]), 'wlc-a/wlc-a by a')
  assert.match(summary([]), /^ClusterProfileNotFound: no ClusterProfile has the labels /)
  assert.match(summary([profileOf('a')], 'wlc-b'), /^ClusterProfileNotFound/)
  assert.match(summary([profileOf('a', { labels: { [clusterNameLabel]: 'wlc-a' } })]), /^ClusterProfileNotFound/)
  const other = profileOf('a', { labels: { ...ocmLabels, [clusterManagerLabel]: 'somebody-else' } })
  assert.match(summary([other]), /^ClusterProfileNotFound/)
})

test('only credentialProviders: not ready [13.10 #220]', () => {
  assert.equal(
    summary([profileOf('a', { status: { credentialProviders: [accessOffer] } })]),
    'InventoryUnavailable: ClusterProfile inventory/a offers no access provider yet',
  )
})

test('of a ready and a not-ready one the ready one counts [13.10 #221]', () => {
  assert.equal(summary([profileOf('a', { status: {} }), profileOf('b')]), 'wlc-a/wlc-a by b')
})

test('two ready ones are ambiguous, and all are named in order [13.10 #222]', () => {
  assert.match(summary([profileOf('b'), profileOf('a')]), /^InventoryAmbiguous: .*inventory\/a, inventory\/b;/)
  assert.equal(
    summary([profileOf('b'), profileOf('z', { namespace: 'east' }), profileOf('a')]),
    'InventoryAmbiguous: several ClusterProfiles stand for wlc-a: east/z, inventory/a, inventory/b; leave one of them with the label',
  )
})

test('the logical name comes from the label, or from the object where there is none [6.1]', () => {
  assert.equal(clusterNameOf(profileOf('a')), 'wlc-a')
  assert.equal(clusterNameOf(profileOf('a', { labels: {} })), 'a')
  assert.equal(clusterNameOf(profileOf('a', { labels: { [clusterNameLabel]: '' } })), 'a')
})

test('a cluster name that is no pair has no namespace [13.10 #219]', () => {
  for (const [text, wanted] of [
    ['wlc-a/wlc-a', 'wlc-a'],
    ['wlc-a', undefined],
    ['', undefined],
    ['/wlc-a', undefined],
    ['wlc-a/', undefined],
    ['a/b/c', undefined],
  ] as const) {
    assert.equal(namespaceOfLogicalName(text), wanted, text)
  }
})
