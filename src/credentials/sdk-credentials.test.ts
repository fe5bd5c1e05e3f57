import assert from 'node:assert/strict'
import { test } from 'node:test'
import { drain, ManualClock, memoryFiles, seededRandom } from '#base'
import type { RemoteCredentials } from './assume-role.ts'
import { type RemoteSeams, remoteCredentials } from './remote-credentials.ts'
import { remoteReasonOf } from './remote-error.ts'
import { cachedCredentials, type SdkCredentials } from './sdk-credentials.ts'

const hour = 3_600_000

interface Cached {
  readonly clock: ManualClock
  readonly credentials: SdkCredentials
  asked: number
  trouble: Error | undefined
}

/** A provider whose credentials are named after how often it was asked; `skewMs` is how far AWS's clock is ahead of ours. */
function cached({ skewMs = 0, sessionDurationMs = 0 } = {}): Cached {
  const clock = new ManualClock()
  const world: Cached = {
    clock,
    asked: 0,
    trouble: undefined,
    credentials: cachedCredentials(
      {
        sessionDurationMs,
        retrieve: async (): Promise<RemoteCredentials> => {
          if (world.trouble !== undefined) throw world.trouble
          return {
            accessKeyId: `ASIA${++world.asked}`,
            secretAccessKey: 's',
            sessionToken: 't',
            expiration: new Date(clock.now() + skewMs + (sessionDurationMs || hour)),
            accountId: world.asked === 1 ? '123456789012' : '',
            source: 'RemoteIRSAAssumeRoleWithWebIdentity',
          }
        },
      },
      { clock, random: seededRandom(1) },
    ),
  }
  return world
}

async function settled(): Promise<void> {
  for (let round = 0; round < 20; round++) await drain()
}

test('clients of the SDK get what they know, and an account only where there is one', async () => {
  const world = cached()
  const expiration = new Date(world.clock.now() + hour)
  const keys = { accessKeyId: 'ASIA1', secretAccessKey: 's', sessionToken: 't' }
  assert.deepEqual(await world.credentials(), { ...keys, expiration, accountId: '123456789012' })
  await world.clock.advance(hour)
  assert.equal('accountId' in (await world.credentials()), false)
})

test('many who ask at once ask once, and what is kept is renewed before its end while nobody waits', async () => {
  const world = cached()
  await Promise.all(Array.from({ length: 50 }, () => world.credentials()))
  await world.clock.advance(0.6 * hour)
  await world.credentials()
  await settled()
  assert.equal(world.asked, 1, 'still young')
  await world.clock.advance(0.25 * hour)
  assert.equal((await world.credentials()).accessKeyId, 'ASIA1')
  await settled()
  assert.equal((await world.credentials()).accessKeyId, 'ASIA2')
})

test('a renewal that fails leaves what is good; when that ends the reason is told', async () => {
  const world = cached()
  await world.credentials()
  world.trouble = new Error('away')
  await world.clock.advance(0.9 * hour)
  assert.equal((await world.credentials()).accessKeyId, 'ASIA1')
  await settled()
  await world.clock.advance(0.1 * hour)
  await assert.rejects(world.credentials(), /^Error: away$/)
  world.trouble = undefined
  assert.equal((await world.credentials()).accessKeyId, 'ASIA2')
})

test('a clock that differs from that of AWS by hours changes nothing', async () => {
  for (const skewMs of [-3 * hour, 3 * hour]) {
    const world = cached({ skewMs, sessionDurationMs: hour })
    await world.credentials()
    await world.clock.advance(0.5 * hour)
    await world.credentials()
    await settled()
    assert.equal(world.asked, 1, `ahead by ${skewMs}`)
    await world.clock.advance(0.5 * hour)
    assert.equal((await world.credentials()).accessKeyId, 'ASIA2', `ahead by ${skewMs}`)
  }
})

test('put together from a process: the options are checked at once, files are read when credentials are asked for', async () => {
  const refuse = (): never => {
    throw new Error('there is no network')
  }
  const seams: RemoteSeams = {
    clock: new ManualClock(),
    random: seededRandom(1),
    net: { dial: refuse, listen: refuse },
    files: memoryFiles(),
    programs: { run: refuse },
    env: {},
  }
  const choice = { namespace: 'edge', serviceAccount: { namespace: 'a', name: 'b' }, sessionName: 's', providerFile: 'p' }
  assert.throws(
    () => remoteCredentials(seams, { ...choice, sessionName: '' }),
    (error: unknown) => remoteReasonOf(error) === 'InvalidOptions',
  )
  const credentials = remoteCredentials(seams, { ...choice, kubeconfig: '/none' })
  await assert.rejects(credentials(), (error: unknown) => remoteReasonOf(error) === 'ConfigNotFound')
})
