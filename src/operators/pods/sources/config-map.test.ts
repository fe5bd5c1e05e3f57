// §2.8: what the text of the ConfigMap says, as a decoder into typed fields would read it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { changedKeys, noRoleEntries, parseRoleEntries, type RoleEntries, type RoleEntry } from './config-map.ts'

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

const none: RoleEntry = { roleArn: '', audience: '', regionalSts: false, expirationSeconds: 0n, isPromised: false }

for (const [fields, said] of [
  ['{}', none],
  [
    '{"RoleARN": "r", "Audience": "a", "UseRegionalSTS": true, "TokenExpiration": 900, "Promised": true}',
    { roleArn: 'r', audience: 'a', regionalSts: true, expirationSeconds: 900n, isPromised: true },
  ],
  ['{"UseRegionalSTS": false, "Promised": false}', none],
  ['{"rolearn": "r", "AUDIENCE": "a"}', { ...none, roleArn: 'r', audience: 'a' }],
  ['{"RoleARN": "r", "RoleARN": "s"}', { ...none, roleArn: 's' }],
  ['{"RoleARN": "r", "rolearn": null}', { ...none, roleArn: 'r' }],
  // As long as RoleARN, and another name.
  ['{"RoleARM": 7}', none],
  ['{"Promised": "true"}', none],
  ['{"RoleARN": 7}', 'RoleARN is no text'],
  ['{"Audience": 7}', 'Audience is no text'],
  ['{"UseRegionalSTS": "true"}', 'UseRegionalSTS is neither true nor false'],
  ['{"TokenExpiration": "900"}', 'TokenExpiration is no whole number of seconds'],
  ['7', 'the entry is no JSON object'],
] as const)
  test(`an entry of ${fields} ${typeof said === 'string' ? `breaks the text: ${said}` : 'says what it says'} [A-75]`, () => {
    const read = parseRoleEntries(`{"n/s": ${fields}}`)
    assert.deepEqual(
      read instanceof Error ? read.message : read.entries.get('n/s'),
      typeof said === 'string' ? `n/s: ${said}` : said,
    )
  })

for (const [text, keys] of [
  ['null', []],
  ['{}', []],
  ['{"n/s": null}', []],
  ['{"n/s": {}, "n/s": null}', []],
  ['{"n/s": null, "n/t": {}}', ['n/t']],
  ['{"noslash": null}', []],
] as const)
  test(`a text of ${text} has ${keys.join(' and ') || 'no entry'}, and none is ignored`, () => {
    const read = parseRoleEntries(text)
    assert.ok(!(read instanceof Error))
    assert.deepEqual([[...read.entries.keys()], read.ignored], [keys, []])
  })

test('of the name of a broken entry 256 letters are told', () => {
  const name = `n/${'s'.repeat(300)}`
  const read = parseRoleEntries(JSON.stringify({ [name]: 7 }))
  assert.ok(read instanceof Error)
  assert.equal(read.message, `${name.slice(0, 256)}: the entry is no JSON object`)
})

const entriesOf = (entries: Readonly<Record<string, RoleEntry>>): RoleEntries => ({
  entries: new Map(Object.entries(entries)),
  ignored: [],
})
const one = entriesOf({ 'n/s': none })

for (const [what, before, after, keys] of [
  ['nothing in the same entries', one, one, []],
  ['nothing in the same words', one, entriesOf({ 'n/s': { ...none } }), []],
  ['nothing where there is nothing', noRoleEntries, entriesOf({}), []],
  ['an entry that came', noRoleEntries, one, ['n/s']],
  ['one that went', one, noRoleEntries, ['n/s']],
  ['one beside another', entriesOf({ 'n/s': none, 'n/t': none }), entriesOf({ 'n/s': none, 'n/u': none }), ['n/t', 'n/u']],
  ...Object.entries({ roleArn: 'r', audience: 'a', regionalSts: true, expirationSeconds: 900n, isPromised: true }).map(
    ([name, value]) => [`another ${name}`, one, entriesOf({ 'n/s': { ...none, [name]: value } }), ['n/s']] as const,
  ),
] as const)
  test(`between two texts ${what} has changed`, () => assert.deepEqual(changedKeys(before, after), keys))
