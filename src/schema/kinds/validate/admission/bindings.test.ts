import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../../../json.ts'
import { refusals } from '../../../testing/refusals.ts'

const group = 'admissionregistration.k8s.io/v1'
const subdomain =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"
const nameForm =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"

const binding = (spec: JsonObject): JsonObject => ({
  apiVersion: group,
  kind: 'ValidatingAdmissionPolicyBinding',
  metadata: { name: 'b' },
  spec: { policyName: 'p', validationActions: ['Deny'], ...spec },
})
const params = (paramRef: JsonObject): JsonObject => ({ paramRef: { parameterNotFoundAction: 'Deny', ...paramRef } })
const actions = (...validationActions: string[]): JsonObject => ({ validationActions })
const ref = 'spec.paramRef'
const at = 'spec.validationActions'
const denyAndWarn =
  'must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)'

const rows: readonly (readonly [spec: JsonObject, ...told: string[]])[] = [
  [{}],
  [
    { policyName: '', paramRef: {}, matchResources: { matchPolicy: 'Some', resourceRules: [{}] }, validationActions: [] },
    'spec.policyName: Required value',
    `${ref}: Required value: one of name or selector must be specified`,
    `${ref}.parameterNotFoundAction: Required value`,
    'spec.matchResources.matchPolicy: Unsupported value: "Some": supported values: "Equivalent", "Exact"',
    'spec.matchResources.resourceRules[0].operations: Required value',
    'spec.matchResources.resourceRules[0].apiGroups: Required value',
    'spec.matchResources.resourceRules[0].apiVersions: Required value',
    'spec.matchResources.resourceRules[0].resources: Required value',
    `${at}: Required value: at least one validation action is required`,
  ],
  [{ policyName: 'A' }, `spec.policyName: Invalid value: "A": ${subdomain}`],
  [{ matchResources: {} }],
  [params({ name: 'a', namespace: 'A b' })],
  [params({ selector: {} })],
  [params({ name: 'a/b' }), `${ref}.name: Invalid value: "a/b": may not contain '/'`],
  [
    params({ name: '..', selector: { matchLabels: { '-': 'a' } }, parameterNotFoundAction: 'Wait' }),
    `${ref}.name: Invalid value: "..": may not be '..'`,
    `${ref}.name: Forbidden: name and selector are mutually exclusive`,
    `${ref}.selector.matchLabels: Invalid value: "-": ${nameForm}`,
    `${ref}.selector: Forbidden: name and selector are mutually exclusive`,
    `${ref}.parameterNotFoundAction: Unsupported value: "Wait": supported values: "Deny", "Allow"`,
  ],
  [actions('Deny', 'Audit')],
  [actions('Warn', 'Audit')],
  [actions('Deny', 'Warn'), `${at}: Invalid value: ["Deny","Warn"]: ${denyAndWarn}`],
  [
    actions('Warn', 'Odd', 'Warn', 'Odd'),
    `${at}[1]: Unsupported value: "Odd": supported values: "Audit", "Deny", "Warn"`,
    `${at}[2]: Duplicate value: "Warn"`,
    `${at}[3]: Unsupported value: "Odd": supported values: "Audit", "Deny", "Warn"`,
    `${at}[3]: Duplicate value: "Odd"`,
  ],
]

for (const [spec, ...told] of rows)
  test(`the binding ${JSON.stringify(spec).slice(0, 130)} is ${told.length === 0 ? 'taken' : 'refused'}`, () => {
    assert.deepEqual(refusals(binding(spec)), told)
  })
