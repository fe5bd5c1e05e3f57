import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Draft } from '../draft.ts'
import { Store, type Table } from './store.ts'
import { Version } from './version.ts'

function draft(name: string, value = 0): Draft {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, value }
}

function filled(): { store: Store; table: Table } {
  const store = new Store(() => 7)
  const table = store.table('t')
  const a = store.create(table, 'a', draft('a'))
  const b = store.create(table, 'b', draft('b'))
  store.update(table, 'a', a, draft('a', 1))
  store.remove(table, 'b', b, draft('b', 2))
  store.create(table, 'c', draft('c'))
  return { store, table }
}

/** Name, value and revision of each. */
function rowsOf(rows: Table['rows'] | undefined): unknown {
  if (rows === undefined) return undefined
  const found: unknown[] = []
  rows.visit('', ({ object }, key) => found.push([key, object.value, object.metadata.resourceVersion]) > 0)
  return found
}

test('the rows of a table are to be had as they were at each revision that its log reaches back to', () => {
  const { store, table } = filled()
  assert.equal(store.revision, 105)
  for (const [revision, wanted] of [
    [100, []],
    [101, [['a', 0, '101']]],
    [
      102,
      [
        ['a', 0, '101'],
        ['b', 0, '102'],
      ],
    ],
    [
      103,
      [
        ['a', 1, '103'],
        ['b', 0, '102'],
      ],
    ],
    [104, [['a', 1, '103']]],
    [
      105,
      [
        ['a', 1, '103'],
        ['c', 0, '105'],
      ],
    ],
    [
      200,
      [
        ['a', 1, '103'],
        ['c', 0, '105'],
      ],
    ],
  ] as const) {
    assert.deepEqual(rowsOf(table.rowsAt(revision)), wanted, String(revision))
    assert.equal(table.rowsAt(revision), table.rowsAt(revision), 'the same rows for every page')
  }
  store.compact(103)
  assert.equal(table.rowsAt(102), undefined)
  assert.deepEqual(rowsOf(table.rowsAt(103)), [
    ['a', 1, '103'],
    ['b', 0, '102'],
  ])
  assert.equal(store.table('new').log.floor, 103, 'a table that comes later begins where the past ends')
})

test('four pasts are kept for further pages, until the table changes', () => {
  const { store, table } = filled()
  const first = table.rowsAt(101)
  for (const revision of [102, 103, 104]) table.rowsAt(revision)
  assert.equal(table.rowsAt(101), first)
  table.rowsAt(100)
  assert.notEqual(table.rowsAt(101), first)
  const late = table.rowsAt(104)
  store.create(table, 'd', draft('d'))
  assert.notEqual(table.rowsAt(104), late)
  assert.deepEqual(rowsOf(table.rowsAt(104)), [['a', 1, '103']])
})

test('whoever listens is told each commit, until it stops', () => {
  const store = new Store(() => 7)
  const table = store.table('t')
  const told: unknown[] = []
  const stop = store.onCommit((event, changed) => {
    const { type, key, revision, atMs, version, previous } = event
    told.push([changed === table, type, key, revision, atMs, version.revision, previous?.revision])
  })
  const first = store.create(table, 'a', draft('a'))
  const second = store.update(table, 'a', first, draft('a', 1))
  store.remove(table, 'a', second, draft('a', 2))
  stop()
  store.create(table, 'b', draft('b'))
  assert.deepEqual(told, [
    [true, 'ADDED', 'a', 101, 7, 101, undefined],
    [true, 'MODIFIED', 'a', 102, 7, 102, 101],
    [true, 'DELETED', 'a', 103, 7, 103, 102],
  ])
  assert.equal(table.changed, 104)
})

test('nothing is written over a version that nobody read', () => {
  const { store, table } = filled()
  const stale = new Version(1, table.rows.get('a')?.object as never)
  assert.throws(() => store.create(table, 'a', draft('a')), /create over an existing object/)
  assert.throws(() => store.update(table, 'a', stale, draft('a')), /update of a version that is not the current one/)
  assert.throws(() => store.remove(table, 'a', stale, draft('a')), /removal of a version that is not the current one/)
  assert.equal(store.revision, 105)
})

test('a fork has the same past and a future of its own', () => {
  const { store, table } = filled()
  store.compact(102)
  const fork = store.fork(() => 9)
  const copy = fork.table('t')
  fork.create(copy, 'd', draft('d'))
  assert.deepEqual([store.revision, fork.revision], [105, 106])
  assert.equal(table.rows.get('d'), undefined)
  assert.equal(copy.changed, 106)
  assert.deepEqual(rowsOf(copy.rowsAt(103)), rowsOf(table.rowsAt(103)))
  assert.equal(copy.rowsAt(101), undefined)
  assert.equal(copy.log.at(copy.log.end - 1)?.atMs, 9)
  assert.equal(fork.table('new').log.floor, 102)
})

test('a store that was kept goes on from its revision, without the past', () => {
  const { store, table } = filled()
  const kept = new Store(() => 0)
  const version = table.rows.get('a') as Version
  kept.load(105, [{ table: 't', key: 'a', version }])
  assert.equal(kept.revision, 105)
  assert.equal(kept.table('t').rowsAt(104), undefined)
  assert.deepEqual(rowsOf(kept.table('t').rowsAt(105)), [['a', 1, '103']])
  assert.equal(kept.table('new').log.floor, 105)
  assert.throws(() => kept.load(105, []), /load into a store that has tables/)
  store.reload(kept)
  assert.deepEqual(rowsOf(table.rows), [['a', 1, '103']])
  assert.equal(table.log.length, 0)
  assert.throws(() => store.reload(new Store(() => 0)), /reload of another state/)
})

test('the text of a version is made once, and anew when another has taken its place', () => {
  const version = new Version(1, draft('a') as never)
  const text = version.json
  assert.equal(Buffer.from(text).toString(), '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"value":0}')
  assert.equal(version.json, text)
  const kind = {}
  assert.equal(version.hasView(kind), false)
  const same = version.viewAs({}, object => object)
  assert.equal(same, version)
  let made = 0
  const view = version.viewAs(kind, object => ({ ...object, value: ++made }))
  assert.equal(
    version.viewAs(kind, object => ({ ...object, value: ++made })),
    view,
  )
  assert.deepEqual([version.hasView(kind), version.hasView({}), view.revision, view.object.value], [true, false, 1, 1])
  const other = {}
  const otherView = version.viewAs(other, object => ({ ...object }))
  assert.equal(
    version.viewAs(kind, object => object),
    view,
    'another view leaves the first where it is',
  )
  assert.equal(
    version.viewAs(other, object => object),
    otherView,
  )
  const viewText = view.json
  version.retire()
  assert.notEqual(version.json, text)
  assert.notEqual(view.json, viewText)
  assert.deepEqual(version.json, text)
})
