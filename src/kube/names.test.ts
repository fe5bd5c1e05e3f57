import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  dns1035LabelErrors,
  dnsLabelErrors,
  dnsSubdomainErrors,
  labelValueErrors,
  pathSegmentErrors,
  qualifiedNameErrors,
} from './names.ts'

const long = (count: number): string => 'a'.repeat(count)

for (const [what, rule, fine, wrong] of [
  ['a subdomain', dnsSubdomainErrors, ['a', 'a-b.c', '1.2', long(253)], ['', 'A', '-a', 'a-', 'a..b', 'a_b', long(254)]],
  ['a label', dnsLabelErrors, ['a', '1-b', long(63)], ['', 'a.b', '-a', 'A', long(64)]],
  ['a label that begins with a letter', dns1035LabelErrors, ['a', 'a-1', long(63)], ['1a', '', 'a.b', long(64)]],
  ['a part of a path', pathSegmentErrors, ['a', 'a:b', '...'], ['.', '..', 'a/b', 'a%b']],
  [
    'a qualified name',
    qualifiedNameErrors,
    ['a', 'A_b.c', 'x.y/z', `x/${long(63)}`],
    ['', '/a', 'x/', 'a/b/c', 'X/a', '-a', `x/${long(64)}`],
  ],
  ['a value of a label', labelValueErrors, ['', 'A', 'a_b.c-d', long(63)], ['-', 'a b', '.a', long(64)]],
] as const)
  test(`what is ${what}, and what is none`, () => {
    for (const name of fine) assert.deepEqual(rule(name), [], name)
    for (const name of wrong) assert.notDeepEqual(rule(name), [], name)
  })

test('what is wrong is said, all of it and nothing else', () => {
  assert.deepEqual(dnsLabelErrors(long(64)), ['must be no more than 63 characters'])
  assert.deepEqual(dnsLabelErrors('a.b'), ['must not contain dots'])
  assert.equal(dnsLabelErrors(`-${long(63)}`).length, 2)
  assert.deepEqual(pathSegmentErrors('a/b%c'), ["may not contain '/'", "may not contain '%'"])
  assert.deepEqual(pathSegmentErrors('..'), ["may not be '..'"])
  assert.equal(qualifiedNameErrors('/')[0], 'prefix part must be non-empty')
  assert.ok(qualifiedNameErrors('/').includes('name part must be non-empty'))
  assert.deepEqual(qualifiedNameErrors(`x/${long(64)}`), ['name part must be no more than 63 characters'])
})

test('a name that is too long and of several labels is told both', () => {
  assert.deepEqual(dnsLabelErrors(`${long(63)}.a`), ['must be no more than 63 characters', 'must not contain dots'])
})
