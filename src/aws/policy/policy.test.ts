import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asProviderArn, parseIssuerUrl, tryParseEksClusterArn } from '../names/arn.ts'
import { asAudience } from '../names/audience.ts'
import { NameError } from '../names/name-error.ts'
import { samePolicyText } from './compare-policies.ts'
import { parsePolicy } from './parse-policy.ts'
import type { PolicyUse } from './policy-document.ts'
import { renderPolicy } from './render-policy.ts'
import { podIdentityTrust, renderSubject, TrustError, webIdentityTrust } from './trust-policy.ts'

const issuer = parseIssuerUrl('https://b.s3.eu-west-1.amazonaws.com')
const provider = asProviderArn('arn:aws:iam::123456789012:oidc-provider/b.s3.eu-west-1.amazonaws.com')

test('the trust policy of a web identity is written to the byte', () => {
  const trust = webIdentityTrust({
    provider,
    issuer,
    audience: asAudience('sts.amazonaws.com'),
    subjects: [{ namespace: 'team', name: 'app' }],
  })
  assert.equal(
    renderPolicy(trust),
    '{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Principal":{"Federated":"arn:aws:iam::123456789012:oidc-provider/b.s3.eu-west-1.amazonaws.com"},"Action":"sts:AssumeRoleWithWebIdentity","Condition":{"StringEquals":{"b.s3.eu-west-1.amazonaws.com:aud":"sts.amazonaws.com","b.s3.eu-west-1.amazonaws.com:sub":"system:serviceaccount:team:app"}}}]}',
  )
  assert.deepEqual(parsePolicy(renderPolicy(trust), 'trust').document, trust)
})

test('the trust policy of a pod identity is written to the byte', () => {
  const clusterArn = tryParseEksClusterArn('arn:aws:eks:eu-west-1:123456789012:cluster/c1')?.arn ?? assert.fail()
  const subject = { namespace: 'team', name: 'app' }
  assert.equal(
    renderPolicy(podIdentityTrust({ clusterArn, subject, organizationId: 'o-1' })),
    '{"Version":"2012-10-17","Statement":[{"Sid":"AllowEksAuthToAssumeRoleForPodIdentity","Effect":"Allow","Principal":{"Service":"pods.eks.amazonaws.com"},"Action":["sts:AssumeRole","sts:TagSession"],"Condition":{"StringEquals":{"aws:RequestTag/eks-cluster-arn":"arn:aws:eks:eu-west-1:123456789012:cluster/c1","aws:RequestTag/kubernetes-namespace":"team","aws:RequestTag/kubernetes-service-account":"app","aws:SourceOrgId":"o-1"}}}]}',
  )
  assert.doesNotMatch(renderPolicy(podIdentityTrust({ clusterArn, subject, organizationId: '' })), /SourceOrgId/)
})

test('a trust policy cannot be widened through a subject, an audience, an issuer or a cluster', () => {
  const subjects = [{ namespace: 'team', name: 'app' }]
  const badNames = ['*', 'a*', 'a?', 'a:b', 'A', '', 'a/b', 'a b', 'é', 'a\n', `$\{aws:username}`, 'a'.repeat(254), '-a', 'a.']
  for (const bad of badNames) {
    assert.throws(() => renderSubject({ namespace: 'team', name: bad }), TrustError, bad)
    assert.throws(() => renderSubject({ namespace: bad, name: 'app' }), TrustError, bad)
  }
  assert.throws(() => renderSubject({ namespace: 'a.b', name: 'app' }), TrustError)
  assert.throws(() => renderSubject({ namespace: 'a'.repeat(64), name: 'app' }), TrustError)
  const [longest, name] = ['a'.repeat(63), 'a'.repeat(253)]
  assert.equal(renderSubject({ namespace: longest, name }), `system:serviceaccount:${longest}:${name}`)
  assert.equal(renderSubject({ namespace: 'team', name: 'app.v1' }), 'system:serviceaccount:team:app.v1')
  for (const audience of ['*', 'sts.*', '', 'a b', `$\{x}`]) {
    assert.throws(() => asAudience(audience), NameError, audience)
  }
  assert.throws(() => webIdentityTrust({ provider, issuer, audience: asAudience('x'), subjects: [] }), TrustError)
  const other = parseIssuerUrl('https://other.example.com')
  assert.throws(() => webIdentityTrust({ provider, issuer: other, audience: asAudience('x'), subjects }), TrustError)
  // A cluster comes as a parsed ARN, so there is no other way in.
  const noClusters = [
    'x',
    'arn:aws:iam::123456789012:role/x',
    'arn:aws:eks::123456789012:cluster/c1',
    'arn:aws:eks:eu-west-1:aws:cluster/c1',
    ...['*', 'c?', '', '-c', 'c/d', 'c d', `c$\{x}`, 'c'.repeat(101)].map(
      name => `arn:aws:eks:eu-west-1:123456789012:cluster/${name}`,
    ),
  ]
  for (const text of noClusters) assert.equal(tryParseEksClusterArn(text), undefined, text)
})

test('rendering escapes what HTML trips over and sorts condition keys by bytes', () => {
  const text = renderPolicy({
    statements: [
      {
        effect: 'Deny',
        principal: { Service: 'x', AWS: ['<a>&'] },
        action: '*',
        resource: 'r',
        condition: { StringLike: { 'b:x': 'y', 'B:x': ['z'] }, Bool: { 'aws:SecureTransport': 'false' } },
      },
    ],
  })
  assert.equal(
    text,
    '{"Statement":[{"Effect":"Deny","Principal":{"AWS":["\\u003ca\\u003e\\u0026"],"Service":"x"},"Action":"*","Resource":"r","Condition":{"Bool":{"aws:SecureTransport":"false"},"StringLike":{"B:x":["z"],"b:x":"y"}}}]}',
  )
})

const allow = '"Effect":"Allow","Action":"s3:GetObject","Resource":"*"'

test('a document has the version and the id that it says, and none that it does not say', () => {
  const of = (head: string): unknown => {
    const { document } = parsePolicy(`{${head}"Statement":{${allow}}}`, 'identity')
    return [document?.version, document?.id, Object.keys(document ?? {})]
  }
  assert.deepEqual(of(''), [undefined, undefined, ['statements']])
  assert.deepEqual(of('"Version":"2012-10-17",'), ['2012-10-17', undefined, ['version', 'statements']])
  assert.deepEqual(of('"Version":"2008-10-17","Id":"",'), ['2008-10-17', '', ['version', 'id', 'statements']])
  assert.deepEqual(of('"Id":"mine",'), [undefined, 'mine', ['id', 'statements']])
})

test('a problem names line, column and path', () => {
  const text = `{
  "Version": "2012-10-17",
  "Statement": [
    { ${allow} },
    { "Effect": "allow", "Action": ["s3:Get", 7], "Resource": "*", "Condition": { "StringEqual": { "aws:x": [] } } }
  ]
}`
  const { problems } = parsePolicy(text, 'identity')
  assert.deepEqual(
    problems?.map(({ code, path, line, column }) => [code, path, line, column]),
    [
      ['bad-effect', 'Statement[1].Effect', 5, 17],
      ['bad-action', 'Statement[1].Action[1]', 5, 47],
      ['bad-condition', 'Statement[1].Condition.StringEqual', 5, 98],
      ['bad-condition', 'Statement[1].Condition.StringEqual["aws:x"]', 5, 109],
    ],
  )
})

test('numbers and booleans of conditions are their text, and anything else is none', () => {
  const of = (value: string): unknown => {
    const text = `{"Statement":{${allow},"Condition":{"Bool":{"aws:x":${value}}}}}`
    const { document, problems } = parsePolicy(text, 'identity')
    return document?.statements[0]?.condition?.['Bool']?.['aws:x'] ?? problems?.map(({ message }) => message)
  }
  assert.deepEqual([of('true'), of('1.50'), of('["a",false,2]')], ['true', '1.50', ['a', 'false', '2']])
  assert.deepEqual(of('null'), ['expected a text, found null'])
  assert.deepEqual(of('{}'), ['expected a text, found an object'])
})

const refused: readonly (readonly [why: string, use: PolicyUse, text: string, codes: readonly string[]])[] = [
  ['cut short', 'identity', '{"Statement":', ['not-json']],
  ['no object', 'identity', '[]', ['wrong-type']],
  ['nothing in it', 'identity', '{}', ['no-statement']],
  ['an empty list of statements', 'identity', '{"Statement":[]}', ['no-statement']],
  ['a key that does not exist', 'identity', `{"Statement":{${allow},"Foo":1}}`, ['unknown-key']],
  ['a key in the wrong case', 'identity', `{"statement":{${allow}}}`, ['unknown-key', 'no-statement']],
  ['a key twice', 'identity', `{"Statement":{${allow},"Effect":"Deny"}}`, ['duplicate-key']],
  ['a version of the future', 'identity', `{"Version":"2027-01-01","Statement":{${allow}}}`, ['bad-version']],
  ['a Sid twice', 'identity', `{"Statement":[{"Sid":"A",${allow}},{"Sid":"A",${allow}}]}`, ['duplicate-sid']],
  ['a Sid with a hyphen in an identity policy', 'identity', `{"Statement":{"Sid":"a-b",${allow}}}`, ['bad-sid']],
  ['a principal in an identity policy', 'identity', `{"Statement":{"Principal":"*",${allow}}}`, ['prohibited-principal']],
  ['no principal in a resource policy', 'resource', `{"Statement":{${allow}}}`, ['missing-principal']],
  [
    'a resource in a trust policy',
    'trust',
    '{"Statement":{"Effect":"Allow","Principal":"*","Action":"sts:AssumeRole","Resource":"*"}}',
    ['prohibited-resource'],
  ],
  [
    'another service in a trust policy',
    'trust',
    '{"Statement":{"Effect":"Allow","Principal":"*","Action":"s3:GetObject"}}',
    ['not-sts-action'],
  ],
  ['no action', 'identity', '{"Statement":{"Effect":"Allow","Resource":"*"}}', ['missing-action']],
  ['an action without a service', 'identity', '{"Statement":{"Effect":"Allow","Action":"Get","Resource":"*"}}', ['bad-action']],
  ['no resource', 'identity', '{"Statement":{"Effect":"Allow","Action":"s3:*"}}', ['missing-resource']],
  [
    'a resource that is no ARN',
    'identity',
    '{"Statement":{"Effect":"Allow","Action":"s3:*","Resource":"bucket"}}',
    ['bad-resource'],
  ],
  ['both forms', 'identity', `{"Statement":{${allow},"NotAction":"s3:x"}}`, ['both-forms']],
  [
    'an unknown kind of principal',
    'trust',
    '{"Statement":{"Effect":"Allow","Principal":{"aws":"x"},"Action":"sts:AssumeRole"}}',
    ['unknown-key'],
  ],
  [
    'a principal that is a text',
    'trust',
    '{"Statement":{"Effect":"Allow","Principal":"x","Action":"sts:AssumeRole"}}',
    ['bad-principal'],
  ],
  ['a character beyond Latin 1', 'identity', `{"Id":"\u2603","Statement":{${allow}}}`, ['bad-character']],
  ['more than 262,144 characters', 'identity', ' '.repeat(262_145), ['too-large']],
  ['262,144 characters of nothing', 'identity', ' '.repeat(262_144), ['not-json']],
]

for (const [why, use, text, codes] of refused) {
  test(`a ${use} policy is refused for ${why}`, () => {
    assert.deepEqual(
      parsePolicy(text, use).problems?.map(({ code }) => code),
      codes,
    )
  })
}

const base = `{"Version":"2012-10-17","Statement":[{"Sid":"A",${allow}},{"Sid":"B","Effect":"Deny","Action":["s3:A","s3:B"],"Resource":["arn:aws:s3:::a","arn:aws:s3:::b"]}]}`

const compared: readonly (readonly [what: string, same: boolean, a: string, b: string, use?: PolicyUse])[] = [
  [
    'statements in another order',
    true,
    base,
    `{"Statement":[{"Sid":"B","Effect":"Deny","Action":["s3:A","s3:B"],"Resource":["arn:aws:s3:::a","arn:aws:s3:::b"]},{"Sid":"A",${allow}}],"Version":"2012-10-17"}`,
  ],
  ['values in another order', true, base, base.replace('["s3:A","s3:B"]', '["s3:B","s3:A"]')],
  ['one value in a list', true, base, base.replace('"s3:GetObject"', '["s3:GetObject"]')],
  ['one statement alone', true, `{"Statement":{${allow}}}`, `{"Statement":[{${allow}}]}`],
  ['actions in another case', true, base, base.replace('s3:GetObject', 'S3:getobject')],
  ['white space', true, base, JSON.stringify(JSON.parse(base), null, 2)],
  ['a missing version and the old one', true, `{"Statement":{${allow}}}`, `{"Version":"2008-10-17","Statement":{${allow}}}`],
  ['another version', false, base, base.replace('2012', '2008')],
  ['another Sid', false, base, base.replace('"A"', '"C"')],
  ['another effect', false, base, base.replace('Deny', 'Allow')],
  ['a resource in another case', false, base, base.replace(':::a"', ':::A"')],
  ['Action against NotAction', false, base, base.replace('"Action":["s3', '"NotAction":["s3')],
  [
    'a principal alone and as AWS',
    true,
    '{"Statement":{"Effect":"Allow","Principal":"*","Action":"sts:AssumeRole"}}',
    '{"Statement":{"Effect":"Allow","Principal":{"AWS":"*"},"Action":"sts:AssumeRole"}}',
    'trust',
  ],
  [
    'an account and its root',
    true,
    '{"Statement":{"Effect":"Allow","Principal":{"AWS":"123456789012"},"Action":"sts:AssumeRole"}}',
    '{"Statement":{"Effect":"Allow","Principal":{"AWS":["arn:aws:iam::123456789012:root"]},"Action":"sts:AssumeRole"}}',
    'trust',
  ],
  ['two texts that are no policies', false, 'x', 'y'],
  ['one text that is no policy', true, 'x', 'x'],
  ['a text of 65,536 characters, and the same without blanks', true, base.padEnd(65_536), base],
  ['a text of one character more, whose end nobody reads', false, base.padEnd(65_537), base],
  ['such a text in the other place', false, base, base.padEnd(65_537)],
]

for (const [what, same, a, b, use = 'identity'] of compared) {
  test(`policies ${same ? 'are the same with' : 'differ with'} ${what}`, () => {
    assert.equal(samePolicyText(a, b, use), same)
    assert.equal(samePolicyText(b, a, use), same)
  })
}
