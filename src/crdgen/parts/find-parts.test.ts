import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inferSmall, type SmallModel, structure } from '../infer/model.fixture.ts'
import { resourceService } from '../render/ir.ts'
import { partsOf } from './find-parts.ts'

type Operations = SmallModel['operations']

const thing: Operations = {
  CreateThing: [{ '!ThingName': 'String', Colour: 'String', Door: 'Door', Token: 'String' }, { Thing: 'Thing' }],
  DescribeThing: [{ '!ThingName': 'String', Registry: 'String' }, { Thing: 'Thing' }],
  DeleteThing: [{ '!ThingName': 'String' }],
}
const shapes: NonNullable<SmallModel['shapes']> = {
  Thing: structure({ ThingName: 'String', ThingArn: 'String' }),
  Door: structure({ Width: 'Integer', Height: 'Integer' }),
  State: { type: 'structure', members: { DoorStatus: { shape: 'String' } } },
  NewDoor: structure({ Width: 'Integer', Wood: 'String' }),
  Window: structure({ Glass: 'String' }),
  Blob: { type: 'blob' },
  Note: { type: 'string' },
  Sign: structure({ SignStatus: 'String' }),
  Gate: structure({ Enabled: 'Boolean', Speed: 'Integer' }),
  GateTold: structure({ GateStatus: 'String', Speed: 'Integer' }),
}

/** Parts of the one kind, and why. */
function found(operations: Operations, config = ''): readonly object[] {
  const service = inferSmall({ operations: { ...thing, ...operations }, shapes }, config)
  const kind = service.kinds.find(each => each.kind === 'Thing')
  assert.ok(kind)
  return partsOf(service, kind).map(({ part }) => part)
}

const id = { '!ThingName': 'String' }

test('an operation with the identifiers and a field of the spec sets a part, is read by one of its name, and taken away by another', () => {
  const operations: Operations = {
    PutThingColour: [{ ...id, '!Colour': 'String' }],
    GetThingColour: [id, { Colour: 'String' }],
    DeleteThingColour: [id],
  }
  assert.deepEqual(found(operations), [
    {
      operation: 'PutThingColour',
      fields: [{ field: 'Colour', member: 'Colour' }],
      remove: 'DeleteThingColour',
      read: { operation: 'GetThingColour', paths: { Colour: 'Colour' } },
    },
  ])
})

test('a switch is two operations, and its state is told under another word', () => {
  const config = 'resources:\n  Thing:\n    fields:\n      EnableLight: {type: bool}\n'
  const operations: Operations = {
    EnableLight: [id],
    DisableLight: [id],
    GetLightStatus: [id, { LightEnabled: 'Boolean' }],
  }
  assert.deepEqual(found(operations, config), [
    {
      operation: 'EnableLight',
      fields: [{ field: 'EnableLight' }],
      off: 'DisableLight',
      read: { operation: 'GetLightStatus', paths: { EnableLight: 'LightEnabled' } },
    },
  ])
})

test('a config names the operation of a field, one member of it or all of them', () => {
  const config =
    'resources:\n  Thing:\n    fields:\n      Note: {from: {operation: SetThingText, path: Text}}\n      Frame: {from: {operation: PutThingFrame, path: .}}\n'
  const operations: Operations = {
    SetThingText: [{ ...id, '!Text': 'String' }],
    PutThingFrame: [{ ...id, Wood: 'String', Gold: 'Boolean' }],
    GetThingFrame: [id, { Wood: 'String', Gold: 'Boolean' }],
  }
  assert.deepEqual(found(operations, config), [
    { operation: 'PutThingFrame', fields: [{ field: 'Frame' }], read: { operation: 'GetThingFrame', paths: { Frame: '' } } },
    { operation: 'SetThingText', fields: [{ field: 'Note', member: 'Text' }] },
  ])
})

for (const [what, operations] of [
  ['an operation that needs something else', { PutThingColour: [{ ...id, '!Colour': 'String', '!Reason': 'String' }] }],
  ['an operation that names no resource', { PutThingColour: [{ '!Colour': 'String' }] }],
  ['an operation that starts something', { StartThing: [{ ...id, Colour: 'String' }] }],
  [
    'the update of another kind',
    { CreateThingPart: [{ ...id, '!PartName': 'String' }], UpdateThingPart: [{ ...id, Colour: 'String' }] },
  ],
  ['a member of the same name and another type', { PutThingColour: [{ ...id, '!Colour': 'Door' }] }],
  ['an operation on something else that has a name, too', { UpdateAsset: [{ '!Name': 'String', Colour: 'String' }] }],
  ['a structure of the same name that has no member in common', { PutThingDoor: [{ ...id, '!Door': 'Window' }] }],
  ['a text of the name of a structure', { PutThingDoor: [{ ...id, '!Door': 'String' }] }],
  ['an operation that takes one member of a structure', { PutThingDoor: [{ ...id, Width: 'Integer' }] }],
  [
    'an operation of another name that takes all members of a structure',
    { PutThingSize: [{ ...id, Width: 'Integer', Height: 'Integer' }] },
  ],
  ['what enables more than a switch', { EnableColour: [{ ...id, '!Colour': 'String' }] }],
  ['a token', { PutThingToken: [{ ...id, '!Token': 'String' }] }],
] as const)
  test(`no part is found in ${what}`, () => {
    assert.deepEqual(found(operations as unknown as Operations), [])
  })

test('what deletes the whole resource takes no part away', () => {
  const [part] = found({ PutThing: [{ ...id, '!Colour': 'String' }] })
  assert.deepEqual(part, { operation: 'PutThing', fields: [{ field: 'Colour', member: 'Colour' }] })
})

test('a field that the update of the kind carries needs no other operation, and one that the config ignores is none', () => {
  const put: Operations = { PutThingColour: [{ ...id, '!Colour': 'String' }] }
  assert.deepEqual(found({ ...put, UpdateThing: [{ ...id, Colour: 'String' }] }), [])
  assert.deepEqual(found(put, 'ignore:\n  operations: [PutThingColour]\n'), [])
})

test('what makes a resource in another way sets no part of it, and is told as a way to make one', () => {
  const config =
    'resources:\n  Thing:\n    fields:\n      Snapshot: {from: {operation: RestoreThingFromSnapshot, path: Snapshot}}\n'
  const operations: Operations = {
    RestoreThingFromSnapshot: [{ ...id, '!Snapshot': 'String', Colour: 'String', Door: 'Door' }, { Thing: 'Thing' }],
    ListSnapshots: [id, { Snapshot: 'String' }],
  }
  assert.deepEqual(found(operations, config), [])
  const service = inferSmall({ operations: { ...thing, ...operations }, shapes }, config)
  const { kinds } = resourceService(service, { kinds: service.kinds, madeOf: { model: '', config: '', program: '' } })
  assert.deepEqual(kinds['Thing']?.makings, [{ operation: 'RestoreThingFromSnapshot', fields: ['Snapshot'] }])
})

test('what is read under a shorter word than it is made by is deleted under that word, too', () => {
  const operations: Operations = {
    CreateRedBox: [{ '!BoxName': 'String' }, { BoxArn: 'String' }],
    GetBoxAttributes: [{ '!BoxArn': 'String' }, { Attributes: 'StringMap' }],
    DeleteBox: [{ '!BoxArn': 'String' }],
  }
  const config = 'operations:\n  GetBoxAttributes: {resource_name: RedBox, operation_type: [GetAttributes]}\n'
  const service = inferSmall({ operations }, config)
  const { kinds } = resourceService(service, { kinds: service.kinds, madeOf: { model: '', config: '', program: '' } })
  assert.equal(kinds['RedBox']?.operations.delete, 'DeleteBox')
})

test('the representation has the parts, their operations and the fields that no read tells', () => {
  const operations: Operations = { PutThingColour: [{ ...id, '!Colour': 'String' }], GetThingColour: [id, { Colour: 'String' }] }
  const service = inferSmall({ operations: { ...thing, ...operations }, shapes })
  const { kinds, model } = resourceService(service, { kinds: service.kinds, madeOf: { model: '', config: '', program: '' } })
  assert.deepEqual(kinds['Thing']?.untold, ['Door'])
  assert.ok(['PutThingColour', 'GetThingColour'].every(name => Object.hasOwn(model.operations, name)))
})

test('what names a resource of another kind is where this one is, beside what is set, and alone it is what is set', () => {
  const config = 'resources:\n  Thing:\n    fields:\n      HouseId: {type: string}\n      Label: {type: string}\n'
  const house: Operations = { CreateHouse: [{ '!HouseName': 'String' }, { HouseId: 'String' }] }
  const label = { ...id, '!HouseId': 'String', '!Label': 'String' }
  assert.deepEqual(found({ ...house, PutThingLabel: [label] }, config), [
    { operation: 'PutThingLabel', fields: [{ field: 'Label', member: 'Label' }] },
  ])
  assert.deepEqual(found({ ...house, UpdateThingHouse: [{ ...id, '!HouseId': 'String' }] }, config), [
    { operation: 'UpdateThingHouse', fields: [{ field: 'HouseID', member: 'HouseId' }] },
  ])
})

test('a code that is asked for once is kept by nothing', () => {
  const config = 'resources:\n  Thing:\n    fields:\n      Contact: {type: string}\n      EmailVerificationCode: {type: string}\n'
  const operations: Operations = { PutThingContact: [{ ...id, '!Contact': 'String', EmailVerificationCode: 'String' }] }
  assert.deepEqual(found(operations, config), [
    { operation: 'PutThingContact', fields: [{ field: 'Contact', member: 'Contact' }] },
  ])
})

const colour = { ...id, '!Colour': 'String' }
const field = (name: string, what: string): string => `resources:\n  Thing:\n    fields:\n      ${name}: ${what}\n`

for (const [what, operations, parts, config] of [
  [
    'the same type under another shape',
    { PutThingColour: [{ ...id, '!Colour': 'Note' }] },
    [{ operation: 'PutThingColour', fields: [{ field: 'Colour', member: 'Colour' }] }],
  ],
  [
    'a structure that shares a member with the one of the field',
    { PutThingDoor: [{ ...id, '!Door': 'NewDoor' }] },
    [{ operation: 'PutThingDoor', fields: [{ field: 'Door', member: 'Door' }] }],
  ],
  [
    'all members of a structure, taken apart',
    { PutThingDoor: [{ ...id, Width: 'Integer', Height: 'Integer' }] },
    [{ operation: 'PutThingDoor', fields: [{ field: 'Door' }] }],
  ],
  [
    'a secret as a text',
    { PutThingColour: [colour] },
    [{ operation: 'PutThingColour', fields: [{ field: 'Colour', member: 'Colour' }] }],
    field('Colour', '{is_secret: true}'),
  ],
  [
    'a secret as bytes',
    { PutThingColour: [{ ...id, '!Colour': 'Blob' }] },
    [{ operation: 'PutThingColour', fields: [{ field: 'Colour', member: 'Colour' }] }],
    field('Colour', '{is_secret: true}'),
  ],
  [
    'a field that the config takes from another operation than the update, which has a member of its name',
    { UpdateThing: [{ ...id, Note: 'String' }], SetThingText: [{ ...id, '!Text': 'String' }] },
    [{ operation: 'SetThingText', fields: [{ field: 'Note', member: 'Text' }] }],
    field('Note', '{from: {operation: SetThingText, path: Text}}'),
  ],
  [
    'of two operations for one field, the one that can be read',
    { ModifyThingTint: [colour], PutThingColour: [colour], GetThingColour: [id, { Colour: 'String' }] },
    [
      {
        operation: 'PutThingColour',
        fields: [{ field: 'Colour', member: 'Colour' }],
        read: { operation: 'GetThingColour', paths: { Colour: 'Colour' } },
      },
    ],
  ],
  [
    'of two operations that can be read, or that cannot, the first by name',
    { ModifyThingTint: [colour], PutThingColour: [colour] },
    [{ operation: 'ModifyThingTint', fields: [{ field: 'Colour', member: 'Colour' }] }],
  ],
  [
    'of two operations for one field, the one that sets fewer, whether it can be read or not',
    { ModifyThingBoth: [{ ...colour, Door: 'Door' }], GetThingBoth: [id, { Colour: 'String' }], PutThingColour: [colour] },
    [
      {
        operation: 'ModifyThingBoth',
        fields: [{ field: 'Door', member: 'Door' }],
        read: { operation: 'GetThingBoth', paths: { Colour: 'Colour' } },
      },
      { operation: 'PutThingColour', fields: [{ field: 'Colour', member: 'Colour' }] },
    ],
  ],
  [
    'an action, told as a status below a structure that is called like both',
    { PutThingSign: [{ ...id, '!SignAction': 'String' }], GetThingSign: [id, { Sign: 'Sign' }] },
    [
      {
        operation: 'PutThingSign',
        fields: [{ field: 'SignAction', member: 'SignAction' }],
        read: { operation: 'GetThingSign', paths: { SignAction: 'Sign.SignStatus' } },
      },
    ],
    field('SignAction', '{type: string}'),
  ],
] as const)
  test(`a part is found in ${what}`, () => {
    assert.deepEqual(found(operations as unknown as Operations, config), parts)
  })

test('a structure is told where at least half of its members are, and a switch by its status', () => {
  const operations: Operations = {
    CreateThing: [{ ...id, Gate: 'Gate' }, { Thing: 'Thing' }],
    PutThingGate: [{ ...id, '!Gate': 'Gate' }],
    GetThingGate: [id, { Answer: 'GateTold' }],
  }
  assert.deepEqual(found(operations), [
    {
      operation: 'PutThingGate',
      fields: [{ field: 'Gate', member: 'Gate' }],
      read: { operation: 'GetThingGate', paths: { Gate: 'Answer' } },
    },
  ])
})
