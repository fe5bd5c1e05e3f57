import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  type Change,
  ChangeResourceRecordSetsCommand,
  ChangeTagsForResourceCommand,
  CreateHostedZoneCommand,
  DeleteHostedZoneCommand,
  GetChangeCommand,
  GetHostedZoneCommand,
  ListHostedZonesByNameCommand,
  ListHostedZonesCommand,
  ListResourceRecordSetsCommand,
  ListTagsForResourceCommand,
  type RRType,
  TestDNSAnswerCommand,
} from '@aws-sdk/client-route-53'
import { type Clients, clients, refusal } from './clients.ts'

async function zoneIn({ route53 }: Clients, name = 'example.com', reference = name): Promise<string> {
  const { HostedZone } = await route53.send(new CreateHostedZoneCommand({ Name: name, CallerReference: reference }))
  return HostedZone?.Id ?? ''
}

function change(Action: Change['Action'], Name: string, Type: RRType, values: readonly string[], TTL = 300): Change {
  return { Action, ResourceRecordSet: { Name, Type, TTL, ResourceRecords: values.map(Value => ({ Value })) } }
}

const batch = (HostedZoneId: string, ...Changes: Change[]): ChangeResourceRecordSetsCommand =>
  new ChangeResourceRecordSetsCommand({ HostedZoneId, ChangeBatch: { Changes } })

test('a used caller reference is refused, a new one with the same name makes a second, independent zone [#97]', async () => {
  const world = clients()
  const first = await zoneIn(world, 'example.com', 'ref-1')
  const again = await refusal(zoneIn(world, 'example.com', 'ref-1'))
  assert.deepEqual([again.code, again.status], ['HostedZoneAlreadyExists', 409])
  const second = await zoneIn(world, 'example.com', 'ref-2')
  assert.notEqual(second, first)
  await world.route53.send(new DeleteHostedZoneCommand({ Id: first }))
  assert.equal((await refusal(zoneIn(world, 'other.com', 'ref-1'))).code, 'HostedZoneAlreadyExists')
})

test('a top-level domain is no public zone, and may be a private one', async () => {
  const world = clients()
  for (const Name of ['com', 'COM.', 'local']) {
    const refused = await refusal(world.route53.send(new CreateHostedZoneCommand({ Name, CallerReference: Name })))
    assert.deepEqual(refused, { code: 'InvalidDomainName', status: 400, message: `${Name} is reserved by AWS!` })
  }
  const VPC = { VPCId: 'vpc-1', VPCRegion: 'us-east-1' } as const
  const { HostedZone } = await world.route53.send(new CreateHostedZoneCommand({ Name: 'local', CallerReference: 'mine', VPC }))
  assert.equal(HostedZone?.Name, 'local.')
})

test('the answer to a create names the new thing in its Location header', async () => {
  const body =
    '<CreateHostedZoneRequest xmlns="https://route53.amazonaws.com/doc/2013-04-01/"><Name>a.com</Name><CallerReference>1</CallerReference></CreateHostedZoneRequest>'
  const { status, headers } = await clients({ signatures: 'parse' }).raw({
    method: 'POST',
    target: '/2013-04-01/hostedzone',
    as: 'route53',
    body,
  })
  assert.equal(status, 201)
  assert.match(headers['location'] ?? '', /^https:\/\/route53\.amazonaws\.com\/2013-04-01\/hostedzone\/Z[A-Z0-9]+$/)
})

test('a batch is all or nothing [#98]', async () => {
  const world = clients()
  const zone = await zoneIn(world)
  await world.route53.send(batch(zone, change('CREATE', 'b.example.com', 'A', ['1.2.3.4'])))
  const refused = await refusal(
    world.route53.send(
      batch(zone, change('CREATE', 'a.example.com', 'A', ['1.2.3.4']), change('CREATE', 'b.example.com', 'A', ['1.2.3.4'])),
    ),
  )
  assert.deepEqual(refused, {
    code: 'InvalidChangeBatch',
    status: 400,
    message: "[Tried to create resource record set [name='b.example.com.', type='A'] but it already exists]",
  })
  const { ResourceRecordSets } = await world.route53.send(new ListResourceRecordSetsCommand({ HostedZoneId: zone }))
  assert.deepEqual(
    ResourceRecordSets?.map(set => `${set.Name} ${set.Type}`),
    ['example.com. NS', 'example.com. SOA', 'b.example.com. A'],
  )
})

test('the messages for a CNAME beside an A, at the apex, outside the zone, an unquoted TXT, and a DELETE with another TTL [#99]', async () => {
  const world = clients()
  const zone = await zoneIn(world)
  await world.route53.send(batch(zone, change('CREATE', 'a.example.com', 'A', ['1.2.3.4'])))
  const said = async (one: Change): Promise<string> => (await refusal(world.route53.send(batch(zone, one)))).message
  assert.equal(
    await said(change('CREATE', 'a.example.com', 'CNAME', ['x.example.com'])),
    '[RRSet of type CNAME with DNS name a.example.com. is not permitted as it conflicts with other records with the same DNS name in zone example.com.]',
  )
  assert.equal(
    await said(change('CREATE', 'example.com', 'CNAME', ['x.example.com'])),
    '[RRSet of type CNAME with DNS name example.com. is not permitted at apex in zone example.com.]',
  )
  assert.equal(
    await said(change('CREATE', 'a.other.com', 'A', ['1.2.3.4'])),
    '[RRSet with DNS name a.other.com. is not permitted in zone example.com.]',
  )
  assert.equal(
    await said(change('CREATE', 't.example.com', 'TXT', ['hello'])),
    "[Invalid Resource Record: 'FATAL problem: InvalidCharacterString (Value should be enclosed in quotation marks) encountered with 'hello'']",
  )
  assert.equal(
    await said(change('DELETE', 'a.example.com', 'A', ['1.2.3.4'], 60)),
    "[Tried to delete resource record set [name='a.example.com.', type='A'] but the values provided do not match the current values]",
  )
  assert.equal(
    await said(change('DELETE', 'z.example.com', 'A', ['1.2.3.4'])),
    "[Tried to delete resource record set [name='z.example.com.', type='A'] but it was not found]",
  )
})

test('99a: one set twice in a batch is refused, but DELETE and then CREATE of it replaces it', async () => {
  const world = clients()
  const zone = await zoneIn(world)
  const twice = await refusal(
    world.route53.send(
      batch(zone, change('UPSERT', 'a.example.com', 'A', ['1.1.1.1']), change('UPSERT', 'a.example.com', 'A', ['2.2.2.2'])),
    ),
  )
  assert.equal(twice.message, "[The request contains an invalid set of changes for a resource record set 'A a.example.com.']")
  await world.route53.send(batch(zone, change('CREATE', 'a.example.com', 'A', ['1.1.1.1'])))
  await world.route53.send(
    batch(
      zone,
      change('DELETE', 'a.example.com', 'A', ['1.1.1.1']),
      change('CREATE', 'a.example.com', 'CNAME', ['b.example.com']),
    ),
  )
  const { ResourceRecordSets } = await world.route53.send(
    new ListResourceRecordSetsCommand({ HostedZoneId: zone, StartRecordName: 'a.example.com' }),
  )
  assert.deepEqual(
    ResourceRecordSets?.map(set => set.Type),
    ['CNAME'],
  )
})

test('99b: 1000 records fit into a batch of CREATEs, 1001 do not, and an UPSERT counts twice', async () => {
  const world = clients()
  const zone = await zoneIn(world)
  const many = (Action: Change['Action'], count: number): Change[] =>
    Array.from({ length: count }, (_, index) => change(Action, `n${index}.example.com`, 'A', ['1.2.3.4']))
  const over = await refusal(world.route53.send(batch(zone, ...many('CREATE', 1_001))))
  assert.deepEqual([over.code, over.message], ['InvalidChangeBatch', '[Number of records limit of 1000 exceeded.]'])
  assert.equal((await refusal(world.route53.send(batch(zone, ...many('UPSERT', 501))))).code, 'InvalidChangeBatch')
  await world.route53.send(batch(zone, ...many('CREATE', 1_000)))
})

test('a wildcard comes back as \\052, and an UPSERT in upper case changes the same set [#100]', async () => {
  const world = clients()
  const zone = await zoneIn(world)
  await world.route53.send(batch(zone, change('CREATE', '*.example.com', 'A', ['1.2.3.4'])))
  await world.route53.send(batch(zone, change('UPSERT', '\\052.EXAMPLE.com.', 'A', ['5.6.7.8'])))
  const { ResourceRecordSets } = await world.route53.send(
    new ListResourceRecordSetsCommand({ HostedZoneId: zone, StartRecordName: '*.example.com' }),
  )
  assert.deepEqual(ResourceRecordSets, [
    { Name: '\\052.example.com.', Type: 'A', TTL: 300, ResourceRecords: [{ Value: '5.6.7.8' }] },
  ])
})

test('many sets (700) come in pages of 300, 300 and 100 in order, and a start triple is inclusive [#101]', async () => {
  const world = clients()
  const zone = await zoneIn(world)
  const names = Array.from({ length: 698 }, (_, index) => `n${String(index).padStart(3, '0')}.example.com`)
  await world.route53.send(batch(zone, ...names.map(name => change('CREATE', name, 'A', ['1.2.3.4']))))
  const pages: number[] = []
  const seen: string[] = []
  let start: { StartRecordName?: string; StartRecordType?: RRType } = {}
  for (;;) {
    const page = await world.route53.send(new ListResourceRecordSetsCommand({ HostedZoneId: zone, ...start }))
    pages.push(page.ResourceRecordSets?.length ?? 0)
    seen.push(...(page.ResourceRecordSets?.map(set => set.Name ?? '') ?? []))
    if (page.IsTruncated !== true) break
    start = { StartRecordName: page.NextRecordName ?? '', StartRecordType: page.NextRecordType as RRType }
  }
  assert.deepEqual(pages, [300, 300, 100])
  assert.deepEqual(seen, ['example.com.', 'example.com.', ...names.map(name => `${name}.`)])
  const middle = await world.route53.send(
    new ListResourceRecordSetsCommand({
      HostedZoneId: zone,
      StartRecordName: 'n300.example.com',
      StartRecordType: 'A',
      MaxItems: 1,
    }),
  )
  assert.equal(middle.ResourceRecordSets?.[0]?.Name, 'n300.example.com.')
  const alone = await refusal(world.route53.send(new ListResourceRecordSetsCommand({ HostedZoneId: zone, StartRecordType: 'A' })))
  assert.equal(alone.code, 'InvalidInput')
})

test('a zone with a record cannot be deleted; an empty one can, once [#102]', async () => {
  const world = clients()
  const zone = await zoneIn(world)
  await world.route53.send(batch(zone, change('CREATE', 'a.example.com', 'A', ['1.2.3.4'])))
  const full = await refusal(world.route53.send(new DeleteHostedZoneCommand({ Id: zone })))
  assert.deepEqual([full.code, full.status], ['HostedZoneNotEmpty', 400])
  await world.route53.send(batch(zone, change('DELETE', 'a.example.com', 'A', ['1.2.3.4'])))
  assert.equal((await world.route53.send(new DeleteHostedZoneCommand({ Id: zone }))).ChangeInfo?.Status, 'PENDING')
  const gone = await refusal(world.route53.send(new DeleteHostedZoneCommand({ Id: zone })))
  assert.deepEqual([gone.code, gone.status], ['NoSuchHostedZone', 404])
})

test('the sixth call of one second is throttled under the published limits [#103]', async () => {
  const world = clients({ knobs: { throttling: 'published' } })
  const outcomes = await Promise.allSettled(Array.from({ length: 6 }, () => world.route53.send(new ListHostedZonesCommand({}))))
  assert.deepEqual(
    outcomes.map(one => one.status),
    [...Array.from({ length: 5 }, () => 'fulfilled'), 'rejected'],
  )
  const last = outcomes[5] as PromiseRejectedResult
  assert.deepEqual([(last.reason as Error).name, (last.reason as Error).message], ['Throttling', 'Rate exceeded'])
})

test('a change is PENDING until its delay has passed, and the DNS answers from it only then', async () => {
  const world = clients({ profile: 'async', knobs: { delays: { dnsChange: 30_000 } } })
  const zone = await zoneIn(world)
  await world.clock.advance(30_000)
  const { ChangeInfo } = await world.route53.send(batch(zone, change('CREATE', 'a.example.com', 'A', ['1.2.3.4'])))
  const id = ChangeInfo?.Id ?? ''
  const status = async (): Promise<string | undefined> =>
    (await world.route53.send(new GetChangeCommand({ Id: id }))).ChangeInfo?.Status
  const answer = async (): Promise<string[] | undefined> =>
    (await world.route53.send(new TestDNSAnswerCommand({ HostedZoneId: zone, RecordName: 'a.example.com', RecordType: 'A' })))
      .RecordData
  assert.deepEqual([await status(), await answer()], ['PENDING', []])
  await world.clock.advance(29_999)
  assert.deepEqual([await status(), await answer()], ['PENDING', []])
  await world.clock.advance(1)
  assert.deepEqual([await status(), await answer()], ['INSYNC', ['1.2.3.4']])
  const unknown = await refusal(world.route53.send(new GetChangeCommand({ Id: '/change/C0000000000000' })))
  assert.deepEqual([unknown.code, unknown.status], ['NoSuchChange', 404])
})

test('zones are listed by reversed labels, with the given name as the start and not as a filter', async () => {
  const world = clients()
  for (const name of ['b.com', 'a.org', 'x.b.com', 'a.com']) await zoneIn(world, name)
  const { HostedZones } = await world.route53.send(new ListHostedZonesByNameCommand({ DNSName: 'b.com' }))
  assert.deepEqual(
    HostedZones?.map(zone => zone.Name),
    ['b.com.', 'x.b.com.', 'a.org.'],
  )
})

test('zones of another account are refused, absent ones are not found, and tags come back', async () => {
  const world = clients()
  const zone = await zoneIn(world)
  const other = world.as({ account: '210987654321' })
  assert.equal((await refusal(other.route53.send(new GetHostedZoneCommand({ Id: zone })))).code, 'AccessDenied')
  const absent = await refusal(world.route53.send(new GetHostedZoneCommand({ Id: 'Z0000000000000' })))
  assert.deepEqual(absent, { code: 'NoSuchHostedZone', status: 404, message: 'No hosted zone found with ID: Z0000000000000' })
  const ResourceId = zone.replace('/hostedzone/', '')
  await world.route53.send(
    new ChangeTagsForResourceCommand({ ResourceType: 'hostedzone', ResourceId, AddTags: [{ Key: 'team', Value: 'a' }] }),
  )
  const { ResourceTagSet } = await world.route53.send(new ListTagsForResourceCommand({ ResourceType: 'hostedzone', ResourceId }))
  assert.deepEqual(ResourceTagSet?.Tags, [{ Key: 'team', Value: 'a' }])
})

test('a body that is no XML and one of another operation are refused as malformed', async () => {
  const world = clients({ signatures: 'off' })
  const send = (body: string): ReturnType<Clients['raw']> =>
    world.raw({ method: 'POST', target: '/2013-04-01/hostedzone', headers: { host: 'route53.amazonaws.com' }, body })
  for (const body of ['<CreateHostedZoneRequest><Name>', 'not xml', '']) {
    const { status, text } = await send(body)
    assert.equal(status, 400, `${body}: ${text}`)
    assert.match(text, /<Code>(MalformedInput|InvalidInput)<\/Code>/)
  }
})
