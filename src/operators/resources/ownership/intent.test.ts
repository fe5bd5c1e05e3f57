import assert from 'node:assert/strict'
import { test } from 'node:test'
import { annotations, type Resource } from '../api.ts'
import { isOwnToken, tokenOf } from './intent.ts'

function claim(uid: string, generation: number, intent?: string): Resource {
  const notes = intent === undefined ? {} : { [annotations.createIntent]: intent }
  const metadata = { namespace: 'apps', name: 'one', uid, resourceVersion: '1', generation, annotations: notes }
  return { apiVersion: 'acm.services.k8s.aws/v1alpha1', kind: 'Certificate', metadata } as unknown as Resource
}

const note = (token: string): string => `${token} 2026-01-01T00:00:00Z`

test('the token of one creation stays the same while its manifest changes', () => {
  const token = tokenOf({ claim: claim('a', 1) })
  assert.equal(tokenOf({ claim: claim('a', 7, note(token)) }), token)
})

test('the token of another object, in an annotation that anybody can write, is not used', () => {
  const stolen = tokenOf({ claim: claim('victim', 1) })
  const thief = claim('thief', 1, note(stolen))
  assert.equal(isOwnToken(thief, stolen), false)
  assert.equal(tokenOf({ claim: thief }), tokenOf({ claim: claim('thief', 1) }))
})
