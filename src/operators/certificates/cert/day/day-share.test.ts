// One namespace asks for all the certificates of a day: the others have theirs all the same, and so has what is urgent.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { KubeObject } from '#kube'
import { type CertWorld, certWorld, told, zoneName } from '../../testing/cert-world.ts'

const hourMs = 3_600_000
const names = (count: number): readonly string[] => Array.from({ length: count }, (_, index) => `greedy-${index}`)

const namespace = (name: string): KubeObject => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } })

async function crowd(world: CertWorld, count: number): Promise<void> {
  await world.zone(zoneName)
  await world.advance(120_000)
  for (const name of names(count)) await world.apply(name, {}, { namespace: 'greedy' })
}

const statesOf = async (world: CertWorld, count: number): Promise<readonly (string | undefined)[]> => {
  const certs = await Promise.all(names(count).map(name => world.cert(name, 'greedy')))
  return certs.map(cert => cert?.status?.state)
}

test('a namespace of many Certs leaves the others theirs, is told of it, and goes on the next day [16.11]', async () => {
  await using world = certWorld({ objects: ['greedy', 'others'].map(namespace) })
  await crowd(world, 7)
  world.start({ settings: { requestsPerDayMax: 10 } })
  await world.advance(hourMs / 2)
  const early = await statesOf(world, 7)
  assert.deepEqual([early.filter(state => state === 'Ready').length, early.filter(state => state === 'Failed').length], [5, 2])
  const refused = await world.cert(names(7)[early.indexOf('Failed')] ?? '', 'greedy')
  assert.equal(told(refused).Ready, 'False QuotaExceeded')
  assert.match(
    refused?.status?.message ?? '',
    /^namespace "greedy" had 5 of the 10 .* the next one at \d{4}-\d\d-\d\dT00:00:00Z$/,
  )
  await world.apply('web')
  await world.until('web', 'Ready')
  assert.equal(world.aws.calls.count({ operation: 'RequestCertificate' }), 6)
  await world.advance(24 * hourMs)
  assert.deepEqual(
    await statesOf(world, 7),
    names(7).map(() => 'Ready'),
  )
  assert.equal((await world.arns()).length, 8)
})

test('a namespace that changes its mind again and again leaves the others theirs [16.11]', async () => {
  await using world = certWorld({ objects: ['greedy', 'others'].map(namespace) })
  await world.zone(zoneName)
  await world.advance(120_000)
  world.start({ settings: { requestsPerDayMax: 10 } })
  await world.apply('loop')
  await world.until('loop', 'Ready')
  for (let round = 0; round < 7; round++) {
    await world.change('loop', { spec: { subjectAlternativeNames: [`n${round}.${zoneName}`] } })
    await world.advance(10 * 60_000)
  }
  const { status } = (await world.cert('loop')) ?? {}
  assert.deepEqual([status?.state, status?.certReady, status?.lastFailure?.reason], ['Failed', true, 'QuotaExceeded'])
  await world.apply('web', {}, { namespace: 'others' })
  await world.advance(10 * 60_000)
  assert.equal((await world.cert('web', 'others'))?.status?.state, 'Ready')
})

test('a certificate that somebody deleted comes again although its namespace has had its share [16.11]', async () => {
  await using world = certWorld({ objects: ['greedy', 'others'].map(namespace) })
  await world.zone(zoneName)
  await world.advance(120_000)
  world.start({ settings: { requestsPerDayMax: 10 } })
  await world.apply('shop', {}, { namespace: 'greedy' })
  await world.advance(10 * 60_000)
  const arn = (await world.cert('shop', 'greedy'))?.status?.certificateArn
  for (const name of names(6)) await world.apply(name, {}, { namespace: 'greedy' })
  await world.advance(hourMs / 2)
  assert.ok((await statesOf(world, 6)).includes('Failed'))
  await world.acm.call('DeleteCertificate', { CertificateArn: arn })
  await world.advance(hourMs)
  const { status } = (await world.cert('shop', 'greedy')) ?? {}
  assert.equal(status?.state, 'Ready')
  assert.notEqual(status.certificateArn, arn)
})

test('a process that begins anew knows what its predecessor asked for today [16.11]', async () => {
  await using world = certWorld({ objects: ['greedy', 'others'].map(namespace) })
  await crowd(world, 7)
  const first = world.start({ settings: { requestsPerDayMax: 10 } })
  await world.advance(hourMs / 2)
  await first.stop()
  world.start({ settings: { requestsPerDayMax: 10 } })
  await world.advance(hourMs)
  assert.equal((await world.arns()).length, 5)
})

test('a request that an account denies takes nothing from the others [16.11]', async () => {
  await using world = certWorld({ objects: ['greedy', 'others'].map(namespace) })
  await world.zone(zoneName)
  await world.advance(120_000)
  const effect = { kind: 'error', code: 'AccessDeniedException', http: 400, message: 'not authorized' } as const
  const fault = world.aws.faults.add({ match: { operation: 'RequestCertificate' }, effect })
  world.start({ settings: { requestsPerDayMax: 4 } })
  await world.apply('api')
  await world.advance(hourMs / 2)
  assert.ok(world.aws.calls.count({ operation: 'RequestCertificate' }) > 4)
  fault.remove()
  await world.until('api', 'Ready')
})
