// One cluster, from the first word to it to the last, over a network that says what the test makes it say.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type DialOptions,
  drain,
  type HttpRequest,
  ManualClock,
  memoryFiles,
  type Net,
  type Seams,
  seededRandom,
  silentLog,
  systemKeys,
} from '#base'
import { Metrics } from '#runtime'
import { type OnCluster, onCluster, type WhichCluster } from './on-cluster.ts'

function kubeconfigOf(server: string): string {
  return JSON.stringify({
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'c', cluster: { server } }],
    contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
    users: [{ name: 'u', user: {} }],
    'current-context': 'x',
  })
}

function groundOf(more: Partial<Seams> = {}) {
  const clock = new ManualClock()
  const files = memoryFiles({ '/named': kubeconfigOf('http://named:1'), '/usual': kubeconfigOf('http://usual:2') })
  const dialled: DialOptions[] = []
  const asked: HttpRequest[] = []
  const closing: (() => void)[] = []
  const body = Buffer.from('{"major":"1","minor":"34","gitVersion":"v1.34.4"}')
  const net: Net = {
    dial: options => {
      dialled.push(options)
      return {
        exchange: request => (asked.push(request), Promise.resolve({ status: 200, headers: {}, body })),
        close: () => new Promise<void>(resolve => closing.push(resolve)),
      }
    },
    listen: () => Promise.reject(new Error('nobody listens here')),
  }
  const seams: Seams = {
    clock,
    random: seededRandom(1),
    keys: systemKeys,
    net,
    files,
    programs: { run: () => Promise.reject(new Error('no programs here')) },
    env: { KUBECONFIG: '/usual' },
    log: silentLog,
    ...more,
  }
  return { clock, files, seams, dialled, asked, closing }
}

type World = ReturnType<typeof groundOf>

/** Runs this work; `closed` lets the connections end. */
function running(
  { seams, closing }: World,
  which: Partial<WhichCluster>,
  work: (on: OnCluster, signal: AbortSignal) => Promise<void>,
  ground: { version?: string; metrics?: Metrics } = {},
) {
  const stop = new AbortController()
  const ends: string[] = []
  void onCluster({ seams, ...ground }, { kubeconfig: '/named', program: 'p', ...which }, work, stop.signal).then(
    () => ends.push('well'),
    (error: Error) => ends.push(error.message),
  )
  const closed = async (): Promise<void> => {
    await drain()
    for (const close of closing.splice(0)) close()
    await drain()
  }
  return { stop, ends, closed }
}

const askVersion = async ({ client }: OnCluster): Promise<void> => void (await client.serverVersion())

for (const [which, origin] of [
  [{}, 'http://named:1'],
  [{ kubeconfig: '' }, 'http://usual:2'],
  [{ server: 'http://other:3' }, 'http://other:3'],
  [{ server: '' }, 'http://named:1'],
] as const)
  test(`with ${JSON.stringify(which)} the cluster is at ${origin}`, async () => {
    const world = groundOf()
    const { ends, closed } = running(world, which, askVersion)
    await drain()
    assert.deepEqual([world.dialled.map(options => options.origin), ends], [[origin], []])
    await closed()
    assert.deepEqual(ends, ['well'])
  })

for (const [version, said] of [
  [undefined, 'p/dev'],
  ['1.2.3', 'p/1.2.3'],
] as const)
  test(`a program of ${version === undefined ? 'no version' : `version ${version}`} calls itself ${said}`, async () => {
    const world = groundOf()
    const { closed } = running(world, {}, askVersion, version === undefined ? {} : { version })
    await closed()
    assert.equal(world.asked[0]?.headers['user-agent'], said)
  })

test('a kubeconfig that leads elsewhere is followed', async () => {
  const world = groundOf()
  const { ends, closed } = running(world, {}, async on => {
    await askVersion(on)
    await world.files.write('/named', kubeconfigOf('http://moved:4'))
    await world.clock.sleep(10_000)
    await askVersion(on)
  })
  await world.clock.advance(10_000)
  await closed()
  await closed()
  assert.deepEqual([world.dialled.map(({ origin }) => origin), ends], [['http://named:1', 'http://moved:4'], ['well']])
})

test('the process is among the metrics where somebody knows what it uses', async () => {
  const usage = () => ({
    cpuSeconds: 1,
    startedSeconds: 2,
    residentBytes: 3,
    heapUsedBytes: 4,
    heapTotalBytes: 5,
    externalBytes: 6,
  })
  for (const [seams, isShown] of [
    [{ usage }, true],
    [{}, false],
  ] as const) {
    const world = groundOf(seams)
    const metrics = new Metrics()
    let on: OnCluster | undefined
    await running(world, {}, async given => void (on = given), { metrics }).closed()
    assert.equal(on?.metrics, metrics)
    assert.equal(metrics.expose().includes('process_resident_memory_bytes 3'), isShown)
  }
})

test('what cannot go on ends the work, and is what it all ends with; told to stop, it ends well', async () => {
  for (const isFatal of [true, false]) {
    const world = groundOf()
    const reasons: unknown[] = []
    let tell = (_error: Error): void => undefined
    const { stop, ends, closed } = running(world, {}, (on, signal) => {
      tell = on.onFatal
      return new Promise(resolve =>
        signal.addEventListener('abort', () => {
          reasons.push((signal.reason as Error).message)
          resolve()
        }),
      )
    })
    await drain()
    assert.deepEqual(ends, [])
    if (isFatal) tell(new Error('no version'))
    else stop.abort(new Error('told to stop'))
    await closed()
    assert.deepEqual([reasons, ends], isFatal ? [['no version'], ['no version']] : [['told to stop'], ['well']])
  }
})

test('work that fails is what it ends with, once the connections are closed', async () => {
  const world = groundOf()
  const { ends, closed } = running(world, {}, async on => {
    await askVersion(on)
    throw new Error('a fault')
  })
  await drain()
  await drain()
  assert.deepEqual(ends, [])
  await closed()
  assert.deepEqual(ends, ['a fault'])
})
