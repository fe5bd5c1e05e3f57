import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Gathering, type Serve } from './gathering.ts'

/** Serves when it is let; remembers what it was asked together. */
function held(): {
  readonly serve: Serve<string, string>
  readonly asked: string[][]
  let(): void
  readonly signals: AbortSignal[]
} {
  const asked: string[][] = []
  const signals: AbortSignal[] = []
  const waiting: (() => void)[] = []
  return {
    asked,
    signals,
    let: () => waiting.shift()?.(),
    serve: async (questions, signal) => {
      asked.push([...questions])
      signals.push(signal)
      await new Promise<void>(resolve => waiting.push(resolve))
      return questions.map(question =>
        question === 'bad' ? { ok: false, error: new Error('bad') } : { ok: true, value: question.toUpperCase() },
      )
    },
  }
}

const turn = (): Promise<void> => new Promise(resolve => setImmediate(resolve))

test('who asks first goes alone, and all who ask meanwhile go together, at most so many', async () => {
  const one = held()
  const gathering = new Gathering<string, string>(2)
  const { signal } = new AbortController()
  const ask = (question: string, topic = 't'): Promise<string> => gathering.ask({ topic, question, signal, serve: one.serve })
  const all = Promise.allSettled([ask('a'), ask('b'), ask('bad'), ask('d'), ask('other', 'u')])
  for (let times = 0; times < 6; times++) {
    await turn()
    one.let()
  }
  const answers = (await all).map(each => (each.status === 'fulfilled' ? each.value : (each.reason as Error).message))
  assert.deepEqual(answers, ['A', 'B', 'bad', 'D', 'OTHER'])
  assert.deepEqual(one.asked, [['a'], ['other'], ['b', 'bad'], ['d']])
})

test('each of many who went together gets the answer to what it asked', async () => {
  const one = held()
  const gathering = new Gathering<string, string>(10)
  const { signal } = new AbortController()
  const asks = ['a', 'b', 'c', 'd'].map(question => gathering.ask({ topic: 't', question, signal, serve: one.serve }))
  await turn()
  one.let()
  await turn()
  one.let()
  assert.deepEqual(await Promise.all(asks), ['A', 'B', 'C', 'D'])
  assert.equal(one.asked.length, 2)
})

test('one who gives up leaves at once; the call goes on for the others, and ends when nobody waits', async () => {
  const one = held()
  const gathering = new Gathering<string, string>(10)
  const stops = ['a', 'b', 'c', 'd'].map(() => new AbortController())
  const asks = ['a', 'b', 'c', 'd'].map((question, index) =>
    gathering
      .ask({ topic: 't', question, signal: stops[index]?.signal as AbortSignal, serve: one.serve })
      .catch((error: Error) => error.message),
  )
  await turn()
  stops[1]?.abort(new Error('b gave up'))
  assert.equal(await asks[1], 'b gave up')
  one.let()
  await turn()
  assert.deepEqual(one.asked, [['a'], ['c', 'd']])
  stops[3]?.abort(new Error('d gave up'))
  assert.equal(await asks[3], 'd gave up')
  assert.equal(one.signals[1]?.aborted, false)
  stops[2]?.abort(new Error('c gave up'))
  assert.equal(one.signals[1]?.aborted, true)
  one.let()
  assert.equal(await asks[0], 'A')
})

test('what fails as a whole has failed for each, and the next ones are not kept waiting', async () => {
  const gathering = new Gathering<string, string>(10)
  const { signal } = new AbortController()
  let calls = 0
  const serve: Serve<string, string> = async questions => {
    calls += 1
    await turn()
    if (calls === 2) throw new Error('down')
    return questions.map(question => ({ ok: true, value: question }))
  }
  const ask = (question: string): Promise<string> =>
    gathering.ask({ topic: 't', question, signal, serve }).catch((error: Error) => error.message)
  assert.deepEqual(await Promise.all([ask('a'), ask('b'), ask('c')]), ['a', 'down', 'down'])
  assert.equal(await ask('d'), 'd')
})

test('a call that leaves a question without an answer has failed for that question', async () => {
  const gathering = new Gathering<string, string>(10)
  const { signal } = new AbortController()
  const serve: Serve<string, string> = async questions => {
    await turn()
    return questions.slice(0, 1).map(question => ({ ok: true, value: question }))
  }
  const ask = (question: string): Promise<string> =>
    gathering.ask({ topic: 't', question, signal, serve }).catch((error: Error) => error.message)
  const missing = 'a gathered call left a question without an answer'
  assert.deepEqual(await Promise.all([ask('a'), ask('b'), ask('c')]), ['a', 'b', missing])
  const none: Serve<string, string> = () => Promise.resolve([])
  await assert.rejects(gathering.ask({ topic: 't', question: 'd', signal, serve: none }), { message: missing })
})

test('who has given up already asks nothing, and stands in nobody’s way', async () => {
  const gathering = new Gathering<string, string>(10)
  const serve: Serve<string, string> = async questions => questions.map(question => ({ ok: true, value: question }))
  const gone = AbortSignal.abort(new Error('gone'))
  await assert.rejects(gathering.ask({ topic: 't', question: 'a', signal: gone, serve }), /gone/)
  const { signal } = new AbortController()
  assert.equal(await gathering.ask({ topic: 't', question: 'b', signal, serve }), 'b')
})
