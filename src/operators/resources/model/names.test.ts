import assert from 'node:assert/strict'
import { test } from 'node:test'
import { nameKey, propertyNamed, sameName } from './names.ts'

test('names mean the same when they differ in case and in the signs between words only', () => {
  assert.deepEqual(['KmsKeyId', 'KMSKeyID', 'kms_key_id', 'kms-key.id'].map(nameKey), Array(4).fill('kmskeyid'))
  assert.deepEqual([sameName('a', 'a'), sameName('KMSKeyID', 'kms_key_id'), sameName('KeyId', 'KeyIds')], [true, true, false])
})

test('a property is found under the very name before any other spelling of it', () => {
  assert.deepEqual(propertyNamed({ KMSKeyID: 1, KmsKeyId: 2 }, 'KmsKeyId'), { name: 'KmsKeyId', value: 2 })
  assert.deepEqual(propertyNamed({ other: 0, KMSKeyID: 1 }, 'KmsKeyId'), { name: 'KMSKeyID', value: 1 })
  assert.equal(propertyNamed({ a: 1 }, 'toString'), undefined)
})
