// What a life tells in events: each step once, and nothing beside it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CertWorld, certWorld, zoneName } from '../testing/cert-world.ts'

/** With a Cert `api` that is Ready and takes its certificate along. */
async function issued(): Promise<CertWorld> {
  const world = certWorld()
  await world.zone(zoneName)
  await world.advance(120_000)
  world.start()
  await world.apply('api', { deleteOnRemoval: true })
  await world.until('api', 'Ready')
  return world
}

test('a certificate that is requested, issued, replaced and deleted tells of each step [16.6]', async () => {
  await using world = await issued()
  assert.deepEqual(world.events('api'), ['CertificateIssued', 'CertificateRequested', 'ValidationRecordsCreated'])
  await world.change('api', { spec: { subjectAlternativeNames: [`www.${zoneName}`] } })
  await world.advance(20 * 60_000)
  await world.until('api', 'Ready')
  await world.remove('api')
  await world.advance(10 * 60_000)
  assert.equal(await world.cert('api'), undefined)
  assert.deepEqual(world.events('api'), [
    'CertificateDeleted',
    'CertificateIssued',
    'CertificateReplaced',
    'CertificateRequested',
    'ValidationRecordsCreated',
  ])
})

test('an object that is let go tells that its certificate has nobody any more [8.6, 16.6]', async () => {
  await using world = await issued()
  await world.change('api', { metadata: { annotations: { 'acm.ops.example.dev/force-orphan': 'true' } } })
  await world.remove('api')
  await world.advance(60_000)
  assert.ok(world.events('api').includes('CertificateOrphaned'))
  assert.equal((await world.arns()).length, 1)
})
