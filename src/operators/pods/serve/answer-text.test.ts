import assert from 'node:assert/strict'
import { test } from 'node:test'
import { answerText } from './answer-text.ts'

async function* pieces(...all: readonly Uint8Array[]): AsyncGenerator<Uint8Array> {
  for (const each of all) yield each
}
const euro = Buffer.from('a€b')

for (const [what, body, text] of [
  ['nothing is the empty text', null, ''],
  ['bytes are their text', euro, 'a€b'],
  ['pieces are one text, also where a character is parted', pieces(euro.subarray(0, 2), euro.subarray(2)), 'a€b'],
  ['65,536 bytes are taken', pieces(Buffer.alloc(65_535, 'x'), Buffer.from('y')), `${'x'.repeat(65_535)}y`],
] as const)
  test(`of an answer ${what}`, async () => assert.equal(await answerText(body), text))

test('an answer of one byte more is refused, and the rest of it is not waited for', async () => {
  let isLeft = false
  async function* endless(): AsyncGenerator<Uint8Array> {
    try {
      for (;;) yield Buffer.alloc(65_537)
    } finally {
      isLeft = true
    }
  }
  await assert.rejects(answerText(endless()), /^Error: the answer is too long$/)
  assert.ok(isLeft)
})
