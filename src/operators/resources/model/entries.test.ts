// Fields whose elements are entries of their own in AWS: by which keys they go, what is put, and what is told.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { list, madeUpKind, map, structure, structureShape } from '../testing/made-up-kind.ts'
import { asValue, byKey, elementIn, entriesOf, keyIn, putInput } from './entries.ts'

const of = (field: string, more: object = {}) => ({
  field,
  list: 'ListRules',
  entries: 'Rules',
  put: 'PutRule',
  delete: 'DeleteRule',
  key: 'RuleName',
  ...more,
})
const model = madeUpKind({
  subResources: [
    of('Names'),
    of('Rules', { get: 'GetRule' }),
    of('Texts', { value: 'RuleText', get: 'GetText' }),
    of('Nested', { get: 'GetNested' }),
    of('Both', { get: 'GetBoth' }),
    of('Unknown'),
    of('Wrong', { value: 'NoMember' }),
    of('OfRules', { value: 'Rule', get: 'GetOne' }),
    of('Numbers', { entries: 'Names' }),
  ],
  spec: {
    Name: { primaryKey: true },
    Names: list('string'),
    Rules: list(structure('Rule')),
    Texts: map('string'),
    Nested: list(structure('Rule')),
    Both: list(structure('Rule')),
    Wrong: map('string'),
    OfRules: map(structure('Rule')),
    Numbers: list('integer'),
  },
  structures: { Rule: { RuleName: { json: 'name', member: 'Name' }, Size: { wire: 'ItemSize', type: { kind: 'integer' } } } },
  inputs: {
    PutRule: { Name: 'String', RuleName: 'String', ItemSize: 'Integer', RuleText: 'String', Rule: 'Rule' },
    DeleteRule: { Name: 'String', RuleName: 'String' },
  },
  required: { PutRule: ['Name', 'RuleName'], DeleteRule: ['Name', 'RuleName'] },
  outputs: {
    ListRules: { Rules: 'Rules', Names: 'Names' },
    GetRule: { RuleName: 'String', ItemSize: 'Integer' },
    GetText: { RuleName: 'String', RuleText: 'String' },
    GetNested: { RuleName: 'String', Rule: 'Rule' },
    GetBoth: { RuleName: 'String', ItemSize: 'Integer', Rule: 'Rule' },
    GetOne: { Rule: 'Rule' },
  },
  shapes: {
    Rules: { type: 'list', member: { target: 'Rule' } },
    Names: { type: 'list', member: { target: 'String' } },
    Rule: structureShape({ RuleName: 'String', ItemSize: 'Integer', RuleText: 'String' }),
  },
})
const named = (field: string) => entriesOf(model).find(({ sub }) => sub.field === field) ?? assert.fail()

test('entries are of fields that the kind has', () => {
  assert.deepEqual(
    entriesOf(model).map(({ sub }) => sub.field),
    ['Names', 'Rules', 'Texts', 'Nested', 'Both', 'Wrong', 'OfRules', 'Numbers'],
  )
  assert.deepEqual(entriesOf(madeUpKind({})), [])
})

test('elements go by their keys, and come back in the order of the manifest', () => {
  const [a, b] = [{ name: 'a', size: 1 }, { name: 'b' }]
  const elements = (field: string, value: unknown): readonly unknown[] => [...byKey(model, named(field), value)]
  assert.deepEqual(elements('Names', ['x', 'y']), [
    ['x', 'x'],
    ['y', 'y'],
  ])
  assert.deepEqual(elements('Rules', [a, b]), [
    ['a', a],
    ['b', b],
  ])
  assert.deepEqual(elements('Texts', { x: '1' }), [['x', '1']])
  assert.deepEqual(elements('Names', [{ a: 1 }]), [['{"a":1}', { a: 1 }]])
  assert.deepEqual(elements('Rules', ['x']), [['x', 'x']])
  assert.deepEqual([elements('Texts', 'no map'), elements('Names', undefined)], [[], []])
  const value = (field: string, wanted: readonly string[], held: Readonly<Record<string, unknown>>): unknown =>
    asValue(named(field), new Map(Object.entries(held)), wanted)
  assert.deepEqual(value('Rules', ['b', 'c'], { a, b }), [b, a])
  assert.equal(JSON.stringify(value('Texts', ['b'], { a: '1', b: '2' })), '{"b":"2","a":"1"}')
  assert.equal(value('Rules', ['b'], {}), undefined)
})

test('an entry is put with its key, and its value or its members', () => {
  const put = (field: string, element: unknown): object =>
    putInput(model, named(field), { content: { spec: { name: 'n' }, status: {} }, key: 'k', element })
  assert.deepEqual(put('Names', 'k'), { Name: 'n', RuleName: 'k' })
  assert.deepEqual(put('Rules', { name: 'other', size: 3 }), { Name: 'n', RuleName: 'k', ItemSize: 3 })
  assert.deepEqual(put('Texts', 'text'), { Name: 'n', RuleName: 'k', RuleText: 'text' })
  assert.deepEqual(put('Wrong', 'text'), { Name: 'n', RuleName: 'k' })
  assert.deepEqual(put('OfRules', { size: 3 }), { Name: 'n', RuleName: 'k', Rule: { ItemSize: 3 } })
})

test('a key is told alone or in a structure', () => {
  assert.deepEqual(
    ['a', { ruleName: 'b' }, { other: 'c' }, { RuleName: 7 }, 7].map(told => keyIn(named('Rules'), told)),
    ['a', 'b', undefined, undefined, undefined],
  )
})

test('an element is told by the list, by an answer of its own, or within that', () => {
  const told = (field: string, operation: string, value: unknown): unknown =>
    elementIn(model, named(field), { told: value, operation })
  assert.equal(told('Names', 'ListRules', 'a'), 'a')
  assert.equal(told('Names', 'ListRules', { RuleName: 'a' }), 'a')
  assert.deepEqual(told('Rules', 'ListRules', { RuleName: 'a', ItemSize: 3 }), { name: 'a', size: 3 })
  assert.equal(told('Texts', 'ListRules', { RuleName: 'a', RuleText: 't' }), 't')
  assert.deepEqual(told('Rules', 'GetRule', { RuleName: 'a', ItemSize: 3 }), { name: 'a', size: 3 })
  assert.equal(told('Texts', 'GetText', { RuleName: 'a', RuleText: 't' }), 't')
  assert.deepEqual(told('Nested', 'GetNested', { RuleName: 'a', Rule: { RuleName: 'a', ItemSize: 3 } }), { name: 'a', size: 3 })
  assert.deepEqual(told('Nested', 'GetNested', { RuleName: 'a' }), { name: 'a' })
  assert.deepEqual(told('Both', 'GetBoth', { RuleName: 'a', ItemSize: 3, Rule: { ItemSize: 9 } }), { name: 'a', size: 3 })
  assert.deepEqual(told('OfRules', 'GetOne', { Rule: { ItemSize: 3 } }), { size: 3 })
  assert.equal(told('Rules', 'ListRules', 'no structure'), undefined)
  assert.equal(told('Wrong', 'GetText', { RuleName: 'a' }), undefined)
  assert.equal(told('Numbers', 'ListRules', { RuleName: 'a' }), undefined)
})
