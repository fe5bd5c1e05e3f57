// What goes into the input of a call: what the manifest says, and by which of its names the resource is meant.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type KindMadeUp, list, madeUpKind, structure, structureShape } from '../testing/made-up-kind.ts'
import { type Content, creationOf, type Method, requestOf, type Values } from './request.ts'

const arn = 'arn:aws:madeup:eu-west-1:111122223333:thing/one'
const operations = { create: 'CreateThing', readOne: 'AskThing', update: 'UpdateThing', delete: 'DeleteThing' }
const Strings = { type: 'list', member: { target: 'String' } } as const

function content(spec: object, status: object = {}, more: Partial<Content> = {}): Content {
  return { spec: { ...spec }, status: { ...status }, ...more }
}

/** The input of `AskThing`, of which these are the members. */
function asked(method: Method, parts: KindMadeUp, of: Content): Values {
  return requestOf(madeUpKind({ operations, ...parts }), 'AskThing', of, { method })
}

test('of several operations that make a resource, the one is taken of which the manifest gives most', () => {
  const [clone, restore] = [
    { operation: 'CloneThing', fields: ['Source'] },
    { operation: 'RestoreThing', fields: ['Snapshot', 'Zone'] },
  ]
  const by = (spec: object, makings = [clone, restore]): string =>
    creationOf(
      madeUpKind({ makings, spec: { Name: 'string', Source: 'string', Snapshot: 'string', Zone: 'string' } }),
      content(spec),
    )
  const all = { source: 's', snapshot: 't', zone: 'z' }
  assert.deepEqual([by(all), by(all, [restore, clone])], ['RestoreThing', 'RestoreThing'])
  assert.deepEqual([by({ name: 'n' }), by({ source: 's' }), by({ source: null })], ['CreateThing', 'CloneThing', 'CreateThing'])
  assert.equal(creationOf(madeUpKind({}), content({})), 'CreateThing')
})

const named: KindMadeUp = {
  spec: { Name: 'string', Zone: 'string', Size: 'integer', Version: 'string' },
  status: { ThingId: 'string' },
  inputs: { AskThing: { Name: 'String', ThingId: 'String', ThingArn: 'String', Size: 'Integer', Version: 'String' } },
}
const whole = content({ name: 'n', size: 3, version: '1' }, { thingId: 'i' }, { arn })

test('a call that sets something carries all that it is told, and one that asks goes by one name', () => {
  assert.deepEqual(asked('Create', named, whole), { Name: 'n', ThingId: 'i', Size: 3, Version: '1' })
  assert.deepEqual(asked('Update', named, whole), { Name: 'n', ThingId: 'i', Size: 3, Version: '1' })
  assert.deepEqual(asked('ReadOne', named, whole), { ThingId: 'i' })
  assert.deepEqual(asked('ReadMany', named, whole), { ThingId: 'i' })
  assert.deepEqual(asked('Delete', named, whole), { ThingId: 'i', Size: 3 }, 'a version would be deleted alone')
})

test('it goes by an id, else by a name, else by an ARN', () => {
  const read = (of: Content): Values => asked('ReadOne', named, of)
  assert.deepEqual(read(content({ name: 'n' }, { thingId: 'i' })), { ThingId: 'i' })
  const unnumbered: KindMadeUp = { spec: named.spec ?? {}, inputs: { AskThing: { Name: 'String', ThingArn: 'String' } } }
  assert.deepEqual(asked('ReadOne', unnumbered, content({ name: 'n' }, {}, { arn })), { Name: 'n' })
  assert.deepEqual(asked('ReadOne', unnumbered, content({}, {}, { arn })), { ThingArn: arn })
  assert.deepEqual(read(content({}, { thingId: 'i' }, { arn })), { ThingId: 'i' })
  assert.deepEqual(read(content({ name: 'i' }, { thingId: 'i' })), { Name: 'i' }, 'an id that is the name is none')
  const zoned = { ...unnumbered, required: { AskThing: ['Zone'] } }
  assert.deepEqual(asked('ReadOne', zoned, content({ zone: 'z' }, {}, { arn })), { Zone: 'z', ThingArn: arn })
  const twice: KindMadeUp = {
    spec: { Name: 'string', ThingName: 'string' },
    status: { ThingId: 'string' },
    inputs: { AskThing: { Name: 'String', ThingName: 'String', ThingId: 'String' } },
  }
  assert.deepEqual(asked('ReadOne', twice, content({ name: 'a', thingName: 'b' }, { thingId: 'b' })), {
    Name: 'a',
    ThingName: 'b',
  })
})

test('attributes are set by a call that sets, and by no other', () => {
  const parts: KindMadeUp = {
    settings: { unpackAttributes: {} },
    spec: { Delay: { attribute: true } },
    inputs: { AskThing: { Attributes: 'Texts' } },
    shapes: { Texts: { type: 'map', key: { target: 'String' }, value: { target: 'String' } } },
  }
  for (const method of ['Create', 'Update'] as const)
    assert.deepEqual(asked(method, parts, content({ delay: '5' })), { Attributes: { Delay: '5' } })
  assert.deepEqual([asked('Delete', parts, content({ delay: '5' })), asked('Create', parts, content({}))], [{}, {}])
  const required = { ...parts, required: { AskThing: ['Attributes'] } }
  assert.deepEqual(asked('Create', required, content({})), { Attributes: {} })
})

test('an operation that both makes and changes is told to overwrite where it changes', () => {
  const model = madeUpKind({ inputs: { CreateThing: { Overwrite: 'Boolean' }, UpdateThing: { Overwrite: 'Boolean' } } })
  const of = (operation: string, method: Method): Values => requestOf(model, operation, content({}), { method })
  assert.deepEqual([of('CreateThing', 'Update'), of('CreateThing', 'Create')], [{ Overwrite: true }, {}])
  assert.deepEqual(of('UpdateThing', 'Update'), {})
})

test('what is not required of a call identifies a resource only where it is looked for', () => {
  const id = { status: { ThingId: 'string' }, inputs: { AskThing: { ResourceId: 'String' } } } as const
  const of = content({}, { thingId: 'i' }, { arn })
  assert.deepEqual(asked('ReadMany', id, of), { ResourceId: 'i' })
  assert.deepEqual([asked('ReadOne', id, of), asked('Delete', id, of)], [{}, {}], 'it may be that of another')
  const byArn = { inputs: { AskThing: { ThingArn: 'String' } } }
  assert.deepEqual(asked('ReadOne', byArn, of), { ThingArn: arn })
  assert.deepEqual([asked('Update', byArn, of), asked('Delete', byArn, of)], [{}, {}])
  const required = { required: { AskThing: ['ThingArn'] } }
  assert.deepEqual([asked('Delete', required, of), asked('Create', required, of)], [{ ThingArn: arn }, {}])
})

test('a field that a config keeps out of requests is not sent by their method', () => {
  const sent = (rule: object, method: Method): boolean => {
    const spec = { Size: { type: { kind: 'integer' }, set: [rule] } } as const
    return 'Size' in asked(method, { spec, inputs: { AskThing: { Size: 'Integer' } } }, content({ size: 3 }))
  }
  for (const ignore of ['to', 'all']) {
    assert.deepEqual([sent({ ignore }, 'Create'), sent({ ignore }, 'Update')], [false, false])
    const ofUpdate = { ignore, method: 'Update' }
    assert.deepEqual([sent(ofUpdate, 'Create'), sent(ofUpdate, 'Update')], [true, false])
  }
  assert.equal(sent({ ignore: 'from' }, 'Create'), true)
})

/** The value of one required member. */
function value(member: string, parts: KindMadeUp, of: Content, target = 'String'): unknown {
  const input = { required: { AskThing: [member] }, inputs: { AskThing: { [member]: target } } }
  return asked('Delete', { ...parts, ...input, shapes: { Strings, ...parts.shapes } }, of)[member]
}

const nameOnly: KindMadeUp = { spec: { ThingName: 'string' } }
const idOnly: KindMadeUp = { status: { ThingId: 'string' } }
const ofName = content({ thingName: 'n' }, {}, { arn })

test('an identifier has the value of what the kind calls so, or else of its name or ARN', () => {
  const id = content({}, { thingId: 'i' }, { arn })
  for (const member of ['Id', 'ResourceId', 'ResourceIdentifier', 'Thing']) assert.equal(value(member, idOnly, id), 'i', member)
  assert.equal(value('Name', nameOnly, ofName), 'n')
  for (const member of ['Id', 'Identifier', 'ThingIdentifier', 'Thing'])
    assert.deepEqual([value(member, nameOnly, ofName), value(member, {}, ofName)], ['n', arn], member)
  for (const member of ['Name', 'ThingName', 'Cluster']) assert.equal(value(member, idOnly, id), undefined, member)
  for (const member of ['ResourceId', 'ResourceIdentifier']) assert.equal(value(member, nameOnly, ofName), arn)
  for (const member of ['Arn', 'ThingArn', 'Resource', 'ResourceArn']) assert.equal(value(member, nameOnly, ofName), arn)
  assert.deepEqual([value('Ids', idOnly, id, 'Strings'), value('Things', nameOnly, ofName, 'Strings')], [['i'], ['n']])
  assert.equal(value('Ids', idOnly, content({}), 'Strings'), undefined)
  assert.equal(value('Id', idOnly, content({}, {}, { arn })), undefined, 'AWS has not told it yet')
})

test('a resource name is the ARN where that is known, and the name before', () => {
  assert.deepEqual(
    [value('ResourceName', nameOnly, ofName), value('ResourceName', nameOnly, content({ thingName: 'n' }))],
    [arn, 'n'],
  )
})

test('a version that must match is the one that was read last', () => {
  assert.equal(value('IfMatch', { status: { ETag: 'string' } }, content({}, { eTag: 'e' })), 'e')
})

test('an id that is the ARN by another word is on record, and before that the name is taken for it', () => {
  const parts: KindMadeUp = {
    ...nameOnly,
    status: { ThingId: { from: { operation: 'AskThing', path: 'Thing.Arn' } }, Id: 'string' },
  }
  assert.equal(
    value(
      'ThingIdentifier',
      { ...parts, status: { ThingIdentifier: parts.status?.['ThingId'] ?? 'string', Identifier: 'string' } },
      ofName,
    ),
    arn,
  )
  const unread = { ...parts, status: { ThingIdentifier: parts.status?.['ThingId'] ?? 'string' } }
  assert.equal(value('Identifier', unread, content({ thingName: 'n' })), 'n')
  const other: KindMadeUp = { ...parts, status: { ThingIdentifier: { from: { operation: 'AskThing', path: 'Arn.Name' } } } }
  assert.equal(value('Identifier', other, ofName), undefined)
})

test('of several fields the first with a value counts', () => {
  const parts: KindMadeUp = { status: { ThingId: 'string', Id: 'string' } }
  for (const thingId of [undefined, null, '']) assert.equal(value('ResourceId', parts, content({}, { thingId, id: 'i' })), 'i')
})

const detailed = (camel: string, inner: KindMadeUp['spec'] = { Token: 'string', Id: 'string' }): KindMadeUp => ({
  status: { Token: 'string', Other: structure('Other'), [camel]: structure('Detail') },
  structures: { Other: { Id: 'string' }, Detail: inner ?? {} },
})
const within = (camel: string, held: unknown, more: KindMadeUp = {}, member = 'Id'): unknown => {
  const json = `${camel.slice(0, 1).toLowerCase()}${camel.slice(1)}`
  return value(member, { ...detailed(camel), ...more }, content({}, { other: { id: 'o' }, [json]: held }, { arn }))
}

test('an id may stand within a part of the status that is called after the kind', () => {
  for (const camel of ['Thing', 'ThingDetail', 'ThingDetails', 'ThingSummary', 'ThingInfo', 'ThingResponse'])
    assert.equal(within(camel, { id: 'i' }), 'i', camel)
  assert.equal(within('Elsewhere', { id: 'i' }), arn)
  assert.deepEqual(
    [within('Thing', undefined), within('Thing', 'x'), within('Thing', {}), within('Thing', { id: null })],
    [arn, arn, arn, arn],
  )
  const both = detailed('Thing', { Id: 'string', ThingId: 'string' })
  assert.equal(within('Thing', { id: 'i', thingId: 't' }, both, 'ThingId'), 't')
  assert.equal(within('Thing', { id: 'i', thingId: 't' }, both), 'i')
  assert.equal(within('Thing', { id: 7 }, detailed('Thing', { Id: 'integer' })), arn)
  assert.equal(within('Thing', { id: 'i' }, {}, 'Cluster'), undefined, 'no id is asked for')
})

test('a part that is called by the end of the kind’s name has it, where that is more than two letters', () => {
  assert.equal(within('Gateway', { id: 'i' }, { resource: 'NatGateway' }), 'i')
  assert.equal(within('Eip', { id: 'i' }, { resource: 'ElasticEip' }), 'i')
  assert.equal(within('Ip', { id: 'i' }, { resource: 'ElasticIp' }), arn)
})

test('what the creation takes as one structure has the name within it', () => {
  const parts = (camel: string): KindMadeUp => ({
    spec: { [camel]: structure('Input') },
    structures: { Input: { Name: 'string' } },
  })
  for (const camel of ['Thing', 'ThingInput', 'ThingConfig', 'ThingConfiguration']) {
    const json = `${camel.slice(0, 1).toLowerCase()}${camel.slice(1)}`
    assert.equal(value('Name', parts(camel), content({ [json]: { name: 'n' } })), 'n', camel)
  }
  assert.equal(value('Name', parts('ThingInput'), content({ thingInput: 'n' })), undefined)
  assert.equal(value('Name', parts('ThingInput'), content({})), undefined)
  assert.equal(value('Name', { spec: { ThingInput: 'string' } }, content({ thingInput: { name: 'n' } })), undefined)
  assert.equal(value('Name', parts('Other'), content({ other: { name: 'n' } })), undefined)
})

test('an identifier by the end of the kind’s name has the value of its field, or is the ARN that AWS told', () => {
  const gateway = { resource: 'NatGateway' }
  const of = (parts: KindMadeUp, more: Content): unknown => value('GatewayId', { ...gateway, ...parts }, more)
  assert.equal(of({ status: { NatGatewayId: 'string' } }, content({}, { natGatewayId: 'g' }, { arn })), 'g')
  assert.equal(of({ status: { NatGatewayId: 'string' } }, content({}, { natGatewayId: null }, { arn })), arn)
  assert.equal(of({}, content({}, {}, { arn })), arn)
  assert.equal(of(detailed('Gateway'), content({}, { gateway: { id: 'i' } }, { arn })), 'i')
  assert.equal(value('OtherId', { ...gateway, ...detailed('Gateway') }, content({}, {}, { arn })), undefined)
})

test('an identifier that is a structure is made of the ARN, or of all that is known', () => {
  const of = (members: Readonly<Record<string, string>>, spec: object, more: Partial<Content> = {}): unknown =>
    value(
      'ThingId',
      { spec: { ThingName: 'string', Zone: 'string' }, status: { Region: 'string' }, shapes: { Id: structureShape(members) } },
      content(spec, { region: 'r' }, more),
      'Id',
    )
  const members = { ThingArn: 'String', ThingName: 'String', Zone: 'String', Region: 'String', Unheard: 'String' }
  assert.deepEqual(of(members, { thingName: 'n', zone: null }, { arn }), { ThingArn: arn })
  assert.deepEqual(of(members, { thingName: 'n', zone: null }), { ThingName: 'n', Region: 'r' })
  assert.deepEqual(of({ ThingArn: 'String' }, {}, { arn }), { ThingArn: arn })
  assert.deepEqual(of({ Name: 'String' }, { thingName: 'n' }), { Name: 'n' })
  assert.equal(of({ Name: 'String' }, {}), undefined)
  assert.deepEqual(of({}, { thingName: 'n' }), 'n', 'a structure of nothing is none')
  const list2 = { spec: { Names: list('string') }, shapes: { Id: structureShape({ Names: 'Strings' }) } } as const
  assert.deepEqual(value('Id', list2, content({ names: ['a'] }), 'Id'), { Names: ['a'] })
})
