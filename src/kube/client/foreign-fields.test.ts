import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import * as fc from 'fast-check'
import { ForeignFields } from './foreign-fields.ts'

const itemsOf = (value: unknown): readonly unknown[] => (value as { items: unknown[] }).items
const foreign = ForeignFields.except(['vouch']) as ForeignFields

function set(manager: string, field = 'f:spec'): object {
  return { manager, operation: 'Apply', fieldsType: 'FieldsV1', fieldsV1: { [field]: { '.': {} } } }
}

function listOf(...objects: readonly object[]): string {
  return JSON.stringify({ items: objects })
}

describe('field sets of others', () => {
  test('are not read', () => {
    const object = { metadata: { name: 'a', managedFields: [set('kubectl')], uid: 'u' }, data: { x: '1' } }
    const [read] = itemsOf(foreign.parse(listOf(object), itemsOf)) as [typeof object]
    assert.equal(read.metadata.managedFields, undefined)
    assert.equal(JSON.stringify(read), '{"metadata":{"name":"a","uid":"u"},"data":{"x":"1"}}')
  })

  test('are read beside our own', () => {
    const object = { metadata: { name: 'a', managedFields: [set('kubectl'), set('vouch')] } }
    assert.deepEqual(itemsOf(foreign.parse(listOf(object), itemsOf)), [object])
  })

  test('are read when a character written as a number may hide our name', () => {
    const text = listOf({ metadata: { managedFields: [set('vouch')] } }).replace('"vouch"', '"\\u0076ouch"')
    assert.deepEqual(foreign.parse(text, itemsOf), JSON.parse(text))
  })

  test('stay where they are no metadata of the object', () => {
    for (const key of ['managedFields', 'a"managedFields']) {
      const text = listOf({ spec: { [key]: [{ a: 1 }] }, metadata: { managedFields: [set('x')] } })
      assert.deepEqual(foreign.parse(text, itemsOf), JSON.parse(text))
    }
  })

  test('with a bracket in a key are read, and nothing else is lost', () => {
    for (const field of ['f:a]', 'f:}],', 'v:"]"', 'k:{"a":"x]}"}', '}]}', ']},":']) {
      const text = listOf(
        { metadata: { managedFields: [set('x', field)], name: 'a' } },
        { metadata: { managedFields: [set('y', field)] } },
      )
      assert.deepEqual(foreign.parse(text, itemsOf), JSON.parse(text), field)
    }
  })

  test('are looked for as text only where names can be written in one way', () => {
    assert.equal(ForeignFields.except(['a<b']), undefined)
    assert.equal(ForeignFields.except(['a"b']), undefined)
    assert.notEqual(ForeignFields.except([]), undefined)
  })

  test('of broken JSON are an error like any other', () => {
    const text = listOf({ metadata: { managedFields: [set('x')] } })
    assert.throws(() => foreign.parse(text.slice(0, -1), itemsOf), SyntaxError)
  })

  test('are all that a cut takes away, whatever the objects are', () => {
    const word = fc.oneof(
      fc.string(),
      fc.constantFrom('managedFields', '"managedFields":[{', ']', '}]}', '\\', '"', '],"', 'vouch', 'metadata'),
    )
    const value = fc.letrec(tie => ({
      any: fc.oneof({ depthSize: 'small' }, word, fc.constant(1), fc.array(tie('any'), { maxLength: 3 }), tie('object')),
      // V8 itself mistakes one key that is a lone escape for another, so keys have none here.
      object: fc.dictionary(
        word.filter(text => !/["\\]/.test(text)),
        tie('any'),
        { maxKeys: 4 },
      ),
    })).object
    const fields = fc.array(fc.record({ manager: word, fieldsV1: value }), { maxLength: 3 })
    const metadata = fc.record({ name: word, managedFields: fields, labels: value }, { requiredKeys: ['name'] })
    const objects = fc.array(fc.record({ spec: value, metadata, status: value }, { requiredKeys: ['metadata'] }), {
      maxLength: 4,
    })
    fc.assert(
      fc.property(objects, list => {
        const text = JSON.stringify({ items: list })
        const read = itemsOf(foreign.parse(text, itemsOf)) as { metadata: { managedFields?: unknown } }[]
        const whole = itemsOf(JSON.parse(text)) as typeof read
        assert.equal(read.length, whole.length)
        for (const [at, object] of read.entries()) {
          const expected = whole[at] as (typeof read)[number]
          if (object.metadata.managedFields === undefined) {
            const { managedFields } = expected.metadata as { managedFields?: { manager: string }[] }
            assert.ok(managedFields?.some(entry => entry.manager === 'vouch') !== true)
            expected.metadata.managedFields = undefined
            object.metadata.managedFields = undefined
          }
          assert.deepEqual(object, expected)
        }
      }),
      { numRuns: 300 },
    )
  })
})
