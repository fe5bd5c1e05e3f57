// The exchange of a ServiceAccount's token for an access token, and what each fault of it is told.
import assert from 'node:assert/strict'
import { createPublicKey, verify } from 'node:crypto'
import { test } from 'node:test'
import { readToken } from '#base'
import { audience, codeOf, document, entraWorld, issuer, makeOrders, subject } from '../testing/world.ts'

test('the token of the ServiceAccount becomes an access token that the tenant’s published key signed', async () => {
  await using world = await entraWorld()
  const { clientId, principalId } = await makeOrders(world)
  const { status, body } = await world.exchange({ client_id: clientId })
  assert.deepEqual([status, body['token_type']], [200, 'Bearer'])
  const { tenant } = world.entra.administrator
  const reading = readToken(String(body['access_token']))
  assert.equal(reading.kind, 'token')
  if (reading.kind !== 'token') return
  const { claims, keyId, signedText, signature } = reading.token
  assert.deepEqual(
    [claims.iss, claims.aud, claims.sub, claims.all['oid'], claims.all['appid'], claims.all['tid'], claims.all['idtyp']],
    [`https://sts.windows.net/${tenant}/`, ['https://vault.azure.net'], principalId, principalId, clientId, tenant, 'app'],
  )
  const minutes = (claims.exp - claims.iat) / 60
  assert.ok(minutes >= 60 && minutes <= 90, `${minutes} minutes`)
  const published = await world.ask('GET', `/${tenant}/discovery/v2.0/keys`)
  const keys = published.body['keys'] as readonly { kid: string; kty: string; n: string; e: string }[]
  assert.equal(keys.length, 2)
  const key = keys.find(({ kid }) => kid === keyId)
  assert.ok(key)
  assert.ok(verify('sha256', Buffer.from(signedText), createPublicKey({ key: { ...key }, format: 'jwk' }), signature))
})

test('a token outlives a change of the tenant’s key, and the one after it', async () => {
  await using world = await entraWorld()
  const { clientId } = await makeOrders(world)
  const { tenant } = world.entra.administrator
  const kids = async (): Promise<readonly string[]> =>
    ((await world.ask('GET', `/${tenant}/discovery/v2.0/keys`)).body['keys'] as readonly { kid: string }[]).map(({ kid }) => kid)
  const before = await kids()
  await world.clock.advance(30 * 24 * 3_600_000)
  const after = await kids()
  assert.deepEqual([after.length, after[1]], [2, before[0]])
  assert.notEqual(after[0], before[0])
  assert.equal((await world.exchange({ client_id: clientId })).status, 200)
})

test('a client that can be told of the end of a token gets one for a day; an application of version 2 gets tokens of its own form', async () => {
  await using world = await entraWorld()
  const { clientId } = await makeOrders(world)
  const claims = JSON.stringify({ access_token: { xms_cc: { values: ['cp1'] } } })
  assert.equal((await world.exchange({ client_id: clientId, claims })).body['expires_in'], 24 * 3_600 - 1)
  const { body: made } = await world.graph('POST', 'applications', {
    displayName: 'billing',
    identifierUris: ['api://billing'],
    api: { requestedAccessTokenVersion: 2 },
  })
  await world.graph('POST', 'servicePrincipals', { appId: made['appId'] })
  const { body } = await world.exchange({ client_id: clientId, scope: 'api://billing/.default' })
  const reading = readToken(String(body['access_token']))
  assert.equal(reading.kind, 'token')
  if (reading.kind !== 'token') return
  const { all, aud, iss } = reading.token.claims
  const { tenant } = world.entra.administrator
  assert.deepEqual(
    [aud, iss, all['azp'], all['ver']],
    [[made['appId']], `https://login.microsoftonline.com/${tenant}/v2.0`, clientId, '2.0'],
  )
})

const stranger = '11111111-2222-4333-8444-555555555555'

/** The fields of the request, and the code that it is refused with. */
const refused: Readonly<
  Record<
    string,
    readonly [
      fields: (token: ReturnType<typeof tokens>) => Readonly<Record<string, string | undefined>>,
      code: number,
      status: number,
      error: string,
    ]
  >
> = {
  'no grant type': [() => ({ grant_type: undefined }), 900144, 400, 'invalid_request'],
  'another grant type': [() => ({ grant_type: 'password' }), 70003, 400, 'unsupported_grant_type'],
  'no client': [() => ({ client_id: undefined }), 900144, 400, 'invalid_request'],
  'no scope': [() => ({ scope: undefined }), 900144, 400, 'invalid_request'],
  'two scopes': [() => ({ scope: 'a/.default b/.default' }), 70011, 400, 'invalid_scope'],
  'a scope that is none': [() => ({ scope: '.default' }), 70011, 400, 'invalid_scope'],
  'a single permission': [() => ({ scope: 'https://vault.azure.net/secrets.read' }), 1002012, 400, 'invalid_scope'],
  'an application of nobody': [() => ({ client_id: stranger }), 700016, 400, 'unauthorized_client'],
  'no credential': [() => ({ client_assertion: undefined }), 7000218, 401, 'invalid_client'],
  'a secret that is none': [() => ({ client_assertion: undefined, client_secret: 'wrong' }), 7000215, 401, 'invalid_client'],
  'an assertion of another type': [() => ({ client_assertion_type: 'saml' }), 50027, 401, 'invalid_client'],
  'an assertion that is no token': [() => ({ client_assertion: 'a.b' }), 50027, 401, 'invalid_client'],
  'a token without a subject': [t => ({ client_assertion: t({ sub: undefined }) }), 50027, 401, 'invalid_client'],
  'an issuer without its slash': [t => ({ client_assertion: t({ iss: issuer.slice(0, -1) }) }), 700211, 401, 'invalid_client'],
  'an issuer in other letters': [t => ({ client_assertion: t({ iss: issuer.toUpperCase() }) }), 700211, 401, 'invalid_client'],
  'another subject': [t => ({ client_assertion: t({ sub: `${subject}-2` }) }), 700213, 401, 'invalid_client'],
  'a subject in other letters': [
    t => ({ client_assertion: t({ sub: subject.replace('orders', 'Orders') }) }),
    700213,
    401,
    'invalid_client',
  ],
  'another audience': [t => ({ client_assertion: t({ aud: ['sts.amazonaws.com'] }) }), 700212, 401, 'invalid_client'],
  'two audiences': [t => ({ client_assertion: t({ aud: [audience, 'b'] }) }), 700212, 401, 'invalid_client'],
  'a token that ended': [t => ({ client_assertion: t({ iat: 1, nbf: 1, exp: 10 }) }), 700024, 401, 'invalid_client'],
  'a token of the future': [t => ({ client_assertion: t({ nbf: 4e9, iat: 4e9, exp: 4.1e9 }) }), 700024, 401, 'invalid_client'],
  'a key that the issuer does not publish': [
    t => ({ client_assertion: t({}, { kid: 'other' }) }),
    7000272,
    401,
    'invalid_client',
  ],
  'a token without a key id': [t => ({ client_assertion: t({}, { kid: undefined }) }), 50027, 401, 'invalid_client'],
  'a resource of nobody': [() => ({ scope: 'api://nobody/.default' }), 500011, 400, 'invalid_resource'],
}

const tokens = (world: Awaited<ReturnType<typeof entraWorld>>) => world.issuer.token

test('each fault of a request is told with its code, its reason and the value that did not match', async t => {
  await using world = await entraWorld()
  const { clientId } = await makeOrders(world)
  for (const [name, [fields, code, status, error]] of Object.entries(refused))
    await t.test(name, async () => {
      const answer = await world.exchange({ client_id: clientId, ...fields(tokens(world)) })
      assert.deepEqual([codeOf(answer), answer.status, answer.body['error']], [code, status, error])
      const { error_description: text, trace_id: trace, correlation_id: correlation, timestamp, error_uri } = answer.body
      assert.match(
        String(text),
        new RegExp(
          `^AADSTS${code}: .* Trace ID: ${String(trace)} Correlation ID: ${String(correlation)} Timestamp: ${String(timestamp)}$`,
        ),
      )
      assert.match(String(timestamp), /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ$/)
      assert.match(String(error_uri), new RegExp(`/error\\?code=${code}$`))
    })
  const unmatched = await world.exchange({
    client_id: clientId,
    client_assertion: world.issuer.token({ sub: 'system:serviceaccount:b:c' }),
  })
  assert.match(
    String(unmatched.body['error_description']),
    /presented assertion subject 'system:serviceaccount:b:c'\. Check your/,
  )
})

test('a field that comes twice is refused by its name, whichever of its values would do', async () => {
  await using world = await entraWorld()
  const { tenant, clientId, clientSecret } = world.entra.administrator
  const good = {
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: clientSecret,
    scope: 'https://vault.azure.net/.default',
  }
  const ask = (body: string) => world.ask('POST', `/${tenant}/oauth2/v2.0/token`, { body })
  const form = String(new URLSearchParams(good))
  assert.equal((await ask(form)).status, 200)
  for (const [name, value] of Object.entries(good))
    for (const other of [value, 'x']) {
      const again = String(new URLSearchParams({ [name]: other }))
      for (const body of [`${form}&${again}`, `${again}&${form}`]) {
        const answer = await ask(body)
        assert.deepEqual([codeOf(answer), answer.status], [9000411, 400], body)
        assert.match(String(answer.body['error_description']), new RegExp(`The parameter '${name}' is duplicated\\.`))
      }
    }
})

test('of several faults the first is told: tenant, grant, client, scope, application, credential, resource', async () => {
  await using world = await entraWorld()
  const { clientId } = await makeOrders(world)
  const all = { grant_type: 'x', client_id: '', scope: 'x', client_assertion: 'x' }
  const codes: unknown[] = [codeOf(await world.exchange(all, stranger))]
  const mend: Readonly<Record<string, string>> = {
    grant_type: 'client_credentials',
    client_id: stranger,
    scope: 'api://nobody/.default',
  }
  let fields: Record<string, string> = { ...all }
  for (const [name, value] of Object.entries(mend)) {
    codes.push(codeOf(await world.exchange(fields)))
    fields = { ...fields, [name]: value }
  }
  codes.push(codeOf(await world.exchange(fields)))
  codes.push(codeOf(await world.exchange({ ...fields, client_id: clientId })))
  codes.push(codeOf(await world.exchange({ ...fields, client_id: clientId, client_assertion: world.issuer.token() })))
  assert.deepEqual(codes, [90002, 70003, 900144, 1002012, 700016, 50027, 500011])
})

test('of several faults of an assertion the first is told: issuer, subject, audience, keys, signature, time', async () => {
  await using world = await entraWorld()
  const { clientId } = await makeOrders(world)
  const { token } = world.issuer
  const steps = [
    token({ iss: 'https://other.example.com', sub: 'a', aud: 'b', exp: 10, iat: 1, nbf: 1 }, { kid: 'c' }),
    token({ sub: 'a', aud: 'b', exp: 10, iat: 1, nbf: 1 }, { kid: 'c' }),
    token({ aud: 'b', exp: 10, iat: 1, nbf: 1 }, { kid: 'c' }),
    token({ exp: 10, iat: 1, nbf: 1 }, { kid: 'c' }),
    `${token({ exp: 10, iat: 1, nbf: 1 }).slice(0, -8)}AAAAAAAA`,
    token({ exp: 10, iat: 1, nbf: 1 }),
  ]
  const codes: unknown[] = []
  for (const client_assertion of steps) codes.push(codeOf(await world.exchange({ client_id: clientId, client_assertion })))
  assert.deepEqual(codes, [700211, 700213, 700212, 7000272, 50027, 700024])
})

test('the issuer’s clock may differ by five minutes, and no more', async () => {
  await using world = await entraWorld()
  const { clientId } = await makeOrders(world)
  const nowS = world.clock.now() / 1_000
  const at = async (iat: number, exp: number): Promise<number> =>
    (await world.exchange({ client_id: clientId, client_assertion: world.issuer.token({ iat, nbf: iat, exp }) })).status
  assert.deepEqual([await at(nowS - 3_900, nowS - 299), await at(nowS - 3_900, nowS - 300)], [200, 401])
  assert.deepEqual([await at(nowS + 300, nowS + 3_600), await at(nowS + 301, nowS + 3_600)], [200, 401])
})

test('a client without federated credentials is told so, one without a service principal as well', async () => {
  await using world = await entraWorld()
  const { body } = await world.graph('POST', 'applications', { displayName: 'new' })
  const client_id = String(body['appId'])
  assert.equal(codeOf(await world.exchange({ client_id })), 7000229)
  await world.graph('POST', 'servicePrincipals', { appId: client_id })
  const answer = await world.exchange({ client_id })
  assert.equal(codeOf(answer), 70021)
  assert.match(String(answer.body['error_description']), /Assertion Issuer: 'https:\/\/issuer\.example\.com\/cluster-a\/'/)
})

test('the keys of the issuer are asked for once; a key that is new is looked for, at most every ten seconds', async () => {
  await using world = await entraWorld()
  const { clientId: client_id } = await makeOrders(world)
  assert.equal((await world.exchange({ client_id })).status, 200)
  assert.equal((await world.exchange({ client_id })).status, 200)
  assert.equal(world.issuer.asked.length, 2)
  await world.clock.advance(10_000)
  world.issuer.rotate()
  assert.equal((await world.exchange({ client_id })).status, 200)
  assert.equal(world.issuer.asked.length, 4)
  world.issuer.rotate()
  assert.equal(codeOf(await world.exchange({ client_id })), 7000272)
  assert.equal(world.issuer.asked.length, 4, 'whoever sends tokens with new key ids makes no load on the issuer')
  await world.clock.advance(10_000)
  assert.equal((await world.exchange({ client_id })).status, 200)
})

test('an issuer that cannot be asked, redirects, lies about its name or sends too much is told as an endpoint that failed', async t => {
  const long = { keys: [], padding: 'x'.repeat(1_100_000) }
  const answers: Readonly<Record<string, (target: string) => ReturnType<typeof document> | undefined>> = {
    failing: () => ({ status: 500, headers: {}, body: null }),
    redirecting: () => ({ status: 302, headers: { location: 'https://169.254.169.254/' }, body: null }),
    'of another name': target =>
      target === '/keys'
        ? undefined
        : document({ issuer: 'https://other.example.com', jwks_uri: 'https://issuer.example.com/keys' }),
    'with keys over http': target =>
      target === '/keys' ? undefined : document({ issuer, jwks_uri: 'http://issuer.example.com/keys' }),
    'with keys elsewhere': target =>
      target === '/keys' ? undefined : document({ issuer, jwks_uri: 'https://127.0.0.1:1/keys' }),
    'too much': target => (target === '/keys' ? document(long) : undefined),
    'no keys': target => (target === '/keys' ? document({}) : undefined),
  }
  for (const [name, answer] of Object.entries(answers))
    await t.test(name, async () => {
      await using world = await entraWorld()
      const { clientId: client_id } = await makeOrders(world)
      world.issuer.answer = answer
      const refusal = await world.exchange({ client_id })
      assert.deepEqual([codeOf(refusal), refusal.status], [50166, 400])
      world.issuer.answer = undefined
      assert.equal((await world.exchange({ client_id })).status, 200, 'a failure is not remembered')
    })
})

test('a federated credential is believed after a while, and after its deletion for a while', async () => {
  await using world = await entraWorld({ profile: 'real' })
  const { clientId: client_id, id } = await makeOrders(world)
  assert.equal(codeOf(await world.exchange({ client_id })), 70021)
  await world.clock.advance(60_000)
  assert.equal((await world.exchange({ client_id })).status, 200)
  await world.arm('DELETE', `${id}/federatedIdentityCredentials/cluster-a`)
  assert.equal((await world.exchange({ client_id })).status, 200)
  await world.clock.advance(60_000)
  assert.equal(codeOf(await world.exchange({ client_id })), 70021)
})

test('what SDKs ask first: discovery of the instance and of the tenant, and refusals of what is neither', async () => {
  await using world = await entraWorld()
  const { tenant } = world.entra.administrator
  const asked = encodeURIComponent(`https://login.microsoftonline.com/${tenant}/oauth2/v2.0/authorize`)
  const found = await world.ask('GET', `/common/discovery/instance?api-version=1.1&authorization_endpoint=${asked}`)
  assert.equal(
    found.body['tenant_discovery_endpoint'],
    `https://login.microsoftonline.com/${tenant}/v2.0/.well-known/openid-configuration`,
  )
  const bad = await world.ask(
    'GET',
    `/common/discovery/instance?authorization_endpoint=${encodeURIComponent('https://evil.example/x')}`,
  )
  assert.deepEqual([bad.status, codeOf(bad), bad.body['error']], [400, 50049, 'invalid_instance'])
  const about = await world.ask('GET', `/${tenant}/v2.0/.well-known/openid-configuration`, { host: '127.0.0.1:4443' })
  assert.equal(about.body['token_endpoint'], `https://127.0.0.1:4443/${tenant}/oauth2/v2.0/token`)
  assert.equal(codeOf(await world.ask('GET', `/${stranger}/v2.0/.well-known/openid-configuration`)), 90002)
  assert.equal((await world.ask('GET', '/nothing')).status, 404)
  assert.equal((await world.ask('GET', '/%ff')).status, 400)
  assert.equal((await world.ask('POST', '/x', { body: 'x'.repeat(1_100_000) })).status, 413)
})

test('throttling, failures and lost answers are there for the asking', async () => {
  await using world = await entraWorld()
  const { clientId: client_id } = await makeOrders(world)
  const { tenant } = world.entra.administrator
  const match = { path: `/${tenant}/oauth2`, method: 'POST' }
  world.entra.faults.add({ match, effect: { kind: 'throttle', retryAfterS: 7 }, times: 1 })
  const throttled = await world.exchange({ client_id })
  assert.deepEqual([throttled.status, throttled.headers['retry-after']], [429, '7'])
  world.entra.faults.add({ match, effect: { kind: 'error', status: 503 }, times: 1 })
  assert.equal((await world.exchange({ client_id })).status, 503)
  world.entra.faults.add({ match, effect: { kind: 'lost-answer' }, times: 1 })
  await assert.rejects(world.exchange({ client_id }), /the answer was lost/)
  assert.equal((await world.exchange({ client_id })).status, 200)
})

test('the state goes on from a snapshot; text that is none is refused', async () => {
  await using world = await entraWorld()
  const { clientId: client_id } = await makeOrders(world)
  await using again = await entraWorld({ data: world.entra.snapshot(), seed: 'other' })
  assert.equal((await again.exchange({ client_id })).status, 200)
  await assert.rejects(entraWorld({ data: '{"format":"x"}' }), /none of an Entra emulator/)
})
