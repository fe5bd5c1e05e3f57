import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { HttpClient, HttpRequest, HttpResponse, Net } from '#base'
import { rotatingTransport, type ServerRoute } from './transport.ts'

const route = (server: string): ServerRoute => ({ server, dial: { name: 'test' } as ServerRoute['dial'], tls: {} })
const request: HttpRequest = { method: 'GET', target: '/api', headers: {}, signal: new AbortController().signal } as HttpRequest

/** Connections that note what is asked of them, and which are closed. */
function world(answer: (request: HttpRequest) => Promise<HttpResponse>) {
  const closed: string[] = []
  const asked: string[] = []
  let to = route('https://one')
  const dial: Net['dial'] = ({ origin }) =>
    ({
      exchange: each => {
        asked.push(`${origin}${each.target}`)
        return answer(each)
      },
      close: () => Promise.resolve(void closed.push(origin)),
    }) satisfies HttpClient
  const transport = rotatingTransport({ dial }, () => Promise.resolve(to))
  return { transport, closed, asked, moveTo: (server: string) => void (to = route(server)) }
}

const whole: HttpResponse = { status: 200, headers: {}, body: Buffer.from('{}') }
async function* pieces(): AsyncGenerator<Uint8Array> {
  yield Buffer.from('a')
  yield Buffer.from('b')
}
const streamed = (): Promise<HttpResponse> => Promise.resolve({ status: 200, headers: {}, body: pieces() })
const streamOf = ({ body }: HttpResponse): AsyncIterator<Uint8Array> =>
  (body as AsyncIterable<Uint8Array>)[Symbol.asyncIterator]()

test('calls to one server share its connections, and what stands before the paths of a server stays there', async () => {
  const { transport, asked, closed, moveTo } = world(() => Promise.resolve(whole))
  await transport.exchange(request)
  await transport.exchange(request)
  moveTo('https://two/k8s/clusters/x/')
  assert.deepEqual(await transport.exchange(request), whole)
  assert.deepEqual(asked, ['https://one/api', 'https://one/api', 'https://two/k8s/clusters/x/api'])
  assert.deepEqual(closed, ['https://one'])
  await transport.close()
  assert.deepEqual(closed, ['https://one', 'https://two'])
})

test('a call that fails is at its end, too', async () => {
  const { transport, closed, moveTo } = world(() => Promise.reject(new Error('gone')))
  await assert.rejects(transport.exchange(request), /gone/)
  moveTo('https://two')
  await assert.rejects(transport.exchange(request), /gone/)
  assert.deepEqual(closed, ['https://one'])
})

describe('connections that were left are closed when the last stream on them is over, and not before', () => {
  const ends: readonly (readonly [string, (stream: AsyncIterator<Uint8Array>) => Promise<unknown>])[] = [
    ['read to its end', async stream => [await stream.next(), await stream.next(), await stream.next()]],
    ['given up', stream => stream.return?.() ?? Promise.resolve()],
    ['broken', stream => assert.rejects(stream.next(), /broken/)],
  ]
  for (const [how, end] of ends)
    test(`a stream that is ${how}, and looked at again, counts once`, async () => {
      const isBroken = how === 'broken'
      const { transport, closed, moveTo } = world(isBroken ? broken : streamed)
      const [first, second] = [streamOf(await transport.exchange(request)), streamOf(await transport.exchange(request))]
      moveTo('https://two')
      await transport.exchange(request)
      await end(first)
      await first.return?.()
      await first.return?.()
      assert.deepEqual(closed, [])
      await end(second)
      assert.deepEqual(closed, ['https://one'])
      await second.return?.()
      assert.deepEqual(closed, ['https://one'])
    })

  test('what it yields is passed on as it comes', async () => {
    const { transport } = world(streamed)
    const { body } = await transport.exchange(request)
    const read: string[] = []
    for await (const piece of body as AsyncIterable<Uint8Array>) read.push(Buffer.from(piece).toString())
    assert.deepEqual(read, ['a', 'b'])
  })
})

function broken(): Promise<HttpResponse> {
  const body: AsyncIterable<Uint8Array> = {
    [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new Error('broken')) }),
  }
  return Promise.resolve({ status: 200, headers: {}, body })
}
