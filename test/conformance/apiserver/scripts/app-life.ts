// The usual life of an app, as kubectl and a person drive it: rolled out, paused, rolled back, owned by two, looked into and drained.
import { deployment, json, pod } from '../fixtures.ts'
import type { Script } from '../record.ts'
import type { Session } from '../session.ts'
import type { Json } from '../transcript.ts'

export const appScripts: readonly Script[] = [
  { id: 'app-rollout', title: 'a deployment that is restarted, paused, given an image and rolled back', run: rollout },
  { id: 'app-owners', title: 'a deployment of two appliers, of whom one scales', run: owners },
  { id: 'app-debug', title: 'containers that come later, and sizes that change', run: debug },
  { id: 'app-streams', title: 'what is asked of a pod that nobody runs', run: streams },
  { id: 'app-drain', title: 'pods of a node that is to be emptied', run: drain },
  { id: 'app-approval', title: 'a certificate that is asked for and approved, once and once too often', run: approval },
  { id: 'app-status', title: 'subresources by way of every verb', run: subresources },
]

const asTable = { headers: { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io,application/json' } }

async function rollout(s: Session): Promise<void> {
  const [all, web] = [s.path('deployments.apps/v1'), s.path('deployments.apps/v1', 'web')]
  await s.post(`${all}?fieldManager=kubectl-create`, deployment('web', { revisionHistoryLimit: 2 }))
  const restarted = { 'kubectl.kubernetes.io/restartedAt': '2025-01-01T00:00:00Z' }
  await s.patch(`${web}?fieldManager=kubectl-rollout`, 'strategic', {
    spec: { template: { metadata: { annotations: restarted } } },
  })
  await s.patch(`${web}?fieldManager=kubectl-rollout`, 'strategic', { spec: { paused: true } })
  await s.patch(`${web}?fieldManager=kubectl-set`, 'strategic', {
    spec: { template: { spec: { $setElementOrder: undefined, containers: [{ name: 'main', image: 'example.com/app:2' }] } } },
  } as unknown as Json)
  await s.patch(`${web}?fieldManager=kubectl-set`, 'strategic', {
    spec: {
      template: {
        spec: {
          '$setElementOrder/containers': [{ name: 'main' }, { name: 'side' }],
          containers: [{ name: 'side', image: 'example.com/side:1', env: [{ name: 'A', value: 'b' }] }],
        },
      },
    },
  })
  await s.patch(`${web}?fieldManager=kubectl-set`, 'strategic', {
    spec: { template: { spec: { containers: [{ name: 'side', $patch: 'delete' }] } } },
  })
  await s.patch(`${web}?fieldManager=kubectl-rollout`, 'strategic', { spec: { paused: null } })
  await s.patch(`${web}?fieldManager=kubectl-rollout`, 'json', [
    {
      op: 'replace',
      path: '/spec/template',
      value: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'main', image: 'example.com/app:1' }] } },
    },
    { op: 'replace', path: '/metadata/annotations', value: { 'deployment.kubernetes.io/revision': '1' } },
  ])
  await s.patch(`${web}?fieldManager=kubectl-rollout`, 'json', [
    { op: 'add', path: '/metadata/annotations', value: { 'deployment.kubernetes.io/revision': '1' } },
  ])
  await s.patch(`${web}?fieldManager=kubectl-label`, 'merge', { metadata: { labels: { tier: 'front', gone: null } } })
  await s.patch(`${web}/scale?fieldManager=kubectl-scale`, 'merge', { spec: { replicas: 3 } })
  await s.put(`${web}/scale`, {
    apiVersion: 'autoscaling/v1',
    kind: 'Scale',
    metadata: { name: 'web', namespace: s.ns },
    spec: { replicas: 0 },
  })
  await s.get(`${web}/scale`, asTable)
  await s.patch(`${web}/status?fieldManager=controller`, 'merge', {
    status: { replicas: 2, readyReplicas: 3, observedGeneration: 9 },
  })
  await s.patch(`${web}/status?fieldManager=controller`, 'merge', {
    status: { replicas: 3, readyReplicas: 2, updatedReplicas: 4 },
  })
  await s.get(all, asTable)
  await s.get(web)
  await s.delete(`${web}?propagationPolicy=Foreground`)
  await s.delete(web, json({ preconditions: { uid: 'other' } }))
  await s.delete(web, json({ orphanDependents: false }))
  await s.get(web)
}

async function owners(s: Session): Promise<void> {
  const web = s.path('deployments.apps/v1', 'web')
  const whole = (image: string, more: object = {}): Json =>
    deployment('web', {
      template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'main', image, ...more }] } },
    })
  const part = (spec: object): Json => json({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' }, spec })
  const container = (more: object): object => ({ template: { spec: { containers: [{ name: 'main', ...more }] } } })
  await s.patch(`${web}?fieldManager=alice`, 'apply', whole('i:1', { env: [{ name: 'A', value: '1' }] }))
  await s.patch(`${web}?fieldManager=bob`, 'apply', part(container({ image: 'i:2', env: [{ name: 'A', value: '2' }] })))
  await s.patch(
    `${web}?fieldManager=bob&force=true`,
    'apply',
    part(container({ image: 'i:2', env: [{ name: 'B', value: '2' }] })),
  )
  await s.patch(`${web}/scale?fieldManager=scaler`, 'merge', { spec: { replicas: 4 } })
  await s.patch(`${web}?fieldManager=alice`, 'apply', whole('i:2'))
  await s.patch(`${web}?fieldManager=alice&dryRun=All`, 'apply', part({ replicas: 9 }))
  await s.patch(
    `${web}?fieldManager=alice`,
    'apply',
    part(container({ image: 'i:2', ports: [{ containerPort: 80 }, { containerPort: 80, protocol: 'TCP' }] })),
  )
  await s.patch(
    `${web}?fieldManager=alice`,
    'apply',
    part(
      container({
        image: 'i:2',
        ports: [
          { containerPort: 80, name: 'a' },
          { containerPort: 80, protocol: 'UDP' },
        ],
      }),
    ),
  )
  await s.patch(`${web}?fieldManager=bob`, 'apply', part({}))
  await s.patch(
    `${web}?fieldManager=alice`,
    'apply',
    json({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web', labels: { a: null } } }),
  )
  await s.patch(`${web}?fieldManager=carol`, 'merge', { metadata: { managedFields: [{}] } })
  await s.patch(`${web}?fieldManager=carol`, 'json', [
    { op: 'replace', path: '/metadata/managedFields', value: [{ manager: 'x', operation: 'Odd' }] },
  ])
  await s.get(web)
}

async function debug(s: Session): Promise<void> {
  await s.post(s.path('pods'), pod('p'))
  const ephemeral = `${s.path('pods', 'p')}/ephemeralcontainers`
  const debugger1 = { name: 'debugger-1', image: 'busybox', stdin: true, tty: true, targetContainerName: 'main' }
  await s.patch(ephemeral, 'strategic', { spec: { ephemeralContainers: [debugger1] } })
  await s.get(ephemeral)
  for (const container of [
    { ...debugger1, image: 'other' },
    { name: 'main', image: 'i' },
    { name: 'd2' },
    { name: 'd3', image: 'i', ports: [{ containerPort: 80 }] },
    { name: 'd4', image: 'i', targetContainerName: 'nobody' },
    { name: 'd5', image: 'i', resources: { limits: { cpu: '1' } } },
    { name: 'd6', image: 'i', livenessProbe: { exec: { command: ['a'] } } },
  ])
    await s.patch(ephemeral, 'strategic', { spec: { ephemeralContainers: [container] } })
  await s.patch(ephemeral, 'merge', { spec: { ephemeralContainers: [] } })
  await s.patch(s.path('pods', 'p'), 'strategic', { spec: { ephemeralContainers: [{ name: 'x', image: 'i' }] } })
  await s.post(`${s.path('pods')}?dryRun=All`, pod('q', { ephemeralContainers: [{ name: 'x', image: 'i' }] as Json }))
  const resize = `${s.path('pods', 'p')}/resize`
  for (const resources of [
    { requests: { cpu: '1' } },
    { limits: { cpu: '2', memory: '1Gi' } },
    { requests: { 'example.com/x': '1' } },
  ])
    await s.patch(resize, 'strategic', { spec: { containers: [{ name: 'main', resources }] } })
  await s.patch(resize, 'strategic', { spec: { containers: [{ name: 'main', image: 'other' }] } })
  await s.get(resize)
  await s.patch(s.path('pods', 'p'), 'strategic', {
    spec: { containers: [{ name: 'main', resources: { requests: { cpu: '3' } } }] },
  })
  await s.get(s.path('pods', 'p'))
}

async function streams(s: Session): Promise<void> {
  await s.post(
    s.path('pods'),
    pod('p', {
      containers: [
        { name: 'a', image: 'i' },
        { name: 'b', image: 'i' },
      ] as Json,
    }),
  )
  await s.post(s.path('pods'), pod('here', { nodeName: 'nowhere' }))
  for (const name of ['p', 'here', 'missing'])
    for (const what of [
      'log',
      'log?container=a',
      'log?container=x',
      'log?tailLines=-1',
      'log?sinceSeconds=0',
      'log?container=a&previous=true',
    ])
      await s.get(`${s.path('pods', name)}/${what}`)
  for (const what of [
    'exec?command=ls',
    'exec?command=ls&container=a',
    'exec?container=a',
    'exec?container=x&command=ls',
    'attach',
    'portforward',
    'portforward?ports=80',
    'proxy',
    'proxy/x',
  ])
    for (const name of ['p', 'missing']) await s.send('POST', `${s.path('pods', name)}/${what}`)
  await s.get('/apis/metrics.k8s.io/v1beta1/pods')
  await s.get(`/apis/metrics.k8s.io/v1beta1/namespaces/${s.ns}/pods`)
}

async function drain(s: Session): Promise<void> {
  await s.post('/api/v1/nodes', { apiVersion: 'v1', kind: 'Node', metadata: { name: `${s.ns}-node` } })
  const node = `/api/v1/nodes/${s.ns}-node`
  await s.patch(`${node}?fieldManager=kubectl-cordon`, 'strategic', { spec: { unschedulable: true } })
  for (const name of ['a', 'b']) await s.post(s.path('pods'), pod(name, { nodeName: `${s.ns}-node` }, { labels: { app: 'a' } }))
  for (const name of ['a', 'b'])
    await s.patch(`${s.path('pods', name)}/status`, 'merge', {
      status: { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] },
    })
  await s.post(s.path('pods'), pod('other'))
  await s.get(`/api/v1/pods?fieldSelector=spec.nodeName%3D${s.ns}-node`)
  await s.get(`/api/v1/pods?fieldSelector=spec.nodeName%3D${s.ns}-node&limit=1`, asTable)
  await s.post(s.path('poddisruptionbudgets.policy/v1'), {
    apiVersion: 'policy/v1',
    kind: 'PodDisruptionBudget',
    metadata: { name: 'one' },
    spec: { minAvailable: 1, selector: { matchLabels: { app: 'a' } } },
  })
  const evict = (name: string, more: object = {}): Promise<unknown> =>
    s.post(
      `${s.path('pods', name)}/eviction`,
      json({ apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name, namespace: s.ns }, ...more }),
    )
  await evict('a')
  await evict('other', { deleteOptions: { dryRun: ['All'] } })
  await evict('other')
  await s.patch(`${s.path('poddisruptionbudgets.policy/v1', 'one')}/status`, 'merge', {
    status: { disruptionsAllowed: 1, expectedPods: 2, currentHealthy: 2, desiredHealthy: 1, observedGeneration: 1 },
  })
  await evict('a')
  await s.get(s.path('poddisruptionbudgets.policy/v1', 'one'))
  await evict('b')
  await evict('missing')
  await s.get(s.path('poddisruptionbudgets.policy/v1'), asTable)
  await s.get(node, asTable)
  await s.patch(node, 'strategic', {
    spec: {
      taints: [
        { key: 'a', effect: 'NoSchedule' },
        { key: 'a', effect: 'NoSchedule' },
      ],
    },
  })
  await s.patch(node, 'strategic', { spec: { podCIDR: '10.0.0.0/24' } })
  await s.patch(node, 'strategic', { spec: { podCIDR: '10.0.1.0/24' } })
  await s.patch(node, 'strategic', { spec: { providerID: 'a' } })
  await s.patch(node, 'strategic', { spec: { providerID: 'b' } })
  await s.delete(node)
}

const pem = 'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURSBSRVFVRVNULS0tLS0KLS0tLS1FTkQgQ0VSVElGSUNBVEUgUkVRVUVTVC0tLS0tCg=='

async function approval(s: Session): Promise<void> {
  const at = s.clusterPath('certificatesigningrequests.certificates.k8s.io/v1')
  const request = (spec: object): Json =>
    json({ apiVersion: 'certificates.k8s.io/v1', kind: 'CertificateSigningRequest', metadata: { name: s.ns }, spec })
  for (const spec of [
    { request: pem, signerName: 'kubernetes.io/kube-apiserver-client', usages: ['client auth'] },
    { request: 'bm8=', signerName: 'example.com/x', usages: ['client auth'] },
    { request: pem, signerName: 'none', usages: [] },
  ])
    await s.post(at, request(spec))
  await s.put(`${at}/${s.ns}/approval`, request({}))
  await s.get(`${at}/${s.ns}`)
}

async function subresources(s: Session): Promise<void> {
  const web = s.path('deployments.apps/v1', 'web')
  await s.post(s.path('deployments.apps/v1'), deployment('web'))
  await s.get(`${web}/status`, asTable)
  for (const method of ['POST', 'DELETE']) await s.send(method, `${web}/status`, { body: deployment('web') })
  for (const method of ['POST', 'DELETE']) await s.send(method, `${web}/scale`, { body: deployment('web') })
  await s.put(`${web}/status`, deployment('web', { replicas: 7 }))
  await s.patch(
    `${web}/status?fieldManager=m`,
    'apply',
    json({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' }, status: { replicas: 1 } }),
  )
  await s.get(`${web}/nothing`)
  await s.get(`${s.path('configmaps', 'x')}/status`)
  await s.send('PATCH', `${web}/rollback`, { body: {} })
}
