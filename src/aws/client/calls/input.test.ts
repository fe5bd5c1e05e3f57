// Inputs are held against the model before anything is sent: by one operation that has a member of every type.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Member, ServiceModel, Shape } from '../../model/service-model.ts'
import { InputError, prepareInput } from './input.ts'

const of = (target: string, more: Partial<Member> = {}): Member => ({ target, ...more }) as Member
const shapes: Readonly<Record<string, object>> = {
  Input: {
    type: 'structure',
    required: ['Name'],
    members: {
      Name: of('Text'),
      When: of('Time'),
      Token: of('Text', { idempotencyToken: true }),
      Labels: of('Labels'),
      Holes: of('Holes'),
      Choice: of('Choice'),
      Count: of('Whole'),
      Share: of('Share'),
      Bytes: of('Bytes'),
      On: of('Flag'),
      Deep: of('Deep'),
      Names: of('Names'),
    },
  },
  Text: { type: 'string' },
  Time: { type: 'timestamp' },
  Labels: { type: 'map', key: of('Text'), value: of('Text'), sparse: false },
  Holes: { type: 'map', key: of('Text'), value: of('Text'), sparse: true },
  Names: { type: 'list', member: of('Text'), sparse: false },
  Choice: { type: 'union', required: [], members: { A: of('Text'), B: of('Text') } },
  Whole: { type: 'integer' },
  Share: { type: 'double' },
  Bytes: { type: 'blob' },
  Flag: { type: 'boolean' },
  Deep: { type: 'structure', required: [], members: { Deep: of('Deep'), Map: of('DeepMap'), List: of('DeepList') } },
  DeepMap: { type: 'map', key: of('Text'), value: of('Deep'), sparse: false },
  DeepList: { type: 'list', member: of('Deep'), sparse: false },
  Empty: { type: 'structure', required: [], members: {} },
}
const model = { shapes: shapes as Readonly<Record<string, Shape>> } as ServiceModel

function prepare(input: object, shape: string | undefined = 'Input'): unknown {
  return prepareInput(shape, input as Record<string, unknown>, { model, operation: 'Make', newToken: () => 'new' })
}

test('what is given goes out in the types of the model; what is not given does not, and a token is filled in', () => {
  const at = new Date('2026-01-02T03:04:05Z')
  const given = {
    Name: 'a',
    When: '2026-01-02T03:04:05Z',
    Labels: { b: 'c' },
    Holes: { d: null },
    Bytes: 'é',
    Count: 3,
    Share: 0.5,
  }
  assert.deepEqual(prepare({ ...given, On: false, Choice: { A: 'x', B: null }, Names: undefined }), {
    ...given,
    On: false,
    Choice: { A: 'x' },
    When: at,
    Bytes: Buffer.from('é'),
    Token: 'new',
  })
  assert.deepEqual(prepare({ Name: 'a', Token: 'mine' }), { Name: 'a', Token: 'mine' })
  for (const When of [at, at.getTime()]) assert.deepEqual((prepare({ Name: 'a', When }) as { When: Date }).When, at)
  assert.equal((prepare({ Name: 'a', Count: 9n }) as { Count: bigint }).Count, 9n)
})

const refused: Readonly<Record<string, readonly [object, string]>> = {
  'a member that is missing': [{}, 'Make, Name: is required'],
  'a name in other letters': [{ Name: 'a', count: 1 }, 'Make, count: there is no such member; did you mean "Count"?'],
  'a time that is none': [{ Name: 'a', When: 'soon' }, 'Make, When: expected a time, found a string'],
  'a time of another type': [{ Name: 'a', When: true }, 'Make, When: expected a time, found a boolean'],
  'a date that is none': [{ Name: 'a', When: new Date(Number.NaN) }, 'Make, When: expected a time, found an object'],
  'an empty value of a map': [{ Name: 'a', Labels: { b: null } }, 'Make, Labels["b"]: is empty'],
  'an empty item of a list': [{ Name: 'a', Names: ['x', null] }, 'Make, Names[1]: is empty'],
  'a list for an object': [{ Name: 'a', Labels: [] }, 'Make, Labels: expected an object, found a list'],
  'a text for a list': [{ Name: 'a', Names: 'x' }, 'Make, Names: expected a list, found a string'],
  'a number for a text': [{ Name: 7 }, 'Make, Name: expected text, found a number'],
  'half a whole number': [{ Name: 'a', Count: 0.5 }, 'Make, Count: expected a whole number, found a number'],
  'a text for a number': [{ Name: 'a', Share: '1' }, 'Make, Share: expected a number, found a string'],
  'a number for bytes': [{ Name: 'a', Bytes: 1 }, 'Make, Bytes: expected bytes or text, found a number'],
  'a text for a flag': [{ Name: 'a', On: 'yes' }, 'Make, On: expected true or false, found a string'],
  'no choice': [{ Name: 'a', Choice: {} }, 'Make, Choice: exactly one of A, B must be given'],
  'two choices': [{ Name: 'a', Choice: { A: 'x', B: 'y' } }, 'Make, Choice: exactly one of A, B must be given'],
}

for (const [what, [input, message]] of Object.entries(refused))
  test(`before anything is sent, ${what} is refused with its path`, () =>
    assert.throws(
      () => prepare(input),
      (error: unknown) => error instanceof InputError && error.message === message && error.code === 'invalid-input',
    ))

test('members that are known are listed for one that is not, and none where there are none', () => {
  assert.throws(() => prepare({ Name: 'a', Nmae: 'b' }), /Nmae: there is no such member; known are Name, When, Token, /)
  assert.throws(() => prepare({ x: 1 }, 'Empty'), /x: there is no such member$/)
  assert.throws(
    () => prepareInput(undefined, { x: 1 }, { model, operation: 'Make', newToken: () => '' }),
    /x: the operation takes no input/,
  )
  assert.deepEqual(prepareInput(undefined, {}, { model, operation: 'Make', newToken: () => '' }), {})
})

/** The value within itself so many times. */
function nested(times: number, within: (inner: object) => object): object {
  let value: object = {}
  for (let count = 0; count < times; count++) value = within(value)
  return value
}

for (const [what, levels, within] of [
  ['structures', 2, (inner: object) => ({ Deep: inner })],
  ['maps', 1, (inner: object) => ({ Map: { a: inner } })],
  ['lists', 1, (inner: object) => ({ List: [inner] })],
] as const)
  test(`${what} within themselves come to an end`, () => {
    // A map and a list are a level of their own beside the structure in them.
    assert.throws(() => prepare({ Name: 'a', Deep: nested(60 * levels, within) }), /nested deeper than 100 levels/)
    assert.ok(prepare({ Name: 'a', Deep: nested(40 * levels, within) }))
  })
