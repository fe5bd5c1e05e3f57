// Which fields a kind has beside those that its operations give it, and which member is its ARN.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fieldsOf, inferSmall, structure } from './model.fixture.ts'

const model = {
  operations: {
    CreateThing: [
      { '!Name': 'String', Inner: 'Inner' },
      { Arn: 'String', RoleArn: 'String', Out: 'Outer' },
    ],
    ReadOther: [{ A: 'String' }, { B: 'String' }],
  },
  shapes: { Inner: structure({ Mode: 'String' }), Outer: structure({ Way: 'String' }) },
} as const

const plain = [
  'spec.inner: object',
  'spec.inner.mode: string',
  'spec.name: string required',
  'status.out: object',
  'status.out.way: string',
  'status.roleARN: string',
]

function fieldsWith(entry: string): readonly string[] {
  return fieldsOf(inferSmall(model, `resources:\n  Thing:\n    fields:\n      ${entry}\n`), 'Thing')
}

for (const [entry, more] of [
  ['Inner.More: {type: string}', 'spec.inner.more: string'],
  ['Out.More: {type: string}', 'status.out.more: string'],
  ['Inner.More: {from: {operation: ReadOther, path: A}}', 'spec.inner.more: string'],
  ['Nobody.More: {type: string}', undefined],
  ['Nobody.More: {custom_field: {list_of: String}}', 'spec.nobodyMore: array<string>'],
  ['Nobody.More: {from: {operation: ReadOther, path: A}}', 'spec.nobodyMore: string'],
  ['More: {from: {operation: ReadOther, path: A}}', 'spec.more: string'],
  ['More: {from: {operation: ReadOther, path: A}, is_read_only: true}', 'status.more: string'],
] as const)
  test(`\`${entry}\` adds ${more ?? 'nothing'}`, () => {
    assert.deepEqual(fieldsWith(entry).toSorted(), [...plain, ...(more === undefined ? [] : [more])].toSorted())
  })

for (const key of ['RoleArn', 'roleArn', 'ROLEARN', 'Role_Arn'])
  test(`a config that says that ${key} is the ARN takes it from the status, and leaves the other there`, () => {
    const other = [...plain.filter(line => !line.startsWith('status.roleARN')), 'status.arn: string']
    assert.deepEqual(fieldsWith(`${key}: {is_arn: true}`).toSorted(), other.toSorted())
  })

test('members that differ in the case of their first letter are told apart by numbers that no other has', () => {
  const alike = {
    operations: { CreateThing: [{ '!Name': 'String', foo: 'String', Foo_2: 'String', Foo: 'String' }, {}] },
  } as const
  assert.deepEqual(fieldsOf(inferSmall(alike), 'Thing'), [
    'spec.foo: string',
    'spec.foo2: string',
    'spec.foo3: string',
    'spec.name: string required',
  ])
})
