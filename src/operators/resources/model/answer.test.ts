// What an answer of AWS says of a resource: where it stands there, what is told, which candidate of a list it is, and who is asked for tags.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type KindMadeUp, list, madeUpKind, map, structureShape } from '../testing/made-up-kind.ts'
import { answerOf, candidatesOf, isMatch, isSearchable, readPart, showsTags, tagListOperation, toldByRead } from './answer.ts'
import type { KindModel } from './kind-model.ts'
import type { Content, Values } from './request.ts'

const operations = { create: 'CreateThing', readOne: 'DescribeThing', readMany: 'ListThings' }
const parts: KindMadeUp = {
  operations,
  spec: { Name: 'string', Size: 'integer' },
  status: { State: 'string' },
  shapes: {
    Thing: structureShape({ Name: 'String', Size: 'Integer', State: 'String', ThingArn: 'String' }),
    Things: { type: 'list', member: { target: 'Thing' } },
    Texts: { type: 'map', key: { target: 'String' }, value: { target: 'String' } },
    Strings: { type: 'list', member: { target: 'String' } },
  },
}

const nothing: Content = { spec: {}, status: {} }

function answered(model: KindModel, output: Values, wanted: Content = nothing) {
  return answerOf(model, 'DescribeThing', { output, wanted, method: 'ReadOne' })
}

const told = (more: KindMadeUp, output: Values, wanted: Content = { spec: { size: 9 }, status: {} }): unknown =>
  answered(madeUpKind({ ...parts, ...more }), output, wanted).spec['size']
const answering = (members: Readonly<Record<string, string>>): KindMadeUp => ({ outputs: { DescribeThing: members } })

test('the resource stands in the only structure of an answer, in that of its name, or in the answer itself', () => {
  assert.equal(told(answering({ Holder: 'Thing' }), { Holder: { Size: 1 } }), 1)
  assert.equal(told(answering({ Holder: 'Thing' }), { Holder: 'x' }), undefined)
  assert.equal(told(answering({ Size: 'Integer' }), { Size: 1 }), 1)
  assert.equal(told(answering({ Holder: 'Thing', Size: 'Integer' }), { Size: 1, Holder: { Size: 2 } }), 1)
  assert.equal(told(answering({ Holder: 'Thing', Lock: 'String' }), { Holder: { Size: 1 } }), 9, 'it says nothing of the size')
  assert.equal(told(answering({ Thing: 'Thing', Lock: 'String' }), { Thing: { Size: 1 } }), 1)
  assert.equal(told(answering({ Thing: 'Thing', Lock: 'String' }), { Thing: 'x' }), undefined)
  assert.equal(told(answering({}), {}), 9)
})

test('a config says where else it stands', () => {
  const at = (outputWrapper: string): KindMadeUp => ({
    bindings: { DescribeThing: { outputWrapper } },
    outputs: { DescribeThing: { Result: 'Result', Size: 'Integer' } },
    shapes: { ...parts.shapes, Result: structureShape({ things: 'Things', One: 'Thing' }) },
  })
  assert.equal(told(at('Result.Things'), { Result: { things: [{ Size: 1 }, { Size: 2 }] }, Size: 3 }), 1)
  assert.equal(told(at('Result.One'), { Result: { One: { Size: 4 } } }), 4)
  assert.equal(told(at('Unknown'), { Size: 3 }), 3)
  assert.equal(told(at('Result.Things'), { Result: { things: [] } }), undefined)
})

test('what an answer does not speak of stays as it was wanted, and what it says to be none goes', () => {
  const model = madeUpKind({ ...parts, ...answering({ Size: 'Integer', State: 'String' }) })
  const wanted: Content = { spec: { name: 'one', size: 9 }, status: { state: 'OLD' }, arn: 'arn:wanted' }
  const found = answered(model, { State: 'NEW' }, wanted)
  assert.deepEqual([found.spec, found.status, found.arn], [{ name: 'one' }, { state: 'NEW' }, 'arn:wanted'])
  assert.deepEqual([...found.told], ['Size', 'State'])
  assert.deepEqual(Object.keys(found), ['spec', 'status', 'told', 'arn'])
})

test('the ARN is told under the names that the kind has for it, also within what bears its name', () => {
  const members = { ...answering({ Thing: 'Thing', Lock: 'String', ThingArn: 'String', Arn: 'String' }) }
  const arn = (output: Values, more: KindMadeUp = members): string | undefined =>
    answered(madeUpKind({ ...parts, ...more }), output, { ...nothing, arn: 'arn:wanted' }).arn
  assert.equal(arn({ ThingArn: 'arn:thing' }), 'arn:thing')
  assert.equal(arn({ ThingArn: 'arn:thing', Arn: 'arn:first' }), 'arn:first')
  assert.equal(arn({ ThingArn: '' }), 'arn:wanted')
  assert.equal(arn({ ThingArn: 7 }), 'arn:wanted')
  assert.equal(arn({ Thing: { ThingArn: 'arn:inner' } }), 'arn:inner')
  assert.equal(arn({ Arn: 'arn:group:*', ThingArn: 'arn:group' }), 'arn:group')
  const located = { ...answering({ Locator: 'String' }), arnMember: 'Locator' }
  assert.equal(arn({ Locator: 'arn:group:*' }, located), 'arn:group:*')
})

test('what AWS has deleted and keeps for a while says since when', () => {
  const model = madeUpKind({ ...parts, ...answering({ DeletedDate: 'Timestamp', Size: 'Integer' }) })
  assert.equal(answered(model, { DeletedDate: new Date(0) }).isDeleted, true)
  assert.deepEqual([answered(model, { DeletedDate: null }).isDeleted, answered(model, {}).isDeleted], [undefined, undefined])
})

test('the account to which a resource belongs is told by the field that a config names', () => {
  const owned: KindMadeUp = { status: { Owner: { ownerAccount: true } }, ...answering({ Owner: 'String' }) }
  const owner = (output: Values, more = owned): string | undefined =>
    answered(madeUpKind({ ...parts, ...more }), output).ownerAccount
  assert.equal(owner({ Owner: '111122223333' }), '111122223333')
  assert.equal(owner({ Owner: 7 }), undefined)
  assert.equal(owner({ Owner: '1' }, { ...owned, status: { Owner: 'string' } }), undefined)
})

const attributed: KindMadeUp = {
  ...parts,
  operations: { create: 'CreateThing', getAttributes: 'GetThing' },
  settings: { unpackAttributes: {} },
  spec: {
    Delay: { attribute: true, type: { kind: 'integer' } },
    Note: 'string',
    Size: 'integer',
    Policy: { attribute: true },
  },
  status: { Owner: { ownerAccount: true } },
  outputs: { GetThing: { Attributes: 'Texts', Size: 'Integer' } },
}

test('attributes are told in a map, beside what an answer says otherwise', () => {
  const model = madeUpKind(attributed)
  const of = (output: Values): ReturnType<typeof answerOf> =>
    answerOf(model, 'GetThing', { output, wanted: { spec: { note: 'n', policy: 'p' }, status: {} }, method: 'ReadOne' })
  const found = of({ Attributes: { Delay: '5', ThingArn: 'arn:thing', Owner: '1', Size: '7' }, Size: 3 })
  assert.deepEqual(found.spec, { delay: 5, note: 'n', size: 3 })
  assert.deepEqual([found.arn, found.ownerAccount], ['arn:thing', '1'])
  assert.deepEqual(of({ Attributes: { Note: 'told' } }).spec, { note: 'told' }, 'what no config calls an attribute')
  assert.deepEqual([...toldByRead(model)], ['Delay', 'Size', 'Policy'])
})

test('what a read tells is known without an answer', () => {
  const thing = { DescribeThing: { Holder: 'Thing' }, ListThings: { Things: 'Things' } }
  const names = (of: object, outputs: KindMadeUp['outputs'] = thing): readonly string[] => [
    ...toldByRead(madeUpKind({ ...parts, operations: { create: 'CreateThing', ...of }, outputs })),
  ]
  assert.deepEqual(names({ readOne: 'DescribeThing' }), ['Name', 'Size', 'State'])
  assert.deepEqual(names({ readOne: 'DescribeThing', readMany: 'ListThings' }, { DescribeThing: { Size: 'Integer' } }), ['Size'])
  assert.deepEqual(names({ readMany: 'ListThings' }), ['Name', 'Size', 'State'])
  assert.deepEqual(names({}), [])
})

test('a field stands at the path that a config gives, through structures and lists', () => {
  const path = (of: string, type: Parameters<typeof list>[0] = 'integer'): KindMadeUp => ({
    ...answering({ Holder: 'Holder', Things: 'Things', Plain: 'Integer' }),
    spec: {
      Size: { from: { operation: 'DescribeThing', path: of }, type: typeof type === 'string' ? { kind: type } : type } as never,
    },
    shapes: { ...parts.shapes, Holder: structureShape({ thing: 'Thing', Many: 'Things' }) },
  })
  const things = [{ Size: 1 }, {}, { Size: 2 }]
  assert.equal(told(path('Plain'), { Plain: 5 }), 5)
  assert.equal(told(path('Holder.Thing.Size'), { Holder: { thing: { Size: 6 } } }), 6)
  assert.equal(told(path('Holder.Thing.Size'), { Holder: null }), undefined)
  assert.equal(told(path('Holder.Unknown.Size'), { Holder: {} }), 9, 'the answer has no such place')
  assert.equal(told(path('Holder.Many.Size'), { Holder: { Many: things } }), 1)
  assert.deepEqual(told(path('Things.Size', list('integer')), { Things: things }), undefined, 'a size is no list of them')
  assert.equal(told(path('Things.Size'), { Things: [] }), undefined)
  assert.equal(told(path('Things.Size'), { Things: 'x' }), undefined)
  const names = {
    ...path('Things.Name'),
    spec: { Names: { from: { operation: 'DescribeThing', path: 'Things.Name' }, type: list('string') } },
  }
  const many = (output: Values): unknown => answered(madeUpKind({ ...parts, ...names }), output).spec['names']
  assert.deepEqual([many({ Things: [] }), many({})], [undefined, undefined])
  assert.equal(
    told({ ...path('Plain'), spec: { Size: { set: [{ from: 'Plain' }], type: { kind: 'integer' } } } }, { Plain: 4 }),
    4,
  )
})

test('candidates are the elements of the list that the config names, of that of the kind’s own name, or of the first', () => {
  const listing = (members: Readonly<Record<string, string>>, outputWrapper?: string): KindModel =>
    madeUpKind({
      ...parts,
      outputs: { ListThings: members },
      bindings: outputWrapper === undefined ? {} : { ListThings: { outputWrapper } },
      shapes: {
        ...parts.shapes,
        Group: structureShape({ Things: 'Things' }),
        Groups: { type: 'list', member: { target: 'Group' } },
      },
    })
  const values = (model: KindModel, output: Values): readonly unknown[] => candidatesOf(model, 'ListThings', output).values
  const [a, b] = [{ Name: 'a' }, { Name: 'b' }]
  assert.deepEqual(values(listing({ Names: 'Strings', Others: 'Things', things: 'Things' }), { Others: [a], things: [b] }), [b])
  assert.deepEqual(values(listing({ Names: 'Strings', Items: 'Things', More: 'Things' }), { Items: [a, 'x'], More: [b] }), [a])
  assert.deepEqual(values(listing({ Names: 'Strings' }), { Names: ['x'] }), [])
  assert.deepEqual(values(listing({ Items: 'Things' }), {}), [])
  const grouped = { Groups: [{ Things: [a] }, {}, { Things: [b] }] }
  const nested = listing({ Groups: 'Groups', Things: 'Things' }, 'Groups.Things')
  assert.deepEqual(values(nested, grouped), [a, b])
  assert.ok('Size' in candidatesOf(nested, 'ListThings', {}).shape.members)
  assert.deepEqual(values(listing({ Groups: 'Groups' }, 'Groups.Unknown'), grouped), [])
  assert.deepEqual(values(listing({ Thing: 'Thing' }, 'Thing'), { Thing: a }), [], 'what is no list has no elements')
})

const identified: KindMadeUp = {
  ...parts,
  spec: { Name: 'string', Size: 'integer', Zone: 'string' },
  status: { ThingId: 'string' },
  outputs: { ListThings: { Things: 'Things' } },
  shapes: {
    Thing: structureShape({ Name: 'String', ThingId: 'String', Arn: 'String' }),
    Things: { type: 'list', member: { target: 'Thing' } },
  },
}

function matches(element: Values, wanted: Content, more: KindMadeUp = {}): boolean {
  const model = madeUpKind({ ...identified, ...more })
  const part = { shape: candidatesOf(model, 'ListThings', {}).shape, value: element }
  return isMatch(model, 'ListThings', { part, whole: part, wanted, method: 'ReadMany' })
}

test('a candidate is the resource when all that identifies it is equal, as far as it is known', () => {
  const wanted: Content = { spec: { name: 'one' }, status: {} }
  assert.equal(matches({ Name: 'one' }, wanted), true)
  assert.equal(matches({ Name: 'two' }, wanted), false)
  assert.equal(matches({}, wanted), false, 'it says that it has no name')
  assert.equal(matches({ Name: 'one', ThingId: 't1' }, { ...wanted, status: { thingId: 't2' } }), false)
  assert.equal(matches({ Name: 'one', ThingId: 't2' }, { ...wanted, status: { thingId: 't2' } }), true)
  assert.equal(matches({ Name: 'one' }, { spec: { name: 'one' }, status: { thingId: null } }), true)
  const unnamed = { ...identified.shapes, Thing: structureShape({ ThingId: 'String', Arn: 'String' }) }
  assert.equal(matches({}, wanted, { shapes: unnamed }), true, 'it does not speak of names')
  assert.equal(matches({ Arn: 'arn:x' }, { ...wanted, arn: 'arn:y' }, { shapes: unnamed }), true, 'the name is what counts')
})

test('without anything that identifies it, the ARN does where both are known', () => {
  const of = (element: Values, arn?: string): boolean => matches(element, { spec: { name: '' }, status: {}, arn })
  assert.deepEqual([of({ Arn: 'arn:x' }, 'arn:x'), of({ Arn: 'arn:y' }, 'arn:x')], [true, false])
  assert.deepEqual([of({}, 'arn:x'), of({ Arn: 'arn:x' })], [true, true])
})

test('a config names the fields by which a resource is told from others', () => {
  const settings = { matchFields: ['Zone', 'Unknown'] }
  const shapes = { ...identified.shapes, Thing: structureShape({ Name: 'String', Zone: 'String' }) }
  const of = (element: Values, spec: object): boolean => matches(element, { spec: { ...spec }, status: {} }, { settings, shapes })
  assert.equal(of({ Name: 'two', Zone: 'z' }, { name: 'one', zone: 'z' }), true)
  assert.equal(of({ Name: 'one', Zone: 'y' }, { name: 'one', zone: 'z' }), false)
})

test('what a list can be asked for identifies, too', () => {
  const more = {
    spec: { GroupName: 'string' },
    resource: 'SecurityGroup',
    operations: { ...operations, readOne: 'DescribeThing' },
    inputs: { ListThings: { GroupNames: 'Strings' } },
    shapes: {
      ...identified.shapes,
      Strings: { type: 'list', member: { target: 'String' } },
      Thing: structureShape({ GroupName: 'String' }),
    },
  } as const
  assert.equal(matches({ GroupName: 'b' }, { spec: { groupName: 'a' }, status: {} }, more), false)
  assert.equal(matches({ GroupName: 'a' }, { spec: { groupName: 'a' }, status: {} }, more), true)
})

test('a list can be searched where something tells the resource from its neighbours, or nothing ever does', () => {
  const searchable = (of: KindMadeUp, content: Content): boolean =>
    isSearchable(madeUpKind({ ...identified, ...of }), 'ListThings', content)
  assert.equal(searchable({}, { spec: { name: 'one' }, status: {} }), true)
  assert.equal(searchable({}, { spec: { name: '' }, status: { thingId: null } }), false)
  assert.equal(searchable({}, { ...nothing, status: { thingId: 't' } }), true)
  assert.equal(searchable({}, { ...nothing, arn: 'arn:x' }), true)
  const anonymous = { spec: { Zone: 'string' }, status: {} } as const
  assert.equal(searchable(anonymous, nothing), true)
  assert.equal(searchable({ ...anonymous, arnMember: 'ThingArn' }, nothing), false)
})

test('a part of an answer is read by itself', () => {
  const model = madeUpKind(identified)
  const part = { shape: structureShape({ Name: 'String' }), value: { Name: 'one' } }
  assert.deepEqual(readPart(model, 'ListThings', { part, whole: part, wanted: nothing, method: 'ReadMany' }).spec, {
    name: 'one',
  })
})

const tagged: KindMadeUp = {
  ...parts,
  settings: { tags: { path: 'Tags', key: 'Key', value: 'Value' } },
  spec: { Name: 'string', Tags: map('string') },
}
const shows = (more: KindMadeUp): boolean => showsTags(madeUpKind({ ...tagged, ...more }))

test('tags are shown by the read, or by a list that can be asked for them', () => {
  assert.equal(shows({}), false)
  assert.equal(shows(answering({ Tags: 'Texts' })), true)
  const asking = (...required: readonly string[]): KindMadeUp => ({ required: { ListTagsForResource: required } })
  assert.equal(shows(asking('Name')), true)
  assert.equal(shows(asking('ResourceArn')), false, 'no answer tells the ARN')
  assert.equal(shows({ ...asking('ResourceArn'), ...answering({ ThingArn: 'String' }) }), true)
  assert.equal(shows(asking('Name', 'Unheard')), false)
  assert.equal(shows({ ...asking('Name'), spec: { Name: 'integer', Tags: map('string') } }), false)
  assert.equal(shows({ ...asking('ThingId'), status: { ThingId: 'string' } }), true)
  assert.equal(shows({ settings: {}, ...asking('Name') }), false, 'the kind has no tags')
})

test('the list of tags that is for this resource alone comes before those that are for all', () => {
  const asked = (...names: readonly string[]): string | undefined =>
    tagListOperation(madeUpKind({ ...tagged, required: Object.fromEntries(names.map(name => [name, []])) }))
  assert.equal(asked('ListTags', 'ListTagsForResource', 'ListThingTags'), 'ListThingTags')
  assert.equal(asked('ListTags', 'ListTagsForResource'), 'ListTagsForResource')
  assert.equal(asked('Other'), undefined)
  assert.equal(asked('DescribeTags'), undefined, 'it tells all tags there are')
  assert.equal(tagListOperation(madeUpKind({ ...tagged, required: { DescribeTags: ['ResourceArn'] } })), 'DescribeTags')
})
