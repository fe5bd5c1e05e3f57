import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compilePattern, matchesArnPattern, matchesPattern, resolvedText } from './pattern.ts'

const keys: Readonly<Record<string, string>> = { 'aws:username': 'ann', star: '*', colon: 'a:b' }
const lookup = (key: string): string | undefined => keys[key]
const all = { wildcards: true, variables: true }
const matches = (source: string, text: string, options = all, ignoreCase = false): boolean =>
  matchesPattern(compilePattern(source, options), text, lookup, ignoreCase)

const rows: readonly (readonly [source: string, yes: readonly string[], no: readonly string[]])[] = [
  ['', [''], ['a']],
  ['abc', ['abc'], ['ab', 'abcd', 'ABC']],
  ['*', ['', 'a', 'abc'], []],
  ['?', ['a', 'ä', '🂡'], ['', 'ab']],
  ['a*', ['a', 'ab', 'abc'], ['', 'ba']],
  ['*a', ['a', 'ba', 'aa'], ['', 'ab']],
  ['a*c', ['ac', 'abc', 'acbc'], ['ab', 'acb']],
  ['a*b*c', ['abc', 'axbxc', 'abbcc'], ['acb', 'ab']],
  ['**', ['', 'abc'], []],
  ['a**', ['a', 'ab'], ['b']],
  ['a*?', ['ab', 'abc'], ['a']],
  ['?*', ['a', 'ab'], ['']],
  ['*ab*ab', ['abab', 'xabxxab', 'ababab'], ['ab', 'abxaba']],
  ['${aws:username}', ['ann'], ['${aws:username}', 'bob']],
  ['a/${aws:username}/*', ['a/ann/', 'a/ann/x'], ['a/bob/x']],
  ['${ aws:username }', ['ann'], []],
  ["${none, 'x'}", ['x'], ['none']],
  ["${none, ''}", [''], ['none']],
  ["${aws:username, 'x'}", ['ann'], ['x']],
  ['${none}', [], ['', 'none', '${none}']],
  ['*${none}', [], ['', 'a']],
  ['${star}x', ['*x'], ['ax']],
  ['${*}', ['*'], ['a', '']],
  ['${?}a', ['?a'], ['ba']],
  ['${$}{x}', ['${x}'], ['x']],
  ['a${*}b${?}c', ['a*b?c'], ['axbxc']],
  ['${open', ['${open'], ['open']],
  ['${}', ['${}'], ['']],
  ['${a b}', ['${a b}'], ['']],
]
for (const [source, yes, no] of rows) {
  test(`the pattern ${source || '(empty)'}`, () => {
    for (const text of yes) assert.equal(matches(source, text), true, text)
    for (const text of no) assert.equal(matches(source, text), false, text)
  })
}

test('a pattern may be compared without case, with and without wildcards', () => {
  for (const source of ['S3:GetObject', 's3:Get*', 'S3:?etObject', '${aws:username}'])
    assert.equal(matches(source, source.startsWith('$') ? 'ANN' : 's3:getobject', all, true), true, source)
  assert.equal(matches('S3:GetObject', 's3:getobject'), false)
  assert.equal(matches('S3:Get*', 's3:getobject'), false)
  assert.equal(matches('s3:get*', 's3:put', all, true), false)
})

test('without wildcards and variables the signs stand for themselves', () => {
  const plain = { wildcards: false, variables: false }
  for (const text of ['a*', 'a?', '${aws:username}']) assert.equal(matches(text, text, plain), true, text)
  assert.equal(matches('a*', 'ab', plain), false)
  assert.equal(matches('${aws:username}', '${aws:username}', { wildcards: true, variables: false }), true)
})

test('a pattern without wildcards is known to be one text', () => {
  const literal = (source: string): string | undefined => compilePattern(source, all).literal
  assert.deepEqual(['', 'abc', 'a*', '?', '${x}', 'a${*}b'].map(literal), ['', 'abc', undefined, undefined, undefined, 'a*b'])
})

test('a resolved text has the values of its variables, and is none when one is missing', () => {
  const text = (source: string): string | undefined => resolvedText(compilePattern(source, all), lookup)
  assert.deepEqual(['a*b?c', '${aws:username}-${aws:username}', "a${none, 'x'}", 'a${none}', ''].map(text), [
    'a*b?c',
    'ann-ann',
    'ax',
    undefined,
    '',
  ])
})

const arns: readonly (readonly [pattern: string, yes: readonly string[], no: readonly string[]])[] = [
  ['arn:aws:s3:::b', ['arn:aws:s3:::b'], ['arn:aws:s3:::bb', 'arn:aws:s3::b', 'arn:aws:s3:::b:c']],
  ['arn:*:s3:::b', ['arn:aws:s3:::b', 'arn:aws-cn:s3:::b'], ['arn:aws:x:s3:::b']],
  [
    'arn:aws:iam::*:role/*',
    ['arn:aws:iam::1:role/a', 'arn:aws:iam::1:role/a/b:c'],
    ['arn:aws:iam::1:user/a', 'arn:aws:iam:x:1:user/a'],
  ],
  ['arn:aws:*', [], ['arn:aws:s3:::b']],
  ['*', [], ['arn:aws:s3:::b', '*']],
  ['arn:aws:logs:r:1:log-group:*', ['arn:aws:logs:r:1:log-group:a:b'], ['arn:aws:logs:r:1:log-group']],
  ['arn:aws:s3:::${colon}', ['arn:aws:s3:::a:b'], ['arn:aws:s3:::a']],
  ['arn:aws:s3:::${none}', [], ['arn:aws:s3:::', 'arn:aws:s3:::x']],
  ['arn:aws:s3:?::b', ['arn:aws:s3:x::b'], ['arn:aws:s3:::b']],
]
for (const [pattern, yes, no] of arns) {
  test(`the pattern ${pattern} of an ARN is matched part by part`, () => {
    const compiled = compilePattern(pattern, all)
    for (const text of yes) assert.equal(matchesArnPattern(compiled, text, lookup), true, text)
    for (const text of no) assert.equal(matchesArnPattern(compiled, text, lookup), false, text)
  })
}
