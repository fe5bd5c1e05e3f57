import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseFieldSelector, parseLabelSelector, renderLabelSelector, SelectorError, selectorFromObject } from './selectors.ts'

const rows: readonly (readonly [text: string, matched: readonly object[], passed: readonly (object | undefined)[]])[] = [
  ['', [{}, { a: '1' }], []],
  ['a', [{ a: '' }, { a: '1' }], [{}, undefined, { b: '1' }]],
  ['!a', [{}, { b: '1' }], [{ a: '' }]],
  ['a=1', [{ a: '1' }], [{ a: '2' }, {}, undefined]],
  ['a==1', [{ a: '1' }], [{ a: '2' }]],
  ['a!=1', [{ a: '2' }, {}], [{ a: '1' }]],
  ['a in (1,2)', [{ a: '1' }, { a: '2' }], [{ a: '3' }, {}]],
  ['a notin (1, 2)', [{ a: '3' }, {}], [{ a: '1' }, { a: '2' }]],
  ['a>5', [{ a: '6' }, { a: '10' }], [{ a: '5' }, { a: '4' }, { a: 'x' }, {}]],
  ['a<5', [{ a: '4' }, { a: '-1' }], [{ a: '5' }, { a: '6' }, {}]],
  ['a=1,b', [{ a: '1', b: '' }], [{ a: '1' }, { b: '' }]],
  ['toString', [{ toString: 'own' }], [{}]],
]

for (const [text, matched, passed] of rows)
  test(`"${text}" fits what it says and nothing else`, () => {
    const selector = parseLabelSelector(text)
    for (const labels of matched) assert.ok(selector.matches(labels as Record<string, string>), JSON.stringify(labels))
    for (const labels of passed) assert.ok(!selector.matches(labels as Record<string, string>), JSON.stringify(labels))
  })

for (const text of [
  'a,',
  'a,,b',
  ',a',
  '!',
  '!=a',
  'a b',
  'a in 1',
  'a in (1',
  'a in (1 2)',
  'a=b=c',
  'a>x',
  'a=-',
  '-=a',
  'a in (-)',
])
  test(`"${text}" is refused`, () => assert.throws(() => parseLabelSelector(text), SelectorError))

test('a selector is written with its keys and values in order', () => {
  for (const [text, written] of [
    ['b=2,a', 'a,b=2'],
    ['a in (z,y)', 'a in (y,z)'],
    ['a in (z)', 'a=z'],
    ['a notin (z,y),!b,c>1,d<2', 'a notin (y,z),!b,c>1,d<2'],
    ['a!=1', 'a notin (1)'],
  ] as const)
    assert.equal(renderLabelSelector(parseLabelSelector(text)), written)
})

test('a selector object is all of its labels and expressions; an empty one fits everything', () => {
  assert.ok(selectorFromObject({}).matches(undefined))
  const selector = selectorFromObject({
    matchLabels: { a: '1' },
    matchExpressions: [
      { key: 'b', operator: 'Exists' },
      { key: 'c', operator: 'NotIn', values: ['x'] },
      { key: 'd', operator: 'DoesNotExist' },
    ],
  })
  assert.ok(selector.matches({ a: '1', b: '' }))
  for (const labels of [{ a: '1' }, { b: '' }, { a: '1', b: '', c: 'x' }, { a: '1', b: '', d: '' }])
    assert.ok(!selector.matches(labels))
  assert.throws(() => selectorFromObject({ matchExpressions: [{ key: 'a', operator: 'Near' }] }), SelectorError)
})

test('fields are compared by value, with escapes', () => {
  assert.deepEqual(parseFieldSelector('metadata.name=a,spec.nodeName!=b\\,c,,d==e\\=\\\\'), [
    { field: 'metadata.name', equal: true, value: 'a' },
    { field: 'spec.nodeName', equal: false, value: 'b,c' },
    { field: 'd', equal: true, value: 'e=\\' },
  ])
  assert.deepEqual(parseFieldSelector(''), [])
  for (const text of ['a', 'a=b=c', 'a=\\x', 'a=\\']) assert.throws(() => parseFieldSelector(text), SelectorError, text)
})
