import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Json, JsonObject } from '../json.ts'
import { fieldsOf, type MergeShape, type PatchTraits, stringShape, untyped } from '../shape.ts'
import { strategicMergePatch } from './merge.ts'

const merging = (mergeKey?: string): PatchTraits => ({ merge: true, replace: false, retainKeys: false, mergeKey })
const list = (items: MergeShape): MergeShape => ({ kind: 'list', how: 'atomic', keys: [], items })
const item: MergeShape = {
  kind: 'map',
  atomic: false,
  rest: undefined,
  fields: fieldsOf([
    ['n', { shape: stringShape }],
    ['sub', { shape: list(untyped), patch: merging('k') }],
  ]),
}
const shape: MergeShape = {
  kind: 'map',
  atomic: false,
  rest: undefined,
  fields: fieldsOf([
    ['words', { shape: list(stringShape), patch: merging() }],
    ['items', { shape: list(item), patch: merging('n') }],
    ['plain', { shape: list(stringShape) }],
    ['whole', { shape: untyped, patch: { merge: false, replace: true, retainKeys: false, mergeKey: undefined } }],
    ['map', { shape: { kind: 'map', atomic: false, rest: stringShape, fields: fieldsOf([]) } }],
  ]),
}

const order = (field: string): string => `$setElementOrder/${field}`
const drop = (field: string): string => `$deleteFromPrimitiveList/${field}`
const [a, b, c] = [{ n: 'a', v: 1 }, { n: 'b' }, { n: 'c' }]

const rows: readonly (readonly [what: string, current: JsonObject, patch: JsonObject, patched: JsonObject])[] = [
  ['words that are there are not added again', { words: ['a', 'b'] }, { words: ['b', 'c'] }, { words: ['a', 'b', 'c'] }],
  [
    'words come in the order that is asked for',
    { words: ['a', 'b'] },
    { words: ['c'], [order('words')]: ['c', 'b', 'a'] },
    { words: ['c', 'b', 'a'] },
  ],
  [
    'words that nobody ordered keep their place',
    { words: ['a', 'x', 'b'] },
    { [order('words')]: ['b', 'a'] },
    { words: ['x', 'b', 'a'] },
  ],
  ['words go', { words: ['a', 'b', 'a'] }, { [drop('words')]: ['a'] }, { words: ['b'] }],
  ['words go from where there are none', { x: 1 }, { [drop('words')]: ['a'] }, { x: 1 }],
  ['what is no list takes no words out', { words: ['a'] }, { [drop('words')]: 'a' }, { words: ['a'] }],
  ['a list without a rule is replaced', { plain: ['a'] }, { plain: ['b'] }, { plain: ['b'] }],
  ['an item is merged by its key', { items: [a, b] }, { items: [{ n: 'a', w: 2 }] }, { items: [{ n: 'a', v: 1, w: 2 }, b] }],
  ['an item that is new stands behind', { items: [a] }, { items: [c] }, { items: [c, a] }],
  [
    'an item that nobody ordered keeps its place',
    { items: [a, b, c] },
    { items: [{ n: 'c', w: 1 }], [order('items')]: [{ n: 'c' }, { n: 'a' }] },
    { items: [b, { n: 'c', w: 1 }, a] },
  ],
  [
    'an order alone puts the items in order',
    { items: [a, b] },
    { [order('items')]: [{ n: 'b' }, { n: 'a' }] },
    { items: [b, a] },
  ],
  ['an order of a list that is not there makes none', { x: 1 }, { [order('items')]: [{ n: 'b' }] }, { x: 1 }],
  ['an item goes', { items: [a, b] }, { items: [{ n: 'a', $patch: 'delete' }] }, { items: [b] }],
  ['an item goes that is not there', { items: [b] }, { items: [{ n: 'a', $patch: 'delete' }] }, { items: [b] }],
  ['an item goes as often as it stands there', { items: [a, b, a] }, { items: [{ n: 'a', $patch: 'delete' }] }, { items: [b] }],
  [
    'an item that stands there twice is merged where it stands first',
    { items: [a, a] },
    { items: [{ n: 'a', w: 2 }] },
    { items: [{ n: 'a', v: 1, w: 2 }, a] },
  ],
  ['all items are replaced', { items: [a, b] }, { items: [c, { $patch: 'replace' }] }, { items: [c] }],
  [
    'a list that is set first has no nulls and no directives',
    {},
    {
      items: [
        { n: 'a', v: null },
        { n: 'b', $patch: 'delete' },
      ],
    },
    { items: [{ n: 'a' }] },
  ],
  ['a map that is set first has no nulls', {}, { map: { x: null, y: 'z' } }, { map: { y: 'z' } }],
  ['a map with a directive sets nothing where there is none', {}, { map: { $patch: 'replace', y: 'z' } }, {}],
  ['a map is emptied', { map: { x: 'y' } }, { map: { $patch: 'delete' } }, { map: {} }],
  ['a map is replaced', { map: { x: 'y' } }, { map: { $patch: 'replace', z: 'w' } }, { map: { z: 'w' } }],
  ['a map that is whole is set whole', { whole: { x: 1 } }, { whole: { y: 2 } }, { whole: { y: 2 } }],
  ['a map takes the place of a text', { map: 'x' }, { map: { y: 'z', w: null } }, { map: { y: 'z' } }],
  ['a text takes the place of a map', { map: { x: 'y' } }, { map: 'z' }, { map: 'z' }],
  [
    'keys that are not kept go',
    { map: { x: '1', y: '2' } },
    { map: { $retainKeys: ['y', 'z'], z: '3' } },
    { map: { y: '2', z: '3' } },
  ],
  [
    'a null may be set of what is not kept',
    { map: { x: '1', y: '2' } },
    { map: { $retainKeys: ['y'], x: null } },
    { map: { y: '2' } },
  ],
  ['a null takes a key away', { map: { x: '1' }, plain: ['a'] }, { plain: null }, { map: { x: '1' } }],
  [
    'a list within an item is merged',
    { items: [{ n: 'a', sub: [{ k: 1 }] }] },
    { items: [{ n: 'a', sub: [{ k: 2 }] }] },
    { items: [{ n: 'a', sub: [{ k: 2 }, { k: 1 }] }] },
  ],
  ['a list that takes the place of a text is set', { items: 'x' }, { items: [a] }, { items: [a] }],
  ['an empty list adds nothing', { items: [a], words: ['x'] }, { items: [], words: [] }, { items: [a], words: ['x'] }],
]

for (const [what, current, patch, object] of rows)
  test(`of a strategic patch ${what}`, () => {
    assert.deepEqual(strategicMergePatch(current, patch, shape), { kind: 'patched', object })
  })

const noKey = (text: string): string => `map: ${text} does not contain declared merge key: n`

const refused: readonly (readonly [current: JsonObject, patch: Json, kind: 'malformed' | 'unfit', message: string])[] = [
  [{ map: {} }, { map: { $retainKeys: 'x' } }, 'malformed', 'invalid patch format of retainKeys'],
  [{ map: {} }, { map: { $retainKeys: ['x'], y: 'z' } }, 'malformed', 'invalid patch format of retainKeys'],
  [{}, { $setElementOrder: [] }, 'malformed', 'invalid patch format of setElementOrder list'],
  [{ map: {} }, { map: { $patch: 1 } }, 'unfit', 'unknown patch type: %!s(int64=1) in map: map[$patch:1]'],
  [{ map: {} }, { map: { $patch: null } }, 'unfit', 'unknown patch type: %!s(<nil>) in map: map[$patch:<nil>]'],
  [{ map: {} }, { map: { $patch: ['a'] } }, 'unfit', 'unknown patch type: [a] in map: map[$patch:[a]]'],
  [{ items: [a] }, { items: [{ v: 2 }] }, 'unfit', noKey('map[v:2]')],
  [{ items: [a] }, { items: [{ v: 2 }, { $patch: 'replace' }] }, 'unfit', noKey('map[v:2]')],
  [{ items: [a] }, { items: [{ n: 'a', $patch: 'merge' }] }, 'unfit', 'merging lists cannot yet be specified in the patch'],
  [{ items: [a] }, { items: [{ n: 'a', $patch: 'odd' }] }, 'unfit', 'unknown patch type: odd in map: map[$patch:odd n:a]'],
  [{ items: [a] }, { items: ['x'] }, 'unfit', 'list element types are not identical: [[map[n:a v:1]] [x]]'],
  [
    { items: [a] },
    { items: [b, c], [order('items')]: [{ n: 'c' }, { n: 'b' }] },
    'unfit',
    "The order in patch list:\n[map[n:b] map[n:c]]\n doesn't match $setElementOrder list:\n[map[n:c] map[n:b]]\n",
  ],
  [
    {},
    { words: ['a', 'b'], [order('words')]: ['b', 'a'] },
    'unfit',
    "The order in patch list:\n[a b]\n doesn't match $setElementOrder list:\n[b a]\n",
  ],
  [{ items: [a] }, { items: [b], [order('items')]: ['b'] }, 'unfit', 'expected a map[string]interface {}, but received a string'],
  [{ items: [a] }, { items: [b], [order('items')]: [{}] }, 'unfit', noKey('map[]')],
  [{ items: [a] }, { [order('items')]: 'x' }, 'unfit', 'expected a []interface {}, but received a string'],
]

for (const [current, patch, kind, message] of refused)
  test(`the strategic patch ${JSON.stringify(patch)} is refused`, () => {
    assert.deepEqual(strategicMergePatch(current, patch as JsonObject, shape), { kind, message })
  })
