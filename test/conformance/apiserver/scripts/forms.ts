// Kinds that are served in two forms, and what else a body may say in two ways: numbers with fractions of nought, keys that stand twice
// within the value of a patch, options in other letters.
import { deployment, pod } from '../fixtures.ts'
import type { Script } from '../record.ts'
import { patchTypes, type Session } from '../session.ts'
import type { Json } from '../transcript.ts'

export const formScripts: readonly Script[] = [
  { id: 'forms-autoscalers', title: 'autoscalers at both versions', run: autoscalers },
  { id: 'forms-events', title: 'events in both groups', run: events },
  { id: 'forms-numbers', title: 'whole numbers in other forms, and too large ones', run: numbers },
  { id: 'forms-twice', title: 'keys that stand twice within the value of a patch', run: twice },
  { id: 'forms-options', title: 'options of requests in other letters', run: options },
  { id: 'forms-reviews', title: 'tokens, reviews, evictions and scales that are nearly right', run: reviews },
]

const asTable = { headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' } }

const target = { kind: 'Deployment', name: 'web', apiVersion: 'apps/v1' }
const at = (version: string, name: string, spec: object, more: object = {}): Json =>
  ({
    apiVersion: `autoscaling/${version}`,
    kind: 'HorizontalPodAutoscaler',
    metadata: { name, ...more },
    spec: { scaleTargetRef: target, maxReplicas: 5, ...spec },
  }) as Json
const cpu = { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 30 } } }
const podsMetric = { type: 'Pods', pods: { metric: { name: 'm' }, target: { type: 'AverageValue', averageValue: '5' } } }
const otherMetrics = [
  podsMetric,
  {
    type: 'Object',
    object: {
      describedObject: target,
      metric: { name: 'm', selector: { matchLabels: { a: 'b' } } },
      target: { type: 'Value', value: '2k' },
    },
  },
  { type: 'External', external: { metric: { name: 'm' }, target: { type: 'AverageValue', averageValue: '3' } } },
  { type: 'Resource', resource: { name: 'memory', target: { type: 'AverageValue', averageValue: '1Gi' } } },
  {
    type: 'ContainerResource',
    containerResource: { name: 'cpu', container: 'c', target: { type: 'Utilization', averageUtilization: 9 } },
  },
]
const currentStatus = {
  currentReplicas: 1,
  desiredReplicas: 2,
  conditions: [
    {
      type: 'AbleToScale',
      status: 'True',
      reason: 'Ready',
      message: 'less <than> & more',
      lastTransitionTime: '2025-01-01T00:00:00Z',
    },
  ],
  currentMetrics: [
    { type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: 40, averageValue: '10m' } } },
    { type: 'Pods', pods: { metric: { name: 'm' }, current: { averageValue: '4' } } },
  ],
}

async function autoscalers(s: Session): Promise<void> {
  const path = (version: string, name = ''): string => s.path(`horizontalpodautoscalers.autoscaling/${version}`, name)
  await s.post(path('v1'), at('v1', 'one', { targetCPUUtilizationPercentage: 50 }))
  await s.get(path('v2', 'one'))
  await s.get(path('v1', 'one'))
  await s.get(path('v1'), asTable)
  await s.post(path('v1'), at('v1', 'bare', {}))
  await s.get(path('v2', 'bare'))
  await s.post(
    path('v2'),
    at('v2', 'two', { metrics: [...otherMetrics, cpu], behavior: { scaleUp: { stabilizationWindowSeconds: 5 } } }),
  )
  await s.get(path('v1', 'two'))
  await s.patch(`${path('v2', 'two')}/status`, 'merge', { status: currentStatus })
  await s.get(path('v1', 'two'))
  await s.get(`${path('v1', 'two')}/status`)
  await s.patch(`${path('v1', 'two')}/status`, 'merge', { status: { currentCPUUtilizationPercentage: 77, desiredReplicas: 3 } })
  await s.get(path('v2', 'two'))
  await s.patch(path('v1', 'two'), 'merge', { spec: { targetCPUUtilizationPercentage: 60 } })
  await s.patch(path('v1', 'two'), 'strategic', { spec: { minReplicas: 2 } })
  await s.patch(path('v1', 'two'), 'json', [{ op: 'remove', path: '/spec/targetCPUUtilizationPercentage' }])
  await s.get(path('v2', 'two'))
  await s.patch(path('v1', 'one'), 'merge', { spec: { maxReplicas: 5 } })
  for (const spec of [
    { targetCPUUtilizationPercentage: 0 },
    { minReplicas: 0 },
    { maxReplicas: 0 },
    { scaleTargetRef: { kind: 'a/b', name: '' } },
  ])
    await s.post(`${path('v1')}?dryRun=All`, at('v1', 'wrong', spec))
  await s.post(`${path('v1')}?dryRun=All&fieldValidation=Strict`, at('v1', 'wrong', { metrics: [cpu] }))
  const annotations = {
    'autoscaling.alpha.kubernetes.io/metrics': '[{"type":"Pods","pods":{"metricName":"x","targetAverageValue":"7"}}]',
    'autoscaling.alpha.kubernetes.io/behavior': '{"ScaleDown":{"SelectPolicy":"Disabled"}}',
    mine: 'yes',
  }
  await s.post(path('v1'), at('v1', 'three', { targetCPUUtilizationPercentage: 10 }, { annotations }))
  await s.get(path('v2', 'three'))
  await s.post(`${path('v2')}?dryRun=All`, at('v2', 'four', { metrics: [cpu] }, { annotations }))
  const broken = { 'autoscaling.alpha.kubernetes.io/metrics': '{', 'autoscaling.alpha.kubernetes.io/conditions': '[{}]' }
  await s.post(`${path('v1')}?dryRun=All`, at('v1', 'five', {}, { annotations: broken }))
  await s.patch(`${path('v1', 'six')}?fieldManager=one`, 'apply', at('v1', 'six', { minReplicas: 2 }))
  await s.patch(`${path('v2', 'six')}?fieldManager=two`, 'apply', at('v2', 'six', { minReplicas: 3 }))
  await s.patch(
    `${path('v2', 'six')}?fieldManager=two&force=true`,
    'apply',
    at('v2', 'six', { minReplicas: 3, metrics: [podsMetric] }),
  )
  await s.get(path('v1', 'six'))
  await s.patch(`${path('v1', 'six')}?fieldManager=one`, 'apply', at('v1', 'six', { targetCPUUtilizationPercentage: 20 }))
  await s.put(path('v1', 'six'), at('v2', 'six', {}))
  await s.put(path('v1', 'six'), at('v1', 'six', { targetCPUUtilizationPercentage: 33 }))
  await s.delete(path('v1', 'six'))
  await s.get('/apis/autoscaling/v1')
  await s.get('/apis/autoscaling')
}

async function events(s: Session): Promise<void> {
  const about = { kind: 'Pod', name: 'p', namespace: s.ns, apiVersion: 'v1' }
  const [core, own] = ['events', 'events.events.k8s.io/v1']
  const path = (resource: string, name = ''): string => (resource === core ? s.path(core, name) : s.path(own, name))
  await s.post(path(core), {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: 'old' },
    involvedObject: about,
    reason: 'Pulled',
    message: 'pulled',
    source: { component: 'kubelet', host: 'n' },
    firstTimestamp: '2025-01-01T00:00:00Z',
    lastTimestamp: '2025-01-01T00:00:01Z',
    count: 2,
    type: 'Normal',
  })
  await s.post(path(own), {
    apiVersion: 'events.k8s.io/v1',
    kind: 'Event',
    metadata: { name: 'new' },
    regarding: about,
    related: { kind: 'Node', name: 'n' },
    series: { count: 3, lastObservedTime: '2025-01-01T00:00:00.000000Z' },
    reason: 'Scheduled',
    note: 'scheduled',
    action: 'Binding',
    eventTime: '2025-01-01T00:00:00.000000Z',
    reportingController: 'example.com/scheduler',
    reportingInstance: 's-1',
    type: 'Normal',
  })
  for (const name of ['old', 'new']) for (const resource of [core, own]) await s.get(path(resource, name))
  for (const selector of [
    'involvedObject.name=p',
    'source=kubelet',
    'source=example.com/scheduler',
    'reportingComponent=',
    'regarding.name=p',
  ])
    await s.get(`${path(core)}?fieldSelector=${encodeURIComponent(selector)}`)
  for (const selector of [
    'regarding.name=p',
    'reportingController=example.com/scheduler',
    'source=kubelet',
    'involvedObject.name=p',
  ])
    await s.get(`${path(own)}?fieldSelector=${encodeURIComponent(selector)}`)
  await s.patch(path(own, 'old'), 'merge', { series: { count: 4, lastObservedTime: '2025-01-01T00:00:00.000000Z' } })
  await s.patch(path(own, 'old'), 'merge', { note: 'other' })
  await s.patch(path(core, 'new'), 'merge', { message: 'other' })
  await s.patch(path(core, 'old'), 'strategic', { count: 5 })
  await s.patch(`${path(own, 'applied')}?fieldManager=m`, 'apply', {
    apiVersion: 'events.k8s.io/v1',
    kind: 'Event',
    metadata: { name: 'applied' },
    regarding: about,
    reason: 'R',
    action: 'A',
    eventTime: '2025-01-01T00:00:00.000000Z',
    reportingController: 'example.com/c',
    reportingInstance: 'i',
    type: 'Normal',
    note: 'one',
  })
  await s.get(path(core, 'applied'))
  await s.patch(`${path(core, 'applied')}?fieldManager=n`, 'apply', {
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: 'applied' },
    involvedObject: about,
    message: 'two',
  })
  await s.get(path(own), asTable)
  await s.delete(path(own, 'old'))
  await s.get(path(core, 'old'))
}

const service = (port: string): string =>
  `{"apiVersion":"v1","kind":"Service","metadata":{"name":"s"},"spec":{"ports":[{"port":${port}}]}}`
const forms = [
  '80.0',
  '8e1',
  '80.5',
  '8.05e1',
  '-0',
  '-0.0',
  '1E400',
  '2147483647',
  '2147483648',
  '-2147483649',
  '99999999999999999999',
  '"80"',
  'true',
]

async function numbers(s: Session): Promise<void> {
  for (const form of forms) await s.send('POST', `${s.path('services')}?dryRun=All`, { raw: service(form) })
  for (const form of ['80.0', '8e1', '99999999999999999999'])
    await s.send('POST', `${s.path('services')}?dryRun=All`, { raw: service(form), type: 'application/yaml' })
  const generation = (form: string): string =>
    `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c","generation":${form}}}`
  for (const form of ['3', '3.0', '9223372036854775807', '9223372036854775808', '1e3', '-1'])
    await s.send('POST', `${s.path('configmaps')}?dryRun=All`, { raw: generation(form) })
  await s.post(s.path('deployments.apps/v1'), deployment('web'))
  const web = `${s.path('deployments.apps/v1', 'web')}?dryRun=All`
  for (const form of ['2.0', '2e0', '2.5', '3000000000', '-1', '99999999999999999999', '"2"', 'null']) {
    const merge = `{"spec":{"replicas":${form}}}`
    for (const type of [patchTypes.merge, patchTypes.strategic]) await s.send('PATCH', web, { raw: merge, type })
    await s.send('PATCH', web, { raw: `[{"op":"replace","path":"/spec/replicas","value":${form}}]`, type: patchTypes.json })
    const applied = `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web"},"spec":{"replicas":${form}}}`
    await s.send('PATCH', `${web}&fieldManager=m&force=true`, { raw: applied, type: patchTypes.apply })
    await s.send('PATCH', `${s.path('deployments.apps/v1', 'web')}/scale?dryRun=All`, { raw: merge, type: patchTypes.merge })
  }
}

const twiceValues = ['{"x":"1","x":"2"}', '{"x":"1","y":{"z":1,"z":2}}', '[{"x":"1","x":"2"}]']

async function twice(s: Session): Promise<void> {
  await s.post(s.path('configmaps'), { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' }, data: { a: '1' } })
  await s.post(s.path('deployments.apps/v1'), deployment('web'))
  for (const validation of ['Ignore', 'Warn', 'Strict']) {
    const end = `?dryRun=All&fieldValidation=${validation}`
    for (const value of twiceValues) {
      const raw = `[{"op":"add","path":"/data","value":${value}}]`
      await s.send('PATCH', `${s.path('configmaps', 'c')}${end}`, { raw, type: patchTypes.json })
    }
    const labels =
      '[{"op":"add","path":"/metadata/labels","value":{"x":"1","x":"2"}},{"op":"add","path":"/metadata/odd","value":{"q":1,"q":1}}]'
    await s.send('PATCH', `${s.path('configmaps', 'c')}${end}`, { raw: labels, type: patchTypes.json })
    for (const type of [patchTypes.merge, patchTypes.strategic]) {
      const raw = '{"data":{"x":"1","x":"2"},"data":{"y":"1"},"odd":{"a":1,"a":2}}'
      await s.send('PATCH', `${s.path('configmaps', 'c')}${end}`, { raw, type })
      const template = '{"spec":{"template":{"spec":{"containers":[{"name":"c","image":"i:1","image":"i:2","odd":1}]}}}}'
      await s.send('PATCH', `${s.path('deployments.apps/v1', 'web')}${end}`, { raw: template, type })
    }
    const applied = 'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: c\ndata:\n  x: "1"\n  x: "2"\n'
    await s.send('PATCH', `${s.path('configmaps', 'c')}${end}&fieldManager=m`, { raw: applied, type: patchTypes.apply })
    const flow = '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"c"},"data":{"x":"1","x":"2"}}'
    await s.send('PATCH', `${s.path('configmaps', 'c')}${end}&fieldManager=m`, { raw: flow, type: patchTypes.apply })
  }
}

const queries = [
  'force=True',
  'force=TRUE',
  'force=t',
  'force=yes',
  'force=',
  'force=0',
  'force=False',
  'force',
  'force=true&force=false',
  'fieldManager=',
  `fieldManager=${'m'.repeat(129)}`,
  'fieldManager=a%09b',
  'fieldManager=%C3%A4',
  'fieldManager=a&fieldManager=b',
  'dryRun=all',
  'dryRun=All&dryRun=All',
  'dryRun=',
  'dryRun=true',
  'fieldValidation=strict',
  'fieldValidation=',
  'timeout=abc',
  'timeout=-1s',
  'timeout=0',
  'timeout=1h',
  'timeout=10',
  'pretty=maybe',
  'unknown=1',
]

async function options(s: Session): Promise<void> {
  const map = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' }, data: { a: '1' } } as const
  await s.post(`${s.path('configmaps')}?fieldManager=first`, map)
  for (const query of queries) {
    const manager = query.includes('fieldManager') ? '' : '&fieldManager=second'
    const more = query.startsWith('dryRun') ? '' : '&dryRun=All'
    await s.patch(`${s.path('configmaps', 'c')}?${query}${manager}${more}`, 'apply', { ...map, data: { a: '2' } })
    await s.patch(`${s.path('configmaps', 'c')}?${query}${more}`, 'merge', { data: { b: '2' } })
  }
  for (const query of [
    'limit=-1',
    'limit=1.5',
    'limit=',
    'limit=99999999999999999999',
    'timeoutSeconds=-1',
    'timeoutSeconds=x',
    'allowWatchBookmarks=maybe',
    'labelSelector=a%20in%20()',
    'labelSelector=a%20in%20(b',
    'labelSelector=a,,b',
    'labelSelector=!a,b',
    'labelSelector=a%3E1',
    'labelSelector=a%3Ex',
    'labelSelector=%3D',
    'fieldSelector=metadata.name',
    'fieldSelector=metadata.name%3D%3Dc',
    'fieldSelector=metadata.name!%3Dc',
    'fieldSelector=data.a%3D1',
    'resourceVersion=-1',
    'resourceVersionMatch=exact&resourceVersion=1',
    'continue=%20',
    'sendInitialEvents=maybe',
    'includeObject=None',
  ])
    await s.get(`${s.path('configmaps')}?${query}`)
  for (const query of [
    'propagationPolicy=background',
    'gracePeriodSeconds=-1',
    'gracePeriodSeconds=x',
    'orphanDependents=maybe',
    'orphanDependents=true&propagationPolicy=Orphan',
    'ignoreStoreReadErrorWithClusterBreakingPotential=true',
  ])
    await s.delete(`${s.path('configmaps', 'c')}?dryRun=All&${query}`)
}

async function reviews(s: Session): Promise<void> {
  await s.post(s.path('serviceaccounts'), { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'robot' } })
  const token = `${s.path('serviceaccounts', 'robot')}/token`
  for (const spec of [
    { expirationSeconds: 1 },
    { expirationSeconds: 99999999999 },
    { audiences: [''], expirationSeconds: 0 },
    { boundObjectRef: { kind: 'Pod', name: 'none' } },
    { boundObjectRef: { kind: 'ConfigMap', name: 'x', apiVersion: 'v1' } },
    { boundObjectRef: { kind: 'Secret', apiVersion: 'v1', name: 'none' } },
  ])
    await s.post(token, { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec } as Json)
  await s.post(token, { apiVersion: 'v1', kind: 'ConfigMap' })
  await s.get(token)
  const access = (spec: Json, kind = 'SubjectAccessReview'): Json => ({ apiVersion: 'authorization.k8s.io/v1', kind, spec })
  const all = s.clusterPath('subjectaccessreviews.authorization.k8s.io/v1')
  for (const spec of [
    {},
    { user: 'u' },
    { user: 'u', resourceAttributes: {}, nonResourceAttributes: {} },
    { resourceAttributes: { verb: 'get' } },
    { user: 'u', resourceAttributes: { verb: 'get', resource: 'pods', namespace: 'x' } },
    { groups: ['g'], nonResourceAttributes: { path: '/healthz', verb: 'get' } },
    {
      user: 'u',
      resourceAttributes: {
        verb: 'list',
        resource: 'pods',
        labelSelector: { rawSelector: 'a=b', requirements: [{ key: 'a', operator: 'In', values: ['b'] }] },
      },
    },
    { user: 'u', resourceAttributes: { fieldSelector: {} } },
  ])
    await s.post(all, access(spec as Json))
  await s.post(
    s.path('localsubjectaccessreviews.authorization.k8s.io/v1'),
    access({ user: 'u', resourceAttributes: { namespace: 'elsewhere', verb: 'get' } }, 'LocalSubjectAccessReview'),
  )
  await s.post(
    s.path('localsubjectaccessreviews.authorization.k8s.io/v1'),
    access({ user: 'u', nonResourceAttributes: { path: '/' } }, 'LocalSubjectAccessReview'),
  )
  await s.post(s.clusterPath('selfsubjectaccessreviews.authorization.k8s.io/v1'), access({}, 'SelfSubjectAccessReview'))
  await s.post(
    s.clusterPath('selfsubjectrulesreviews.authorization.k8s.io/v1'),
    access({ namespace: '' }, 'SelfSubjectRulesReview'),
  )
  await s.post(s.clusterPath('tokenreviews.authentication.k8s.io/v1'), {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenReview',
    spec: { token: '' },
  })
  await s.post(s.clusterPath('tokenreviews.authentication.k8s.io/v1'), {
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenReview',
    spec: { token: 'x' },
  })
  await s.post(s.path('serviceaccounts'), { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'default' } })
  await s.post(s.path('pods'), pod('p'))
  const eviction = (metadata: object, deleteOptions?: object): Json =>
    ({ apiVersion: 'policy/v1', kind: 'Eviction', metadata, ...(deleteOptions === undefined ? {} : { deleteOptions }) }) as Json
  for (const body of [
    eviction({ name: 'other' }),
    eviction({ name: 'p', namespace: 'elsewhere' }),
    eviction({ name: 'p' }, { dryRun: ['All'] }),
    eviction({ name: 'p' }, { dryRun: ['Some'] }),
    eviction({ name: 'p' }, { gracePeriodSeconds: -1, dryRun: ['All'] }),
    eviction({ name: 'p' }, { preconditions: { uid: 'x' } }),
  ])
    await s.post(`${s.path('pods', 'p')}/eviction`, body)
  await s.post(`${s.path('pods', 'none')}/eviction`, eviction({ name: 'none' }))
  const binding = (node: object): Json => ({ apiVersion: 'v1', kind: 'Binding', metadata: { name: 'p' }, target: node }) as Json
  for (const node of [{}, { kind: 'Pod', name: 'n' }, { kind: 'Node', name: '' }, { name: 'n' }])
    await s.post(`${s.path('pods', 'p')}/binding`, binding(node))
  await s.post(`${s.path('pods', 'p')}/binding`, binding({ kind: 'Node', name: 'again' }))
  await s.post(s.path('deployments.apps/v1'), deployment('web'))
  const scale = `${s.path('deployments.apps/v1', 'web')}/scale`
  const scaled = (spec: object, metadata: object = {}): Json =>
    ({ apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name: 'web', ...metadata }, spec }) as Json
  for (const body of [
    scaled({ replicas: -1 }),
    scaled({ replicas: 2 }, { name: 'other' }),
    scaled({ replicas: 2 }, { resourceVersion: '1' }),
    scaled({ replicas: 2 }, { uid: 'x' }),
    scaled({}),
    scaled({ replicas: 2, odd: 1 }),
  ])
    await s.put(`${scale}?dryRun=All&fieldValidation=Strict`, body)
  await s.patch(`${scale}?dryRun=All`, 'strategic', { spec: { replicas: 4 }, status: { replicas: 9 } })
  await s.delete(scale)
  await s.post(scale, scaled({ replicas: 1 }))
}
