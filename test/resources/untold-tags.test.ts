// Tags that AWS tells in a place of their own, in a structure around them, or not at all: the mark among them is believed only where AWS told it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { HttpResponse } from '#base'
import { type SmallModel, structure } from '../../src/crdgen/infer/model.fixture.ts'
import { type ResourceWorld, resourceWorld } from '../../src/operators/resources/testing/world.ts'
import { smallService } from './small-aws.ts'
import { absentThing, arnOf, type Input, json, throughSmall } from './small-server.ts'

type Thing = Record<string, unknown>
type Tags = Readonly<Record<string, string>>

const id = { '!ThingName': 'String' }
const made: SmallModel['operations'] = {
  CreateThing: [{ ...id, Colour: 'String', Tags: 'StringMap' }, {}],
  GetThing: [id, { Thing: 'Thing' }],
  DeleteThing: [id],
}
const tagged: SmallModel['operations'] = {
  TagResource: [{ '!ResourceArn': 'String', '!Tags': 'StringMap' }],
  UntagResource: [{ '!ResourceArn': 'String', '!TagKeys': 'Strings' }],
}
const listed: SmallModel['operations'] = { ListTagsForResource: [{ '!ResourceArn': 'String' }, { TagInfo: 'TagInfo' }] }
const shapes = {
  Thing: structure({ ThingName: 'String', ThingArn: 'String', Colour: 'String' }),
  TagInfo: structure({ ResourceArn: 'String', TagList: 'TagList' }),
  TagList: { type: 'list', member: { shape: 'Tag' } },
  Tag: structure({ Key: 'String', Value: 'String' }),
}

interface Small {
  readonly world: ResourceWorld
  readonly things: Map<string, Thing>
  readonly calls: string[]
  /** What is answered in the place of what is there. */
  readonly answers: Map<string, HttpResponse>
}

/** An AWS that keeps tags with a thing, and tells them only by `ListTagsForResource`. */
async function withThings(operations: SmallModel['operations'], then: (small: Small) => Promise<void>): Promise<void> {
  const service = smallService({ operations: { ...made, ...operations }, shapes })
  const [things, calls, answers] = [new Map<string, Thing>(), [] as string[], new Map<string, HttpResponse>()]
  const answer = (operation: string, input: Input): HttpResponse => {
    calls.push(operation)
    const { ThingName, ResourceArn } = input
    const name = typeof ThingName === 'string' ? ThingName : (String(ResourceArn).split('/').at(-1) ?? '')
    if (operation === 'CreateThing') things.set(name, { ...input, ThingArn: arnOf(name) })
    const thing = things.get(name)
    if (thing === undefined) return absentThing
    const { Tags: held, ...shown } = thing as Thing & { readonly Tags?: Tags }
    const tagList = Object.entries(held ?? {}).map(([Key, Value]) => ({ Key, Value }))
    if (operation === 'DeleteThing') things.delete(name)
    if (operation === 'TagResource') thing['Tags'] = { ...held, ...(input['Tags'] as Tags) }
    const said = operation === 'GetThing' ? { Thing: shown } : { TagInfo: { TagList: tagList } }
    return answers.get(operation) ?? json(200, operation.startsWith('Get') || operation.startsWith('List') ? said : {})
  }
  await using world = resourceWorld({
    services: [service.service],
    objects: [...service.crds],
    throughAws: throughSmall(answer),
  })
  const run = world.start()
  await then({ world, things, calls, answers })
  await run.stop()
}

async function rests({ world }: Small): Promise<void> {
  for (let times = 0; times < 10; times++) await world.advance(70_000)
}

async function readyOf({ world }: Small, name: string): Promise<string | undefined> {
  return (await world.condition('Thing', name, 'Ready'))?.status
}

/** What AWS has as a tag of ours. */
function teamOf({ things }: Small): string | undefined {
  const { Tags: held } = (things.get('own') ?? {}) as { readonly Tags?: Tags }
  return held?.['team']
}

test("a stranger's resource, of which no tag is told, is neither taken over nor deleted", async () => {
  await withThings({}, async small => {
    const theirs = { ThingName: 'jobs', ThingArn: arnOf('jobs'), Colour: 'red', Tags: { team: 'theirs' } }
    small.things.set('jobs', theirs)
    await small.world.create('Thing', 'jobs', { thingName: 'jobs', colour: 'red' })
    await small.world.create('Thing', 'own', { thingName: 'own', colour: 'red' })
    await rests(small)
    assert.deepEqual([await readyOf(small, 'own'), await readyOf(small, 'jobs')], ['True', 'False'])
    assert.equal((await small.world.condition('Thing', 'jobs', 'ACK.Terminal'))?.reason, 'ResourceExists')
    for (const name of ['jobs', 'own']) await small.world.remove('Thing', name)
    await rests(small)
    assert.deepEqual([await small.world.get('Thing', 'jobs'), await small.world.get('Thing', 'own')], [undefined, undefined])
    assert.deepEqual([...small.things.values()], [theirs])
  })
})

test('an adoption by a tag takes nothing whose tags nobody tells', async () => {
  await withThings({}, async small => {
    small.things.set('jobs', { ThingName: 'jobs', ThingArn: arnOf('jobs'), Colour: 'red', Tags: { team: 'theirs' } })
    const annotations = { 'services.k8s.aws/adoption-policy': 'adopt-or-create', 'services.k8s.aws/adoption-tag': 'team' }
    await small.world.create('Thing', 'jobs', { thingName: 'jobs', colour: 'red', tags: { team: 'ours' } }, { annotations })
    await rests(small)
    assert.equal(await readyOf(small, 'jobs'), 'False')
  })
})

test('tags that nobody tells are sent when the manifest changes them, and said to be NotUpdatable where nothing takes them', async () => {
  await withThings(tagged, async small => {
    await small.world.create('Thing', 'own', { thingName: 'own', tags: { team: 'one' } })
    await rests(small)
    await small.world.patch('Thing', 'own', { spec: { tags: { team: 'two' } } })
    await rests(small)
    assert.equal(teamOf(small), 'two')
    assert.equal(await readyOf(small, 'own'), 'True')
    assert.equal(small.calls.filter(call => call === 'TagResource').length, 1)
  })
  await withThings({}, async small => {
    await small.world.create('Thing', 'own', { thingName: 'own', tags: { team: 'one' } })
    await rests(small)
    await small.world.patch('Thing', 'own', { spec: { tags: { team: 'two' } } })
    await rests(small)
    assert.equal(await readyOf(small, 'own'), 'False')
    assert.match((await small.world.condition('Thing', 'own', 'Ready'))?.message ?? '', /Tags/)
  })
})

test('tags within a structure of their answer are read: the mark is found, and what somebody else changed is put right', async () => {
  await withThings({ ...tagged, ...listed }, async small => {
    await small.world.create('Thing', 'own', { thingName: 'own', tags: { team: 'one' } })
    await rests(small)
    assert.equal(await readyOf(small, 'own'), 'True')
    const thing = small.things.get('own') ?? {}
    thing['Tags'] = { ...(thing['Tags'] as Tags), team: 'other' }
    await small.world.patch('Thing', 'own', { metadata: { annotations: { 'services.k8s.aws/reconcile-at': 'now' } } })
    await rests(small)
    assert.equal(teamOf(small), 'one')
  })
})

test('what is there is not gone since its tags are not found: it is told, and a deletion deletes it', async () => {
  await withThings({ ...tagged, ...listed }, async small => {
    small.answers.set('ListTagsForResource', json(404, { __type: 'ResourceNotFoundException', message: 'not found' }))
    await small.world.create('Thing', 'own', { thingName: 'own', colour: 'red' })
    await rests(small)
    assert.equal(await readyOf(small, 'own'), 'False')
    assert.match((await small.world.condition('Thing', 'own', 'Ready'))?.message ?? '', /asked for its tags/)
    assert.equal(small.calls.filter(call => call === 'CreateThing').length, 1)
    await small.world.remove('Thing', 'own')
    await rests(small)
    assert.deepEqual([await small.world.get('Thing', 'own'), small.things.size], [undefined, 0])
  })
})
