// The provider of an issuer: what is read of it, the calls that make it as it is wanted, and what it is after them.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { providerAfter, providerCalls, providerRemoval, readProvider } from './oidc-provider.ts'
import { refusal, scriptedClient } from './scripted-client.fixture.ts'

const place = { which: 'provider', service: 'iam', region: 'us-east-1', memory: 'm' } as const
const arn = 'arn:aws:iam::111122223333:oidc-provider/x'
const spec = { url: 'https://x', clientIDs: ['sts.amazonaws.com'] }
const tags = { ours: 'yes' }
const Tags = [{ Key: 'ours', Value: 'yes' }]
const actual = { arn, clientIds: ['sts.amazonaws.com'], tags: { ours: 'yes', theirs: 'too' } }
const never = new AbortController().signal

for (const [what, held, calls] of [
  ['that is not there', undefined, [['CreateOpenIDConnectProvider', { Url: 'https://x', ClientIDList: spec.clientIDs, Tags }]]],
  ['as it is wanted', actual, []],
  [
    'for another audience',
    { ...actual, clientIds: ['other'] },
    [
      ['RemoveClientIDFromOpenIDConnectProvider', { OpenIDConnectProviderArn: arn, ClientID: 'other' }],
      ['AddClientIDToOpenIDConnectProvider', { OpenIDConnectProviderArn: arn, ClientID: 'sts.amazonaws.com' }],
    ],
  ],
  [
    'for one audience too many',
    { ...actual, clientIds: ['sts.amazonaws.com', 'other'] },
    [['RemoveClientIDFromOpenIDConnectProvider', { OpenIDConnectProviderArn: arn, ClientID: 'other' }]],
  ],
  [
    'without our tags',
    { ...actual, tags: { theirs: 'too' } },
    [['TagOpenIDConnectProvider', { OpenIDConnectProviderArn: arn, Tags }]],
  ],
] as const)
  test(`a provider ${what} ${calls.length === 0 ? 'is left' : 'is put right'} [S11]`, () => {
    const made = providerCalls(place, spec, tags, held).map(({ operation, input }) => [operation, input])
    assert.deepEqual(made, calls)
  })

test('a provider goes by its ARN', () => {
  const [call] = providerRemoval(place, actual)
  assert.deepEqual([call?.operation, call?.input], ['DeleteOpenIDConnectProvider', { OpenIDConnectProviderArn: arn }])
})

test('a provider that was just made is known, and after any other call it is read again', () => {
  const input = { ClientIDList: ['sts.amazonaws.com', ''], Tags }
  const create = { operation: 'CreateOpenIDConnectProvider', input }
  const made = { arn, clientIds: ['sts.amazonaws.com'], tags }
  assert.deepEqual(providerAfter(undefined, create, { OpenIDConnectProviderArn: arn }), made)
  assert.deepEqual(providerAfter(undefined, create, {}), { ...made, arn: '' })
  assert.equal(providerAfter(actual, { operation: 'TagOpenIDConnectProvider', input }, {}), undefined)
})

test('of a provider its audiences and tags are read', async () => {
  const client = scriptedClient({ GetOpenIDConnectProvider: { ClientIDList: ['sts.amazonaws.com'], Tags } })
  assert.deepEqual(await readProvider(client, arn, never), { ...actual, tags })
  assert.deepEqual(client.asked, [{ operation: 'GetOpenIDConnectProvider', input: { OpenIDConnectProviderArn: arn } }])
  assert.deepEqual(await readProvider(scriptedClient({ GetOpenIDConnectProvider: {} }), arn, never), {
    arn,
    clientIds: [],
    tags: {},
  })
  assert.equal(await readProvider(scriptedClient({ GetOpenIDConnectProvider: refusal('NoSuchEntity') }), arn, never), undefined)
})
