import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Json, JsonObject } from '../json.ts'
import type { FieldSet } from './field-set.ts'
import { parseFieldsV1 } from './fields-v1.ts'
import {
  capUpdaters,
  compareOwners,
  decodeOwners,
  encodeOwners,
  identityOf,
  type Owner,
  type Owners,
  sameOwners,
} from './managers.ts'

const fields = { 'f:spec': { 'f:a': {} } }
const entry = (content: JsonObject = {}): JsonObject => ({
  manager: 'm',
  operation: 'Apply',
  apiVersion: 'v1',
  time: '2026-01-01T00:00:00Z',
  fieldsType: 'FieldsV1',
  fieldsV1: fields,
  ...content,
})

test('what tells two entries apart is who writes, how, at which version and where; of an applier not the version', () => {
  const identity = (content: JsonObject): string => identityOf(entry(content) as Parameters<typeof identityOf>[0])
  assert.equal(identity({}), '{"manager":"m","operation":"Apply"}')
  assert.equal(identity({ apiVersion: 'v2' }), identity({}))
  assert.equal(identity({ operation: 'Update' }), '{"manager":"m","operation":"Update","apiVersion":"v1"}')
  assert.notEqual(identity({ operation: 'Update', apiVersion: 'v2' }), identity({ operation: 'Update' }))
  assert.equal(identity({ subresource: 'status' }), '{"manager":"m","operation":"Apply","subresource":"status"}')
  assert.equal(identity({ subresource: '' }), identity({}))
})

const readable: readonly (readonly [entries: Json | undefined, count: number | undefined])[] = [
  [undefined, 0],
  [null, 0],
  [[], 0],
  ['x', undefined],
  [[entry()], 1],
  [[entry(), entry({ apiVersion: 'v2' })], 1],
  [[entry(), entry({ operation: 'Update' })], 2],
  [[entry({ operation: 'Delete' })], undefined],
  [[entry({ fieldsType: '' })], 1],
  [[entry({ fieldsType: 'FieldsV2' })], undefined],
  [[entry({ fieldsV1: null })], 1],
  [[entry({ fieldsV1: { a: {} } })], undefined],
  [[entry({ fieldsV1: 'x' })], undefined],
  [['x'], undefined],
  [[entry(), {}], undefined],
]

test('entries are read all together or not at all', () => {
  assert.deepEqual(
    readable.map(([entries]) => decodeOwners(entries)?.size),
    readable.map(([, count]) => count),
  )
})

test('entries are written as they were read, in the order in which a server keeps them, without those that own nothing', () => {
  const early = entry({ manager: 'z', operation: 'Update', time: '2025-01-01T00:00:00Z' })
  const late = entry({ manager: 'a', operation: 'Update', subresource: 'status' })
  const timeless = { manager: 'b', operation: 'Update', apiVersion: 'v1', fieldsType: 'FieldsV1', fieldsV1: fields }
  const bare = { operation: 'Update', fieldsType: 'FieldsV1', fieldsV1: fields }
  const empty = entry({ manager: 'nobody', fieldsV1: {} })
  const owners = decodeOwners([late, empty, early, timeless, bare, entry()])
  assert.ok(owners !== undefined)
  assert.deepEqual(encodeOwners(owners), [entry(), bare, timeless, early, late])
})

test('entries stand by operation, time, writer, version and part of the object', () => {
  const order = (left: JsonObject, right: JsonObject): number => Math.sign(compareOwners(entry(left), entry(right)))
  assert.equal(order({}, {}), 0)
  assert.equal(order({ operation: 'Update' }, {}), 1)
  assert.equal(order({ operation: 'Update', time: '2020-01-01T00:00:00Z' }, {}), 1)
  assert.equal(order({ time: '2020-01-01T00:00:00Z', manager: 'z' }, {}), -1)
  assert.equal(order({ manager: 'a', apiVersion: 'v9' }, {}), -1)
  assert.equal(order({ apiVersion: 'v0', subresource: 'z' }, {}), -1)
  assert.equal(order({ subresource: 'status' }, {}), 1)
})

function owner(content: Partial<Owner>): Owner {
  const set = parseFieldsV1(fields) as FieldSet
  return { manager: 'm', operation: 'Update', apiVersion: 'v1', subresource: '', time: '2026-01-01T00:00:00Z', set, ...content }
}

function ownersOf(...list: readonly Owner[]): Owners {
  return new Map(list.map(one => [identityOf(one), one]))
}

test('owners are the same whose sets and versions are, whenever they wrote', () => {
  const other = parseFieldsV1({ 'f:b': {} }) as FieldSet
  const nothing = parseFieldsV1({}) as FieldSet
  const one = ownersOf(owner({}))
  assert.ok(sameOwners(one, ownersOf(owner({ time: undefined }))))
  assert.ok(sameOwners(one, ownersOf(owner({}), owner({ manager: 'n', set: nothing }))))
  assert.ok(sameOwners(ownersOf(owner({}), owner({ manager: 'n', set: nothing })), one))
  assert.ok(!sameOwners(one, ownersOf(owner({}), owner({ manager: 'n' }))))
  assert.ok(!sameOwners(ownersOf(owner({}), owner({ manager: 'n' })), one))
  assert.ok(!sameOwners(one, ownersOf(owner({ set: other }))))
  assert.ok(!sameOwners(one, ownersOf(owner({ manager: 'n' }))))
  const applier = (apiVersion: string): Owners => ownersOf(owner({ operation: 'Apply', apiVersion }))
  assert.ok(!sameOwners(applier('v1'), applier('v2')))
})

const day = (number: number): string => `2026-01-${String(number).padStart(2, '0')}T00:00:00Z`
const writers = (count: number, content: (index: number) => Partial<Owner> = () => ({})): Owners =>
  ownersOf(
    ...Array.from({ length: count }, (_, index) =>
      owner({
        manager: `u${String(index).padStart(2, '0')}`,
        time: day(index + 1),
        set: parseFieldsV1({ [`f:${index}`]: {} }) as FieldSet,
        ...content(index),
      }),
    ),
  )

test('up to ten updaters stay as they are, and appliers do not count', () => {
  const ten = writers(10)
  assert.equal(capUpdaters(ten), ten)
  const more = new Map([...ten, ...ownersOf(owner({ operation: 'Apply' }))])
  assert.equal(capUpdaters(more), more)
})

test('beyond ten the oldest of a version are joined, until there are ten', () => {
  const names = (owners: Owners): string[] => [...owners.values()].map(({ manager }) => manager).toSorted()
  const eleven = capUpdaters(writers(11))
  assert.deepEqual(names(eleven), ['ancient-changes', 'u02', 'u03', 'u04', 'u05', 'u06', 'u07', 'u08', 'u09', 'u10'])
  const joined = encodeOwners(eleven)[0] as JsonObject
  assert.deepEqual([joined.manager, joined.time, joined.fieldsV1], ['ancient-changes', day(2), { 'f:0': {}, 'f:1': {} }])
  const twelve = capUpdaters(writers(12))
  assert.equal(twelve.size, 10)
  assert.deepEqual((encodeOwners(twelve)[0] as JsonObject).fieldsV1, { 'f:0': {}, 'f:1': {}, 'f:2': {} })
})

test('the oldest are those that wrote first, and of one time those that come first by name', () => {
  const joined = (owners: Owners): unknown =>
    (encodeOwners(capUpdaters(owners)).find(one => (one as JsonObject).manager === 'ancient-changes') as JsonObject).fieldsV1
  assert.deepEqual(joined(writers(11, index => ({ time: day(20 - index) }))), { 'f:9': {}, 'f:10': {} })
  assert.deepEqual(joined(new Map([...writers(11, () => ({ time: day(1) }))].toReversed())), { 'f:0': {}, 'f:1': {} })
  assert.deepEqual(joined(writers(11, index => ({ time: index === 7 || index === 5 ? undefined : day(1) }))), {
    'f:5': {},
    'f:7': {},
  })
})

test('updaters of different versions are not joined with each other', () => {
  const each = writers(11, index => ({ apiVersion: `v${index}` }))
  assert.equal(capUpdaters(each).size, 11)
  const pairs = capUpdaters(writers(11, index => ({ apiVersion: index === 0 ? 'v0' : 'v1', subresource: 'status' })))
  const ancient = [...pairs.values()].find(({ manager }) => manager === 'ancient-changes')
  assert.deepEqual([pairs.size, ancient?.apiVersion, ancient?.subresource, ancient?.time], [10, 'v1', '', day(3)])
})
