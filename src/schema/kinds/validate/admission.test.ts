import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../../json.ts'
import { refusals } from '../../testing/refusals.ts'

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
  [hook({ failurePolicy: 'Ignore', matchPolicy: 'Exact', reinvocationPolicy: 'IfNeeded', sideEffects: 'NoneOnDryRun' })],
  [
    hook({ failurePolicy: 'A', matchPolicy: 'B', reinvocationPolicy: 'C', sideEffects: 'D' }),
    `${at}.failurePolicy: Unsupported value: "A": supported values: "Fail", "Ignore"`,
    `${at}.matchPolicy: Unsupported value: "B": supported values: "Equivalent", "Exact"`,
    `${at}.reinvocationPolicy: Unsupported value: "C": supported values: "IfNeeded", "Never"`,
    `${at}.sideEffects: Unsupported value: "D": supported values: "None", "NoneOnDryRun"`,
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
    `${at}.matchConditions[0].name: Required value`,
    `${at}.matchConditions[0].expression: Required value`,
  ],
  [
    when({ name: 'a', expression: 'true' }, { name: 'a', expression: ' ' }),
    `${at}.matchConditions[1].name: Duplicate value: "a"`,
    `${at}.matchConditions[1].expression: Required value`,
  ],
  [
    when({ name: '-', expression: '1' }),
    `${at}.matchConditions[0].name: Invalid value: "-": ${nameForm}`,
    `${at}.matchConditions[0].expression: Invalid value: "1": must evaluate to bool but got int`,
  ],
  [when({ name: 'a', expression: 'authorizer.requestResource.check("get").allowed()' })],
]

for (const [given, ...told] of rows)
  test(`the webhook ${JSON.stringify(given).slice(16, 150)} is ${told.length === 0 ? 'taken' : 'refused'}`, () => {
    assert.deepEqual(refusals(hooks(given)), told)
  })

test('a webhook has a name of its own, and says what else it does', () => {
  assert.deepEqual(refusals(hooks(hook({}), hook({}))), ['webhooks[1].name: Duplicate value: "a.example.com"'])
  const { sideEffects: _gone, ...silent } = hook({})
  assert.deepEqual(refusals(hooks(silent)), [`${at}.sideEffects: Required value: must specify one of None, NoneOnDryRun`])
})

test('a webhook has up to 64 conditions', () => {
  const conditions = (count: number): JsonObject =>
    when(...Array.from({ length: count }, (_, index) => ({ name: `c${index}`, expression: 'true' })))
  assert.deepEqual(refusals(hooks(conditions(64))), [])
  assert.deepEqual(refusals(hooks(conditions(65))), [`${at}.matchConditions: Too many: 65: must have at most 64 items`])
})

const policy = (spec: JsonObject, name = 'p'): JsonObject => ({
  apiVersion: group,
  kind: 'ValidatingAdmissionPolicy',
  metadata: { name },
  spec: { validations: [{ expression: 'true' }], ...spec },
})
const rules = (content: JsonObject): JsonObject => ({ validations: [{ expression: 'true', ...content }] })
const first = 'spec.validations[0]'
const param = (apiVersion: string, kind = 'K'): JsonObject => ({ paramKind: { apiVersion, kind } })
const named = (...variables: JsonObject[]): JsonObject => ({ variables })
const note = (...auditAnnotations: JsonObject[]): JsonObject => ({ auditAnnotations })
const nothing = 'validations or auditAnnotations must contain at least one item'
const paramAt = 'spec.paramKind.apiVersion'

const policies: readonly (readonly [spec: JsonObject, ...told: string[]])[] = [
  [{}],
  [{ validations: [], auditAnnotations: [{ key: 'k', valueExpression: '"a"' }] }],
  [{ validations: [] }, `spec.validations: Required value: ${nothing}`, `spec.auditAnnotations: Required value: ${nothing}`],
  [{ failurePolicy: 'Wait' }, 'spec.failurePolicy: Unsupported value: "Wait": supported values: "Fail", "Ignore"'],
  [rules({ expression: '' }), `${first}.expression: Required value: expression is not specified`],
  [rules({ expression: '"a"' }), `${first}.expression: Invalid value: "\\"a\\"": must evaluate to bool but got string`],
  [rules({ expression: 'object.x == request.name && namespaceObject.y == oldObject.z' })],
  [rules({ expression: 'object.x' }), `${first}.expression: Invalid value: "object.x": must evaluate to bool but got dyn`],
  [rules({ messageExpression: '"a" + object.x' })],
  [rules({ messageExpression: ' ' }), `${first}.messageExpression: Invalid value: " ": must be non-empty if specified`],
  [rules({ messageExpression: '1' }), `${first}.messageExpression: Invalid value: "1": must evaluate to string but got int`],
  [rules({ message: 'a' })],
  [rules({ message: ' ' }), `${first}.message: Invalid value: " ": must be non-empty if specified`],
  [rules({ message: 'a\nb' }), `${first}.message: Invalid value: "a\\nb": must not contain line breaks`],
  [rules({ message: '\na\n' })],
  [rules({ reason: 'Forbidden' })],
  [
    rules({ reason: 'Odd' }),
    `${first}.reason: Unsupported value: "Odd": supported values: "Forbidden", "Invalid", "RequestEntityTooLarge"`,
  ],
  [{ ...param('v1', 'ConfigMap'), ...rules({ expression: 'params.x == 1' }) }],
  [param('a.com/v1')],
  [param('', ''), `${paramAt}: Required value`, 'spec.paramKind.kind: Required value'],
  [param('a/b/c'), `${paramAt}: Invalid value: "a/b/c": unexpected GroupVersion string: a/b/c`],
  [param('A/v1'), `${paramAt}: Invalid value: "A": ${subdomain}`],
  [param('a/'), `${paramAt}: Invalid value: "a/": version must be specified`],
  [param('a/1'), `${paramAt}: Invalid value: "1": ${label}`],
  [param('v1', 'a_b'), `spec.paramKind.kind: Invalid value: "a_b": may have mixed case, but should otherwise match: ${label}`],
  [
    {
      ...named({ name: 'a', expression: 'object.x' }, { name: 'b', expression: 'variables.a' }),
      ...rules({ expression: 'variables.b == 1' }),
    },
  ],
  [
    named({ name: '', expression: '' }),
    'spec.variables[0].name: Required value: name is not specified',
    'spec.variables[0].expression: Required value: expression is not specified',
  ],
  [named({ name: '1a', expression: 'true' }), 'spec.variables[0].name: Invalid value: "1a": must be a valid CEL identifier'],
  [
    { ...named({ name: 'a', expression: '1' }), ...rules({ expression: 'variables.a' }) },
    `${first}.expression: Invalid value: "variables.a": must evaluate to bool but got int`,
  ],
  [note({ key: 'k', valueExpression: 'null' }, { key: 'l', valueExpression: '"a"' })],
  [
    note({ key: 'k', valueExpression: ' ' }, { key: 'k', valueExpression: '1' }),
    'spec.auditAnnotations[0].valueExpression: Required value: valueExpression is not specified',
    'spec.auditAnnotations[1].key: Duplicate value: "k"',
    'spec.auditAnnotations[1].valueExpression: Invalid value: "1": must evaluate to one of [string null_type] but got int',
  ],
  [note({ key: '-', valueExpression: 'null' }), `spec.auditAnnotations[0].key: Invalid value: "p/-": ${nameForm}`],
]

for (const [spec, ...told] of policies)
  test(`the policy ${JSON.stringify(spec).slice(0, 130)} is ${told.length === 0 ? 'taken' : 'refused'}`, () => {
    assert.deepEqual(refusals(policy(spec)), told)
  })

test('what an expression may not speak of is told where it is compiled', () => {
  const told = (spec: JsonObject): readonly string[] => refusals(policy(spec)).map(line => line.replaceAll('\\n', '|'))
  assert.match(told(rules({ expression: 'params.x' })).join(), /undeclared reference to 'params'/)
  assert.match(told(rules({ messageExpression: 'authorizer.x' })).join(), /undeclared reference to 'authorizer'/)
  assert.match(told(rules({ expression: 'variables.a' })).join(), /undefined field 'a'/)
  assert.match(told(named({ name: 'a', expression: 'variables.a' })).join(), /undefined field 'a'/)
})
