// Empty lists and maps: who sends one owns it where the field is always written, and nobody does where it is left out.
import { configMap, role } from '../fixtures.ts'
import type { Script } from '../record.ts'
import type { Session } from '../session.ts'
import type { Json } from '../transcript.ts'

export const emptyListScripts: readonly Script[] = [
  { id: 'empty-rules', title: 'rules that are an empty list', run: rules },
  { id: 'empty-slices', title: 'endpoint slices without endpoints and ports', run: slices },
  { id: 'empty-applied', title: 'empty parts of what is applied', run: applied },
  {
    id: 'empty-applied-over',
    title: 'an empty list applied over items of the same manager, while the list has an owner',
    run: appliedOver,
  },
]

const roles = 'roles.rbac.authorization.k8s.io/v1'
const rule = { verbs: ['get'], apiGroups: [''], resources: ['pods'] } satisfies Json
const without = (name: string, rest: object = {}): Json =>
  ({ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'Role', metadata: { name }, ...rest }) as Json

async function rules(s: Session): Promise<void> {
  const at = s.path(roles)
  await s.post(`${at}?dryRun=All`, role('a'))
  await s.post(at, role('a'))
  await s.get(s.path(roles, 'a'))
  await s.post(at, without('b', { rules: null }))
  await s.post(at, without('c'))
  for (const rest of [{ rules: [] }, {}]) await s.patch(`${s.path(roles, 'c')}?fieldManager=m1`, 'apply', without('c', rest))
  for (const list of [[], [], [rule]]) await s.patch(`${s.path(roles, 'd')}?fieldManager=m1`, 'apply', role('d', list))
  await s.put(`${s.path(roles, 'd')}?fieldManager=u`, role('d'))
  await s.put(`${s.path(roles, 'd')}?fieldManager=u2`, role('d'))
  await s.patch(`${s.path(roles, 'd')}?fieldManager=u3`, 'merge', { metadata: { labels: { q: 'r' } } })
  await s.patch(`${s.path(roles, 'a')}?fieldManager=q`, 'apply', role('a'))
  await s.patch(`${s.path(roles, 'a')}?fieldManager=q2&dryRun=All`, 'merge', { rules: [] })
  await s.patch(`${s.path(roles, 'a')}?fieldManager=q3`, 'json', [{ op: 'replace', path: '/rules', value: [] }])
  for (const _ of [1, 2]) await s.patch(`${s.path(roles, 'a')}?fieldManager=q4`, 'strategic', { rules: [] })
  for (const rest of [{ rules: null }, {}]) await s.put(`${s.path(roles, 'a')}?fieldManager=u`, without('a', rest))
}

async function slices(s: Session): Promise<void> {
  const resource = 'endpointslices.discovery.k8s.io/v1'
  const slice = (rest: object): Json =>
    ({ apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice', addressType: 'IPv4', metadata: { name: 'a' }, ...rest }) as Json
  await s.post(s.path(resource), slice({ endpoints: [], ports: [] }))
  const later: readonly object[] = [
    { endpoints: [], ports: [] },
    { endpoints: [{ addresses: ['1.2.3.4'], nodeName: '' }], ports: [] },
    { endpoints: [{ addresses: ['1.2.3.4'], conditions: {} }], ports: [] },
    { endpoints: [], ports: [{ port: 80 }] },
    { endpoints: null, ports: [{ port: 80 }] },
  ]
  for (const rest of later) await s.put(`${s.path(resource, 'a')}?fieldManager=x`, slice(rest))
}

async function applied(s: Session): Promise<void> {
  const apply = (at: string, manager: string, body: Json): Promise<unknown> =>
    s.patch(`${at}?fieldManager=${manager}`, 'apply', body)
  const name = `${s.ns}-n`
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } } satisfies Json
  for (const _ of [1, 2, 3]) await apply(s.clusterPath('namespaces', name), 'm1', namespace)
  const maps = s.path('configmaps', 'a')
  for (const _ of [1, 2]) await apply(maps, 'm1', configMap('a', {}))
  await apply(maps, 'm2', configMap('a', { x: '1' }))
  await apply(maps, 'm2', {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'a', finalizers: [], labels: {}, ownerReferences: [] },
  })
  const service = (spec: object): Json => ({ apiVersion: 'v1', kind: 'Service', metadata: { name: 's' }, spec }) as Json
  const specs: readonly object[] = [
    { ports: [], clusterIP: 'None', selector: {}, externalIPs: [] },
    { ports: [], clusterIP: 'None', selector: {} },
    { ports: [{ port: 80 }], clusterIP: 'None' },
  ]
  for (const spec of specs) await apply(s.path('services', 's'), 'm1', service(spec))
}

async function appliedOver(s: Session): Promise<void> {
  const service = (spec: object): Json => ({ apiVersion: 'v1', kind: 'Service', metadata: { name: 's' }, spec }) as Json
  const at = s.path('services', 's')
  const [one, two] = [
    { port: 1, name: 'n' },
    { port: 2, name: 'x' },
  ]
  await s.post(`${s.path('services')}?fieldManager=a`, service({ clusterIP: 'None', ports: [one] }))
  await s.patch(`${at}?fieldManager=a&force=true`, 'apply', service({ ports: [two] }))
  await s.put(`${at}?fieldManager=a`, service({ clusterIP: 'None', ports: [two] }))
  for (const force of [true, false, true, false])
    await s.patch(`${at}?fieldManager=a&force=${force}`, 'apply', service({ ports: [] }))
}
