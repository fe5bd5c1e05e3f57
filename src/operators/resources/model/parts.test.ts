// Operations that set a part of a resource: what goes into their inputs, and what their answers say.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { list, madeUpKind, map, structure, structureShape } from '../testing/made-up-kind.ts'
import { partInput, partValue, partWith, spread } from './parts.ts'

const configuration = {
  operation: 'PutConfiguration',
  fields: [{ field: 'Rule' }, { field: 'Mode', member: 'TheMode' }, { field: 'Lost', member: 'Gone' }],
  read: { operation: 'GetConfiguration', paths: {} },
}
const model = madeUpKind({
  parts: [{ operation: 'PutOther', fields: [{ field: 'Other' }] }, configuration],
  spec: {
    Name: { primaryKey: true },
    Zone: { primaryKey: true },
    Attrs: map('string'),
    Rule: structure('Rule'),
    Mode: 'string',
    Other: 'string',
    Lost: 'string',
    Count: 'integer',
    Many: list('string'),
  },
  structures: {
    Rule: {
      Name: 'string',
      Size: { wire: 'ItemSize', type: { kind: 'integer' } },
      Enabled: { type: { kind: 'boolean' } },
      LogEnabled: { type: { kind: 'boolean' } },
      Switched: { type: { kind: 'boolean' } },
      TextEnabled: 'string',
    },
  },
  inputs: {
    PutConfiguration: { Name: 'String', ItemSize: 'Integer', TheMode: 'Mode' },
    PutOther: { Name: 'String', Zone: 'String', Mode: 'String' },
  },
  required: { PutConfiguration: ['Name'], PutOther: ['Name'] },
  outputs: { GetConfiguration: { Outer: 'Outer', Mode: 'String', Count: 'Integer', Attrs: 'TextMap' } },
  shapes: {
    TextMap: { type: 'map', key: { target: 'String' }, value: { target: 'String' } },
    Mode: { type: 'string', enum: ['ENABLE', 'DISABLE', 'OTHER'] },
    Outer: structureShape({ rule: 'Rule', Text: 'String' }),
    Rule: structureShape({ Name: 'String', ItemSize: 'Integer' }),
  },
})
const field = (camel: string) => model.spec.named(camel) ?? assert.fail()

test('a part is found by any of its fields', () => {
  assert.deepEqual(
    ['Mode', 'Other', 'Name'].map(camel => partWith(model, camel)?.operation),
    ['PutConfiguration', 'PutOther', undefined],
  )
  assert.equal(partWith(madeUpKind({}), 'Mode'), undefined)
})

test('the input names the resource, and carries the fields that are to be set', () => {
  const spec = { name: 'n', rule: { name: 'other', size: 3 }, mode: 'ENABLE', lost: 'x' }
  const input = (...camels: readonly string[]): object => partInput(model, configuration, { spec, status: {} }, camels)
  assert.deepEqual(input('Rule', 'Mode', 'Lost'), { Name: 'n', ItemSize: 3, TheMode: 'ENABLE' })
  assert.deepEqual(input('Mode'), { Name: 'n', TheMode: 'ENABLE' })
  assert.deepEqual(input('Unknown'), { Name: 'n' })
  const other = { spec: { ...spec, zone: 'z' }, status: {} }
  assert.deepEqual(partInput(model, partWith(model, 'Other') ?? assert.fail(), other, []), { Name: 'n', Zone: 'z' })
  const empty = { spec: { name: 'n', rule: null, mode: null }, status: {} }
  assert.deepEqual(partInput(model, configuration, empty, ['Rule', 'Mode']), { Name: 'n' })
})

test('of a structure whose members are members of the input nothing is taken that is there, missing or no member', () => {
  const members = { ItemSize: { target: 'Integer' }, Name: { target: 'String' } }
  const of = (value: unknown, camel = 'Rule', held = {}): object => spread(model, field(camel), { value, members, held })
  assert.deepEqual(of({ name: 'n', size: 3, enabled: true }), { Name: 'n', ItemSize: 3 })
  assert.deepEqual(of({ name: 'n', size: 3 }, 'Rule', { Name: 'held' }), { ItemSize: 3 })
  assert.deepEqual(of({ name: null, size: undefined }), {})
  assert.deepEqual([of('text'), of(null), of({ name: 'n' }, 'Mode')], [{}, {}, {}])
})

const told = (camel: string, path: string, output: object): unknown =>
  partValue(model, field(camel), { part: configuration, path, output: { ...output } })

test('a part is told at its path, in the words of the manifest', () => {
  const outer = { Outer: { rule: { Name: 'n', ItemSize: 3 }, Text: 't' } }
  assert.deepEqual(told('Rule', 'Outer.Rule', outer), { name: 'n', size: 3 })
  assert.equal(told('Other', 'Outer.Text', outer), 't')
  assert.equal(told('Count', 'Count', { Count: 7 }), 7)
  assert.equal(told('Count', 'Count', { Count: null }), undefined)
  assert.deepEqual(told('Attrs', 'Attrs', { Attrs: { a: '1' } }), { a: '1' })
  assert.equal(told('Rule', 'Outer.Rule', { Outer: { rule: 'text' } }), undefined)
  assert.equal(told('Many', 'Outer.Text', outer), undefined)
  assert.deepEqual(
    [told('Rule', 'Outer.Unknown', outer), told('Rule', 'Outer.Rule', {}), told('Rule', 'Outer.Rule', { Outer: null })],
    [undefined, undefined, undefined],
  )
  assert.equal(told('Rule', 'Outer.Rule', { Outer: { rule: {} } }), undefined)
  assert.equal(told('Mode', '', { Mode: 'x' }), undefined)
  assert.equal(told('Rule', '', {}), undefined)
})

test('an action is told as the word by which it was asked for', () => {
  const words = ['ENABLE', 'ENABLED', 'ENABLING', 'DISABLED', 'ENAMEL', 'OTHERWISE'].map(Mode => told('Mode', 'Mode', { Mode }))
  assert.deepEqual(words, ['ENABLE', 'ENABLE', 'ENABLE', 'DISABLE', 'ENAMEL', 'OTHER'])
  assert.equal(told('Lost', 'Mode', { Mode: 'ENABLED' }), 'ENABLED')
})

test('a switch that is set as Enabled is told as Status', () => {
  const rule = (output: object): unknown => told('Rule', 'Outer.Rule', { Outer: { rule: output } })
  assert.deepEqual(rule({ SomeStatus: 'ENABLING' }), { enabled: true })
  assert.deepEqual(rule({ Status: 'DISABLED', LogStatus: 'ENABLED' }), { enabled: false, logEnabled: true })
  assert.deepEqual(rule({ LogStatusCode: 'ENABLED', SwitchedStatus: 'ENABLED', Name: 'n', TextStatus: 'ENABLED' }), {
    name: 'n',
    enabled: true,
  })
  assert.deepEqual(rule({ Status: 7, Name: 'n' }), { name: 'n' })
})
