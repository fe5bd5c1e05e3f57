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
  Frame: structure({ Wood: 'String', Gold: 'String', Glass: 'String' }),
  Front: structure({ Wood: 'String', Gold: 'String', Glass: 'String', Iron: 'String' }),
  PutThingOnceRequest: {
    type: 'structure',
    required: ['ThingName'],
    members: { ThingName: { shape: 'String' }, Colour: { shape: 'String', idempotencyToken: true } },
  },
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

const field = (name: string, what: string): string => `resources:\n  Thing:\n    fields:\n      ${name}: ${what}\n`
const colours = { PutThingColour: [{ ...id, '!Colour': 'String' }] } as const
const light = field('Light', '{type: bool}')

for (const [what, operations, config = ''] of [
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
  ['an operation that is called after another kind', { CreateHouse: [id], PutHouseColour: [{ ...id, Colour: 'String' }] }],
  ['what sets the attributes of the resource', { SetThingAttributes: [{ ...id, Colour: 'String' }] }],
  ['tags', { CreateThing: [{ ...id, Tags: 'StringMap' }], PutThingTags: [{ ...id, '!Tags': 'StringMap' }] }],
  ['what the replacement of the kind carries', { ...colours, CreateOrUpdateThing: [{ ...id, Colour: 'String', Age: 'String' }] }],
  ['an idempotency token', { PutThingOnce: [{}] }],
  ['a switch that takes two members', { EnableLight: [{ ...id, Reason: 'String', Why: 'String' }] }, light],
  ['a secret as a number', { PutThingColour: [{ ...id, '!Colour': 'Integer' }] }, field('Colour', '{is_secret: true}')],
  ['a switch that is no boolean', { EnableLight: [id] }, field('Light', '{type: string}')],
  [
    'an operation that takes two of four members of a structure',
    { CreateThing: [{ ...id, Front: 'Front' }], PutThingFront: [{ ...id, Wood: 'String', Gold: 'String' }] },
  ],
  ['a field that may never change', colours, field('Colour', '{is_immutable: true}')],
  ['an attribute', colours, field('Colour', '{is_attribute: true}')],
  [
    'the primary key, although the config names an operation for it',
    { SetThingText: [{ ...id, '!Text': 'String' }] },
    field('Note', '{is_primary_key: true, from: {operation: SetThingText, path: Text}}'),
  ],
  [
    'what the config takes from the update of the kind',
    { UpdateThing: [{ ...id, Note: 'String', Age: 'String' }], PutThingNote: [{ ...id, '!Note': 'String' }] },
    field('Note', '{from: {operation: UpdateThing, path: Note}}'),
  ],
  ['what enables more than a switch', { EnableColour: [{ ...id, '!Colour': 'String' }] }],
  ['a token', { PutThingToken: [{ ...id, '!Token': 'String' }] }],
] as const)
  test(`no part is found in ${what}`, () => {
    assert.deepEqual(found(operations as unknown as Operations, config), [])
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
const setColour = { field: 'Colour', member: 'Colour' }
const setNote = { field: 'Note', member: 'Text' }
const note = (operation: string): string => field('Note', `{from: {operation: ${operation}, path: Text}}`)

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
    'a secret as a text of another shape',
    { PutThingColour: [{ ...id, '!Colour': 'Note' }] },
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
  [
    'an operation and a member as they are called on the wire',
    { putThingColour: [{ ...id, '!colour': 'String' }] },
    [{ operation: 'putThingColour', fields: [{ field: 'Colour', member: 'colour' }] }],
  ],
  [
    'a structure that stands beside its members',
    { PutThingDoor: [{ ...id, Door: 'Door', Width: 'Integer', Height: 'Integer' }] },
    [{ operation: 'PutThingDoor', fields: [{ field: 'Door', member: 'Door' }] }],
  ],
  [
    'the operation that the config takes a whole field from, and in no other',
    { PutThingNote: [{ ...id, Wood: 'String' }], ModifyThingTint: [{ ...id, Age: 'String' }] },
    [{ operation: 'PutThingNote', fields: [{ field: 'Note' }] }],
    field('Note', '{from: {operation: PutThingNote, path: .}}'),
  ],
  [
    'an operation called after the resource and not after a kind that its name begins with',
    { CreateThi: [{ '!ThiName': 'String' }], PutThingColour: [colour] },
    [{ operation: 'PutThingColour', fields: [setColour] }],
  ],
  [
    'the update of another kind that the config names',
    { CreateHouse: [id], UpdateHouse: [{ ...id, Text: 'String' }] },
    [{ operation: 'UpdateHouse', fields: [setNote] }],
    note('UpdateHouse'),
  ],
  [
    'what the config takes from another operation, although it is called like what the read is told',
    { PutThingRegistry: [{ ...id, '!Registry': 'String' }] },
    [{ operation: 'PutThingRegistry', fields: [{ field: 'Registry', member: 'Registry' }] }],
    field('Registry', '{from: {operation: PutThingRegistry, path: Registry}}'),
  ],
  [
    'an operation that demands what the read is told',
    { PutThingColour: [{ ...colour, '!Registry': 'String' }] },
    [{ operation: 'PutThingColour', fields: [setColour] }],
  ],
  [
    'an operation that demands the members of a structure',
    { PutThingDoor: [{ ...id, '!Width': 'Integer', '!Height': 'Integer' }] },
    [{ operation: 'PutThingDoor', fields: [{ field: 'Door' }] }],
  ],
  [
    'two of three members of a structure',
    { CreateThing: [{ ...id, Frame: 'Frame' }], PutThingFrame: [{ ...id, Wood: 'String', Gold: 'String' }] },
    [{ operation: 'PutThingFrame', fields: [{ field: 'Frame' }] }],
  ],
  [
    'all members that the model has of a structure to which the config adds some',
    { PutThingDoor: [{ ...id, Width: 'Integer', Height: 'Integer' }] },
    [{ operation: 'PutThingDoor', fields: [{ field: 'Door' }] }],
    'resources:\n  Thing:\n    fields:\n      Door.Lock: {type: string}\n      Door.Key: {type: string}\n',
  ],
  [
    'an operation that is called after the resource and takes a mere name',
    { PutThing: [{ '!Name': 'String', Colour: 'String' }] },
    [{ operation: 'PutThing', fields: [setColour] }],
  ],
  [
    'an operation that is called after the field and takes a mere name',
    { PutColour: [{ '!Name': 'String', Colour: 'String' }] },
    [{ operation: 'PutColour', fields: [setColour] }],
  ],
  [
    'an operation that the config names and that takes a mere name',
    { SetAssetText: [{ '!Name': 'String', Text: 'String' }] },
    [{ operation: 'SetAssetText', fields: [setNote] }],
    note('SetAssetText'),
  ],
  [
    'an operation that takes a mere name and of whose members the config names one',
    { SetAssetText: [{ '!Name': 'String', Text: 'String', Colour: 'String' }] },
    [{ operation: 'SetAssetText', fields: [setNote, setColour] }],
    note('SetAssetText'),
  ],
  [
    'an operation that takes a structure apart and a mere name',
    { PutDoor: [{ '!Name': 'String', Width: 'Integer', Height: 'Integer' }] },
    [{ operation: 'PutDoor', fields: [{ field: 'Door' }] }],
  ],
  [
    'an operation that takes the name of the resource beside a mere name',
    { UpdateAsset: [{ ...id, '!Name': 'String', Colour: 'String' }] },
    [{ operation: 'UpdateAsset', fields: [setColour] }],
  ],
  [
    'an operation that takes a renamed field under the name of the model',
    { PutThingColour: [colour] },
    [{ operation: 'PutThingColour', fields: [{ field: 'Tint', member: 'Colour' }] }],
    'resources:\n  Thing:\n    renames:\n      operations:\n        CreateThing: {input_fields: {Colour: Tint}}\n',
  ],
  [
    'a switch that takes one member, which nothing takes away',
    { EnableLight: [{ ...id, Reason: 'String' }], DeleteLight: [id] },
    [{ operation: 'EnableLight', fields: [{ field: 'Light' }] }],
    light,
  ],
  [
    'what is set to true and false, although something is called as if it switched it off',
    { PutThingLight: [{ ...id, '!Light': 'Boolean' }], DisableThingLight: [id] },
    [{ operation: 'PutThingLight', fields: [{ field: 'Light', member: 'Light' }] }],
    light,
  ],
  [
    'what is taken apart, although something is called as if it switched it off',
    { PutThingDoor: [{ ...id, Width: 'Integer', Height: 'Integer' }], DisableThingDoor: [id] },
    [{ operation: 'PutThingDoor', fields: [{ field: 'Door' }] }],
  ],
  [
    'what another operation removes that is told where the resource is',
    { PutThingColour: [colour], RemoveThingColour: [{ ...id, Registry: 'String' }] },
    [{ operation: 'PutThingColour', fields: [setColour], remove: 'RemoveThingColour' }],
  ],
  [
    'what an operation that demands something else does not take away',
    { PutThingColour: [colour], DeleteThingColour: [{ ...id, '!Reason': 'String' }] },
    [{ operation: 'PutThingColour', fields: [setColour] }],
  ],
  [
    'what an operation that names no resource does not take away',
    { PutThingColour: [colour], DeleteThingColour: [{ Registry: 'String' }] },
    [{ operation: 'PutThingColour', fields: [setColour] }],
  ],
  [
    'two fields of which the read of the kind tells one',
    {
      CreateThing: [{ ...id, ThingArn: 'String', Wood: 'String', Colour: 'String' }],
      DescribeThing: [id, { Wood: 'String', Age: 'String' }],
      PutThingLook: [{ ...id, Wood: 'String', Colour: 'String' }],
      GetThingLook: [id, { Wood: 'String', Colour: 'String' }],
    },
    [
      {
        operation: 'PutThingLook',
        fields: [
          { field: 'Wood', member: 'Wood' },
          { field: 'Colour', member: 'Colour' },
        ],
        read: { operation: 'GetThingLook', paths: { Wood: 'Wood', Colour: 'Colour' } },
      },
    ],
  ],
  [
    'what the read of the kind tells, which no other operation need read',
    {
      CreateThing: [{ ...id, Wood: 'String' }],
      DescribeThing: [id, { Wood: 'String', Age: 'String' }],
      PutThingLook: [{ ...id, Wood: 'String' }],
      GetThingLook: [id, { Wood: 'String' }],
    },
    [{ operation: 'PutThingLook', fields: [{ field: 'Wood', member: 'Wood' }] }],
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

for (const [operations, evidence, config = ''] of [
  [
    { PutThingColour: [colour], GetThingColour: [id, { Colour: 'String' }], RemoveThingColour: [id] },
    'PutThingColour takes the identifiers of Thing and colour as Colour; RemoveThingColour takes it away; GetThingColour tells it',
  ],
  [{ PutThingColour: [colour] }, 'PutThingColour takes the identifiers of Thing and colour as Colour'],
  [
    { EnableLight: [id], DisableLight: [id], RemoveLight: [id] },
    'EnableLight takes the identifiers of Thing and light; DisableLight switches it off',
    light,
  ],
] as const)
  test(`it is told why it is a part: ${evidence}`, () => {
    const service = inferSmall({ operations: { ...thing, ...(operations as unknown as Operations) }, shapes }, config)
    const kind = service.kinds.find(each => each.kind === 'Thing')
    assert.ok(kind)
    assert.deepEqual(
      partsOf(service, kind).map(each => each.evidence),
      [evidence],
    )
  })
