// Quotas as AWS documents them (IAM and STS quotas; Service Quotas of each service): what we refuse before writing must be what AWS refuses.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { callRates, type LimitName, limits, policyCharacters } from './limits.ts'

const documented: Readonly<Partial<Record<LimitName, number>>> = {
  'iam/attached-policies': 10,
  'iam/trust-policy-characters': 2_048,
  'iam/managed-policy-characters': 6_144,
  'iam/inline-policy-characters': 10_240,
  'iam/policy-versions': 5,
  'iam/client-ids': 100,
  'iam/thumbprints': 5,
  'iam/users': 5_000,
  'iam/groups': 300,
  'iam/user-inline-policy-characters': 2_048,
  'iam/group-inline-policy-characters': 5_120,
  'iam/tags': 50,
  'iam/role-name-characters': 64,
  's3/bucket-policy-bytes': 20_480,
  's3/bucket-name-characters': 63,
}

for (const [name, value] of Object.entries(documented))
  test(`a limit is what AWS documents: ${name} is ${value}`, () => assert.equal(limits[name as LimitName]?.value, value))

test('no service is called faster in a row than it is for long, and writes never faster than reads', () => {
  for (const [service, { perSecond, burst, writes }] of Object.entries(callRates)) {
    assert.ok(perSecond > 0 && burst >= perSecond, service)
    if (writes !== undefined) assert.ok(writes.perSecond <= perSecond && writes.burst <= burst, service)
  }
})

test('white space counts within the texts of a policy, and not between them', () => {
  assert.equal(policyCharacters('{\n  "a b" : [ 1, 2 ]\t}'), '{"a b":[1,2]}'.length)
  assert.equal(policyCharacters('"a \\" b" '), '"a \\" b"'.length)
})
