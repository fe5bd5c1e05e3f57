import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BodyTooLarge, collectBody } from './collect-body.ts'

const bytes = (text: string): Uint8Array => Buffer.from(text)
async function* chunks(...texts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield bytes(text)
}

test('a body is collected up to its limit, whatever it comes as, and refused one byte later', async () => {
  const asText = async (body: Parameters<typeof collectBody>[0], bytesMax: number): Promise<string> =>
    Buffer.from(await collectBody(body, bytesMax)).toString()
  assert.equal(await asText(null, 0), '')
  assert.equal(await asText(bytes('abc'), 3), 'abc')
  assert.equal(await asText(chunks('ab', 'c'), 3), 'abc')
  await assert.rejects(collectBody(bytes('abcd'), 3), BodyTooLarge)
  await assert.rejects(collectBody(chunks('ab', 'cd'), 3), BodyTooLarge)
})
