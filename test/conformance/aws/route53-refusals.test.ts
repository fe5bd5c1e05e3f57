// What Route 53 refuses although its form is right, as its model and its pages say.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  ChangeResourceRecordSetsCommand,
  CreateHostedZoneCommand,
  ListResourceRecordSetsCommand,
  type ResourceRecordSet,
} from '@aws-sdk/client-route-53'
import { type Clients, clients, refusal } from './clients.ts'

async function zoneIn({ route53 }: Clients, Name = 'example.com'): Promise<string> {
  const { HostedZone } = await route53.send(new CreateHostedZoneCommand({ Name, CallerReference: Name }))
  return HostedZone?.Id ?? ''
}

type Set = Partial<ResourceRecordSet>

/** Creates them in one batch; what is not given is an address. */
function create({ route53 }: Clients, HostedZoneId: string, ...sets: readonly Set[]): Promise<unknown> {
  const Changes = sets.map(set => ({
    Action: 'CREATE' as const,
    ResourceRecordSet: {
      Name: 'a.example.com',
      Type: 'A' as const,
      ...(set.AliasTarget === undefined ? { TTL: 60, ResourceRecords: [{ Value: '10.0.0.1' }] } : {}),
      ...set,
    },
  }))
  return route53.send(new ChangeResourceRecordSetsCommand({ HostedZoneId, ChangeBatch: { Changes } }))
}

const pairs: Readonly<Record<string, Set>> = {
  'a region': { Region: 'eu-west-1' },
  'a country': { GeoLocation: { CountryCode: 'DE' } },
  'a primary': { Failover: 'PRIMARY' },
}

for (const [what, set] of Object.entries(pairs)) {
  test(`${what} has one set, in one batch and in two, and the batch leaves nothing behind`, async () => {
    const world = clients()
    const zone = await zoneIn(world)
    const [one, two] = [
      { ...set, SetIdentifier: 'one' },
      { ...set, SetIdentifier: 'two' },
    ]
    const together = await refusal(create(world, zone, one, two))
    assert.equal(together.code, 'InvalidChangeBatch')
    assert.match(together.message, /SetIdentifier two cannot be created as the RRSet with SetIdentifier one answers the same/)
    await create(world, zone, one)
    assert.equal((await refusal(create(world, zone, two))).code, 'InvalidChangeBatch')
    const { ResourceRecordSets = [] } = await world.route53.send(new ListResourceRecordSetsCommand({ HostedZoneId: zone }))
    assert.deepEqual(
      ResourceRecordSets.flatMap(({ SetIdentifier }) => SetIdentifier ?? []),
      ['one'],
    )
  })
}

test('sets of other regions and places, and a secondary, stand beside the first', async () => {
  const world = clients()
  const zone = await zoneIn(world)
  await create(world, zone, { Region: 'eu-west-1', SetIdentifier: '1' }, { Region: 'eu-west-2', SetIdentifier: '2' })
  const [Name, GeoLocation] = ['b.example.com', { CountryCode: 'US' }]
  await create(
    world,
    zone,
    { Name, GeoLocation, SetIdentifier: '1' },
    { Name, GeoLocation: { ...GeoLocation, SubdivisionCode: 'NY' }, SetIdentifier: '2' },
    { Name, GeoLocation: { CountryCode: '*' }, SetIdentifier: '3' },
  )
  const failover = { Name: 'c.example.com' }
  await create(
    world,
    zone,
    { ...failover, Failover: 'PRIMARY', SetIdentifier: '1' },
    { ...failover, Failover: 'SECONDARY', SetIdentifier: '2' },
  )
})

test('there is no alias for NS and SOA, and no SOA below the top of the zone', async () => {
  const world = clients()
  const zone = await zoneIn(world)
  const AliasTarget = { HostedZoneId: zone.replace('/hostedzone/', ''), DNSName: 'example.com', EvaluateTargetHealth: false }
  const said = async (set: Set): Promise<string> => (await refusal(create(world, zone, set))).message
  assert.equal(await said({ Type: 'NS', AliasTarget }), '[RRSet of type NS with DNS name a.example.com. cannot be an alias]')
  assert.equal(await said({ Type: 'SOA', AliasTarget }), '[RRSet of type SOA with DNS name a.example.com. cannot be an alias]')
  const ResourceRecords = [{ Value: 'ns.example.com. host.example.com. 1 7200 900 1209600 86400' }]
  assert.equal(
    await said({ Type: 'SOA', ResourceRecords }),
    '[RRSet of type SOA with DNS name a.example.com. is only permitted at apex in zone example.com.]',
  )
})

test('spaces and letters beyond ASCII have to be escaped in names, and a zone begins with no asterisk', async () => {
  const world = clients()
  for (const name of ['a b.com', 'bücher.com', '*.acme.com', '\\052.acme.com'])
    assert.equal((await refusal(zoneIn(world, name))).code, 'InvalidDomainName', name)
  const escaped = await zoneIn(world, 'b\\374cher.com')
  const zone = await zoneIn(world)
  assert.equal(
    (await refusal(create(world, zone, { Name: 'a b.example.com' }))).message,
    "[FATAL problem: UnsupportedCharacter (Value contains unsupported characters) encountered with 'a b.example.com']",
  )
  assert.equal(
    (await refusal(create(world, zone, { Type: 'CNAME', ResourceRecords: [{ Value: 'us-east -1.x' }] }))).message,
    "[Invalid Resource Record: 'FATAL problem: UnsupportedCharacter (Value contains unsupported characters) encountered with 'us-east -1.x'']",
  )
  await create(world, zone, { Name: 'a\\040b.example.com' }, { Name: '*.example.com' })
  assert.notEqual(escaped, '')
})
