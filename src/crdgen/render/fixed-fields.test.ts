import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inferSmall, type SmallModel } from '../infer/model.fixture.ts'
import { withFixed } from './fixed-fields.ts'

type Operations = SmallModel['operations']

const made: Operations = {
  CreateThing: [{ '!Name': 'String', Labels: 'StringMap', Size: 'Integer', Tags: 'StringMap', Zone: 'String' }, {}],
  GetThing: [{ '!Name': 'String' }, { Zone: 'String' }],
  DeleteThing: [{ '!Name': 'String' }],
}
const update: Operations = { UpdateThing: [{ '!Name': 'String', '!Size': 'Integer' }] }

function fixed(operations: Operations, config: string): readonly string[] {
  const text = config === '' ? '' : `resources:\n  Thing: {${config}}\n`
  const service = inferSmall({ operations: { ...made, ...operations } }, text)
  const kind = service.kinds.find(each => each.kind === 'Thing')
  assert.ok(kind)
  return [...withFixed(service, kind)].filter(({ immutable }) => immutable).map(({ names }) => names.camel)
}

for (const [config, names] of [
  // Tags have operations of their own, and what the update takes to find the resource it does not change.
  ['', ['Labels', 'Name', 'Zone']],
  ['tags: {path: Labels.Items}', ['Name', 'Tags', 'Zone']],
  ['hooks: {sdk_create_post_build_request: {code: x}}', ['Labels', 'Name', 'Zone']],
  ['hooks: {sdk_create_post_build_request: {code: x}, sdk_update_pre_build_request: {code: y}}', []],
  ['hooks: {delta_pre_compare: {code: x}}', []],
  ['update_operation: {custom_method_name: x}', []],
  ['update_operation: {omit_unchanged_fields: true}', ['Labels', 'Name', 'Zone']],
  ['unpack_attributes_map: {}', []],
  ['fields: {Zone: {set: [{from: Zone}]}}', ['Labels', 'Name']],
  ['fields: {Zone: {custom_sync: {}}}', ['Labels', 'Name']],
  ['fields: {Zone: {type: string}}', ['Labels', 'Name']],
  ['fields: {Zone: {from: {operation: GetThing, path: Zone}}}', ['Labels', 'Name']],
  ['fields: {Zone: {is_primary_key: true}}', ['Labels', 'Name', 'Zone']],
] as const)
  test(`of a kind with \`${config}\` ${names.join(', ') || 'nothing'} stays as it was made [4.13.6]`, () =>
    assert.deepEqual(fixed(update, config), names))

for (const [what, operations, config, names] of [
  ['without an update', {}, '', []],
  ['that is replaced', { CreateOrUpdateThing: update['UpdateThing'] ?? [] }, '', ['Labels', 'Name', 'Zone']],
  ['whose attributes are set', { ...update, SetThingAttributes: [{ '!Name': 'String' }] }, '', []],
  [
    'whose update has other words',
    { UpdateThing: [{ '!Title': 'String', Extent: 'Integer' }] },
    'renames: {operations: {UpdateThing: {input_fields: {Title: Name, Extent: Size}}}}',
    ['Labels', 'Name', 'Zone'],
  ],
] as const)
  test(`of a kind ${what} ${names.join(', ') || 'nothing'} stays as it was made [4.13.6]`, () =>
    assert.deepEqual(fixed(operations, config), names))
