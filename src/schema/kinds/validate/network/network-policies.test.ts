import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../../../json.ts'
import { refusals, schemaOf } from '../../../testing/refusals.ts'

function policy(spec: JsonObject): JsonObject {
  return {
    apiVersion: 'networking.k8s.io/v1',
    kind: 'NetworkPolicy',
    metadata: { name: 'n' },
    spec: { podSelector: {}, ...spec },
  }
}

const port = 'spec.ingress[0].ports[0]'
const peer = 'spec.egress[0].to[0]'
const range = 'must be between 1 and 65535, inclusive'
const cidrText = 'must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)'
const from = (...ports: JsonObject[]): JsonObject => ({ ingress: [{ ports }] })
const to = (...peers: JsonObject[]): JsonObject => ({ egress: [{ to: peers }] })
const block = (cidr: string, ...except: string[]): JsonObject => to({ ipBlock: { cidr, except } })

const rows: readonly (readonly [spec: JsonObject, ...told: string[]])[] = [
  [{}],
  [from({ port: 1 }, { port: 65535, protocol: 'SCTP' }, { port: 'web' }, {})],
  [from({ protocol: 'HTTP' }), `${port}.protocol: Unsupported value: "HTTP": supported values: "TCP", "UDP", "SCTP"`],
  [from({ port: 0 }), `${port}.port: Invalid value: 0: ${range}`],
  [from({ port: 65536 }), `${port}.port: Invalid value: 65536: ${range}`],
  [from({ port: 'a--b' }), `${port}.port: Invalid value: "a--b": must not contain consecutive hyphens`],
  [from({ port: 5, endPort: 5 })],
  [from({ port: 5, endPort: 4 }), `${port}.endPort: Invalid value: 5: must be greater than or equal to \`port\``],
  [from({ port: 5, endPort: 65536 }), `${port}.endPort: Invalid value: 65536: ${range}`],
  [from({ endPort: 5 }), `${port}.endPort: Invalid value: 5: may not be specified when \`port\` is not specified`],
  [
    from({ port: '7', endPort: 5 }),
    `${port}.endPort: Invalid value: 5: may not be specified when \`port\` is non-numeric`,
    `${port}.port: Invalid value: "7": must contain at least one letter (a-z)`,
  ],
  [from({ port: 'web', endPort: 5 }), `${port}.endPort: Invalid value: 5: may not be specified when \`port\` is non-numeric`],
  [to({ podSelector: {}, namespaceSelector: {} })],
  [to({}), `${peer}: Required value: must specify a peer`],
  [to({ podSelector: {}, ipBlock: { cidr: '10.0.0.0/8' } }), `${peer}: Forbidden: may not specify both ipBlock and another peer`],
  [
    to({ namespaceSelector: {}, ipBlock: { cidr: '10.0.0.0/8' } }),
    `${peer}: Forbidden: may not specify both ipBlock and another peer`,
  ],
  [block('10.0.0.0/8', '10.1.0.0/16', '10.0.0.0/9')],
  [block('fd00::/8', 'fd00::/9')],
  [block(''), `${peer}.ipBlock.cidr: Required value`],
  [block('10.0.0.0'), `${peer}.ipBlock.cidr: Invalid value: "10.0.0.0": ${cidrText}`],
  [block('10.0.0.0/33', 'x'), `${peer}.ipBlock.cidr: Invalid value: "10.0.0.0/33": ${cidrText}`],
  [block('10.0.0.0/8', 'x'), `${peer}.ipBlock.except[0]: Invalid value: "x": ${cidrText}`],
  [
    block('10.0.0.0/8', '10.0.0.0/8'),
    `${peer}.ipBlock.except[0]: Invalid value: "10.0.0.0/8": must be a strict subset of \`cidr\``,
  ],
  [
    block('10.0.0.0/8', '11.0.0.0/16'),
    `${peer}.ipBlock.except[0]: Invalid value: "11.0.0.0/16": must be a strict subset of \`cidr\``,
  ],
  [
    block('10.0.0.0/8', 'fd00::/16'),
    `${peer}.ipBlock.except[0]: Invalid value: "fd00::/16": must be a strict subset of \`cidr\``,
  ],
  [{ policyTypes: ['Ingress', 'Egress'] }],
  [{ policyTypes: ['Any'] }, 'spec.policyTypes[0]: Unsupported value: "Any": supported values: "Ingress", "Egress"'],
  [
    { policyTypes: ['Any', 'Egress', 'Egress'] },
    'spec.policyTypes: Invalid value: ["Any","Egress","Egress"]: may not specify more than two policyTypes',
  ],
]

for (const [spec, ...told] of rows)
  test(`a NetworkPolicy with ${JSON.stringify(spec)} is ${told.length === 0 ? 'taken' : 'refused'}`, () => {
    assert.deepEqual(refusals(policy(spec)), told)
    assert.deepEqual(refusals(policy(spec), { old: policy({}) }), [...told, ...told])
  })

test('of a network whose address says more than its mask is warned', () => {
  const { validate } = schemaOf({ apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy' })
  const peers = [
    { ipBlock: { cidr: '10.0.0.0/8', except: ['10.1.2.3/16', '10.2.0.0/16', 'x'] } },
    { ipBlock: { cidr: 'fd00::1/64' } },
    { podSelector: {} },
  ]
  assert.deepEqual(validate(policy({ ingress: [{}, { from: peers }] })).warnings, [
    'spec.ingress[1].from[0].ipBlock.except[0]: CIDR value "10.1.2.3/16" is ambiguous in this context (should be "10.1.0.0/16" or "10.1.2.3/32"?)',
    'spec.ingress[1].from[1].ipBlock.cidr: CIDR value "fd00::1/64" is ambiguous in this context (should be "fd00::/64" or "fd00::1/128"?)',
  ])
})
