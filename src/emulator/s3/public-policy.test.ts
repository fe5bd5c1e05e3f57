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
