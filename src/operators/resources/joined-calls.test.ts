import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AwsError } from '#aws'
import type { AwsClient, CallOptions } from '#aws/client'
import type { ActContext } from '#runtime'
import type { CallAction } from './decide/actions.ts'
import { OwnCalls } from './drift/own-calls.ts'
import { joined, jointCalls } from './joined-calls.ts'
import type { Joining } from './kinds/deviation.ts'

const joining: Joining = {
  operation: 'Change',
  topic: () => 'zone',
  join: inputs => ({ Names: inputs.map(({ Name }) => Name) }),
  splits: () => false,
  max: 10,
}
const place = { account: '111122223333', partition: 'aws', region: 'eu-west-1' }
const turn = (): Promise<void> => new Promise(resolve => setImmediate(resolve))

interface Sent {
  readonly names: unknown
  readonly retryAmbiguous: boolean | undefined
}

interface Refusing {
  readonly splits?: boolean
  /** Why AWS does not take a call about these names. */
  refusal?(names: readonly string[]): Error | undefined
}

/** AWS that answers when it is let, and claims that ask it. */
function world({ splits = false, refusal = () => undefined }: Refusing = {}): {
  readonly sent: Sent[]
  ask(name: string, how?: { readonly verb?: string; checkFence?(): void }): Promise<string>
  answerAll(): Promise<void>
} {
  const sent: Sent[] = []
  const waiting: (() => void)[] = []
  const client = {
    send: async (_operation: string, { Names }: { readonly Names: readonly string[] }, options: CallOptions) => {
      options.beforeTry?.()
      sent.push({ names: Names, retryAmbiguous: options.retryAmbiguous })
      await new Promise<void>(resolve => waiting.push(resolve))
      const error = refusal(Names)
      if (error !== undefined) throw error
      return { output: {}, requestId: undefined }
    },
  } as unknown as AwsClient
  const joint = jointCalls(joining)
  return {
    sent,
    ask: (Name, { verb = 'CREATE', checkFence = () => {} } = {}) => {
      const action = { place, call: { operation: 'Change', input: { Name }, verb } } as unknown as CallAction
      const context = { signal: new AbortController().signal, checkFence } as unknown as ActContext
      const asked = joined({
        joining: { ...joining, splits: () => splits },
        joint,
        client,
        action,
        context,
        ownCalls: new OwnCalls(true),
      })
      return asked.then(
        () => 'done',
        (error: Error) => error.message,
      )
    },
    answerAll: async () => {
      for (let times = 0; times < 20; times++) {
        await turn()
        waiting.shift()?.()
      }
    },
  }
}

test('a change that waited to go with others does not go out when the lease was lost meanwhile [S5]', async () => {
  const { sent, ask, answerAll } = world()
  const lost = (): void => {
    throw new Error('another one leads')
  }
  const answers = Promise.all([ask('first'), ask('fenced', { checkFence: lost }), ask('last')])
  await answerAll()
  assert.deepEqual(await answers, ['done', 'another one leads', 'done'])
  assert.deepEqual(
    sent.map(({ names }) => names),
    [['first'], ['last']],
  )
})

test('a call that makes something among others is not sent again by itself when no answer comes; one that changes only is', async () => {
  const { sent, ask, answerAll } = world()
  const answers = Promise.all([ask('a', { verb: 'UPDATE' }), ask('b', { verb: 'UPDATE' }), ask('c')])
  await answerAll()
  await answers
  assert.deepEqual(sent, [
    { names: ['a'], retryAmbiguous: true },
    { names: ['b', 'c'], retryAmbiguous: false },
  ])
})

const refused = (message: string): AwsError => new AwsError({ service: 's', operation: 'Change', code: 'Invalid', message })
const without = (wrong: string): Refusing => ({
  splits: true,
  refusal: names => (names.includes(wrong) ? refused(`${wrong} is wrong`) : undefined),
})

test('what AWS refuses for one of several goes apart by halves, until the one that is wrong has its error to itself', async () => {
  const { sent, ask, answerAll } = world(without('b'))
  const answers = Promise.all(['first', 'a', 'b', 'c', 'd'].map(name => ask(name)))
  await answerAll()
  assert.deepEqual(await answers, ['done', 'done', 'b is wrong', 'done', 'done'])
  assert.deepEqual(
    sent.map(({ names }) => names),
    [['first'], ['a', 'b', 'c', 'd'], ['a', 'b'], ['a'], ['b'], ['c', 'd']],
  )
})

test('what is nobody’s fault is told to all, and what is refused alone is not sent again', async () => {
  for (const [refusing, calls] of [
    [{ ...without('b'), splits: false }, 2],
    [{ splits: true, refusal: names => (names.includes('b') ? new Error('b is wrong') : undefined) }, 2],
  ] as const satisfies readonly (readonly [Refusing, number])[]) {
    const { sent, ask, answerAll } = world(refusing)
    const answers = Promise.all(['first', 'a', 'b'].map(name => ask(name)))
    await answerAll()
    assert.deepEqual([await answers, sent.length], [['done', 'b is wrong', 'b is wrong'], calls])
  }
  const { sent, ask, answerAll } = world(without('b'))
  const answer = ask('b')
  await answerAll()
  assert.deepEqual([await answer, sent.length], ['b is wrong', 1])
})

test('the lease is looked at once more right before the call', async () => {
  const { sent, ask, answerAll } = world()
  let looks = 0
  const answer = ask('a', {
    checkFence: () => {
      if (++looks > 1) throw new Error('another one leads')
    },
  })
  await answerAll()
  assert.deepEqual([await answer, sent.length], ['another one leads', 0])
})
