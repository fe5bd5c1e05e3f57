import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DialOptions, HttpClient } from '#base'
import { netTransport } from './transport.ts'

function dialled() {
  const opened: DialOptions[] = []
  const closed: string[] = []
  const dial = (options: DialOptions): HttpClient => {
    opened.push(options)
    const close = async (): Promise<void> => void closed.push(options.origin)
    return { exchange: async () => ({ status: 200, headers: {}, body: null }), close } as unknown as HttpClient
  }
  return { net: { dial } as Parameters<typeof netTransport>[0], opened, closed }
}

test('an origin is connected to once', () => {
  const { net, opened } = dialled()
  const transport = netTransport(net)
  assert.equal(transport.to('https://a'), transport.to('https://a'))
  assert.notEqual(transport.to('https://a'), transport.to('https://b'))
  assert.deepEqual(
    opened.map(({ origin, protocol }) => [origin, protocol]),
    [
      ['https://a', 'http/1.1'],
      ['https://b', 'http/1.1'],
    ],
  )
})

test('of more than 256 origins the one that was used longest ago is let go', () => {
  const { net, opened, closed } = dialled()
  const transport = netTransport(net)
  for (let index = 0; index < 256; index++) transport.to(`https://${index}`)
  transport.to('https://0')
  assert.deepEqual(closed, [])
  transport.to('https://256')
  assert.deepEqual(closed, ['https://1'])
  transport.to('https://0')
  assert.equal(opened.length, 257)
  transport.to('https://1')
  assert.deepEqual([opened.length, closed], [258, ['https://1', 'https://2']])
})

test('closing waits for all connections, and what is used afterwards is opened anew', async () => {
  const { net, opened, closed } = dialled()
  const transport = netTransport(net)
  transport.to('https://a')
  transport.to('https://b')
  await transport.close()
  assert.deepEqual(closed, ['https://a', 'https://b'])
  transport.to('https://a')
  assert.equal(opened.length, 3)
})
