// The life of a certificate that is issued: renewal, replacement, loss.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findCondition } from '#kube'
import { certKind } from '../api.ts'
import { type CertWorld, certWorld, told, zoneName } from '../testing/cert-world.ts'
import { LostAnswer } from '../testing/lost-answers.ts'
import type { RegisteredZone } from '../zones/registry.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs
const other = `b.${zoneName}`

async function readyWorld(
  world: CertWorld,
  spec: Parameters<CertWorld['apply']>[1] = {},
): Promise<{ readonly zone: RegisteredZone; readonly arn: string }> {
  const zone = await world.zone(zoneName)
  await world.advance(120_000)
  await world.apply('api', spec)
  const { status } = await world.until('api', 'Ready')
  return { zone, arn: status?.certificateArn ?? '' }
}

const attach = (world: CertWorld, certificateArn: string): unknown =>
  world.aws.control('acm', 'attach', {
    certificateArn,
    consumerArn: 'arn:aws:elasticloadbalancing:eu-west-1:111122223333:loadbalancer/app/shop/1',
  })

/** The calendar moves on; an hourly look sees what has become. */
async function later(world: CertWorld, ms: number): Promise<void> {
  world.clock.jump(ms)
  await world.advance(2 * hourMs)
}

test('a renewed certificate has the same ARN, another serial and another end, and is told [#64]', async () => {
  await using world = certWorld()
  world.start()
  const { arn } = await readyWorld(world)
  attach(world, arn)
  const before = await world.cert('api')
  await later(world, 160 * dayMs)
  const after = await world.cert('api')
  assert.equal(after?.status?.certificateArn, arn)
  assert.notEqual(after?.status?.serial, before?.status?.serial)
  assert.ok(Date.parse(after?.status?.expirationDate ?? '') > Date.parse(before?.status?.expirationDate ?? ''))
  assert.equal(told(after).RenewalHealthy, 'True Renewed')
  assert.ok(world.events('api').includes('CertificateRenewed'))
})

test('a certificate that was deleted behind our back is requested again [#65]', async () => {
  await using world = certWorld()
  world.start()
  const { arn } = await readyWorld(world)
  await world.acm.call('DeleteCertificate', { CertificateArn: arn })
  await world.advance(2 * hourMs)
  const { status } = await world.until('api', 'Ready')
  assert.notEqual(status?.certificateArn, arn)
  assert.ok(world.events('api').includes('CertificateMissing'))
})

test('one answer that it is not there changes nothing [#66]', async () => {
  await using world = certWorld()
  world.start({ layers: { cache: undefined } })
  const { arn } = await readyWorld(world)
  const effect = { kind: 'error', code: 'ResourceNotFoundException', http: 400, message: 'no' } as const
  world.aws.faults.add({ match: { operation: 'DescribeCertificate' }, effect, times: 1 })
  await world.advance(3 * hourMs)
  assert.equal((await world.cert('api'))?.status?.certificateArn, arn)
  assert.equal(world.writes().filter(each => each === 'RequestCertificate').length, 1)
})

test('a certificate that nobody uses is told before its end, and expired after it [#68, #76]', async () => {
  await using world = certWorld()
  world.start()
  await readyWorld(world)
  await later(world, 175 * dayMs)
  assert.equal(told(await world.cert('api')).RenewalHealthy, 'False NotInUse')
  await later(world, 25 * dayMs)
  const expired = await world.cert('api')
  assert.deepEqual([expired?.status?.state, told(expired).Ready, expired?.status?.certReady], ['Failed', 'False Expired', false])
})

test('what replaces a certificate that nobody renews is told to be well as it becomes current [8.5]', async () => {
  await using world = certWorld()
  world.start()
  await readyWorld(world)
  await later(world, 175 * dayMs)
  await world.change('api', { spec: { subjectAlternativeNames: [other] } })
  await world.advance(60_000)
  assert.equal(told(await world.cert('api')).RenewalHealthy, 'False NotInUse')
  assert.equal(told(await world.until('api', 'Ready')).RenewalHealthy, 'True NotDue')
})

test('a pass that comes after the hour of the daily look makes up for it [7.4 #34]', async () => {
  await using world = certWorld()
  world.start()
  const { zone } = await readyWorld(world)
  const stood = await world.records(zone)
  for (let day = 0; day < 3; day++) {
    const [name = '', type = '', value = ''] = (await world.records(zone))[0]?.split(' ') ?? []
    await world.write(zone, 'DELETE', { Name: name, Type: type, values: [value] })
    await later(world, 25 * hourMs)
    assert.deepEqual(await world.records(zone), stood)
  }
})

test('a list of records that somebody wiped is written again at the next look [7.4 #34]', async () => {
  await using world = certWorld()
  world.start()
  await readyWorld(world)
  const before = (await world.cert('api'))?.status?.validationRecords?.map(({ name, phase }) => [name, phase])
  const wiped = { status: { validationRecords: null } }
  await world.client.patch(certKind.type, { namespace: 'default', name: 'api' }, 'merge', wiped, { subresource: 'status' })
  await world.advance(hourMs)
  const { status } = (await world.cert('api')) ?? {}
  assert.deepEqual(
    status?.validationRecords?.map(({ name, phase }) => [name, phase]),
    before,
  )
})

test('where that is chosen, another one is requested for what ACM will not renew [#76]', async () => {
  await using world = certWorld()
  world.start({ settings: { reissuesProactively: true } })
  const { arn } = await readyWorld(world)
  await later(world, 175 * dayMs)
  const { status } = await world.until('api', 'Ready')
  assert.notEqual(status?.certificateArn, arn)
  assert.deepEqual(
    status?.supersededCertificates?.map(entry => entry.arn),
    [arn],
  )
})

test('a further name is another certificate; the current one stays until that is issued [8.4, #69]', async () => {
  await using world = certWorld()
  world.start()
  const { arn } = await readyWorld(world)
  const ready: (boolean | undefined)[] = []
  await world.change('api', { spec: { subjectAlternativeNames: [other] } })
  for (let look = 0; look < 8; look++) {
    await world.advance(15_000)
    ready.push((await world.cert('api'))?.status?.certReady)
    assert.equal(
      (await world.cert('api'))?.status?.state === 'Ready' || (await world.cert('api'))?.status?.certificateArn === arn,
      true,
    )
  }
  const { status } = await world.until('api', 'Ready')
  assert.notEqual(status?.certificateArn, arn)
  assert.deepEqual([...new Set(ready)], [true])
  assert.deepEqual([status?.pendingCertificateArn, status?.supersededCertificates?.map(entry => entry.arn)], [undefined, [arn]])
  assert.ok(world.events('api').includes('CertificateReplaced'))
})

test('a replacement that fails takes nothing from the current certificate [#70]', async () => {
  await using world = certWorld()
  world.start()
  const { zone, arn } = await readyWorld(world)
  await world.write(zone, 'UPSERT', { Name: `${zoneName}.`, Type: 'CAA', values: ['0 issue "letsencrypt.org"'] })
  await world.advance(120_000)
  await world.change('api', { spec: { subjectAlternativeNames: [other] } })
  const failed = await world.until('api', 'Failed')
  assert.deepEqual([failed.status?.certReady, failed.status?.certificateArn], [true, arn])
  assert.equal(told(failed).Ready, 'False CAARestricted')
})

test('a name that is added and taken away again leaves no certificate behind [#71]', async () => {
  await using world = certWorld()
  world.start()
  const { arn } = await readyWorld(world)
  await world.change('api', { spec: { subjectAlternativeNames: [other] } })
  await world.advance(20_000)
  assert.equal((await world.arns()).length, 2)
  await world.change('api', { spec: { subjectAlternativeNames: [] } })
  const { status } = await world.until('api', 'Ready')
  await world.advance(60_000)
  assert.equal(status?.certificateArn, arn)
  assert.deepEqual(await world.arns(), [arn])
})

test('a name that is taken away again while nobody knows what the request became leaves no certificate behind [#71]', async () => {
  await using world = certWorld({ knobs: { delays: { certificateVisible: [60_000, 60_000] } } })
  const first = world.start()
  const { arn } = await readyWorld(world)
  await first.stop()
  const lost = new LostAnswer('RequestCertificate')
  world.start({ throughAws: lost.through })
  await world.settle()
  await world.change('api', { spec: { subjectAlternativeNames: [other] } })
  for (let second = 0; second < 600 && !lost.isMade; second++) await world.advance(1_000)
  await world.change('api', { spec: { subjectAlternativeNames: [] } })
  await world.advance(15 * 60_000)
  const { status } = await world.until('api', 'Ready')
  assert.equal(status?.certificateArn, arn)
  assert.deepEqual(await world.arns(), [arn])
})

test('of two changes in a row only the last is issued, and the first leaves nothing behind [#72]', async () => {
  await using world = certWorld()
  world.start()
  const { arn } = await readyWorld(world)
  await world.change('api', { spec: { subjectAlternativeNames: [other] } })
  await world.advance(20_000)
  await world.change('api', { spec: { subjectAlternativeNames: [other, `c.${zoneName}`] } })
  const { status } = await world.until('api', 'Ready')
  assert.deepEqual(new Set(await world.arns()), new Set([arn, status?.certificateArn]))
  const { Certificate } = await world.acm.call('DescribeCertificate', { CertificateArn: status?.certificateArn })
  assert.equal((Certificate as { SubjectAlternativeNames: string[] }).SubjectAlternativeNames.length, 3)
})

test('names in another order are the same certificate [#26]', async () => {
  await using world = certWorld()
  world.start()
  await readyWorld(world, { subjectAlternativeNames: [other, `c.${zoneName}`] })
  const before = world.writes().length
  await world.change('api', { spec: { subjectAlternativeNames: [`c.${zoneName}`, other] } })
  await world.advance(10 * 60_000)
  assert.equal((await world.cert('api'))?.status?.state, 'Ready')
  assert.equal(world.writes().length, before)
})

test('what was replaced goes when it may, is old enough and nothing uses it [8.4, #73]', async () => {
  await using world = certWorld()
  world.start()
  const { arn } = await readyWorld(world, { rotation: { deleteSuperseded: true, retain: '3h' } })
  attach(world, arn)
  await world.change('api', { spec: { subjectAlternativeNames: [other] } })
  await world.until('api', 'Ready')
  await world.advance(5 * hourMs)
  const held = await world.cert('api')
  assert.deepEqual(
    held?.status?.supersededCertificates?.map(({ inUse }) => inUse),
    [true],
  )
  world.aws.control('acm', 'detach', {
    certificateArn: arn,
    consumerArn: 'arn:aws:elasticloadbalancing:eu-west-1:111122223333:loadbalancer/app/shop/1',
  })
  await world.advance(4 * hourMs)
  assert.ok(!(await world.arns()).includes(arn))
  assert.equal((await world.cert('api'))?.status?.supersededCertificates, undefined)
})

test('a validation record that was taken away is written again within a day [#74]', async () => {
  await using world = certWorld()
  world.start()
  const { zone } = await readyWorld(world)
  const [line = ''] = await world.records(zone)
  const [Name = '', , value = ''] = line.split(' ')
  await world.write(zone, 'DELETE', { Name, Type: 'CNAME', values: [value] })
  await world.advance(25 * hourMs)
  assert.deepEqual(await world.records(zone), [line])
  assert.ok(world.events('api').includes('ValidationRecordsCreated'))
})

test('a renewal that waits for a record gets it back, without a call that is not for it [#75, #77]', async () => {
  await using world = certWorld()
  world.start()
  const { zone, arn } = await readyWorld(world)
  attach(world, arn)
  const [line = ''] = await world.records(zone)
  const [Name = '', , value = ''] = line.split(' ')
  await world.write(zone, 'DELETE', { Name, Type: 'CNAME', values: [value] })
  await world.change('api', { metadata: { annotations: { 'acm.ops.example.dev/renew': 'now' } } })
  await world.advance(60_000)
  assert.deepEqual(await world.records(zone), [line])
  assert.ok(!world.writes().includes('RenewCertificate'))
  assert.equal((await world.cert('api'))?.status?.answered?.renew, 'now')
})

test('a zone that leaves the configuration takes nothing from a certificate that is good [#78]', async () => {
  await using world = certWorld()
  const running = world.start()
  await readyWorld(world)
  await running.stop()
  world.start({ zones: [{ name: 'elsewhere.org', id: 'Z9' }] })
  await world.advance(2 * hourMs)
  const cert = await world.cert('api')
  assert.deepEqual([cert?.status?.state, told(cert).ZoneResolved, cert?.status?.certReady], ['Ready', 'False ZoneNotFound', true])
})

test('a pause keeps AWS as it is, whatever the spec says, and says so; its end lets all go on [#79, S27]', async () => {
  await using world = certWorld()
  world.start()
  const { arn } = await readyWorld(world)
  await world.change('api', { metadata: { annotations: { 'acm.ops.example.dev/paused': 'true' } } })
  await world.advance(60_000)
  const ready = async (): Promise<string | undefined> => told(await world.cert('api')).Ready
  assert.equal(await ready(), 'True Issued')
  await world.change('api', { spec: { tags: { team: 'shop' } } })
  await world.advance(60_000)
  assert.equal(await ready(), 'False Paused')
  await world.change('api', { spec: { subjectAlternativeNames: [other] } })
  const before = world.writes().length
  await world.advance(2 * hourMs)
  const { status } = (await world.cert('api')) ?? {}
  assert.deepEqual([await ready(), status?.state, status?.certReady], ['False Paused', 'Ready', true])
  assert.equal(world.writes().length, before)
  await world.change('api', { metadata: { annotations: { 'acm.ops.example.dev/paused': null } } })
  await world.advance(10 * 60_000)
  assert.notEqual((await world.until('api', 'Ready')).status?.certificateArn, arn)
  assert.equal(await ready(), 'True Issued')
})

test('tags are kept in place: ours are mended, those of the spec follow it, those of others stay', async () => {
  await using world = certWorld()
  world.start()
  const { arn } = await readyWorld(world, { tags: { team: 'shop' } })
  const tags = async (): Promise<Record<string, string>> => {
    const { Tags } = await world.acm.call('ListTagsForCertificate', { CertificateArn: arn })
    return Object.fromEntries((Tags as { Key: string; Value: string }[]).map(({ Key, Value }) => [Key, Value]))
  }
  await world.acm.call('AddTagsToCertificate', { CertificateArn: arn, Tags: [{ Key: 'cost', Value: 'theirs' }] })
  await world.change('api', { spec: { tags: { team: null, owner: 'me' }, transparencyLogging: 'Disabled' } })
  await world.advance(5 * 60_000)
  const { team, owner, cost } = await tags()
  assert.deepEqual({ team, owner, cost }, { team: undefined, owner: 'me', cost: 'theirs' })
  assert.equal((await world.cert('api'))?.status?.certificateArn, arn)
  assert.ok(world.writes().includes('UpdateCertificateOptions'))
})

test('at rest a day passes without a write', async () => {
  await using world = certWorld()
  const running = world.start()
  await readyWorld(world)
  await world.advance(2 * hourMs)
  const before = {
    passes: running.passes.length,
    writes: world.writes().length,
    version: (await world.cert('api'))?.metadata.resourceVersion,
  }
  await world.advance(dayMs)
  const passes = running.passes.slice(before.passes)
  assert.ok(passes.length >= 23)
  assert.deepEqual(
    passes.flatMap(({ writes }) => writes.filter(({ result }) => result !== 'unchanged')),
    [],
  )
  assert.deepEqual([(await world.cert('api'))?.metadata.resourceVersion, world.writes().length], [before.version, before.writes])
})

test('a hosted zone that goes while its certificate serves is told with its name, and takes nothing from it [8.5, #57]', async () => {
  await using world = certWorld()
  const zone = await world.zone(zoneName)
  await world.advance(120_000)
  world.start()
  await world.apply('api')
  const { status } = await world.until('api', 'Ready')
  for (const { name, value } of status?.validationRecords ?? [])
    await world.write(zone, 'DELETE', { Name: name, Type: 'CNAME', values: [value] })
  await world.route53.call('DeleteHostedZone', { Id: zone.id })
  await world.advance(26 * 3_600_000)
  const lost = await world.cert('api')
  const message = `the hosted zone of "${zoneName}" does not exist in Route 53`
  const saidOf = (type: string): unknown => {
    const { status: is, reason, message: words } = findCondition(lost?.status?.conditions, type) ?? {}
    return [is, reason, words]
  }
  assert.deepEqual(['Ready', 'ZoneResolved', 'DNSRecordsReady'].map(saidOf), [
    ['True', 'Issued', 'the certificate is issued'],
    ['False', 'ZoneNotFound', message],
    ['False', 'Submitting', message],
  ])
  assert.ok(world.events('api').includes('ZoneNotFound'))
})
