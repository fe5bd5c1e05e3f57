import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Random, seededRandom } from '#base'
import type { Draft } from '../draft.ts'
import { Store } from '../store/store.ts'
import { prepareNewService, prepareServiceUpdate } from './service-allocation.ts'
import type { ServicePorts } from './service-pools.ts'

type Spec = Readonly<Record<string, unknown>>

/** Chance counts from nought: addresses from 10.96.0.1, ports from 30000. */
function counting(): ServicePorts {
  const store = new Store(() => 0)
  let next = 0
  const random: Random = Object.assign(Object.create(seededRandom(1)) as Random, { integer: () => next++ })
  return { store, random }
}

function draft(spec: Spec, more: object = {}): Draft {
  return { apiVersion: 'v1', kind: 'Service', metadata: { name: 's' }, spec, ...more }
}

function made(spec: Spec): unknown {
  const object = draft(spec)
  prepareNewService(counting(), object, false)
  assert.deepEqual(object.status, { loadBalancer: {} })
  return object.spec
}

function changed(live: Spec, spec: Spec): unknown {
  const object = draft(spec)
  prepareServiceUpdate(counting(), object, draft(live), false)
  return object.spec
}

const single = { ipFamilies: ['IPv4'], ipFamilyPolicy: 'SingleStack' }
const first = { clusterIP: '10.96.0.1', clusterIPs: ['10.96.0.1'], ...single }
const http = { port: 80 }

for (const [said, spec, wanted] of [
  ['a plain service', { type: 'ClusterIP', ports: [http] }, { type: 'ClusterIP', ports: [http], ...first }],
  [
    'one that wants an address',
    { type: 'ClusterIP', clusterIP: '10.96.7.7' },
    { type: 'ClusterIP', clusterIP: '10.96.7.7', clusterIPs: ['10.96.7.7'], ...single },
  ],
  ['one of a name', { type: 'ExternalName', externalName: 'a.b' }, { type: 'ExternalName', externalName: 'a.b' }],
  [
    'one without an address that selects',
    { type: 'ClusterIP', clusterIP: 'None', selector: { a: 'b' } },
    { type: 'ClusterIP', clusterIP: 'None', clusterIPs: ['None'], selector: { a: 'b' }, ...single },
  ],
  [
    'one without an address that selects nothing',
    { type: 'ClusterIP', clusterIP: 'None' },
    {
      type: 'ClusterIP',
      clusterIP: 'None',
      clusterIPs: ['None'],
      ipFamilies: ['IPv4', 'IPv6'],
      ipFamilyPolicy: 'RequireDualStack',
    },
  ],
  [
    'one on every node',
    { type: 'NodePort', ports: [http, { port: 81 }] },
    {
      type: 'NodePort',
      ports: [
        { ...http, nodePort: 30_001 },
        { port: 81, nodePort: 30_002 },
      ],
      ...first,
    },
  ],
  [
    'one on every node whose port has two protocols',
    {
      type: 'NodePort',
      ports: [
        { port: 53, protocol: 'UDP' },
        { port: 53, protocol: 'TCP' },
      ],
    },
    {
      type: 'NodePort',
      ports: [
        { port: 53, protocol: 'UDP', nodePort: 30_001 },
        { port: 53, protocol: 'TCP', nodePort: 30_001 },
      ],
      ...first,
    },
  ],
  [
    'one on every node whose second protocol wants a number',
    {
      type: 'NodePort',
      ports: [
        { port: 53, protocol: 'UDP' },
        { port: 53, protocol: 'TCP', nodePort: 30_777 },
      ],
    },
    {
      type: 'NodePort',
      ports: [
        { port: 53, protocol: 'UDP', nodePort: 30_777 },
        { port: 53, protocol: 'TCP', nodePort: 30_777 },
      ],
      ...first,
    },
  ],
  [
    'a load balancer that does without ports of nodes',
    { type: 'LoadBalancer', allocateLoadBalancerNodePorts: false, ports: [http, { port: 81, nodePort: 30_777 }] },
    { type: 'LoadBalancer', allocateLoadBalancerNodePorts: false, ports: [http, { port: 81, nodePort: 30_777 }], ...first },
  ],
  [
    'a load balancer that keeps to nodes',
    { type: 'LoadBalancer', externalTrafficPolicy: 'Local', ports: [http] },
    {
      type: 'LoadBalancer',
      externalTrafficPolicy: 'Local',
      ports: [{ ...http, nodePort: 30_001 }],
      healthCheckNodePort: 30_002,
      ...first,
    },
  ],
  [
    'a load balancer that keeps to nodes and wants a port for its checks',
    { type: 'LoadBalancer', externalTrafficPolicy: 'Local', healthCheckNodePort: 30_777 },
    { type: 'LoadBalancer', externalTrafficPolicy: 'Local', ports: [], healthCheckNodePort: 30_777, ...first },
  ],
  [
    'one that prefers two families',
    { type: 'ClusterIP', ipFamilyPolicy: 'PreferDualStack' },
    { type: 'ClusterIP', ...first, ipFamilyPolicy: 'PreferDualStack' },
  ],
  [
    'one without an address that selects nothing and wants one family',
    { type: 'ClusterIP', clusterIP: 'None', ipFamilyPolicy: 'SingleStack' },
    { type: 'ClusterIP', clusterIP: 'None', clusterIPs: ['None'], ...single },
  ],
  [
    'one without an address that selects nothing and begins with the other family',
    { type: 'ClusterIP', clusterIP: 'None', ipFamilyPolicy: 'PreferDualStack', ipFamilies: ['IPv6'] },
    {
      type: 'ClusterIP',
      clusterIP: 'None',
      clusterIPs: ['None'],
      ipFamilyPolicy: 'PreferDualStack',
      ipFamilies: ['IPv6', 'IPv4'],
    },
  ],
  [
    'one without an address that selects nothing and names both families',
    { type: 'ClusterIP', clusterIP: 'None', ipFamilyPolicy: 'PreferDualStack', ipFamilies: ['IPv6', 'IPv4'] },
    {
      type: 'ClusterIP',
      clusterIP: 'None',
      clusterIPs: ['None'],
      ipFamilyPolicy: 'PreferDualStack',
      ipFamilies: ['IPv6', 'IPv4'],
    },
  ],
] as const)
  test(`${said} is given what it leaves out`, () => {
    assert.deepEqual(made(spec), wanted)
  })

const node = { type: 'NodePort', ports: [{ ...http, name: 'a', nodePort: 30_555 }], ...first }
const balanced = {
  type: 'LoadBalancer',
  externalTrafficPolicy: 'Local',
  healthCheckNodePort: 30_600,
  allocateLoadBalancerNodePorts: true,
  loadBalancerClass: 'a.b/c',
  ports: [{ ...http, name: 'a', nodePort: 30_555 }],
  ...first,
}
for (const [said, live, spec, wanted] of [
  ['leaves everything out', node, { type: 'NodePort', ports: [{ ...http, name: 'a' }] }, node],
  [
    'names its port anew',
    node,
    { type: 'NodePort', ports: [{ ...http, name: 'b' }] },
    { ...node, ports: [{ ...http, name: 'b', nodePort: 30_000 }] },
  ],
  [
    'gives the number to another port',
    node,
    {
      type: 'NodePort',
      ports: [
        { ...http, name: 'a' },
        { port: 81, name: 'b', nodePort: 30_555 },
      ],
    },
    {
      ...node,
      ports: [
        { ...http, name: 'a', nodePort: 30_000 },
        { port: 81, name: 'b', nodePort: 30_555 },
      ],
    },
  ],
  ['leaves the nodes', node, { ...node, type: 'ClusterIP' }, { type: 'ClusterIP', ports: [{ ...http, name: 'a' }], ...first }],
  [
    'leaves the nodes and wants another number',
    node,
    { ...node, type: 'ClusterIP', ports: [{ ...http, name: 'a', nodePort: 30_556 }] },
    { type: 'ClusterIP', ports: [{ ...http, name: 'a', nodePort: 30_556 }], ...first },
  ],
  ['becomes a name', node, { ...node, type: 'ExternalName' }, { type: 'ExternalName', ports: [{ ...http, name: 'a' }] }],
  ['was a name', { type: 'ExternalName' }, { type: 'ClusterIP', ports: [http] }, { type: 'ClusterIP', ports: [http], ...first }],
  ['keeps its checks', balanced, { ...balanced, healthCheckNodePort: 0 }, balanced],
  [
    'is no load balancer any more',
    balanced,
    { ...balanced, type: 'ClusterIP' },
    { type: 'ClusterIP', ports: [{ ...http, name: 'a' }], ...first },
  ],
  [
    'is no load balancer any more and says otherwise of what goes with it',
    balanced,
    { ...balanced, type: 'NodePort', loadBalancerClass: 'x.y/z' },
    {
      type: 'NodePort',
      externalTrafficPolicy: 'Local',
      loadBalancerClass: 'x.y/z',
      ports: balanced.ports,
      ...first,
    },
  ],
  [
    'begins to keep to nodes',
    { ...balanced, externalTrafficPolicy: 'Cluster', healthCheckNodePort: undefined },
    { ...balanced, healthCheckNodePort: undefined },
    { ...balanced, healthCheckNodePort: 30_000 },
  ],
  [
    'asks for another address by the older field',
    { type: 'ClusterIP', ...first },
    { type: 'ClusterIP', ...first, clusterIP: '10.96.0.9' },
    { type: 'ClusterIP', ...first, clusterIP: '10.96.0.9', clusterIPs: ['10.96.0.9'] },
  ],
  [
    'asks for another port of its nodes',
    node,
    { ...node, ports: [{ ...http, name: 'a', nodePort: 30_556 }] },
    { ...node, ports: [{ ...http, name: 'a', nodePort: 30_556 }] },
  ],
  [
    'did without ports of nodes and wants them now',
    { ...node, type: 'LoadBalancer', allocateLoadBalancerNodePorts: false },
    { type: 'NodePort', ports: [{ ...http, name: 'a' }] },
    { ...node, ports: [{ ...http, name: 'a', nodePort: 30_000 }] },
  ],
  [
    'asks for another port of its checks',
    balanced,
    { ...balanced, healthCheckNodePort: 30_700 },
    { ...balanced, healthCheckNodePort: 30_700 },
  ],
  [
    'goes back to one family',
    { type: 'ClusterIP', ...first, ipFamilies: ['IPv4', 'IPv6'], ipFamilyPolicy: 'PreferDualStack' },
    { type: 'ClusterIP', ...first, ipFamilies: ['IPv4', 'IPv6'] },
    { type: 'ClusterIP', ...first },
  ],
  [
    'says how traffic of the cluster goes',
    { ...node, internalTrafficPolicy: 'Cluster' },
    { ...node, internalTrafficPolicy: 'Local' },
    { ...node, internalTrafficPolicy: 'Local' },
  ],
  [
    'becomes a name and says nothing of the traffic of the cluster',
    { ...node, internalTrafficPolicy: 'Cluster' },
    { ...node, internalTrafficPolicy: 'Cluster', type: 'ExternalName' },
    { type: 'ExternalName', ports: [{ ...http, name: 'a' }] },
  ],
  [
    'becomes a name and asks for another address',
    node,
    { ...node, type: 'ExternalName', clusterIPs: ['10.96.0.9'] },
    { type: 'ExternalName', ports: [{ ...http, name: 'a' }], clusterIP: '10.96.0.1', clusterIPs: ['10.96.0.9'] },
  ],
  [
    'leaves the nodes with one number of its own and another',
    node,
    { ...node, type: 'ClusterIP', ports: [...node.ports, { port: 81, name: 'b', nodePort: 30_556 }] },
    { type: 'ClusterIP', ports: [...node.ports, { port: 81, name: 'b', nodePort: 30_556 }], ...first },
  ],
] as const)
  test(`a service that ${said} keeps what is its own`, () => {
    assert.deepEqual(changed(live, spec), wanted)
  })

test('what a load balancer was given goes with its type', () => {
  const status = { loadBalancer: { ingress: [{ ip: '1.2.3.4' }] }, more: true }
  const after = (type: string): unknown => {
    const object = draft({ ...balanced, type }, { status })
    prepareServiceUpdate(counting(), object, draft(balanced), false)
    return object.status
  }
  assert.deepEqual(after('LoadBalancer'), status)
  assert.deepEqual(after('NodePort'), { loadBalancer: {}, more: true })
})

test('two families are refused to a service of one', () => {
  const spec = { type: 'ClusterIP', ipFamilies: ['IPv4', 'IPv6'], ipFamilyPolicy: 'SingleStack' }
  const why = "must be 'RequireDualStack' or 'PreferDualStack' when multiple IP families are specified"
  assert.throws(() => made(spec), {
    message: `Service "s" is invalid: spec.ipFamilyPolicy: Invalid value: "SingleStack": ${why}`,
  })
})

test('of two fields for one address, the older one does not change the other once both are changed', () => {
  const live = { type: 'ClusterIP', ...first }
  const spec = { ...live, clusterIP: '10.96.0.9', clusterIPs: ['10.96.0.8'] }
  const why = 'Invalid value: ["10.96.0.8"]: first value must match `clusterIP`'
  assert.throws(() => changed(live, spec), { message: `Service "s" is invalid: spec.clusterIPs: ${why}` })
})
