import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inferSmall, structure } from './model.fixture.ts'

const model = {
  operations: {
    CreateThing: [
      { '!Name': 'String', Count: 'Integer', Inner: 'Inner', On: 'Boolean', Many: 'Strings' },
      { Made: 'Timestamp', Place: 'Inner', Name: 'String' },
    ],
  },
  shapes: { Inner: structure({ Mode: 'String', Ratio: 'Double' }), Double: { type: 'double' } },
} as const

function columns(config: string): readonly object[] {
  const kind = inferSmall(model, `resources:\n  Thing:\n${config}`).kinds[0]
  assert.ok(kind)
  return [...kind.columns]
}

const fields = (...entries: readonly string[]): string => `    fields:\n${entries.map(each => `      ${each}\n`).join('')}`
const synced = { name: 'Synced', type: 'string', jsonPath: '.status.conditions[?(@.type=="ACK.ResourceSynced")].status' }
const age = { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' }

for (const [entry, column] of [
  ['Name: {print: {}}', { name: 'Name', type: 'string', jsonPath: '.spec.name' }],
  ['Name: {print: {name: Title, priority: 1}}', { name: 'Title', type: 'string', jsonPath: '.spec.name', priority: 1 }],
  ['Count: {print: {}}', { name: 'Count', type: 'integer', jsonPath: '.spec.count' }],
  ['On: {print: {}}', { name: 'On', type: 'boolean', jsonPath: '.spec.on' }],
  ['Many: {print: {}}', { name: 'Many', type: 'string', jsonPath: '.spec.many' }],
  ['Made: {print: {}}', { name: 'Made', type: 'date', jsonPath: '.status.made' }],
  ['Inner.Mode: {print: {}}', { name: 'Mode', type: 'string', jsonPath: '.spec.inner.mode' }],
  ['Inner.Ratio: {print: {}}', { name: 'Ratio', type: 'number', jsonPath: '.spec.inner.ratio' }],
  ['Place.Mode: {print: {}}', { name: 'Mode', type: 'string', jsonPath: '.status.place.mode' }],
] as const)
  test(`a field with \`${entry}\` is shown as ${JSON.stringify(column)}`, () =>
    assert.deepEqual(columns(fields(entry)), [column]))

test('columns are in the order of their names, or in the one that the config asks for', () => {
  const shown = fields(
    'Name: {print: {name: b, index: 3}}',
    'Count: {print: {name: c, index: 1}}',
    'On: {print: {name: a, index: 2}}',
  )
  const ordered = (print: string): readonly unknown[] =>
    columns(`${shown}    print: {add_synced_column: false, ${print}}\n`).map(each => (each as { readonly name: string }).name)
  assert.deepEqual(ordered(''), ['a', 'b', 'c'])
  assert.deepEqual(ordered('order_by: NAME'), ['a', 'b', 'c'])
  assert.deepEqual(ordered('order_by: index'), ['c', 'a', 'b'])
  assert.deepEqual(ordered('order_by: type'), ['a', 'c', 'b'])
  assert.deepEqual(ordered('order_by: jsonpath'), ['c', 'b', 'a'])
  assert.throws(
    () => ordered('order_by: nam'),
    /"nam" is no order; did you mean "name"\?; it is one of name, type, jsonpath, index/,
  )
})

test('a field without an index comes before those with one', () => {
  const shown = fields('Name: {print: {index: 1}}', 'On: {print: {}}')
  const names = columns(`${shown}    print: {add_synced_column: false, order_by: index}\n`)
  assert.deepEqual(
    names.map(each => (each as { readonly name: string }).name),
    ['On', 'Name'],
  )
})

for (const [print, shown] of [
  ['{}', [synced]],
  ['{add_synced_column: false}', []],
  ['{add_age_column: true}', [synced, age]],
  ['{add_age_column: false}', [synced]],
  [
    '{add_synced_column: false, additional_columns: [{name: A, json_path: .a}, {name: B, json_path: .b, type: integer, priority: 2}]}',
    [
      { name: 'A', type: 'string', jsonPath: '.a' },
      { name: 'B', type: 'integer', jsonPath: '.b', priority: 2 },
    ],
  ],
  [
    '{add_synced_column: false, order_by: index, additional_columns: [{name: A, json_path: .a, index: 1}, {name: B, json_path: .b}]}',
    [
      { name: 'B', type: 'string', jsonPath: '.b' },
      { name: 'A', type: 'string', jsonPath: '.a' },
    ],
  ],
] as const)
  test(`a kind with \`print: ${print}\` is shown with ${JSON.stringify(shown)}`, () =>
    assert.deepEqual(columns(`    print: ${print}\n`), shown))
