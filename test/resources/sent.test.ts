// What is on record of calls that went out: whose word it is, what it gives away, and what is done by it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { annotations, conditions } from '#operators/resources'
import { structure } from '../../src/crdgen/infer/model.fixture.ts'
import { type ResourceWorld, type ResourceWorldOptions, resourceWorld } from '../../src/operators/resources/testing/world.ts'
import { smallService } from './small-aws.ts'
import { arnOf, smallServer } from './small-server.ts'

const id = { '!ThingName': 'String' }
const shapes = { Thing: structure({ ThingName: 'String', ThingArn: 'String' }) }
const own = {
  CreateThing: [{ ...id, Note: 'String' }, { Thing: 'Thing' }],
  GetThing: [id, { Thing: 'Thing' }],
  UpdateThing: [{ ...id, Note: 'String' }],
  DeleteThing: [id],
} as const

async function rests(world: ResourceWorld): Promise<void> {
  await world.settle()
  for (let times = 0; times < 4; times++) await world.advance(70_000)
}

function worldOf(options: Pick<ResourceWorldOptions, 'services' | 'objects' | 'throughAws' | 'secrets'>): ResourceWorld {
  return resourceWorld(options)
}

async function sentOn(world: ResourceWorld, name: string): Promise<string> {
  return (await world.condition('Thing', name, conditions.sent))?.message ?? ''
}

test('a record that its author forges is not believed: what he says was sent goes out [S20]', async () => {
  const service = smallService({ operations: own, shapes })
  const aws = smallServer()
  await using world = worldOf({ services: [service.service], objects: [...service.crds], throughAws: aws.through })
  const run = world.start()
  await world.create('Thing', 'first', { thingName: 'other', note: 'new' })
  await world.create('Thing', 'second', { thingName: 'one', note: 'old' })
  await rests(world)
  const sent = await sentOn(world, 'first')
  assert.notEqual(sent, '')
  const forged = [{ type: conditions.sent, status: 'True', reason: 'Sent', message: sent }]
  await world.patch('Thing', 'second', {
    spec: { note: 'new' },
    metadata: { annotations: { 'services.k8s.aws/sent': sent } },
    status: { conditions: forged },
  })
  await rests(world)
  assert.equal(aws.things.get('one')?.['Note'], 'new')
  assert.equal((await world.condition('Thing', 'second', 'Ready'))?.status, 'True')
  // Nor of what is made: a manifest that comes with a status has none.
  await world.kube.create(world.typeOf('Thing'), {
    apiVersion: 'small.services.k8s.aws/v1alpha1',
    kind: 'Thing',
    metadata: {
      namespace: 'default',
      name: 'third',
      annotations: { [annotations.adoptionPolicy]: 'adopt-or-create', [annotations.adoptionFields]: '{"thingName":"theirs"}' },
    },
    spec: { thingName: 'theirs', note: 'new' },
    status: { conditions: forged },
  } as never)
  aws.things.set('theirs', { ThingName: 'theirs', ThingArn: arnOf('theirs'), Note: 'old' })
  await rests(world)
  assert.equal((await world.condition('Thing', 'third', 'ACK.Advisory'))?.reason, 'NotReadable')
  await run.stop()
})

test('what stands on the object of a value from a Secret is keyed with what only readers of the Secret know', async () => {
  const service = smallService(
    {
      operations: {
        ...own,
        CreateThing: [{ ...id, Passwords: 'Strings' }, { Thing: 'Thing' }],
        UpdateThing: [{ ...id, Passwords: 'Strings' }],
      },
      shapes,
    },
    'resources:\n  Thing:\n    fields:\n      Passwords: {is_secret: true}\n',
  )
  const written: string[] = []
  for (const uid of ['a', 'b']) {
    const aws = smallServer()
    await using world = worldOf({
      services: [service.service],
      objects: [...service.crds, secretOf('pin', '1234', uid)],
      throughAws: aws.through,
      secrets: ['default/pin'],
    })
    const run = world.start()
    await world.create('Thing', 'one', { thingName: 'one', passwords: [{ name: 'pin', key: 'value' }] })
    await rests(world)
    assert.deepEqual(aws.things.get('one')?.['Passwords'], ['1234'])
    written.push(await sentOn(world, 'one'))
    await run.stop()
  }
  assert.notEqual(written[0], written[1], 'the same value of two Secrets shows as two')
})

test('a list of Secrets that is rotated goes out again', async () => {
  const service = smallService(
    {
      operations: {
        ...own,
        CreateThing: [{ ...id, Passwords: 'Strings' }, { Thing: 'Thing' }],
        UpdateThing: [{ ...id, Passwords: 'Strings' }],
      },
      shapes,
    },
    'resources:\n  Thing:\n    fields:\n      Passwords: {is_secret: true, compare: {is_ignored: true}}\n',
  )
  const aws = smallServer()
  await using world = worldOf({
    services: [service.service],
    objects: [...service.crds, secretOf('pin', '1234', 'a')],
    throughAws: aws.through,
    secrets: ['default/pin'],
  })
  const run = world.start()
  await world.create('Thing', 'one', { thingName: 'one', passwords: [{ name: 'pin', key: 'value' }] })
  await rests(world)
  const data = { value: Buffer.from('5678').toString('base64') }
  await world.kube.patch(secretType, { namespace: 'default', name: 'pin' }, 'merge', { data })
  await rests(world)
  assert.deepEqual(aws.things.get('one')?.['Passwords'], ['5678'])
  assert.equal((await world.condition('Thing', 'one', 'Ready'))?.status, 'True')
  await run.stop()
})

const both = {
  ...own,
  PutThingLook: [{ ...id, Colour: 'String', Shine: 'String' }],
  GetThingLook: [id, { Colour: 'String', Shine: 'String' }],
  DeleteThingLook: [id],
} as const
const bothConfig =
  'resources:\n  Thing:\n    fields:\n      Colour: {from: {operation: PutThingLook, path: Colour}}\n      Shine: {from: {operation: PutThingLook, path: Shine}}\n'

test('of two fields that one call sets, one that is taken out is put away with the other, which stays', async () => {
  const service = smallService({ operations: both, shapes }, bothConfig)
  const aws = smallServer()
  await using world = worldOf({ services: [service.service], objects: [...service.crds], throughAws: aws.through })
  const run = world.start()
  await world.create('Thing', 'one', { thingName: 'one', colour: 'red', shine: 'matt' })
  await rests(world)
  assert.deepEqual(aws.things.get('one')?.['Look'], { Colour: 'red', Shine: 'matt' })
  aws.calls.length = 0
  await world.patch('Thing', 'one', { spec: { shine: null } })
  await rests(world)
  assert.deepEqual(aws.things.get('one')?.['Look'], { Colour: 'red' })
  assert.deepEqual(
    aws.calls.filter(call => !call.startsWith('Get')),
    ['PutThingLook'],
  )
  await run.stop()
})

test('a part that was taken out of the manifest and cannot be looked at is no reason to be Ready', async () => {
  const service = smallService({ operations: both, shapes }, bothConfig)
  const aws = smallServer()
  await using world = worldOf({ services: [service.service], objects: [...service.crds], throughAws: aws.through })
  const run = world.start()
  await world.create('Thing', 'one', { thingName: 'one', colour: 'red' })
  await rests(world)
  aws.denied.add('GetThingLook')
  await world.patch('Thing', 'one', { spec: { colour: null } })
  await rests(world)
  assert.deepEqual(aws.things.get('one')?.['Look'], { Colour: 'red' })
  assert.notEqual((await world.condition('Thing', 'one', 'Ready'))?.status, 'True')
  aws.denied.clear()
  await rests(world)
  assert.equal(aws.things.get('one')?.['Look'], undefined)
  assert.equal((await world.condition('Thing', 'one', 'Ready'))?.status, 'True')
  await run.stop()
})

const secretType = { group: '', version: 'v1', kind: 'Secret', plural: 'secrets', namespaced: true } as const

function secretOf(
  name: string,
  value: string,
  uid: string,
): { apiVersion: string; kind: string; metadata: { name: string; namespace: string; uid: string } } {
  const data = { value: Buffer.from(value).toString('base64') }
  return { apiVersion: 'v1', kind: 'Secret', type: 'Opaque', metadata: { namespace: 'default', name, uid }, data } as never
}
