import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  addQuantities,
  compareQuantities,
  keptQuantity,
  parseQuantity,
  type Quantity,
  quantityAsInteger,
  quantityAsNumber,
  renderQuantity,
} from './quantity.ts'

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
  ['1', '1', '1', 'what is as short as can be stays as it was written'],
  ['100m', '100m', '100m', 'what is as short as can be stays as it was written'],
  ['999Gi', '999Gi', '999Gi', 'what is as short as can be stays as it was written'],
  ['+1Gi', '+1Gi', '+1Gi', 'what is as short as can be stays as it was written'],
  ['01', '01', '01', 'what is as short as can be stays as it was written'],
  ['1023Ki', '1023Ki', '1023Ki', 'powers of two stay among themselves'],
  ['-1Ki', '-1Ki', '-1Ki', 'powers of two stay among themselves'],
  ['-0.5Ki', '-512', '-512', 'and large enough to be counted so'],
  ['1Ki', '1Ki', '1Ki', 'and large enough to be counted so'],
  ['-1025Ki', '-1025Ki', '-1025Ki', 'powers of two stay among themselves'],
  ['-16Ei', '-9223372036854775807', '-9223372036854775807', 'they are cut at 64 bits'],
  ['1000', '1k', '1k', 'a thousand of a unit are one of the next'],
  ['1000000', '1M', '1M', 'a thousand of a unit are one of the next'],
  ['1500m', '1500m', '1500m', 'what is as short as can be stays as it was written'],
  ['1.5', '1500m', '1500m', 'a fraction becomes a whole number of a smaller unit'],
  ['0.0000000001', '1n', '1m', 'nothing is finer than a nano'],
  ['-0.0000000001', '-1n', '-1m', 'nothing is finer than a nano'],
  ['1u', '1u', '1m', 'lists of resources are rounded up to a thousandth'],
  ['1000u', '1m', '1m', 'a thousand of a unit are one of the next'],
  ['0m', '0', '0', 'nothing is nothing'],
  ['1e3', '1e3', '1e3', 'exponents are multiples of three'],
  ['1E3', '1E3', '1E3', 'what is as short as can be stays as it was written'],
  ['1000e3', '1e6', '1e6', 'exponents are multiples of three'],
  ['1e0', '1e0', '1e0', 'what is as short as can be stays as it was written'],
  ['1e-1', '100e-3', '100e-3', 'exponents are multiples of three'],
  ['123456789012345678', '123456789012345678', '123456789012345678', 'eighteen digits are as short as can be'],
  ['1e401', undefined, undefined, 'a number beyond all bounds has no form'],
  ['1 Gi', undefined, undefined, 'a text that is no quantity has no form'],
] as const)
  test(`the quantity ${text} is kept as ${alone} and in a list of resources as ${inList}: ${why}`, () => {
    assert.deepEqual([keptQuantity(text, 9), keptQuantity(text, 3)], [alone, inList])
  })

const amount = (text: string): Quantity => {
  const quantity = parseQuantity(text)
  assert.ok(quantity !== undefined, text)
  return quantity
}

test('a quantity is digits with a sign, a point and a unit, each at its place', () => {
  const none = ['', '+', '.', '1.2.3', '1KI', '1ki', '1K', '1e', '1e1.5', '1mm', '1e12345', 'x', '1'.repeat(201), '- 1']
  assert.deepEqual(
    none.map(parseQuantity),
    none.map(() => undefined),
  )
  const values = [
    '1',
    '-1',
    '+1',
    '.5',
    '5.',
    '1n',
    '1u',
    '1m',
    '1k',
    '1M',
    '1G',
    '1T',
    '1P',
    '1E',
    '1Ki',
    '1Mi',
    '1Gi',
    '1Ti',
    '1Pi',
    '1Ei',
    '1e3',
    '1E-3',
  ]
  assert.deepEqual(
    values.map(text => quantityAsNumber(amount(text))),
    [
      1,
      -1,
      1,
      0.5,
      5,
      1e-9,
      1e-6,
      1e-3,
      1e3,
      1e6,
      1e9,
      1e12,
      1e15,
      1e18,
      2 ** 10,
      2 ** 20,
      2 ** 30,
      2 ** 40,
      2 ** 50,
      2 ** 60,
      1e3,
      1e-3,
    ],
  )
})

test('quantities are compared by what they are, and not by their texts', () => {
  const rows = [
    ['1', '1000m', 0],
    ['1Ki', '1024', 0],
    ['1', '999m', 1],
    ['999m', '1', -1],
    ['-1', '0', -1],
    ['0.1', '0.10', 0],
    ['1Ki', '1k', 1],
  ] as const
  assert.deepEqual(
    rows.map(([one, other]) => [one, other, compareQuantities(amount(one), amount(other))]),
    rows,
  )
})

test('quantities are added and taken away, whatever their units', () => {
  assert.equal(renderQuantity(addQuantities(amount('1'), amount('500m'))), '1500m')
  assert.equal(renderQuantity(addQuantities(amount('1'), amount('500m'), -1n)), '500m')
  assert.equal(renderQuantity(addQuantities(amount('500m'), amount('1'), -1n)), '-500m')
  assert.equal(renderQuantity(addQuantities(amount('0.25'), amount('0.5'))), '750m')
})

test('a quantity is a whole number where it is one, and one of 64 bits', () => {
  const rows = [
    ['1k', 1000n],
    ['1500m', undefined],
    ['2000m', 2n],
    ['9223372036854775807', 2n ** 63n - 1n],
    ['9223372036854775808', undefined],
    ['-9223372036854775808', -(2n ** 63n)],
    ['-9223372036854775809', undefined],
  ] as const
  assert.deepEqual(
    rows.map(([text]) => [text, quantityAsInteger(amount(text))]),
    rows,
  )
})

test('a computed quantity is written with whole numbers and the greatest unit', () => {
  const rows = [
    ['1000', '1k', '1000'],
    ['1024', '1024', '1Ki'],
    ['2048Ki', '2097152', '2Mi'],
    ['0', '0', '0'],
    ['1500m', '1500m', '1500m'],
    ['1n', '1n', '1n'],
    ['1e21', '1000E', '953674316406250Mi'],
    ['1180591620717411303424', '1180591620717411303424', '1024Ei'],
    ['-1000', '-1k', '-1000'],
    ['1Ei', '1152921504606846976', '1Ei'],
  ] as const
  assert.deepEqual(
    rows.map(([text]) => [text, renderQuantity(amount(text)), renderQuantity(amount(text), 'binary')]),
    rows,
  )
})
