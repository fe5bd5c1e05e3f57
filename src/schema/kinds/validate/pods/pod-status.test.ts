// What a real server 1.34 says to a pod's status that is wrong.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../../../json.ts'
import { refusals, schemaOf } from '../../../testing/refusals.ts'

const claim = { name: 'c', resourceClaimName: 'd' }
const pod = (status: JsonObject): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p' },
  spec: { containers: [{ name: 'a', image: 'web:1' }], resourceClaims: [claim] },
  status,
})
const ipText = 'must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'
const ids = 'must be between 0 and 2147483647, inclusive'
const subdomain =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"
const oneOfEach = 'may specify no more than one IP for each IP family'
const unmatched = 'must match the name of an entry in `spec.resourceClaims`'
const user = (linux: JsonObject): JsonObject[] => [
  { name: 'a', ready: true, restartCount: 0, image: 'i', imageID: '', user: { linux: { uid: 0, gid: 0, ...linux } } },
]
const addresses = (...ips: string[]): JsonObject[] => ips.map(ip => ({ ip }))

const rows: readonly (readonly [status: JsonObject, ...told: string[]])[] = [
  [{ conditions: [{ type: 'a.b/Ready', status: 'Odd', observedGeneration: 0 }], phase: 'Odd', observedGeneration: 0 }],
  [
    { conditions: [{ type: '/abs', status: 'True', observedGeneration: -1 }] },
    'status.conditions[0].observedGeneration: Invalid value: -1: must be a non-negative integer',
    'status.conditions[0].Type: Invalid value: "/abs": prefix part must be non-empty',
  ],
  [{ nominatedNodeName: 'A b' }, `status.nominatedNodeName: Invalid value: "A b": ${subdomain}`],
  [{ observedGeneration: -1 }, 'status.observedGeneration: Invalid value: -1: must be a non-negative integer'],
  [{ qosClass: 'Burstable' }, 'status.qosClass: Invalid value: "Burstable": field is immutable'],
  [{ resourceClaimStatuses: [{ name: 'c', resourceClaimName: 'd' }] }],
  [
    { resourceClaimStatuses: [{ name: 'x', resourceClaimName: 'A b' }] },
    `status.resourceClaimStatuses[0].name: Invalid value: "x": ${unmatched}`,
    `status.resourceClaimStatuses[0].name: Invalid value: "A b": ${subdomain}`,
  ],
  [{ resourceClaimStatuses: [{ name: 'c' }, { name: 'c' }] }, 'status.resourceClaimStatuses[1].name: Duplicate value: "c"'],
  [{ podIPs: addresses('10.0.0.1', 'fd00::1') }],
  [{ podIPs: addresses('x') }, `status.podIPs[0]: Invalid value: "x": ${ipText}`],
  [
    { podIPs: addresses('10.0.0.1', 'x') },
    `status.podIPs[1]: Invalid value: "x": ${ipText}`,
    'status.podIPs: Internal error: failed to check for dual stack with error:invalid IP[1]: x',
    `status.podIPs: Invalid value: [{"IP":"10.0.0.1"},{"IP":"x"}]: ${oneOfEach}`,
  ],
  [
    { podIPs: addresses('10.0.0.1', '10.0.0.2') },
    `status.podIPs: Invalid value: [{"IP":"10.0.0.1"},{"IP":"10.0.0.2"}]: ${oneOfEach}`,
  ],
  [
    { podIPs: addresses('10.0.0.1', 'fd00::1', 'fd00::2') },
    `status.podIPs: Invalid value: [{"IP":"10.0.0.1"},{"IP":"fd00::1"},{"IP":"fd00::2"}]: ${oneOfEach}`,
  ],
  [{ hostIP: 'x' }],
  [{ hostIP: '1.2.3.4', hostIPs: addresses('1.2.3.4') }],
  [{ hostIP: 'x', hostIPs: addresses('x') }, `status.hostIPs[0]: Invalid value: "x": ${ipText}`],
  [
    { hostIPs: addresses('y') },
    'status.hostIPs[0].ip: Invalid value: "y": must be equal to `hostIP`',
    `status.hostIPs[0]: Invalid value: "y": ${ipText}`,
  ],
  [
    { containerStatuses: user({ uid: -1, gid: 2147483648, supplementalGroups: [0, -1] }) },
    `status.containerStatuses[0].user.linux.uid: Invalid value: -1: ${ids}`,
    `status.containerStatuses[0].user.linux.gid: Invalid value: 2147483648: ${ids}`,
    `status.containerStatuses[0].user.linux.supplementalGroups[1]: Invalid value: -1: ${ids}`,
  ],
  [
    { initContainerStatuses: user({ uid: -1 }), ephemeralContainerStatuses: user({ gid: -1 }) },
    `status.initContainerStatuses[0].user.linux.uid: Invalid value: -1: ${ids}`,
    `status.ephemeralContainerStatuses[0].user.linux.gid: Invalid value: -1: ${ids}`,
  ],
]

const old = pod({ qosClass: 'BestEffort' })
for (const [status, ...told] of rows)
  test(`a status of a pod with ${JSON.stringify(status)} is ${told.length === 0 ? 'taken' : 'refused'}`, () => {
    const object = pod({ qosClass: 'BestEffort', ...status })
    assert.deepEqual(refusals(object, { old, subresource: 'status' }), told)
  })

test('a status of a pod is looked at only by who writes it', () => {
  assert.deepEqual(refusals(pod({ podIPs: addresses('x') }), { old: pod({ podIPs: addresses('x') }) }), [])
})

test('who writes a status is told of addresses in forms that go out of use', () => {
  const status = { podIPs: addresses('010.0.0.2', 'FD00::1'), hostIP: '010.0.0.3', hostIPs: addresses('010.0.0.3') }
  const { validate } = schemaOf(old)
  const why = 'will be considered invalid in a future Kubernetes release'
  assert.deepEqual(validate(pod(status), { old: pod(status), subresource: 'status' }).warnings, [
    `status.podIPs[0].ip: non-standard IP address "010.0.0.2" ${why}: use "10.0.0.2"`,
    'status.podIPs[1].ip: IPv6 address "FD00::1" should be in RFC 5952 canonical format ("fd00::1")',
    `status.hostIPs[0].ip: non-standard IP address "010.0.0.3" ${why}: use "10.0.0.3"`,
  ])
  assert.deepEqual(validate(pod(status), { old: pod(status) }).warnings, [])
})

test('what is not switched on is not kept of a status', () => {
  const { applyDefaults } = schemaOf(old)
  const container = { name: 'a', allocatedResourcesStatus: [{ name: 'x.com/g' }] }
  const given = { containerStatuses: [container], extendedResourceClaimStatus: { resourceClaimName: 'x' } }
  assert.deepEqual(applyDefaults(pod(given)).status, { containerStatuses: [{ name: 'a' }] })
})
