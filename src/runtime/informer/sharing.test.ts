import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import * as fc from 'fast-check'
import { silentLog } from '#base'
import { configMaps, type StoredObject, secrets } from '#kube'
import { projector } from './projection.ts'
import { Sharing, SharingByKind } from './sharing.ts'

interface Told extends StoredObject {
  readonly status?: unknown
}

function object(name: string, more: object = {}, fieldsV1: object = { 'f:spec': { 'f:name': {} } }): Told {
  const managedFields = [{ manager: 'ours', operation: 'Apply', time: '2026-01-01T00:00:00Z', fieldsV1 }]
  const metadata = { name, uid: `uid-${name}`, resourceVersion: '1', managedFields }
  return JSON.parse(JSON.stringify({ apiVersion: 'v1', kind: 'Thing', metadata, ...more })) as Told
}

/** After a whole collection: a flag that is set while the program runs counts for contexts made after it. */
function heapBytes(): number {
  setFlagsFromString('--expose-gc')
  const collect = runInNewContext('gc') as () => void
  collect()
  return process.memoryUsage().heapUsed
}

type Fields = Readonly<Record<string, unknown>> | undefined

const fieldSetOf = ({ metadata }: Told): unknown => metadata.managedFields?.[0]?.fieldsV1

test('equal field sets of two objects are one thing afterwards, other ones are not', () => {
  const sharing = new Sharing()
  const [first, second, other] = [object('a'), object('b'), object('c', {}, { 'f:spec': { 'f:path': {} } })]
  assert.notEqual(fieldSetOf(first), fieldSetOf(second))
  for (const each of [first, second, other]) assert.equal(sharing.within(each), each)
  assert.equal(fieldSetOf(first), fieldSetOf(second))
  assert.notDeepEqual(fieldSetOf(other), fieldSetOf(first))
})

test('of two field sets that name different owners the parts that are equal are one thing', () => {
  const sharing = new Sharing()
  const fields = (uid: string): object => ({
    'f:metadata': { 'f:labels': { 'f:app': {} }, 'f:ownerReferences': { [`k:{"uid":"${uid}"}`]: {} } },
    'f:spec': { 'f:name': {} },
  })
  const [first, second] = ['a', 'b'].map(name => fieldSetOf(sharing.within(object(name, {}, fields(name)))) as Fields)
  assert.deepEqual([first, second], [fields('a'), fields('b')])
  assert.equal(first?.['f:spec'], second?.['f:spec'])
  const [before, after] = [first, second].map(fieldSet => fieldSet?.['f:metadata'] as Fields)
  assert.equal(before?.['f:labels'], after?.['f:labels'])
  assert.notEqual(before?.['f:ownerReferences'], after?.['f:ownerReferences'])
})

describe('lists and their entries', () => {
  const condition = { type: 'Ready', status: 'True', observedGeneration: 3, message: 'all is well' }
  const listsOf = (first: unknown, second: unknown, sharing = new Sharing()): readonly (readonly unknown[])[] =>
    [first, second].map((conditions, index) => {
      const told = sharing.within(object(`${index}`, { status: { conditions } }))
      const list = (told.status as { conditions: unknown[] }).conditions
      assert.deepEqual(list, conditions)
      return list
    })

  test('two equal lists of simple values or of entries of such are one thing', () => {
    for (const list of [['a', 'b'], [1, true, null], [], [condition], [condition, { type: 'Synced' }], [{}]]) {
      const [one, other] = listsOf(list, list)
      assert.equal(one, other, JSON.stringify(list))
    }
  })

  for (const [what, other] of [
    ['another text', { ...condition, message: 'all is good' }],
    ['another number', { ...condition, observedGeneration: 4 }],
    ['a text in place of a number', { ...condition, observedGeneration: '3' }],
    ['a name more', { ...condition, reason: 'Ready' }],
    ['a name fewer', { type: 'Ready', status: 'True', observedGeneration: 3 }],
    ['the values by other names', { kind: 'Ready', status: 'True', observedGeneration: 3, message: 'all is well' }],
    ['the values in a list', Object.values(condition)],
  ] as const)
    test(`an entry with ${what} is another one, and its list too; the entry beside it is shared`, () => {
      const synced = { type: 'Synced', status: 'True' }
      const [one, changed] = listsOf([condition, synced], [other, synced])
      assert.notEqual(one, changed)
      assert.notEqual(one?.[0], changed?.[0])
      assert.equal(one?.[1], changed?.[1])
    })

  test('an entry with something in it, and a list within a list, are nobody else’s, and neither is the list that holds them', () => {
    for (const entry of [{ name: 'a', resources: {} }, { name: 'a', args: ['x'] }, ['x']]) {
      const [one, other] = listsOf([entry, condition], [entry, condition])
      assert.notEqual(one, other)
      assert.notEqual(one?.[0], other?.[0])
      assert.equal(one?.[1], other?.[1])
    }
  })

  test('a list that says in an entry what another says as an object is another one', () => {
    const sharing = new Sharing()
    const [list] = listsOf(['a'], ['a'], sharing)
    const told = sharing.within(object('x', { status: { conditions: [{ 0: 'a' }] } }))
    assert.notEqual((told.status as { conditions: unknown[] }).conditions[0], list)
  })

  test('entries and lists of up to 1,024 characters of texts are shared, lists of up to sixteen entries [B29]', () => {
    for (const [characters, isShared] of [
      [1_024, true],
      [1_025, false],
    ] as const) {
      const [one, other] = listsOf([{ message: 'm'.repeat(characters) }], [{ message: 'm'.repeat(characters) }])
      assert.equal(one?.[0] === other?.[0], isShared, `${characters} characters`)
      const texts = ['m'.repeat(1_000), 'n'.repeat(characters - 1_000)]
      const [list, alike] = listsOf(texts, texts)
      assert.equal(list === alike, isShared, `a list of ${characters} characters`)
    }
    for (const [entries, isShared] of [
      [16, true],
      [17, false],
    ] as const) {
      const list = Array.from({ length: entries }, (_, index) => ({ index }))
      const [one, other] = listsOf(list, list)
      assert.equal(one === other, isShared, `${entries} entries`)
      assert.equal(one?.[0], other?.[0])
    }
  })
})

test('a field set that many have stays shared however many others come between', () => {
  const sharing = new Sharing()
  const first = sharing.within(object('first'))
  for (let index = 0; index < 2_000; index++) {
    sharing.within(object('other', {}, { 'f:spec': { [`f:field-${index}`]: {} } }))
    if (index % 100 === 0) sharing.within(object('like it'))
  }
  assert.equal(fieldSetOf(sharing.within(object('last'))), fieldSetOf(first))
})

test('a text that many objects have is held once, however many others come between', () => {
  const sharing = new Sharing()
  const phase = (told: Told): unknown => (told.status as { phase: unknown }).phase
  // No comparison tells two copies of a text apart; what they take does.
  const held: unknown[] = []
  const before = heapBytes()
  for (let index = 0; index < 2_000; index++) {
    held.push(phase(sharing.within(object(`common-${index}`, { status: { phase: 'p'.repeat(4_000) } }))))
    sharing.within(object(`other-${index}`, { status: { phase: `${index}`.repeat(20) } }))
  }
  const grown = heapBytes() - before
  assert.equal(held.length, 2_000)
  assert.ok(grown < 4_000_000, `2,000 texts of 4,000 characters took ${grown} bytes`)
})

test('however much is said, little of it is kept for others', () => {
  const sharing = new Sharing()
  const wordy = 'f'.repeat(3_000)
  const first = sharing.within(object('first'))
  const long = sharing.within(object('long', {}, { 'f:spec': { [`f:${wordy.repeat(3)}`]: {} } }))
  for (let index = 0; index < 100; index++) sharing.within(object('other', {}, { 'f:spec': { [`f:${wordy}${index}`]: {} } }))
  assert.notEqual(fieldSetOf(sharing.within(object('again'))), fieldSetOf(first))
  const longAgain = sharing.within(object('long', {}, { 'f:spec': { [`f:${wordy.repeat(3)}`]: {} } }))
  assert.notEqual(fieldSetOf(longAgain), fieldSetOf(long))
})

for (const [characters, least] of [
  [4_064, 32],
  [96, 1_024],
] as const)
  test(`of field sets of ${characters} characters the last ${least} to ${2 * least} are known`, () => {
    const ofLength = (index: number): object => ({ f: `${index}`.padEnd(characters - '{"f":""}'.length, '-') })
    for (const [others, isKnown] of [
      [2 * least - 1, true],
      [2 * least, false],
    ] as const) {
      const sharing = new Sharing()
      const first = sharing.within(object('first', {}, ofLength(0)))
      for (let index = 1; index <= others; index++) sharing.within(object('other', {}, ofLength(index)))
      const again = sharing.within(object('again', {}, ofLength(0)))
      assert.equal(fieldSetOf(again) === fieldSetOf(first), isKnown, `after ${others} others`)
    }
  })

test('a field set of more than 8,192 characters is nobody else’s', () => {
  for (const [characters, isShared] of [
    [8_192, true],
    [8_193, false],
  ] as const) {
    const sharing = new Sharing()
    const fields = { f: 'x'.repeat(characters - '{"f":""}'.length) }
    const [first, second] = ['a', 'b'].map(name => fieldSetOf(sharing.within(object(name, {}, fields))))
    assert.equal(first === second, isShared, `${characters} characters`)
  }
})

test('what stands deeper than twenty-four levels is left as it is', () => {
  const inLevels = (levels: number, inside: object): object => {
    if (levels === 0) return inside
    const within = inLevels(levels - 1, inside)
    return levels % 2 === 0 ? { within } : [within]
  }
  for (const [levels, isShared] of [
    [22, true],
    [23, false],
  ] as const) {
    const sharing = new Sharing()
    const found = ['a', 'b'].map(name => {
      const inside = { fieldsV1: { f: {} } }
      // The object itself is the first level, and its status the second.
      sharing.within<Told>({ ...object(name), status: inLevels(levels, inside) })
      return inside.fieldsV1
    })
    assert.equal(found[0] === found[1], isShared, `${levels} levels`)
  }
})

test('what shares the texts of a quiet stream takes next to nothing: there is one for each kind of each cluster', () => {
  const before = heapBytes()
  const all = Array.from({ length: 1_000 }, () => new Sharing())
  for (const sharing of all) sharing.within(object('only'))
  const grown = heapBytes() - before
  assert.equal(all.length, 1_000)
  assert.ok(grown < 8_000_000, `${grown / 1_000} bytes each`)
})

test('a text is kept only until others take its place: of large ones that nobody has again, few stay', () => {
  const sharing = new Sharing()
  const before = heapBytes()
  for (let index = 0; index < 2_000; index++)
    sharing.within(object('large', { status: { index, text: `${index}`.padEnd(6_000 + index, `${index}`) } }))
  const grown = heapBytes() - before
  assert.equal(sharing.within(object('last')).metadata.name, 'last')
  assert.ok(grown < 4_000_000, `of 14 MB of texts ${grown} bytes are still held`)
})

test('texts that take turns in one place drive out no other one', () => {
  const sharing = new Sharing()
  const held: unknown[] = []
  const before = heapBytes()
  for (let index = 0; index < 2_000; index++) {
    const { status } = sharing.within(object('common', { status: { phase: 'p'.repeat(8_000) } }))
    held.push((status as { phase: unknown }).phase)
    // They differ in their second character alone, at which nobody looks.
    sharing.within(object('other', { status: { phase: `a${index % 2}`.padEnd(8_000, '-') } }))
  }
  const grown = heapBytes() - before
  assert.equal(held.length, 2_000)
  assert.ok(grown < 500_000, `2,000 texts of 8,000 characters took ${grown} bytes`)
})

test('whatever an object says, it says the same afterwards', () => {
  const sharing = new Sharing()
  const check = fc.property(fc.jsonValue(), fc.jsonValue(), (status, fields) => {
    const told = object('odd', { status }, { 'f:status': fields })
    const before = JSON.stringify(told)
    assert.equal(JSON.stringify(sharing.within(told)), before)
  })
  fc.assert(check, { seed: 1, numRuns: 500 })
})

test('what is frozen is left alone, and an object deeper than any stack does no harm', () => {
  const frozen: Told = { ...object('frozen'), status: Object.freeze({ phase: 'Bound' }) }
  assert.deepEqual(new Sharing().within(frozen).status, { phase: 'Bound' })
  let deep: unknown = 'bottom'
  for (let depth = 0; depth < 100_000; depth++) deep = [deep]
  const told: Told = { ...object('deep'), status: deep }
  assert.equal(new Sharing().within(told).status, deep)
})

test('an informer shares what it takes in, but nothing of Secrets', () => {
  for (const [type, isShared] of [
    [configMaps, true],
    [secrets, false],
  ] as const) {
    const take = projector({ type, log: silentLog })
    const [first, second] = [take(object('a')), take(object('b'))]
    assert.equal(fieldSetOf(first) === fieldSetOf(second), isShared, type.kind)
  }
})

test('the caches of several clusters share what they say of a kind, and nothing of Secrets', () => {
  const sharing = new SharingByKind()
  assert.equal(sharing.of('things'), sharing.of('things'))
  assert.notEqual(sharing.of('things'), sharing.of('others'))
  for (const [type, isShared] of [
    [configMaps, true],
    [secrets, false],
  ] as const) {
    const clusters = ['a', 'b'].map(() => projector<Told>({ type, sharing: sharing.of(type.plural), log: silentLog }))
    const [first, second] = clusters.map(project => fieldSetOf(project(object('one'))))
    assert.deepEqual(first, second)
    assert.equal(first === second, isShared, type.kind)
  }
})
