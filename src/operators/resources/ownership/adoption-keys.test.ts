// By which keys a resource of a kind is found again: those that its read needs, and no others.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type KindMadeUp, madeUpKind } from '../testing/made-up-kind.ts'
import { adoptionKeys, adoptionKeysOf, identityOf } from './adoption-keys.ts'

const read = { create: 'CreateThing', readOne: 'DescribeThing' } as const
const listed = { create: 'CreateThing', readMany: 'ListThings' } as const

for (const [what, parts, keys] of [
  ['a kind that goes by its ARN', { settings: { arnIsPrimaryKey: true }, spec: { Name: { primaryKey: true } } }, ['arn']],
  ['a kind that is never read', { spec: { Name: { primaryKey: true }, Other: 'string' } }, ['name']],
  [
    'a kind whose keys stand in spec and status',
    { operations: read, spec: { Name: { primaryKey: true } }, status: { ID: { primaryKey: true } } },
    ['name', 'iD'],
  ],
  ['a read that needs a field', { operations: read, needs: ['Owner'], spec: { Owner: 'string', Other: 'string' } }, ['owner']],
  ['a read that needs an id of AWS', { operations: read, needs: ['ThingId'], status: { ID: 'string' } }, ['iD']],
  ['a read that needs an ARN', { operations: read, needs: ['FunctionArn'] }, ['arn']],
  ['a read that needs what no field is', { operations: read, needs: ['Group'] }, ['Group']],
  [
    'a read with a name of its own for a field',
    {
      operations: read,
      inputs: { DescribeThing: { Qualifier: 'String', Unrelated: 'String' } },
      bindings: { DescribeThing: { inputRenames: { Qualifier: 'Version' } } },
      status: { Version: 'string' },
    },
    ['version'],
  ],
  [
    'a list',
    {
      operations: listed,
      inputs: { ListThings: { ThingIds: 'String', Names: 'String' } },
      status: { ThingID: 'string' },
      spec: { Name: 'string' },
    },
    ['thingID'],
  ],
  [
    'a list that is asked for names',
    {
      operations: listed,
      inputs: { ListThings: { Filter: 'String', Name: 'String' } },
      spec: { Name: 'string', Filter: 'string' },
    },
    ['name'],
  ],
  [
    'a list that is asked for nothing of it',
    { operations: listed, inputs: { ListThings: { Filter: 'String' } }, spec: { Filter: 'string' } },
    [],
  ],
  [
    'a list of a kind with a key',
    { operations: listed, inputs: { ListThings: { Name: 'String' } }, spec: { Name: 'string', Key: { primaryKey: true } } },
    ['key'],
  ],
  [
    'a read beside a list',
    { operations: { ...read, readMany: 'ListThings' }, inputs: { DescribeThing: { Name: 'String' } }, spec: { Name: 'string' } },
    [],
  ],
  [
    'attributes beside a list',
    {
      operations: { create: 'CreateThing', getAttributes: 'GetThing', readMany: 'ListThings' },
      inputs: { GetThing: { Name: 'String' } },
      spec: { Name: 'string' },
    },
    [],
  ],
] as const satisfies readonly (readonly [string, KindMadeUp & { readonly needs?: readonly string[] }, readonly string[]])[])
  test(`${what} is found again by ${keys.length === 0 ? 'no key' : keys.join(', ')}`, () => {
    const { needs, ...rest } = parts as KindMadeUp & { readonly needs?: readonly string[] }
    assert.deepEqual(adoptionKeys(madeUpKind(needs === undefined ? rest : { ...rest, required: { DescribeThing: needs } })), keys)
  })

test('of a kind that a service does not have, no keys are known', () => {
  const { service } = madeUpKind({ spec: { Name: { primaryKey: true } } })
  assert.deepEqual(adoptionKeysOf(service, 'Thing'), ['name'])
  assert.deepEqual(adoptionKeysOf(service, 'Other'), [])
})

test('a resource is told from its neighbours by all that finds it, where that stands in the manifest', () => {
  const two = madeUpKind({ spec: { Zone: { primaryKey: true }, Name: { primaryKey: true } } })
  const identity = (spec: object, model = two, deviation = {}): object =>
    identityOf({ model, deviation }, { spec: { ...spec }, status: { iD: 'i' } })
  assert.deepEqual(identity({ zone: 'z', name: 'n', other: 'o' }), { zone: 'z', name: 'n' })
  assert.deepEqual(identity({ zone: 'z' }), {})
  assert.deepEqual(identity({ zone: 'z', name: '' }), {})
  assert.deepEqual(identity({ zone: 'z', name: 1 }), {})
  const withId = madeUpKind({ spec: { Name: { primaryKey: true } }, status: { ID: { primaryKey: true } } })
  assert.deepEqual(identity({ name: 'n' }, withId), {})
  assert.deepEqual(identity({ name: 'n' }, two, { identity: () => ({ key: 'k' }) }), { key: 'k' })
})
