// Zones that nobody named: found with the role of the object, or said by the platform; and never all of them by mistake.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { KubeObject } from '#kube'
import { openCrd } from '../../../runtime/testing/open-crd.ts'
import { kinds } from '../api/kinds.ts'
import { answerOf, awsKeys, awsSpec, type DnsWorld, dnsWorld, openShift } from '../testing/dns-world.ts'
import { type Accounts, allow, makeZone, roleArn, twoAccounts } from '../testing/two-accounts.ts'
import { agree } from './find-zones.ts'
import { platformDnses } from './platform-dns.ts'

const looking = { zoneDiscovery: { mode: 'AssumedRole' } }

async function writtenZones({ deployment }: DnsWorld): Promise<readonly string[] | undefined> {
  const containers = (await deployment())?.spec.template.spec.containers
  return containers?.map(({ args = [] }) => args.find(text => text.startsWith('--zone-id-filter='))?.slice(17) ?? '')
}

async function changed(accounts: Accounts, change: (spec: object) => object): Promise<void> {
  const { world } = accounts
  const dns = await world.dns('blue', 'v1beta2')
  await world.client.update(kinds.v1beta2.type, { ...dns, spec: change(dns.spec) } as never)
  await world.settle()
}

test('with the role, zones are found whose name is a domain, or above or below one', async () => {
  await using accounts = await twoAccounts()
  const { route53, world, zone } = accounts
  const below = await makeZone(route53, 'apps.example.com')
  await makeZone(route53, 'notexample.com')
  await makeZone(route53, 'other.org')
  await accounts.create({ arn: roleArn }, looking)
  assert.deepEqual(await writtenZones(world), [zone, below].sort())
  assert.deepEqual((await world.dns()).status?.zones, [zone, below].sort())
  assert.equal((await accounts.said()).ZonesAccessible, 'True/Readable')
})

test('a zone that is new comes last, and one that is gone goes when two looks in a row miss it', async () => {
  await using accounts = await twoAccounts()
  const { route53, world, zone } = accounts
  const gone = await makeZone(route53, 'apps.example.com')
  await accounts.create({ arn: roleArn }, looking)
  const before = (await writtenZones(world)) ?? []
  await route53.call('DeleteHostedZone', { Id: gone })
  const fresh = await makeZone(route53, 'new.example.com')
  await accounts.later()
  assert.deepEqual(await writtenZones(world), [...before, fresh])
  await accounts.later()
  assert.deepEqual(
    await writtenZones(world),
    [...before, fresh].filter(one => one !== gone),
  )
  assert.ok(before.includes(zone))
})

test('two looks in a row decide, and a zone that comes back in between stays', () => {
  const known = agree({ zones: ['a', 'b'], doubted: [] }, ['b'])
  assert.deepEqual(known, { zones: ['a', 'b'], doubted: ['a'] })
  assert.deepEqual(agree(known, ['a', 'b']), { zones: ['a', 'b'], doubted: [] })
  assert.deepEqual(agree(known, ['b', 'c']), { zones: ['b', 'c'], doubted: [] })
})

test('only zones of the type and with the tags that are named are found [17.9]', async () => {
  await using accounts = await twoAccounts()
  const { route53, world, zone } = accounts
  await route53.call('ChangeTagsForResource', {
    ResourceType: 'hostedzone',
    ResourceId: zone,
    AddTags: [{ Key: 'team', Value: 'dns' }],
  })
  await makeZone(route53, 'apps.example.com')
  const provider = {
    type: 'AWS',
    aws: { credentials: { name: 'dns-creds' }, assumeRole: { arn: roleArn }, zoneType: 'Public', zoneTags: { team: 'dns' } },
  }
  await allow(accounts.iam, {
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Action: ['route53:List*'], Resource: '*' }],
  })
  await accounts.create({ arn: roleArn }, { ...looking, provider })
  assert.deepEqual(await writtenZones(world), [zone])
  await changed(accounts, spec => ({ ...spec, provider: { ...provider, aws: { ...provider.aws, zoneType: 'Private' } } }))
  assert.equal((await accounts.said()).ZonesAccessible, 'False/NoZonesFound')
})

test('ten zones are written, and with an eleventh nothing changes until somebody says which are meant', async () => {
  await using accounts = await twoAccounts()
  const { route53, world } = accounts
  for (let count = 1; count < 10; count++) await makeZone(route53, `z${count}.example.com`)
  await accounts.create({ arn: roleArn }, looking)
  assert.equal((await writtenZones(world))?.length, 10)
  await makeZone(route53, 'z10.example.com')
  await accounts.later()
  const said = await accounts.said()
  assert.deepEqual([said.ZonesAccessible, said.Available], ['False/TooManyZones', 'False/ZoneAccessDenied'])
  assert.match((await accounts.message('ZonesAccessible')) ?? '', /^11 zones fit the domains.*name domains, zoneType or zoneTags/)
  assert.equal((await writtenZones(world))?.length, 10)
})

test('as long as no zone is found no operand starts: it would write in all of them', async () => {
  await using accounts = await twoAccounts()
  await allow(accounts.iam, { Version: '2012-10-17', Statement: [{ Effect: 'Deny', Action: '*', Resource: '*' }] })
  await accounts.create({ arn: roleArn }, looking)
  assert.equal(await accounts.world.deployment(), undefined)
  assert.equal(await accounts.message('Available'), 'assumed role is not allowed to perform route53:ListHostedZones')
  await allow(accounts.iam)
  await accounts.later()
  assert.deepEqual(await writtenZones(accounts.world), [accounts.zone])
})

test('zones that are named win over any that could be found', async () => {
  await using accounts = await twoAccounts()
  const other = await makeZone(accounts.route53, 'other.org')
  await accounts.create({ arn: roleArn }, { ...looking, zones: [other] })
  assert.deepEqual(await writtenZones(accounts.world), [other])
})

const platformZone = { publicZone: { id: 'ZPUBLIC00001' }, privateZone: { id: 'ZPRIVATE0001' } }

function onOpenShift(spec: object): DnsWorld {
  const dns = { apiVersion: 'config.openshift.io/v1', kind: 'DNS', metadata: { name: 'cluster' }, spec } as KubeObject
  return dnsWorld({ platform: openShift, objects: [openCrd(platformDnses), dns] })
}

const ofPlatform = (more: object = {}): object => ({
  provider: { type: 'AWS', aws: {} },
  source: { type: 'OpenShiftRoute' },
  zoneDiscovery: { mode: 'PlatformDNS' },
  ...more,
})

test('the zones of the platform are written, the private one with the role that the platform names for it', async () => {
  const roles = { platform: { aws: { privateZoneIAMRole: roleArn } } }
  await using world = onOpenShift({ ...platformZone, ...roles })
  world.start()
  await world.secret('externaldns-cloud-credentials', awsKeys)
  await world.create(ofPlatform(), 'blue', 'v1beta2')
  await world.settle()
  assert.deepEqual(await writtenZones(world), ['ZPUBLIC00001', 'ZPRIVATE0001'])
  const containers = (await world.deployment())?.spec.template.spec.containers ?? []
  assert.deepEqual(
    containers.map(({ args = [] }) => args.find(text => text.startsWith('--aws-assume-role='))),
    [undefined, `--aws-assume-role=${roleArn}`],
  )
  const [dns] = (await world.client.list(platformDnses)).items
  await world.client.update(platformDnses, { ...dns, spec: { publicZone: { id: 'ZOTHER000001' } } } as never)
  await world.settle()
  assert.deepEqual(await writtenZones(world), ['ZOTHER000001'])
})

test('a role of the object is used for all zones of the platform', async () => {
  const roles = { platform: { aws: { privateZoneIAMRole: 'arn:aws:iam::333333333333:role/private' } } }
  await using world = onOpenShift({ ...platformZone, ...roles })
  world.start()
  await world.secret('externaldns-cloud-credentials', awsKeys)
  await world.create(ofPlatform({ provider: { type: 'AWS', aws: { assumeRole: { arn: roleArn } } } }), 'blue', 'v1beta2')
  await world.settle()
  const args = (await world.deployment())?.spec.template.spec.containers.flatMap(container => container.args ?? []) ?? []
  assert.deepEqual(
    args.filter(text => text.startsWith('--aws-assume-role=')),
    [`--aws-assume-role=${roleArn}`, `--aws-assume-role=${roleArn}`],
  )
})

test('a platform that names no zone by its id leaves nothing to write, and no operand starts', async () => {
  await using world = onOpenShift({ publicZone: { tags: { Name: 'x' } } })
  world.start()
  await world.secret('externaldns-cloud-credentials', awsKeys)
  await world.create(ofPlatform(), 'blue', 'v1beta2')
  await world.settle()
  assert.equal(await world.deployment(), undefined)
  assert.deepEqual((await world.said()).ZonesAccessible, 'False/NoZonesFound')
})

test('a way to look for zones that leads nowhere is refused, and says what to do instead', async () => {
  await using world = dnsWorld()
  const refusals: Readonly<Record<string, object>> = {
    'zoneDiscovery.mode PlatformDNS needs OpenShift, which says which zones are its own; name the zones in spec.zones': awsSpec({
      zoneDiscovery: { mode: 'PlatformDNS' },
    }),
    'zoneDiscovery.mode AssumedRole is for the provider AWS; name the zones in spec.zones': awsSpec({
      ...looking,
      provider: { type: 'GCP', gcp: { credentials: { name: 'x' } } },
    }),
    'zoneDiscovery.mode AssumedRole cannot be used with PodIdentity, whose credentials only the pod has; name the zones in spec.zones':
      awsSpec({ ...looking, provider: { type: 'AWS', aws: { workloadIdentity: { mode: 'PodIdentity' } } } }),
  }
  for (const [message, spec] of Object.entries(refusals))
    assert.equal(
      await answerOf(world.create(spec, 'blue', 'v1beta2')),
      `admission webhook "vexternaldns.kb.io" denied the request: ${message}`,
    )
})

test('without the preflight nobody looks for zones, and the object says so', async () => {
  await using world = dnsWorld({ settings: { preflightEnabled: false } })
  world.start()
  await world.secret('dns-creds', awsKeys)
  await world.create(awsSpec(looking), 'blue', 'v1beta2')
  await world.settle()
  const available = (await world.dns()).status?.conditions?.find(({ type }) => type === 'Available')
  assert.equal(
    available?.message,
    'zoneDiscovery.mode AssumedRole needs the preflight, which is off; name the zones in spec.zones',
  )
  assert.equal(await world.deployment(), undefined)
})
