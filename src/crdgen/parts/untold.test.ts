// Which fields no read tells, and what is within a field that a read tells in part.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inferSmall, type SmallModel, structure } from '../infer/model.fixture.ts'
import { resourceService } from '../render/ir.ts'

const id = { '!ThingName': 'String' }

interface Case {
  /** What a user can set. */
  readonly input: Readonly<Record<string, string>>
  /** What the kind's own read answers. */
  readonly told?: Readonly<Record<string, string>>
  readonly more?: SmallModel['operations']
  readonly config?: string
}

const shapes: NonNullable<SmallModel['shapes']> = {
  Door: structure({ Width: 'Integer', Password: 'String' }),
  DoorTold: structure({ Width: 'Integer' }),
  Doors: { type: 'list', member: { shape: 'Door' } },
  DoorsTold: { type: 'list', member: { shape: 'DoorTold' } },
  NamedDoors: { type: 'map', key: { shape: 'String' }, value: { shape: 'Door' } },
  NamedDoorsTold: { type: 'map', key: { shape: 'String' }, value: { shape: 'DoorTold' } },
  House: structure({ Row: 'Doors', ByName: 'NamedDoors' }),
  HouseTold: structure({ Row: 'DoorsTold', ByName: 'NamedDoorsTold' }),
  HouseTurned: structure({ Row: 'NamedDoorsTold', ByName: 'DoorsTold' }),
  HouseNamed: structure({ Row: 'Strings', ByName: 'StringMap' }),
  Lamp: structure({ Enabled: 'Boolean', GlowEnabled: 'Boolean', HumEnabled: 'Boolean', ModeEnabled: 'String' }),
  LampTold: structure({ Status: 'String', GlowStatus: 'String', ModeStatus: 'String' }),
  LampDark: structure({ Colour: 'String' }),
  Ring: structure({ Next: 'Stone', Dull: 'String' }),
  Stone: structure({ Colour: 'String', ForceCut: 'Boolean' }),
  RingTold: structure({ Next: 'StoneTold' }),
  StoneTold: structure({ Colour: 'String' }),
  Answer: structure({ Door: 'DoorTold' }),
  Envelope: structure({ Answer: 'Answer', Door: 'Door' }),
  Key: structure({ KeyId: 'String', Pin: 'String' }),
  KeyTold: structure({ KeyId: 'String', Pin: 'String' }),
}

function untold({ input, told = {}, more = {}, config = '' }: Case): readonly string[] {
  const operations: SmallModel['operations'] = {
    CreateThing: [{ ...id, ...input }, {}],
    DescribeThing: [id, { Thing: 'Thing' }],
    DeleteThing: [id],
    ...more,
  }
  const thing = structure({ ThingName: 'String', ...told })
  const service = inferSmall({ operations, shapes: { ...shapes, Thing: thing } }, config)
  const { kinds } = resourceService(service, { kinds: service.kinds, madeOf: { model: '', config: '', program: '' } })
  return kinds['Thing']?.untold ?? []
}

const field = (name: string, what: string): string => `resources:\n  Thing:\n    fields:\n      ${name}: ${what}\n`

for (const [what, expected, given] of [
  ['a field that its read tells is told', [], { input: { Colour: 'String' }, told: { Colour: 'String' } }],
  ['a field that no read tells is untold', ['Colour'], { input: { Colour: 'String' } }],
  ['a field that is told as another type is untold', ['Colour'], { input: { Colour: 'String' }, told: { Colour: 'Strings' } }],
  [
    'a field that is told under the name it was renamed from is told',
    [],
    {
      input: { Colour: 'String' },
      told: { Tint: 'String' },
      config: 'resources:\n  Thing:\n    renames:\n      operations:\n        DescribeThing: {output_fields: {Tint: Colour}}\n',
    },
  ],
  [
    'a field that the config sets from another member is told by that member',
    [],
    {
      input: { Colour: 'String' },
      told: { Tint: 'String' },
      config: field('Colour', '{set: [{method: Create, to: X}, {from: Tint.Deep}]}'),
    },
  ],
  ...['{ignore: true}', '{ignore: from}', '{ignore: all}', '{method: ReadOne, ignore: true}'].map(
    rule =>
      [
        `a field that reads are told to leave alone by ${rule} is untold`,
        ['Colour'],
        { input: { Colour: 'String' }, told: { Colour: 'String' }, config: field('Colour', `{set: [${rule}]}`) },
      ] as const,
  ),
  ...['{ignore: to}', '{method: Create, ignore: true}', '{method: Update, ignore: all}'].map(
    rule =>
      [
        `a field is told although ${rule} is said of other calls`,
        [],
        { input: { Colour: 'String' }, told: { Colour: 'String' }, config: field('Colour', `{set: [${rule}]}`) },
      ] as const,
  ),
  ['a secret is remembered in another way', [], { input: { Key: 'String' }, config: field('Key', '{is_secret: true}') }],
  [
    'what a structure is told without is untold within it',
    ['Door.Password'],
    { input: { Door: 'Door' }, told: { Door: 'DoorTold' } },
  ],
  ['a structure that is told whole is told', [], { input: { Door: 'Door' }, told: { Door: 'Door' } }],
  [
    'a secret and an option within a structure are no part of it',
    ['Ring.Dull'],
    { input: { Ring: 'Ring' }, told: { Ring: 'RingTold' }, config: field('Ring.Extra', '{type: string, is_secret: true}') },
  ],
  [
    'lists and maps are entered on both sides',
    ['House.ByName.Password', 'House.Row.Password'],
    { input: { House: 'House' }, told: { House: 'HouseTold' } },
  ],
  ['what stands as a map for a list is not compared', [], { input: { House: 'House' }, told: { House: 'HouseTurned' } }],
  ['what stands as texts for structures is not compared', [], { input: { House: 'House' }, told: { House: 'HouseNamed' } }],
  [
    'a switch is told by the status of its name, and a text is not',
    ['Lamp.HumEnabled', 'Lamp.ModeEnabled'],
    { input: { Lamp: 'Lamp' }, told: { Lamp: 'LampTold' } },
  ],
  [
    'a switch that nothing tells is untold',
    ['Lamp.Enabled', 'Lamp.GlowEnabled', 'Lamp.HumEnabled', 'Lamp.ModeEnabled'],
    { input: { Lamp: 'Lamp' }, told: { Lamp: 'LampDark' } },
  ],
  [
    'a field that the read of a part tells is looked into there',
    ['Door.Password'],
    { input: { Door: 'Door' }, more: { PutThingDoor: [{ ...id, '!Door': 'Door' }], GetThingDoor: [id, { Answer: 'Answer' }] } },
  ],
  [
    'a field that the read of a part tells as the whole answer is looked into there',
    ['Door.Password'],
    { input: { Door: 'Door' }, more: { PutThingDoor: [{ ...id, '!Door': 'Door' }], GetThingDoor: [id, { Width: 'Integer' }] } },
  ],
  [
    'what the read of a part tells goes before what the read of the kind does',
    [],
    {
      input: { Door: 'Door', Colour: 'String' },
      told: { Door: 'DoorTold' },
      more: {
        PutThingLook: [{ ...id, '!Door': 'Door', '!Colour': 'String' }],
        GetThingLook: [id, { Door: 'Door', Colour: 'String' }],
      },
    },
  ],
  ['tags are told in their own way', ['Label'], { input: { Tags: 'StringMap', Label: 'StringMap' } }],
  [
    'tags of another name are told in their own way',
    ['Tags'],
    { input: { Tags: 'StringMap', Label: 'StringMap' }, config: 'resources:\n  Thing:\n    tags: {path: Label.Items}\n' },
  ],
  ['what says whose it is and how a call is made is no part of it', [], { input: { ThingArn: 'String', ForceIt: 'Boolean' } }],
  [
    'an object that can give the value is no part of it, at the top and below',
    ['Owner', 'Owners'],
    {
      input: { Owner: 'String', Owners: 'Strings', Key: 'Key' },
      told: { Key: 'KeyTold' },
      config:
        'resources:\n  Thing:\n    fields:\n' +
        ['Owner', 'Owners', 'Key.KeyId']
          .map(each => `      ${each}: {references: {resource: Other, path: Status.ID}}\n`)
          .join(''),
    },
  ],
] as const)
  test(what, () => assert.deepEqual(untold(given), expected))
