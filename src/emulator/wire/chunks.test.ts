import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readChunks } from './chunks.ts'

const read = (text: string): ReturnType<typeof readChunks> => readChunks(Buffer.from(text, 'latin1'))
const signature = 'a'.repeat(64)

test('chunks are put together, with their signatures and the trailers behind them', () => {
  const { body, chunks, trailers, trailerText } = read(
    `5;chunk-signature=${signature}\r\nhello\r\nA\r\n0123456789\r\n0\r\nX-Amz-Checksum-Crc32 : AAAA\r\nx-amz-trailer-signature:${signature}\r\n\r\n`,
  )
  assert.equal(Buffer.from(body).toString(), 'hello0123456789')
  assert.deepEqual(
    chunks.map(chunk => [chunk.data.length, chunk.signature]),
    [
      [5, signature],
      [10, undefined],
      [0, undefined],
    ],
  )
  assert.deepEqual(trailers, { 'x-amz-checksum-crc32': 'AAAA', 'x-amz-trailer-signature': signature })
  assert.equal(trailerText, 'x-amz-checksum-crc32:AAAA\n')
})

for (const [what, text, body] of [
  ['nothing', '0\r\n\r\n', ''],
  ['nothing, without an empty line', '0\r\n', ''],
  ['nothing, without the end of its line', '0', ''],
  ['lines that end in a newline', '1\nx\r\n0\na:b\n', 'x'],
  ['a trailer without an end', '0\r\na:b', ''],
  ['line ends within a chunk', '4\r\n\r\n\r\n\r\n0\r\n\r\n', '\r\n\r\n'],
] as const) {
  test(`chunks of ${what} are read`, () => assert.equal(Buffer.from(read(text).body).toString(), body))
}

for (const [what, text, why] of [
  ['no header', 'x\r\nhello', 'a chunk header is expected'],
  ['a header of nine digits', '000000005\r\nhello\r\n0\r\n', 'a chunk header is expected'],
  ['a chunk that is cut short', '5\r\nhell', 'a chunk is cut short'],
  ['a chunk that is longer than it says', '4\r\nhello\r\n0\r\n', 'a chunk does not end where its header says'],
  ['a chunk without an end', '5\r\nhello', 'a chunk does not end where its header says'],
  ['no last chunk', '5\r\nhello\r\n', 'the last chunk is missing'],
  ['nothing at all', '', 'the last chunk is missing'],
  ['a trailer without a colon', '0\r\nx\r\n', 'a trailer is expected'],
  ['a line too long', `0\r\na:${'b'.repeat(8_191)}\n`, 'a line is too long'],
] as const) {
  test(`chunks with ${what} are refused: ${why}`, () => assert.throws(() => read(text), { message: why }))
}

test('a line has 8192 bytes at most', () => {
  assert.equal(read(`0\r\na:${'b'.repeat(8_190)}\n`).trailers['a']?.length, 8_190)
})
