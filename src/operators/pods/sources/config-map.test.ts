// §2.8: what the text of the ConfigMap says, as a decoder into typed fields would read it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseRoleEntries } from './config-map.ts'

function secondsOf(text: string): bigint | undefined {
  const read = parseRoleEntries(`{"n/s": {"RoleARN": "r", "TokenExpiration": ${text}}}`)
  return read instanceof Error ? undefined : read.entries.get('n/s')?.expirationSeconds
}

test('a TokenExpiration may have 64 bits, and loses no digit [6.4, F-07]', () => {
  assert.equal(secondsOf('9007199254740993'), 9_007_199_254_740_993n)
  assert.equal(secondsOf('9223372036854775807'), 9_223_372_036_854_775_807n)
  assert.equal(secondsOf('-9223372036854775808'), -9_223_372_036_854_775_808n)
})

for (const text of ['9e2', '900.0', '9223372036854775808', '-9223372036854775809', '"900"', 'true', '[]', '{}'])
  test(`a TokenExpiration of ${text} is none, and the text counts as broken [A-75]`, () => {
    assert.equal(secondsOf(text), undefined)
  })

test('a field that nobody reads may hold any number', () => {
  const read = parseRoleEntries('{"n/s": {"RoleARN": "r", "Share": 0.5, "More": {"TokenExpiration": 9e2}}}')
  assert.ok(!(read instanceof Error))
  assert.equal(read.entries.get('n/s')?.roleArn, 'r')
})
