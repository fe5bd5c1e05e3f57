// A refused text may be as long as anything: a message repeats its beginning, so that it fits a condition.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { asProviderArn, parseIssuerUrl, tryParseEksClusterArn } from '../names/arn.ts'
import type { Audience } from '../names/audience.ts'
import { NameError } from '../names/name-error.ts'
import { parsePolicy } from './parse-policy.ts'
import { podIdentityTrust, renderSubject, webIdentityTrust } from './trust-policy.ts'

const issuer = parseIssuerUrl('https://a.example.com')
const provider = asProviderArn('arn:aws:iam::123456789012:oidc-provider/a.example.com')
const clusterArn = tryParseEksClusterArn('arn:aws:eks:eu-west-1:123456789012:cluster/c1')?.arn ?? assert.fail()
const subject = { namespace: 'team', name: 'app' }

const trusts: Readonly<Record<string, (text: string) => unknown>> = {
  'a namespace': namespace => renderSubject({ namespace, name: 'app' }),
  'a ServiceAccount': name => renderSubject({ namespace: 'team', name }),
  'an audience': text => webIdentityTrust({ provider, issuer, audience: text as Audience, subjects: [subject] }),
  'an organization': organizationId => podIdentityTrust({ clusterArn, subject, organizationId }),
}

for (const [what, trust] of Object.entries(trusts))
  test(`what is no name of ${what} is repeated to its 200th character`, () =>
    assert.throws(
      () => trust('*'.repeat(300)),
      ({ message }: Error) => message.includes(`"${'*'.repeat(200)}" `),
    ))

test('a name of 200 characters is repeated whole, and a longer one to there with a mark', () => {
  assert.match(new NameError('region', 'x'.repeat(200), 'y').message, /^"x{200}" is no region: y$/)
  assert.match(new NameError('region', 'x'.repeat(201), 'y').message, /^"x{200}…" is no region: y$/)
})

const long = '!'.repeat(300)
const policies: Readonly<Record<string, string>> = {
  'an action': `{"Statement":{"Effect":"Allow","Action":"${long}","Resource":"*"}}`,
  'a resource': `{"Statement":{"Effect":"Allow","Action":"*","Resource":"${long}"}}`,
  'an operator': `{"Statement":{"Effect":"Allow","Action":"*","Resource":"*","Condition":{"${long}":{}}}}`,
  'a key that stands there twice': `{"Statement":{"Effect":"Allow","Action":"*","Resource":"*","Condition":{"Bool":{"${long}":"a","${long}":"b"}}}}`,
  'an unknown key': `{"${long}":1,"Statement":{"Effect":"Allow","Action":"*","Resource":"*"}}`,
}

for (const [what, text] of Object.entries(policies))
  test(`${what} that is refused is repeated to its 100th character`, () => {
    const { message = '', path = '' } = parsePolicy(text, 'identity').problems?.[0] ?? {}
    const excerpt = `"${'!'.repeat(100)}"`
    assert.ok(message.includes(excerpt), message)
    if (what.includes('key') || what === 'an operator') assert.ok(path.includes(excerpt), path)
  })

test('fifty problems of a policy are told, and no more', () => {
  const policyOf = (count: number): string =>
    JSON.stringify({ Statement: { Effect: 'Allow', Action: Array.from({ length: count }, () => '!'), Resource: '*' } })
  for (const [count, told] of [
    [50, 50],
    [51, 50],
  ] as const)
    assert.equal(parsePolicy(policyOf(count), 'identity').problems?.length, told)
})

const messages: readonly (readonly [text: string, path: string, message: string])[] = [
  ['[]', '', 'expected an object, found an array'],
  ['7', '', 'expected an object, found a number'],
  ['null', '', 'expected an object, found null'],
  ['{"Statement":"x"}', 'Statement', 'expected an object, found a string'],
  ['{"Statement":[true]}', 'Statement[0]', 'expected an object, found a boolean'],
  ['{"statement":{"Effect":"Allow"}}', 'statement', 'unknown key "statement": did you mean "Statement"?'],
  ['{"Foo":{}}', 'Foo', 'unknown key "Foo": known are Version, Id, Statement'],
  ['{"Id":{},"Statement":[]}', 'Id', 'expected a text, found an object'],
]

for (const [text, path, message] of messages)
  test(`the first problem of ${text} says: ${message}`, () => {
    const [problem] = parsePolicy(text, 'identity').problems ?? []
    assert.deepEqual([problem?.path, problem?.message], [path, message])
  })
