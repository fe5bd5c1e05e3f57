// A further name, asked for in each state: in the end there is one certificate for just what is wanted, none was requested twice, and a
// certificate that was good stays good until the other one is.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { given } from '#base'
import { records } from '../aws/values.ts'
import { type CertWorld, certWorld, told, zoneName } from '../testing/cert-world.ts'

const minuteMs = 60_000
const further = `second.${zoneName}`

interface Edit {
  readonly state: 'Pending' | 'Created' | 'Validated' | 'Ready' | 'Failed'
  /** What AWS answers to a request until the spec was changed. */
  readonly refusal?: string
  readonly requests: number
  /** Afterwards: the one that was replaced stays until somebody wants it gone. */
  readonly certificates: number
}

const edits: readonly Edit[] = [
  { state: 'Pending', refusal: 'ServiceUnavailableException', requests: 1, certificates: 1 },
  { state: 'Created', requests: 2, certificates: 1 },
  { state: 'Validated', requests: 2, certificates: 1 },
  { state: 'Ready', requests: 2, certificates: 2 },
  { state: 'Failed', refusal: 'LimitExceededException', requests: 1, certificates: 1 },
]

function refuse(world: CertWorld, code: string): { remove(): void } {
  const http = code.startsWith('Service') ? 503 : 400
  const effect = { kind: 'error', code, http, message: 'no' } as const
  return world.aws.faults.add({ match: { operation: 'RequestCertificate' }, effect })
}

for (const { state, refusal, requests, certificates } of edits)
  test(`a further name in state ${state} ends in one certificate for both names, requested once [8.4]`, async () => {
    await using world = certWorld({ knobs: { delays: { certificateIssue: [10 * minuteMs, 10 * minuteMs] } } })
    await world.zone(zoneName)
    await world.advance(2 * minuteMs)
    const fault = refusal === undefined ? undefined : refuse(world, refusal)
    world.start()
    await world.apply('api')
    const before = await world.until('api', state)
    await world.change('api', { spec: { subjectAlternativeNames: [further] } })
    await world.advance(minuteMs)
    fault?.remove()
    await world.advance(100 * minuteMs)
    const after = await world.until('api', 'Ready')
    const { Certificate } = await world.acm.call('DescribeCertificate', { CertificateArn: after.status?.certificateArn ?? '' })
    const { Status, SubjectAlternativeNames } = Certificate as Readonly<Record<string, unknown>>
    assert.deepEqual([Status, SubjectAlternativeNames], ['ISSUED', [`api-prod.${zoneName}`, further]])
    assert.equal(after.status?.observedGeneration, after.metadata.generation)
    assert.equal(world.writes().filter(operation => operation === 'RequestCertificate').length, requests)
    assert.equal((await world.arns()).length, certificates)
    assert.equal(before.status?.certificateArn === undefined, refusal !== undefined)
  })

for (const { state, refusal } of edits)
  test(`tags and options that change in state ${state} reach the certificate, and no other is requested [8.4]`, async () => {
    await using world = certWorld({ knobs: { delays: { certificateIssue: [10 * minuteMs, 10 * minuteMs] } } })
    await world.zone(zoneName)
    await world.advance(2 * minuteMs)
    const fault = refusal === undefined ? undefined : refuse(world, refusal)
    world.start()
    await world.apply('api', { tags: { team: 'shop', old: 'x' } })
    await world.until('api', state)
    await world.change('api', { spec: { tags: { team: 'web', old: null, cost: '7' }, transparencyLogging: 'Disabled' } })
    await world.advance(minuteMs)
    fault?.remove()
    await world.until('api', 'Ready', 180 * minuteMs)
    await world.advance(65 * minuteMs)
    const CertificateArn = (await world.cert('api'))?.status?.certificateArn ?? ''
    const { Tags } = await world.acm.call('ListTagsForCertificate', { CertificateArn })
    const tags = Object.fromEntries(records(Tags).map(({ Key, Value }) => [String(Key), String(Value)]))
    assert.deepEqual([tags['team'], tags['cost'], tags['old']], ['web', '7', undefined])
    const { Certificate } = await world.acm.call('DescribeCertificate', { CertificateArn })
    assert.match(JSON.stringify(Certificate), /"CertificateTransparencyLoggingPreference":"DISABLED"/)
    assert.equal(world.writes().filter(operation => operation === 'RequestCertificate').length, 1)
  })

/** ACM has issued, and nobody looked since. */
async function issuedUnseen(world: CertWorld): Promise<string> {
  await world.zone(zoneName)
  await world.advance(2 * minuteMs)
  world.start()
  await world.apply('api')
  const { status } = await world.until('api', 'Validated')
  const CertificateArn = status?.certificateArn ?? ''
  for (;;) {
    const { Certificate } = await world.acm.call('DescribeCertificate', { CertificateArn })
    if ((Certificate as Readonly<Record<string, unknown>>)['Status'] === 'ISSUED') return CertificateArn
    await world.advance(1_000)
  }
}

test('a further name that comes between the issue and our look is never said to be Ready without it [8.4, S8, S27]', async () => {
  await using world = certWorld()
  const first = await issuedUnseen(world)
  assert.equal((await world.cert('api'))?.status?.state, 'Validated')
  await world.change('api', { spec: { subjectAlternativeNames: [further] } })
  await world.advance(minuteMs)
  const { status } = (await world.cert('api')) ?? {}
  assert.deepEqual(
    [told({ ...given({ status }) }).Ready, status?.certificateArn, status?.certReady, status?.observedGeneration],
    ['False ReplacementInProgress', first, true, 2],
  )
  const after = await world.until('api', 'Ready')
  assert.deepEqual([after.status?.supersededCertificates?.map(({ arn }) => arn), (await world.arns()).length], [[first], 2])
})

test('a further name that comes and goes between the issue and our look takes nothing [8.4, #71]', async () => {
  await using world = certWorld()
  const first = await issuedUnseen(world)
  await world.change('api', { spec: { subjectAlternativeNames: [further] } })
  await world.advance(minuteMs)
  await world.change('api', { spec: { subjectAlternativeNames: [] } })
  const { status } = await world.until('api', 'Ready')
  assert.deepEqual([status?.certificateArn, status?.supersededCertificates, await world.arns()], [first, undefined, [first]])
})

test('a spec that changes after ACM refused at once is asked for, and what was refused goes [7.4 #38, S27]', async () => {
  const refused = `bad.${zoneName}`
  await using world = certWorld({ knobs: { certificateFailures: { [refused]: 'ADDITIONAL_VERIFICATION_REQUIRED' } } })
  await world.zone(zoneName)
  await world.advance(2 * minuteMs)
  world.start()
  await world.apply('api', { subjectAlternativeNames: [refused] })
  const failed = await world.until('api', 'Failed')
  await world.change('api', { spec: { subjectAlternativeNames: [further] } })
  const { status } = await world.until('api', 'Ready', 30 * minuteMs)
  assert.deepEqual([await world.arns(), status?.request?.revision], [[status?.certificateArn], 2])
  assert.notEqual(status?.certificateArn, failed.status?.certificateArn)
})

test('a spec that changes before anybody saw that ACM refused is asked for [7.4 #38, S27]', async () => {
  const refused = `bad.${zoneName}`
  await using world = certWorld({ knobs: { certificateFailures: { [refused]: 'ADDITIONAL_VERIFICATION_REQUIRED' } } })
  await world.zone(zoneName)
  await world.advance(2 * minuteMs)
  const running = world.start()
  await world.apply('api', { subjectAlternativeNames: [refused] })
  await world.advance(500)
  assert.equal((await world.cert('api'))?.status?.state, 'Created')
  await running.stop()
  await world.change('api', { spec: { subjectAlternativeNames: [further] } })
  await world.advance(minuteMs)
  world.start()
  const { status } = await world.until('api', 'Ready', 30 * minuteMs)
  assert.deepEqual(await world.arns(), [status?.certificateArn])
})

/** A replacement that ACM refuses for good, while what serves is deleted by hand. */
async function refusedReplacement(world: CertWorld): Promise<void> {
  await world.zone(zoneName)
  await world.advance(2 * minuteMs)
  world.start()
  await world.apply('api', { deleteOnRemoval: true })
  const { status } = await world.until('api', 'Ready')
  await world.change('api', { spec: { subjectAlternativeNames: [`bad.${zoneName}`] } })
  const failed = await world.until('api', 'Failed')
  assert.deepEqual([failed.status?.certReady, failed.status?.certificateArn], [true, status?.certificateArn])
  await world.acm.call('DeleteCertificate', { CertificateArn: status?.certificateArn ?? '' })
}

test('a certificate that is deleted by hand while its replacement failed serves nobody, and the next spec is asked for [7.4 #32, S9]', async () => {
  await using world = certWorld({ knobs: { certificateFailures: { [`bad.${zoneName}`]: 'ADDITIONAL_VERIFICATION_REQUIRED' } } })
  await refusedReplacement(world)
  await world.advance(10 * minuteMs)
  const { status } = (await world.cert('api')) ?? {}
  assert.deepEqual(
    [status?.certReady, told({ ...given({ status }) }).Ready, status?.pendingCertificateArn, status?.expirationDate],
    [false, 'False IssuanceFailed', undefined, undefined],
  )
  assert.ok(world.events('api').includes('CertificateMissing'))
  await world.change('api', { spec: { subjectAlternativeNames: [] } })
  const after = await world.until('api', 'Ready', 30 * minuteMs)
  assert.deepEqual([await world.arns(), after.status?.supersededCertificates], [[after.status?.certificateArn], undefined])
})

test('a certificate that is deleted by hand while another one is on its way serves nobody until that is issued [7.4 #32, S9]', async () => {
  await using world = certWorld({ knobs: { delays: { certificateIssue: [60 * minuteMs, 60 * minuteMs] } } })
  await world.zone(zoneName)
  await world.advance(2 * minuteMs)
  world.start()
  await world.apply('api')
  const first = (await world.until('api', 'Ready', 180 * minuteMs)).status?.certificateArn
  await world.change('api', { spec: { subjectAlternativeNames: [further] } })
  const second = (await world.until('api', 'Validated')).status?.pendingCertificateArn
  await world.acm.call('DeleteCertificate', { CertificateArn: first ?? '' })
  await world.advance(15 * minuteMs)
  const { status } = (await world.cert('api')) ?? {}
  assert.deepEqual([status?.state, status?.certReady, status?.certificateArn], ['Validated', false, second])
  const after = await world.until('api', 'Ready', 180 * minuteMs)
  assert.deepEqual(
    [after.status?.certificateArn, after.status?.supersededCertificates, await world.arns()],
    [second, undefined, [second]],
  )
})

test('a spec that takes a name back and asks for a tag is Ready with that tag on the certificate that serves [8.4, S27]', async () => {
  await using world = certWorld({ knobs: { delays: { certificateIssue: [10 * minuteMs, 10 * minuteMs] } } })
  await world.zone(zoneName)
  await world.advance(2 * minuteMs)
  world.start()
  await world.apply('api')
  const { status } = await world.until('api', 'Ready')
  const CertificateArn = status?.certificateArn ?? ''
  await world.change('api', { spec: { subjectAlternativeNames: [further] } })
  await world.advance(minuteMs)
  await world.change('api', { spec: { subjectAlternativeNames: [], tags: { cost: 'web' } } })
  const back = await world.until('api', 'Ready')
  assert.deepEqual([told(back).Ready, back.status?.observedGeneration], ['True Issued', back.metadata.generation])
  const { Tags } = await world.acm.call('ListTagsForCertificate', { CertificateArn })
  assert.ok(records(Tags).some(({ Key, Value }) => Key === 'cost' && Value === 'web'))
  assert.deepEqual([back.status?.certificateArn, back.status?.appliedTags], [CertificateArn, ['cost']])
})
