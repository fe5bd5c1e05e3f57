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

const policy = (spec: JsonObject, name = 'p'): JsonObject => ({
  apiVersion: group,
  kind: 'ValidatingAdmissionPolicy',
  metadata: { name },
  spec: { matchConstraints: { resourceRules: [rule] }, validations: [{ expression: 'true' }], ...spec },
})
const rule = { operations: ['CREATE'], apiGroups: ['apps'], apiVersions: ['v1'], resources: ['deployments'] }
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
    rules({ reason: '' }),
    `${first}.reason: Unsupported value: "": supported values: "Forbidden", "Invalid", "RequestEntityTooLarge"`,
  ],
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
  [named({ name: 'if', expression: 'true' }), 'spec.variables[0].name: Invalid value: "if": must be a valid CEL identifier'],
  [
    { ...named({ name: 'a', expression: '1' }), ...rules({ expression: 'variables.a' }) },
    `${first}.expression: Invalid value: "variables.a": must evaluate to bool but got int`,
  ],
  [note({ key: 'k', valueExpression: 'null' }, { key: 'l', valueExpression: '"a"' })],
  [
    note({ key: 'k', valueExpression: ' ' }, { key: 'k', valueExpression: '1' }),
    'spec.auditAnnotations[0].valueExpression: Required value: valueExpression is not specified',
    'spec.auditAnnotations[1].valueExpression: Invalid value: "1": must evaluate to one of [string null_type] but got int',
    'spec.auditAnnotations[1].key: Duplicate value: "k"',
  ],
  [note({ key: 'k', valueExpression: `"${'x'.repeat(5118)}"` })],
  [
    note({ key: 'k', valueExpression: `"${'x'.repeat(5119)}"` }),
    'spec.auditAnnotations[0].valueExpression: Required value: must not exceed 5120 bytes in length',
  ],
  [note({ key: '-', valueExpression: 'null' }), `spec.auditAnnotations[0].key: Invalid value: "p/-": ${nameForm}`],
]

const constrained = (match: JsonObject): JsonObject => ({ matchConstraints: { resourceRules: [rule], ...match } })
const ruled = (content: JsonObject): JsonObject => constrained({ resourceRules: [{ ...rule, ...content }] })
const constraints = 'spec.matchConstraints'
const ruleAt = `${constraints}.resourceRules[0]`
const missing = (at: string): string[] =>
  ['operations', 'apiGroups', 'apiVersions', 'resources'].map(list => `${at}.${list}: Required value`)

const matches: readonly (readonly [spec: JsonObject, ...told: string[]])[] = [
  [{ matchConstraints: null }, `${constraints}: Required value`],
  [{ matchConstraints: {} }, `${constraints}.resourceRules: Required value`],
  [
    { matchConstraints: null, failurePolicy: 'Wait', validations: [], matchConditions: [{}], variables: [{}] },
    'spec.failurePolicy: Unsupported value: "Wait": supported values: "Fail", "Ignore"',
    `${constraints}: Required value`,
    'spec.matchConditions[0].expression: Required value',
    'spec.matchConditions[0].name: Required value',
    'spec.variables[0].name: Required value: name is not specified',
    'spec.variables[0].expression: Required value: expression is not specified',
    `spec.validations: Required value: ${nothing}`,
    `spec.auditAnnotations: Required value: ${nothing}`,
  ],
  [
    constrained({
      matchPolicy: '',
      namespaceSelector: { matchLabels: { '-': 'a' } },
      objectSelector: { matchLabels: { '-': 'a' } },
      resourceRules: [{}],
      excludeResourceRules: [{}],
    }),
    `${constraints}.matchPolicy: Unsupported value: "": supported values: "Equivalent", "Exact"`,
    `${constraints}.namespaceSelector.matchLabels: Invalid value: "-": ${nameForm}`,
    `${constraints}.objectSelector.matchLabels: Invalid value: "-": ${nameForm}`,
    ...missing(ruleAt),
    ...missing(`${constraints}.excludeResourceRules[0]`),
  ],
  [ruled({ resourceNames: ['a', '', '*'] })],
  [
    ruled({ resourceNames: ['a/', 'b', 'a/', '..'], operations: [] }),
    `${ruleAt}.resourceNames[0]: Invalid value: "a/": may not contain '/'`,
    `${ruleAt}.resourceNames[2]: Invalid value: "a/": may not contain '/'`,
    `${ruleAt}.resourceNames[2]: Duplicate value: "a/"`,
    `${ruleAt}.resourceNames[3]: Invalid value: "..": may not be '..'`,
    `${ruleAt}.operations: Required value`,
  ],
]

for (const [spec, ...told] of [...policies, ...matches])
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

test('a policy without a name has no keys of its own', () => {
  assert.deepEqual(refusals(policy(note({ key: '-', valueExpression: '1' }), '')), [
    'spec.auditAnnotations[0].key: Invalid value: "-": requires metadata.name be non-empty',
    'spec.auditAnnotations[0].valueExpression: Invalid value: "1": must evaluate to one of [string null_type] but got int',
  ])
})

test('a policy notes up to twenty things', () => {
  const notes = (count: number): JsonObject =>
    note(...Array.from({ length: count }, (_, index) => ({ key: `c${index}`, valueExpression: '"a"' })))
  assert.deepEqual(refusals(policy(notes(20))), [])
  const shown = Array.from({ length: 21 }, (_, index) => `{"Key":"c${index}","ValueExpression":"\\"a\\""}`).join()
  assert.deepEqual(refusals(policy(notes(21))), [
    `spec.auditAnnotations: Invalid value: [${shown}]: must not have more than 20 auditAnnotations`,
  ])
})
