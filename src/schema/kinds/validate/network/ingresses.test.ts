import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../../../json.ts'
import { refusals, schemaOf } from '../../../testing/refusals.ts'

function ingress(spec: JsonObject, annotations: JsonObject = {}): JsonObject {
  return { apiVersion: 'networking.k8s.io/v1', kind: 'Ingress', metadata: { name: 'i', annotations }, spec }
}

const backend = { service: { name: 'web', port: { number: 80 } } }
const path = (content: JsonObject): JsonObject => ({
  rules: [{ http: { paths: [{ path: '/', pathType: 'Prefix', backend, ...content }] } }],
})
const at = 'spec.rules[0].http.paths[0]'
const to = (service: JsonObject): JsonObject => ({ defaultBackend: { service } })
const wanted = 'spec.defaultBackend'
const range = 'must be between 1 and 65535, inclusive'
const subdomain =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"
const wildcard =
  "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower case alphanumeric characters, '-' or '.' and end with an alphanumeric character (e.g. '*.example.com', regex used for validation is '\\*\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"
const label =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')"
const mustNot = (value: string, part: string): string => `${at}.path: Invalid value: "${value}": must not contain '${part}'`

const rows: readonly (readonly [spec: JsonObject, ...told: string[]])[] = [
  [{ defaultBackend: backend }],
  [path({})],
  [{}, 'spec: Invalid value: null: either `defaultBackend` or `rules` must be specified'],
  [{ rules: [] }, 'spec: Invalid value: null: either `defaultBackend` or `rules` must be specified'],
  [{ rules: [{ host: 'a.example.com' }, { host: '*.example.com' }, {}] }],
  [{ rules: [{ host: '10.0.0.1' }] }, 'spec.rules[0].host: Invalid value: "10.0.0.1": must be a DNS name, not an IP address'],
  [{ rules: [{ host: 'A' }] }, `spec.rules[0].host: Invalid value: "A": ${subdomain}`],
  [{ rules: [{ host: 'a.*.com' }] }, `spec.rules[0].host: Invalid value: "a.*.com": ${wildcard}`],
  [{ rules: [{ http: { paths: [] } }] }, 'spec.rules[0].http.paths: Required value'],
  [{ defaultBackend: backend, tls: [{ hosts: ['a.com', '*.a.com'], secretName: 's' }, {}] }],
  [
    { defaultBackend: backend, tls: [{ hosts: ['a.com', 'A'], secretName: 'S' }] },
    `spec.tls[0].hosts[1]: Invalid value: "A": ${subdomain}`,
    `spec.tls[0].secretName: Invalid value: "S": ${subdomain}`,
  ],
  [{ defaultBackend: backend, ingressClassName: 'C' }, `spec.ingressClassName: Invalid value: "C": ${subdomain}`],
  [path({ pathType: undefined as unknown as string }), `${at}.pathType: Required value: pathType must be specified`],
  [
    path({ pathType: 'Regex', path: 'x' }),
    `${at}.pathType: Unsupported value: "Regex": supported values: "Exact", "ImplementationSpecific", "Prefix"`,
  ],
  [path({ path: 'x' }), `${at}.path: Invalid value: "x": must be an absolute path`],
  [path({ path: '' }), `${at}.path: Invalid value: "": must be an absolute path`],
  [path({ path: '', pathType: 'ImplementationSpecific' })],
  [path({ path: 'x', pathType: 'ImplementationSpecific' }), `${at}.path: Invalid value: "x": must be an absolute path`],
  [path({ path: '/a//b', pathType: 'ImplementationSpecific' })],
  [path({ path: '/a//b', pathType: 'Exact' }), mustNot('/a//b', '//')],
  [path({ path: '/a/./b' }), mustNot('/a/./b', '/./')],
  [path({ path: '/a/../b' }), mustNot('/a/../b', '/../')],
  [path({ path: '/a%2fb%2Fc' }), mustNot('/a%2fb%2Fc', '%2f'), mustNot('/a%2fb%2Fc', '%2F')],
  [path({ path: '/a/..' }), `${at}.path: Invalid value: "/a/..": cannot end with '/..'`],
  [path({ path: '/a/.' }), `${at}.path: Invalid value: "/a/.": cannot end with '/.'`],
  [path({ backend: {} }), `${at}.backend: Invalid value: "": resource or service backend is required`],
  [
    path({ backend: { ...backend, resource: { kind: 'K', name: 'n' } } }),
    `${at}.backend: Invalid value: "": cannot set both resource and service backends`,
  ],
  [path({ backend: { resource: { kind: 'K', name: 'n', apiGroup: 'a.com' } } })],
  [
    path({ backend: { resource: { kind: '', name: 'a/b', apiGroup: 'A' } } }),
    `${at}.backend.resource.apiGroup: Invalid value: "A": ${subdomain}`,
    `${at}.backend.resource.kind: Required value`,
    `${at}.backend.resource.name: Invalid value: "a/b": may not contain '/'`,
  ],
  [to({ name: '', port: { number: 1 } }), `${wanted}.service.name: Required value`],
  [to({ name: '1', port: { number: 65535 } }), `${wanted}.service.name: Invalid value: "1": ${label}`],
  [to({ name: 'a', port: { number: 65536 } }), `${wanted}.service.port.number: Invalid value: 65536: ${range}`],
  [to({ name: 'a', port: { name: 'web' } })],
  [
    to({ name: 'a', port: { name: 'a--b' } }),
    `${wanted}.service.port.name: Invalid value: "a--b": must not contain consecutive hyphens`,
  ],
  [to({ name: 'a', port: { name: 'web', number: 1 } }), `${wanted}: Invalid value: "": cannot set both port name & port number`],
  [to({ name: 'a' }), `${wanted}: Required value: port name or number is required`],
]

for (const [spec, ...told] of rows)
  test(`an Ingress with ${JSON.stringify(spec).slice(0, 120)} is ${told.length === 0 ? 'taken' : 'refused'}`, () => {
    assert.deepEqual(refusals(JSON.parse(JSON.stringify(ingress(spec))) as JsonObject), told)
  })

test('an Ingress that is made with its class in an annotation is warned', () => {
  const { validate } = schemaOf({ apiVersion: 'networking.k8s.io/v1', kind: 'Ingress' })
  const old = ingress({ defaultBackend: backend }, { 'kubernetes.io/ingress.class': 'a' })
  const said = [`annotation "kubernetes.io/ingress.class" is deprecated, please use 'spec.ingressClassName' instead`]
  assert.deepEqual(validate(old).warnings, said)
  assert.deepEqual(validate(old, { old }).warnings, [])
  assert.deepEqual(validate(ingress({ defaultBackend: backend })).warnings, [])
  assert.deepEqual(validate({ ...old, spec: { defaultBackend: backend, ingressClassName: 'a' } }).warnings, [])
})

const label1123 =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')"
const klass = (spec: JsonObject): JsonObject => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'IngressClass',
  metadata: { name: 'c' },
  spec: { controller: 'example.com/controller', ...spec },
})
const scoped = (content: JsonObject): JsonObject => ({ parameters: { kind: 'K', name: 'n', ...content } })

const classes: readonly (readonly [spec: JsonObject, ...told: string[]])[] = [
  [{}],
  [{ controller: '' }, 'spec.controller: Required value'],
  [{ controller: 'robot' }, 'spec.controller: Invalid value: "robot": must be a domain-prefixed path (such as "acme.io/foo")'],
  [{ controller: 'a/' }, 'spec.controller: Invalid value: "a/": must be a domain-prefixed path (such as "acme.io/foo")'],
  [{ controller: '/a' }, 'spec.controller: Invalid value: "/a": must be a domain-prefixed path (such as "acme.io/foo")'],
  [{ controller: 'A/b' }, `spec.controller: Invalid value: "A": ${subdomain}`],
  [{ controller: `a/${'b'.repeat(248)}` }],
  [{ controller: `a/${'b'.repeat(249)}` }, 'spec.controller: Too long: may not be more than 250 bytes'],
  [{ controller: "a/B_c/-.~%!$&'()*+,;=:9" }],
  [
    { controller: 'a/b c' },
    `spec.controller: Invalid value: "b c": Invalid path (regex used for validation is '[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+')`,
  ],
  [scoped({})],
  [scoped({ scope: 'Namespace', namespace: 'n' })],
  [scoped({ scope: 'Namespace' }), "spec.parameters.namespace: Required value: `parameters.scope` is set to 'Namespace'"],
  [scoped({ scope: 'Namespace', namespace: '' }), `spec.parameters.namespace: Invalid value: "": ${label1123}`],
  [scoped({ scope: 'Namespace', namespace: 'N' }), `spec.parameters.namespace: Invalid value: "N": ${label1123}`],
  [scoped({ namespace: 'n' }), "spec.parameters.namespace: Forbidden: `parameters.scope` is set to 'Cluster'"],
  [scoped({ scope: 'World' }), 'spec.parameters.scope: Unsupported value: "World": supported values: "Cluster", "Namespace"'],
  [scoped({ kind: '', name: '' }), 'spec.parameters.kind: Required value', 'spec.parameters.name: Required value'],
]

for (const [spec, ...told] of classes)
  test(`an IngressClass with ${JSON.stringify(spec).slice(0, 100)} is ${told.length === 0 ? 'taken' : 'refused'}`, () => {
    assert.deepEqual(refusals(klass(spec)), told)
  })

test('the controller of an IngressClass stays', () => {
  assert.deepEqual(refusals(klass(scoped({})), { old: klass({}) }), [])
  assert.deepEqual(refusals(klass({ controller: 'a/c' }), { old: klass({}) }), [
    'spec.controller: Invalid value: "a/c": field is immutable',
  ])
  assert.deepEqual(refusals(klass({ controller: '' }), { old: klass({}) }), [
    'spec.controller: Invalid value: "": field is immutable',
    'spec.controller: Required value',
  ])
})
