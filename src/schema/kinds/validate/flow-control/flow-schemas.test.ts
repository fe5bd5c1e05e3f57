import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../../../json.ts'
import { refusals } from '../../../testing/refusals.ts'

const subdomain =
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')"
const label =
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')"

const flow = (spec: JsonObject, name = 'x'): JsonObject => ({
  apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
  kind: 'FlowSchema',
  metadata: { name },
  spec: { priorityLevelConfiguration: { name: 'p' }, ...spec },
})
const user = { kind: 'User', user: { name: 'u' } }
const resources = { verbs: ['get'], apiGroups: [''], resources: ['pods'], clusterScope: true }
const paths = { verbs: ['get'], nonResourceURLs: ['/x'] }
const rules = (content: JsonObject): JsonObject => ({ rules: [{ subjects: [user], resourceRules: [resources], ...content }] })
const subject = (content: JsonObject): JsonObject => rules({ subjects: [content] })
const account = (serviceAccount: JsonObject): JsonObject => subject({ kind: 'ServiceAccount', serviceAccount })
const resource = (content: JsonObject): JsonObject => rules({ resourceRules: [{ ...resources, ...content }] })
const urls = (...nonResourceURLs: string[]): JsonObject => rules({ nonResourceRules: [{ ...paths, nonResourceURLs }] })
const at = 'spec.rules[0]'
const ofSubject = `${at}.subjects[0]`
const ofResource = `${at}.resourceRules[0]`
const ofPath = `${at}.nonResourceRules[0].nonResourceURLs`
const star = (others: string): string => `if '*' is present, must not specify other ${others}`
const verbs = 'supported values: "create", "delete", "deletecollection", "get", "list", "patch", "proxy", "update", "watch"'
const forbidden = (field: string, kind: string): string =>
  `${ofSubject}.${field}: Forbidden: ${field} is forbidden when subject kind is not '${kind}'`

const rows: readonly (readonly [spec: JsonObject, ...told: string[]])[] = [
  [{}],
  [rules({ nonResourceRules: [paths] })],
  [{ distinguisherMethod: { type: 'ByNamespace' }, matchingPrecedence: 10_000 }],
  [
    {
      matchingPrecedence: 10_001,
      distinguisherMethod: { type: 'ByHost' },
      priorityLevelConfiguration: {},
      rules: [{ resourceRules: [{}], nonResourceRules: [{}] }, {}],
    },
    'spec.matchingPrecedence: Invalid value: 10001: must not be greater than 10000',
    'spec.distinguisherMethod.type: Unsupported value: {"Type":"ByHost"}: supported values: "ByNamespace", "ByUser"',
    'spec.priorityLevelConfiguration.name: Required value: must reference a priority level',
    `${at}.subjects: Required value: subjects must contain at least one value`,
    `${ofResource}.verbs: Required value: verbs must contain at least one value`,
    `${ofResource}.apiGroups: Required value: resource rules must supply at least one api group`,
    `${ofResource}.resources: Required value: resource rules must supply at least one resource`,
    `${ofResource}.namespaces: Required value: resource rules that are not cluster scoped must supply at least one namespace`,
    `${at}.nonResourceRules[0].verbs: Required value: verbs must contain at least one value`,
    `${ofPath}: Required value: nonResourceURLs must contain at least one value`,
    'spec.rules[1].subjects: Required value: subjects must contain at least one value',
    'spec.rules[1]: Required value: at least one of resourceRules and nonResourceRules has to be non-empty',
  ],
  [{ matchingPrecedence: -1 }, 'spec.matchingPrecedence: Invalid value: -1: must be a positive value'],
  [
    { matchingPrecedence: 1 },
    "spec.matchingPrecedence: Invalid value: 1: only the schema named 'exempt' may have matchingPrecedence 1",
  ],
  [{ priorityLevelConfiguration: { name: 'P' } }, `spec.priorityLevelConfiguration.name: Invalid value: "P": ${subdomain}`],
  [subject({}), `${ofSubject}.kind: Unsupported value: "": supported values: "Group", "ServiceAccount", "User"`],
  [subject({ kind: 'Group', group: { name: '*' } })],
  [subject({ kind: 'Group', group: {} }), `${ofSubject}.group.name: Required value`],
  [
    subject({ kind: 'User', group: {}, serviceAccount: {} }),
    `${ofSubject}.user: Required value: user is required when subject kind is 'User'`,
    forbidden('serviceAccount', 'ServiceAccount'),
    forbidden('group', 'Group'),
  ],
  [
    subject({ kind: 'Group', group: { name: 'g' }, user: {}, serviceAccount: {} }),
    forbidden('serviceAccount', 'ServiceAccount'),
    forbidden('user', 'User'),
  ],
  [
    subject({ kind: 'ServiceAccount', user: {}, group: {} }),
    `${ofSubject}.serviceAccount: Required value: serviceAccount is required when subject kind is 'ServiceAccount'`,
    forbidden('user', 'User'),
    forbidden('group', 'Group'),
  ],
  [account({ name: '*', namespace: 'a' })],
  [
    account({}),
    `${ofSubject}.serviceAccount.name: Required value`,
    `${ofSubject}.serviceAccount.namespace: Required value: must specify namespace for service account`,
  ],
  [
    account({ name: 'A', namespace: '*' }),
    `${ofSubject}.serviceAccount.name: Invalid value: "A": ${subdomain}`,
    `${ofSubject}.serviceAccount.namespace: Invalid value: "*": ${label}`,
  ],
  [resource({ verbs: ['*'], apiGroups: ['*'], resources: ['*'], namespaces: ['*'] })],
  [resource({ apiGroups: ['A b'], resources: [''], clusterScope: false, namespaces: ['a'] })],
  [
    resource({ verbs: ['*', 'read'], apiGroups: ['*', ''], resources: ['*', 'a'], namespaces: ['A', '*'] }),
    `${ofResource}.verbs: Invalid value: ["*","read"]: ${star('verbs')}`,
    `${ofResource}.apiGroups: Invalid value: ["*",""]: ${star('api groups')}`,
    `${ofResource}.resources: Invalid value: ["*","a"]: ${star('resources')}`,
    `${ofResource}.namespaces: Invalid value: ["A","*"]: ${star('namespaces')}`,
  ],
  [
    resource({ verbs: ['get', 'read'], namespaces: ['a', 'A'] }),
    `${ofResource}.verbs: Unsupported value: ["get","read"]: ${verbs}`,
    `${ofResource}.namespaces[1]: Invalid value: "A": each member of this list must be '*' or a DNS-1123 label; ${label}`,
  ],
  [urls('*')],
  [urls('/', '/*', '/a/*', '/a/')],
  [urls('*', 'a'), `${ofPath}: Invalid value: ["*","a"]: ${star('non-resource URLs')}`],
  [
    urls('', 'a b', '/a b//*c', '//*a', '/a*', '/a/**', '/a/*/b'),
    `${ofPath}[0]: Invalid value: "": must not be empty`,
    `${ofPath}[1]: Invalid value: "a b": must start with slash`,
    `${ofPath}[2]: Invalid value: "/a b//*c": must not contain white-space`,
    `${ofPath}[3]: Invalid value: "//*a": must not contain double slash`,
    `${ofPath}[4]: Invalid value: "/a*": wildcard can only do suffix matching`,
    `${ofPath}[5]: Invalid value: "/a/**": wildcard can only do suffix matching`,
    `${ofPath}[6]: Invalid value: "/a/*/b": wildcard can only do suffix matching`,
  ],
]

for (const [spec, ...told] of rows)
  test(`a flow with ${JSON.stringify(spec).slice(0, 130)} is ${told.length === 0 ? 'taken' : 'refused'}`, () => {
    assert.deepEqual(refusals(flow(spec)), told)
  })

const everything = {
  resourceRules: [{ verbs: ['*'], apiGroups: ['*'], resources: ['*'], clusterScope: true, namespaces: ['*'] }],
  nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['*'] }],
}
const exempt = {
  priorityLevelConfiguration: { name: 'exempt' },
  matchingPrecedence: 1,
  rules: [{ subjects: [{ kind: 'Group', group: { name: 'system:masters' } }], ...everything }],
}

test('the flows that every cluster has are what they are', () => {
  assert.deepEqual(refusals(flow(exempt, 'exempt')), [])
  assert.deepEqual(refusals(flow({}, 'catch-all')), [
    'spec: Invalid value: {"PriorityLevelConfiguration":{"Name":"p"},"MatchingPrecedence":1000,"DistinguisherMethod":null,"Rules":null}: spec of \'catch-all\' must equal the fixed value',
  ])
  const other = {
    matchingPrecedence: 1,
    distinguisherMethod: { type: 'ByUser' },
    rules: [{ subjects: [user, { kind: 'ServiceAccount', serviceAccount: { name: 'a', namespace: 'b' } }], ...everything }],
  }
  assert.deepEqual(refusals(flow(other, 'exempt')), [
    'spec: Invalid value: {"PriorityLevelConfiguration":{"Name":"p"},"MatchingPrecedence":1,"DistinguisherMethod":{"Type":"ByUser"},"Rules":[{"Subjects":[{"Kind":"User","User":{"Name":"u"},"Group":null,"ServiceAccount":null},{"Kind":"ServiceAccount","User":null,"Group":null,"ServiceAccount":{"Namespace":"b","Name":"a"}}],"ResourceRules":[{"Verbs":["*"],"APIGroups":["*"],"Resources":["*"],"ClusterScope":true,"Namespaces":["*"]}],"NonResourceRules":[{"Verbs":["*"],"NonResourceURLs":["*"]}]}]}: spec of \'exempt\' must equal the fixed value',
  ])
})
