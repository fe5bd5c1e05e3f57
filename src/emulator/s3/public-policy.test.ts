import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isPublicPolicy } from './public-policy.ts'

const rows: readonly (readonly [why: string, isPublic: boolean, statement: object])[] = [
  ['everybody may read two single objects', true, { Principal: '*', Resource: ['arn:aws:s3:::b/x', 'arn:aws:s3:::b/y'] }],
  ['everybody, written as an AWS principal', true, { Principal: { AWS: ['*'] } }],
  ['one account', false, { Principal: { AWS: 'arn:aws:iam::123456789012:root' } }],
  ['everybody is denied', false, { Principal: '*', Effect: 'Deny' }],
  ['a fixed VPC', false, { Principal: '*', Condition: { StringEquals: { 'aws:SourceVpc': 'vpc-1' } } }],
  ['a pattern of VPCs', true, { Principal: '*', Condition: { StringLike: { 'aws:SourceVpc': 'vpc-*' } } }],
  ['every VPC but one', true, { Principal: '*', Condition: { StringNotEquals: { 'aws:SourceVpc': 'vpc-1' } } }],
  ['a network of an office', false, { Principal: '*', Condition: { IpAddress: { 'aws:SourceIp': '203.0.113.0/24' } } }],
  ['a /8 of the internet', false, { Principal: '*', Condition: { IpAddress: { 'aws:SourceIp': '11.0.0.0/8' } } }],
  ['a /7 of the internet', true, { Principal: '*', Condition: { IpAddress: { 'aws:SourceIp': '10.0.0.0/7' } } }],
  ['a /32 of IPv6', false, { Principal: '*', Condition: { IpAddress: { 'aws:SourceIp': '2001:db8::/32' } } }],
  ['a /31 of IPv6', true, { Principal: '*', Condition: { IpAddress: { 'aws:SourceIp': '2001:db8::/31' } } }],
  ['one address', false, { Principal: '*', Condition: { IpAddress: { 'aws:SourceIp': '203.0.113.1' } } }],
  ['every address but one', true, { Principal: '*', Condition: { NotIpAddress: { 'aws:SourceIp': '203.0.113.1' } } }],
  ['an address of a proxy', true, { Principal: '*', Condition: { IpAddress: { 'aws:VpcSourceIp': '10.0.0.1' } } }],
  ['a fixed VPC and a pattern', true, { Principal: '*', Condition: { StringLike: { 'aws:SourceVpc': ['vpc-1', 'vpc-*'] } } }],
  ['an account by a variable', true, { Principal: '*', Condition: { StringEquals: { 'aws:PrincipalAccount': '${aws:x}' } } }],
  ['no value', true, { Principal: '*', Condition: { StringEquals: { 'aws:SourceVpc': [] } } }],
  [
    'a condition that is none, and a fixed VPC',
    false,
    { Principal: '*', Condition: { Bool: null, StringEquals: { 'AWS:sourcevpc': 'vpc-1' } } },
  ],
  ['a condition that is a text', true, { Principal: '*', Condition: { Bool: 'x' } }],
  ['nobody', false, { Principal: null }],
  ['a service', false, { Principal: { Service: '*' } }],
  ['an account beside everybody', true, { Principal: { Service: 'x', AWS: ['123456789012', '*'] } }],
  ['a text that is no principal', false, { Principal: 'x' }],
  ['half of the internet', true, { Principal: '*', Condition: { IpAddress: { 'aws:SourceIp': '0.0.0.0/1' } } }],
  [
    'one wide range beside a narrow one',
    true,
    { Principal: '*', Condition: { IpAddress: { 'aws:SourceIp': ['203.0.113.0/24', '0.0.0.0/0'] } } },
  ],
  ['an organization', false, { Principal: '*', Condition: { StringEquals: { 'aws:PrincipalOrgID': 'o-1' } } }],
  ['a key that pins nothing', true, { Principal: '*', Condition: { StringEquals: { 'aws:UserAgent': 'x' } } }],
]

for (const [why, isPublic, statement] of rows) {
  test(`${why}: ${isPublic ? 'public' : 'not public'}`, () => {
    const text = JSON.stringify({
      Statement: [{ Effect: 'Allow', Action: 's3:GetObject', Resource: 'arn:aws:s3:::b/*', ...statement }],
    })
    assert.equal(isPublicPolicy(text), isPublic)
  })
}

test('a policy of one statement that is no list, or of none', () => {
  const statement = { Effect: 'Allow', Principal: '*', Action: 's3:GetObject', Resource: 'arn:aws:s3:::b/*' }
  assert.equal(isPublicPolicy(JSON.stringify({ Statement: statement })), true)
  assert.equal(isPublicPolicy(JSON.stringify({ Statement: [{ ...statement, Effect: 'Deny' }, statement] })), true)
  assert.equal(isPublicPolicy('{}'), false)
})
