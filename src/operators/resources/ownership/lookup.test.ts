// The annotation by which a read-only object says what it looks at, and what is said to who writes it wrongly.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { annotations, type Resource } from '../api.ts'
import { madeUpKind, map } from '../testing/made-up-kind.ts'
import { lookupOf } from './lookup.ts'

const tagged = madeUpKind({ spec: { Tags: map('string') }, settings: { tags: { path: 'Tags', key: 'Key', value: 'Value' } } })
const untagged = madeUpKind({})
const claim = (text: string | undefined): Resource =>
  ({ metadata: text === undefined ? {} : { annotations: { [annotations.lookup]: text } } }) as unknown as Resource
const { lookup } = annotations

for (const [text, found] of [
  ['{"name":"a"}', { name: 'a', tags: {}, given: {} }],
  ['{"tags":{"team":"blue"}}', { name: undefined, tags: { team: 'blue' }, given: {} }],
  ['{"name":"a","tags":{"team":"blue"},"with":{"zone":"z"}}', { name: 'a', tags: { team: 'blue' }, given: { zone: 'z' } }],
  ['[]', `${lookup} is no JSON object such as {"name": "app-*", "tags": {"team": "blue"}}`],
  ['{"name":"a","nam":"b"}', `${lookup} has nam; known are name, tags, with`],
  ['{"name":7}', `${lookup}: name is no text`],
  ['{"name":""}', `${lookup}: name is no text`],
  ['{"name":"a","tags":["team"]}', `${lookup}: tags and with are objects of texts`],
  ['{"name":"a","tags":{"team":"blue","size":7}}', `${lookup}: tags and with are objects of texts`],
  ['{"name":"a","with":{"zone":7}}', `${lookup}: tags and with are objects of texts`],
  ['{}', `${lookup} needs a name or tags, such as {"name": "app-*", "tags": {"team": "blue"}}`],
  ['{"with":{"zone":"z"}}', `${lookup} needs a name or tags, such as {"name": "app-*", "tags": {"team": "blue"}}`],
] as const)
  test(`a lookup of ${text}: ${typeof found === 'string' ? found : 'is read'}`, () =>
    assert.deepEqual(lookupOf(tagged, claim(text)), typeof found === 'string' ? found : { text, ...found }))

test('a kind without tags is looked up by its name alone', () => {
  const text = '{"name":"a"}'
  assert.deepEqual(lookupOf(untagged, claim(text)), { text, name: 'a', tags: {}, given: {} })
  assert.equal(lookupOf(untagged, claim('{"tags":{"team":"blue"}}')), `${lookup}: a Thing has no tags`)
  assert.equal(lookupOf(tagged, claim(undefined)), undefined)
})
