// What AWS said of a resource is on the object as soon as it was said, and what it never says again is kept.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findCondition } from '#kube'
import { annotations } from '#operators/resources'
import { structure } from '../../src/crdgen/infer/model.fixture.ts'
import { type ResourceWorld, resourceWorld, trust } from '../../src/operators/resources/testing/world.ts'
import { smallService } from './small-aws.ts'
import { arnOf, type SmallServer, smallServer } from './small-server.ts'

const id = { '!ThingName': 'String' }
const shapes = { Thing: structure({ ThingName: 'String', ThingArn: 'String' }) }
const own = {
  CreateThing: [{ ...id }, { Thing: 'Thing' }],
  GetThing: [id, { Thing: 'Thing' }],
  DeleteThing: [id],
} as const

function worldOf(service: ReturnType<typeof smallService>, aws: SmallServer): ResourceWorld {
  return resourceWorld({ services: [service.service], objects: [...service.crds], throughAws: aws.through })
}

test('a resource that was made and could not be finished is named in the status of its object', async () => {
  const operations = { ...own, PutThingLook: [{ ...id, Colour: 'String' }], GetThingLook: [id, { Colour: 'String' }] } as const
  const config = 'resources:\n  Thing:\n    fields:\n      Colour: {from: {operation: PutThingLook, path: Colour}}\n'
  const aws = smallServer()
  aws.denied.add('PutThingLook')
  await using world = worldOf(smallService({ operations, shapes }, config), aws)
  const run = world.start()
  await world.create('Thing', 'one', { thingName: 'one', colour: 'red' })
  await world.settle()
  await world.advance(10_000)
  assert.equal((await world.condition('Thing', 'one', 'Ready'))?.status, 'False')
  assert.equal((await world.get('Thing', 'one'))?.status?.ackResourceMetadata?.arn, arnOf('one'))
  await run.stop()
})

test('so is a role that a policy which is not there cannot be attached to', async () => {
  await using world = resourceWorld()
  const run = world.start()
  const policies = ['arn:aws:iam::111122223333:policy/nope']
  await world.create('Role', 'reader', { name: 'reader', assumeRolePolicyDocument: trust(), policies })
  await world.settle()
  await world.advance(10_000)
  const { status } = (await world.get('Role', 'reader')) ?? {}
  assert.equal(findCondition(status?.conditions, 'Ready')?.status, 'False')
  assert.equal(status?.ackResourceMetadata?.arn, 'arn:aws:iam::111122223333:role/reader')
  assert.ok(status?.['roleID'])
  await run.stop()
})

test('what only the answer to the creation tells stays in the status', async () => {
  const operations = { ...own, CreateThing: [id, { ThingArn: 'String', Location: 'String' }] } as const
  const aws = smallServer((operation, { ThingArn }) =>
    operation === 'CreateThing' ? { ThingArn, Location: '/here' } : undefined,
  )
  await using world = worldOf(smallService({ operations, shapes }), aws)
  const run = world.start()
  await world.create('Thing', 'one', { thingName: 'one' })
  await world.settle()
  await world.advance(60_000)
  await world.patch('Thing', 'one', { metadata: { annotations: { [annotations.reconcileAt]: 'now' } } })
  await world.settle()
  assert.equal((await world.get('Thing', 'one'))?.status?.['location'], '/here')
  await run.stop()
})

test('what AWS chose by itself is no update, while the manifest is the one that was made', async () => {
  const told = structure({ ThingName: 'String', ThingArn: 'String', Window: 'String', Colour: 'String' })
  const operations = {
    ...own,
    CreateThing: [{ ...id, Window: 'String', Colour: 'String' }, { Thing: 'Thing' }],
    UpdateThing: [{ ...id, Window: 'String', Colour: 'String' }],
  } as const
  const aws = smallServer((operation, thing) =>
    operation === 'GetThing' ? { Thing: { ...thing, Window: thing['Window'] ?? 'sunday' } } : undefined,
  )
  await using world = worldOf(smallService({ operations, shapes: { Thing: told } }), aws)
  const run = world.start()
  await world.create('Thing', 'one', { thingName: 'one', colour: 'red' })
  await world.settle()
  await world.advance(60_000)
  assert.deepEqual(
    aws.calls.filter(call => !call.startsWith('Get')),
    ['CreateThing'],
  )
  assert.equal((await world.condition('Thing', 'one', 'Ready'))?.status, 'True')
  assert.equal(await world.condition('Thing', 'one', 'ACK.Advisory'), undefined)
  await run.stop()
})

test('what AWS chose by itself within a field of the manifest is no update either; what was taken out of it is', async () => {
  const look = structure({ Colour: 'String', Shine: 'String' })
  const told = structure({ ThingName: 'String', ThingArn: 'String', Look: 'Look' })
  const operations = {
    ...own,
    CreateThing: [{ ...id, Look: 'Look' }, { Thing: 'Thing' }],
    UpdateThing: [{ ...id, Look: 'Look' }],
  } as const
  const aws = smallServer((operation, thing) =>
    operation === 'GetThing' ? { Thing: { ...thing, Look: { Shine: 'dull', ...Object(thing['Look']) } } } : undefined,
  )
  await using world = worldOf(smallService({ operations, shapes: { Thing: told, Look: look } }), aws)
  const run = world.start()
  const updates = (): number => aws.calls.filter(call => call === 'UpdateThing').length
  const ready = async (): Promise<unknown> => {
    await world.settle()
    await world.advance(1_000)
    return (await world.condition('Thing', 'one', 'Ready'))?.status
  }
  await world.create('Thing', 'one', { thingName: 'one', look: { colour: 'red' } })
  assert.deepEqual([await ready(), updates()], ['True', 0])
  await world.patch('Thing', 'one', { spec: { look: { colour: 'blue' } } })
  assert.deepEqual([await ready(), updates()], ['True', 1])
  await world.patch('Thing', 'one', { spec: { look: { shine: 'bright' } } })
  assert.deepEqual([await ready(), updates()], ['True', 2])
  assert.equal(await world.condition('Thing', 'one', 'ACK.Advisory'), undefined)
  await world.patch('Thing', 'one', { spec: { look: { shine: null } } })
  await ready()
  assert.equal(updates(), 3)
  await run.stop()
})

test('what was updated and is not shown yet is not Ready, and says which field', async () => {
  const told = structure({ ThingName: 'String', ThingArn: 'String', Colour: 'String' })
  const operations = {
    ...own,
    CreateThing: [{ ...id, Colour: 'String' }, { Thing: 'Thing' }],
    UpdateThing: [{ ...id, Colour: 'String' }],
  } as const
  const old: { colour?: string } = {}
  const aws = smallServer((operation, thing) =>
    operation === 'GetThing' ? { Thing: { ...thing, Colour: old.colour ?? thing['Colour'] } } : undefined,
  )
  await using world = worldOf(smallService({ operations, shapes: { Thing: told } }), aws)
  const run = world.start()
  await world.create('Thing', 'one', { thingName: 'one', colour: 'red' })
  await world.settle()
  await world.advance(10_000)
  old.colour = 'red'
  await world.patch('Thing', 'one', { spec: { colour: 'blue' } })
  await world.settle()
  const waiting = await world.condition('Thing', 'one', 'Ready')
  assert.deepEqual([waiting?.status, waiting?.reason], ['False', 'NotSynced'])
  assert.match(waiting?.message ?? '', /Spec\.Colour/)
  delete old.colour
  await world.advance(10_000)
  assert.equal((await world.condition('Thing', 'one', 'Ready'))?.status, 'True')
  assert.deepEqual(
    aws.calls.filter(call => !call.startsWith('Get')),
    ['CreateThing', 'UpdateThing'],
  )
  await run.stop()
})

test('where a snapshot is named, the resource is made from it', async () => {
  const operations = {
    ...own,
    CreateThing: [{ ...id, Colour: 'String' }, { Thing: 'Thing' }],
    RestoreThing: [{ ...id, '!Snapshot': 'String' }, { Thing: 'Thing' }],
    UpdateThing: [{ ...id, Colour: 'String' }],
  } as const
  const config = 'resources:\n  Thing:\n    fields:\n      Snapshot: {from: {operation: RestoreThing, path: Snapshot}}\n'
  const aws = smallServer()
  await using world = worldOf(smallService({ operations, shapes }, config), aws)
  const run = world.start()
  await world.create('Thing', 'one', { thingName: 'one', snapshot: 'yesterday', colour: 'red' })
  await world.settle()
  await world.advance(10_000)
  assert.deepEqual(
    aws.calls.filter(call => !call.startsWith('Get')),
    ['RestoreThing', 'UpdateThing'],
  )
  assert.equal(aws.things.get('one')?.['Colour'], 'red')
  assert.equal((await world.condition('Thing', 'one', 'Ready'))?.status, 'True')
  await world.patch('Thing', 'one', { spec: { snapshot: 'today' } })
  await world.settle()
  await world.advance(10_000)
  assert.match((await world.condition('Thing', 'one', 'ACK.Terminal'))?.message ?? '', /Spec\.Snapshot/)
  await run.stop()
})

test('the place of a bucket, which only its creation tells, stays in the status', async () => {
  await using world = resourceWorld({ services: ['s3'] })
  const run = world.start()
  await world.create('Bucket', 'data', { name: 'data-1b2c' })
  await world.settle()
  await world.advance(60_000)
  await world.patch('Bucket', 'data', { metadata: { annotations: { [annotations.reconcileAt]: 'now' } } })
  await world.settle()
  assert.equal((await world.get('Bucket', 'data'))?.status?.['location'], '/data-1b2c')
  await run.stop()
})

test('what is adopted by its ARN, and whose read tells no name, gets the name that its ARN ends with', async () => {
  const operations = { ...own, GetThing: [{ '!ThingArn': 'String' }, { ThingArn: 'String' }] } as const
  const aws = smallServer((operation, { ThingArn }) => (operation === 'GetThing' ? { ThingArn } : undefined))
  aws.things.set('one', { ThingName: 'one', ThingArn: arnOf('one') })
  await using world = worldOf(smallService({ operations, shapes }), aws)
  const run = world.start()
  const asked = { [annotations.adoptionPolicy]: 'adopt', [annotations.adoptionFields]: JSON.stringify({ arn: arnOf('one') }) }
  await world.create('Thing', 'one', undefined, { annotations: asked })
  await world.settle()
  await world.advance(10_000)
  assert.equal((await world.get('Thing', 'one'))?.spec?.['thingName'], 'one')
  assert.equal((await world.condition('Thing', 'one', 'Ready'))?.status, 'True')
  await run.stop()
})
