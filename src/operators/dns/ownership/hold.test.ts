import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StoredObject } from '#kube'
import { holdOn } from './hold.ts'

const dns = { kind: 'ExternalDNS', metadata: { name: 'blue', uid: 'now' } } as StoredObject
const owner = (kind: string, name: string, uid: string, controller = true): object => ({
  apiVersion: 'v1',
  kind,
  name,
  uid,
  controller,
})

for (const [what, owners, hold] of [
  ['that nobody owns', [], 'free'],
  ['that somebody owns and nobody controls', [owner('ExternalDNS', 'blue', 'now', false)], 'free'],
  ['of this very object', [owner('ExternalDNS', 'blue', 'now')], 'ours'],
  ['of an object of this name that is gone', [owner('ExternalDNS', 'blue', 'before')], 'former'],
  ['of another object', [owner('ExternalDNS', 'red', 'before')], 'foreign'],
  ['of something else of this name', [owner('Widget', 'blue', 'before')], 'foreign'],
] as const)
  test(`an object ${what} is ${hold}`, () =>
    assert.equal(holdOn({ metadata: { ownerReferences: owners } } as unknown as StoredObject, dns), hold))
