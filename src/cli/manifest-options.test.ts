import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readName, readNamespace, readReplicas } from './manifest-options.ts'

test('a name that an API server would refuse in what is made of it is refused before anything is printed', () => {
  for (const good of ['vouch', 'a', 'x'.repeat(55)]) assert.equal(readName(good), good)
  for (const wrong of ['', 'Vouch', '1vouch', 'a.b', 'a_b', '-a', 'x'.repeat(56), '../x'])
    assert.throws(() => readName(wrong), wrong)
})

test('a namespace is a label, and replicas are a number', () => {
  for (const good of ['vouch-system', '1', 'x'.repeat(63)]) assert.equal(readNamespace(good), good)
  for (const wrong of ['', 'A', 'a.b', 'a/b', 'x'.repeat(64)]) assert.throws(() => readNamespace(wrong), wrong)
  assert.equal(readReplicas('3'), 3)
  for (const wrong of ['0', '1.5', 'two', '101', '-1']) assert.throws(() => readReplicas(wrong), wrong)
})
