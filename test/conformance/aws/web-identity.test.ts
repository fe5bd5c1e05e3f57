import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import {
  CreateOpenIDConnectProviderCommand,
  CreateRoleCommand,
  DeleteOpenIDConnectProviderCommand,
  PutRolePolicyCommand,
  UpdateAssumeRolePolicyCommand,
} from '@aws-sdk/client-iam'
import { DeleteObjectCommand, PutObjectCommand, PutPublicAccessBlockCommand } from '@aws-sdk/client-s3'
import { GetCallerIdentityCommand } from '@aws-sdk/client-sts'
import { accountA, accountB, type Clients, clients, refusal } from './clients.ts'
import {
  assume,
  bucket,
  claimsOf,
  condition,
  discovery,
  ecKey,
  encoded,
  federation,
  issuer,
  jwkOf,
  openBucket,
  providerArn,
  publish,
  put,
  roleArn,
  rsaKey,
  signed,
  subject,
  tokenOf,
  trustPolicy,
} from './issuer.ts'

const notJwt = 'The ID Token provided is not a valid JWT. (You may see this error if you sent an Access Token)'
const noKey =
  "Couldn't retrieve verification key from your identity provider,  please reference AssumeRoleWithWebIdentity documentation for requirements"
const notAuthorized = ['AccessDenied', 403, 'Not authorized to perform sts:AssumeRoleWithWebIdentity']
/** Its two times differ from run to run. */
const expired = ['ExpiredTokenException', 400, 'Token expired: current date/time N must be before the expiration date/time N']
const invalid = (message: string): readonly unknown[] => ['InvalidIdentityTokenException', 400, message]

async function refused(promise: Promise<unknown>): Promise<readonly unknown[]> {
  const { code, status, message } = await refusal(promise)
  return [code, status, message]
}

/** The link that broke, by the explanation of the last call. */
function brokenLink({ aws }: Clients): string | undefined {
  const steps = aws.explain(aws.calls.last({ service: 'sts' })?.requestId ?? '')?.steps ?? []
  return steps.find(step => !step.holds)?.link
}

async function federated(
  ...more: Parameters<typeof federation> extends [Clients, ...infer Rest] ? Rest : never
): Promise<Clients> {
  const world = clients()
  await federation(world, ...more)
  return world
}

test('published documents, provider, trust and token together give credentials, and nothing less does [#42]', async () => {
  const world = await federated()
  const answer = await assume(world, tokenOf(world))
  assert.deepEqual(
    [answer.Audience, answer.SubjectFromWebIdentityToken, answer.Provider],
    ['sts.amazonaws.com', subject, providerArn],
  )
  assert.match(answer.AssumedRoleUser?.AssumedRoleId ?? '', /^AROA[A-Z2-7]{17}:pod$/)
  assert.match(answer.Credentials?.AccessKeyId ?? '', /^ASIA[A-Z2-7]{16}$/)
  const token = answer.Credentials?.SessionToken ?? ''
  assert.ok(token.length >= 300 && token.length <= 900 && ['+', '/', '='].every(character => token.includes(character)))
  const credentials = {
    accessKeyId: answer.Credentials?.AccessKeyId ?? '',
    secretAccessKey: answer.Credentials?.SecretAccessKey ?? '',
    sessionToken: token,
  }
  const { Arn } = await world.as({ credentials }).sts.send(new GetCallerIdentityCommand({}))
  assert.equal(Arn, `arn:aws:sts::${accountA}:assumed-role/app/pod`)
  const explained = world.aws.explain(world.aws.calls.last({ operation: 'AssumeRoleWithWebIdentity' })?.requestId ?? '')
  assert.deepEqual(
    explained?.steps.map(step => [step.link, step.holds]),
    [
      'parameters',
      'token',
      'OIDC provider',
      'audience',
      'issuer documents',
      'key',
      'token signature',
      'token lifetime',
      'trust policy',
    ].map(link => [link, true]),
  )
})

test('an EC key serves as well as an RSA key [#42]', async () => {
  const key = ecKey('ec1')
  const world = await federated([jwkOf(key)])
  assert.equal((await assume(world, tokenOf(world, {}, key))).Audience, 'sts.amazonaws.com')
})

test('while the public access block is on, STS cannot read the issuer documents [#43]', async () => {
  const world = await federated()
  const blocked = { BlockPublicAcls: true, IgnorePublicAcls: true, BlockPublicPolicy: true, RestrictPublicBuckets: true }
  await world.s3.send(new PutPublicAccessBlockCommand({ Bucket: bucket, PublicAccessBlockConfiguration: blocked }))
  assert.deepEqual(await refused(assume(world, tokenOf(world))), invalid(noKey))
  assert.deepEqual(
    world.aws.issuerFetches().map(fetch => fetch.outcome),
    ['403'],
  )
})

test('a key set that is missing looks forbidden to the anonymous reader [#44]', async () => {
  const world = await federated()
  await world.s3.send(new DeleteObjectCommand({ Bucket: bucket, Key: 'keys.json' }))
  assert.deepEqual(await refused(assume(world, tokenOf(world))), invalid(noKey))
  assert.deepEqual(
    world.aws.issuerFetches().map(fetch => fetch.outcome),
    ['200', '403'],
  )
})

test('a key without kid never matches; an empty kid on both sides does [#45]', async () => {
  const { kid: _kid, ...nameless } = jwkOf(rsaKey('k1')) as { kid: string }
  const world = await federated([nameless])
  assert.deepEqual(await refused(assume(world, tokenOf(world))), invalid(noKey))
  await publish(world, [jwkOf(rsaKey(''))])
  assert.equal((await assume(world, tokenOf(world, {}, rsaKey('')))).Audience, 'sts.amazonaws.com')
})

test('an issuer that differs by a trailing slash is another issuer [#46]', async () => {
  const world = await federated()
  const iss = `${issuer}/`
  assert.deepEqual(
    await refused(assume(world, tokenOf(world, { iss }))),
    invalid(`No OpenIDConnect provider found in your account for ${iss}`),
  )
})

test('an audience must be known to the provider, and be the one that the trust policy wants [#47]', async () => {
  const world = await federated()
  assert.deepEqual(await refused(assume(world, tokenOf(world, { aud: 'other' }))), invalid('Incorrect token audience'))
  await world.iam.send(
    new UpdateAssumeRolePolicyCommand({
      RoleName: 'app',
      PolicyDocument: trustPolicy(condition('StringEquals', 'aud', 'other')),
    }),
  )
  assert.deepEqual(await refused(assume(world, tokenOf(world))), notAuthorized)
  assert.equal(brokenLink(world), 'trust policy')
})

test('another service account, and a role that does not exist, get the same answer [#48]', async () => {
  const world = await federated()
  assert.deepEqual(await refused(assume(world, tokenOf(world, { sub: 'system:serviceaccount:team-a:other' }))), notAuthorized)
  assert.deepEqual(await refused(assume(world, tokenOf(world), { RoleArn: `${roleArn}x` })), notAuthorized)
  assert.equal(brokenLink(world), 'role')
})

test('a pattern is a pattern under StringLike only [#49]', async () => {
  const pattern = 'system:serviceaccount:team-*:app'
  const world = await federated(undefined, trustPolicy(condition('StringLike', 'sub', pattern)))
  await assume(world, tokenOf(world))
  assert.deepEqual(await refused(assume(world, tokenOf(world, { sub: 'system:serviceaccount:other:app' }))), notAuthorized)
  await world.iam.send(
    new UpdateAssumeRolePolicyCommand({
      RoleName: 'app',
      PolicyDocument: trustPolicy(condition('StringEquals', 'sub', pattern)),
    }),
  )
  assert.deepEqual(await refused(assume(world, tokenOf(world))), notAuthorized)
})

test('a trust policy without conditions lets every subject of the issuer in, and the explanation says so [#50]', async () => {
  const world = clients()
  await federation(world, undefined, trustPolicy(undefined, {}).replace(/,"Condition":.*?\}\}(?=\})/, ''))
  await assume(world, tokenOf(world, { sub: 'system:serviceaccount:anybody:else' }))
  const steps = world.aws.explain(world.aws.calls.last()?.requestId ?? '')?.steps ?? []
  assert.match(steps.at(-1)?.detail ?? '', /it has no condition, so every subject of the issuer is let in/)
})

test('an expired token, and one signed by another key under a known kid, are refused [#51]', async () => {
  const world = await federated()
  const token = tokenOf(world)
  await world.clock.advance(3_600_000)
  const now = Math.floor(world.clock.now() / 1000)
  const { code, status, message } = await refusal(assume(world, token))
  assert.deepEqual([code, status], ['ExpiredTokenException', 400])
  assert.match(message, new RegExp(`^Token expired: current date/time ${now} must be before the expiration date/time \\d+$`))
  const forged = await refusal(assume(world, signed({ ...rsaKey('k1', 1) }, claimsOf(world))))
  assert.deepEqual([forged.code, forged.status], ['InvalidIdentityTokenException', 400])
  assert.equal(brokenLink(world), 'token signature')
})

test('a rotated key is fetched when a token names it, and an old one dies when the cache does [#52]', async () => {
  const world = clients({ knobs: { jwksTtlMs: 300_000 } })
  await federation(world, [jwkOf(rsaKey('old'))])
  await assume(world, tokenOf(world, {}, rsaKey('old')))
  await publish(world, [jwkOf(rsaKey('old')), jwkOf(rsaKey('new', 1))])
  await assume(world, tokenOf(world, {}, rsaKey('new', 1)))
  await publish(world, [jwkOf(rsaKey('new', 1))])
  await assume(world, tokenOf(world, {}, rsaKey('old')))
  await world.clock.advance(300_000)
  assert.deepEqual(await refused(assume(world, tokenOf(world, {}, rsaKey('old')))), invalid(noKey))
})

test('an unknown key forces a fetch only every ten seconds [#52]', async () => {
  const world = clients({ knobs: { jwksTtlMs: 300_000 } })
  await federation(world)
  const stranger = (): Promise<readonly unknown[]> => refused(assume(world, tokenOf(world, {}, rsaKey('unknown'))))
  await assume(world, tokenOf(world))
  const before = world.aws.issuerFetches().length
  for (const _ of [1, 2, 3]) assert.deepEqual(await stranger(), invalid(noKey))
  assert.equal(world.aws.issuerFetches().length, before + 2)
  await world.clock.advance(10_000)
  await stranger()
  assert.equal(world.aws.issuerFetches().length, before + 4)
})

test('an issuer that takes six seconds is one that cannot be reached [#53]', async () => {
  const world = await federated()
  world.aws.faults.add({ match: { service: 'issuer' }, effect: { kind: 'slow-issuer', ms: 6_000 }, times: 1 })
  const waiting = refused(assume(world, tokenOf(world)))
  await world.clock.advance(6_000)
  assert.deepEqual(await waiting, invalid(noKey))
  await assume(world, tokenOf(world))
})

test("the SDK's own retries do not hide that an issuer is slow, as they would a passing fault of the network [#53]", async () => {
  const world = clients({ maxAttempts: 3 })
  await federation(world)
  world.aws.faults.add({ match: { service: 'issuer' }, effect: { kind: 'slow-issuer', ms: 6_000 }, times: 1 })
  const waiting = refused(assume(world, tokenOf(world)))
  await world.clock.advance(6_000)
  assert.deepEqual(await waiting, invalid(noKey))
  assert.equal(world.aws.calls.count({ operation: 'AssumeRoleWithWebIdentity' }), 1)
})

test('with its provider gone a role cannot be assumed any more, but sessions live on [#54]', async () => {
  const world = await federated()
  const { Credentials: made } = await assume(world, tokenOf(world))
  await world.iam.send(new DeleteOpenIDConnectProviderCommand({ OpenIDConnectProviderArn: providerArn }))
  assert.deepEqual(
    await refused(assume(world, tokenOf(world))),
    invalid(`No OpenIDConnect provider found in your account for ${issuer}`),
  )
  const credentials = {
    accessKeyId: made?.AccessKeyId ?? '',
    secretAccessKey: made?.SecretAccessKey ?? '',
    sessionToken: made?.SessionToken ?? '',
  }
  await world.as({ credentials }).sts.send(new GetCallerIdentityCommand({}))
})

test('the provider must be in the account of the role [#55]', async () => {
  const world = await federated()
  await world
    .as({ account: accountB })
    .iam.send(new CreateRoleCommand({ RoleName: 'app', AssumeRolePolicyDocument: trustPolicy() }))
  assert.deepEqual(
    await refused(assume(world, tokenOf(world), { RoleArn: `arn:aws:iam::${accountB}:role/app` })),
    invalid(`No OpenIDConnect provider found in your account for ${issuer}`),
  )
})

test('tags in a token need sts:TagSession, and are principal tags then [#60]', async () => {
  const world = await federated()
  const claim = { 'https://aws.amazon.com/tags': { principal_tags: { team: ['a'] }, transitive_tag_keys: ['team'] } }
  assert.deepEqual(await refused(assume(world, tokenOf(world, claim))), notAuthorized)
  const actions = trustPolicy(undefined, { Action: ['sts:AssumeRoleWithWebIdentity', 'sts:TagSession'] })
  await world.iam.send(new UpdateAssumeRolePolicyCommand({ RoleName: 'app', PolicyDocument: actions }))
  const { Credentials: made } = await assume(world, tokenOf(world, claim))
  const statement = { Effect: 'Allow', Action: 's3:PutObject', Resource: `arn:aws:s3:::${bucket}/\${aws:PrincipalTag/team}/*` }
  const PolicyDocument = JSON.stringify({ Version: '2012-10-17', Statement: [statement] })
  await world.iam.send(new PutRolePolicyCommand({ RoleName: 'app', PolicyName: 'p', PolicyDocument }))
  const credentials = {
    accessKeyId: made?.AccessKeyId ?? '',
    secretAccessKey: made?.SecretAccessKey ?? '',
    sessionToken: made?.SessionToken ?? '',
  }
  const pod = world.as({ credentials }).s3
  await pod.send(new PutObjectCommand({ Bucket: bucket, Key: 'a/x', Body: 'x' }))
  assert.equal((await refusal(pod.send(new PutObjectCommand({ Bucket: bucket, Key: 'b/x', Body: 'x' })))).code, 'AccessDenied')
})

// Attacks: each is a token or a document that looks almost right.

const attacks: readonly (readonly [
  name: string,
  (world: Clients) => Promise<string> | string,
  readonly unknown[],
  link: string,
])[] = [
  [
    'an issuer that is not registered',
    world => tokenOf(world, { iss: 'https://evil.example' }),
    invalid('No OpenIDConnect provider found in your account for https://evil.example'),
    'OIDC provider',
  ],
  [
    'an issuer that begins like the real one',
    world => tokenOf(world, { iss: `${issuer}.evil.example` }),
    invalid(`No OpenIDConnect provider found in your account for ${issuer}.evil.example`),
    'OIDC provider',
  ],
  [
    'an issuer in other letter case',
    world => tokenOf(world, { iss: issuer.replace('s3', 'S3') }),
    invalid(`No OpenIDConnect provider found in your account for ${issuer.replace('s3', 'S3')}`),
    'OIDC provider',
  ],
  [
    'an issuer over http',
    world => tokenOf(world, { iss: issuer.replace('https', 'http') }),
    invalid(`No OpenIDConnect provider found in your account for ${issuer.replace('https', 'http')}`),
    'OIDC provider',
  ],
  [
    'a list of audiences without the right one',
    world => tokenOf(world, { aud: ['a', 'b'] }),
    invalid('Incorrect token audience'),
    'audience',
  ],
  [
    'a list of audiences whose authorised party is another',
    world => tokenOf(world, { aud: ['sts.amazonaws.com', 'b'], azp: 'b' }),
    invalid('Incorrect token audience'),
    'audience',
  ],
  [
    'an audience that only begins like the right one',
    world => tokenOf(world, { aud: 'sts.amazonaws.com.cn' }),
    invalid('Incorrect token audience'),
    'audience',
  ],
  ['no audience at all', world => tokenOf(world, { aud: undefined }), invalid('Missing a required claim: aud'), 'token'],
  ['an empty list of audiences', world => tokenOf(world, { aud: [] }), invalid(notJwt), 'token'],
  [
    'the algorithm "none"',
    world => `${encoded({ alg: 'none', kid: 'k1' })}.${encoded(claimsOf(world))}.`,
    invalid(notJwt),
    'token',
  ],
  [
    'the algorithm "none" with a signature',
    world => `${encoded({ alg: 'none', kid: 'k1' })}.${encoded(claimsOf(world))}.AAAA`,
    invalid(notJwt),
    'token',
  ],
  ['a shared secret made of the public key', confusedToken, invalid(notJwt), 'token'],
  [
    'an algorithm that the key is not for',
    world => signed(rsaKey('k1'), claimsOf(world), { alg: 'RS512' }),
    invalid(noKey),
    'key',
  ],
  ['an EC algorithm under the name of an RSA key', world => signed(ecKey('k1'), claimsOf(world)), invalid(noKey), 'key'],
  ['an unknown kid', world => tokenOf(world, {}, rsaKey('k2')), invalid(noKey), 'key'],
  ['a header without kid', world => signed(rsaKey('k1'), claimsOf(world), { kid: undefined }), invalid(noKey), 'key'],
  [
    'a header that brings its own key',
    world => signed(rsaKey('own', 1), claimsOf(world), { jwk: jwkOf(rsaKey('own', 1)) }),
    invalid(noKey),
    'key',
  ],
  [
    'critical header extensions',
    world => signed(rsaKey('k1'), claimsOf(world), { crit: ['b64'], b64: false }),
    invalid(notJwt),
    'token',
  ],
  [
    'claims changed after signing',
    world => changedToken(world),
    ['InvalidIdentityTokenException', 400, 'The ID Token could not be verified: its signature does not match the key.'],
    'token signature',
  ],
  ['an expired token', world => tokenOf(world, { exp: Math.floor(world.clock.now() / 1000) }), expired, 'token lifetime'],
  [
    'a token not yet valid',
    world => tokenOf(world, { nbf: Math.floor(world.clock.now() / 1000) + 301 }),
    invalid('The ID Token is not yet valid.'),
    'token lifetime',
  ],
  [
    'a token issued in the future',
    world => tokenOf(world, { iat: Math.floor(world.clock.now() / 1000) + 301 }),
    invalid('The ID Token is not yet valid.'),
    'token lifetime',
  ],
  ['an expiry that is no whole number', world => tokenOf(world, { exp: 4e9 + 0.5 }), invalid(notJwt), 'token'],
  ['an expiry as text', world => tokenOf(world, { exp: '4000000000' }), invalid(notJwt), 'token'],
  [
    'the subject of another namespace',
    world => tokenOf(world, { sub: 'system:serviceaccount:team-b:app' }),
    notAuthorized,
    'trust policy',
  ],
  [
    'a subject that only begins like the right one',
    world => tokenOf(world, { sub: `${subject}-2` }),
    notAuthorized,
    'trust policy',
  ],
  ['a subject in other letter case', world => tokenOf(world, { sub: subject.toUpperCase() }), notAuthorized, 'trust policy'],
  ['padding in the signature', world => `${tokenOf(world)}=`, invalid(notJwt), 'token'],
  ['four parts', world => `${tokenOf(world)}.x`, invalid(notJwt), 'token'],
  ['an access token that is no JWT', () => 'gho_16C7e42F292c6912E7710c838347Ae178B4a', invalid(notJwt), 'token'],
]
for (const [name, token, expected, link] of attacks) {
  test(`attack: ${name}`, async () => {
    const world = await federated()
    const met = await refused(assume(world, await token(world)))
    assert.deepEqual(
      met.map(part => (typeof part === 'string' ? part.replace(/\d{10}/g, 'N') : part)),
      expected,
    )
    assert.equal(brokenLink(world), link)
    assert.equal(
      world.aws.calls.all().some(call => JSON.stringify(call).includes(encoded(claimsOf(world)))),
      false,
    )
  })
}

test('attack: a provider that was deleted, and one that was made anew for another audience', async () => {
  const world = await federated()
  await world.iam.send(new DeleteOpenIDConnectProviderCommand({ OpenIDConnectProviderArn: providerArn }))
  assert.deepEqual(
    await refused(assume(world, tokenOf(world))),
    invalid(`No OpenIDConnect provider found in your account for ${issuer}`),
  )
  await world.iam.send(new CreateOpenIDConnectProviderCommand({ Url: issuer, ClientIDList: ['another'] }))
  assert.deepEqual(await refused(assume(world, tokenOf(world))), invalid('Incorrect token audience'))
})

const patterns: readonly (readonly [operator: string, pattern: string])[] = [
  ['StringEquals', 'system:serviceaccount:*:app'],
  ['StringEquals', '*'],
  ['StringLike', 'system:serviceaccount:team-b:*'],
  ['StringLike', 'system:serviceaccount:team-?:ap'],
  ['StringLike', 'system:serviceaccount:TEAM-A:*'],
  ['StringLike', ''],
]
for (const [operator, pattern] of patterns) {
  test(`attack: a trust policy on the wildcard "${pattern}" under ${operator} reaches no further than it says`, async () => {
    const world = await federated(undefined, trustPolicy(condition(operator, 'sub', pattern)))
    assert.deepEqual(await refused(assume(world, tokenOf(world))), notAuthorized)
  })
}

function confusedToken(world: Clients): string {
  const text = `${encoded({ alg: 'HS256', kid: 'k1' })}.${encoded(claimsOf(world))}`
  return `${text}.${createHmac('sha256', JSON.stringify(jwkOf(rsaKey('k1'))))
    .update(text)
    .digest('base64url')}`
}

function changedToken(world: Clients): string {
  const [header, , signature] = tokenOf(world, { sub: 'system:serviceaccount:team-b:app' }).split('.')
  return `${header}.${encoded(claimsOf(world))}.${signature}`
}

test('attack: a key that was withdrawn from the set', async () => {
  const world = await federated()
  await publish(world, [jwkOf(rsaKey('k2', 1))])
  assert.deepEqual(await refused(assume(world, tokenOf(world))), invalid(noKey))
})

const documents: readonly (readonly [string, string | object])[] = [
  ['of another issuer', { ...discovery, issuer: 'https://evil.example' }],
  ['without an issuer', { jwks_uri: discovery.jwks_uri }],
  ['whose keys lie on plain http', { ...discovery, jwks_uri: discovery.jwks_uri.replace('https', 'http') }],
  ['whose keys lie on a host that is not reachable', { ...discovery, jwks_uri: 'https://evil.example/keys.json' }],
  ['that is no JSON', '<html>'],
  ['that is a list', '[]'],
]
for (const [name, document] of documents) {
  test(`attack: a discovery document ${name}`, async () => {
    const world = await federated()
    await put(world, '.well-known/openid-configuration', document)
    assert.deepEqual(await refused(assume(world, tokenOf(world))), invalid(noKey))
    assert.equal(brokenLink(world), 'issuer documents')
  })
}

const keySets: readonly (readonly [string, string | object])[] = [
  ['that is no JSON', 'no'],
  ['without keys', {}],
  [
    'with a hundred and one RSA keys',
    { keys: Array.from({ length: 101 }, (_, index) => jwkOf(rsaKey(index === 0 ? 'k1' : `x${index}`))) },
  ],
  ['whose key is for encryption', { keys: [jwkOf(rsaKey('k1'), { use: 'enc' })] }],
  ['whose key is for another algorithm', { keys: [jwkOf(rsaKey('k1'), { alg: 'RS384' })] }],
]
for (const [name, document] of keySets) {
  test(`attack: a key set ${name}`, async () => {
    const world = await federated()
    await put(world, 'keys.json', document)
    assert.deepEqual(await refused(assume(world, tokenOf(world))), invalid(noKey))
  })
}

const trusts: readonly (readonly [string, object])[] = [
  ['everybody in AWS', { Principal: '*' }],
  ['an account', { Principal: { AWS: accountA } }],
  ['another provider', { Principal: { Federated: `${providerArn}/x` } }],
  ['the right provider for another action', { Action: 'sts:AssumeRole' }],
]
for (const [name, change] of trusts) {
  test(`attack: a trust policy that names ${name}`, async () => {
    const world = await federated(undefined, trustPolicy(undefined, change))
    assert.deepEqual(await refused(assume(world, tokenOf(world))), notAuthorized)
  })
}

test('attack: a Deny for everybody also holds for web identities', async () => {
  const world = clients()
  const { Statement: allow } = JSON.parse(trustPolicy()) as { Statement: object[] }
  const deny = { Effect: 'Deny', Principal: '*', Action: 'sts:*', Condition: condition('StringEquals', 'sub', subject) }
  await federation(world, undefined, JSON.stringify({ Version: '2012-10-17', Statement: [...allow, deny] }))
  assert.deepEqual(await refused(assume(world, tokenOf(world))), notAuthorized)
})

test('attack: a bucket that was made private', async () => {
  const world = clients()
  await openBucket(world)
  await publish(world, [jwkOf(rsaKey('k1'))])
  await world.iam.send(new CreateOpenIDConnectProviderCommand({ Url: issuer, ClientIDList: ['sts.amazonaws.com'] }))
  await world.iam.send(new CreateRoleCommand({ RoleName: 'app', AssumeRolePolicyDocument: trustPolicy() }))
  await assume(world, tokenOf(world))
  const RestrictPublicBuckets = true
  await world.s3.send(
    new PutPublicAccessBlockCommand({ Bucket: bucket, PublicAccessBlockConfiguration: { RestrictPublicBuckets } }),
  )
  assert.deepEqual(await refused(assume(world, tokenOf(world))), invalid(noKey))
})
