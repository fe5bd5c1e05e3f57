import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../../../json.ts'
import { refusals, schemaOf } from '../../../testing/refusals.ts'

const addresses = { clusterIP: '10.0.0.1', clusterIPs: ['10.0.0.1'], ipFamilies: ['IPv4'], ipFamilyPolicy: 'SingleStack' }

/** As it is judged: with the address that it was given. */
function service(spec: JsonObject, metadata: JsonObject = {}): JsonObject {
  return {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 's', ...metadata },
    spec: { ports: [{ port: 80 }], ...addresses, ...spec },
  }
}

const headless = { clusterIP: 'None', clusterIPs: ['None'] }
const elsewhere = {
  type: 'ExternalName',
  clusterIP: undefined,
  clusterIPs: undefined,
  ipFamilies: undefined,
  ipFamilyPolicy: undefined,
}
const range = 'must be between 1 and 65535, inclusive'
const label =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')"
const ipText = 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'
const onlyBalancer = "may only be used when `type` is 'LoadBalancer'"
const affinity = 'spec.sessionAffinityConfig.clientIP.timeoutSeconds'
const affinityText = 'must be greater than 0 and less than 86400'
const health = 'spec.healthCheckNodePort'
const healthText = "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'"
const local = { type: 'LoadBalancer', externalTrafficPolicy: 'Local' }
const shownPort = (protocol: string, port: number): string =>
  `{"Name":"","Protocol":"${protocol}","AppProtocol":null,"Port":${port},"TargetPort":0,"NodePort":0}`

function withoutUndefined(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined))
}

const rows: readonly (readonly [what: string, spec: JsonObject, ...told: string[]])[] = [
  ['a port', {}],
  ['no address yet', { clusterIP: undefined, clusterIPs: undefined } as unknown as JsonObject],
  [
    'a port without its number',
    { ports: [{}] },
    `spec.ports[0].port: Invalid value: 0: ${range}`,
    `spec.ports[0].targetPort: Invalid value: 0: ${range}`,
  ],
  ['no port', { ports: [] }, 'spec.ports: Required value'],
  ['no port and no address', { ports: [], ...headless }],
  ['a name elsewhere', { ...elsewhere, ports: [], externalName: 'example.com.' } as unknown as JsonObject],
  ['no name elsewhere', { ...elsewhere } as unknown as JsonObject, 'spec.externalName: Required value'],
  [
    'an address beside a name elsewhere',
    { type: 'ExternalName', externalName: 'example.com' },
    'spec.clusterIPs: Forbidden: may not be set for ExternalName services',
    'spec.ipFamilies: Forbidden: may not be set for ExternalName services',
    'spec.ipFamilyPolicy: Forbidden: may not be set for ExternalName services',
  ],
  [
    'a balancer without an address',
    { type: 'LoadBalancer', ...headless },
    'spec.clusterIPs[0]: Invalid value: "None": may not be set to \'None\' for LoadBalancer services',
  ],
  [
    'a port on every node without an address',
    { type: 'NodePort', ...headless },
    'spec.clusterIPs[0]: Invalid value: "None": may not be set to \'None\' for NodePort services',
  ],
  [
    'another type',
    { type: 'Any' },
    'spec.type: Unsupported value: "Any": supported values: "ClusterIP", "ExternalName", "LoadBalancer", "NodePort"',
  ],
  [
    'the least and the greatest port',
    {
      ports: [
        { name: 'a', port: 1, targetPort: 65535 },
        { name: 'b', port: 65535, targetPort: 1 },
      ],
    },
  ],
  [
    'ports that there are not',
    {
      ports: [
        { name: 'a', port: 65536, targetPort: 65536 },
        { name: 'b', port: -1, targetPort: -1 },
      ],
    },
    `spec.ports[0].port: Invalid value: 65536: ${range}`,
    `spec.ports[0].targetPort: Invalid value: 65536: ${range}`,
    `spec.ports[1].port: Invalid value: -1: ${range}`,
    `spec.ports[1].targetPort: Invalid value: -1: ${range}`,
  ],
  ['ports without names', { ports: [{ port: 1 }, { port: 2, name: 'b' }] }, 'spec.ports[0].name: Required value'],
  [
    'ports of one name',
    {
      ports: [
        { port: 1, name: 'a' },
        { port: 2, name: 'a' },
      ],
    },
    'spec.ports[1].name: Duplicate value: "a"',
  ],
  ['a port whose name is none', { ports: [{ port: 1, name: 'A' }] }, `spec.ports[0].name: Invalid value: "A": ${label}`],
  [
    'a port at the name of another',
    { ports: [{ port: 1, targetPort: 'a--b' }] },
    'spec.ports[0].targetPort: Invalid value: "a--b": must not contain consecutive hyphens',
  ],
  [
    'a port of another protocol',
    { ports: [{ port: 1, protocol: 'HTTP' }] },
    'spec.ports[0].protocol: Unsupported value: "HTTP": supported values: "SCTP", "TCP", "UDP"',
  ],
  [
    'one port twice',
    {
      ports: [
        { name: 'a', port: 1 },
        { name: 'b', port: 1 },
      ],
    },
    `spec.ports[1]: Duplicate value: ${shownPort('TCP', 1)}`,
  ],
  [
    'one port by two protocols',
    {
      ports: [
        { name: 'a', port: 1 },
        { name: 'b', port: 1, protocol: 'UDP' },
      ],
    },
  ],
  ['what is spoken at a port', { ports: [{ port: 1, appProtocol: 'kubernetes.io/h2c' }] }],
  ['clients that come back', { sessionAffinity: 'ClientIP' }],
  [
    'clients that come back within a day',
    { sessionAffinity: 'ClientIP', sessionAffinityConfig: { clientIP: { timeoutSeconds: 86400 } } },
  ],
  [
    'clients that come back within a second',
    { sessionAffinity: 'ClientIP', sessionAffinityConfig: { clientIP: { timeoutSeconds: 1 } } },
  ],
  [
    'clients that come back later',
    { sessionAffinity: 'ClientIP', sessionAffinityConfig: { clientIP: { timeoutSeconds: 86401 } } },
    `${affinity}: Invalid value: 86401: ${affinityText}`,
  ],
  [
    'clients that never come back',
    { sessionAffinity: 'ClientIP', sessionAffinityConfig: { clientIP: { timeoutSeconds: 0 } } },
    `${affinity}: Invalid value: 0: ${affinityText}`,
  ],
  [
    'another affinity',
    { sessionAffinity: 'Header' },
    'spec.sessionAffinity: Unsupported value: "Header": supported values: "ClientIP", "None"',
  ],
  ['addresses outside', { externalIPs: ['192.0.2.1', '2001:db8::1'] }],
  [
    'addresses that nobody reaches',
    {
      externalIPs: [
        'x',
        '0.0.0.0',
        '::',
        '127.0.0.1',
        '::1',
        '169.254.1.1',
        'fe80::1',
        '224.0.0.1',
        'ff02::1',
        'ff32::1',
        '127.0.0.01',
        '::ffff:127.0.0.1',
        '224.0.1.0',
        'ff05::1',
        '0.0.0.1',
      ],
    },
    `spec.externalIPs[0]: Invalid value: "x": ${ipText}`,
    'spec.externalIPs[1]: Invalid value: "0.0.0.0": may not be unspecified (0.0.0.0)',
    'spec.externalIPs[2]: Invalid value: "::": may not be unspecified (::)',
    'spec.externalIPs[3]: Invalid value: "127.0.0.1": may not be in the loopback range (127.0.0.0/8, ::1/128)',
    'spec.externalIPs[4]: Invalid value: "::1": may not be in the loopback range (127.0.0.0/8, ::1/128)',
    'spec.externalIPs[5]: Invalid value: "169.254.1.1": may not be in the link-local range (169.254.0.0/16, fe80::/10)',
    'spec.externalIPs[6]: Invalid value: "fe80::1": may not be in the link-local range (169.254.0.0/16, fe80::/10)',
    'spec.externalIPs[7]: Invalid value: "224.0.0.1": may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)',
    'spec.externalIPs[8]: Invalid value: "ff02::1": may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)',
    'spec.externalIPs[9]: Invalid value: "ff32::1": may not be in the link-local multicast range (224.0.0.0/24, ff02::/10)',
    'spec.externalIPs[10]: Invalid value: "127.0.0.01": may not be in the loopback range (127.0.0.0/8, ::1/128)',
    'spec.externalIPs[11]: Invalid value: "::ffff:127.0.0.1": may not be in the loopback range (127.0.0.0/8, ::1/128)',
  ],
  [
    'a port of a node on a service inside',
    { ports: [{ port: 1, nodePort: 30000 }] },
    "spec.ports[0].nodePort: Forbidden: may not be used when `type` is 'ClusterIP'",
  ],
  [
    'a port of a node twice',
    {
      type: 'NodePort',
      ports: [
        { name: 'a', port: 1, nodePort: 30000 },
        { name: 'b', port: 2, nodePort: 30000 },
      ],
    },
    'spec.ports[1].nodePort: Duplicate value: 30000',
  ],
  [
    'a port of a node by two protocols',
    {
      type: 'NodePort',
      ports: [
        { name: 'a', port: 1, nodePort: 30000 },
        { name: 'b', port: 1, protocol: 'UDP', nodePort: 30000 },
      ],
    },
  ],
  [
    'what only a balancer has',
    { loadBalancerSourceRanges: ['10.0.0.0/8'], allocateLoadBalancerNodePorts: false, loadBalancerClass: 'a/b' },
    `spec.LoadBalancerSourceRanges: Forbidden: ${onlyBalancer}`,
    `spec.allocateLoadBalancerNodePorts: Forbidden: ${onlyBalancer}`,
    `spec.loadBalancerClass: Forbidden: ${onlyBalancer}`,
  ],
  [
    'all that a balancer has',
    {
      type: 'LoadBalancer',
      externalTrafficPolicy: 'Local',
      healthCheckNodePort: 30001,
      loadBalancerSourceRanges: ['10.0.0.0/8'],
      allocateLoadBalancerNodePorts: false,
      loadBalancerClass: 'a/b',
    },
  ],
  [
    'clients from no network',
    { type: 'LoadBalancer', loadBalancerSourceRanges: ['10.0.0.0/8', 'x', ' fd00::/8 ', '010.0.0.1/8'] },
    'spec.LoadBalancerSourceRanges[1]: Invalid value: "x": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)',
  ],
  [
    'networks that it has no use for',
    { loadBalancerSourceRanges: ['x'] },
    `spec.LoadBalancerSourceRanges: Forbidden: ${onlyBalancer}`,
    'spec.LoadBalancerSourceRanges[0]: Invalid value: "x": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)',
  ],
  [
    'a class of balancers that has no name',
    { type: 'LoadBalancer', loadBalancerClass: '/a' },
    'spec.loadBalancerClass: Invalid value: "/a": prefix part must be non-empty',
  ],
  ['the least port for its health', { ...local, healthCheckNodePort: 1 }],
  ['no port for its health yet', { ...local, healthCheckNodePort: 0 }],
  [
    'a port for its health that there is not',
    { ...local, healthCheckNodePort: 65536 },
    `${health}: Invalid value: 65536: ${range}`,
  ],
  ['a port for its health below all', { ...local, healthCheckNodePort: -1 }, `${health}: Invalid value: -1: ${range}`],
  [
    'whence it is reached, and it is not',
    { externalTrafficPolicy: 'Cluster' },
    'spec.externalTrafficPolicy: Invalid value: "Cluster": may only be set for externally-accessible services',
  ],
  [
    'another way from outside',
    { type: 'NodePort', externalTrafficPolicy: 'Any' },
    'spec.externalTrafficPolicy: Unsupported value: "Any": supported values: "Cluster", "Local"',
  ],
  [
    'a port for its health that it does not need',
    { type: 'NodePort', externalTrafficPolicy: 'Local', healthCheckNodePort: 1 },
    `${health}: Invalid value: 1: ${healthText}`,
  ],
  [
    'a port for its health that is the same everywhere',
    { type: 'LoadBalancer', healthCheckNodePort: 1 },
    `${health}: Invalid value: 1: ${healthText}`,
  ],
  [
    'other ways inside',
    { internalTrafficPolicy: 'Any', trafficDistribution: 'Any' },
    'spec.internalTrafficPolicy: Unsupported value: "Any": supported values: "Cluster", "Local"',
    'spec.trafficDistribution: Unsupported value: "Any": supported values: "PreferClose", "PreferSameZone", "PreferSameNode"',
  ],
  ['one way inside', { internalTrafficPolicy: 'Local', trafficDistribution: 'PreferSameNode' }],
  ['an address and no list of them', { clusterIPs: [] }, 'spec.clusterIPs: Required value'],
  [
    'an address that is not the first of them',
    { clusterIPs: ['10.0.0.2'] },
    'spec.clusterIPs: Invalid value: ["10.0.0.2"]: first value must match `clusterIP`',
  ],
  [
    'a list of addresses and none by itself',
    { clusterIP: '' },
    'spec.clusterIPs: Invalid value: ["10.0.0.1"]: must be empty when `clusterIP` is not specified',
  ],
  [
    'families that there are not, and one twice',
    { ipFamilies: ['IPv5', 'IPv4', 'IPv4'] },
    'spec.ipFamilies[0]: Unsupported value: "IPv5": supported values: "IPv4", "IPv6"',
    'spec.ipFamilies[2]: Duplicate value: "IPv4"',
  ],
  [
    'another policy of families',
    { ipFamilyPolicy: 'Any' },
    'spec.ipFamilyPolicy: Unsupported value: "Any": supported values: "PreferDualStack", "RequireDualStack", "SingleStack"',
  ],
  ['two addresses', { clusterIPs: ['10.0.0.1', 'fd00::1'], ipFamilies: ['IPv4', 'IPv6'], ipFamilyPolicy: 'RequireDualStack' }],
  ['an address in an old form', { clusterIP: '::ffff:10.0.0.01', clusterIPs: ['::ffff:10.0.0.01'] }],
  [
    'two addresses of a family in two forms',
    { clusterIP: '::ffff:10.0.0.1', clusterIPs: ['::ffff:10.0.0.1', '10.0.0.2'] },
    'spec.clusterIPs: Invalid value: ["::ffff:10.0.0.1","10.0.0.2"]: may specify no more than one IP for each IP family',
  ],
  [
    'two addresses in the order of the other',
    { clusterIPs: ['10.0.0.1', 'fd00::1'], ipFamilies: ['IPv6', 'IPv4'] },
    'spec.clusterIPs[0]: Invalid value: "10.0.0.1": expected an IPv6 value as indicated by `ipFamilies[0]`',
    'spec.clusterIPs[1]: Invalid value: "fd00::1": expected an IPv4 value as indicated by `ipFamilies[1]`',
  ],
  [
    'two addresses of a family',
    { clusterIPs: ['10.0.0.1', '10.0.0.2'] },
    'spec.clusterIPs: Invalid value: ["10.0.0.1","10.0.0.2"]: may specify no more than one IP for each IP family',
  ],
  [
    'three addresses',
    { clusterIPs: ['10.0.0.1', 'fd00::1', '10.0.0.2'] },
    'spec.clusterIPs: Invalid value: ["10.0.0.1","fd00::1","10.0.0.2"]: may only hold up to 2 values',
  ],
  [
    'an address that is none',
    { clusterIP: 'x', clusterIPs: ['x', '10.0.0.1'], ipFamilies: ['IPv4', 'IPv4'] },
    'spec.ipFamilies[1]: Duplicate value: "IPv4"',
    `spec.clusterIPs[0]: Invalid value: "x": ${ipText}`,
  ],
  [
    'no address and one',
    { clusterIP: 'None', clusterIPs: ['None', '10.0.0.1'] },
    'spec.clusterIPs: Invalid value: ["None","10.0.0.1"]: \'None\' must be the first and only value',
  ],
]

for (const [what, spec, ...told] of rows)
  test(`a Service that says ${what} is ${told.length === 0 ? 'taken' : 'refused'}`, () => {
    const object = service(spec)
    assert.deepEqual(refusals({ ...object, spec: withoutUndefined(object.spec as JsonObject) }), told)
  })

const ranges = 'service.beta.kubernetes.io/load-balancer-source-ranges'
const annotated: readonly (readonly [what: string, value: string, spec: JsonObject, ...told: string[]])[] = [
  ['no networks', ' ', { type: 'LoadBalancer' }],
  ['networks', '10.0.0.0/8, fd00::/8', { type: 'LoadBalancer' }],
  [
    'what is no network',
    '10.0.0.0/8,x',
    { type: 'LoadBalancer' },
    `metadata.annotations[${ranges}]: Invalid value: "x": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)`,
  ],
  ['what is no network beside networks', 'x', { type: 'LoadBalancer', loadBalancerSourceRanges: ['10.0.0.0/8'] }],
  ['nothing without a balancer', '', {}, `metadata.annotations[${ranges}]: Forbidden: ${onlyBalancer}`],
]

for (const [what, value, spec, ...told] of annotated)
  test(`a Service whose annotation lets in ${what} is ${told.length === 0 ? 'taken' : 'refused'}`, () => {
    assert.deepEqual(refusals(service(spec, { annotations: { [ranges]: value } })), told)
  })

const changes: readonly (readonly [what: string, before: JsonObject, spec: JsonObject, ...told: string[]])[] = [
  ['nothing', {}, {}],
  [
    'its address',
    {},
    { clusterIP: '10.0.0.2', clusterIPs: ['10.0.0.2'] },
    'spec.clusterIPs[0]: Invalid value: ["10.0.0.2"]: may not change once set',
  ],
  ['its family', { ...headless, ipFamilies: ['IPv4'] }, { ...headless, ipFamilies: ['IPv6'] }],
  [
    'its address and family',
    {},
    { clusterIP: 'fd00::1', clusterIPs: ['fd00::1'], ipFamilies: ['IPv6'] },
    'spec.clusterIPs[0]: Invalid value: ["fd00::1"]: may not change once set',
    'spec.ipFamilies[0]: Invalid value: ["IPv6"]: may not change once set',
  ],
  [
    'that it has an address',
    {},
    { ...headless, ipFamilies: ['IPv6'] },
    'spec.clusterIPs[0]: Invalid value: ["None"]: may not change once set',
  ],
  ['its second address', { clusterIPs: ['10.0.0.1', 'fd00::1'], ipFamilies: ['IPv4', 'IPv6'] }, {}],
  [
    'the class of its balancer to what is none',
    { type: 'LoadBalancer' },
    { type: 'LoadBalancer', loadBalancerClass: '/a' },
    'spec.loadBalancerClass: Invalid value: "/a": may not change once set',
    'spec.loadBalancerClass: Invalid value: "/a": prefix part must be non-empty',
    'spec.loadBalancerClass: Invalid value: "/a": prefix part must be non-empty',
  ],
  [
    'that its balancer has a class',
    { type: 'LoadBalancer', loadBalancerClass: 'a' },
    { type: 'LoadBalancer' },
    'spec.loadBalancerClass: Invalid value: null: may not change once set',
  ],
  ['that it has a balancer of a class', {}, { type: 'LoadBalancer', loadBalancerClass: 'a' }],
  [
    'the class of its balancer and the port for its health',
    { type: 'LoadBalancer', loadBalancerClass: 'a', externalTrafficPolicy: 'Local', healthCheckNodePort: 1 },
    { type: 'LoadBalancer', loadBalancerClass: 'b', externalTrafficPolicy: 'Local', healthCheckNodePort: 2 },
    'spec.loadBalancerClass: Invalid value: "b": may not change once set',
    'spec.healthCheckNodePort: Forbidden: field is immutable',
  ],
  [
    'the class of a balancer that it has not',
    {},
    { loadBalancerClass: 'a' },
    `spec.loadBalancerClass: Forbidden: ${onlyBalancer}`,
    `spec.loadBalancerClass: Forbidden: ${onlyBalancer}`,
  ],
  [
    'the port for its health',
    { type: 'LoadBalancer', externalTrafficPolicy: 'Local', healthCheckNodePort: 1 },
    { type: 'LoadBalancer', externalTrafficPolicy: 'Local', healthCheckNodePort: 2 },
    'spec.healthCheckNodePort: Forbidden: field is immutable',
  ],
  [
    'that it has a port for its health',
    { type: 'LoadBalancer' },
    { type: 'LoadBalancer', externalTrafficPolicy: 'Local', healthCheckNodePort: 2 },
  ],
]

for (const [what, before, spec, ...told] of changes)
  test(`that a Service changes ${what} is ${told.length === 0 ? 'taken' : 'refused'}`, () => {
    assert.deepEqual(refusals(service(spec), { old: service(before) }), told)
  })

test('only a Service with a balancer is reached through one', () => {
  const told = (spec: JsonObject, ingress: JsonObject[]): readonly string[] => {
    const object = { ...service(spec), status: { loadBalancer: { ingress } } }
    return refusals(object, { old: service(spec), subresource: 'status' })
  }
  assert.deepEqual(told({ type: 'LoadBalancer' }, [{ ip: '192.0.2.1' }]), [])
  assert.deepEqual(told({}, []), [])
  assert.deepEqual(told({}, [{ ip: '192.0.2.1' }]), [
    "status.loadBalancer.ingress: Forbidden: may only be used when `spec.type` is 'LoadBalancer'",
  ])
})

test('the ways to a Service through its balancer are addresses and names', () => {
  const told = (...ingress: JsonObject[]): readonly string[] => {
    const object = { ...service({ type: 'LoadBalancer' }), status: { loadBalancer: { ingress } } }
    return refusals(object, { old: service({ type: 'LoadBalancer' }), subresource: 'status' })
  }
  assert.deepEqual(
    told({ ip: '1.2.3.4', ipMode: 'Proxy', hostname: 'a.b' }, { ip: '1.2.3.4', ipMode: 'VIP' }, { hostname: 'a' }),
    [],
  )
  const at = 'status.loadBalancer.ingress'
  assert.deepEqual(
    told({ ip: 'x', ipMode: 'x', hostname: 'A' }, { ipMode: 'x' }).map(line => line.replace(/: a lowercase.*/, '')),
    [
      `${at}[0].ip: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)`,
      `${at}[0].ipMode: Unsupported value: "x": supported values: "Proxy", "VIP"`,
      `${at}[0].hostname: Invalid value: "A"`,
      `${at}[1].ipMode: Forbidden: may not be specified when \`ip\` is not set`,
    ],
  )
})

test('an address of a balancer is one of the balancer, unless it says otherwise', () => {
  const { applyDefaults } = schemaOf(service({}))
  const ingress = [{ ip: '1.2.3.4' }, { ip: '1.2.3.4', ipMode: 'Proxy' }, { hostname: 'a' }]
  assert.deepEqual(applyDefaults({ ...service({}), status: { loadBalancer: { ingress } } }).status, {
    loadBalancer: { ingress: [{ ip: '1.2.3.4', ipMode: 'VIP' }, { ip: '1.2.3.4', ipMode: 'Proxy' }, { hostname: 'a' }] },
  })
})

test('a Service that becomes a name elsewhere gives its address back', () => {
  const name = withoutUndefined({ ports: [{ port: 80 }], ...elsewhere, externalName: 'example.com' } as unknown as JsonObject)
  const named = { ...service({}), spec: name }
  assert.deepEqual(refusals(named, { old: service({}) }), [])
  assert.deepEqual(refusals(service({}), { old: named }), [])
})

test('a Service that says its topology by both annotations says one', () => {
  const [former, topology] = ['service.kubernetes.io/topology-aware-hints', 'service.kubernetes.io/topology-mode']
  assert.deepEqual(refusals(service({}, { annotations: { [former]: 'x', [topology]: '' } })), [
    `metadata.annotations[${topology}]: Invalid value: "": must match annotations[${former}] when both are specified`,
  ])
  for (const annotations of [{ [former]: 'x', [topology]: 'x' }, { [former]: 'x' }, { [topology]: 'x' }])
    assert.deepEqual(refusals(service({}, { annotations })), [])
})

test('an address that a Service had before is not read again', () => {
  const twice = { clusterIP: 'None', clusterIPs: ['None', 'None'] }
  const first = 'spec.clusterIPs: Invalid value: ["None","None"]: \'None\' must be the first and only value'
  const unread = 'spec.clusterIPs[1]: Invalid value: "None": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'
  assert.deepEqual(refusals(service(twice)), [first, unread])
  assert.deepEqual(refusals(service(twice), { old: service(headless) }), [first])
})

test('a Service without an address is warned that addresses outside are none of its own', () => {
  const { validate } = schemaOf({ apiVersion: 'v1', kind: 'Service' })
  const said = ['spec.externalIPs is ignored for headless services']
  assert.deepEqual(validate(service({ ...headless, externalIPs: ['192.0.2.1'] })).warnings, said)
  assert.deepEqual(validate(service({ ...headless, externalIPs: [] })).warnings, [])
  assert.deepEqual(validate(service({ externalIPs: ['192.0.2.1'] })).warnings, [])
})

test('a Service that nobody balances, or that is elsewhere, is told what it says in vain', () => {
  const { validate } = schemaOf({ apiVersion: 'v1', kind: 'Service' })
  const vain = { ...headless, externalIPs: ['192.0.2.1'], loadBalancerIP: '192.0.2.2', sessionAffinity: 'ClientIP' }
  assert.deepEqual(
    validate(service(vain)).warnings,
    ['loadBalancerIP', 'externalIPs', 'SessionAffinity'].map(field => `spec.${field} is ignored for headless services`),
  )
  assert.deepEqual(validate(service({ ...elsewhere, externalIPs: ['192.0.2.1'] } as unknown as JsonObject)).warnings, [
    'spec.externalIPs is ignored when spec.type is "ExternalName"',
  ])
  assert.deepEqual(validate(service({ externalName: 'example.com' })).warnings, [
    'spec.externalName is ignored when spec.type is not "ExternalName"',
  ])
})

test('a Service whose addresses are in old forms is told how they are written now', () => {
  const { validate } = schemaOf({ apiVersion: 'v1', kind: 'Service' })
  const spec = {
    type: 'LoadBalancer',
    clusterIP: '10.0.0.01',
    clusterIPs: ['10.0.0.01', 'FD00::1'],
    externalIPs: ['1.2.3.04', 'FD00::1', '::ffff:1.2.3.4', '1.2.3.4', 'fd00::1', 'x'],
    loadBalancerIP: '1.2.3.04',
    loadBalancerSourceRanges: ['10.0.0.0/8', '010.0.0.0/8', '10.0.0.1/8', 'FD00::/8'],
  }
  const invalid = 'will be considered invalid in a future Kubernetes release: use'
  assert.deepEqual(validate(service(spec)).warnings, [
    `spec.clusterIPs[0]: non-standard IP address "10.0.0.01" ${invalid} "10.0.0.1"`,
    'spec.clusterIPs[1]: IPv6 address "FD00::1" should be in RFC 5952 canonical format ("fd00::1")',
    `spec.externalIPs[0]: non-standard IP address "1.2.3.04" ${invalid} "1.2.3.4"`,
    'spec.externalIPs[1]: IPv6 address "FD00::1" should be in RFC 5952 canonical format ("fd00::1")',
    `spec.externalIPs[2]: non-standard IP address "::ffff:1.2.3.4" ${invalid} "1.2.3.4"`,
    `spec.loadBalancerIP: non-standard IP address "1.2.3.04" ${invalid} "1.2.3.4"`,
    `spec.loadBalancerSourceRanges[1]: non-standard CIDR value "010.0.0.0/8" ${invalid} "10.0.0.0/8"`,
    'spec.loadBalancerSourceRanges[2]: CIDR value "10.0.0.1/8" is ambiguous in this context (should be "10.0.0.0/8" or "10.0.0.1/32"?)',
    'spec.loadBalancerSourceRanges[3]: IPv6 CIDR value "FD00::/8" should be in RFC 5952 canonical format ("fd00::/8")',
  ])
})
