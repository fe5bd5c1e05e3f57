// Lists of AWS are eventually consistent, paged and cut short: what one leaves out may be there all the same. Nothing is let go of and nothing
// is made because a list does not name it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type HttpExchange, HttpFailure } from '#base'
import { conditions } from '../api.ts'
import { changes } from '../testing/changes.ts'
import { type ResourceWorld, resourceWorld } from '../testing/world.ts'

/** Answers whose elements with a certain text are left out, while that is on. */
interface Hidden {
  readonly element: string
  readonly text: string
  /** Which requests are answered so. */
  readonly when: (target: string) => boolean
  isOn: boolean
}

function leavingOut(hidden: Hidden): (exchange: HttpExchange) => HttpExchange {
  const { element, text, when } = hidden
  const whole = new RegExp(`<${element}>(?:(?!</${element}>).)*</${element}>`, 'gs')
  return exchange => async request => {
    const answer = await exchange(request)
    if (!hidden.isOn || !(answer.body instanceof Uint8Array) || !when(request.target)) return answer
    const said = Buffer.from(answer.body).toString('utf8')
    const left = said.replaceAll(whole, found => (found.includes(text) ? '' : found))
    return { ...answer, headers: { ...answer.headers, 'content-length': undefined }, body: Buffer.from(left) }
  }
}

test('a bucket that one list leaves out is neither let go of nor made anew [S6, S26]', async () => {
  const hidden: Hidden = { element: 'Bucket', text: '<Name>data-1b2c</Name>', when: () => true, isOn: false }
  await using world = resourceWorld({ services: ['s3'], resyncSeconds: 600, throughAws: leavingOut(hidden) })
  world.start()
  await world.create('Bucket', 'data', { name: 'data-1b2c' })
  await world.settle()
  assert.equal((await world.condition('Bucket', 'data', conditions.ready))?.status, 'True')
  world.aws.calls.clear()
  hidden.isOn = true
  await world.advance(1_300_000)
  assert.deepEqual(changes(world), [], 'a look by a list that lacks it changes nothing')
  await world.remove('Bucket', 'data')
  await world.advance(60_000)
  hidden.isOn = false
  await world.advance(60_000)
  assert.equal(await world.get('Bucket', 'data'), undefined)
  const { Buckets } = await world.client('s3').call('ListBuckets')
  assert.equal(((Buckets as unknown[] | undefined) ?? []).length, 0, 'the bucket went with its object')
})

test('the name of a bucket that another account has is nobody’s absence: the object says so, and goes when it is told to', async () => {
  await using world = resourceWorld({ services: ['s3'], awsOptions: { accounts: ['111122223333', '999988887777'] } })
  await world.client('s3', '999988887777').call('CreateBucket', {
    Bucket: 'data-1b2c',
    CreateBucketConfiguration: { LocationConstraint: 'eu-west-1' },
  })
  world.start()
  await world.create('Bucket', 'data', { name: 'data-1b2c' })
  await world.advance(30_000)
  assert.notEqual((await world.condition('Bucket', 'data', conditions.ready))?.status, 'True')
  await world.remove('Bucket', 'data')
  await world.advance(300_000)
  assert.equal(await world.get('Bucket', 'data'), undefined)
  assert.equal(world.aws.calls.count({ operation: 'DeleteBucket' }), 0)
})

test('records that a list of the zone leaves out are not let go of [S6, S26]', async () => {
  // Only lists of the whole zone lie here; a look at one record is answered truly.
  const hidden: Hidden = {
    element: 'ResourceRecordSet',
    text: '<Type>A</Type>',
    when: target => target.includes('/rrset') && !target.includes('name='),
    isOn: false,
  }
  await using world = resourceWorld({ services: ['route53'], throughAws: leavingOut(hidden) })
  world.start()
  await world.create('HostedZone', 'zone', { name: 'example.com.' })
  await world.advance(60_000)
  const names = ['a', 'b', 'c', 'd', 'e', 'f']
  const spec = { recordType: 'A', ttl: 60, resourceRecords: [{ value: '10.0.0.1' }], hostedZoneRef: { from: { name: 'zone' } } }
  for (const name of names) await world.create('RecordSet', name, { ...spec, name })
  await world.advance(120_000)
  for (const name of names) assert.equal((await world.condition('RecordSet', name, conditions.ready))?.status, 'True', name)
  hidden.isOn = true
  await Promise.all(names.map(name => world.remove('RecordSet', name)))
  await world.advance(300_000)
  const HostedZoneId = (await world.get('HostedZone', 'zone'))?.status?.['id']
  const { ResourceRecordSets } = await world.client('route53').call('ListResourceRecordSets', { HostedZoneId })
  const left = (ResourceRecordSets as { Type: string }[]).filter(({ Type }) => Type === 'A')
  assert.deepEqual(left, [])
})

test('what can only be looked for in a list goes at the second look that does not find it, and not at the first [S26]', async () => {
  const lost = { isOn: false }
  await using world = resourceWorld({
    services: ['acm'],
    // The request takes hold and its answer is lost, so that nothing but a list can find the certificate.
    throughAws: exchange => async request => {
      const answer = await exchange(request)
      const isRequest = String(request.headers['x-amz-target']).endsWith('RequestCertificate')
      if (lost.isOn && isRequest) throw new HttpFailure('reset', 'nobody hears the answer')
      return answer
    },
  })
  world.start()
  lost.isOn = true
  world.aws.faults.add({
    match: { service: 'acm', operation: 'ListCertificates' },
    effect: { kind: 'partial-list' },
    fromMs: world.clock.now() + 60_000,
    times: 1,
  })
  // Until then the lists are refused.
  world.aws.faults.add({
    match: { service: 'acm', operation: 'ListCertificates' },
    effect: { kind: 'throttle' },
    untilMs: world.clock.now() + 90_000,
  })
  await world.create('Certificate', 'web', { domainName: 'www.example.com' })
  await world.advance(2_000)
  await world.remove('Certificate', 'web')
  await world.advance(900_000)
  assert.equal(await world.get('Certificate', 'web'), undefined)
  const { CertificateSummaryList } = await world.client('acm').call('ListCertificates')
  assert.deepEqual(CertificateSummaryList, [], 'the certificate went with its object')
})

test('a policy that one read does not find any more is deleted before its object goes [S6, S26]', async () => {
  await using world = resourceWorld({ kinds: ['Policy'] })
  world.start()
  const document = JSON.stringify({
    Version: '2012-10-17',
    Statement: [{ Effect: 'Allow', Action: 's3:GetObject', Resource: '*' }],
  })
  await world.create('Policy', 'other', { name: 'other', policyDocument: document })
  await world.advance(60_000)
  await world.create('Policy', 'reads', { name: 'reads', policyDocument: document })
  await world.advance(20_000)
  assert.equal((await world.condition('Policy', 'reads', conditions.ready))?.status, 'True')
  // As of a moment before the policy was made.
  world.aws.faults.add({
    match: { service: 'iam', operation: 'GetPolicy' },
    times: 1,
    effect: { kind: 'stale-read', ageMs: 30_000 },
  })
  await world.remove('Policy', 'reads')
  await world.advance(60_000)
  assert.equal(await world.get('Policy', 'reads'), undefined)
  const { Policies } = await world.client('iam').call('ListPolicies', { Scope: 'Local' })
  assert.deepEqual(
    (Policies as { PolicyName: string }[]).map(({ PolicyName }) => PolicyName).filter(name => name === 'reads'),
    [],
  )
})

test('a deletion that AWS answers with "not found" as of long ago lets nothing go: the bucket is deleted before its object [S6, S26]', async () => {
  const lag = { ageMs: 40_000, forMs: 4_000 }
  await using world: ResourceWorld = resourceWorld({
    services: ['s3'],
    // The part of AWS that answers the first deletion does not know of the bucket yet, and answers the looks that follow as well.
    throughAws: exchange => request => {
      if (request.method === 'DELETE' && world.aws.calls.count({ operation: 'DeleteBucket' }) === 0) {
        const untilMs = world.clock.now() + lag.forMs
        for (const operation of ['DeleteBucket', 'ListBuckets', 'HeadBucket'])
          world.aws.faults.add({ match: { operation }, untilMs, effect: { kind: 'stale-read', ageMs: lag.ageMs } })
      }
      return exchange(request)
    },
  })
  world.start()
  // So that there is a state as of before the bucket was made.
  await world.create('Bucket', 'other', { name: 'other-1b2c' })
  await world.advance(60_000)
  await world.create('Bucket', 'data', { name: 'data-1b2c' })
  await world.advance(20_000)
  assert.equal((await world.condition('Bucket', 'data', conditions.ready))?.status, 'True')
  await world.remove('Bucket', 'data')
  await world.advance(120_000)
  assert.equal(await world.get('Bucket', 'data'), undefined)
  const { Buckets } = await world.client('s3').call('ListBuckets')
  const names = (Buckets as { Name: string }[]).map(({ Name }) => Name)
  assert.deepEqual(names, ['other-1b2c'])
})
