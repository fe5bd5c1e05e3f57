// What a list names: the identifiers by which each resource is read, and what people call it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Deviation } from '../kinds/deviation.ts'
import type { Values } from '../model/request.ts'
import { answering } from '../testing/answers.ts'
import { type KindMadeUp, madeUpKind } from '../testing/made-up-kind.ts'
import { elementsOf, listed } from './listed.ts'

const parts: KindMadeUp = {
  spec: { Name: 'string' },
  status: { Id: 'string' },
  operations: { create: 'CreateThing', readOne: 'GetThing', readMany: 'ListThings' },
  outputs: { ListThings: { Things: 'ThingList' } },
  required: { GetThing: ['Name'] },
  shapes: {
    ThingList: { type: 'list', member: { target: 'Thing' } },
    Thing: { type: 'structure', required: [], members: { Name: { target: 'String' } } },
    Page: { type: 'structure', required: [], members: { Items: { target: 'ThingList' } } },
    NameList: { type: 'list', member: { target: 'String' } },
  },
}
const { readOne: _, ...unread } = { readOne: '', ...parts.operations } as { readOne: string; create: string; readMany: string }

async function namedIn(page: Values, more: KindMadeUp = {}, deviation: Deviation = {}) {
  const model = madeUpKind({ ...parts, ...more })
  const { caller } = answering({ ListThings: page })
  const found: object[] = []
  for await (const { content, names } of listed({ model, deviation }, {}, caller))
    found.push([content.spec, content.status, content.arn, names.join(' ')])
  return found
}

const arn = 'arn:aws:madeup:eu-west-1:1:thing/one'
for (const [what, page, kind, found] of [
  ['a name', { Things: [{ Name: 'one' }] }, {}, [[{ name: 'one' }, {}, undefined, 'one']]],
  ['a name and an ARN', { Things: [{ Name: 'a', Arn: arn }] }, {}, [[{ name: 'a' }, {}, arn, 'a one']]],
  ['an ARN by its long name', { Things: [{ ThingArn: arn }] }, {}, [[{}, {}, arn, 'one']]],
  ['nothing by which it is read', { Things: [{ Size: 1 }, { Name: 5, Arn: 5 }] }, {}, []],
  [
    'a name and an id, which are both asked for',
    { Things: [{ Name: 'a', Id: 'i' }] },
    { required: { GetThing: ['Name', 'Id'] } },
    [[{ name: 'a' }, { id: 'i' }, undefined, 'a i']],
  ],
  [
    'attributes by a name',
    { Things: [{ Name: 'a' }] },
    { operations: { ...unread, getAttributes: 'GetThing' } },
    [[{ name: 'a' }, {}, undefined, 'a']],
  ],
  [
    'what is read by its list alone',
    { Things: [{ Name: 'a', Id: 'i' }] },
    { operations: unread, required: { ListThings: [] }, inputs: { ListThings: { Name: 'String' } } },
    [[{ name: 'a' }, {}, undefined, 'a i']],
  ],
  [
    'an id of what is read by its list alone',
    { Things: [{ Id: 'i' }] },
    { spec: { Size: 'integer' }, operations: unread, required: {}, inputs: { ListThings: { Id: 'String' } } },
    [[{}, { id: 'i' }, undefined, 'i']],
  ],
] as const)
  test(`of a list that tells ${what}, ${found.length === 0 ? 'nothing is named' : 'it is named'}`, async () =>
    assert.deepEqual(await namedIn(page, kind as KindMadeUp), found))

test('what a kind leaves out of its list is passed over', async () => {
  const page = { Things: [{ Name: 'a' }, { Name: 'b' }] }
  const exported = { skips: ({ Name }: Values) => Name === 'a' }
  assert.deepEqual(await namedIn(page, {}, { exported }), [[{ name: 'b' }, {}, undefined, 'b']])
})

for (const [what, outputs, page, elements] of [
  ['structures', { Things: 'ThingList' }, { Things: [{ Name: 'a' }] }, [{ Name: 'a' }]],
  [
    'structures beside others',
    { Other: 'ThingList', Things: 'ThingList' },
    { Other: [{ Name: 'x' }], Things: [{ Name: 'a' }] },
    [{ Name: 'a' }],
  ],
  ['structures that no model knows', {}, { Odd: [{ Name: 'a' }] }, [{ Name: 'a' }]],
  ['names', { Next: 'String', Names: 'NameList' }, { Next: 'x', Names: ['a', arn] }, [{ Name: 'a' }, { Arn: arn }]],
  [
    'names behind what is not all names',
    { Odd: 'NameList', Names: 'NameList' },
    { Odd: ['x', 5], Names: ['a'] },
    [{ Name: 'a' }],
  ],
  ['one structure beside names', { Names: 'NameList' }, { Names: ['a'], Odd: [{ Name: 'b' }] }, [{ Name: 'b' }]],
  ['nothing', { Things: 'ThingList' }, {}, []],
] as const)
  test(`in a page of ${what} there ${elements.length === 1 ? 'is one element' : `are ${elements.length} elements`}`, () => {
    const model = madeUpKind({ ...parts, outputs: { ListThings: outputs as never } })
    assert.deepEqual(elementsOf(model, 'ListThings', page), elements)
  })
