// A hundred names for a hundred others: the status lists the records of one such certificate, and none is left in a zone.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Cert } from '../api.ts'
import { type CertWorld, certWorld, zoneName } from '../testing/cert-world.ts'
import type { RegisteredZone } from '../zones/registry.ts'

const minuteMs = 60_000
const knobs = { quotas: { namesPerCertificate: 100 } }

const namesOf = (letter: string): readonly string[] => Array.from({ length: 99 }, (_, index) => `${letter}${index}.${zoneName}`)

async function readyWith(world: CertWorld, letter: string): Promise<Cert> {
  await world.change('api', { spec: { subjectAlternativeNames: namesOf(letter) } })
  await world.advance(2 * minuteMs)
  return world.until('api', 'Ready')
}

async function started(world: CertWorld, spec: Parameters<CertWorld['apply']>[1] = {}): Promise<RegisteredZone> {
  const zone = await world.zone(zoneName)
  await world.advance(2 * minuteMs)
  world.start()
  await world.apply('api', { deleteOnRemoval: true, subjectAlternativeNames: namesOf('a'), ...spec })
  await world.until('api', 'Ready')
  return zone
}

/** The records that stand, by the first letter of the name that they prove. */
async function lettersIn(world: CertWorld, zone: RegisteredZone): Promise<Readonly<Record<string, number>>> {
  const letters: Record<string, number> = {}
  for (const line of await allRecords(world, zone)) {
    const letter = /^_[0-9a-f]+\.(\w)/.exec(line)?.[1] ?? ''
    letters[letter] = (letters[letter] ?? 0) + 1
  }
  return letters
}

async function allRecords(world: CertWorld, { id }: RegisteredZone): Promise<readonly string[]> {
  const names: string[] = []
  let start: object = {}
  for (;;) {
    const page = await world.route53.call('ListResourceRecordSets', { HostedZoneId: id, ...start })
    const sets = page['ResourceRecordSets'] as readonly { readonly Name: string; readonly Type: string }[]
    for (const { Name, Type } of sets) if (Type === 'CNAME') names.push(Name)
    if (page['IsTruncated'] !== true) return names
    start = { StartRecordName: page['NextRecordName'], StartRecordType: page['NextRecordType'] }
  }
}

/** Names of the records that the status lists are of this letter, but for the first name. */
function listedLetters({ status }: Cert): readonly string[] {
  return [...new Set((status?.validationRecords ?? []).map(({ domains }) => domains[0]?.charAt(0) ?? ''))].sort()
}

test('after a hundred names for a hundred others, and others again, no record is left when the object goes [8.7]', async () => {
  await using world = certWorld({ knobs })
  const zone = await started(world)
  for (const letter of ['b', 'c']) assert.deepEqual(listedLetters(await readyWith(world, letter)).at(-1), letter)
  assert.deepEqual(await lettersIn(world, zone), { a: 100, b: 99, c: 99 })
  await world.remove('api')
  await world.advance(20 * minuteMs)
  assert.deepEqual([await world.cert('api'), await world.arns(), await allRecords(world, zone)], [undefined, [], []])
})

test('the records of a hundred names go after the certificate that was replaced, and those that serve are listed again [8.4, 8.7]', async () => {
  await using world = certWorld({ knobs })
  const zone = await started(world, { rotation: { deleteSuperseded: true, retain: '1h' } })
  const before = await readyWith(world, 'b')
  assert.equal((await world.arns()).length, 2)
  await world.advance(4 * 60 * minuteMs)
  const after = await world.until('api', 'Ready')
  assert.deepEqual(await world.arns(), [before.status?.certificateArn])
  assert.deepEqual(await lettersIn(world, zone), { a: 1, b: 99 })
  assert.deepEqual([listedLetters(after), after.status?.validationRecords?.length], [['a', 'b'], 100])
  assert.ok(after.status?.validationRecords?.every(({ phase }) => phase === 'InSync'))
  assert.equal(after.status?.supersededCertificates, undefined)
})

test('a record that another certificate needs stays, however crowded the list is [8.7 check 2]', async () => {
  await using world = certWorld({ knobs })
  const zone = await started(world, { rotation: { deleteSuperseded: true, retain: '1h' } })
  await world.acm.call('RequestCertificate', { DomainName: `a7.${zoneName}`, ValidationMethod: 'DNS' })
  await readyWith(world, 'b')
  await world.advance(4 * 60 * minuteMs)
  assert.deepEqual(await lettersIn(world, zone), { a: 2, b: 99 })
  await world.remove('api')
  await world.advance(20 * minuteMs)
  assert.deepEqual([await world.cert('api'), await lettersIn(world, zone)], [undefined, { a: 1 }])
})
