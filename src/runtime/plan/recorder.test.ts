import assert from 'node:assert/strict'
import { test } from 'node:test'
import { drain, ManualClock, seededRandom, silentLog } from '#base'
import type { Occurrence, StoredObject } from '#kube'
import { type KubeClient, KubeError } from '#kube/client'
import { openGate } from '../election/gate.ts'
import { Breakers } from '../queue/breaker.ts'
import { Recorder } from './recorder.ts'
import type { Target } from './target.ts'
import { Writer } from './writer.ts'

function occurrence(index: number): Occurrence {
  const regarding = { apiVersion: 'example.com/v1', kind: 'Widget', namespace: 'a', name: `w-${index}`, uid: `u-${index}` }
  return { regarding, type: 'Normal', reason: 'Ready', message: 'it is ready' }
}

function refusal(reason: string): KubeError {
  return new KubeError('refused', `it is ${reason}`, {
    status: { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', reason },
  })
}

function namesOf(waiting: readonly { readonly name: string }[]): readonly string[] {
  return waiting.map(({ name }) => name.replace(/\..*/, ''))
}

/** A server that answers a creation when the test says so. */
function slowServer() {
  const clock = new ManualClock()
  const life = new AbortController()
  const waiting: { readonly name: string; answer(error?: Error): void }[] = []
  const asked: string[] = []
  const held = new Map<string, number>()
  const partial: Partial<KubeClient> = {
    create: (_type, object) =>
      new Promise((resolve, reject) => {
        const answer = (error?: Error): void => (error === undefined ? resolve(object as never) : reject(error))
        waiting.push({ name: object.metadata.name ?? '', answer })
      }),
    find: async (_type, { name }) => {
      asked.push(name)
      const count = held.get(name.replace(/\..*/, ''))
      return (count === undefined ? undefined : { metadata: { name }, count }) as unknown as never
    },
    patch: async (_type, { name }, _kind, body) => {
      const object = name.replace(/\..*/, '')
      if (held.get(object) === 0) throw refusal('NotFound')
      waiting.push({ name: `${object} for the ${(body as { count: number }).count}th time`, answer: () => {} })
      return { metadata: {} } as StoredObject as never
    },
  }
  const target = { client: partial as KubeClient, unavailable: () => undefined, follow: () => undefined } as unknown as Target
  const writer = new Writer({
    fieldManager: 'test',
    gate: openGate,
    breakers: new Breakers({ clock, random: seededRandom(1) }),
    callTimeoutMs: 1_000,
    signal: life.signal,
    pretend: false,
    written: new Map(),
    onWrite: () => {},
    expect: () => {},
  })
  const recorder = new Recorder({ clock, log: silentLog, component: 'test', instance: 'test' })
  return {
    clock,
    life,
    waiting,
    asked,
    held,
    partial,
    target,
    writer,
    recorder,
    record: (index: number) => recorder.record(writer, target, occurrence(index)),
  }
}

test('an event is told behind the work: whoever records it goes on at once, and one after another is sent', async () => {
  const { waiting, recorder, writer, record } = slowServer()
  recorder.open(() => ({ writer, close: () => {} }))
  for (let index = 0; index < 3; index++) await record(index)
  await drain()
  assert.equal(waiting.length, 1)
  for (let index = 0; index < 3; index++) {
    waiting[index]?.answer()
    await drain()
  }
  assert.deepEqual(
    waiting.map(({ name }) => name.slice(0, 3)),
    ['w-0', 'w-1', 'w-2'],
  )
  await recorder.close()
})

test('an event that is refused keeps none of the others from being told', async () => {
  const { waiting, recorder, writer, record } = slowServer()
  recorder.open(() => ({ writer, close: () => {} }))
  for (let index = 0; index < 2; index++) await record(index)
  await drain()
  waiting[0]?.answer(new Error('the leadership is over'))
  await drain()
  assert.deepEqual(namesOf(waiting), ['w-0', 'w-1'])
  waiting[1]?.answer()
  await recorder.close()
})

test('what is said again is counted in one write, without asking; of what a predecessor said the server is asked once', async () => {
  const { waiting, asked, held, recorder, writer, record } = slowServer()
  held.set('w-1', 4)
  recorder.open(() => ({ writer, close: () => {} }))
  await record(0)
  await drain()
  waiting[0]?.answer()
  await drain()
  for (const index of [0, 0, 1, 1]) {
    await record(index)
    await drain()
  }
  assert.deepEqual(namesOf(waiting), [
    'w-0',
    'w-0 for the 2th time',
    'w-0 for the 3th time',
    'w-1 for the 5th time',
    'w-1 for the 6th time',
  ])
  assert.deepEqual(namesOf(asked.map(name => ({ name }))), ['w-0', 'w-1'])
  await recorder.close()
})

test('an event that the server has forgotten meanwhile is made anew', async () => {
  const { waiting, held, recorder, writer, record } = slowServer()
  recorder.open(() => ({ writer, close: () => {} }))
  await record(0)
  await drain()
  waiting[0]?.answer()
  await drain()
  held.set('w-0', 0)
  await record(0)
  await drain()
  assert.deepEqual(namesOf(waiting), ['w-0', 'w-0'])
  waiting[1]?.answer()
  await recorder.close()
})

test('of one object 25 events are told at once, then one in five minutes, and never more than 25 after a rest [B29]', async () => {
  const { clock, waiting, recorder, writer, record } = slowServer()
  recorder.open(() => ({ writer, close: () => {} }))
  await record(0)
  await drain()
  waiting[0]?.answer()
  const told: number[] = []
  for (const [restMs, times] of [
    [0, 30],
    [299_999, 1],
    [1, 2],
    [10 * 60_000 + 30_000, 3],
    [4 * 60_000 + 29_999, 1],
    [1, 1],
    [24 * 3_600_000, 40],
  ] as const) {
    await clock.advance(restMs)
    const before = waiting.length
    for (let time = 0; time < times; time++) {
      await record(0)
      await drain()
    }
    told.push(waiting.length - before)
  }
  assert.deepEqual(told, [24, 0, 1, 2, 0, 1, 25])
  await record(1)
  await drain()
  assert.equal(namesOf(waiting).at(-1), 'w-1', 'another object has its own')
  waiting.at(-1)?.answer()
  await recorder.close()
})

test('no more than a thousand wait to be told; whoever has one more waits until it is told, and nothing is dropped [B29]', async () => {
  const { waiting, recorder, writer, record } = slowServer()
  recorder.open(() => ({ writer, close: () => {} }))
  // One is under way, a thousand wait.
  for (let index = 0; index < 1_001; index++) await record(index)
  let told = false
  const last = record(1_001).then(() => {
    told = true
  })
  await drain()
  assert.deepEqual([waiting.length, told], [2, false])
  waiting[1]?.answer()
  await last
  assert.equal(told, true)
  for (let index = 0; index < 1_002; index++) {
    waiting[index]?.answer()
    await drain()
  }
  assert.equal(waiting.length, 1_002)
  await recorder.close()
})

test('an end waits for what is untold, and no longer than its writer lives [L5]', async () => {
  const { life, waiting, target, recorder, writer, record } = slowServer()
  recorder.open(() => ({ writer, close: () => {} }))
  for (let index = 0; index < 3; index++) await record(index)
  await drain()
  let closed = false
  const closing = recorder.close().then(() => {
    closed = true
  })
  waiting[0]?.answer()
  await drain()
  assert.deepEqual([waiting.length, closed], [2, false])
  life.abort(new Error('the moment is over'))
  waiting[1]?.answer(new Error('the moment is over'))
  await closing
  assert.equal(waiting.length, 2)
  // What is recorded by a pass that outlives the term is told by the pass.
  const late = recorder.record(writer, target, occurrence(3))
  await drain()
  assert.equal(waiting.length, 3)
  waiting[2]?.answer()
  await late
})

/** One that answers at once, told without a batch: each record ends when its event is told. */
function quickServer() {
  const server = slowServer()
  const created: string[] = []
  server.partial.create = async (_type, object) => {
    created.push(object.metadata.name?.replace(/\..*/, '') ?? '')
    return object as never
  }
  return { ...server, created }
}

test('an event that the server refuses is no trouble of whoever records it, and another trouble is', async () => {
  const { partial, recorder, writer, target, asked } = quickServer()
  partial.create = () => Promise.reject(refusal('Forbidden'))
  await recorder.record(writer, target, occurrence(0))
  partial.create = () => Promise.reject(new Error('the leadership is over'))
  await assert.rejects(recorder.record(writer, target, occurrence(0)), /the leadership is over/)
  assert.equal(asked.length, 2, 'what was not told is not remembered as told')
})

test('an event whose count is refused is not made a second time', async () => {
  const { partial, created, record, asked } = quickServer()
  await record(0)
  partial.patch = () => Promise.reject(refusal('Forbidden'))
  await record(0)
  assert.deepEqual([created, asked.length], [['w-0'], 1])
  await record(0)
  assert.equal(asked.length, 2, 'how often it was told is asked for again')
})

test('an event that says no count has been told once', async () => {
  const { partial, waiting, record } = quickServer()
  partial.find = async (_type, { name }) => ({ metadata: { name } }) as never
  await record(0)
  assert.deepEqual(namesOf(waiting), ['w-0 for the 2th time'])
})

test('an object that is made anew under the same name may tell as much as the one before it [B29]', async () => {
  const { created, waiting, recorder, writer, target } = quickServer()
  const told = async (uid: string | undefined): Promise<number> => {
    const { regarding, ...rest } = occurrence(0)
    const before = created.length + waiting.length
    for (let time = 0; time < 30; time++)
      await recorder.record(writer, target, {
        ...rest,
        regarding: { apiVersion: 'v1', kind: 'Widget', namespace: 'a', name: regarding.name, ...(uid !== undefined && { uid }) },
      })
    return created.length + waiting.length - before
  }
  assert.deepEqual([await told('u-1'), await told('u-1'), await told('u-2'), await told(undefined)], [25, 0, 25, 25])
})

for (const [others, isKnown] of [
  [4_095, true],
  [4_096, false],
] as const)
  test(`what an object told is ${isKnown ? 'still known' : 'forgotten'} after ${others} others [B29]`, async () => {
    const { created, asked, record, waiting } = quickServer()
    for (let time = 0; time < 25; time++) await record(0)
    for (let other = 1; other <= others; other++) await record(other)
    assert.deepEqual([created.length, waiting.length, asked.length], [1 + others, 24, 1 + others])
    await record(0)
    assert.equal(asked.length + created.length + waiting.length, 2 * (1 + others) + 24 + (isKnown ? 0 : 2))
  })

test('what happened in one cluster is not counted as told in another', async () => {
  const { asked, created, waiting, recorder, writer, target } = quickServer()
  for (const cluster of ['east', 'west', 'east']) await recorder.record(writer, { ...target, cluster }, occurrence(0))
  assert.deepEqual([asked.length, created, namesOf(waiting)], [2, ['w-0', 'w-0'], ['w-0 for the 2th time']])
})
