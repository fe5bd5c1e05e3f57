// Where a resource is not as its manifest wants it: by the general rules, by those of its kind, and by neither.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Deviation, noDeviation } from '../kinds/deviation.ts'
import type { Content } from '../model/request.ts'
import type { Situation } from '../seen/seen.ts'
import { madeUpKind, map, structure } from '../testing/made-up-kind.ts'
import { differences } from './differences.ts'

const ignored = { compare: { ignored: true } } as const
const model = madeUpKind({
  settings: { tags: { path: 'Tags', key: 'Key', value: 'Value' } },
  untold: ['Secret', 'Rules.Secret'],
  spec: {
    Name: 'string',
    Special: 'string',
    Late: { lateInitialize: { skipIncompleteCheck: false } },
    Rules: { type: structure('Rules'), ...ignored },
    Secret: ignored,
    Synced: ignored,
    Tags: { type: map('string'), ...ignored },
  },
  structures: { Rules: { Name: 'string', Secret: 'string' } },
})

function differ(
  wanted: object,
  latest: object,
  more: { deviation?: Deviation; content?: Partial<Content> } = {},
): readonly string[] {
  const { deviation = noDeviation, content } = more
  const seen = { wanted: { spec: { ...wanted }, status: {} } }
  return differences({ model, deviation, seen } as unknown as Situation, { spec: { ...latest }, status: {}, ...content })
}

test('what the manifest says of a field that the config does not compare must be there, whatever else is', () => {
  assert.deepEqual(differ({ rules: { name: 'a' } }, { rules: { name: 'a', more: 1 } }), [])
  assert.deepEqual(differ({ rules: { name: 'a' } }, { rules: { name: 'b' } }), ['Spec.Rules'])
  assert.deepEqual(differ({ rules: { name: 'a' } }, {}), ['Spec.Rules'])
  assert.deepEqual(differ({ rules: undefined }, { rules: { name: 'b' } }), [])
  assert.deepEqual(differ({ rules: null }, { rules: { name: 'b' } }), [])
  assert.deepEqual(differ({ rules: { name: 'a', secret: 's' } }, { rules: { name: 'a' } }), [])
})

test('but not what no read tells, and nothing that code of the kind looks after', () => {
  assert.deepEqual(differ({ secret: 'a' }, { secret: 'b' }), [])
  assert.deepEqual(differ({ synced: 'a' }, { synced: 'b' }), ['Spec.Synced'])
  const same: Deviation['same'] = { Synced: () => true }
  assert.deepEqual(differ({ synced: 'a' }, { synced: 'b' }, { deviation: { same } }), [])
  const wanted = { rules: { name: 'a' } }
  assert.deepEqual(differ(wanted, {}, { deviation: { read: async () => undefined } }), [])
  assert.deepEqual(differ(wanted, {}, { deviation: { readMore: async (_, found) => found } }), [])
})

test('a kind says itself when a field of it is the same', () => {
  const same: Deviation['same'] = {
    Special: (wanted, latest) => String(wanted).length === String(latest).length,
    Unknown: () => false,
  }
  assert.deepEqual(differ({ special: 'a' }, { special: 'b' }), ['Spec.Special'])
  assert.deepEqual(differ({ special: 'a' }, { special: 'b' }, { deviation: { same } }), [])
  assert.deepEqual(differ({ special: 'a' }, { special: 'bb' }, { deviation: { same } }), ['Spec.Special'])
})

test('what AWS is to choose is no difference, until the manifest says something', () => {
  assert.deepEqual(differ({}, { late: 'chosen' }), [])
  assert.deepEqual(differ({ late: null }, { late: 'chosen' }), [])
  assert.deepEqual(differ({ late: 'asked' }, { late: 'chosen' }), ['Spec.Late'])
  assert.deepEqual(differ({}, { name: 'chosen' }), ['Spec.Name'])
})

test('tags differ by their own rules, and not at all where they could not be read', () => {
  const [one, two] = [{ tags: { a: '1' } }, { tags: { a: '2' } }]
  assert.deepEqual(differ(one, two), ['Spec.Tags'])
  assert.deepEqual(differ(one, { tags: { a: '1', b: '1' } }), ['Spec.Tags'])
  assert.deepEqual(differ(one, two, { content: { hasUntoldTags: true } }), [])
  assert.deepEqual(differ({ ...one, name: 'a' }, { name: 'b' }, { content: { hasUntoldTags: true } }), ['Spec.Name'])
})
