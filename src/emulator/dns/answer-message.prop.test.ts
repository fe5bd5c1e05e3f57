import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { answerMessage } from './answer-message.ts'
import type { DnsRecord } from './reply.ts'

const records: readonly DnsRecord[] = [
  { name: 'a.example.com.', type: 'CNAME', ttl: 60, value: 'b.example.com' },
  { name: 'b.example.com.', type: 'TXT', ttl: 60, value: `"${'x'.repeat(255)}" "${'y'.repeat(255)}" "${'z'.repeat(255)}"` },
]
const answered = (message: Uint8Array, road: 'udp' | 'tcp' = 'udp'): Uint8Array | undefined =>
  answerMessage(message, road, () => ({ code: 'NOERROR', records, authority: [] }))

/** `a.example.com TXT IN`, as `dig` asks it, with an EDNS size of 4096. */
const asked = Uint8Array.from(
  Buffer.from('1234012000010000000000010161076578616d706c6503636f6d00001000010000291000000000000000', 'hex'),
)

function head(message: Uint8Array | undefined): object {
  const view = Buffer.from(message ?? [])
  const flags = view.readUInt16BE(2)
  return {
    id: view.readUInt16BE(0),
    isAnswer: (flags & 0x8000) !== 0,
    code: flags & 0xf,
    isTruncated: (flags & 0x200) !== 0,
    counts: [4, 6, 8, 10].map(at => view.readUInt16BE(at)),
  }
}

test('an answer repeats the id and the question, and names that come again are pointers', () => {
  const answer = Buffer.from(answered(asked) ?? [])
  assert.deepEqual(head(answer), { id: 0x1234, isAnswer: true, code: 0, isTruncated: false, counts: [1, 2, 0, 1] })
  assert.deepEqual(answer.subarray(12, 31), Buffer.from(asked).subarray(12, 31))
  assert.equal(answer.toString('latin1').split('example').length - 1, 2, 'the question, and the first name that is written out')
})

test('without EDNS a long answer over UDP is cut, over TCP it is not', () => {
  const plain = asked.slice(0, 31)
  plain[11] = 0
  assert.deepEqual(head(answered(plain)), { id: 0x1234, isAnswer: true, code: 0, isTruncated: true, counts: [1, 0, 0, 0] })
  assert.deepEqual(head(answered(plain, 'tcp')), {
    id: 0x1234,
    isAnswer: true,
    code: 0,
    isTruncated: false,
    counts: [1, 2, 0, 0],
  })
})

test('what is no question of ours is refused by its kind, and answers are not answered', () => {
  const changed = (at: number, ...bytes: readonly number[]): Uint8Array => {
    const message = asked.slice()
    message.set(bytes, at)
    return message
  }
  const codeOf = (message: Uint8Array): unknown => (head(answered(message)) as { code: number }).code
  assert.equal(answered(changed(2, 0x81)), undefined, 'an answer')
  assert.equal(answered(asked.slice(0, 11)), undefined, 'no whole header')
  assert.equal(codeOf(changed(2, 0x28)), 4, 'an update')
  assert.equal(codeOf(changed(4, 0, 2)), 1, 'two questions')
  assert.equal(codeOf(changed(12, 0xc0)), 1, 'a pointer in the question')
  assert.equal(codeOf(asked.slice(0, 20)), 1, 'an end within the name')
  assert.equal(codeOf(changed(29, 0, 3)), 5, 'the class CHAOS')
  assert.equal(codeOf(changed(27, 0, 252)), 5, 'a transfer of the zone')
  assert.equal(codeOf(changed(27, 0, 255)), 4, 'any type')
  const version = Buffer.from(answered(changed(37, 1)) ?? [])
  assert.deepEqual([(version[3] ?? 0) & 0xf, version[version.length - 6]], [0, 1], 'BADVERS, half of it in the extension')
})

test('no bytes make it throw, and what is sent back fits the road', () => {
  const mutated = fc.array(fc.tuple(fc.nat({ max: asked.length - 1 }), fc.nat({ max: 255 })), { maxLength: 6 }).map(edits => {
    const message = asked.slice()
    for (const [at, byte] of edits) message[at] = byte
    return message
  })
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array({ maxLength: 600 }), mutated), message => {
      const answer = answered(message)
      assert.ok(answer === undefined || (answer.length >= 12 && answer.length <= 1_232))
    }),
  )
})
