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

test('keys that name no ServiceAccount are ignored, and each is told [F-09]', () => {
  const keys = ['noslash', 'ns/name/x', '/name', 'ns/', 'team-*/name', 'ns/na*', 'ns/name', '*/name', '*/*']
  const read = parseRoleEntries(JSON.stringify(Object.fromEntries(keys.map(key => [key, { RoleARN: 'r' }]))))
  assert.ok(!(read instanceof Error))
  assert.deepEqual([...read.entries.keys()], ['ns/name', '*/name'])
  assert.deepEqual(read.ignored, ['noslash', 'ns/name/x', '/name', 'ns/', 'team-*/name', 'ns/na*', '*/*'])
})
