// Values of manifests as calls take them, and values of answers as manifests show them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ModelType } from '#aws'
import { list, madeUpKind, map, structure, structureShape } from '../testing/made-up-kind.ts'
import { fromWire, isReferenceField, own, parseRecord, textOf, toWire, ValueError } from './convert.ts'

const { service } = madeUpKind({
  structures: {
    Rule: {
      Name: 'string',
      KMSKeyID: { wire: undefined, member: 'KmsKeyId' } as never,
      Count: { wire: 'ItemCount', type: { kind: 'integer' } },
      NameRef: 'reference',
      Unknown: 'string',
    },
    Either: { Left: 'string', Right: 'string' },
  },
  shapes: {
    Rule: structureShape({ Name: 'String', KmsKeyId: 'String', ItemCount: 'Integer', NameRef: 'String' }),
    Either: structureShape({ Left: 'String', Right: 'String' }, 'union'),
    Rules: { type: 'list', member: { target: 'Rule' } },
    Counts: { type: 'list', member: { target: 'Integer' } },
    RuleMap: { type: 'map', key: { target: 'String' }, value: { target: 'Rule' } },
    CountMap: { type: 'map', key: { target: 'String' }, value: { target: 'Integer' } },
    BigInteger: { type: 'bigInteger' },
    Mode: { type: 'string', enum: ['fast'] },
    Document: { type: 'document' },
  } as never,
})

const rule = { name: 'a', kMSKeyID: 'k', count: 3 }
const ruleOnWire = { Name: 'a', KmsKeyId: 'k', ItemCount: 3 }
const scalar = (kind: 'string' | 'boolean' | 'integer' | 'number' | 'timestamp' | 'blob'): ModelType => ({ kind })
const [integer, text] = [scalar('integer'), scalar('string')]

const sent: readonly (readonly [unknown, ModelType, string, unknown])[] = [
  ['a', text, 'String', 'a'],
  ['a', text, 'Blob', Buffer.from('a')],
  ['YQ==', scalar('blob'), 'Blob', Buffer.from('a')],
  [true, scalar('boolean'), 'Boolean', true],
  [2_147_483_647, integer, 'Integer', 2_147_483_647],
  [-2_147_483_648, integer, 'Integer', -2_147_483_648],
  [2_147_483_648, integer, 'Integer', 'at: does not fit into 32 bits'],
  [-2_147_483_649, integer, 'Integer', 'at: does not fit into 32 bits'],
  [2_147_483_648, integer, 'Long', 2_147_483_648],
  [2_147_483_648, integer, 'BigInteger', 2_147_483_648],
  ['9999999999', integer, 'Integer', '9999999999'],
  [7, integer, 'String', '7'],
  [rule, structure('Rule'), 'Rule', ruleOnWire],
  [
    { ...rule, name: null, count: undefined, nameRef: { from: {} }, unknown: 'x', other: 1 },
    structure('Rule'),
    'Rule',
    { KmsKeyId: 'k' },
  ],
  ['a', structure('Rule'), 'Rule', 'at: is no object'],
  [rule, structure('Rule'), 'String', undefined],
  [{ left: 'a' }, structure('Either'), 'Either', { Left: 'a' }],
  [{ left: 'a', right: 'b' }, structure('Either'), 'Either', 'at: at most one of Left, Right may be set'],
  [[rule], list(structure('Rule')), 'Rules', [ruleOnWire]],
  [[rule, 'a'], list(structure('Rule')), 'Rules', 'at[1]: is no object'],
  [[2_147_483_648], list('integer'), 'Counts', 'at[0]: does not fit into 32 bits'],
  ['a', list('string'), 'Counts', 'at: is no list'],
  [['a'], list('string'), 'String', undefined],
  [{ x: rule }, map(structure('Rule')), 'RuleMap', { x: ruleOnWire }],
  [{ x: 2_147_483_648 }, map('integer'), 'CountMap', 'at[x]: does not fit into 32 bits'],
  [['a'], map('integer'), 'CountMap', undefined],
  [{ x: 1 }, map('integer'), 'Document', { x: 1 }],
  ['a', map('integer'), 'Document', undefined],
]
for (const [value, type, target, expected] of sent)
  test(`${JSON.stringify(value)} of a ${type.kind} goes as ${target}: ${JSON.stringify(expected)}`, () => {
    const convert = (): unknown => toWire(value, { service, type, member: { target }, path: 'at' })
    if (typeof expected === 'string' && expected.startsWith('at'))
      assert.throws(
        convert,
        error => error instanceof ValueError && error.message === expected && expected.startsWith(error.path),
      )
    else assert.deepEqual(convert(), expected)
  })

const at = Date.parse('2026-01-01T00:00:00Z')
const told: readonly (readonly [unknown, ModelType, string, unknown])[] = [
  [undefined, text, 'String', undefined],
  [null, structure('Rule'), 'Rule', undefined],
  ['a', text, 'String', 'a'],
  ['', text, 'String', ''],
  ['', text, 'Mode', undefined],
  ['fast', text, 'Mode', 'fast'],
  [7, text, 'Integer', '7'],
  [7n, text, 'Long', '7'],
  [true, text, 'Boolean', 'true'],
  [Buffer.from('a'), text, 'Blob', 'a'],
  [new Date(at), text, 'Timestamp', '2026-01-01T00:00:00Z'],
  [{ a: 1 }, text, 'Rule', undefined],
  [new Date(at), scalar('timestamp'), 'Timestamp', '2026-01-01T00:00:00Z'],
  ['2026', scalar('timestamp'), 'Timestamp', '2026'],
  [Buffer.from('a'), scalar('blob'), 'Blob', 'YQ=='],
  ['YQ==', scalar('blob'), 'Blob', 'YQ=='],
  [7n, integer, 'Long', 7],
  [7, scalar('number'), 'Integer', 7],
  [7n, scalar('number'), 'Long', 7],
  [true, scalar('boolean'), 'Boolean', true],
  [{ ...ruleOnWire, NameRef: 'x', Other: 1 }, structure('Rule'), 'Rule', rule],
  [{ Name: 'a', ItemCount: null }, structure('Rule'), 'Rule', { name: 'a' }],
  ['a', structure('Rule'), 'Rule', undefined],
  [ruleOnWire, structure('Rule'), 'String', undefined],
  [{ Left: 'a' }, structure('Either'), 'Either', { left: 'a' }],
  [[ruleOnWire], list(structure('Rule')), 'Rules', [rule]],
  ['a', list('string'), 'Counts', undefined],
  [['a'], list('string'), 'String', undefined],
  [{ x: ruleOnWire }, map(structure('Rule')), 'RuleMap', { x: rule }],
  [['a'], map('integer'), 'CountMap', undefined],
  [{ x: 1 }, map('integer'), 'Document', { x: 1 }],
  ['a', map('integer'), 'Document', undefined],
]
for (const [index, [value, type, target, expected]] of told.entries())
  test(`an answer's ${target} as a ${type.kind} (${index + 1}): ${JSON.stringify(expected)}`, () =>
    assert.deepEqual(fromWire(value, { service, type, member: { target } }), expected))

test('a text is written as it is, and all else as JSON', () => {
  assert.deepEqual(['a', 7, 7n, true, { a: 1 }, undefined].map(textOf), ['a', '7', '7', 'true', '{"a":1}', ''])
})

test('what an object holds is what it holds itself', () => {
  assert.equal(own({ a: 1 }, 'a'), 1)
  assert.equal(own({ a: 1 } as Record<string, number>, 'toString'), undefined)
  assert.deepEqual(['{"a":1}', '[1]', 'null', '"a"', '{'].map(parseRecord), [
    { a: 1 },
    undefined,
    undefined,
    undefined,
    undefined,
  ])
})

test('references, and lists of them, are told from values', () => {
  const is = (type: ModelType): boolean => isReferenceField({ type } as never)
  const kinds: readonly ModelType[] = [{ kind: 'reference' }, list('reference'), list('string'), map('reference'), text]
  assert.deepEqual(kinds.map(is), [true, true, false, false, false])
})
