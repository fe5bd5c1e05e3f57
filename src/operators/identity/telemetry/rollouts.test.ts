import assert from 'node:assert/strict'
import { test } from 'node:test'
import { silentLog } from '#base'
import type { StoredObject } from '#kube'
import { Metrics } from '#runtime'
import { replicaSetKind, roleKind } from '../api/kinds.ts'
import { createTelemetry } from './telemetry.ts'

type Said = readonly [type: string, status: string, reason: string]

function setWith(name: string, conditions: readonly Said[], rollout: object = {}): StoredObject {
  const set = {
    apiVersion: replicaSetKind.apiVersion,
    kind: replicaSetKind.type.kind,
    metadata: { namespace: 'platform', name, uid: name, resourceVersion: '1' },
    status: {
      rollout,
      conditions: conditions.map(([type, status, reason]) => ({ type, status, reason, message: '', lastTransitionTime: '' })),
    },
  }
  return set
}

function listen() {
  const metrics = new Metrics()
  const telemetry = createTelemetry({ metrics, log: silentLog, deliveryTypeOf: () => '' })
  const having = (name: string): Readonly<Record<string, number>> => {
    const lines = metrics.expose().split('\n')
    const found = lines.flatMap(line => {
      const [, state, value] = new RegExp(`^${name}\\{state="(\\w+)"\\} (\\d+)$`).exec(line) ?? []
      return state === undefined ? [] : [[state, Number(value)] as const]
    })
    return Object.fromEntries(found)
  }
  const transitions = () => metrics.expose().match(/condition="Rollout\w+",status="\w+",reason="\w+"\} \d+/g) ?? []
  return { telemetry, having, transitions }
}

const noSets = { complete: 0, progressing: 0, paused: 0, stopped: 0, unresolved: 0 }
const noClusters = { succeeded: 0, updating: 0, failed: 0, timed_out: 0, waiting: 0 }

const steered: readonly (readonly [what: string, conditions: readonly Said[], state: keyof typeof noSets])[] = [
  ['without a status', [], 'progressing'],
  ['that goes on', [['PlacementRolledOut', 'False', 'Progressing']], 'progressing'],
  ['that is done', [['PlacementRolledOut', 'True', 'Complete']], 'complete'],
  [
    'that is paused although too many failed',
    [
      ['RolloutPaused', 'True', 'RolloutPaused'],
      ['RolloutStopped', 'True', 'TooManyFailures'],
    ],
    'paused',
  ],
  [
    'that was resumed and is stopped',
    [
      ['RolloutPaused', 'False', 'RolloutResumed'],
      ['RolloutStopped', 'True', 'TooManyFailures'],
    ],
    'stopped',
  ],
  [
    'whose placement went after it was done',
    [
      ['PlacementResolved', 'False', 'PlacementUnavailable'],
      ['PlacementRolledOut', 'True', 'Complete'],
    ],
    'unresolved',
  ],
]

for (const [what, conditions, state] of steered)
  test(`a set ${what} counts as ${state}`, () => {
    const { telemetry, having } = listen()
    telemetry.onMove({ change: { kind: 'added', object: setWith('app', conditions), initial: true } })
    assert.deepEqual([having('awio_rollouts'), having('awio_rollout_clusters')], [{ ...noSets, [state]: 1 }, noClusters])
  })

test('clusters are summed up over all sets, and those of a set that is gone count no more', () => {
  const { telemetry, having } = listen()
  const first = setWith('a', [], { total: 10, updating: 2, succeeded: 3, failed: 1, timedOut: 1 })
  const second = setWith('b', [], { total: 4, updating: 4 })
  telemetry.onMove({ change: { kind: 'added', object: first, initial: true } })
  telemetry.onMove({ change: { kind: 'added', object: second, initial: false } })
  assert.deepEqual(having('awio_rollout_clusters'), { succeeded: 3, updating: 6, failed: 1, timed_out: 1, waiting: 3 })
  const done = setWith('b', [['PlacementRolledOut', 'True', 'Complete']], { total: 4, succeeded: 4 })
  telemetry.onMove({ change: { kind: 'changed', previous: second, object: done } })
  assert.deepEqual(having('awio_rollouts'), { ...noSets, progressing: 1, complete: 1 })
  telemetry.onMove({ change: { kind: 'removed', object: first } })
  telemetry.onMove({ change: { kind: 'removed', object: done } })
  assert.deepEqual([having('awio_rollouts'), having('awio_rollout_clusters')], [noSets, noClusters])
})

test('what is no set is not counted among them', () => {
  const { telemetry, having } = listen()
  const role = { ...setWith('app', []), kind: roleKind.type.kind }
  telemetry.onMove({ change: { kind: 'added', object: role, initial: true } })
  assert.deepEqual(having('awio_rollouts'), {})
})

test('a rollout that is paused, resumed, retried, rolled back or stopped is a transition each, by its own reason', () => {
  const { telemetry, transitions } = listen()
  const moves: readonly (readonly [Said, Said])[] = [
    [
      ['RolloutPaused', 'True', 'RolloutPaused'],
      ['RolloutPaused', 'False', 'RolloutResumed'],
    ],
    [
      ['RolloutRetried', 'True', 'RetryRequested'],
      ['RolloutRetried', 'False', 'RetryEnded'],
    ],
    [
      ['RolloutRolledBack', 'True', 'RolledBack'],
      ['RolloutRolledBack', 'False', 'RollbackEnded'],
    ],
    [
      ['RolloutStopped', 'True', 'TooManyFailures'],
      ['RolloutStopped', 'False', 'WithinLimits'],
    ],
  ]
  for (const [on, off] of moves) {
    telemetry.onMove({ change: { kind: 'changed', previous: setWith('app', []), object: setWith('app', [on]) } })
    telemetry.onMove({ change: { kind: 'changed', previous: setWith('app', [on]), object: setWith('app', [off]) } })
  }
  assert.deepEqual(
    transitions().toSorted(),
    moves
      .flat()
      .map(([type, status, reason]) => `condition="${type}",status="${status}",reason="${reason}"} 1`)
      .toSorted(),
  )
})
