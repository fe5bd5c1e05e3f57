import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkedTags, checkKey, checksumFor, chosenAlgorithm, parseTagHeader, renderVersion } from './content.ts'
import type { Bucket } from './model.ts'

test('a key has at most 1024 bytes of UTF-8', () => {
  assert.doesNotThrow(() => checkKey('k'.repeat(1_024)))
  const fields = { Size: '1025', MaxSizeAllowed: '1024' }
  assert.throws(() => checkKey('k'.repeat(1_025)), { code: 'KeyTooLongError', fields })
  assert.throws(() => checkKey(`k${'ä'.repeat(512)}`), { code: 'KeyTooLongError', fields })
})

const tags: readonly (readonly [what: string, tags: readonly object[], refusal: string | undefined])[] = [
  ['none', [], undefined],
  ['a key of 128 and a value of 256 characters', [{ Key: 'k'.repeat(128), Value: 'v'.repeat(256) }], undefined],
  ['letters, digits and signs', [{ Key: 'ä1 _.:/=+-@', Value: 'ä1 _.:/=+-@' }], undefined],
  ['no value', [{ Key: 'k' }], undefined],
  ['two keys that differ in case', [{ Key: 'k' }, { Key: 'K' }], undefined],
  ['a key of 129 characters', [{ Key: 'k'.repeat(129) }], 'The TagKey you have provided is invalid'],
  ['no key', [{ Value: 'v' }], 'The TagKey you have provided is invalid'],
  ['a sign in the key', [{ Key: 'a#b' }], 'The TagKey you have provided is invalid'],
  ['a value of 257 characters', [{ Key: 'k', Value: 'v'.repeat(257) }], 'The TagValue you have provided is invalid'],
  ['a key of AWS', [{ Key: 'aws:x', Value: 'v' }], 'System tags cannot be added/updated by requester'],
  ['one key twice', [{ Key: 'k' }, { Key: 'k' }], 'Cannot provide multiple Tags with the same key'],
  ['a name of every object as key', [{ Key: 'constructor', Value: 'v' }], undefined],
]
for (const [what, given, refusal] of tags) {
  test(`tags with ${what}: ${refusal ?? 'taken'}`, () => {
    if (refusal !== undefined) assert.throws(() => checkedTags(given, 10), { code: 'InvalidTag', status: 400, message: refusal })
    else
      assert.deepEqual(
        checkedTags(given, 10),
        Object.fromEntries((given as { Key: string; Value?: string }[]).map(({ Key, Value = '' }) => [Key, Value])),
      )
  })
}

test('an object has ten tags at most, a bucket as many as it is told', () => {
  const many = (count: number): { Key: string }[] => Array.from({ length: count }, (_, index) => ({ Key: `k${index}` }))
  assert.equal(Object.keys(checkedTags(many(10), 10)).length, 10)
  assert.throws(() => checkedTags(many(11), 10), { code: 'BadRequest', message: 'Object tags cannot be greater than 10' })
  assert.throws(() => checkedTags(many(51), 50), { code: 'BadRequest', message: 'Bucket tag count cannot be greater than 50' })
})

test('x-amz-tagging is a query', () => {
  assert.deepEqual(parseTagHeader(undefined), {})
  assert.deepEqual(parseTagHeader(''), {})
  assert.deepEqual(parseTagHeader('a=1&b=x%20y'), { a: '1', b: 'x y' })
})

const chosen: readonly (readonly [headers: Readonly<Record<string, string>>, algorithm: string | undefined])[] = [
  [{}, undefined],
  [{ 'x-amz-checksum-sha1': 'AAAA' }, 'SHA1'],
  [{ 'x-amz-trailer': 'x-amz-checksum-crc32' }, 'CRC32'],
  [{ 'x-amz-trailer': 'x-amz-checksum-crc32c' }, 'CRC32C'],
  [{ 'x-amz-trailer': 'X-Amz-Checksum-SHA256' }, 'SHA256'],
  [{ 'x-amz-trailer': 'x-amz-meta-a, x-amz-checksum-sha256' }, 'SHA256'],
  [{ 'x-amz-sdk-checksum-algorithm': 'sha256' }, 'SHA256'],
  [{ 'x-amz-checksum-algorithm': 'CRC32C' }, 'CRC32C'],
  [{ 'x-amz-checksum-algorithm': 'MD5' }, undefined],
]
for (const [headers, algorithm] of chosen) {
  test(`${JSON.stringify(headers)} chooses ${algorithm ?? 'no algorithm'}`, () => {
    assert.equal(chosenAlgorithm(headers), algorithm)
  })
}

test('what came without a checksum gets a CRC64NVME', () => {
  assert.deepEqual(checksumFor({}, new Uint8Array()), { algorithm: 'CRC64NVME', value: 'AAAAAAAAAAA=', type: 'FULL_OBJECT' })
})

test('only of a bucket that knows versions a version is told', () => {
  const told = (versioning: Bucket['versioning']): unknown =>
    renderVersion({ versioning } as unknown as Bucket, { versionId: 'null' })
  assert.deepEqual(told(undefined), {})
  assert.deepEqual(told('Suspended'), { VersionId: 'null' })
})
