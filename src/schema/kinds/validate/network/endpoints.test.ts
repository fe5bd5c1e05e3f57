import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../../../json.ts'
import { refusals, schemaOf } from '../../../testing/refusals.ts'

const label =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')"
const subdomain =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"
const labelValue =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"
const ipText = 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'
const range = 'must be between 1 and 65535, inclusive'

function many<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: count }, (_, index) => make(index))
}

const named = (index: number): JsonObject => ({ name: `z${index}` })
const hinted = (hints: JsonObject): JsonObject => ({ endpoints: [{ addresses: ['10.0.0.1'], hints }] })

const endpoints = (...subsets: JsonObject[]): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Endpoints',
  metadata: { name: 'e' },
  subsets,
})
const addresses = [{ ip: '10.0.0.1' }]

const subsets: readonly (readonly [what: string, subset: JsonObject, ...told: string[]])[] = [
  ['an address', { addresses: [{ ip: '10.0.0.1', hostname: 'h', nodeName: 'n.example.com' }] }],
  ['an address that is not ready', { notReadyAddresses: addresses }],
  ['no address', { ports: [{ port: 1 }] }, 'subsets[0]: Required value: must specify `addresses` or `notReadyAddresses`'],
  [
    'all that is wrong with addresses and ports',
    {
      addresses: [{ ip: 'x', hostname: 'A', nodeName: '' }],
      notReadyAddresses: [{ hostname: 'C' }],
      ports: [{ name: 'D', protocol: 'HTTP', appProtocol: '/a' }],
    },
    `subsets[0].addresses[0].ip: Invalid value: "x": ${ipText}`,
    `subsets[0].addresses[0].hostname: Invalid value: "A": ${label}`,
    `subsets[0].addresses[0].nodeName: Invalid value: "": ${subdomain}`,
    'subsets[0].addresses[0].ip: Invalid value: "x": must be a valid IP address',
    `subsets[0].notReadyAddresses[0].ip: Invalid value: "": ${ipText}`,
    `subsets[0].notReadyAddresses[0].hostname: Invalid value: "C": ${label}`,
    'subsets[0].notReadyAddresses[0].ip: Invalid value: "": must be a valid IP address',
    `subsets[0].ports[0].name: Invalid value: "D": ${label}`,
    `subsets[0].ports[0].port: Invalid value: 0: ${range}`,
    'subsets[0].ports[0].protocol: Unsupported value: "HTTP": supported values: "SCTP", "TCP", "UDP"',
    'subsets[0].ports[0].appProtocol: Invalid value: "/a": prefix part must be non-empty',
  ],
  [
    'an address that nobody reaches, with a name that is none',
    { addresses: [{ ip: '127.0.0.1', hostname: 'A' }, { ip: '224.0.1.1' }] },
    `subsets[0].addresses[0].hostname: Invalid value: "A": ${label}`,
    'subsets[0].addresses[0].ip: Invalid value: "127.0.0.1": may not be in the loopback range (127.0.0.0/8, ::1/128)',
  ],
  ['a port without a name', { addresses, ports: [{ port: 1 }] }],
  [
    'two ports without names',
    { addresses, ports: [{ port: 1 }, { port: 2 }] },
    'subsets[0].ports[0].name: Required value',
    'subsets[0].ports[1].name: Required value',
  ],
  [
    'one port twice',
    {
      addresses,
      ports: [
        { name: 'a', port: 1 },
        { name: 'a', port: 1 },
      ],
    },
  ],
]

for (const [what, subset, ...told] of subsets)
  test(`Endpoints with ${what} are ${told.length === 0 ? 'taken' : 'refused'}`, () => {
    assert.deepEqual(refusals(endpoints(subset)), told)
  })

test('Endpoints whose addresses are in old forms are told how they are written now', () => {
  const { validate } = schemaOf({ apiVersion: 'v1', kind: 'Endpoints' })
  assert.deepEqual(validate(endpoints({ addresses: [{ ip: '1.2.3.04' }], notReadyAddresses: [{ ip: 'FD00::1' }] })).warnings, [
    'subsets[0].addresses[0].ip: non-standard IP address "1.2.3.04" will be considered invalid in a future Kubernetes release: use "1.2.3.4"',
    'subsets[0].notReadyAddresses[0].ip: IPv6 address "FD00::1" should be in RFC 5952 canonical format ("fd00::1")',
  ])
})

function slice(content: JsonObject): JsonObject {
  return {
    apiVersion: 'discovery.k8s.io/v1',
    kind: 'EndpointSlice',
    metadata: { name: 'e' },
    addressType: 'IPv4',
    endpoints: [],
    ...content,
  }
}

const slices: readonly (readonly [what: string, content: JsonObject, ...told: string[]])[] = [
  ['addresses', { endpoints: [{ addresses: ['10.0.0.1'], nodeName: 'n' }], ports: [{ port: 1 }] }],
  ['no type', { addressType: '' }, 'addressType: Required value'],
  ['another type', { addressType: 'DNS' }, 'addressType: Unsupported value: "DNS": supported values: "FQDN", "IPv4", "IPv6"'],
  ['no address', { endpoints: [{ addresses: [] }] }, 'endpoints[0].addresses: Required value: must contain at least 1 address'],
  [
    'addresses of another family',
    { endpoints: [{ addresses: ['fd00::1', 'x'] }] },
    'endpoints[0].addresses: Invalid value: "fd00::1": must be an IPv4 address',
    `endpoints[0].addresses[1]: Invalid value: "x": ${ipText}`,
  ],
  ['addresses of version 6', { addressType: 'IPv6', endpoints: [{ addresses: ['fd00::1'] }] }],
  [
    'an address of version 4 among those of version 6',
    { addressType: 'IPv6', endpoints: [{ addresses: ['10.0.0.1'] }] },
    'endpoints[0].addresses: Invalid value: "10.0.0.1": must be an IPv6 address',
  ],
  ['names', { addressType: 'FQDN', endpoints: [{ addresses: ['example.com'] }] }],
  [
    'what is no name',
    { addressType: 'FQDN', endpoints: [{ addresses: ['', 'A', 'a.', '.', 'a.b.'] }] },
    'endpoints[0].addresses[0]: Required value',
    `endpoints[0].addresses[1]: Invalid value: "A": ${subdomain}`,
    'endpoints[0].addresses[2]: Invalid value: "a": should be a domain with at least two segments separated by dots',
    `endpoints[0].addresses[3]: Invalid value: "": ${subdomain}`,
  ],
  ['addresses of version 4 in old forms', { endpoints: [{ addresses: ['1.2.3.04', '::ffff:1.2.3.4'] }] }],
  [
    'addresses of version 6 in old forms',
    {
      addressType: 'IPv6',
      endpoints: [{ addresses: ['01.2.3.4', '::ffff:1.2.3.04', '::FFFF:1.2.3.4', '::1.2.3.4', 'FD00::1'] }],
    },
    'endpoints[0].addresses[0]: Invalid value: "01.2.3.4": must not have leading 0s',
    'endpoints[0].addresses[1]: Invalid value: "::ffff:1.2.3.04": must not have leading 0s',
    'endpoints[0].addresses[2]: Invalid value: "::FFFF:1.2.3.4": must not be an IPv4-mapped IPv6 address',
    'endpoints[0].addresses[3]: Invalid value: "::1.2.3.4": must be in canonical form ("::102:304")',
    'endpoints[0].addresses[4]: Invalid value: "FD00::1": must be in canonical form ("fd00::1")',
  ],
  [
    'addresses that nobody reaches',
    { endpoints: [{ addresses: ['127.0.0.1', '::ffff:0.0.0.0', 'fe80::1'] }] },
    'endpoints[0].addresses[0]: Invalid value: "127.0.0.1": may not be in the loopback range (127.0.0.0/8, ::1/128)',
    'endpoints[0].addresses[1]: Invalid value: "::ffff:0.0.0.0": may not be unspecified (::ffff:0.0.0.0)',
    'endpoints[0].addresses: Invalid value: "fe80::1": must be an IPv4 address',
    'endpoints[0].addresses[2]: Invalid value: "fe80::1": may not be in the link-local range (169.254.0.0/16, fe80::/10)',
  ],
  ['a hundred addresses', { endpoints: [{ addresses: many(100, () => '10.0.0.1') }] }],
  [
    'more addresses',
    { endpoints: [{ addresses: many(101, () => '10.0.0.1') }] },
    'endpoints[0].addresses: Too many: 101: must have at most 100 items',
  ],
  ['a thousand endpoints', { endpoints: many(1000, () => ({ addresses: ['10.0.0.1'] })) }],
  [
    'more endpoints, which are not looked at',
    { endpoints: many(1001, () => ({})) },
    'endpoints: Too many: 1001: must have at most 1000 items',
  ],
  ['very many ports', { ports: many(20_000, index => ({ name: `p${index}` })) }],
  [
    'more ports, which are not looked at',
    { ports: many(20_001, () => ({})) },
    'ports: Too many: 20001: must have at most 20000 items',
  ],
  [
    'a port of another protocol',
    { ports: [{ port: 1, protocol: 'HTTP' }] },
    'ports[0].protocol: Unsupported value: "HTTP": supported values: "SCTP", "TCP", "UDP"',
  ],
  ['a port of any number', { ports: [{ port: -1 }] }],
  [
    'all that is wrong with ports and endpoints',
    {
      ports: [{ name: 'A', protocol: 'HTTP', appProtocol: '/a' }],
      endpoints: [
        { addresses: ['x'], nodeName: 'B', hostname: '', hints: { forZones: [{ name: '-' }], forNodes: [{ name: '' }] } },
      ],
    },
    `ports[0].name: Invalid value: "A": ${label}`,
    'ports[0].protocol: Unsupported value: "HTTP": supported values: "SCTP", "TCP", "UDP"',
    'ports[0].appProtocol: Invalid value: "/a": prefix part must be non-empty',
    `endpoints[0].addresses[0]: Invalid value: "x": ${ipText}`,
    `endpoints[0].nodeName: Invalid value: "B": ${subdomain}`,
    `endpoints[0].hostname: Invalid value: "": ${label}`,
    `endpoints[0].hints.forZones[0].name: Invalid value: "-": ${labelValue}`,
    `endpoints[0].hints.forNodes[0].name: Invalid value: "": ${subdomain}`,
  ],
  ['two ports without a name', { ports: [{ name: '' }, {}] }, 'ports[1].name: Duplicate value: ""'],
  [
    'two ports of one name that is none',
    { ports: [{ name: 'A' }, { name: 'A' }] },
    `ports[0].name: Invalid value: "A": ${label}`,
    `ports[1].name: Invalid value: "A": ${label}`,
    'ports[1].name: Duplicate value: "A"',
  ],
  [
    'one zone twice, and one node',
    hinted({ forZones: [{ name: '-' }, { name: '-' }], forNodes: [{ name: 'n' }, { name: 'n' }] }),
    `endpoints[0].hints.forZones[0].name: Invalid value: "-": ${labelValue}`,
    'endpoints[0].hints.forZones[1].name: Duplicate value: "-"',
    `endpoints[0].hints.forZones[1].name: Invalid value: "-": ${labelValue}`,
    'endpoints[0].hints.forNodes[1].name: Duplicate value: "n"',
  ],
  ['eight zones and nodes', hinted({ forZones: many(8, named), forNodes: many(8, named) })],
  [
    'more zones and nodes, which are not looked at',
    hinted({ forZones: many(9, () => ({ name: '-' })), forNodes: many(9, () => ({ name: '-' })) }),
    'endpoints[0].hints.forZones: Too many: 9: must have at most 8 items',
    'endpoints[0].hints.forNodes: Too many: 9: must have at most 8 items',
  ],
]

for (const [what, content, ...told] of slices)
  test(`an EndpointSlice with ${what} is ${told.length === 0 ? 'taken' : 'refused'}`, () => {
    assert.deepEqual(refusals(slice(content)), told)
  })

test('the type of the addresses of an EndpointSlice stays', () => {
  const old = slice({ endpoints: [{ addresses: ['10.0.0.1'] }] })
  assert.deepEqual(refusals(slice({ addressType: 'IPv6', endpoints: [{ addresses: ['x'] }] }), { old }), [
    'endpoints[0].addresses[0]: Invalid value: "x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
    'addressType: Invalid value: "IPv6": field is immutable',
  ])
  const kept = 'addressType: Invalid value: "IPv6": field is immutable'
  assert.deepEqual(refusals(slice({ addressType: 'IPv6', endpoints: [{ addresses: ['10.0.0.1'] }] }), { old }), [kept])
  const more = [{ addresses: ['fd00::1'] }, { addresses: ['10.0.0.1'] }]
  assert.deepEqual(refusals(slice({ addressType: 'IPv6', endpoints: more }), { old }), [
    'endpoints[1].addresses: Invalid value: "10.0.0.1": must be an IPv6 address',
    kept,
  ])
  assert.deepEqual(refusals(slice({ addressType: 'x', endpoints: [{ addresses: ['x'] }] }), { old }), [
    'addressType: Unsupported value: "x": supported values: "FQDN", "IPv4", "IPv6"',
    'addressType: Invalid value: "x": field is immutable',
  ])
  assert.equal(refusals(slice({ endpoints: [{ addresses: ['x'] }] }), { old }).length, 1)
})

test('an EndpointSlice of names is warned of, and one whose addresses are in old forms is told how they are written now', () => {
  const { validate } = schemaOf({ apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice' })
  const names = slice({ addressType: 'FQDN', endpoints: [{ addresses: ['example.com'] }] })
  assert.deepEqual(validate(names).warnings, ['spec.addressType: FQDN endpoints are deprecated'])
  assert.deepEqual(validate(slice({ endpoints: [{ addresses: ['10.0.0.1', '1.2.3.04'] }] })).warnings, [
    'endpoints[0].addresses[1]: non-standard IP address "1.2.3.04" will be considered invalid in a future Kubernetes release: use "1.2.3.4"',
  ])
})
