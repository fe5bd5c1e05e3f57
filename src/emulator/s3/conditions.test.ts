import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkWrite, isNotModified, matches, type ReadConditions } from './conditions.ts'
import type { ObjectContent } from './model.ts'

const content = { etag: 'abc' } as unknown as ObjectContent
const written = 1_000_000_500
/** HTTP dates know no milliseconds. */
const second = 1_000_000_000
const version = { versionId: 'null', modifiedMs: written, content }

const reads: readonly (readonly [what: string, conditions: ReadConditions, answer: number])[] = [
  ['no condition', {}, 200],
  ['the ETag that is there', { IfMatch: '"abc"' }, 200],
  ['another ETag', { IfMatch: '"other"' }, 412],
  ['one ETag of two', { IfMatch: '"other", "abc"' }, 200],
  ['any ETag', { IfMatch: '*' }, 200],
  ['unmodified since the second in which it was written', { IfUnmodifiedSince: second }, 200],
  ['unmodified since a second before', { IfUnmodifiedSince: second - 1_000 }, 412],
  ['the ETag, which outweighs the date', { IfMatch: '"abc"', IfUnmodifiedSince: second - 1_000 }, 200],
  ['none of the ETag that is there', { IfNoneMatch: '"abc"' }, 304],
  ['none of the ETag, written as a weak one', { IfNoneMatch: 'W/"abc"' }, 304],
  ['none of another ETag', { IfNoneMatch: '"other"' }, 200],
  ['modified since the second in which it was written', { IfModifiedSince: second }, 304],
  ['modified since a second before', { IfModifiedSince: second - 1_000 }, 200],
  ['none of another ETag, which outweighs the date', { IfNoneMatch: '"other"', IfModifiedSince: second }, 200],
]
for (const [what, conditions, answer] of reads) {
  test(`an object that is read under ${what}: ${answer}`, () => {
    if (answer === 412) assert.throws(() => isNotModified(conditions, version), { code: 'PreconditionFailed', status: 412 })
    else assert.equal(isNotModified(conditions, version), answer === 304)
  })
}

test('a refused read names the condition that did not hold', () => {
  const condition = (conditions: ReadConditions): unknown => {
    try {
      return isNotModified(conditions, version)
    } catch (error) {
      return (error as { fields: { Condition: string } }).fields.Condition
    }
  }
  assert.equal(condition({ IfMatch: 'x' }), 'If-Match')
  assert.equal(condition({ IfUnmodifiedSince: 0 }), 'If-Unmodified-Since')
})

const writes: readonly (readonly [
  what: string,
  conditions: object,
  current: ObjectContent | undefined,
  code: string | undefined,
])[] = [
  ['over an object without a condition', {}, content, undefined],
  ['where nothing is, if nothing is there', { IfNoneMatch: '*' }, undefined, undefined],
  ['over an object, if nothing is there', { IfNoneMatch: '*' }, content, 'PreconditionFailed'],
  ['over an object, if it is not of an ETag', { IfNoneMatch: '"other"' }, content, 'NotImplemented'],
  ['over an object of the ETag', { IfMatch: '"abc"' }, content, undefined],
  ['over an object of another ETag', { IfMatch: '"other"' }, content, 'PreconditionFailed'],
  ['where nothing is, over an ETag', { IfMatch: '"abc"' }, undefined, 'NoSuchKey'],
]
for (const [what, conditions, current, code] of writes) {
  test(`a write ${what}: ${code ?? 'goes on'}`, () => {
    const check = (): void => checkWrite(conditions, current, 'k')
    if (code === undefined) assert.doesNotThrow(check)
    else assert.throws(check, { code })
  })
}

test('an ETag is found in a list with and without quotes, and not as a part of another', () => {
  assert.deepEqual(
    ['abc', '"abc"', ' W/"abc" ', 'x,abc', '*', 'ab', 'abcd', ''].map(list => matches(list, 'abc')),
    [true, true, true, true, true, false, false, false],
  )
})
