// A certificate that is there already, taken over: no other is requested, and nothing is taken that was not given.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findCondition } from '#kube'
import type { Cert } from '../api.ts'
import { records } from '../aws/values.ts'
import { type CertWorld, certWorld, zoneName } from '../testing/cert-world.ts'

const minuteMs = 60_000
const prefix = 'acm.ops.example.dev'
const domainName = `api-prod.${zoneName}`

/** As Terraform leaves it: issued, with its record in the zone, and tags of its own. */
async function standing(world: CertWorld, more: Readonly<Record<string, unknown>> = {}): Promise<string> {
  const zone = await world.zone(zoneName)
  const Tags = [{ Key: 'team', Value: 'shop' }]
  const asked = { DomainName: domainName, ValidationMethod: 'DNS', Tags, ...more }
  const CertificateArn = String((await world.acm.call('RequestCertificate', asked))['CertificateArn'])
  await world.advance(minuteMs)
  const { Certificate } = await world.acm.call('DescribeCertificate', { CertificateArn })
  const proofs = (Certificate as { DomainValidationOptions: readonly { ResourceRecord: { Name: string; Value: string } }[] })
    .DomainValidationOptions
  for (const { ResourceRecord } of proofs)
    await world.write(zone, 'UPSERT', { Name: ResourceRecord.Name, Type: 'CNAME', values: [ResourceRecord.Value] })
  await world.advance(5 * minuteMs)
  return CertificateArn
}

async function give(world: CertWorld, CertificateArn: string, more: Readonly<Record<string, string>> = {}): Promise<void> {
  const tags = { 'managed-by': 'cert-operator', namespace: 'default', name: 'api', ...more }
  const Tags = Object.entries(tags).map(([key, Value]) => ({ Key: `${prefix}/${key}`, Value }))
  await world.acm.call('AddTagsToCertificate', { CertificateArn, Tags })
}

async function tagsOf(world: CertWorld, CertificateArn: string): Promise<Readonly<Record<string, string>>> {
  const { Tags } = await world.acm.call('ListTagsForCertificate', { CertificateArn })
  return Object.fromEntries(records(Tags).map(({ Key, Value }) => [String(Key), String(Value)]))
}

const naming = (arn: string): { readonly annotations: Readonly<Record<string, string>> } => ({
  annotations: { [`${prefix}/adopt`]: arn },
})

function saying(cert: Cert | undefined): string {
  return findCondition(cert?.status?.conditions, 'Ready')?.message ?? ''
}

test('a certificate that is there and given to the Cert becomes its own, and no other is requested [7.4 #10]', async () => {
  await using world = certWorld()
  const arn = await standing(world)
  await give(world, arn)
  world.start()
  await world.apply('api', { tags: { cost: 'web' } }, naming(arn))
  const cert = await world.until('api', 'Ready', 5 * minuteMs)
  assert.deepEqual([cert.status?.certificateArn, cert.status?.certReady, cert.status?.request?.revision], [arn, true, 1])
  assert.deepEqual(world.writes(), ['AddTagsToCertificate'])
  const tags = await tagsOf(world, arn)
  assert.deepEqual([tags[`${prefix}/uid`], tags['team'], tags['cost']], [cert.metadata.uid, 'shop', 'web'])
  await world.advance(3 * 60 * minuteMs)
  assert.deepEqual([await world.arns(), world.writes()], [[arn], ['AddTagsToCertificate']])
})

test('what was adopted is kept by default, and goes with an object that says so [8.6]', async () => {
  for (const deleteOnRemoval of [false, true]) {
    await using world = certWorld()
    const arn = await standing(world)
    await give(world, arn)
    world.start()
    await world.apply('api', { deleteOnRemoval }, naming(arn))
    await world.until('api', 'Ready', 5 * minuteMs)
    await world.remove('api')
    await world.advance(5 * minuteMs)
    assert.equal(await world.cert('api'), undefined)
    assert.deepEqual(await world.arns(), deleteOnRemoval ? [] : [arn])
  }
})

test('a certificate that nobody gave is not taken; the Cert says which tags it needs, and goes on when they are there [#94]', async () => {
  await using world = certWorld()
  const arn = await standing(world)
  world.start({ settings: { clusterId: 'east' } })
  await world.apply('api', {}, naming(arn))
  await world.advance(10 * minuteMs)
  const waiting = await world.cert('api')
  assert.equal(waiting?.status?.state, 'Pending')
  assert.match(
    saying(waiting),
    /needs the tags acm\.ops\.example\.dev\/managed-by=cert-operator, acm\.ops\.example\.dev\/cluster=east, .*namespace=default, .*name=api/,
  )
  assert.deepEqual(world.writes(), [])
  await give(world, arn, { cluster: 'west' })
  await world.advance(10 * minuteMs)
  assert.equal((await world.cert('api'))?.status?.state, 'Pending')
  await give(world, arn, { cluster: 'east', uid: 'another' })
  await world.advance(10 * minuteMs)
  assert.deepEqual([(await world.cert('api'))?.status?.state, world.writes()], ['Pending', []])
  await world.acm.call('RemoveTagsFromCertificate', { CertificateArn: arn, Tags: [{ Key: `${prefix}/uid` }] })
  assert.equal((await world.until('api', 'Ready', 10 * minuteMs)).status?.certificateArn, arn)
})

test('of a certificate that nobody gave nothing is told to whoever names its ARN', async () => {
  await using world = certWorld()
  const arn = await standing(world, { SubjectAlternativeNames: [`hidden.${zoneName}`] })
  world.start()
  await world.apply('api', {}, naming(arn))
  await world.advance(10 * minuteMs)
  assert.match(saying(await world.cert('api')), /^to be adopted the certificate needs the tags /)
  assert.doesNotMatch(JSON.stringify((await world.cert('api'))?.status), /hidden/)
})

test('a certificate for other names is not taken; when the Cert asks for those it is [7.4 #10]', async () => {
  await using world = certWorld()
  const www = `www.${zoneName}`
  const arn = await standing(world, { SubjectAlternativeNames: [www] })
  await give(world, arn)
  world.start()
  await world.apply('api', {}, naming(arn))
  await world.advance(5 * minuteMs)
  assert.match(
    saying(await world.cert('api')),
    /is for api-prod\.k8s\.acme\.dev, www\.k8s\.acme\.dev, the Cert asks for api-prod\.k8s\.acme\.dev$/,
  )
  await world.change('api', { spec: { subjectAlternativeNames: [www] } })
  assert.equal((await world.until('api', 'Ready', 5 * minuteMs)).status?.certificateArn, arn)
  assert.deepEqual(world.writes(), ['AddTagsToCertificate'])
})

test('without the annotation a certificate is requested as ever, whatever another one is tagged with [#121]', async () => {
  await using world = certWorld()
  const arn = await standing(world)
  await give(world, arn)
  world.start()
  await world.apply('api')
  const cert = await world.until('api', 'Ready')
  assert.notEqual(cert.status?.certificateArn, arn)
  // Named too late: something was asked for already.
  await world.change('api', { metadata: naming(arn) })
  await world.advance(10 * minuteMs)
  assert.equal((await world.cert('api'))?.status?.certificateArn, cert.status?.certificateArn)
})

test('what is gone, no ARN, or of another key is said; nothing is requested instead [7.4 #10]', async () => {
  const absent = 'arn:aws:acm:eu-west-1:111122223333:certificate/00000000-0000-4000-8000-000000000000'
  for (const [arn, said] of [
    [absent, /ACM has no certificate of the ARN that is to be adopted/],
    ['the one of Terraform', /is no ARN of a certificate/],
    ['', /another primary name, key algorithm or issuer/],
  ] as const) {
    await using world = certWorld()
    const made = await standing(world, { KeyAlgorithm: 'EC_prime256v1' })
    if (arn === '') await give(world, made)
    world.start()
    await world.apply('api', {}, naming(arn === '' ? made : arn))
    await world.advance(10 * minuteMs)
    assert.match(saying(await world.cert('api')), said)
    assert.deepEqual(world.writes(), [])
  }
})

test('a lost answer, and a process that ends in between, change nothing about it [19.2]', async () => {
  await using world = certWorld()
  const arn = await standing(world)
  await give(world, arn)
  const match = { service: 'acm', operation: 'AddTagsToCertificate' }
  world.aws.faults.add({ match, effect: { kind: 'timeout-after' }, times: 2 })
  const first = world.start()
  await world.apply('api', {}, naming(arn))
  await world.advance(500)
  await first.stop()
  world.start()
  assert.equal((await world.until('api', 'Ready', 30 * minuteMs)).status?.certificateArn, arn)
  assert.deepEqual(await world.arns(), [arn])
})

const refused = [
  { code: 'LimitExceededException', patienceMs: 90 * minuteMs },
  { code: 'TooManyTagsException', patienceMs: 5 * minuteMs, edit: { spec: { tags: { cost: 'web' } } } },
]
for (const { code, patienceMs, edit } of refused) {
  const later = edit === undefined ? 'in time' : 'when the spec changes'
  test(`after ${code} at the adoption it is adopted ${later}, and no other is requested [7.4 #38, 7.4 #40]`, async () => {
    await using world = certWorld()
    const arn = await standing(world)
    await give(world, arn)
    const match = { service: 'acm', operation: 'AddTagsToCertificate' }
    const effect = { kind: 'error', code, http: 400, message: 'the tags are too many' } as const
    world.aws.faults.add({ match, effect, times: 1 })
    world.start()
    await world.apply('api', {}, naming(arn))
    assert.match((await world.until('api', 'Failed', 5 * minuteMs)).status?.message ?? '', /the tags are too many/)
    if (edit !== undefined) await world.change('api', edit)
    assert.equal((await world.until('api', 'Ready', patienceMs)).status?.certificateArn, arn)
    assert.deepEqual(await world.arns(), [arn])
  })
}
