import assert from 'node:assert/strict'
import { createPrivateKey, X509Certificate } from 'node:crypto'
import { test } from 'node:test'
import {
  ACMClient,
  AddTagsToCertificateCommand,
  type CertificateDetail,
  DeleteCertificateCommand,
  DescribeCertificateCommand,
  ExportCertificateCommand,
  GetCertificateCommand,
  ImportCertificateCommand,
  ListCertificatesCommand,
  ListTagsForCertificateCommand,
  RequestCertificateCommand,
  type RequestCertificateCommandInput,
  RevokeCertificateCommand,
  UpdateCertificateOptionsCommand,
} from '@aws-sdk/client-acm'
import { ChangeResourceRecordSetsCommand, CreateHostedZoneCommand, GetChangeCommand } from '@aws-sdk/client-route-53'
import { drain, type HttpExchange, ManualClock } from '#base'
import { sdkRequestHandler } from '#emulator'
import { type Clients, clients, refusal } from './clients.ts'

const minuteMs = 60_000
const hourMs = 3_600_000

/** The strict profile; signatures are only parsed, because virtual time runs far ahead of the SDK's clock. */
const strict = (): Clients => clients({ profile: 'async', signatures: 'parse', enforce: 'adminOnly' })

async function request({ acm }: Clients, input: Partial<RequestCertificateCommandInput> = {}): Promise<string> {
  const { CertificateArn } = await acm.send(
    new RequestCertificateCommand({ DomainName: 'example.com', ValidationMethod: 'DNS', ...input }),
  )
  return CertificateArn ?? ''
}

async function detail({ acm }: Clients, CertificateArn: string): Promise<CertificateDetail> {
  return (await acm.send(new DescribeCertificateCommand({ CertificateArn }))).Certificate ?? {}
}

async function zone({ route53 }: Clients, Name = 'example.com', vpc = false): Promise<string> {
  const VPC = vpc ? { VPC: { VPCId: 'vpc-1', VPCRegion: 'us-east-1' as const } } : {}
  const { HostedZone } = await route53.send(new CreateHostedZoneCommand({ Name, CallerReference: `${Name} ${vpc}`, ...VPC }))
  return HostedZone?.Id ?? ''
}

async function upsert(
  { route53 }: Clients,
  HostedZoneId: string,
  set: { Name: string; Type: 'CNAME' | 'CAA'; Value: string },
): Promise<string> {
  const ResourceRecordSet = { Name: set.Name, Type: set.Type, TTL: 60, ResourceRecords: [{ Value: set.Value }] }
  const { ChangeInfo } = await route53.send(
    new ChangeResourceRecordSetsCommand({ HostedZoneId, ChangeBatch: { Changes: [{ Action: 'UPSERT', ResourceRecordSet }] } }),
  )
  return ChangeInfo?.Id ?? ''
}

async function wantedRecord(world: Clients, arn: string): Promise<{ Name: string; Type: 'CNAME'; Value: string }> {
  const { DomainValidationOptions } = await detail(world, arn)
  const record = DomainValidationOptions?.[0]?.ResourceRecord
  assert.ok(record?.Name !== undefined && record.Value !== undefined)
  return { Name: record.Name, Type: 'CNAME', Value: record.Value }
}

test('the validation record appears three seconds after the request, and nothing is issued without it [#89]', async () => {
  const world = strict()
  const arn = await request(world)
  const early = await detail(world, arn)
  assert.equal(early.DomainValidationOptions?.[0]?.ResourceRecord, undefined)
  assert.deepEqual(
    [early.Status, early.IssuedAt, early.NotAfter, early.Serial, early.Issuer],
    ['PENDING_VALIDATION', undefined, undefined, undefined, undefined],
  )
  await world.clock.advance(3_000)
  const { Name, Value } = await wantedRecord(world, arn)
  assert.match(Name, /^_[0-9a-f]{32}\.example\.com\.$/)
  assert.match(Value, /^_[0-9a-f]{32}\.[a-z]{10}\.acm-validations\.aws\.$/)
  await world.clock.advance(hourMs)
  assert.equal((await detail(world, arn)).Status, 'PENDING_VALIDATION')
})

test('the right CNAME in the public zone leads from PENDING over INSYNC and SUCCESS to ISSUED [#90]', async () => {
  const world = strict()
  const zoneId = await zone(world)
  await world.clock.advance(minuteMs)
  const arn = await request(world)
  await world.clock.advance(3_000)
  const change = await upsert(world, zoneId, await wantedRecord(world, arn))
  const status = async (): Promise<string | undefined> =>
    (await world.route53.send(new GetChangeCommand({ Id: change }))).ChangeInfo?.Status
  assert.equal(await status(), 'PENDING')
  assert.equal((await detail(world, arn)).DomainValidationOptions?.[0]?.ValidationStatus, 'PENDING_VALIDATION')
  await world.clock.advance(minuteMs)
  assert.equal(await status(), 'INSYNC')
  assert.equal((await detail(world, arn)).DomainValidationOptions?.[0]?.ValidationStatus, 'SUCCESS')
  await world.aws.settle()
  const issued = await detail(world, arn)
  assert.deepEqual([issued.Status, issued.Issuer, issued.KeyAlgorithm], ['ISSUED', 'Amazon', 'RSA-2048'])
  assert.ok(issued.NotBefore !== undefined && issued.NotAfter !== undefined && issued.Serial !== undefined)
  const days = (issued.NotAfter.getTime() - issued.NotBefore.getTime()) / (24 * hourMs)
  assert.equal(Math.ceil(days), 198)
  const { Certificate = '', CertificateChain = '' } = await world.acm.send(new GetCertificateCommand({ CertificateArn: arn }))
  const leaf = new X509Certificate(Certificate)
  assert.equal(leaf.subjectAltName, 'DNS:example.com')
  assert.ok(leaf.verify(new X509Certificate(CertificateChain).publicKey))
})

test('90a: a wrong value, or the record in a private zone, changes nothing', async () => {
  const world = strict()
  const privateZone = await zone(world, 'example.com', true)
  const arn = await request(world)
  await world.clock.advance(3_000)
  const record = await wantedRecord(world, arn)
  await upsert(world, privateZone, record)
  await world.aws.settle()
  assert.equal((await detail(world, arn)).Status, 'PENDING_VALIDATION')
  const publicZone = await zone(world)
  await upsert(world, publicZone, { ...record, Value: 'wrong.acm-validations.aws.' })
  await world.aws.settle()
  assert.equal((await detail(world, arn)).Status, 'PENDING_VALIDATION')
  await upsert(world, publicZone, record)
  await world.aws.settle()
  assert.equal((await detail(world, arn)).Status, 'ISSUED')
})

test('a name and its wildcard share one record, also across certificates of the account [#91]', async () => {
  const world = strict()
  const arn = await request(world, { SubjectAlternativeNames: ['*.example.com'] })
  const second = await request(world, { DomainName: '*.example.com' })
  await world.clock.advance(3_000)
  const options = (await detail(world, arn)).DomainValidationOptions ?? []
  assert.deepEqual(
    options.map(one => one.DomainName),
    ['example.com', '*.example.com'],
  )
  assert.deepEqual(options[0]?.ResourceRecord, options[1]?.ResourceRecord)
  assert.deepEqual((await detail(world, second)).DomainValidationOptions?.[0]?.ResourceRecord, options[0]?.ResourceRecord)
  const other = world.as({ account: '210987654321' })
  const { CertificateArn } = await other.acm.send(
    new RequestCertificateCommand({ DomainName: 'example.com', ValidationMethod: 'DNS' }),
  )
  await world.clock.advance(3_000)
  const foreign = (await other.acm.send(new DescribeCertificateCommand({ CertificateArn }))).Certificate
  assert.notDeepEqual(foreign?.DomainValidationOptions?.[0]?.ResourceRecord, options[0]?.ResourceRecord)
})

test('three days without the record end in VALIDATION_TIMED_OUT, a foreign CAA in CAA_ERROR, and nothing leads out of either [#92]', async () => {
  const world = strict()
  const late = await request(world)
  await world.clock.advance(72 * hourMs)
  assert.equal((await detail(world, late)).Status, 'VALIDATION_TIMED_OUT')
  const zoneId = await zone(world)
  await upsert(world, zoneId, { Name: 'example.com', Type: 'CAA', Value: '0 issue "letsencrypt.org"' })
  await world.aws.settle()
  const refused = await request(world)
  await world.clock.advance(3_000)
  const failed = await detail(world, refused)
  assert.deepEqual([failed.Status, failed.FailureReason], ['FAILED', 'CAA_ERROR'])
  await upsert(world, zoneId, { Name: 'example.com', Type: 'CAA', Value: '0 issue "amazon.com"' })
  await upsert(world, zoneId, await recordOf(world))
  await world.aws.settle()
  assert.deepEqual(
    [(await detail(world, refused)).Status, (await detail(world, late)).Status],
    ['FAILED', 'VALIDATION_TIMED_OUT'],
  )
  const local = await request(world, { DomainName: 'app.internal' })
  await world.clock.advance(3_000)
  assert.equal((await detail(world, local)).FailureReason, 'INVALID_PUBLIC_DOMAIN')
})

/** The record for example.com, by asking for one more certificate. */
async function recordOf(world: Clients): Promise<{ Name: string; Type: 'CNAME'; Value: string }> {
  const arn = await request(world)
  await world.clock.advance(3_000)
  return wantedRecord(world, arn)
}

test('92a: ACM’s own lists of domains are a knob, with the reason of each', async () => {
  const certificateFailures = { 'bank.com': 'ADDITIONAL_VERIFICATION_REQUIRED', 'banned.org': 'DOMAIN_NOT_ALLOWED' }
  const world = clients({ signatures: 'parse', knobs: { certificateFailures } })
  const outcome = async (DomainName: string): Promise<readonly unknown[]> => {
    const { Status, FailureReason } = await detail(world, await request(world, { DomainName }))
    return [Status, FailureReason]
  }
  assert.deepEqual(await outcome('www.bank.com'), ['FAILED', 'ADDITIONAL_VERIFICATION_REQUIRED'])
  assert.deepEqual(await outcome('banned.org'), ['FAILED', 'DOMAIN_NOT_ALLOWED'])
  assert.deepEqual(await outcome('notbank.com'), ['PENDING_VALIDATION', undefined])
})

test('one idempotency token makes one certificate within the hour, and another after it [#93]', async () => {
  const world = strict()
  const first = await request(world, { IdempotencyToken: 'once' })
  assert.equal(await request(world, { IdempotencyToken: 'once' }), first)
  assert.equal(await request(world, { IdempotencyToken: 'once', DomainName: 'other.com' }), first)
  await world.clock.advance(61 * minuteMs)
  assert.notEqual(await request(world, { IdempotencyToken: 'once' }), first)
})

test('a certificate with an EC key is only listed when key types are asked for [#94]', async () => {
  const world = clients()
  const arn = await request(world, { KeyAlgorithm: 'EC_prime256v1' })
  assert.deepEqual((await world.acm.send(new ListCertificatesCommand({}))).CertificateSummaryList, [])
  const { CertificateSummaryList } = await world.acm.send(
    new ListCertificatesCommand({ Includes: { keyTypes: ['EC_prime256v1'] } }),
  )
  assert.deepEqual(
    CertificateSummaryList?.map(one => one.CertificateArn),
    [arn],
  )
})

test('an issued certificate has a key of the algorithm that was asked for, and is the same to the byte for one seed', async () => {
  const issued = async (KeyAlgorithm: 'RSA_2048' | 'EC_prime256v1' | 'EC_secp384r1'): Promise<readonly string[]> => {
    const world = clients({ signatures: 'parse', clock: new ManualClock(Date.UTC(2026, 5, 1, 12)) })
    const zoneId = await zone(world)
    const CertificateArn = await request(world, { KeyAlgorithm })
    await upsert(world, zoneId, await wantedRecord(world, CertificateArn))
    const { Certificate = '', CertificateChain = '' } = await world.acm.send(new GetCertificateCommand({ CertificateArn }))
    const [leaf, authority] = [new X509Certificate(Certificate), new X509Certificate(CertificateChain)]
    assert.ok(leaf.verify(authority.publicKey) && leaf.checkIssued(authority))
    const { modulusLength, namedCurve } = leaf.publicKey.asymmetricKeyDetails ?? {}
    return [String(modulusLength ?? namedCurve), Certificate]
  }
  const [rsa, again] = [await issued('RSA_2048'), await issued('RSA_2048')]
  assert.deepEqual([rsa[0], rsa], ['2048', again])
  assert.equal((await issued('EC_prime256v1'))[0], 'prime256v1')
  assert.equal((await issued('EC_secp384r1'))[0], 'secp384r1')
})

test('a certificate in use cannot be deleted; detached it can, and is gone [#95]', async () => {
  const world = clients()
  const certificateArn = await request(world)
  const consumerArn = 'arn:aws:elasticloadbalancing:us-east-1:123456789012:loadbalancer/app/web/1'
  world.aws.control('acm', 'attach', { certificateArn, consumerArn })
  assert.deepEqual((await detail(world, certificateArn)).InUseBy, [consumerArn])
  const refused = await refusal(world.acm.send(new DeleteCertificateCommand({ CertificateArn: certificateArn })))
  assert.deepEqual(refused, {
    code: 'ResourceInUseException',
    status: 400,
    message: `Certificate ${certificateArn} in account 123456789012 is in use.`,
  })
  world.aws.control('acm', 'detach', { certificateArn, consumerArn })
  await world.acm.send(new DeleteCertificateCommand({ CertificateArn: certificateArn }))
  assert.equal((await refusal(detail(world, certificateArn))).code, 'ResourceNotFoundException')
})

test('of a burst of 100 Describe calls ten pass under the published limits [#96]', async () => {
  const world = clients({ knobs: { throttling: 'published' } })
  const arn = await request(world)
  const outcomes = await Promise.allSettled(Array.from({ length: 100 }, () => detail(world, arn)))
  assert.equal(outcomes.filter(one => one.status === 'fulfilled').length, 10)
  const names = outcomes.flatMap(one => (one.status === 'rejected' && one.reason instanceof Error ? [one.reason.name] : []))
  assert.deepEqual(new Set(names), new Set(['ThrottlingException']))
})

test("the SDK's adaptive retries bring all 100 calls through, no faster than the published rate [#96]", async ({ mock }) => {
  const startMs = Date.UTC(2026, 0, 1)
  const world = clients({ clock: new ManualClock(startMs), knobs: { throttling: 'published' } })
  const arn = await request(world)
  world.aws.calls.clear()
  // The SDK paces itself by the ambient clock and timers, and spreads its tries by chance.
  mock.timers.enable({ apis: ['setTimeout', 'Date'], now: startMs })
  mock.method(Math, 'random', () => 0.5)
  const stepMs = 20
  const pass = (): Promise<void> => {
    mock.timers.tick(stepMs)
    return world.clock.advance(stepMs)
  }
  const { client, isBusy } = adaptive(world)
  const describe = new DescribeCertificateCommand({ CertificateArn: arn })
  const answered = { count: 0 }
  const all = Promise.all(Array.from({ length: 100 }, () => client.send(describe).then(() => answered.count++)))
  all.catch(() => undefined)
  for (let quiet = 0; answered.count < 100 && world.clock.now() < startMs + minuteMs; quiet++) {
    if (isBusy()) quiet = 0
    // A few turns in which nothing is under way: the SDK reads an answer's body in turns of its own.
    if (quiet > 3) await pass()
    await drain()
  }
  await all
  const calls = world.aws.calls.all({ operation: 'DescribeCertificate' })
  assert.equal(calls.filter(call => !call.throttled).length, 100)
  assert.ok(calls.filter(call => call.throttled).length >= 90, 'the burst itself was refused but for ten')
  const seconds = (world.clock.now() - startMs) / 1_000
  // Nine seconds are what the limit allows at best; the SDK has to find the rate out.
  assert.ok(seconds >= 9 && seconds < 20, `it took ${seconds} s`)
})

/** A client that slows down when it is told to. `isBusy` while a request of it is being answered. */
function adaptive({ aws }: Clients): { readonly client: ACMClient; readonly isBusy: () => boolean } {
  let busy = 0
  const handle: HttpExchange = async exchanged => {
    busy++
    try {
      return await aws.handle(exchanged)
    } finally {
      busy--
    }
  }
  const { accessKeyId, secretAccessKey } = aws.adminCredentials()
  const client = new ACMClient({
    region: 'us-east-1',
    credentials: { accessKeyId, secretAccessKey },
    requestHandler: sdkRequestHandler(handle),
    retryMode: 'adaptive',
    maxAttempts: 10,
  })
  return { client, isBusy: () => busy > 0 }
}

test('a certificate in use is renewed 45 days before its end under the same ARN, and one that is not in use expires', async () => {
  const world = clients({ signatures: 'parse' })
  const zoneId = await zone(world)
  await upsert(world, zoneId, await recordOf(world))
  const used = await request(world)
  const idle = await request(world)
  const before = await detail(world, used)
  assert.equal(before.Status, 'ISSUED')
  world.aws.control('acm', 'attach', { certificateArn: used, consumerArn: 'arn:aws:elasticloadbalancing:us-east-1:1:lb' })
  await world.clock.advance(160 * 24 * hourMs)
  const renewed = await detail(world, used)
  assert.deepEqual([renewed.Status, renewed.RenewalSummary?.RenewalStatus], ['ISSUED', 'SUCCESS'])
  assert.notEqual(renewed.Serial, before.Serial)
  await world.clock.advance(40 * 24 * hourMs)
  assert.deepEqual([(await detail(world, used)).Status, (await detail(world, idle)).Status], ['ISSUED', 'EXPIRED'])
})

test('mail validation waits for the approval', async () => {
  const world = clients()
  const certificateArn = await request(world, { ValidationMethod: 'EMAIL' })
  const emails = (await detail(world, certificateArn)).DomainValidationOptions?.[0]?.ValidationEmails
  assert.ok(emails?.includes('hostmaster@example.com'))
  world.aws.control('acm', 'approveMail', { certificateArn, domain: 'example.com' })
  assert.equal((await detail(world, certificateArn)).Status, 'ISSUED')
})

test('names at and past their limits, wrong options and unknown certificates are refused in AWS words', async () => {
  const world = clients()
  const long = `${'a'.repeat(60)}.com`
  await request(world, { DomainName: long })
  const tooLong = await refusal(request(world, { DomainName: `b${long}` }))
  assert.equal(tooLong.code, 'ValidationException')
  assert.match(tooLong.message, /length less than or equal to 64/)
  const names = Array.from({ length: 9 }, (_, index) => `n${index}.example.com`)
  await request(world, { SubjectAlternativeNames: names })
  assert.equal(
    (await refusal(request(world, { SubjectAlternativeNames: [...names, 'one.more.com'] }))).code,
    'LimitExceededException',
  )
  const outside = request(world, {
    ValidationMethod: 'EMAIL',
    DomainValidationOptions: [{ DomainName: 'example.com', ValidationDomain: 'other.com' }],
  })
  assert.equal((await refusal(outside)).code, 'InvalidDomainValidationOptionsException')
  const absent = 'arn:aws:acm:us-east-1:123456789012:certificate/00000000-0000-4000-8000-000000000000'
  const unknown = await refusal(detail(world, absent))
  assert.deepEqual(unknown, { code: 'ResourceNotFoundException', status: 400, message: `Could not find certificate ${absent}.` })
  assert.equal((await refusal(detail(world, 'not an arn at all, surely'))).code, 'ValidationException')
  const pending = await request(world)
  assert.equal(
    (await refusal(world.acm.send(new GetCertificateCommand({ CertificateArn: pending })))).code,
    'RequestInProgressException',
  )
  const options = new UpdateCertificateOptionsCommand({
    CertificateArn: pending,
    Options: { CertificateTransparencyLoggingPreference: 'DISABLED' },
  })
  assert.equal((await refusal(world.acm.send(options))).code, 'InvalidStateException')
})

test('tags are kept apart from the certificate, and 51 are too many', async () => {
  const world = clients()
  const CertificateArn = await request(world, { Tags: [{ Key: 'team', Value: 'a' }] })
  await world.acm.send(new AddTagsToCertificateCommand({ CertificateArn, Tags: [{ Key: 'team', Value: 'b' }] }))
  const { Tags } = await world.acm.send(new ListTagsForCertificateCommand({ CertificateArn }))
  assert.deepEqual(Tags, [{ Key: 'team', Value: 'b' }])
  const fifty = Array.from({ length: 50 }, (_, index) => ({ Key: `k${index}`, Value: '' }))
  assert.equal(
    (await refusal(world.acm.send(new AddTagsToCertificateCommand({ CertificateArn, Tags: fifty })))).code,
    'TooManyTagsException',
  )
  const reserved = new AddTagsToCertificateCommand({ CertificateArn, Tags: [{ Key: 'aws:x', Value: '' }] })
  assert.equal((await refusal(world.acm.send(reserved))).code, 'InvalidTagException')
})

test('an exported certificate can be imported, and imported again under its ARN', async () => {
  const world = clients({ signatures: 'parse' })
  const zoneId = await zone(world)
  await upsert(world, zoneId, await recordOf(world))
  const CertificateArn = await request(world, { Options: { Export: 'ENABLED' } })
  const Passphrase = new TextEncoder().encode('secret')
  const revoke = new RevokeCertificateCommand({ CertificateArn, RevocationReason: 'KEY_COMPROMISE' })
  assert.equal((await refusal(world.acm.send(revoke))).code, 'ConflictException')
  const exported = await world.acm.send(new ExportCertificateCommand({ CertificateArn, Passphrase }))
  assert.match(exported.PrivateKey ?? '', /BEGIN ENCRYPTED PRIVATE KEY/)
  const key = createPrivateKey({ key: exported.PrivateKey ?? '', passphrase: 'secret' }).export({ type: 'pkcs8', format: 'pem' })
  const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)
  const given = { Certificate: bytes(exported.Certificate ?? ''), PrivateKey: bytes(key.toString()) }
  const imported = await world.acm.send(new ImportCertificateCommand(given))
  const shown = await detail(world, imported.CertificateArn ?? '')
  assert.deepEqual(
    [shown.Type, shown.Status, shown.DomainName, shown.RenewalEligibility],
    ['IMPORTED', 'ISSUED', 'example.com', 'INELIGIBLE'],
  )
  const again = await world.acm.send(new ImportCertificateCommand({ ...given, CertificateArn: imported.CertificateArn }))
  assert.equal(again.CertificateArn, imported.CertificateArn)
  const broken = new ImportCertificateCommand({ ...given, Certificate: bytes('no PEM') })
  assert.equal((await refusal(world.acm.send(broken))).code, 'ValidationException')
  await world.acm.send(revoke)
  assert.deepEqual(await detail(world, CertificateArn).then(seen => [seen.Status, seen.RevocationReason]), [
    'REVOKED',
    'KEY_COMPROMISE',
  ])
})

test('malformed JSON, an unknown operation and an unsigned call are refused as the JSON protocol does', async () => {
  const world = clients({ signatures: 'off' })
  const send = (target: string, body: string): ReturnType<Clients['raw']> =>
    world.raw({
      method: 'POST',
      target: '/',
      headers: { 'x-amz-target': `CertificateManager.${target}`, 'content-type': 'application/x-amz-json-1.1' },
      body,
    })
  const broken = await send('DescribeCertificate', '{"CertificateArn":')
  assert.equal(broken.status, 400)
  assert.match(broken.text, /SerializationException/)
  const wrongType = await send('DescribeCertificate', '{"CertificateArn": 5}')
  assert.deepEqual([wrongType.status, /SerializationException|ValidationException/.test(wrongType.text)], [400, true])
  const unknown = await send('Nope', '{}')
  assert.deepEqual([unknown.status, /UnknownOperationException/.test(unknown.text)], [400, true])
  assert.deepEqual(world.aws.unimplemented(), { 'acm:Nope': 1 })
})

test('InUseBy tells late who took a certificate into use, and later who let it go; meanwhile it cannot be deleted', async () => {
  const world = clients({ profile: 'async', knobs: { delays: { certificateTaken: 5_000, certificateFreed: 20 * minuteMs } } })
  const certificateArn = await request(world)
  const consumerArn = 'arn:aws:elasticloadbalancing:us-east-1:123456789012:loadbalancer/app/web/1'
  const users = async (): Promise<readonly string[] | undefined> => (await detail(world, certificateArn)).InUseBy
  const remove = (): Promise<unknown> => world.acm.send(new DeleteCertificateCommand({ CertificateArn: certificateArn }))
  world.aws.control('acm', 'attach', { certificateArn, consumerArn })
  assert.deepEqual(await users(), [])
  assert.equal((await refusal(remove())).code, 'ResourceInUseException')
  await world.clock.advance(5_000)
  assert.deepEqual(await users(), [consumerArn])
  world.aws.control('acm', 'detach', { certificateArn, consumerArn })
  await world.clock.advance(20 * minuteMs - 1)
  assert.deepEqual(await users(), [consumerArn])
  assert.equal((await refusal(remove())).code, 'ResourceInUseException')
  await world.clock.advance(1)
  assert.deepEqual(await users(), [])
  await remove()
})

test('a certificate may be invisible right after the request, and be described for a while after its deletion', async () => {
  const world = clients({ knobs: { delays: { certificateVisible: 4_000 }, certificateGoneMs: 2_000 } })
  const arn = await request(world, { IdempotencyToken: 'once' })
  assert.equal((await refusal(detail(world, arn))).code, 'ResourceNotFoundException')
  const listed = async (): Promise<number | undefined> =>
    (await world.acm.send(new ListCertificatesCommand({}))).CertificateSummaryList?.length
  assert.equal(await listed(), 0)
  assert.equal(await request(world, { IdempotencyToken: 'once' }), arn, 'its token is known at once')
  await world.clock.advance(4_000)
  assert.equal((await detail(world, arn)).Status, 'PENDING_VALIDATION')
  const remove = (): Promise<unknown> => world.acm.send(new DeleteCertificateCommand({ CertificateArn: arn }))
  await remove()
  assert.equal((await detail(world, arn)).Status, 'PENDING_VALIDATION')
  assert.equal(await listed(), 0)
  assert.equal((await refusal(remove())).code, 'ResourceNotFoundException')
  await world.clock.advance(2_000)
  assert.equal((await refusal(detail(world, arn))).code, 'ResourceNotFoundException')
})

test('a certificate that was deleted on its way is issued no more, while it is described', async () => {
  const world = clients({ signatures: 'parse', knobs: { delays: { certificateIssue: 30_000 }, certificateGoneMs: minuteMs } })
  const zoneId = await zone(world)
  const arn = await request(world)
  await upsert(world, zoneId, await wantedRecord(world, arn))
  await world.acm.send(new DeleteCertificateCommand({ CertificateArn: arn }))
  await world.clock.advance(50_000)
  assert.equal((await detail(world, arn)).Status, 'PENDING_VALIDATION')
})

test('a renewal waits for a missing record, goes on when it is back, and fails where CAA forbids it', async () => {
  const world = clients({ signatures: 'parse', knobs: { delays: { certificateIssue: 30_000 } } })
  const zoneId = await zone(world)
  const record = await recordOf(world)
  const write = async (
    Action: 'CREATE' | 'DELETE',
    set: { Name: string; Type: 'CNAME' | 'CAA'; Value: string },
  ): Promise<void> => {
    const { Value, ...named } = set
    const ResourceRecordSet = { ...named, TTL: 300, ResourceRecords: [{ Value }] }
    const ChangeBatch = { Changes: [{ Action, ResourceRecordSet }] }
    await world.route53.send(new ChangeResourceRecordSetsCommand({ HostedZoneId: zoneId, ChangeBatch }))
  }
  const arn = await request(world)
  await write('CREATE', record)
  await world.aws.settle()
  world.aws.control('acm', 'attach', { certificateArn: arn, consumerArn: 'arn:aws:elasticloadbalancing:us-east-1:1:lb' })
  const { NotAfter, Serial } = await detail(world, arn)
  const status = async (): Promise<readonly unknown[]> => {
    const { RenewalSummary } = await detail(world, arn)
    const [domain] = RenewalSummary?.DomainValidationOptions ?? []
    return [RenewalSummary?.RenewalStatus, domain?.ValidationStatus, RenewalSummary?.RenewalStatusReason]
  }
  await write('DELETE', record)
  await world.clock.advance((NotAfter?.getTime() ?? 0) - 45 * 24 * hourMs - world.clock.now())
  assert.deepEqual(await status(), ['PENDING_AUTO_RENEWAL', 'PENDING_VALIDATION', undefined])
  await world.clock.advance(30_000)
  assert.deepEqual(await status(), ['PENDING_VALIDATION', 'PENDING_VALIDATION', undefined])
  await write('CREATE', { Name: 'example.com', Type: 'CAA', Value: '0 issue "letsencrypt.org"' })
  assert.deepEqual(await status(), ['FAILED', 'FAILED', 'CAA_ERROR'])
  await write('DELETE', { Name: 'example.com', Type: 'CAA', Value: '0 issue "letsencrypt.org"' })
  await write('CREATE', record)
  await world.clock.advance(24 * hourMs + 30_000)
  assert.deepEqual(await status(), ['SUCCESS', 'SUCCESS', undefined])
  assert.notEqual((await detail(world, arn)).Serial, Serial)
})

test('the chain leads from the certificate over an authority to a root, and a private authority is its own root', async () => {
  const world = clients()
  const authority = world.aws.control('acm-pca', 'activeRoot', { commonName: 'Acme Root' }) as string
  const zoneId = await zone(world)
  const publicArn = await request(world)
  await upsert(world, zoneId, await wantedRecord(world, publicArn))
  const privateArn = await request(world, { DomainName: 'db.corp.local', CertificateAuthorityArn: authority })
  await world.aws.settle()
  const chainOf = async (CertificateArn: string): Promise<readonly X509Certificate[]> => {
    const { Certificate = '', CertificateChain = '' } = await world.acm.send(new GetCertificateCommand({ CertificateArn }))
    const texts = `${Certificate}${CertificateChain}`.match(/-----BEGIN[\s\S]+?END CERTIFICATE-----/g) ?? []
    return texts.map(text => new X509Certificate(text))
  }
  const links = (chain: readonly X509Certificate[]): readonly string[] =>
    chain.map((one, index) => {
      const above = chain[Math.min(index + 1, chain.length - 1)]
      assert.ok(above !== undefined && one.checkIssued(above) && one.verify(above.publicKey))
      return one.subject.replace(/\n/g, ', ')
    })
  assert.deepEqual(links(await chainOf(publicArn)), [
    'CN=example.com',
    'O=Amazon, CN=Amazon RSA 2048 M02 (emulated)',
    'O=Amazon, CN=Amazon Root CA 1 (emulated)',
  ])
  assert.deepEqual(links(await chainOf(privateArn)), ['CN=db.corp.local', 'CN=Acme Root'])
  const refused = request(world, { CertificateAuthorityArn: 'arn:aws:acm:us-east-1:123456789012:certificate/1' })
  assert.equal((await refusal(refused)).code, 'ValidationException')
})

test('a private authority that refuses lets the request fail, and later the renewal, with its reason', async () => {
  const authority = 'arn:aws:acm-pca:us-east-1:123456789012:certificate-authority/11111111-2222-3333-4444-555555555555'
  const refusing = clients({ knobs: { certificateFailures: { [authority]: 'PCA_ACCESS_DENIED' } } })
  const failed = await request(refusing, { DomainName: 'db.corp.local', CertificateAuthorityArn: authority })
  await refusing.aws.settle()
  const { Status, FailureReason } = await detail(refusing, failed)
  assert.deepEqual([Status, FailureReason], ['FAILED', 'PCA_ACCESS_DENIED'])
  const world = clients()
  const active = world.aws.control('acm-pca', 'activeRoot', {}) as string
  const arn = await request(world, { DomainName: 'db.corp.local', CertificateAuthorityArn: active })
  await world.aws.settle()
  world.aws.control('acm', 'attach', { certificateArn: arn, consumerArn: 'arn:aws:elasticloadbalancing:us-east-1:1:lb' })
  const { Serial } = await detail(world, arn)
  await world.clock.advance(160 * 24 * hourMs)
  const renewed = await detail(world, arn)
  assert.deepEqual([renewed.RenewalSummary?.RenewalStatus, renewed.Serial === Serial], ['SUCCESS', false])
})
