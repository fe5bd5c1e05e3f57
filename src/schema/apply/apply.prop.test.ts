import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { isList, isObject, type Json, type JsonObject } from '../json.ts'
import type { KindSchema } from '../kind-schema.ts'
import { builtinKind } from '../kinds/kind.ts'
import { strategicMergePatch } from '../strategic/merge.ts'
import { serverSideApply } from './apply.ts'
import { difference, intersection, isEmptySet, isSubset, setsEqual, union } from './field-set.ts'
import { parseFieldsV1, renderFieldsV1 } from './fields-v1.ts'
import { trackUpdate } from './update.ts'

const kind = builtinKind('', 'v1', 'Service') as KindSchema
const { shape } = kind
/** What a server does with every merged object: it comes to rest in the form in which it is stored. */
const applyDefaults = (object: JsonObject): JsonObject => kind.applyDefaults(kind.prune(object))
const now = '2024-01-01T00:00:00Z'

const port = fc.record(
  { port: fc.integer({ min: 1, max: 3 }), name: fc.constantFrom('a', 'b'), protocol: fc.constantFrom('TCP', 'UDP') },
  { requiredKeys: ['port'] },
)
const labels = fc.dictionary(fc.constantFrom('x', 'y', 'z'), fc.constantFrom('1', '2'), {
  minKeys: 1,
  maxKeys: 3,
  noNullPrototype: true,
})
const service: fc.Arbitrary<JsonObject> = fc
  .record(
    {
      labels,
      selector: labels,
      ports: fc.uniqueArray(port, { maxLength: 3, selector: one => `${one.port}/${one.protocol ?? 'TCP'}` }),
      type: fc.constantFrom('ClusterIP', 'NodePort'),
    },
    { requiredKeys: [] },
  )
  .map(({ labels: given, ...spec }) => ({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 's', ...(given !== undefined && { labels: given }) },
    spec: spec as JsonObject,
  }))

const step = fc.record({ manager: fc.constantFrom('a', 'b'), how: fc.constantFrom('apply', 'update'), body: service })

function carryOut(
  live: JsonObject | undefined,
  { manager, how, body }: { manager: string; how: string; body: JsonObject },
): JsonObject {
  if (how === 'update') return trackUpdate({ live, next: applyDefaults(body), manager, shape, apiVersion: 'v1', now })
  const result = serverSideApply({ live, applied: body, manager, force: true, shape, apiVersion: 'v1', now, applyDefaults })
  assert.equal(result.kind, 'merged')
  return result.kind === 'merged' ? result.object : body
}

function applyAgain(live: JsonObject | undefined, body: JsonObject, force: boolean): ReturnType<typeof serverSideApply> {
  return serverSideApply({ live, applied: body, manager: 'a', force, shape, apiVersion: 'v1', now, applyDefaults })
}

test('applying the same body a second time changes nothing, whatever went before', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 5 }), service, (history, body) => {
      let live: JsonObject | undefined
      for (const one of history) live = carryOut(live, one)
      const first = carryOut(live, { manager: 'a', how: 'apply', body })
      if (lostItsEmptyList(first, body)) {
        comesToRest(first, body)
        return
      }
      const again = applyAgain(first, body, false)
      if ((first.metadata as JsonObject).managedFields !== undefined) {
        assert.deepEqual(again, { kind: 'merged', object: first, changed: false })
        return
      }
      // A body that owns nothing leaves an object without owners. The next apply takes stock of it first, as a real server does with a
      // Namespace that is applied twice, changes nothing else, and the one after that nothing at all.
      assert.ok(again.kind === 'merged')
      const { managedFields, ...metadata } = again.object.metadata as JsonObject
      assert.deepEqual({ ...again.object, metadata }, first)
      assert.deepEqual(
        ((managedFields ?? []) as JsonObject[]).map(({ manager, operation }) => [manager, operation]),
        [['before-first-apply', 'Update']],
      )
      assert.deepEqual(applyAgain(again.object, body, false), { kind: 'merged', object: again.object, changed: false })
    }),
    { numRuns: 400 },
  )
})

test('an empty list that is applied over items of its own and owned by another is a conflict the next time, and then at rest', () => {
  const ports = (...numbers: number[]): JsonObject => ({
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 's' },
    spec: { ports: numbers.map(number => ({ port: number })) },
  })
  let live: JsonObject | undefined
  for (const [how, body] of [
    ['update', ports(1)],
    ['apply', ports(2)],
    ['update', ports(2)],
    ['apply', ports()],
  ] as const) {
    live = carryOut(live, { manager: 'a', how, body })
  }
  const first = live as JsonObject
  assert.ok(lostItsEmptyList(first, ports()))
  const again = applyAgain(first, ports(), false)
  assert.ok(again.kind === 'conflict')
  assert.match(again.message, /conflict with "a" using v1: \.spec\.ports$/)
  comesToRest(first, ports())
})

/**
 * The last items of a list go and the list with them, though the body has it as an empty one: another may still own the list itself. A real
 * server has it so too (vectors, empty-applied-over).
 */
function lostItsEmptyList(object: JsonObject, body: JsonObject): boolean {
  const [of, wanted] = [object.spec as JsonObject, body.spec as JsonObject]
  return isList(wanted.ports) && wanted.ports.length === 0 && of.ports === undefined
}

/** With force, the second apply is the last that may change anything. */
function comesToRest(object: JsonObject, body: JsonObject): void {
  let live = object
  for (const _ of [1, 2]) {
    const result = applyAgain(live, body, true)
    assert.ok(result.kind === 'merged')
    live = result.object
  }
  assert.deepEqual(applyAgain(live, body, true), { kind: 'merged', object: live, changed: false })
}

test('field sets keep the laws of sets, and read back from what they print', () => {
  const fields: fc.Arbitrary<JsonObject> = fc.letrec<{ node: JsonObject }>(tie => ({
    node: fc.dictionary(
      fc.constantFrom('.', 'f:a', 'f:b', 'k:{"n":1}', 'v:"x"'),
      fc.oneof({ maxDepth: 3 }, fc.constant({}), tie('node')),
      { maxKeys: 3, noNullPrototype: true },
    ) as fc.Arbitrary<JsonObject>,
  })).node
  fc.assert(
    fc.property(fields, fields, (left, right) => {
      const [a, b] = [parseFieldsV1({ 'f:r': left }), parseFieldsV1({ 'f:r': right })]
      if (a === undefined || b === undefined) return
      assert.ok(setsEqual(parseFieldsV1(renderFieldsV1(a)) ?? b, a))
      assert.ok(setsEqual(union(a, b), union(b, a)) && isSubset(a, union(a, b)))
      assert.ok(isEmptySet(intersection(difference(a, b), b)))
      assert.ok(setsEqual(union(difference(a, b), intersection(a, b)), a))
    }),
    { numRuns: 500 },
  )
})

test('any body and any live object give a result of apply, update and strategic patch', () => {
  const anything = fc.jsonValue({ maxDepth: 5 }) as fc.Arbitrary<Json>
  fc.assert(
    fc.property(anything, anything, anything, (live, body, fieldsV1) => {
      const metadata: JsonObject = { managedFields: [{ manager: 'm', operation: 'Apply', apiVersion: 'v1', fieldsV1 }] }
      const object = (value: Json): JsonObject => ({ apiVersion: 'v1', kind: 'Service', metadata, spec: value })
      serverSideApply({
        live: object(live),
        applied: { kind: 'Service', spec: body },
        manager: 'm',
        force: false,
        shape,
        apiVersion: 'v1',
        now,
      })
      trackUpdate({ live: object(live), next: object(body), manager: 'm', shape, apiVersion: 'v1', now })
      if (isObject(body)) strategicMergePatch(object(live), { spec: body }, shape)
    }),
    { numRuns: 400 },
  )
})
