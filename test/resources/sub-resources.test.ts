// Fields whose elements are entries of their own in AWS, as a config declares them: a map, a list of keys and a list of structures, over a small
// service that keeps each entry apart.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { conditions } from '#operators/resources'
import { structure } from '../../src/crdgen/infer/model.fixture.ts'
import { type ResourceWorld, resourceWorld } from '../../src/operators/resources/testing/world.ts'
import { smallService } from './small-aws.ts'
import { absentPart, absentThing, arnOf, json, throughSmall } from './small-server.ts'

const id = { '!ThingName': 'String' }

const config = `resources:
  Thing:
    fields:
      Rules: {custom_field: {map_of: String}}
      Links: {custom_field: {list_of: String}}
      Doors: {custom_field: {list_of: Door}}
    sub_resources:
    - {field: Rules, list: ListThingRules, get: GetThingRule, put: PutThingRule, delete: DeleteThingRule, key: RuleName}
    - {field: Links, list: ListLinks, put: AttachLink, delete: DetachLink, key: LinkArn}
    - {field: Doors, list: ListDoors, put: HangDoor, delete: TakeDoor, key: DoorName}
`

const service = smallService(
  {
    operations: {
      CreateThing: [id, { Thing: 'Thing' }],
      GetThing: [id, { Thing: 'Thing' }],
      DeleteThing: [id],
      ListThingRules: [
        { ...id, NextToken: 'String' },
        { RuleNames: 'Strings', NextToken: 'String' },
      ],
      GetThingRule: [
        { ...id, '!RuleName': 'String' },
        { RuleName: 'String', RuleText: 'String' },
      ],
      PutThingRule: [{ ...id, '!RuleName': 'String', '!RuleText': 'String' }],
      DeleteThingRule: [{ ...id, '!RuleName': 'String' }],
      ListLinks: [id, { Attached: 'AttachedLinks' }],
      AttachLink: [{ ...id, '!LinkArn': 'String' }],
      DetachLink: [{ ...id, '!LinkArn': 'String' }],
      ListDoors: [id, { Doors: 'DoorList' }],
      HangDoor: [{ ...id, '!DoorName': 'String', Width: 'Integer', Colour: 'String' }],
      TakeDoor: [{ ...id, '!DoorName': 'String' }],
    },
    shapes: {
      Thing: structure({ ThingName: 'String', ThingArn: 'String' }),
      Door: structure({ DoorName: 'String', Width: 'Integer', Colour: 'String' }),
      DoorList: { type: 'list', member: { shape: 'Door' } },
      AttachedLink: structure({ LinkArn: 'String', LinkName: 'String' }),
      AttachedLinks: { type: 'list', member: { shape: 'AttachedLink' } },
    },
  },
  config,
)

interface House {
  readonly rules: Map<string, unknown>
  readonly links: Map<string, unknown>
  readonly doors: Map<string, unknown>
}

/** The service: a house for each thing, from which nothing goes while it holds anything. */
function server(): {
  readonly houses: Map<string, House>
  readonly calls: string[]
  readonly through: ReturnType<typeof throughSmall>
} {
  const houses = new Map<string, House>()
  const calls: string[] = []
  const through = throughSmall((operation, { ThingName, ...input }) => {
    const name = String(ThingName)
    const [key] = Object.values(input).map(String)
    calls.push([operation, ...(key === undefined ? [] : [key])].join(' '))
    if (operation === 'CreateThing') houses.set(name, { rules: new Map(), links: new Map(), doors: new Map() })
    const house = houses.get(name)
    if (house === undefined) return absentThing
    const { rules, links, doors } = house
    const answers: Readonly<Record<string, () => object | undefined>> = {
      CreateThing: () => ({ Thing: { ThingName: name, ThingArn: arnOf(name) } }),
      GetThing: () => ({ Thing: { ThingName: name, ThingArn: arnOf(name) } }),
      DeleteThing: () => (rules.size + links.size + doors.size > 0 ? undefined : (houses.delete(name), {})),
      ListThingRules: () => ({ RuleNames: [...rules.keys()] }),
      GetThingRule: () => (rules.has(key ?? '') ? { RuleName: key, RuleText: rules.get(key ?? '') } : undefined),
      PutThingRule: () => (rules.set(key ?? '', input['RuleText']), {}),
      DeleteThingRule: () => (rules.delete(key ?? ''), {}),
      ListLinks: () => ({ Attached: [...links.keys()].map(LinkArn => ({ LinkArn, LinkName: 'a link' })) }),
      AttachLink: () => (links.set(key ?? '', input), {}),
      DetachLink: () => (links.delete(key ?? ''), {}),
      // In its own order, and with a colour of its own choice.
      ListDoors: () => ({ Doors: [...doors.values()].toReversed() }),
      HangDoor: () => (doors.set(key ?? '', { Colour: 'white', ...input }), {}),
      TakeDoor: () => (doors.delete(key ?? ''), {}),
    }
    const answer = answers[operation]?.()
    return answer === undefined ? absentPart : json(200, answer)
  })
  return { houses, calls, through }
}

function worldOf(aws: ReturnType<typeof server>): ResourceWorld {
  return resourceWorld({ services: [service.service], objects: [...service.crds], throughAws: aws.through })
}

async function rests(world: ResourceWorld): Promise<void> {
  await world.settle()
  await world.advance(70_000)
  const ready = await world.condition('Thing', 'one', conditions.ready)
  assert.equal(ready?.status, 'True', ready?.message)
}

const spec = {
  thingName: 'one',
  rules: { b: 'two', a: 'one' },
  links: ['x', 'y'],
  doors: [{ doorName: 'front', width: 90 }, { doorName: 'back' }],
}

const writesOf = (calls: readonly string[]): readonly string[] =>
  calls.filter(call => /^(Put|Delete|Attach|Detach|Hang|Take)/.test(call))

test('each entry is put by itself, and at rest nothing is sent [9.28]', async () => {
  const aws = server()
  await using world = worldOf(aws)
  world.start()
  await world.create('Thing', 'one', spec)
  await rests(world)
  const house = aws.houses.get('one')
  assert.deepEqual(
    [...(house?.rules ?? [])],
    [
      ['b', 'two'],
      ['a', 'one'],
    ],
  )
  assert.deepEqual([...(house?.links.keys() ?? [])], ['x', 'y'])
  assert.deepEqual(
    [...(house?.doors.values() ?? [])],
    [
      { DoorName: 'front', Width: 90, Colour: 'white' },
      { DoorName: 'back', Colour: 'white' },
    ],
  )
  assert.deepEqual(writesOf(aws.calls).toSorted(), [
    'AttachLink x',
    'AttachLink y',
    'HangDoor back',
    'HangDoor front',
    'PutThingRule a',
    'PutThingRule b',
  ])
  const before = aws.calls.length
  await world.advance(11 * 3_600_000)
  assert.deepEqual(writesOf(aws.calls.slice(before)), [])
})

test('what changes, what comes and what goes are the calls that are made, puts before deletions [9.28]', async () => {
  const aws = server()
  await using world = worldOf(aws)
  world.start()
  await world.create('Thing', 'one', spec)
  await rests(world)
  aws.calls.length = 0
  await world.patch('Thing', 'one', {
    spec: {
      rules: { b: 'other', a: null, c: 'three' },
      links: ['y', 'z'],
      doors: [{ doorName: 'back' }, { doorName: 'front', width: 80 }],
    },
  })
  await rests(world)
  assert.deepEqual(writesOf(aws.calls), [
    'PutThingRule b',
    'PutThingRule c',
    'DeleteThingRule a',
    'AttachLink z',
    'DetachLink x',
    'HangDoor front',
  ])
  assert.deepEqual(
    [...(aws.houses.get('one')?.rules ?? [])],
    [
      ['b', 'other'],
      ['c', 'three'],
    ],
  )
})

test('a field that is taken out of the manifest takes its entries with it, and drift is put right [9.28]', async () => {
  const aws = server()
  await using world = worldOf(aws)
  world.start()
  await world.create('Thing', 'one', spec)
  await rests(world)
  const house = aws.houses.get('one')
  house?.rules.set('a', 'by hand')
  house?.links.set('stranger', {})
  house?.doors.delete('back')
  await world.patch('Thing', 'one', { metadata: { annotations: { 'services.k8s.aws/reconcile-at': 'now' } } })
  await rests(world)
  assert.deepEqual([house?.rules.get('a'), [...(house?.links.keys() ?? [])], house?.doors.has('back')], ['one', ['x', 'y'], true])
  await world.patch('Thing', 'one', { spec: { rules: null, links: [], doors: null } })
  await rests(world)
  assert.deepEqual([house?.rules.size, house?.links.size, house?.doors.size], [0, 0, 0])
  // Of what the manifest does not speak of any more nothing is asked.
  aws.calls.length = 0
  await world.advance(11 * 3_600_000)
  assert.deepEqual(
    aws.calls.filter(call => call.startsWith('List') && !call.startsWith('ListLinks')),
    [],
  )
})

test('entries go before the resource, also those that somebody else put there [9.28]', async () => {
  const aws = server()
  await using world = worldOf(aws)
  world.start()
  await world.create('Thing', 'one', { thingName: 'one', links: ['x'] })
  await rests(world)
  aws.houses.get('one')?.rules.set('by hand', 'here')
  await world.remove('Thing', 'one')
  await world.advance(70_000)
  assert.equal(aws.houses.size, 0)
  assert.equal(await world.get('Thing', 'one'), undefined)
})

test('a resource that is adopted brings its entries into the manifest [9.28]', async () => {
  const aws = server()
  aws.houses.set('one', { rules: new Map([['a', 'one']]), links: new Map([['x', {}]]), doors: new Map() })
  await using world = worldOf(aws)
  world.start()
  await world.create('Thing', 'one', undefined, {
    annotations: { 'services.k8s.aws/adoption-policy': 'adopt', 'services.k8s.aws/adoption-fields': '{"thingName":"one"}' },
  })
  await rests(world)
  const adopted = (await world.get('Thing', 'one'))?.spec
  assert.deepEqual([adopted?.['rules'], adopted?.['links'], adopted?.['doors']], [{ a: 'one' }, ['x'], undefined])
  assert.deepEqual(writesOf(aws.calls), [])
})
