// What a pass says of a binding, by what became of its actions (§4.3, 13.6). Values in, conditions out.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Condition, type ResourceType, serviceAccounts } from '#kube'
import { type Action, type Outcome, type OwnAction, type ReportInput, Trouble } from '#runtime'
import { roleKind } from '../api/kinds.ts'
import { associationKind, roleKind as iamRoleKind, policyKind } from '../children/kinds.ts'
import { childResources } from './child-resources.ts'
import { reportRole } from './report.ts'
import { resourceNames, roleNamesOf } from './resources.ts'
import { claim, recorded, seen, stored } from './role-seen.fixture.ts'
import type { RoleSeen } from './seen.ts'

type Input = ReportInput<never> & { readonly seen: RoleSeen | undefined }

const stable = roleNamesOf(claim()).ServiceAccount
/** On its way to another name. */
const moving = claim({}, recorded({ otherRoleName: stable }))
const names = resourceNames(moving)

const write = (kind: 'apply' | 'delete', type: ResourceType, name: string): Action<OwnAction> =>
  ({ kind, type, object: { metadata: { namespace: 'wlc-a', name } } }) as unknown as Action<OwnAction>
const role = write('apply', iamRoleKind.type, names.role)
const otherRole = write('apply', iamRoleKind.type, stable)
const policy = write('apply', policyKind.type, names.policy)
const association = write('apply', associationKind.type, names.association)
const patched = (type: ResourceType, more: object): Action<OwnAction> =>
  ({ kind: 'patch', type, key: { namespace: 'apps', name: 'app1' }, ...more }) as unknown as Action<OwnAction>
const annotation = patched(serviceAccounts, { cluster: 'wlc-a' })
const finalizer = { kind: 'add-finalizer', type: roleKind.type, object: moving, finalizer: 'f' } as unknown as Action<OwnAction>
const event = { kind: 'record-event', reason: 'X' } as unknown as Action<OwnAction>

const trouble = new Trouble({ kind: 'stop', reason: 'Forbidden', message: 'no leave' })
const failed = (action: Action<OwnAction>): Outcome => ({ kind: 'failed', action, trouble })
const done = (action: Action<OwnAction>, changed = true): Outcome => ({ kind: 'done', action, changed })
const skipped = (action: Action<OwnAction>): Outcome => ({ kind: 'skipped', action })

const planned = ['PolicyReady', 'RoleReady', 'ServiceAccountAnnotationReady', 'DeliveryReady', 'Ready']
const fine = (types: readonly string[] = planned): readonly Condition[] =>
  types.map(type => ({ type, status: 'True', reason: 'Fine', message: 'fine' }))

interface Told extends Partial<Input> {
  readonly settlesAtOnce?: boolean
  readonly conditions?: readonly Condition[]
  readonly next?: Input['plan']['next']
}

/** `type=status/reason: message` of what is not as planned, in its order; and which types were planned and are not said. */
function told(outcomes: readonly Outcome[], more: Told = {}): readonly string[] | undefined {
  const { settlesAtOnce = false, conditions = fine(), next = { kind: 'await-change' }, ...input } = more
  const report = reportRole(
    {
      plan: { actions: [], conditions, next },
      outcomes,
      failures: 1,
      current: [],
      generation: 1,
      summary: 'Ready',
      seen: seen({ claim: moving }),
      ...input,
    },
    { resourceOf: childResources.resourceOf, settlesAtOnce },
  )
  if (report === undefined) return undefined
  const types = report.conditions.map(({ type }) => type)
  assert.deepEqual(types, [...new Set(types)], 'each is said once')
  return [
    ...report.conditions.flatMap(({ type, status, reason, message }) =>
      reason === 'Fine' ? [] : [`${type}=${status}/${reason}: ${message}`],
    ),
    ...conditions.flatMap(({ type }) => (types.includes(type) ? [] : [`no ${type}`])),
  ]
}

const notReady = (reason: string): readonly string[] =>
  ['DeliveryReady', 'Ready'].map(type => `${type}=False/${reason}: no leave`)

for (const [what, outcomes, more, said] of [
  [
    'a role that cannot be written',
    [failed(role)],
    {},
    ['RoleReady=False/ChildApplyFailed: no leave', ...notReady('ChildApplyFailed')],
  ],
  [
    'a policy that cannot',
    [failed(policy)],
    {},
    ['PolicyReady=False/ChildApplyFailed: no leave', ...notReady('ChildApplyFailed')],
  ],
  [
    'an association that cannot',
    [done(role), failed(association)],
    {},
    [...notReady('ChildApplyFailed'), 'PodIdentityAssociationReady=False/ChildApplyFailed: no leave'],
  ],
  [
    'an annotation that cannot',
    [done(role, false), failed(annotation)],
    {},
    [...notReady('RemoteDeliveryPending'), 'ServiceAccountAnnotationReady=False/RemoteDeliveryPending: no leave'],
  ],
  ['the other role that cannot', [failed(otherRole)], {}, ['RoleMigrated=False/RoleMigrating: no leave']],
  ['a finalizer that cannot', [failed(finalizer)], {}, ['Ready=False/ResolverError: no leave']],
  ['an event that cannot', [failed(event)], {}, ['Ready=False/ResolverError: no leave']],
  [
    'a ServiceAccount of the hub, which is none of its own, that cannot',
    [failed(patched(serviceAccounts, {}))],
    {},
    ['Ready=False/ResolverError: no leave'],
  ],
  [
    'something else of the target that cannot',
    [failed(patched(roleKind.type, { cluster: 'wlc-a' }))],
    {},
    ['Ready=False/ResolverError: no leave'],
  ],
  [
    'a role that AWS refuses to our own calls',
    [failed(role)],
    { settlesAtOnce: true },
    ['RoleReady=False/ACKResourceNotSynced: no leave', ...notReady('WaitingForACK')],
  ],
  [
    'an annotation that cannot, beside calls of our own',
    [failed(annotation)],
    { settlesAtOnce: true },
    [...notReady('RemoteDeliveryPending'), 'ServiceAccountAnnotationReady=False/RemoteDeliveryPending: no leave'],
  ],
] as readonly (readonly [string, readonly Outcome[], Told, readonly string[]])[])
  test(`${what} is told in its own condition, and in those that rest on it [4.3]`, () =>
    assert.deepEqual(told(outcomes, more), said))

test('the annotation that was to come after what failed is not spoken of; one that came about is', () => {
  const failure = ['RoleReady=False/ChildApplyFailed: no leave', ...notReady('ChildApplyFailed')]
  assert.deepEqual(told([failed(role), skipped(annotation)]), [...failure, 'no ServiceAccountAnnotationReady'])
  assert.deepEqual(told([done(policy), failed(role), skipped(annotation)]), [...failure, 'no ServiceAccountAnnotationReady'])
  assert.deepEqual(told([done(annotation), failed(role)]), failure)
  assert.deepEqual(told([failed(role), skipped(association)]), failure)
})

test('a conflict is no news', () => {
  const conflict = new Trouble({ kind: 'soon', reason: 'Conflict', message: 'changed' })
  assert.equal(told([{ kind: 'failed', action: role, trouble: conflict }]), undefined)
})

test('of a binding that is not there the engine’s word is said', () =>
  assert.deepEqual(told([failed(role)], { seen: undefined })?.slice(0, 1), ['Ready=False/Forbidden: no leave']))

describe('a deletion', () => {
  const going = seen({ claim: claim({}, undefined, { deletionTimestamp: '2026-01-01T00:00:00Z' }) })
  const conditions: readonly Condition[] = []
  for (const [what, action, said] of [
    ['the annotation', annotation, 'DeletionBlocked=True/RemoteClusterUnavailable: no leave'],
    ['the role', write('delete', iamRoleKind.type, names.role), 'DeletionBlocked=True/ChildApplyFailed: no leave'],
    ['the finalizer', finalizer, 'Ready=False/Forbidden: no leave'],
  ] as const)
    test(`that fails at ${what} says so [4.3]`, () =>
      assert.deepEqual(told([failed(action)], { seen: going, conditions }), [said]))
})

describe('a child that was changed in this pass [S8]', () => {
  const readyBefore = [{ ...stored('Ready', 'True', 'Ready'), observedGeneration: 0 }]
  const handed = 'a change was handed to ACK just now'
  const unsettled = ['DeliveryReady', 'Ready'].map(type => `${type}=False/WaitingForACK: ${handed}`)
  const roleUnsettled = [`RoleReady=False/ACKResourceNotSynced: ${handed}`, ...unsettled]

  test('is not said to be in sync', () => {
    assert.deepEqual(told([done(role)], { current: readyBefore }), roleUnsettled)
    assert.deepEqual(told([done(role, false), done(policy)], { current: readyBefore }), [
      `PolicyReady=False/ACKResourceNotSynced: ${handed}`,
      ...unsettled,
    ])
  })
  test('takes nothing back that was said of this generation, nor says what was not, before it has settled', () => {
    assert.equal(told([done(role)], { current: [{ ...stored('Ready', 'True', 'Ready'), observedGeneration: 1 }] }), undefined)
    assert.equal(told([done(role)], { current: [{ ...stored('Ready', 'False', 'X'), observedGeneration: 0 }] }), undefined)
    assert.equal(told([done(role)]), undefined)
  })
  const waiting = fine().map(each => (each.type === 'RoleReady' ? { ...each, status: 'False' as const } : each))
  for (const [what, outcomes, more] of [
    ['that says it is as it was', [done(role, false)], {}],
    ['that is not said to be ready', [done(role)], { conditions: waiting }],
    ['of which nothing is said', [done(role)], { conditions: fine(['Ready']) }],
    ['that is the other role', [done(otherRole)], { conditions: fine([...planned, 'RoleMigrated']) }],
    ['that was deleted', [done(write('delete', policyKind.type, names.policy))], {}],
    ['that our own calls changed', [done(role)], { settlesAtOnce: true }],
    ['that is no child', [done(annotation), done(finalizer), done(event)], {}],
    ['that nothing came of', [skipped(role)], {}],
  ] as readonly (readonly [string, readonly Outcome[], Told])[])
    test(`${what} changes nothing of what is said`, () => assert.deepEqual(told(outcomes, { current: readyBefore, ...more }), []))
})

test('a plan that leaves the status says nothing, unless something fails [M4]', () => {
  const next = { kind: 'look-again', afterMs: 1, why: 'x' } as const
  assert.equal(told([done(role, false)], { next: { ...next, leavesStatus: true } }), undefined)
  assert.deepEqual(told([done(role, false)], { next }), [])
  assert.notEqual(told([failed(role)], { next: { ...next, leavesStatus: true } }), undefined)
})
