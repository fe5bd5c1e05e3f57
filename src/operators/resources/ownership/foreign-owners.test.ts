import assert from 'node:assert/strict'
import { test } from 'node:test'
import { labels, ownerLabel } from '../../identity/api.ts'
import type { Resource } from '../api.ts'
import { foreignOwner } from './foreign-owners.ts'

const tags = {
  [labels.bindingUid]: 'uid-of-the-binding',
  [labels.ownerRef]: ownerLabel({ namespace: 'prod', name: 'app' }),
}

function child(namespace: string, name: string, uid: string): Resource {
  const owner = { apiVersion: 'aws.identity.appthrust.io/v1alpha1', kind: 'AWSServiceAccountRole', name, uid, controller: true }
  return { metadata: { namespace, name: 'awi-app', uid: 'u', ownerReferences: [owner] } } as unknown as Resource
}

test('what the identity operator made for a binding is for the child of that binding, in its namespace, and for nobody else', () => {
  assert.equal(foreignOwner(tags, child('prod', 'app', 'uid-of-the-binding')), undefined)
  assert.equal(foreignOwner(tags, child('tenant', 'app', 'uid-of-the-binding')), labels.bindingUid)
  assert.equal(foreignOwner(tags, child('prod', 'app', 'another')), labels.bindingUid)
  assert.equal(
    foreignOwner(tags, { metadata: { namespace: 'prod', name: 'x', uid: 'u' } } as unknown as Resource),
    labels.bindingUid,
  )
  assert.equal(foreignOwner({ team: 'blue' }, child('tenant', 'app', 'x')), undefined)
})
