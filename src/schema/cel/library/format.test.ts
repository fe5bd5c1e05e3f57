import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CelBytes, CelUint, type CelValue } from '../values.ts'
import { nameOf } from './format.ts'

const names: readonly (readonly [value: CelValue, name: string])[] = [
  [null, 'null_type'],
  ['a', 'string'],
  [true, 'bool'],
  [1n, 'int'],
  [1.5, 'double'],
  [new CelUint(1n), 'uint'],
  [new CelBytes(new Uint8Array()), 'bytes'],
]

for (const [value, name] of names)
  test(`a value of type ${name} goes by that name in an error`, () => {
    assert.equal(nameOf(value), name)
  })
