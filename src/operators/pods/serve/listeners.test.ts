import assert from 'node:assert/strict'
import { test } from 'node:test'
import { drain, type HttpExchange, HttpFailure, ManualClock, type Net } from '#base'
import { isListenerAnswering } from './listeners.ts'

async function asked(host: string, exchange: HttpExchange, waitMs = 0) {
  const clock = new ManualClock()
  const origins: string[] = []
  let closed = 0
  const dial: Net['dial'] = ({ origin }) => {
    origins.push(origin)
    return { exchange, close: () => Promise.resolve(void closed++) }
  }
  const answer = isListenerAnswering({ net: { dial } as Net, clock }, host, 8443)
  const settled = answer.then(
    value => value,
    (error: unknown) => error,
  )
  await drain()
  await clock.advance(waitMs)
  return { answer: await settled, origins, closed }
}
const answering =
  (status: number): HttpExchange =>
  () =>
    Promise.resolve({ status, headers: {}, body: null })

for (const [host, origin] of [
  ['', 'https://127.0.0.1:8443'],
  ['0.0.0.0', 'https://127.0.0.1:8443'],
  ['::', 'https://127.0.0.1:8443'],
  ['::1', 'https://[::1]:8443'],
  ['10.0.0.7', 'https://10.0.0.7:8443'],
] as const)
  test(`a listener at ${JSON.stringify(host)} is asked at ${origin}`, async () =>
    assert.deepEqual(await asked(host, answering(200)), { answer: true, origins: [origin], closed: 1 }))

for (const [what, exchange, answer] of [
  ['answers with another status', answering(503), false],
  ['lets nobody in', () => Promise.reject(new HttpFailure('unreachable', 'nobody is there')), false],
  ['does not answer within a second', () => new Promise<never>(() => {}), false],
] as const)
  test(`a listener that ${what} does not answer`, async () =>
    assert.deepEqual(await asked('10.0.0.7', exchange, 1_000), { answer, origins: ['https://10.0.0.7:8443'], closed: 1 }))

test('the answer comes when the connection is closed', async () => {
  let close = (): void => undefined
  const closed = new Promise<void>(resolve => (close = resolve))
  const net = { dial: () => ({ exchange: answering(200), close: () => closed }) } as unknown as Net
  const answers: boolean[] = []
  void isListenerAnswering({ net, clock: new ManualClock() }, '10.0.0.7', 8443).then(answer => answers.push(answer))
  await drain()
  assert.deepEqual(answers, [])
  close()
  await drain()
  assert.deepEqual(answers, [true])
})

test('what is a fault of the program is thrown, and its connection closed', async () => {
  const fault = new TypeError('a fault')
  assert.deepEqual(await asked('10.0.0.7', () => Promise.reject(fault)), {
    answer: fault,
    origins: ['https://10.0.0.7:8443'],
    closed: 1,
  })
})
