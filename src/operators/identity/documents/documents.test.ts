import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { test } from 'node:test'
import { AwsError, tryParseEksClusterArn } from '#aws'
import { ownerLabel } from '../names.ts'
import { boundBytes, conditionText } from './condition-text.ts'
import { checkExternalProvider, issuerUrl, normalizeIssuerUrl, selfHostedHostPath } from './issuer.ts'
import { configLabels, roleLabels } from './owner-labels.ts'
import { renderBucketPolicy, renderPodIdentityTrust, renderWebIdentityTrust } from './policies.ts'
import { objectMetadata, publishedObject, renderDocumentSet, setDigest } from './publication.ts'
import { keyPairOf, parsePublicKey } from './signing-key.ts'
import { renderUserPolicy } from './user-policy.ts'

/** The example key of RFC 7517, appendix A.1. */
const examplePem = `-----BEGIN PUBLIC KEY-----
MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEA0vx7agoebGcQSuuPiLJX
ZptN9nndrQmbXEps2aiAFbWhM78LhWx4cbbfAAtVT86zwu1RK7aPFFxuhDR1L6tS
oc/BJECPebWKRXjBZCiFV4n3oknjhMstn64tZ/2W+5JsGY4Hc5n9yBXArwl93lqt
7/RN5w6Cf0h4QyQ5v+65YGjQR0/FDW2QvzqY368QQMicAtaSqzs8KJZgnYb9c7d0
zgdAZHzu6qMQvRL5hajrn1n91CbOpbISD08qNLyrdkt+bFTWhAI4vMQFh6WeZu0f
M4lFd2NcRwr3XPksINHaQ+G/xBniIqbw0Ls1jF44+csFCur+kEgU8awapJzKnqDK
gwIDAQAB
-----END PUBLIC KEY-----
`
/** A key of nobody's, in PKCS#8. */
const testPrivateKey = `-----BEGIN PRIVATE KEY-----
MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQCj9JGWDZcbTo/c
YYBz22PWVBQhvzsasgivxCKXYvGFR5RSw5mfICJsljvlzg5PUKG/nf8A0NpHQ7Lm
ABXLJ1/sP932PlsttgDx2CmPeXpEie0cYL2Jw+i6F9B72LJcAt7B6ENTWmCu+BwC
QMshBomdROrVrxFHb2nBAvkl0FCA/kOi4trw9laIhJtktLiG/9KWWJuxUO0SfTBj
Fi68sADWRRMcDsAHm9tttP4xpTFttwxufCHqIAPb0cZW4zn3ruSqzUMp0PVQIY3p
pCcjLrC60N4wUw+HjiMmsEE37sJP0fBPVmK0ZfGOAc+d7NmwkP6SckWlHU3H0mob
eSoXByUzAgMBAAECggEAQ8pYNeRZobtKhVM1MvI35gMurcNtczzAlbgxm0mYVkTB
4bSpfJ9jTGWTz5Fy3j2XG2z+5n30ernVqv7HBBA8O6kuo+WlepGB830utfmC4frr
dKvVQrSjseot1D9FhADVzPQ1fi3kwwOoRRA4TOfwl3vK41529QPuhJUvogBvgN23
NQa2TF4gLcoJcbHUaxNx3YE1kNVxxszerjejMgoUteoZryrcZE3XtMmAiG7mD3TY
JXoT8swjzAAqtS2l8tXod/QcV19DI2lrW0+rCIRM6dTtEawSfUQW7vqJCdDrBM+x
ePKKjrqMPZE1/WkKEwSwB68KZdJ1YtRwspMm9Bq8lQKBgQDY3wTineDRwun/XMY0
uzj/shoUzkAMlYLFtwXsTZuir48FJiDRTupvIZOJ9C0JBsqy+cYkH1iAaE+usJUS
vLV1wV8hqQ7h9c6TlRBy2sTShL5PWgQXJ870KNpSNnXGHHVstWvJz8ejEvzKVshE
eGi6mxoB3LtrQNQtMVr+jnzPNQKBgQDBiXDLDoZ2Ik3e/eHAGD6ztNAjc/qeLMEm
0zXcYIcreIqSdRrOk0KoRJ4471SyezxpANPQDJRU3DV9vUS6cbCr5o61E2FYCwDl
h6KQ//tvBh+4FVqo6LWRqMDEQgDUlLgeJjztH4plgxtlavn66jzXZfVm7Guy30CG
bwxmN80nxwKBgDHZUW4li/+rJc4krQqB3mAnuAcAQYii9SQtJZdjX1rNr7onQXPb
B9fzh8416gQhI4ZwEzNKYTVixK4KuLlN1wfyIsPB8EHQFmOl59n+ny8kg/oJXtdT
tyY4Hba3/epDsFoEeXox4FmDi8eWmwHiC3CZJik3a30DscGRjrDkX5vhAoGAVywf
6OZG/EjhSFKUb2C8RVdo9L8VoE9KRMGXngbAe30U9XjXtToxKPeXSM/MF4RYpncf
8LLp0PtLALLSlSQGTrdPihILo4t5QOmB+MvEJbLdcJ31suT2e4BGK2ALXbUK5VGV
2bx+KtEN8vVnWXROKTsceNp+fBgAyUyViikSOBsCgYEApwa0UI9YOFXUxA0BOIAd
AmvGOltPFphbrrHxjFmZfy+9JPH5HqEUCqQ9g38i04/ylJAzj5L9ZssSHsrebpRD
Hg4O10D2KtMHLB4adO0NWKXBfGf2FwQJNIW7+0SNpjdjj29a/azr7x0H6rHjKLXA
VPuuxDYbYCXxx+shYde4Dh8=
-----END PRIVATE KEY-----
`
const issuer = 'https://awi-wlc-a-ap-northeast-1-c7c9fccd48.s3.ap-northeast-1.amazonaws.com'

function exampleKey(): NonNullable<ReturnType<typeof parsePublicKey>> {
  const key = parsePublicKey(examplePem)
  assert.ok(key)
  return key
}

function exampleSet(): NonNullable<ReturnType<typeof renderDocumentSet>> {
  const set = renderDocumentSet(issuer, [exampleKey()])
  assert.ok(set)
  return set
}

test('documents and digests are those of the test vector', () => {
  const key = exampleKey()
  assert.equal(key.keyId, 'rTIyDPbFltiEsFOBulc6uo3dV0m03o9KI6efmondrrI')
  assert.equal(key.exponent, 'AQAB')
  assert.ok(key.modulus.startsWith('0vx7agoebGcQ') && key.modulus.endsWith('zKnqDKgw'))
  const set = exampleSet()
  assert.deepEqual(
    set.objects.map(({ key: name, body, digest }) => [name, Buffer.byteLength(body), digest]),
    [
      ['.well-known/openid-configuration', 314, 'sha256:356d0707389621fce036f30b3b5b20d78097be5dbdd0e403e5af06dc7eda4597'],
      ['keys.json', 462, 'sha256:03554f05b8f4f672a001ec7d82980dee2c6e27f76affc359b39be1e3a0dd4f3e'],
    ],
  )
  assert.equal(set.digest, 'sha256:0a08bf73a6dac9663821e5d669320206c631369d32715a5bcd60503fc63d0d8e')
  assert.deepEqual(objectMetadata(set.objects[1] as (typeof set.objects)[number], set), {
    'awio-publication-format': 'self-hosted-oidc/v1',
    'awio-object-digest': 'sha256:03554f05b8f4f672a001ec7d82980dee2c6e27f76affc359b39be1e3a0dd4f3e',
    'awio-object-set-digest': 'sha256:0a08bf73a6dac9663821e5d669320206c631369d32715a5bcd60503fc63d0d8e',
  })
})

test('a trailing slash of the issuer changes nothing (47)', () => {
  assert.deepEqual(renderDocumentSet(`${issuer}/`, [exampleKey()]), exampleSet())
  assert.deepEqual(renderDocumentSet(`${issuer}//`, [exampleKey()]), exampleSet())
})

test('each input of the documents changes the set digest, and their order does not (48, 49)', () => {
  const set = exampleSet()
  const [first, second] = set.objects
  assert.ok(first && second)
  const digests = [
    set.digest,
    renderDocumentSet(`${issuer}x`, [exampleKey()])?.digest,
    renderDocumentSet(issuer, [{ ...exampleKey(), keyId: 'other' }])?.digest,
    setDigest([first, { ...second, body: '{}' }]),
    setDigest([first, { ...second, contentType: 'text/plain' }]),
    setDigest([first, { ...second, key: 'other.json' }]),
  ]
  assert.equal(new Set(digests).size, digests.length)
  assert.equal(setDigest([second, first]), set.digest)
})

test('a key set of two keys lists both', () => {
  const other = { keyId: 'other', modulus: 'AQ', exponent: 'AQAB' }
  const set = renderDocumentSet(issuer, [exampleKey(), other])
  assert.deepEqual(renderDocumentSet(issuer, [other, exampleKey()]), set, 'which of them signs is no news')
  const keys = (JSON.parse(set?.objects[1]?.body ?? '') as { readonly keys: readonly { readonly kid: string }[] }).keys
  assert.deepEqual(
    keys.map(({ kid }) => kid),
    ['other', 'rTIyDPbFltiEsFOBulc6uo3dV0m03o9KI6efmondrrI'],
  )
  assert.equal(set?.objects[0]?.digest, exampleSet().objects[0]?.digest)
})

test('nothing is rendered without an issuer, a key or a key id', () => {
  assert.equal(renderDocumentSet('', [exampleKey()]), undefined)
  assert.equal(renderDocumentSet('https://x', []), undefined)
  assert.equal(renderDocumentSet('https://x', [{ ...exampleKey(), keyId: '' }]), undefined)
  assert.equal(renderDocumentSet('https://x', [exampleKey(), { ...exampleKey(), keyId: '' }]), undefined)
})

test('an object counts its length in bytes, not in characters', () => {
  assert.notEqual(publishedObject('a', 'ä').digest, publishedObject('a', 'a').digest)
  assert.equal(
    publishedObject('a', 'ä').digest,
    // printf 'format:self-hosted-oidc/v1\nkey:a\ncontent-type:application/json\nlength:2\nä\n' | sha256sum
    'sha256:c3a145d401b4be38a5cfc94cae910bea2f5c289e818e2aacf9df4db6a52aaf3a',
  )
})

test('the key id of a generated pair is the one of its public half, and 32 bytes long (50)', () => {
  const pair = keyPairOf(testPrivateKey)
  assert.equal(parsePublicKey(pair.publicPem)?.keyId, pair.keyId)
  assert.equal(Buffer.from(pair.keyId, 'base64url').length, 32)
  assert.equal(pair.keyId.length, 43)
  assert.match(pair.privatePem, /^-----BEGIN RSA PRIVATE KEY-----\n/)
  assert.match(pair.publicPem, /^-----BEGIN PUBLIC KEY-----\n[\s\S]*-----END PUBLIC KEY-----\n$/)
})

test('what is no RSA key in PKIX form is no public key; the label of the block is not looked at', () => {
  assert.equal(parsePublicKey(''), undefined)
  assert.equal(parsePublicKey('garbage'), undefined)
  assert.equal(parsePublicKey('-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----\n'), undefined)
  // An elliptic curve key.
  assert.equal(
    parsePublicKey(
      '-----BEGIN PUBLIC KEY-----\nMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEEVs/o5+uQbTjL3chynL4wXgUg2R9\nq9UU8I5mEovUf86QZ7kOBIjJwqnzD1omageEHWwHdBO6B+dFabmdT9POxg==\n-----END PUBLIC KEY-----\n',
    ),
    undefined,
  )
  // RSA by name only: such a key signs PS256, and the key set says RS256.
  const pss = generateKeyPairSync('rsa-pss', { modulusLength: 2048 }).publicKey.export({ type: 'spki', format: 'pem' })
  assert.equal(parsePublicKey(pss.toString()), undefined)
  assert.equal(parsePublicKey(examplePem.replaceAll('PUBLIC KEY', 'SOME THING'))?.keyId, exampleKey().keyId)
})

test('a web identity policy names the issuer with its path, one audience, one subject (56)', () => {
  assert.deepEqual(
    renderWebIdentityTrust({
      issuerHostPath: 'oidc.eks.us-east-1.amazonaws.com/id/X',
      oidcProviderArn: 'arn:aws:iam::123456789012:oidc-provider/oidc.eks.us-east-1.amazonaws.com/id/X',
      serviceAccount: { namespace: 'default', name: 'app' },
    }),
    {
      ok: true,
      text: '{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Principal":{"Federated":"arn:aws:iam::123456789012:oidc-provider/oidc.eks.us-east-1.amazonaws.com/id/X"},"Action":"sts:AssumeRoleWithWebIdentity","Condition":{"StringEquals":{"oidc.eks.us-east-1.amazonaws.com/id/X:aud":"sts.amazonaws.com","oidc.eks.us-east-1.amazonaws.com/id/X:sub":"system:serviceaccount:default:app"}}}]}',
    },
  )
})

test('the provider of another issuer is refused', () => {
  const trust = renderWebIdentityTrust({
    issuerHostPath: 'a.example.com',
    oidcProviderArn: 'arn:aws:iam::123456789012:oidc-provider/b.example.com',
    serviceAccount: { namespace: 'default', name: 'app' },
  })
  assert.equal(trust.ok, false)
})

test('a Pod Identity policy names the organisation only where there is one (55)', () => {
  const input = {
    clusterArn: tryParseEksClusterArn('arn:aws:eks:us-east-1:123456789012:cluster/prod')?.arn ?? assert.fail(),
    serviceAccount: { namespace: 'default', name: 'app' },
  }
  const without =
    '{"Version":"2012-10-17","Statement":[{"Sid":"AllowEksAuthToAssumeRoleForPodIdentity","Effect":"Allow","Principal":{"Service":"pods.eks.amazonaws.com"},"Action":["sts:AssumeRole","sts:TagSession"],"Condition":{"StringEquals":{"aws:RequestTag/eks-cluster-arn":"arn:aws:eks:us-east-1:123456789012:cluster/prod","aws:RequestTag/kubernetes-namespace":"default","aws:RequestTag/kubernetes-service-account":"app"}}}]}'
  assert.deepEqual(renderPodIdentityTrust(input), { ok: true, text: without })
  assert.deepEqual(renderPodIdentityTrust({ ...input, organizationId: '' }), { ok: true, text: without })
  assert.deepEqual(renderPodIdentityTrust({ ...input, organizationId: 'o-abc' }), {
    ok: true,
    text: without.replace('"app"}', '"app","aws:SourceOrgId":"o-abc"}'),
  })
})

test('the bucket policy opens the two documents, in the partition of the region', () => {
  assert.equal(
    renderBucketPolicy('b', 'us-east-1'),
    '{"Version":"2012-10-17","Statement":[{"Sid":"PublicReadOIDCDiscoveryOnly","Effect":"Allow","Principal":"*","Action":"s3:GetObject","Resource":["arn:aws:s3:::b/.well-known/openid-configuration","arn:aws:s3:::b/keys.json"]}]}',
  )
  assert.match(renderBucketPolicy('b', 'cn-north-1'), /arn:aws-cn:s3:::b\/keys\.json/)
})

test('the host of an issuer has the DNS suffix of the partition', () => {
  assert.equal(selfHostedHostPath('b', 'ap-northeast-1'), 'b.s3.ap-northeast-1.amazonaws.com')
  assert.equal(selfHostedHostPath('b', 'us-gov-east-1'), 'b.s3.us-gov-east-1.amazonaws.com')
  assert.equal(selfHostedHostPath('b', 'cn-north-1'), 'b.s3.cn-north-1.amazonaws.com.cn')
  assert.equal(issuerUrl('b'), 'https://b')
  assert.equal(issuerUrl(''), '')
})

test('issuer URLs are taken apart, and refused where two could mean the same', () => {
  const good: readonly (readonly [string, string])[] = [
    ['https://oidc.eks.ap-northeast-1.amazonaws.com/id/EXAMPLE', 'oidc.eks.ap-northeast-1.amazonaws.com/id/EXAMPLE'],
    ['https://issuer.example.com', 'issuer.example.com'],
    ['https://issuer.example.com:8443/a', 'issuer.example.com:8443/a'],
  ]
  for (const [url, hostPath] of good) assert.deepEqual(normalizeIssuerUrl(url), { ok: true, hostPath }, url)
  const bad = [
    'http://issuer.example.com',
    'https://issuer.example.com/',
    'https://issuer.example.com/a/',
    'https://issuer.example.com/a?x=y',
    'https://issuer.example.com/a#fragment',
    'https://user@issuer.example.com/a',
    'https://issuer.example.com/a\tb',
    'https://issuer.example.com/a b',
    'https://issuer.example.com/a\nb',
    'https://issuer.example.com/a/../b',
    'https://issuer.example.com/a\\b',
    'https://ISSUER.example.com/a',
    'https://issuer.example.com/.',
    'https://issuer.example.com:443x/a',
    'https://[issuer/a',
    'https://issuer.example.com/https://x',
    'https://',
    '',
  ]
  for (const url of bad) assert.equal(normalizeIssuerUrl(url).ok, false, JSON.stringify(url))
})

test('an external provider must be that of the issuer, to the byte', () => {
  const hostPath = 'oidc.eks.us-east-1.amazonaws.com/id/X'
  const arn = `arn:aws:iam::123456789012:oidc-provider/${hostPath}`
  assert.equal(checkExternalProvider(arn, hostPath), undefined)
  assert.equal(checkExternalProvider(arn.replace(':aws:', ':aws-cn:'), hostPath), undefined)
  const bad = [
    'arn:aws:iam::123456789012:role/app',
    `arn:aws:iam:us-east-1:123456789012:oidc-provider/${hostPath}`,
    `arn:aws:iam::12345678901x:oidc-provider/${hostPath}`,
    `arn:aws:iam::123456789012:oidc-provider/https://${hostPath}`,
    `${arn}?x`,
    `${arn}#x`,
    `${arn}\t`,
    `${arn}/`,
    `${arn}Y`,
    arn.replace('oidc.eks', 'user@oidc.eks'),
    arn.replace('oidc.eks', ':word@oidc.eks'),
    arn.replace('oidc.eks', '/oidc.eks'),
    'nonsense',
    '',
  ]
  for (const other of bad) assert.notEqual(checkExternalProvider(other, hostPath), undefined, JSON.stringify(other))
})

test('a user policy is stored compact and sorted, with the escapes of the API server (51)', () => {
  assert.deepEqual(
    renderUserPolicy({ Version: '2012-10-17', Statement: [{ Sid: 'a<b>&c', Effect: 'Allow', '1': [1.5, true, null] }] }),
    {
      ok: true,
      text: '{"Statement":[{"1":[1.5,true,null],"Effect":"Allow","Sid":"a\\u003cb\\u003e\\u0026c"}],"Version":"2012-10-17"}',
    },
  )
  for (const other of [{}, [], 'x', 1, null, undefined]) assert.equal(renderUserPolicy(other).ok, false)
  const deep = renderUserPolicy(JSON.parse(`${'{"a":['.repeat(3_000)}1${']}'.repeat(3_000)}`))
  assert.ok(!deep.ok && /nested deeper than 20 levels/.test(deep.message))
})

test('a user policy is 20 levels deep at most, wherever its deepest value stands', () => {
  // The policy itself is a level.
  const beside = (levels: number): unknown =>
    JSON.parse(`{"a":"x","b":${'['.repeat(levels - 1)}${']'.repeat(levels - 1)},"c":{}}`)
  assert.deepEqual(
    [20, 21].map(levels => renderUserPolicy(beside(levels)).ok),
    [true, false],
  )
})

test('a user policy may have 6144 code points and not one more (52)', () => {
  const frame = '{"a":""}'.length
  const full = renderUserPolicy({ a: '𝒳'.repeat(6144 - frame) })
  assert.ok(full.ok)
  const over = renderUserPolicy({ a: 'x'.repeat(6145 - frame) })
  assert.ok(!over.ok && over.message.includes('6144'))
  assert.equal(renderUserPolicy({ a: '<'.repeat((6144 - frame) / 6) }).ok, true)
  assert.equal(renderUserPolicy({ a: '<'.repeat((6144 - frame) / 6 + 1) }).ok, false)
})

test('two errors of S3 that differ in request ids read the same (53)', () => {
  const text = (id: string): string =>
    conditionText(
      'put keys.json',
      new Error('outer', {
        cause: new AwsError({
          service: 's3',
          operation: 'PutObject',
          code: 'AccessDenied',
          message: `Access Denied (Service: S3; Status Code: 403; Error Code: AccessDenied; Request ID: ${id})`,
          requestId: id,
        }),
      }),
    )
  assert.equal(text('79104EXAMPLEB723'), text('AABBCCDDEEFF0011'))
  assert.equal(text('79104EXAMPLEB723'), 'put keys.json: AccessDenied: Access Denied')
})

test('text of an error is cut to 256 bytes with dots, between characters (54)', () => {
  assert.equal(boundBytes('x'.repeat(256), 256), 'x'.repeat(256))
  assert.equal(boundBytes('x'.repeat(257), 256), `${'x'.repeat(253)}...`)
  const cut = boundBytes('ä'.repeat(200), 256)
  assert.equal(cut, `${'ä'.repeat(126)}...`)
  assert.equal(boundBytes('é'.repeat(10), 10), 'ééé...')
  assert.equal(boundBytes('€'.repeat(10), 10), '€€...')
  assert.equal(Buffer.byteLength(conditionText('doing', new Error('word '.repeat(100)))), 256)
})

test('labels of generated objects name their owner by uid', () => {
  const metadata = { namespace: 'wlc-a', name: 'default', uid: 'u-1' }
  const config = configLabels({ metadata, spec: { type: 'SelfHostedIRSA' } })
  assert.deepEqual(config, {
    'app.kubernetes.io/managed-by': 'aws-workload-identity-operator',
    'aws.identity.appthrust.io/owner-ref': 'wlc-a-default-d861c72129',
    'aws.identity.appthrust.io/config-uid': 'u-1',
    'aws.identity.appthrust.io/delivery': 'SelfHostedIRSA',
  })
  const role = roleLabels(
    { metadata: { ...metadata, name: 'app' }, spec: { serviceAccount: { namespace: 'default', name: 'app' } } },
    'EKSIRSA',
  )
  assert.equal(role['aws.identity.appthrust.io/service-account'], 'default-app-a1989cdf73')
  assert.equal(role['aws.identity.appthrust.io/binding-uid'], 'u-1')
  assert.equal(role['aws.identity.appthrust.io/owner-ref'], ownerLabel({ namespace: 'wlc-a', name: 'app' }))
})
