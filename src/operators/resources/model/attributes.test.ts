import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ResourceField } from '#aws'
import { type KindMadeUp, madeUpKind, map } from '../testing/made-up-kind.ts'
import { attributeValue, changedAttributes, isAttributesMap, isWholeMap, singleAttribute } from './attributes.ts'

const field = (kind: 'boolean' | 'integer' | 'number' | 'string'): ResourceField =>
  ({ json: 'a', camel: 'A', type: { kind } }) as unknown as ResourceField

for (const [kind, text, value] of [
  ['boolean', 'true', true],
  ['boolean', 'True', true],
  ['boolean', 'false', false],
  ['boolean', '', false],
  ['integer', '30', 30],
  ['number', '0.5', 0.5],
  ['string', 'text', 'text'],
  ['string', '', undefined],
  ['string', undefined, undefined],
  ['boolean', undefined, undefined],
] as const)
  test(`an attribute of type ${kind} that AWS tells as ${JSON.stringify(text)} is ${String(value)}`, () => {
    assert.equal(attributeValue(field(kind), text), value)
  })

const Texts = { type: 'map', key: { target: 'String' }, value: { target: 'String' } } as const
const isMap = (parts: KindMadeUp, name = 'Attributes', target = 'Texts'): boolean =>
  isAttributesMap(madeUpKind({ shapes: { Texts }, ...parts }), name, { target })

test('a map of that name holds the attributes where the kind has any', () => {
  const some: KindMadeUp = { spec: { Name: 'string', Delay: { attribute: true } } }
  assert.deepEqual([isMap(some), isMap({ settings: { unpackAttributes: {} } }), isMap(some, 'attributes')], [true, true, true])
  assert.deepEqual([isMap({}), isMap({ spec: { Name: 'string' } })], [false, false])
  assert.deepEqual([isMap(some, 'Tags'), isMap(some, 'Attributes', 'String')], [false, false])
})

test('the map itself is a field of a kind without a config', () => {
  const of = (parts: KindMadeUp): readonly boolean[] => madeUpKind(parts).kind.spec.map(isWholeMap)
  assert.deepEqual(of({ spec: { Attributes: map('string'), Tags: map('string') } }), [true, false])
  assert.deepEqual(of({ spec: { Attributes: 'string' } }), [false])
})

test('what a manifest says no more is emptied where it is a document or the name of a key', () => {
  const document = { attribute: true, document: true } as const
  const model = madeUpKind({
    spec: {
      Policy: { attribute: true, iamPolicy: true },
      RedrivePolicy: document,
      FilterPolicy: document,
      KmsMasterKeyId: { attribute: true },
      Delay: { attribute: true },
      Late: { ...document, lateInitialize: { skipIncompleteCheck: true } },
    },
  })
  const paths = model.kind.spec.map(({ camel }) => `Spec.${camel}`)
  const changed = (spec: object): object =>
    changedAttributes(model, { wanted: { spec: { ...spec } }, latest: { spec: {} }, paths })
  assert.deepEqual(changed({}), { Policy: '', RedrivePolicy: '', FilterPolicy: '{}', KmsMasterKeyId: '' })
  assert.deepEqual(changed({ policy: 'p', redrivePolicy: 'r', filterPolicy: 'f', kmsMasterKeyId: 'k' }), {
    Policy: 'p',
    RedrivePolicy: 'r',
    FilterPolicy: 'f',
    KmsMasterKeyId: 'k',
  })
})

test('an operation that sets one attribute has members for its name and its value', () => {
  const of = (...names: readonly string[]): object | undefined =>
    singleAttribute(madeUpKind({ required: { SetThing: names } }), 'SetThing')
  assert.deepEqual(of('attributeName', 'Other', 'AttributeValue'), { name: 'attributeName', value: 'AttributeValue' })
  assert.deepEqual([of('AttributeName'), of('AttributeValue'), of()], [undefined, undefined, undefined])
})
