import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { findDifference, findLeftovers, isEqualJson } from './difference.ts'

interface Row {
  readonly why: string
  readonly wanted: unknown
  readonly actual: unknown
  readonly owned?: Readonly<Record<string, unknown>>
  readonly at: readonly (string | number)[] | undefined
}

const rows: readonly Row[] = [
  { why: 'fields that are not named do not count', wanted: { a: 1 }, actual: { a: 1, b: 2 }, at: undefined },
  { why: 'a named field that differs is found', wanted: { a: { b: 1 } }, actual: { a: { b: 2 } }, at: ['a', 'b'] },
  { why: 'a named field that is missing is found', wanted: { a: { b: 1 } }, actual: { a: {} }, at: ['a', 'b'] },
  { why: 'an empty map is as good as none', wanted: { a: {} }, actual: {}, at: undefined },
  { why: 'an empty list is as good as none', wanted: { a: [] }, actual: {}, at: undefined },
  { why: 'but not as good as a word', wanted: { a: {} }, actual: { a: 'x' }, at: ['a'] },
  { why: 'nor is an empty list', wanted: { a: [] }, actual: { a: 'x' }, at: ['a'] },
  { why: 'a map that is missing is found as a whole', wanted: { a: { b: 1 } }, actual: {}, at: ['a'] },
  { why: 'and so is a list', wanted: { a: [1] }, actual: {}, at: ['a'] },
  { why: 'null means absent', wanted: { a: null }, actual: {}, at: undefined },
  { why: 'of a list of as many items the first that differs is found', wanted: [1, 2, 3], actual: [1, 4, 5], at: [1] },
  {
    why: 'a field of an item of a list is found',
    wanted: { a: [{ b: 1 }, { b: 2 }] },
    actual: { a: [{ b: 1 }, { b: 3 }] },
    at: ['a', 1, 'b'],
  },
  { why: 'a list that is one value counts as a whole', wanted: { a: [1] }, actual: { a: [1, 2] }, at: ['a'] },
  {
    why: 'also when its items have names',
    wanted: { a: [{ name: 'x' }] },
    actual: { a: [{ name: 'x' }, { name: 'y' }] },
    at: ['a'],
  },
  {
    why: 'others may own items of a map',
    wanted: { a: [{ name: 'x' }] },
    actual: { a: [{ name: 'y' }, { name: 'x', added: 1 }] },
    owned: { 'f:a': { 'k:{"name":"x"}': { '.': {}, 'f:name': {} } } },
    at: undefined,
  },
  {
    why: 'an item of a map is compared with its twin',
    wanted: { a: [{ name: 'x', v: 1 }] },
    actual: {
      a: [
        { name: 'y', v: 1 },
        { name: 'x', v: 2 },
      ],
    },
    owned: { 'f:a': { 'k:{"name":"x"}': { '.': {}, 'f:name': {} } } },
    at: ['a', 0, 'v'],
  },
  {
    why: 'others may own values of a set',
    wanted: { a: ['x'] },
    actual: { a: ['y', 'x'] },
    owned: { 'f:a': { 'v:"x"': {} } },
    at: undefined,
  },
  {
    why: 'a value of a set that is missing is found',
    wanted: { a: ['x', 'z'] },
    actual: { a: ['y', 'x'] },
    owned: { 'f:a': { 'v:"x"': {} } },
    at: ['a', 1],
  },
  {
    why: 'a set is known by its values when the set itself is remembered as well',
    wanted: { a: ['x'] },
    actual: { a: ['y', 'x'] },
    owned: { 'f:a': { '.': {}, 'v:"x"': {} } },
    at: undefined,
  },
  {
    why: 'items have the keys that are remembered, of which the server fills in what is not stated',
    wanted: { ports: [{ containerPort: 80, hostPort: 1 }] },
    actual: {
      ports: [
        { containerPort: 81, protocol: 'TCP', hostPort: 2 },
        { containerPort: 80, protocol: 'TCP', hostPort: 1 },
      ],
    },
    owned: { 'f:ports': { 'k:{"containerPort":80,"protocol":"TCP"}': { '.': {}, 'f:containerPort': {} } } },
    at: undefined,
  },
  {
    why: 'others may own values of a set within an item of a map',
    wanted: { a: [{ name: 'x', b: ['ours'] }] },
    actual: { a: [{ name: 'x', b: ['theirs', 'ours'] }] },
    owned: { 'f:a': { 'k:{"name":"x"}': { 'f:b': { 'v:"ours"': {} } }, 'k:{"name":"y"}': { 'f:name': {} } } },
    at: undefined,
  },
  {
    why: 'what is remembered of one item says nothing of another',
    wanted: { a: [{ name: 'x', b: ['ours'] }] },
    actual: { a: [{ name: 'x', b: ['theirs', 'ours'] }] },
    owned: { 'f:a': { 'k:{"name":"x"}': { 'f:b': {} }, 'k:{"name":"y"}': { 'f:b': { 'v:"ours"': {} } } } },
    at: ['a', 0, 'b'],
  },
  {
    why: 'an owner is one by its uid, and what somebody else says of another one is not ours',
    wanted: { metadata: { ownerReferences: [{ uid: '1', name: 'a', controller: true }] } },
    actual: {
      metadata: {
        ownerReferences: [
          { uid: '2', name: 'a', controller: false },
          { uid: '1', name: 'a', controller: true },
        ],
      },
    },
    at: undefined,
  },
  {
    why: 'an owner that is said otherwise is found',
    wanted: { metadata: { ownerReferences: [{ uid: '1', name: 'a', controller: true }] } },
    actual: { metadata: { ownerReferences: [{ uid: '1', name: 'a', controller: false }] } },
    at: ['metadata', 'ownerReferences', 0, 'controller'],
  },
  {
    why: 'a list of the name of one in metadata is none of them',
    wanted: { spec: { finalizers: ['ours'] } },
    actual: { spec: { finalizers: ['theirs', 'ours'] } },
    at: ['spec', 'finalizers'],
  },
  {
    why: 'another list of metadata is one value',
    wanted: { metadata: { others: ['ours'] } },
    actual: { metadata: { others: ['theirs', 'ours'] } },
    at: ['metadata', 'others'],
  },
  {
    why: "a foreign finalizer is nobody's business",
    wanted: { metadata: { finalizers: ['ours'] } },
    actual: { metadata: { finalizers: ['theirs', 'ours'] } },
    at: undefined,
  },
]

for (const row of rows) {
  test(row.why, () => {
    assert.deepEqual(findDifference(row.wanted, row.actual, row.owned === undefined ? [] : [row.owned]), row.at)
  })
}

test('a field that we set once and do not want any more is a left-over', () => {
  const fieldsV1 = { 'f:data': { 'f:kept': {}, 'f:gone': {} }, 'f:metadata': { 'f:labels': { 'f:gone': {} } } }
  const actual = { data: { kept: '1', gone: '2', foreign: '3' }, metadata: { labels: { gone: 'x', foreign: 'y' } } }
  assert.deepEqual(findLeftovers({ data: { kept: '1' } }, actual, [{ fieldsV1 }]), [
    { path: ['data', 'gone'], value: '2' },
    { path: ['metadata', 'labels', 'gone'], value: 'x' },
  ])
})

test('an item of a map that we made and do not want any more is a left-over as a whole', () => {
  const fieldsV1 = { 'f:ports': { 'k:{"port":80}': { '.': {}, 'f:port': {} }, 'k:{"port":81}': { '.': {}, 'f:port': {} } } }
  const actual = { ports: [{ port: 80 }, { port: 81, name: 'x' }] }
  assert.deepEqual(findLeftovers({ ports: [{ port: 80 }] }, actual, [{ fieldsV1 }]), [
    { path: ['ports', 1], value: { port: 81, name: 'x' } },
  ])
})

test('of a map that we share only our fields are left-overs, and not the map itself', () => {
  const fieldsV1 = { 'f:metadata': { 'f:labels': { '.': {}, 'f:gone': {} } } }
  assert.deepEqual(findLeftovers({}, { metadata: { labels: { gone: 'x', foreign: 'y' } } }, [{ fieldsV1 }]), [
    { path: ['metadata', 'labels', 'gone'], value: 'x' },
  ])
})

test('of an item that somebody else made only our fields are left-overs, be it the first', () => {
  const fieldsV1 = { 'f:ports': { 'k:{"port":80}': { 'f:name': {} } } }
  assert.deepEqual(findLeftovers({}, { ports: [{ port: 80, name: 'ours' }] }, [{ fieldsV1 }]), [
    { path: ['ports', 0, 'name'], value: 'ours' },
  ])
})

test('an item is wanted when all of its keys are, as far as they are stated', () => {
  const fieldsV1 = {
    'f:ports': {
      'k:{"containerPort":80,"protocol":"TCP"}': { '.': {}, 'f:containerPort': {} },
      'k:{"containerPort":81,"protocol":"TCP"}': { '.': {}, 'f:containerPort': {} },
    },
  }
  const [gone, kept] = [80, 81].map(containerPort => ({ containerPort, protocol: 'TCP' }))
  assert.deepEqual(findLeftovers({ ports: [{ containerPort: 81 }] }, { ports: [gone, kept] }, [{ fieldsV1 }]), [
    { path: ['ports', 0], value: gone },
  ])
})

test('a value of a set that we put there and do not want any more is a left-over, wherever it stands', () => {
  const fieldsV1 = { 'f:a': { 'v:"kept"': {}, 'v:"gone"': {}, 'v:"lost"': {} } }
  assert.deepEqual(findLeftovers({ a: ['kept'] }, { a: ['foreign', 'kept', 'gone'] }, [{ fieldsV1 }]), [
    { path: ['a', 2], value: 'gone' },
  ])
  assert.deepEqual(findLeftovers({ a: [] }, { a: ['gone'] }, [{ fieldsV1 }]), [{ path: ['a', 0], value: 'gone' }])
})

for (const [a, b, isEqual] of [
  [{}, 1, false],
  [1, {}, false],
  [{}, [], false],
  [[], {}, false],
  [{ a: undefined }, {}, true],
  [{}, { a: undefined }, true],
  [{ a: null }, {}, false],
  [[1, 2], [1], false],
  [[1], [1, 2], false],
] as const)
  test(`${JSON.stringify(a)} and ${JSON.stringify(b)} are ${isEqual ? 'equal, as what is undefined is absent' : 'not equal'}`, () => {
    assert.equal(isEqualJson(a, b), isEqual)
  })

test('what is already gone is no left-over', () => {
  assert.deepEqual(findLeftovers({}, { data: {} }, [{ fieldsV1: { 'f:data': { 'f:gone': {} } } }]), [])
})

test('a value does not differ from itself, and equality agrees with difference both ways', () => {
  fc.assert(
    fc.property(fc.jsonValue(), value => {
      const json: unknown = JSON.parse(JSON.stringify(value))
      assert.equal(findDifference(json, json), undefined)
      assert.ok(isEqualJson(json, structuredClone(json)))
    }),
  )
})
