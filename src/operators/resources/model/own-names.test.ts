// By which other words than the kind's an API asks for the resource, and tells its ARN.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type KindMadeUp, madeUpKind, structureShape } from '../testing/made-up-kind.ts'
import { type KindModel, kindModel } from './kind-model.ts'
import { arnNames, fieldOf, isArnName, isIdentifierName, isRenamedFor, ownIdentifier, tellsArn } from './own-names.ts'

/** Beside another kind of the same service, of this name. */
function beside(resource: string, parts: KindMadeUp): KindModel {
  const { service, kind } = madeUpKind(parts)
  return kindModel({ ...service, kinds: { ...service.kinds, Other: { ...kind, resource } } }, kind)
}

const gateway: KindMadeUp = { resource: 'NatGateway', status: { NatGatewayId: 'string', Id: 'string' } }
const own = (model: KindModel, member: string): string | undefined => ownIdentifier(model, member)?.camel

test('an id is asked for by an end of the kind’s name, of three letters at least', () => {
  const of = (member: string, more: KindMadeUp = {}): string | undefined => own(madeUpKind({ ...gateway, ...more }), member)
  assert.deepEqual(
    [of('GatewayId'), of('GatewayIds'), of('GatewayIdentifier')],
    ['NatGatewayID', 'NatGatewayID', 'NatGatewayID'].map(() => 'NatGatewayId'),
  )
  assert.equal(of('GatewayId', { status: { Id: 'string' } }), 'Id')
  assert.equal(of('GatewayId', { status: { GatewayId: 'string', NatGatewayId: 'string' } }), 'GatewayId')
  assert.equal(of('GatewayId', { spec: { GatewayId: 'string' } }), 'GatewayId')
  assert.deepEqual([of('OtherId'), of('GatewayName'), of('Id'), of('Gateway')], [undefined, undefined, undefined, undefined])
  assert.equal(of('GatewayName', { spec: { GatewayName: 'string' } }), 'GatewayName')
  assert.equal(of('EipId', { resource: 'ElasticEip' }), 'Id')
  assert.equal(of('IpId', { resource: 'ElasticIp' }), undefined)
})

test('it is that of something else where the creation is told it, or another kind is called so', () => {
  const told = { inputs: { CreateThing: { GatewayId: 'String' } } }
  assert.equal(own(madeUpKind({ ...gateway, ...told }), 'GatewayId'), undefined)
  assert.equal(own(madeUpKind({ ...gateway, inputs: { CreateThing: { Name: 'String' } } }), 'GatewayId'), 'NatGatewayId')
  assert.equal(own(beside('Gateway', gateway), 'GatewayId'), undefined)
  assert.equal(own(beside('Subnet', gateway), 'GatewayId'), 'NatGatewayId')
})

test('a config calls a member by the name that the creation gives it', () => {
  const bindings = { CreateThing: { inputRenames: { GatewayId: 'Token', Unit: 'Size' } } }
  const model = madeUpKind({ ...gateway, bindings, spec: { Token: 'string', Size: 'integer' } })
  assert.equal(own(model, 'GatewayId'), 'Token')
  assert.equal(fieldOf(model, 'CreateThing', 'unit')?.camel, 'Size')
  assert.equal(isRenamedFor(model, 'CreateThing', 'gateway_id'), true)
  assert.equal(isRenamedFor(model, 'CreateThing', 'Other'), false)
})

test('what the read and the deletion ask for alone is its own, whatever it is called', () => {
  const operations = { create: 'CreateThing', readOne: 'DescribeThing', delete: 'DeleteThing' }
  const of = (read: readonly string[], deletion: readonly string[], more: KindMadeUp = {}): string | undefined => {
    const required = { DescribeThing: read, DeleteThing: deletion }
    return own(madeUpKind({ operations, status: { ThingId: 'string' }, required, ...more }), read[0] ?? '')
  }
  const widget = ['WidgetId']
  assert.equal(of(widget, ['widgetId']), 'ThingId')
  assert.deepEqual([of(widget, ['OtherId']), of(widget, []), of(widget, ['WidgetId', 'Zone'])], [undefined, undefined, undefined])
  assert.equal(of(['WidgetId', 'Zone'], widget), undefined)
  assert.equal(of(['WidgetName'], ['WidgetName']), undefined)
  assert.equal(of(widget, widget, { inputs: { CreateThing: { WidgetId: 'String' } } }), undefined)
  assert.equal(of(widget, widget, { operations: { create: 'CreateThing', readOne: 'DescribeThing' } }), undefined)
  const required = { DescribeThing: widget, DeleteThing: widget }
  assert.equal(own(beside('Widget', { operations, status: { ThingId: 'string' }, required }), 'WidgetId'), undefined)
})

test('a member says by its name that it identifies the resource', () => {
  const model = madeUpKind({ arnMember: 'Locator' })
  for (const name of ['Id', 'ids', 'Name', 'ThingName', 'ThingIdentifier', 'Arn', 'ThingArn', 'ResourceArn', 'Locator'])
    assert.equal(isIdentifierName(model, name), true, name)
  for (const name of ['Size', 'OtherId', 'OtherArn', 'ThingSize']) assert.equal(isIdentifierName(model, name), false, name)
})

test('a kind that goes by its ARN is asked for by a shorter word, of three letters at least', () => {
  const is = (resource: string, name: string, more: object = { arnIsPrimaryKey: true }): boolean =>
    isArnName(madeUpKind({ resource, settings: more }), name)
  assert.equal(is('PlatformEndpoint', 'endpointarn'), true)
  assert.equal(is('ElasticEip', 'eiparn'), true)
  assert.deepEqual([is('PlatformEndpoint', 'endpointarn', {}), is('PlatformEndpoint', 'topicarn')], [false, false])
  assert.deepEqual([is('ElasticIp', 'iparn'), is('PlatformEndpoint', 'endpoint')], [false, false])
})

const namesOf = (model: KindModel, ...members: readonly string[]): readonly string[] =>
  arnNames(model, structureShape(Object.fromEntries(members.map(name => [name, 'String']))))

test('the ARN is told by the name that a config gives, then by those of the kind, then by an end of its name', () => {
  assert.deepEqual(namesOf(madeUpKind({ arnMember: 'Locator' }), 'Size'), ['Locator', 'Arn', 'ThingArn'])
  const custom = { resource: 'CustomModel' }
  const names = ['Arn', 'Arn', 'CustomModelArn']
  assert.deepEqual(namesOf(madeUpKind(custom), 'ModelArn', 'OtherArn', 'Model'), [...names, 'ModelArn'])
  const told = { ...custom, inputs: { CreateThing: { ModelArn: 'String', Size: 'Integer' } } }
  assert.deepEqual(namesOf(madeUpKind(told), 'ModelArn'), names)
  assert.deepEqual(namesOf(madeUpKind({ ...told, settings: { arnIsPrimaryKey: true } }), 'ModelArn'), [...names, 'ModelArn'])
  assert.deepEqual(namesOf(madeUpKind({ ...custom, inputs: { CreateThing: { Size: 'Integer' } } }), 'ModelArn'), [
    ...names,
    'ModelArn',
  ])
  assert.deepEqual(namesOf(beside('Model', custom), 'ModelArn'), names)
  assert.deepEqual(namesOf(beside('Topic', custom), 'ModelArn'), [...names, 'ModelArn'])
  assert.deepEqual(
    namesOf(madeUpKind({ resource: 'Model' }), 'ModelArn'),
    ['Arn', 'Arn', 'ModelArn', 'ModelArn'],
    'the kind itself is no other',
  )
})

test('ResourceArn is its own where its own operations, or those on tags, ask for it, and the creation for no resource', () => {
  const operations = { create: 'CreateThing', readOne: 'DescribeThing', delete: 'DeleteThing' }
  const isOwn = (required: KindMadeUp['required'], more: KindMadeUp = {}): boolean =>
    namesOf(madeUpKind({ operations, ...(required === undefined ? {} : { required }), ...more })).includes('ResourceArn')
  assert.equal(isOwn({ DescribeThing: ['Zone', 'ResourceArn'] }), true)
  for (const name of ['DeleteThing', 'TagResource', 'AddTagsToResource', 'AddTags'])
    assert.equal(isOwn({ [name]: ['ResourceArn'] }), true, name)
  assert.deepEqual([isOwn({}), isOwn({ DescribeThing: ['Zone'] }), isOwn({ Others: ['ResourceArn'] })], [false, false, false])
  const others = { inputs: { CreateThing: { ResourceType: 'String' } } }
  assert.equal(isOwn({ DescribeThing: ['ResourceArn'] }, others), false)
  assert.equal(isOwn({ DescribeThing: ['ResourceArn'] }, { inputs: { CreateThing: { Size: 'Integer' } } }), true)
})

test('an answer tells the ARN, also in two structures within each other, and not in three', () => {
  const shapes = {
    One: structureShape({ Size: 'Integer', Arn: 'String' }),
    Two: structureShape({ Size: 'Integer', Ones: 'Ones' }),
    Three: structureShape({ Two: 'Two' }),
    Ones: { type: 'list', member: { target: 'One' } },
  } as const
  const operations = { create: 'CreateThing', readOne: 'DescribeThing', readMany: 'ListThings' }
  const tells = (outputs: KindMadeUp['outputs'], of: KindMadeUp['operations'] = operations): boolean =>
    tellsArn(madeUpKind({ operations: of, shapes, ...(outputs === undefined ? {} : { outputs }) }))
  assert.deepEqual([tells({}), tells({ DescribeThing: { Size: 'Integer' } })], [false, false])
  for (const operation of Object.values(operations)) assert.equal(tells({ [operation]: { ThingArn: 'String' } }), true, operation)
  assert.equal(tells({ DescribeThing: { Size: 'Integer', One: 'One' } }), true)
  assert.equal(tells({ DescribeThing: { Two: 'Two' } }), true)
  assert.equal(tells({ DescribeThing: { Three: 'Three' } }), false)
  assert.equal(tells({}, { create: 'CreateThing', getAttributes: 'GetThing' }), true, 'a map of attributes may')
})
