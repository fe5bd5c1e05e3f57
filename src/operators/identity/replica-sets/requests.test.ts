// What people ask of a rollout by annotations, and which template counts then.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ServiceAccountRoleReplicaSet as ReplicaSet } from '../api/kinds.ts'
import { steeringOf } from './requests.ts'

const now = Date.parse('2026-01-02T00:00:00Z')
const [template, completed] = [{ spec: { name: 'new' } }, { spec: { name: 'old' } }]

function steered(asked: Readonly<Record<string, string>>, status?: object): ReturnType<typeof steeringOf> {
  const annotations = Object.fromEntries(
    Object.entries(asked).map(([name, value]) => [`aws.identity.appthrust.io/rollout-${name}`, value]),
  )
  return steeringOf({ metadata: { annotations }, spec: { template }, status } as unknown as ReplicaSet, now)
}

const had = { completedTemplate: completed }
for (const [what, asked, status, paused, rollback, counts] of [
  ['nothing is asked', {}, had, false, 'none', template],
  ['a pause is asked for', { paused: 'true' }, had, true, 'none', template],
  ['a pause is ended', { paused: 'false' }, had, false, 'none', template],
  ['a rollback is asked for', { rollback: 'true' }, had, false, 'asked', completed],
  ['a rollback is ended', { rollback: 'false' }, had, false, 'none', template],
  ['a rollback is asked for and nothing was ever done', { rollback: 'true' }, {}, true, 'unavailable', template],
  ['a rollback is asked for of a set without a status', { rollback: 'true' }, undefined, true, 'unavailable', template],
  ['both are asked for', { paused: 'true', rollback: 'true' }, had, true, 'asked', completed],
] as const)
  test(`where ${what}, the rollout ${paused ? 'stands' : 'goes on'} with the ${counts === template ? 'template of the spec' : 'one before'}`, () => {
    const { retry, ...said } = steered(asked, status)
    assert.deepEqual(said, { paused, rollback, template: counts })
    assert.equal(retry, undefined)
  })

const held = { request: 'one', since: '2026-01-01T00:00:00Z' }
for (const [what, asked, status, retry] of [
  ['is new', { retry: 'two' }, { retry: held }, { request: 'two', since: '2026-01-02T00:00:00Z', isNew: true }],
  ['is the first', { retry: 'one' }, {}, { request: 'one', since: '2026-01-02T00:00:00Z', isNew: true }],
  ['was taken up', { retry: 'one' }, { retry: held }, { ...held, isNew: false }],
  ['was taken up and is gone', {}, { retry: held }, { ...held, isNew: false }],
  ['was taken up and is empty now', { retry: '' }, { retry: held }, { ...held, isNew: false }],
  ['is empty', { retry: '' }, {}, undefined],
] as const)
  test(`a request for another try that ${what}`, () => assert.deepEqual(steered(asked, status).retry, retry))
