import assert from 'node:assert/strict'
import { test } from 'node:test'
import { targetData } from './target-data.ts'

for (const [what, source, flaw] of [
  ['has a service account', { 'service_account.json': new Uint8Array([1]) }, undefined],
  ['has an empty one', { 'service_account.json': new Uint8Array() }, 'the secret of the platform has no service account'],
  ['has none', {}, 'the secret of the platform has no service account'],
] as const)
  test(`the secret of a platform on GCP that ${what} ${flaw === undefined ? 'is good' : 'is told'}`, () => {
    const found = targetData({ provider: { type: 'GCP' } } as never, source as never, true)
    assert.equal('flaw' in found ? found.flaw : undefined, flaw)
  })

const bytes = (text: string): Uint8Array => Buffer.from(text)
const keys = { aws_access_key_id: bytes('a'), aws_secret_access_key: bytes('b') }
const [noKeys, lacks] = ['the secret of the platform has no usable keys', 'the secret of the platform lacks']
const azure = Object.fromEntries(
  ['client_id', 'client_secret', 'resourcegroup', 'subscription_id', 'tenant_id'].map(name => [
    `azure_${name}`,
    bytes(`<${name}>`),
  ]),
)

for (const [what, type, source, flaw] of [
  ['with keys, on AWS', 'AWS', keys, undefined],
  ['with a file, on AWS', 'AWS', { credentials: bytes('c') }, undefined],
  ['with an id alone, on AWS', 'AWS', { aws_access_key_id: bytes('a') }, noKeys],
  ['with a key alone, on AWS', 'AWS', { aws_secret_access_key: bytes('b') }, noKeys],
  ['with an empty file, on AWS', 'AWS', { credentials: bytes('') }, noKeys],
  ['with all fields, on Azure', 'Azure', azure, undefined],
  ['without a tenant, on Azure', 'Azure', { ...azure, azure_tenant_id: bytes('') }, `${lacks} azure_tenant_id`],
  ['with nothing, on Azure', 'Azure', {}, `${lacks} ${Object.keys(azure).join(', ')}`],
] as const)
  test(`the secret of a platform ${what} is ${flaw === undefined ? 'good' : 'told'}`, () => {
    const found = targetData({ provider: { type } } as never, source as never, true)
    assert.equal('flaw' in found ? found.flaw : undefined, flaw)
  })

test('the file of Azure is written byte by byte as a Go program writes it, a mark of byte order and all', () => {
  const found = targetData({ provider: { type: 'Azure' } } as never, { ...azure, azure_client_id: bytes('\ufeff&\u2028') }, true)
  assert.ok('data' in found)
  assert.equal(
    Buffer.from(found.data['azure.json'] ?? []).toString(),
    '{"aadClientId":"\ufeff\\u0026\\u2028","aadClientSecret":"\\u003cclient_secret\\u003e","resourceGroup":"\\u003cresourcegroup\\u003e","subscriptionId":"\\u003csubscription_id\\u003e","tenantId":"\\u003ctenant_id\\u003e"}',
  )
})
