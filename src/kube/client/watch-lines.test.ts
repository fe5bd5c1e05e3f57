import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseWatchLine, WholeLines } from './watch-lines.ts'

async function* inPieces(text: string, length: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length)
}

async function linesOf(pieces: AsyncIterable<Uint8Array>): Promise<readonly string[]> {
  const lines: string[] = []
  const whole = new WholeLines()
  for await (const piece of pieces) lines.push(...whole.take(piece))
  return [...lines, ...whole.rest()]
}

test('lines are whole wherever the network cuts them, also in the middle of a character', async () => {
  const lines = ['{"a":1}', '', 'x', '{"é":"ü–\u{1f600}"}', 'the last one']
  for (let length = 1; length <= 45; length++) {
    assert.deepEqual(await linesOf(inPieces(`${lines.join('\n')}\n`, length)), lines, `pieces of ${length}`)
    assert.deepEqual(await linesOf(inPieces(lines.join('\n'), length)), lines, `pieces of ${length}, cut off`)
  }
})

test('a line that never ends is given up before memory is', async () => {
  const piece = new Uint8Array(8_388_608).fill(0x61)
  async function* endless(): AsyncGenerator<Uint8Array> {
    for (;;) yield piece
  }
  await assert.rejects(linesOf(endless()), /a line of the watch has more than 33554432 bytes/)
})

const metadata = { name: 'a', resourceVersion: '7' }
const rows: readonly (readonly [string, unknown])[] = [
  ['', undefined],
  ['\r', undefined],
  ['{"type":', { type: 'UNREADABLE', reason: 'a line of the watch is no JSON, or was cut' }],
  ['null', { type: 'UNREADABLE', reason: 'a watch event has no object' }],
  [JSON.stringify({ type: 'ADDED', object: { metadata } }), { type: 'ADDED', object: { metadata } }],
  [JSON.stringify({ type: 'DELETED', object: { metadata } }), { type: 'DELETED', object: { metadata } }],
  [
    JSON.stringify({ type: 'MODIFIED', object: { metadata: { name: 'a' } } }),
    { type: 'UNREADABLE', reason: 'a watch event of type MODIFIED has no named object' },
  ],
  [
    JSON.stringify({ type: 'BOOKMARK', object: { metadata: { resourceVersion: '9' } } }),
    { type: 'BOOKMARK', resourceVersion: '9', initialEventsEnd: false },
  ],
  [
    JSON.stringify({
      type: 'BOOKMARK',
      object: { metadata: { resourceVersion: '9', annotations: { 'k8s.io/initial-events-end': 'true' } } },
    }),
    { type: 'BOOKMARK', resourceVersion: '9', initialEventsEnd: true },
  ],
  [JSON.stringify({ type: 'BOOKMARK', object: {} }), { type: 'UNREADABLE', reason: 'a bookmark has no resourceVersion' }],
  [JSON.stringify({ type: 'ERROR', object: { code: 410 } }), { type: 'ERROR', status: { code: 410 } }],
  [
    JSON.stringify({ type: 'RENAMED', object: {} }),
    { type: 'UNREADABLE', reason: 'a watch event has the unknown type "RENAMED"' },
  ],
]

for (const [line, event] of rows)
  test(`a line is an event, nothing, or unreadable: ${line.slice(0, 60)}`, () => assert.deepEqual(parseWatchLine(line), event))
