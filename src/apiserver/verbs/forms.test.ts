// Built-in kinds that are served in two forms, over one and the same stored object.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ManualClock } from '#base'
import type { ApiServer } from '../api-server.ts'
import { type Answer, answerTo, ask, nextEvents, openWatch, type Table, type WatchEvent } from '../ask.fixture.ts'
import { createApiServer } from '../create-api-server.ts'
import { reviewer } from '../review.fixture.ts'

const coreEvents = '/api/v1/namespaces/default/events'
const ownEvents = '/apis/events.k8s.io/v1/namespaces/default/events'
const autoscalers = (version: string): string => `/apis/autoscaling/${version}/namespaces/default/horizontalpodautoscalers`
const applyPatch = { type: 'application/apply-patch+yaml' }
const mergePatch = { type: 'application/merge-patch+json' }
const about = { kind: 'Pod', name: 'p', namespace: 'default' }

function world(): ApiServer {
  return createApiServer({ seed: 1, clock: new ManualClock(), controllers: 'none', emulate: '1.34' })
}

/** They may come in one piece or in several. */
async function eventsOf(watch: AsyncIterator<Uint8Array, undefined>, count: number): Promise<WatchEvent[]> {
  const events: WatchEvent[] = []
  while (events.length < count) events.push(...(await nextEvents(watch)))
  return events
}

const autoscaler = (version: string, spec: object): object => ({
  apiVersion: `autoscaling/${version}`,
  kind: 'HorizontalPodAutoscaler',
  metadata: { name: 'web' },
  spec: { scaleTargetRef: { kind: 'Deployment', name: 'web', apiVersion: 'apps/v1' }, maxReplicas: 5, ...spec },
})

test('an event is read, listed, chosen and watched in either group, whichever it was written in', async () => {
  const server = world()
  const from = `?resourceVersion=${server.revision}`
  const watches = [await openWatch(server, `${coreEvents}${from}`), await openWatch(server, `${ownEvents}${from}`)]
  await ask(server, 'POST', coreEvents, {
    metadata: { name: 'old' },
    involvedObject: about,
    reason: 'Pulled',
    message: 'pulled',
    source: { component: 'kubelet' },
    type: 'Normal',
  })
  await ask(server, 'POST', ownEvents, {
    metadata: { name: 'new' },
    regarding: about,
    reason: 'Scheduled',
    note: 'scheduled',
    action: 'Binding',
    eventTime: '2026-01-01T00:00:00.000000Z',
    reportingController: 'scheduler',
    reportingInstance: 's-1',
    type: 'Normal',
  })
  const shown = async (target: string): Promise<unknown[]> =>
    (await answerTo(server, 'GET', target)).items.map(item => [
      item.metadata.name,
      item.apiVersion,
      item.regarding ?? item.involvedObject,
      item.note ?? item.message,
    ])
  assert.deepEqual(await shown(`${coreEvents}?fieldSelector=involvedObject.name%3Dp`), [
    ['new', undefined, about, 'scheduled'],
    ['old', undefined, about, 'pulled'],
  ])
  assert.deepEqual(await shown(`${ownEvents}?fieldSelector=regarding.name%3Dp`), [
    ['new', undefined, about, 'scheduled'],
    ['old', undefined, about, 'pulled'],
  ])
  for (const [component, name] of [
    ['kubelet', 'old'],
    ['scheduler', 'new'],
  ])
    assert.deepEqual(
      (await answerTo(server, 'GET', `${coreEvents}?fieldSelector=source%3D${component}`)).items.map(item => item.metadata.name),
      [name],
    )
  const seen = await Promise.all(watches.map(watch => eventsOf(watch, 2)))
  assert.deepEqual(
    seen.map(events => events.map(({ object }) => [object.metadata.name, object.apiVersion, object.note ?? object.message])),
    [
      [
        ['old', 'v1', 'pulled'],
        ['new', 'v1', 'scheduled'],
      ],
      [
        ['old', 'events.k8s.io/v1', 'pulled'],
        ['new', 'events.k8s.io/v1', 'scheduled'],
      ],
    ],
  )
  const { rows } = await answerTo<Table>(server, 'GET', ownEvents, undefined, {
    headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' },
  })
  assert.deepEqual(
    rows.map(({ cells }) => [cells[2], cells[3], cells[6]]),
    [
      ['Scheduled', 'pod/p', 'scheduled'],
      ['Pulled', 'pod/p', 'pulled'],
    ],
  )
  for (const watch of watches) await watch.return?.()
  await server.close()
})

test('an autoscaler that is written at v1 has its metric at v2, and the other way round', async () => {
  const server = world()
  const made = await answerTo(server, 'POST', autoscalers('v1'), autoscaler('v1', { targetCPUUtilizationPercentage: 50 }))
  assert.deepEqual([made.apiVersion, made.spec.minReplicas, made.spec.targetCPUUtilizationPercentage], ['autoscaling/v1', 1, 50])
  const metrics = [{ type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 50 } } }]
  assert.deepEqual((await answerTo(server, 'GET', `${autoscalers('v2')}/web`)).spec.metrics, metrics)
  const pods = { type: 'Pods', pods: { metric: { name: 'm' }, target: { type: 'AverageValue', averageValue: '5' } } }
  await ask(server, 'PATCH', `${autoscalers('v2')}/web`, { spec: { metrics: [...metrics, pods] } }, mergePatch)
  const patched = await answerTo(server, 'PATCH', `${autoscalers('v1')}/web`, { spec: { maxReplicas: 9 } }, mergePatch)
  assert.equal(patched.spec.targetCPUUtilizationPercentage, 50)
  const { spec } = await answerTo(server, 'GET', `${autoscalers('v2')}/web`)
  assert.deepEqual([spec.maxReplicas, spec.metrics], [9, [pods, ...metrics]])
  await server.close()
})

test('an autoscaler at v1 that names no metric has the one that v1 always meant', async () => {
  const server = world()
  await ask(server, 'POST', autoscalers('v1'), autoscaler('v1', {}))
  assert.equal((await answerTo(server, 'GET', `${autoscalers('v1')}/web`)).spec.targetCPUUtilizationPercentage, 80)
  const { resourceVersion } = (await answerTo(server, 'GET', `${autoscalers('v2')}/web`)).metadata
  const same = await answerTo(server, 'PATCH', `${autoscalers('v1')}/web`, { spec: { maxReplicas: 5 } }, mergePatch)
  assert.equal(same.metadata.resourceVersion, resourceVersion, 'a write that changes nothing is none')
  await server.close()
})

test('an autoscaler at v1 is refused for what is wrong with it where it is stored', async () => {
  const server = world()
  const { code, message } = await answerTo(
    server,
    'POST',
    autoscalers('v1'),
    autoscaler('v1', { targetCPUUtilizationPercentage: 0 }),
  )
  assert.equal(code, 422)
  assert.match(message, /spec\.metrics\[0\]\.resource\.target\.averageUtilization: Invalid value: 0: must be greater than 0/)
  const strict = await answerTo(server, 'POST', `${autoscalers('v1')}?fieldValidation=Strict`, autoscaler('v1', { metrics: [] }))
  assert.match(strict.message, /unknown field "spec\.metrics"/)
  await server.close()
})

test('appliers of an autoscaler at two versions share it, and conflict over what both want', async () => {
  const server = world()
  const send = (manager: string, version: string, spec: object): Promise<Answer> =>
    answerTo(server, 'PATCH', `${autoscalers(version)}/web?fieldManager=${manager}`, autoscaler(version, spec), applyPatch)
  assert.equal((await send('one', 'v1', { minReplicas: 2 })).kind, 'HorizontalPodAutoscaler')
  assert.equal((await send('two', 'v2', { minReplicas: 2 })).kind, 'HorizontalPodAutoscaler')
  assert.match(
    (await send('two', 'v2', { minReplicas: 3 })).message,
    /^Apply failed with 1 conflict: conflict with "one": \.spec\.minReplicas$/,
  )
  const { managedFields } = (await answerTo(server, 'GET', `${autoscalers('v2')}/web`)).metadata
  assert.deepEqual(Object.fromEntries(managedFields.map(({ manager, apiVersion }) => [manager, apiVersion])), {
    one: 'autoscaling/v1',
    two: 'autoscaling/v2',
  })
  await server.close()
})

test('a webhook for v1 sees at v1 what is written at v2, and may change it there', async () => {
  const server = world()
  const patch = Buffer.from(JSON.stringify([{ op: 'replace', path: '/spec/targetCPUUtilizationPercentage', value: 7 }]))
  const hook = reviewer(request => {
    assert.equal((request.object as Answer).spec.targetCPUUtilizationPercentage, 60)
    return { allowed: true, patchType: 'JSONPatch', patch: patch.toString('base64') }
  })
  server.serve({ namespace: 'default', service: 'hook' }, hook)
  const webhook = {
    name: 'a.b.c',
    clientConfig: { service: { namespace: 'default', name: 'hook' } },
    rules: [{ operations: ['*'], apiGroups: ['autoscaling'], apiVersions: ['v1'], resources: ['horizontalpodautoscalers'] }],
    sideEffects: 'None',
    admissionReviewVersions: ['v1'],
  }
  const configurations = '/apis/admissionregistration.k8s.io/v1/mutatingwebhookconfigurations'
  await answerTo(server, 'POST', configurations, { metadata: { name: 'm' }, webhooks: [webhook] })
  const target = { type: 'Utilization', averageUtilization: 60 }
  const metrics = [{ type: 'Resource', resource: { name: 'cpu', target } }]
  const made = await answerTo(server, 'POST', autoscalers('v2'), autoscaler('v2', { metrics }))
  assert.deepEqual(made.spec.metrics, [
    { type: 'Resource', resource: { name: 'cpu', target: { ...target, averageUtilization: 7 } } },
  ])
  await server.close()
})
