import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tellAudit } from './audit.ts'

const outdated = [
  {
    namespace: 'ns1',
    name: 'p',
    serviceAccount: 'app',
    madeBy: 'ReplicaSet web',
    differences: ['has role a and would get role b'],
  },
]

test('an audit ends with 0 only when pods were looked at and all is well', () => {
  assert.deepEqual(tellAudit({ looked: 2, outdated: [] }, 2), {
    lines: ['2 pods looked at, each has the identity that it would get today'],
    exitCode: 0,
  })
  assert.deepEqual(tellAudit({ looked: 2, outdated }, 3), {
    lines: [
      'ns1/p of ServiceAccount app has role a and would get role b; made by ReplicaSet web',
      '2 pods looked at, 1 need a restart to have the identity that they would get today',
    ],
    exitCode: 3,
  })
})

test('an audit that looked at nothing says so and does not end with 0, be it a hub or a cluster of pods that are over', () => {
  assert.deepEqual(
    [0, 3].map(listed => tellAudit({ looked: 0, outdated: [] }, listed)),
    [
      {
        lines: [
          'no pod was looked at: there are none here: name the cluster whose pods are meant by --kubeconfig, which is not the hub',
        ],
        exitCode: 4,
      },
      { lines: ['no pod was looked at: of 3 pods none runs that the webhook is asked about'], exitCode: 4 },
    ],
  )
})
