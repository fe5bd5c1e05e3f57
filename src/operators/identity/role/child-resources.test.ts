// The children of a binding as objects that ACK reads: which are looked for, what is believed of them, and whom a change concerns.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { customResourceDefinitions, type ObjectKey, type ResourceType, type StoredObject } from '#kube'
import type { Action, OwnAction, Reads } from '#runtime'
import { configKind, type RoleStatus, roleKind, type WorkloadIdentityConfig } from '../api/kinds.ts'
import { associationKind, roleKind as iamRoleKind, policyKind } from '../children/kinds.ts'
import { absentChild } from '../children/state.ts'
import { childResources, claimsOfChild, withPolicyArn, withRoleArn } from './child-resources.ts'
import { resourceNames, roleNamesOf } from './resources.ts'
import { child, claim, config, policyArn, recorded, roleArn } from './role-seen.fixture.ts'

const stable = roleNamesOf(claim()).ServiceAccount
const never = new AbortController().signal

/** What is asked of the server where no kind of child is in a cache; `isCached`: where all are. */
async function asked(of: {
  readonly config?: WorkloadIdentityConfig | undefined
  readonly status?: RoleStatus
  readonly isCached?: true
}): Promise<readonly string[]> {
  const reads: string[] = []
  const world = {
    isSynced: () => of.isCached === true,
    find: (type: ResourceType) => (type === configKind.type ? of.config : undefined),
    read: async ({ kind }: ResourceType, { name }: ObjectKey) => {
      reads.push(`${kind} ${name}`)
      return undefined
    },
  } as unknown as Reads
  await childResources.observe(claim({}, of.status), world, never)
  return reads.map(each => each.split(' ')[0] ?? '').sort()
}

describe('of kinds that no cache holds', () => {
  const two = ['Policy', 'Role']
  const three = ['PodIdentityAssociation', ...two]
  const entry = { apiVersion: 'eks.services.k8s.aws/v1alpha1', namespace: 'wlc-a', name: 'x' }
  for (const [what, of, kinds] of [
    ['where the ServiceAccount is annotated there is no association', { config: config() }, two],
    ['where EKS delivers there may be one', { config: config('EKSPodIdentity') }, three],
    ['where EKS delivered there may be one', { config: config(), status: recorded({ deliveryType: 'EKSPodIdentity' }) }, three],
    [
      'where one is on record there may be one',
      {
        config: config(),
        status: recorded({
          ackResources: [
            { ...entry, kind: 'Role' },
            { ...entry, kind: associationKind.type.kind },
          ],
        }),
      },
      three,
    ],
    [
      'where only others are on record there is none',
      { config: config(), status: recorded({ ackResources: [{ ...entry, kind: 'Role' }] }) },
      two,
    ],
    ['where nobody knows how it was delivered there may be one', { config: undefined }, three],
    ['where a delivery by annotation is on record there is none', { config: undefined, status: recorded() }, two],
  ] as const)
    test(`${what} [M2]`, async () => assert.deepEqual(await asked(of), kinds))
})

test('what a cache holds is not asked of the server [M2]', async () =>
  assert.deepEqual(await asked({ config: config('EKSPodIdentity'), isCached: true }), []))

test('a second role is looked for where a binding has two names', async () => {
  assert.deepEqual(await asked({ config: config(), status: recorded({ otherRoleName: stable }) }), ['Policy', 'Role', 'Role'])
})

test('an ARN that is none of a role or of a policy is none, and what is not ours has none [B21]', () => {
  const other = 'arn:aws:s3:::bucket'
  const foreign = { owned: 'foreign', arn: roleArn } as never
  const { arn: _role, ...role } = child('role')
  const { arn: _policy, ...policy } = child('policy')
  assert.equal(withRoleArn(child('role')).arn, roleArn)
  assert.deepEqual(withRoleArn({ ...role, arn: other } as never), role)
  assert.deepEqual(withRoleArn(role as never), role)
  assert.equal(withPolicyArn(child('policy')).arn, policyArn)
  assert.deepEqual(withPolicyArn({ ...policy, arn: other } as never), policy)
  assert.deepEqual(withPolicyArn(policy as never), policy)
  for (const narrow of [withRoleArn, withPolicyArn]) {
    assert.equal(narrow(foreign), foreign)
    assert.equal(narrow(absentChild), absentChild)
  }
})

test('of which resource an action is', () => {
  const moving = claim({}, recorded({ otherRoleName: stable }))
  const { role, policy, association } = resourceNames(moving)
  const write = (kind: 'apply' | 'delete', type: ResourceType, name: string): Action<OwnAction> =>
    ({ kind, type, object: { metadata: { name } } }) as unknown as Action<OwnAction>
  const patch = (name: string): Action<OwnAction> =>
    ({ kind: 'patch', type: iamRoleKind.type, key: { namespace: 'wlc-a', name } }) as unknown as Action<OwnAction>
  const twin = { ...iamRoleKind.type, group: 'example.com' }
  const rows: readonly (readonly [Action<OwnAction>, string | undefined])[] = [
    [write('apply', iamRoleKind.type, role), 'role'],
    [write('delete', iamRoleKind.type, role), 'role'],
    [patch(role), 'role'],
    [write('apply', iamRoleKind.type, stable), 'other'],
    [write('delete', iamRoleKind.type, stable), 'other'],
    [patch(stable), 'other'],
    [write('apply', policyKind.type, policy), 'policy'],
    [write('apply', associationKind.type, association), 'association'],
    [write('apply', twin, role), undefined],
    [write('apply', roleKind.type, 'app1'), undefined],
    [{ kind: 'record-event', type: 'Warning' } as unknown as Action<OwnAction>, undefined],
    [{ kind: 'together', branches: [] }, undefined],
  ]
  for (const [action, which] of rows) assert.equal(childResources.resourceOf(action, moving), which)
  assert.equal(childResources.resourceOf(write('delete', iamRoleKind.type, stable), undefined), 'role')
  assert.equal(childResources.resourceOf(write('apply', policyKind.type, stable), moving), 'policy')
})

describe('a change of a child concerns', () => {
  const others = [claim({}, undefined, { name: 'app.1', uid: 'other' })]
  const world = { byIndex: () => others } as unknown as Reads
  const of = (state: ReturnType<typeof child>): StoredObject => state.object as StoredObject
  const named = async (object: StoredObject): Promise<readonly string[]> =>
    (await claimsOfChild(object, world, '')).map(({ namespace, name }) => `${namespace}/${name}`)
  test('whoever controls it, and of an association whoever wants its name as well [14.1 L6]', async () => {
    assert.deepEqual(await named(of(child('role'))), ['wlc-a/app1'])
    assert.deepEqual(await named(of(child('association'))), ['wlc-a/app1', 'wlc-a/app.1'])
  })
})

describe('what wakes a binding', () => {
  const [role, policy, association, definitions] = childResources.watches
  test('is each kind of child, where the cluster has it', () => {
    for (const [watch, { type }] of [
      [role, iamRoleKind],
      [policy, policyKind],
      [association, associationKind],
    ] as const)
      assert.deepEqual([watch?.type, watch?.optional], [type, true])
  })
  test('is the definition of such a kind, of which the names are enough, and of no other [14.1 L12]', async () => {
    assert.deepEqual([definitions?.type, definitions?.metadataOnly], [customResourceDefinitions, true])
    const world = { list: () => [claim()] } as unknown as Reads
    const woken = async (name: string): Promise<unknown> =>
      definitions?.toClaims({ metadata: { name } } as StoredObject, world, '')
    for (const kind of [iamRoleKind, policyKind, associationKind])
      assert.deepEqual(await woken(`${kind.type.plural}.${kind.type.group}`), [{ namespace: 'wlc-a', name: 'app1' }])
    assert.deepEqual(await woken('buckets.s3.services.k8s.aws'), [])
    assert.deepEqual(await woken('roles.example.com'), [])
  })
})
