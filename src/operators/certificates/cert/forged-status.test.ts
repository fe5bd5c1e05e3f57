// A hand that writes into the status: ARNs of somebody else, an old status, the status of another Cert. The status is believed as far as the
// tags of certificates agree; what they give to somebody else is neither used nor changed, and what was made for the object is found again.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { renderTime } from '#kube'
import type { CertStatus } from '../api.ts'
import { certKind } from '../api.ts'
import { records } from '../aws/values.ts'
import { type CertWorld, certWorld, told, zoneName } from '../testing/cert-world.ts'
import type { RegisteredZone } from '../zones/registry.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs

interface Both {
  readonly zone: RegisteredZone
  /** Of the Cert `api`. */
  readonly own: string
  /** Issued, and nobody's who is known here. */
  readonly strangers: string
}

async function withStranger(world: CertWorld): Promise<Both> {
  const zone = await world.zone(zoneName)
  await world.advance(2 * minuteMs)
  world.start()
  await world.apply('api', { deleteOnRemoval: true, rotation: { deleteSuperseded: true, retain: '1s' } })
  const { status } = await world.until('api', 'Ready')
  return { zone, own: status?.certificateArn ?? '', strangers: await issued(world, zone) }
}

async function issued({ acm, advance, write }: CertWorld, zone: RegisteredZone): Promise<string> {
  const asked = await acm.call('RequestCertificate', {
    DomainName: `shop.${zoneName}`,
    ValidationMethod: 'DNS',
    Options: { Export: 'ENABLED' },
    Tags: [{ Key: 'team', Value: 'shop' }],
  })
  const arn = String(asked.CertificateArn)
  await advance(minuteMs)
  const { Certificate } = await acm.call('DescribeCertificate', { CertificateArn: arn })
  const [proof] = records(records([Certificate])[0]?.DomainValidationOptions)
  const { Name, Value } = records([proof?.ResourceRecord])[0] ?? {}
  await write(zone, 'UPSERT', { Name: String(Name), Type: 'CNAME', values: [String(Value)] })
  await advance(10 * minuteMs)
  return arn
}

async function writeStatus({ client }: CertWorld, status: object): Promise<void> {
  await client.patch(certKind.type, { namespace: 'default', name: 'api' }, 'merge', { status }, { subresource: 'status' })
}

async function tagsOf({ acm }: CertWorld, arn: string): Promise<readonly string[]> {
  const { Tags } = await acm.call('ListTagsForCertificate', { CertificateArn: arn })
  return records(Tags).map(({ Key, Value }) => `${String(Key)}=${String(Value)}`)
}

const statusOf = async (world: CertWorld): Promise<CertStatus | undefined> => (await world.cert('api'))?.status

test('an ARN of a stranger in the status is not used, published or tagged, whatever the spec changes, and our own is found again [S2]', async () => {
  await using world = certWorld()
  const { own, strangers } = await withStranger(world)
  await writeStatus(world, { certificateArn: strangers })
  await world.change('api', { spec: { tags: { owner: 'me' }, transparencyLogging: 'Disabled' } })
  await world.advance(10 * minuteMs)
  assert.deepEqual(await tagsOf(world, strangers), ['team=shop'])
  const status = await statusOf(world)
  assert.deepEqual([status?.certificateArn, status?.certReady, status?.state], [own, true, 'Ready'])
  assert.equal(told(await world.cert('api')).Ready, 'True Issued')
  assert.deepEqual(new Set(await world.arns()), new Set([own, strangers]))
  assert.ok((await tagsOf(world, own)).includes('owner=me'))
})

test('an object that goes does not say that a stranger serves it, and only its own certificate goes with it [S2, S27]', async () => {
  await using world = certWorld()
  const { own, strangers } = await withStranger(world)
  const consumerArn = 'arn:aws:elasticloadbalancing:eu-west-1:111122223333:loadbalancer/app/shop/1'
  world.aws.control('acm', 'attach', { certificateArn: own, consumerArn })
  await world.remove('api')
  await world.advance(5 * minuteMs)
  await writeStatus(world, { certificateArn: strangers, certReady: true })
  await world.advance(10 * minuteMs)
  const status = await statusOf(world)
  assert.deepEqual([status?.certificateArn, status?.certReady], [undefined, false])
  assert.match(told(await world.cert('api')).Ready ?? '', /^False /)
  world.aws.control('acm', 'detach', { certificateArn: own, consumerArn })
  await world.advance(20 * minuteMs)
  assert.deepEqual([await world.cert('api'), await world.arns()], [undefined, [strangers]])
})

test('the same is noticed within the hour where the spec stays as it is', async () => {
  await using world = certWorld()
  const { own, strangers } = await withStranger(world)
  await world.advance(hourMs)
  const before = world.writes()
  await writeStatus(world, { certificateArn: strangers })
  await world.advance(2 * hourMs)
  const status = await statusOf(world)
  assert.deepEqual([status?.certificateArn, status?.certReady, status?.state], [own, true, 'Ready'])
  assert.deepEqual([await tagsOf(world, strangers), world.writes()], [['team=shop'], before])
})

test('an object whose status names a stranger’s certificate takes its own along when it goes, with its record, and not the stranger’s [8.6, S2]', async () => {
  await using world = certWorld()
  const { zone, strangers } = await withStranger(world)
  await writeStatus(world, { certificateArn: strangers })
  await world.remove('api')
  await world.advance(10 * minuteMs)
  assert.equal(await world.cert('api'), undefined)
  assert.deepEqual(await world.arns(), [strangers])
  assert.deepEqual(
    (await world.records(zone)).map(record => record.includes(`.shop.${zoneName}`)),
    [true],
  )
})

test('a stranger’s certificate in the list of those that were replaced leaves it, and stays in ACM [8.4, S2]', async () => {
  await using world = certWorld()
  const { own, strangers } = await withStranger(world)
  const supersededAt = new Date(world.clock.now()).toISOString()
  await writeStatus(world, { supersededCertificates: [{ arn: strangers, supersededAt, inUse: false }] })
  await world.advance(2 * hourMs)
  const status = await statusOf(world)
  assert.deepEqual([status?.certificateArn, status?.supersededCertificates, status?.state], [own, undefined, 'Ready'])
  assert.deepEqual(new Set(await world.arns()), new Set([own, strangers]))
})

test('a stranger’s certificate that is said to be on its way never becomes current [S2, S9]', async () => {
  await using world = certWorld()
  const { own, strangers } = await withStranger(world)
  await writeStatus(world, { pendingCertificateArn: strangers, state: 'Created' })
  await world.change('api', { metadata: { annotations: { 'acm.ops.example.dev/renew': 'now' } } })
  await world.advance(10 * minuteMs)
  const status = await statusOf(world)
  assert.deepEqual(
    [status?.certificateArn, status?.pendingCertificateArn, status?.supersededCertificates, status?.state],
    [own, undefined, undefined, 'Ready'],
  )
  assert.deepEqual(await tagsOf(world, strangers), ['team=shop'])
})

test('the status of another Cert is given up for what is the object’s own [S2]', async () => {
  await using world = certWorld()
  const { own } = await withStranger(world)
  await world.apply('web')
  const { status: theirs } = await world.until('web', 'Ready')
  await writeStatus(world, theirs ?? {})
  await world.advance(2 * hourMs)
  const status = await statusOf(world)
  assert.deepEqual([status?.certificateArn, status?.domainName, status?.state], [own, `api-prod.${zoneName}`, 'Ready'])
  assert.equal((await world.cert('web'))?.status?.certificateArn, theirs?.certificateArn)
})

test('the status of another Cert whose certificate is gone is given up as well, and nothing is requested [S1, S2]', async () => {
  await using world = certWorld()
  const { own } = await withStranger(world)
  await world.apply('web')
  const { status: theirs } = await world.until('web', 'Ready')
  await world.remove('web')
  await world.acm.call('DeleteCertificate', { CertificateArn: theirs?.certificateArn ?? '' })
  const before = await world.arns()
  await writeStatus(world, theirs ?? {})
  await world.advance(2 * hourMs)
  const status = await statusOf(world)
  assert.deepEqual([status?.certificateArn, status?.domainName, status?.state], [own, `api-prod.${zoneName}`, 'Ready'])
  assert.deepEqual(await world.arns(), before)
})

test('a certificate that was untagged by hand goes on serving; it is changed once tags give it to the Cert again', async () => {
  await using world = certWorld()
  const { own } = await withStranger(world)
  const { Tags } = await world.acm.call('ListTagsForCertificate', { CertificateArn: own })
  await world.acm.call('RemoveTagsFromCertificate', { CertificateArn: own, Tags })
  await world.change('api', { metadata: { labels: { a: 'b' } }, spec: { renewal: { alertBeforeDays: 20 } } })
  await world.advance(minuteMs)
  assert.deepEqual([await tagsOf(world, own), told(await world.cert('api')).Ready], [[], 'True Issued'])
  await world.change('api', { spec: { tags: { owner: 'me' } } })
  await world.advance(minuteMs)
  assert.deepEqual([await tagsOf(world, own), told(await world.cert('api')).Ready], [[], 'False AccessDenied'])
  const { message = '' } = (await statusOf(world)) ?? {}
  assert.match(message, /carries no mark of this object and is not changed: tag it with (.*)$/)
  const asked = message.slice(message.indexOf('tag it with ') + 'tag it with '.length).split(', ')
  await world.acm.call('AddTagsToCertificate', {
    CertificateArn: own,
    Tags: asked.map(tag => ({ Key: tag.split('=')[0], Value: tag.split('=')[1] })),
  })
  await world.advance(2 * hourMs)
  const status = await statusOf(world)
  assert.deepEqual([status?.certificateArn, told(await world.cert('api')).Ready], [own, 'True Issued'])
  assert.ok((await tagsOf(world, own)).includes('owner=me'))
})

test('a certificate that is exported by ACM is not renewed for whoever writes its ARN into a status', async () => {
  await using world = certWorld()
  const { strangers } = await withStranger(world)
  const Passphrase = new TextEncoder().encode('secret')
  await world.acm.call('ExportCertificate', { CertificateArn: strangers, Passphrase })
  const before = await world.acm.call('DescribeCertificate', { CertificateArn: strangers })
  await writeStatus(world, { certificateArn: strangers })
  await world.change('api', { metadata: { annotations: { 'acm.ops.example.dev/renew': 'now' } } })
  await world.advance(10 * minuteMs)
  const after = await world.acm.call('DescribeCertificate', { CertificateArn: strangers })
  const serialOf = (answer: typeof before): unknown => records([answer.Certificate])[0]?.Serial
  assert.equal(serialOf(after), serialOf(before))
})

test('what a hand wrote while nobody ran is noticed within a day [S2]', async () => {
  await using world = certWorld()
  const zone = await world.zone(zoneName)
  await world.advance(2 * minuteMs)
  const running = world.start()
  await world.apply('api', { deleteOnRemoval: true })
  const own = (await world.until('api', 'Ready')).status?.certificateArn
  const strangers = await issued(world, zone)
  await running.stop()
  await writeStatus(world, { certificateArn: strangers })
  world.start()
  await world.advance(25 * hourMs)
  assert.deepEqual([(await statusOf(world))?.certificateArn, await tagsOf(world, strangers)], [own, ['team=shop']])
})

test('a status that says of a certificate on its way that it serves is put right [S9]', async () => {
  await using world = certWorld()
  const { zone, own } = await withStranger(world)
  await world.change('api', { spec: { subjectAlternativeNames: [`b.${zoneName}`] } })
  const { status } = await world.until('api', 'Created')
  const pending = status?.pendingCertificateArn
  assert.notEqual(pending, undefined)
  await writeStatus(world, { state: 'Ready', certificateArn: pending, pendingCertificateArn: null })
  await world.change('api', { metadata: { annotations: { 'acm.ops.example.dev/renew': 'now' } } })
  await world.advance(5_000)
  assert.deepEqual([(await statusOf(world))?.certReady, (await statusOf(world))?.state], [false, 'Created'])
  const after = (await world.until('api', 'Ready')).status
  assert.deepEqual([after?.certificateArn, after?.certReady], [pending, true])
  await world.remove('api')
  await world.advance(10 * minuteMs)
  assert.equal((await world.arns()).includes(own), false)
  assert.equal((await world.records(zone)).length, 1)
})

test('a certificate that serves, and that a hand lists among the replaced ones, stays, and leaves that list [S1, S4]', async () => {
  await using world = certWorld()
  const { own } = await withStranger(world)
  await writeStatus(world, { supersededCertificates: [{ arn: own, supersededAt: '2025-12-01T00:00:00Z', inUse: false }] })
  await world.advance(2 * hourMs)
  const status = await statusOf(world)
  assert.deepEqual([status?.certificateArn, status?.supersededCertificates], [own, undefined])
  assert.ok((await world.arns()).includes(own))
})

/** As it stands in the status of a Cert that waits for its first certificate: somebody copied it here. */
function anothersIntent({ clock }: CertWorld): CertStatus {
  const requestedAt = renderTime(clock.now())
  return { state: 'Pending', certReady: false, request: { requestedAt, specHash: 'a'.repeat(64), revision: 2 } }
}

/** All of it, and nothing of what stood there. */
async function overwrite({ client }: CertWorld, value: CertStatus): Promise<void> {
  const key = { namespace: 'default', name: 'api' }
  await client.patch(certKind.type, key, 'json', [{ op: 'add', path: '/status', value }], { subresource: 'status' })
}

for (const [when, waitMs, spec, isSame] of [
  ['a moment after its request', 0, undefined, true],
  ['hours after its request', 3 * hourMs, { tags: { team: 'shop' } }, true],
  ['while its own spec changes', 0, { subjectAlternativeNames: [`www.${zoneName}`] }, false],
] as const)
  test(`the intent of another Cert, written over the status ${when}, leads to no certificate too many [7.4 #10, S1]`, async () => {
    await using world = certWorld()
    await world.zone(zoneName)
    await world.advance(2 * minuteMs)
    world.start()
    await world.apply('api', { deleteOnRemoval: true })
    const before = await world.until('api', waitMs === 0 ? 'Created' : 'Ready')
    await world.advance(waitMs)
    const own = before.status?.certificateArn
    await overwrite(world, anothersIntent(world))
    if (spec !== undefined) await world.change('api', { spec })
    await world.advance(hourMs)
    const { status } = await world.until('api', 'Ready')
    const superseded = status?.supersededCertificates?.map(each => each.arn) ?? []
    assert.equal(status?.certificateArn === own, isSame)
    assert.deepEqual(new Set([...superseded, status?.certificateArn]), new Set(await world.arns()))
    assert.equal((await world.arns()).length, isSame ? 1 : 2)
  })
