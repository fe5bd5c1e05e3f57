// Resources that nothing marks: when they have to be counted, which of a list look as the manifest asks for, and by what they are known.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Deviation, noDeviation } from '../kinds/deviation.ts'
import { type KindMadeUp, madeUpKind, map, structureShape } from '../testing/made-up-kind.ts'
import { rulesOf } from '../testing/situation.ts'
import { countedAs, isAlike, needsCount } from './alike.ts'

const listed: KindMadeUp = {
  operations: { create: 'CreateThing', readOne: 'DescribeThing', readMany: 'ListThings' },
  spec: { Name: 'string', Size: 'integer', Mode: 'string', Tags: map('string') },
  status: { ThingId: 'string' },
  inputs: { CreateThing: { Name: 'String', Tags: 'TagMap' } },
  required: { DescribeThing: ['ThingId'] },
  outputs: { ListThings: { Things: 'ThingList' }, DescribeThing: { Thing: 'Thing' } },
  shapes: {
    TagMap: { type: 'map', key: { target: 'String' }, value: { target: 'String' } },
    ThingList: { type: 'list', member: { target: 'Entry' } },
    Entry: structureShape({ Name: 'String', Size: 'Integer', ThingId: 'String' }),
    Thing: structureShape({ Name: 'String', Size: 'Integer', ThingId: 'String', Tags: 'TagMap' }),
  },
}

function isCounted(parts: KindMadeUp = {}, deviation: Deviation = noDeviation, ownershipTags = true): boolean {
  const model = madeUpKind({ ...listed, ...parts })
  const rules = rulesOf({ model, deviation, settings: { ownershipTags } })
  return needsCount({ ...rules, seen: { wanted: { spec: { name: 'one' }, status: {} } } })
}

test('what is made is told by a count only where nothing else tells it', () => {
  assert.equal(isCounted(), true)
  const tags = { settings: { tags: { path: 'Tags', key: 'Key', value: 'Value' } } } as const
  assert.equal(isCounted(tags), false, 'a mark that goes with the creation')
  assert.equal(isCounted(tags, noDeviation, false), true, 'but none is to be written')
  assert.equal(isCounted({ required: { DescribeThing: ['Name'] } }), false, 'a name that is taken then')
  assert.equal(isCounted({}, { print: () => '' }), false, 'a print')
  assert.equal(isCounted({}, { proves: () => true }), false, 'another proof')
  assert.equal(isCounted({}, { read: async () => undefined }), false, 'code of its own that finds it')
})

test('an entry of a list is alike when it is as asked for in all that both speak of', () => {
  const model = madeUpKind(listed)
  const alike = (spec: object, element: object): boolean =>
    isAlike(model, 'ListThings', { element: { ...element }, wanted: { spec: { ...spec }, status: {} } })
  assert.equal(alike({ name: 'a', size: 2 }, { Name: 'a', Size: 2, ThingId: '1' }), true)
  assert.equal(alike({ name: 'a', size: 2 }, { Name: 'a', Size: 3, ThingId: '1' }), false)
  assert.equal(alike({ name: 'a', size: 2 }, { Name: 'b', Size: 3, ThingId: '1' }), false)
  assert.equal(alike({ name: 'a' }, { Name: 'a', Size: 3 }), true, 'of the size the manifest says nothing')
  assert.equal(alike({ name: 'a', mode: 'fast' }, { Name: 'a' }), true, 'of the mode the list tells nothing')
})

test('a counted resource is known by its ARN, or by its fields in any order', () => {
  const [one, other] = [
    { spec: { b: '1', a: '2' }, status: { id: 'x' } },
    { spec: { a: '2', b: '1' }, status: { id: 'x' } },
  ]
  assert.match(countedAs(one), /^[0-9a-f]{12}$/)
  assert.equal(countedAs(one), countedAs(other))
  assert.notEqual(countedAs(one), countedAs({ ...one, status: { id: 'y' } }))
  assert.equal(countedAs({ ...one, arn: 'arn:a' }), countedAs({ spec: {}, status: {}, arn: 'arn:a' }))
  assert.notEqual(countedAs({ ...one, arn: 'arn:a' }), countedAs({ ...one, arn: 'arn:b' }))
})
