import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isBucketName } from './bucket-name.ts'

const rows: readonly (readonly [isName: boolean, why: string, names: readonly string[]])[] = [
  [true, 'from three to 63 characters', ['abc', 'a'.repeat(63), '123']],
  [false, 'too short or too long', ['', 'ab', 'a'.repeat(64)]],
  [true, 'letters, digits, dots and hyphens', ['a.b-c', 'a-b', '1.2.3', '1.2.3.4.5', '1.2.3.a', '1234.1.1.1']],
  [false, 'a dot or hyphen at an end', ['.abc', 'abc.', '-abc', 'abc-']],
  [false, 'other characters', ['Abc', 'a_b', 'a b', 'äbc']],
  [false, 'two dots side by side', ['a..b']],
  [false, 'an address', ['1.2.3.4', '192.168.100.200']],
  [false, 'a reserved beginning', ['xn--a', 'sthree-a', 'xn--a-s3alias']],
  [false, 'a reserved end', ['a-s3alias', 'a--ol-s3', 'a.mrap', 'a--x-s3', 'a--table-s3']],
  [true, 'what is reserved, elsewhere', ['axn--b', 'a-sthree-a', 'a-s3alias-a']],
]
for (const [isName, why, names] of rows) {
  test(`${why}: ${isName ? 'names' : 'no names'} of buckets`, () => {
    assert.deepEqual(
      names.filter(name => isBucketName(name) !== isName),
      [],
    )
  })
}
