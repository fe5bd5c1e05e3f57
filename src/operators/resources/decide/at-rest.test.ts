// What is said of a resource to which nothing has to be done, and when it is looked at again.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Condition } from '#kube'
import { conditions } from '../api.ts'
import type { Deviation } from '../kinds/deviation.ts'
import type { Content } from '../model/request.ts'
import { recordCondition } from '../ownership/ownership-record.ts'
import { type KindMadeUp, madeUpKind } from '../testing/made-up-kind.ts'
import { arn, type Circumstances, present, situationOf, tagsOf, uid } from '../testing/situation.ts'
import { atRest, type RestOptions, readyOf, statusOf } from './at-rest.ts'

const calm: RestOptions = { advisories: [] }
const content = (more: Partial<Content> = {}): Content => {
  const found = present()
  return found.kind === 'present' ? { ...found.content, ...more } : assert.fail()
}

function rested(circumstances: Circumstances, latest: Content = content(), options = calm) {
  const plan = atRest(situationOf(circumstances), latest, options)
  const of = (type: string): string => {
    const said = plan.conditions.find(each => each.type === type)
    return said === undefined ? 'none' : `${said.status} ${said.reason}: ${said.message}`
  }
  return { plan, of }
}

test('a resource is in step when its kind, its config or its own state says so', () => {
  const settings = { synced: [{ path: 'Status.Status', in: ['ACTIVE'] }] } as const
  const withState: KindMadeUp = { status: { Status: 'string' } }
  const synced = (parts: KindMadeUp, status: string | undefined, deviation: Deviation = {}): string =>
    rested({ model: madeUpKind(parts), deviation }, content({ status: { status } })).of(conditions.synced)
  const inStep = 'True Synced: Resource synced successfully'
  assert.equal(synced(withState, 'ACTIVE'), inStep)
  assert.equal(synced(withState, undefined), inStep)
  assert.equal(synced(withState, 'CREATING'), 'False NotSynced: resource is in CREATING state')
  assert.equal(synced({ ...withState, settings }, 'ACTIVE'), inStep)
  assert.equal(synced({ ...withState, settings }, 'CREATING'), 'False NotSynced: Resource not synced')
  const says = (isSynced: boolean): Deviation => ({ state: () => ({ synced: isSynced, message: 'by its kind' }) }) as never
  assert.equal(synced(withState, 'CREATING', says(true)), inStep)
  assert.equal(synced(withState, 'ACTIVE', says(false)), 'False NotSynced: by its kind')
  const { of, plan } = rested({}, content(), { ...calm, unsynced: 'by others' })
  assert.equal(of(conditions.synced), 'False NotSynced: by others')
  assert.deepEqual(plan.next, { kind: 'look-again', afterMs: 30_000, why: 'by others' })
})

test('what failed for ever is terminal, and a kind says when it is looked at', () => {
  const state = (terminal: boolean): Deviation =>
    ({ state: () => ({ synced: false, terminal, message: 'broken', lookAfterMs: 7 }) }) as never
  const { of, plan } = rested({ deviation: state(true) })
  assert.equal(of(conditions.terminal), 'True Failed: broken')
  assert.equal(of(conditions.ready), 'False ACK.Terminal: broken')
  assert.equal(plan.next.kind === 'look-again' && plan.next.afterMs, 7)
  assert.equal(rested({ deviation: state(false) }).of(conditions.terminal), 'none')
})

test('references are told where there are some, and notices of one type as one', () => {
  const notice = (message: string): Condition => ({ type: conditions.advisory, status: 'True', reason: 'R', message })
  const resolved = (hasReferences: boolean): Circumstances => ({
    seen: { references: { kind: 'resolved', spec: {}, notices: [notice('a')], hasReferences } },
  })
  assert.equal(rested(resolved(true)).of(conditions.references), 'True Resolved: ')
  assert.equal(rested(resolved(false)).of(conditions.references), 'none')
  const unresolved = { kind: 'unresolved', how: 'wait', message: 'm', terminal: false } as const
  assert.equal(rested({ seen: { references: unresolved } }).of(conditions.references), 'none')
  const said = (...messages: readonly string[]): readonly string[] =>
    rested(resolved(true), content(), { advisories: messages.map(notice) })
      .plan.conditions.filter(({ type }) => type === conditions.advisory)
      .map(({ message }) => message)
  assert.deepEqual([said(), said('b', 'a', 'c')], [['a'], ['a; b; c']])
  assert.deepEqual(
    rested(resolved(false)).plan.conditions.filter(({ type }) => type === conditions.advisory),
    [],
  )
})

test('whose it is stays on record', () => {
  const owner = (circumstances: Circumstances, latest?: Content): string => rested(circumstances, latest).of(conditions.ownership)
  const adopted = (formerMark: string | undefined): object => ({
    conditions: [recordCondition({ kind: 'adopted', formerMark, identity: {} })],
  })
  const readOnly = { adoption: { kind: 'read-only' } } as const
  assert.equal(owner({}), 'none')
  assert.equal(owner({ status: undefined }, content({ arn: undefined })), 'True Made: {"is":{"name":"one"}}')
  assert.equal(owner({}, content({ arn: undefined })), 'none')
  assert.equal(owner({ seen: readOnly }, content({ spec: tagsOf('u2') as never })), 'False OnlyRead: ')
  assert.equal(owner({ seen: readOnly }, content({ spec: tagsOf(uid) as never })), 'none')
  assert.equal(owner({ status: undefined }, content({ spec: tagsOf('u2') as never })), 'none')
  assert.equal(owner({ status: adopted('u2') }, content({ spec: tagsOf('u2') as never })), 'True Adopted: {"mark":"u2"}')
  assert.equal(owner({ status: adopted('u2') }, content({ spec: tagsOf(uid) as never })), 'none')
  assert.equal(owner({ status: adopted(undefined) }, content({ spec: {} })), 'none')
  assert.equal(owner({}, content({ spec: {} })), 'none')
})

test('Ready sums up: what is terminal before what recovers, before what is not in step', () => {
  const said = (type: string, status: Condition['status'], message: string): Condition => ({ type, status, reason: 'R', message })
  const [terminal, recoverable] = [conditions.terminal, conditions.recoverable]
  const of = (...all: readonly Condition[]): string => Object.values(readyOf(all)).join(' ')
  const synced = said(conditions.synced, 'False', 's')
  assert.equal(of(synced, said(recoverable, 'True', 'r'), said(terminal, 'True', 't')), `Ready False ${terminal} t`)
  assert.equal(of(synced, said(recoverable, 'True', 'r'), said(terminal, 'False', 't')), `Ready False ${recoverable} r`)
  assert.equal(of(said(recoverable, 'False', 'r'), said(conditions.advisory, 'True', 'a'), synced), 'Ready False R s')
  assert.equal(of(said(conditions.advisory, 'True', 'a')), 'Ready Unknown Unknown ')
})

test('a status has every field of the kind, and keeps where the resource is', () => {
  const model = madeUpKind({ status: { One: 'string', Two: 'string' } })
  const of = (latest: Partial<Content> & { readonly ownerAccount?: string }, held?: object): object =>
    statusOf(situationOf({ model, status: held === undefined ? undefined : { ackResourceMetadata: held } }), {
      spec: {},
      status: {},
      ...latest,
    })
  const here = { ownerAccountID: '111122223333', partition: 'aws', region: 'eu-west-1' }
  assert.deepEqual(of({ status: { one: '1' }, arn }), { one: '1', two: undefined, ackResourceMetadata: { arn, ...here } })
  const there = { arn: 'arn:held', ownerAccountID: '444455556666', partition: 'aws-cn', region: 'cn-north-1' }
  assert.deepEqual(of({}, there), { one: undefined, two: undefined, ackResourceMetadata: there })
  assert.deepEqual(of({ arn, ownerAccount: '777788889999' }, there), {
    one: undefined,
    two: undefined,
    ackResourceMetadata: { ...there, arn, ownerAccountID: '777788889999' },
  })
})
