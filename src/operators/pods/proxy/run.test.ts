// How the proxy starts, stops and is asked, on a net that is none.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  drain,
  type HttpExchange,
  HttpFailure,
  type HttpHandler,
  type HttpResponse,
  ManualClock,
  memoryFiles,
  type Net,
  silentLog,
} from '#base'
import { answerText } from '../serve/answer-text.ts'
import { probeProxy, readProxyIdentity, readProxyProgram, runProxy } from './run.ts'

const identity = { clientId: '', tenantId: 't', authorityHost: 'https://login.example/path/', tokenFile: '/t' }
const request = { method: 'GET', target: '/metadata/instance', headers: {}, body: null }

interface Ground {
  readonly net: Net
  readonly did: string[]
  /** What the listener answers. */
  ask(): Promise<HttpResponse>
  /** Lets what is being closed be closed. */
  close(): Promise<void>
}

/** Says what was done in its order; closing waits until the test lets it. */
function netOf(exchange: HttpExchange): Ground {
  const did: string[] = []
  let handler: HttpHandler | undefined
  let waiting: (() => void)[] = []
  const closing = (what: string): Promise<void> => {
    did.push(`closes ${what}`)
    return new Promise(resolve => waiting.push(resolve))
  }
  const net = {
    dial: ({ origin }: { origin: string }) => {
      did.push(`dials ${origin}`)
      return { exchange, close: () => closing(origin) }
    },
    listen: ({ host, port }: { host?: string; port?: number }, answers: HttpHandler) => {
      did.push(`listens on ${host}:${port}`)
      handler = answers
      return Promise.resolve({ host, port: 81, close: (graceMs?: number) => closing(`the listener after ${graceMs} ms`) })
    },
  }
  return {
    net: net as unknown as Net,
    did,
    ask: async () => handler?.(request) ?? assert.fail('nobody listens'),
    close: async () => {
      const now = waiting
      waiting = []
      for (const go of now) go()
      await drain()
    },
  }
}

const start = (ground: Ground, stop: AbortSignal, told: string[] = []): Promise<void> => {
  const log = { ...silentLog, warn: (message: string) => void told.push(message) }
  const seams = { net: ground.net, clock: new ManualClock(), files: memoryFiles({}, () => 0), log }
  return runProxy({ port: 80, identity, seams, metadata: 'http://machine' }, stop)
}

test('the proxy listens on loopback, and has closed all that it opened when it has stopped [3.9.4]', async () => {
  const ground = netOf(() => assert.fail('asked'))
  const stop = new AbortController()
  let isOver = false
  const running = start(ground, stop.signal).then(() => (isOver = true))
  await drain()
  const opened = ['dials https://login.example', 'dials http://machine', 'listens on 127.0.0.1:80']
  assert.deepEqual([ground.did, isOver], [opened, false])
  stop.abort()
  await drain()
  assert.deepEqual(ground.did.slice(3), ['closes the listener after 1000 ms'])
  await ground.close()
  assert.deepEqual(ground.did.slice(4), ['closes https://login.example', 'closes http://machine'])
  assert.equal(isOver, false)
  await ground.close()
  assert.equal(isOver, true)
  await running
})

test('a call that cannot be passed on is answered with 502 and the reason, and told in the log', async () => {
  const ground = netOf(() => Promise.reject(new HttpFailure('unreachable', 'no route')))
  const stop = new AbortController()
  const told: string[] = []
  const running = start(ground, stop.signal, told)
  await drain()
  const { status, headers, body } = await ground.ask()
  assert.deepEqual([status, headers, await answerText(body)], [502, { 'content-type': 'text/plain' }, 'no route\n'])
  assert.deepEqual(told, ['a call could not be passed on'])
  stop.abort()
  for (let step = 0; step < 3; step++) await ground.close()
  await running
})

test('what is no failure of a call is not answered for', async () => {
  const ground = netOf(() => Promise.reject(new Error('a bug')))
  const stop = new AbortController()
  const running = start(ground, stop.signal)
  await drain()
  await assert.rejects(ground.ask(), /a bug/)
  stop.abort()
  for (let step = 0; step < 3; step++) await ground.close()
  await running
})

/** The answer of the probe, and how often it asked. */
async function probed(status: number, untilMs: number): Promise<readonly [boolean | undefined, number]> {
  let asked = 0
  const net = {
    dial: () => ({
      exchange: () => {
        asked++
        return Promise.resolve({ status, headers: {}, body: null })
      },
      close: () => Promise.resolve(),
    }),
  } as unknown as Net
  const clock = new ManualClock()
  let answer: boolean | undefined
  void probeProxy(80, { net, clock }).then(isReady => (answer = isReady))
  await clock.advance(untilMs)
  return [answer, asked]
}

test('a proxy that answers anything but 200 is asked again, and is not ready', async () => {
  assert.deepEqual(await probed(200, 0), [true, 1])
  assert.deepEqual(await probed(503, 5_999), [undefined, 6])
  assert.deepEqual(await probed(204, 6_000), [false, 7])
})

test('a proxy that says nothing is given a second each time', async () => {
  const clock = new ManualClock()
  const signals: AbortSignal[] = []
  const net = {
    dial: () => ({
      exchange: ({ signal }: { signal: AbortSignal }) => {
        signals.push(signal)
        return new Promise((_, reject) => signal.addEventListener('abort', () => reject(new HttpFailure('aborted', 'late'))))
      },
      close: () => Promise.resolve(),
    }),
  } as unknown as Net
  let answer: boolean | undefined
  void probeProxy(80, { net, clock }).then(isReady => (answer = isReady))
  await clock.advance(999)
  assert.deepEqual([signals.length, signals[0]?.aborted], [1, false])
  await clock.advance(1)
  assert.equal(signals[0]?.aborted, true)
  await clock.advance(11_999)
  assert.deepEqual([signals.length, answer], [7, undefined])
  await clock.advance(1)
  assert.equal(answer, false)
})

test('the probe has closed its connections when it answers', async () => {
  const ground = netOf(() => Promise.resolve({ status: 200, headers: {}, body: null }))
  let answer: boolean | undefined
  void probeProxy(80, { net: ground.net, clock: new ManualClock() }).then(isReady => (answer = isReady))
  await drain()
  assert.deepEqual([ground.did, answer], [['dials http://127.0.0.1:80', 'closes http://127.0.0.1:80'], undefined])
  await ground.close()
  assert.equal(answer, true)
})

test('ports go from 0 to 65535; told nothing it is 8000, and nobody is probed', () => {
  assert.deepEqual(readProxyProgram([]), { port: 8_000, probes: false })
  assert.deepEqual([readProxyProgram(['--proxy-port=0']).port, readProxyProgram(['--proxy-port=65535']).port], [0, 65_535])
  for (const port of ['-1', '65536'])
    assert.throws(() => readProxyProgram([`--proxy-port=${port}`]), {
      message: `--proxy-port is a port from 0 to 65535, not ${port}`,
    })
})

test('of the identity all but the client has to be there', () => {
  const env = { AZURE_TENANT_ID: 't', AZURE_AUTHORITY_HOST: 'https://login.example/', AZURE_FEDERATED_TOKEN_FILE: '/t' }
  const read = { clientId: '', tenantId: 't', authorityHost: 'https://login.example/', tokenFile: '/t' }
  assert.deepEqual(readProxyIdentity(env), read)
  assert.deepEqual(readProxyIdentity({ ...env, AZURE_CLIENT_ID: 'c' }), { ...read, clientId: 'c' })
  for (const name of Object.keys(env))
    for (const value of ['', undefined])
      assert.throws(() => readProxyIdentity({ ...env, [name]: value }), {
        message: `${name} is not set: the Azure webhook sets it in containers that it gives an identity`,
      })
})
