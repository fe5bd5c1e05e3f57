import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InferError } from '../infer-error.ts'
import { explainField } from './explain.ts'
import { inferSmall, structure } from './model.fixture.ts'

const service = inferSmall(
  {
    operations: {
      CreateThing: [
        {
          '!ThingName': 'String',
          Door: 'Door',
          Rules: 'Rules',
          Type: 'String',
          Range: 'String',
          KeyId: 'String',
          Password: 'String',
        },
        { Thing: 'Thing' },
      ],
      DescribeThing: [{ '!ThingName': 'String' }, { Thing: 'Thing' }],
    },
    shapes: {
      Door: structure({ '!Width': 'Integer', Lock: 'Lock' }),
      Lock: structure({ Code: 'String' }),
      Rules: { type: 'list', member: { shape: 'Rule' } },
      Rule: structure({ Text: 'String' }),
      Thing: structure({ State: 'String', Type: 'String' }),
    },
  },
  `resources:
  Thing:
    renames:
      operations:
        CreateThing: {input_fields: {ThingName: Name}}
    fields:
      Name: {is_immutable: true}
      Type: {go_tag: 'json:"sort,omitempty"'}
      KeyId: {is_required: true, references: {resource: Key, service_name: kms, path: Status.KeyID}}
      Password: {is_secret: true}
      Extra: {type: string, is_required: true}
      Copies: {custom_field: {list_of: Rule}}
      Note: {from: {operation: DescribeThing, path: ThingName}}
`,
)
const queue = inferSmall(
  { operations: { CreateQueue: [{ '!QueueName': 'String', Attributes: 'StringMap' }, {}] } },
  'resources:\n  Queue:\n    unpack_attributes_map: {}\n    fields:\n      Delay: {is_attribute: true}\n',
)

for (const [path, full, sentences] of [
  [
    'Thing.name',
    'Thing.spec.name',
    [
      'it is CreateThingRequest.ThingName, of the input of CreateThing',
      'the config renames ThingName to Name',
      'required, since the model requires ThingName',
      'immutable by the config',
      'config: generator.yaml:7',
    ],
  ],
  ['things.spec.DOOR', 'Thing.spec.door', ['it is CreateThingRequest.Door, of the input of CreateThing']],
  ['Thing.door.width', 'Thing.spec.door.width', ['it is Door.Width in the model']],
  ['Thing.door.lock.code', 'Thing.spec.door.lock.code', ['it is Lock.Code in the model']],
  ['Thing.rules[].text', 'Thing.spec.rules.text', ['it is Rule.Text in the model']],
  ['Thing.status.state', 'Thing.status.state', ['it is Thing.State, of the output of CreateThing, and in no field of the spec']],
  ['Thing.state', 'Thing.status.state', ['it is Thing.State, of the output of CreateThing, and in no field of the spec']],
  [
    'Thing.type',
    'Thing.spec.sort',
    [
      'it is CreateThingRequest.Type, of the input of CreateThing',
      "the config's go_tag writes sort for type_",
      'config: generator.yaml:8',
    ],
  ],
  [
    'Thing.range',
    'Thing.spec.range_',
    ['it is CreateThingRequest.Range, of the input of CreateThing', 'an underscore, since range is a keyword of Go'],
  ],
  [
    'Thing.keyID',
    'Thing.spec.keyID',
    [
      'it is CreateThingRequest.KeyId, of the input of CreateThing',
      'never required, since a reference can stand for it',
      'config: generator.yaml:9',
    ],
  ],
  [
    'Thing.keyRef',
    'Thing.spec.keyRef',
    ['another object can give the value beside it (CreateThingRequest.KeyId)', 'config: generator.yaml:9'],
  ],
  [
    'Thing.password',
    'Thing.spec.password',
    [
      'it is CreateThingRequest.Password, of the input of CreateThing',
      'a reference to a Secret, by the config',
      'config: generator.yaml:10',
    ],
  ],
  [
    'Thing.extra',
    'Thing.spec.extra',
    ['the config defines it and its type', 'required by the config', 'config: generator.yaml:11'],
  ],
  ['Thing.copies', 'Thing.spec.copies', ['the config makes it a collection of Rule', 'config: generator.yaml:12']],
  [
    'Thing.note',
    'Thing.spec.note',
    ['the config takes it from DescribeThing: DescribeThingInput.ThingName', 'config: generator.yaml:13'],
  ],
  ['Queue.delay', 'Queue.spec.delay', ['it is an attribute in the map that CreateQueue takes', 'config: generator.yaml:5']],
] as const)
  test(`why ${path} is there is said with its origin, what the config made of it, and the line`, () => {
    const found = explainField(path.startsWith('Queue') ? queue : service, path)
    assert.deepEqual([found.path, found.sentences], [full, sentences])
  })

for (const [path, message] of [
  ['Thing', /^name a field, such as Thing\.door: Thing has door, keyID, .*, state$/],
  ['Thing.status', 'name a field, such as Thing.status.state: Thing has state'],
  ['Thing.nam', 'Thing has no field "nam"; did you mean "name"?'],
  ['Thing.status.nothing', 'Thing has no field "nothing"; it has state'],
  ['Thing.spec.state', /^Thing has no field "state"; it has door, keyID, .*, keyRef$/],
  ['Thing.door.lok', 'Thing.spec.door has no member "lok"; did you mean "lock"?'],
  ['Thing.rules.zebra', 'Thing.spec.rules has no member "zebra"; it has text'],
  ['Thing.door.width.deep', 'Thing.spec.door.width has no member "deep"; it has none'],
] as const)
  test(`${path} is refused with the names that there are`, () =>
    assert.throws(() => explainField(service, path), { constructor: InferError, code: 'unknown-name', message }))
