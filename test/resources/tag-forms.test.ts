// Tags in the forms that services have for them, each after one that a real service has: what is sent, what is asked, and what is said where
// nobody can ask. The random kinds of the simulator found each of these.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { resourceService } from '#crdgen'
import { inferSmall, type SmallModel, structure } from '../../src/crdgen/infer/model.fixture.ts'
import {
  answerOf,
  type KindModel,
  kindModel,
  showsTags,
  tagCalls,
  tagListOperation,
} from '../../src/operators/resources/testing/model-parts.ts'
import { resourceWorld } from '../../src/operators/resources/testing/world.ts'
import { smallService } from './small-aws.ts'
import { absentThing, arnOf, json, throughSmall } from './small-server.ts'

type Operations = SmallModel['operations']

const shapes: NonNullable<SmallModel['shapes']> = {
  Tags: { type: 'list', member: { shape: 'Tag' } },
  Tag: structure({ '!Key': 'String', Value: 'String' }),
}

function thing(operations: Operations, told: Readonly<Record<string, string>> = { ThingArn: 'String' }): KindModel {
  const inferred = inferSmall({
    operations: {
      CreateThing: [{ '!ThingName': 'String', Tags: 'Tags' }, told],
      GetThing: [{ '!ThingName': 'String' }, { ThingName: 'String', ...told }],
      DeleteThing: [{ '!ThingName': 'String' }],
      ...operations,
    },
    shapes,
  })
  const service = resourceService(inferred, { kinds: inferred.kinds, madeOf: { model: '', config: '', program: '' } })
  const kind = service.kinds['Thing']
  assert.ok(kind)
  return kindModel(service, kind)
}

const arn = arnOf('a')
const id = { '!ResourceArn': 'String' }

/** One tag is changed and one taken away. */
function changes(model: KindModel): readonly unknown[] | undefined {
  const content = (tags: readonly object[]): Parameters<typeof tagCalls>[1]['latest'] => ({
    spec: { thingName: 'a', tags },
    status: {},
    arn,
  })
  const wanted = content([{ key: 'team', value: 'two' }])
  const latest = content([
    { key: 'team', value: 'one' },
    { key: 'cost', value: 'x' },
  ])
  return tagCalls(model, { wanted, latest })?.map(({ operation, input }) => [operation, input])
}

for (const [tag, untag] of [
  ['AddTags', 'RemoveTags'],
  ['AddTags', 'DeleteTags'],
  ['CreateTags', 'DeleteTags'],
] as const)
  test(`tags are changed by ${tag} and ${untag}, whoever may need them`, () => {
    const model = thing({ [tag]: [{ ...id, '!Tags': 'Tags' }], [untag]: [{ ...id, '!TagKeys': 'Strings' }] })
    assert.deepEqual(changes(model), [
      [untag, { ResourceArn: arn, TagKeys: ['cost'] }],
      [tag, { ResourceArn: arn, Tags: [{ Key: 'team', Value: 'two' }] }],
    ])
  })

test('what takes tags away by structures gets structures, with the key alone', () => {
  const model = thing({
    TagThing: [{ '!ThingArn': 'String', '!Tags': 'Tags' }],
    UntagThing: [{ '!ThingArn': 'String', '!Tags': 'Tags' }],
  })
  assert.deepEqual(changes(model), [
    ['UntagThing', { ThingArn: arn, Tags: [{ Key: 'cost' }] }],
    ['TagThing', { ThingArn: arn, Tags: [{ Key: 'team', Value: 'two' }] }],
  ])
})

const empty = { spec: {}, status: {} }

test('an ARN that answers call ResourceArn is the own one where tags are asked for by that name, and another’s where the creation names a resource', () => {
  const told = { ResourceArn: 'String' }
  const arnIn = (model: KindModel): string | undefined =>
    answerOf(model, 'GetThing', { output: { ThingName: 'a', ResourceArn: arn }, wanted: empty, method: 'ReadOne' }).arn
  const tagged: Operations = { TagResource: [{ ...id, '!Tags': 'Tags' }] }
  assert.equal(arnIn(thing(tagged, told)), arn)
  assert.equal(arnIn(thing({}, told)), undefined)
  const creation: Operations = { CreateThing: [{ '!ThingName': 'String', '!ResourceId': 'String', Tags: 'Tags' }, told] }
  assert.equal(arnIn(thing({ ...tagged, ...creation }, told)), undefined)
})

test('tags are told by a list that asks for what can be known, and by a description of those of one resource', () => {
  const listed: Operations = { ListTagsForResource: [id, { Tags: 'Tags' }] }
  assert.equal(showsTags(thing(listed)), true)
  assert.equal(showsTags(thing(listed, {})), false, 'no answer tells the ARN')
  const typed: Operations = { ListTagsForResource: [{ ...id, '!ResourceType': 'String' }, { Tags: 'Tags' }] }
  assert.equal(showsTags(thing(typed)), false, 'nothing says the type')
  const several: Operations = { ListTags: [{ '!ResourceIdList': 'Strings' }, { Tags: 'Tags' }] }
  assert.equal(showsTags(thing(several)), true)
  assert.equal(tagListOperation(thing({ DescribeTags: [id, { Tags: 'Tags' }] })), 'DescribeTags')
  assert.equal(tagListOperation(thing({ DescribeTags: [{ Filters: 'Strings' }, { Tags: 'Tags' }] })), undefined)
})

/** A kind whose ARN AWS told once, or never, and whose tags go by it. */
async function tagsOf(isTold: boolean, changed: string): Promise<readonly unknown[]> {
  const service = smallService({
    operations: {
      CreateThing: [{ '!ThingName': 'String', Tags: 'Tags' }, {}],
      GetThing: [{ '!ThingName': 'String' }, { ThingName: 'String', ThingArn: 'String' }],
      DeleteThing: [{ '!ThingName': 'String' }],
      ListTagsForResource: [id, { Tags: 'Tags' }],
    },
    shapes,
  })
  const things = new Map<string, unknown>()
  const answer = throughSmall((operation, input) => {
    const name = typeof input['ThingName'] === 'string' ? input['ThingName'] : 'own'
    if (operation === 'CreateThing') things.set(name, input['Tags'])
    if (!things.has(name)) return absentThing
    if (operation === 'ListTagsForResource') return json(200, { Tags: things.get(name) })
    return json(200, operation === 'GetThing' ? { ThingName: name, ...(isTold ? { ThingArn: arnOf(name) } : {}) } : {})
  })
  await using world = resourceWorld({ services: [service.service], objects: [...service.crds], throughAws: answer })
  const run = world.start()
  await world.create('Thing', 'own', { thingName: 'own', tags: [{ key: 'team', value: 'one' }] })
  await world.advance(120_000)
  await world.patch('Thing', 'own', { spec: { tags: [{ key: 'team', value: changed }] } })
  for (let times = 0; times < 5; times++) await world.advance(70_000)
  const ready = await world.condition('Thing', 'own', 'Ready')
  await run.stop()
  return [ready?.status, ready?.message]
}

test('tags of a resource that nobody knows how to ask for are named, and the object is not Ready [S27]', async () => {
  assert.deepEqual(await tagsOf(true, 'one'), ['True', 'Resource synced successfully'])
  const [status, message] = await tagsOf(false, 'two')
  assert.equal(status, 'False')
  assert.equal(message, 'AWS cannot be asked for Spec.Tags: what names this resource there is not known')
})
