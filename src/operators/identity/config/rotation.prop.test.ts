// A cluster, its verifiers and the rotation, with whatever can go wrong between them: S12 and S13 after every step.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { acceptedKeys, type KeyRing, type SigningKey } from './key-ring.ts'
import { decideRotation } from './rotation.ts'

const minute = 60_000
const hour = 60 * minute
const times = { propagationMs: 15 * minute, graceMs: 25 * hour }
/** Longest life of a token, and how long a verifier keeps an older key set. Both are the promises on which the times rest. */
const tokenLifeMs = 24 * hour
const verifierKeepsMs = 10 * minute

type Event =
  /** The operator looks; with or without an answer from the cluster; its clock off by so much. */
  | { readonly kind: 'look'; readonly asks: boolean; readonly skewMs: number }
  | { readonly kind: 'publish' }
  /** The API server takes up the key that the Secret holds. */
  | { readonly kind: 'take-up' }
  | { readonly kind: 'sign' }
  | { readonly kind: 'wait'; readonly ms: number }
  | { readonly kind: 'request' }

const event: fc.Arbitrary<Event> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('look' as const),
      asks: fc.boolean(),
      skewMs: fc.integer({ min: -minute / 2, max: minute / 2 }),
    }),
  },
  { weight: 4, arbitrary: fc.constant({ kind: 'publish' } as const) },
  { weight: 3, arbitrary: fc.constant({ kind: 'take-up' } as const) },
  { weight: 3, arbitrary: fc.constant({ kind: 'sign' } as const) },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('wait' as const),
      ms: fc.oneof(fc.integer({ min: 0, max: 20 * minute }), fc.integer({ min: 0, max: 30 * hour })),
    }),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'request' } as const) },
)

interface Cluster {
  now: number
  ring: KeyRing
  requests: number
  keys: number
  /** What S3 holds, since when each key is in it without a gap, and until when a key that went may still be seen. */
  published: readonly string[]
  readonly publishedSince: Map<string, number>
  readonly lastPublished: Map<string, number>
  signer: string
  readonly tokens: { readonly keyId: string; readonly expires: number }[]
  rotations: number
}

function key(keyId: string): SigningKey {
  return { public: { keyId, pem: keyId, modulus: keyId, exponent: 'AQAB' }, privatePem: keyId }
}

function start(): Cluster {
  return {
    now: 0,
    ring: { current: key('k0') },
    requests: 0,
    keys: 1,
    published: ['k0'],
    publishedSince: new Map([['k0', -hour]]),
    lastPublished: new Map(),
    signer: 'k0',
    tokens: [],
    rotations: 0,
  }
}

function play(cluster: Cluster, one: Event): void {
  switch (one.kind) {
    case 'look':
      return look(cluster, one)
    case 'publish': {
      const wanted = acceptedKeys(cluster.ring).map(({ keyId }) => keyId)
      for (const keyId of cluster.published) if (!wanted.includes(keyId)) cluster.lastPublished.set(keyId, cluster.now)
      for (const keyId of wanted) if (!cluster.published.includes(keyId)) cluster.publishedSince.set(keyId, cluster.now)
      cluster.published = wanted
      return
    }
    case 'take-up':
      cluster.signer = cluster.ring.current.public.keyId
      return
    case 'sign':
      cluster.tokens.push({ keyId: cluster.signer, expires: cluster.now + tokenLifeMs })
      return
    case 'wait':
      cluster.now += one.ms
      return
    case 'request':
      cluster.requests++
      return
    default:
  }
}

function look(cluster: Cluster, { asks, skewMs }: Extract<Event, { kind: 'look' }>): void {
  const wanted = acceptedKeys(cluster.ring).map(({ keyId }) => keyId)
  const { ring } = decideRotation({
    ring: cluster.ring,
    sinceMs: undefined,
    now: cluster.now + skewMs,
    request: cluster.requests === 0 ? undefined : `r${cluster.requests}`,
    ageMsMax: undefined,
    times,
    isPublished: wanted.length === cluster.published.length && wanted.every(keyId => cluster.published.includes(keyId)),
    signer: asks ? cluster.signer : undefined,
    signedAtMs: cluster.now,
    candidate: key(`k${cluster.keys}`),
  })
  if (ring === undefined) return
  if (ring.next !== undefined && cluster.ring.next === undefined) cluster.keys++
  if (ring.previous === undefined && cluster.ring.previous !== undefined) cluster.rotations++
  cluster.ring = ring
}

function check(cluster: Cluster): void {
  const { now, tokens, published, publishedSince, signer } = cluster
  for (const { keyId, expires } of tokens) {
    if (expires <= now) continue
    assert.ok(published.includes(keyId), `S12: a token signed by ${keyId} is refused ${(expires - now) / hour} h before its end`)
  }
  const since = publishedSince.get(signer)
  assert.ok(published.includes(signer) && since !== undefined, `S13: ${signer} signs and is not published`)
  assert.ok(now - since >= verifierKeepsMs, `S13: ${signer} signs ${now - since} ms after it was published`)
  assert.ok(published.length <= 2, 'never more than two keys')
}

test('whatever comes in between, every valid token is accepted and no key signs before verifiers know it (S12, S13)', () => {
  let rotations = 0
  fc.assert(
    fc.property(fc.array(event, { minLength: 20, maxLength: 150 }), events => {
      const cluster = start()
      for (const one of events) {
        play(cluster, one)
        check(cluster)
      }
      rotations += cluster.rotations
    }),
    { numRuns: 2_000, seed: 7 },
  )
  // Or the property would hold because nothing ever happens.
  assert.ok(rotations >= 20, `${rotations} rotations came to their end`)
})

test('with nothing in the way a rotation ends, and the old key is gone (L8)', () => {
  const cluster = start()
  cluster.requests = 1
  const calm: readonly Event[] = [
    { kind: 'look', asks: true, skewMs: 0 },
    { kind: 'publish' },
    { kind: 'take-up' },
    { kind: 'sign' },
    { kind: 'wait', ms: 20 * minute },
  ]
  for (const one of Array.from({ length: 100 }, () => calm).flat()) {
    play(cluster, one)
    check(cluster)
  }
  assert.equal(cluster.rotations, 1)
  assert.deepEqual(cluster.published, ['k1'])
  assert.equal(cluster.signer, 'k1')
})
