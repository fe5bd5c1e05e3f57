// From the request to the issued certificate, with everything that may be in the way.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { certKind } from '../api.ts'
import { records, text } from '../aws/values.ts'
import { type CertWorld, certWorld, told, zoneName } from '../testing/cert-world.ts'
import type { RegisteredZone } from '../zones/registry.ts'

const hourMs = 3_600_000

async function ready(world: CertWorld, name = zoneName): Promise<RegisteredZone> {
  const zone = await world.zone(name)
  await world.advance(120_000)
  return zone
}

/** The record that ACM asks for, known from a certificate of the same account and name. */
async function recordFor(
  world: CertWorld,
  DomainName: string,
): Promise<{ readonly name: string; readonly value: string; readonly arn: string }> {
  const { CertificateArn } = await world.acm.call('RequestCertificate', { DomainName, ValidationMethod: 'DNS' })
  await world.advance(10_000)
  const { Certificate } = await world.acm.call('DescribeCertificate', { CertificateArn })
  const [option] = records((Certificate as { DomainValidationOptions?: unknown }).DomainValidationOptions)
  const record = (option?.ResourceRecord ?? {}) as { readonly Name?: string; readonly Value?: string }
  return { name: record.Name ?? '', value: record.Value ?? '', arn: text(CertificateArn) ?? '' }
}

test('a request whose answer is lost is repeated, and is the same one [#41]', async () => {
  await using world = certWorld()
  await ready(world)
  world.aws.faults.add({
    match: { service: 'acm', operation: 'RequestCertificate' },
    effect: { kind: 'timeout-after' },
    times: 2,
  })
  world.start()
  await world.apply('api')
  const { status } = await world.until('api', 'Ready')
  assert.deepEqual(await world.arns(), [status?.certificateArn])
})

test('a certificate whose ARN was lost for longer than an hour is found by its marks [#42]', async () => {
  await using world = certWorld()
  await ready(world)
  const running = world.start()
  await world.apply('api')
  const before = await world.until('api', 'Ready')
  await running.stop()
  const key = { namespace: 'default', name: 'api' }
  const lost = { state: 'Pending', certificateArn: null, certReady: false }
  await world.client.patch(certKind.type, key, 'merge', { status: lost }, { subresource: 'status' })
  await world.advance(2 * hourMs)
  world.start()
  const after = await world.until('api', 'Ready')
  assert.equal(after.status?.certificateArn, before.status?.certificateArn)
  assert.equal((await world.arns()).length, 1)
})

test('apex and wildcard have one record, and one change [#45]', async () => {
  await using world = certWorld()
  const zone = await ready(world)
  world.start()
  await world.apply('api', { domainName: `www.${zoneName}`, subjectAlternativeNames: [`*.www.${zoneName}`] })
  await world.until('api', 'Ready')
  const changes = world.aws.calls.all({ operation: 'ChangeResourceRecordSets' })
  assert.equal(changes.length, 1)
  // A zone takes few calls a second: it is asked for a record once.
  assert.equal(world.aws.calls.all({ operation: 'ListResourceRecordSets' }).length, 1)
  assert.equal((await world.records(zone)).length, 1)
})

test('a record that stands already is not written again [#46, #52]', async () => {
  await using world = certWorld()
  const zone = await ready(world)
  const { name, value } = await recordFor(world, `api-prod.${zoneName}`)
  await world.write(zone, 'UPSERT', { Name: name, Type: 'CNAME', values: [value] })
  world.start()
  await world.apply('api')
  await world.until('api', 'Ready')
  assert.deepEqual(world.writes(), ['RequestCertificate'])
})

test('each record is listed in the status before it is written, a shared one and one of another zone too [P2, B13]', async () => {
  await using world = certWorld()
  const [zone, other] = [await ready(world), await world.zone('other.dev')]
  const unlisted: string[] = []
  let writes = 0
  world.start({
    zones: [zone, other],
    throughAws: exchange => async request => {
      const body = request.body instanceof Uint8Array ? Buffer.from(request.body).toString() : ''
      const written = [...body.matchAll(/<Name>(.+?)\.?<\/Name>/g)].map(([, name = '']) => name)
      if (!body.includes('UPSERT')) return exchange(request)
      writes++
      const listed = (await world.cert('api'))?.status?.validationRecords?.map(({ name }) => name)
      unlisted.push(...written.filter(name => listed?.includes(name) !== true))
      return exchange(request)
    },
  })
  await world.apply('api', { subjectAlternativeNames: [`*.api-prod.${zoneName}`, 'www.other.dev'] })
  await world.until('api', 'Ready')
  assert.deepEqual([writes, unlisted], [2, []])
})

test('the record of an earlier certificate is overwritten and told [#47]', async () => {
  await using world = certWorld()
  const zone = await ready(world)
  const { name, value } = await recordFor(world, `api-prod.${zoneName}`)
  await world.write(zone, 'UPSERT', { Name: name, Type: 'CNAME', values: ['_old.abc.acm-validations.aws.'] })
  world.start()
  await world.apply('api')
  await world.until('api', 'Ready')
  assert.ok((await world.records(zone))[0]?.endsWith(`CNAME ${value}`))
  assert.ok(world.events('api').includes('ValidationRecordReplaced'))
})

test('a record of another type is left alone, and the Cert says so; when it is gone, all goes on [#48]', async () => {
  await using world = certWorld()
  const zone = await ready(world)
  const { name } = await recordFor(world, `api-prod.${zoneName}`)
  await world.write(zone, 'UPSERT', { Name: name, Type: 'TXT', values: ['"mine"'] })
  world.start()
  await world.apply('api')
  const failed = await world.until('api', 'Failed')
  assert.equal(told(failed).Ready, 'False RecordConflict')
  assert.match(failed.status?.message ?? '', /a TXT record stands at/)
  assert.equal((await world.records(zone)).length, 1)
  await world.write(zone, 'DELETE', { Name: name, Type: 'TXT', values: ['"mine"'] })
  await world.until('api', 'Ready')
})

test('a foreign CNAME is left alone unless overwriting is chosen [8.3]', async () => {
  await using world = certWorld()
  const zone = await ready(world)
  const { name, value } = await recordFor(world, `api-prod.${zoneName}`)
  await world.write(zone, 'UPSERT', { Name: name, Type: 'CNAME', values: ['elsewhere.example.org.'] })
  const running = world.start()
  await world.apply('api')
  assert.equal(told(await world.until('api', 'Failed')).DNSRecordsReady, 'False RecordConflict')
  assert.ok((await world.records(zone))[0]?.endsWith('elsewhere.example.org.'))
  await running.stop()
  world.start({ settings: { overwritesConflicts: true } })
  await world.until('api', 'Ready')
  assert.ok((await world.records(zone))[0]?.endsWith(value))
})

test('a busy zone is asked again [#49]', async () => {
  await using world = certWorld()
  await ready(world)
  const effect = { kind: 'error', code: 'PriorRequestNotComplete', http: 400, message: 'busy' } as const
  world.aws.faults.add({ match: { operation: 'ChangeResourceRecordSets' }, effect, times: 3 })
  const running = world.start()
  await world.apply('api')
  await world.until('api', 'Ready')
  assert.deepEqual(
    running.passes.flatMap(({ trouble }) => trouble ?? []),
    [],
  )
})

test('a change that takes minutes is waited for without an error [#50]', async () => {
  await using world = certWorld({ knobs: { delays: { dnsChange: 180_000 } } })
  await ready(world)
  const running = world.start()
  await world.apply('api')
  await world.until('api', 'Ready')
  assert.deepEqual(
    running.passes.flatMap(({ trouble }) => trouble ?? []),
    [],
  )
})

test('three days without validation end in these words, and another request comes by itself [#53, 7.6]', async () => {
  await using world = certWorld()
  const zone = await world.zone(zoneName, { isPrivate: true })
  await world.advance(120_000)
  world.start({ zones: [zone], settings: { overwritesConflicts: true } })
  await world.apply('api')
  await world.advance(10 * 60_000)
  world.clock.jump(72 * hourMs)
  const failed = await world.until('api', 'Failed')
  assert.equal(failed.status?.message, 'validation timed out after 72 hours')
  assert.equal(told(failed).Ready, 'False ValidationTimedOut')
  const first = failed.status?.certificateArn
  await world.advance(2 * hourMs)
  const again = await world.cert('api')
  assert.notEqual(again?.status?.certificateArn, first)
  assert.equal((await world.arns()).length, 1)
})

test('a CAA record that forbids Amazon is told with the names that would do [#54]', async () => {
  await using world = certWorld()
  const zone = await ready(world)
  await world.write(zone, 'UPSERT', { Name: `${zoneName}.`, Type: 'CAA', values: ['0 issue "letsencrypt.org"'] })
  await world.advance(120_000)
  world.start()
  await world.apply('api')
  const failed = await world.until('api', 'Failed')
  assert.equal(told(failed).Ready, 'False CAARestricted')
  for (const authority of ['amazon.com', 'amazontrust.com', 'awstrust.com', 'amazonaws.com'])
    assert.ok(failed.status?.message?.includes(authority), authority)
})

test('a full quota is told, and asked again after an hour and not before [7.4 #12, #55]', async () => {
  await using world = certWorld()
  await ready(world)
  const effect = { kind: 'error', code: 'LimitExceededException', http: 400, message: 'you have reached your limit' } as const
  const fault = world.aws.faults.add({ match: { operation: 'RequestCertificate' }, effect })
  world.start()
  await world.apply('api')
  assert.equal(told(await world.until('api', 'Failed')).Ready, 'False QuotaExceeded')
  const asked = (): number => world.aws.calls.count({ operation: 'RequestCertificate' })
  await world.advance(50 * 60_000)
  assert.equal(asked(), 1)
  fault.remove()
  await world.until('api', 'Ready', 2 * hourMs)
})

test('a denied request is told without ARNs, and heals without a restart [#56]', async () => {
  await using world = certWorld()
  await ready(world)
  const message = 'User: arn:aws:sts::111122223333:assumed-role/x is not authorized to perform: acm:RequestCertificate'
  const effect = { kind: 'error', code: 'AccessDeniedException', http: 400, message } as const
  const fault = world.aws.faults.add({ match: { operation: 'RequestCertificate' }, effect })
  world.start()
  await world.apply('api')
  const failed = await world.until('api', 'Failed')
  assert.equal(told(failed).Ready, 'False AccessDenied')
  assert.doesNotMatch(JSON.stringify(failed.status?.conditions), /arn:|111122223333/)
  fault.remove()
  await world.until('api', 'Ready')
})

test('a hosted zone that is gone is told, and all goes on when the configuration names another [#57]', async () => {
  await using world = certWorld()
  await ready(world)
  const running = world.start({ zones: [{ name: zoneName, id: 'ZGONE' }] })
  await world.apply('api')
  assert.equal(told(await world.until('api', 'Failed')).Ready, 'False ZoneNotFound')
  await running.stop()
  world.start()
  await world.until('api', 'Ready')
})

test('a zone that is delegated elsewhere is told within two hours, said once, and asked for nothing else [8.2]', async () => {
  await using world = certWorld()
  const seenByAll = await world.zone(zoneName)
  await world.advance(1_000)
  const configured = await world.zone(zoneName)
  await world.advance(120_000)
  world.start({ zones: [configured] })
  await world.apply('api')
  await world.advance(2 * hourMs)
  const { status, metadata } = (await world.cert('api')) ?? {}
  assert.equal(status?.state, 'Validated')
  assert.match(status?.message ?? '', new RegExp(`hosted zone ${configured.id}, .*"dig NS ${zoneName}"`))
  assert.deepEqual([(await world.records(seenByAll)).length, (await world.records(configured)).length], [0, 1])
  await world.advance(hourMs)
  const later = await world.cert('api')
  assert.deepEqual(later?.status, status)
  assert.equal(later?.metadata.generation, metadata?.generation)
  assert.deepEqual(world.writes(), ['RequestCertificate', 'ChangeResourceRecordSets'])
  // It is delegated to the zone that is configured.
  const [Name = '', , value = ''] = (await world.records(configured))[0]?.split(' ') ?? []
  await world.write(seenByAll, 'UPSERT', { Name, Type: 'CNAME', values: [value] })
  await world.until('api', 'Ready')
})

test('of two Certs made at once the earlier one has the name, and the other asks AWS for nothing [#28]', async () => {
  await using world = certWorld()
  await ready(world)
  await world.apply('first', { serviceName: 'api', deleteOnRemoval: true })
  await world.advance(2_000)
  await world.apply('second', { serviceName: 'api' })
  world.start()
  await world.until('first', 'Ready')
  const second = await world.until('second', 'Failed')
  assert.equal(told(second).Ready, 'False DuplicateDomain')
  assert.equal(second.status?.message, `certificate for api-prod.${zoneName} already exists: default/first`)
  assert.equal((await world.arns()).length, 1)
  await world.remove('first')
  await world.until('second', 'Ready')
})

test('a request that ACM holds to be wrong fails in its words, until the spec changes [7.4 #13]', async () => {
  await using world = certWorld()
  await ready(world)
  const effect = { kind: 'error', code: 'TagPolicyException', http: 400, message: 'a tag is missing' } as const
  const fault = world.aws.faults.add({ match: { operation: 'RequestCertificate' }, effect })
  world.start()
  await world.apply('api')
  assert.equal(told(await world.until('api', 'Failed')).Ready, 'False IssuanceFailed')
  fault.remove()
  world.clock.jump(40 * hourMs)
  await world.advance(15 * 60_000)
  assert.equal((await world.cert('api'))?.status?.state, 'Failed')
  await world.change('api', { spec: { tags: { team: 'shop' } } })
  await world.until('api', 'Ready')
})

test('names of two zones are proven in each, and both records are there [16.1]', async () => {
  await using world = certWorld()
  const first = await ready(world)
  const second = await ready(world, 'acme.org')
  world.start({ zones: [first, second] })
  await world.apply('api', { subjectAlternativeNames: ['api.acme.org'] })
  const { status } = await world.until('api', 'Ready')
  assert.deepEqual([(await world.records(first)).length, (await world.records(second)).length], [1, 1])
  assert.deepEqual(
    status?.resolvedZones?.map(({ name }) => name),
    [zoneName, 'acme.org'],
  )
})

test('a certificate of a private authority needs no record and no zone [16.3, #122]', async () => {
  await using world = certWorld()
  await ready(world)
  world.start({ settings: { anyPrivateName: true } })
  const certificateAuthorityArn = world.aws.control('acm-pca', 'activeRoot', {}) as string
  await world.apply('api', { domainName: 'api.acme.local', issuer: { type: 'PrivateCA', certificateAuthorityArn } })
  const ready_ = await world.until('api', 'Ready')
  assert.deepEqual([told(ready_).DomainsValidated, told(ready_).DNSRecordsReady], ['True NotRequired', 'Unknown NotRequested'])
  assert.deepEqual(world.writes(), ['RequestCertificate'])
})

test('a private authority that refuses is told with its reason, and not asked again until somebody says so [7.5, 16.3]', async () => {
  const certificateAuthorityArn = 'arn:aws:acm-pca:eu-west-1:111122223333:certificate-authority/1'
  await using world = certWorld({ knobs: { certificateFailures: { [certificateAuthorityArn]: 'PCA_ACCESS_DENIED' } } })
  await ready(world)
  world.start()
  await world.apply('api', { issuer: { type: 'PrivateCA', certificateAuthorityArn } })
  const failed = await world.until('api', 'Failed')
  assert.equal(told(failed).Ready, 'False IssuanceFailed')
  assert.match(failed.status?.message ?? '', /PCA_ACCESS_DENIED; the private certificate authority refuses/)
  await world.advance(40 * hourMs)
  assert.deepEqual(world.writes(), ['RequestCertificate'])
})

test('a dry run says what it would do, and does nothing [16.8, #123]', async () => {
  await using world = certWorld()
  await ready(world)
  world.start()
  await world.apply('api', { dryRun: true, deleteOnRemoval: true })
  await world.advance(hourMs)
  const cert = await world.cert('api')
  assert.equal(cert?.status?.state, 'Pending')
  assert.equal(told(cert).DryRun, 'True Planned')
  assert.deepEqual(world.writes(), [])
  await world.remove('api')
  await world.advance(60_000)
  assert.equal(await world.cert('api'), undefined)
  assert.deepEqual(world.writes(), [])
})

test('requests that come back at the pace of ACM are one each of the day, and hold no worker meanwhile [9.3, 16.11]', async () => {
  await using world = certWorld()
  await ready(world)
  world.start({ workers: 1, settings: { requestsPerDayMax: 12, sharesRequests: false } })
  const all = Array.from({ length: 12 }, (_, index) => `api-${index}`)
  for (const name of all) await world.apply(name)
  await world.advance(20_000)
  assert.equal(world.aws.calls.count({ operation: 'RequestCertificate' }), 12)
  for (const name of all) await world.until(name, 'Ready')
  assert.equal((await world.arns()).length, 12)
})

test('a day has so many requests and no more [16.11]', async () => {
  await using world = certWorld()
  await ready(world)
  world.start({ settings: { requestsPerDayMax: 1 } })
  await world.apply('api')
  await world.until('api', 'Ready')
  await world.apply('web')
  const failed = await world.until('web', 'Failed')
  assert.equal(told(failed).Ready, 'False QuotaExceeded')
  assert.match(failed.status?.message ?? '', /the next one at \d{4}-\d\d-\d\dT00:00:00Z/)
  assert.ok(world.events('web').includes('QuotaExceeded'))
})

test('sixty new Certs stand in line for their requests without holding anybody up, or saying anything [9.3, #95]', async () => {
  await using world = certWorld()
  await world.zone(zoneName)
  world.start()
  await world.advance(120_000)
  await world.apply('first')
  await world.until('first', 'Ready')
  await Promise.all(Array.from({ length: 60 }, (_, index) => world.apply(`new-${index}`)))
  await world.advance(5_000)
  await world.remove('first')
  await world.advance(2_000)
  assert.equal(await world.cert('first'), undefined, 'a worker was free')
  const waiting = await world.cert('new-59')
  assert.deepEqual([waiting?.status?.state, told(waiting).Ready], ['Pending', 'False Requesting'])
  await world.advance(60_000)
  assert.equal((await world.arns()).length, 61)
})
