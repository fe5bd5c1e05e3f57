import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { OwnerReference } from '#kube'
import type { WorkloadIdentityConfig } from '../api/kinds.ts'
import type { SecretObject } from './key-ring.ts'
import { secretTrouble } from './signing-secret.ts'

const config = { metadata: { namespace: 'wlc-a', name: 'default', uid: 'me' } } as WorkloadIdentityConfig
const uidLabel = 'aws.identity.appthrust.io/config-uid'

function secret(more: { readonly owner?: string; readonly label?: string; readonly going?: boolean }): SecretObject {
  const { owner, label, going } = more
  const reference = { apiVersion: 'v1', kind: 'Owner', name: 'o', uid: owner ?? '', controller: true } satisfies OwnerReference
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: {
      namespace: 'wlc-a',
      name: 'awi-signing-key-default',
      uid: 's',
      resourceVersion: '1',
      ...(label === undefined ? {} : { labels: { [uidLabel]: label } }),
      ...(owner === undefined ? {} : { ownerReferences: [reference] }),
      ...(going === true ? { deletionTimestamp: '2026-01-01T00:00:00Z' } : {}),
    },
  }
}

const rows: readonly (readonly [why: string, secret: SecretObject, said: RegExp | undefined])[] = [
  ['one that its user brought is taken over', secret({}), undefined],
  ['our own', secret({ owner: 'me', label: 'me' }), undefined],
  ['our own without its reference', secret({ label: 'me' }), undefined],
  ['our own with a label that somebody changed', secret({ owner: 'me', label: 'other' }), undefined],
  ['one that another object controls [#82]', secret({ owner: 'other' }), /belongs to Owner o; delete it or release it/],
  ['the key of an earlier Config of this name [W5]', secret({ label: 'other' }), /holds the key of an earlier Config/],
  ['one on its way', secret({ owner: 'me', going: true }), /is being deleted; a new key is made when it is gone/],
]

for (const [why, object, said] of rows) {
  test(`signing Secret: ${why}`, () => {
    const found = secretTrouble(object, config)
    if (said === undefined) assert.equal(found, undefined)
    else assert.match(found ?? '', said)
  })
}
