import assert from 'node:assert/strict'
import { test } from 'node:test'
import { needsNoLease } from './harmless.ts'

test('events and questions for a token need no lease, and every other write does [S7]', () => {
  const accounts = '/api/v1/namespaces/aws-pod-identity-webhook/serviceaccounts'
  for (const target of [
    '/api/v1/namespaces/a/events',
    `${accounts}/pod-identity-webhook/token`,
    `${accounts}/pod-identity-webhook/token?timeout=5s`,
  ])
    assert.equal(needsNoLease(target), true, target)
  for (const target of [accounts, `${accounts}/token`, `${accounts}/pod-identity-webhook`, '/api/v1/namespaces/a/secrets/token'])
    assert.equal(needsNoLease(target), false, target)
})
