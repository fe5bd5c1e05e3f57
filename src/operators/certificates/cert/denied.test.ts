// An account that denies a single call: the Cert says so in one condition, loses nothing, asks for nothing twice, and goes on without a
// restart once the permission is there.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CertWorld, certWorld, told, zoneName } from '../testing/cert-world.ts'

const minuteMs = 60_000

function deny(world: CertWorld, operation: string): { remove(): void } {
  const message = `User: arn:aws:sts::111122223333:assumed-role/x is not authorized to perform: ${operation}`
  const effect = { kind: 'error', code: 'AccessDeniedException', http: 400, message } as const
  return world.aws.faults.add({ match: { operation }, effect })
}

const requested = (world: CertWorld): number => world.writes().filter(operation => operation === 'RequestCertificate').length

for (const operation of [
  'RequestCertificate',
  'DescribeCertificate',
  'ListResourceRecordSets',
  'ChangeResourceRecordSets',
  'GetChange',
])
  test(`an account that denies ${operation} is told, and nothing is requested twice [7.4 #43]`, async () => {
    await using world = certWorld({ knobs: { delays: { certificateIssue: [15 * minuteMs, 15 * minuteMs] } } })
    await world.zone(zoneName)
    await world.advance(2 * minuteMs)
    const fault = deny(world, operation)
    world.start()
    await world.apply('api')
    const failed = await world.until('api', 'Failed')
    assert.equal(told(failed).Ready, 'False AccessDenied')
    assert.equal(told(failed).Stalled, 'True AccessDenied')
    assert.match(failed.status?.message ?? '', /not authorized to perform/)
    assert.doesNotMatch(JSON.stringify(failed.status?.conditions), /arn:|111122223333/)
    fault.remove()
    const ready = await world.until('api', 'Ready')
    assert.deepEqual([ready.status?.certReady, requested(world), (await world.arns()).length], [true, 1, 1])
  })

for (const operation of ['DeleteCertificate', 'ListTagsForCertificate'])
  test(`an account that denies ${operation} keeps the object that is deleted, which says so [8.6]`, async () => {
    await using world = certWorld()
    await world.zone(zoneName)
    await world.advance(2 * minuteMs)
    world.start()
    await world.apply('api', { deleteOnRemoval: true })
    await world.until('api', 'Ready')
    const fault = deny(world, operation)
    await world.remove('api')
    await world.advance(10 * minuteMs)
    assert.equal(told(await world.cert('api')).DeletionBlocked, 'True AccessDenied')
    assert.equal((await world.arns()).length, 1)
    const asked = world.aws.calls.count({ operation })
    assert.ok(asked <= 8, `${operation} was called ${asked} times in ten minutes`)
    fault.remove()
    await world.advance(20 * minuteMs)
    assert.equal(await world.cert('api'), undefined)
    assert.deepEqual(await world.arns(), [])
  })

test('a certificate that is good stays good while AWS denies looks at it, and AWS is not asked all the time [7.4 #43]', async () => {
  await using world = certWorld()
  await world.zone(zoneName)
  await world.advance(2 * minuteMs)
  world.start()
  await world.apply('api')
  await world.until('api', 'Ready')
  const fault = deny(world, 'DescribeCertificate')
  const before = world.aws.calls.count({ operation: 'DescribeCertificate' })
  await world.advance(120 * minuteMs)
  const cert = await world.cert('api')
  assert.deepEqual([cert?.status?.state, cert?.status?.certReady, told(cert).Ready], ['Ready', true, 'True Issued'])
  assert.equal(told(cert).DNSRecordsReady, 'False AccessDenied')
  const asked = world.aws.calls.count({ operation: 'DescribeCertificate' }) - before
  assert.ok(asked <= 30, `DescribeCertificate was called ${asked} times in two hours`)
  fault.remove()
  await world.advance(65 * minuteMs)
  assert.equal(told(await world.cert('api')).DNSRecordsReady, 'True InSync')
})
