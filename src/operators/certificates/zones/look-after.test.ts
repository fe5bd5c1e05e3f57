import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AwsError } from '#aws'
import { type Log, ManualClock, silentLog } from '#base'
import type { ZoneFacts } from '../aws/cloud.ts'
import { zoneKeeper } from './look-after.ts'

const zone = { name: 'example.org', id: 'Z1' }

function keeper(answer: () => ZoneFacts) {
  const clock = new ManualClock()
  const said: string[] = []
  const noted: unknown[] = []
  let asked = 0
  const zones = {
    registry: { zones: [zone] },
    found: (_: unknown, facts: ZoneFacts) => void noted.push(facts),
    denied: () => void noted.push('denied'),
  }
  const cloud = {
    zone: async (): Promise<ZoneFacts> => {
      asked++
      return answer()
    },
  }
  const log = { ...silentLog, warn: (text: string) => void said.push(text) } as Log
  const stop = new AbortController()
  void zoneKeeper({ open: { zones } as never, cloud, log }).run({ clock } as never, stop.signal)
  return { clock, said, noted, stop, asked: () => asked, zones }
}

test('Route 53 is asked of a zone each hour, and at once where the zones are others [5.7]', async () => {
  const { clock, asked, zones } = keeper(() => ({ exists: true, name: zone.name, isPrivate: false }))
  const after = async (ms: number): Promise<number> => {
    for (let left = ms; left > 0; left -= 10_000) await clock.advance(10_000)
    return asked()
  }
  const counts = [await after(10_000), await after(3_580_000), await after(10_000), await after(3_590_000), await after(10_000)]
  assert.deepEqual(counts, [1, 1, 2, 2, 3])
  zones.registry = { zones: [zone] }
  assert.equal(await after(10_000), 4)
})

const denied = new AwsError({
  service: 'Route 53',
  operation: 'GetHostedZone',
  code: 'AccessDenied',
  message: 'no',
  httpStatus: 403,
})
const away = new AwsError({
  service: 'Route 53',
  operation: 'GetHostedZone',
  code: 'InternalError',
  message: 'no',
  httpStatus: 500,
})
const fails = (error: Error) => (): never => {
  throw error
}
const missing: ZoneFacts = { exists: false } as ZoneFacts
const named = (name: string): ZoneFacts => ({ exists: true, name, isPrivate: false }) as ZoneFacts
const later = 'a zone could not be looked at; it is tried again in an hour'

const rows: readonly (readonly [what: string, answer: () => ZoneFacts, noted: readonly unknown[], said: readonly string[]])[] = [
  ['is there', () => named('example.org'), [named('example.org')], []],
  ['is there, as Route 53 writes it', () => named('Example.org.'), [named('Example.org.')], []],
  ['has another name', () => named('example.com'), [named('example.com')], ['a configured zone has another name in Route 53']],
  ['is not there', () => missing, [missing], ['a configured zone does not exist in Route 53']],
  ['may not be looked at', fails(denied), ['denied'], [later]],
  ['cannot be looked at', fails(away), [], [later]],
]

for (const [what, answer, noted, said] of rows)
  test(`a zone that ${what} is noted, and told of where somebody has to do something [5.7]`, async () => {
    const kept = keeper(answer)
    await kept.clock.advance(1)
    assert.deepEqual([kept.noted, kept.said], [noted, said])
  })

test('one zone after the other is asked: Route 53 takes few calls a second [5.7]', async () => {
  const asked: string[] = []
  const answers: (() => void)[] = []
  const zones = { registry: { zones: [zone, { name: 'other.org', id: 'Z2' }] }, found: () => {}, denied: () => {} }
  const cloud = {
    zone: ({ id }: { readonly id: string }) => {
      asked.push(id)
      return new Promise<ZoneFacts>(resolve => answers.push(() => resolve({ exists: true })))
    },
  }
  void zoneKeeper({ open: { zones } as never, cloud, log: silentLog }).run(
    { clock: new ManualClock() } as never,
    new AbortController().signal,
  )
  await new Promise(setImmediate)
  assert.deepEqual(asked, ['Z1'])
  answers[0]?.()
  await new Promise(setImmediate)
  assert.deepEqual(asked, ['Z1', 'Z2'])
})
