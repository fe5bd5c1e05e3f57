// How AWS is asked for claims: what is counted, what is kept, and who asks together.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseAccountId } from '#aws'
import { Gathering } from '#cloud'
import { awsCaller } from './aws-caller.ts'

const place = { account: parseAccountId('111122223333'), partition: 'aws', region: 'eu-west-1' }

function asking({ error, pages = [] }: { readonly error?: Error; readonly pages?: readonly object[] } = {}) {
  const sent: string[] = []
  const told: unknown[] = []
  const constants = new Map<string, Readonly<Record<string, unknown>>>()
  const clientNamed = (name: string) => ({
    call: async (operation: string) => {
      await Promise.resolve()
      sent.push(`${name}${operation}`)
      if (error !== undefined) throw error
      return { n: sent.length }
    },
    pages: async function* () {
      await Promise.resolve()
      yield* pages
    },
  })
  const caller = awsCaller(clientNamed('') as never, {
    place,
    signal: new AbortController().signal,
    constants,
    gathering: new Gathering(10),
    onCall: call => void told.push(call),
    clientOf: ({ id }) => clientNamed(`${id} `) as never,
  })
  return { caller, sent, told, constants }
}

test('calls are counted by what they do, failed ones with their error', async () => {
  const { caller, told } = asking({ pages: [{}, {}] })
  await caller.call('GetThing', {})
  await caller.call('GetThingAttributes', {})
  await caller.call('ListThings', {})
  await caller.list('ListThings', {}, 'Things')
  assert.deepEqual(told, [
    { operation: 'GetThing', verb: 'READ_ONE' },
    { operation: 'GetThingAttributes', verb: 'GET_ATTRIBUTES' },
    { operation: 'ListThings', verb: 'READ_MANY' },
    { operation: 'ListThings', verb: 'READ_MANY' },
    { operation: 'ListThings', verb: 'READ_MANY' },
  ])
  const error = new Error('no')
  const failing = asking({ error })
  await assert.rejects(failing.caller.call('GetThing', {}), error)
  assert.deepEqual(failing.told, [{ operation: 'GetThing', verb: 'READ_ONE', error }])
})

test('a list is all elements of its pages', async () => {
  const { caller } = asking({ pages: [{ Things: ['a'] }, {}, { Things: ['b', 'c'] }] })
  assert.deepEqual(await caller.list('ListThings', {}, 'Things'), ['a', 'b', 'c'])
})

test('another service is asked by its own client', async () => {
  const { caller, sent } = asking()
  await caller.of({ id: 'Other' } as never).call('GetThing', {})
  assert.deepEqual(sent, ['Other GetThing'])
})

test('what never changes is asked for once, by each of its inputs', async () => {
  const { caller, sent } = asking()
  const answers = [await caller.once('GetZone', { Id: 'a' }), await caller.once('GetZone', { Id: 'a' })]
  await caller.once('GetZone', { Id: 'b' })
  assert.deepEqual([answers, sent.length], [[{ n: 1 }, { n: 1 }], 2])
})

test('of more than ten thousand answers that never change the first one is given up', async () => {
  const { caller, sent, constants } = asking()
  await caller.once('GetZone', { Id: 'first' })
  for (let count = 1; count < 9_999; count++) constants.set(`c${count}`, {})
  await caller.once('GetZone', { Id: 'last' })
  await caller.once('GetZone', { Id: 'first' })
  assert.deepEqual([sent.length, constants.size], [2, 10_000])
  await caller.once('GetZone', { Id: 'new' })
  assert.deepEqual([constants.size, constants.has('c1')], [10_000, true])
  await caller.once('GetZone', { Id: 'new' })
  assert.equal(sent.length, 3)
  await caller.once('GetZone', { Id: 'first' })
  assert.equal(sent.length, 4)
})

test('a failure is no answer that never changes', async () => {
  let isDown = true
  const client = { call: () => (isDown ? Promise.reject(new Error('down')) : Promise.resolve({ n: 1 })) }
  const caller = awsCaller(client as never, {
    place,
    signal: new AbortController().signal,
    constants: new Map(),
    gathering: new Gathering(10),
    onCall: undefined,
    clientOf: () => client as never,
  })
  await assert.rejects(caller.once('GetZone', {}), /down/)
  isDown = false
  assert.deepEqual(await caller.once('GetZone', {}), { n: 1 })
})
