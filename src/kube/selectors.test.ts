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

// In the words of Kubernetes, which clients show to people.
const operators = 'in, notin, =, ==, !=, gt, lt'
for (const [text, message] of [
  ['a,', "found '', expected: identifier after ','"],
  ['a,,b', "found ',', expected: identifier after ','"],
  [',a', "found ',', expected: !, identifier, or 'end of string'"],
  ['(', "found '(', expected: !, identifier, or 'end of string'"],
  ['!', "unable to parse requirement: found '', expected: identifier"],
  ['!,a', "unable to parse requirement: found ',', expected: identifier"],
  ['!a b', "found 'b', expected: ',' or 'end of string'"],
  ['!=a', "found '!=', expected: !, identifier, or 'end of string'"],
  ['a b', `unable to parse requirement: found 'b', expected: ${operators}`],
  ['a in', "unable to parse requirement: found '' expected: '('"],
  ['a in 1', "unable to parse requirement: found '1' expected: '('"],
  ['a in (1', "unable to parse requirement: found '', expected: ',' or ')'"],
  ['a in (1,', "unable to parse requirement: found '', expected: ',', or identifier"],
  ['a in (1 2)', "unable to parse requirement: found '2', expected: ',', or ')'"],
  ['a in (!)', "unable to parse requirement: found '!', expected: ',', or ')'"],
  ['a=b=c', "found '=', expected: ',' or 'end of string'"],
  ['a=(', "unable to parse requirement: found '(', expected: identifier"],
  ['a>x', /: values\[0\]: Invalid value: "x": for 'Gt', 'Lt' operators, the value must be an integer$/],
  ['a<', /: values\[0\]: Invalid value: "": for 'Gt', 'Lt' operators, the value must be an integer$/],
  ['a=-', /: values\[0\]\[a\]: Invalid value: "-": a valid label must be an empty string or consist of/],
  ['a in (-)', /: values\[0\]\[a\]: Invalid value: "-": a valid label must be an empty string or consist of/],
  ['-=a', /: <nil>: Invalid value: "-": name part must consist of/],
] as const)
  test(`"${text}" is refused with what was found and what was expected`, () =>
    assert.throws(() => parseLabelSelector(text), { constructor: SelectorError, message }))

for (const [text, values] of [
  ['a in ()', ['']],
  ['a in (,)', ['', '']],
  ['a in (1,,2)', ['1', '', '2']],
  ['a in (1,)', ['1', '']],
] as const)
  test(`"${text}" takes what is empty for the empty value`, () => {
    const selector = parseLabelSelector(text)
    for (const value of values) assert.ok(selector.matches({ a: value }), value)
    assert.ok(!selector.matches({ a: '3' }) && !selector.matches({}))
  })

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
