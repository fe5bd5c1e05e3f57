// A status that somebody wiped, and certificates that it never had room for: what was made is found by its marks.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HttpFailure } from '#base'
import type { Cert } from '../api.ts'
import { certKind } from '../api.ts'
import { type CertWorld, certWorld, type StartOptions, zoneName } from '../testing/cert-world.ts'
import { LostAnswer } from '../testing/lost-answers.ts'
import type { RegisteredZone } from '../zones/registry.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const consumerArn = 'arn:aws:elasticloadbalancing:eu-west-1:111122223333:loadbalancer/app/shop/1'

/** With a Cert `api` that is Ready and takes its certificates along. */
async function readyWorld(
  world: CertWorld,
  options: StartOptions = {},
): Promise<{ readonly zone: RegisteredZone; readonly arn: string }> {
  const zone = await world.zone(zoneName)
  await world.advance(2 * minuteMs)
  world.start(options)
  await world.apply('api', { deleteOnRemoval: true })
  const { status } = await world.until('api', 'Ready')
  return { zone, arn: status?.certificateArn ?? '' }
}

/** All of it, or these fields. */
async function wipe({ client }: CertWorld, status: Readonly<Record<string, null>> | null = null): Promise<void> {
  await client.patch(certKind.type, { namespace: 'default', name: 'api' }, 'merge', { status }, { subresource: 'status' })
}

async function rename(world: CertWorld, name: string): Promise<Cert> {
  await world.change('api', { spec: { subjectAlternativeNames: [`${name}.${zoneName}`] } })
  await world.advance(20 * minuteMs)
  return world.until('api', 'Ready')
}

test('a status that is wiped hours later is found again in ACM, and nothing is requested a second time [7.4 #10, #42, S1]', async () => {
  await using world = certWorld()
  const { arn } = await readyWorld(world)
  await world.advance(3 * hourMs)
  const before = world.writes()
  await wipe(world)
  const { status } = await world.until('api', 'Ready')
  assert.deepEqual([status?.certificateArn, status?.certReady, await world.arns()], [arn, true, [arn]])
  assert.deepEqual(world.writes(), before)
})

test('a state that is wiped hours later is Ready again, and nothing is requested by a token that ACM has forgotten [7.4 #9, S1]', async () => {
  await using world = certWorld()
  const { arn } = await readyWorld(world)
  await world.advance(3 * hourMs)
  const before = world.writes()
  await wipe(world, { state: null })
  await world.advance(hourMs)
  const { status } = await world.until('api', 'Ready')
  assert.deepEqual(
    [status?.certificateArn, status?.certReady, status?.request?.revision, await world.arns()],
    [arn, true, 1, [arn]],
  )
  assert.deepEqual(world.writes(), before)
})

test('of several certificates the one that is wanted is current again, and the others go with the object [7.4 #10, 8.6, S3]', async () => {
  await using world = certWorld()
  const { zone, arn } = await readyWorld(world)
  const wanted = (await rename(world, 'www')).status?.certificateArn
  await world.advance(hourMs)
  await wipe(world)
  const { status } = await world.until('api', 'Ready')
  assert.deepEqual(
    [status?.certificateArn, status?.supersededCertificates?.map(each => each.arn), status?.request?.revision],
    [wanted, [arn], 2],
  )
  await world.remove('api')
  await world.advance(10 * minuteMs)
  assert.deepEqual([await world.cert('api'), await world.arns(), await world.records(zone)], [undefined, [], []])
})

test('a spec that changed while the status was wiped is a replacement of what is found [7.4 #10, #31]', async () => {
  await using world = certWorld()
  const { arn } = await readyWorld(world)
  await world.advance(2 * hourMs)
  await wipe(world)
  const { status } = await rename(world, 'www')
  assert.deepEqual(
    [status?.supersededCertificates?.map(each => each.arn), (await world.arns()).length, status?.certReady],
    [[arn], 2, true],
  )
})

test('a status wiped right after another request waits for what came of it, and asks for no other one [7.4 #10, S1, S26]', async () => {
  await using world = certWorld({ knobs: { delays: { certificateVisible: [minuteMs, minuteMs] } } })
  let asked = 0
  const throughAws: StartOptions['throughAws'] = exchange => async request => {
    const response = await exchange(request)
    const isRequest = String(request.headers['x-amz-target'] ?? '').endsWith('.RequestCertificate')
    // Before the answer to the third one is on record.
    if (isRequest && ++asked === 3) await wipe(world)
    return response
  }
  await readyWorld(world, { throughAws })
  await rename(world, 'first')
  await world.advance(hourMs)
  // The counter of requests begins anew: no token of the next one is known afterwards.
  await wipe(world, { request: null })
  const { status } = await rename(world, 'www')
  assert.deepEqual([asked, (await world.arns()).length, status?.supersededCertificates?.length], [3, 3, 2])
})

test('a certificate that failed before the status was wiped is not asked for by its own token again [7.4 #11]', async () => {
  await using world = certWorld({
    knobs: { certificateFailures: { [`api-prod.${zoneName}`]: 'ADDITIONAL_VERIFICATION_REQUIRED' } },
  })
  await world.zone(zoneName)
  await world.advance(2 * minuteMs)
  world.start()
  await world.apply('api', { deleteOnRemoval: true })
  const failed = await world.until('api', 'Failed')
  await wipe(world)
  await world.advance(5 * minuteMs)
  const { status } = await world.until('api', 'Failed')
  assert.notEqual(status?.certificateArn, failed.status?.certificateArn)
  assert.deepEqual(
    status?.supersededCertificates?.map(each => each.arn),
    [failed.status?.certificateArn],
  )
  assert.equal(status?.request?.revision, 2)
})

test('an object that goes with a wiped status takes its certificate along, also one that is in use for a while [8.6, S3]', async () => {
  await using world = certWorld()
  const { zone, arn } = await readyWorld(world)
  world.aws.control('acm', 'attach', { certificateArn: arn, consumerArn })
  await world.advance(hourMs)
  await world.change('api', { metadata: { annotations: { 'acm.ops.example.dev/paused': 'true' } } })
  await world.advance(minuteMs)
  await wipe(world)
  await world.remove('api')
  await world.advance(10 * minuteMs)
  assert.equal((await world.cert('api'))?.status?.message, 'certificate is in use by 1 resource(s): loadbalancer')
  world.aws.control('acm', 'detach', { certificateArn: arn, consumerArn })
  await world.advance(20 * minuteMs)
  assert.deepEqual([await world.cert('api'), await world.arns(), await world.records(zone)], [undefined, [], []])
})

test('more certificates than the status has room for go with the object, also where one of them is in use [8.6, S3]', async () => {
  await using world = certWorld()
  const { zone, arn } = await readyWorld(world)
  for (let index = 0; index < 12; index++) await rename(world, `n${index}`)
  const { status } = await world.until('api', 'Ready')
  assert.deepEqual([(await world.arns()).length, status?.supersededCertificates?.length], [13, 10])
  assert.ok(status?.supersededCertificates?.every(each => each.arn !== arn))
  world.aws.control('acm', 'attach', { certificateArn: arn, consumerArn })
  await world.advance(hourMs)
  await world.remove('api')
  await world.advance(10 * minuteMs)
  assert.deepEqual(await world.arns(), [arn])
  world.aws.control('acm', 'detach', { certificateArn: arn, consumerArn })
  await world.advance(20 * minuteMs)
  assert.deepEqual([await world.cert('api'), await world.arns(), await world.records(zone)], [undefined, [], []])
})

test('an intent that a hand took from the status is found in the certificate that was made for it [7.4 #31, S1]', async () => {
  await using world = certWorld({ knobs: { delays: { certificateIssue: [10 * minuteMs, 10 * minuteMs] } } })
  await world.zone(zoneName)
  await world.advance(2 * minuteMs)
  world.start()
  await world.apply('api')
  const before = await world.until('api', 'Created')
  await wipe(world, { request: null })
  const { status } = await world.until('api', 'Ready')
  assert.deepEqual([status?.certificateArn, await world.arns()], [before.status?.certificateArn, [before.status?.certificateArn]])
  assert.equal(world.writes().filter(operation => operation === 'RequestCertificate').length, 1)
})

test('a certificate that is deleted by hand while no intent says when it was asked for is asked for again [7.4 #15]', async () => {
  await using world = certWorld({ knobs: { delays: { certificateIssue: [10 * minuteMs, 10 * minuteMs] } } })
  await world.zone(zoneName)
  await world.advance(2 * minuteMs)
  const running = world.start()
  await world.apply('api')
  const { status: before } = await world.until('api', 'Created')
  await running.stop()
  await wipe(world, { request: null })
  await world.acm.call('DeleteCertificate', { CertificateArn: before?.certificateArn ?? '' })
  world.start()
  const { status } = await world.until('api', 'Ready')
  assert.deepEqual(await world.arns(), [status?.certificateArn])
})

test('what a hand took from the list of replaced certificates goes with the object all the same [8.6, S3]', async () => {
  await using world = certWorld()
  const { zone } = await readyWorld(world)
  await rename(world, 'www')
  await wipe(world, { supersededCertificates: null })
  await world.remove('api')
  await world.advance(10 * minuteMs)
  assert.deepEqual([await world.cert('api'), await world.arns(), await world.records(zone)], [undefined, [], []])
})

test('a replaced certificate that has fallen out of the list is never taken for the one that is asked for [7.4 #10]', async () => {
  await using world = certWorld()
  await readyWorld(world)
  for (let index = 0; index < 12; index++) await rename(world, `n${index}`)
  const { status: before } = await world.until('api', 'Ready')
  const effect = { kind: 'error', code: 'AccessDeniedException', http: 400, message: 'no' } as const
  const denied = world.aws.faults.add({ match: { operation: 'RequestCertificate' }, effect })
  await world.change('api', { spec: { subjectAlternativeNames: [`last.${zoneName}`] } })
  await world.advance(2 * hourMs)
  const { status: meanwhile } = (await world.cert('api')) ?? {}
  assert.deepEqual([meanwhile?.certificateArn, meanwhile?.pendingCertificateArn], [before?.certificateArn, undefined])
  denied.remove()
  const { status } = await world.until('api', 'Ready')
  assert.equal(status?.supersededCertificates?.at(-1)?.arn, before?.certificateArn)
  assert.equal((await world.arns()).length, 14)
})

test('a new object costs no search of the account [9.3]', async () => {
  await using world = certWorld()
  await readyWorld(world)
  assert.equal(world.aws.calls.all({ operation: 'ListCertificates' }).length, 0)
})

test('an object that goes without its intent, while nobody knows what came of its request, waits for that [8.6, S6, S26]', async () => {
  await using world = certWorld({ knobs: { delays: { certificateVisible: [minuteMs, minuteMs] } } })
  await world.zone(zoneName)
  const lost = new LostAnswer('RequestCertificate')
  world.start({ throughAws: lost.through })
  await world.apply('api', { deleteOnRemoval: true })
  while (!lost.isMade) await world.advance(0)
  await world.remove('api')
  await wipe(world, { request: null })
  await world.advance(30_000)
  assert.equal(
    (await world.cert('api'))?.status?.conditions?.find(({ type }) => type === 'DeletionBlocked')?.reason,
    'AWSUnavailable',
  )
  await world.advance(10 * minuteMs)
  assert.deepEqual([await world.cert('api'), await world.arns()], [undefined, []])
})

test('an object that goes without the intent of a moment ago takes along what ACM does not show yet [8.6, S6, S26]', async () => {
  await using world = certWorld({ knobs: { delays: { certificateVisible: [2 * minuteMs, 2 * minuteMs] } } })
  await world.zone(zoneName)
  world.start()
  await world.apply('api', { deleteOnRemoval: true })
  await world.until('api', 'Created', minuteMs)
  await world.remove('api')
  await wipe(world, { request: null, certificateArn: null })
  await world.advance(10 * minuteMs)
  assert.deepEqual([await world.cert('api'), await world.arns()], [undefined, []])
})

/** What ACM answers to the request after the first is on nobody's record: for a minute nothing of the operator is written. */
async function readyAndCut(world: CertWorld, names: readonly string[]): Promise<string> {
  let [asked, isCut] = [0, false]
  const { arn } = await readyWorld(world, {
    throughAws: exchange => async request => {
      const isRequest = String(request.headers['x-amz-target'] ?? '').endsWith('.RequestCertificate')
      isCut ||= isRequest && ++asked === 2
      return exchange(request)
    },
    through: exchange => async request => {
      if (isCut && request.method === 'PATCH') throw new HttpFailure('reset', 'cut')
      return exchange(request)
    },
  })
  await world.change('api', { spec: { subjectAlternativeNames: [`www.${zoneName}`] } })
  await world.advance(minuteMs)
  assert.equal(asked > 1, true)
  await wipe(world, { request: null })
  await world.change('api', { spec: { subjectAlternativeNames: names } })
  isCut = false
  await world.advance(20 * minuteMs)
  return arn
}

test('a replacement whose intent a hand took before its answer was on record is found, and no other one made [7.4 #10, S1]', async () => {
  await using world = certWorld()
  const arn = await readyAndCut(world, [`www.${zoneName}`])
  const { status } = await world.until('api', 'Ready')
  assert.deepEqual([(await world.arns()).length, status?.request?.revision], [2, 2])
  assert.deepEqual(
    status?.supersededCertificates?.map(each => each.arn),
    [arn],
  )
})

test('a replacement is asked for once, where its intent was wiped before and an older status is written back [7.4 #10, S1]', async () => {
  await using world = certWorld({ knobs: { delays: { certificateIssue: [10 * minuteMs, 10 * minuteMs] } } })
  const { arn } = await readyWorld(world)
  const old = (await world.cert('api'))?.status
  await wipe(world, { request: null })
  await world.change('api', { spec: { subjectAlternativeNames: [`www.${zoneName}`] } })
  await world.advance(minuteMs)
  assert.equal((await world.arns()).length, 2)
  const key = { namespace: 'default', name: 'api' }
  await world.client.patch(
    certKind.type,
    key,
    'merge',
    { status: { ...old, pendingCertificateArn: null } },
    { subresource: 'status' },
  )
  await world.advance(hourMs)
  const { status } = await world.until('api', 'Ready')
  const others = (await world.arns()).filter(each => each !== arn)
  assert.deepEqual(others, [status?.certificateArn])
})

test('a replacement without its intent that nobody wants any more is listed, and goes with the object [7.4 #31, 8.6, S3]', async () => {
  await using world = certWorld()
  const arn = await readyAndCut(world, [])
  const { status } = await world.until('api', 'Ready')
  const others = (await world.arns()).filter(each => each !== arn)
  assert.deepEqual([status?.certificateArn, status?.request?.revision], [arn, 3])
  assert.deepEqual(
    status?.supersededCertificates?.map(each => each.arn),
    others,
  )
  assert.equal(others.length, 1)
})
