import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ManualClock } from '#base'
import { requestedToken } from './requested-token.ts'

const account = { namespace: 'team', name: 'worker' }
const tokenOf = (claims: object): string => `h.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.s`

interface Start {
  readonly claims?: object
  readonly fails?: () => boolean
}

function start({ claims = { iat: 100, exp: 700 }, fails = () => false }: Start) {
  const clock = new ManualClock()
  let asked = 0
  const credentials = requestedToken({
    account,
    clock,
    client: {
      requestToken: async () => {
        asked++
        if (fails()) throw new Error('away')
        return { token: tokenOf({ ...claims, n: asked }), expirationTimestamp: '' }
      },
    },
  })
  return { clock, credentials, asked: () => asked }
}

test('a token lives as long as its own two times say, and is renewed at four fifths of it', async () => {
  const { clock, credentials, asked } = start({})
  await credentials.headers()
  await clock.advance(479_999)
  await credentials.headers()
  assert.equal(asked(), 1)
  await clock.advance(1)
  await credentials.headers()
  assert.equal(asked(), 2)
})

for (const [what, claims] of Object.entries({
  'ends as it begins': { iat: 700, exp: 700 },
  'says no beginning': { exp: 700 },
  'says no end': { iat: 100 },
}))
  test(`a token that ${what} is taken to live for the hour that was asked for`, async () => {
    const { clock, credentials, asked } = start({ claims })
    await credentials.headers()
    await clock.advance(2_879_999)
    await credentials.headers()
    assert.equal(asked(), 1)
    await clock.advance(1)
    await credentials.headers()
    assert.equal(asked(), 2)
  })

test('a token that is refused is given up once it is old enough to have been taken back, and a fresh one is not', async () => {
  const { clock, credentials, asked } = start({})
  await credentials.headers()
  await clock.advance(1_000 - 1)
  assert.equal(credentials.refused?.(), false)
  await credentials.headers()
  assert.equal(asked(), 1)
  await clock.advance(1)
  assert.equal(credentials.refused?.(), true)
  await credentials.headers()
  assert.equal(asked(), 2)
})
