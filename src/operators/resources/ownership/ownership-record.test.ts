// The note in the status that says whose a resource is: it is read as it was written, and half of one says no more than it does.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { conditions, type Resource } from '../api.ts'
import { hasResource, type OwnershipRecord, recordCondition, recordOf, sameIdentity } from './ownership-record.ts'

function claim(condition: object | undefined, status: object = {}): Resource {
  return { status: { conditions: condition === undefined ? [] : [condition], ...status } } as unknown as Resource
}

const note = (reason: string, message: string): Resource => claim({ type: conditions.ownership, status: 'True', reason, message })
const intent = { token: 't', atMs: Date.parse('2026-01-01T00:00:00Z'), prints: [] }

const written: readonly (readonly [OwnershipRecord, string])[] = [
  [{ kind: 'only-read' }, ''],
  [{ kind: 'intended', intent, identity: { name: 'n' } }, '{"intent":"t 2026-01-01T00:00:00Z","is":{"name":"n"}}'],
  [{ kind: 'intended', intent, identity: {}, before: ['x'] }, '{"intent":"t 2026-01-01T00:00:00Z","before":["x"]}'],
  [{ kind: 'adopted', formerMark: 'm', identity: { zone: 'z', name: 'n' } }, '{"mark":"m","is":{"name":"n","zone":"z"}}'],
  [{ kind: 'adopted', formerMark: undefined, identity: {} }, '{}'],
  [{ kind: 'made', identity: { b: '1', a: '2', c: '3' } }, '{"is":{"a":"2","b":"1","c":"3"}}'],
]
for (const [record, message] of written)
  test(`a record of what is ${record.kind} is written as ${message === '' ? 'nothing' : message}, and read so`, () => {
    const condition = recordCondition(record)
    assert.equal(condition?.message, message)
    assert.deepEqual(recordOf(claim(condition)), record)
  })

test('where nothing needs to be said, nothing is', () => {
  assert.equal(recordCondition({ kind: 'none' }), undefined)
  assert.equal(recordCondition({ kind: 'made', identity: {} }), undefined)
})

test('without a note a resource in the status was made, and nothing was without one', () => {
  assert.deepEqual(recordOf({} as Resource), { kind: 'none' })
  assert.deepEqual(recordOf(claim(undefined)), { kind: 'none' })
  assert.deepEqual(recordOf(claim(undefined, { ackResourceMetadata: {} })), { kind: 'made', identity: {} })
})

test('what a note does not say as it should is not taken for more', () => {
  assert.deepEqual(recordOf(note('Intended', '{"is":{"name":"n"}}')), { kind: 'none' })
  assert.deepEqual(recordOf(note('Intended', '{"intent":7}')), { kind: 'none' })
  assert.deepEqual(recordOf(note('Adopted', '{"mark":7,"is":{"name":"n","port":7}}')), {
    kind: 'adopted',
    formerMark: undefined,
    identity: { name: 'n' },
  })
  assert.deepEqual(recordOf(note('Made', 'no JSON')), { kind: 'made', identity: {} })
  assert.deepEqual(recordOf(note('Made', '{"is":["n"]}')), { kind: 'made', identity: {} })
  assert.deepEqual(recordOf(note('Unknown', '{}')), { kind: 'only-read' })
})

test('what was made or taken over is a resource of the object, and nothing else is', () => {
  const kinds = ['none', 'only-read', 'intended', 'adopted', 'made'].map(kind => hasResource({ kind } as OwnershipRecord))
  assert.deepEqual(kinds, [false, false, false, true, true])
})

test('identities are the same when they have the same fields with the same values', () => {
  for (const [a, b, isSame] of [
    [{}, {}, true],
    [{ a: '1', b: '2' }, { b: '2', a: '1' }, true],
    [{ a: '1' }, { a: '1', b: '2' }, false],
    [{ a: '1', b: '2' }, { a: '1' }, false],
    [{ a: '1', b: '2' }, { a: '1', b: '3' }, false],
    [{ a: '1' }, { b: '1' }, false],
  ] as const)
    assert.equal(sameIdentity(a, b), isSame, `${JSON.stringify(a)} and ${JSON.stringify(b)}`)
})
