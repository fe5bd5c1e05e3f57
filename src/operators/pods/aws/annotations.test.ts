// What annotations say, with the tolerance of the upstream webhook, and what is told of those that say nothing.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readExpiration, readServiceAccount, readSkipContainers, type Warn } from './annotations.ts'
import { type AwsWebhookOptions, defaultAwsOptions } from './api.ts'

function warnings(): { readonly warn: Warn; readonly told: unknown[] } {
  const told: unknown[] = []
  return { told, warn: (message, fields) => void told.push([message, fields]) }
}

const longer = 'token-expiration is longer than the API server takes; it is shortened'
const none = 'token-expiration is no number of seconds; it is ignored'
const long = `y${'x'.repeat(300)}`

for (const [value, seconds, told] of [
  [undefined, undefined, []],
  ['600', 600n, []],
  ['599', 600n, []],
  ['601', 601n, []],
  ['-9223372036854775808', 600n, []],
  ['+000000000000000000000900', 900n, []],
  ['4294967296', 4_294_967_296n, []],
  ['4294967297', 4_294_967_296n, [[longer, { seconds: '4294967297' }]]],
  ['9223372036854775807', 4_294_967_296n, [[longer, { seconds: '9223372036854775807' }]]],
  ['9223372036854775808', undefined, [[none, { value: '9223372036854775808' }]]],
  ['-9223372036854775809', undefined, [[none, { value: '-9223372036854775809' }]]],
  ['', undefined, [[none, { value: '' }]]],
  ['+-1', undefined, [[none, { value: '+-1' }]]],
  [long, undefined, [[none, { value: long.slice(0, 64) }]]],
] as const)
  test(`a token-expiration of ${JSON.stringify(value)} is ${seconds ?? 'none'}, with ${told.length === 0 ? 'no' : 'a'} warning [F-07]`, () => {
    const { warn, told: said } = warnings()
    assert.equal(readExpiration(value, warn), seconds)
    assert.deepEqual(said, told)
  })

const noRole = 'role-arn is no role ARN; it is used as it stands'
const arn = 'arn:aws:iam::111122223333:role/r'

for (const [value, roleArn, told, options] of [
  ['', '', [], {}],
  [arn, arn, [], {}],
  ['arn:aws-us-gov:iam::111122223333:role/a/b', 'arn:aws-us-gov:iam::111122223333:role/a/b', [], {}],
  ['r', 'r', [[noRole, { roleArn: 'r' }]], {}],
  [long, long, [[noRole, { roleArn: long.slice(0, 256) }]], {}],
  [
    'r',
    'arn:aws-cn:iam::1:role/r',
    [[noRole, { roleArn: 'arn:aws-cn:iam::1:role/r' }]],
    { compose: { account: '1', partition: 'aws-cn' } },
  ],
  ['', '', [], { compose: { account: '1', partition: 'aws' } }],
  ['xarn:y', 'xarn:y', [[noRole, { roleArn: 'xarn:y' }]], { compose: { account: '1', partition: 'aws' } }],
] as const satisfies readonly (readonly [string, string, readonly unknown[], Partial<AwsWebhookOptions>])[])
  test(`a role-arn of ${JSON.stringify(value.slice(0, 50))}${'compose' in options ? ', completed,' : ''} is ${JSON.stringify(roleArn.slice(0, 50))}, with ${told.length === 0 ? 'no' : 'a'} warning [2.1, 2.11]`, () => {
    const { warn, told: said } = warnings()
    const read = readServiceAccount({ 'eks.amazonaws.com/role-arn': value }, { ...defaultAwsOptions, ...options }, warn)
    assert.equal(read.roleArn, roleArn)
    assert.deepEqual(said, told)
  })

for (const [value, flag, regionalSts] of [
  [undefined, true, true],
  [undefined, false, false],
  ...['1', 't', 'T', 'TRUE', 'true', 'True'].map(word => [word, false, true] as const),
  ...['0', 'f', 'F', 'FALSE', 'false', 'False'].map(word => [word, true, false] as const),
  [long, true, true],
  [long, false, false],
  ['tRUE', false, false],
] as const)
  test(`sts-regional-endpoints of ${value?.slice(0, 10) ?? 'nothing'} over a flag of ${flag} is ${regionalSts} [2.1]`, () => {
    const { warn, told } = warnings()
    const annotations = value === undefined ? {} : { 'eks.amazonaws.com/sts-regional-endpoints': value }
    assert.equal(readServiceAccount(annotations, { ...defaultAwsOptions, regionalSts: flag }, warn).regionalSts, regionalSts)
    const isWord = value === undefined || (value.length <= 5 && value !== 'tRUE')
    const message = 'sts-regional-endpoints is neither true nor false; the flag decides'
    assert.deepEqual(told, isWord ? [] : [[message, { value: value.slice(0, 64) }]])
  })

for (const [seconds, said] of [
  [599n, 600n],
  [7_200n, 7_200n],
  [4_294_967_297n, 4_294_967_296n],
] as const)
  test(`a ServiceAccount that names neither life nor audience has those of the flags, a life of ${seconds} seconds as ${said} [2.1]`, () => {
    const { warn } = warnings()
    const flags = { ...defaultAwsOptions, tokenExpirationSeconds: seconds, tokenAudience: 'aud' }
    const { expirationSeconds, audience } = readServiceAccount({}, flags, warn)
    assert.deepEqual([expirationSeconds, audience], [said, 'aud'])
  })

for (const [value, names] of [
  [undefined, []],
  ['', []],
  ['a', ['a']],
  ['a,b', ['a', 'b']],
  ['a,', ['a', '']],
  [',a', ['', 'a']],
  [' a , b', [' a ', ' b']],
  ['"a"', ['a']],
  ['"a","b"', ['a', 'b']],
  ['"a,b",c', ['a,b', 'c']],
  ['"a""b"', ['a"b']],
  ['""', ['']],
  ['""""', ['"']],
  ['"a\nb",c\nd', ['a\nb', 'c']],
  ['a\nb', ['a']],
  ['"a"\nb', ['a']],
  ['\n\na', ['a']],
  ['\n', []],
  ['a\r\nb', ['a']],
  ['a\r', ['a']],
  ['"a\r\nb"', ['a\nb']],
  ['a\rb', ['a\rb']],
  ['a"b,c', []],
  ['a,b"', []],
  ['"a', []],
  ['"a""', []],
  ['"a"b', []],
  ['c,"a"b', []],
] as const)
  test(`skip-containers of ${JSON.stringify(value)} names ${JSON.stringify(names)} [2.2]`, () => {
    assert.deepEqual([...readSkipContainers(value)], names)
  })
