// How a change is told to people.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { madeUpKind, structure } from '../testing/made-up-kind.ts'
import { changeText, fieldTexts } from './field-values.ts'

const model = madeUpKind({
  spec: { Name: 'string', Inner: structure('Inner'), Size: 'integer' },
  structures: { Inner: { Deep: structure('Deep'), Size: 'string' }, Deep: { Size: 'string' } },
})

for (const [path, was, becomes, text] of [
  ['Spec.Name', { name: 'a' }, { name: 'b' }, 'spec.name: "a" -> "b"'],
  ['Spec.Name', {}, { name: null }, 'spec.name: nothing -> nothing'],
  ['Spec.Inner.Deep.Size', { inner: { deep: { size: 1 } } }, { inner: 'x' }, 'spec.inner.deep.size: 1 -> nothing'],
  ['Spec.Inner.Other', { inner: { Other: 1 } }, undefined, 'spec.inner.Other: 1 -> nothing'],
  ['Spec.Size.Name', { size: { Name: 1 } }, {}, 'spec.size.Name: 1 -> nothing'],
] as const)
  test(`${path} is told as ${text}`, () => assert.equal(changeText(model, path, was, becomes), text))

test('a value is told as far as 300 letters', () => {
  const [fits, long] = ['x'.repeat(298), 'x'.repeat(299)]
  assert.deepEqual(fieldTexts({ a: fits, b: long }), [`spec.a: "${fits}"`, `spec.b: "${long}… (301 characters)`])
  assert.deepEqual(fieldTexts(undefined), [])
})
