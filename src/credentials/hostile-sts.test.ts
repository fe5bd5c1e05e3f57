// Addresses and answers of STS that are not what they ought to be, and callers that leave: the token goes to AWS or to nobody, and whoever
// asks is told one reason.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anonymous, staticCredentials, stsClient } from '#aws/client'
import { drain, type HttpResponse, seededRandom } from '#base'
import { clusterProfileKind } from '#fleet'
import type { RemoteProviderOptions } from './options.ts'
import { RemoteCredentialsError } from './remote-error.ts'
import { createRemoteProvider } from './remote-provider.ts'
import { type RemoteWorld, remoteWorld } from './testing/remote-world.ts'

interface Wire extends Pick<RemoteProviderOptions, 'stsOf'> {
  readonly origins: string[]
}

/** The real client of STS over a network of which every address gives this answer. */
function wireOf({ clock }: RemoteWorld, answer: () => Promise<HttpResponse>): Wire {
  const origins: string[] = []
  const exchange = (origin: string) => () => {
    origins.push(origin)
    return answer()
  }
  const seams = { clock, random: seededRandom(1), transport: { to: exchange, close: async () => {} } }
  return { origins, stsOf: region => stsClient({ ...seams, region }, staticCredentials(anonymous)) }
}

function said(status: number, text: string, headers: HttpResponse['headers'] = {}): HttpResponse {
  return { status, headers, body: new TextEncoder().encode(text) }
}

/** Lets the time pass that retries and time limits take. */
async function troubleOf(world: RemoteWorld, asked: Promise<unknown>): Promise<unknown> {
  let found: unknown
  const ended = asked.then(
    () => assert.fail('credentials were given'),
    (error: unknown) => void (found = error),
  )
  for (let round = 0; round < 400 && found === undefined; round++) {
    await drain()
    await world.clock.advance(1_000)
  }
  await ended
  return found
}

for (const region of ['x.evil.example/', 'evil.example:443#', 'evil.example?', 'a@evil.example/', 'eu-west-1/../..'])
  test(`a ClusterProfile whose region is ${region} sends the token nowhere`, async () => {
    await using world = await remoteWorld()
    const wire = wireOf(world, () => Promise.resolve(said(500, '')))
    const properties = [{ name: 'aws.identity.appthrust.io.aws-region', value: region }]
    await world.change(clusterProfileKind.type, { namespace: 'inventory', name: 'edge' }, { status: { properties } })
    const error = await troubleOf(world, world.retrieve({ stsOf: wire.stsOf }))
    assert.match(String(error), /STSAssumeRoleWithWebIdentityFailed: .*is no AWS region$/)
    assert.deepEqual(wire.origins, [])
  })

const planted = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJtYWxsb3J5In0.c2lnbmF0dXJl'
const answers: Readonly<Record<string, () => Promise<HttpResponse>>> = {
  'is no XML': () => Promise.resolve(said(200, `{"token":"${planted}"}`)),
  'is empty': () => Promise.resolve(said(200, '')),
  'ends in the middle': () => Promise.resolve(said(200, `<AssumeRoleWithWebIdentityResponse><Token>${planted}`)),
  'sends us elsewhere': () => Promise.resolve(said(302, planted, { location: `https://evil.example/?${planted}` })),
  'is huge': () => Promise.resolve(said(200, `<a>${planted}${'x'.repeat(20_000_000)}</a>`)),
  'is an error that is a page of HTML': () => Promise.resolve(said(503, `<html>${planted}<br></html>`)),
  'never comes': () => new Promise(() => {}),
}

for (const [what, answer] of Object.entries(answers))
  test(`an answer of STS that ${what}: one reason, no secret, no other address`, async () => {
    await using world = await remoteWorld()
    const wire = wireOf(world, answer)
    const error = await troubleOf(world, world.retrieve({ stsOf: wire.stsOf }))
    assert.ok(error instanceof RemoteCredentialsError)
    assert.ok(['STSAssumeRoleWithWebIdentityFailed', 'STSCredentialsUnavailable'].includes(error.reason), error.reason)
    assert.ok(!error.message.includes(planted) && error.message.length < 2_000, error.message.slice(0, 2_000))
    assert.deepEqual([...new Set(wire.origins)], ['https://sts.eu-west-1.amazonaws.com'])
  })

const never = (): Promise<never> => new Promise(() => {})
const waits: Readonly<Record<string, (world: RemoteWorld) => Partial<RemoteProviderOptions>>> = {
  'for the hub': () => ({ hub: never }),
  'for the provider file': () => ({ access: never }),
  'for the token': () => ({ access: { seams: {} as never, providers: [], clientOf: () => ({ requestToken: never }) } }),
  'for STS': () => ({ stsOf: () => ({ call: never }) }),
}

for (const [what, change] of Object.entries(waits))
  test(`who leaves while it waits ${what} is let go at once, and hears its own reason`, async () => {
    await using world = await remoteWorld()
    const leaving = new AbortController()
    const asked = createRemoteProvider(world.options(change(world))).retrieve(leaving.signal)
    let found: unknown
    asked.catch((error: unknown) => void (found = error))
    for (let round = 0; round < 20; round++) await drain()
    const reason = new Error('the program ends')
    leaving.abort(reason)
    for (let round = 0; round < 20; round++) await drain()
    assert.equal(found, reason)
  })

test('who has left already asks nobody', async () => {
  await using world = await remoteWorld()
  let asked = 0
  const hub = (): Promise<never> => {
    asked++
    return never()
  }
  const reason = new Error('the program ends')
  const { retrieve } = createRemoteProvider(world.options({ hub }))
  await assert.rejects(retrieve(AbortSignal.abort(reason)), reason)
  assert.equal(asked, 0)
})
