// A report that is kept as JSON in an annotation, for kinds that have no status of ours.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { configMaps, type StoredObject } from '#kube'
import type { Report } from './report.ts'
import { conditionsIn, readStatus, type StatusPlace, writeStatus } from './status.ts'
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
  return sentAt(object, { status, conditions: [], forgotten: [] }, place)
}

async function sentAt(object: StoredObject, report: Report, place: StatusPlace): Promise<readonly unknown[] | undefined> {
  let operations: readonly unknown[] | undefined
  const writer: Partial<Writer> = {
    newest: (_target: unknown, _type: unknown, seen: StoredObject) => seen,
    patch: ({ subresource }: { readonly subresource?: string }, _kind: unknown, body: unknown) => {
      assert.equal(subresource, place.kind === 'subresource' ? 'status' : undefined)
      operations = (body as readonly unknown[]).slice(1)
      return Promise.resolve(object)
    },
  } as unknown as Partial<Writer>
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

const plain: StatusPlace = { kind: 'subresource', observedGeneration: true }
const version = { op: 'test', path: '/metadata/resourceVersion', value: '7' }
const generation = { op: 'test', path: '/metadata/generation', value: 3 }
const ready = { type: 'Ready', status: 'True', reason: 'Done', message: '' } as const
const since = { observedGeneration: 3, lastTransitionTime: '1970-01-01T00:00:00Z' }
const held = { ...ready, ...since }
const other = { ...held, type: 'Other' }

/** A claim of a kind with a status, in its third generation. */
function having(status?: object, metadata: object = { generation: 3 }): StoredObject {
  const { metadata: common, ...rest } = claim()
  return { ...rest, metadata: { ...common, ...metadata }, ...(status && { status }) } as StoredObject
}

for (const [what, object, report, operations, at = plain] of [
  [
    'a first status is added as a whole, unless the object changes meanwhile',
    having(),
    { conditions: [ready], status: { copies: 1 } },
    [version, { op: 'add', path: '/status', value: { copies: 1, conditions: [held], observedGeneration: 3 } }],
  ],
  ['where nothing is said there is no first status', having(), { conditions: [] }, undefined],
  [
    'a first status of one field has no generation',
    having(),
    { conditions: [], status: { copies: 1 } },
    [version, { op: 'add', path: '/status', value: { copies: 1 } }],
  ],
  [
    'a field that is new is added, unless the object changes meanwhile',
    having({ copies: 1 }),
    { conditions: [], status: { spare: 2 } },
    [generation, version, { op: 'add', path: '/status/spare', value: 2 }],
  ],
  [
    'a field is replaced or taken away, unless it or the spec changes meanwhile',
    having({ copies: 1, spare: 2 }),
    { conditions: [], status: { copies: 3, spare: undefined } },
    [
      generation,
      { op: 'test', path: '/status/copies', value: 1 },
      { op: 'replace', path: '/status/copies', value: 3 },
      { op: 'test', path: '/status/spare', value: 2 },
      { op: 'remove', path: '/status/spare' },
    ],
  ],
  [
    'of a kind without generations none is asked for, and none is told',
    having({ copies: 1 }, {}),
    { conditions: [], status: { copies: 3 } },
    [
      { op: 'test', path: '/status/copies', value: 1 },
      { op: 'replace', path: '/status/copies', value: 3 },
    ],
  ],
  [
    'a condition that is new is put behind the others, unless one of them changes meanwhile',
    having({ observedGeneration: 3, conditions: [other] }),
    { conditions: [ready] },
    [
      generation,
      { op: 'test', path: '/status/conditions', value: [other] },
      { op: 'add', path: '/status/conditions/-', value: held },
    ],
  ],
  [
    'a condition that is another is replaced where it stands',
    having({ observedGeneration: 3, conditions: [other, { ...held, message: 'soon' }] }),
    { conditions: [ready] },
    [
      generation,
      { op: 'test', path: '/status/conditions/1', value: { ...held, message: 'soon' } },
      { op: 'replace', path: '/status/conditions/1', value: held },
    ],
  ],
  [
    'where a condition is forgotten the rest takes the place of all',
    having({ observedGeneration: 3, conditions: [other, held] }),
    { conditions: [ready], forgotten: ['Other'] },
    [
      generation,
      { op: 'test', path: '/status/conditions', value: [other, held] },
      { op: 'replace', path: '/status/conditions', value: [held] },
    ],
  ],
  [
    'where all conditions are forgotten there are none',
    having({ observedGeneration: 3, conditions: [other] }),
    { conditions: [], forgotten: ['Other'] },
    [generation, { op: 'test', path: '/status/conditions', value: [other] }, { op: 'remove', path: '/status/conditions' }],
  ],
  ['where nothing is forgotten an empty list of conditions stays', having({ conditions: [] }), { conditions: [] }, undefined],
  [
    'what is no list of conditions is replaced by one',
    having({ observedGeneration: 3, conditions: 'odd' }),
    { conditions: [ready] },
    [
      generation,
      { op: 'test', path: '/status/conditions', value: 'odd' },
      { op: 'replace', path: '/status/conditions', value: [held] },
    ],
  ],
  [
    'a kind without a generation in its status is not told one',
    having(),
    { conditions: [ready] },
    [version, { op: 'add', path: '/status', value: { conditions: [held] } }],
    { kind: 'subresource', observedGeneration: false },
  ],
  [
    'a kind without a generation in its conditions is not told one there',
    having(),
    { conditions: [ready] },
    [
      version,
      {
        op: 'add',
        path: '/status',
        value: { conditions: [{ ...ready, lastTransitionTime: since.lastTransitionTime }], observedGeneration: 3 },
      },
    ],
    { kind: 'subresource', observedGeneration: true, conditionGeneration: false },
  ],
  [
    'in an annotation a condition has its generation, and the whole has none',
    { ...having(), metadata: { ...claim({ 'example.com/said': '{}' }).metadata, generation: 3 } },
    { conditions: [ready] },
    [
      { op: 'test', path, value: '{}' },
      { op: 'replace', path, value: JSON.stringify({ conditions: [JSON.parse(JSON.stringify(held))] }) },
    ],
    place,
  ],
] as readonly (readonly [string, StoredObject, Report, readonly unknown[] | undefined, StatusPlace?])[])
  test(`of a status, ${what} [P7, S8]`, async () => {
    const found = await sentAt(object, report, at)
    // In an annotation the order of fields is nobody's business.
    const parsed = (each: unknown): unknown => {
      const { value, ...rest } = each as { readonly value?: unknown }
      return { ...rest, value: typeof value === 'string' && value.startsWith('{') ? JSON.parse(value) : value }
    }
    assert.deepEqual(found?.map(parsed), operations?.map(parsed))
  })

test('a report of a generation that the pass itself wrote is told of that one alone [S8]', async () => {
  const report: Report = { conditions: [ready], generation: 4 }
  await assert.rejects(sentAt(having(), report, plain), /the spec changed/)
  assert.deepEqual(await sentAt(having(undefined, { generation: 4 }), report, plain), [
    version,
    { op: 'add', path: '/status', value: { conditions: [{ ...held, observedGeneration: 4 }], observedGeneration: 4 } },
  ])
})
