// By which operation a field can be read again, and where it stands in the answer.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inferSmall, type SmallModel, structure } from '../infer/model.fixture.ts'
import { addressesOf } from './addresses.ts'
import { findRead, isToldBy, shapeTold } from './find-reads.ts'

type Operations = SmallModel['operations']

const id = { '!ThingName': 'String' }
const shapes: NonNullable<SmallModel['shapes']> = {
  Thing: structure({ ThingName: 'String', Colour: 'Tint', Door: 'Door' }),
  Wrapping: structure({ Thing: 'Thing' }),
  Things: { type: 'list', member: { shape: 'Thing' } },
  Tint: { type: 'string' },
  Door: structure({ Width: 'Integer', Height: 'Integer', Wood: 'String' }),
  Lid: structure({ Size: 'Integer' }),
  Lamp: structure({ Enabled: 'Boolean', Glow: 'Boolean' }),
  Third: structure({ Width: 'Integer', Age: 'String' }),
  Half: structure({ Width: 'Integer', Height: 'Integer', Age: 'String' }),
  Turned: structure({ Status: 'String', Age: 'String' }),
  Switches: structure({ GlowEnabled: 'Boolean', HumEnabled: 'Boolean' }),
  Switched: structure({ GlowStatus: 'String', HumStatus: 'String' }),
  Glowing: structure({ GlowStatus: 'String', Age: 'String' }),
  Deepest: structure({ Colour: 'String' }),
  Deeper: structure({ C: 'Deepest' }),
  Deep: structure({ B: 'Deeper' }),
  Beyond: structure({ A: 'Deep' }),
  Nothing: structure({ Age: 'String' }),
  Sized: structure({ Size: 'Integer' }),
}

function inferred(operations: Operations, config = '') {
  const created: Operations = {
    CreateThing: [
      {
        ...id,
        Colour: 'String',
        Door: 'Door',
        Light: 'Boolean',
        Many: 'Strings',
        Named: 'StringMap',
        Lid: 'Lid',
        Lamp: 'Lamp',
        Switches: 'Switches',
      },
      {},
    ],
  }
  const service = inferSmall({ operations: { ...created, ...operations }, shapes }, config)
  const kind = service.kinds.find(each => each.resource === 'Thing')
  assert.ok(kind)
  return { service, kind }
}

const field = (name: string, what: string): string => `resources:\n  Thing:\n    fields:\n      ${name}: ${what}\n`

for (const [what, told, operations, config = '', name = 'Colour'] of [
  ['nothing where nothing reads the kind', undefined, {}],
  ['the answer of the read itself', 'Tint', { GetThing: [id, { Colour: 'Tint', Age: 'Integer' }] }],
  ['the one structure of the answer, whatever it is called', 'Tint', { GetThing: [id, { Found: 'Thing' }] }],
  ['the structure that is called like the resource', 'Tint', { GetThing: [id, { Thing: 'Thing', Age: 'Integer' }] }],
  ['no structure of another name beside others', undefined, { GetThing: [id, { Other: 'Thing', Age: 'Integer' }] }],
  ['the elements of the list', 'Tint', { ListThings: [{}, { Things: 'Things', Token: 'String' }] }],
  ['a structure beside a list', 'Tint', { GetThing: [id, { Other: 'Thing', Ages: 'Strings' }] }],
  ['the attributes, by the read of those', 'Tint', { GetThingAttributes: [id, { Colour: 'Tint', Age: 'Integer' }] }],
  [
    'the read before the attributes and the list',
    undefined,
    { GetThing: [id, {}], GetThingAttributes: [id, { Colour: 'Tint' }], ListThings: [{}, { Things: 'Things' }] },
  ],
  ['the attributes before the list', undefined, { GetThingAttributes: [id, {}], ListThings: [{}, { Things: 'Things' }] }],
  [
    'what the wrapper of the config leads to',
    'Tint',
    { GetThing: [id, { Outer: 'Wrapping', Colour: 'Strings' }] },
    'operations:\n  GetThing: {output_wrapper_field_path: outer.thing}\n',
  ],
  [
    'nothing where the wrapper of the config leads nowhere',
    undefined,
    { GetThing: [id, { Colour: 'Tint' }] },
    'operations:\n  GetThing: {output_wrapper_field_path: Nowhere}\n',
  ],
  ['no list for a text', undefined, { GetThing: [id, { Colour: 'Strings' }] }],
  ['no map for a text', undefined, { GetThing: [id, { Colour: 'StringMap' }] }],
  ['no structure for a text', undefined, { GetThing: [id, { Colour: 'Nothing' }] }],
  ['a number for a text', 'Integer', { GetThing: [id, { Colour: 'Integer' }] }],
  ['a list for a list', 'Strings', { GetThing: [id, { Many: 'Strings' }] }, '', 'Many'],
  ['no text for a list', undefined, { GetThing: [id, { Many: 'String' }] }, '', 'Many'],
  ['a map for a map', 'StringMap', { GetThing: [id, { Named: 'StringMap' }] }, '', 'Named'],
  ['no list for a map', undefined, { GetThing: [id, { Named: 'Strings' }] }, '', 'Named'],
  ['any structure for a structure', 'Nothing', { GetThing: [id, { Door: 'Nothing' }] }, '', 'Door'],
  [
    'nothing where one of several rules of the config keeps it out',
    undefined,
    { GetThing: [id, { Colour: 'Tint' }] },
    field('Colour', '{set: [{from: Colour}, {ignore: true}]}'),
  ],
] as const)
  test(`a field is told by ${what}`, () => {
    const { service, kind } = inferred(operations as unknown as Operations, config)
    const found = kind.spec.get(name)
    assert.ok(found)
    assert.equal(shapeTold(service, kind, found), told)
    assert.equal(isToldBy(service, kind, found), told !== undefined)
  })

test('an attribute is told by the read of the attributes alone', () => {
  const config = field('Delay', '{is_attribute: true}')
  const attributes: Operations = { CreateThing: [{ ...id, Attributes: 'StringMap', Colour: 'String' }, {}] }
  for (const [read, told] of [
    [{ GetThingAttributes: [id, { Attributes: 'StringMap' }] }, [true, false]],
    [{ GetThing: [id, { Attributes: 'StringMap' }] }, [false, false]],
    [{}, [false, false]],
  ] as const) {
    const { service, kind } = inferred({ ...attributes, ...(read as Operations) }, config)
    const fields = ['Delay', 'Colour'].map(camel => kind.spec.get(camel))
    assert.deepEqual(
      fields.map(each => each !== undefined && isToldBy(service, kind, each)),
      told,
    )
  }
})

for (const [what, found, operations, names = ['Colour'], config = ''] of [
  [
    'under its name, by what is called like the part',
    { operation: 'GetThingPart', paths: { Colour: 'Colour' } },
    { GetThingPart: [id, { Colour: 'String' }] },
  ],
  [
    'by a read that demands nothing',
    { operation: 'GetThingPart', paths: { Colour: 'Colour' } },
    { GetThingPart: [{ ThingName: 'String' }, { Colour: 'String' }] },
  ],
  ['by no read that demands something else', undefined, { GetThingPart: [{ ...id, '!Reason': 'String' }, { Colour: 'String' }] }],
  [
    'by the first that tells it',
    { operation: 'DescribeThingPartConfiguration', paths: { Colour: 'Colour' } },
    {
      GetThingPart: [id, { Age: 'String' }],
      GetThingPartStatus: [{ '!Reason': 'String' }, { Colour: 'String' }],
      DescribeThingPartConfiguration: [id, { Colour: 'String' }],
      DescribeThingParts: [id, { Colour: 'String' }],
    },
  ],
  [
    'beside others that the answer does not have',
    { operation: 'GetThingPart', paths: { Colour: 'Colour' } },
    { GetThingPart: [id, { Colour: 'String' }] },
    ['Colour', 'Many'],
  ],
  [
    'under the name of the member that the config takes it from',
    { operation: 'GetThingPart', paths: { Note: 'Text' } },
    { PutThingPart: [{ ...id, Text: 'String' }], GetThingPart: [id, { Text: 'String' }] },
    ['Note'],
    field('Note', '{from: {operation: PutThingPart, path: Text}}'),
  ],
  [
    'three structures below the answer',
    { operation: 'GetThingPart', paths: { Colour: 'A.B.C.Colour' } },
    { GetThingPart: [id, { Age: 'String', A: 'Deep' }] },
  ],
  ['not four structures below the answer', undefined, { GetThingPart: [id, { Z: 'Beyond' }] }],
  ['not under its name as another type', undefined, { GetThingPart: [id, { Colour: 'Strings' }] }],
  [
    'as a switch under the word that is enabled',
    { operation: 'GetThingPart', paths: { Light: 'EnableLight' } },
    { GetThingPart: [id, { Age: 'Boolean', EnableLight: 'Boolean' }] },
    ['Light'],
  ],
  ['not as a switch that is a text', undefined, { GetThingPart: [id, { LightEnabled: 'String' }] }, ['Light']],
  [
    'as a state',
    { operation: 'GetThingPart', paths: { Colour: 'ColourStatus' } },
    { GetThingPart: [id, { Age: 'String', ColourStatus: 'String' }] },
  ],
  ['not as a state that is a list', undefined, { GetThingPart: [id, { ColourStatus: 'Strings' }] }],
  [
    'as the state of the action that the config takes it from',
    { operation: 'GetThingPart', paths: { Note: 'SignStatus' } },
    { PutThingPart: [{ ...id, SignAction: 'String' }], GetThingPart: [id, { Age: 'String', SignStatus: 'String' }] },
    ['Note'],
    field('Note', '{from: {operation: PutThingPart, path: SignAction}}'),
  ],
  [
    'where half of the members of a structure are, and one more of three',
    { operation: 'GetThingPart', paths: { Door: 'Found' } },
    { GetThingPart: [id, { Found: 'Half' }] },
    ['Door'],
  ],
  ['not where one of three members of a structure is', undefined, { GetThingPart: [id, { Found: 'Third' }] }, ['Door']],
  [
    'where the only member of a structure is',
    { operation: 'GetThingPart', paths: { Lid: 'Found' } },
    { GetThingPart: [id, { Found: 'Sized' }] },
    ['Lid'],
  ],
  [
    'where a status stands for what is enabled, one of two members',
    { operation: 'GetThingPart', paths: { Lamp: 'Found' } },
    { GetThingPart: [id, { Found: 'Turned' }] },
    ['Lamp'],
  ],
  [
    'where a status of any name stands for what is enabled, one of two members',
    { operation: 'GetThingPart', paths: { Lamp: 'Found' } },
    { GetThingPart: [id, { Found: 'Glowing' }] },
    ['Lamp'],
  ],
  ['not where a status stands beside nothing of a structure', undefined, { GetThingPart: [id, { Found: 'Turned' }] }, ['Door']],
  [
    'where switches are called as they are set',
    { operation: 'GetThingPart', paths: { Switches: 'Found' } },
    { GetThingPart: [id, { Found: 'Switches' }] },
    ['Switches'],
  ],
  [
    'where a status of its name stands for each switch',
    { operation: 'GetThingPart', paths: { Switches: 'Found' } },
    { GetThingPart: [id, { Found: 'Switched' }] },
    ['Switches'],
  ],
  ['not where nothing of a structure is', undefined, { GetThingPart: [id, { Found: 'Nothing' }] }, ['Door']],
  ['not by an operation of another name', undefined, { GetThingOther: [id, { Colour: 'String' }] }],
] as const)
  test(`a field of a part is read ${what}`, () => {
    const { service, kind } = inferred(operations as unknown as Operations, config)
    const fields = names.flatMap(name => kind.spec.get(name) ?? [])
    assert.equal(fields.length, names.length)
    assert.deepEqual(findRead(service, { noun: 'ThingPart', fields, addresses: addressesOf(service, kind) }), found)
  })
