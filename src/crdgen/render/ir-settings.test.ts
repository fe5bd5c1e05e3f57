import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { KindSettings } from '#aws'
import { readGeneratorConfig } from '../config/read-config.ts'
import { settingsOf } from './ir-settings.ts'

function settings(resource: string, more = ''): KindSettings {
  const { config } = readGeneratorConfig(`resources:\n  Thing: ${resource}\n${more}`)
  return settingsOf(config.resources?.get('Thing') ?? {}, config)
}

const tags = { path: 'Tags', key: 'Key', value: 'Value' }

test('a config that says nothing has tags at their usual place, and nothing else', () =>
  assert.deepEqual(settings('{}'), { tags }))

for (const [resource, expected] of [
  ['ignore_idempotency_token: true', { ignoreIdempotencyToken: true }],
  ['unpack_attributes_map: {}', { unpackAttributes: {} }],
  ['unpack_attributes_map: {set_attributes_single_attribute: true}', { unpackAttributes: { setOneByOne: true } }],
  ['unpack_attributes_map: {set_attributes_single_attribute: false}', { unpackAttributes: {} }],
  [
    'unpack_attributes_map: {get_attributes_input: {overrides: {Names: {values: [All]}, None: {}}}}',
    { unpackAttributes: { getOverrides: { Names: ['All'], None: [] } } },
  ],
  [
    'exceptions: {errors: {404: {code: Gone, message_prefix: a, message_suffix: b}, 409: {code: Busy}}, terminal_codes: [Bad]}',
    {
      errors: { 404: { code: 'Gone', messagePrefix: 'a', messageSuffix: 'b' }, 409: { code: 'Busy' } },
      terminalCodes: ['Bad'],
    },
  ],
  ['synced: {when: [{path: Status.State, in: [ok, fine]}]}', { synced: [{ path: 'Status.State', in: ['ok', 'fine'] }] }],
  ['synced: {}', {}],
  [
    'updateable: {when: [{path: Status.State, in: [ok]}], requeue_after_seconds: 10}',
    { updateable: { when: [{ path: 'Status.State', in: ['ok'] }], requeueAfterSeconds: 10 } },
  ],
  ['deletable: {}', { deletable: { when: [], requeueAfterSeconds: 30 } }],
  ['list_operation: {match_fields: [Name]}', { matchFields: ['Name'] }],
  ['find_operation: {custom_method_name: a}', { findHook: 'a' }],
  [
    'update_operation: {custom_method_name: b, omit_unchanged_fields: true, only_set_unchanged_fields: true}',
    { updateHook: 'b', omitUnchanged: true, onlySetChanged: true },
  ],
  ['delete_operation: {custom_method_name: c}', { deleteHook: 'c' }],
  ['update_conditions_custom_method_name: d', { conditionsHook: 'd' }],
  ['reconcile: {requeue_on_success_seconds: 60}', { resyncSeconds: 60 }],
  ['pre_delete_sync: {compare_all: true}', { preDeleteCompareAll: true }],
  ['compare: {ignore: [Password]}', { compareIgnore: ['Password'] }],
  ['is_arn_primary_key: true', { arnIsPrimaryKey: true }],
  ['is_adoptable: false', { notAdoptable: true }],
  ['is_adoptable: true', {}],
  ['region_in_spec: true', { regionInSpec: true }],
  ['tags: {path: Labels, key_name: Name, value_name: Text}', { tags: { path: 'Labels', key: 'Name', value: 'Text' } }],
  ['tags: {ignore: false}', {}],
  ['hooks: {sdk_update: {code: x}, delta_pre_compare: {code: y}}', { hooks: ['delta_pre_compare', 'sdk_update'] }],
  ['hooks: {}', {}],
] as const)
  test(`a runtime reads \`${resource}\` as ${JSON.stringify(expected)}`, () =>
    assert.deepEqual(settings(`{${resource}}`), { tags, ...expected }))

test('without tags there is no place for them', () => assert.deepEqual(settings('{tags: {ignore: true, path: Labels}}'), {}))

test('a service whose lists fail where nothing is found says so of each kind', () =>
  assert.deepEqual(settings('{}', 'set_many_output_notfound_err_return: x\n'), { tags, notFoundIsError: 'x' }))
