// A create call that one process began and another has to know of. AWS chooses the id and takes no token, so that a second call would make a
// second resource, and nobody would look after the first.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { HttpExchange } from '#base'
import { type EventObject, events } from '#kube'
import { structure } from '../../src/crdgen/infer/model.fixture.ts'
import { type ResourceWorld, resourceWorld } from '../../src/operators/resources/testing/world.ts'
import { smallService } from './small-aws.ts'
import { absentThing, type Input, json, throughSmall } from './small-server.ts'

const marked = smallService({
  operations: {
    CreateThing: [
      { Colour: 'String', Tags: 'StringMap' },
      { ThingId: 'String', Colour: 'String' },
    ],
    GetThing: [{ '!ThingId': 'String' }, { ThingId: 'String', Colour: 'String', Tags: 'StringMap' }],
    ListThings: [{}, { Things: 'Things' }],
    DeleteThing: [{ '!ThingId': 'String' }],
  },
  shapes: {
    Things: { type: 'list', member: { shape: 'Thing' } },
    Thing: structure({ ThingId: 'String', Colour: 'String' }),
  },
})
const unmarked = smallService({
  operations: {
    CreateThing: [{ Colour: 'String' }, { ThingId: 'String', Colour: 'String' }],
    GetThing: [{ '!ThingId': 'String' }, { ThingId: 'String', Colour: 'String' }],
    DeleteThing: [{ '!ThingId': 'String' }],
  },
})

interface Chosen {
  readonly things: Map<string, Input>
  readonly calls: string[]
  readonly through: (exchange: HttpExchange) => HttpExchange
}

/** An AWS that chooses ids. */
function choosing(answered: (operation: string) => Promise<void>): Chosen {
  const things = new Map<string, Input>()
  const calls: string[] = []
  const small = throughSmall((operation, input) => {
    calls.push(operation)
    if (operation === 'ListThings')
      return json(200, { Things: [...things.values()].map(({ ThingId, Colour }) => ({ ThingId, Colour })) })
    const id = typeof input['ThingId'] === 'string' ? input['ThingId'] : `t-${things.size + 1}`
    if (operation === 'CreateThing') things.set(id, { ...input, ThingId: id })
    const thing = things.get(id)
    if (thing === undefined) return absentThing
    if (operation === 'DeleteThing') things.delete(id)
    return json(200, thing)
  })
  const through = (exchange: HttpExchange): HttpExchange => {
    const inner = small(exchange)
    return async request => {
      const answer = await inner(request)
      const target = String(request.headers['x-amz-target'] ?? '')
      if (target.startsWith('Small.')) await answered(target.slice('Small.'.length))
      return answer
    }
  }
  return { things, calls, through }
}

async function rests(world: ResourceWorld): Promise<void> {
  await world.settle()
  for (let times = 0; times < 4; times++) await world.advance(70_000)
}

/** Ids of AWS's choice, no tags, no token: and a list that tells what there is. */
const listed = smallService({
  operations: {
    CreateThing: [
      { '!Colour': 'String', Note: 'String' },
      { ThingId: 'String', Colour: 'String' },
    ],
    GetThing: [{ '!ThingId': 'String' }, { ThingId: 'String', Colour: 'String', Note: 'String' }],
    ListThings: [{}, { Things: 'Things' }],
    DeleteThing: [{ '!ThingId': 'String' }],
  },
  shapes: {
    Things: { type: 'list', member: { shape: 'Thing' } },
    Thing: structure({ ThingId: 'String', Colour: 'String' }),
  },
})

/** Tags are taken at the creation, and nothing tells them. */
const unreadable = smallService({
  operations: {
    CreateThing: [
      { '!Colour': 'String', Tags: 'StringMap' },
      { ThingId: 'String', Colour: 'String' },
    ],
    GetThing: [{ '!ThingId': 'String' }, { ThingId: 'String', Colour: 'String' }],
    ListThings: [{}, { Things: 'Things' }],
    DeleteThing: [{ '!ThingId': 'String' }],
  },
  shapes: {
    Things: { type: 'list', member: { shape: 'Thing' } },
    Thing: structure({ ThingId: 'String', Colour: 'String' }),
  },
})

function losing(): Chosen {
  let isLost = true
  return choosing(operation => {
    if (operation !== 'CreateThing' || !isLost) return Promise.resolve()
    isLost = false
    return Promise.reject(new Error('the connection broke'))
  })
}

/** An object whose create call is sent, and of whose answer the process that sent it tells nobody. */
async function createAndStop(world: ResourceWorld): Promise<void> {
  const first = world.start()
  await world.create('Thing', 'one', { colour: 'red' })
  await world.settle()
  await first.stop()
}

test('what nothing marks is told by what was there before the call whose answer is lost', async () => {
  const aws = losing()
  aws.things.set('t-1', { ThingId: 't-1', Colour: 'red' })
  await using world = resourceWorld({ services: [listed.service], objects: [...listed.crds], throughAws: aws.through })
  const first = world.start()
  await world.create('Thing', 'one', { colour: 'red', note: 'mine' })
  await world.settle()
  await first.stop()
  aws.things.set('t-3', { ThingId: 't-3', Colour: 'blue' })
  const second = world.start()
  await rests(world)
  assert.deepEqual([...aws.things.keys()], ['t-1', 't-2', 't-3'])
  assert.equal((await world.get('Thing', 'one'))?.status?.['thingID'], 't-2')
  assert.equal((await world.condition('Thing', 'one', 'Ready'))?.status, 'True')
  await world.remove('Thing', 'one')
  await rests(world)
  assert.deepEqual([...aws.things.keys()], ['t-1', 't-3'])
  await second.stop()
})

test('a mark that no look shows is no proof: what bears it is told by what was there before the call', async () => {
  const aws = losing()
  aws.things.set('t-1', { ThingId: 't-1', Colour: 'red' })
  await using world = resourceWorld({ services: [unreadable.service], objects: [...unreadable.crds], throughAws: aws.through })
  await createAndStop(world)
  const second = world.start()
  await rests(world)
  assert.deepEqual([...aws.things.keys()], ['t-1', 't-2'])
  assert.equal((await world.get('Thing', 'one'))?.status?.['thingID'], 't-2')
  await second.stop()
})

test('what no list of all there are has was not made, and its object goes', async () => {
  const aws = choosing(() => Promise.resolve())
  const through = (exchange: HttpExchange): HttpExchange => {
    const open = aws.through(exchange)
    return request => {
      const isLost = String(request.headers['x-amz-target'] ?? '') === 'Small.CreateThing'
      return isLost ? Promise.reject(new Error('the connection broke')) : open(request)
    }
  }
  await using world = resourceWorld({ services: [listed.service], objects: [...listed.crds], throughAws: through })
  await createAndStop(world)
  await world.remove('Thing', 'one')
  const second = world.start()
  await rests(world)
  assert.equal(await world.get('Thing', 'one'), undefined)
  await second.stop()
})

test('a call of which nobody knows whether it went out is waited for no longer than AWS may take to show what it made', async () => {
  const aws = choosing(() => Promise.resolve())
  let isCut = true
  const through = (exchange: HttpExchange): HttpExchange => {
    const open = aws.through(exchange)
    return request => {
      const isLost = isCut && String(request.headers['x-amz-target'] ?? '') === 'Small.CreateThing'
      return isLost ? Promise.reject(new Error('the connection broke')) : open(request)
    }
  }
  await using world = resourceWorld({ services: [listed.service], objects: [...listed.crds], throughAws: through })
  await createAndStop(world)
  isCut = false
  const second = world.start()
  await world.settle()
  await world.advance(55_000)
  assert.deepEqual([...aws.things.keys()], [])
  await world.advance(7_000)
  assert.deepEqual([...aws.things.keys()], ['t-1'])
  await second.stop()
})

test('where no list tells what a lost create call made, the object says that there may be two', async () => {
  const aws = losing()
  await using world = resourceWorld({ services: [unmarked.service], objects: [...unmarked.crds], throughAws: aws.through })
  await createAndStop(world)
  const told = async (): Promise<readonly string[]> =>
    (await world.kube.list<EventObject>(events, { namespace: 'default' })).items.map(({ reason }) => reason)
  assert.deepEqual(
    (await told()).filter(reason => reason === 'MaybeMadeTwice'),
    [],
  )
  const second = world.start()
  await rests(world)
  assert.deepEqual([...aws.things.keys()], ['t-1', 't-2'])
  assert.deepEqual(
    (await told()).filter(reason => reason === 'MaybeMadeTwice'),
    ['MaybeMadeTwice'],
  )
  await second.stop()
})

test('what goes before anybody knew what its create call made goes with what it made', async () => {
  const aws = losing()
  await using world = resourceWorld({ services: [listed.service], objects: [...listed.crds], throughAws: aws.through })
  await createAndStop(world)
  await world.remove('Thing', 'one')
  const second = world.start()
  await rests(world)
  assert.deepEqual([...aws.things.keys()], [])
  await second.stop()
})

test('what may have been made and can be found by nothing is not let go; the object says so, and goes when it is to be retained', async () => {
  const aws = losing()
  await using world = resourceWorld({ services: [unmarked.service], objects: [...unmarked.crds], throughAws: aws.through })
  await createAndStop(world)
  await world.remove('Thing', 'one')
  const second = world.start()
  await rests(world)
  assert.match(
    (await world.condition('Thing', 'one', 'ACK.Recoverable'))?.message ?? '',
    /may have been, and nothing is known by/,
  )
  assert.deepEqual([...aws.things.keys()], ['t-1'])
  await world.patch('Thing', 'one', { metadata: { annotations: { 'services.k8s.aws/deletion-policy': 'retain' } } })
  await rests(world)
  assert.equal(await world.get('Thing', 'one'), undefined)
  await second.stop()
})

test('what AWS refused to make keeps no object', async () => {
  const refused = throughSmall(() => json(400, { __type: 'ValidationException', message: 'no such colour' }))
  await using world = resourceWorld({ services: [unmarked.service], objects: [...unmarked.crds], throughAws: refused })
  const run = world.start()
  await world.create('Thing', 'one', { colour: 'plaid' })
  await rests(world)
  await world.remove('Thing', 'one')
  await rests(world)
  assert.equal(await world.get('Thing', 'one'), undefined)
  await run.stop()
})

test('of two that a lost create call may have made none is taken, and the object names both', async () => {
  const aws = losing()
  await using world = resourceWorld({ services: [listed.service], objects: [...listed.crds], throughAws: aws.through })
  await createAndStop(world)
  aws.things.set('t-7', { ThingId: 't-7', Colour: 'red' })
  const second = world.start()
  await rests(world)
  assert.match((await world.condition('Thing', 'one', 'ACK.Recoverable'))?.message ?? '', /t-1, t-7/)
  assert.deepEqual([...aws.things.keys()], ['t-1', 't-7'])
  await second.stop()
})

test('a create call that is under way when the process stops is answered, and what it made is in the status', async () => {
  const held = Promise.withResolvers<void>()
  const aws = choosing(operation => (operation === 'CreateThing' ? held.promise : Promise.resolve()))
  await using world = resourceWorld({ services: [unmarked.service], objects: [...unmarked.crds], throughAws: aws.through })
  const first = world.start()
  await world.create('Thing', 'one', { colour: 'red' })
  await world.settle()
  assert.equal(aws.calls.at(-1), 'CreateThing')
  const stopped = first.stop()
  held.resolve()
  await stopped
  assert.equal((await world.get('Thing', 'one'))?.status?.['thingID'], 't-1')
  const second = world.start()
  await rests(world)
  assert.deepEqual([...aws.things.keys()], ['t-1'])
  assert.equal((await world.condition('Thing', 'one', 'Ready'))?.status, 'True')
  await second.stop()
})

test('what a create call made whose answer is lost is found by its mark, among others, and none is made beside it', async () => {
  let isLost = true
  const aws = choosing(operation => {
    if (operation !== 'CreateThing' || !isLost) return Promise.resolve()
    isLost = false
    return Promise.reject(new Error('the connection broke'))
  })
  aws.things.set('t-1', { ThingId: 't-1', Colour: 'red', Tags: {} })
  await using world = resourceWorld({ services: [marked.service], objects: [...marked.crds], throughAws: aws.through })
  const run = world.start()
  await world.create('Thing', 'one', { colour: 'red' })
  await rests(world)
  assert.deepEqual([...aws.things.keys()], ['t-1', 't-2'])
  assert.equal((await world.get('Thing', 'one'))?.status?.['thingID'], 't-2')
  assert.equal((await world.condition('Thing', 'one', 'Ready'))?.status, 'True')
  await world.remove('Thing', 'one')
  await rests(world)
  assert.deepEqual([...aws.things.keys()], ['t-1'])
  await run.stop()
})
