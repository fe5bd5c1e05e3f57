// Whether the Deployment of the webhook serves, by what its controller says of it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StoredObject } from '#kube'
import { hasOtherSelector, newDeployment, servingOf } from './deployment.ts'

const up = {
  observedGeneration: 3,
  replicas: 2,
  updatedReplicas: 2,
  availableReplicas: 2,
  conditions: [{ type: 'Available', status: 'True' }],
}

function deployment(status: object, spec: object = { replicas: 2 }): StoredObject {
  const metadata = { namespace: 'there', name: 'webhook', uid: 'u', resourceVersion: '1', generation: 3 }
  return { apiVersion: 'apps/v1', kind: 'Deployment', metadata, spec, status } as unknown as StoredObject
}

type Told = readonly [reason: string | undefined, serves: boolean, settled: boolean]
const stuck = [
  { type: 'Available', status: 'True' },
  { type: 'Progressing', status: 'False' },
]
const rows: readonly (readonly [what: string, object: StoredObject, ...told: Told])[] = [
  ['all is up', deployment(up), undefined, true, true],
  ['one of an earlier state is left', deployment({ ...up, replicas: 3 }), undefined, true, false],
  [
    'one is meant where nobody says how many',
    deployment({ ...up, replicas: 1, updatedReplicas: 1, availableReplicas: 1 }, {}),
    undefined,
    true,
    true,
  ],
  [
    'none is up where one is meant',
    deployment({ ...up, updatedReplicas: 1, availableReplicas: 0 }, {}),
    'WebhookDeploymentReplicasUnavailable',
    false,
    false,
  ],
  ['nothing is said', deployment({}), 'WebhookDeploymentObservedGenerationLag', false, false],
  [
    'an older generation was seen',
    deployment({ ...up, observedGeneration: 2 }),
    'WebhookDeploymentObservedGenerationLag',
    true,
    false,
  ],
  ['one was not updated', deployment({ ...up, updatedReplicas: 1 }), 'WebhookDeploymentRolloutInProgress', true, false],
  ['one is not available', deployment({ ...up, availableReplicas: 1 }), 'WebhookDeploymentReplicasUnavailable', true, false],
  ['none is available', deployment({ ...up, availableReplicas: 0 }), 'WebhookDeploymentReplicasUnavailable', false, false],
  [
    'it does not say that it is available',
    deployment({ ...up, conditions: stuck.slice(1) }),
    'WaitingForWebhookDeployment',
    true,
    false,
  ],
  [
    'it says that it is not',
    deployment({ ...up, conditions: [{ type: 'Available', status: 'False' }] }),
    'WaitingForWebhookDeployment',
    true,
    false,
  ],
  [
    'something else is said of it, too',
    deployment({ ...up, conditions: [{ type: 'Progressing', status: 'True' }, ...up.conditions] }),
    undefined,
    true,
    true,
  ],
  [
    'nobody counts its generations',
    { ...deployment({ ...up, observedGeneration: undefined }), metadata: { name: 'webhook' } } as unknown as StoredObject,
    undefined,
    true,
    true,
  ],
  ['a number is a text', deployment({ ...up, availableReplicas: '2' }), 'WebhookDeploymentReplicasUnavailable', false, false],
]

for (const [what, object, ...told] of rows)
  test(`where ${what}, the webhook ${told[1] ? 'serves' : 'does not serve'}${told[0] === undefined ? '' : `, and lags: ${told[0]}`}`, () => {
    const { lag, serves, settled } = servingOf(object)
    assert.deepEqual([lag?.reason, serves, settled], told)
  })

test('where its time to start is over, it is said how to find out why, and which image it has', () => {
  const containers = [
    { name: 'other', image: 'other:1' },
    { name: 'webhook', image: 'webhook:1' },
  ]
  const spec = { replicas: 2, template: { spec: { containers } } }
  const messageOf = (conditions: readonly object[]): string =>
    servingOf(deployment({ ...up, availableReplicas: 1, conditions }, spec)).lag?.message ?? ''
  assert.match(messageOf(up.conditions), /than it wants; its events and Pods say why$/)
  assert.match(
    messageOf(stuck),
    /their time to start is over: kubectl -n there describe pods .* the image webhook:1, name another/,
  )
  assert.match(messageOf([{ type: 'Progressing', status: 'True' }]), /its events and Pods say why$/)
  const bare = deployment({ ...up, availableReplicas: 1, conditions: stuck }, { replicas: 2, template: {} })
  assert.match(servingOf(bare).lag?.message ?? '', /their time to start is over/, 'nobody knows its image')
})

test('what lags is told with the name of the Deployment', () => {
  const { lag } = servingOf(deployment({ ...up, updatedReplicas: 1 }))
  assert.equal(lag?.message, 'Deployment there/webhook is being rolled out')
})

test('a selector of before has to go, and ours stays', () => {
  const ours = newDeployment({ namespace: 'there', image: 'webhook:1', fingerprint: 'f' })
  assert.equal(ours.spec['replicas'], 1)
  assert.equal(hasOtherSelector(ours as unknown as StoredObject), false)
  assert.equal(hasOtherSelector(deployment(up, { selector: { matchLabels: { app: 'x' } } })), true)
})
