import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../../../json.ts'
import { refusals } from '../../../testing/refusals.ts'

const group = 'admissionregistration.k8s.io/v1'
const subdomain =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"
const label =
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?')"
const nameForm =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"

const hook = (content: JsonObject): JsonObject => ({
  name: 'a.example.com',
  admissionReviewVersions: ['v1'],
  sideEffects: 'None',
  clientConfig: { url: 'https://example.com/a' },
  rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'] }],
  ...content,
})
const hooks = (...webhooks: JsonObject[]): JsonObject => ({
  apiVersion: group,
  kind: 'MutatingWebhookConfiguration',
  metadata: { name: 'x' },
  webhooks,
})
const at = 'webhooks[0]'
const ruled = (content: JsonObject): JsonObject =>
  hook({ rules: [{ operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'], resources: ['pods'], ...content }] })
const rule = `${at}.rules[0]`
const star = (name: string): string => `if '*' is present, must not specify other ${name}`
const others = star('resources')
const url = (text: string): JsonObject => hook({ clientConfig: { url: text } })
const form = '; desired format: https://host[/path]'
const service = (content: JsonObject): JsonObject =>
  hook({ clientConfig: { service: { name: 's', namespace: 'n', ...content } } })
const served = `${at}.clientConfig.service`
const when = (...list: JsonObject[]): JsonObject => hook({ matchConditions: list })
const timeout = 'the timeout value must be between 1 and 30 seconds'

const rows: readonly (readonly [hook: JsonObject, ...told: string[]])[] = [
  [hook({})],
  [hook({ name: '' }), `${at}.name: Required value`],
  [hook({ name: 'A.b.c' }), `${at}.name: Invalid value: "A.b.c": ${subdomain}`],
  [hook({ name: 'a.b' }), `${at}.name: Invalid value: "a.b": should be a domain with at least three segments separated by dots`],
  [hook({ admissionReviewVersions: ['v2', 'v1beta1'] })],
  [hook({ admissionReviewVersions: [] }), `${at}.admissionReviewVersions: Required value: must specify one of v1, v1beta1`],
  [
    hook({ admissionReviewVersions: ['v2'] }),
    `${at}.admissionReviewVersions: Invalid value: ["v2"]: must include at least one of v1, v1beta1`,
  ],
  [
    hook({ admissionReviewVersions: ['', 'v1', 'v1', 'V'.repeat(64)] }),
    `${at}.admissionReviewVersions[0]: Invalid value: "": ${label}`,
    `${at}.admissionReviewVersions[2]: Invalid value: "v1": duplicate version`,
    `${at}.admissionReviewVersions[3]: Invalid value: "${'V'.repeat(64)}": must be no more than 63 characters`,
    `${at}.admissionReviewVersions[3]: Invalid value: "${'V'.repeat(64)}": ${label}`,
  ],
  [
    { rules: [{}], timeoutSeconds: 0, matchConditions: [{}] },
    `${at}.name: Required value`,
    ...['operations', 'apiGroups', 'apiVersions', 'resources'].map(list => `${at}.rules[0].${list}: Required value`),
    `${at}.sideEffects: Required value: must specify one of None, NoneOnDryRun`,
    `${at}.timeoutSeconds: Invalid value: 0: ${timeout}`,
    `${at}.clientConfig: Required value: exactly one of url or service is required`,
    `${at}.matchConditions[0].expression: Required value`,
    `${at}.matchConditions[0].name: Required value`,
    `${at}.admissionReviewVersions: Required value: must specify one of v1, v1beta1`,
  ],
  [hook({ failurePolicy: 'Ignore', matchPolicy: 'Exact', reinvocationPolicy: 'IfNeeded', sideEffects: 'NoneOnDryRun' })],
  [
    hook({ failurePolicy: 'A', matchPolicy: 'B', reinvocationPolicy: 'C', sideEffects: 'D' }),
    `${at}.failurePolicy: Unsupported value: "A": supported values: "Fail", "Ignore"`,
    `${at}.matchPolicy: Unsupported value: "B": supported values: "Equivalent", "Exact"`,
    `${at}.sideEffects: Unsupported value: "D": supported values: "None", "NoneOnDryRun"`,
    `${at}.reinvocationPolicy: Unsupported value: "C": supported values: "IfNeeded", "Never"`,
  ],
  [hook({ timeoutSeconds: 1 })],
  [hook({ timeoutSeconds: 30 })],
  [hook({ timeoutSeconds: 0 }), `${at}.timeoutSeconds: Invalid value: 0: ${timeout}`],
  [hook({ timeoutSeconds: 31 }), `${at}.timeoutSeconds: Invalid value: 31: ${timeout}`],
  [
    hook({
      namespaceSelector: { matchExpressions: [{ key: 'a', operator: 'Is' }] },
      objectSelector: { matchLabels: { '-': 'a' } },
    }),
    `${at}.namespaceSelector.matchExpressions[0].operator: Invalid value: "Is": not a valid selector operator`,
    `${at}.objectSelector.matchLabels: Invalid value: "-": ${nameForm}`,
  ],
  [ruled({ operations: ['*'], apiGroups: ['*'], apiVersions: ['*'], resources: ['*'], scope: 'Cluster' })],
  [
    ruled({ operations: [], apiGroups: [], apiVersions: [], resources: [] }),
    `${rule}.operations: Required value`,
    `${rule}.apiGroups: Required value`,
    `${rule}.apiVersions: Required value`,
    `${rule}.resources: Required value`,
  ],
  [
    ruled({ operations: ['*', 'CREATE'], apiGroups: ['*', 'a'], apiVersions: ['v1', '*'] }),
    `${rule}.operations: Invalid value: ["*","CREATE"]: ${star('operations')}`,
    `${rule}.apiGroups: Invalid value: ["*","a"]: ${star('API groups')}`,
    `${rule}.apiVersions: Invalid value: ["v1","*"]: ${star('API versions')}`,
  ],
  [
    ruled({ operations: ['CREATE', 'READ'], scope: 'World' }),
    `${rule}.operations[1]: Unsupported value: "READ": supported values: "*", "CONNECT", "CREATE", "DELETE", "UPDATE"`,
    `${rule}.scope: Unsupported value: "World": supported values: "*", "Cluster", "Namespaced"`,
  ],
  [ruled({ apiVersions: ['', 'v1'] }), `${rule}.apiVersions[0]: Required value`],
  [ruled({ resources: ['*', '*', 'pods/log', '*/scale'] })],
  [ruled({ resources: ['pods/log', 'pods/*', 'pods'] })],
  [ruled({ resources: ['*', ''] }), `${rule}.resources[1]: Required value`],
  [ruled({ resources: ['a/b', '*', 'a'] }), `${rule}.resources: Invalid value: ["a/b","*","a"]: ${others} without subresources`],
  [ruled({ resources: ['*', '*/*'] }), `${rule}.resources: Invalid value: ["*","*/*"]: ${others.replace('*', '*/*')}`],
  [
    ruled({ resources: ['*/*', '*/*'] }),
    `${rule}.resources[1]: Invalid value: "*/*": if '*/*' is present, must not specify */*`,
    `${rule}.resources[1]: Invalid value: "*/*": if '*/*' is present, must not specify */*`,
    `${rule}.resources: Invalid value: ["*/*","*/*"]: ${others.replace('*', '*/*')}`,
  ],
  [
    ruled({ resources: ['*/b', 'a/*', 'a/b', 'a/b/c'] }),
    `${rule}.resources[2]: Invalid value: "a/b": if 'a/*' is present, must not specify a/b`,
    `${rule}.resources[2]: Invalid value: "a/b": if '*/b' is present, must not specify a/b`,
    `${rule}.resources[3]: Invalid value: "a/b/c": if 'a/*' is present, must not specify a/b/c`,
  ],
  [hook({ clientConfig: {} }), `${at}.clientConfig: Required value: exactly one of url or service is required`],
  [
    hook({ clientConfig: { url: 'https://a', service: { name: 's', namespace: 'n' } } }),
    `${at}.clientConfig: Required value: exactly one of url or service is required`,
  ],
  [url('https://a:8443/b')],
  [url('http://a'), `${at}.clientConfig.url: Invalid value: "http": 'https' is the only allowed URL scheme${form}`],
  [
    url(''),
    `${at}.clientConfig.url: Invalid value: "": 'https' is the only allowed URL scheme${form}`,
    `${at}.clientConfig.url: Invalid value: "": host must be specified${form}`,
  ],
  [url('https:///a'), `${at}.clientConfig.url: Invalid value: "": host must be specified${form}`],
  [url('https://u:p@a'), `${at}.clientConfig.url: Invalid value: "u:p": user information is not permitted in the URL`],
  [url('https://a#f'), `${at}.clientConfig.url: Invalid value: "f": fragments are not permitted in the URL`],
  [url('https://a?q=1'), `${at}.clientConfig.url: Invalid value: "q=1": query parameters are not permitted in the URL`],
  [url('https://a?')],
  [url('https://a#')],
  [service({ path: '/a/b.c/' })],
  [service({ path: '/' })],
  [service({ path: '' })],
  [service({ name: '', namespace: '' }), `${served}.name: Required value`, `${served}.namespace: Required value`],
  // A real server takes the one for the other.
  [service({ name: '' }), `${served}.namespace: Required value`],
  [service({ namespace: '' }), `${served}.name: Required value`],
  [
    service({ path: 'a' }),
    `${served}.path: Invalid value: "a": must start with a '/'`,
    `${served}.path: Invalid value: "a": segment[0] may not be empty`,
  ],
  [
    service({ path: `/${'x'.repeat(254)}` }),
    `${served}.path: Invalid value: "/${'x'.repeat(254)}": segment[0]: must be no more than 253 characters`,
  ],
  [service({ port: 1 })],
  [service({ port: 65535 })],
  [service({ port: 0 }), `${served}.port: Invalid value: 0: port is not valid: must be between 1 and 65535, inclusive`],
  [service({ port: 65536 }), `${served}.port: Invalid value: 65536: port is not valid: must be between 1 and 65535, inclusive`],
  [service({ path: '//' }), `${served}.path: Invalid value: "//": segment[0] may not be empty`],
  [service({ path: '/a//b' }), `${served}.path: Invalid value: "/a//b": segment[1] may not be empty`],
  [service({ path: '/a/B' }), `${served}.path: Invalid value: "/a/B": segment[1]: ${subdomain}`],
  [when({ name: 'a', expression: 'request.userInfo.username != "b"' }, { name: 'b', expression: 'true' })],
  [
    when({ name: '', expression: '' }),
    `${at}.matchConditions[0].expression: Required value`,
    `${at}.matchConditions[0].name: Required value`,
  ],
  [
    when({ name: 'a', expression: 'true' }, { name: 'a', expression: ' ' }),
    `${at}.matchConditions[1].expression: Required value`,
    `${at}.matchConditions[1].name: Duplicate value: "a"`,
  ],
  [
    when({ name: '-', expression: '1' }),
    `${at}.matchConditions[0].expression: Invalid value: "1": must evaluate to bool but got int`,
    `${at}.matchConditions[0].name: Invalid value: "-": ${nameForm}`,
  ],
  [when({ name: 'a', expression: 'authorizer.requestResource.check("get").allowed()' })],
]

for (const [given, ...told] of rows)
  test(`the webhook ${JSON.stringify(given).slice(16, 150)} is ${told.length === 0 ? 'taken' : 'refused'}`, () => {
    assert.deepEqual(refusals(hooks(given)), told)
  })

test('a webhook has a name of its own, and says what else it does', () => {
  assert.deepEqual(refusals(hooks(hook({}), hook({}))), ['webhooks[1].name: Duplicate value: "a.example.com"'])
  const nameless = hook({ name: '' })
  assert.deepEqual(refusals(hooks(nameless, nameless)), ['webhooks[0].name: Required value', 'webhooks[1].name: Required value'])
  const { sideEffects: _gone, ...silent } = hook({})
  assert.deepEqual(refusals(hooks(silent)), [`${at}.sideEffects: Required value: must specify one of None, NoneOnDryRun`])
})

test('a webhook has up to 64 conditions', () => {
  const conditions = (count: number): JsonObject =>
    when(...Array.from({ length: count }, (_, index) => ({ name: `c${index}`, expression: 'true' })))
  assert.deepEqual(refusals(hooks(conditions(64))), [])
  assert.deepEqual(refusals(hooks(conditions(65))), [`${at}.matchConditions: Too many: 65: must have at most 64 items`])
})
