import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { isAccountId, parseAccountId } from './account.ts'
import {
  isIssuerLocation,
  isRoleArn,
  parseArn,
  parseIssuerUrl,
  parseProviderArn,
  parseRoleArn,
  renderArn,
  renderProviderArn,
  renderRoleArn,
  tryParseArn,
  tryParseEksClusterArn,
} from './arn.ts'
import { NameError } from './name-error.ts'
import { isRegion, partitionById, partitionOf } from './partition.ts'

const account = fc.stringMatching(/^\d{12}$/)
const partition = fc.constantFrom('aws', 'aws-cn', 'aws-us-gov')

test('an ARN renders back to the text it was parsed from', () => {
  const arn = fc.record({
    partition,
    service: fc.constantFrom('iam', 's3', 'eks', 'route53'),
    region: fc.constantFrom('', 'eu-west-1', 'us-gov-west-1'),
    account: fc.oneof(account, fc.constantFrom('', 'aws')),
    resource: fc.string({ minLength: 1, maxLength: 100 }).filter(text => !text.includes('\n')),
  })
  fc.assert(fc.property(arn, parts => assert.deepEqual(parseArn(renderArn(parts)), { ...parts })))
})

test('a role ARN and a provider ARN render back to the text they were parsed from', () => {
  const role = fc.record({
    partition,
    account: account.map(parseAccountId),
    path: fc.constantFrom('/', '/a/', '/a/b.c/', '/service-role/'),
    name: fc.stringMatching(/^[\w+=,.@-]{1,64}$/),
  })
  fc.assert(fc.property(role, name => assert.deepEqual(parseRoleArn(renderRoleArn(name)), { ...name })))
  const provider = fc.record({
    partition,
    account: account.map(parseAccountId),
    issuer: fc
      .constantFrom('a.example.com', 'oidc.eks.eu-west-1.amazonaws.com/id/ABC123', 'h:8443/x/y')
      .map(text => parseIssuerUrl(`https://${text}`)),
  })
  fc.assert(fc.property(provider, name => assert.deepEqual(parseProviderArn(renderProviderArn(name)), { ...name })))
})

test('the ARN of an EKS cluster is told by its parts, and the longest name is taken', () => {
  const arn = `arn:aws-cn:eks:cn-north-1:123456789012:cluster/${'c'.repeat(100)}`
  const account = parseAccountId('123456789012')
  assert.deepEqual(tryParseEksClusterArn(arn), {
    arn,
    partition: 'aws-cn',
    region: 'cn-north-1',
    account,
    name: 'c'.repeat(100),
  })
})

test('a text is a role ARN just when it can be parsed as one', () => {
  for (const [text, expected] of [
    ['arn:aws:iam::123456789012:role/a/b/app', true],
    ['arn:aws:iam::123456789012:user/app', false],
    ['arn:aws:sts::123456789012:role/app', false],
    ['arn:aws:iam:eu-west-1:123456789012:role/app', false],
    ['arn:aws:iam::aws:role/app', false],
    ['app', false],
  ] as const) {
    assert.equal(isRoleArn(text), expected, text)
    if (expected) assert.equal(parseRoleArn(text).name, 'app')
    else assert.throws(() => parseRoleArn(text), NameError)
  }
})

test('parsers of names take any text, and throw nothing but NameError', () => {
  const hostile = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 200 }),
    fc
      .tuple(
        fc.constantFrom(
          'arn:aws:iam::123456789012:role/',
          'arn:aws:iam::1:',
          'https://',
          'arn:aws:iam::123456789012:oidc-provider/',
        ),
        fc.string(),
      )
      .map(parts => parts.join('')),
    fc.constantFrom(
      'a'.repeat(1_000_000),
      'arn:'.repeat(200_000),
      `https://${'a.'.repeat(500_000)}`,
      `arn:aws:iam::123456789012:role/${'a/'.repeat(400_000)}`,
    ),
  )
  const parsers = [parseArn, parseRoleArn, parseProviderArn, parseIssuerUrl, parseAccountId]
  fc.assert(
    fc.property(hostile, text => {
      for (const parse of parsers) {
        try {
          parse(text)
        } catch (error) {
          assert.ok(error instanceof NameError, String(error))
          assert.ok(error.message.length < 1_000, 'a message stays short')
        }
      }
      tryParseArn(text)
      isRegion(text)
      partitionOf(text)
    }),
  )
})

test('what is refused as an issuer: other schemes, wildcards, variables, traps in paths', () => {
  for (const text of [
    'http://a.example.com',
    'https://',
    'https://A.example.com',
    'https://a.example.com/',
    'https://a.example.com/x/',
    'https://a.example.com//x',
    'https://a.example.com?x=1',
    'https://a.example.com#x',
    'https://user@a.example.com',
    'https://*.example.com',
    'https://a.example.com/*',
    'https://a.example.com/${aws:username}',
    'https://a.example.com/x/../y',
    'https://a.example.com/%zz\t',
    'https://a.example.com:443',
    'https://a.exam ple.com',
    'https://xn--\u0430.com',
    'https://é.com',
    `https://a.example.com/${'x'.repeat(255)}`,
  ]) {
    assert.throws(() => parseIssuerUrl(text), NameError, text)
  }
  for (const text of [
    'https://oidc.eks.eu-west-1.amazonaws.com/id/ABC',
    'https://b.s3.eu-west-1.amazonaws.com',
    'https://h:8443/p',
  ]) {
    assert.equal(`https://${parseIssuerUrl(text)}`, text)
  }
  assert.ok(!isIssuerLocation('https://a.example.com'))
})

test('what is refused as a role or provider ARN', () => {
  for (const text of [
    'arn:aws:iam::123456789012:user/x',
    'arn:aws:iam::12345678901:role/x',
    'arn:aws:iam:eu-west-1:123456789012:role/x',
    'arn:aws:iam::123456789012:role/',
    'arn:aws:iam::123456789012:role/a b',
    'arn:aws:iam::123456789012:role/*',
    `arn:aws:iam::123456789012:role/${'x'.repeat(65)}`,
    'arn:aws:iam::aws:role/x',
  ]) {
    assert.throws(() => parseRoleArn(text), NameError, text)
  }
  for (const text of [
    'arn:aws:iam::123456789012:role/x',
    'arn:aws:iam:eu-west-1:123456789012:oidc-provider/a.example.com',
    'arn:aws:iam::12345678901x:oidc-provider/a.example.com',
    'arn:aws:iam::123456789012:oidc-provider/https://a.example.com',
    'arn:aws:iam::123456789012:oidc-provider/a.example.com/',
    'arn:aws:iam::123456789012:oidc-provider/a.example.com?x',
    'arn:aws:iam::123456789012:oidc-provider/a.example.com#x',
    'arn:aws:iam::123456789012:oidc-provider/a.example.com\t',
  ]) {
    assert.throws(() => parseProviderArn(text), NameError, text)
  }
})

test('a region belongs to the partition its name says', () => {
  const found = ['us-east-1', 'cn-north-1', 'us-gov-west-1', 'eusc-de-east-1', 'mx-central-1', 'nowhere'].map(
    region => partitionOf(region).id,
  )
  assert.deepEqual(found, ['aws', 'aws-cn', 'aws-us-gov', 'aws-eusc', 'aws', 'aws'])
  assert.equal(partitionById('aws-cn')?.dnsSuffix, 'amazonaws.com.cn')
  assert.equal(partitionById('azure'), undefined)
  assert.ok(isRegion('eu-west-1') && !isRegion('EU') && !isRegion('a.b') && !isRegion('') && !isRegion('a/b') && !isRegion('-a'))
  assert.ok(isAccountId('012345678901') && !isAccountId('12345678901') && !isAccountId('１２３４５６７８９０１２'))
})
