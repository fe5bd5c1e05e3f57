import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inferSmall, type SmallModel } from '../infer/model.fixture.ts'
import { type IsHooked, reportOf } from './report.ts'

const model: SmallModel = {
  operations: {
    CreateThing: [{ '!Name': 'String', Zone: 'String' }, { State: 'String' }],
    GetThing: [{ '!Name': 'String' }, { State: 'String' }],
    DeleteThing: [{ '!Name': 'String' }],
  },
}

interface Report {
  readonly kinds: readonly { readonly spec: readonly object[]; readonly hooks: readonly string[] }[]
  readonly warnings: readonly string[]
}

function report(config: string, isHooked?: IsHooked): Report {
  const service = inferSmall(model, config)
  return reportOf(service, service.kinds, isHooked) as Report
}

test('the report says of each field its type and where it comes from, and what it is held to only where it is', () => {
  const [kind] = report('resources:\n  Thing:\n    fields:\n      Zone: {is_immutable: true}\n').kinds
  const origin = { by: 'input', operation: 'CreateThing' }
  assert.deepEqual(kind?.spec, [
    { field: 'name', type: '*string', required: true, ...origin, member: 'CreateThingRequest.Name' },
    {
      field: 'zone',
      type: '*string',
      immutable: true,
      ...origin,
      member: 'CreateThingRequest.Zone',
      config: 'generator.yaml:4',
    },
  ])
  assert.deepEqual(kind.hooks, [])
})

const said = (hooks: string): string => `Thing: the config has code of its own that nothing here carries out: ${hooks}`

for (const [config, warnings] of [
  ['{}', []],
  ['{hooks: {sdk_file_end: {code: x}}}', [said('sdk_file_end')]],
  ['{delete_operation: {custom_method_name: x}}', [said('x')]],
  [
    '{find_operation: {custom_method_name: c}, update_operation: {custom_method_name: a}, hooks: {ensure_tags: {code: x}}}',
    [said('a, c, ensure_tags')],
  ],
  [
    '{hooks: {sdk_create_post_request: {code: x}, sdk_create_post_requset: {code: x}}}',
    [
      'generator.yaml:2: "sdk_create_post_requset" is no point for a hook; did you mean "sdk_create_post_request"?',
      said('sdk_create_post_request, sdk_create_post_requset'),
    ],
  ],
] as const)
  test(`of a kind with \`${config}\` the report warns: ${warnings.join('; ') || 'nothing'} [5.0.2]`, () =>
    assert.deepEqual(report(`resources:\n  Thing: ${config}\n`, () => false).warnings, warnings))

test('who does not ask which hooks are written is not warned of hooks, and who asks is asked by service and kind [5.0.2]', () => {
  const config = 'resources:\n  Thing: {hooks: {sdk_file_end: {code: x}}}\n'
  assert.deepEqual(report(config).warnings, [])
  const asked: string[] = []
  assert.deepEqual(report(config, id => asked.push(id) > 0).warnings, [])
  assert.deepEqual(asked, ['small/Thing'])
})
