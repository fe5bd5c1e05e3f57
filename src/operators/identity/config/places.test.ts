// Where what belongs to a Config stands. The names are a contract: what was made is found by them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ConfigSpec } from '../api.ts'
import { bucketName } from '../names.ts'
import { configOf, operatorConfig } from '../testing/config-seen.fixture.ts'
import { bucketOf, bucketPlace, issuerUrlOf, providerPlace, runtimeNamespaceOf } from './places.ts'

const salted = bucketName('wlc-a', 'us-east-1', 'salt')
const onRecord = configOf({ status: { selfHostedIssuer: { bucketName: 'recorded' } } })
const eks = (management: 'Managed' | 'External', issuerURL = 'https://oidc.eks.us-east-1.amazonaws.com/id/X') =>
  configOf({ spec: { type: 'EKSIRSA', region: 'us-east-1', eksIRSA: { issuerURL, oidcProvider: { management } } } as ConfigSpec })

test('the name of a bucket on record stays, whatever the salt is now', () => {
  assert.deepEqual([bucketOf(configOf(), 'salt'), bucketOf(onRecord, 'salt')], [salted, 'recorded'])
  assert.equal(issuerUrlOf(onRecord, 'salt'), 'https://recorded.s3.us-east-1.amazonaws.com')
  assert.equal(issuerUrlOf(configOf(), 'salt'), `https://${salted}.s3.us-east-1.amazonaws.com`)
})

test('a bucket is in the region of its Config, and its object beside it', () => {
  const { key, region } = bucketPlace(configOf(), 'b')
  assert.deepEqual([key, region], [{ namespace: 'wlc-a', name: 'b' }, 'us-east-1'])
})

for (const [what, config, identity] of [
  ['the issuer in its bucket', onRecord, 'https://recorded.s3.us-east-1.amazonaws.com'],
  ['the issuer that EKS has', eks('Managed'), 'https://oidc.eks.us-east-1.amazonaws.com/id/X'],
  ['no issuer where another hand manages it', eks('External'), undefined],
  ['no issuer where its URL cannot be read', eks('Managed', 'http://x'), undefined],
  ['no issuer where none is named', configOf({ spec: { type: 'EKSIRSA', region: 'us-east-1' } }), undefined],
] as const)
  test(`a provider is that of ${what}`, () => {
    const place = providerPlace(config)
    assert.deepEqual([place.key, place.identity], [{ namespace: 'wlc-a', name: 'awi-oidc-wlc-a' }, identity])
  })

test('the runtime is where it was made, and only else where it is to be made', () => {
  const recorded = configOf({ status: { webhookRuntimeNamespace: 'recorded' } })
  assert.equal(runtimeNamespaceOf(recorded, operatorConfig), 'recorded')
  assert.equal(runtimeNamespaceOf(configOf(), operatorConfig), 'aws-pod-identity-webhook')
  assert.equal(runtimeNamespaceOf(configOf(), undefined), undefined)
})
