import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../../../json.ts'
import { refusals, schemaOf } from '../../../testing/refusals.ts'

const subdomain =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"
const labelValue =
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is '(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"
const qualified =
  "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"
const term = 'spec.nodeAffinity.required.nodeSelectorTerms[0]'
const labels = `${term}.matchExpressions[0]`
const fields = `${term}.matchFields[0]`
const one = "must be only one value when `operator` is 'In' or 'NotIn' for node field selector"

/** The nodes that can reach a volume. */
const reachable = (required: JsonObject): JsonObject => ({
  apiVersion: 'v1',
  kind: 'PersistentVolume',
  metadata: { name: 'v' },
  spec: {
    accessModes: ['ReadWriteOnce'],
    capacity: { storage: '1Gi' },
    hostPath: { path: '/a' },
    nodeAffinity: { required },
  },
})
const terms = (...list: JsonObject[]): JsonObject => ({ nodeSelectorTerms: list })
const byLabel = (expression: JsonObject): JsonObject => terms({ matchExpressions: [expression] })
const byField = (expression: JsonObject): JsonObject => terms({ matchFields: [expression] })

const rows: readonly (readonly [what: string, selector: JsonObject, ...told: string[]])[] = [
  ['no term', {}, 'spec.nodeAffinity.required.nodeSelectorTerms: Required value: must have at least one node selector term'],
  ['a term that says nothing', terms({})],
  ['one of some values', byLabel({ key: 'a', operator: 'In', values: ['b', ''] })],
  [
    'none of no values',
    byLabel({ key: 'a', operator: 'NotIn' }),
    `${labels}.values: Required value: must be specified when \`operator\` is 'In' or 'NotIn'`,
  ],
  [
    'a label whatever its values',
    byLabel({ key: 'a', operator: 'Exists', values: ['b'] }),
    `${labels}.values: Forbidden: may not be specified when \`operator\` is 'Exists' or 'DoesNotExist'`,
  ],
  [
    'no label of some values',
    byLabel({ key: 'a', operator: 'DoesNotExist', values: ['b'] }),
    `${labels}.values: Forbidden: may not be specified when \`operator\` is 'Exists' or 'DoesNotExist'`,
  ],
  ['more than what is no number', byLabel({ key: 'a', operator: 'Gt', values: ['b'] })],
  [
    'less than two numbers',
    byLabel({ key: 'a', operator: 'Lt', values: ['1', '2'] }),
    `${labels}.values: Required value: must be specified single value when \`operator\` is 'Lt' or 'Gt'`,
  ],
  [
    'another comparison of what is no label',
    byLabel({ key: '-', operator: 'Is', values: ['-'] }),
    `${labels}.operator: Invalid value: "Is": not a valid selector operator`,
    `${labels}.key: Invalid value: "-": ${qualified}`,
    `${labels}.values[0]: Invalid value: "-": ${labelValue}`,
  ],
  ['a name', byField({ key: 'metadata.name', operator: 'In', values: ['n'] })],
  ['another name', byField({ key: 'metadata.name', operator: 'NotIn', values: ['n'] })],
  [
    'two names, of which one is none',
    byField({ key: 'metadata.name', operator: 'In', values: ['n', 'N'] }),
    `${fields}.values: Required value: ${one}`,
    `${fields}.values[1]: Invalid value: "N": ${subdomain}`,
  ],
  [
    'any name',
    byField({ key: 'metadata.name', operator: 'Exists' }),
    `${fields}.operator: Invalid value: "Exists": not a valid selector operator`,
  ],
  [
    'another field',
    byField({ key: 'spec.providerID', operator: 'In', values: ['N'] }),
    `${fields}.key: Invalid value: "spec.providerID": not a valid field selector key`,
  ],
  [
    'nothing about a field',
    byField({}),
    `${fields}.operator: Invalid value: "": not a valid selector operator`,
    `${fields}.key: Invalid value: "": not a valid field selector key`,
  ],
]

for (const [what, selector, ...told] of rows)
  test(`a selector of nodes with ${what} is ${told.length === 0 ? 'taken' : 'refused'}`, () => {
    assert.deepEqual(refusals(reachable(selector)), told)
  })

const old: readonly (readonly [label: string, told: string])[] = [
  ['beta.kubernetes.io/arch', 'deprecated since v1.14; use "kubernetes.io/arch" instead'],
  ['beta.kubernetes.io/os', 'deprecated since v1.14; use "kubernetes.io/os" instead'],
  ['failure-domain.beta.kubernetes.io/region', 'deprecated since v1.17; use "topology.kubernetes.io/region" instead'],
  ['failure-domain.beta.kubernetes.io/zone', 'deprecated since v1.17; use "topology.kubernetes.io/zone" instead'],
  ['beta.kubernetes.io/instance-type', 'deprecated since v1.17; use "node.kubernetes.io/instance-type" instead'],
]

for (const [key, told] of old)
  test(`whoever chooses nodes by ${key} is told of the label that took its place`, () => {
    const { validate } = schemaOf({ apiVersion: 'v1', kind: 'PersistentVolume' })
    const selector = terms({
      matchExpressions: [
        { key: 'kubernetes.io/os', operator: 'Exists' },
        { key, operator: 'Exists' },
      ],
    })
    assert.deepEqual(validate(reachable(selector)).warnings, [`${term}.matchExpressions[1].key: ${key} is ${told}`])
  })
