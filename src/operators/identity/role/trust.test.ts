// Whether a trust policy can be rendered, and what is said where it cannot (§3.8, 4.3 step 6).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { WorkloadIdentityConfig } from '../api/kinds.ts'
import type { ClusterProperties } from '../inventory/properties.ts'
import { account, config, eksProperties } from './role-seen.fixture.ts'
import { renderTrust } from './trust.ts'

const serviceAccount = { namespace: 'apps', name: 'app1' }
const eks = config('EKSPodIdentity')
const arn = `arn:aws:eks:eu-west-1:${account}:cluster/prod`

function refusal(of: WorkloadIdentityConfig, properties: ClusterProperties = eksProperties): string | undefined {
  const trust = renderTrust({ delivery: of.spec.type, config: of, properties, serviceAccount })
  return trust.ok ? undefined : trust.message
}

test('an issuer is trusted once both it and its provider are known, and not before [#123]', () => {
  const { status } = config()
  const without = (name: 'issuerHostPath' | 'oidcProviderARN'): string | undefined =>
    refusal({ ...config(), status: { ...status, [name]: '' } })
  assert.equal(refusal(config()), undefined)
  for (const name of ['issuerHostPath', 'oidcProviderARN'] as const)
    assert.match(without(name) ?? '', /^there is no issuer with an OIDC provider yet: /)
})

const named = (name: string): string => `aws.identity.appthrust.io/${name}`
for (const [what, change, said] of [
  ['names its cluster in full', {}, undefined],
  ['does not name its cluster', { eksClusterName: undefined }, `the ClusterProfile does not say ${named('eks-cluster-name')}`],
  ['does not say its ARN', { eksClusterArn: undefined }, `the ClusterProfile does not say ${named('eks-cluster-arn')}`],
  ['does not name the account', { accountId: undefined }, `the ClusterProfile does not say ${named('aws-account-id')}`],
  [
    'says none of them',
    { eksClusterName: undefined, eksClusterArn: undefined, accountId: undefined },
    `the ClusterProfile does not say ${named('eks-cluster-name')}, ${named('eks-cluster-arn')}, ${named('aws-account-id')}`,
  ],
  ['has the ARN of another cluster', { eksClusterName: 'other' }, `${arn} is not that of cluster other in account ${account}`],
  ['has the ARN of another account', { accountId: '999999999999' }, `${arn} is not that of cluster prod in account 999999999999`],
  [
    'has an ARN that is none of a cluster',
    { eksClusterArn: 'arn:aws:s3:::prod' },
    `arn:aws:s3:::prod is not that of cluster prod`,
  ],
] as const)
  test(`a profile that ${what} is ${said === undefined ? 'trusted' : 'told as such'} [#124, S11]`, () => {
    const found = refusal(eks, { ...eksProperties, ...change } as ClusterProperties)
    if (said === undefined) assert.equal(found, undefined)
    else assert.ok(found?.includes(said), found)
  })
