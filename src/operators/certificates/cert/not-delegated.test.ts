// A hosted zone that the DNS does not lead to: what stands in it is seen by nobody, and ACM waits for three days.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findCondition } from '#kube'
import { type CertWorld, certWorld, told, zoneName } from '../testing/cert-world.ts'

test('a zone that is delegated elsewhere is told within minutes where the DNS may be asked, and until it is mended [8.2]', async () => {
  await using world = certWorld()
  const parent = await world.zone('acme.dev')
  const other = await world.zone(zoneName)
  const configured = await world.zone(zoneName)
  const [theirs, ours] = [await nameServers(world, other), await nameServers(world, configured)]
  const delegateTo = (servers: readonly string[]): Promise<void> =>
    world.write(parent, 'UPSERT', { Name: zoneName, Type: 'NS', values: servers })
  await delegateTo(theirs)
  await world.advance(120_000)
  world.start({ zones: [configured], looksAtZones: true, asksDns: true })
  await world.apply('api')
  await world.advance(10 * 60_000)
  const waiting = await world.cert('api')
  assert.deepEqual([told(waiting).Ready, told(waiting).ZoneResolved], ['False WaitingForIssuance', 'False NotDelegated'])
  const message = `the records stand in the hosted zone ${configured.id} of "${zoneName}", and the DNS does not lead there: "${zoneName}" is delegated to ${theirs.join(', ')}; name ${ours.join(', ')} in the NS records of "${zoneName}" in its parent zone or at its registrar, or configure the hosted zone that they serve`
  assert.equal(waiting?.status?.message, message)
  assert.equal(findCondition(waiting?.status?.conditions, 'ZoneResolved')?.message, message)
  await world.advance(5 * 60_000)
  const later = await world.cert('api')
  assert.deepEqual(later?.status?.conditions, waiting?.status?.conditions)
  await delegateTo(ours)
  const ready = await world.until('api', 'Ready')
  assert.equal(told(ready).ZoneResolved, 'True Resolved')
  assert.deepEqual(world.writes(), ['RequestCertificate', 'ChangeResourceRecordSets'])
})

test('a zone that nobody is led to is told with its name servers, and one that is says nothing of the DNS [8.2]', async () => {
  await using world = certWorld()
  const parent = await world.zone('acme.dev')
  const configured = await world.zone(zoneName)
  const ours = await nameServers(world, configured)
  await world.advance(120_000)
  world.start({ zones: [configured, parent], looksAtZones: true, asksDns: true })
  await world.apply('api')
  await world.apply('www', { domainName: 'www.acme.dev' })
  await world.until('www', 'Ready')
  await world.advance(10 * 60_000)
  const waiting = await world.cert('api')
  assert.equal(told(waiting).ZoneResolved, 'False NotDelegated')
  assert.match(waiting?.status?.message ?? '', new RegExp(`no name servers of "${zoneName}" are found; name ${ours.join(', ')} `))
  assert.equal(told(await world.cert('www')).ZoneResolved, 'True Resolved')
})

async function nameServers(world: CertWorld, { id }: { readonly id: string }): Promise<readonly string[]> {
  const { DelegationSet } = await world.route53.call('GetHostedZone', { Id: id })
  return [...(DelegationSet as { NameServers: readonly string[] }).NameServers].sort()
}
