import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { ManualClock, type Random, seededRandom } from '#base'
import { Backoff } from './backoff.ts'
import { Breakers } from './breaker.ts'

/** As if this part of what is left to chance were drawn each time. */
const drawn = (part: number): Random => ({ float: () => part }) as unknown as Random

function breakers() {
  const clock = new ManualClock()
  const woken: (readonly string[])[] = []
  const all = new Breakers({ clock, random: seededRandom(1), failuresMax: 3, onClosed: (_name, waiting) => woken.push(waiting) })
  return { clock, all, woken }
}

test('failures of one dependency hold back that dependency alone [B28]', () => {
  const { all } = breakers()
  for (let failure = 0; failure < 3; failure++) all.failed('dead')
  assert.equal(all.ask('dead').kind, 'refused')
  assert.equal(all.ask('alive').kind, 'go')
  assert.deepEqual(all.open(), ['dead'])
})

test('a few failures do not open it, and a success forgets them', () => {
  const { all } = breakers()
  all.failed('slow')
  all.failed('slow')
  all.succeeded('slow')
  all.failed('slow')
  all.failed('slow')
  assert.equal(all.ask('slow').kind, 'go')
})

test('one probe at a time is let through, and its success wakes all who were turned away [L7]', async () => {
  const { clock, all, woken } = breakers()
  for (let failure = 0; failure < 3; failure++) all.failed('dead')
  all.ask('dead', 'a/1')
  all.ask('dead', 'a/2')
  await clock.advance(1_000)
  assert.equal(all.ask('dead').kind, 'go')
  assert.equal(all.ask('dead', 'a/3').kind, 'refused')
  all.succeeded('dead')
  assert.deepEqual(woken, [['a/1', 'a/2', 'a/3']])
  assert.equal(all.ask('dead').kind, 'go')
})

test('of ten thousand who wait a few come back for the next probe, and the others are woken by its success', () => {
  const { all, woken } = breakers()
  all.failed('dead', 60_000)
  const names = Array.from({ length: 10_000 }, (_, index) => `claim-${index}`)
  const delays = names.map(name => {
    const answer = all.ask('dead', name)
    return answer.kind === 'refused' ? answer.retryInMs : 0
  })
  assert.deepEqual([...new Set(delays.slice(0, 10))], [60_000], 'as few as these come all')
  const within = (ms: number): number => delays.filter(delay => delay <= ms).length
  assert.ok(within(66_000) >= 10 && within(120_000) < 1_500, `${within(66_000)} in six seconds, ${within(120_000)} in a minute`)
  assert.equal(within(600_000), 10_000, 'nobody stays away for ever')
  all.succeeded('dead')
  assert.deepEqual(woken, [names])
})

for (const [asked, waiting, part, retryInMs] of [
  [60_000, 10, 1, 60_000],
  [60_000, 11, 0, 60_000],
  [60_000, 11, 1, 66_000],
  [60_000, 20, 0.5, 90_000],
  [60_000, 200, 1, 600_000],
  [599_999, 50, 1, 600_000],
  [600_000, 50, 1, 600_000],
  [900_000, 50, 1, 900_000],
] as const)
  test(`the last of ${waiting} who wait for ${asked} ms comes back after ${retryInMs} when ${part} is drawn`, () => {
    const all = new Breakers({ clock: new ManualClock(), random: drawn(part) })
    all.failed('dead', asked)
    const answers = Array.from({ length: waiting }, (_, index) => all.ask('dead', `claim-${index}`))
    assert.deepEqual(answers.at(-1), { kind: 'refused', retryInMs })
    assert.deepEqual(all.ask('dead', 'claim-0'), { kind: 'refused', retryInMs }, 'who asks again is one of them still')
  })

test('without settings the fifth failure in a row opens it for a second at most, and no probe is further away than a minute', async () => {
  const clock = new ManualClock()
  const all = new Breakers({ clock, random: drawn(1) })
  for (let failure = 0; failure < 4; failure++) all.failed('dead')
  assert.deepEqual([all.ask('dead'), all.isOpen('dead')], [{ kind: 'go' }, false])
  const waits: number[] = []
  for (let probe = 0; probe < 10; probe++) {
    all.failed('dead')
    const answer = all.ask('dead')
    waits.push(answer.kind === 'refused' ? answer.retryInMs : 0)
    await clock.advance(waits.at(-1) ?? 0)
    assert.deepEqual(all.ask('dead'), { kind: 'go' })
  }
  assert.deepEqual(waits, [1_000, 2_000, 4_000, 8_000, 16_000, 32_000, 60_000, 60_000, 60_000, 60_000])
})

for (const [openMsMin, retryInMs] of [
  [undefined, 1_000],
  [300, 300],
] as const)
  test(`while the probe of one with a least wait of ${openMsMin} is under way, others come back in ${retryInMs} ms`, async () => {
    const clock = new ManualClock()
    const all = new Breakers({ clock, random: drawn(1), ...(openMsMin && { openMsMin }) })
    all.failed('dead', 10)
    await clock.advance(9)
    assert.deepEqual(all.ask('dead'), { kind: 'refused', retryInMs }, 'a millisecond too early')
    await clock.advance(1)
    assert.deepEqual([all.ask('dead'), all.ask('dead')], [{ kind: 'go' }, { kind: 'refused', retryInMs }])
  })

test('what succeeds or is given up without trouble wakes nobody, and one that is forgotten begins with its first failure', () => {
  const { all, woken } = breakers()
  all.succeeded('fine')
  all.released('fine')
  for (let failure = 0; failure < 3; failure++) all.failed('dead')
  all.succeeded('dead')
  assert.deepEqual(woken, [])
  for (let failure = 0; failure < 3; failure++) all.failed('dead')
  all.forget('dead')
  all.failed('dead')
  assert.deepEqual([all.ask('dead'), all.open()], [{ kind: 'go' }, []])
  for (let failure = 0; failure < 2; failure++) all.failed('dead')
  all.ask('dead', 'a/1')
  all.succeeded('dead')
  assert.deepEqual(woken, [['a/1']], 'a single one is woken, too')
})

test('one whose next call would go holds nothing back once nobody waits for it any more [L6]', async () => {
  const { clock, all } = breakers()
  for (let failure = 0; failure < 3; failure++) all.failed('dead')
  all.ask('dead', 'a/1')
  await clock.advance(60_000)
  assert.deepEqual(all.open(), ['dead'])
  all.leave('a/1')
  assert.deepEqual(all.open(), [])
  assert.equal(all.ask('dead').kind, 'go')
  assert.deepEqual(all.open(), ['dead'], 'the one call that is let through is under way')
})

test('a dependency is held back until its next call would go, and not a moment longer', async () => {
  const { clock, all } = breakers()
  all.failed('quota', 7_000)
  await clock.advance(6_999)
  assert.deepEqual([all.open(), all.isOpen('quota')], [['quota'], true])
  await clock.advance(1)
  assert.deepEqual([all.open(), all.isOpen('quota')], [[], true])
  all.forget('quota')
  assert.deepEqual([all.open(), all.isOpen('quota')], [[], false])
})

test('a failed probe opens it again, for longer', async () => {
  const { clock, all } = breakers()
  for (let failure = 0; failure < 3; failure++) all.failed('dead')
  const delays: number[] = []
  for (let probe = 0; probe < 9; probe++) {
    const before = all.ask('dead')
    const ms = before.kind === 'refused' ? before.retryInMs : 0
    delays.push(ms)
    await clock.advance(ms)
    assert.equal(all.ask('dead').kind, 'go')
    all.failed('dead')
  }
  assert.ok((delays.at(-1) ?? 0) > 8 * (delays[0] ?? 0), String(delays))
  assert.ok((delays.at(-1) ?? 0) <= 60_000, String(delays))
})

test('a hint when to come back is obeyed at once [F6]', async () => {
  const { clock, all } = breakers()
  all.failed('quota', 7_000)
  assert.deepEqual(all.ask('quota'), { kind: 'refused', retryInMs: 7_000 })
  await clock.advance(7_000)
  assert.equal(all.ask('quota').kind, 'go')
})

test('a probe that was aborted gives its place back', async () => {
  const { clock, all } = breakers()
  for (let failure = 0; failure < 3; failure++) all.failed('dead')
  await clock.advance(1_000)
  assert.equal(all.ask('dead').kind, 'go')
  all.released('dead')
  assert.equal(all.ask('dead').kind, 'go')
})

test('without bounds a back-off begins at a fifth of a second and ends at five minutes, for each name by itself [L6]', () => {
  const backoff = new Backoff(drawn(1))
  assert.equal(backoff.next('other'), 200)
  const delays = Array.from({ length: 40 }, () => backoff.next('key'))
  assert.deepEqual(delays.slice(0, 3), [200, 400, 800])
  assert.deepEqual([delays.at(10), delays.at(11), delays.at(-1)], [204_800, 300_000, 300_000])
  assert.deepEqual([backoff.failures('other'), backoff.failures('key'), backoff.size], [1, 40, 2])
  backoff.reset('key')
  assert.deepEqual([backoff.failures('other'), backoff.failures('key'), backoff.size], [1, 0, 1])
})

test('delays of a back-off grow within their bounds, differ between draws, and begin anew after success (L6)', () => {
  fc.assert(
    fc.property(fc.integer(), fc.integer({ min: 1, max: 40 }), (seed, failures) => {
      const backoff = new Backoff(seededRandom(seed), { backoffMsMin: 100, backoffMsMax: 10_000 })
      for (let failure = 0; failure < failures; failure++) {
        const delay = backoff.next('key')
        const full = Math.min(10_000, 100 * 2 ** failure)
        assert.ok(delay >= full / 2 && delay <= full, `${delay} of ${full}`)
      }
      backoff.reset('key')
      assert.ok(backoff.next('key') <= 100)
      backoff.reset('key')
      assert.equal(backoff.size, 0)
    }),
  )
})
