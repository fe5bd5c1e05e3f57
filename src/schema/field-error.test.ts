import assert from 'node:assert/strict'
import { test } from 'node:test'
import { causeOf, type FieldError, fieldError, invalidError, renderFieldError } from './field-error.ts'

const rows: readonly (readonly [error: FieldError, text: string])[] = [
  [fieldError.required('a'), 'a: Required value'],
  [fieldError.required('a', 'why'), 'a: Required value: why'],
  [fieldError.invalid('a', 'x', 'why'), 'a: Invalid value: "x": why'],
  [fieldError.invalid('a', undefined, 'why'), 'a: Invalid value: null: why'],
  [fieldError.invalid('a', false, 'why'), 'a: Invalid value: false: why'],
  [fieldError.invalid('a', 0, 'why'), 'a: Invalid value: 0: why'],
  [fieldError.invalid('a', 1_000_000, 'why'), 'a: Invalid value: 1000000: why'],
  [fieldError.invalid('a', 1_000_000.5, 'why'), 'a: Invalid value: 1.0000005e+06: why'],
  [fieldError.invalid('a', { b: '<&>', a: 1 }, 'why'), 'a: Invalid value: {"a":1,"b":"\\u003c\\u0026\\u003e"}: why'],
  [{ ...fieldError.invalid('a', { b: 2, a: 1 }, 'why'), ordered: true }, 'a: Invalid value: {"b":2,"a":1}: why'],
  [fieldError.invalid('', 'x', ''), '<nil>: Invalid value: "x"'],
  [fieldError.unfit('a', 'why'), 'a: Invalid value: why'],
  [fieldError.typeInvalid('a', 'x', 'why'), 'a: Invalid value: "x": why'],
  [fieldError.notSupported('a', 'x', ['b', 'c"']), 'a: Unsupported value: "x": supported values: "b", "c\\""'],
  [fieldError.notSupported('a', 'x', []), 'a: Unsupported value: "x"'],
  [fieldError.forbidden('a', 'why'), 'a: Forbidden: why'],
  [fieldError.duplicate('a', 'x'), 'a: Duplicate value: "x"'],
  [fieldError.notFound('a', 'x'), 'a: Not found: "x"'],
  [fieldError.tooLong('a', 2), 'a: Too long: may not be more than 2 bytes'],
  [fieldError.tooLong('a', 1), 'a: Too long: may not be more than 1 byte'],
  [fieldError.tooLong('a', 0), 'a: Too long: may not be more than 0 bytes'],
  [fieldError.tooLong('a', -1), 'a: Too long: value is too long'],
  [fieldError.tooMany('a', 3, 2), 'a: Too many: 3: must have at most 2 items'],
  [fieldError.tooMany('a', 3, 1), 'a: Too many: 3: must have at most 1 item'],
  [fieldError.tooMany('a', 3, 0), 'a: Too many: 3: must have at most 0 items'],
  [fieldError.tooMany('a', 3, -1), 'a: Too many: 3: has too many items'],
  [fieldError.internal('a', 'why'), 'a: Internal error: why'],
]

test('what is wrong with a field is told in the words of the server', () => {
  assert.deepEqual(
    rows.map(([error]) => [error, renderFieldError(error)]),
    rows,
  )
})

const widget = { group: '', kind: 'Widget' }

test('several errors stand in brackets, and equal ones once', () => {
  const [one, other] = [fieldError.required('a'), fieldError.required('b')]
  const told = (...errors: FieldError[]): string => invalidError(widget, 'w', errors).status.message ?? ''
  assert.equal(told(one, one), 'Widget "w" is invalid: a: Required value')
  assert.equal(told(one, other, one), 'Widget "w" is invalid: [a: Required value, b: Required value]')
})

test('of errors that are long together the first are told, and how many there are besides', () => {
  const errors = Array.from({ length: 10 }, (_, i) => fieldError.invalid(`a${i}`, 'x'.repeat(999_999), 'why'))
  const { message = '', details } = invalidError(widget, 'w', errors).status
  assert.equal(message.slice(-20), 'x": why, and 8 more]')
  assert.deepEqual(
    details?.causes?.map(cause => cause.field),
    ['a0', 'a1'],
  )
})

test('the answer to what is invalid says it as a whole and cause by cause', () => {
  const errors = [fieldError.required('a'), fieldError.required('a'), fieldError.invalid('', 1, 'why')]
  const { status } = invalidError({ group: 'example.com', kind: 'Widget' }, 'w', errors)
  assert.deepEqual(status, {
    kind: 'Status',
    apiVersion: 'v1',
    metadata: {},
    status: 'Failure',
    message: 'Widget.example.com "w" is invalid: [a: Required value, <nil>: Invalid value: 1: why]',
    reason: 'Invalid',
    details: {
      name: 'w',
      group: 'example.com',
      kind: 'Widget',
      causes: [
        { reason: 'FieldValueRequired', message: 'Required value', field: 'a' },
        { reason: 'FieldValueRequired', message: 'Required value', field: 'a' },
        { reason: 'FieldValueInvalid', message: 'Invalid value: 1: why', field: '<nil>' },
      ],
    },
    code: 422,
  })
  assert.deepEqual(causeOf(fieldError.required('')), { reason: 'FieldValueRequired', message: 'Required value', field: '<nil>' })
  const one = invalidError({ group: '', kind: 'Pod' }, 'p', errors.slice(0, 1))
  assert.deepEqual([one.status.message, one.status.details?.causes?.length], ['Pod "p" is invalid: a: Required value', 1])
  const bare = invalidError({ group: '', kind: 'Pod' }, '', [])
  assert.deepEqual([bare.status.message, bare.status.details], ['Pod "" is invalid', { kind: 'Pod' }])
})
