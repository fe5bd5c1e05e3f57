// Answers of AWS as values: what has another shape is not there, and what is no absence is no absence.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeDocument, iamTags, listAll, missingTags, record, tagMap, text, unlessAbsent } from './answer.ts'
import { refusal, scriptedClient } from './scripted-client.fixture.ts'

test('only the answer that there is no such thing is an absence [P5]', async () => {
  assert.equal(await unlessAbsent(async () => 'there'), 'there')
  assert.equal(await unlessAbsent(() => Promise.reject(refusal('NoSuchEntity'))), undefined)
  for (const error of [refusal('AccessDenied'), new Error('no answer')])
    await assert.rejects(
      unlessAbsent(() => Promise.reject(error)),
      error,
    )
})

test('a list is read to its end, and what in it is a plain word is a value of its own', async () => {
  const client = scriptedClient({ ListThings: [{ Things: [{ Name: 'a' }, 'b'] }, {}, { Things: ['c'] }] })
  const call = { operation: 'ListThings', input: { Of: 'x' }, member: 'Things' }
  const found = await listAll(client, call, new AbortController().signal)
  assert.deepEqual(found, [{ Name: 'a' }, { value: 'b' }, { value: 'c' }])
  assert.deepEqual(client.asked, [{ operation: 'ListThings', input: { Of: 'x' } }])
})

for (const [value, asText, asRecord] of [
  ['x', 'x', {}],
  ['', undefined, {}],
  [1, undefined, {}],
  [undefined, undefined, {}],
  [{ a: 1 }, undefined, { a: 1 }],
] as const)
  test(`${JSON.stringify(value)} is ${asText === undefined ? 'no text' : 'a text'}`, () =>
    assert.deepEqual([text(value), record(value)], [asText, asRecord]))

test('tags are read from a list and written as one, sorted; what is no tag is left out', () => {
  const list = [{ Key: 'b', Value: '2' }, { Key: 'a', Value: '1' }, { Key: 'c' }, { Value: '3' }, { Key: 'd', Value: 4 }, null]
  assert.deepEqual(tagMap(list), { a: '1', b: '2' })
  assert.deepEqual(tagMap({ Key: 'a', Value: '1' }), {})
  assert.deepEqual(iamTags({ b: '2', a: '1' }), [
    { Key: 'a', Value: '1' },
    { Key: 'b', Value: '2' },
  ])
})

test('of our tags those are missing that are not there or say something else', () => {
  assert.deepEqual(missingTags({ a: '1', b: '2', c: '3' }, { a: '1', b: '0', d: '4' }), { b: '2', c: '3' })
})

test('a document is decoded, and one that cannot be is as it came', () => {
  assert.deepEqual(['%7B%22a%22%3A1%7D', '100%', undefined, 1].map(decodeDocument), ['{"a":1}', '100%', '', ''])
})
