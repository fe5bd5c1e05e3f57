import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  bucketName,
  iamPolicyName,
  iamRoleName,
  oidcProviderName,
  ownerLabel,
  podIdentityAssociationName,
  safe,
  signingSecretName,
  stableRoleName,
} from './names.ts'

const uid = '204381cb-58f0-47a9-ac3d-0f75cb1d293d'

test('buckets are named as in the table of vectors (42, 43)', () => {
  const rows: readonly (readonly [string, string, string])[] = [
    ['wlc-a', 'ap-northeast-1', 'awi-wlc-a-ap-northeast-1-c7c9fccd48'],
    ['eks-prod', 'us-east-1', 'awi-eks-prod-us-east-1-720b5a8be9'],
    ['a', 'eu-west-1', 'awi-a-eu-west-1-1388f96c57'],
    ['wlc-a', 'cn-north-1', 'awi-wlc-a-cn-north-1-7defa6cbee'],
    [
      'team-blue-cluster-with-a-rather-long-name-000000000000000001',
      'us-gov-east-1',
      'awi-team-blue-cluster-with-a-rather-long-name-000000-54d61b2971',
    ],
    [
      'edge-cluster-0000000000000000000000000000000000000-z',
      'us-west-2',
      'awi-edge-cluster-00000000000000000000000000000000000-ef8f76ff7e',
    ],
  ]
  for (const [namespace, region, name] of rows) {
    assert.equal(bucketName(namespace, region), name)
    assert.ok(name.length <= 63)
    assert.doesNotMatch(name, /--[0-9a-f]{10}$/)
  }
})

test('a cut that falls on a hyphen leaves no hyphen before the hash (43)', () => {
  // 52 characters are kept: the 52nd is the hyphen between namespace and region.
  const name = bucketName('n'.repeat(47), 'us-east-1')
  assert.match(name, /^awi-n{47}-[0-9a-f]{10}$/)
  assert.equal(name.length, 62)
})

test('IAM roles and policies are named as in the table of vectors (46)', () => {
  const rows: readonly (readonly [string, string, string, string | undefined, string])[] = [
    [
      uid,
      'wlc-a',
      'aws-load-balancer-controller',
      'awi-wlc-a-aws-load-balancer-controller-0b889bb93a',
      'awi-pol-wlc-a-aws-load-balancer-controller-7d3fc29305',
    ],
    [uid, 'wlc-a', 'app', 'awi-wlc-a-app-47fe022b0c', 'awi-pol-wlc-a-app-c2946778d8'],
    ['role-uid', 'wlc-a', 'app', 'awi-wlc-a-app-366495dc46', 'awi-pol-wlc-a-app-fc802795bf'],
    [uid, 'wlc-a', 'ebs.csi.driver', 'awi-wlc-a-ebs-csi-driver-4f6c647699', 'awi-pol-wlc-a-ebs-csi-driver-ca776598f2'],
    [
      uid,
      'very-long-workload-cluster-namespace-that-needs-to-fit-in-labels',
      'sts-canary',
      'awi-very-long-workload-cluster-namespace-that-needs-t-7312929570',
      'awi-pol-very-long-workload-cluster-namespace-that-needs-to-fit-in-labels-sts-canary-bc708df95e',
    ],
    [
      uid,
      'eks-prod',
      'x'.repeat(60),
      `awi-eks-prod-${'x'.repeat(40)}-e7841cb1d9`,
      `awi-pol-eks-prod-${'x'.repeat(60)}-f7f7223fce`,
    ],
    [uid, 'w'.repeat(63), 'n'.repeat(100), undefined, `awi-pol-${'w'.repeat(63)}-${'n'.repeat(45)}-577233a9be`],
  ]
  for (const [owner, namespace, name, role, policy] of rows) {
    if (role !== undefined) assert.equal(iamRoleName({ uid: owner, namespace, name }), role)
    assert.equal(iamPolicyName({ uid: owner, namespace, name }), policy)
  }
})

test('names without a hash, and owner labels, are as in the table of vectors (44, 45)', () => {
  assert.equal(oidcProviderName('wlc-a'), 'awi-oidc-wlc-a')
  assert.equal(oidcProviderName('eks-prod'), 'awi-oidc-eks-prod')
  assert.equal(signingSecretName('default'), 'awi-signing-key-default')
  assert.equal(podIdentityAssociationName('aws-load-balancer-controller'), 'awi-pia-aws-load-balancer-controller')
  assert.equal(podIdentityAssociationName('ebs.csi.driver'), 'awi-pia-ebs-csi-driver')
  const rows: readonly (readonly [string, string, string])[] = [
    ['wlc-a', 'default', 'wlc-a-default-d861c72129'],
    ['kube-system', 'aws-load-balancer-controller', 'kube-system-aws-load-balancer-controller-ff861bbd0e'],
    ['default', 'app', 'default-app-a1989cdf73'],
    ['wlc-20260428081433', 'default', 'wlc-20260428081433-default-7603e10c6b'],
    ['external-dns', 'external.dns', 'external-dns-external-dns-596c8f00eb'],
    [
      'very-long-application-namespace-that-needs-to-fit-in-labels',
      'very-long-service-account-name-that-needs-to-fit-in-labels',
      'very-long-application-namespace-that-needs-to-fit-in-4f5c0c3c63',
    ],
  ]
  for (const [namespace, name, label] of rows) {
    assert.equal(ownerLabel({ namespace, name }), label)
    assert.match(label, /^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$/)
  }
})

test('a part of unsafe characters becomes x, dots become hyphens, hyphen runs stay (44)', () => {
  assert.equal(safe('...'), 'x')
  assert.equal(safe(''), 'x')
  assert.equal(safe('--'), 'x')
  assert.equal(safe('A.b_C'), 'a-b-c')
  assert.equal(safe('a--b'), 'a--b')
  assert.equal(safe('.a.'), 'a')
})

test('a Role made again has other IAM names, a Config made again the same bucket (46)', () => {
  const role = { namespace: 'wlc-a', name: 'app' }
  assert.notEqual(iamRoleName({ ...role, uid: 'one' }), iamRoleName({ ...role, uid: 'two' }))
  assert.notEqual(iamPolicyName({ ...role, uid: 'one' }), iamPolicyName({ ...role, uid: 'two' }))
})

test('a stable role name rests on cluster, namespace and ServiceAccount, within 64 characters, and keeps apart what folds into one', () => {
  const account = { namespace: 'apps', name: 'reader' }
  assert.match(stableRoleName('wlc-a', account), /^awi-wlc-a-apps-reader-[0-9a-f]{10}$/)
  assert.notEqual(stableRoleName('wlc-a', account), iamRoleName({ uid, namespace: 'wlc-a', name: 'apps-reader' }))
  const long = stableRoleName('c'.repeat(63), { namespace: 'n'.repeat(63), name: 's'.repeat(253) })
  assert.match(long, /^awi-c+-[0-9a-f]{10}$/)
  assert.equal(long.length, 64)
  const folded = ['a.b', 'a-b', 'a_b'].map(name => stableRoleName('wlc-a', { namespace: 'apps', name }))
  const moved = [stableRoleName('a-b', { namespace: 'c', name: 'd' }), stableRoleName('a', { namespace: 'b-c', name: 'd' })]
  assert.equal(new Set([...folded, ...moved]).size, 5)
})
