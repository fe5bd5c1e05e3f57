import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { test } from 'node:test'
import { ManualClock, seededRandom } from '#base'
import { Store } from '../store/store.ts'
import { adminUser } from '../users.ts'
import { ServiceAccountIssuer } from './issuer.ts'
import { ServiceAccountTokens } from './service-account-tokens.ts'

const issuerUrl = 'https://issuer.example.com'
const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }) as string
const now = Date.UTC(2026, 0, 1) / 1_000

interface World {
  readonly clock: ManualClock
  readonly tokens: ServiceAccountTokens
  sign(claims: object): string
}

interface There {
  readonly uid?: string
  readonly deletionTimestamp?: string
}

/** An issuer with a ServiceAccount, a Pod, a Secret and a Node, each of the uid that is its table. */
function world(changes: Readonly<Record<string, There | undefined>> = {}): World {
  const clock = new ManualClock(now * 1_000)
  const store = new Store(() => 0)
  for (const [table, key] of [
    ['serviceaccounts', 'x/bot'],
    ['pods', 'x/p'],
    ['secrets', 'x/s'],
    ['nodes', 'n'],
  ] as const) {
    if (table in changes && changes[table] === undefined) continue
    const metadata = { name: key, uid: table, ...changes[table] }
    store.create(store.table(table), key, { apiVersion: 'v1', kind: 'Any', metadata })
  }
  const issuer = new ServiceAccountIssuer(seededRandom(1), issuerUrl, () => 'localhost:1')
  issuer.adopt(pem, { activate: true })
  const tokens = new ServiceAccountTokens({ clock, store }, issuer, new Map([['fixed', adminUser]]))
  return { clock, tokens, sign: claims => issuer.sign({ ...claims }) }
}

const subject = 'system:serviceaccount:x:bot'
const bound = { namespace: 'x', serviceaccount: { name: 'bot', uid: 'serviceaccounts' } }
const good = { iss: issuerUrl, aud: ['a', 'b'], exp: now + 600, nbf: now, sub: subject, 'kubernetes.io': bound }
const groups = ['system:serviceaccounts', 'system:serviceaccounts:x']
const plain = { username: subject, uid: 'serviceaccounts', groups, extra: {} }
const withBound = (more: object): object => ({ ...good, 'kubernetes.io': { ...bound, ...more } })
const [pod, secret, node] = [
  { pod: { name: 'p', uid: 'pods' } },
  { secret: { name: 's', uid: 'secrets' } },
  { node: { name: 'n', uid: 'nodes' } },
]
const id = 'authentication.kubernetes.io'

for (const [said, claims, extra] of [
  ['nothing more', good, {}],
  ['an id of its own', { ...good, jti: 'j' }, { [`${id}/credential-id`]: ['JTI=j'] }],
  ['a Pod', withBound(pod), { [`${id}/pod-name`]: ['p'], [`${id}/pod-uid`]: ['pods'] }],
  ['a Secret', withBound(secret), {}],
  ['a Node', withBound(node), { [`${id}/node-name`]: ['n'], [`${id}/node-uid`]: ['nodes'] }],
  [
    'a Pod and a Node that is gone',
    withBound({ ...pod, node: { name: 'gone' } }),
    { [`${id}/node-name`]: ['gone'], [`${id}/pod-name`]: ['p'], [`${id}/pod-uid`]: ['pods'] },
  ],
] as const)
  test(`a token with ${said} is its account's`, () => {
    const { tokens, sign } = world()
    assert.deepEqual(tokens.review(sign(claims), ['b', 'c']), { user: { ...plain, extra }, audiences: ['b'] })
  })

const unnamed = 'service account token has no kubernetes.io claims'
const mismatch = 'service account token claims do not match its subject'
const gone = (table: string, key: string): string => `service account token refers to ${table} ${key}, which is gone`
for (const [said, claims, changes, problem] of [
  ['of another issuer', { ...good, iss: 'https://other.example.com' }, {}, 'invalid bearer token'],
  ['without an end', { ...good, exp: undefined }, {}, 'service account token has expired'],
  ['for nobody', { ...good, aud: undefined }, {}, 'token audiences undefined is invalid for the target audiences ["b","c"]'],
  ['for others', { ...good, aud: ['a'] }, {}, 'token audiences ["a"] is invalid for the target audiences ["b","c"]'],
  ['of a user', { ...good, sub: 'jane' }, {}, unnamed],
  ['without claims of Kubernetes', { ...good, 'kubernetes.io': undefined }, {}, unnamed],
  ['without an account', { ...good, 'kubernetes.io': { namespace: 'x' } }, {}, mismatch],
  ['of another namespace', withBound({ namespace: 'y' }), {}, mismatch],
  ['of another account', withBound({ serviceaccount: { name: 'other', uid: 'serviceaccounts' } }), {}, mismatch],
  ['of an account that is gone', good, { serviceaccounts: undefined }, gone('serviceaccounts', 'x/bot')],
  ['of an account that was made anew', good, { serviceaccounts: { uid: 'new' } }, gone('serviceaccounts', 'x/bot')],
  ['of a Pod that is gone', withBound(pod), { pods: undefined }, gone('pods', 'x/p')],
  ['of a Secret that was made anew', withBound(secret), { secrets: { uid: 'new' } }, gone('secrets', 'x/s')],
  ['of a Node that is gone', withBound(node), { nodes: undefined }, gone('nodes', 'n')],
] as const)
  test(`a token ${said} is nobody's`, () => {
    const { tokens, sign } = world(changes)
    assert.equal(tokens.review(sign(claims), ['b', 'c']), problem)
    assert.equal(tokens.authenticate(sign(claims)), undefined)
  })

test('an audience may be a text', () => {
  const { tokens, sign } = world()
  assert.deepEqual(tokens.review(sign({ ...good, aud: 'b' }), ['b']), { user: plain, audiences: ['b'] })
})

test('a token that names the issuer is good for the API itself, and so is a known one', () => {
  const { tokens, sign } = world()
  assert.deepEqual(tokens.authenticate(sign({ ...good, aud: [issuerUrl] })), plain)
  assert.equal(tokens.authenticate(sign(good)), undefined)
  assert.equal(tokens.authenticate('fixed'), adminUser)
  assert.deepEqual(tokens.review('fixed', ['any']), { user: adminUser, audiences: ['any'] })
})

test('a token is good from a minute before its time to a minute after it', async () => {
  const { tokens, sign, clock } = world()
  const token = sign({ ...good, exp: now + 600, nbf: now + 61 })
  const early = sign({ ...good, exp: now + 600, nbf: now + 60 })
  assert.equal(tokens.review(token, ['a']), 'service account token is not valid yet')
  assert.equal(typeof tokens.review(early, ['a']), 'object')
  await clock.advance(1_000)
  assert.equal(typeof tokens.review(token, ['a']), 'object')
  assert.equal(typeof tokens.review(sign({ ...good, nbf: undefined }), ['a']), 'object')
  await clock.advance(659_000)
  assert.equal(typeof tokens.review(token, ['a']), 'object')
  await clock.advance(1)
  assert.equal(tokens.review(token, ['a']), 'service account token has expired')
})

test('a token outlives the deletion of what it is bound to by a minute', async () => {
  const { tokens, sign, clock } = world({ pods: { deletionTimestamp: '2026-01-01T00:00:00Z' } })
  const token = sign(withBound(pod))
  await clock.advance(60_000)
  assert.equal(typeof tokens.review(token, ['a']), 'object')
  await clock.advance(1)
  assert.equal(tokens.review(token, ['a']), 'service account token refers to pods x/p, which is being deleted')
})
