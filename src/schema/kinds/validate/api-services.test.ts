import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../../json.ts'
import { refusals, schemaOf } from '../../testing/refusals.ts'

const label =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')"
const subdomain =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"

const apiService = (spec: JsonObject, metadata: JsonObject = { name: 'v1.a.b' }): JsonObject => ({
  apiVersion: 'apiregistration.k8s.io/v1',
  kind: 'APIService',
  metadata,
  spec: { group: 'a.b', version: 'v1', groupPriorityMinimum: 1, versionPriority: 1, ...spec },
})
const service = { namespace: 'n', name: 's' }
const caBundle = 'aGk='
const named = (field: string, value: string, expected: string): string =>
  `metadata.${field}: Invalid value: "${value}": must be \`spec.version+"."+spec.group\`: "${expected}"`

const rows: readonly (readonly [spec: JsonObject, ...told: string[]])[] = [
  [{}],
  [{ groupPriorityMinimum: 20_000, versionPriority: 1_000 }],
  [
    { groupPriorityMinimum: 20_001, versionPriority: 1_001 },
    'spec.groupPriorityMinimum: Invalid value: 20001: must be positive and less than 20000',
    'spec.versionPriority: Invalid value: 1001: must be positive and less than 1000',
  ],
  [{ service }],
  [{ service: { namespace: 'A b', name: 'A b', port: 65_535 } }],
  [{ service, caBundle }],
  [{ service, insecureSkipTLSVerify: true }],
  [
    { service: { port: 0 }, insecureSkipTLSVerify: true, caBundle },
    'spec.service.namespace: Required value',
    'spec.service.name: Required value',
    'spec.service.port: Invalid value: 0: port is not valid: must be between 1 and 65535, inclusive',
    'spec.insecureSkipTLSVerify: Invalid value: true: may not be true if caBundle is present',
  ],
  [
    { insecureSkipTLSVerify: true, caBundle },
    'spec.caBundle: Invalid value: "2 bytes": local APIServices may not have a caBundle',
    'spec.insecureSkipTLSVerify: Invalid value: true: local APIServices may not have insecureSkipTLSVerify',
  ],
  [
    { group: '', version: 'V', groupPriorityMinimum: 0, versionPriority: -1 },
    named('name', 'v1.a.b', 'V.'),
    'spec.group: Required value: only v1 may have an empty group and it better be legacy kube',
    `spec.version: Invalid value: "V": ${label}`,
    'spec.groupPriorityMinimum: Invalid value: 0: must be positive and less than 20000',
    'spec.versionPriority: Invalid value: -1: must be positive and less than 1000',
  ],
]

for (const [spec, ...told] of rows)
  test(`an APIService with ${JSON.stringify(spec)} is ${told.length === 0 ? 'taken' : 'refused'}`, () => {
    assert.deepEqual(refusals(apiService(spec)), told)
  })

test('an APIService is named by what it serves', () => {
  assert.deepEqual(refusals(apiService({ group: '' }, { name: 'v1.' })), [])
  assert.deepEqual(refusals(apiService({}, {})), [])
  assert.deepEqual(refusals(apiService({}, { generateName: 'v1.a.b', name: 'v1.a.bxyzab' })), [
    named('name', 'v1.a.bxyzab', 'v1.a.b'),
  ])
  assert.deepEqual(refusals(apiService({}, { generateName: 'y', name: 'x' })), [
    named('generateName', 'y', 'v1.a.b'),
    named('name', 'x', 'v1.a.b'),
  ])
  assert.deepEqual(refusals(apiService({ group: 'a/b' }, { name: 'v1.a/c' })), [`spec.group: Invalid value: "a/b": ${subdomain}`])
})

test('a service answers at port 443 unless another is said', () => {
  const { decode, applyDefaults } = schemaOf(apiService({}))
  const portOf = (given: JsonObject): unknown => {
    const spec = applyDefaults(decode(apiService({ service: { ...service, ...given } })).object)['spec'] as JsonObject
    return (spec['service'] as JsonObject)['port']
  }
  assert.equal(portOf({}), 443)
  assert.equal(portOf({ port: 8443 }), 8443)
})
