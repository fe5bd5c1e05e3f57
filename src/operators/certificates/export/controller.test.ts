// Which changes are worth a look at an export, and what is said of one.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StoredObject } from '#kube'
import { type Change, emptyPlan, type Outcome, Trouble } from '#runtime'
import type { CertStatus } from '../api/status.ts'
import { certSeen, type SeenOptions } from '../testing/cert-seen.fixture.ts'
import { exportController } from './controller.ts'
import { exported } from './decide.ts'

const controller = exportController({
  readyMs: 1,
  exportNamespaces: ['team'],
  namespaces: undefined,
  cloud: {} as never,
  clusterId: 'here',
  random: {} as never,
  failedMs: 1,
})
const certOf = (seen: SeenOptions): StoredObject => (certSeen(seen).claim ?? assert.fail()) as StoredObject
const changed = (before: SeenOptions, after: SeenOptions): Change =>
  ({ kind: 'changed', object: certOf(after), previous: certOf(before) }) as Change
const serving: CertStatus = { certificateArn: 'a', certReady: true, serial: 's' }

for (const [what, before, after, isWorthIt] of [
  ['nothing', {}, {}, false],
  ['another spec', {}, { metadata: { generation: 2 } }, true],
  ['another certificate', { status: serving }, { status: { ...serving, certificateArn: 'b' } }, true],
  ['the end of one', { status: serving }, { status: { ...serving, certReady: false } }, true],
  ['a renewal', { status: serving }, { status: { ...serving, serial: 't' } }, true],
  ['a message', { status: serving }, { status: { ...serving, message: 'x' } }, false],
] satisfies readonly (readonly [string, SeenOptions, SeenOptions, boolean])[])
  test(`of a Cert ${what} is ${isWorthIt ? '' : 'not '}worth a look at its export [16.6]`, () => {
    assert.equal(controller.isWorth?.(changed(before, after)), isWorthIt)
    assert.equal(controller.isWorth?.({ ...changed(before, after), kind: 'added' } as never), true)
  })

test('one export goes at a time, and says nothing of the spec [16.6]', () => {
  assert.deepEqual([controller.workers, controller.status], [1, { kind: 'subresource', observedGeneration: false }])
})

const around = { failures: 1, current: [], generation: 1, summary: 'Exported', seen: {} }
const told = (outcomes: readonly Outcome[], conditions: readonly ReturnType<typeof exported>[] = []): unknown =>
  controller.reconciler.report?.({ ...around, plan: { ...emptyPlan, conditions }, outcomes } as never)
const failing = (reason: string): readonly Outcome[] => [
  { kind: 'failed', action: {} as never, trouble: new Trouble({ kind: 'wait', reason, message: 'no' }) },
]

test('what is exported is said, and where nothing is planned nothing is [16.6]', () => {
  const conditions = [exported('True', 'Exported', 'x')]
  assert.deepEqual(told([], conditions), { conditions })
  assert.equal(told([]), undefined)
})

for (const [reason, said] of [
  ['OwnedByAnother', 'Conflict'],
  ['Conflict', 'Conflict'],
  ['NotExportable', 'NotExportable'],
  ['AccessDenied', 'AccessDenied'],
  ['Forbidden', 'Forbidden'],
  ['Throttled', undefined],
] as const)
  test(`an export that fails by ${reason} is ${said ?? 'not spoken of'} [16.6]`, () => {
    assert.deepEqual(told(failing(reason)), said && { conditions: [exported('False', said, 'no')] })
  })
