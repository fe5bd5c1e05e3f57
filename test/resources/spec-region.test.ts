// 9.16, 9.18: a region in the spec, and generations in the status, of kinds that were made with a place for them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { HttpExchange } from '#base'
import { crdOf, resourceService } from '#crdgen'
import { annotations, type ServiceWithKinds } from '#operators/resources'
import { inferSmall, structure } from '../../src/crdgen/infer/model.fixture.ts'
import { resourceWorld } from '../../src/operators/resources/testing/world.ts'
import { smallServer } from './small-server.ts'

const id = { '!ThingName': 'String' }
const operations = {
  CreateThing: [{ ...id, Note: 'String' }, { Thing: 'Thing' }],
  GetThing: [id, { Thing: 'Thing' }],
  UpdateThing: [{ ...id, Note: 'String' }],
  DeleteThing: [id],
} as const

function serviceOf(config: string, mode: 'current' | 'extended'): ServiceWithKinds {
  const service = inferSmall({ operations, shapes: { Thing: structure({ ThingName: 'String', ThingArn: 'String' }) } }, config)
  return {
    service: resourceService(service, { kinds: service.kinds, madeOf: { model: '', config: '', program: '' } }),
    crds: service.kinds.map(kind => crdOf(service, kind, mode)) as unknown as ServiceWithKinds['crds'],
  }
}

test('calls go to the region that the spec names, before every annotation; no call carries it, and it stays [9.18]', async () => {
  const { service, crds } = serviceOf('resources:\n  Thing:\n    region_in_spec: true\n', 'current')
  const aws = smallServer()
  const regions = new Set<string | undefined>()
  const throughAws = (exchange: HttpExchange): HttpExchange => {
    const inner = aws.through(exchange)
    return request => {
      if (String(request.headers['x-amz-target'] ?? '').startsWith('Small.'))
        regions.add(/Credential=[^/]+\/\d+\/([^/]+)/.exec(String(request.headers['authorization']))?.[1])
      return inner(request)
    }
  }
  await using world = resourceWorld({ services: [service], objects: [...crds], throughAws })
  const run = world.start()
  const elsewhere = { [annotations.region]: 'us-west-2' }
  await world.create('Thing', 'one', { thingName: 'one', note: 'a', region: 'eu-central-1' }, { annotations: elsewhere })
  await world.settle()
  for (let times = 0; times < 4; times++) await world.advance(70_000)
  assert.deepEqual([...regions], ['eu-central-1'])
  assert.equal(aws.things.get('one')?.['Region'], undefined)
  assert.equal((await world.get('Thing', 'one'))?.status?.ackResourceMetadata?.region, 'eu-central-1')
  assert.equal((await world.condition('Thing', 'one', 'Ready'))?.status, 'True')
  await assert.rejects(world.patch('Thing', 'one', { spec: { region: 'us-west-2' } }), /immutable/)
  await world.remove('Thing', 'one')
  for (let times = 0; times < 2; times++) await world.advance(70_000)
  assert.equal(aws.things.size, 0)
  await run.stop()
})

test('the status says of which generation it is, where the kind has a place for it [9.16]', async () => {
  const { service, crds } = serviceOf('', 'extended')
  const aws = smallServer()
  await using world = resourceWorld({
    services: [service],
    objects: [...crds],
    throughAws: aws.through,
    conditionGenerations: true,
  })
  const run = world.start()
  await world.create('Thing', 'one', { thingName: 'one', note: 'a' })
  for (let times = 0; times < 3; times++) await world.advance(70_000)
  const generationOf = async (): Promise<readonly unknown[]> => {
    const object = await world.get('Thing', 'one')
    return [object?.metadata.generation, object?.status?.['observedGeneration']]
  }
  assert.deepEqual(await generationOf(), [1, 1])
  await world.patch('Thing', 'one', { spec: { note: 'b' } })
  for (let times = 0; times < 3; times++) await world.advance(70_000)
  assert.deepEqual(await generationOf(), [2, 2])
  assert.equal(aws.things.get('one')?.['Note'], 'b')
  const before = (await world.get('Thing', 'one'))?.metadata.resourceVersion
  await world.advance(40_000_000)
  assert.equal((await world.get('Thing', 'one'))?.metadata.resourceVersion, before)
  await run.stop()
})
