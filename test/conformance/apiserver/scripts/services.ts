// Services: addresses and node ports that are asked for, kept, taken away and refused, through changes of type.
import type { Script } from '../record.ts'
import type { Session } from '../session.ts'
import type { Json } from '../transcript.ts'

export const serviceScripts: readonly Script[] = [
  { id: 'service-addresses', title: 'cluster addresses that are asked for', run: addresses },
  { id: 'service-types', title: 'a service from type to type', run: types },
  { id: 'service-ports', title: 'node ports that are asked for', run: nodePorts },
  { id: 'service-families', title: 'address families and headless services', run: families },
]

const one = { ports: [{ port: 80 }] } satisfies Json

function service(name: string, spec: object): Json {
  return { apiVersion: 'v1', kind: 'Service', metadata: { name }, spec } as Json
}

async function addresses(s: Session): Promise<void> {
  const at = s.path('services')
  const { body } = await s.post(at, service('a', one))
  await s.post(at, service('taken', { ...one, clusterIP: body.spec.clusterIP }))
  const more = ['10.96.0.1', '10.96.0.0', '192.168.1.1', 'fd00::1', 'x']
  for (const clusterIP of more) await s.post(at, service('asked', { ...one, clusterIP }))
  await s.post(at, service('two', { ...one, clusterIPs: ['10.100.1.1', '10.100.1.2'] }))
  await s.post(at, service('unlike', { ...one, clusterIP: '10.100.1.1', clusterIPs: ['10.100.1.2'] }))
  await s.post(at, service('plural', { ...one, clusterIPs: ['10.100.1.3'] }))
  await s.post(at, service('fixed', { ...one, clusterIP: '10.100.1.1' }))
  await s.delete(s.path('services', 'fixed'))
  await s.post(at, service('again', { ...one, clusterIP: '10.100.1.1' }))
  await s.post(at, service('name', { type: 'ExternalName', externalName: 'x.y', clusterIP: '10.100.1.9' }))
  await s.put(s.path('services', 'put'), service('put', one))
  const patches = [{ clusterIP: '10.96.99.99' }, { clusterIP: '', clusterIPs: null }, { clusterIP: null }]
  for (const spec of patches) await s.patch(s.path('services', 'a'), 'merge', { spec })
}

async function types(s: Session): Promise<void> {
  await s.post(s.path('services'), service('a', one))
  const selector = { a: 'b' }
  const two = [
    { port: 82, name: 'x' },
    { port: 81, name: 'y' },
  ]
  const specs: readonly object[] = [
    one,
    { ports: [{ port: 81 }] },
    { ...one, type: 'NodePort' },
    { ...one, type: 'NodePort', selector },
    { ports: two, type: 'NodePort', selector },
    { ...one, type: 'ClusterIP', selector },
    { ...one, type: 'LoadBalancer', selector },
    { ...one, type: 'LoadBalancer', allocateLoadBalancerNodePorts: false, selector },
    { type: 'ExternalName', externalName: 'x.y', selector },
    { ...one, selector },
    { ...one, type: 'LoadBalancer', externalTrafficPolicy: 'Local' },
    { ...one, type: 'LoadBalancer', externalTrafficPolicy: 'Cluster' },
    { ...one, clusterIP: 'None' },
  ]
  for (const spec of specs) await s.put(s.path('services', 'a'), service('a', spec))
  for (const type of ['NodePort', 'ClusterIP', 'LoadBalancer'])
    await s.patch(s.path('services', 'a'), 'merge', { spec: { type } })
  await s.patch(s.path('services', 'a'), 'merge', { spec: { type: 'ExternalName', externalName: 'a.b' } })
}

async function nodePorts(s: Session): Promise<void> {
  const at = s.path('services')
  const type = 'NodePort'
  const udp = { protocol: 'UDP' }
  await s.post(at, service('a', { ports: [{ port: 80, nodePort: 30100 }], type }))
  await s.post(at, service('taken', { ports: [{ port: 80, nodePort: 30100 }], type }))
  await s.post(at, service('out', { ports: [{ port: 80, nodePort: 3 }], type }))
  await s.post(at, service('none', { ports: [{ port: 80, nodePort: 30101 }] }))
  const shared = [
    { port: 80, nodePort: 30102, name: 'a' },
    { port: 80, nodePort: 30102, name: 'b', ...udp },
  ]
  await s.post(at, service('shared', { ports: shared, type }))
  const clash = [
    { port: 80, nodePort: 30103, name: 'a' },
    { port: 81, nodePort: 30103, name: 'b' },
  ]
  await s.post(at, service('clash', { ports: clash, type }))
  const both = [
    { port: 80, name: 'a' },
    { port: 80, name: 'b', ...udp },
  ]
  await s.post(at, service('both', { ports: both, type }))
  const two = [
    { port: 80, name: 'a' },
    { port: 81, name: 'b' },
  ]
  await s.post(`${at}?dryRun=All`, service('dry', { ports: two, type }))
  const balanced = { ...one, type: 'LoadBalancer', externalTrafficPolicy: 'Local' }
  await s.post(`${at}?dryRun=All`, service('dry', balanced))
  await s.delete(s.path('services', 'a'))
  await s.post(at, service('taken', { ports: [{ port: 80, nodePort: 30100 }], type }))
  await s.post(at, service('name', { type: 'ExternalName', externalName: 'x.y', ports: [{ port: 80, nodePort: 30104 }] }))
  await s.post(at, service('headless', { type, clusterIP: 'None', ports: [{ port: 80 }] }))
}

async function families(s: Session): Promise<void> {
  const at = s.path('services')
  const specs: readonly object[] = [
    { clusterIP: 'None' },
    { clusterIP: 'None', selector: { a: 'b' } },
    { clusterIP: 'None', ipFamilyPolicy: 'SingleStack' },
    { clusterIP: 'None', ipFamilies: ['IPv4'] },
    { ...one, ipFamilyPolicy: 'RequireDualStack' },
    { ...one, ipFamilyPolicy: 'PreferDualStack' },
    { ...one, ipFamilyPolicy: 'Nonsense' },
    { ...one, ipFamilies: ['IPv6'] },
    { ...one, ipFamilies: ['IPv4', 'IPv4'] },
    { ...one, ipFamilies: ['IPv5'] },
  ]
  for (const [index, spec] of specs.entries()) await s.post(at, service(`f${index}`, spec))
  for (const spec of [{ clusterIP: 'None' }, {}, { ports: [{ port: 1 }] }])
    await s.put(s.path('services', 'f0'), service('f0', spec))
}
