// What is within a field: members that no answer has, elements that AWS completes or keeps in its own order, and what is taken out again.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findCondition } from '#kube'
import { type C2jShape, type SmallModel, structure } from '../../src/crdgen/infer/model.fixture.ts'
import { type ResourceWorld, resourceWorld } from '../../src/operators/resources/testing/world.ts'
import { smallService } from './small-aws.ts'
import { absentThing, arnOf, type Input, json, throughSmall } from './small-server.ts'

const shapes: Readonly<Record<string, C2jShape>> = {
  Login: structure({ Mode: 'String', Password: 'String' }),
  LoginTold: structure({ Mode: 'String' }),
  LoginChanged: structure({ Password: 'String' }),
  Doors: { type: 'list', member: { shape: 'Door' } },
  Door: structure({ Name: 'String', Width: 'Integer', Code: 'String' }),
  DoorsTold: { type: 'list', member: { shape: 'DoorTold' } },
  DoorTold: structure({ Name: 'String', Width: 'Integer' }),
}

type Members = Readonly<Record<string, string>>
type Thing = Record<string, unknown>

interface Api {
  readonly made: Members
  readonly changed?: Members
  readonly told: Members
  /** What AWS makes of what it is given. */
  readonly tells?: (thing: Thing) => Thing
}

interface Small {
  readonly world: ResourceWorld
  readonly thing: () => Thing | undefined
  /** Calls that change anything, since the last time. */
  readonly writes: () => readonly string[]
  /** The process ends, and another one takes over. */
  readonly restart: () => Promise<void>
  readonly stop: () => Promise<void>
}

const id: Members = { '!ThingName': 'String' }

async function within(api: Api, spec: object, then: (small: Small) => Promise<void>): Promise<void> {
  const { made, changed, told, tells = thing => thing } = api
  const operations: SmallModel['operations'] = {
    CreateThing: [{ ...id, ...made }, { Thing: 'Thing' }],
    GetThing: [id, { Thing: 'Thing' }],
    DeleteThing: [id],
    ...(changed === undefined ? {} : { UpdateThing: [{ ...id, ...changed }] as const }),
  }
  const service = smallService({
    operations,
    shapes: { ...shapes, Thing: structure({ ThingName: 'String', ThingArn: 'String', ...told }) },
  })
  let thing: Thing | undefined
  let writes: string[] = []
  const answer = (operation: string, input: Input) => {
    if (operation !== 'GetThing') writes.push(operation)
    if (operation === 'CreateThing') thing = { ...input, ThingArn: arnOf('one') }
    if (thing === undefined) return absentThing
    if (operation === 'UpdateThing') thing = { ...thing, ...input }
    if (operation === 'DeleteThing') thing = undefined
    return json(200, { Thing: tells(structuredClone(thing ?? {})) })
  }
  await using world = resourceWorld({
    services: [service.service],
    objects: [...service.crds],
    throughAws: throughSmall(answer),
  })
  let run = world.start()
  await world.create('Thing', 'one', { thingName: 'one', ...spec })
  await rests(world)
  const taken = (): readonly string[] => {
    const all = writes
    writes = []
    return all
  }
  const restart = async (): Promise<void> => {
    await run.stop()
    run = world.start()
  }
  await then({ world, thing: () => thing, writes: taken, restart, stop: () => run.stop() })
  await run.stop()
}

async function rests(world: ResourceWorld): Promise<void> {
  await world.settle()
  for (let times = 0; times < 3; times++) await world.advance(70_000)
}

async function change(world: ResourceWorld, spec: object): Promise<void> {
  await world.patch('Thing', 'one', { spec })
  await rests(world)
}

async function said(world: ResourceWorld, type: string): Promise<string> {
  const held = findCondition((await world.get('Thing', 'one'))?.status?.conditions, type)
  return held === undefined ? 'nothing' : `${held.status} ${held.reason}: ${held.message}`
}

const ready = 'True Synced: Resource synced successfully'

test('a password among settings that are told is sent with them, and again when it changes [S27]', async () => {
  const api = { made: { Login: 'Login' }, changed: { Login: 'Login' }, told: { Login: 'LoginTold' } }
  await within(api, { login: { mode: 'a', password: 'x' } }, async ({ world, thing, writes }) => {
    assert.equal(await said(world, 'Ready'), ready)
    assert.deepEqual(writes(), ['CreateThing'])
    await change(world, { login: { mode: 'b' } })
    assert.deepEqual([writes(), thing()?.['Login']], [['UpdateThing'], { Mode: 'b', Password: 'x' }])
    await change(world, { login: { password: 'y' } })
    assert.deepEqual([writes(), thing()?.['Login']], [['UpdateThing'], { Mode: 'b', Password: 'y' }])
    await change(world, { login: { password: null } })
    assert.deepEqual([writes(), thing()?.['Login']], [['UpdateThing'], { Mode: 'b' }])
    assert.equal(await said(world, 'Ready'), ready)
  })
})

test('where no call changes what nobody tells, a change of it is refused by its name, and the rest is carried out [S27]', async () => {
  const api = {
    made: { Doors: 'Doors', Note: 'String' },
    changed: { Note: 'String' },
    told: { Doors: 'DoorsTold', Note: 'String' },
  }
  await within(api, { doors: [{ name: 'a', code: '1' }], note: 'x' }, async ({ world, thing }) => {
    assert.equal(await said(world, 'Ready'), ready)
    await change(world, { doors: [{ name: 'a', code: '2' }], note: 'y' })
    assert.match(await said(world, 'ACK.Terminal'), /True NotUpdatable: UpdateThing does not change Spec\.Doors\.Code$/)
    assert.equal(thing()?.['Note'], 'y')
    await change(world, { doors: [{ name: 'a' }] })
    assert.match(await said(world, 'ACK.Advisory'), /NotTakenOut: .*Spec\.Doors\.Code/)
  })
})

test('a member that the update has no place for is refused, and not sent twice for nothing', async () => {
  const api = { made: { Login: 'Login' }, changed: { Login: 'LoginChanged' }, told: { Login: 'Login' } }
  await within(api, { login: { mode: 'a', password: 'x' } }, async ({ world, writes }) => {
    writes()
    await change(world, { login: { mode: 'b' } })
    assert.match(await said(world, 'ACK.Terminal'), /UpdateThing does not change Spec\.Login\.Mode$/)
    assert.deepEqual(writes(), [])
  })
})

test('what AWS completes within an element is its own choice, until the manifest spoke of it', async () => {
  const completed = (thing: Thing): Thing => ({
    ...thing,
    Doors: ((thing['Doors'] ?? []) as readonly Thing[]).map(door => ({ Width: 90, ...door })),
  })
  const api = { made: { Doors: 'Doors' }, changed: { Doors: 'Doors' }, told: { Doors: 'Doors' }, tells: completed }
  await within(api, { doors: [{ name: 'a' }] }, async ({ world, thing, writes }) => {
    assert.deepEqual([await said(world, 'Ready'), writes()], [ready, ['CreateThing']])
    await change(world, { doors: [{ name: 'a', width: 70 }] })
    assert.deepEqual([thing()?.['Doors'], writes()], [[{ Name: 'a', Width: 70 }], ['UpdateThing']])
    await change(world, { doors: [{ name: 'a' }] })
    assert.deepEqual(thing()?.['Doors'], [{ Name: 'a' }])
    assert.equal(await said(world, 'Ready'), ready)
  })
})

test('an element that moves to the place of another one has lost nothing: what AWS chose in it is not sent once more', async () => {
  const completed = (thing: Thing): Thing => ({
    ...thing,
    Doors: ((thing['Doors'] ?? []) as readonly Thing[]).map(door => ({ Width: 90, ...door })),
  })
  const api = { made: { Doors: 'Doors' }, changed: { Doors: 'Doors' }, told: { Doors: 'Doors' }, tells: completed }
  const wide = { name: 'a', width: 70 }
  await within(api, { doors: [wide, { name: 'b' }] }, async ({ world, thing, writes }) => {
    await change(world, { doors: [{ name: 'b' }, wide] })
    assert.deepEqual(thing()?.['Doors'], [{ Name: 'b' }, { Name: 'a', Width: 70 }])
    await change(world, { doors: [{ name: 'b' }] })
    assert.deepEqual([thing()?.['Doors'], writes()], [[{ Name: 'b' }], ['CreateThing', 'UpdateThing', 'UpdateThing']])
    assert.deepEqual([await said(world, 'Ready'), await said(world, 'ACK.Advisory')], [ready, 'nothing'])
    await change(world, { doors: [{ name: 'b', width: 60 }] })
    await change(world, { doors: [{ name: 'b' }] })
    assert.deepEqual(thing()?.['Doors'], [{ Name: 'b' }], 'what is taken out of an element is taken out')
  })
})

test('a process that starts anew sends nothing for what AWS chose, and what was taken out while none ran', async () => {
  const chosen = (thing: Thing): Thing => ({ ...thing, Login: { Mode: 'own', ...(thing['Login'] as Thing) } })
  const api = {
    made: { Login: 'Login', Note: 'String' },
    changed: { Login: 'Login', Note: 'String' },
    told: { Login: 'Login', Note: 'String' },
  }
  await within({ ...api, tells: chosen }, { login: { password: 'x' } }, async ({ world, thing, writes, restart, stop }) => {
    await change(world, { note: 'n' })
    assert.deepEqual([await said(world, 'Ready'), writes()], [ready, ['CreateThing', 'UpdateThing']])
    await restart()
    await rests(world)
    assert.deepEqual([await said(world, 'Ready'), writes()], [ready, []])
    await change(world, { login: { mode: 'mine' } })
    await stop()
    await world.patch('Thing', 'one', { spec: { login: { mode: null } } })
    await restart()
    await rests(world)
    assert.deepEqual(thing()?.['Login'], { Password: 'x' })
    assert.equal(await said(world, 'Ready'), ready)
  })
})

for (const { what, changed, writes: expected } of [
  { what: 'is sent twice and', changed: { Doors: 'Doors' }, writes: ['CreateThing', 'UpdateThing', 'UpdateThing'] },
  { what: 'that no call changes', changed: undefined, writes: ['CreateThing'] },
])
  test(`a list that AWS keeps in its own order ${what} is told, and the object is ready`, async () => {
    const sorted = (thing: Thing): Thing => ({
      ...thing,
      Doors: ((thing['Doors'] ?? []) as readonly Thing[]).toSorted((a, b) => (String(a['Name']) < String(b['Name']) ? -1 : 1)),
    })
    const api = {
      made: { Doors: 'Doors' },
      ...(changed === undefined ? {} : { changed }),
      told: { Doors: 'Doors' },
      tells: sorted,
    }
    await within(api, { doors: [{ name: 'b' }, { name: 'a', width: 70 }] }, async ({ world, writes }) => {
      assert.equal(await said(world, 'Ready'), ready)
      assert.match(await said(world, 'ACK.Advisory'), /PersistentDiff: AWS keeps its own (?:order|value) of Spec\.Doors/)
      assert.deepEqual(writes(), expected)
    })
  })

test('what is taken out of the manifest and stays in AWS is named for as long as it stays, by the next process too [S27]', async () => {
  const fields = { Colour: 'String', Note: 'String', Hidden: 'String' }
  const api = { made: fields, changed: { Note: 'String' }, told: { Colour: 'String', Note: 'String' } }
  await within(api, { colour: 'red', note: 'x', hidden: 'h' }, async ({ world, thing, restart }) => {
    await change(world, { colour: null, hidden: null })
    const named = await said(world, 'ACK.Advisory')
    assert.match(named, /NotTakenOut: .*Spec\.Colour any more.*Spec\.Hidden any more/)
    assert.equal(await said(world, 'Ready'), ready)
    await change(world, { note: 'y' })
    assert.equal(await said(world, 'ACK.Advisory'), named)
    await restart()
    await change(world, { note: 'z' })
    assert.deepEqual([await said(world, 'ACK.Advisory'), thing()?.['Note']], [named, 'z'])
    await change(world, { colour: 'red', hidden: 'h' })
    assert.equal(await said(world, 'ACK.Advisory'), 'nothing')
  })
})
