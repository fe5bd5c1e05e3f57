import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CredentialsError } from './credentials.ts'
import { environmentCredentials } from './environment.ts'
import { chosenProfile } from './profiles.ts'

const keys = { AWS_ACCESS_KEY_ID: 'A', AWS_SECRET_ACCESS_KEY: 's' }

for (const [what, env, credentials] of [
  ['nothing', {}, undefined],
  ['two empty keys', { AWS_ACCESS_KEY_ID: '', AWS_SECRET_ACCESS_KEY: '' }, undefined],
  ['both keys', keys, { accessKeyId: 'A', secretAccessKey: 's', source: 'environment' }],
  [
    'a session and its end',
    { ...keys, AWS_SESSION_TOKEN: 't', AWS_CREDENTIAL_EXPIRATION: '2026-01-01T00:00:00Z' },
    { accessKeyId: 'A', secretAccessKey: 's', sessionToken: 't', expiresAtMs: Date.UTC(2026, 0, 1), source: 'environment' },
  ],
  [
    'an empty session and an end that is no time',
    { ...keys, AWS_SESSION_TOKEN: '', AWS_CREDENTIAL_EXPIRATION: 'never' },
    { accessKeyId: 'A', secretAccessKey: 's', source: 'environment' },
  ],
] as const)
  test(`an environment with ${what} gives ${credentials === undefined ? 'no credentials' : 'these'}`, () =>
    assert.deepEqual(environmentCredentials(env), credentials))

for (const half of [{ AWS_ACCESS_KEY_ID: 'A' }, { AWS_SECRET_ACCESS_KEY: 's' }, { ...keys, AWS_SECRET_ACCESS_KEY: '' }])
  test(`an environment with ${Object.keys(half).join(' and an empty ')} alone is refused`, () =>
    assert.throws(() => environmentCredentials(half), { constructor: CredentialsError, message: /set both$/ }))

for (const [env, profile] of [
  [{}, 'default'],
  [{ AWS_PROFILE: '', AWS_DEFAULT_PROFILE: '' }, 'default'],
  [{ AWS_DEFAULT_PROFILE: 'b' }, 'b'],
  [{ AWS_PROFILE: 'a', AWS_DEFAULT_PROFILE: 'b' }, 'a'],
  [{ AWS_PROFILE: 'a' }, 'a'],
] as const)
  test(`${JSON.stringify(env)} chooses the profile ${profile}`, () => assert.equal(chosenProfile(env), profile))
