// A hosted zone that moves: it is deleted and made again with another id, and the configuration follows while the operator runs. Nothing is lost,
// nothing is requested twice, and the records stand where the world looks.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CertWorld, certWorld, told, type WorldOptions, zoneName } from '../testing/cert-world.ts'
import type { RegisteredZone } from '../zones/registry.ts'
import { Zones } from '../zones/zones.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

interface Moving extends AsyncDisposable {
  readonly world: CertWorld
  readonly old: RegisteredZone
  readonly zones: Zones
}

/** With a Cert `api`, and an operator whose zones can change. */
async function running(options: WorldOptions = {}): Promise<Moving> {
  const world = certWorld(options)
  const old = await world.zone(zoneName)
  await world.advance(2 * minuteMs)
  const zones = new Zones([old])
  world.start({ zones, looksAtZones: true })
  await world.apply('api', { deleteOnRemoval: true })
  return { world, old, zones, [Symbol.asyncDispose]: () => world[Symbol.asyncDispose]() }
}

/** What stands in the zone goes first: Route 53 keeps one that is not empty. */
async function deleteZone(world: CertWorld, zone: RegisteredZone): Promise<void> {
  for (const record of await world.records(zone)) {
    const [Name = '', Type = '', ...values] = record.split(' ')
    await world.write(zone, 'DELETE', { Name, Type, values })
  }
  await world.route53.call('DeleteHostedZone', { Id: zone.id })
}

const requested = (world: CertWorld): number => world.writes().filter(operation => operation === 'RequestCertificate').length
const slow: WorldOptions = { knobs: { delays: { certificateIssue: [hourMs, hourMs] } } }

test('a zone that moves while its certificate serves has the record again within the hour, and loses it with the object [5.8, 8.5]', async () => {
  await using moving = await running()
  const { world, old, zones } = moving
  const { status } = await world.until('api', 'Ready')
  const records = await world.records(old)
  await deleteZone(world, old)
  const moved = await world.zone(zoneName)
  zones.replace([moved])
  await world.advance(65 * minuteMs)
  assert.deepEqual(await world.records(moved), records)
  await world.advance(hourMs)
  const after = await world.cert('api')
  assert.deepEqual([told(after).Ready, told(after).DNSRecordsReady], ['True Issued', 'True InSync'])
  assert.deepEqual([await world.records(moved), after?.status?.resolvedZone?.id], [records, moved.id])
  assert.deepEqual([after?.status?.certificateArn, requested(world)], [status?.certificateArn, 1])
  await world.remove('api')
  await world.advance(30 * minuteMs)
  assert.deepEqual([await world.cert('api'), await world.arns(), await world.records(moved)], [undefined, [], []])
})

test('a zone that moves while ACM looks for the record has it again, and the certificate comes with one request [7.4 #25, 5.8]', async () => {
  await using moving = await running(slow)
  const { world, old, zones } = moving
  await world.until('api', 'Validated')
  await deleteZone(world, old)
  const moved = await world.zone(zoneName)
  zones.replace([moved])
  const { status } = await world.until('api', 'Ready', 4 * hourMs)
  assert.deepEqual([status?.resolvedZone?.id, requested(world), (await world.records(moved)).length], [moved.id, 1, 1])
})

test('a zone that is gone before another one is made is told, and the certificate goes on with the other [7.4 #22, #57]', async () => {
  await using moving = await running(slow)
  const { world, old, zones } = moving
  await world.until('api', 'Created')
  await deleteZone(world, old)
  const failed = await world.until('api', 'Failed', 2 * hourMs)
  const message = `the hosted zone of "${zoneName}" does not exist in Route 53`
  assert.deepEqual([told(failed).Ready, failed.status?.message], ['False ZoneNotFound', message])
  const moved = await world.zone(zoneName)
  zones.replace([moved])
  const { status } = await world.until('api', 'Ready', 4 * hourMs)
  assert.deepEqual([status?.resolvedZone?.id, requested(world), (await world.arns()).length], [moved.id, 1, 1])
})

test('a zone that comes back private is told, takes nothing from a certificate that serves, and gets no new one [5.7, 7.4 #8]', async () => {
  await using moving = await running()
  const { world, old, zones } = moving
  await world.until('api', 'Ready')
  await deleteZone(world, old)
  zones.replace([await world.zone(zoneName, { isPrivate: true })])
  await world.advance(65 * minuteMs)
  const cert = await world.cert('api')
  assert.deepEqual([told(cert).Ready, told(cert).ZoneResolved], ['True Issued', 'False PrivateZone'])
  await world.apply('web')
  const failed = await world.until('web', 'Failed')
  assert.deepEqual([told(failed).Ready, requested(world)], ['False PrivateZone', 1])
  const open = await world.zone(zoneName)
  zones.replace([open])
  await world.until('web', 'Ready')
  await world.advance(65 * minuteMs)
  assert.deepEqual([told(await world.cert('api')).ZoneResolved, (await world.records(open)).length], ['True Resolved', 2])
})

test('a zone that is taken from the configuration and moves meanwhile is found again by both of its Certs [5.8, #78]', async () => {
  await using moving = await running()
  const { world, old, zones } = moving
  await world.until('api', 'Ready')
  zones.replace([])
  await world.apply('web')
  assert.equal(told(await world.until('web', 'Failed')).Ready, 'False ZoneNotFound')
  await deleteZone(world, old)
  await world.advance(65 * minuteMs)
  assert.deepEqual(
    [told(await world.cert('api')).Ready, told(await world.cert('api')).ZoneResolved],
    ['True Issued', 'False ZoneNotFound'],
  )
  const moved = await world.zone(zoneName)
  zones.replace([moved])
  await world.until('web', 'Ready')
  await world.advance(65 * minuteMs)
  assert.deepEqual([(await world.records(moved)).length, requested(world)], [2, 2])
  assert.equal(told(await world.cert('api')).ZoneResolved, 'True Resolved')
})

test('a zone that turns private while ACM looks for the record is told at once, and an open one has the record within minutes [5.7, 7.4 #25]', async () => {
  await using moving = await running(slow)
  const { world, old, zones } = moving
  await world.until('api', 'Created')
  await deleteZone(world, old)
  zones.replace([await world.zone(zoneName, { isPrivate: true })])
  await world.advance(15 * minuteMs)
  const hidden = await world.cert('api')
  const message = `the zone of "api-prod.${zoneName}" is private: nobody outside sees a validation record in it`
  assert.deepEqual([hidden?.status?.state, hidden?.status?.message], ['Validated', message])
  assert.deepEqual([told(hidden).Ready, told(hidden).ZoneResolved], ['False WaitingForIssuance', 'False PrivateZone'])
  const open = await world.zone(zoneName)
  zones.replace([open])
  await world.advance(6 * minuteMs)
  assert.deepEqual([told(await world.cert('api')).ZoneResolved, (await world.records(open)).length], ['True Resolved', 1])
  await world.until('api', 'Ready', 2 * hourMs)
  assert.equal(requested(world), 1)
})

test('a zone that is private for a while by the configuration holds up nothing once it is open again [5.7]', async () => {
  await using moving = await running({ knobs: { delays: { certificateDetails: [10 * minuteMs, 10 * minuteMs] } } })
  const { world, old, zones } = moving
  await world.until('api', 'Created')
  zones.replace([{ ...old, private: true }])
  await world.advance(3 * minuteMs)
  assert.equal(told(await world.cert('api')).ZoneResolved, 'False PrivateZone')
  zones.replace([old])
  await world.until('api', 'Ready', hourMs / 2)
  assert.equal(requested(world), 1)
})
