// What tenants of a cluster meet: quotas and limits, leases and events, services that change their kind.
import { json, type Loose } from '../../fixtures.ts'
import type { Script } from '../../record.ts'
import type { Session } from '../../session.ts'
import type { Json } from '../../transcript.ts'

export const tenantScripts: readonly Script[] = [
  { id: 'limits-made', title: 'limit ranges that are filled in and refused', run: limitsMade },
  { id: 'quotas-made', title: 'quotas that are refused, and what they count', run: quotasMade },
  { id: 'leases-kept', title: 'leases that are refused', run: leasesKept },
  { id: 'events-told', title: 'events of both groups', run: eventsTold },
  { id: 'services-changed', title: 'services that change their kind', run: servicesChanged },
]

async function limitsMade(s: Session): Promise<void> {
  for (const limit of [
    { type: 'Container', max: { cpu: '1' } },
    { type: 'Container', max: { cpu: '1' }, min: { cpu: '2' } },
    { type: 'Container', default: { cpu: '1' }, defaultRequest: { cpu: '2' } },
    { type: 'Container', max: { cpu: '1' }, default: { cpu: '2' } },
    { type: 'Container', min: { cpu: '1' }, defaultRequest: { cpu: '500m' } },
    { type: 'Container', min: { cpu: '100m' }, default: { memory: '1Gi' } },
    { type: 'Container', maxLimitRequestRatio: { cpu: '2' } },
    { type: 'Container', maxLimitRequestRatio: { cpu: '500m' } },
    { type: 'Container', max: { cpu: '2' }, min: { cpu: '1' }, maxLimitRequestRatio: { cpu: '3' } },
    { type: 'Container', max: { 'requests.cpu': '1' } },
    { type: 'Container', max: { odd: '1' } },
    { type: 'Container', max: { 'example.com/gpu': '1' } },
    { type: 'Container', max: { cpu: 'x' } },
    { type: 'Pod', max: { cpu: '1' }, default: { cpu: '1' } },
    { type: 'Pod', max: { cpu: '1' }, defaultRequest: { cpu: '1' } },
    { type: 'Pod', max: { memory: '1Gi' } },
    { type: 'PersistentVolumeClaim' },
    { type: 'PersistentVolumeClaim', max: { storage: '1Gi' } },
    { type: 'PersistentVolumeClaim', max: { cpu: '1' } },
    { type: 'Odd', max: { cpu: '1' } },
    { type: 'example.com/Odd', max: { cpu: '1' } },
    { max: { cpu: '1' } },
  ])
    await s.post(
      `${s.path('limitranges')}?dryRun=All`,
      json({ apiVersion: 'v1', kind: 'LimitRange', metadata: { name: 'l' }, spec: { limits: [limit] } }),
    )
  for (const spec of [
    {},
    { limits: [] },
    {
      limits: [
        { type: 'Pod', max: { cpu: '1' } },
        { type: 'Pod', min: { cpu: '1' } },
      ],
    },
  ])
    await s.post(
      `${s.path('limitranges')}?dryRun=All`,
      json({ apiVersion: 'v1', kind: 'LimitRange', metadata: { name: 'l' }, spec }),
    )
}

async function quotasMade(s: Session): Promise<void> {
  const quotas = s.path('resourcequotas')
  const quota = (spec: unknown, name = 'q'): Json => json({ apiVersion: 'v1', kind: 'ResourceQuota', metadata: { name }, spec })
  for (const spec of [
    {},
    { hard: {} },
    { hard: { pods: '5' } },
    { hard: { pods: '1500m' } },
    { hard: { pods: '-1' } },
    { hard: { odd: '1' } },
    { hard: { 'count/configmaps': '1' } },
    { hard: { 'count/widgets.example.com': '1' } },
    { hard: { 'requests.cpu': '100m', 'limits.memory': '1Gi' } },
    { hard: { 'requests.example.com/gpu': '1' } },
    { hard: { 'limits.example.com/gpu': '1' } },
    { hard: { 'services.nodeports': '0', secrets: '3' } },
    { hard: { pods: '5' }, scopes: ['BestEffort'] },
    { hard: { cpu: '5' }, scopes: ['BestEffort'] },
    { hard: { pods: '5' }, scopes: ['BestEffort', 'NotBestEffort'] },
    { hard: { pods: '5' }, scopes: ['Terminating', 'NotTerminating'] },
    { hard: { pods: '5' }, scopes: ['Odd'] },
    { hard: { configmaps: '5' }, scopes: ['Terminating'] },
    {
      hard: { pods: '5' },
      scopeSelector: { matchExpressions: [{ scopeName: 'PriorityClass', operator: 'In', values: ['high'] }] },
    },
    { hard: { pods: '5' }, scopeSelector: { matchExpressions: [{ scopeName: 'PriorityClass', operator: 'In', values: [] }] } },
    {
      hard: { pods: '5' },
      scopeSelector: { matchExpressions: [{ scopeName: 'PriorityClass', operator: 'Exists', values: ['x'] }] },
    },
    { hard: { pods: '5' }, scopeSelector: { matchExpressions: [{ scopeName: 'BestEffort', operator: 'In', values: ['x'] }] } },
    { hard: { pods: '5' }, scopeSelector: { matchExpressions: [{ scopeName: 'Odd', operator: 'Exists' }] } },
    { hard: { pods: 'x' } },
  ])
    await s.post(`${quotas}?dryRun=All`, quota(spec))
  await s.post(quotas, quota({ hard: { pods: '5' }, scopes: ['BestEffort'] }))
  await s.patch(`${quotas}/q?dryRun=All`, 'merge', json({ spec: { scopes: ['NotBestEffort'] } }))
  await s.patch(`${quotas}/q?dryRun=All`, 'merge', json({ spec: { hard: { pods: '6' } } }))
  for (const status of [
    { hard: { pods: '5' }, used: { pods: '1' } },
    { hard: { pods: '5' }, used: { pods: '-1' } },
    { hard: { odd: '5' } },
    { used: { pods: '1500m' } },
  ])
    await s.patch(`${quotas}/q/status?dryRun=All`, 'merge', json({ status }))
}

async function leasesKept(s: Session): Promise<void> {
  const leases = s.path('leases.coordination.k8s.io/v1')
  const lease = (spec: unknown): Json =>
    json({ apiVersion: 'coordination.k8s.io/v1', kind: 'Lease', metadata: { name: 'l' }, spec })
  const cases = [
    {},
    { leaseDurationSeconds: 0 },
    { leaseDurationSeconds: -1 },
    { leaseTransitions: -1 },
    { holderIdentity: '' },
    {
      holderIdentity: 'a',
      leaseDurationSeconds: 15,
      renewTime: '2020-01-01T00:00:00.123456Z',
      acquireTime: '2020-01-01T00:00:00.000000Z',
    },
    { renewTime: '2020-01-01T00:00:00Z' },
    { renewTime: '2020-01-01T00:00:00.5+02:00' },
    { renewTime: '2020-01-01' },
    { renewTime: 5 },
    { strategy: 'OldestEmulationVersion' },
    { strategy: 'Odd/Odd/Odd' },
    { preferredHolder: 'b' },
    { preferredHolder: 'b', strategy: 'OldestEmulationVersion' },
  ]
  for (const spec of cases) await s.post(`${leases}?dryRun=All`, lease(spec))
  await s.put(`${leases}/l`, lease({ holderIdentity: 'a' }))
  for (const spec of cases) await s.patch(`${leases}/l?dryRun=All`, 'merge', json({ spec }))
}

async function eventsTold(s: Session): Promise<void> {
  const about = { kind: 'Pod', apiVersion: 'v1', name: 'p', namespace: s.ns }
  const core = (more: Loose): Json =>
    json({ apiVersion: 'v1', kind: 'Event', metadata: { name: 'e' }, involvedObject: about, ...more })
  const time = '2020-01-01T00:00:00.000000Z'
  for (const more of [
    {},
    { involvedObject: { kind: 'Pod', namespace: 'other' } },
    { involvedObject: {} },
    { involvedObject: { kind: 'Node', name: 'n' } },
    { type: 'Odd' },
    { count: -1 },
    { message: 'x'.repeat(1025) },
    { reason: 'x'.repeat(129) },
    { eventTime: time },
    { eventTime: time, reportingComponent: 'a', reportingInstance: 'b', action: 'c', reason: 'd', type: 'Normal' },
    { eventTime: time, reportingComponent: 'a b', reportingInstance: 'b', action: 'c', reason: 'd', type: 'Odd' },
    { firstTimestamp: 'x' },
    { source: { component: 'c' }, firstTimestamp: '2020-01-01T00:00:00Z' },
  ])
    await s.post(`${s.path('events')}?dryRun=All`, core(more))
  const events = s.path('events.events.k8s.io/v1')
  const whole = {
    eventTime: time,
    reportingController: 'a.b/c',
    reportingInstance: 'i',
    action: 'Act',
    reason: 'R',
    type: 'Normal',
    regarding: about,
  }
  const modern = (more: Loose): Json =>
    json({ apiVersion: 'events.k8s.io/v1', kind: 'Event', metadata: { name: 'm' }, ...whole, ...more })
  for (const more of [
    {},
    { eventTime: null },
    { reportingController: '' },
    { reportingController: 'a b' },
    { reportingInstance: '' },
    { reportingInstance: 'x'.repeat(129) },
    { action: '' },
    { action: 'x'.repeat(129) },
    { reason: '' },
    { reason: 'x'.repeat(129) },
    { type: 'Odd' },
    { type: '' },
    { note: 'x'.repeat(1025) },
    { regarding: { ...about, namespace: 'other' } },
    { series: { count: 1, lastObservedTime: time } },
    { series: { count: 2, lastObservedTime: time } },
    { series: { count: 2 } },
    { deprecatedCount: 2 },
    { deprecatedFirstTimestamp: '2020-01-01T00:00:00Z' },
    { deprecatedSource: { component: 'x' } },
  ])
    await s.post(`${events}?dryRun=All`, modern(more))
  await s.post(events, modern({}))
  for (const change of [
    { series: { count: 2, lastObservedTime: time } },
    { series: { count: 0, lastObservedTime: time } },
    { reason: 'Other' },
    { note: 'x' },
    { eventTime: '2021-01-01T00:00:00.000000Z' },
    { regarding: { name: 'q' } },
    { metadata: { labels: { a: 'b' } } },
  ]) {
    await s.patch(`${events}/m?dryRun=All`, 'merge', json(change))
  }
  await s.get(s.path('events', 'm'))
  await s.get(`${events}?fieldSelector=type=Normal`)
}

async function servicesChanged(s: Session): Promise<void> {
  const services = s.path('services')
  const service = (spec: unknown): Json => json({ apiVersion: 'v1', kind: 'Service', metadata: { name: 's' }, spec })
  const port = { port: 80 }
  for (const spec of [
    {},
    { ports: [] },
    { clusterIP: 'None' },
    { clusterIP: 'None', ports: [] },
    { clusterIP: 'x', ports: [port] },
    { clusterIP: '10.0.0.1', ports: [port] },
    { clusterIP: '', ports: [port], type: 'ExternalName' },
    { type: 'ExternalName' },
    { type: 'ExternalName', externalName: 'a.example.com' },
    { type: 'ExternalName', externalName: 'Bad_Name' },
    { type: 'ExternalName', externalName: 'a.example.com', clusterIP: 'None' },
    { type: 'Odd', ports: [port] },
    { ports: [port, port] },
    {
      ports: [
        { port: 80, name: 'a' },
        { port: 81, name: 'a' },
      ],
    },
    {
      ports: [
        { port: 80, name: 'a' },
        { port: 80, name: 'b' },
      ],
    },
    {
      ports: [
        { port: 80, name: 'a' },
        { port: 80, name: 'b', protocol: 'UDP' },
      ],
    },
    { ports: [{ port: 0 }] },
    { ports: [{ port: 65_536 }] },
    { ports: [{ port: 80, targetPort: 'a_b' }] },
    { ports: [{ port: 80, targetPort: 0 }] },
    { ports: [{ port: 80, protocol: 'ICMP' }] },
    { ports: [{ port: 80, nodePort: 30_001 }] },
    { type: 'NodePort', ports: [{ port: 80, nodePort: 80 }] },
    { ports: [{ port: 80, appProtocol: 'a b' }] },
    { ports: [{ port: 80, appProtocol: 'kubernetes.io/h2c' }] },
    { ports: [port], sessionAffinity: 'Odd' },
    { ports: [port], sessionAffinity: 'ClientIP' },
    { ports: [port], sessionAffinity: 'ClientIP', sessionAffinityConfig: { clientIP: { timeoutSeconds: 90_000 } } },
    { ports: [port], sessionAffinityConfig: { clientIP: { timeoutSeconds: 5 } } },
    { ports: [port], externalTrafficPolicy: 'Local' },
    { ports: [port], internalTrafficPolicy: 'Local' },
    { ports: [port], internalTrafficPolicy: 'Odd' },
    { ports: [port], externalIPs: ['127.0.0.1', 'x', '10.1.1.1'] },
    { ports: [port], loadBalancerIP: '1.2.3.4' },
    { ports: [port], loadBalancerClass: 'a/b' },
    { ports: [port], loadBalancerSourceRanges: ['10.0.0.0/8'] },
    { ports: [port], ipFamilies: ['IPv6'] },
    { ports: [port], ipFamilies: ['IPv4', 'IPv6'] },
    { ports: [port], ipFamilyPolicy: 'RequireDualStack' },
    { ports: [port], ipFamilyPolicy: 'PreferDualStack' },
    { ports: [port], ipFamilyPolicy: 'Odd' },
    { ports: [port], clusterIPs: ['None', 'None'] },
    { ports: [port], clusterIP: 'None', clusterIPs: ['10.96.9.9'] },
    { ports: [port], healthCheckNodePort: 31_000 },
    { ports: [port], allocateLoadBalancerNodePorts: false },
    { ports: [port], trafficDistribution: 'PreferClose' },
    { ports: [port], trafficDistribution: 'Odd' },
    { ports: [port], selector: { 'bad key': 'x' } },
  ])
    await s.post(`${services}?dryRun=All`, service(spec))
  await s.post(services, service({ ports: [port], clusterIP: 'None', selector: { a: 'b' } }))
  for (const spec of [
    { clusterIP: '10.96.3.3' },
    { clusterIP: null },
    { type: 'NodePort' },
    { type: 'ExternalName', externalName: 'a.b', clusterIP: null, clusterIPs: null },
    { ports: [{ port: 81 }] },
    { ports: null },
    { selector: null },
    { ipFamilies: ['IPv6'] },
    { publishNotReadyAddresses: true },
  ])
    await s.patch(`${services}/s?dryRun=All`, 'merge', json({ spec }))
}
