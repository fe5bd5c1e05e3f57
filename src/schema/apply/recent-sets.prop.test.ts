import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { type FieldSet, node, setsEqual } from './field-set.ts'
import { parseFieldsV1, renderFieldsV1 } from './fields-v1.ts'
import { RecentSets } from './recent-sets.ts'

/** Names that could run into each other: with the marks of a text between elements, digits, and each other's beginnings. */
const element = fc.constantFrom('f:a', 'f:ab', 'f:b', 'f:.', 'f:}', 'f:{', 'f:3:f:a', 'f:a.', 'k:{"name":"a"}', 'v:"x"', 'i:0')

const leaf = fc.boolean().map(member => node(member, undefined))
const fieldSet = [0, 1, 2].reduce<fc.Arbitrary<FieldSet>>(
  below =>
    fc
      .tuple(fc.boolean(), fc.array(fc.tuple(element, below), { maxLength: 4 }))
      .map(([member, children]) => node(member, new Map(children))),
  leaf,
)

test('a set gets the JSON that it says, whatever was rendered before', () => {
  const recent = new RecentSets()
  fc.assert(
    fc.property(fc.array(fieldSet, { maxLength: 8 }), sets => {
      for (const set of sets) assert.deepEqual(recent.like(set, renderFieldsV1), renderFieldsV1(set))
    }),
  )
})

test('equal sets share one JSON, also those that came long ago as far as they are remembered', () => {
  const recent = new RecentSets()
  const set = parseFieldsV1({ 'f:data': { '.': {}, 'f:key': {} } }) as FieldSet
  const again = parseFieldsV1({ 'f:data': { '.': {}, 'f:key': {} } }) as FieldSet
  assert.ok(setsEqual(set, again) && set !== again)
  const first = recent.like(set, renderFieldsV1)
  assert.equal(recent.like(again, renderFieldsV1), first)
})

test('what is remembered is bounded, and a large set is not remembered', () => {
  const recent = new RecentSets()
  let rendered = 0
  const render = (set: FieldSet): ReturnType<typeof renderFieldsV1> => {
    rendered++
    return renderFieldsV1(set)
  }
  const setOf = (name: string): FieldSet => parseFieldsV1({ [`f:${name}`]: {} }) as FieldSet
  const large = setOf('x'.repeat(10_000))
  recent.like(large, render)
  recent.like(setOf('x'.repeat(10_000)), render)
  assert.equal(rendered, 2)
  recent.like(setOf('early'), render)
  for (let index = 0; index < 100; index++) recent.like(setOf(`${index}`.padEnd(4_000, '-')), render)
  const before = rendered
  recent.like(setOf('early'), render)
  assert.equal(rendered, before + 1)
})

test('sets that differ only in how deep a path lies, or in where a name ends, are told apart', () => {
  const recent = new RecentSets()
  for (const fields of [
    { 'f:a': { 'f:b': {} }, 'f:c': {} },
    { 'f:a': { 'f:b': {}, 'f:c': {} } },
    { 'f:x': {}, 'f:y': {} },
    { 'f:x.f:y': {} },
  ])
    assert.deepEqual(recent.like(parseFieldsV1(fields) as FieldSet, renderFieldsV1), fields)
})
