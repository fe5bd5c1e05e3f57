// What somebody gains who may write the signing Secret of a cluster, by hand or through an exporter, and nothing else: a key that this
// operator did not make is in no key set, whatever stands beside it. Tokens are really signed with the stranger's key and really verified.
import assert from 'node:assert/strict'
import { generateKeyPairSync } from 'node:crypto'
import { describe, test } from 'node:test'
import type { HttpExchange } from '#base'
import { events, type StoredObject, secrets } from '#kube'
import type { Running } from '#runtime'
import { configKind } from '../api.ts'
import { keySetKey } from '../documents/publication.ts'
import { type KeyPair, keyPairOf, type PublicKey, parsePublicKey } from '../documents/signing-key.ts'
import { bucketName } from '../names.ts'
import { askSts, issuerOf, signingSecret, takeUpKey, tokenOf } from '../testing/chain.ts'
import { type RoomWorld, region, roomWorld, type Target, told } from '../testing/room-world.ts'
import { keyIdsOf, type SecretObject } from './key-ring.ts'

const minute = 60_000
const hour = 60 * minute
const configKey = { namespace: 'wlc-a', name: 'default' }
const secretKey = { namespace: 'wlc-a', name: 'awi-signing-key-default' }

const stranger: KeyPair = freshPair()

/** A cluster whose pods get their role, and a token of the stranger that claims to be one of theirs. */
interface Scene {
  readonly world: RoomWorld
  readonly run: Running
  readonly target: Target
  readonly arn: string
  askAsStranger(): Promise<string>
  askAsPod(): Promise<string>
}

async function sceneOf(world: RoomWorld): Promise<Scene> {
  const target = await world.addCluster('wlc-a', { issuer: issuerOf('wlc-a') })
  await world.makeConfig('wlc-a', { type: 'SelfHostedIRSA', region })
  const run = world.start()
  await world.makeRole('wlc-a', 'app')
  await world.advance(5_000)
  await takeUpKey(world, target)
  const podToken = await tokenOf(target, 'app')
  const forger = await forgerOf(world)
  const arn = (await world.role('wlc-a', 'app'))?.status?.roleARN ?? ''
  return {
    world,
    run,
    target,
    arn,
    askAsPod: () => askSts(world, arn, podToken),
    askAsStranger: async () => askSts(world, arn, await tokenOf(forger, 'app')),
  }
}

/** A cluster of the stranger's own that calls itself by the issuer of another, and signs with the stranger's key. */
async function forgerOf(world: RoomWorld): Promise<Target> {
  const forger = await world.addCluster('forger', { publish: false, issuer: issuerOf('wlc-a') })
  forger.server.tokens.adopt(stranger.privatePem, { activate: true })
  await forger.client.create(
    { group: '', version: 'v1', kind: 'ServiceAccount', plural: 'serviceaccounts', namespaced: true },
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata: { namespace: 'default', name: 'app' } },
  )
  return forger
}

async function writeSecret(world: RoomWorld, data: Readonly<Record<string, string>>, annotations = {}): Promise<void> {
  const encoded = Object.fromEntries(Object.entries(data).map(([name, text]) => [name, encode(text)]))
  await world.client.patch(secrets, secretKey, 'merge', { data: encoded, metadata: { annotations } })
}

async function dataOf(world: RoomWorld): Promise<Readonly<Record<string, string>>> {
  return (await signingSecret(world, 'wlc-a'))?.data ?? {}
}

async function eventsAbout(world: RoomWorld, reason: string): Promise<readonly StoredObject[]> {
  const { items } = await world.client.listAll<StoredObject & { readonly reason?: string }>(events)
  return items.filter(event => event.reason === reason)
}

test('a public key that somebody lays beside ours as the previous one is not published [S24]', async () => {
  await using world = roomWorld()
  const { askAsPod, askAsStranger } = await sceneOf(world)
  await writeSecret(world, { 'previous.pub': stranger.publicPem })
  await world.advance(minute)
  assert.equal(await askAsStranger(), 'InvalidIdentityToken')
  assert.equal(await askAsPod(), 'ok')
  // It is said, and left to a person: what works goes on, and what was written stays to be looked at.
  const config = await world.config('wlc-a')
  assert.deepEqual([told(config).SigningKeysProven, told(config).Ready], ['False SigningKeyForeign', 'True Reconciled'])
  assert.equal(
    config?.status?.conditions?.find(({ type }) => type === 'SigningKeysProven')?.message,
    `previous.pub (key ${stranger.keyId}) of Secret wlc-a/awi-signing-key-default is not ours: somebody else wrote it. It is not published, and the keys stay as they are until it is gone: find out who may write the Secret and take the entry out; if the key is yours, annotate the Config aws.identity.appthrust.io/accept-signing-keys=${stranger.keyId}`,
  )
  assert.equal((await eventsAbout(world, 'SigningKeyForeign')).length, 1)
  assert.equal((await dataOf(world))['previous.pub'], encode(stranger.publicPem))
  await world.client.patch(secrets, secretKey, 'merge', { data: { 'previous.pub': null } })
  await world.advance(minute)
  assert.equal(told(await world.config('wlc-a')).SigningKeysProven, 'True SigningKeysProven')
})

test('a pair that somebody lays down as the next one neither is published nor ever signs [S24]', async () => {
  await using world = roomWorld()
  const { askAsStranger } = await sceneOf(world)
  const before = await dataOf(world)
  const next = { 'next.key': stranger.privatePem, 'next.pub': stranger.publicPem }
  await writeSecret(world, next, { 'aws.identity.appthrust.io/next-key-published': '2020-01-01T00:00:00Z' })
  await world.advance(2 * minute)
  await world.later(2 * hour)
  assert.equal(await askAsStranger(), 'InvalidIdentityToken')
  const after = await dataOf(world)
  assert.deepEqual([after['sa.key'], after['sa.pub']], [before['sa.key'], before['sa.pub']])
})

test('a pair that takes the place of ours is not published, and ours stays so [S24, S12]', async () => {
  await using world = roomWorld()
  const { askAsPod, askAsStranger } = await sceneOf(world)
  await writeSecret(world, { 'sa.key': stranger.privatePem, 'sa.pub': stranger.publicPem })
  await world.advance(minute)
  assert.deepEqual([await askAsStranger(), await askAsPod()], ['InvalidIdentityToken', 'ok'])
  const { IssuerReady, Ready, SigningKeysProven } = told(await world.config('wlc-a'))
  assert.deepEqual([IssuerReady, Ready, SigningKeysProven], Array(3).fill('False SigningKeyForeign'))
  assert.equal((await dataOf(world))['sa.pub'], encode(stranger.publicPem), 'what was written is there to be looked at')
})

test('a Secret that is there before its Config is not believed: its key is published when the Config names it [S24]', async () => {
  await using world = roomWorld()
  await world.addCluster('wlc-a', { issuer: issuerOf('wlc-a') })
  await world.client.create(secrets, broughtSecret(stranger))
  await world.makeConfig('wlc-a', { type: 'SelfHostedIRSA', region })
  world.start()
  await world.advance(minute)
  assert.deepEqual(await publishedKeys(world), [])
  assert.equal(told(await world.config('wlc-a')).Ready, 'False SigningKeyForeign')
  await accept(world, 'another-key')
  await world.advance(minute)
  assert.deepEqual(await publishedKeys(world), [])
  await accept(world, stranger.keyId)
  await world.advance(minute)
  assert.deepEqual(await publishedKeys(world), [stranger.keyId])
  assert.equal(told(await world.config('wlc-a')).Ready, 'True Reconciled')
  assert.deepEqual((await world.config('wlc-a'))?.status?.signingKeys, { held: [stranger.keyId], planned: [] })
})

function accept(world: RoomWorld, keyId: string): Promise<unknown> {
  const annotations = { 'aws.identity.appthrust.io/accept-signing-keys': keyId }
  return world.client.patch(configKind.type, configKey, 'merge', { metadata: { annotations } })
}

test('a withdrawn key that a restore brings back is not published again [S12, S24]', async () => {
  await using world = roomWorld()
  const { askAsPod } = await sceneOf(world)
  const own = await publishedKeys(world)
  const backup = { 'sa.key': stranger.privatePem, 'sa.pub': stranger.publicPem }
  const secret = await signingSecret(world, 'wlc-a')
  await world.client.delete(secrets, secretKey)
  await world.client.create(secrets, broughtSecret(stranger, secret?.metadata.labels))
  await world.advance(minute)
  assert.deepEqual([await publishedKeys(world), await askAsPod()], [own, 'ok'])
  assert.equal((await dataOf(world))['sa.key'], encode(backup['sa.key']))
  // The way out: delete it, and a new pair is made and published.
  await world.client.delete(secrets, secretKey)
  await world.advance(minute)
  const fresh = await publishedKeys(world)
  assert.equal(fresh.length, 1)
  assert.ok(!fresh.includes(stranger.keyId) && !fresh.includes(own[0] ?? ''))
  assert.equal(told(await world.config('wlc-a')).Ready, 'True Reconciled')
})

test('a key that was dropped with its Secret is not believed when somebody brings it back [S24]', async () => {
  await using world = roomWorld()
  await sceneOf(world)
  const [stolen = ''] = await publishedKeys(world)
  const thief = await dataOf(world)
  await world.client.delete(secrets, secretKey)
  await world.advance(minute)
  await world.client.patch(secrets, secretKey, 'merge', { data: { 'previous.pub': thief['sa.pub'] } })
  await world.advance(minute)
  assert.ok(!(await publishedKeys(world)).includes(stolen))
})

describe('an installation from before there were records goes on by itself', () => {
  /** What an older version of ours, or the reference operator, leaves: the same Secret, the same status but for the record. */
  async function withoutRecord(world: RoomWorld, more: Readonly<Record<string, unknown>> = {}): Promise<void> {
    const status = { signingKeys: null, ...more }
    await world.client.patch(configKind.type, configKey, 'merge', { status }, { subresource: 'status' })
  }
  const rotate = { metadata: { annotations: { 'aws.identity.appthrust.io/rotate-signing-key': 'r1' } } }

  test('at rest', async () => {
    await using world = roomWorld()
    const { run, askAsPod } = await sceneOf(world)
    await run.stop()
    await withoutRecord(world)
    world.start()
    await world.advance(minute)
    const config = await world.config('wlc-a')
    assert.deepEqual(config?.status?.signingKeys, { held: await publishedKeys(world), planned: [] })
    assert.deepEqual([told(config).Ready, told(config).SigningKeysProven, await askAsPod()], ['True Reconciled', undefined, 'ok'])
  })

  test('in the middle of a rotation, with two keys published', async () => {
    await using world = roomWorld()
    const { run } = await sceneOf(world)
    await world.client.patch(configKind.type, configKey, 'merge', rotate)
    await world.advance(minute)
    assert.equal((await publishedKeys(world)).length, 2)
    await run.stop()
    await withoutRecord(world)
    world.start()
    await world.later(2 * hour)
    const config = await world.config('wlc-a')
    assert.equal(told(config).SigningKeyRotated, 'False SigningKeyHandover', 'the rotation went on')
    assert.deepEqual([...(config?.status?.signingKeys?.held ?? [])].sort(), [...(await publishedKeys(world))].sort())
  })

  test('while its status says nothing of a publication: what is public already is what it is', async () => {
    await using world = roomWorld()
    const { run } = await sceneOf(world)
    await run.stop()
    await withoutRecord(world, { selfHostedIssuer: { publication: null } })
    world.start()
    await world.advance(minute)
    const config = await world.config('wlc-a')
    assert.deepEqual(config?.status?.signingKeys, { held: await publishedKeys(world), planned: [] })
    assert.equal(told(config).Ready, 'True Reconciled')
  })

  test('but for a key that nobody published, which is asked about', async () => {
    await using world = roomWorld()
    const { run, askAsStranger } = await sceneOf(world)
    await run.stop()
    await withoutRecord(world)
    await writeSecret(world, { 'previous.pub': stranger.publicPem })
    world.start()
    await world.advance(minute)
    assert.equal(await askAsStranger(), 'InvalidIdentityToken')
    assert.equal(told(await world.config('wlc-a')).SigningKeysProven, 'False SigningKeyForeign')
  })
})

test('a key set that somebody writes over, our metadata kept, is put right at the next look, and told [S24, F23]', async () => {
  await using world = roomWorld()
  const { askAsStranger } = await sceneOf(world)
  const own = await publishedKeys(world)
  const place = { Bucket: bucketName('wlc-a', region), Key: keySetKey }
  const { Metadata, ContentType } = await world.s3().call('HeadObject', place)
  const { modulus, exponent } = parsePublicKey(stranger.publicPem) as PublicKey
  const key = { kty: 'RSA', use: 'sig', alg: 'RS256', kid: stranger.keyId, n: modulus, e: exponent }
  await world.s3().call('PutObject', { ...place, Metadata, ContentType, Body: Buffer.from(JSON.stringify({ keys: [key] })) })
  assert.equal(await askAsStranger(), 'ok', 'whoever may write the bucket speaks for the cluster')
  await world.advance(70 * minute)
  assert.deepEqual(await publishedKeys(world), own)
  assert.equal(await askAsStranger(), 'InvalidIdentityToken')
  assert.equal((await eventsAbout(world, 'IssuerDocumentsOverwritten')).length, 1)
})

test('a copy of the public key of another cluster, in a Secret of an older Config, takes nothing from that cluster [X3]', async () => {
  await using world = roomWorld()
  await world.addCluster('wlc-0', { issuer: issuerOf('wlc-0') })
  await world.makeConfig('wlc-0', { type: 'SelfHostedIRSA', region })
  const { run } = await sceneOf(world)
  const victim = (await dataOf(world))['sa.pub']
  await world.client.patch(secrets, { namespace: 'wlc-0', name: 'awi-signing-key-default' }, 'merge', {
    data: { 'previous.pub': victim },
  })
  await run.stop()
  world.start()
  await world.advance(minute)
  assert.equal(told(await world.config('wlc-a')).Ready, 'True Reconciled')
  assert.equal(told(await world.config('wlc-0')).SigningKeysProven, 'False SigningKeyForeign')
})

test('a key is on record before it is in the Secret, so that a process that dies in between is understood [P2]', async () => {
  await using world = roomWorld()
  await world.addCluster('wlc-a', { issuer: issuerOf('wlc-a') })
  await world.makeConfig('wlc-a', { type: 'SelfHostedIRSA', region })
  const seen: string[] = []
  const watched =
    (exchange: HttpExchange): HttpExchange =>
    async request => {
      const isSecret = request.method !== 'GET' && request.target.includes('/secrets')
      const config = isSecret ? await world.config('wlc-a') : undefined
      const reply = await exchange(request)
      if (config !== undefined && reply.status < 300) {
        const seenKeys = keyIdsOf((await signingSecret(world, 'wlc-a')) as SecretObject)
        const { held = [], planned = [] } = config.status?.signingKeys ?? {}
        seen.push(...seenKeys.filter(keyId => !held.includes(keyId) && !planned.includes(keyId)), 'written')
      }
      return reply
    }
  world.start({ through: watched })
  await world.advance(5_000)
  await world.client.patch(configKind.type, configKey, 'merge', {
    metadata: { annotations: { 'aws.identity.appthrust.io/rotate-signing-key': 'r1' } },
  })
  await world.advance(minute)
  await world.advance(20 * minute)
  assert.deepEqual(new Set(seen), new Set(['written']))
  assert.equal(told(await world.config('wlc-a')).SigningKeyRotated, 'False SigningKeyHandover')
})

function broughtSecret({ privatePem, publicPem }: KeyPair, labels = {}): never {
  const data = { 'sa.key': encode(privatePem), 'sa.pub': encode(publicPem) }
  return { apiVersion: 'v1', kind: 'Secret', metadata: { ...secretKey, labels }, data } as never
}

/** Ids of the keys in the bucket. */
async function publishedKeys(world: RoomWorld): Promise<readonly string[]> {
  const input = { Bucket: bucketName('wlc-a', region), Key: keySetKey }
  const found = await world
    .s3()
    .call('GetObject', input)
    .catch(() => undefined)
  const body = found?.Body instanceof Uint8Array ? Buffer.from(found.Body).toString() : '{"keys":[]}'
  return (JSON.parse(body) as { readonly keys: readonly { readonly kid: string }[] }).keys.map(({ kid }) => kid)
}

function encode(text: string): string {
  return Buffer.from(text).toString('base64')
}

function freshPair(): KeyPair {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  return keyPairOf(privateKey.export({ type: 'pkcs8', format: 'pem' }).toString())
}
