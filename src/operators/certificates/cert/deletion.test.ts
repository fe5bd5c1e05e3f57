// Deletion: what goes, what stays, and what it waits for.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type HttpExchange, HttpFailure } from '#base'
import { certKind } from '../api.ts'
import { type CertWorld, certWorld, told, zoneName } from '../testing/cert-world.ts'
import { LostAnswer } from '../testing/lost-answers.ts'
import type { RegisteredZone } from '../zones/registry.ts'

const minuteMs = 60_000
const consumerArn = 'arn:aws:elasticloadbalancing:eu-west-1:111122223333:loadbalancer/app/shop/1'

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

test('by default the object goes, and the certificate and its record stay [8.6, #80]', async () => {
  await using world = certWorld()
  world.start()
  const { zone, arn } = await readyWorld(world)
  const before = world.writes().length
  await world.remove('api')
  await world.advance(minuteMs)
  assert.equal(await world.cert('api'), undefined)
  assert.deepEqual([await world.arns(), (await world.records(zone)).length, world.writes().length], [[arn], 1, before])
  assert.ok(world.events('api').includes('CertificateRetained'))
})

test('a certificate that is in use keeps its object, and goes when it is given up [7.4 #2, 8.6, #81, #82]', async () => {
  await using world = certWorld()
  world.start()
  const { zone, arn } = await readyWorld(world, { deleteOnRemoval: true })
  world.aws.control('acm', 'attach', { certificateArn: arn, consumerArn })
  await world.remove('api')
  await world.advance(10 * minuteMs)
  const blocked = await world.cert('api')
  assert.equal(told(blocked).DeletionBlocked, 'True CertificateInUse')
  assert.equal(blocked?.status?.message, 'certificate is in use by 1 resource(s): loadbalancer')
  assert.deepEqual([await world.arns(), (await world.records(zone)).length], [[arn], 1])
  world.aws.control('acm', 'detach', { certificateArn: arn, consumerArn })
  await world.advance(6 * minuteMs)
  assert.equal(await world.cert('api'), undefined)
  assert.deepEqual([await world.arns(), await world.records(zone)], [[], []])
})

test('a record that a list leaves out once goes all the same, and the object waits for it [8.7, S26]', async () => {
  await using world = certWorld()
  world.start()
  const { zone } = await readyWorld(world, { deleteOnRemoval: true })
  world.aws.faults.add({ match: { operation: 'ListResourceRecordSets' }, effect: { kind: 'partial-list' }, times: 1 })
  await world.remove('api')
  await world.advance(5 * minuteMs)
  assert.deepEqual([await world.cert('api'), await world.arns(), await world.records(zone)], [undefined, [], []])
})

test('an object whose record somebody deleted goes after a second look [8.7, S26]', async () => {
  await using world = certWorld()
  world.start()
  const { zone } = await readyWorld(world, { deleteOnRemoval: true })
  for (const record of await world.records(zone)) {
    const [Name = '', Type = '', ...values] = record.split(' ')
    await world.write(zone, 'DELETE', { Name, Type, values })
  }
  const before = world.writes().length
  await world.remove('api')
  await world.advance(5 * minuteMs)
  assert.deepEqual([await world.cert('api'), world.writes().slice(before)], [undefined, ['DeleteCertificate']])
})

test('a Cert that is changed and then deleted is not Ready with what it had, while that is in use [8.6, S27]', async () => {
  await using world = certWorld()
  const operator = world.start()
  const { arn } = await readyWorld(world, { deleteOnRemoval: true })
  world.aws.control('acm', 'attach', { certificateArn: arn, consumerArn })
  await operator.stop()
  await world.change('api', { spec: { subjectAlternativeNames: [`b.${zoneName}`] } })
  await world.remove('api')
  world.start()
  await world.advance(10 * minuteMs)
  const cert = await world.cert('api')
  assert.deepEqual([told(cert).Ready, cert?.status?.certReady], ['False ReplacementInProgress', true])
  assert.equal(told(cert).DeletionBlocked, 'True CertificateInUse')
})

test('a record that another Cert needs stays, and goes with the last of them [8.7, #83, #84]', async () => {
  await using world = certWorld()
  world.start()
  const { zone } = await readyWorld(world, { deleteOnRemoval: true })
  const shared = `api-prod.${zoneName}`
  await world.apply('web', { deleteOnRemoval: true, subjectAlternativeNames: [shared] })
  await world.until('web', 'Ready')
  assert.equal((await world.records(zone)).length, 2)
  await world.remove('api')
  await world.advance(minuteMs)
  assert.equal((await world.records(zone)).length, 2)
  await world.remove('web')
  await world.advance(minuteMs)
  assert.deepEqual(await world.records(zone), [])
})

test('a record that a certificate of somebody else needs stays [8.7, #85]', async () => {
  await using world = certWorld()
  world.start()
  const { zone } = await readyWorld(world, { deleteOnRemoval: true })
  await world.acm.call('RequestCertificate', {
    DomainName: `*.api-prod.${zoneName}`,
    ValidationMethod: 'DNS',
    KeyAlgorithm: 'EC_prime256v1',
  })
  await world.advance(minuteMs)
  await world.remove('api')
  await world.advance(minuteMs)
  assert.equal(await world.cert('api'), undefined)
  assert.equal((await world.records(zone)).length, 1)
})

test('a dozen objects that go at once need a few lists of the account, and none is said to be held up [8.7, 9.3]', async () => {
  await using world = certWorld()
  const zone = await world.zone(zoneName)
  world.start({ referenceRegions: ['us-east-1'] })
  const names = Array.from({ length: 12 }, (_, index) => `api-${index}`)
  await Promise.all(names.map(name => world.apply(name, { deleteOnRemoval: true })))
  for (const name of names) await world.until(name, 'Ready')
  const listed = (): number => world.aws.calls.all({ operation: 'ListCertificates' }).length
  await Promise.all(names.map(name => world.remove(name)))
  const before = listed()
  const held = new Set<string>()
  for (let second = 0; second < 90; second += 10) {
    await world.advance(10_000)
    for (const name of names) held.add(told(await world.cert(name)).DeletionBlocked ?? 'none')
  }
  for (const name of names) assert.equal(await world.cert(name), undefined)
  assert.deepEqual(await world.records(zone), [])
  assert.ok(
    [...held].every(each => !each.startsWith('True')),
    [...held].join(),
  )
  const lists = listed() - before
  assert.ok(lists > 0 && lists <= 24, `${lists} lists`)
})

test('a list that leaves out somebody’s certificate once takes no record away from it [8.7, S25, S26]', async () => {
  await using world = certWorld()
  let other: string | undefined
  const throughAws =
    (exchange: HttpExchange): HttpExchange =>
    async request => {
      const response = await exchange(request)
      if (other === undefined || !String(request.headers['x-amz-target'] ?? '').endsWith('.ListCertificates')) return response
      const { CertificateSummaryList } = JSON.parse(Buffer.from(response.body as Uint8Array).toString())
      const others = CertificateSummaryList.filter((each: { CertificateArn: string }) => each.CertificateArn !== other)
      other = undefined
      return { ...response, body: Buffer.from(JSON.stringify({ CertificateSummaryList: others })) }
    }
  world.start({ throughAws })
  const { zone } = await readyWorld(world, { deleteOnRemoval: true })
  const asked = await world.acm.call('RequestCertificate', { DomainName: `*.api-prod.${zoneName}`, ValidationMethod: 'DNS' })
  await world.advance(minuteMs)
  other = String(asked['CertificateArn'])
  await world.remove('api')
  await world.advance(minuteMs)
  assert.deepEqual([other, await world.cert('api')], [undefined, undefined])
  assert.deepEqual([await world.arns(), (await world.records(zone)).length], [[asked['CertificateArn']], 1])
})

test('a list that still tells of somebody’s certificate that went keeps no record for ever [8.7, S25, L1]', async () => {
  await using world = certWorld()
  let old: ReturnType<HttpExchange> | undefined
  const throughAws =
    (exchange: HttpExchange): HttpExchange =>
    request =>
      String(request.headers['x-amz-target'] ?? '').endsWith('.ListCertificates') ? (old ?? exchange(request)) : exchange(request)
  world.start({ throughAws })
  const { zone } = await readyWorld(world, { deleteOnRemoval: true })
  const asked = await world.acm.call('RequestCertificate', { DomainName: `*.api-prod.${zoneName}`, ValidationMethod: 'DNS' })
  const CertificateArn = String(asked['CertificateArn'])
  await world.advance(minuteMs)
  const { CertificateSummaryList } = await world.acm.call('ListCertificates', {})
  await world.acm.call('DeleteCertificate', { CertificateArn })
  const headers = { 'content-type': 'application/x-amz-json-1.1' }
  old = Promise.resolve({ status: 200, headers, body: Buffer.from(JSON.stringify({ CertificateSummaryList }, timesInSeconds)) })
  await world.remove('api')
  await world.advance(20_000)
  assert.deepEqual(
    [await world.arns(), (await world.records(zone)).length],
    [[], 1],
    `${CertificateArn} is gone, and still listed`,
  )
  await world.advance(minuteMs)
  assert.equal(await world.cert('api'), undefined)
  assert.deepEqual(await world.records(zone), [])
})

/** As the wire of ACM says them. */
function timesInSeconds(_key: string, value: unknown): unknown {
  return typeof value === 'string' && /^\d{4}-\d\d-\d\dT/.test(value) ? Date.parse(value) / 1_000 : value
}

test('what the object itself deleted a moment ago keeps no record, though ACM tells of it still [8.7, S6, S26]', async () => {
  await using world = certWorld({ knobs: { certificateGoneMs: 10_000 } })
  let before: object | undefined
  const throughAws =
    (exchange: HttpExchange): HttpExchange =>
    async request => {
      const response = await exchange(request)
      const isList = String(request.headers['x-amz-target'] ?? '').endsWith('.ListCertificates')
      if (!isList || before === undefined) return response
      const body = Buffer.from(JSON.stringify(before, timesInSeconds))
      before = undefined
      return { ...response, body }
    }
  world.start({ throughAws })
  const { zone } = await readyWorld(world, { deleteOnRemoval: true })
  before = await world.acm.call('ListCertificates', {})
  await world.remove('api')
  await world.advance(5 * minuteMs)
  assert.deepEqual([await world.cert('api'), await world.arns(), await world.records(zone)], [undefined, [], []])
})

test('an object whose intent goes with its certificate follows at once: what was deleted is not waited for [8.6, S6]', async () => {
  await using world = certWorld()
  let isDeleted = false
  let isLost = false
  const through =
    (exchange: HttpExchange): HttpExchange =>
    request => {
      if (!isDeleted || isLost || !request.target.includes('/status?')) return exchange(request)
      isLost = true
      return Promise.reject(new HttpFailure('reset', 'cut'))
    }
  const throughAws =
    (exchange: HttpExchange): HttpExchange =>
    async request => {
      const response = await exchange(request)
      if (!String(request.headers['x-amz-target'] ?? '').endsWith('.DeleteCertificate')) return response
      isDeleted = true
      const status = { request: null }
      await world.client.patch(
        certKind.type,
        { namespace: 'default', name: 'api' },
        'merge',
        { status },
        { subresource: 'status' },
      )
      return response
    }
  world.start({ through, throughAws })
  await readyWorld(world, { deleteOnRemoval: true })
  await world.remove('api')
  await world.advance(10_000)
  assert.deepEqual([isLost, await world.cert('api')], [true, undefined])
})

test('a status whose certificate went with a write that took hold late is not said to be served again [8.6, S9]', async () => {
  await using world = certWorld({ knobs: { delays: { certificateIssue: [1_000, 1_000] } } })
  const bodyOf = ({ body }: Parameters<HttpExchange>[0]): string =>
    body instanceof Uint8Array ? Buffer.from(body).toString() : ''
  let late: (() => Promise<unknown>) | undefined
  let isLate = false
  const served: unknown[] = []
  const through =
    (exchange: HttpExchange): HttpExchange =>
    async request => {
      if (request.method !== 'PATCH' || !request.target.includes('/status?')) return exchange(request)
      if (!isLate && bodyOf(request).includes('"remove","path":"/status/certificateArn"')) {
        isLate = true
        const { signal: _, ...unhurried } = request
        late = () => exchange(unhurried)
        throw new HttpFailure('timeout', 'no answer')
      }
      await late?.()
      late = undefined
      const response = await exchange(request)
      const { status } = (await world.cert('api')) ?? {}
      served.push([status?.certReady, status?.certificateArn === undefined])
      return response
    }
  world.start({ through })
  await readyWorld(world, { deleteOnRemoval: true })
  served.length = 0
  await world.remove('api')
  await world.advance(5 * minuteMs)
  assert.equal(isLate, true)
  assert.deepEqual(
    served.filter(each => String(each) === 'true,true'),
    [],
  )
  assert.deepEqual([await world.cert('api'), await world.arns()], [undefined, []])
})

test('where nobody may look at a certificate that is listed, the record stays and is told [8.7, #86]', async () => {
  await using world = certWorld()
  let other = 'none'
  const throughAws =
    (exchange: HttpExchange): HttpExchange =>
    request => {
      if (!(request.body instanceof Uint8Array) || !Buffer.from(request.body).includes(other)) return exchange(request)
      const body = Buffer.from(JSON.stringify({ __type: 'AccessDeniedException', message: 'no' }))
      return Promise.resolve({ status: 400, headers: { 'content-type': 'application/x-amz-json-1.1' }, body })
    }
  world.start({ throughAws })
  const { zone } = await readyWorld(world, { deleteOnRemoval: true })
  const asked = await world.acm.call('RequestCertificate', { DomainName: `*.api-prod.${zoneName}`, ValidationMethod: 'DNS' })
  await world.advance(minuteMs)
  other = String(asked['CertificateArn'])
  await world.remove('api')
  await world.advance(minuteMs)
  assert.equal(await world.cert('api'), undefined)
  assert.deepEqual([await world.arns(), (await world.records(zone)).length], [[other], 1])
  assert.ok(world.events('api').includes('ValidationRecordKept'))
})

test('where nobody may look, the record stays and is told, also where the object’s last answer is lost [8.7, #86, S26]', async () => {
  await using world = certWorld()
  const through =
    (exchange: HttpExchange): HttpExchange =>
    async request => {
      const response = await exchange(request)
      const isLast =
        request.body instanceof Uint8Array && Buffer.from(request.body).includes('"remove","path":"/metadata/finalizers')
      if (isLast) throw new HttpFailure('reset', 'cut')
      return response
    }
  world.start({ through })
  const { zone } = await readyWorld(world, { deleteOnRemoval: true })
  const effect = { kind: 'error', code: 'AccessDeniedException', http: 400, message: 'no' } as const
  world.aws.faults.add({ match: { operation: 'ListCertificates' }, effect })
  await world.remove('api')
  await world.advance(minuteMs)
  world.aws.faults.clear()
  assert.equal(await world.cert('api'), undefined)
  assert.deepEqual([await world.arns(), (await world.records(zone)).length], [[], 1])
  assert.ok(world.events('api').includes('ValidationRecordKept'))
})

test('a record that somebody took over is not deleted [8.7, #87]', async () => {
  await using world = certWorld()
  world.start()
  const { zone } = await readyWorld(world, { deleteOnRemoval: true })
  const [Name = ''] = (await world.records(zone))[0]?.split(' ') ?? []
  await world.write(zone, 'UPSERT', { Name, Type: 'CNAME', values: ['elsewhere.example.org.'] })
  await world.remove('api')
  await world.advance(minuteMs)
  assert.equal(await world.cert('api'), undefined)
  assert.equal((await world.records(zone)).length, 1)
})

test('an object for which nothing was ever requested goes at once [#88]', async () => {
  await using world = certWorld()
  await world.zone(zoneName)
  world.start()
  await world.apply('api', { deleteOnRemoval: true, domainName: 'api.elsewhere.org' })
  await world.until('api', 'Failed')
  await world.remove('api')
  await world.advance(minuteMs)
  assert.equal(await world.cert('api'), undefined)
})

test('a certificate that is gone already is deleted [#89]', async () => {
  await using world = certWorld()
  world.start()
  const { zone, arn } = await readyWorld(world, { deleteOnRemoval: true })
  await world.advance(10 * minuteMs)
  await world.acm.call('DeleteCertificate', { CertificateArn: arn })
  await world.remove('api')
  await world.advance(minuteMs)
  assert.equal(await world.cert('api'), undefined)
  assert.deepEqual(await world.records(zone), [])
})

test('a person may let a blocked object go, and nothing in AWS is touched [#90]', async () => {
  await using world = certWorld()
  world.start()
  const { zone, arn } = await readyWorld(world, { deleteOnRemoval: true })
  world.aws.control('acm', 'attach', { certificateArn: arn, consumerArn })
  await world.remove('api')
  await world.advance(minuteMs)
  await world.change('api', { metadata: { annotations: { 'acm.ops.example.dev/force-orphan': 'true' } } })
  await world.advance(minuteMs)
  assert.equal(await world.cert('api'), undefined)
  assert.deepEqual([await world.arns(), (await world.records(zone)).length], [[arn], 1])
})

test('a deletion in the middle of a replacement takes both certificates [#91]', async () => {
  await using world = certWorld()
  world.start()
  await readyWorld(world, { deleteOnRemoval: true })
  await world.change('api', { spec: { subjectAlternativeNames: [`b.${zoneName}`] } })
  await world.advance(20_000)
  assert.equal((await world.arns()).length, 2)
  await world.remove('api')
  await world.advance(6 * minuteMs)
  assert.equal(await world.cert('api'), undefined)
  assert.deepEqual(await world.arns(), [])
})

test('a blocked deletion that is not wanted any more lets the object go [#92]', async () => {
  await using world = certWorld()
  world.start()
  const { arn } = await readyWorld(world, { deleteOnRemoval: true })
  world.aws.control('acm', 'attach', { certificateArn: arn, consumerArn })
  await world.remove('api')
  await world.advance(minuteMs)
  await world.change('api', { spec: { deleteOnRemoval: false } })
  await world.advance(minuteMs)
  assert.equal(await world.cert('api'), undefined)
  assert.deepEqual(await world.arns(), [arn])
})

test('an object that is deleted while nobody runs waits for whoever runs next [#93]', async () => {
  await using world = certWorld()
  const running = world.start()
  await readyWorld(world, { deleteOnRemoval: true })
  await running.stop()
  await world.remove('api')
  await world.advance(10 * minuteMs)
  assert.ok((await world.cert('api')) !== undefined)
  world.start()
  await world.advance(minuteMs)
  assert.equal(await world.cert('api'), undefined)
  assert.deepEqual(await world.arns(), [])
})

test('a certificate without our marks is never deleted, whatever a status says [#94]', async () => {
  await using world = certWorld()
  world.start()
  const { arn } = await readyWorld(world, { deleteOnRemoval: true })
  const { Tags } = await world.acm.call('ListTagsForCertificate', { CertificateArn: arn })
  await world.acm.call('RemoveTagsFromCertificate', { CertificateArn: arn, Tags })
  await world.remove('api')
  await world.advance(minuteMs)
  assert.equal(await world.cert('api'), undefined)
  assert.deepEqual(await world.arns(), [arn])
})

test('a request whose answer was lost is found and deleted with its object [8.6]', async () => {
  await using world = certWorld()
  await world.zone(zoneName)
  await world.advance(120_000)
  world.aws.faults.add({
    match: { service: 'acm', operation: 'RequestCertificate' },
    effect: { kind: 'timeout-after' },
    times: 1,
  })
  world.start()
  await world.apply('api', { deleteOnRemoval: true })
  await world.advance(5_000)
  await world.remove('api')
  await world.advance(10 * minuteMs)
  assert.equal(await world.cert('api'), undefined)
  assert.deepEqual(await world.arns(), [])
})

test('a request that was sent long after its intent is waited for before its object goes [8.6, S6, S26]', async () => {
  await using world = certWorld({ knobs: { delays: { certificateVisible: [60_000, 60_000] } } })
  await world.zone(zoneName)
  await world.advance(120_000)
  const beginMs = world.clock.monotonicMs()
  const lost = new LostAnswer('RequestCertificate', () => world.clock.monotonicMs() >= beginMs + 10 * minuteMs)
  world.start({ throughAws: lost.through, layers: { breaker: undefined } })
  await world.apply('api', { deleteOnRemoval: true })
  for (let second = 0; second < 3_600 && !lost.isMade; second++) await world.advance(1_000)
  await world.remove('api')
  await world.advance(30_000)
  assert.ok((await world.cert('api')) !== undefined)
  await world.advance(10 * minuteMs)
  assert.equal(await world.cert('api'), undefined)
  assert.deepEqual(await world.arns(), [])
})

test('what was made before AWS refused to answer goes with its object, although another certificate is known [8.6, S6]', async () => {
  await using world = certWorld()
  const first = world.start()
  await readyWorld(world, { deleteOnRemoval: true })
  await first.stop()
  const lost = new LostAnswer('RequestCertificate')
  const effect = { kind: 'error', code: 'AccessDeniedException', http: 400, message: 'no' } as const
  lost.onLost = () => void world.aws.faults.add({ match: { operation: 'RequestCertificate' }, effect })
  world.start({ throughAws: lost.through })
  await world.settle()
  await world.change('api', { spec: { subjectAlternativeNames: [`b.${zoneName}`] } })
  await world.until('api', 'Failed')
  assert.equal((await world.arns()).length, 2)
  await world.remove('api')
  await world.advance(10 * minuteMs)
  assert.equal(await world.cert('api'), undefined)
  assert.deepEqual(await world.arns(), [])
})

test('a look right before a deletion that does not find the certificate is no deletion [8.1, S6]', async () => {
  await using world = certWorld()
  let looks = 0
  const throughAws =
    (exchange: HttpExchange): HttpExchange =>
    request => {
      const isLook = String(request.headers['x-amz-target'] ?? '').endsWith('.ListTagsForCertificate')
      // The first look at the tags decides, the second stands right before the deletion.
      if (!isLook || ++looks !== 2) return exchange(request)
      const body = Buffer.from(JSON.stringify({ __type: 'ResourceNotFoundException', message: 'there is none' }))
      return Promise.resolve({ status: 400, headers: { 'content-type': 'application/x-amz-json-1.1' }, body })
    }
  world.start({ throughAws })
  const { zone } = await readyWorld(world, { deleteOnRemoval: true })
  looks = 0
  await world.remove('api')
  await world.advance(5 * minuteMs)
  assert.ok(looks >= 2)
  assert.equal(await world.cert('api'), undefined)
  assert.deepEqual([await world.arns(), await world.records(zone)], [[], []])
})

test('lost answers to a deletion and to the removal of a record do no harm', async () => {
  await using world = certWorld()
  world.start()
  const { zone } = await readyWorld(world, { deleteOnRemoval: true })
  for (const operation of ['DeleteCertificate', 'ChangeResourceRecordSets'])
    world.aws.faults.add({ match: { operation }, effect: { kind: 'timeout-after' }, times: 1 })
  await world.remove('api')
  await world.advance(10 * minuteMs)
  assert.equal(await world.cert('api'), undefined)
  assert.deepEqual([await world.arns(), await world.records(zone)], [[], []])
})

test('two clusters of one account keep their own certificates, and the record as long as one of them needs it [#121]', async () => {
  await using world = certWorld()
  const first = world.start({ settings: { clusterId: 'blue' } })
  const { zone, arn } = await readyWorld(world, { deleteOnRemoval: true })
  await first.stop()
  world.start({ settings: { clusterId: 'green' } })
  await world.remove('api')
  await world.advance(minuteMs)
  assert.equal(await world.cert('api'), undefined)
  assert.deepEqual([await world.arns(), (await world.records(zone)).length], [[arn], 1])
})
