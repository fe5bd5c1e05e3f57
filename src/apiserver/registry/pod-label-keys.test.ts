// Selectors of a new pod's neighbours, narrowed by what the pod's own labels say.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ManualClock } from '#base'
import { type Answer, ask } from '../ask.fixture.ts'
import { createApiServer } from '../create-api-server.ts'
import type { EmulatedVersion } from '../emulated-version.ts'

const [needs, likes] = ['requiredDuringSchedulingIgnoredDuringExecution', 'preferredDuringSchedulingIgnoredDuringExecution']
const account = '/api/v1/namespaces/default/serviceaccounts'

/** What becomes of a pod with the labels `a` and `c`. */
async function made(emulate: EmulatedVersion, spec: object): Promise<object> {
  const server = createApiServer({ seed: 1, clock: new ManualClock(), controllers: 'none', emulate })
  await ask(server, 'POST', account, { metadata: { name: 'default' } })
  const { status, body } = await ask<Answer<object>>(server, 'POST', '/api/v1/namespaces/default/pods', {
    metadata: { name: 'p', labels: { a: 'b', c: 'd' } },
    spec: { containers: [{ name: 'main', image: 'i' }], ...spec },
  })
  assert.equal(status, 201, JSON.stringify(body))
  return body.spec
}

const term = {
  topologyKey: 'zone',
  labelSelector: { matchLabels: { a: 'b' }, matchExpressions: [{ key: 'e', operator: 'Exists' }] },
  matchLabelKeys: ['c', 'other'],
  mismatchLabelKeys: ['a', 'more'],
}
const narrowed = {
  ...term,
  labelSelector: {
    matchLabels: { a: 'b' },
    matchExpressions: [
      { key: 'e', operator: 'Exists' },
      { key: 'c', operator: 'In', values: ['d'] },
      { key: 'a', operator: 'NotIn', values: ['b'] },
    ],
  },
}
const affinity = (each: object): object => ({ [needs]: [each], [likes]: [{ weight: 1, podAffinityTerm: each }] })
const spread = { maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable: 'DoNotSchedule' }
const constraint = { ...spread, labelSelector: {}, matchLabelKeys: ['c'] }
const plain = { ...spread, topologyKey: 'node', labelSelector: { matchLabels: { a: 'b' } } }
const spec = {
  affinity: { podAffinity: affinity(term), podAntiAffinity: affinity(term), nodeAffinity: {} },
  topologySpreadConstraints: [constraint, plain, { ...spread, whenUnsatisfiable: 'ScheduleAnyway' }],
}

test('selectors of neighbours are narrowed by the labels that a new pod has', async () => {
  const { affinity: near, topologySpreadConstraints: spreads } = (await made('1.34', spec)) as typeof spec
  assert.deepEqual(near, { podAffinity: affinity(narrowed), podAntiAffinity: affinity(narrowed), nodeAffinity: {} })
  assert.deepEqual(spreads, [
    { ...constraint, labelSelector: { matchExpressions: [{ key: 'c', operator: 'In', values: ['d'] }] } },
    plain,
    spec.topologySpreadConstraints[2],
  ])
})

test('a server before 1.34 leaves selectors of neighbours as they are', async () => {
  const { affinity: near, topologySpreadConstraints: spreads } = (await made('1.32', spec)) as typeof spec
  assert.deepEqual({ affinity: near, topologySpreadConstraints: spreads }, spec)
})
