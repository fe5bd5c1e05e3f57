// What stands next to the refusals of the other scripts: the same rules, met from another side.
import { configMap, json, type Loose, object, pod, secret } from '../../fixtures.ts'
import type { Script } from '../../record.ts'
import { patchTypes, type Session } from '../../session.ts'
import type { Json } from '../../transcript.ts'

export const neighbourScripts: readonly Script[] = [
  { id: 'amounts-named', title: 'names and ratios of what can be used', run: amounts },
  { id: 'services-reached', title: 'addresses and ports of services', run: services },
  { id: 'questions', title: 'reviews with metadata and selectors, and tokens bound to odd things', run: questions },
  { id: 'events-changed', title: 'fields of events that stay', run: events },
  { id: 'jobs-judged', title: 'policies, indexes and statuses of jobs', run: jobs },
  { id: 'sets-counted', title: 'volumes and statuses of sets', run: sets },
  { id: 'twice-read', title: 'keys that stand twice in structures, lists and patches', run: twice },
]

const main = { name: 'main', image: 'example.com/app:1' }
const labels = { app: 'a' }
const template = (spec: Loose = {}): Loose => ({ metadata: { labels }, spec: { containers: [main], ...spec } })

async function amounts(s: Session): Promise<void> {
  for (const limit of [
    { type: 'Pod', max: { odd: '1' } },
    { type: 'Pod', max: { 'requests.cpu': '1' } },
    { type: 'Container', maxLimitRequestRatio: { odd: '2' } },
    { type: 'Container', min: { cpu: '100m' }, max: { cpu: '1' }, maxLimitRequestRatio: { cpu: '10' } },
    { type: 'Container', min: { cpu: '100m' }, max: { cpu: '1' }, maxLimitRequestRatio: { cpu: '11' } },
    { type: 'Container', min: { memory: '3Mi' }, max: { memory: '10Mi' }, maxLimitRequestRatio: { memory: '4' } },
    { type: 'Container', max: { memory: '10Mi' }, maxLimitRequestRatio: { memory: '400' } },
    { type: 'PersistentVolumeClaim', min: { storage: '2Gi' }, max: { storage: '1Gi' } },
    { type: 'PersistentVolumeClaim', max: { storage: '1Gi', odd: '1' } },
    { type: 'bad/', max: { cpu: '1' } },
  ])
    await s.post(`${s.path('limitranges')}?dryRun=All`, object('v1', 'LimitRange', 'l', { limits: [limit] }))
  const select = (scopeName: string, operator: string, values?: readonly string[]): Loose => ({
    scopeSelector: { matchExpressions: [{ scopeName, operator, ...(values !== undefined && { values }) }] },
  })
  for (const spec of [
    { hard: { cpu: '5', memory: '1Gi' }, scopes: ['BestEffort'] },
    { hard: { 'count/pods': '5' }, scopes: ['BestEffort'] },
    { hard: { 'ephemeral-storage': '1Gi' }, scopes: ['Terminating'] },
    { hard: { 'requests.ephemeral-storage': '1Gi' }, scopes: ['NotBestEffort'] },
    { hard: { 'example.com/gpu': '1' }, scopes: ['NotTerminating'] },
    { hard: { pods: '5' }, scopes: ['PriorityClass'] },
    { hard: { pods: '5' }, scopes: ['VolumeAttributesClass'] },
    { hard: { pods: '5' }, scopes: ['BestEffort', 'BestEffort'] },
    { hard: { cpu: '5' }, ...select('BestEffort', 'Exists') },
    { hard: { pods: '5' }, ...select('PriorityClass', 'Odd') },
    { hard: { pods: '5' }, ...select('PriorityClass', 'Odd', ['x']) },
    { hard: { pods: '5' }, ...select('PriorityClass', 'NotIn', []) },
    { hard: { pods: '5' }, ...select('PriorityClass', 'DoesNotExist', ['x']) },
    { hard: { pods: '5' }, ...select('Terminating', 'DoesNotExist') },
  ])
    await s.post(`${s.path('resourcequotas')}?dryRun=All`, object('v1', 'ResourceQuota', 'q', spec))
  await s.post(s.path('serviceaccounts'), json({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } }))
  for (const limits of [{ odd: '1' }, { 'requests.cpu': '1' }, { storage: '1Gi' }, { 'bad name': '1' }])
    await s.post(
      `${s.path('pods')}?dryRun=All`,
      pod('p', json({ containers: [{ name: 'main', image: 'i', resources: { limits } }] }) as never),
    )
}

async function services(s: Session): Promise<void> {
  const port = { port: 80 }
  for (const spec of [
    { ports: [port], externalIPs: ['10.1.1.1'] },
    { ports: [port], externalIPs: ['0.0.0.0'] },
    { ports: [port], externalIPs: ['169.254.1.1'] },
    { ports: [port], externalIPs: ['224.0.0.1'] },
    { ports: [port], externalIPs: ['::1'] },
    { ports: [port], externalIPs: ['fe80::1'] },
    { ports: [port], externalIPs: ['::'] },
    { ports: [port], externalIPs: ['10.1.1.1'], externalTrafficPolicy: 'Local' },
    { ports: [port], externalIPs: ['10.1.1.1'], clusterIP: 'None' },
    { ports: [{ port: 80, targetPort: 'a-very-long-port-name' }] },
    { ports: [{ port: 80, targetPort: '80' }] },
    { ports: [{ port: 80, targetPort: '-a--b-' }] },
    { ports: [port], sessionAffinity: '', sessionAffinityConfig: { clientIP: { timeoutSeconds: 5 } } },
    { ports: [port], sessionAffinity: 'ClientIP', sessionAffinityConfig: { clientIP: {} } },
  ])
    await s.post(`${s.path('services')}?dryRun=All`, object('v1', 'Service', 's', spec))
}

async function questions(s: Session): Promise<void> {
  const api = 'authorization.k8s.io/v1'
  const resource = { namespace: s.ns, verb: 'get', resource: 'pods' }
  const odd = { requirements: [{ key: 'a', operator: 'Odd' }] }
  for (const attributes of [
    { fieldSelector: odd },
    { fieldSelector: odd, labelSelector: odd },
    { labelSelector: { requirements: [{ key: 'a', operator: 'In' }] } },
    { labelSelector: { requirements: [{ key: 'a', operator: 'Exists', values: ['x'] }] } },
    { labelSelector: { requirements: [{ key: 'bad key', operator: 'Exists' }] } },
    {
      labelSelector: {
        requirements: [
          { key: 'a', operator: 'Exists' },
          { key: 'a', operator: 'Odd' },
        ],
      },
    },
    { labelSelector: { rawSelector: 'a in (' } },
    { fieldSelector: { rawSelector: 'a in (' } },
    { fieldSelector: { requirements: [{ key: 'a', operator: 'Exists' }] } },
    { fieldSelector: { requirements: [{ key: 'a', operator: 'In', values: ['x', 'y'] }] } },
  ])
    await s.post(
      `/apis/${api}/selfsubjectaccessreviews`,
      json({ apiVersion: api, kind: 'SelfSubjectAccessReview', spec: { resourceAttributes: { ...resource, ...attributes } } }),
    )
  for (const metadata of [{ name: 'x' }, { namespace: 'x' }, { annotations: { a: 'b' } }, { generateName: 'x' }])
    await s.post(
      `/apis/${api}/subjectaccessreviews`,
      json({ apiVersion: api, kind: 'SubjectAccessReview', metadata, spec: { user: 'x', resourceAttributes: resource } }),
    )
  await s.post(
    s.path(`localsubjectaccessreviews.${api}`),
    json({
      apiVersion: api,
      kind: 'LocalSubjectAccessReview',
      metadata: { name: 'x' },
      spec: { user: 'x', resourceAttributes: resource },
    }),
  )
  await s.post(s.path('serviceaccounts'), json({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'a' } }))
  await s.post(s.path('secrets'), secret('s'))
  const at = `${s.path('serviceaccounts', 'a')}/token`
  for (const body of [
    { spec: { boundObjectRef: { kind: 'Deployment', apiVersion: 'apps/v1', name: 'x' } } },
    { spec: { boundObjectRef: { kind: 'Pod', apiVersion: 'v1' } } },
    { spec: { expirationSeconds: 1 }, metadata: { name: 'other' } },
    { spec: 5 },
    { spec: { audiences: [5] } },
    { spec: { audiences: [''] } },
    { metadata: 'x' },
    { odd: 1, spec: {} },
  ])
    await s.post(at, json({ apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', ...body }))
}

async function events(s: Session): Promise<void> {
  const about = { kind: 'Pod', apiVersion: 'v1', name: 'p', namespace: s.ns }
  const time = '2020-01-01T00:00:00.000000Z'
  const whole = {
    eventTime: time,
    reportingController: 'a.b/c',
    reportingInstance: 'i',
    action: 'Act',
    reason: 'R',
    type: 'Normal',
  }
  const at = s.path('events.events.k8s.io/v1')
  await s.post(at, json({ apiVersion: 'events.k8s.io/v1', kind: 'Event', metadata: { name: 'm' }, ...whole, regarding: about }))
  for (const change of [
    { reason: '' },
    { action: null },
    { type: 'Odd' },
    { related: { kind: 'Pod', name: 'q' } },
    { deprecatedSource: { component: 'x' } },
    { deprecatedLastTimestamp: '2020-01-01T00:00:00Z' },
    { deprecatedCount: 3 },
    { reportingController: 'a b' },
    { reportingInstance: '' },
    { regarding: { namespace: 'other' } },
    { regarding: { namespace: '' } },
    { series: { count: 3 } },
  ])
    await s.patch(`${at}/m?dryRun=All`, 'merge', json(change))
  for (const more of [
    {
      eventTime: time,
      reportingComponent: 'a',
      reportingInstance: 'b',
      action: 'c',
      reason: 'd',
      involvedObject: { ...about, namespace: 'other' },
    },
    { involvedObject: about, series: { count: 1, lastObservedTime: time } },
    {
      involvedObject: about,
      eventTime: time,
      reportingComponent: 'a',
      reportingInstance: 'b',
      action: 'c',
      reason: 'd',
      series: { count: 1 },
    },
  ])
    await s.post(`${s.path('events')}?dryRun=All`, json({ apiVersion: 'v1', kind: 'Event', metadata: { name: 'e' }, ...more }))
}

async function jobs(s: Session): Promise<void> {
  const at = s.path('jobs.batch/v1')
  const job = (name: string, spec: Loose): Json =>
    object('batch/v1', 'Job', name, { template: { spec: { containers: [main], restartPolicy: 'Never' } }, ...spec })
  const indexed = { completionMode: 'Indexed', completions: 3 }
  const success = (...rules: Loose[]): Loose => ({ successPolicy: { rules } })
  const failure = (...rules: Loose[]): Loose => ({ podFailurePolicy: { rules } })
  for (const spec of [
    { ...indexed, ...success({ succeededCount: 4 }) },
    { ...indexed, ...success({ succeededCount: -1 }) },
    { ...indexed, ...success({ succeededIndexes: '' }) },
    { ...indexed, ...success({ succeededIndexes: '0-1-2' }) },
    { ...indexed, ...success({ succeededIndexes: '0', succeededCount: 0 }) },
    { ...indexed, ...success({ succeededIndexes: '-1' }) },
    success(),
    success({}),
    { ...failure({ action: 'FailJob', onExitCodes: { operator: 'NotIn', values: [0] } }) },
    { ...failure({ action: 'FailJob', onExitCodes: { operator: 'In', values: [3, 0, 3, 1] } }) },
    { ...failure({ action: 'Ignore', onPodConditions: [{ type: 'bad type', status: 'True' }] }) },
    { ...failure({ action: 'Ignore', onPodConditions: [{ status: 'True' }] }) },
    { ...failure({ onExitCodes: { operator: 'In', values: [1] } }) },
    { ...failure({ action: 'Ignore', onExitCodes: { values: [1] } }) },
    { ...failure({ action: 'Ignore', onExitCodes: { operator: 'In', values: [1] }, onPodConditions: [] }) },
    { ...indexed, backoffLimitPerIndex: 1, ...failure({ action: 'FailIndex', onExitCodes: { operator: 'In', values: [1] } }) },
    { managedBy: `example.com/${'a'.repeat(60)}` },
    {
      template: {
        metadata: { labels: { 'batch.kubernetes.io/job-name': 'x', other: 'y' } },
        spec: { containers: [main], restartPolicy: 'Never' },
      },
    },
  ])
    await s.post(`${at}?dryRun=All`, job('j', spec))
  await s.post(at, job('j', failure({ action: 'FailJob', onExitCodes: { operator: 'In', values: [1] } })))
  await s.post(at, job('i', { ...indexed, backoffLimitPerIndex: 1, ...success({ succeededCount: 1 }) }))
  for (const [name, spec] of [
    ['j', { podFailurePolicy: null }],
    ['j', { podFailurePolicy: { rules: [] } }],
    ['j', { podReplacementPolicy: 'Failed' }],
    ['i', { successPolicy: null }],
    ['i', { backoffLimitPerIndex: 2 }],
    ['i', { maxFailedIndexes: 1 }],
    ['i', { completionMode: null }],
  ] as const)
    await s.patch(`${at}/${name}?dryRun=All`, 'merge', json({ spec }))
  const time = '2020-01-01T00:00:00Z'
  const is = (type: string, status = 'True'): Loose => ({ type, status, lastProbeTime: time, lastTransitionTime: time })
  const failed = { startTime: time, conditions: [is('FailureTarget'), is('Failed')] }
  for (const [name, status] of [
    ['j', { completedIndexes: '0' }],
    ['j', { failedIndexes: '0' }],
    ['i', { failedIndexes: '0', completedIndexes: '0' }],
    ['i', { failedIndexes: '5' }],
    ['j', { ...failed, terminating: 1 }],
    ['j', { ...failed, active: 1, ready: 1 }],
    ['j', { ...failed, uncountedTerminatedPods: { failed: ['a'] } }],
    ['j', { conditions: [is('SuccessCriteriaMet'), is('FailureTarget')] }],
    ['j', { startTime: time, conditions: [is('SuccessCriteriaMet')] }],
    ['i', { startTime: time, conditions: [is('SuccessCriteriaMet'), is('Failed'), is('FailureTarget')] }],
    ['j', { uncountedTerminatedPods: { succeeded: ['a', 'a'] } }],
    ['j', { succeeded: -1, failed: -1, ready: -1 }],
  ] as const)
    await s.patch(`${at}/${name}/status?dryRun=All`, 'merge', json({ status }))
  await s.patch(`${at}/j/status`, 'merge', json({ status: { ...failed, failed: 2 } }))
  for (const status of [
    { conditions: [] },
    { conditions: [is('FailureTarget'), is('Failed', 'False')] },
    { conditions: [is('Failed')] },
    { startTime: null },
    { startTime: '2021-01-01T00:00:00Z' },
    { failed: 1 },
    { completionTime: time },
  ])
    await s.patch(`${at}/j/status?dryRun=All`, 'merge', json({ status }))
}

async function sets(s: Session): Promise<void> {
  const stateful = (spec: Loose): Json =>
    object('apps/v1', 'StatefulSet', 's', { serviceName: 's', selector: { matchLabels: labels }, template: template(), ...spec })
  const claim = (name: string): Loose => ({
    metadata: { name },
    spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
  })
  const empty = (name: string): Loose => ({ name, emptyDir: {} })
  const at = s.path('statefulsets.apps/v1')
  for (const spec of [
    { volumeClaimTemplates: [claim('Bad_1')], template: template({ volumes: [empty('Bad_2'), empty('good')] }) },
    { volumeClaimTemplates: [claim('data')], template: template({ volumes: [empty('data'), empty('data')] }) },
    { volumeClaimTemplates: [claim('b'), claim('a')], template: template({ volumes: [empty('Bad_2')] }) },
    { selector: { matchExpressions: [{ key: 'a', operator: 'Odd' }] } },
  ])
    await s.post(`${at}?dryRun=All`, stateful(spec))
  await s.post(at, stateful({}))
  await s.patch(`${at}/s?dryRun=All`, 'merge', json({ spec: { revisionHistoryLimit: -1 } }))
  await s.patch(
    `${at}/s/status?dryRun=All`,
    'merge',
    json({ status: { replicas: 1, availableReplicas: 2, updatedReplicas: -1 } }),
  )
  const daemons = s.path('daemonsets.apps/v1')
  await s.post(daemons, object('apps/v1', 'DaemonSet', 'd', { selector: { matchLabels: labels }, template: template() }))
  for (const status of [
    { currentNumberScheduled: -1, desiredNumberScheduled: -1, numberMisscheduled: -1, numberReady: -1 },
    { numberAvailable: -1, numberUnavailable: -1, updatedNumberScheduled: -1, observedGeneration: -1, collisionCount: -1 },
    { currentNumberScheduled: 1, desiredNumberScheduled: 0, numberReady: 3 },
  ])
    await s.patch(`${daemons}/d/status?dryRun=All`, 'merge', json({ status }))
  const deployments = s.path('deployments.apps/v1')
  await s.post(deployments, object('apps/v1', 'Deployment', 'd', { selector: { matchLabels: labels }, template: template() }))
  for (const status of [{ replicas: -1 }, { observedGeneration: -1, collisionCount: -1, unavailableReplicas: -1 }])
    await s.patch(`${deployments}/d/status?dryRun=All`, 'merge', json({ status }))
  const budgets = s.path('poddisruptionbudgets.policy/v1')
  await s.post(budgets, object('policy/v1', 'PodDisruptionBudget', 'b', { selector: { matchLabels: labels }, minAvailable: 1 }))
  for (const spec of [
    { selector: null },
    { selector: {} },
    { selector: { $patch: 'delete' } },
    { selector: { matchExpressions: [] } },
  ])
    await s.patch(`${budgets}/b?dryRun=All`, 'strategic', json({ spec }))
  await s.patch(`${budgets}/b/status?dryRun=All`, 'merge', json({ status: { observedGeneration: -1 } }))
}

async function twice(s: Session): Promise<void> {
  const send = (target: string, raw: string, type?: string): Promise<unknown> =>
    s.send(type === undefined ? 'POST' : 'PATCH', `${target}?dryRun=All`, { raw, ...(type !== undefined && { type }) })
  await s.post(s.path('configmaps'), configMap('c', { a: '1' }))
  const one = '"metadata":{"name":"n"}'
  for (const body of [
    `{"apiVersion":"v1","kind":"ConfigMap",${one},"metadata":{"labels":{"a":"b"}}}`,
    `{"apiVersion":"v1","kind":"ConfigMap",${one},"metadata":null}`,
    `{"apiVersion":"v1","kind":"ConfigMap",${one},"data":{"a":"1"},"data":null,"data":{"b":"2"}}`,
    `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"n","finalizers":["a/b","c/d"],"finalizers":["e/f"]}}`,
    `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"n","odd":{"x":1,"x":2},"odd":3},"data":{"a":"1","a":"2"},"odd":1}`,
    `{"odd":1,"odd":2,"apiVersion":"v1","kind":"ConfigMap",${one},"even":1,"data":{"a":"1","a":"2","a":"3"}}`,
  ])
    await send(s.path('configmaps'), body)
  await send(
    s.path('services'),
    `{"apiVersion":"v1","kind":"Service",${one},"spec":{"ports":[{"port":80,"odd":1,"port":81}],"selector":{"a":"b"}},"spec":{"selector":{"c":"d"},"odd":1}}`,
  )
  const map = s.path('configmaps', 'c')
  const pair = '{"x":"1","x":"2"}'
  for (const operations of [
    '[{"op":"replace","path":"","value":"x"}]',
    '[{"op":"replace","path":"","value":null}]',
    '[{"op":"replace","path":"","value":true}]',
    '[{"op":"replace","path":"","value":[1]}]',
    `[{"op":"add","path":"/data","value":${pair}},{"op":"add","path":"/data/y","value":"3"},{"op":"copy","from":"/data","path":"/metadata/labels"}]`,
    `[{"op":"add","path":"/data","value":${pair}},{"op":"copy","from":"/data","path":"/metadata/labels"},{"op":"add","path":"/metadata/labels/y","value":"z"}]`,
    `[{"op":"test","path":"/data","value":{"a":"1"}},{"op":"add","path":"/data","value":${pair}}]`,
    `[{"op":"add","path":"/metadata","value":{"name":"c","labels":${pair}}},{"op":"copy","from":"/metadata","path":"/odd"}]`,
  ])
    await send(map, operations, patchTypes.json)
  for (const patch of [
    '{"metadata":{"labels":{"a":1.0}}}',
    '{"metadata":{"labels":{"a":1}}}',
    '{"metadata":{"finalizers":[1.5]}}',
    '{"metadata":{"finalizers":2e0}}',
    '{"immutable":1.0}',
    '{"data":{"a":"1"},"data":{"b":"2"}}',
  ])
    await send(map, patch, patchTypes.strategic)
}
