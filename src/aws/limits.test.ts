// Quotas as AWS documents them (IAM and STS quotas; Service Quotas of each service): what we refuse before writing must be what AWS refuses.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { callRates, type LimitName, limits, policyCharacters } from './limits.ts'

const documented: Readonly<Record<LimitName, number>> = {
  'iam/roles': 1_000,
  'iam/policies': 1_500,
  'iam/oidc-providers': 100,
  'iam/instance-profiles': 1_000,
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
  's3/buckets': 10_000,
  's3/bucket-policy-bytes': 20_480,
  's3/bucket-name-characters': 63,
  'eks/clusters': 100,
  'eks/pod-identity-associations': 5_000,
  'eks/tags': 50,
  'acm/tags': 50,
  'acm/certificates': 2_500,
  'acm/certificates-per-year': 5_000,
  'acm/names-per-certificate': 10,
  'route53/hosted-zones': 500,
  'route53/records-per-zone': 10_000,
  'route53/tags': 50,
  'route53/changes-per-batch': 1_000,
  'route53/value-characters-per-batch': 32_000,
  'sts/session-policy-characters': 2_048,
  'sts/web-identity-token-characters': 20_000,
}

for (const [name, value] of Object.entries(documented))
  test(`a limit is what AWS documents: ${name} is ${value}`, () => assert.equal(limits[name as LimitName]?.value, value))

/** Route 53 documents five calls a second for an account; the others are what we take of limits that AWS states only in part. */
const paces: typeof callRates = {
  acm: { perSecond: 5, burst: 5 },
  eks: { perSecond: 5, burst: 10 },
  iam: { perSecond: 15, burst: 30, writes: { perSecond: 5, burst: 10 } },
  route53: { perSecond: 5, burst: 5 },
  s3: { perSecond: 100, burst: 200 },
  sts: { perSecond: 100, burst: 200 },
}

test('the pace after a first throttle is the one that was chosen for the service', () => assert.deepEqual(callRates, paces))

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
