// What fuzzing both servers side by side found: corners that no catalogue has, and that clients meet all the same.
import { configMap, deployment, lease, ok, pod, role, widget, widgets, widgetsReady } from '../fixtures.ts'
import type { Script } from '../record.ts'
import type { Session } from '../session.ts'
import type { Json } from '../transcript.ts'

export const cornerScripts: readonly Script[] = [
  { id: 'scale-of-none', title: 'the scale of a custom resource without replicas', run: scaleOfNone },
  { id: 'scale-applied', title: 'applying the scale of a custom resource', run: scaleApplied },
  { id: 'scaled-twice', title: 'who owns the replicas once a scale was written again', run: scaledTwice },
  { id: 'born-deleted', title: 'objects that an apply or a PUT creates with a time of deletion', run: bornDeleted },
  { id: 'deletion-times', title: 'times of deletion that clients write', run: deletionTimes },
  { id: 'given-identity', title: 'uids and revisions given to what is not there', run: givenIdentity },
  { id: 'owners-cleared', title: 'an empty list of managed fields', run: ownersCleared },
  { id: 'status-metadata', title: 'metadata that comes with a status', run: statusMetadata },
  { id: 'unknown-in-patches', title: 'the order in which unknown fields of a patch are told', run: unknownInPatches },
  { id: 'shapes-beside-status', title: 'a spec of the wrong shape that comes with a status', run: shapesBesideStatus },
  { id: 'null-applied', title: 'nothing applied over an empty object of another', run: nullApplied },
  { id: 'copied-from-nowhere', title: 'JSON patches that take from where nothing is', run: copiedFromNowhere },
  { id: 'status-of-none', title: 'what is wrong with a status applied to nothing', run: statusOfNone },
  { id: 'pod-images', title: 'images that an update takes from a pod', run: podImages },
]

const leases = 'leases.coordination.k8s.io/v1'
const roles = 'roles.rbac.authorization.k8s.io/v1'
const deployments = 'deployments.apps/v1'
const deleted = { deletionTimestamp: '2020-01-01T00:00:00Z' }
const system = {
  ...deleted,
  deletionGracePeriodSeconds: 5,
  creationTimestamp: '2019-01-01T00:00:00Z',
  selfLink: '/x',
  generation: 7,
}

/** The object with more metadata. */
function withMetadata(object: Json, more: object): Json {
  const { metadata, ...rest } = object as { metadata: object }
  return { ...rest, metadata: { ...metadata, ...more } } as Json
}

const scaleNamed = (name: string, spec: object = {}): Json =>
  ({ apiVersion: 'autoscaling/v1', kind: 'Scale', metadata: { name }, spec }) as Json

async function scaleOfNone(s: Session): Promise<void> {
  await widgetsReady(s)
  await s.post(widgets(s), widget(s, 'c', { color: 'blue' }))
  const at = `${widgets(s, 'c')}/scale`
  await s.patch(at, 'json', [{ op: 'test', path: '/spec/replicas', value: -2_147_483_648 }])
  await s.patch(at, 'merge', { spec: { any: null, nonsense: 1 }, metadata: { annotations: { a: 'b' } } })
  await s.patch(at, 'merge', { spec: { size: 1 }, metadata: { finalizers: ['bad'], resourceVersion: 'x' } })
  await s.patch(at, 'merge', { spec: { replicas: 'x' } })
  await s.patch(at, 'merge', { spec: { replicas: null } })
  await s.patch(at, 'merge', { spec: { replicas: 2 } })
  await s.patch(at, 'merge', { spec: { replicas: -2_147_483_648 } })
  await s.post(widgets(s), widget(s, 'd', { color: 'blue' }))
  await s.put(`${widgets(s, 'd')}/scale`, scaleNamed('d'))
  await s.get(widgets(s, 'd'))
  await s.patch(`${widgets(s, 'nobody')}/scale`, 'merge', { spec: { replicas: 2 } })
}

async function scaleApplied(s: Session): Promise<void> {
  await widgetsReady(s)
  await s.post(widgets(s), widget(s, 'without'))
  await s.post(widgets(s), widget(s, 'with', { replicas: 2 }))
  for (const spec of [{}, { replicas: 3 }])
    await s.patch(`${widgets(s, 'without')}/scale?fieldManager=m`, 'apply', scaleNamed('without', spec))
  const at = `${widgets(s, 'with')}/scale?fieldManager=m`
  await s.patch(at, 'apply', scaleNamed('with', { replicas: 2 }))
  await s.patch(at, 'apply', scaleNamed('with', { replicas: 3 }))
  await s.patch(`${at}&force=true`, 'apply', scaleNamed('with', { replicas: 3 }))
  await s.get(widgets(s, 'with'))
}

async function scaledTwice(s: Session): Promise<void> {
  await s.post(s.path(deployments), deployment('d'))
  for (const replicas of [1, 2, 3]) {
    await s.patch(`${s.path(deployments, 'd')}/scale?fieldManager=scaler`, 'merge', { spec: { replicas } })
    await s.get(s.path(deployments, 'd'))
  }
  await s.patch(`${s.path(deployments, 'd')}?fieldManager=other`, 'merge', { spec: { replicas: 4 } })
}

async function bornDeleted(s: Session): Promise<void> {
  await widgetsReady(s)
  const applied = (path: string, object: Json): Promise<unknown> => s.patch(`${path}?fieldManager=m2`, 'apply', object)
  await applied(s.path(leases, 'a'), withMetadata(lease('a'), system))
  await s.put(s.path(leases, 'b'), withMetadata(lease('b'), system))
  await s.post(s.path(leases), withMetadata(lease('c'), system))
  const maps = (name: string): string => s.path('configmaps', name)
  await applied(maps('graceful'), withMetadata(configMap('graceful'), system))
  await applied(maps('graceful'), withMetadata(configMap('graceful'), system))
  await s.patch(maps('graceful'), 'merge', { data: { b: '1' } })
  await s.delete(maps('graceful'))
  await s.get(maps('graceful'))
  await applied(maps('held'), withMetadata(configMap('held'), { ...deleted, finalizers: ['a.b/c'] }))
  await s.patch(maps('held'), 'merge', { metadata: { finalizers: null } })
  await s.get(maps('held'))
  await applied(maps('due'), withMetadata(configMap('due'), deleted))
  await s.patch(maps('due'), 'merge', { data: { b: '1' } })
  await s.get(maps('due'))
  await applied(widgets(s, 'w'), withMetadata(widget(s, 'w', { size: 1 }), system))
  await s.get(widgets(s, 'w'))
}

async function deletionTimes(s: Session): Promise<void> {
  await widgetsReady(s)
  await s.post(s.path(roles), role('r'))
  await s.post(s.path('configmaps'), configMap('a'))
  await s.post(widgets(s), widget(s, 'w', { size: 1 }))
  const wishes = [deleted, { deletionGracePeriodSeconds: 3 }, { ...deleted, labels: { 'bad key': 'x' } }]
  for (const wish of wishes) {
    await s.put(s.path(roles, 'r'), withMetadata(role('r'), wish))
    for (const path of [s.path('configmaps', 'a'), widgets(s, 'w'), `${widgets(s, 'w')}/status`])
      await s.patch(path, 'merge', { metadata: wish })
  }
  await s.patch(s.path('configmaps', 'a'), 'merge', { metadata: { finalizers: ['a.b/c'] } })
  await s.delete(s.path('configmaps', 'a'))
  for (const wish of [{ deletionTimestamp: null, deletionGracePeriodSeconds: null }, ...wishes])
    await s.patch(s.path('configmaps', 'a'), 'merge', { metadata: wish })
}

async function givenIdentity(s: Session): Promise<void> {
  await widgetsReady(s)
  const foreign = { uid: 'x' }
  const puts: readonly (readonly [string, Json])[] = [
    [s.path(roles, 'r'), role('r')],
    [s.path(leases, 'l'), lease('l')],
    [s.path('services', 's'), { apiVersion: 'v1', kind: 'Service', metadata: { name: 's' }, spec: { ports: [{ port: 80 }] } }],
    [s.path('endpoints', 'e'), { apiVersion: 'v1', kind: 'Endpoints', metadata: { name: 'e' } }],
    [s.path('configmaps', 'a'), configMap('a')],
    [widgets(s, 'w'), widget(s, 'w', { size: 1 })],
  ]
  for (const query of ['', '?dryRun=All'])
    for (const [path, object] of puts) await s.put(path + query, withMetadata(object, foreign))
  await s.post(s.path('configmaps'), configMap('a'))
  await s.post(widgets(s), widget(s, 'w', { size: 1 }))
  for (const query of ['', '?dryRun=All'])
    for (const [path, object] of puts.slice(-2))
      await s.put(path + query, withMetadata(object, { ...foreign, resourceVersion: '1' }))
  for (const resourceVersion of ['0', '5']) {
    const name = `rv${resourceVersion}`
    await s.post(s.path(leases), withMetadata(lease(`posted-${name}`), { resourceVersion }))
    await s.put(s.path(leases, name), withMetadata(lease(name), { resourceVersion }))
    const applied = withMetadata(lease(`applied-${name}`), { resourceVersion })
    await s.patch(`${s.path(leases, `applied-${name}`)}?fieldManager=m`, 'apply', applied)
  }
  const wrong: readonly object[] = [{ data: { a: 'b' } }, { nonsense: 1 }]
  for (const rest of wrong)
    for (const name of ['n', 'other']) {
      const object = withMetadata({ ...(configMap(name) as object), ...rest } as Json, foreign)
      await s.patch(`${s.path('configmaps', 'n')}?fieldManager=m`, 'apply', object)
    }
}

async function ownersCleared(s: Session): Promise<void> {
  await widgetsReady(s)
  const cleared = { metadata: { managedFields: [] } }
  await s.post(s.path('configmaps'), withMetadata(configMap('a'), { managedFields: [] }))
  await s.patch(s.path('configmaps', 'a'), 'merge', cleared)
  await s.patch(s.path('configmaps', 'a'), 'merge', { data: { b: '2' } })
  await s.post(s.path(deployments), deployment('d'))
  await s.patch(`${s.path(deployments, 'd')}/status`, 'merge', cleared)
  await s.patch(s.path(deployments, 'd'), 'strategic', { ...cleared, spec: { replicas: 3 } })
  await s.post(s.path('configmaps'), configMap('b'))
  await s.patch(s.path('configmaps', 'b'), 'json', [{ op: 'replace', path: '/metadata/managedFields', value: [] }])
  await s.post(widgets(s), widget(s, 'w', { size: 1 }))
  await s.patch(widgets(s, 'w'), 'merge', cleared)
}

const template = { metadata: { labels: { app: 'w' } }, spec: { containers: [{ name: 'main', image: 'example.com/app:1' }] } }
const workload = { selector: { matchLabels: { app: 'w' } }, template }
const claim = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } }

/** Kinds with a status, and the least that one needs. */
const withStatus: readonly (readonly [string, string, object])[] = [
  ['services', 'Service', { spec: { ports: [{ port: 80 }] } }],
  ['pods', 'Pod', { spec: template.spec }],
  ['persistentvolumeclaims', 'PersistentVolumeClaim', { spec: claim }],
  ['resourcequotas', 'ResourceQuota', { spec: { hard: { pods: '5' } } }],
  [deployments, 'Deployment', { spec: workload }],
  ['replicasets.apps/v1', 'ReplicaSet', { spec: workload }],
  ['poddisruptionbudgets.policy/v1', 'PodDisruptionBudget', { spec: { minAvailable: 1 } }],
]

async function statusMetadata(s: Session): Promise<void> {
  const owner = { apiVersion: 'v1', kind: 'ConfigMap', name: 'o', uid: '99999999-0000-4000-8000-000000000000' }
  const fine = { labels: { a: 'b' }, annotations: { c: 'd' }, finalizers: ['x.y/z'], ownerReferences: [owner], generation: 9 }
  const wishes: readonly object[] = [
    { annotations: { 'bad key!': '' } },
    { labels: { 'bad key!': '' } },
    { finalizers: ['bad'] },
    fine,
  ]
  for (const [resource, kind, rest] of withStatus) {
    const apiVersion = resource.includes('.') ? resource.slice(resource.indexOf('.') + 1) : 'v1'
    await s.post(s.path(resource), { apiVersion, kind, metadata: { name: 'x' }, ...rest } as Json)
    for (const metadata of wishes) await s.patch(`${s.path(resource, 'x')}/status`, 'merge', { metadata } as Json)
  }
  for (const metadata of wishes) await s.patch(`/api/v1/namespaces/${s.ns}/status`, 'merge', { metadata } as Json)
  await s.patch(`/api/v1/namespaces/${s.ns}`, 'merge', { metadata: { finalizers: null } })
}

async function unknownInPatches(s: Session): Promise<void> {
  await s.post(s.path(deployments), deployment('d'))
  const spec = { replicas: 2, zzz: 1, bbb: { a: 1 }, aaa: 1 }
  for (const how of ['merge', 'strategic'] as const) {
    await s.patch(s.path(deployments, 'd'), how, { spec, nonsense: 1, metadata: { zz: 1, aa: 2 } })
    await s.patch(`${s.path(deployments, 'd')}/scale`, how, { spec, status: { x: 1 } })
  }
  await s.patch(`${s.path(deployments, 'd')}?fieldValidation=Strict`, 'merge', { spec, nonsense: 1 })
  const operations = ['zzz', 'aaa'].map(name => ({ op: 'add', path: `/spec/${name}`, value: 1 }))
  await s.patch(s.path(deployments, 'd'), 'json', [...operations, { op: 'add', path: '/nonsense', value: 1 }])
}

async function shapesBesideStatus(s: Session): Promise<void> {
  await widgetsReady(s)
  const wrong = { any: { any: 'x' }, nested: { nested: 'x' }, replicas: { replicas: 'x' }, items: { items: [{ value: 'v' }] } }
  for (const [name, spec] of Object.entries(wrong)) {
    const { resourceVersion } = ok(await s.post(widgets(s), widget(s, name)), 201).body.metadata
    const stray = { ...(withMetadata(widget(s, name, spec), { resourceVersion }) as object), status: { phase: 'a' } }
    await s.put(`${widgets(s, name)}/status?fieldManager=f`, stray as Json)
    await s.patch(`${widgets(s, name)}/status?fieldManager=g`, 'merge', { spec, status: { phase: 'b' } } as Json)
    await s.get(widgets(s, name))
  }
}

async function nullApplied(s: Session): Promise<void> {
  await widgetsReady(s)
  const values: readonly Json[] = [null, {}, { x: 'y' }]
  for (const first of values)
    for (const [index, second] of values.entries()) {
      const name = `w${values.indexOf(first)}${index}`
      await s.patch(`${widgets(s, name)}?fieldManager=m1`, 'apply', widget(s, name, { nested: first }))
      await s.patch(`${widgets(s, name)}?fieldManager=m2`, 'apply', widget(s, name, { nested: second }))
    }
}

async function copiedFromNowhere(s: Session): Promise<void> {
  await widgetsReady(s)
  await s.post(widgets(s), widget(s, 'w'))
  await s.post(s.path('configmaps'), configMap('c'))
  const places = ['/metadata/finalizers', '/metadata/labels', '/metadata/labels/l', '/spec/size', '/data', '/nowhere/at/all']
  for (const target of [widgets(s, 'w'), s.path('configmaps', 'c')])
    for (const op of ['copy', 'move'])
      for (const from of places)
        for (const path of ['/metadata/labels', '/metadata/finalizers', '/metadata/annotations'])
          if (from !== path) await s.patch(`${target}?dryRun=All`, 'json', [{ op, from, path }])
}

async function statusOfNone(s: Session): Promise<void> {
  await widgetsReady(s)
  const wrong = [
    { managedFields: [] },
    { managedFields: [{ manager: 'x' }] },
    { name: 'other' },
    { uid: 'x' },
    { namespace: 'x' },
  ]
  for (const metadata of wrong)
    for (const path of [`${widgets(s, 'none')}/status`, `${s.path(deployments, 'none')}/status`])
      await s.patch(
        `${path}?fieldManager=m`,
        'apply',
        withMetadata(path.includes('widgets') ? widget(s, 'none') : deployment('none'), metadata),
      )
}

async function podImages(s: Session): Promise<void> {
  await s.post(s.path('pods'), pod('p'))
  for (const image of [undefined, ' spaced ', 'example.com/app:2']) {
    const spec = { containers: [{ name: 'main', ...(image !== undefined && { image }) }] }
    await s.put(s.path('pods', 'p'), pod('p', spec))
  }
}
