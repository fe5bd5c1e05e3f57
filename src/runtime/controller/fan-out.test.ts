import assert from 'node:assert/strict'
import { test } from 'node:test'
import { drain, ManualClock, type Random, seededRandom, silentLog } from '#base'
import type { StoredObject } from '#kube'
import type { Change } from '../informer/change.ts'
import type { Reads } from '../informer/reads.ts'
import type { Watch } from './definition.ts'
import { FanOut, type FanOutOptions } from './fan-out.ts'

const type = { group: '', version: 'v1', kind: 'ConfigMap', plural: 'configmaps', namespaced: true }

function configMap(value: string): StoredObject {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { namespace: 'default', name: 'settings', uid: 'u', resourceVersion: value, annotations: { value } },
  } as StoredObject
}

/** With what it added, by name and lane, and when what waits is added. */
function fanningOut(options: Partial<FanOutOptions> = {}) {
  const clock = new ManualClock()
  const added: string[] = []
  const waits: number[] = []
  const fanOut = new FanOut({
    clock,
    random: seededRandom('fan-out'),
    log: silentLog,
    world: {} as Reads,
    add: ({ name }, lane, afterMs) => {
      added.push(`${name} ${lane}`)
      waits.push(afterMs)
    },
    ...options,
  })
  return { fanOut, added, waits, clock }
}

test('what a claim can wait for comes after new and changed claims, and all else does not wait', () => {
  const { fanOut, added } = fanningOut()
  const watch: Watch = {
    type,
    toClaims: () => [
      { namespace: 'default', name: 'writer' },
      { namespace: 'default', name: 'reader' },
    ],
    canWait: (change: Change, { name }) => name === 'writer' && change.object.metadata.annotations?.['value'] === 'ours',
  }
  fanOut.change(watch, '', { kind: 'changed', previous: configMap('old'), object: configMap('theirs') })
  assert.deepEqual([...new Set(added.splice(0))], ['writer fresh', 'reader fresh'])
  fanOut.change(watch, '', { kind: 'changed', previous: configMap('old'), object: configMap('ours') })
  assert.deepEqual([...new Set(added)], ['writer drift', 'reader fresh'])
  fanOut.close()
})

test('what a restart finds can wait, and what comes later cannot; of what changed both sides are followed', () => {
  const { fanOut, added } = fanningOut()
  const watch: Watch = {
    type,
    toClaims: ({ metadata }) => [{ namespace: 'default', name: metadata.annotations?.['value'] ?? '' }],
  }
  fanOut.change(watch, '', { kind: 'added', initial: true, object: configMap('a') })
  fanOut.change(watch, '', { kind: 'added', initial: false, object: configMap('b') })
  fanOut.change(watch, '', { kind: 'changed', previous: configMap('c'), object: configMap('d') })
  fanOut.change(watch, '', { kind: 'removed', object: configMap('e') })
  assert.deepEqual(added, ['a drift', 'b fresh', 'c fresh', 'd fresh', 'e fresh'])
  assert.equal(fanOut.pending, 0)
  fanOut.close()
})

test('a claim is looked at at once for each change of what has no pause, and in turns where there is one', async () => {
  const { fanOut, waits, clock } = fanningOut()
  const at: Watch = { type, toClaims: () => [{ namespace: 'default', name: 'set' }] }
  const change: Change = { kind: 'removed', object: configMap('a') }
  for (const watch of [at, at, { ...at, pauseMs: () => 400 }, { ...at, pauseMs: () => 400 }, { ...at, pauseMs: () => 400 }]) {
    fanOut.change(watch, '', change)
    await clock.advance(100)
  }
  assert.deepEqual(waits, [0, 0, 0, 300, 200])
})

/** As if the longest of each wait were drawn. */
const longest = { float: () => 1 } as unknown as Random

for (const [what, fail] of [
  [
    'throws',
    () => {
      throw new Error('no')
    },
  ],
  ['is rejected', () => Promise.reject(new Error('no'))],
] as const)
  test(`a mapping that ${what} is asked again after a tenth of a second, and later and later up to a minute, for each change by itself [P14]`, async () => {
    const delays: unknown[] = []
    let fails = true
    let failed = 0
    const { fanOut, added, clock } = fanningOut({
      random: longest,
      log: { ...silentLog, warn: (_message, fields) => void delays.push(fields?.['delayMs']) },
      onFailure: () => void failed++,
    })
    const asked: string[] = []
    const watch: Watch = {
      type,
      toClaims: ({ metadata }) => {
        asked.push(metadata.annotations?.['value'] ?? '')
        return fails ? fail() : [{ namespace: 'default', name: 'a' }]
      },
    }
    fanOut.change(watch, '', { kind: 'added', initial: false, object: configMap('one') })
    for (let time = 0; time < 12; time++) {
      await drain()
      assert.deepEqual([fanOut.pending, clock.pendingCount()], [1, 1])
      await clock.advance(Number(delays.at(-1)))
    }
    await drain()
    assert.deepEqual(delays, [100, 200, 400, 800, 1_600, 3_200, 6_400, 12_800, 25_600, 51_200, 60_000, 60_000, 60_000])
    assert.equal(failed, 13)
    fanOut.change(watch, '', { kind: 'added', initial: false, object: configMap('other') })
    await drain()
    assert.equal(delays.at(-1), 100)
    fails = false
    asked.splice(0)
    await clock.advance(60_000)
    assert.deepEqual([asked.sort(), added, fanOut.pending], [['one', 'other'], ['a fresh', 'a fresh'], 0])
  })

test('of a change whose two sides lead to claims only the side that failed is asked again', async () => {
  const { fanOut, added, clock } = fanningOut()
  const asked: string[] = []
  const watch: Watch = {
    type,
    toClaims: ({ metadata }) => {
      const value = metadata.annotations?.['value'] ?? ''
      asked.push(value)
      if (value === 'old' && asked.length < 3) throw new Error('no')
      return [{ namespace: 'default', name: value }]
    },
  }
  fanOut.change(watch, '', { kind: 'changed', previous: configMap('old'), object: configMap('new') })
  await clock.advance(1_000)
  assert.deepEqual(
    [asked, added],
    [
      ['old', 'new', 'old'],
      ['new fresh', 'old fresh'],
    ],
  )
})

test('once it is closed nothing is added or asked again, also of what was under way', async () => {
  const { fanOut, added, clock } = fanningOut()
  const under = Promise.withResolvers<readonly { namespace: string; name: string }[]>()
  const failing = Promise.withResolvers<never>()
  const change: Change = { kind: 'removed', object: configMap('a') }
  fanOut.change({ type, toClaims: () => under.promise }, '', change)
  fanOut.change({ type, toClaims: () => failing.promise }, '', change)
  fanOut.change(
    {
      type,
      toClaims: () => {
        throw new Error('no')
      },
    },
    '',
    change,
  )
  assert.equal(fanOut.pending, 1)
  fanOut.close()
  under.resolve([{ namespace: 'default', name: 'late' }])
  failing.reject(new Error('no'))
  await drain()
  await clock.advance(60_000)
  assert.deepEqual([added, fanOut.pending, clock.pendingCount()], [[], 0, 0])
})
