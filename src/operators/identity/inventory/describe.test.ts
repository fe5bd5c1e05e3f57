// The cluster of a namespace, with what the inventory says of it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { managedClusterLabels } from '#fleet'
import { profileOf } from '../../../fleet/testing/profiles.ts'
import { describeCluster } from './describe.ts'
import { propertyNames } from './properties.ts'

const properties = [{ name: propertyNames.eksClusterName, value: 'prod' }]
const profile = profileOf('wlc-a', {
  labels: managedClusterLabels('wlc-a'),
  status: { accessProviders: [{ name: 'x', cluster: { server: 'https://x' } }], properties },
})

test('a cluster is described by its profile, and one that has none by why', () => {
  const found = describeCluster('wlc-a', [profile], undefined)
  assert.ok(found.kind === 'resolved')
  assert.deepEqual(found.properties, { eksAutoMode: false, eksClusterName: 'prod' })
  const missing = describeCluster('wlc-b', [profile], undefined)
  assert.deepEqual(
    [missing.kind, 'reason' in missing && missing.reason, 'properties' in missing],
    ['unresolved', 'ClusterProfileNotFound', false],
  )
})
