// How AWS is read: what never changes is asked for once, lists page by page, and every call is counted.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AwsClient } from '#aws/client'
import { awsCaller } from './aws-caller.ts'
import type { Caller } from './kinds/deviation.ts'
import type { MeasuredCall } from './metrics.ts'
import type { Values } from './model/request.ts'

const place = { account: '111122223333', partition: 'aws', region: 'eu-west-1' }

function reading(answer: (operation: string) => Values, constants: Map<string, Values> = new Map<string, Values>()) {
  const calls: string[] = []
  const counted: MeasuredCall[] = []
  const client = {
    call: (operation: string, input: Values): Promise<Values> => {
      calls.push(`${operation} ${JSON.stringify(input)}`)
      return Promise.resolve().then(() => answer(operation))
    },
    pages: async function* (operation: string): AsyncIterable<Values> {
      await Promise.resolve()
      yield answer(operation)
      yield { Other: 'no list' }
      yield answer(operation)
    },
  } as unknown as AwsClient
  const caller: Caller = awsCaller(client, {
    place: place as never,
    signal: new AbortController().signal,
    constants,
    gathering: undefined as never,
    onCall: call => counted.push(call),
    clientOf: () => client,
  })
  return { caller, calls, counted }
}

test('each call is counted by what it does, and one that fails with its error', async () => {
  const { caller, counted } = reading(operation => {
    if (operation === 'GetThing') throw new Error('no')
    return {}
  })
  await caller.call('ListThings', {})
  await caller.call('GetThingAttributes', {})
  await assert.rejects(caller.call('GetThing', {}), /no/)
  assert.deepEqual(
    counted.map(({ operation, verb, error }) => [operation, verb, (error as Error | undefined)?.message]),
    [
      ['ListThings', 'READ_MANY', undefined],
      ['GetThingAttributes', 'GET_ATTRIBUTES', undefined],
      ['GetThing', 'READ_ONE', 'no'],
    ],
  )
})

test('a list is all elements of all its pages', async () => {
  const { caller, counted } = reading(() => ({ Things: [1, 2] }))
  assert.deepEqual(await caller.list('ListThings', {}, 'Things'), [1, 2, 1, 2])
  assert.equal(counted.length, 3)
})

test('what never changes is asked for once, of each input', async () => {
  const { caller, calls } = reading(() => ({ Name: 'n' }))
  assert.deepEqual(
    [await caller.once('GetName', { Id: 'a' }), await caller.once('GetName', { Id: 'a' })],
    [{ Name: 'n' }, { Name: 'n' }],
  )
  await caller.once('GetName', { Id: 'b' })
  assert.deepEqual(calls, ['GetName {"Id":"a"}', 'GetName {"Id":"b"}'])
})

test('of ten thousand such answers the oldest falls out for the next', async () => {
  const constants = new Map(Array.from({ length: 9_999 }, (_, at): [string, Values] => [`old ${at}`, {}]))
  const { caller } = reading(() => ({ Name: 'n' }), constants)
  await caller.once('GetName', { Id: 'a' })
  assert.deepEqual([constants.size, constants.has('old 0')], [10_000, true])
  await caller.once('GetName', { Id: 'b' })
  assert.deepEqual([constants.size, constants.has('old 0'), constants.has('old 1')], [10_000, false, true])
})
