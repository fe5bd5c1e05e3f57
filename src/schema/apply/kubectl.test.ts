import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../json.ts'
import { builtinKind } from '../kinds/kind.ts'
import type { MergeShape } from '../shape.ts'
import { serverSideApply } from './apply.ts'
import { lastAppliedAnnotation } from './last-applied.ts'
import type { ApplyResult } from './types.ts'
import { trackUpdate } from './update.ts'

const shape = builtinKind('', 'v1', 'ConfigMap')?.shape as MergeShape
const now = '2026-01-01T00:00:00Z'

function map(data: JsonObject, annotations?: JsonObject): JsonObject {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c', ...(annotations !== undefined && { annotations }) }, data }
}

/** What was applied by the client lies in an annotation, and belongs to another writer. */
function live(data: JsonObject, last: string): JsonObject {
  const next = map(data, { [lastAppliedAnnotation]: last })
  return trackUpdate({ live: undefined, next, manager: 'kubectl-client-side-apply', shape, apiVersion: 'v1', now })
}

function apply(before: JsonObject, applied: JsonObject, manager = 'kubectl', force = false): ApplyResult {
  return serverSideApply({ live: before, applied, manager, force, shape, apiVersion: 'v1', now })
}

const last = (data: JsonObject, apiVersion = 'v1'): string => JSON.stringify({ ...map(data), apiVersion })
const conflict = 'Apply failed with 1 conflict: conflict with "kubectl-client-side-apply" using v1: .data.a'

test('what kubectl applied by itself before, kubectl may take without a conflict', () => {
  const before = live({ a: '1' }, last({ a: '1' }))
  const result = apply(before, map({ a: '2' }))
  assert.equal(result.kind === 'merged' && (result.object.data as JsonObject).a, '2')
})

const owned: readonly (readonly [what: string, before: JsonObject, manager?: string])[] = [
  ['changed since then', live({ a: '1' }, last({ a: '0' }))],
  ['never applied', live({ a: '1' }, last({ b: '1' }))],
  ['applied at another version', live({ a: '1' }, last({ a: '1' }, 'v2'))],
  ['applied by a text that is no JSON', live({ a: '1' }, '{')],
  ['applied by a text that is no object', live({ a: '1' }, '[]')],
  ['to be taken by somebody else', live({ a: '1' }, last({ a: '1' })), 'other'],
]

for (const [what, before, manager] of owned)
  test(`what was ${what} is a conflict`, () => {
    const result = apply(before, map({ a: '2' }), manager)
    assert.equal(result.kind === 'conflict' && result.message, conflict)
  })

function annotationsAfter(before: JsonObject, applied: JsonObject, manager?: string): JsonObject {
  const result = apply(before, applied, manager, true)
  assert.equal(result.kind, 'merged')
  return result.kind === 'merged' ? ((result.object.metadata as JsonObject).annotations as JsonObject) : {}
}

test('the annotation says what kubectl applied last, where there is one', () => {
  const before = live({ a: '1' }, last({ a: '1' }))
  assert.deepEqual(annotationsAfter(before, map({ a: '1', b: '2' }, { [lastAppliedAnnotation]: 'x', n: 'm' })), {
    [lastAppliedAnnotation]:
      '{"apiVersion":"v1","data":{"a":"1","b":"2"},"kind":"ConfigMap","metadata":{"annotations":{"n":"m"},"name":"c"}}\n',
    n: 'm',
  })
  assert.equal(annotationsAfter(before, map({ a: '1' }), 'other')[lastAppliedAnnotation], last({ a: '1' }))
  const none = trackUpdate({ live: undefined, next: map({ a: '1' }), manager: 'm', shape, apiVersion: 'v1', now })
  assert.equal(annotationsAfter(none, map({ a: '1' })), undefined)
})

test('the annotation goes where all annotations together would be too large', () => {
  const before = live({ a: '1' }, last({ a: '1' }))
  const text = '{"apiVersion":"v1","data":{"a":"1"},"kind":"ConfigMap","metadata":{"annotations":{"n":""},"name":"c"}}\n'
  // The value stands in the object and in the annotation.
  const room = 256 * 1024 - lastAppliedAnnotation.length - text.length - 'n'.length
  const size = (value: string): boolean => lastAppliedAnnotation in annotationsAfter(before, map({ a: '1' }, { n: value }))
  assert.ok(size('x'.repeat(Math.floor(room / 2))))
  assert.ok(!size('x'.repeat(Math.floor(room / 2) + 1)))
})

test('an object that has no metadata has no annotation', () => {
  const result = apply({ apiVersion: 'v1', kind: 'ConfigMap', data: { a: '1' } }, map({ a: '1' }))
  assert.equal(result.kind, 'merged')
})
