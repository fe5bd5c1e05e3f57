// The field of another object that a reference takes: what is empty there is as good as missing, and is waited for.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { conditions, type Resource } from '../api.ts'
import { kindModel } from '../model/kind-model.ts'
import { shippedService } from '../services/shipped.ts'
import { resolveReferences } from './references.ts'

const { service } = shippedService('iam')
const role = service.kinds['Role']
assert.ok(role !== undefined)
const model = kindModel(service, role)
const metadata = { namespace: 'apps', name: 'x', uid: 'u', resourceVersion: '1', creationTimestamp: '2026-01-01T00:00:00Z' }
const claim = { metadata, spec: { policyRefs: [{ from: { name: 'read' } }] } } as unknown as Resource

function resolvedWith(arn: unknown) {
  const synced = { type: conditions.synced, status: 'True' }
  const policy = { metadata, status: { ackResourceMetadata: { arn }, conditions: [synced] } } as unknown as Resource
  return resolveReferences(model, claim, { find: () => policy, crossNamespace: false })
}

for (const [what, arn] of [
  ['missing', undefined],
  ['null', null],
  ['an empty text', ''],
] as const)
  test(`a field that is ${what} is waited for`, () => {
    const found = resolvedWith(arn)
    assert.ok(found.kind === 'unresolved')
    assert.equal(found.how, 'wait')
    assert.match(found.message, /is missing the target field/)
  })

test('a field with a value is what the manifest gets', () => {
  const found = resolvedWith('arn:aws:iam::111122223333:policy/read')
  assert.ok(found.kind === 'resolved')
  assert.deepEqual(found.spec['policies'], ['arn:aws:iam::111122223333:policy/read'])
})
