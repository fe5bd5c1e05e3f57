import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HttpFailure } from '#base'
import { conditions } from '../../api.ts'
import { changes } from '../../testing/changes.ts'
import { resourceWorld } from '../../testing/world.ts'

test('HostedZone: made, tagged, commented and removed [7.7]', async () => {
  await using world = resourceWorld({ services: ['route53'] })
  world.start()
  await world.create('HostedZone', 'zone', {
    name: 'example.com.',
    hostedZoneConfig: { comment: 'one' },
    tags: [{ key: 'team', value: 'blue' }],
  })
  await world.advance(60_000)
  const zone = await world.get('HostedZone', 'zone')
  assert.equal((await world.condition('HostedZone', 'zone', conditions.ready))?.status, 'True', JSON.stringify(zone?.status))
  assert.match(String(zone?.status?.['id']), /^\/hostedzone\/Z/)
  assert.equal((zone?.status?.['delegationSet'] as { nameServers: string[] } | undefined)?.nameServers.length, 4)
  world.aws.calls.clear()
  await world.patch('HostedZone', 'zone', { spec: { hostedZoneConfig: { comment: 'two' } } })
  await world.advance(10_000)
  assert.deepEqual(changes(world), ['UpdateHostedZoneComment'])
  await world.remove('HostedZone', 'zone')
  await world.advance(120_000)
  assert.equal(await world.get('HostedZone', 'zone'), undefined)
})

test('HostedZone: VPCs come and go one by one, and what cannot be is refused [10.4]', async () => {
  await using world = resourceWorld({ services: ['route53'] })
  world.start()
  const vpc = (n: number) => ({ vpcID: `vpc-${n}`, vpcRegion: 'eu-west-1' })
  const hostedZoneConfig = { privateZone: true }
  await world.create('HostedZone', 'zone', { name: 'corp.internal.', hostedZoneConfig, vpcs: [vpc(1), vpc(2)] })
  await world.advance(60_000)
  assert.equal(
    (await world.condition('HostedZone', 'zone', conditions.ready))?.status,
    'True',
    JSON.stringify((await world.get('HostedZone', 'zone'))?.status),
  )
  world.aws.calls.clear()
  await world.patch('HostedZone', 'zone', { spec: { vpcs: [vpc(2), vpc(3)] } })
  await world.advance(10_000)
  assert.deepEqual(changes(world), ['AssociateVPCWithHostedZone', 'DisassociateVPCFromHostedZone'])
  await world.create('HostedZone', 'both', { name: 'both.internal.', vpc: vpc(1), vpcs: [vpc(2)] })
  await world.settle()
  assert.equal((await world.condition('HostedZone', 'both', conditions.terminal))?.status, 'True')
})

test('RecordSet: pending until in sync; wildcard, apex and alias; deleted by what is there [10.4]', async () => {
  await using world = resourceWorld({ services: ['route53'], awsOptions: { profile: 'async' } })
  world.start()
  await world.create('HostedZone', 'zone', { name: 'example.com.' })
  await world.advance(60_000)
  const hostedZoneRef = { from: { name: 'zone' } }
  await world.create('RecordSet', 'www', {
    name: 'www',
    hostedZoneRef,
    recordType: 'A',
    ttl: 60,
    resourceRecords: [{ value: '10.0.0.1' }],
  })
  await world.create('RecordSet', 'wild', {
    name: '*.apps',
    hostedZoneRef,
    recordType: 'A',
    ttl: 60,
    resourceRecords: [{ value: '10.0.0.2' }],
  })
  await world.create('RecordSet', 'apex', {
    hostedZoneRef,
    recordType: 'TXT',
    ttl: 60,
    resourceRecords: [{ value: '"v=spf1 -all"' }],
  })
  const aliasTarget = {
    dnsName: 'www.example.com',
    hostedZoneID: String((await world.get('HostedZone', 'zone'))?.status?.['id']).replace('/hostedzone/', ''),
    evaluateTargetHealth: false,
  }
  await world.advance(5_000)
  const synced = await world.condition('RecordSet', 'www', conditions.synced)
  assert.equal(synced?.status, 'False')
  await world.create('RecordSet', 'alias', { name: 'alias', hostedZoneRef, recordType: 'A', aliasTarget })
  await world.advance(180_000)
  for (const name of ['www', 'wild', 'apex', 'alias']) {
    const record = await world.get('RecordSet', name)
    assert.equal(record?.status?.['status'], 'INSYNC', `${name} ${JSON.stringify(record?.status)}`)
    assert.equal((await world.condition('RecordSet', name, conditions.ready))?.status, 'True', name)
  }
  world.aws.calls.clear()
  await world.patch('RecordSet', 'www', { spec: { ttl: 120 } })
  await world.advance(120_000)
  assert.deepEqual(changes(world), ['ChangeResourceRecordSets'])
  for (const name of ['www', 'wild', 'apex', 'alias']) await world.remove('RecordSet', name)
  await world.advance(120_000)
  for (const name of ['www', 'wild', 'apex', 'alias']) assert.equal(await world.get('RecordSet', name), undefined, name)
})

test('HealthCheck: made once, tagged, changed member by member, and gone [7.7]', async () => {
  await using world = resourceWorld({ services: ['route53'], kinds: ['HealthCheck'] })
  world.start()
  const healthCheckConfig = { type: 'HTTPS', fullyQualifiedDomainName: 'www.example.com', resourcePath: '/health', port: 443 }
  await world.create('HealthCheck', 'web', { healthCheckConfig, tags: [{ key: 'team', value: 'blue' }] })
  await world.advance(10_000)
  const made = await world.get('HealthCheck', 'web')
  assert.equal((await world.condition('HealthCheck', 'web', conditions.ready))?.status, 'True', JSON.stringify(made?.status))
  world.aws.calls.clear()
  await world.patch('HealthCheck', 'web', { spec: { healthCheckConfig: { resourcePath: '/alive' } } })
  await world.advance(10_000)
  assert.deepEqual(changes(world), ['UpdateHealthCheck'])
  assert.equal(world.aws.calls.last({ operation: 'UpdateHealthCheck' })?.parameters['ResourcePath'], '/alive')
  assert.equal((await world.condition('HealthCheck', 'web', conditions.ready))?.status, 'True')
  await world.remove('HealthCheck', 'web')
  await world.advance(10_000)
  assert.equal(await world.get('HealthCheck', 'web'), undefined)
})

const address = (more: object = {}): object => ({ recordType: 'A', ttl: 60, resourceRecords: [{ value: '192.0.2.1' }], ...more })

test('RecordSet: the changes of one zone go in few calls, and so do the reads [7.8, 9.20]', async () => {
  await using world = resourceWorld({ services: ['route53'] })
  world.start()
  await world.create('HostedZone', 'zone', { name: 'example.com.' })
  await world.advance(5_000)
  const hostedZoneRef = { from: { name: 'zone' } }
  const names = Array.from({ length: 60 }, (_, index) => `host-${index}`)
  world.aws.calls.clear()
  for (const name of names) await world.create('RecordSet', name, address({ name, hostedZoneRef }))
  await world.advance(180_000)
  for (const name of names) assert.equal((await world.get('RecordSet', name))?.status?.['status'], 'INSYNC', name)
  const count = (operation: string): number => world.aws.calls.count({ operation })
  assert.ok(count('ChangeResourceRecordSets') <= 4, world.calls().join(' '))
  assert.ok(count('ListResourceRecordSets') <= 8, world.calls().join(' '))
  assert.ok(count('GetChange') <= 8, world.calls().join(' '))
  world.aws.calls.clear()
  await Promise.all(names.map(name => world.remove('RecordSet', name)))
  await world.advance(60_000)
  for (const name of names) assert.equal(await world.get('RecordSet', name), undefined, name)
  assert.ok(count('ChangeResourceRecordSets') <= 6, world.calls().join(' '))
})

test('RecordSet: one that is wrong has its error to itself, and the others of its batch are made [7.8]', async () => {
  await using world = resourceWorld({ services: ['route53'] })
  world.start()
  await world.create('HostedZone', 'zone', { name: 'example.com.' })
  await world.advance(5_000)
  const hostedZoneRef = { from: { name: 'zone' } }
  const good = Array.from({ length: 12 }, (_, index) => `good-${index}`)
  for (const name of good) await world.create('RecordSet', name, address({ name, hostedZoneRef }))
  await world.create('RecordSet', 'bad', address({ name: 'bad', hostedZoneRef, resourceRecords: [{ value: 'no address' }] }))
  for (const name of ['late-1', 'late-2']) await world.create('RecordSet', name, address({ name, hostedZoneRef }))
  await world.advance(180_000)
  for (const name of [...good, 'late-1', 'late-2'])
    assert.equal((await world.condition('RecordSet', name, conditions.ready))?.status, 'True', name)
  const terminal = await world.condition('RecordSet', 'bad', conditions.terminal)
  assert.match(terminal?.message ?? '', /InvalidChangeBatch/)
})

test('found by simulation: the name servers of a zone are told, though the answer that named them was lost', async () => {
  await using world = resourceWorld({
    services: ['route53'],
    kinds: ['HostedZone'],
    throughAws: exchange => async request => {
      const answer = await exchange(request)
      if (request.method === 'POST' && request.target.endsWith('/hostedzone') && !isLost) {
        isLost = true
        throw new HttpFailure('reset', 'the answer is lost')
      }
      return answer
    },
  })
  let isLost = false
  world.start()
  await world.create('HostedZone', 'zone', { name: 'example.com.' })
  await world.advance(120_000)
  assert.ok(isLost)
  const delegated = (await world.get('HostedZone', 'zone'))?.status?.['delegationSet'] as { readonly nameServers?: string[] }
  assert.equal(delegated?.nameServers?.length, 4)
  const { HostedZones } = await world.client('route53').call('ListHostedZones')
  assert.equal((HostedZones as unknown[]).length, 1)
})

test('found by simulation: a record whose create call got no answer is ours, though its manifest changed meanwhile', async () => {
  for (const goes of [false, true]) {
    let isCut = false
    await using world = resourceWorld({
      services: ['route53'],
      kinds: ['HostedZone', 'RecordSet'],
      throughAws: exchange => async request => {
        if (isCut) throw new HttpFailure('unreachable', 'nobody is there')
        const answer = await exchange(request)
        if (request.method !== 'POST' || !request.target.includes('/rrset')) return answer
        isCut = true
        throw new HttpFailure('reset', 'the answer is lost')
      },
    })
    world.start()
    await world.create('HostedZone', 'zone', { name: 'example.com.' })
    await world.advance(5_000)
    const hostedZoneID = (await world.get('HostedZone', 'zone'))?.status?.['id']
    const resourceRecords = [{ value: '10.0.0.1' }]
    await world.create('RecordSet', 'www', { name: 'www', recordType: 'A', ttl: 60, resourceRecords, hostedZoneID })
    await world.advance(1_000)
    assert.ok(isCut)
    await world.patch('RecordSet', 'www', { spec: { ttl: 120 } })
    if (goes) await world.remove('RecordSet', 'www')
    await world.advance(1_000)
    isCut = false
    const lists = world.client('route53')
    const ttls = async (): Promise<readonly unknown[]> => {
      const { ResourceRecordSets } = await lists.call('ListResourceRecordSets', { HostedZoneId: hostedZoneID })
      return (ResourceRecordSets as { Type: string; TTL: number }[]).filter(({ Type }) => Type === 'A').map(({ TTL }) => TTL)
    }
    assert.deepEqual(await ttls(), [60])
    // Each change takes hold, and its answer is lost again.
    for (let minute = 0; minute < 15; minute++) {
      await world.advance(60_000)
      isCut = false
    }
    assert.deepEqual(await ttls(), goes ? [] : [120])
    if (goes) assert.equal(await world.get('RecordSet', 'www'), undefined)
  }
})
