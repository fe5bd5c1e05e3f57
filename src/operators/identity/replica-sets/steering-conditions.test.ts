// What is said of a rollout that somebody steers. Each is said only once it was so.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FleetPlan } from '#fleet'
import type { ServiceAccountRoleReplicaSet as ReplicaSet } from '../api/kinds.ts'
import type { Steering } from './requests.ts'
import { steeringConditions } from './steering-conditions.ts'

const template = { metadata: {}, spec: {} } as unknown as Steering['template']
const request = 'r'.repeat(65)
const retry = { request, since: '2026-01-01T00:00:00Z', isNew: true }

interface Seen {
  readonly held?: string
  readonly status?: 'True' | 'False'
  readonly steering?: Partial<Steering>
  readonly updating?: number
  readonly breached?: readonly string[]
}

function said({ held, status = 'True', steering, updating = 0, breached = [] }: Seen): readonly string[] {
  const conditions = held === undefined ? [] : [{ type: held, status, reason: 'X', message: '', lastTransitionTime: '' }]
  const claim = { spec: { template }, status: { conditions } } as unknown as ReplicaSet
  const placements = ['p', 'q'].map(name => ({ name, isBreached: breached.includes(name) }))
  const plan = { counts: { updating }, placements } as unknown as FleetPlan
  const found = steeringConditions(claim, { paused: false, rollback: 'none', template, retry: undefined, ...steering }, plan)
  return found.map(condition => `${condition.type}=${condition.status}/${condition.reason}: ${condition.message}`)
}

const retried = `RolloutRetried=True/RetryRequested: request "${'r'.repeat(64)}" of 2026-01-01T00:00:00Z`
const ended = 'RolloutRetried=False/RetryEnded: every cluster that was tried again is done, or out of time again'
const pause = 'every cluster stays as it is until the annotation aws.identity.appthrust.io/rollout-paused is taken away'
const unavailable = 'RolloutRolledBack=False/RollbackUnavailable: no template was ever rolled out to its end'
const stopped = 'failed than may: mend them, or try them again by the annotation aws.identity.appthrust.io/rollout-retry'

for (const [what, seen, wanted] of [
  ['that nobody steers', {}, []],
  ['that is paused', { steering: { paused: true } }, [`RolloutPaused=True/RolloutPaused: ${pause}`]],
  ['that was paused', { held: 'RolloutPaused' }, ['RolloutPaused=False/RolloutResumed: the rollout goes on']],
  [
    'that has nothing to roll back to',
    { steering: { paused: true, rollback: 'unavailable' } },
    ['RolloutPaused=True/RolloutPaused: there is nothing to roll back to', unavailable],
  ],
  ['that failed too often', { breached: ['q'] }, [`RolloutStopped=True/TooManyFailures: more clusters of q ${stopped}`]],
  [
    'that failed too often twice',
    { breached: ['p', 'q'] },
    [`RolloutStopped=True/TooManyFailures: more clusters of p, q ${stopped}`],
  ],
  [
    'that had failed too often',
    { held: 'RolloutStopped' },
    ['RolloutStopped=False/WithinLimits: no more clusters failed than may'],
  ],
  ['that is tried again', { steering: { retry } }, [retried]],
  [
    'that is being tried again',
    { held: 'RolloutRetried', updating: 1, steering: { retry: { ...retry, isNew: false } } },
    [retried],
  ],
  ['that was tried again', { held: 'RolloutRetried', steering: { retry: { ...retry, isNew: false } } }, [ended]],
  [
    'that was tried again long ago',
    { held: 'RolloutRetried', status: 'False', updating: 1, steering: { retry: { ...retry, isNew: false } } },
    [ended],
  ],
  ['whose request is on record and was never told', { updating: 1, steering: { retry: { ...retry, isNew: false } } }, []],
  ['whose request is gone', { held: 'RolloutRetried', updating: 1 }, [ended]],
  [
    'that was rolled back',
    { held: 'RolloutRolledBack' },
    ['RolloutRolledBack=False/RollbackEnded: the template of the spec counts'],
  ],
] as readonly (readonly [string, Seen, readonly string[]])[])
  test(`of a rollout ${what} ${wanted.length === 0 ? 'nothing is said' : 'just that is said'}`, () =>
    assert.deepEqual(said(seen), wanted))

test('a rollback to what the spec says already is told as such', () => {
  const [same] = said({ steering: { rollback: 'asked' } })
  const [other] = said({ steering: { rollback: 'asked', template: { ...template, metadata: { labels: {} } } as never } })
  assert.match(same ?? '', /^RolloutRolledBack=True\/RolledBack: the template of the spec is what was rolled out last/)
  assert.match(other ?? '', /^RolloutRolledBack=True\/RolledBack: the template that was rolled out last counts/)
})
