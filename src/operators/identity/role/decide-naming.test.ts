// Which name the role of a binding has, decision by decision. What becomes of it in a world is in naming.test.ts.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { asRoleArn } from '#aws'
import type { OperatorConfig, RoleStatus } from '../api/kinds.ts'
import type { ChildState } from '../children/state.ts'
import { decideNaming, type Naming, visibleMs } from './naming.ts'
import { resourceNames, roleNamesOf } from './resources.ts'
import { absent, child, claim, now, operatorConfig, recorded, roleArn, seen, stored } from './role-seen.fixture.ts'
import type { RoleSeen } from './seen.ts'

const { ObjectUID: first, ServiceAccount: stable } = roleNamesOf(claim())
const none = { role: absent, policy: absent, association: absent, other: absent }
const stableByDefault: OperatorConfig = { ...operatorConfig, spec: { roleNames: 'ServiceAccount' } }
const annotationOf = (name: string, value: string) => ({ annotations: { [`aws.identity.appthrust.io/${name}`]: value } })
const asked = annotationOf('role-names', 'ServiceAccount')
const otherArn = asRoleArn(roleArn.replace(first, stable))

const naming = (change: Partial<RoleSeen>): Naming => decideNaming(seen({ resources: none, ...change }), now)

describe('a binding without a role', () => {
  test('has the name that the platform chose on record before anything is made [P2]', () => {
    assert.deepEqual(naming({ operatorConfig: stableByDefault }), { kind: 'record', status: { roleName: stable } })
    assert.deepEqual(naming({}), { kind: 'named', conditions: [] })
  })
  for (const [what, change] of [
    ['name', { claim: claim({}, { roleName: first } as RoleStatus) }],
    ['ARN', { claim: claim({}, { roleARN: roleArn } as RoleStatus) }],
    ['object', { resources: { ...none, role: child('role') } }],
  ] as readonly (readonly [string, Partial<RoleSeen>])[])
    test(`keeps its name where its ${what} is there already, whatever the platform chooses now`, () =>
      assert.deepEqual(naming({ operatorConfig: stableByDefault, ...change }), { kind: 'named', conditions: [] }))
  test('may choose one that fits any pattern of a rule for its cluster', () => {
    const may = (allowedRoleNames: OperatorConfig['spec']['allowedRoleNames']): string =>
      naming({
        claim: claim({ roleName: 'payments-reader' }),
        operatorConfig: { ...operatorConfig, spec: { allowedRoleNames: allowedRoleNames ?? [] } },
      }).kind
    assert.equal(may([{ names: ['billing-*', 'payments-*'] }]), 'record')
    assert.equal(may([{ names: ['x'] }, { clusters: ['wlc-z', 'wlc-*'], names: ['payments-*'] }]), 'record')
    assert.equal(may([{ clusters: ['wlc-z'], names: ['payments-*'] }]), 'refused')
    assert.equal(may([]), 'refused')
  })
})

test('of a status only names that the binding can have are believed, and none twice [S2]', () => {
  const namesOf = (status: object) => {
    const { role, other } = resourceNames(claim({}, status as RoleStatus))
    return [role, other]
  }
  assert.deepEqual(namesOf({ roleName: 'somebody-elses', otherRoleName: 'another' }), [first, undefined])
  assert.deepEqual(namesOf({ roleName: stable, otherRoleName: stable }), [stable, undefined])
  assert.deepEqual(namesOf({ roleName: stable, otherRoleName: first }), [stable, first])
})

test('that a role is the only one is said where it was told of another, or has another name than by default', () => {
  const said = (...of: Parameters<typeof claim>): unknown => {
    const found = naming({ claim: claim(...of), operatorConfig: { ...operatorConfig, spec: {} } })
    return found.kind === 'named' && found.conditions.map(({ status, reason, message }) => `${status} ${reason} ${message}`)
  }
  assert.deepEqual(said({}, recorded()), [])
  const told = recorded({ conditions: [stored('RoleMigrated', 'True', 'FormerRoleKept')] })
  assert.deepEqual(said({}, told), [`True RoleMigrated ${first} is the only role of this binding`])
  const renamed = recorded({ roleName: stable } as RoleStatus)
  assert.deepEqual(said({}, renamed, asked), [`True RoleMigrated ${stable} is the only role of this binding`])
})

describe('a binding that moves', () => {
  const moving = claim({}, recorded({ otherRoleName: stable } as RoleStatus), asked)
  const other = (madeAgoMs: number, more: object = {}): ChildState =>
    ({ ...child('role'), arn: otherArn, madeAt: now - madeAgoMs, ...more }) as ChildState
  const moved = (state: ChildState): Naming =>
    naming({ claim: moving, resources: { ...none, role: child('role'), other: state as RoleSeen['resources']['other'] } })
  const inForce: Naming = { kind: 'record', status: { roleName: stable, otherRoleName: first, roleARN: otherArn } }
  const waits = (why: string, lookAgainMs?: number): Naming => {
    const message = `${stable} is to be the role of this binding, and ${first} is until then: ${why}`
    const conditions = [{ type: 'RoleMigrated', status: 'False', reason: 'RoleMigrating', message } as const]
    return { kind: 'named', conditions, ...(lookAgainMs === undefined ? {} : { lookAgainMs }) }
  }
  const young = 'it was made a moment ago'

  test('waits until IAM has told of the new role, which takes it fifteen seconds at most', () => {
    assert.equal(visibleMs, 15_000)
    assert.deepEqual(moved(other(0)), waits(young, 15_000))
    assert.deepEqual(moved(other(14_999)), waits(young, 1))
    assert.deepEqual(moved(other(15_000)), inForce)
    assert.deepEqual(moved(other(0, { madeAt: undefined })), inForce)
  })
  test('does not wait for hours where our clock is behind [W8]', () => {
    assert.deepEqual(moved(other(-15_000)), waits(young, 30_000))
    assert.deepEqual(moved(other(-15_001)), inForce)
  })
  test('waits for a role that is not there yet, or has no ARN, by its own words', () => {
    const { arn: _arn, ...nameless } = other(60_000)
    const noun = `IAM role ${stable}`
    assert.deepEqual(moved(nameless as ChildState), waits(`${noun} is synced by ACK and has no ARN yet`))
    assert.deepEqual(moved(other(0, { stage: 'waiting' })), waits(`${noun} is not synced by ACK`))
  })
})
