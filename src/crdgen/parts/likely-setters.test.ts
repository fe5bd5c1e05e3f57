import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inferSmall, type SmallModel, structure } from '../infer/model.fixture.ts'
import { reportOf } from '../render/report.ts'
import { partsOf } from './find-parts.ts'
import { likelySettersOf } from './likely-setters.ts'

const model: SmallModel = {
  operations: {
    CreateStream: [{ '!StreamName': 'String', ShardCount: 'Integer', Setup: 'Setup', Note: 'String' }],
    DescribeStream: [{ '!StreamName': 'String' }, { Note: 'String' }],
    DeleteStream: [{ '!StreamName': 'String' }],
    UpdateStream: [
      { '!StreamName': 'String', NewStreamName: 'String', Note: 'String', NewNote: 'String', SetupUpdates: 'SetupUpdates' },
    ],
    UpdateShardCount: [{ '!StreamName': 'String', '!TargetShardCount': 'Integer', '!ScalingType': 'String' }],
    UpdateOthers: [{ '!TargetShardCount': 'Integer' }],
  },
  shapes: { Setup: structure({ Mode: 'String' }), SetupUpdates: structure({ Mode: 'String', RemoveMode: 'Boolean' }) },
}

test('what seems to set a field and is not used for it is in the report with what is in the way; a name given anew is no such thing', () => {
  const service = inferSmall(model)
  const kind = service.kinds.find(each => each.kind === 'Stream')
  assert.ok(kind)
  const found = [
    { field: 'ShardCount', operation: 'UpdateShardCount', member: 'TargetShardCount', why: 'it needs ScalingType' },
    {
      field: 'Setup',
      operation: 'UpdateStream',
      member: 'SetupUpdates',
      why: 'SetupUpdates is a SetupUpdates, and the creation takes a Setup',
    },
  ]
  assert.deepEqual(likelySettersOf(service, kind), found)
  const { kinds } = reportOf(service, service.kinds) as { readonly kinds: readonly { readonly likelySetters: unknown }[] }
  assert.deepEqual(kinds[0]?.likelySetters, found)
  assert.deepEqual(partsOf(service, kind), [])
})

for (const [what, found, update, config = ''] of [
  [
    'what is asked for under another word and may mean it',
    [['Colour', 'NewColour may mean something else']],
    { NewColour: 'String' },
  ],
  [
    'what has another shape and needs more',
    [['Colour', 'DesiredColour is a Integer, and the creation takes a String; it needs Age, Reason']],
    { DesiredColour: 'Integer', '!Reason': 'String', '!Age': 'String' },
  ],
  [
    'what the creation does not take',
    [['Note', 'NoteUpdate may mean something else']],
    { NoteUpdate: 'String' },
    'fields: {Note: {type: string}}',
  ],
  [
    'nothing that demands where the resource is',
    [['Colour', 'TargetColour may mean something else']],
    { TargetColour: 'String', '!Registry': 'String' },
  ],
  ['nothing for a field that may never change', [], { NewColour: 'String' }, 'fields: {Colour: {is_immutable: true}}'],
  ['nothing for what says where the resource is', [], { NewRegistry: 'String' }],
  ['nothing for what says how a call is made', [], { NewForceIt: 'Boolean' }],
  ['nothing for a field that a part sets', [], { NewLabel: 'String' }],
] as const)
  test(`beside the fields that can be set there is told ${what}`, () => {
    const service = inferSmall(
      {
        operations: {
          CreateThing: [{ '!ThingName': 'String', Colour: 'String', Registry: 'String', ForceIt: 'Boolean', Label: 'String' }],
          DescribeThing: [{ '!ThingName': 'String', Registry: 'String' }, {}],
          PutThingLabel: [{ '!ThingName': 'String', '!Label': 'String' }],
          ModifyThingLook: [{ '!ThingName': 'String', ...update }],
        },
      },
      config === '' ? '' : `resources:\n  Thing:\n    ${config}\n`,
    )
    const [kind] = service.kinds
    assert.ok(kind)
    assert.deepEqual(
      likelySettersOf(service, kind).map(({ field, why }) => [field, why]),
      found,
    )
  })
