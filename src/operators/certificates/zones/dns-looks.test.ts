// What name servers answer, and what is made of it: who leads elsewhere is told, who does not answer is left alone.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Dns, type DnsAnswer, ManualClock } from '#base'
import { astrayMessage, DnsLooks } from './dns-looks.ts'

const minuteMs = 60_000
const zone = { name: 'example.com', id: 'Z1' }
const record = { name: '_1.a.b.example.com', value: '_2.acm-validations.aws.', zone }
const own = ['ns-1.awsdns-1.com', 'ns-2.awsdns-2.net']

const values = (...found: string[]): DnsAnswer => ({ kind: 'values', values: found })

interface Scripted {
  readonly looks: DnsLooks
  readonly clock: ManualClock
  readonly asked: string[]
  /** By type and name; nothing of it is there otherwise. */
  answers: Readonly<Record<string, DnsAnswer>>
}

function scripted(answers: Scripted['answers']): Scripted {
  const clock = new ManualClock()
  const asked: string[] = []
  const dns: Dns = {
    ask: ({ type, name }) => {
      asked.push(`${type} ${name}`)
      return Promise.resolve(world.answers[`${type} ${name}`] ?? world.answers.all ?? { kind: 'none' })
    },
  }
  const zones = { facts: () => ({ exists: true, nameServers: own }) }
  const world = { looks: new DnsLooks({ dns, servers: [], clock, zones }), clock, asked, answers }
  return world
}

const seen = { 'CNAME _1.a.b.example.com': values('_2.ACM-validations.aws') }

test('a record that the DNS shows is asked for once in minutes, and nothing else is [8.2]', async () => {
  const world = scripted(seen)
  await world.clock.advance(minuteMs)
  assert.equal(await world.looks.astray(record), undefined)
  await world.clock.advance(3 * minuteMs)
  await world.looks.astray(record)
  assert.deepEqual(world.asked, ['CNAME _1.a.b.example.com'])
  await world.clock.advance(2 * minuteMs)
  await world.looks.astray(record)
  assert.equal(world.asked.length, 2)
})

const led: readonly {
  readonly what: string
  readonly answers: Scripted['answers']
  readonly astray: { readonly name: string; readonly servers: readonly string[] } | undefined
}[] = [
  { what: 'nobody', answers: {}, astray: { name: 'example.com', servers: [] } },
  { what: 'servers that fail', answers: { all: { kind: 'failed' } }, astray: { name: 'example.com', servers: [] } },
  {
    what: 'other servers',
    answers: { 'NS example.com': values('NS2.example.net.', 'ns1.example.net') },
    astray: { name: 'example.com', servers: ['ns1.example.net', 'ns2.example.net'] },
  },
  {
    what: 'the servers of a name within',
    answers: { 'NS example.com': values(...own), 'NS b.example.com': values('ns1.example.net') },
    astray: { name: 'b.example.com', servers: ['ns1.example.net'] },
  },
  {
    what: 'a record with another value, at other servers',
    answers: { 'CNAME _1.a.b.example.com': values('_old.acm-validations.aws'), 'NS example.com': values('ns1.example.net') },
    astray: { name: 'example.com', servers: ['ns1.example.net'] },
  },
  {
    what: 'servers whose names are no names',
    answers: { 'NS example.com': values('a b\n', 'ns1.example.net') },
    astray: { name: 'example.com', servers: ['ns1.example.net'] },
  },
  {
    what: 'its own servers, which do not show it yet',
    answers: { 'NS example.com': values('ns-2.awsdns-2.net.') },
    astray: undefined,
  },
]

for (const { what, answers, astray } of led)
  test(`a record whose name leads to ${what} is judged by that [8.2]`, async () => {
    const found = await scripted(answers).looks.astray(record)
    assert.deepEqual(found, astray === undefined ? undefined : { ...astray, own })
  })

test('servers that do not answer are asked nothing for minutes, and what was found before stays said for an hour [8.2]', async () => {
  const world = scripted({ 'NS example.com': values('ns1.example.net') })
  const other = { ...record, name: '_3.c.example.com' }
  assert.notEqual(await world.looks.astray(record), undefined)
  world.answers = { all: { kind: 'silent' } }
  await world.clock.advance(5 * minuteMs)
  world.asked.length = 0
  assert.notEqual(await world.looks.astray(record), undefined)
  assert.equal(await world.looks.astray(other), undefined)
  assert.deepEqual(world.asked, ['CNAME _1.a.b.example.com'])
  await world.clock.advance(6 * minuteMs)
  world.answers = seen
  assert.equal(await world.looks.astray(record), undefined)
  assert.equal(world.asked.length, 2)
})

test('what was found is not said for more than an hour while nobody answers [8.2]', async () => {
  const world = scripted({ 'NS example.com': values('ns1.example.net') })
  await world.looks.astray(record)
  world.answers = { all: { kind: 'silent' } }
  await world.clock.advance(61 * minuteMs)
  assert.equal(await world.looks.astray(record), undefined)
})

test('where the name servers of the zone are not known there is nothing to compare, and nobody is asked [8.2]', async () => {
  const dns: Dns = { ask: () => assert.fail('asked') }
  const looks = new DnsLooks({ dns, servers: [], clock: new ManualClock(), zones: { facts: () => undefined } })
  assert.equal(await looks.astray(record), undefined)
})

test('a name within the zone that is delegated further is told with what to take out [8.2]', () => {
  assert.equal(
    astrayMessage({ name: 'b.example.com', servers: ['ns1.example.net'], own }, zone),
    'the records stand in the hosted zone Z1 of "example.com", and the DNS does not lead there: "b.example.com" is delegated to ns1.example.net; configure the hosted zone of "b.example.com", or take its NS records out of "example.com"',
  )
})

test('what was found of two thousand records is remembered, and of the longest ago no more [8.2]', async () => {
  const world = scripted({})
  const look = async (index: number): Promise<number> => {
    const before = world.asked.length
    await world.looks.astray({ ...record, name: `_${index}.example.com` })
    return world.asked.length - before
  }
  for (let index = 0; index < 2_000; index++) await look(index)
  assert.equal(await look(0), 0)
  await look(2_000)
  assert.deepEqual([(await look(1)) > 0, await look(0), await look(2_000)], [true, 0, 0])
})
