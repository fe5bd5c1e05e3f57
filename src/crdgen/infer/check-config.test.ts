import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InferError } from '../infer-error.ts'
import { inferSmall, type SmallModel } from './model.fixture.ts'

const operations: SmallModel['operations'] = {
  CreateThing: [{ '!Name': 'String', Region: 'String', Zone: 'String' }, { State: 'String' }],
  UpdateThing: [{ '!Name': 'String', Zone: 'String' }, {}],
  DeleteThing: [{ '!Name': 'String' }, {}],
}
const { UpdateThing: _, ...fixed } = operations

function refusal(config: string, of = operations): string {
  try {
    inferSmall({ operations: of }, `resources:\n  Thing: {${config}}\n`)
  } catch (error) {
    assert.ok(error instanceof InferError, String(error))
    assert.equal(error.code, 'contradiction')
    return error.message.replace(/^.*?:\d+: /, '')
  }
  return ''
}

for (const [config, words] of [
  ['fields: {Zone: {custom_sync: {}}}', ''],
  ['fields: {Zone: {custom_sync: {}, is_read_only: false, compare: {is_ignored: false}}}', ''],
  ['fields: {Zone.Part: {custom_sync: {}}}', 'custom_sync of "Zone.Part": only fields at the top can have one'],
  ['fields: {Zone: {custom_sync: {}, is_read_only: true}}', 'custom_sync of "Zone": the field is read-only'],
  [
    'fields: {Zone: {custom_sync: {}, compare: {is_ignored: true}}}',
    'custom_sync of "Zone": compare.is_ignored would keep it from ever running',
  ],
  ['region_in_spec: true', 'Thing has a field "region" of its own'],
  ['region_in_spec: false', ''],
  ['updateable: {when: [{path: Status.State, in: [ok]}]}', ''],
  ['updateable: {when: [{path: Spec.Zone, in: [a, b]}]}', ''],
  ['updateable: {when: [{in: [ok]}]}', 'updateable: "path" is missing'],
  ['deletable: {when: [{path: Status.State}]}', 'deletable: "in" of Status.State is empty'],
  ['deletable: {when: [{path: State, in: [ok]}]}', 'deletable: "State" begins neither with Spec nor with Status'],
  ['deletable: {when: [{path: Spec.State, in: [ok]}]}', 'deletable: Thing has no field "Spec.State"'],
  ['deletable: {when: [{path: Status.Zone, in: [ok]}]}', 'deletable: Thing has no field "Status.Zone"'],
  ['deletable: {}', ''],
  ['api_versions: [{name: v1}]', ''],
  ['api_versions: [{name: v1, storage: true}]', ''],
  ['api_versions: [{name: v1, storage: true}, {name: v2, served: false}]', ''],
  ['api_versions: [{name: v1, storage: true}, {name: v2}, {name: v3}]', ''],
  ['api_versions: [{storage: true}, {name: v1alpha1}]', 'version v1alpha1 is there twice'],
  ['api_versions: [{name: v0}]', '"v0" is no version such as v1alpha1, v1beta2 or v1'],
  [
    'api_versions: [{name: v1, served: false}]',
    'the version that is stored must be served: it is the one that the runtime follows',
  ],
  [
    'api_versions: [{name: v1, served: false, storage: true}, {name: v2}]',
    'the version that is stored must be served: it is the one that the runtime follows',
  ],
  ['api_versions: [{name: v1}, {name: v2}]', 'exactly one version must have storage: true'],
  ['api_versions: [{name: v1, storage: true}, {name: v2, storage: true}]', 'exactly one version must have storage: true'],
] as const)
  test(`\`${config}\` is ${words === '' ? 'taken' : `refused: ${words}`}`, () => assert.equal(refusal(config), words))

test('what is changed by code of its own needs an update', () =>
  assert.equal(refusal('fields: {Zone: {custom_sync: {}}}', fixed), 'custom_sync of "Zone": Thing has no Update operation'))
