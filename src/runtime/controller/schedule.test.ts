import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Random } from '#base'
import type { StoredObject } from '#kube'
import { claimKey, renderClaimKey } from '../claim-key.ts'
import type { Change } from '../informer/change.ts'
import type { Next } from '../plan/plan.ts'
import { Trouble, type TroubleOptions } from '../plan/trouble.ts'
import type { AnyController } from './definition.ts'
import type { PassRecord } from './pass.ts'
import { ControllerSchedule } from './schedule.ts'

const key = claimKey({ namespace: 'team', name: 'app' })
const taken = { key, id: renderClaimKey(key), lane: 'fresh', waitedMs: 0 } as const
/** As if the longest of each wait were drawn. */
const longest = { float: () => 1, fork: () => longest } as unknown as Random

interface After {
  readonly trouble?: TroubleOptions
  readonly failed?: TroubleOptions
  readonly next?: Next
  readonly exists?: boolean
  readonly comebacks?: readonly string[]
}

function schedule(definition: Partial<AnyController> = {}, random = longest) {
  const added: unknown[] = []
  const queue = { add: ({ name }: typeof key, ...rest: unknown[]) => void added.push([name, ...rest]) }
  const made = new ControllerSchedule(definition as AnyController, queue as never, random)
  return {
    made,
    /** What a pass like this put into the queue. */
    after({ trouble, failed, next, exists = true, comebacks = [] }: After, of = taken): unknown {
      const outcomes = failed === undefined ? [] : [{ kind: 'failed', action: {}, trouble: new Trouble(failed) }]
      const record = { trouble: trouble && new Trouble(trouble), next, outcomes } as unknown as PassRecord
      made.after(of, record, { exists, comebacks: new Set(comebacks) })
      return added.splice(0)
    },
    wake(cluster: string | undefined): unknown {
      made.wake(cluster)
      return added.splice(0)
    },
  }
}

const trouble = (kind: TroubleOptions['kind'], more: Partial<TroubleOptions> = {}): TroubleOptions => ({
  kind,
  reason: 'Unreachable',
  message: 'it said so',
  ...more,
})
const again = (afterMs: number, lane?: 'begun' | 'drift'): Next => ({
  kind: 'look-again',
  afterMs,
  why: '',
  ...(lane && { lane }),
})

const rows: readonly (readonly [what: string, pass: After, added: readonly unknown[], definition?: Partial<AnyController>])[] = [
  ['all is well', {}, [['app', 'drift', 4_500_000]]],
  ['all is well and nothing drifts', {}, [], { driftMs: 0 }],
  ['all is well and drift is looked for each second', {}, [['app', 'drift', 1_250]], { driftMs: 1_000 }],
  ['the claim is gone', { exists: false }, []],
  ['the plan asks for another look', { next: again(70) }, [['app', 'retry', 70]]],
  ['the plan asks for one in a lane', { next: again(7, 'begun') }, [['app', 'begun', 7]]],
  ['the plan of a claim that is gone asks for one', { next: again(7), exists: false }, [['app', 'retry', 7]]],
  ['there was a conflict', { trouble: trouble('soon') }, [['app', 'retry', 10]]],
  ['there was weather', { trouble: trouble('backoff') }, [['app', 'retry', 200]]],
  [
    'the server asked for less patience than we have',
    { trouble: trouble('backoff', { retryAfterMs: 60 }) },
    [['app', 'retry', 200]],
  ],
  ['the server asked for half a second', { trouble: trouble('backoff', { retryAfterMs: 500 }) }, [['app', 'retry', 1_000]]],
  ['the server asked for a minute', { trouble: trouble('backoff', { retryAfterMs: 60_000 }) }, [['app', 'retry', 61_000]]],
  [
    'a breaker held it back',
    { trouble: trouble('backoff', { reason: 'DependencyDown', retryAfterMs: 10 }) },
    [['app', 'retry', 20]],
  ],
  [
    'a breaker held it back for an unknown time',
    { trouble: trouble('backoff', { reason: 'DependencyDown' }) },
    [['app', 'retry', 0]],
  ],
  ['something is not there yet', { trouble: trouble('wait') }, [['app', 'retry', 60_000]]],
  ['something comes in a second', { trouble: trouble('wait', { retryAfterMs: 1_000 }) }, [['app', 'retry', 1_000]]],
  ['the spec has to change', { trouble: trouble('stop') }, [['app', 'drift', 4_500_000]]],
]

for (const [what, pass, added, definition] of rows)
  test(`when ${what}, a claim comes back: ${JSON.stringify(added)} [P10]`, () =>
    assert.deepEqual(schedule(definition).after(pass), added))

test('drift is looked for between three and five quarters of its time [P12]', () => {
  for (const [drawn, afterMs] of [
    [0, 750],
    [0.5, 1_000],
    [1, 1_250],
  ] as const) {
    const random = { float: () => drawn, fork: () => random } as unknown as Random
    assert.deepEqual(schedule({ driftMs: 1_000 }, random).after({}), [['app', 'drift', afterMs]])
  }
})

for (const kind of ['soon', 'backoff'] as const)
  for (const [what, better] of [
    ['all is well', {}],
    ['the answer is clear', { trouble: trouble('wait') }],
    ['the spec has to change', { trouble: trouble('stop') }],
  ] as const)
    test(`trouble of the kind ${kind} is waited for longer each time, and once ${what} it is a first one again [L6]`, () => {
      const { made, after } = schedule()
      const first = kind === 'soon' ? 10 : 200
      const waits = (): unknown => [1, 2, 4].map(() => after({ trouble: trouble(kind) }))
      const growing = [1, 2, 4].map(times => [['app', 'retry', first * times]])
      assert.deepEqual(waits(), growing)
      assert.deepEqual([made.failing, made.failures(taken.id)], [1, kind === 'soon' ? 0 : 3])
      after(better)
      assert.deepEqual([made.failing, made.failures(taken.id)], [0, 0])
      assert.deepEqual(waits(), growing)
      made.forget(taken.id)
      assert.equal(made.failing, 0)
    })

test('conflicts that never end are tried every five seconds', () => {
  const { after } = schedule()
  for (let time = 0; time < 20; time++) after({ trouble: trouble('soon') })
  assert.deepEqual(after({ trouble: trouble('soon') }), [['app', 'retry', 5_000]])
})

test('what a breaker holds back uses up no patience of the claim', () => {
  const { made, after } = schedule()
  after({ trouble: trouble('backoff', { reason: 'DependencyDown' }) })
  assert.deepEqual([made.failing, made.failures(taken.id)], [0, 0])
})

test('who was turned away for a cluster is woken once when it follows again, and nobody else is [L7]', () => {
  const { after, wake } = schedule()
  const other = { ...taken, key: { ...key, name: 'other' }, id: 'team/other' }
  const away = { trouble: trouble('wait', { dependency: 'cluster:west' }) }
  after(away)
  after(away, other)
  after({ trouble: trouble('backoff', { dependency: 'cluster:east' }) })
  assert.deepEqual(wake('east'), [])
  assert.deepEqual(wake(undefined), [])
  assert.deepEqual(wake('west'), [
    ['app', 'retry'],
    ['other', 'retry'],
  ])
  assert.deepEqual(wake('west'), [])
})

test('an action that was turned away is woken like its pass, and one without a name for what it waits for is not [L7]', () => {
  const { after, wake } = schedule()
  after({ trouble: trouble('backoff'), failed: trouble('wait', { dependency: 'hub' }) })
  assert.deepEqual(wake(undefined), [['app', 'retry']])
  after({ trouble: trouble('wait') })
  assert.deepEqual(wake(undefined), [])
})

test('a cluster that came back while the pass was under way wakes it at its end [L7]', () => {
  const { made, after, wake } = schedule()
  const [first, second] = [made.openComebacks(), made.openComebacks()]
  second.close()
  wake('west')
  assert.deepEqual([[...first.names], [...second.names]], [['cluster:west'], []])
  const away = (dependency: string): unknown => after({ trouble: trouble('wait', { dependency }), comebacks: [...first.names] })
  assert.deepEqual(away('cluster:west'), [
    ['app', 'retry', 60_000],
    ['app', 'retry'],
  ])
  assert.deepEqual(wake('west'), [])
  assert.deepEqual(away('cluster:east'), [['app', 'retry', 60_000]])
  assert.deepEqual(wake('east'), [['app', 'retry']])
})

type Status = AnyController['status']
const plain: Status = { kind: 'subresource', observedGeneration: true }
const bare: Status = { kind: 'subresource', observedGeneration: false, conditionGeneration: false }

const claims: readonly (readonly [what: string, lane: string, object: object, status?: Status, initial?: boolean])[] = [
  ['is new', 'fresh', { status: { observedGeneration: 3 } }, plain, false],
  ['was found with nothing said of it', 'fresh', {}],
  ['was found with its generation looked at', 'drift', { status: { observedGeneration: 3 } }],
  ['was found with an older generation looked at', 'fresh', { status: { observedGeneration: 2 } }],
  ['was found with a condition of its generation', 'drift', { status: { conditions: [{ observedGeneration: 3 }] } }],
  [
    'was found with a condition of an older generation',
    'fresh',
    { status: { observedGeneration: 3, conditions: [{ observedGeneration: 2 }] } },
  ],
  ['was found as it is deleted', 'fresh', { deletionTimestamp: '2026-01-01T00:00:00Z', status: { observedGeneration: 3 } }],
  ['is spoken of elsewhere', 'drift', {}, { kind: 'none' }],
  ['was found ready, without generations', 'drift', { status: { conditions: [{ type: 'Ready', status: 'True' }] } }, bare],
  [
    'was found ready among others, without generations',
    'drift',
    {
      status: {
        conditions: [
          { type: 'Other', status: 'False' },
          { type: 'Ready', status: 'True' },
        ],
      },
    },
    bare,
  ],
  ['was found unready, without generations', 'fresh', { status: { conditions: [{ type: 'Ready', status: 'False' }] } }, bare],
  [
    'was found well in another way, without generations',
    'fresh',
    { status: { conditions: [{ type: 'Other', status: 'True' }] } },
    bare,
  ],
]

for (const [what, lane, { deletionTimestamp, ...rest }, status = plain, initial = true] of claims as readonly (readonly [
  string,
  string,
  { readonly deletionTimestamp?: string },
  Status?,
  boolean?,
])[])
  test(`a claim that ${what} goes into the lane ${lane} [P12]`, () => {
    const metadata = { name: 'app', generation: 3, ...(deletionTimestamp && { deletionTimestamp }) }
    const change = { kind: 'added', object: { metadata, ...rest } as unknown as StoredObject, initial } satisfies Change
    assert.equal(schedule({ status } as Partial<AnyController>).made.laneOf(change), lane)
  })

test('a claim that changed goes into the lane of new ones, whatever was said of it', () => {
  const object = { metadata: { name: 'app', generation: 3 }, status: { observedGeneration: 3 } } as unknown as StoredObject
  const { made } = schedule()
  assert.equal(made.laneOf({ kind: 'changed', object, previous: object }), 'fresh')
  assert.equal(made.laneOf({ kind: 'removed', object }), 'fresh')
  assert.equal(made.laneOf({ kind: 'added', object, initial: true }), 'drift')
})
