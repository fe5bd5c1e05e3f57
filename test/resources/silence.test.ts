// No silence: an object that is Ready says nothing untrue of any field, whatever kind it is of. Random kinds, random manifests, random changes.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type HttpExchange, type Random, seededRandom } from '#base'
import { findCondition } from '#kube'
import { type ResourceWorld, resourceWorld } from '../../src/operators/resources/testing/world.ts'
import { type SmallAws, type SmallField, type SmallKind, smallAws, smallKind } from './small-aws.ts'
import { json } from './small-server.ts'
import { isNamed, isTrueOf, jsonOf, valueOf } from './small-truth.ts'

const seeds = Number(process.env['VOUCH_SILENCE_SEEDS'] ?? 25)

for (let seed = 1; seed <= seeds; seed++)
  test(`what an object of random kind ${seed} says is so at each of its rests [S27]`, async () => {
    const random = seededRandom(seed)
    const kind = smallKind(random)
    const aws = smallAws(kind.fields)
    await using world = resourceWorld({
      services: [kind.service.service],
      objects: [...kind.service.crds],
      throughAws: aws.through,
    })
    const run = world.start()
    const first = specOf(kind.fields, random)
    const spoken = new Set(Object.keys(first))
    await world.create('Thing', 'one', { thingName: 'one', ...first })
    await rests(world)
    await assertTrue(world, { kind, aws, spoken })
    for (let step = 0; step < 4; step++) {
      const before = (await world.get('Thing', 'one'))?.spec ?? {}
      const changed = specOf(kind.fields, random)
      const gone = Object.fromEntries(
        Object.keys(before).flatMap(key => (key === 'thingName' || key in changed ? [] : [[key, null]])),
      )
      await world.patch('Thing', 'one', { spec: { ...gone, ...within(before, changed) } })
      for (const key of Object.keys(changed)) spoken.add(key)
      await rests(world)
      await assertTrue(world, { kind, aws, spoken })
    }
    await drifts({ kind, aws }, random)
    await world.patch('Thing', 'one', { metadata: { annotations: { 'services.k8s.aws/reconcile-at': 'now' } } })
    await rests(world)
    await assertTrue(world, { kind, aws, isDrift: true })
    await world.remove('Thing', 'one')
    await rests(world)
    assert.equal(aws.things.size, 0)
    assert.equal(await world.get('Thing', 'one'), undefined)
    await run.stop()
  })

for (let seed = 1; seed <= Math.ceil(seeds / 2); seed++)
  test(`the same of random kind ${seed} where AWS refuses, throttles and loses answers, and processes end at any time [S27, F21, F22]`, async () => {
    const random = seededRandom(`faults ${seed}`)
    const kind = smallKind(random)
    const aws = smallAws(kind.fields)
    const weather = { isBad: true }
    await using world = resourceWorld({
      services: [kind.service.service],
      objects: [...kind.service.crds],
      throughAws: exchange => stormy(aws.through(exchange), weather, random),
    })
    let run = world.start()
    const hurried = async (): Promise<void> => {
      for (let times = 0; times < 3; times++) {
        await world.advance(1 + Math.floor(random.float() * 20_000))
        if (random.float() < 0.4) {
          await run.stop()
          run = world.start()
        }
      }
    }
    await world.create('Thing', 'one', { thingName: 'one', ...specOf(kind.fields, random) })
    await hurried()
    for (let step = 0; step < 4; step++) {
      const before = (await world.get('Thing', 'one'))?.spec ?? {}
      const changed = specOf(kind.fields, random)
      const gone = Object.fromEntries(
        Object.keys(before).flatMap(key => (key === 'thingName' || key in changed ? [] : [[key, null]])),
      )
      await world.patch('Thing', 'one', { spec: { ...gone, ...within(before, changed) } })
      await hurried()
    }
    weather.isBad = false
    await world.advance(3_600_000)
    await rests(world)
    // Without a mark and with another wish than the one that was sent, nothing proves whose it is: that is told, and nothing is taken.
    if ((await world.condition('Thing', 'one', 'ACK.Terminal'))?.reason === 'ResourceExists') return run.stop()
    await assertTrue(world, { kind, aws })
    weather.isBad = true
    await world.remove('Thing', 'one')
    await hurried()
    weather.isBad = false
    await world.advance(3_600_000)
    await rests(world)
    assert.equal(aws.things.size, 0)
    assert.equal(await world.get('Thing', 'one'), undefined)
    await run.stop()
  })

/** A third of the calls go wrong: refused before they took hold, or cut off after they did. */
function stormy(exchange: HttpExchange, weather: { readonly isBad: boolean }, random: Random): HttpExchange {
  return async request => {
    const drawn = random.float()
    if (!weather.isBad || drawn > 0.33) return exchange(request)
    if (drawn < 0.11) return json(400, { __type: 'ThrottlingException', message: 'slow down' })
    if (drawn < 0.16) return json(500, { __type: 'InternalFailure', message: 'no' })
    if (drawn < 0.22) throw new Error('the connection was refused')
    await exchange(request)
    throw new Error('the connection broke before the answer came')
  }
}

async function rests(world: ResourceWorld): Promise<void> {
  await world.settle()
  for (let times = 0; times < 4; times++) await world.advance(70_000)
}

function specOf(fields: readonly SmallField[], random: Random): Record<string, unknown> {
  const chosen = fields.filter(() => random.float() < 0.7)
  return Object.fromEntries(chosen.map(field => [jsonOf(field), valueOf(field, random)]))
}

/** A merge patch that leaves nothing of the boxes that were there. */
function within(before: Readonly<Record<string, unknown>>, changed: Record<string, unknown>): Record<string, unknown> {
  const isBox = (value: unknown): value is object => typeof value === 'object' && value !== null && !Array.isArray(value)
  return Object.fromEntries(
    Object.entries(changed).map(([key, value]) => {
      const held = before[key]
      const gone = isBox(held) && isBox(value) ? Object.fromEntries(Object.keys(held).map(each => [each, null])) : {}
      return [key, isBox(value) ? { ...gone, ...value } : value]
    }),
  )
}

/** Somebody else changes what can be read. */
async function drifts({ kind, aws }: { readonly kind: SmallKind; readonly aws: SmallAws }, random: Random): Promise<void> {
  const thing = aws.things.get('one')
  const readable = kind.fields.filter(({ isTold, isPart, isPartTold }) => isTold || (isPart && isPartTold))
  const field = readable[Math.floor(random.float() * readable.length)]
  if (thing !== undefined && field !== undefined && thing[field.name] !== undefined) thing[field.name] = valueOf(field, random)
}

interface Truth {
  readonly kind: SmallKind
  readonly aws: SmallAws
  readonly isDrift?: boolean
  /** Fields of which the manifest spoke at some rest; absent where a process that ended may have known of it alone. */
  readonly spoken?: ReadonlySet<string>
}

async function assertTrue(world: ResourceWorld, { kind, aws, isDrift = false, spoken }: Truth): Promise<void> {
  const object = await world.get('Thing', 'one')
  const thing = aws.things.get('one') ?? {}
  for (const field of kind.fields) {
    const wanted = object?.spec?.[jsonOf(field)]
    // Of what was taken out only an object that is Ready has to say anything.
    const wasWanted = spoken?.has(jsonOf(field)) === true && findCondition(object?.status?.conditions, 'Ready')?.status === 'True'
    if (isTrueOf(field, { wanted, held: thing[field.name], isDrift, wasWanted })) continue
    assert.ok(
      isNamed(object, field),
      `${JSON.stringify(field)}: the manifest says ${JSON.stringify(wanted)}, AWS ${JSON.stringify(thing[field.name])}; ${JSON.stringify(object?.status?.conditions)} after ${aws.calls.join(' ')}`,
    )
  }
}
