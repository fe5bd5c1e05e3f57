// What a cache makes of each line of a stream and of each fresh list, with plain values.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StoredObject } from '#kube'
import { Cache, type Written } from './cache.ts'
import type { Change } from './change.ts'
import { ObjectStore } from './store.ts'

const object = (name: string, resourceVersion: string, uid = `uid-${name}`): StoredObject => ({
  apiVersion: 'v1',
  kind: 'Thing',
  metadata: { namespace: 'a', name, uid, resourceVersion },
})

function listed(...objects: readonly StoredObject[]): ObjectStore<StoredObject> {
  const store = new ObjectStore<StoredObject>()
  for (const each of objects) store.set(each)
  return store
}

function cache(...objects: readonly StoredObject[]) {
  const made = new Cache<StoredObject>()
  const told: string[] = []
  const say = (change: Change): void => {
    const { name, resourceVersion } = change.object.metadata
    const more = change.kind === 'added' && change.initial ? ' at first' : ''
    const before = change.kind === 'changed' ? ` from ${change.previous.metadata.resourceVersion}` : ''
    told.push(`${change.kind} ${name} ${resourceVersion}${before}${more}`)
  }
  if (objects.length > 0) made.replace(listed(...objects), '10')
  const leave = made.listen(say)
  return { made, told, leave }
}

type Line = readonly ['ADDED' | 'MODIFIED' | 'DELETED', StoredObject]
const lines: readonly (readonly [what: string, line: Line, verdict: string, told: readonly string[], position: string])[] = [
  ['a new object', ['ADDED', object('b', '11')], 'applied', ['added b 11'], '11'],
  ['a newer state', ['MODIFIED', object('a', '11')], 'applied', ['changed a 11 from 8'], '11'],
  ['a newer state that was called new', ['ADDED', object('a', '11')], 'applied', ['changed a 11 from 8'], '11'],
  ['an end', ['DELETED', object('a', '11')], 'applied', ['removed a 11'], '11'],
  ['the end of what is not there', ['DELETED', object('b', '11')], 'applied', [], '11'],
  ['the same state', ['MODIFIED', object('a', '8')], 'repeated', [], '10'],
  ['an older state', ['MODIFIED', object('a', '7')], 'repeated', [], '10'],
  ['an end of before', ['DELETED', object('a', '7')], 'repeated', [], '10'],
  ['a state that was overtaken by the list', ['MODIFIED', object('a', '9')], 'applied', ['changed a 9 from 8'], '10'],
  ['a late object that nobody knows', ['ADDED', object('b', '10')], 'gap', [], '10'],
  ['a late end of what nobody knows', ['DELETED', object('b', '10')], 'repeated', [], '10'],
  ['another of the same name', ['ADDED', object('a', '11', 'other')], 'applied', ['removed a 8', 'added a 11'], '11'],
  ['the end of another of the same name', ['DELETED', object('a', '11', 'other')], 'applied', ['removed a 8'], '11'],
  ['a version that is no number', ['MODIFIED', object('a', 'x')], 'applied', ['changed a x from 8'], 'x'],
]

for (const [what, [type, each], verdict, told, position] of lines)
  test(`a line with ${what} is ${verdict} [F9]`, () => {
    const seen = cache(object('a', '8'))
    assert.equal(seen.made.apply(type, each), verdict)
    assert.deepEqual([seen.told, seen.made.position], [told, position])
    assert.deepEqual(seen.made.counts, { events: 1, repeated: verdict === 'applied' ? 0 : 1 })
  })

const lists: readonly (readonly [what: string, list: readonly StoredObject[], rewind: boolean, told: readonly string[]])[] = [
  ['the same', [object('a', '8')], false, []],
  ['a newer state', [object('a', '9')], false, ['changed a 9 from 8']],
  ['an older state', [object('a', '7')], false, []],
  ['an older state, from a server that went back', [object('a', '7')], true, ['changed a 7 from 8']],
  ['another of the same name', [object('a', '7', 'other')], false, ['removed a 8', 'added a 7']],
  ['one more', [object('a', '8'), object('b', '9')], false, ['added b 9']],
  ['none', [], false, ['removed a 8']],
]

for (const [what, list, rewind, told] of lists)
  test(`a fresh list with ${what} tells ${told.length === 0 ? 'nothing' : told.join(', ')}`, () => {
    const seen = cache(object('a', '8'))
    seen.made.replace(listed(...list), '20', rewind)
    assert.deepEqual([seen.told, seen.made.position, seen.made.synced], [told, '20', true])
  })

test('what the first list brings was there at first, and what comes later was not', () => {
  const { made, told, leave } = cache()
  assert.equal(made.synced, false)
  made.replace(listed(object('a', '1')), '1')
  made.replace(listed(object('a', '1'), object('b', '2')), '2')
  leave()
  made.apply('ADDED', object('c', '3'))
  assert.deepEqual(told, ['added a 1 at first', 'added b 2'])
})

test('a bookmark moves the position on, and never back; what is lost is gone', () => {
  const { made } = cache(object('a', '8'))
  made.advance('12')
  made.advance('11')
  assert.equal(made.position, '12')
  made.losePosition()
  assert.equal(made.position, undefined)
  made.advance('3')
  assert.equal(made.position, '3')
})

const there = (version: string): Written => ({ kind: 'there', namespace: 'a', name: 'a', version })
const gone = (version: string, uid = 'uid-a'): Written => ({ kind: 'gone', namespace: 'a', name: 'a', version, uid })

const reached: readonly (readonly [what: string, written: Written, isReached: boolean])[] = [
  ['a state that is held', there('8'), true],
  ['a state at the position', there('10'), true],
  ['a state beyond the position', there('11'), false],
  ['a state whose version cannot be compared', there('x'), false],
  ['an end at the position', gone('10'), true],
  ['an end beyond the position', gone('11'), false],
  ['an end of another before this one', gone('11', 'other'), true],
]

for (const [what, written, isReached] of reached)
  test(`${what} is ${isReached ? '' : 'not '}reached [P6]`, () =>
    assert.equal(cache(object('a', '8')).made.hasReached(written), isReached))

test('before a first list no end is reached, and a state that was seen is', () => {
  const made = new Cache<StoredObject>()
  assert.equal(made.hasReached(gone('11')), false)
  made.apply('ADDED', object('a', '12'))
  made.losePosition()
  const isReached = ['11', '12', '13'].map(version => made.hasReached(there(version)))
  assert.deepEqual(isReached, [true, true, false])
})

test('a first list does not take back what a line has brought, and no list does that is not said to be of a server that went back', () => {
  const { made, told } = cache()
  made.apply('ADDED', object('a', '12'))
  made.replace(listed(object('a', '8')), '20')
  made.replace(listed(object('a', '9')), '21')
  assert.deepEqual(told, ['added a 12'])
  assert.equal(made.store.get('a', 'a')?.metadata.resourceVersion, '12')
})

test('whoever waits first and alone may leave, too', () => {
  const { made } = cache(object('a', '8'))
  const told: string[] = []
  made.whenReached(there('11'), () => void told.push('left'))()
  made.advance('12')
  made.release()
  assert.deepEqual(told, [])
})

test('whoever waits for a write is told once when it is there, and not once he left', () => {
  const { made } = cache(object('a', '8'))
  const told: string[] = []
  made.whenReached(there('11'), () => void told.push('first'))
  const leave = made.whenReached(there('11'), () => void told.push('left'))
  made.whenReached(there('13'), () => void told.push('later'))
  leave()
  leave()
  made.advance('12')
  assert.deepEqual(told, ['first'])
  made.advance('12')
  made.release()
  made.release()
  assert.deepEqual(told, ['first', 'later'])
})
