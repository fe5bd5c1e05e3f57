import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../../json.ts'
import { refusals } from '../../testing/refusals.ts'

const group = 'rbac.authorization.k8s.io'
const object = (kind: string, content: JsonObject): JsonObject => ({
  apiVersion: `${group}/v1`,
  kind,
  metadata: { name: 'x' },
  ...content,
})
const rules = (kind: string, ...list: JsonObject[]): JsonObject => object(kind, { rules: list })
const pods = { verbs: ['get'], apiGroups: [''], resources: ['pods'] }
const at = 'rules[0]'
const both = `${at}.nonResourceURLs: Invalid value: ["/a"]: rules cannot apply to both regular resources and non-resource URLs`

const roles: readonly (readonly [rule: JsonObject, ...told: string[]])[] = [
  [pods],
  [{ ...pods, verbs: [] }, `${at}.verbs: Required value: verbs must contain at least one value`],
  [{ ...pods, apiGroups: [] }, `${at}.apiGroups: Required value: resource rules must supply at least one api group`],
  [{ ...pods, resources: [] }, `${at}.resources: Required value: resource rules must supply at least one resource`],
  [{ verbs: ['get'], nonResourceURLs: ['/a'] }],
  [{ ...pods, nonResourceURLs: ['/a'] }, both],
  [{ verbs: ['get'], nonResourceURLs: ['/a'], resourceNames: ['a'] }, both],
]

for (const [rule, ...told] of roles)
  test(`the rule ${JSON.stringify(rule)} of a ClusterRole is ${told.length === 0 ? 'taken' : 'refused'}`, () => {
    const role = rules('ClusterRole', rule)
    assert.deepEqual(refusals(role), told)
    assert.deepEqual(refusals(role, { old: rules('ClusterRole') }), [...told, ...told])
  })

test('a Role rules within its namespace', () => {
  const outside = { verbs: ['get'], nonResourceURLs: ['/a'] }
  const told = [`${at}.nonResourceURLs: Invalid value: ["/a"]: namespaced rules cannot apply to non-resource URLs`]
  assert.deepEqual(refusals(rules('Role', pods)), [])
  assert.deepEqual(refusals(rules('Role', outside)), told)
  assert.deepEqual(refusals(rules('Role', { ...outside, resources: ['pods'] })), [...told, both])
})

test('a ClusterRole that is made of others says of which', () => {
  const made = (...clusterRoleSelectors: JsonObject[]): JsonObject =>
    object('ClusterRole', { rules: [], aggregationRule: { clusterRoleSelectors } })
  const selectors = 'aggregationRule.clusterRoleSelectors'
  assert.deepEqual(refusals(made({ matchLabels: { a: 'b' } })), [])
  assert.deepEqual(refusals(made()), [
    `${selectors}: Required value: at least one clusterRoleSelector required if aggregationRule is non-nil`,
  ])
  assert.deepEqual(refusals(made({}, { matchExpressions: [{ key: 'a', operator: 'Is' }] })), [
    `${selectors}[1].matchExpressions[0].operator: Invalid value: "Is": not a valid selector operator`,
    `${selectors}[1]: Invalid value: null: invalid label selector.`,
  ])
})

const roleRef = { apiGroup: group, kind: 'ClusterRole', name: 'r' }
const binding = (kind: string, subject: JsonObject, reference: JsonObject = roleRef): JsonObject =>
  object(kind, { roleRef: reference, subjects: [subject] })
const subdomain =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"

const subjects: readonly (readonly [subject: JsonObject, ...told: string[]])[] = [
  [{ kind: 'User', name: 'u' }],
  [{ kind: 'Group', name: 'g', apiGroup: group }],
  [{ kind: 'ServiceAccount', name: 'a.b', namespace: 'n' }],
  [{ kind: 'User', name: '' }, 'subjects[0].name: Required value'],
  [{ kind: 'ServiceAccount', name: '', namespace: 'n' }, 'subjects[0].name: Required value'],
  [
    { kind: 'ServiceAccount', name: 'a'.repeat(254), namespace: 'n' },
    `subjects[0].name: Invalid value: "${'a'.repeat(254)}": must be no more than 253 characters`,
  ],
  [{ kind: 'ServiceAccount', name: 'A', namespace: 'n' }, `subjects[0].name: Invalid value: "A": ${subdomain}`],
  [
    { kind: 'ServiceAccount', name: 'a', namespace: 'n', apiGroup: 'x' },
    'subjects[0].apiGroup: Unsupported value: "x": supported values: ""',
  ],
  [{ kind: 'User', name: 'u', apiGroup: 'x' }, `subjects[0].apiGroup: Unsupported value: "x": supported values: "${group}"`],
  [
    { kind: 'Robot', name: 'r' },
    'subjects[0].kind: Unsupported value: "Robot": supported values: "ServiceAccount", "User", "Group"',
  ],
]

for (const [subject, ...told] of subjects)
  test(`the subject ${JSON.stringify(subject)} of a binding is ${told.length === 0 ? 'taken' : 'refused'}`, () => {
    for (const kind of ['RoleBinding', 'ClusterRoleBinding']) assert.deepEqual(refusals(binding(kind, subject)), told)
  })

test('an account without a namespace is one of the namespace of the binding', () => {
  const account = { kind: 'ServiceAccount', name: 'a' }
  assert.deepEqual(refusals(binding('RoleBinding', account)), [])
  assert.deepEqual(refusals(binding('ClusterRoleBinding', account)), ['subjects[0].namespace: Required value'])
})

test('a binding refers to a role, and for good', () => {
  const user = { kind: 'User', name: 'u' }
  const to = (content: JsonObject, kind = 'RoleBinding'): JsonObject => binding(kind, user, { ...roleRef, ...content })
  assert.deepEqual(refusals(to({ kind: 'Role' })), [])
  assert.deepEqual(refusals(to({ kind: 'Role' }, 'ClusterRoleBinding')), [
    'roleRef.kind: Unsupported value: "Role": supported values: "ClusterRole"',
  ])
  assert.deepEqual(refusals(to({ apiGroup: 'x', kind: 'Thing', name: '' })), [
    `roleRef.apiGroup: Unsupported value: "x": supported values: "${group}"`,
    'roleRef.kind: Unsupported value: "Thing": supported values: "Role", "ClusterRole"',
    'roleRef.name: Required value',
  ])
  assert.deepEqual(refusals(to({ name: 'a/b' })), [`roleRef.name: Invalid value: "a/b": may not contain '/'`])
  assert.deepEqual(refusals(to({}), { old: to({}) }), [])
  assert.deepEqual(refusals(to({ name: 's' }), { old: to({}) }), [
    `roleRef: Invalid value: {"APIGroup":"${group}","Kind":"ClusterRole","Name":"s"}: cannot change roleRef`,
  ])
})
