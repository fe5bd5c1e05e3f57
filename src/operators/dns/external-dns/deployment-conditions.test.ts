import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StoredObject } from '#kube'
import { noVectors, readVectors } from '../testing/vectors.fixture.ts'
import { type DeploymentLike, deploymentConditions, type PodLike, scheduledCondition } from './deployment-conditions.ts'

const vectors = readVectors()
const skip = vectors === undefined ? noVectors : false

test('every recorded Deployment has the recorded conditions [21.9]', { skip }, () => {
  for (const { id, deployment, conditions } of vectors?.conditions ?? []) {
    assert.deepEqual(deploymentConditions(deployment as DeploymentLike), conditions, id)
  }
})

test('a value that is neither a number nor a part is said with the words of the library that reads it', () => {
  const rolling = (rollingUpdate: object): DeploymentLike => ({ spec: { strategy: { type: 'RollingUpdate', rollingUpdate } } })
  const [, surge] = deploymentConditions(rolling({ maxSurge: 'x%' }))
  const [, unavailable] = deploymentConditions(rolling({ maxUnavailable: 'many' }))
  assert.deepEqual(
    [surge?.reason, surge?.message],
    [
      'InvalidMaxSurgeValue',
      'invalid value for max surge: invalid value for IntOrString: invalid value "x%": strconv.Atoi: parsing "x": invalid syntax',
    ],
  )
  assert.deepEqual(
    [unavailable?.reason, unavailable?.message],
    [
      'InvalidMaxUnavailableValue',
      'invalid value for max unavailable: invalid value for IntOrString: invalid type: string is not a percentage',
    ],
  )
})

for (const [what, maxSurge, maxUnavailable, available, met] of [
  ['one of three is allowed', 1, 1, 2, true],
  ['one of three is allowed', 1, 1, 1, false],
  ['none is allowed', 1, 0, 2, false],
  ['a third, rounded down, is allowed', '50%', '34%', 2, true],
  ['less than one, rounded down, is allowed', '50%', '33%', 2, false],
  ['none is allowed beside none more, so that one is after all', 0, 0, 2, true],
  ['none is allowed beside none more, so that one is after all', '0%', '33%', 1, false],
  ['two are allowed beside none more', 0, 2, 1, true],
] as const)
  test(`where of what may be unavailable ${what}, ${available} of three are ${met ? 'enough' : 'too few'} [21.9]`, () => {
    const spec = { replicas: 3, strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge, maxUnavailable } } }
    const [, minimum] = deploymentConditions({ spec, status: { availableReplicas: available } } as DeploymentLike)
    assert.equal(minimum?.status, met ? 'True' : 'False')
  })

test('pods that wait are told by age, with the advice of more nodes where one cannot be placed [#89]', () => {
  const pod = (name: string, age: number, reason: string, message: string): PodLike => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      uid: name,
      resourceVersion: '1',
      creationTimestamp: `2026-01-01T00:00:0${age}Z`,
    } as StoredObject['metadata'],
    status: { conditions: [{ type: 'PodScheduled', status: 'False', reason, message }] },
  })
  const { status, reason, message } = scheduledCondition(
    [pod('b', 2, 'SchedulingGated', 'wait'), pod('a', 1, 'Unschedulable', '0/3 nodes are available')],
    'a=b',
  )
  assert.deepEqual([status, reason], ['False', 'PodsNotScheduled'])
  assert.equal(
    message,
    'Some pods are not scheduled: Pod "a" cannot be scheduled: 0/3 nodes are available Pod "b" is not yet scheduled: SchedulingGated: wait Make sure you have sufficient worker nodes.',
  )
  assert.equal(scheduledCondition([], 'a=b').message, 'No matching pods found for label selector: a=b')
})
