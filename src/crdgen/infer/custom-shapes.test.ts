// Shapes that only a config knows.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fieldsOf, inferSmall, type SmallModel, structure } from './model.fixture.ts'

const model: SmallModel = {
  operations: { CreateThing: [{ '!Name': 'String' }, {}], DeleteThing: [{ '!Name': 'String' }] },
  shapes: { Part: structure({ Size: 'Integer' }) },
}

function more(collection: string, config = ''): readonly string[] {
  const fields = `resources:\n  Thing:\n    fields:\n      More: {custom_field: {${collection}}}\n`
  return fieldsOf(inferSmall(model, fields + config), 'Thing').filter(line => line.startsWith('spec.more'))
}

const extra = 'custom_shapes:\n  Extra: {note: string, Size: string}\n'

for (const [collection, fields, config = ''] of [
  ['list_of: Part', ['spec.more: array<object>', 'spec.more[].size: integer(int64)']],
  ['map_of: Part', ['spec.more: object{object}', 'spec.more{}.size: integer(int64)']],
  ['list_of: String', ['spec.more: array<string>']],
  ['map_of: String', ['spec.more: object{string}']],
  ['list_of: String', ['spec.more: array<string>'], 'ignore:\n  shape_names: [String]\n'],
  ['list_of: Extra', ['spec.more: array<object>', 'spec.more[].note: string', 'spec.more[].size: string'], extra],
] as const)
  test(`\`${collection}\`${config === '' ? '' : ` with \`${config}\``} is ${fields[0]}`, () =>
    assert.deepEqual([...more(collection, config)].sort(), [...fields].sort()))

for (const [config, message] of [
  ['custom_shapes:\n  Part: {note: string}\n', 'generator.yaml:2: the model has a shape "Part" already; choose another name'],
  [
    'custom_shapes:\n  Extra:\n    note: string\n    size: int\n',
    'generator.yaml:4: members of custom shapes are of type "string", not "int"',
  ],
] as const)
  test(`\`${config}\` is refused with its line`, () =>
    assert.throws(() => inferSmall(model, config), { name: 'InferError', message }))
