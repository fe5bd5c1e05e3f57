// What a decision about a binding writes into its status, and when it looks again. Values in, a plan out.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { StoredObject } from '#kube'
import type { Plan } from '#runtime'
import type { RoleStatus } from '../api/kinds.ts'
import type { AckResourceEntry } from '../children/entry.ts'
import { childResources } from './child-resources.ts'
import { decideRole } from './decide.ts'
import { resourceNames, roleNamesOf } from './resources.ts'
import {
  absent,
  annotated,
  type ChildOptions,
  child,
  claim,
  config,
  eksProperties,
  longAgo,
  now,
  operatorConfig,
  recorded,
  resolved,
  roleArn,
  roleName,
  seen,
  stored,
} from './role-seen.fixture.ts'
import type { RoleSeen } from './seen.ts'

const decide = (change: Partial<RoleSeen>, resources = childResources): Plan => decideRole(seen(change), now, { resources })
const saidOf = (plan: Plan, type: string): string | undefined => {
  const found = plan.conditions.find(condition => condition.type === type)
  return found && `${found.status}/${found.reason}`
}
const messageOf = (plan: Plan, type: string): string | undefined =>
  plan.conditions.find(condition => condition.type === type)?.message
const withRole = (options: ChildOptions, change: Partial<RoleSeen> = {}): Partial<RoleSeen> => ({
  resources: { ...seen().resources, role: child('role', options) },
  ...change,
})
const secondsAgo = (seconds: number): string => new Date(now - seconds * 1_000).toISOString()
/** Changed by us so long ago, and not heard of since. */
const changed = (seconds: number): ChildOptions => ({
  synced: false,
  metadata: { managedFields: [{ manager: 'aws-workload-identity-operator', operation: 'Apply', time: secondsAgo(seconds) }] },
})
const ready = stored('Ready', 'True', 'Ready')

test('a namespace without a Config is named', () =>
  assert.equal(
    messageOf(decide({ config: undefined }), 'ConfigResolved'),
    'AWSWorkloadIdentityConfig/default does not exist in namespace wlc-a; create it',
  ))

test('a role in sync without an ARN is not ready', () =>
  assert.equal(saidOf(decide(withRole({ arn: undefined })), 'RoleReady'), 'False/ACKResourceIdentifierPending'))

test('the name of a role comes on record first, and the next look is at once [P2]', () => {
  const plan = decide({
    claim: claim(),
    operatorConfig: { ...operatorConfig, spec: { roleNames: 'ServiceAccount' } },
    resources: { ...seen().resources, role: absent },
  })
  assert.deepEqual(plan.next, { kind: 'look-again', afterMs: 0, why: 'the name of the role is on record now' })
})

describe('a status that would send the deletion elsewhere [#132]', () => {
  const elsewhere = claim({}, recorded({ deliveryType: 'EKSIRSA' }))
  const first = 'cluster and role are recorded in the status before the ServiceAccount is annotated'
  for (const [what, change, message] of [
    ['is told as such', { annotation: annotated(undefined) }, first],
    [
      'is told as such where the target was not looked at',
      { claim: claim({}, recorded()), annotation: undefined },
      'the target has not been looked at yet',
    ],
  ] as readonly (readonly [string, Partial<RoleSeen>, string])[])
    test(`${what}, at once, also while a young role waits`, () => {
      const young = { synced: false, metadata: { creationTimestamp: secondsAgo(1) } }
      for (const role of [{}, young]) {
        const plan = decide({ claim: elsewhere, ...withRole(role), ...change })
        assert.deepEqual([saidOf(plan, 'Ready'), messageOf(plan, 'Ready')], ['False/RemoteDeliveryPending', message])
        assert.equal(plan.next.kind === 'look-again' && plan.next.leavesStatus === true, false)
      }
    })
})

describe('that an annotation was put right [M4]', () => {
  const put = { ...stored('ServiceAccountAnnotationReady', 'True', 'AnnotationRepaired'), message: 'it was put right' }
  const held = (generation: number, status: object = {}, metadata: Partial<StoredObject['metadata']> = {}) =>
    claim({}, recorded({ conditions: [put], ...status }), { generation, ...metadata })
  const told = (change: Partial<RoleSeen>): string | undefined => saidOf(decide(change), 'ServiceAccountAnnotationReady')
  test('stays said of this spec, and no longer', () => {
    assert.equal(told({ claim: held(1) }), 'True/AnnotationRepaired')
    assert.equal(told({ claim: held(2) }), 'True/Ready')
  })
  test('is not said of a ServiceAccount that has gone since', () =>
    assert.equal(told({ claim: held(1), annotation: annotated(undefined, false) }), 'False/RemoteDeliveryPending'))
  test('is not said of one that moves to the new role of its binding', () => {
    const { ServiceAccount: stable } = roleNamesOf(claim())
    const other = { ...child('role'), arn: roleArn.replace(roleName, stable) } as RoleSeen['resources']['other']
    const released = { annotations: { 'aws.identity.appthrust.io/release-role': 'none' } }
    const moving = held(1, { otherRoleName: stable }, released)
    const plan = decide({ claim: moving, annotation: annotated(other.arn), resources: { ...seen().resources, other } })
    assert.equal(saidOf(plan, 'ServiceAccountAnnotationReady'), 'True/Ready')
  })
  test('is told with an event at the binding', () => {
    const fine = claim({}, recorded({ conditions: [stored('ServiceAccountAnnotationReady', 'True', 'Ready')] }))
    const plan = decide({ claim: fine, annotation: annotated(roleArn.replace(/.$/, 'x')) })
    const event = plan.actions.find(({ kind }) => kind === 'record-event') as { regarding?: { namespace?: string } } | undefined
    assert.equal(event?.regarding?.namespace, 'wlc-a')
  })
})

describe('where EKS delivers', () => {
  const eks = (status: object, change: Partial<RoleSeen> = {}): Partial<RoleSeen> => ({
    claim: claim({}, status as RoleStatus),
    config: config('EKSPodIdentity'),
    cluster: resolved(eksProperties),
    annotation: annotated(roleArn),
    resources: { role: child('role'), policy: absent, association: child('association'), other: absent },
    ...change,
  })
  const patches = (status: object): boolean => decide(eks(status)).actions.some(({ kind }) => kind === 'patch')
  test('only an annotation of an earlier delivery of ours is taken away', () => {
    assert.equal(patches(recorded()), true)
    assert.equal(patches({ roleARN: roleArn }), false)
    assert.equal(patches(recorded({ deliveryType: 'EKSPodIdentity' })), false)
    const { roleARN: _none, ...nameless } = recorded()
    assert.equal(patches(nameless), false)
  })
  test('an association is not waited for before the role has its ARN', () => {
    const role = child('role', { synced: false, arn: undefined, metadata: { creationTimestamp: secondsAgo(1) } })
    const resources = { role, policy: absent, association: absent, other: absent }
    const { next } = decide(eks({}, { annotation: undefined, resources }))
    assert.equal(next.kind === 'look-again' && next.afterMs, 1_000)
  })
  test('a change on its way to another role than the one on record is told at once [S9]', () => {
    const quietOf = (roleARN: string): unknown => {
      const status = { deliveryType: 'EKSPodIdentity', roleARN, conditions: [ready] }
      const resources = { role: child('role', changed(0.5)), policy: absent, association: child('association'), other: absent }
      const { next } = decide(eks(status, { annotation: undefined, resources }))
      return next.kind === 'look-again' && (next.leavesStatus ?? false)
    }
    assert.deepEqual([quietOf(roleArn), quietOf(roleArn.replace(/.$/, 'x'))], [true, false])
  })
})

describe('a decision looks again', () => {
  const nextOf = (change: Partial<RoleSeen>, resources = childResources) => {
    const { next } = decide(change, resources)
    return next.kind === 'look-again' ? [next.afterMs, next.why, next.leavesStatus ?? false] : next.kind
  }
  const quiet = 'to tell what does not become ready'
  const held = (generation = 1): RoleSeen['claim'] => claim({}, recorded({ conditions: [ready] }), { generation })
  test('when the moment is over in which nothing is told, be it a millisecond', () => {
    const made = (ms: number): Partial<RoleSeen> =>
      withRole({ synced: false, metadata: { creationTimestamp: secondsAgo(ms / 1_000) } })
    assert.deepEqual(nextOf(made(1_999)), [1, quiet, true])
    assert.deepEqual(nextOf(made(2_000)), 'await-change')
  })
  test('when the children no longer speak of their old spec, be it in a millisecond', () => {
    const why = 'the children may still speak of their old spec'
    assert.deepEqual(nextOf(withRole(changed(0.5), { claim: held(2) })), [1_500, why, false])
    assert.deepEqual(nextOf(withRole(changed(1.999), { claim: held(2) })), [1, why, false])
    assert.deepEqual(nextOf(withRole(changed(2), { claim: held(2) })), 'await-change')
  })
  test('leaves what it says for as long as a change of ours is on its way, be it a millisecond, and no longer [S9]', () => {
    assert.deepEqual(nextOf(withRole(changed(1.999), { claim: held() })), [1, quiet, true])
    assert.deepEqual(nextOf(withRole(changed(2), { claim: held() })), 'await-change')
    const young = { synced: false, metadata: { creationTimestamp: secondsAgo(1) } }
    assert.deepEqual(nextOf(withRole(young, { claim: held() })), 'await-change')
    const nobody = claim({}, { conditions: [ready] } as RoleStatus)
    assert.notDeepEqual(nextOf(withRole({ ...changed(0.5), arn: undefined }, { claim: nobody })), [1_500, quiet, true])
  })
  test('at once, where calls of our own made something, and only then', () => {
    const own = { kind: 'act:aws', summary: 'make it' } as const
    const calls = {
      ...childResources,
      ensureRole: () => [own, { ...own, kind: 'act:other' }],
    } as unknown as typeof childResources
    const acting = { ...calls, settlesAtOnce: true } as typeof childResources
    assert.deepEqual(nextOf({ claim: held() }, acting), [0, 'to see what was made', false])
    const young = { synced: false, metadata: { creationTimestamp: secondsAgo(1) } }
    assert.deepEqual(nextOf(withRole(young), acting), [0, quiet, true])
    assert.deepEqual(nextOf({ claim: held() }, calls), 'await-change')
    const applying = { ...childResources, settlesAtOnce: true } as typeof childResources
    assert.deepEqual(nextOf({ claim: held() }, applying), 'await-change')
  })
})

describe('what a status tells of children', () => {
  const entry = (kind: string, name: string): AckResourceEntry => {
    const group = kind === 'PodIdentityAssociation' ? 'eks' : 'iam'
    return { apiVersion: `${group}.services.k8s.aws/v1alpha1`, kind, namespace: 'wlc-a', name }
  }
  const { ServiceAccount: stable } = roleNamesOf(claim())
  const document = { Version: '2012-10-17', Statement: [] }
  const policyName = resourceNames(claim()).policy
  const policy = entry('Policy', policyName)
  const told = (
    held: readonly AckResourceEntry[],
    status: object = {},
    spec: object = { policyDocument: document },
  ): readonly string[] => {
    const other = { ...absent, entry: entry('Role', stable) }
    const resources = {
      ...seen().resources,
      policy: child('policy'),
      ...('otherRoleName' in status ? { other: other as never } : {}),
    }
    const plan = decide({ claim: claim(spec, recorded({ ackResources: held, ...status })), resources })
    return ((plan.status?.ackResources ?? []) as readonly AckResourceEntry[]).map(({ kind, name }) => `${kind} ${name}`)
  }
  const names = { role: `Role ${roleName}`, former: entry('Role', 'former'), inForce: entry('Role', roleName) }
  test('is each child that is wanted, as it came first', () => {
    assert.deepEqual(told([]), [names.role, `Policy ${policyName}`])
    assert.deepEqual(told([policy, names.inForce]), [`Policy ${policyName}`, names.role])
    assert.deepEqual(told([policy], {}, { policyARNs: ['arn:a'] }), [names.role])
  })
  test('leaves a former role out, whose place the one in force takes', () => {
    assert.deepEqual(told([names.former, policy, names.inForce]), [names.role, `Policy ${policyName}`])
    assert.deepEqual(told([policy, names.former, names.inForce]), [`Policy ${policyName}`, names.role])
    assert.deepEqual(told([names.former, policy]), [`Policy ${policyName}`, names.role])
    assert.deepEqual(told([policy, names.inForce, names.former]), [`Policy ${policyName}`, names.role])
  })
  test('holds both roles of a binding that moves, where they were', () => {
    const other = entry('Role', stable)
    assert.deepEqual(told([other, policy, names.inForce], { otherRoleName: stable }), [
      `Role ${stable}`,
      `Policy ${policyName}`,
      names.role,
    ])
  })
})

describe('the former role that somebody released', () => {
  const { ServiceAccount: stable } = roleNamesOf(claim())
  const release = { annotations: { 'aws.identity.appthrust.io/release-role': stable } }
  const moved = claim({}, recorded({ otherRoleName: stable } as RoleStatus), release)
  const otherOf = (arn: string | undefined): RoleSeen['resources']['other'] => {
    const { arn: _arn, ...rest } = child('role', { metadata: { name: stable } })
    return { ...rest, ...(arn === undefined ? {} : { arn }) } as RoleSeen['resources']['other']
  }
  const deeds = (role: ChildOptions, arn?: string): readonly string[] =>
    decide({ claim: moved, resources: { ...seen().resources, role: child('role', role), other: otherOf(arn) } }).actions.map(
      action => ('object' in action ? `${action.kind} ${action.object.metadata.name}` : action.kind),
    )
  const arn = roleArn.replace(roleName, stable)
  test('goes, with a word of its ARN where it had one', () => {
    assert.deepEqual(deeds({}, arn), [`apply ${roleName}`, `delete ${stable}`, 'record-event'])
    assert.deepEqual(deeds({}), [`apply ${roleName}`, `delete ${stable}`])
  })
  test('stays as it is to be while the one in force is not delivered', () =>
    assert.deepEqual(deeds({ synced: false, metadata: { creationTimestamp: longAgo } }, arn), [
      `apply ${roleName}`,
      `apply ${stable}`,
    ]))
})
