import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type HttpBody, HttpFailure, type HttpHeaders, ManualClock } from '#base'
import type { WireRequest } from '../wire/protocols.ts'
import { targetOf, tryCall } from './try-call.ts'

const targets: readonly (readonly [query: WireRequest['query'], target: string])[] = [
  [{}, '/a'],
  [{ b: '2', a: '1' }, '/a?a=1&b=2'],
  [{ a: ['2', '1'] }, '/a?a=2&a=1'],
  [{ uploads: null }, '/a?uploads'],
  // As AWS signs it: these five are escaped, although a URL need not.
  [{ a: "!'()*" }, '/a?a=%21%27%28%29%2A'],
  [{ 'é b': '+/' }, '/a?%C3%A9%20b=%2B%2F'],
]

for (const [query, target] of targets)
  test(`a target has its query in order and escaped as it is signed: ${target}`, () =>
    assert.equal(targetOf({ path: '/a', query } as WireRequest), target))

async function* parts(...texts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text)
}

function answered(body: HttpBody | null, headers: HttpHeaders = {}): ReturnType<typeof tryCall> {
  const request = { method: 'GET', hostname: 'host', path: '/', query: {}, headers: {}, body: undefined }
  return tryCall(request as unknown as WireRequest, {
    exchange: async () => ({ status: 200, headers, body }),
    clock: new ManualClock(),
    timeoutMs: 1_000,
    responseBytesMax: 8,
  })
}

test('an answer is whole, however it comes', async () => {
  const textOf = async (body: HttpBody | null): Promise<string> => Buffer.from((await answered(body)).body).toString()
  assert.equal(await textOf(null), '')
  assert.equal(await textOf(Buffer.from('whole')), 'whole')
  assert.equal(await textOf(parts('one')), 'one')
  assert.equal(await textOf(parts('one', 'more')), 'onemore')
  assert.equal(await textOf(parts('four', 'four')), 'fourfour')
})

test('an answer of more bytes than may be held is refused, in one piece or in several', async () => {
  for (const body of [Buffer.from('ninebytes'), parts('four', 'five5')])
    await assert.rejects(answered(body), (error: unknown) => error instanceof HttpFailure && error.code === 'too-large')
})

test('headers are one text each, by their names in lower case', async () => {
  const { headers } = await answered(null, { 'X-One': 'a', 'x-two': ['b', 'c'], 'x-none': undefined })
  assert.deepEqual(headers, { 'x-one': 'a', 'x-two': 'b, c' })
})
