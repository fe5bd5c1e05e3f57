// The server around a provider: when it is ready, what runs with it, and what is shown of its sources.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { drain, ManualClock, silentLog } from '#base'
import { Metrics, noTracer } from '#runtime'
import type { IdentitySource, Provider } from '../provider.ts'
import { answerReview } from '../review.ts'
import { webhookMetrics } from './metrics.ts'
import { webhookOf } from './webhook.ts'

interface Source extends IdentitySource {
  synced: boolean
  watched?: { resource: string; watches: number }
  /** Its state may have changed, as whoever listens is told. */
  tell(): void
  readonly listeners: Set<() => void>
  readonly runs: AbortSignal[]
  end(): void
}

/** Silent: it says nothing of its state. */
function sourceOf(name: string, synced: boolean, isSilent = false): Source {
  const listeners = new Set<() => void>()
  const runs: AbortSignal[] = []
  let end = (): void => undefined
  const over = new Promise<void>(resolve => (end = resolve))
  return {
    name,
    synced,
    listeners,
    runs,
    tell: () => {
      for (const changed of listeners) changed()
    },
    end: () => end(),
    run: signal => (runs.push(signal), over),
    ...(isSilent
      ? {}
      : {
          onState: (changed: () => void) => {
            listeners.add(changed)
            return () => void listeners.delete(changed)
          },
        }),
  }
}

function webhook(sources: readonly Source[], more: Partial<Provider> = {}) {
  const clock = new ManualClock()
  const metrics = new Metrics()
  const provider = {
    name: 'test',
    reviewPaths: ['/mutate'],
    answer: answerReview,
    countsRequests: false,
    sources,
    serviceAccounts: { size: 0, synced: false },
    ...more,
  } as unknown as Provider
  const parts = { clock, log: silentLog, metrics, own: webhookMetrics(metrics), tracer: noTracer }
  return { clock, metrics, webhook: webhookOf(provider, { ...parts, settings: { debugging: 'nobody', verbosity: 0 } }) }
}

/** What comes of waiting for it. */
function waited(pending: Promise<void>): string[] {
  const ends: string[] = []
  pending.then(
    () => ends.push('ready'),
    (error: Error) => ends.push(error.message),
  )
  return ends
}

test('it is ready when each source was read once, and says of each whether it was [§5.6]', () => {
  const [one, other] = [sourceOf('one', true), sourceOf('other', false)]
  const { webhook: made } = webhook([one, other])
  const said = () => made.ready.map(({ name, check }) => [name, check()])
  assert.equal(made.isReady, false)
  assert.deepEqual(said(), [
    ['one', { ok: true }],
    ['other', { ok: false, why: 'not read once yet' }],
  ])
  other.synced = true
  assert.equal(made.isReady, true)
  assert.deepEqual(said(), [
    ['one', { ok: true }],
    ['other', { ok: true }],
  ])
})

test('it runs until each of its sources has ended', async () => {
  const sources = [sourceOf('one', true), sourceOf('other', true)]
  const { webhook: made } = webhook(sources)
  const { signal } = new AbortController()
  const ends = waited(made.run(signal))
  for (const source of sources) {
    await drain()
    assert.deepEqual([ends, source.runs], [[], [signal]])
    source.end()
  }
  await drain()
  assert.deepEqual(ends, ['ready'])
})

test('what waits in its provider is woken', () => {
  let woken = 0
  const { webhook: made } = webhook([], { wake: () => void woken++ })
  made.wake()
  assert.deepEqual([woken, made.provider], [1, 'test'])
})

test('whoever waits for it is told when the last source was read, and listens no more', async () => {
  const [one, other] = [sourceOf('one', false), sourceOf('other', false)]
  const { clock, webhook: made } = webhook([one, other])
  const stop = new AbortController()
  const ends = waited(made.whenReady(stop.signal))
  one.tell()
  await drain()
  assert.deepEqual([ends, one.listeners.size], [[], 1])
  one.synced = true
  one.tell()
  await drain()
  assert.deepEqual([ends, one.listeners.size, other.listeners.size], [[], 0, 1])
  other.synced = true
  other.tell()
  await drain()
  assert.deepEqual([ends, other.listeners.size, clock.pendingCount()], [['ready'], 0, 0])
  stop.abort(new Error('too late'))
  await drain()
  assert.deepEqual(ends, ['ready'])
  await made.whenReady()
})

for (const [what, isFirst] of [
  ['first', true],
  ['last', false],
] as const)
  test(`a source that says nothing of its state, ${what} among them, is looked at every five milliseconds`, async () => {
    const [silent, talking] = [sourceOf('silent', false, true), sourceOf('talking', false)]
    const { clock, webhook: made } = webhook(isFirst ? [silent, talking] : [talking, silent])
    const ends = waited(made.whenReady())
    await clock.advance(1)
    silent.synced = true
    talking.synced = true
    talking.tell()
    await clock.advance(3)
    assert.deepEqual(ends, [])
    await clock.advance(1)
    assert.deepEqual([ends, clock.pendingCount()], [['ready'], 0])
  })

for (const isSilent of [false, true])
  test(`whoever waits for a source that says ${isSilent ? 'nothing of ' : ''}its state gives up with its signal`, async () => {
    const source = sourceOf('one', false, isSilent)
    const { clock, webhook: made } = webhook([source])
    const stop = new AbortController()
    const ends = waited(made.whenReady(stop.signal))
    await drain()
    stop.abort(new Error('no more'))
    await drain()
    assert.deepEqual([ends, source.listeners.size, clock.pendingCount()], [['no more'], 0, 0])
    await assert.rejects(made.whenReady(stop.signal), /^Error: no more$/)
  })

test('how many ServiceAccounts are known, and how often watches began anew, is shown [§5.7]', () => {
  const [one, other, third] = [sourceOf('one', true), sourceOf('other', true), sourceOf('third', true)]
  one.watched = { resource: 'ones', watches: 0 }
  other.watched = { resource: 'others', watches: 3 }
  const serviceAccounts = { size: 7, synced: false }
  const { metrics } = webhook([one, other, third], { serviceAccounts })
  const shown = (): string[] =>
    (metrics.expose().match(/^identity_webhook_(?:sa_cache|watch).*$/gm) ?? []).map(line => line.replace('identity_webhook_', ''))
  assert.deepEqual(shown(), [
    'sa_cache_entries{provider="test"} 7',
    'sa_cache_synced{provider="test"} 0',
    'watch_restarts_total{resource="ones"} 0',
    'watch_restarts_total{resource="others"} 2',
  ])
  serviceAccounts.synced = true
  one.watched.watches = 2
  assert.deepEqual(shown().slice(1), [
    'sa_cache_synced{provider="test"} 1',
    'watch_restarts_total{resource="ones"} 1',
    'watch_restarts_total{resource="others"} 2',
  ])
})
