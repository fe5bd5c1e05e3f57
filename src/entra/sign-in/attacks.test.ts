// Attacks on the exchange: whoever has no token of that ServiceAccount gets no access token, whatever is forged, repeated, confused or left out.
import assert from 'node:assert/strict'
import { createHmac, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { test } from 'node:test'
import {
  audience,
  codeOf,
  type EntraWorld,
  entraWorld,
  issuer,
  makeOrders,
  type Orders,
  signed,
  subject,
} from '../testing/world.ts'

const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const foreign = generateKeyPairSync('rsa', { modulusLength: 2_048 })
const curve = generateKeyPairSync('ec', { namedCurve: 'P-256' })

interface Scene {
  readonly world: EntraWorld
  readonly orders: Orders
  readonly token: EntraWorld['issuer']['token']
  /** The usual claims, for tokens that are made by hand. */
  readonly claims: Readonly<Record<string, unknown>>
  readonly good: string
}

type Fields = Readonly<Record<string, string | undefined>>
/** The fields of the request beside the client id. */
type Attack = (scene: Scene) => Fields | Promise<Fields>

const assertion = (client_assertion: string): Fields => ({ client_assertion })
const jwkOf = (key: KeyObject): object => createPublicKey(key.export({ type: 'spki', format: 'pem' })).export({ format: 'jwk' })
const parts = (token: string): [string, string, string] => token.split('.') as [string, string, string]

function hmac({ world, claims }: Scene, format: 'pem' | 'der'): string {
  const secret = world.issuer.publicKey.export({ type: 'spki', format: format as 'pem' })
  const text = `${encoded({ alg: 'HS256', typ: 'JWT', kid: 'key-1' })}.${encoded(claims)}`
  return `${text}.${createHmac('sha256', secret).update(text).digest('base64url')}`
}

const forged: Readonly<Record<string, Attack>> = {
  'no signature, alg none': ({ claims }) => assertion(`${encoded({ alg: 'none', kid: 'key-1' })}.${encoded(claims)}.`),
  'alg none with a signature': ({ claims, token }) =>
    assertion(`${encoded({ alg: 'none', kid: 'key-1' })}.${encoded(claims)}.${parts(token())[2]}`),
  'alg None in other letters': ({ claims }) => assertion(signed({ alg: 'nOnE', kid: 'key-1' }, claims, foreign.privateKey)),
  'an empty signature': ({ good }) => assertion(`${parts(good).slice(0, 2).join('.')}.`),
  'two parts': ({ good }) => assertion(parts(good).slice(0, 2).join('.')),
  'four parts': ({ good }) => assertion(`${good}.x`),
  'HMAC with the public key as PEM': scene => assertion(hmac(scene, 'pem')),
  'HMAC with the public key as DER': scene => assertion(hmac(scene, 'der')),
  'a foreign key with the right kid': ({ token }) => assertion(token({}, {}, foreign.privateKey)),
  'a foreign key with its own kid': ({ token }) => assertion(token({}, { kid: 'mine' }, foreign.privateKey)),
  'an embedded key': ({ token }) => assertion(token({}, { jwk: jwkOf(foreign.publicKey) }, foreign.privateKey)),
  'an embedded key and its kid': ({ token }) =>
    assertion(token({}, { kid: 'mine', jwk: { ...jwkOf(foreign.publicKey), kid: 'mine' } }, foreign.privateKey)),
  'an address of keys in the header': ({ token }) =>
    assertion(token({}, { kid: 'mine', jku: 'https://evil.example.com/keys' }, foreign.privateKey)),
  'a certificate in the header': ({ token }) => assertion(token({}, { kid: 'mine', x5c: ['MIIB'] }, foreign.privateKey)),
  'a kid that is a path': ({ token }) => assertion(token({}, { kid: '../../dev/null' }, foreign.privateKey)),
  'a kid that is a list': ({ token }) => assertion(token({}, { kid: ['key-1'] })),
  'a kid that is empty': ({ token }) => assertion(token({}, { kid: '' })),
  'a critical extension': ({ token }) => assertion(token({}, { crit: ['x'], x: 1 })),
  'another hash': ({ token }) => assertion(token({}, { alg: 'RS512' })),
  'a probabilistic signature': ({ claims }) => assertion(signed({ alg: 'PS256', kid: 'key-1' }, claims, foreign.privateKey)),
  'an elliptic signature with an RSA kid': ({ claims }) =>
    assertion(signed({ alg: 'ES256', kid: 'key-1' }, claims, curve.privateKey)),
  'a claim changed after signing': ({ good, claims }) =>
    assertion(`${parts(good)[0]}.${encoded({ ...claims, sub: subject, x: 1 })}.${parts(good)[2]}`),
  'a header changed after signing': ({ good }) =>
    assertion(`${encoded({ alg: 'RS256', kid: 'key-1', x: 1 })}.${parts(good)[1]}.${parts(good)[2]}`),
  'one bit of the signature': ({ good }) =>
    assertion(`${good.slice(0, -10)}${good.at(-10) === 'A' ? 'B' : 'A'}${good.slice(-9)}`),
  'a signature of other bytes': ({ world, good }) =>
    assertion(
      `${parts(good).slice(0, 2).join('.')}.${sign('sha256', Buffer.from('x'), world.issuer.privateKey).toString('base64url')}`,
    ),
  'padding in the signature': ({ good }) => assertion(`${good}==`),
  'claims that are a list': ({ world }) => assertion(signed({ alg: 'RS256', kid: 'key-1' }, [1], world.issuer.privateKey)),
  'a token of the tenant itself': async ({ world, orders }) =>
    assertion(String((await world.exchange({ client_id: orders.clientId })).body['access_token'])),
}

const confused: Readonly<Record<string, Attack>> = {
  'another issuer with the same keys': ({ token }) => assertion(token({ iss: 'https://issuer.example.com/cluster-b/' })),
  'an issuer without the slash': ({ token }) => assertion(token({ iss: issuer.slice(0, -1) })),
  'an issuer with two slashes': ({ token }) => assertion(token({ iss: `${issuer}/` })),
  'an issuer in upper case': ({ token }) => assertion(token({ iss: issuer.toUpperCase() })),
  'an issuer with its port': ({ token }) => assertion(token({ iss: issuer.replace('.com', '.com:443') })),
  'an issuer with a user': ({ token }) => assertion(token({ iss: issuer.replace('https://', 'https://a@') })),
  'an issuer with dots': ({ token }) => assertion(token({ iss: `${issuer}x/../` })),
  'an issuer that is a list': ({ token }) => assertion(token({ iss: [issuer] })),
  'the subject of a neighbour': ({ token }) => assertion(token({ sub: 'system:serviceaccount:apps:billing' })),
  'the subject of another namespace': ({ token }) => assertion(token({ sub: 'system:serviceaccount:other:orders' })),
  'a subject with more behind it': ({ token }) => assertion(token({ sub: `${subject} ` })),
  'a subject with a line end': ({ token }) => assertion(token({ sub: `${subject}\n` })),
  'a subject with a zero': ({ token }) => assertion(token({ sub: `${subject}\u0000` })),
  'a subject in other letters': ({ token }) => assertion(token({ sub: subject.toUpperCase() })),
  'a subject with a star': ({ token }) => assertion(token({ sub: 'system:serviceaccount:apps:*' })),
  'a subject that is a list': ({ token }) => assertion(token({ sub: [subject] })),
  'an empty subject': ({ token }) => assertion(token({ sub: '' })),
  'the audience of another cloud': ({ token }) => assertion(token({ aud: ['sts.amazonaws.com'] })),
  'the audience in other letters': ({ token }) => assertion(token({ aud: [audience.toLowerCase()] })),
  'the right audience among others': ({ token }) => assertion(token({ aud: ['x', audience] })),
  'the right audience twice': ({ token }) => assertion(token({ aud: [audience, audience] })),
  'an audience within another': ({ token }) => assertion(token({ aud: [`${audience} x`] })),
  'no audience': ({ token }) => assertion(token({ aud: [] })),
  'the client of another identity': async ({ world, orders, good }) => {
    const { body } = await world.arm(
      'PUT',
      `${orders.group}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/billing`,
      { location: 'x' },
    )
    return { client_id: (body['properties'] as { clientId: string }).clientId, ...assertion(good) }
  },
  'the object id in the place of the client id': ({ orders, good }) => ({ client_id: orders.principalId, ...assertion(good) }),
  'the administrator’s client id': ({ world, good }) => ({ client_id: world.entra.administrator.clientId, ...assertion(good) }),
  'an issuer of a stranger that claims this one’s name': ({ claims }) =>
    assertion(signed({ alg: 'RS256', kid: 'key-1' }, claims, foreign.privateKey)),
}

const late: Readonly<Record<string, Attack>> = {
  'a token that ended ten minutes ago': async ({ world, good }) => {
    await world.clock.advance(70 * 60_000)
    return assertion(good)
  },
  'a token that begins in ten minutes': ({ world, token }) => assertion(token({ nbf: world.clock.now() / 1_000 + 600 })),
  'an end that is text': ({ token }) => assertion(token({ exp: '9999999999' })),
  'an end that is no number of seconds': ({ token }) => assertion(token({ exp: Number.MAX_VALUE })),
  'no end': ({ token }) => assertion(token({ exp: undefined })),
  'a token of a key that the issuer took back': async ({ world, good }) => {
    world.issuer.rotate()
    return assertion(good)
  },
  'a replay after the credential was withdrawn': async ({ world, orders, good }) => {
    assert.equal((await world.exchange({ client_id: orders.clientId, ...assertion(good) })).status, 200)
    await world.arm('DELETE', `${orders.id}/federatedIdentityCredentials/cluster-a`)
    return assertion(good)
  },
  'a replay after the identity was deleted': async ({ world, orders, good }) => {
    await world.arm('DELETE', orders.id)
    return assertion(good)
  },
  'a replay after the credential was changed to a neighbour': async ({ world, orders, good }) => {
    const properties = { issuer, subject: 'system:serviceaccount:apps:billing', audiences: [audience] }
    await world.arm('PUT', `${orders.id}/federatedIdentityCredentials/cluster-a`, { properties })
    return assertion(good)
  },
}

const attacks = { ...forged, ...confused, ...late }

test('no attack on the exchange gets an access token, and each is told one reason', async t => {
  assert.ok(Object.keys(attacks).length >= 60, `${Object.keys(attacks).length} attacks`)
  for (const [name, attack] of Object.entries(attacks))
    await t.test(name, async () => {
      await using world = await entraWorld()
      const orders = await makeOrders(world)
      const nowS = Math.floor(world.clock.now() / 1_000)
      const claims = { iss: issuer, sub: subject, aud: [audience], iat: nowS, nbf: nowS, exp: nowS + 3_600 }
      const fields = await attack({ world, orders, token: world.issuer.token, claims, good: world.issuer.token() })
      const answer = await world.exchange({ client_id: orders.clientId, ...fields })
      assert.ok(answer.status === 401 || answer.status === 400, `${answer.status}`)
      assert.equal(answer.body['access_token'], undefined)
      assert.equal(typeof codeOf(answer), 'number')
    })
})

test('a tenant knows no client of another, although the token would do', async () => {
  const [first, second] = ['aaaaaaaa-0000-4000-8000-000000000001', 'aaaaaaaa-0000-4000-8000-000000000002'] as const
  await using world = await entraWorld({ tenants: [first, second] })
  const { clientId: client_id } = await makeOrders(world)
  assert.equal((await world.exchange({ client_id })).status, 200)
  assert.equal(codeOf(await world.exchange({ client_id }, second)), 700016)
})

test('the same token may be exchanged again while it lives', async () => {
  await using world = await entraWorld()
  const { clientId: client_id } = await makeOrders(world)
  const client_assertion = world.issuer.token({ jti: 'one' })
  const twice = [await world.exchange({ client_id, client_assertion }), await world.exchange({ client_id, client_assertion })]
  assert.deepEqual(
    twice.map(({ status }) => status),
    [200, 200],
  )
})
