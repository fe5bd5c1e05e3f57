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

/** AWS that answers when it is let, and claims that ask it. */
function world(): {
  readonly sent: Sent[]
  ask(name: string, how?: { readonly verb?: string; checkFence?(): void }): Promise<string>
  answerAll(): Promise<void>
} {
  const sent: Sent[] = []
  const waiting: (() => void)[] = []
  const client = {
    send: async (_operation: string, { Names }: { readonly Names: unknown }, options: CallOptions) => {
      sent.push({ names: Names, retryAmbiguous: options.retryAmbiguous })
      await new Promise<void>(resolve => waiting.push(resolve))
      return { output: {}, requestId: undefined }
    },
  } as unknown as AwsClient
  const joint = jointCalls(joining)
  return {
    sent,
    ask: (Name, { verb = 'CREATE', checkFence = () => {} } = {}) => {
      const action = { place, call: { operation: 'Change', input: { Name }, verb } } as unknown as CallAction
      const context = { signal: new AbortController().signal, checkFence } as unknown as ActContext
      const asked = joined({ joining, joint, client, action, context, ownCalls: new OwnCalls(true) })
      return asked.then(
        () => 'done',
        (error: Error) => error.message,
      )
    },
    answerAll: async () => {
      for (let times = 0; times < 6; times++) {
        await turn()
        waiting.shift()?.()
      }
    },
  }
}

test('a change that waited to go with others does not go out when the lease was lost meanwhile [S5]', async () => {
  const { sent, ask, answerAll } = world()
  const lost = (): void => {
    throw new Error('the lease is lost')
  }
  const answers = Promise.all([ask('first'), ask('fenced', { checkFence: lost }), ask('last')])
  await answerAll()
  assert.deepEqual(await answers, ['done', 'the lease is lost', 'done'])
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

const refused = (code: string) => new AwsError({ service: 'x', operation: 'Change', code, message: code, httpStatus: 400 })

interface Refusing {
  readonly splits?: boolean
  readonly error?: Error
}

/** AWS that refuses every call with `bad` in it; `first` is on its way while the others gather. */
async function refusing(names: string, { splits = true, error = refused('Invalid') }: Refusing = {}) {
  const sent: string[] = []
  const client = {
    send: async (_operation: string, { Names }: { readonly Names: readonly string[] }, options: CallOptions) => {
      options.beforeTry?.()
      sent.push(Names.join(''))
      await turn()
      if (Names.includes('x')) throw error
      return { output: { Id: Names.join('') }, requestId: Names.join('') }
    },
  } as unknown as AwsClient
  const how = { ...joining, splits: () => splits }
  const joint = jointCalls(how)
  const ownCalls = new OwnCalls(true)
  const context = { signal: new AbortController().signal, checkFence: () => {} } as unknown as ActContext
  const ask = (Name: string): Promise<string> => {
    const action = { place, call: { operation: 'Change', input: { Name }, verb: 'UPDATE' } } as unknown as CallAction
    return joined({ joining: how, joint, client, action, context, ownCalls }).then(
      value => String(value['Id']),
      (caught: Error) => caught.message,
    )
  }
  const answers = await Promise.all(['-', ...(names.match(/./g) ?? [])].map(ask))
  return { sent: sent.slice(1), answers: answers.slice(1), isOwn: ownCalls.has('-') }
}

for (const [names, how, sent, answers] of [
  ['abcd', {}, ['abcd'], ['abcd', 'abcd', 'abcd', 'abcd']],
  ['abcx', {}, ['abcx', 'ab', 'cx', 'c', 'x'], ['ab', 'ab', 'c', 'Invalid']],
  ['abx', {}, ['abx', 'ab', 'x'], ['ab', 'ab', 'Invalid']],
  ['x', {}, ['x'], ['Invalid']],
  ['ax', { splits: false }, ['ax'], ['Invalid', 'Invalid']],
  ['ax', { error: new Error('no answer') }, ['ax'], ['no answer', 'no answer']],
] as const)
  test(`of the changes ${names} AWS is told as ${sent.join(', ')}, and claims hear ${answers.join(', ')}`, async () =>
    assert.deepEqual(await refusing(names, how), { sent, answers, isOwn: true }))

test('a call that is tried again asks whether its first claim still leads', async () => {
  let leads = true
  const client = {
    send: (_operation: string, _input: object, options: CallOptions) => {
      leads = false
      options.beforeTry?.()
      return Promise.resolve({ output: {}, requestId: undefined })
    },
  } as unknown as AwsClient
  const checkFence = (): void => {
    if (!leads) throw new Error('the lease is lost')
  }
  const action = { place, call: { operation: 'Change', input: {}, verb: 'UPDATE' } } as unknown as CallAction
  const context = { signal: new AbortController().signal, checkFence } as unknown as ActContext
  const asked = joined({ joining, joint: jointCalls(joining), client, action, context, ownCalls: new OwnCalls(true) })
  await assert.rejects(asked, /the lease is lost/)
})
