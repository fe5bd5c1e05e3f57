import assert from 'node:assert/strict'
import { test } from 'node:test'
import { engineMetrics } from '../metrics/engine.ts'
import { Metrics } from '../metrics/registry.ts'
import { Trouble, type TroubleKind } from '../plan/trouble.ts'
import { countPass, queueMeter } from './meters.ts'
import type { PassRecord } from './pass.ts'

/** All that was counted, by metric without its prefix. */
function counted(metrics: Metrics): unknown {
  return Object.fromEntries(
    metrics
      .snapshot()
      .filter(({ points }) => points.length > 0)
      .map(({ name, points }) => [
        name.replace(/^controller_runtime_|_total$/g, ''),
        points.map(({ value, labels }) => [value, labels['result']]),
      ]),
  )
}

const failed = (kind: TroubleKind, reason = 'Unreachable'): Trouble => new Trouble({ kind, reason, message: 'it rains' })
const again = { kind: 'look-again', afterMs: 1, why: 'it may be there' } as const
const once = [[1, undefined]]

for (const [what, trouble, next, counts] of [
  ['succeeds', undefined, { kind: 'await-change' }, { reconcile: [[1, 'success']] }],
  ['succeeds and looks again', undefined, again, { reconcile: [[1, 'requeue_after']] }],
  [
    'can only be helped by a change',
    undefined,
    { kind: 'stalled', reason: 'Wrong', message: '' },
    { reconcile: [[1, 'success']] },
  ],
  ['meets a conflict', failed('soon'), undefined, { reconcile: [[1, 'requeue']], workqueue_retries: once }],
  ['meets weather', failed('backoff'), undefined, { reconcile: [[1, 'error']], reconcile_errors: once, workqueue_retries: once }],
  ['waits', failed('wait'), again, { reconcile: [[1, 'error']], reconcile_errors: once, workqueue_retries: once }],
  [
    'meets what only a change can help',
    failed('stop'),
    undefined,
    { reconcile: [[1, 'error']], reconcile_errors: once, terminal_reconcile_errors: once, workqueue_retries: once },
  ],
  [
    'meets a defect',
    failed('backoff', 'InternalError'),
    undefined,
    { reconcile: [[1, 'error']], reconcile_errors: once, reconcile_panics: once, workqueue_retries: once },
  ],
] as const)
  test(`a pass that ${what} is counted as ${counts.reconcile[0][1]}`, () => {
    const metrics = new Metrics()
    countPass(engineMetrics(metrics), { controller: 'widgets', trouble, next, tookMs: 2_500 } as unknown as PassRecord)
    assert.deepEqual(counted(metrics), { ...counts, reconcile_time_seconds: [[2.5, undefined]] })
  })

test('what a queue tells is counted in seconds', () => {
  const metrics = new Metrics()
  const meter = queueMeter(engineMetrics(metrics), 'widgets')
  meter.added?.('fresh')
  meter.started?.('fresh', 4_000)
  meter.finished?.(500)
  assert.deepEqual(counted(metrics), {
    workqueue_adds: once,
    workqueue_queue_duration_seconds: [[4, undefined]],
    workqueue_work_duration_seconds: [[0.5, undefined]],
  })
})
