// What the members of an input mean for a kind, and what a read is asked with.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type KindMadeUp, madeUpKind } from '../testing/made-up-kind.ts'
import { type InputMember, inputMembers } from './input-members.ts'
import { readInput } from './read-input.ts'
import type { Content, Values } from './request.ts'

const operations = { create: 'CreateThing', readOne: 'AskThing', getAttributes: 'AskThing' }

function meanings(parts: KindMadeUp, operation = 'AskThing'): Readonly<Record<string, InputMember>> {
  const { members, wrapped } = inputMembers(madeUpKind({ operations, ...parts }), operation)
  return Object.fromEntries([...members, ...(wrapped?.members ?? [])].map(each => [each.name, each]))
}

const such = (found: Readonly<Record<string, InputMember>>, is: (member: InputMember) => boolean): readonly string[] =>
  Object.keys(found).filter(name => found[name] !== undefined && is(found[name]))

const parts: KindMadeUp = {
  resource: 'NatGateway',
  bindings: { AskThing: { inputRenames: { Wire: 'Zone' } } },
  spec: { Key: { primaryKey: true }, Size: 'integer', Zone: 'string', GatewayId: 'string' },
  inputs: { AskThing: { Key: 'String', Size: 'Integer', Wire: 'String', GatewayId: 'String', Arns: 'String', Other: 'String' } },
  required: { AskThing: ['Needed'] },
}

test('a read sends what is required, what identifies by its name, the keys of the kind and what a config names', () => {
  assert.deepEqual(
    such(
      meanings({ ...parts, inputs: { AskThing: { ...parts.inputs?.['AskThing'], Name: 'String' } } }),
      each => each.namesResource,
    ),
    ['Needed', 'Key', 'Wire', 'GatewayId', 'Name'],
  )
})

test('a name of the resource that is not required is one of several ways to go by', () => {
  const ways = (more: KindMadeUp): unknown =>
    Object.fromEntries(
      Object.entries(meanings(more)).flatMap(([name, { goesBy }]) => (goesBy === undefined ? [] : [[name, goesBy]])),
    )
  assert.deepEqual(ways(parts), { GatewayId: 'id', Arns: 'arn' })
  const named = { inputs: { AskThing: { Name: 'String', ThingIdentifier: 'String', OtherId: 'String', ThingArn: 'String' } } }
  assert.deepEqual(ways(named), { Name: 'name', ThingIdentifier: 'id', ThingArn: 'arn' })
  assert.deepEqual(ways({ ...named, required: { AskThing: ['Name'] } }), { ThingIdentifier: 'id', ThingArn: 'arn' })
})

test('a version of what is named is known as one, unless the kind is a version itself', () => {
  const inputs = { AskThing: { Version: 'String', VersionId: 'String', Versions: 'String', NatGatewayVersionNumber: 'String' } }
  const versions = (more: KindMadeUp): readonly string[] => such(meanings({ inputs, ...more }), each => each.isVersion)
  assert.deepEqual(versions({}), ['Version', 'VersionId', 'NatGatewayVersionNumber'])
  assert.deepEqual(versions({ required: { AskThing: ['Version'] } }), ['VersionId', 'NatGatewayVersionNumber'])
  assert.deepEqual(versions({ resource: 'LayerVersion' }), [])
})

test('the operation that makes a resource may be told to overwrite it', () => {
  const inputs = { CreateThing: { Overwrite: 'Boolean', Size: 'Integer' }, AskThing: { Overwrite: 'Boolean' } }
  assert.deepEqual(
    such(meanings({ inputs }, 'CreateThing'), each => each.isOverwrite),
    ['Overwrite'],
  )
  assert.deepEqual(
    such(meanings({ inputs }), each => each.isOverwrite),
    [],
  )
})

test('a config gives members values of their own type', () => {
  const overrides = { flag: 'true', Off: 'false', Count: '3', Big: '4', Text: 'true' }
  const inputs = { AskThing: { Flag: 'Boolean', Off: 'Boolean', Count: 'Integer', Big: 'Long', Text: 'String', Free: 'String' } }
  const found = meanings({ bindings: { AskThing: { overrides } }, inputs })
  const fixed = Object.fromEntries(Object.entries(found).map(([name, each]) => [name, each.fixed]))
  assert.deepEqual(fixed, { Flag: true, Off: false, Count: 3, Big: 4, Text: 'true', Free: undefined })
  assert.equal(meanings({ inputs })['Flag']?.fixed, undefined)
})

test('a field of the status is taken from there', () => {
  const found = meanings({
    spec: { Size: 'integer' },
    status: { ThingId: 'string' },
    inputs: { AskThing: { Size: 'Integer', ThingId: 'String' } },
  })
  assert.deepEqual([found['Size']?.holder, found['ThingId']?.holder], ['spec', 'status'])
})

test('a config puts all that the manifest says into one member, where the operation has it', () => {
  const inputs = { AskThing: { Wrapper: 'Inner', Other: 'String' } }
  const shapes = { Inner: { type: 'structure', required: ['Name'], members: { Name: { target: 'String' } } } } as const
  const of = (inputWrapper: string): ReturnType<typeof inputMembers> =>
    inputMembers(madeUpKind({ operations, bindings: { AskThing: { inputWrapper } }, inputs, shapes }), 'AskThing')
  const { members, wrapped } = of('wrapper')
  assert.deepEqual(
    [members.map(({ name }) => name), wrapped?.name, wrapped?.members[0]?.isRequired],
    [['Wrapper', 'Other'], 'Wrapper', true],
  )
  assert.deepEqual(of('Unknown'), { members: [], wrapped: undefined })
})

function read(more: KindMadeUp, wanted: Partial<Content>): Values | undefined {
  return readInput(madeUpKind({ operations, ...more }), 'AskThing', { spec: {}, status: {}, ...wanted })
}

test('a read needs all that is required, and something that names the resource', () => {
  const of: KindMadeUp = { spec: { Name: 'string', Zone: 'string' }, required: { AskThing: ['Name', 'Zone'] } }
  assert.deepEqual(read(of, { spec: { name: 'n', zone: 'z' } }), { Name: 'n', Zone: 'z' })
  for (const spec of [{ name: 'n' }, { name: '', zone: 'z' }, { zone: 'z' }]) assert.equal(read(of, { spec }), undefined)
  assert.equal(read({ spec: { Size: 'integer' }, inputs: { AskThing: { Size: 'Integer' } } }, { spec: { size: 3 } }), undefined)
})

test('a read that a config tells by an id of the status needs that id', () => {
  const of: KindMadeUp = {
    bindings: { AskThing: { inputRenames: { Qualifier: 'Version', Unit: 'Zone' } } },
    spec: { Name: 'string', Zone: 'string' },
    status: { Version: 'string', State: 'string' },
    inputs: { AskThing: { Qualifier: 'String', Unit: 'String', State: 'String' } },
    required: { AskThing: ['Name'] },
  }
  assert.equal(read(of, { spec: { name: 'n' } }), undefined)
  assert.deepEqual(read(of, { spec: { name: 'n' }, status: { version: '1' } }), { Name: 'n', Qualifier: '1' })
})

const All = { type: 'string', enum: ['All', 'Delay'] } as const
const attributes: KindMadeUp = {
  spec: { Name: 'string' },
  inputs: { AskThing: { AttributeNames: 'Names', Others: 'Names', Include: 'String' } },
  required: { AskThing: ['Name'] },
  shapes: { All, Names: { type: 'list', member: { target: 'All' } }, Strings: { type: 'list', member: { target: 'String' } } },
}
const wanted = { spec: { name: 'n' } }

test('of attributes all are asked for, where there is a word for it', () => {
  assert.deepEqual(read(attributes, wanted), { Name: 'n', AttributeNames: ['All'] })
  const asking = (target: string, shapes: KindMadeUp['shapes'] = {}): unknown =>
    read({ ...attributes, inputs: { AskThing: { AttributeNames: target } }, shapes: { ...attributes.shapes, ...shapes } }, wanted)
  assert.deepEqual(asking('Strings'), { Name: 'n' })
  assert.deepEqual(asking('Names', { All: { type: 'string', enum: ['Delay'] } }), { Name: 'n' })
  assert.deepEqual(asking('Names', { All: { type: 'integer' } }), { Name: 'n' })
  assert.deepEqual(asking('All'), { Name: 'n' }, 'it takes one at a time')
})

test('a config says which attributes are asked for', () => {
  const getOverrides = { attribute_names: ['Delay', 'Policy'], Include: ['Policy', 'Delay'] }
  const of = { ...attributes, settings: { unpackAttributes: { getOverrides } } }
  assert.deepEqual(read(of, wanted), { Name: 'n', AttributeNames: ['Delay', 'Policy'], Include: 'Policy' })
})
