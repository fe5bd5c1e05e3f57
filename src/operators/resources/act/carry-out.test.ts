// What is sent for an action, what is remembered of it, and what its failure means.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AwsError, parseAccountId } from '#aws'
import type { CallOptions } from '#aws/client'
import { type ActContext, Trouble } from '#runtime'
import { annotations } from '../api.ts'
import { awsAction, type CallAction, note, type OutputAction, type ResourceAction } from '../decide/actions.ts'
import { OwnCalls } from '../drift/own-calls.ts'
import type { Deviation, PlannedCall } from '../kinds/deviation.ts'
import { Memory } from '../memory.ts'
import { settingsOf } from '../options.ts'
import { madeUpKind } from '../testing/made-up-kind.ts'
import { actOf } from './act.ts'

const home = { account: parseAccountId('111122223333'), partition: 'aws', region: 'eu-west-1' }
const dependency = 'aws madeup in 111122223333/eu-west-1'
const plain = madeUpKind({ inputs: { CreateThing: { Name: 'String' } } })
/** Its create call carries a token. */
const tokened = madeUpKind({
  shapes: {
    CreateThingRequest: {
      type: 'structure',
      required: [],
      members: { Name: { target: 'String' }, Token: { target: 'String', idempotencyToken: true } },
    },
  },
})

interface Acting {
  readonly kind?: typeof plain
  readonly deviation?: Deviation
  readonly output?: object
  readonly error?: Error
  readonly random?: object
}

function acting({ kind = plain, deviation = {}, output = {}, error, random }: Acting = {}) {
  const sent: unknown[] = []
  const told: unknown[] = []
  const carried: unknown[] = []
  const memory = new Memory()
  const ownCalls = new OwnCalls(true)
  const client = (id: string) => ({
    model: { id },
    send: async (operation: string, _input: object, { retryAmbiguous }: CallOptions) => {
      await Promise.resolve()
      sent.push([id, operation, retryAmbiguous])
      if (error !== undefined) throw error
      return { output, requestId: 'r' }
    },
    call: async (operation: string) => {
      await Promise.resolve()
      if (error !== undefined) throw error
      return { told: operation }
    },
  })
  const carryOut = actOf({
    model: kind,
    deviation,
    settings: settingsOf({ home, services: [], secrets: [] } as never),
    aws: { for: ({ model }: { readonly model: { readonly id: string } }) => client(model.id) } as never,
    memory,
    random: random as never,
    ownCalls,
    onCall: call => void told.push(call),
  })
  const context = {
    signal: new AbortController().signal,
    checkFence: () => void carried.push('fence'),
    carryOut: async (action: object) => {
      await new Promise(resolve => setImmediate(resolve))
      carried.push(action)
    },
  } as unknown as ActContext
  return {
    act: (action: ResourceAction) => carryOut(action, context),
    sent,
    told,
    carried,
    memory,
    isOwn: () => ownCalls.has('r'),
  }
}

const call = (verb: PlannedCall['verb'], more: Partial<PlannedCall> = {}): PlannedCall => ({
  operation: verb === 'CREATE' ? 'CreateThing' : 'ChangeThing',
  input: { Name: 'one' },
  verb,
  ...more,
})
const action = (verb: PlannedCall['verb'], more: Partial<CallAction> = {}, planned: Partial<PlannedCall> = {}): CallAction => ({
  ...awsAction(plain, home, call(verb, planned)),
  ...more,
})
const refusal = (code: string, httpStatus = 400): AwsError =>
  new AwsError({ service: 'madeup', operation: 'any', code, message: code, httpStatus })

test('a call is sent, counted, and known as our own', async () => {
  const one = acting({ output: { Id: 'i' } })
  assert.deepEqual(await one.act(action('UPDATE')), { changed: true, value: { Id: 'i' } })
  assert.deepEqual([one.sent, one.told], [[['Made Up', 'ChangeThing', true]], [{ operation: 'ChangeThing', verb: 'UPDATE' }]])
  assert.equal(one.isOwn(), true)
})

test('a call to another service goes to that one', async () => {
  const one = acting()
  await one.act(action('UPDATE', {}, { service: { id: 'Other' } as never }))
  assert.deepEqual(one.sent, [['Other', 'ChangeThing', true]])
})

for (const [what, kind, verb, may] of [
  ['a creation without a token', plain, 'CREATE', false],
  ['a creation with a token', tokened, 'CREATE', true],
  ['a change', plain, 'UPDATE', true],
] as const)
  test(`${what} is ${may ? '' : 'not '}sent again by itself when no answer comes`, async () => {
    const one = acting({ kind })
    await one.act(action(verb))
    assert.deepEqual(one.sent, [['Made Up', verb === 'CREATE' ? 'CreateThing' : 'ChangeThing', may]])
  })

const remembers = { ifDone: { deletedMs: 1 }, ifNothingWasThere: { deletedMs: undefined, absentMs: 2 } } as const
for (const [what, error, more, notes] of [
  ['took hold', undefined, { uid: 'u', remembers }, { deletedMs: 1 }],
  ['found nothing', refusal('NotFoundException', 404), { uid: 'u', remembers }, { absentMs: 2 }],
  ['took hold and has nothing to say', undefined, { uid: 'u' }, {}],
  ['is nobody’s', undefined, { remembers }, {}],
] as const)
  test(`a deletion that ${what} is remembered as ${JSON.stringify(notes)}`, async () => {
    const one = acting(error === undefined ? {} : { error })
    assert.equal((await one.act(action('DELETE', more))).changed, error === undefined)
    assert.deepEqual(one.memory.of('u'), notes)
    assert.equal(one.memory.size, Object.keys(notes).length === 0 ? 0 : 1)
  })

for (const [what, error, more, notes] of [
  ['refused', refusal('ValidationException'), { uid: 'u', intent: 't' }, { refusedIntent: 't' }],
  ['answered by nobody', new Error('reset'), { uid: 'u', intent: 't' }, {}],
  ['refused, and that has no intent', refusal('ValidationException'), { uid: 'u' }, {}],
  ['refused, and that is nobody’s', refusal('ValidationException'), { intent: 't' }, {}],
] as const)
  test(`of a creation that is ${what} ${JSON.stringify(notes)} is remembered`, async () => {
    const one = acting({ error })
    await assert.rejects(one.act(action('CREATE', more)))
    assert.deepEqual([one.memory.of('u'), one.memory.size], [notes, Object.keys(notes).length])
    assert.deepEqual(one.told, [{ operation: 'CreateThing', verb: 'CREATE', error }])
  })

/** One of the refusals is final. */
const strict = madeUpKind({ settings: { terminalCodes: ['ValidationException'] } })

for (const [what, verb, code, kind, of] of [
  ['a change that is wrong for good', 'UPDATE', 'ValidationException', 'stop', dependency],
  ['a change that AWS throttles', 'UPDATE', 'Throttling', 'backoff', dependency],
  ['a deletion that is wrong for good', 'DELETE', 'ValidationException', 'backoff', undefined],
  ['a deletion that AWS throttles', 'DELETE', 'Throttling', 'backoff', dependency],
] as const)
  test(`${what} ${kind === 'stop' ? 'waits for a person' : 'is tried again'}`, async () => {
    const failed: unknown = await acting({ kind: strict, error: refusal(code) })
      .act(action(verb))
      .catch((caught: unknown) => caught)
    assert.ok(failed instanceof Trouble)
    assert.deepEqual([failed.kind, failed.dependency], [kind, of])
  })

test('a deletion whose error is none of a call is told as it is', async () => {
  const error = new TypeError('a fault of ours')
  assert.equal(
    await acting({ error })
      .act(action('DELETE'))
      .catch((caught: unknown) => caught),
    error,
  )
})

test('an answer that lists what it refused names its code, its key and its message', async () => {
  const Errors = [7, { Code: 'Denied', Key: 'k', Message: 'm' }, { Code: 'Other' }]
  await assert.rejects(acting({ output: { Errors } }).act(action('UPDATE')), {
    kind: 'backoff',
    reason: 'InUse',
    message: 'ChangeThing: Denied, k, m',
  })
  assert.equal((await acting({ output: { Errors: 'x' } }).act(action('UPDATE'))).changed, true)
})

test('changes that go together are sent as one call', async () => {
  const joining = {
    operation: 'ChangeThing',
    topic: () => 't',
    join: (inputs: readonly object[]) => ({ Changes: inputs.length }),
    splits: () => false,
    max: 10,
  }
  const one = acting({ deviation: { joining }, output: { Id: 'i' } })
  const [first, second, third] = await Promise.all([
    one.act(action('UPDATE')),
    one.act(action('UPDATE')),
    one.act(action('UPDATE')),
  ])
  const done = { changed: true, value: { Id: 'i' } }
  assert.deepEqual([first, second, third], [done, done, done])
  assert.equal(one.sent.length, 2)
  const failing = acting({ deviation: { joining }, error: refusal('NotFoundException', 404) })
  assert.deepEqual(await failing.act(action('DELETE')), { changed: false })
})

test('what is to be remembered is, until it is to be forgotten', async () => {
  const one = acting()
  assert.deepEqual(await one.act(note('u', { creations: 1 })), { changed: false })
  assert.deepEqual(one.memory.of('u'), { creations: 1 })
  assert.deepEqual(await one.act(note('u', 'forget')), { changed: false })
  assert.equal(one.memory.size, 0)
})

test('trouble that was found by looking is trouble', () => {
  const trouble = { kind: 'wait', reason: 'RoleMissing', message: 'm' } as const
  return assert.rejects(acting().act({ kind: 'act:trouble', trouble, summary: '' }), trouble)
})

const writing: OutputAction = {
  kind: 'act:output',
  summary: '',
  dependency,
  place: home,
  latest: { spec: {}, status: {} },
  target: { namespace: 'team', name: 'out', key: 'k' },
  secretUid: 's1',
  secretVersion: '7',
  mark: 'v1',
}
const output = {
  target: () => undefined,
  version: () => undefined,
  alsoKeys: [],
  fetch: (ask: (operation: string, input: object) => Promise<{ readonly told: string }>, { key }: { readonly key: string }) =>
    ask('Export', {}).then(({ told }) => ({ [key]: told })),
} as unknown as NonNullable<Deviation['output']>

test('what AWS makes is written into its Secret as it was judged, while we lead', async () => {
  const one = acting({ deviation: { output }, random: {} })
  assert.deepEqual(await one.act(writing), { changed: true })
  const [fence, patch] = one.carried as unknown as readonly [
    string,
    { readonly body: object; readonly uid: string; readonly resourceVersion: string },
  ]
  assert.deepEqual(
    [fence, patch.body, patch.uid, patch.resourceVersion],
    ['fence', { metadata: { annotations: { [annotations.exported]: 'v1' } }, data: { k: 'RXhwb3J0' } }, 's1', '7'],
  )
})

test('a kind that writes no Secret does nothing, and a process without randomness says so', async () => {
  assert.deepEqual(await acting().act(writing), { changed: false })
  await assert.rejects(acting({ deviation: { output } }).act(writing), {
    kind: 'stop',
    reason: 'NotImplemented',
    message: 'this process was given no randomness for passphrases',
  })
})

test('what cannot be fetched is trouble of its service', async () => {
  const error = refusal('Throttling')
  await assert.rejects(acting({ deviation: { output }, random: {}, error }).act(writing), { kind: 'backoff', dependency })
})
