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
