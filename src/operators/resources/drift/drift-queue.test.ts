// How a queue of drift is asked, what becomes of its messages, and when they are given back.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AwsError } from '#aws'
import { ManualClock, silentLog } from '#base'
import type { CompanionContext, PassRecord } from '#runtime'
import type { Values } from '../model/request.ts'
import { modelOf } from '../testing/parts.ts'
import { driftQueue } from './drift-queue.ts'
import { OwnCalls } from './own-calls.ts'

const url = 'https://sqs.eu-west-1.amazonaws.com/111122223333/drift'

/** What the queue answers to one look for messages, and after how long. */
interface Answer {
  readonly afterMs?: number
  readonly messages?: unknown
  readonly error?: Error
}

interface Situation {
  readonly answers?: readonly Answer[]
  /** Objects that every event is about. */
  readonly concerned?: number
  /** Of calls that give messages back. */
  readonly deletionFails?: boolean
  readonly region?: string
  readonly ownRequests?: readonly string[]
}

interface Driven {
  readonly clock: ManualClock
  /** When messages were asked for. */
  readonly asked: number[]
  readonly inputs: Values[]
  /** Receipts, a list for each call. */
  readonly deleted: string[][]
  readonly told: unknown[]
  readonly added: unknown[]
  readonly client: unknown[]
  pass(name: string, tookMs: number): void
  turn(): Promise<void>
  advance(ms: number): Promise<void>
  stop(): Promise<void>
}

const turn = async (): Promise<void> => {
  for (let times = 0; times < 5; times++) await new Promise(resolve => setImmediate(resolve))
}

/** Runs until the test stops it; when the answers are at an end the queue holds its answer back. */
async function driven({
  answers = [],
  concerned = 0,
  deletionFails = false,
  region,
  ownRequests = [],
}: Situation): Promise<Driven> {
  const clock = new ManualClock()
  const [asked, inputs, deleted, told, added, made]: [number[], Values[], string[][], unknown[], unknown[], unknown[]] = [
    [],
    [],
    [],
    [],
    [],
    [],
  ]
  const left = [...answers]
  const receive = async (signal: AbortSignal): Promise<Values> => {
    asked.push(clock.monotonicMs())
    const answer = left.shift()
    if (answer === undefined) await clock.sleep(Number.MAX_SAFE_INTEGER, signal)
    else if (answer.afterMs !== undefined) await clock.sleep(answer.afterMs, signal)
    if (answer?.error !== undefined) throw answer.error
    return { Messages: answer?.messages }
  }
  const client = {
    call: async (operation: string, input: Values, { signal }: { readonly signal: AbortSignal }) => {
      if (operation === 'ReceiveMessage') {
        inputs.push(input)
        return receive(signal)
      }
      deleted.push((input['Entries'] as readonly { readonly ReceiptHandle: string }[]).map(each => each.ReceiptHandle))
      if (deletionFails) throw new Error('not now')
      return {}
    },
  }
  const ownCalls = new OwnCalls(true)
  for (const id of ownRequests) ownCalls.note(id)
  const claims = Array.from({ length: concerned }, (_, index) => ({
    metadata: { uid: `u${index}`, namespace: 'team', name: `r${index}` },
    spec: { name: 'reader' },
  }))
  const companion = driftQueue({
    address: { url, endpoint: 'https://sqs.eu-west-1.amazonaws.com', region },
    region: 'home',
    aws: {
      for: ({ model, ...more }: { readonly model: { readonly id: string } }) => {
        made.push(model.id, more)
        return client
      },
    } as never,
    kinds: [{ model: modelOf('iam', 'Role'), controller: 'roles', onConcerned: uid => void told.push(`Role ${uid}`) }],
    ownCalls,
    metrics: {
      message: result => void told.push(result),
      reachable: (queue, is) => void told.push(`${queue === url ? 'queue' : queue} ${is}`),
    },
  })
  const line =
    (level: string) =>
    (message: string, fields?: object): void =>
      void told.push([level, message, fields])
  const context = {
    clock,
    log: { ...silentLog, debug: line('debug'), info: line('info'), warn: line('warn') },
    world: { isSynced: () => true, byIndex: () => claims },
    add: (controller: string, key: object, lane: string) => {
      added.push([controller, key, lane])
      return true
    },
  } as unknown as CompanionContext
  const ending = new AbortController()
  const running = companion.run(context, ending.signal)
  await turn()
  return {
    clock,
    asked,
    inputs,
    deleted,
    told,
    added,
    client: made,
    pass: (name, tookMs) =>
      companion.onPass?.({ controller: 'roles', key: { cluster: '', namespace: 'team', name }, tookMs } as unknown as PassRecord),
    turn,
    advance: async ms => {
      await clock.advance(ms)
      await turn()
    },
    stop: async () => {
      ending.abort()
      await running
    },
  }
}

const messageOf = (receipt: string, detail: object | string = {}): object => ({
  ReceiptHandle: receipt,
  Body:
    typeof detail === 'string'
      ? detail
      : JSON.stringify({
          source: 'aws.iam',
          detail: { eventSource: 'iam.amazonaws.com', requestParameters: { roleName: 'reader' }, ...detail },
        }),
})
const refusal = (code: string, httpStatus = 400): AwsError =>
  new AwsError({ service: 'sqs', operation: 'ReceiveMessage', code, message: code, httpStatus })
const times = (count: number, answer: Answer): readonly Answer[] => Array.from({ length: count }, () => answer)

for (const [what, answers, asked] of [
  ['that holds its answer back', [], [0]],
  ['that is empty and says so at once', times(2, {}), [0, 1_000, 2_000]],
  ['that is empty and says so within a second', times(1, { afterMs: 999 }), [0, 1_999]],
  ['that is empty and takes a second to say so', times(1, { afterMs: 1_000 }), [0, 1_000]],
  ['that has messages', times(2, { messages: [messageOf('a')] }), [0, 0, 0]],
  ['that cannot be asked once', [{ error: new Error('x') }, {}, {}], [0, 2_000, 3_000, 4_000]],
  [
    'that cannot be asked for long',
    times(10, { error: new Error('x') }),
    [0, 2_000, 6_000, 14_000, 30_000, 62_000, 126_000, 254_000, 510_000, 810_000, 1_110_000],
  ],
] as const)
  test(`a queue ${what} is asked at the milliseconds ${asked.join(', ')}`, async () => {
    const drift = await driven({ answers })
    // Second by second, so that each wait begins when it does.
    for (let second = 0; second <= (asked.at(-1) ?? 0) / 1_000; second++) await drift.clock.advance(1_000)
    await drift.turn()
    assert.deepEqual(drift.asked, asked)
    await drift.stop()
  })

test('a queue is asked for ten messages in its own region, which are hidden for longer than a pass may take', async () => {
  const here = await driven({})
  assert.deepEqual(here.inputs, [{ QueueUrl: url, MaxNumberOfMessages: 10, WaitTimeSeconds: 20, VisibilityTimeout: 300 }])
  assert.deepEqual(here.client, ['SQS', { region: 'home', endpoint: 'https://sqs.eu-west-1.amazonaws.com' }])
  await here.stop()
  const there = await driven({ region: 'eu-west-1' })
  assert.deepEqual(there.client.at(1), { region: 'eu-west-1', endpoint: 'https://sqs.eu-west-1.amazonaws.com' })
  await there.stop()
})

const trouble = 'the drift queue cannot be read; drift is found by resync until it can'
for (const [error, next] of [
  [new Error('no route'), 'it is tried again'],
  [refusal('AccessDeniedException', 403), 'allow sqs:ReceiveMessage and sqs:DeleteMessage on the queue; it is tried again'],
  [refusal('QueueDoesNotExist'), 'make the queue, or name another by --drift-queue; it is tried again'],
  [refusal('InternalError', 500), 'it is tried again'],
] as const)
  test(`a queue that answers ${error.message} is told of once, and once more when it answers again`, async () => {
    const drift = await driven({ answers: [{ error }, { error }, { messages: 'x' }, { messages: [5] }] })
    await drift.advance(2_000)
    await drift.advance(4_000)
    await drift.advance(1_000)
    assert.deepEqual(drift.told, [
      'queue false',
      ['warn', trouble, { queue: url, why: error.message, next }],
      'queue false',
      'queue true',
      ['info', 'the drift queue answers again', { queue: url }],
      'queue true',
    ])
    await drift.stop()
  })

test('a queue that answers again after one failure is told of', async () => {
  const drift = await driven({ answers: [{ error: new Error('x') }, {}] })
  await drift.advance(2_000)
  assert.deepEqual(drift.told.slice(2), ['queue true', ['info', 'the drift queue answers again', { queue: url }]])
  await drift.stop()
})

test('a process that ends while the queue is asked says nothing of it', async () => {
  const drift = await driven({})
  await drift.stop()
  assert.deepEqual(drift.told, [])
  drift.pass('r0', 0)
})

for (const [what, message, concerned, result, looks] of [
  ['that is no event', messageOf('a', 'x'), 1, 'unreadable', 0],
  ['that only reads', messageOf('a', { readOnly: true }), 1, 'harmless', 0],
  ['of our own call', messageOf('a', { requestID: 'ours' }), 1, 'own', 0],
  ['of a call of somebody else', messageOf('a', { requestID: 'theirs' }), 1, 'looked', 1],
  ['of nothing of ours', messageOf('a'), 0, 'unrelated', 0],
  ['of two objects', messageOf('a'), 2, 'looked', 2],
] as const)
  test(`a message ${what} is ${result}, and ${looks === 0 ? 'goes at once' : 'waits for its looks'}`, async () => {
    const drift = await driven({ answers: [{ messages: [message] }], concerned, ownRequests: ['ours'] })
    const names = Array.from({ length: looks }, (_, index) => `r${index}`)
    assert.deepEqual(
      drift.told.filter(each => typeof each === 'string' && !each.startsWith('queue ')),
      [...names.map((_, index) => `Role u${index}`), result],
    )
    assert.deepEqual(
      drift.added,
      names.map(name => ['roles', { namespace: 'team', name }, 'retry']),
    )
    assert.deepEqual(drift.deleted, looks === 0 ? [['a']] : [])
    for (const name of names) drift.pass(name, 0)
    await drift.turn()
    assert.deepEqual(drift.deleted, [['a']])
    await drift.stop()
  })

test('a message that is no event is told of by its length', async () => {
  const drift = await driven({ answers: [{ messages: [messageOf('a', 'xyz'), { Body: 7 }, { ReceiptHandle: 7, Body: 'x' }] }] })
  const warned = drift.told.filter(each => Array.isArray(each))
  const text = 'a message of the drift queue is no event, and is dropped'
  assert.deepEqual(
    warned,
    [3, 0, 1].map(length => ['warn', text, { length }]),
  )
  assert.deepEqual(drift.deleted, [['a', '', '']])
  await drift.stop()
})

test('messages are given back ten at a time, and those that cannot be are no trouble', async () => {
  const messages = Array.from({ length: 12 }, (_, index) => messageOf(`m${index}`, { readOnly: true }))
  const drift = await driven({ answers: [{ messages }], deletionFails: true })
  assert.deepEqual(
    drift.deleted.map(({ length }) => length),
    [10, 2],
  )
  const failed = ['debug', 'messages of the drift queue could not be deleted', { why: 'Error: not now' }]
  assert.deepEqual(
    drift.told.filter(each => Array.isArray(each)),
    [failed, failed],
  )
  await drift.stop()
})

test('no more than ten thousand messages wait to be given back', async () => {
  const messages = Array.from({ length: 10_020 }, () => messageOf('a', { readOnly: true }))
  const drift = await driven({ answers: [{ messages }] })
  for (let times = 0; times < 2_100; times++) await new Promise(resolve => setImmediate(resolve))
  // One is given back while the others come.
  assert.equal(drift.deleted.flat().length, 10_001)
  await drift.stop()
})

for (const [what, tookMs, isDone] of [
  ['when the message came', 5_000, true],
  ['before the message came', 5_001, false],
] as const)
  test(`a look that began ${what} ${isDone ? 'is' : 'is not'} what it waits for`, async () => {
    const drift = await driven({ answers: [{ messages: [messageOf('a')] }], concerned: 1 })
    await drift.advance(5_000)
    drift.pass('r0', tookMs)
    await drift.turn()
    assert.deepEqual(drift.deleted, isDone ? [['a']] : [])
    await drift.stop()
  })

for (const [afterMs, isKept] of [
  [299_999, true],
  [300_000, false],
] as const)
  test(`a message whose look takes ${afterMs} ms is ${isKept ? 'given back' : 'left to who gets it next'}`, async () => {
    const drift = await driven({ answers: [{ messages: [messageOf('a')] }, { afterMs }], concerned: 1 })
    await drift.advance(afterMs)
    drift.pass('r0', 0)
    await drift.turn()
    assert.deepEqual(drift.deleted, isKept ? [['a']] : [])
    await drift.stop()
  })

for (const [concerned, asked] of [
  [999, [0, 0]],
  [1_000, [0, 2_000]],
] as const)
  test(`with ${concerned} objects that wait for their look the queue is asked at ${asked.join(' and ')}`, async () => {
    const drift = await driven({ answers: [{ messages: [messageOf('a')] }], concerned })
    await drift.advance(1_000)
    drift.pass('r0', 0)
    await drift.advance(1_000)
    assert.deepEqual(drift.asked, asked)
    await drift.stop()
  })
