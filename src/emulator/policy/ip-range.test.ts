import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ipMatches, parseRange } from './ip-range.ts'

const rows: readonly (readonly [range: string, within: readonly string[], outside: readonly string[]])[] = [
  ['10.0.0.0/8', ['10.0.0.0', '10.255.255.255'], ['9.255.255.255', '11.0.0.0']],
  ['10.1.128.0/17', ['10.1.128.0', '10.1.255.255'], ['10.1.127.255', '10.2.128.0', '11.1.128.0']],
  ['10.1.2.0/23', ['10.1.2.0', '10.1.3.255'], ['10.1.1.255', '10.1.4.0']],
  ['192.168.0.4/30', ['192.168.0.4', '192.168.0.7'], ['192.168.0.3', '192.168.0.8']],
  ['203.0.113.9/32', ['203.0.113.9'], ['203.0.113.8']],
  ['203.0.113.9', ['203.0.113.9'], ['203.0.113.8', '203.0.112.9']],
  ['0.0.0.0/0', ['0.0.0.0', '255.255.255.255'], ['::1']],
  ['128.0.0.0/1', ['128.0.0.0', '255.0.0.0'], ['127.255.255.255']],
  ['10.1.2.3/16', ['10.1.0.0'], ['10.2.2.3']],
  ['2001:db8::/32', ['2001:db8::1', '2001:db8:ffff::'], ['2001:db9::', '10.0.0.1']],
  ['2001:db8::/127', ['2001:db8::', '2001:db8::1'], ['2001:db8::2']],
  ['2001:db8::1', ['2001:db8::1'], ['2001:db8::2', '2001:db8:0:0:1::1']],
  ['::/0', ['::1'], ['10.0.0.1']],
  ['10.0.0.0/33', [], ['10.0.0.0']],
  ['2001:db8::/129', [], ['2001:db8::']],
  ['10.0.0.0/', [], ['10.0.0.0']],
  ['10.0.0.0/x', [], ['10.0.0.0']],
  ['10.0.0.0/8/8', [], ['10.0.0.0']],
  ['x/8', [], ['10.0.0.0']],
]
for (const [range, within, outside] of rows) {
  test(`the range ${range} holds ${within.join(', ') || 'nothing'} and not ${outside.join(', ')}`, () => {
    for (const address of within) assert.equal(ipMatches(address, range), true, address)
    for (const address of outside) assert.equal(ipMatches(address, range), false, address)
    assert.equal(ipMatches('x', range), false)
  })
}

test('a range is read as its bytes and its bits', () => {
  assert.deepEqual(parseRange('10.0.0.1'), { base: Uint8Array.of(10, 0, 0, 1), prefix: 32 })
  assert.deepEqual(parseRange('10.0.0.0/0'), { base: Uint8Array.of(10, 0, 0, 0), prefix: 0 })
  assert.equal(parseRange('::1')?.prefix, 128)
  assert.equal(parseRange('::1/128')?.prefix, 128)
})
