// What deletes a kind that its operations call by a shorter word.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inferSmall, type SmallModel } from '../infer/model.fixture.ts'
import { deletionOf } from './find-deletion.ts'

const arn = { '!BoxArn': 'String' }
const reads = 'operations:\n  GetBoxAttributes: {resource_name: RedBox, operation_type: [GetAttributes]}\n'

for (const [what, deletion, operations, config = reads] of [
  ['asks for what the read asks for', 'DeleteBox', {}],
  ['is not called like the kind, where one is', 'DeleteRedBox', { DeleteRedBox: [arn] }],
  ['is another kind of the service', undefined, { CreateBox: [{ '!BoxName': 'String' }] }],
  ['asks for more than the read', undefined, { DeleteBox: [{ ...arn, '!Reason': 'String' }] }],
  ['asks for less than the read', undefined, { DeleteBox: [{ BoxArn: 'String' }] }],
  ['asks for nothing, as the read', undefined, { GetBoxAttributes: [{ BoxArn: 'String' }], DeleteBox: [{ BoxArn: 'String' }] }],
  ['is ignored by the config', undefined, {}, `${reads}ignore:\n  operations: [DeleteBox]\n`],
  ['is beside another that the config ignores', 'DeleteBox', {}, `${reads}ignore:\n  operations: [GetOther]\n`],
  [
    'is called like what sets the attributes',
    'DeleteBox',
    { GetRedBox: [arn, {}], SetBoxAttributes: [{ ...arn, '!Attributes': 'StringMap' }] },
    'operations:\n  SetBoxAttributes: {resource_name: RedBox, operation_type: [SetAttributes]}\n',
  ],
  [
    'is called like the description',
    'DeleteBox',
    { DescribeBox: [arn, {}] },
    'operations:\n  DescribeBox: {resource_name: RedBox, operation_type: [Get]}\n',
  ],
  ['is called like nothing that reads the kind', undefined, {}, ''],
] as const)
  test(`what deletes a box and ${what} is ${deletion ?? 'not taken for the deletion of a red box'}`, () => {
    const box: SmallModel['operations'] = {
      CreateRedBox: [{ '!BoxName': 'String' }, { BoxArn: 'String' }],
      GetBoxAttributes: [arn, { Attributes: 'StringMap' }],
      GetOther: [{}, {}],
      DeleteBox: [arn],
    }
    const service = inferSmall({ operations: { ...box, ...(operations as SmallModel['operations']) } }, config)
    const kind = service.kinds.find(each => each.resource === 'RedBox')
    assert.ok(kind)
    assert.equal(deletionOf(service, kind), deletion)
  })
