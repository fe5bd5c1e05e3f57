// Whether another Config uses the runtime of one that goes.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clusterNameLabel, resolveCluster } from '#fleet'
import type { Reads } from '#runtime'
import { ocmLabels, profileOf } from '../../../fleet/testing/profiles.ts'
import type { WorkloadIdentityConfig } from '../api/kinds.ts'
import { type ConfigMore, configOf } from '../testing/config-seen.fixture.ts'
import type { SharedRuntime } from './seen.ts'
import { findSharedRuntime } from './shared-runtime.ts'

const here = 'wlc-a/wlc-a'
const sibling = (namespace: string, more: ConfigMore = {}): WorkloadIdentityConfig =>
  configOf({ ...more, metadata: { namespace, uid: namespace, ...more.metadata } })
const at = (resolvedClusterName: string): ConfigMore => ({ status: { resolvedClusterName } })

interface Row {
  readonly own?: ConfigMore
  /** Of which namespaces the inventory knows the cluster. */
  readonly known?: readonly string[]
  /** Which name is the same cluster as which other. */
  readonly same?: Readonly<Record<string, string>>
  readonly siblings: readonly WorkloadIdentityConfig[]
  readonly found: SharedRuntime['kind']
}

const elsewhere = sibling('wlc-c', at('wlc-c/wlc-c'))
const rows: Readonly<Record<string, Row>> = {
  'nobody else is there': { siblings: [], found: 'no' },
  'another works on another cluster': { siblings: [elsewhere], found: 'no' },
  'two others work on other clusters': { siblings: [elsewhere, sibling('wlc-b')], found: 'no' },
  'another has the same cluster on record': { siblings: [sibling('wlc-b', at(here))], found: 'shared' },
  'one of two others has it on record': { siblings: [elsewhere, sibling('wlc-b', at(here))], found: 'shared' },
  'another goes as well': { siblings: [sibling('wlc-b', { ...at(here), metadata: { deletionTimestamp: 'x' } })], found: 'no' },
  'another is of EKS': { siblings: [sibling('wlc-b', { ...at(here), spec: { type: 'EKSIRSA', region: 'x' } })], found: 'no' },
  'another is a name for the same cluster': { siblings: [sibling('wlc-b')], same: { 'wlc-b': 'wlc-a' }, found: 'shared' },
  'this one is a name for the cluster of another': { siblings: [sibling('wlc-b')], same: { 'wlc-a': 'wlc-b' }, found: 'shared' },
  'one of two others is a name for the same cluster': {
    siblings: [elsewhere, sibling('wlc-b')],
    same: { 'wlc-b': 'wlc-a' },
    found: 'shared',
  },
  'nobody knows where another works': { siblings: [elsewhere, sibling('wlc-x')], found: 'unknown' },
  'this one was on the cluster of another before the inventory lost it': {
    own: at('wlc-b/wlc-b'),
    known: ['wlc-b'],
    siblings: [sibling('wlc-b')],
    found: 'shared',
  },
  'the inventory does not know this one, which was nowhere': {
    own: { status: {} },
    known: [],
    siblings: [sibling('wlc-b')],
    found: 'no',
  },
}

for (const [what, { own = {}, known = ['wlc-a', 'wlc-b', 'wlc-c'], same, siblings, found }] of Object.entries(rows))
  test(`where ${what}, the runtime is ${found === 'no' ? 'not shared' : found === 'shared' ? 'shared' : 'perhaps shared'}`, () => {
    const config = configOf({ status: at(here).status, ...own })
    const profiles = known.map(name => profileOf(name, { labels: { ...ocmLabels, [clusterNameLabel]: name } }))
    const world = { list: () => [config, ...siblings] } as unknown as Reads
    const engagements = { sameClusterAs: (name: string) => same?.[name] } as never
    const shared = findSharedRuntime(config, resolveCluster('wlc-a', profiles), world, profiles, { engagements })
    assert.equal(shared.kind, found)
    if (shared.kind === 'unknown')
      assert.match(shared.message, /^whether Config wlc-x\/default uses the same cluster is not known: no ClusterProfile/)
  })
