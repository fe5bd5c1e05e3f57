import assert from 'node:assert/strict'
import { test } from 'node:test'
import { credentialFor, parseChallenge, tokenIn } from './registry-login.ts'

const secrets: readonly (readonly [what: string, pullSecret: unknown, credential: string | undefined])[] = [
  ['has the host', { auths: { 'quay.io': { auth: 'dXNlcg==' } } }, 'dXNlcg=='],
  ['has another host', { auths: { 'docker.io': { auth: 'dXNlcg==' } } }, undefined],
  ['has an empty credential', { auths: { 'quay.io': { auth: '' } } }, undefined],
  ['has a credential that is no text', { auths: { 'quay.io': { auth: 1 } } }, undefined],
  ['has no credential', { auths: { 'quay.io': {} } }, undefined],
  ['has a text for the host', { auths: { 'quay.io': 'dXNlcg==' } }, undefined],
  ['has a list of hosts', { auths: [] }, undefined],
  ['is a text', 'auths', undefined],
]

for (const [what, pullSecret, credential] of secrets)
  test(`a pull secret that ${what} gives ${credential ?? 'nothing'} for it [4.3.2]`, () => {
    assert.equal(credentialFor('quay.io', JSON.stringify(pullSecret)), credential)
  })

test('without a pull secret there is no credential, and what is no JSON is told without a word of it [4.3.2]', () => {
  assert.equal(credentialFor('quay.io', ''), undefined)
  assert.throws(() => credentialFor('quay.io', 'hunter2'), /^Error: the pull secret is no JSON$/)
})

const challenges: readonly (readonly [header: string, address: string | undefined])[] = [
  [
    'Bearer realm="https://login.example.com/token",service="registry",scope="a:b"',
    'https://login.example.com/token?service=registry&scope=a%3Ab',
  ],
  ['bearer realm="https://login.example.com/token"', 'https://login.example.com/token'],
  ['Bearer realm="https://login.example.com/token",service="",error="x"', 'https://login.example.com/token?service='],
  ['Bearer realm="http://login.example.com/token"', undefined],
  ['Bearer realm="nowhere"', undefined],
  ['Bearer service="registry"', undefined],
  ['Digest realm="https://login.example.com/token"', undefined],
  ['', undefined],
]

for (const [header, address] of challenges)
  test(`a registry that asks by ${JSON.stringify(header)} sends to ${address ?? 'nowhere'} [4.3.2]`, () => {
    assert.deepEqual(parseChallenge(header)?.address?.href, address)
    assert.equal(parseChallenge(header)?.scheme, address === undefined ? undefined : 'bearer')
  })

test('a registry may take the credential itself, however it writes that [4.3.2]', () => {
  for (const header of ['Basic realm="x"', 'basic', 'BASIC']) assert.deepEqual(parseChallenge(header), { scheme: 'basic' })
})

test('a token stands under either of two names, and an answer without one is told [4.3.2]', () => {
  assert.equal(tokenIn('{"token":"one","access_token":"two"}'), 'one')
  assert.equal(tokenIn('{"access_token":"two"}'), 'two')
  for (const answer of ['{}', '{"token":""}', '{"token":1}', '[]', '"token"', 'null'])
    assert.throws(() => tokenIn(answer), /^Error: the registry’s token service gave no token$/, answer)
})
