// All the world shares the names of buckets, and a cluster's can be told beforehand: somebody else may have it first.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { serviceModel } from '#aws'
import { createAwsClient, inProcessTransport, staticCredentials } from '#aws/client'
import { seededRandom } from '#base'
import { configKind } from '../api.ts'
import { bucketName } from '../names.ts'
import { directly, type RoomWorld, region, roomWorld, type StartOptions, throughChildren, told } from '../testing/room-world.ts'

const stranger = '999999999999'
const selfHosted = { type: 'SelfHostedIRSA', region } as const
const writers: Readonly<Record<string, (world: RoomWorld) => StartOptions>> = { children: throughChildren, direct: directly }

for (const [writer, making] of Object.entries(writers)) {
  test(`a bucket that somebody else had first is named in the condition, and a salt gives another one: ${writer} [B23]`, async () => {
    await using world = roomWorld({ accounts: [stranger] })
    const taken = bucketName('wlc-a', region)
    await takeAsStranger(world, taken)
    await world.addCluster('wlc-a')
    await world.makeConfig('wlc-a', selfHosted)
    const first = world.start(making(world))
    await world.advance(30_000)
    const config = await world.config('wlc-a')
    assert.equal(config?.status?.selfHostedIssuer?.publication, undefined)
    assert.match(
      config?.status?.conditions?.find(({ type }) => type === 'BucketReady')?.message ?? '',
      /somebody else has this name: choose a text of your own for --issuer-bucket-salt, then delete the Config and make it anew/,
    )
    await first.stop()
    const second = world.start({ ...making(world), bucketSalt: 'a text of our own' })
    await world.client.delete(configKind.type, { namespace: 'wlc-a', name: 'default' })
    // The second process does not know when the first one asked for the bucket last, and waits a minute for what may appear.
    await world.advance(90_000)
    assert.equal(await world.config('wlc-a'), undefined, 'nothing of the stranger’s is in the way')
    await world.makeConfig('wlc-a', selfHosted)
    await world.advance(30_000)
    const salted = bucketName('wlc-a', region, 'a text of our own')
    assert.equal((await world.config('wlc-a'))?.status?.selfHostedIssuer?.publication?.bucketName, salted)
    await second.stop()
    // A name on record stays, whatever the salt is later: API servers and providers hold the issuer's URL.
    world.start(making(world))
    await world.advance(30_000)
    const later = await world.config('wlc-a')
    assert.deepEqual([later?.status?.selfHostedIssuer?.bucketName, told(later).IssuerReady], [salted, 'True Ready'])
  })
}

async function takeAsStranger({ aws, clock }: RoomWorld, Bucket: string): Promise<void> {
  const s3 = createAwsClient({
    model: serviceModel('s3'),
    region,
    credentials: staticCredentials(aws.adminCredentials(stranger)),
    transport: inProcessTransport(aws.handle),
    clock,
    random: seededRandom(3),
  })
  await s3.call('CreateBucket', { Bucket })
}
