import assert from 'node:assert/strict'
import { test } from 'node:test'
import { normalisers } from '#aws'
import { readGeneratorConfig } from './read-config.ts'

function refusal(text: string): string {
  try {
    readGeneratorConfig(text, 'g.yaml')
  } catch (error) {
    return String(error)
  }
  return 'taken'
}

test('an absent, empty or commented-out config is valid [5.0.1]', () => {
  for (const text of ['', '---\n', '# nothing\n', '{}\n', 'resources:\nignore:\n  operations: null\n']) {
    assert.doesNotThrow(() => readGeneratorConfig(text), text)
  }
})

test('an unknown key is refused with file, line, key and the nearest known one [5.0.1]', () => {
  assert.equal(
    refusal('resource:\n  Role: {}\n'),
    'InferError: g.yaml:1: unknown key "resource" at the top; did you mean "resources"?',
  )
  assert.equal(
    refusal('resources:\n  Role:\n    fields:\n      Name:\n        is_imutable: true\n'),
    'InferError: g.yaml:5: unknown key "is_imutable" in "resources.Role.fields.Name"; did you mean "is_immutable"?',
  )
  assert.match(
    refusal('ignore:\n  zebra: []\n'),
    /^InferError: g\.yaml:2: unknown key "zebra" in "ignore"; known are resource_names, operations, shape_names, field_paths$/,
  )
})

test('keys of earlier versions, which published configs still hold, pass with a warning and say nothing', () => {
  const { config, warnings } = readGeneratorConfig(
    'model_name: x\noperations:\n  DescribeA: {primary_identifier_field_name: Id}\nresources:\n  A:\n    fields:\n      Url: {is_readonly: true, is_name: true}\n',
    'g.yaml',
  )
  assert.deepEqual(config.resources?.get('A')?.fields?.get('Url'), {})
  assert.deepEqual(config.operations?.get('DescribeA'), {})
  assert.deepEqual(config.sdk_names, undefined)
  assert.deepEqual(warnings, [
    'g.yaml:1: "model_name" says nothing (write sdk_names.model_name)',
    'g.yaml:3: "primary_identifier_field_name" says nothing (write is_primary_key at the field)',
    'g.yaml:7: "is_readonly" says nothing (write is_read_only)',
    'g.yaml:7: "is_name" says nothing (write is_primary_key)',
  ])
})

test('a value of the wrong type is refused at its line', () => {
  assert.equal(
    refusal('include_ack_metadata: maybe\n'),
    'InferError: g.yaml:1: "include_ack_metadata": expected true or false, found "maybe"',
  )
  assert.equal(refusal('resources: []\n'), 'InferError: g.yaml:1: "resources": expected keys and values, found a list')
  assert.equal(
    refusal('resources:\n  A:\n    fields:\n      B:\n        from: {operation: X}\n'),
    'InferError: g.yaml:5: "resources.A.fields.B.from": "path" is missing',
  )
})

for (const [written, problem] of [
  ['[]', 'the config: expected keys and values, found a list'],
  ['one word', 'the config: expected keys and values, found "one word"'],
  ['controller_name: [a]', '"controller_name": expected text, found a list'],
  ['controller_name: {a: b}', '"controller_name": expected text, found keys and values'],
  ['ignore: {operations: [a, [b]]}', '"ignore.operations[1]": expected text, found a list'],
  ['include_ack_metadata: 1', '"include_ack_metadata": expected true or false, found 1'],
  ['include_ack_metadata: "true"', '"include_ack_metadata": expected true or false, found "true"'],
  ['include_ack_metadata: [true]', '"include_ack_metadata": expected true or false, found a list'],
  [`include_ack_metadata: ${'a'.repeat(41)}`, `"include_ack_metadata": expected true or false, found "${'a'.repeat(40)}"`],
  [
    'resources: {A: {reconcile: {requeue_on_success_seconds: 1.5}}}',
    '"resources.A.reconcile.requeue_on_success_seconds": expected a whole number, found 1.5',
  ],
  [
    'resources: {A: {reconcile: {requeue_on_success_seconds: "1"}}}',
    '"resources.A.reconcile.requeue_on_success_seconds": expected a whole number, found "1"',
  ],
  [
    'resources: {A: {reconcile: {requeue_on_success_seconds: [1]}}}',
    '"resources.A.reconcile.requeue_on_success_seconds": expected a whole number, found a list',
  ],
  ['resources: {A: {print: {additional_columns: x}}}', '"resources.A.print.additional_columns": expected a list, found "x"'],
  [
    'resources: {A: {print: {additional_columns: [~, {index: true}]}}}',
    '"resources.A.print.additional_columns[1].index": expected a whole number, found true',
  ],
  [
    'resources: {A: {fields: {B: {compare: {normalise: dns-nam}}}}}',
    `"resources.A.fields.B.compare.normalise": "dns-nam" is none of ${normalisers.join(', ')}; did you mean "dns-name"?`,
  ],
  ['resources: {A: {fields: {B: {references: {resource: C}}}}}', '"resources.A.fields.B.references": "path" is missing'],
  ['custom_shapes: {A: b}', '"custom_shapes.A": expected keys and values, found "b"'],
] as const)
  test(`\`${written}\` is refused: ${problem}`, () => assert.equal(refusal(`${written}\n`), `InferError: g.yaml:1: ${problem}`))

test('a key is found at the line of the longest part of its path that is there', () => {
  const { placeOf } = readGeneratorConfig(
    '# ours\n\nignore:\n  operations:\n  - A\n  - B\n  - C\nresources:\n  R: {}\ncontroller_name: x\n',
    'g.yaml',
  )
  for (const [path, line] of [
    [[], 3],
    [['nowhere'], 3],
    [['ignore', 'operations'], 4],
    [['ignore', 'operations', 'A'], 5],
    [['ignore', 'operations', 'B'], 6],
    [['ignore', 'operations', 'Z'], 4],
    [['ignore', 'operations', 'Z', 'deeper'], 4],
    [['ignore', 'operations', 'B', 'deeper'], 6],
    [['resources', 'R', 'fields', 'F'], 9],
    [['controller_name', 'x'], 10],
  ] as const)
    assert.equal(placeOf(...path), `g.yaml:${line}`, path.join('.'))
})

test('sub-resources that are no list say nothing, with a warning at their line', () => {
  const { config, warnings } = readGeneratorConfig('resources:\n  A:\n    sub_resources: {fields: [B]}\n', 'g.yaml')
  assert.deepEqual(config.resources?.get('A'), { sub_resources: [] })
  assert.deepEqual(warnings, [
    'g.yaml:3: "sub_resources" says nothing (a later addition to the format; the fields that it would add are left out)',
  ])
})

test('one text or a list of texts, True and true, numbers as keys: what published configs write', () => {
  const { config } = readGeneratorConfig(
    'operations:\n  A: {resource_name: R, operation_type: [Create, Delete]}\nresources:\n  R:\n    exceptions:\n      errors:\n        404: {code: Gone}\n    fields:\n      F:\n        compare: {is_ignored: True}\n        set:\n        - ignore: true\n',
  )
  assert.deepEqual(config.operations?.get('A'), { resource_name: ['R'], operation_type: ['Create', 'Delete'] })
  const resource = config.resources?.get('R')
  assert.deepEqual([...(resource?.exceptions?.errors ?? [])], [['404', { code: 'Gone' }]])
  assert.deepEqual(resource?.fields?.get('F'), { compare: { is_ignored: true }, set: [{ ignore: 'true' }] })
})

test('broken YAML, keys that come twice, aliases without anchor and bombs of aliases are refused', () => {
  assert.match(refusal('resources: [1\n'), /^InferError: g\.yaml:2:1: not YAML/)
  assert.equal(refusal('ignore: {}\nignore: {}\n'), 'InferError: g.yaml:2: key "ignore" comes twice')
  assert.equal(refusal('ignore: *x\n'), 'InferError: g.yaml:1: alias "x" has no anchor before it')
  const lines = ['a: &a0 [x, x, x, x, x, x, x, x, x, x]']
  for (let level = 1; level < 10; level++)
    lines.push(`a${level}: &a${level} [${Array.from({ length: 10 }, () => `*a${level - 1}`).join(', ')}]`)
  assert.match(refusal(lines.join('\n')), /aliases stand for more than 500000 values/)
})

test('an alias stands for what has its anchor, from the first byte of the file on', () => {
  const { config } = readGeneratorConfig(
    '&a controller_name: *a\nempty_shapes: &list [A, B]\nignore: {operations: *list, shape_names: [&one C, *one]}\n',
  )
  assert.deepEqual(config, {
    controller_name: 'controller_name',
    empty_shapes: ['A', 'B'],
    ignore: { operations: ['A', 'B'], shape_names: ['C', 'C'] },
  })
})
