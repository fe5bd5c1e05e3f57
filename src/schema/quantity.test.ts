import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keptQuantity } from './quantity.ts'

for (const [text, alone, inList, why] of [
  ['0.5', '500m', '500m', 'a fraction becomes a whole number of a smaller unit'],
  ['1000m', '1', '1', 'a thousand of a unit are one of the next'],
  ['2048', '2048', '2048', 'a whole number is one of a thousand alone'],
  ['+1', '+1', '+1', 'what is as short as can be stays as it was written'],
  ['5.', '5.', '5.', 'what is as short as can be stays as it was written'],
  ['1024Mi', '1Gi', '1Gi', 'powers of two stay among themselves'],
  ['0.1Gi', '107374182400m', '107374182400m', 'as long as they are whole'],
  ['0.5Ki', '512', '512', 'and large enough to be counted so'],
  ['16Ei', '9223372036854775807', '9223372036854775807', 'they are cut at 64 bits'],
  ['1e2', '100', '100', 'exponents are multiples of three'],
  ['15e-1', '1500e-3', '1500e-3', 'exponents are multiples of three'],
  ['1e400', '10e399', '10e399', 'exponents have no end that anybody reaches'],
  ['1e-9', '1e-9', '1e-3', 'lists of resources are rounded up to a thousandth'],
  ['1.0001', '1000100u', '1001m', 'lists of resources are rounded up to a thousandth'],
  ['-0', '0', '0', 'nothing is nothing'],
  ['1 Gi', undefined, undefined, 'a text that is no quantity has no form'],
] as const)
  test(`the quantity ${text} is kept as ${alone} and in a list of resources as ${inList}: ${why}`, () => {
    assert.deepEqual([keptQuantity(text, 9), keptQuantity(text, 3)], [alone, inList])
  })
