import assert from 'node:assert/strict'
import { test } from 'node:test'
import { profileOf } from '../../../fleet/testing/profiles.ts'
import { propertiesOf } from './properties.ts'

test('properties by their exact names and values; the last of one name wins [6.2, 13.6 #139, 13.10 #224]', () => {
  const said = (properties: Readonly<Record<string, string>>) =>
    propertiesOf(profileOf('a', { status: { properties: Object.entries(properties).map(([name, value]) => ({ name, value })) } }))
  const prefix = 'aws.identity.appthrust.io'
  assert.deepEqual(said({}), { eksAutoMode: false })
  assert.deepEqual(
    said({
      [`${prefix}/eks-cluster-name`]: 'prod',
      [`${prefix}/eks-cluster-arn`]: 'arn:aws:eks:us-east-1:123456789012:cluster/prod',
      [`${prefix}/aws-account-id`]: '123456789012',
      [`${prefix}/aws-organization-id`]: 'o-1',
      [`${prefix}/eks-auto-mode`]: 'true',
      [`${prefix}.aws-region`]: 'us-east-1',
    }),
    {
      eksAutoMode: true,
      eksClusterName: 'prod',
      eksClusterArn: 'arn:aws:eks:us-east-1:123456789012:cluster/prod',
      accountId: '123456789012',
      organizationId: 'o-1',
      region: 'us-east-1',
    },
  )
  assert.deepEqual(said({ [`${prefix}/eks-auto-mode`]: 'True', [`${prefix}/aws-region`]: 'us-east-1' }), { eksAutoMode: false })
  assert.deepEqual(said({ [`${prefix}/eks-cluster-name`]: '' }), { eksAutoMode: false })
  for (const [agent, told] of [
    ['ready', { podIdentityAgent: 'ready' }],
    ['missing', { podIdentityAgent: 'missing' }],
    ['Ready', {}],
    ['', {}],
  ] as const)
    assert.deepEqual(said({ [`${prefix}/eks-pod-identity-agent`]: agent }), { eksAutoMode: false, ...told })
  const twice = [
    { name: `${prefix}/eks-cluster-name`, value: 'old' },
    { name: `${prefix}/eks-cluster-name`, value: 'new' },
  ]
  assert.equal(propertiesOf(profileOf('a', { status: { properties: twice } })).eksClusterName, 'new')
})
