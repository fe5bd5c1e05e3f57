// A report that is kept as JSON in an annotation, for kinds that have no status of ours.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { configMaps, type StoredObject } from '#kube'
import { conditionsIn, readStatus, writeStatus } from './status.ts'
import type { Target } from './target.ts'
import type { Writer } from './writer.ts'

const place = { kind: 'annotation', name: 'example.com/said' } as const
const path = '/metadata/annotations/example.com~1said'
const said = { count: 1, conditions: [] }

const claim = (annotations?: Readonly<Record<string, string>>): StoredObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { namespace: 'a', name: 'x', uid: 'u', resourceVersion: '7', ...(annotations === undefined ? {} : { annotations }) },
})

/** The patch that is sent of a status of two fields, without the test of the uid; nothing when none is. */
async function sent(object: StoredObject, status: Readonly<Record<string, unknown>>): Promise<readonly unknown[] | undefined> {
  let operations: readonly unknown[] | undefined
  const writer: Partial<Writer> = {
    newest: (_target: unknown, _type: unknown, seen: StoredObject) => seen,
    patch: (_place: unknown, _kind: unknown, body: unknown) => {
      operations = (body as readonly unknown[]).slice(1)
      return Promise.resolve(object)
    },
  } as unknown as Partial<Writer>
  const report = { status, conditions: [], forgotten: [] }
  const write = {
    target: {} as Target,
    type: configMaps,
    claim: object,
    report,
    place,
    clock: { now: () => 0 },
  } as unknown as Parameters<typeof writeStatus>[1]
  const isWritten = await writeStatus(writer as Writer, write)
  assert.equal(isWritten, operations !== undefined)
  return operations
}

for (const [what, object, expected] of [
  [
    'the first annotation of an object is put there with the map, unless the object changes meanwhile',
    claim(),
    [
      { op: 'test', path: '/metadata/resourceVersion', value: '7' },
      { op: 'add', path: '/metadata/annotations', value: { 'example.com/said': '{"count":1}' } },
    ],
  ],
  [
    'beside other annotations it is added, unless the object changes meanwhile',
    claim({ other: 'x' }),
    [
      { op: 'test', path: '/metadata/resourceVersion', value: '7' },
      { op: 'add', path, value: '{"count":1}' },
    ],
  ],
  [
    'what was said before is replaced, unless somebody says something else meanwhile',
    claim({ 'example.com/said': '{"count":0,"kept":true}' }),
    [
      { op: 'test', path, value: '{"count":0,"kept":true}' },
      { op: 'replace', path, value: '{"count":1,"kept":true}' },
    ],
  ],
  [
    'text that is not ours is replaced as nothing',
    claim({ 'example.com/said': '[1' }),
    [
      { op: 'test', path, value: '[1' },
      { op: 'replace', path, value: '{"count":1}' },
    ],
  ],
  [
    'what is said already is not written again, in whatever order it stands',
    claim({ 'example.com/said': '{"kept":true,"count":1}' }),
    undefined,
  ],
] as const)
  test(what, async () => assert.deepEqual(await sent(object, { count: 1 }), expected))

test('nothing that is said of nothing is nothing', async () => assert.equal(await sent(claim(), {}), undefined))

test('what is said is read from where it stands; a status that is no list of conditions has none', () => {
  const object = { ...claim({ 'example.com/said': JSON.stringify(said) }), status: { count: 2, conditions: 'odd' } }
  assert.deepEqual(readStatus(object, place), said)
  const status = readStatus(object, { kind: 'subresource', observedGeneration: true })
  assert.deepEqual(status, { count: 2, conditions: 'odd' })
  assert.deepEqual([conditionsIn(status), conditionsIn(undefined)], [[], []])
  for (const odd of ['null', '"text"', '[]', '{']) assert.equal(readStatus(claim({ 'example.com/said': odd }), place), undefined)
})
