import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkTags } from './tag-rules.ts'

const rows: readonly (readonly [what: string, tags: Readonly<Record<string, string>>, refusal: string | undefined])[] = [
  ['none', {}, undefined],
  ['a key of one character and no value', { k: '' }, undefined],
  ['the longest key and value', { ['k'.repeat(128)]: 'v'.repeat(256) }, undefined],
  ['every sign that is taken', { 'ä1 _.:/=+-@': 'ä1 _.:/=+-@' }, undefined],
  ['aws: within the key', { 'my-aws:k': '' }, undefined],
  ['no key', { '': 'v' }, 'Invalid tag key: '],
  ['a key too long', { ['k'.repeat(129)]: '' }, `Invalid tag key: ${'k'.repeat(129)}`],
  ['another sign in the key', { 'k!': '' }, 'Invalid tag key: k!'],
  ['a value too long', { k: 'v'.repeat(257) }, 'Invalid tag value for key k'],
  ['another sign in the value', { k: 'v!' }, 'Invalid tag value for key k'],
  ['a key of AWS', { 'AWS:k': '' }, 'Tag keys may not begin with aws: (AWS:k)'],
  ['one too many', { a: '', b: '', c: '' }, 'Too many tags: at most 2 are allowed'],
  ['as many as are allowed', { a: '', b: '' }, undefined],
]
for (const [what, tags, refusal] of rows) {
  test(`tags with ${what}: ${refusal === undefined ? 'taken' : 'refused'}`, () => {
    if (refusal === undefined) assert.doesNotThrow(() => checkTags(tags, 2))
    else assert.throws(() => checkTags(tags, 2), { code: 'InvalidParameterException', status: 400, message: refusal })
  })
}
