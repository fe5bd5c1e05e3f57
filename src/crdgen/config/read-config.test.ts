import assert from 'node:assert/strict'
import { test } from 'node:test'
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
