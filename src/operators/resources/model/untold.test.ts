// What no read tells of a kind, by dotted paths: where it stands in a manifest, what is left without it, and which operation takes it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { list, madeUpKind, map, structure, structureShape } from '../testing/made-up-kind.ts'
import { isUntoldWithin, takesWithin, untoldOf, valueAtPath, withoutUntold } from './untold.ts'

const model = madeUpKind({
  untold: ['Password', 'Login.Password', 'Logins.Password', 'Named.Password', 'Unknown.Password'],
  settings: { tags: { path: 'Tags', key: 'Key', value: 'Value' } },
  operations: { create: 'CreateThing', readOne: 'DescribeThing', update: 'UpdateThing' },
  spec: {
    Name: 'string',
    Password: 'string',
    Login: structure('Login'),
    Logins: list(structure('Login')),
    Named: map(structure('Login')),
    Wrapped: list(list(structure('Login'))),
    Odd: structure('Login'),
    Odds: list(structure('Login')),
    Tags: map('string'),
  },
  structures: { Login: { User: { wire: 'UserName' }, Password: 'string', Inner: structure('Inner') }, Inner: { Deep: 'string' } },
  inputs: {
    UpdateThing: {
      Name: 'String',
      Login: 'Login',
      Logins: 'Logins',
      Other: 'String',
      Named: 'String',
      Wrapped: 'Wrapped',
      Odd: 'String',
      Odds: 'String',
    },
  },
  outputs: { DescribeThing: { Name: 'String' } },
  shapes: {
    Login: structureShape({ userName: 'String', Inner: 'Inner' }),
    Logins: { type: 'list', member: { target: 'Login' } },
    Wrapped: { type: 'list', member: { target: 'Logins' } },
    Inner: structureShape({ Other: 'String' }, 'union'),
  },
})

test('what is untold is what the model says, and the tags where nothing tells them', () => {
  assert.deepEqual(
    untoldOf(model).map(({ path, field }) => [path, field.camel]),
    [
      ['Password', 'Password'],
      ['Login.Password', 'Login'],
      ['Logins.Password', 'Logins'],
      ['Named.Password', 'Named'],
      ['Tags', 'Tags'],
    ],
  )
  const { kind, service } = model
  const tags = { settings: kind.settings, operations: kind.operations, spec: { Tags: map('string') } } as const
  const paths = (parts: Parameters<typeof madeUpKind>[0]): readonly string[] =>
    untoldOf(madeUpKind(parts)).map(({ path }) => path)
  const TagMap = { type: 'map', key: { target: 'String' }, value: { target: 'String' } } as const
  assert.deepEqual(paths(tags), ['Tags'])
  assert.deepEqual(paths({ ...tags, untold: ['Tags'] }), ['Tags'])
  assert.deepEqual(paths({ ...tags, outputs: { DescribeThing: { Tags: 'TagMap' } }, shapes: { TagMap } }), [])
  assert.deepEqual(paths({ ...tags, settings: {} }), [])
  assert.equal(service.alias, 'madeup')
})

test('within a field of which the rest is told', () => {
  const of = (path: string): boolean => isUntoldWithin(model, path)
  assert.deepEqual(['Login.Password', 'Password', 'Login.User', 'Name'].map(of), [true, false, false, false])
  assert.equal(isUntoldWithin(madeUpKind({}), 'Login.Password'), false)
})

test('what stands at a path, through structures, lists and maps', () => {
  const [a, b] = [{ user: 'a', password: 'x' }, { user: 'b' }]
  const spec = { password: 'p', login: a, logins: [a, b], named: { one: a, two: b }, wrapped: [[a], [b, a]] }
  for (const [path, value] of [
    ['Password', 'p'],
    ['Login', a],
    ['Login.Password', 'x'],
    ['Logins.Password', ['x', null]],
    ['Named.Password', ['x', null]],
    ['Wrapped.Password', [['x'], [null, 'x']]],
    ['Login.Unknown', undefined],
    ['Unknown', undefined],
    ['Password.More', undefined],
    ['Name', undefined],
  ] as const)
    assert.deepEqual(valueAtPath(model, spec, path), value, path)
  assert.equal(valueAtPath(model, { password: null }, 'Password'), undefined)
  assert.equal(valueAtPath(model, { login: 'no structure' }, 'Login.Password'), undefined)
  assert.equal(valueAtPath(model, { logins: [b, b] }, 'Logins.Password'), undefined)
  assert.equal(valueAtPath(model, { logins: [] }, 'Logins.Password'), undefined)
  assert.equal(valueAtPath(model, { logins: 'no list' }, 'Logins.Password'), undefined)
})

test('a value without what no read tells of it', () => {
  const without = (camel: string, value: unknown): unknown =>
    withoutUntold(model, model.spec.named(camel) ?? assert.fail(), value)
  const whole = { user: 'u', password: 'p', inner: { deep: 'd' } }
  const rest = { user: 'u', inner: { deep: 'd' } }
  assert.deepEqual(without('Login', whole), rest)
  assert.deepEqual(without('Logins', [whole, 'x']), [rest, 'x'])
  assert.deepEqual(without('Named', { one: whole }), { one: rest })
  assert.equal(without('Login', 'x'), 'x')
  assert.deepEqual(without('Wrapped', [[whole]]), [[whole]])
  assert.equal(without('Name', 'n'), 'n')
})

test('an operation takes what is within a field when it has a member for it, or a shape that is not known', () => {
  const takes = (path: string): boolean => takesWithin(model, 'UpdateThing', path)
  for (const [path, isTaken] of [
    ['Login.User', true],
    ['Login.Password', false],
    ['Logins.0.User', true],
    ['Logins.0.Password', false],
    ['Logins.Password', false],
    ['Wrapped.0.1.Password', false],
    ['Wrapped.0.1.User', true],
    ['Login.Inner.Deep', false],
    ['Login.Inner', true],
    ['Login.Unknown', true],
    ['Odd.Password', true],
    ['Odds.0.Password', true],
    ['Named.one.Password', true],
    ['Password', true],
    ['Tags.a', true],
    ['Other.x', true],
  ] as const)
    assert.equal(takes(path), isTaken, path)
})
