// Which key signed a token, and when: read off the token alone.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { askSigner, signerOf } from './signer.ts'

const part = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url')
const token = (header: unknown, claims: unknown): string => `${part(header)}.${part(claims)}.c2lnbmF0dXJl`

for (const [what, text, signer] of [
  ['that names key and time', token({ kid: 'k' }, { iat: 1_700_000_000 }), { keyId: 'k', atMs: 1_700_000_000_000 }],
  ['without a time', token({ kid: 'k' }, {}), { keyId: 'k' }],
  ['whose time is no number', token({ kid: 'k' }, { iat: '1700000000' }), { keyId: 'k' }],
  [
    'whose time is beyond all numbers',
    `${part({ kid: 'k' })}.${Buffer.from('{"iat":1e999}').toString('base64url')}.c`,
    { keyId: 'k' },
  ],
  ['without claims', part({ kid: 'k' }), { keyId: 'k' }],
  ['whose key has no name', token({ kid: '' }, { iat: 1 }), undefined],
  ['that names no key', token({ alg: 'RS256' }, { iat: 1 }), undefined],
  ['whose key is no text', token({ kid: 7 }, { iat: 1 }), undefined],
  ['that is none', 'x', undefined],
  ['that is empty', '', undefined],
] as const)
  test(`of a token ${what} ${signer === undefined ? 'nothing is known' : `is known: ${Object.keys(signer).join(', ')}`}`, () =>
    assert.deepEqual(signerOf(text), signer))

test('the token that is asked for lives as shortly as an API server grants, and is for STS', async () => {
  const asked: unknown[] = []
  const client: Parameters<typeof askSigner>[0] = {
    requestToken: async (account, wanted) => {
      asked.push(account, wanted)
      return { token: token({ kid: 'k' }, { iat: 5 }), expiresMs: 0 } as never
    },
  }
  const account = { namespace: 'there', name: 'webhook' }
  const signer = await askSigner(client, account, { signal: new AbortController().signal, timeoutMs: 1 })
  assert.deepEqual(signer, { keyId: 'k', atMs: 5_000 })
  assert.deepEqual(asked, [account, { audiences: ['sts.amazonaws.com'], expirationSeconds: 600 }])
})
