// What the claims of a web identity token bring to a session, and what a trust policy may ask about them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { UpdateAssumeRolePolicyCommand } from '@aws-sdk/client-iam'
import { type Clients, clients, refusal } from './clients.ts'
import { assume, federation, issuer, tokenOf, trustPolicy } from './issuer.ts'

const key = issuer.slice('https://'.length)
const all = ['sts:AssumeRoleWithWebIdentity', 'sts:TagSession', 'sts:SetSourceIdentity']

async function trusting(condition: object | undefined, more: object = { Action: all }): Promise<Clients> {
  const world = clients()
  await federation(world, undefined, trustPolicy(condition, more))
  return world
}
const outcome = (call: Promise<unknown>): Promise<string> =>
  call.then(
    () => 'ok',
    (error: Error) => (error.name === 'AccessDenied' ? error.name : `${error.name}: ${error.message}`),
  )

const tags = (principal_tags: unknown, more: object = {}): object => ({
  'https://aws.amazon.com/tags': { principal_tags, ...more },
})
const malformed = 'InvalidIdentityTokenException: The tags claim of the ID Token is malformed.'

for (const [what, claims, expected] of [
  ['a tag', tags({ a: '1' }), 'ok'],
  ['a tag in a list of one', tags({ a: ['1'] }), 'ok'],
  ['a tag in a list of two', tags({ a: ['1', '2'] }), malformed],
  ['a tag that is a number', tags({ a: 1 }), malformed],
  ['the longest tag', tags({ ['k'.repeat(128)]: 'v'.repeat(256) }), 'ok'],
  ['a key too long', tags({ ['k'.repeat(129)]: 'v' }), malformed],
  ['a value too long', tags({ k: 'v'.repeat(257) }), malformed],
  ['no tags in it', { 'https://aws.amazon.com/tags': {} }, 'ok'],
  ['a text as tags', { 'https://aws.amazon.com/tags': 'x' }, malformed],
  ['null as tags', { 'https://aws.amazon.com/tags': null }, malformed],
  ['a source identity that is a number', { 'https://aws.amazon.com/source_identity': 1 }, 'ok'],
] as const) {
  test(`a token with ${what}: ${expected}`, async () => {
    const world = await trusting(undefined)
    assert.equal(await outcome(assume(world, tokenOf(world, claims))), expected)
  })
}

const conditions: readonly (readonly [condition: object, claims: object, more: object, allowed: boolean])[] = [
  [{ StringEquals: { [`${key}:azp`]: 'me' } }, { azp: 'me' }, {}, true],
  [{ StringEquals: { [`${key}:azp`]: 'me' } }, {}, {}, false],
  [{ 'ForAnyValue:StringEquals': { [`${key}:amr`]: 'mfa' } }, { amr: ['pwd', 'mfa'] }, {}, true],
  [{ Null: { [`${key}:amr`]: 'true' } }, {}, {}, true],
  [{ Null: { [`${key}:amr`]: 'true' } }, { amr: ['pwd'] }, {}, false],
  [{ StringEquals: { 'sts:RoleSessionName': 'pod' } }, {}, {}, true],
  [{ NumericEquals: { 'sts:DurationSeconds': '3600' } }, {}, {}, true],
  [{ NumericEquals: { 'sts:DurationSeconds': '900' } }, {}, { DurationSeconds: 900 }, true],
  [{ NumericEquals: { 'sts:DurationSeconds': '3600' } }, {}, { DurationSeconds: 900 }, false],
  [{ Null: { 'sts:TransitiveTagKeys': 'true' } }, tags({ a: '1' }), {}, true],
  [{ Null: { 'sts:TransitiveTagKeys': 'true' } }, tags({ a: '1' }, { transitive_tag_keys: ['a'] }), {}, false],
  [
    { 'ForAllValues:StringEquals': { 'sts:TransitiveTagKeys': 'a' }, Null: { 'sts:TransitiveTagKeys': 'false' } },
    tags({ a: '1' }, { transitive_tag_keys: ['a', 1] }),
    {},
    true,
  ],
  [{ StringEquals: { 'aws:RequestTag/a': '1' } }, tags({ a: '1' }), {}, true],
  [{ StringEquals: { 'sts:SourceIdentity': 'me' } }, { 'https://aws.amazon.com/source_identity': 'me' }, {}, true],
  [{ StringEquals: { 'sts:SourceIdentity': 'me' } }, {}, {}, false],
  [{ StringEquals: { 'aws:RequestedRegion': 'us-east-1' } }, {}, {}, true],
  [{ Bool: { 'aws:SecureTransport': 'true' } }, {}, {}, true],
  [{ StringLike: { 'aws:FederatedProvider': '*:oidc-provider/*' } }, {}, {}, true],
  [{ StringEquals: { [`${key}:aud`]: 'sts.amazonaws.com' } }, { aud: ['sts.amazonaws.com', 'other'] }, {}, true],
  [{ StringEquals: { [`${key}:aud`]: 'other' } }, { aud: ['sts.amazonaws.com', 'other'] }, {}, true],
  [{ StringEquals: { [`${key}:aud`]: 'other' } }, { aud: ['sts.amazonaws.com', 'other'], azp: 'sts.amazonaws.com' }, {}, false],
  [{ StringEquals: { [`${key}:aud`]: 'sts.amazonaws.com' } }, { aud: ['sts.amazonaws.com'], azp: 'other' }, {}, true],
]
for (const [condition, claims, more, allowed] of conditions) {
  test(`a trust policy that wants ${JSON.stringify(condition)}, of ${JSON.stringify({ ...claims, ...more })}: ${allowed ? 'allowed' : 'denied'}`, async () => {
    const world = await trusting(condition)
    assert.equal(await outcome(assume(world, tokenOf(world, claims), more)), allowed ? 'ok' : 'AccessDenied')
  })
}

test('a trust policy may say when', async () => {
  const world = await trusting(undefined)
  const at = (condition: object): Promise<unknown> =>
    world.iam.send(
      new UpdateAssumeRolePolicyCommand({ RoleName: 'app', PolicyDocument: trustPolicy(condition, { Action: all }) }),
    )
  const nowS = Math.floor(world.clock.now() / 1_000)
  for (const [condition, allowed] of [
    [{ NumericEquals: { 'aws:EpochTime': String(nowS) } }, 'ok'],
    [{ NumericLessThan: { 'aws:EpochTime': String(nowS) } }, 'AccessDenied'],
    [{ DateLessThan: { 'aws:CurrentTime': new Date((nowS + 1) * 1_000).toISOString() } }, 'ok'],
  ] as const) {
    await at(condition)
    assert.equal(await outcome(assume(world, tokenOf(world))), allowed, JSON.stringify(condition))
  }
})

test('tags and a source identity need their own rights in the trust policy', async () => {
  for (const [action, claims] of [
    ['sts:TagSession', tags({ a: '1' })],
    ['sts:SetSourceIdentity', { 'https://aws.amazon.com/source_identity': 'me' }],
  ] as const) {
    const without = await trusting(undefined, { Action: all.filter(name => name !== action) })
    assert.equal(await outcome(assume(without, tokenOf(without))), 'ok')
    assert.equal(await outcome(assume(without, tokenOf(without, claims))), 'AccessDenied')
    const made = await trusting(undefined)
    const answer = await assume(made, tokenOf(made, claims))
    assert.equal(answer.SourceIdentity, action === 'sts:TagSession' ? undefined : 'me')
    assert.equal(answer.PackedPolicySize === undefined, action !== 'sts:TagSession')
  }
})

test('a token is good until the second in which it ends, and from five minutes before it begins', async () => {
  const world = await trusting(undefined)
  const nowS = Math.floor(world.clock.now() / 1_000)
  for (const [claims, expected] of [
    [{ exp: nowS + 1 }, 'ok'],
    [
      { exp: nowS },
      `ExpiredTokenException: Token expired: current date/time ${nowS} must be before the expiration date/time ${nowS}`,
    ],
    [{ iat: nowS + 300 }, 'ok'],
    [{ iat: nowS + 301 }, 'InvalidIdentityTokenException: The ID Token is not yet valid.'],
    [{ nbf: nowS + 300 }, 'ok'],
    [{ nbf: nowS + 301 }, 'InvalidIdentityTokenException: The ID Token is not yet valid.'],
    [{ nbf: undefined }, 'ok'],
  ] as const)
    assert.equal(await outcome(assume(world, tokenOf(world, claims))), expected, JSON.stringify(claims))
  const early = { iat: nowS + 400, nbf: nowS + 500 }
  await refusal(assume(world, tokenOf(world, early)))
  const refused = world.aws.calls.last()?.requestId ?? ''
  const step = world.aws.explain(refused)?.steps.find(one => one.link === 'token lifetime')
  assert.deepEqual(step, { link: 'token lifetime', holds: false, detail: `it is valid from ${nowS + 500}, now is ${nowS}` })
})
