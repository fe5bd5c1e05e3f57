// An account that denies a single call: the Cert says so in one condition, loses nothing, asks for nothing twice, and goes on without a
// restart once the permission is there.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type CertWorld, certWorld, told, zoneName } from '../testing/cert-world.ts'

const minuteMs = 60_000

function deny(world: CertWorld, operation: string): { remove(): void } {
  const message = `User: arn:aws:sts::111122223333:assumed-role/x is not authorized to perform: ${operation}`
  const effect = { kind: 'error', code: 'AccessDeniedException', http: 400, message } as const
  return world.aws.faults.add({ match: { operation }, effect })
}

const requested = (world: CertWorld): number => world.writes().filter(operation => operation === 'RequestCertificate').length

for (const operation of [
  'RequestCertificate',
  'DescribeCertificate',
  'ListResourceRecordSets',
  'ChangeResourceRecordSets',
  'GetChange',
])
  test(`an account that denies ${operation} is told, and nothing is requested twice [7.4 #43]`, async () => {
    await using world = certWorld({ knobs: { delays: { certificateIssue: [15 * minuteMs, 15 * minuteMs] } } })
    await world.zone(zoneName)
    await world.advance(2 * minuteMs)
    const fault = deny(world, operation)
    world.start()
    await world.apply('api')
    const failed = await world.until('api', 'Failed')
    assert.equal(told(failed).Ready, 'False AccessDenied')
    assert.equal(told(failed).Stalled, 'True AccessDenied')
    assert.match(failed.status?.message ?? '', /not authorized to perform/)
    assert.doesNotMatch(JSON.stringify(failed.status?.conditions), /arn:|111122223333/)
    fault.remove()
    const ready = await world.until('api', 'Ready')
    assert.deepEqual([ready.status?.certReady, requested(world), (await world.arns()).length], [true, 1, 1])
  })

for (const operation of ['DeleteCertificate', 'ListTagsForCertificate'])
  test(`an account that denies ${operation} keeps the object that is deleted, which says so [8.6]`, async () => {
    await using world = certWorld()
    await world.zone(zoneName)
    await world.advance(2 * minuteMs)
    world.start()
    await world.apply('api', { deleteOnRemoval: true })
    await world.until('api', 'Ready')
    const fault = deny(world, operation)
    await world.remove('api')
    await world.advance(10 * minuteMs)
    assert.equal(told(await world.cert('api')).DeletionBlocked, 'True AccessDenied')
    assert.equal((await world.arns()).length, 1)
    const asked = world.aws.calls.count({ operation })
    assert.ok(asked <= 8, `${operation} was called ${asked} times in ten minutes`)
    fault.remove()
    await world.advance(20 * minuteMs)
    assert.equal(await world.cert('api'), undefined)
    assert.deepEqual(await world.arns(), [])
  })

test('a certificate that is good stays good while AWS denies looks at it, and AWS is not asked all the time [7.4 #43]', async () => {
  await using world = certWorld()
  await world.zone(zoneName)
  await world.advance(2 * minuteMs)
  world.start()
  await world.apply('api')
  await world.until('api', 'Ready')
  const fault = deny(world, 'DescribeCertificate')
  const before = world.aws.calls.count({ operation: 'DescribeCertificate' })
  await world.advance(120 * minuteMs)
  const cert = await world.cert('api')
  assert.deepEqual([cert?.status?.state, cert?.status?.certReady, told(cert).Ready], ['Ready', true, 'True Issued'])
  assert.equal(told(cert).DNSRecordsReady, 'False AccessDenied')
  const asked = world.aws.calls.count({ operation: 'DescribeCertificate' }) - before
  assert.ok(asked <= 30, `DescribeCertificate was called ${asked} times in two hours`)
  fault.remove()
  await world.advance(65 * minuteMs)
  assert.equal(told(await world.cert('api')).DNSRecordsReady, 'True InSync')
})

const touches: readonly {
  readonly operation: string
  readonly spec: Readonly<Record<string, unknown>>
  readonly isDone: (world: CertWorld, arn: string) => Promise<boolean>
}[] = [
  {
    operation: 'AddTagsToCertificate',
    spec: { tags: { team: 'shop', cost: 'web' } },
    isDone: async (world, arn) => (await tagKeysOf(world, arn)).includes('cost'),
  },
  {
    operation: 'RemoveTagsFromCertificate',
    spec: { tags: null },
    isDone: async (world, arn) => !(await tagKeysOf(world, arn)).includes('team'),
  },
  {
    operation: 'UpdateCertificateOptions',
    spec: { transparencyLogging: 'Disabled' },
    isDone: async (world, arn) => {
      const { Certificate } = await world.acm.call('DescribeCertificate', { CertificateArn: arn })
      return JSON.stringify(Certificate).includes('"CertificateTransparencyLoggingPreference":"DISABLED"')
    },
  },
]

async function tagKeysOf(world: CertWorld, CertificateArn: string): Promise<readonly string[]> {
  const { Tags } = await world.acm.call('ListTagsForCertificate', { CertificateArn })
  return (Tags as readonly { readonly Key: string }[]).map(({ Key }) => Key)
}

for (const { operation, spec, isDone } of touches)
  test(`an account that denies ${operation} takes nothing from a good certificate; it is done once it is allowed [7.4 #43]`, async () => {
    await using world = certWorld()
    await world.zone(zoneName)
    await world.advance(2 * minuteMs)
    world.start()
    await world.apply('api', { tags: { team: 'shop' } })
    const { status } = await world.until('api', 'Ready')
    const arn = status?.certificateArn ?? ''
    const fault = deny(world, operation)
    await world.change('api', { spec })
    await world.advance(30 * minuteMs)
    const denied = await world.cert('api')
    assert.deepEqual([denied?.status?.state, denied?.status?.certReady], ['Ready', true])
    assert.equal(told(denied).Ready, 'False AccessDenied', 'the spec is not carried out')
    assert.match(denied?.status?.message ?? '', /not authorized to perform/)
    const asked = world.aws.calls.count({ operation })
    assert.ok(asked <= 12, `${operation} was called ${asked} times in half an hour`)
    fault.remove()
    await world.advance(65 * minuteMs)
    assert.ok(await isDone(world, arn))
    assert.deepEqual([(await world.cert('api'))?.status?.state, requested(world)], ['Ready', 1])
    assert.equal(told(await world.cert('api')).Ready, 'True Issued')
  })

test('an account that denies RenewCertificate is told; the certificate stays, and it is renewed once it is allowed [7.4 #43, 8.5]', async () => {
  await using world = certWorld()
  await world.zone(zoneName)
  await world.advance(2 * minuteMs)
  world.start({ exportNamespaces: ['default'] })
  await world.apply('api', { export: { secretName: 'api-tls' } })
  const { status } = await world.until('api', 'Ready')
  await world.advance(minuteMs)
  const fault = deny(world, 'RenewCertificate')
  await world.change('api', { metadata: { annotations: { 'acm.ops.example.dev/renew': 'now' } } })
  await world.advance(30 * minuteMs)
  const denied = await world.cert('api')
  assert.deepEqual([denied?.status?.state, denied?.status?.certReady], ['Ready', true])
  assert.equal(told(denied).Ready, 'False AccessDenied', 'what was asked for is not done')
  assert.match(denied?.status?.message ?? '', /not authorized to perform/)
  assert.equal(denied?.status?.answered?.renew, undefined)
  const asked = world.aws.calls.count({ operation: 'RenewCertificate' })
  assert.ok(asked > 0 && asked <= 12, `RenewCertificate was called ${asked} times in half an hour`)
  fault.remove()
  await world.advance(65 * minuteMs)
  const after = await world.cert('api')
  assert.deepEqual([told(after).Ready, after?.status?.answered?.renew], ['True Issued', 'now'])
  assert.deepEqual([after?.status?.certificateArn, requested(world)], [status?.certificateArn, 1])
  assert.equal(world.writes().filter(operation => operation === 'RenewCertificate').length, 1)
})

test('a record that may not be written again is told, and takes nothing from a good certificate [7.4 #34, #43]', async () => {
  await using world = certWorld()
  const zone = await world.zone(zoneName)
  await world.advance(2 * minuteMs)
  world.start()
  await world.apply('api')
  await world.until('api', 'Ready')
  const [record = ''] = await world.records(zone)
  const [Name = '', Type = '', ...values] = record.split(' ')
  await world.write(zone, 'DELETE', { Name, Type, values })
  const fault = deny(world, 'ChangeResourceRecordSets')
  // Asked for once, so that nobody waits a day; what goes on afterwards goes on by itself.
  const renewal = (renew: string | null): object => ({ metadata: { annotations: { 'acm.ops.example.dev/renew': renew } } })
  await world.change('api', renewal('now'))
  await world.advance(minuteMs)
  await world.change('api', renewal(null))
  await world.advance(10 * minuteMs)
  const denied = await world.cert('api')
  assert.deepEqual([denied?.status?.state, denied?.status?.certReady, told(denied).Ready], ['Ready', true, 'True Issued'])
  assert.equal(told(denied).DNSRecordsReady, 'False AccessDenied')
  fault.remove()
  await world.advance(125 * minuteMs)
  assert.equal(told(await world.cert('api')).DNSRecordsReady, 'True InSync')
  assert.deepEqual(await world.records(zone), [record])
})

test('a record that AWS does not let us write holds up tags, and a pause or a denied look does not say that they are there [7.4 #43, S27]', async () => {
  await using world = certWorld()
  const zone = await world.zone(zoneName)
  await world.advance(2 * minuteMs)
  world.start()
  await world.apply('api', { tags: { team: 'shop' } })
  const { status } = await world.until('api', 'Ready')
  const arn = status?.certificateArn ?? ''
  const [line = ''] = await world.records(zone)
  const [Name = '', , value = ''] = line.split(' ')
  await world.write(zone, 'DELETE', { Name, Type: 'CNAME', values: [value] })
  const denial = deny(world, 'ChangeResourceRecordSets')
  await world.change('api', {
    spec: { tags: { cost: 'web' } },
    metadata: { annotations: { 'acm.ops.example.dev/renew': 'now' } },
  })
  await world.advance(20 * minuteMs)
  const ready = async (): Promise<string | undefined> => told(await world.cert('api')).Ready
  assert.deepEqual([await ready(), (await tagKeysOf(world, arn)).includes('cost')], ['False AccessDenied', false])
  assert.equal(told(await world.cert('api')).DNSRecordsReady, 'False AccessDenied')
  await world.change('api', { metadata: { annotations: { 'acm.ops.example.dev/paused': 'true' } } })
  await world.advance(minuteMs)
  assert.equal(await ready(), 'False Paused')
  const look = deny(world, 'DescribeCertificate')
  await world.change('api', { metadata: { annotations: { 'acm.ops.example.dev/paused': null } } })
  await world.advance(2 * minuteMs)
  assert.equal(await ready(), 'False AccessDenied')
  look.remove()
  denial.remove()
  await world.advance(30 * minuteMs)
  assert.deepEqual([await ready(), (await tagKeysOf(world, arn)).includes('cost')], ['True Issued', true])
})
