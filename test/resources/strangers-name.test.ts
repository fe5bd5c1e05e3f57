// A service that answers a create call with what is there already under the name, as SQS does: it may be somebody else's.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { resourceWorld } from '../../src/operators/resources/testing/world.ts'
import { smallService } from './small-aws.ts'
import { absentThing, type Input, json, throughSmall } from './small-server.ts'

const service = smallService({
  operations: {
    CreateThing: [{ '!ThingName': 'String', Colour: 'String', Tags: 'StringMap' }, { ThingUrl: 'String' }],
    GetThing: [{ '!ThingUrl': 'String' }, { ThingUrl: 'String', Colour: 'String', Tags: 'StringMap' }],
    UpdateThing: [{ '!ThingUrl': 'String', Colour: 'String' }],
    DeleteThing: [{ '!ThingUrl': 'String' }],
  },
})

test('what a stranger made under the same name is told, and neither changed nor deleted', async () => {
  const theirs: Input = { ThingUrl: 'https://small/jobs', Colour: 'blue', Tags: { team: 'theirs' } }
  const things = new Map<string, Input>([['https://small/jobs', theirs]])
  const calls: string[] = []
  const throughAws = throughSmall((operation, input) => {
    calls.push(operation)
    const url = typeof input['ThingName'] === 'string' ? `https://small/${input['ThingName']}` : String(input['ThingUrl'])
    if (operation === 'CreateThing') {
      if (!things.has(url)) things.set(url, { ...input, ThingUrl: url })
      return json(200, { ThingUrl: url })
    }
    const thing = things.get(url)
    if (thing === undefined) return absentThing
    if (operation === 'DeleteThing') things.delete(url)
    if (operation === 'UpdateThing') things.set(url, { ...thing, ...input })
    return json(200, thing)
  })
  await using world = resourceWorld({ services: [service.service], objects: [...service.crds], throughAws })
  const run = world.start()
  await world.create('Thing', 'jobs', { thingName: 'jobs', colour: 'red' })
  await world.create('Thing', 'own', { thingName: 'own', colour: 'red' })
  for (let times = 0; times < 30; times++) await world.advance(60_000)
  assert.equal((await world.condition('Thing', 'own', 'Ready'))?.status, 'True')
  assert.equal((await world.condition('Thing', 'jobs', 'Ready'))?.status, 'False')
  const told = await world.condition('Thing', 'jobs', 'ACK.Terminal')
  assert.deepEqual([told?.status, told?.reason], ['True', 'ResourceExists'])
  await world.remove('Thing', 'jobs')
  for (let times = 0; times < 5; times++) await world.advance(70_000)
  assert.equal(await world.get('Thing', 'jobs'), undefined)
  assert.deepEqual(things.get('https://small/jobs'), theirs)
  assert.deepEqual(
    calls.filter(call => call === 'UpdateThing' || call === 'DeleteThing'),
    [],
  )
  await run.stop()
})
