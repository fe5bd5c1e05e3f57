// What a list shows of a resource, and how often a list is taken.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AwsError, parseAccountId } from '#aws'
import type { Deviation } from '../kinds/deviation.ts'
import type { KindModel } from '../model/kind-model.ts'
import type { Content, Values } from '../model/request.ts'
import { type Answer, answering } from '../testing/answers.ts'
import { madeUpKind } from '../testing/made-up-kind.ts'
import { type RollCall, Rolls } from './list-prints.ts'

const parts = {
  spec: { Name: 'string', Cluster: 'string' },
  operations: { create: 'CreateThing', readOne: 'GetThing', readMany: 'ListThings' },
  outputs: { ListThings: { Things: 'ThingList' } },
  shapes: {
    ThingList: { type: 'list', member: { target: 'Thing' } },
    Thing: { type: 'structure', required: [], members: { Name: { target: 'String' }, Arn: { target: 'String' } } },
  },
} as const
const model = madeUpKind(parts as never)
const within = madeUpKind({ ...parts, required: { ListThings: ['Cluster'] } } as never)
const place = { account: parseAccountId('111122223333'), partition: 'aws', region: 'eu-west-1' }

interface Asked extends Partial<Omit<RollCall, 'wanted'>> {
  readonly wanted?: Partial<Content>
}

/** One set of rolls, and the lists that were taken for it. */
function rolls(list: Answer, of: KindModel = model, deviation: Deviation = {}) {
  const { caller, asked } = answering({ ListThings: list })
  const kept = new Rolls()
  return {
    asked,
    print: ({ wanted, ...more }: Asked = {}): Promise<string> =>
      kept.print({
        model: of,
        deviation,
        wanted: { spec: { name: 'one' }, status: {}, ...wanted },
        place,
        caller,
        nowMs: 0,
        ageMsMax: 1_000,
        pagesMax: 2,
        ...more,
      }),
  }
}

const one = {
  Things: [
    { Name: 'one', Size: 1 },
    { Name: 'two', Arn: 'arn:two' },
  ],
}
const denied = new AwsError({ service: 'x', operation: 'ListThings', code: 'AccessDenied', message: 'no', httpStatus: 403 })

for (const [what, list, asked, shown] of [
  ['a name that the list has', one, {}, 'print'],
  ['a name that the list has not', one, { wanted: { spec: { name: 'three' } } }, 'absent'],
  ['an ARN that the list has', one, { wanted: { spec: {}, arn: 'arn:two' } }, 'print'],
  ['no name', one, { wanted: { spec: {} } }, 'absent'],
  ['an empty name', { Things: [{ Name: '' }] }, { wanted: { spec: { name: '' } } }, 'absent'],
  ['a name that is none', { Things: [{ Name: 5 }] }, { wanted: { spec: { name: 5 } } }, 'absent'],
  ['a list that is refused', denied, {}, 'unknown'],
  ['a list of two pages', [one, one], {}, 'print'],
  ['a list of three pages', [one, one, one], {}, 'unknown'],
] as const)
  test(`of ${what} it is shown as ${shown === 'absent' || shown === 'unknown' ? shown : 'a print'}`, async () => {
    const print = await rolls(list as Answer).print(asked as Asked)
    if (shown === 'absent' || shown === 'unknown') assert.equal(print, shown)
    else assert.match(print, /^(?:[\w-]{12}){1,2}$/)
  })

test('a print tells all that the list says, of each entry of the name', async () => {
  const printOf = (...things: readonly Values[]) => rolls({ Things: things }).print()
  const plain = await printOf({ Name: 'one', Size: 1 })
  assert.equal(plain.length, 12)
  assert.equal(await printOf({ Name: 'other' }, { Name: 'one', Size: 1 }), plain)
  assert.notEqual(await printOf({ Name: 'one', Size: 2 }), plain)
  const two = await printOf({ Name: 'one', Size: 1 }, { Name: 'one', Size: 2 })
  assert.deepEqual([two.length, two.startsWith(plain)], [24, true])
})

test('a list is believed for as long as is said, and taken anew after that', async () => {
  const { print, asked } = rolls(one)
  await print({ nowMs: 0 })
  await print({ nowMs: 1_000 })
  assert.equal(asked.length, 1)
  await print({ nowMs: 1_001 })
  await print({ nowMs: 2_001 })
  assert.equal(asked.length, 2)
})

test('accounts, regions, roles and endpoints have lists of their own', async () => {
  const { print, asked } = rolls(one)
  const places = [
    place,
    { ...place, region: 'x' },
    { ...place, account: parseAccountId('444455556666') },
    { ...place, role: 'r' },
    { ...place, endpoint: 'e' },
    place,
  ]
  for (const each of places) await print({ place: each as never })
  assert.equal(asked.length, 5)
})

test('a list that stands within another is asked for each of those, and not without one', async () => {
  const { print, asked } = rolls(one, within)
  await print({ wanted: { spec: { name: 'one', cluster: 'a' } } })
  await print({ wanted: { spec: { name: 'one', cluster: 'b' } } })
  assert.deepEqual(
    asked.map(([, input]) => input),
    [{ Cluster: 'a' }, { Cluster: 'b' }],
  )
  assert.equal(await print(), 'unknown')
})

test('a kind that nothing lists is unknown, and one that is listed otherwise is asked so', async () => {
  const unlisted = madeUpKind({ operations: { create: 'CreateThing', readOne: 'GetThing' } })
  assert.equal(await rolls(one, unlisted).print(), 'unknown')
  const { print, asked } = rolls(one, model, { exported: { input: { Scope: 'Local' } } })
  await print()
  assert.deepEqual(asked, [['ListThings', { Scope: 'Local' }]])
})

test('of more than a thousand lists the one that was taken first is given up', async () => {
  const { print, asked } = rolls(one, within)
  const ask = (cluster: number) => print({ wanted: { spec: { name: 'one', cluster: String(cluster) } } })
  for (let cluster = 0; cluster < 1_000; cluster++) await ask(cluster)
  await ask(0)
  assert.equal(asked.length, 1_000)
  await ask(1_000)
  await ask(1)
  assert.equal(asked.length, 1_001)
  await ask(0)
  assert.equal(asked.length, 1_002)
})
