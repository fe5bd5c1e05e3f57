// The boundaries of zones and of looks at the DNS: how much is taken, how long something is believed, and the words of what is not.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type DnsAnswer, ManualClock, silentLog } from '#base'
import { astrayMessage, DnsLooks } from './dns-looks.ts'
import { openZones } from './open-zones.ts'
import { parseZonePairs } from './parse-zones.ts'
import { parseZoneFile, readZoneFile } from './zone-file.ts'
import { Zones } from './zones.ts'

test('a pair without a name is one without a name, and no text that is no pair', () => {
  assert.throws(() => parseZonePairs(':Z1', '--dns-zones'), /^ZoneError: --dns-zones: "" is no name of a zone/)
  assert.throws(() => parseZonePairs('a.b', '--dns-zones'), /^ZoneError: --dns-zones: "a.b" is no name:id$/)
})

test('a file of zones has at most a quarter of a megabyte', async () => {
  const file = (length: number) => ({ read: async () => Buffer.from('[]'.padEnd(length, ' ')) })
  assert.deepEqual(await readZoneFile(file(262_144), 'z.yaml'), [])
  await assert.rejects(readZoneFile(file(262_145), 'z.yaml'), /^ZoneError: z.yaml: more than 262144 bytes are no list of zones$/)
})

test('a file that is no YAML is told in the first line of what the parser says', () => {
  assert.throws(
    () => parseZoneFile('- a: [\n- b', 'z.yaml'),
    (error: unknown) =>
      error instanceof Error && /^z.yaml: this is no YAML: \S.+$/.test(error.message) && !error.message.includes('\n'),
  )
})

test('where there is no zone, the flag or the file that should have some is named', async () => {
  const files = { read: async () => Buffer.from('[]') } as never
  const open = (file: string | undefined) => openZones({ zones: [], file }, { files, log: silentLog })
  await assert.rejects(open(undefined), /^ZoneError: --dns-zones: there is no zone/)
  await assert.rejects(open('z.yaml'), /^ZoneError: --zone-config-file: there is no zone/)
})

test('a zone is private by its configuration or by what Route 53 says, and public otherwise', () => {
  const zones = new Zones([
    { name: 'a.b', id: 'Z1', private: true },
    { name: 'b.b', id: 'Z2', private: false },
    { name: 'c.b', id: 'Z3' },
    { name: 'd.b', id: 'Z4' },
  ])
  zones.found({ name: 'c.b', id: 'Z3' }, { exists: true, isPrivate: true })
  zones.found({ name: 'd.b', id: 'Z4' }, { exists: true, isPrivate: false })
  assert.deepEqual([...zones.privateIds], ['Z1', 'Z3'])
})

const zone = { name: 'example.com', id: 'Z1' }
const record = { name: '_1.a.example.com', value: '_2.acm.aws', zone }
const own = ['ns-1.aws.com']
const values = (...found: readonly string[]): DnsAnswer => ({ kind: 'values', values: found })

function looks(first: (question: string) => DnsAnswer) {
  const clock = new ManualClock()
  const asked: string[] = []
  const waits: number[] = []
  const world = { answer: first }
  const dns = {
    ask: async ({ type, name, timeoutMs }: { readonly type: string; readonly name: string; readonly timeoutMs: number }) => {
      asked.push(`${type} ${name}`)
      waits.push(timeoutMs)
      return world.answer(`${type} ${name}`)
    },
  }
  const made = new DnsLooks({ dns, servers: [], clock, zones: { facts: () => ({ exists: true, nameServers: own }) } })
  return { clock, asked, waits, world, astray: (more: object = {}) => made.astray({ ...record, ...more }) }
}

const elsewhere = (question: string): DnsAnswer => (question === 'NS example.com' ? values('ns.other.net') : { kind: 'none' })
const silent = (): DnsAnswer => ({ kind: 'silent' })
const minuteMs = 60_000

test('what was found is believed for four minutes, and servers have two seconds', async () => {
  const { clock, asked, waits, astray } = looks(elsewhere)
  await astray()
  const once = asked.length
  await clock.advance(4 * minuteMs - 1)
  await astray()
  assert.equal(asked.length, once)
  await clock.advance(1)
  await astray()
  assert.equal(asked.length, 2 * once)
  assert.ok(waits.every(ms => ms === 2_000))
})

test('what was found is said for an hour while nobody answers, and then no more', async () => {
  const { clock, world, astray } = looks(elsewhere)
  await astray()
  world.answer = silent
  await clock.advance(60 * minuteMs - 1)
  assert.notEqual(await astray(), undefined)
  await clock.advance(1)
  assert.equal(await astray(), undefined)
})

test('servers that were silent are left alone for five minutes', async () => {
  const { clock, asked, astray } = looks(silent)
  await astray()
  await clock.advance(5 * minuteMs - 1)
  await astray()
  assert.equal(asked.length, 1)
  await clock.advance(1)
  await astray()
  assert.equal(asked.length, 2)
})

test('one value of several is enough to see the record', async () => {
  const { astray } = looks(question =>
    question.startsWith('CNAME') ? values('_old.acm.aws', '_2.ACM.aws.') : elsewhere(question),
  )
  assert.equal(await astray(), undefined)
})

test('of a deep name eight places are asked where another zone may begin, nearest first, and the zone itself last', async () => {
  const labels = Array.from({ length: 12 }, (_, index) => `l${index}`)
  const { asked, astray } = looks(() => ({ kind: 'none' }))
  await astray({ name: `_1.${labels.join('.')}.example.com` })
  const cut = (from: number): string => `NS ${labels.slice(from).join('.')}.example.com`
  assert.deepEqual(asked.slice(1), [...Array.from({ length: 8 }, (_, index) => cut(index)), 'NS example.com'])
})

test('a name outside of its zone is asked of the zone alone', async () => {
  const { asked, astray } = looks(() => ({ kind: 'none' }))
  await astray({ name: '_1.a.other.net' })
  assert.deepEqual(asked, ['CNAME _1.a.other.net', 'NS example.com'])
})

test('of many servers eight are told', async () => {
  const many = Array.from({ length: 12 }, (_, index) => `ns${10 + index}.other.net`)
  const found = await looks(question => (question === 'NS example.com' ? values(...many) : { kind: 'none' })).astray()
  assert.deepEqual(found?.servers, many.slice(0, 8))
})

test('a zone that nobody is found for, and one that others serve, are told with their next step', () => {
  const stands = 'the records stand in the hosted zone Z1 of "example.com", and the DNS does not lead there:'
  const mend = 'name ns-1.aws.com in the NS records of "example.com" in its parent zone or at its registrar'
  assert.equal(
    astrayMessage({ name: 'example.com', servers: [], own }, zone),
    `${stands} no name servers of "example.com" are found; ${mend}`,
  )
  assert.equal(
    astrayMessage({ name: 'example.com', servers: ['ns.other.net'], own }, zone),
    `${stands} "example.com" is delegated to ns.other.net; ${mend}, or configure the hosted zone that they serve`,
  )
})
