import assert from 'node:assert/strict'
import { test } from 'node:test'
import { defaultKnobs, type Knobs } from '../knobs.ts'
import type { IssuerFetch } from '../ports.ts'
import type { Context } from '../service.ts'
import { issuerKeys } from './issuer-keys.ts'
import { emptyState, type StsState } from './model.ts'

const issuer = 'https://issuer.example.com'
const jwk = {
  kty: 'EC',
  crv: 'P-256',
  x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
  y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
  kid: 'k',
}
const answer = (body: unknown, status = 200): IssuerFetch => ({
  kind: 'answer',
  status,
  contentType: 'application/json',
  body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
})
const discovery = { issuer, jwks_uri: `${issuer}/keys` }
const good: Readonly<Record<string, IssuerFetch>> = {
  [`${issuer}/.well-known/openid-configuration`]: answer(discovery),
  [`${issuer}/keys`]: answer({ keys: [jwk] }),
}

interface Asking {
  now: number
  documents: Readonly<Record<string, IssuerFetch>>
  readonly fetched: string[]
  keys(force?: boolean, of?: string): Promise<string>
}

/** What is answered, and whether it was remembered. */
function asking(knobs: Partial<Knobs> = {}, documents = good): Asking {
  let state: StsState = emptyState
  const asked: Asking = {
    now: 0,
    documents,
    fetched: [],
    keys: async (force = false, of = issuer) => {
      const context = {
        now: asked.now,
        knobs: { ...defaultKnobs, ...knobs },
        store: { get: () => state, set: (next: StsState) => void (state = next) },
        ports: {
          issuers: {
            fetch: async (url: string) => {
              asked.fetched.push(url.slice(issuer.length))
              return asked.documents[url] ?? { kind: 'unreachable', transient: false, why: 'nothing there' }
            },
          },
        },
      } as unknown as Context<StsState>
      const found = await issuerKeys(context, of, force)
      if (found.kind === 'failed') return `${(found.error as { code?: string }).code}: ${found.why}`
      return `${found.keys.map(key => key['kid']).join()}${found.cached ? ', cached' : ''}`
    },
  }
  return asked
}

test('without a time for which keys are kept they are fetched for every token', async () => {
  const asked = asking()
  assert.deepEqual([await asked.keys(), await asked.keys()], ['k', 'k'])
  assert.equal(asked.fetched.length, 4)
})

test('keys are kept for their time, and a failure is not', async () => {
  const asked = asking({ jwksTtlMs: 1 }, {})
  assert.match(await asked.keys(), /nothing there/)
  asked.documents = good
  assert.deepEqual([await asked.keys(), await asked.keys()], ['k', 'k, cached'])
  asked.now = 1
  assert.equal(await asked.keys(), 'k')
})

test('an unknown key has them fetched again, and that only so often', async () => {
  const asked = asking({ jwksTtlMs: 100_000, unknownKidRefetchMs: 1_000 })
  assert.equal(await asked.keys(), 'k')
  asked.now = 10
  assert.deepEqual([await asked.keys(true), await asked.keys(true)], ['k', 'k, cached'])
  asked.now = 1_009
  assert.equal(await asked.keys(true), 'k, cached')
  asked.now = 1_010
  assert.deepEqual([await asked.keys(), await asked.keys(true)], ['k, cached', 'k'])
  assert.equal(asked.fetched.length, 6)
})

test('an issuer that ends in a slash has its documents where one without has them', async () => {
  const slashed = `${issuer}/`
  const asked = asking({}, { ...good, [`${issuer}/.well-known/openid-configuration`]: answer({ ...discovery, issuer: slashed }) })
  assert.equal(await asked.keys(false, slashed), 'k')
})

const at = `${issuer}/.well-known/openid-configuration`
const unavailable = 'InvalidIdentityToken'
const failures: readonly (readonly [what: string, changed: Readonly<Record<string, IssuerFetch>>, why: string])[] = [
  ['has no such page', { [at]: answer('', 404) }, `${unavailable}: ${at} answered 404`],
  ['says no JSON', { [at]: answer('x') }, `${unavailable}: ${at}: it is not JSON`],
  ['says null', { [at]: answer('null') }, `${unavailable}: ${at}: it is no JSON object`],
  ['says a number', { [at]: answer('1') }, `${unavailable}: ${at}: it is no JSON object`],
  [
    'is another',
    { [at]: answer({ ...discovery, issuer: 'https://other' }) },
    `${unavailable}: ${at}: it is the document of issuer https://other`,
  ],
  ['has no address of keys', { [at]: answer({ issuer }) }, `${unavailable}: ${at}: its jwks_uri is no https address`],
  [
    'has a number as address',
    { [at]: answer({ issuer, jwks_uri: 1 }) },
    `${unavailable}: ${at}: its jwks_uri is no https address`,
  ],
  [
    'has its keys in the open',
    { [at]: answer({ issuer, jwks_uri: 'http://x' }) },
    `${unavailable}: ${at}: its jwks_uri is no https address`,
  ],
  ['has no page of keys', { [`${issuer}/keys`]: answer('', 500) }, `${unavailable}: ${issuer}/keys answered 500`],
]
for (const [what, changed, why] of failures) {
  test(`an issuer that ${what} has no keys`, async () => {
    assert.equal(await asking({}, { ...good, ...changed }).keys(), why)
  })
}

test('an issuer that cannot be reached for now is told as such where the knob says so', async () => {
  const failing = (transient: boolean): Readonly<Record<string, IssuerFetch>> => ({
    [at]: { kind: 'unreachable', transient, why: 'down' },
  })
  const codes = await Promise.all(
    [
      [true, true],
      [true, false],
      [false, true],
      [false, false],
    ].map(([knob, transient]) => asking({ idpCommunicationError: knob === true }, failing(transient === true)).keys()),
  )
  assert.deepEqual(
    codes.map(text => text.split(':')[0]),
    ['IDPCommunicationError', unavailable, unavailable, unavailable],
  )
})
