import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type DocumentKind, documentFault, significantSize } from './validate.ts'

const account = '123456789012'
const syntax = 'Syntax errors in policy.'
const vendor = 'Actions/Conditions must be prefaced by a vendor, e.g., iam, sdb, ec2, etc.'
const federated = 'Federated principals must be valid domain names or SAML metadata ARNs'

function fault(kind: DocumentKind, document: unknown): string | undefined {
  const text = typeof document === 'string' ? document : JSON.stringify(document)
  return documentFault(text, { kind, partition: 'aws', principalExists: name => name === account })
}
const good: Readonly<Record<DocumentKind, object>> = {
  identity: { Effect: 'Allow', Action: 's3:GetObject', Resource: '*' },
  trust: { Effect: 'Allow', Principal: { AWS: account }, Action: 'sts:AssumeRole' },
  resource: { Effect: 'Allow', Principal: '*', Action: 's3:GetObject', Resource: 'arn:aws:s3:::b/*' },
}

const documents: readonly (readonly [document: unknown, fault: string | undefined])[] = [
  [{ Statement: good.identity }, undefined],
  [{ Version: '2012-10-17', Id: 'i', Statement: [good.identity] }, undefined],
  [{ Version: '2008-10-17', Statement: [good.identity] }, undefined],
  [{ Version: '2012-10-18', Statement: [good.identity] }, syntax],
  [{ Version: 1, Statement: [good.identity] }, syntax],
  [{ Id: 1, Statement: [good.identity] }, syntax],
  [{ More: 1, Statement: [good.identity] }, syntax],
  [{ Statement: [good.identity, 'x'] }, syntax],
  [{ Statement: [good.identity, { ...good.identity, Effect: 'x' }] }, syntax],
  [{ Statement: null }, syntax],
  [{ Statement: [] }, syntax],
  ['null', syntax],
  ['[]', syntax],
  ['1', syntax],
  ['{', syntax],
  [
    {
      Statement: [
        { ...good.identity, Sid: 'a' },
        { ...good.identity, Sid: 'b' },
      ],
    },
    undefined,
  ],
  [
    {
      Statement: [
        { ...good.identity, Sid: '' },
        { ...good.identity, Sid: '' },
      ],
    },
    undefined,
  ],
  [
    {
      Statement: [
        { ...good.identity, Sid: 'a' },
        { ...good.identity, Sid: 'a' },
      ],
    },
    'Statement IDs (SID) in a single policy must be unique.',
  ],
]
for (const [document, expected] of documents) {
  const text = typeof document === 'string' ? document : JSON.stringify(document)
  test(`the document ${text}: ${expected ?? 'taken'}`, () => assert.equal(fault('identity', document), expected))
}

const sid = 'Statement IDs (SID) must be alpha-numeric. Check that your input satisfies the regular expression [0-9A-Za-z]*'
const actions = 'Policy statement must contain actions.'
const resources = 'Policy statement must contain resources.'
const noPrincipal = 'Policy document should not specify a principal.'
const noAws = (name: string): string => `Invalid principal in policy: "AWS":"${name}"`
const provider = `arn:aws:iam::${account}:oidc-provider/x.example.com/a`

const statements: readonly (readonly [kind: DocumentKind, more: object, fault: string | undefined])[] = [
  ['identity', { Effect: 'Deny' }, undefined],
  ['identity', { Effect: 'deny' }, syntax],
  ['identity', { Effect: undefined }, syntax],
  ['identity', { Extra: 1 }, syntax],
  ['identity', { Sid: 'Az09' }, undefined],
  ['identity', { Sid: 'a b' }, sid],
  ['trust', { Sid: 'a-b' }, sid],
  ['resource', { Sid: 'a b-c' }, undefined],
  ['identity', { Sid: 1 }, syntax],
  ['identity', { Action: undefined }, actions],
  ['trust', { Action: undefined }, 'Missing required field Action'],
  ['identity', { Action: [] }, actions],
  ['trust', { Action: [] }, actions],
  ['identity', { Action: undefined, NotAction: 's3:Get*' }, undefined],
  ['identity', { NotAction: 's3:Get*' }, syntax],
  ['identity', { Action: ['s3:Get', 1] }, syntax],
  ['identity', { Action: 1 }, syntax],
  ['identity', { Action: '*' }, undefined],
  ['identity', { Action: 'GetObject' }, vendor],
  ['identity', { Action: ['s3:Get', 'GetObject'] }, vendor],
  ['identity', { Action: 's3:' }, vendor],
  ['identity', { Action: 'a-b:C?*' }, undefined],
  ['trust', { Action: '*' }, 'AssumeRole policy may only specify STS AssumeRole actions.'],
  ['trust', { Action: ['sts:AssumeRole', 'sts:TagSession'] }, undefined],
  ['trust', { Action: ['sts:AssumeRole', 'iam:GetRole'] }, 'AssumeRole policy may only specify STS AssumeRole actions.'],
  ['trust', { Resource: '*' }, 'Has prohibited field Resource'],
  ['trust', { NotResource: '*' }, 'Has prohibited field NotResource'],
  ['identity', { Resource: undefined }, resources],
  ['identity', { Resource: [] }, resources],
  ['identity', { Resource: ['*'] }, undefined],
  ['identity', { Resource: undefined, NotResource: 'arn:aws:s3:::b' }, undefined],
  ['identity', { NotResource: 'arn:aws:s3:::b' }, syntax],
  ['identity', { Resource: [1] }, syntax],
  ['identity', { Resource: ['arn:aws:s3:::b', 'b'] }, 'Resource b must be in ARN format or "*".'],
  ['identity', { Resource: 'arn:aws:s3:::' }, 'Resource arn:aws:s3::: must be in ARN format or "*".'],
  ['identity', { Principal: '*' }, noPrincipal],
  ['identity', { NotPrincipal: '*' }, noPrincipal],
  ['trust', { Principal: undefined }, 'Missing required field Principal'],
  ['trust', { NotPrincipal: { AWS: account } }, syntax],
  ['trust', { Principal: undefined, NotPrincipal: { AWS: account } }, undefined],
  ['trust', { Principal: '*' }, undefined],
  ['trust', { Principal: {} }, 'Invalid principal in policy'],
  ['trust', { Principal: 'x' }, 'Invalid principal in policy'],
  ['trust', { Principal: { AWS: [] } }, syntax],
  ['trust', { Principal: { AWS: [account, 1] } }, syntax],
  ['trust', { Principal: { AWS: '*' } }, undefined],
  ['trust', { Principal: { AWS: [account, 'nobody'] } }, noAws('nobody')],
  ['trust', { Principal: { AWS: `${account}*` } }, noAws(`${account}*`)],
  ['trust', { Principal: { Service: 'eks.amazonaws.com' } }, undefined],
  ['trust', { Principal: { Service: 'eks.amazonaws.com.cn' } }, undefined],
  ['trust', { Principal: { Service: 'eks.example.com' } }, 'Invalid principal in policy: "SERVICE":"eks.example.com"'],
  ['trust', { Principal: { Federated: provider } }, undefined],
  ['trust', { Principal: { Federated: `arn:aws:iam::${account}:saml-provider/x` } }, undefined],
  ['trust', { Principal: { Federated: 'accounts.google.com' } }, undefined],
  ['trust', { Principal: { Federated: 'example.com' } }, federated],
  ['trust', { Principal: { Federated: provider.replace('aws', 'aws-cn') } }, federated],
  ['trust', { Principal: { CanonicalUser: 'a'.repeat(64) } }, undefined],
  ['trust', { Principal: { CanonicalUser: 'a'.repeat(63) } }, `Invalid principal in policy: "CanonicalUser":"${'a'.repeat(63)}"`],
  ['trust', { Principal: { Other: 'x' } }, 'Invalid principal in policy: "Other":"x"'],
  ['identity', { Condition: {} }, undefined],
  ['identity', { Condition: 'x' }, syntax],
  ['identity', { Condition: { StringEquals: { 'aws:x': ['a', 1, true] } } }, undefined],
  ['identity', { Condition: { StringEquals: { 'aws:x': ['a', null] } } }, syntax],
  ['identity', { Condition: { StringEquals: { 'aws:x': {} } } }, syntax],
  ['identity', { Condition: { StringEquals: { x: 'a' } } }, vendor],
  ['identity', { Condition: { StringEquals: 'x' } }, syntax],
  ['identity', { Condition: { StringIs: { 'aws:x': 'a' } } }, syntax],
  ['identity', { Condition: { 'ForAnyValue:StringLikeIfExists': { 'aws:x': 'a' } } }, undefined],
  ['identity', { Condition: { Null: { 'aws:x': 'true' } } }, undefined],
  ['identity', { Condition: { NullIfExists: { 'aws:x': 'true' } } }, syntax],
]
for (const [kind, more, expected] of statements) {
  test(`a statement of the kind ${kind} with ${JSON.stringify(more)}: ${expected ?? 'taken'}`, () => {
    assert.equal(fault(kind, { Statement: [{ ...good[kind], ...more }] }), expected)
  })
}

for (const [text, size] of [
  ['', 0],
  ['{}', 2],
  [' { } \n', 2],
  ['"a b"', 5],
  [' "a" : "b c" ', 9],
  ['"\\" "', 5],
  ['"\\\\" x', 5],
  ['"a\\" b" c', 8],
] as const) {
  test(`${JSON.stringify(text)} counts ${size} characters`, () => assert.equal(significantSize(text), size))
}
