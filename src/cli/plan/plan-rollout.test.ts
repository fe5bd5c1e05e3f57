import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StoredObject } from '#kube'
import { KubeError } from '#kube/client'
import { replicaSetKind } from '#operators/identity'
import { type HubReads, planRollout } from './plan-rollout.ts'

const set = replicaSetKind.make(
  { namespace: 'platform', name: 'app' },
  {
    placementRefs: [{ name: 'p' }],
    template: {
      spec: { serviceAccount: { namespace: 'apps', name: 'app' }, policyARNs: ['arn:aws:iam::aws:policy/ReadOnlyAccess'] },
    },
  },
)
const options = { rules: 'safe', now: 0 } as const

/** Answers every list with this error. */
function hubThatSays(trouble: KubeError): HubReads {
  const fail = <T extends StoredObject>(): Promise<readonly T[]> => Promise.reject(trouble)
  return { find: () => Promise.resolve(undefined), list: fail, named: fail }
}

test('whoever may not list the hub is told so, and the set is planned all the same', async () => {
  const message = 'placements.cluster.open-cluster-management.io is forbidden'
  const hub = hubThatSays(new KubeError('refused', message, { httpStatus: 403 }))
  assert.deepEqual(await planRollout(set, hub, options), {
    isBlocked: false,
    details: [`which clusters cannot be told: ${message}`],
  })
})

test('a hub that cannot answer ends the plan: what is not known is not planned', async () => {
  const hub = hubThatSays(new KubeError('unknown-outcome', 'etcd is away', { httpStatus: 500 }))
  await assert.rejects(planRollout(set, hub, options), /etcd is away/)
})
