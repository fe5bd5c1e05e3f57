import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asAudience, asProviderArn, TrustError } from '#aws'
import { crossAccountTrust, permissionPolicy, podIdentityTrust, webIdentityTrust } from './policies.ts'

test('what a role may do is narrowed to zones that are named, and stays in its partition', () => {
  const [change, read] = permissionPolicy('aws-cn', ['/hostedzone/Z1', 'Z2']).Statement
  assert.deepEqual(change, {
    Effect: 'Allow',
    Action: ['route53:ChangeResourceRecordSets'],
    Resource: ['arn:aws-cn:route53:::hostedzone/Z1', 'arn:aws-cn:route53:::hostedzone/Z2'],
  })
  assert.deepEqual(Reflect.get(read ?? {}, 'Resource'), ['*'])
})

test('whom a role trusts is one identity, and one external id where there is one', () => {
  const principal = 'arn:aws:iam::222222222222:user/dns'
  assert.deepEqual(crossAccountTrust(principal, 'x').Statement, [
    {
      Effect: 'Allow',
      Principal: { AWS: principal },
      Action: 'sts:AssumeRole',
      Condition: { StringEquals: { 'sts:ExternalId': 'x' } },
    },
  ])
  const issuer = 'oidc.example.com/id'
  const provider = asProviderArn(`arn:aws:iam::222222222222:oidc-provider/${issuer}`)
  const audience = asAudience('sts.amazonaws.com')
  const identity = { provider, operandNamespace: 'external-dns', name: 'blue', audience }
  assert.deepEqual(webIdentityTrust(identity).Statement, [
    {
      Effect: 'Allow',
      Principal: { Federated: provider },
      Action: 'sts:AssumeRoleWithWebIdentity',
      Condition: {
        StringEquals: {
          [`${issuer}:sub`]: 'system:serviceaccount:external-dns:external-dns-blue',
          [`${issuer}:aud`]: 'sts.amazonaws.com',
        },
      },
    },
  ])
  for (const wrong of [{ name: 'x*' }, { operandNamespace: '*' }, { name: '' }, { operandNamespace: 'a:b' }])
    assert.throws(() => webIdentityTrust({ ...identity, ...wrong }), TrustError, JSON.stringify(wrong))
  assert.deepEqual(podIdentityTrust().Statement, [
    { Effect: 'Allow', Principal: { Service: 'pods.eks.amazonaws.com' }, Action: ['sts:AssumeRole', 'sts:TagSession'] },
  ])
})
