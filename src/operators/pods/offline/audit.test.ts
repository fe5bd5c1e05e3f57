import assert from 'node:assert/strict'
import { test } from 'node:test'
import { applyJsonPatch, type KubeObject } from '#kube'
import { admitPod } from '../aws/admit.ts'
import { readServiceAccount } from '../aws/annotations.ts'
import { type AwsWebhookOptions, defaultAwsOptions } from '../aws/api.ts'
import { type PatchObject } from '../patch.ts'
import { noRoleEntries, parseRoleEntries, type RoleEntries } from '../sources/config-map.ts'
import { type AuditOptions, auditPods } from './audit.ts'

const role = 'arn:aws:iam::111122223333:role/r'
const other = 'arn:aws:iam::111122223333:role/other'
const prefix = 'eks.amazonaws.com'
const withRole = (roleArn: string, more = {}) => ({ [`${prefix}/role-arn`]: roleArn, ...more })

const account = (name: string, annotations: Readonly<Record<string, string>> = {}): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ServiceAccount',
  metadata: { namespace: 'ns1', name, annotations },
})

interface PodParts {
  readonly metadata?: object
  readonly spec?: object
  readonly status?: object
}

const podOf = (name: string, serviceAccountName: string, more: PodParts = {}): KubeObject =>
  ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { namespace: 'ns1', name, ...more.metadata },
    spec: { serviceAccountName, containers: [{ name: 'a' }], ...more.spec },
    status: more.status ?? { phase: 'Running' },
  }) as KubeObject

/** The pod as the webhook let it in when its ServiceAccount said this. */
function admitted(pod: KubeObject, annotations: Readonly<Record<string, string>>, flags = defaultAwsOptions, isListed = false) {
  const object = pod as unknown as PatchObject
  const warn = (): void => {}
  const operations = admitPod({
    object,
    snapshot: {
      serviceAccount: readServiceAccount(annotations, flags, warn),
      exactEntry: undefined,
      wildcardEntry: undefined,
      usesContainerCredentials: isListed,
    },
    flags,
    randomBelow: () => 7,
    warn,
  })
  return applyJsonPatch(object, operations) as unknown as KubeObject
}

const audit = (pods: readonly KubeObject[], accounts: readonly KubeObject[], more: Partial<AuditOptions> = {}) =>
  auditPods({ pods, accounts, entries: noRoleEntries, identities: new Set(), flags: defaultAwsOptions, ...more })
const foundIn = (...args: Parameters<typeof audit>) =>
  audit(...args).outdated.map(({ name, madeBy, differences }) => [name, madeBy, ...differences])
const nobody = 'nobody: delete it and make it again'

test('pods that run without the identity of their ServiceAccount are found, and nobody else [B18]', () => {
  const owner = { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'web', uid: 'u', controller: true }
  const pods = [
    podOf('missed', 'app'),
    podOf('owned', 'app', { metadata: { ownerReferences: [owner] } }),
    admitted(podOf('complete', 'app'), withRole(role)),
    podOf('plain', 'plain'),
    podOf('opted-out', 'app', { metadata: { labels: { 'eks.amazonaws.com/skip-pod-identity-webhook': 'x' } } }),
    podOf('mirror', 'app', { metadata: { annotations: { 'kubernetes.io/config.mirror': 'x' } } }),
    podOf('finished', 'app', { status: { phase: 'Succeeded' } }),
    podOf('going', 'app', { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } }),
    podOf('listed', 'cc'),
  ]
  const accounts = [account('app', withRole(role)), account('plain')]
  assert.deepEqual(foundIn(pods, accounts, { identities: new Set(['ns1/cc']) }), [
    ['missed', nobody, `has no identity and would get role ${role}`],
    ['owned', 'ReplicaSet web', `has no identity and would get role ${role}`],
    ['listed', nobody, 'has no identity and would get container credentials'],
  ])
  assert.equal(audit(pods, accounts).looked, 5)
})

test('a pod that goes on with the role that its ServiceAccount had before is found', () => {
  const pod = admitted(podOf('p', 'app'), withRole(role))
  assert.deepEqual(foundIn([pod], [account('app', withRole(other))]), [
    ['p', nobody, `has role ${role} and would get role ${other}`],
  ])
  for (const accounts of [[account('app')], []])
    assert.deepEqual(foundIn([pod], accounts), [['p', nobody, `has role ${role} and would get no identity`]])
})

const flagged = (more: Partial<AwsWebhookOptions>): AwsWebhookOptions => ({ ...defaultAwsOptions, ...more })
for (const [what, then, now, flags, difference] of [
  ['audience', {}, { [`${prefix}/audience`]: 'mine' }, {}, 'has a token for sts.amazonaws.com and would get one for mine'],
  ['audience', {}, { [`${prefix}/audience`]: '' }, {}, 'has a token for sts.amazonaws.com and would get one for the API server'],
  ['audience', { [`${prefix}/audience`]: '' }, {}, {}, 'has a token for the API server and would get one for sts.amazonaws.com'],
  [
    'path',
    {},
    {},
    { tokenMountPath: '/elsewhere' },
    'has its token at /var/run/secrets/eks.amazonaws.com/serviceaccount/token and would get it at /elsewhere/token',
  ],
] as const)
  test(`a pod whose ${what} is another today is found: ${difference}`, () => {
    const pod = admitted(podOf('p', 'app'), withRole(role, then))
    assert.deepEqual(foundIn([pod], [account('app', withRole(role, now))], { flags: flagged(flags) }), [
      ['p', nobody, difference],
    ])
  })

test('a pod that has the identity of the other method is found, either way', () => {
  const byRole = admitted(podOf('by-role', 'app'), withRole(role))
  const listed = admitted(podOf('listed', 'app'), withRole(role), defaultAwsOptions, true)
  const accounts = [account('app', withRole(role))]
  assert.deepEqual(foundIn([byRole, listed], accounts), [
    ['listed', nobody, `has container credentials and would get role ${role}`],
  ])
  assert.deepEqual(foundIn([byRole, listed], accounts, { identities: new Set(['ns1/app']) }), [
    ['by-role', nobody, `has role ${role} and would get container credentials`],
  ])
})

test('what makes no other identity is no finding: a life, a region, a skipped container, a role that the pod sets itself', () => {
  const now = [account('app', withRole(role, { [`${prefix}/token-expiration`]: '7200' }))]
  const own = [
    { name: 'AWS_ROLE_ARN', value: other },
    { name: 'AWS_REGION', value: 'x' },
  ]
  const pods = [
    podOf('lives', 'app'),
    podOf('skips', 'app', {
      metadata: { annotations: { [`${prefix}/skip-containers`]: 'b' } },
      spec: { containers: [{ name: 'a' }, { name: 'b' }] },
    }),
    podOf('chooses', 'app', { spec: { containers: [{ name: 'a', env: own }] } }),
    podOf('windows', 'app', { spec: { nodeSelector: { 'kubernetes.io/os': 'windows' } } }),
    podOf('foreign-volume', 'app', { spec: { volumes: [{ name: 'aws-iam-token', emptyDir: {} }] } }),
  ].map(pod => admitted(pod, withRole(role)))
  assert.deepEqual(foundIn(pods, now, { flags: flagged({ defaultRegion: 'eu-west-1', regionalSts: true }) }), [])
})

test('one container of several is enough, and what all share is told once', () => {
  const spec = { initContainers: [{ name: 'i' }], containers: [{ name: 'a' }, { name: 'b' }] }
  // A copy: what pods are given is one value for all of them.
  const pod = structuredClone(admitted(podOf('p', 'app', { spec }), withRole(role))) as unknown as {
    spec: { containers: { env: { value: string }[] }[] }
  }
  const [first] = pod.spec.containers[1]?.env ?? []
  if (first !== undefined) first.value = other
  const found = foundIn([pod as unknown as KubeObject], [account('app', withRole(role))])
  assert.deepEqual(found, [['p', nobody, `has role ${other} and would get role ${role}`]])
})

test('the ConfigMap counts as for the webhook', () => {
  const entries = parseRoleEntries(JSON.stringify({ '*/app': { RoleARN: other }, 'ns1/kept': {}, '*/kept': { RoleARN: other } }))
  const pods = ['app', 'kept'].map(name => podOf(name, name))
  assert.deepEqual(foundIn(pods, [], { entries: entries as RoleEntries }), [
    ['app', nobody, `has no identity and would get role ${other}`],
  ])
})

test('a pod that names its role itself is told as that when it would get the other method today', () => {
  const env = [{ name: 'AWS_ROLE_ARN', value: other }]
  const pod = admitted(podOf('p', 'app', { spec: { containers: [{ name: 'a', env }] } }), withRole(role))
  assert.deepEqual(foundIn([pod], [account('app', withRole(role))], { identities: new Set(['ns1/app']) }), [
    ['p', nobody, 'has a role of its own choice and would get container credentials'],
  ])
})

test('a container that the pod skips since it was made is told with what it has', () => {
  const pod = admitted(podOf('p', 'app'), withRole(role))
  const skipping = { ...pod, metadata: { ...pod.metadata, annotations: { [`${prefix}/skip-containers`]: 'a' } } }
  assert.deepEqual(foundIn([skipping], [account('app', withRole(role))]), [
    ['p', nobody, `has role ${role} and would get no identity`],
  ])
})

test('a pod is made anew by its controller, and not by another owner', () => {
  const owner = (kind: string, name: string, controller?: boolean) => ({ apiVersion: 'v1', kind, name, uid: 'u', controller })
  const madeBy = (...ownerReferences: readonly object[]): unknown => {
    const [, by] = foundIn([podOf('p', 'app', { metadata: { ownerReferences } })], [account('app', withRole(role))])[0] ?? []
    return by
  }
  assert.equal(madeBy(owner('Node', 'n', false), owner('Job', 'j', true), owner('X', 'x')), 'Job j')
  assert.equal(madeBy(owner('Node', 'n', false), owner('X', 'x')), nobody)
})

test('what is told of a pod is its namespace, its name and its ServiceAccount, where it has them', () => {
  const found = (pod: KubeObject): unknown => audit([pod], [], { identities: new Set(['ns1/app', '/']) }).outdated[0]
  const rest = { madeBy: nobody, differences: ['has no identity and would get container credentials'] }
  assert.deepEqual(found(podOf('p', 'app')), { namespace: 'ns1', name: 'p', serviceAccount: 'app', ...rest })
  const bare = { apiVersion: 'v1', kind: 'Pod', metadata: {}, spec: { containers: [{ name: 'a' }] } } as unknown as KubeObject
  assert.deepEqual(found(bare), { namespace: '', name: '', serviceAccount: '', ...rest })
})

test('ServiceAccounts without annotations are known, and pods that failed are over', () => {
  const plain = { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { namespace: 'ns1', name: 'app' } }
  assert.deepEqual(audit([podOf('p', 'app'), podOf('q', 'app', { status: { phase: 'Failed' } })], [plain]), {
    looked: 1,
    outdated: [],
  })
})
