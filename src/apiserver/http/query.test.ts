import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Query } from './query.ts'

test('a query is read name by name, decoded, the first of a name before the others', () => {
  const query = new Query('a=1&b=x%20y+z&a=2&c&=e&d%3D=5&&bad=%E0%A4%A&f=g=h')
  assert.equal(query.get('a'), '1')
  assert.deepEqual(query.all('a'), ['1', '2'])
  assert.equal(query.get('b'), 'x y z')
  assert.equal(query.get('c'), '')
  assert.equal(query.get(''), 'e')
  assert.equal(query.get('d='), '5')
  assert.equal(query.get('bad'), '%E0%A4%A')
  assert.equal(query.get('f'), 'g=h')
  assert.equal(query.get('absent'), undefined)
  assert.deepEqual(query.all('absent'), [])
  assert.deepEqual([query.has('c'), query.has('absent')], [true, false])
})

test('an empty query has nothing, not even an empty name', () => {
  for (const text of ['', '&', '&&']) assert.equal(new Query(text).has(''), false)
})

for (const [text, value] of [
  ['', false],
  ['watch', true],
  ['watch=', true],
  ['watch=1', true],
  ['watch=true', true],
  ['watch=yes', true],
  ['watch=0', false],
  ['watch=f', false],
  ['watch=false', false],
  ['watch=False', false],
  ['watch=FALSE', false],
] as const)
  test(`"${text}" ${value ? 'asks' : 'does not ask'} for a watch`, () => {
    assert.equal(new Query(text).flag('watch'), value)
  })
