import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dynamodbTable } from './table.ts'

const same = dynamodbTable.same?.['GlobalSecondaryIndexes']
const index = (indexName: string, more: object = {}) => ({
  indexName,
  keySchema: [{ attributeName: indexName, keyType: 'HASH' }],
  ...more,
})
const told = { indexStatus: 'ACTIVE', itemCount: 3 }

for (const [what, wanted, latest, isSame] of [
  ['none, and none', undefined, undefined, true],
  ['none, and an empty list', undefined, [], true],
  ['one, with what only AWS knows of it', [index('a')], [index('a', told)], true],
  ['two in another order', [index('a'), index('b')], [index('b', told), index('a', told)], true],
  ['one that is not there', [index('a')], [], false],
  ['one less than there are', [index('a')], [index('a', told), index('b', told)], false],
  ['another one', [index('a')], [index('b', told)], false],
  ['one with another key', [index('a', { keySchema: [{ attributeName: 'z', keyType: 'HASH' }] })], [index('a', told)], false],
] as const)
  test(`the indexes of a table, ${what}, ${isSame ? 'are as they are wanted' : 'differ'}`, () => {
    assert.equal(same?.(wanted, latest, {} as never), isSame)
  })
