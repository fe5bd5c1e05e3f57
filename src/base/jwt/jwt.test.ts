import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readToken, type TokenReading } from './jwt.ts'

const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const header = { alg: 'RS256', kid: 'k' }
const claims = { iss: 'https://a', sub: 's', aud: 'x', exp: 2, iat: 1 }
const read = (change: Readonly<Record<string, unknown>>, head: Readonly<Record<string, unknown>> = header): TokenReading =>
  readToken(`${encoded(head)}.${encoded({ ...claims, ...change })}.AAAA`)

test('a token with the five claims that it needs is read, and an audience is a list', () => {
  const reading = read({})
  assert.ok(reading.kind === 'token')
  const { signedText: _signed, signature, ...token } = reading.token
  const read5 = { ...claims, aud: ['x'], azp: undefined, nbf: undefined, amr: [], all: claims }
  assert.deepEqual(token, { algorithm: 'RS256', keyId: 'k', claims: read5 })
  assert.equal(signature.length, 3)
})

test('a token without one of these claims is told from what is no token', () => {
  for (const name of ['iss', 'sub', 'aud', 'exp', 'iat'])
    for (const value of [undefined, null]) assert.deepEqual(read({ [name]: value }), { kind: 'missing', claim: name })
})

const refused: readonly (readonly [why: string, claims: Readonly<Record<string, unknown>>])[] = [
  ['an issuer that is no text', { iss: 1 }],
  ['a subject that is empty', { sub: '' }],
  ['no audience in the list', { aud: [] }],
  ['an audience that is no text', { aud: [1] }],
  ['an end that is no whole number', { exp: 1.5 }],
  ['an end as text', { exp: '2' }],
  ['a beginning as text', { iat: '1' }],
  ['a first moment as text', { nbf: '1' }],
  ['a party that is no text', { azp: 1 }],
  ['methods that are no text', { amr: [1] }],
]

for (const [why, change] of refused)
  test(`what is signed is no token of an identity provider: ${why}`, () => {
    assert.deepEqual(read(change), { kind: 'not-jwt' })
  })

test('a first moment that is a whole number is read', () => {
  const reading = read({ nbf: 1 })
  assert.equal(reading.kind === 'token' && reading.token.claims.nbf, 1)
})

test('a header is taken with an algorithm that is known, a key id that is text, and nothing critical', () => {
  for (const head of [
    { ...header, alg: 'none' },
    { ...header, alg: 'HS256' },
    { ...header, kid: 1 },
    { ...header, crit: ['x'] },
  ])
    assert.deepEqual(read({}, head), { kind: 'not-jwt' }, JSON.stringify(head))
  assert.equal(read({}, { alg: 'ES256' }).kind, 'token')
})

test('what has not three parts, or parts that are no JSON, is no token', () => {
  for (const text of [
    '',
    'a.b',
    'a.b.c',
    `${encoded(header)}.${encoded(claims)}`,
    `${encoded(header)}.${encoded(claims)}.AAAA.A`,
  ])
    assert.deepEqual(readToken(text), { kind: 'not-jwt' }, text)
})
