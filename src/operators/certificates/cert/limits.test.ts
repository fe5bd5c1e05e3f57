// Under the limits that AWS publishes: calls wait for their turn, and none is refused for its number.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CertWorld, certWorld, zoneName } from '../testing/cert-world.ts'

const minuteMs = 60_000

const throttled = ({ aws }: CertWorld): readonly string[] =>
  aws.calls
    .all({})
    .filter(({ userAgent }) => userAgent.startsWith('cert-operator'))
    .filter(({ result }) => /[Tt]hrottl|PriorRequestNotComplete/.test(result))
    .map(({ operation, result }) => `${operation} ${result}`)

test('a hundred names are proven and cleaned up at the published limits, and no call is throttled [9.3, 16.1, #15]', async () => {
  await using world = certWorld({ knobs: { throttling: 'published', quotas: { namesPerCertificate: 100 } } })
  const zone = await world.zone(zoneName)
  await world.advance(2 * minuteMs)
  world.start()
  const subjectAlternativeNames = Array.from({ length: 99 }, (_, index) => `n${index}.${zoneName}`)
  await world.apply('api', { deleteOnRemoval: true, subjectAlternativeNames })
  const { status } = await world.until('api', 'Ready')
  assert.deepEqual([status?.validationRecords?.length, (await world.records(zone)).length], [100, 100])
  assert.equal(world.writes().filter(operation => operation === 'RequestCertificate').length, 1)
  // Our own look above took a share of the account's calls.
  await world.advance(minuteMs)
  await world.remove('api')
  await world.advance(10 * minuteMs)
  assert.deepEqual([await world.cert('api'), await world.arns(), await world.records(zone)], [undefined, [], []])
  assert.deepEqual(throttled(world), [])
})
