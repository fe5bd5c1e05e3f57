import assert from 'node:assert/strict'
import { test } from 'node:test'
import { drain, type HttpExchange, HttpFailure, type HttpRequest, type HttpResponse, ManualClock, seededRandom } from '#base'
import { AwsError } from '../errors/aws-error.ts'
import { type ShippedService, serviceModel } from '../services/service-models.ts'
import { InputError } from './calls/input.ts'
import { Pace } from './calls/pace.ts'
import { presignRequest } from './calls/sign.ts'
import { type AwsClient, type AwsClientOptions, createAwsClient } from './client.ts'
import { anonymous, type CredentialsProvider, staticCredentials } from './credentials/credentials.ts'
import { inProcessTransport } from './transport/transport.ts'

const credentials = staticCredentials({ accessKeyId: 'AKIAEXAMPLE', secretAccessKey: 'secret' })

// Loaded on first use otherwise, which takes real time that no virtual clock can hurry.
await Promise.all([import('@aws-sdk/core/protocols'), import('@smithy/signature-v4')])

type Answer = HttpResponse | Error | ((request: HttpRequest) => HttpResponse)

interface Bench {
  readonly client: AwsClient
  readonly clock: ManualClock
  readonly seen: HttpRequest[]
}

/** A client of the service whose server gives these answers in order; after the last one every call fails the test. */
function bench(service: ShippedService, answers: readonly Answer[], options: Partial<AwsClientOptions> = {}): Bench {
  const clock = (options.clock as ManualClock | undefined) ?? new ManualClock()
  const seen: HttpRequest[] = []
  const handle: HttpExchange = async request => {
    seen.push(request)
    const answer = answers[seen.length - 1]
    assert.ok(answer !== undefined, `unexpected call ${seen.length}: ${request.method} ${request.target}`)
    if (answer instanceof Error) throw answer
    return typeof answer === 'function' ? answer(request) : answer
  }
  const client = createAwsClient({
    model: serviceModel(service),
    region: 'eu-west-1',
    credentials,
    clock,
    random: seededRandom('client'),
    transport: inProcessTransport(handle),
    ...options,
  })
  return { client, clock, seen }
}

const xml = (text: string, status = 200, headers = {}): HttpResponse => ({
  status,
  headers: { 'content-type': 'text/xml', ...headers },
  body: Buffer.from(text),
})
const json = (value: unknown, status = 200, headers = {}): HttpResponse => ({
  status,
  headers,
  body: Buffer.from(JSON.stringify(value)),
})

const iamRole = xml(
  '<GetRoleResponse xmlns="https://iam.amazonaws.com/doc/2010-05-08/"><GetRoleResult><Role><Path>/</Path><RoleName>r</RoleName>' +
    '<RoleId>AROA1</RoleId><Arn>arn:aws:iam::123456789012:role/r</Arn><CreateDate>2026-01-02T03:04:05Z</CreateDate>' +
    '<MaxSessionDuration>3600</MaxSessionDuration><Tags><member><Key>a</Key><Value>b</Value></member></Tags></Role></GetRoleResult>' +
    '<ResponseMetadata><RequestId>id-1</RequestId></ResponseMetadata></GetRoleResponse>',
  200,
  { 'x-amzn-requestid': 'id-1' },
)
const iamError = (code: string, status: number): HttpResponse =>
  xml(
    `<ErrorResponse xmlns="https://iam.amazonaws.com/doc/2010-05-08/"><Error><Type>Sender</Type><Code>${code}</Code><Message>words</Message></Error><RequestId>id-2</RequestId></ErrorResponse>`,
    status,
  )

/** Runs a call to its end, moving time whenever it waits. */
async function finish<T>(clock: ManualClock, promise: Promise<T>): Promise<T> {
  let done = false
  const settled = promise.finally(() => {
    done = true
  })
  settled.catch(() => {})
  for (let round = 0; !done && round < 1_000; round++) {
    await drain()
    if (!done && !clock.fireNext()) await drain()
  }
  assert.ok(done, 'the call hangs')
  return settled
}

async function collect<T>(pages: AsyncIterable<T>): Promise<readonly T[]> {
  const all: T[] = []
  for await (const page of pages) all.push(page)
  return all
}

async function failure(clock: ManualClock, promise: Promise<unknown>): Promise<unknown> {
  return finish(clock, promise).then(
    () => assert.fail('the call succeeded'),
    (error: unknown) => error,
  )
}

test('a query call gives its result as values', async () => {
  const { client, clock, seen } = bench('iam', [iamRole])
  const result = await finish(clock, client.send('GetRole', { RoleName: 'r' }))
  assert.deepEqual(result, {
    output: {
      Role: {
        Path: '/',
        RoleName: 'r',
        RoleId: 'AROA1',
        Arn: 'arn:aws:iam::123456789012:role/r',
        CreateDate: new Date('2026-01-02T03:04:05Z'),
        MaxSessionDuration: 3600,
        Tags: [{ Key: 'a', Value: 'b' }],
      },
    },
    httpStatus: 200,
    requestId: 'id-1',
    tries: 1,
    afterAmbiguousTry: false,
  })
  assert.equal(Buffer.from(seen[0]?.body as Uint8Array).toString(), 'Action=GetRole&Version=2010-05-08&RoleName=r')
  assert.equal(clock.pendingCount(), 0, 'no timer is left')
})

const errors: readonly (readonly [string, ShippedService, string, object, HttpResponse, Partial<AwsError>])[] = [
  [
    'query, modelled under another code',
    'iam',
    'GetRole',
    { RoleName: 'r' },
    iamError('NoSuchEntity', 404),
    { code: 'NoSuchEntity', message: 'words', httpStatus: 404, class: 'not-found', requestId: 'id-2', retryable: false },
  ],
  [
    'query, unmodelled',
    'iam',
    'GetRole',
    { RoleName: 'r' },
    iamError('AccessDenied', 403),
    { code: 'AccessDenied', class: 'denied' },
  ],
  [
    'REST-XML',
    'route53',
    'GetHostedZone',
    { Id: 'Z1' },
    xml(
      '<ErrorResponse><Error><Type>Sender</Type><Code>NoSuchHostedZone</Code><Message>gone</Message></Error><RequestId>r1</RequestId></ErrorResponse>',
      404,
    ),
    { code: 'NoSuchHostedZone', message: 'gone', class: 'not-found', requestId: 'r1' },
  ],
  [
    'S3, without a wrapping element',
    's3',
    'GetBucketTagging',
    { Bucket: 'bucket' },
    xml(
      '<?xml version="1.0"?>\n<Error><Code>NoSuchTagSet</Code><Message>none</Message><BucketName>bucket</BucketName><RequestId>R</RequestId></Error>',
      404,
    ),
    { code: 'NoSuchTagSet', message: 'none', class: 'not-found' },
  ],
  [
    'HEAD without a body',
    's3',
    'HeadBucket',
    { Bucket: 'bucket' },
    { status: 404, headers: {}, body: null },
    { code: 'NotFound', class: 'not-found' },
  ],
  [
    'HEAD refused',
    's3',
    'HeadBucket',
    { Bucket: 'bucket' },
    { status: 403, headers: {}, body: null },
    { code: 'Forbidden', class: 'denied' },
  ],
  [
    'JSON 1.1 with a namespace',
    'acm',
    'DescribeCertificate',
    { CertificateArn: 'arn:aws:acm:eu-west-1:123456789012:certificate/x' },
    json({ __type: 'com.amazonaws.acm#ResourceNotFoundException', message: 'no cert' }, 400),
    { code: 'ResourceNotFoundException', message: 'no cert', class: 'not-found' },
  ],
  [
    'REST-JSON by header, with members',
    'eks',
    'DescribeCluster',
    { name: 'c' },
    json({ message: 'no cluster', clusterName: 'c' }, 404, { 'x-amzn-errortype': 'ResourceNotFoundException:http://x' }),
    { code: 'ResourceNotFoundException', message: 'no cluster', class: 'not-found', detail: { clusterName: 'c' } },
  ],
]

for (const [what, service, operation, input, answer, expected] of errors) {
  test(`an error is read from the wire: ${what}`, async () => {
    const { client, clock } = bench(service, [answer])
    const error = await failure(clock, client.call(operation, { ...input }))
    assert.ok(error instanceof AwsError, String(error))
    for (const [key, value] of Object.entries(expected)) {
      const actual: unknown = (error as unknown as Record<string, unknown>)[key]
      assert.deepEqual(
        key === 'detail' ? { ...(actual as object), ...(value as object) } : actual,
        key === 'detail' ? actual : value,
        key,
      )
    }
    assert.deepEqual([error.service, error.operation], [serviceModel(service).id, operation])
  })
}

test('a proxy page instead of an answer is an error of its status, and a good status with nonsense is no answer', async () => {
  const page = xml('<html><body>Bad Gateway</body>', 502)
  const { client, clock } = bench('acm', [page, page, page])
  const error = await failure(clock, client.call('ListCertificates'))
  assert.ok(error instanceof AwsError && error.class === 'transient' && error.httpStatus === 502, String(error))
  const nonsense = bench('acm', [xml('<html>'), xml('<html>'), xml('<html>')])
  const failed = await failure(nonsense.clock, nonsense.client.call('ListCertificates'))
  assert.ok(failed instanceof HttpFailure && failed.code === 'malformed', String(failed))
})

test('throttling is tried again three times in all, after growing waits', async () => {
  const slow = iamError('Throttling', 400)
  const { client, clock, seen } = bench('iam', [slow, slow, slow])
  const error = await failure(clock, client.call('GetRole', { RoleName: 'r' }))
  assert.ok(error instanceof AwsError && error.throttling && error.tries === 3)
  assert.equal(seen.length, 3)
  assert.ok(clock.monotonicMs() > 0 && clock.monotonicMs() <= 1_500, `waited ${clock.monotonicMs()} ms`)
  assert.deepEqual(
    seen.map(({ headers }) => headers['amz-sdk-request']),
    ['attempt=1; max=3', 'attempt=2; max=3', 'attempt=3; max=3'],
  )
  assert.equal(new Set(seen.map(({ headers }) => headers['amz-sdk-invocation-id'])).size, 1)
})

test('a wait that the service asks for is kept', async () => {
  const busy = iamError('ServiceUnavailable', 503)
  const { client, clock } = bench('iam', [{ ...busy, headers: { 'retry-after': '7' } }, iamRole])
  await finish(clock, client.call('GetRole', { RoleName: 'r' }))
  assert.equal(clock.monotonicMs(), 7_000)
})

test('a wait in milliseconds goes before one in seconds, and a wait that is over is none', async () => {
  const busy = iamError('ServiceUnavailable', 503)
  for (const [headers, waitedMs] of [
    [{ 'x-amz-retry-after': '1500', 'retry-after': '7' }, 1_500],
    [{ 'x-amz-retry-after': 'soon', 'retry-after': '3' }, 3_000],
    [{ 'x-amz-retry-after': '-5' }, 0],
    [{ 'retry-after': '-5' }, 0],
  ] as const) {
    const { client, clock } = bench('iam', [{ ...busy, headers }], { triesMax: 1 })
    const failed = await failure(clock, client.call('GetRole', { RoleName: 'r' }))
    assert.equal(failed instanceof AwsError && failed.retryAfterMs, waitedMs, JSON.stringify(headers))
  }
})

test('refusals are not tried again', async () => {
  for (const [code, status] of [
    ['LimitExceeded', 409],
    ['MalformedPolicyDocument', 400],
    ['AccessDenied', 403],
    ['EntityAlreadyExists', 409],
  ] as const) {
    const { client, clock, seen } = bench('iam', [iamError(code, status)])
    await failure(clock, client.call('GetRole', { RoleName: 'r' }))
    assert.equal(seen.length, 1, code)
  }
})

test('an answer lost on the way is tried again, and the result says that the first try may have taken hold', async () => {
  const { client, clock } = bench('iam', [new HttpFailure('reset', 'gone'), iamRole])
  const result = await finish(clock, client.send('GetRole', { RoleName: 'r' }))
  assert.deepEqual([result.tries, result.afterAmbiguousTry], [2, true])
  const refused = bench('iam', [new HttpFailure('timeout', 'gone'), iamError('EntityAlreadyExists', 409)])
  const input = { RoleName: 'r', AssumeRolePolicyDocument: '{}' }
  const error = await failure(refused.clock, refused.client.call('CreateRole', input))
  assert.ok(error instanceof AwsError && error.afterAmbiguousTry)
})

test('a caller who looks before acting again gets the lost answer at once', async () => {
  const { client, clock, seen } = bench('iam', [new HttpFailure('reset', 'gone')])
  const input = { RoleName: 'r', AssumeRolePolicyDocument: '{}' }
  const error = await failure(clock, client.call('CreateRole', input, { retryAmbiguous: false }))
  assert.ok(error instanceof HttpFailure && error.code === 'reset')
  assert.equal(seen.length, 1)
  const unsent = bench('iam', [new HttpFailure('unreachable', 'no route'), iamRole])
  await finish(unsent.clock, unsent.client.call('GetRole', { RoleName: 'r' }, { retryAmbiguous: false }))
  assert.equal(unsent.seen.length, 2, 'what was never sent may be sent')
})

test('an idempotency token is drawn once and goes with every try', async () => {
  const down = json({ message: 'down' }, 500, { 'x-amzn-errortype': 'ServerException' })
  const { client, clock, seen } = bench('eks', [down, down, json({ association: { associationId: 'a-1' } })])
  const input = { clusterName: 'c', namespace: 'n', serviceAccount: 's', roleArn: 'arn:aws:iam::123456789012:role/r' }
  await finish(clock, client.call('CreatePodIdentityAssociation', input))
  const tokens = seen.map(
    ({ body }) => (JSON.parse(Buffer.from(body as Uint8Array).toString()) as { clientRequestToken: string }).clientRequestToken,
  )
  assert.equal(tokens.length, 3)
  assert.equal(new Set(tokens).size, 1)
  assert.match(tokens[0] ?? '', /^[0-9a-f-]{36}$/)
  const given = bench('eks', [json({})])
  await finish(given.clock, given.client.call('CreatePodIdentityAssociation', { ...input, clientRequestToken: 'mine' }))
  assert.match(Buffer.from(given.seen[0]?.body as Uint8Array).toString(), /"clientRequestToken":"mine"/)
})

test('trouble of the service empties the tokens, and then nothing is tried again', async () => {
  const down = iamError('InternalFailure', 500)
  const { client, clock, seen } = bench(
    'iam',
    Array.from({ length: 400 }, () => down),
  )
  for (let call = 0; call < 60; call++) await failure(clock, client.call('GetRole', { RoleName: 'r' }))
  // 500 tokens are worth 100 retries: 50 calls of three tries, and single tries from then on.
  assert.equal(seen.length, 50 * 3 + 10)
})

test('one try ends after its time, the whole call after its deadline, and both leave nothing behind', async () => {
  const silent: HttpExchange = () => new Promise(() => {})
  const { client, clock } = bench('iam', [], { transport: inProcessTransport(silent), timeoutMs: 1_000, triesMax: 2 })
  const error = await failure(clock, client.call('GetRole', { RoleName: 'r' }))
  assert.ok(error instanceof HttpFailure && error.code === 'timeout')
  assert.ok(clock.monotonicMs() >= 2_000 && clock.monotonicMs() < 2_200)
  const late = bench('iam', [], { transport: inProcessTransport(silent), timeoutMs: 60_000 })
  const failed = await failure(late.clock, late.client.call('GetRole', { RoleName: 'r' }, { deadlineMs: 500 }))
  assert.ok(failed instanceof HttpFailure && failed.code === 'timeout', String(failed))
  assert.equal(late.clock.monotonicMs(), 500)
  assert.deepEqual([clock.pendingCount(), late.clock.pendingCount()], [0, 0])
})

test('an aborted call stops, also while it waits for its next try', async () => {
  const slow = iamError('Throttling', 400)
  const { client, clock, seen } = bench('iam', [slow, slow])
  const stop = new AbortController()
  const call = client.call('GetRole', { RoleName: 'r' }, { signal: stop.signal })
  call.catch(() => {})
  for (let round = 0; seen.length === 0 && round < 100; round++) await drain()
  await drain()
  stop.abort(new Error('enough'))
  await assert.rejects(call, /enough/)
  assert.equal(seen.length, 1)
  assert.equal(clock.pendingCount(), 0)
})

test('an answer beyond the limit is refused', async () => {
  const { client, clock } = bench('iam', [xml(' '.repeat(2_000))], { responseBytesMax: 1_000 })
  const error = await failure(clock, client.call('GetRole', { RoleName: 'r' }))
  assert.ok(error instanceof HttpFailure && error.code === 'too-large')
})

test('expired credentials are forgotten and asked for again, once', async () => {
  let given = 0
  const provider: CredentialsProvider = {
    get: async () => ({ accessKeyId: `KEY${given}`, secretAccessKey: 's' }),
    forget: () => {
      given += 1
    },
  }
  const expired = iamError('ExpiredToken', 403)
  const { client, clock, seen } = bench('iam', [expired, iamRole], { credentials: provider })
  await finish(clock, client.call('GetRole', { RoleName: 'r' }))
  assert.deepEqual(
    seen.map(({ headers }) => /Credential=(\w+)/.exec(String(headers['authorization']))?.[1]),
    ['KEY0', 'KEY1'],
  )
  const still = bench('iam', [expired, expired], { credentials: provider })
  const error = await failure(still.clock, still.client.call('GetRole', { RoleName: 'r' }))
  assert.ok(error instanceof AwsError && error.class === 'expired')
})

test('a wrong clock is put right by the date of the answer', async () => {
  const theirs = new Date(Date.UTC(2026, 0, 1, 3))
  const skewed = { ...iamError('SignatureDoesNotMatch', 403), headers: { date: theirs.toUTCString() } }
  const { client, clock, seen } = bench('iam', [skewed, iamRole, iamRole])
  await finish(clock, client.call('GetRole', { RoleName: 'r' }))
  await finish(clock, client.call('GetRole', { RoleName: 'r' }))
  assert.deepEqual(
    seen.map(({ headers }) => headers['x-amz-date']),
    ['20260101T000000Z', '20260101T030000Z', '20260101T030000Z'],
  )
  // A signature that is wrong for another reason stays an error.
  const wrong = { ...iamError('SignatureDoesNotMatch', 403), headers: { date: new Date(clock.now()).toUTCString() } }
  const other = bench('iam', [wrong])
  await failure(other.clock, other.client.call('GetRole', { RoleName: 'r' }))
  assert.equal(other.seen.length, 1)
})

test('an answer without a date puts no clock right', async () => {
  const { client, clock, seen } = bench('iam', [iamError('SignatureDoesNotMatch', 403)])
  await failure(clock, client.call('GetRole', { RoleName: 'r' }))
  assert.equal(seen.length, 1)
})

test('operations without a signature carry none', async () => {
  const answer = xml(
    '<AssumeRoleWithWebIdentityResponse><AssumeRoleWithWebIdentityResult></AssumeRoleWithWebIdentityResult></AssumeRoleWithWebIdentityResponse>',
  )
  const { client, clock, seen } = bench('sts', [answer])
  await finish(
    clock,
    client.call('AssumeRoleWithWebIdentity', { RoleArn: 'a'.repeat(20), RoleSessionName: 'x', WebIdentityToken: 't' }),
  )
  assert.equal(seen[0]?.headers['authorization'], undefined)
  const nobody = bench('s3', [{ status: 200, headers: {}, body: null }], { credentials: staticCredentials(anonymous) })
  await finish(nobody.clock, nobody.client.call('GetObject', { Bucket: 'bucket', Key: 'k' }))
  assert.equal(nobody.seen[0]?.headers['authorization'], undefined)
})

test('a list is followed to its end', async () => {
  const page = (marker: string | undefined): HttpResponse =>
    xml(
      `<ListRolesResponse><ListRolesResult><Roles/><IsTruncated>${marker !== undefined}</IsTruncated>${marker ? `<Marker>${marker}</Marker>` : ''}</ListRolesResult></ListRolesResponse>`,
    )
  const { client, clock, seen } = bench('iam', [page('m1'), page('m2'), page(undefined)])
  const pages = await finish(clock, collect(client.pages('ListRoles', { PathPrefix: '/x/' })))
  assert.equal(pages.length, 3)
  assert.deepEqual(
    seen.map(({ body }) => Buffer.from(body as Uint8Array).toString()),
    ['', 'm1', 'm2'].map(marker => `Action=ListRoles&Version=2010-05-08&PathPrefix=%2Fx%2F${marker && `&Marker=${marker}`}`),
  )
})

test('a list whose token comes twice ends', async () => {
  const page = json({ CertificateSummaryList: [], NextToken: 'same' })
  const { client, clock } = bench('acm', [page, page])
  assert.equal((await finish(clock, collect(client.pages('ListCertificates')))).length, 2)
})

test('a list of record sets continues by name, type and identifier', async () => {
  const page = (next: string): HttpResponse =>
    xml(
      `<ListResourceRecordSetsResponse><ResourceRecordSets/><IsTruncated>${next !== ''}</IsTruncated>${next}<MaxItems>1</MaxItems></ListResourceRecordSetsResponse>`,
    )
  const { client, clock, seen } = bench('route53', [
    page('<NextRecordName>a.</NextRecordName><NextRecordType>A</NextRecordType><NextRecordIdentifier>i</NextRecordIdentifier>'),
    page('<NextRecordName>b.</NextRecordName><NextRecordType>MX</NextRecordType>'),
    page(''),
  ])
  await finish(clock, collect(client.pages('ListResourceRecordSets', { HostedZoneId: '/hostedzone/Z1' })))
  assert.deepEqual(
    seen.map(({ target }) => target),
    [
      '/2013-04-01/hostedzone/Z1/rrset',
      '/2013-04-01/hostedzone/Z1/rrset?identifier=i&name=a.&type=A',
      '/2013-04-01/hostedzone/Z1/rrset?name=b.&type=MX',
    ],
  )
})

test('a bucket of another region is followed there', async () => {
  for (const answer of [
    { status: 301, headers: { 'x-amz-bucket-region': 'us-west-2' }, body: null },
    xml('<Error><Code>AuthorizationHeaderMalformed</Code><Message>m</Message><Region>us-west-2</Region></Error>', 400),
  ]) {
    const origins: string[] = []
    const answers = [
      answer,
      xml('<LocationConstraint xmlns="http://s3.amazonaws.com/doc/2006-03-01/">us-west-2</LocationConstraint>'),
    ]
    const transport = {
      to: (origin: string) => {
        origins.push(origin)
        return async () => answers[origins.length - 1] as HttpResponse
      },
      close: async () => {},
    }
    const { client, clock } = bench('s3', [], { transport })
    const output = await finish(clock, client.call('GetBucketLocation', { Bucket: 'my-bucket' }))
    assert.deepEqual(output, { LocationConstraint: 'us-west-2' })
    assert.deepEqual(origins, ['https://my-bucket.s3.eu-west-1.amazonaws.com', 'https://my-bucket.s3.us-west-2.amazonaws.com'])
  }
})

test('for S3 an error in an answer of status 200 is an error', async () => {
  const hidden = xml('<?xml version="1.0" encoding="UTF-8"?>\n<Error><Code>InternalError</Code><Message>later</Message></Error>')
  const { client, clock, seen } = bench('s3', [hidden, xml('<CopyObjectResult><ETag>"e"</ETag></CopyObjectResult>')])
  const output = await finish(clock, client.call('CopyObject', { Bucket: 'bucket', Key: 'k', CopySource: 'bucket/j' }))
  assert.deepEqual(output, { CopyObjectResult: { ETag: '"e"' } })
  assert.equal(seen.length, 2)
})

test('for S3 a body that does not fit its checksum is no answer', async () => {
  const good = { status: 200, headers: { 'x-amz-checksum-crc32': 'NhCmhg==' }, body: Buffer.from('hello') }
  const { client, clock } = bench('s3', [{ ...good, body: Buffer.from('hellO') }, good])
  const output = await finish(clock, client.call('GetObject', { Bucket: 'bucket', Key: 'k' }))
  assert.equal(Buffer.from(output['Body'] as Uint8Array).toString(), 'hello')
})

test('for S3 an Expires header that is no time does not hide the object', async () => {
  const { client, clock } = bench('s3', [{ status: 200, headers: { expires: 'whenever' }, body: Buffer.from('x') }])
  const { Body, Expires } = await finish(clock, client.call('GetObject', { Bucket: 'bucket', Key: 'k' }))
  assert.deepEqual([Buffer.from(Body as Uint8Array).toString(), Expires], ['x', undefined])
})

test('for S3 a bucket of us-east-1 is created without a body', async () => {
  for (const input of [
    {},
    { CreateBucketConfiguration: {} },
    { CreateBucketConfiguration: { LocationConstraint: 'us-east-1' } },
  ]) {
    const { client, clock, seen } = bench('s3', [{ status: 200, headers: {}, body: null }], { region: 'us-east-1' })
    await finish(clock, client.call('CreateBucket', { Bucket: 'bucket', ...input }))
    assert.equal(seen[0]?.body, null, JSON.stringify(input))
  }
})

test('for S3 the bucket stands in the path at an address of the caller, for dotted names over TLS, and on request', async () => {
  const targets: string[] = []
  for (const [bucket, options] of [
    ['plain', { endpoint: 'http://127.0.0.1:9000' }],
    ['dot.ted', {}],
    ['plain', { s3Addressing: 'path' }],
    ['plain', { endpoint: 'http://s3.local', s3Addressing: 'virtual' }],
    ['dot.ted', { endpoint: 'http://s3.local', s3Addressing: 'virtual' }],
    ['plain', {}],
  ] as const) {
    const { client, clock, seen } = bench('s3', [{ status: 200, headers: {}, body: null }], options)
    await finish(clock, client.call('HeadBucket', { Bucket: bucket }))
    targets.push(`${seen[0]?.headers['host'] as string}${seen[0]?.target}`)
    assert.equal(seen[0]?.headers['content-length'], undefined)
  }
  assert.deepEqual(targets, [
    '127.0.0.1:9000/plain/',
    's3.eu-west-1.amazonaws.com/dot.ted/',
    's3.eu-west-1.amazonaws.com/plain/',
    'plain.s3.local/',
    'dot.ted.s3.local/',
    'plain.s3.eu-west-1.amazonaws.com/',
  ])
})

test('Route 53: ids go without their kind before them, alias targets too', async () => {
  const { client, clock, seen } = bench('route53', [xml('<ChangeResourceRecordSetsResponse/>')])
  const set = {
    Name: 'a.',
    Type: 'A',
    AliasTarget: { HostedZoneId: '/hostedzone/Z2', DNSName: 'b.', EvaluateTargetHealth: false },
  }
  const input = { HostedZoneId: '/hostedzone/Z1', ChangeBatch: { Changes: [{ Action: 'UPSERT', ResourceRecordSet: set }] } }
  await finish(clock, client.call('ChangeResourceRecordSets', input))
  assert.equal(seen[0]?.target, '/2013-04-01/hostedzone/Z1/rrset')
  assert.match(Buffer.from(seen[0]?.body as Uint8Array).toString(), /<HostedZoneId>Z2<\/HostedZoneId>/)
})

const badInputs: readonly (readonly [ShippedService, string, object, RegExp])[] = [
  ['iam', 'GetRole', {}, /^GetRole, RoleName: is required$/],
  ['iam', 'GetRole', { Rolename: 'r' }, /^GetRole, Rolename: there is no such member; did you mean "RoleName"\?$/],
  ['iam', 'GetRole', { RoleName: 7 }, /^GetRole, RoleName: expected text, found a number$/],
  ['iam', 'TagRole', { RoleName: 'r', Tags: [{ Key: 'k' }] }, /^TagRole, Tags\[0\]\.Value: is required$/],
  ['iam', 'TagRole', { RoleName: 'r', Tags: 'x' }, /^TagRole, Tags: expected a list, found a string$/],
  ['iam', 'getRole', { RoleName: 'r' }, /^IAM getRole: there is no such operation; did you mean GetRole\?$/],
  ['iam', 'GetAccountSummary', { X: 1 }, /^GetAccountSummary, X: the operation takes no input$/],
  [
    'iam',
    'CreateRole',
    { RoleName: 'r', AssumeRolePolicyDocument: '{}', MaxSessionDuration: 1.5 },
    /MaxSessionDuration: expected a whole number/,
  ],
  ['eks', 'TagResource', { resourceArn: 'a', tags: { k: null } }, /tags\["k"\]: is empty/],
  ['s3', 'SelectObjectContent', {}, /event streams are not supported/],
  ['s3', 'HeadBucket', { Bucket: 'arn:aws:s3:eu-west-1:123456789012:accesspoint/x' }, /access points are not supported/],
  ['s3', 'HeadBucket', { Bucket: '' }, /Bucket: is empty/],
]

for (const [service, operation, input, message] of badInputs) {
  test(`${service} ${operation} with ${JSON.stringify(input)} is refused before anything is sent`, async () => {
    const { client, clock, seen } = bench(service, [])
    const error = await failure(clock, client.call(operation, { ...input }))
    assert.ok(error instanceof InputError, String(error))
    assert.match(error.message, message)
    assert.equal(seen.length, 0)
  })
}

test('a throttled pace slows all its clients down and recovers', async () => {
  const clock = new ManualClock()
  const pace = new Pace({ clock, rate: { perSecond: 10, burst: 10 } })
  const enter = async (times: number): Promise<number> => {
    const before = clock.monotonicMs()
    await finish(clock, Promise.all(Array.from({ length: times }, () => pace.enter())))
    return clock.monotonicMs() - before
  }
  assert.equal(await enter(10), 0, 'a burst goes through at once')
  const ten = await enter(10)
  assert.ok(ten >= 950 && ten <= 1_100, `then ten a second: ${ten} ms`)
  pace.throttled()
  pace.throttled()
  assert.equal(pace.perSecond, 7, 'many refusals at once are one lesson')
  const slower = await enter(7)
  assert.ok(slower >= 900 && slower <= 1_100, `seven a second: ${slower} ms`)
  await clock.advance(60_000)
  await enter(1)
  await enter(1)
  assert.equal(pace.perSecond, 10, 'the full pace is back')
})

test('a service is called without a limit until it throttles, then as it is known to allow, and slowly faster', async () => {
  const clock = new ManualClock()
  const told: number[] = []
  const pace = new Pace({ clock, known: { perSecond: 15, burst: 30 }, onChange: perSecond => told.push(perSecond) })
  const enter = (times: number): Promise<unknown> => finish(clock, Promise.all(Array.from({ length: times }, () => pace.enter())))
  await enter(500)
  assert.equal(clock.monotonicMs(), 0)
  pace.throttled()
  assert.ok(pace.perSecond > 11 && pace.perSecond < 12, `${pace.perSecond} a second`)
  await clock.advance(30_000)
  await enter(1)
  assert.ok(pace.perSecond > 14.5 && pace.perSecond < 15.01, `${pace.perSecond} a second: what is known to go well`)
  pace.throttled()
  const ceiling = pace.perSecond / 0.7
  for (let second = 0; second < 50; second++) {
    await clock.advance(1_000)
    await enter(1)
  }
  assert.ok(Math.abs(pace.perSecond - ceiling * 0.9) < 0.01, 'below where it was throttled, for a minute')
  await clock.advance(30_000)
  await enter(1)
  assert.ok(pace.perSecond > ceiling * 0.9, 'then more is tried')
  assert.ok(told.length > 2)
  await clock.advance(1_000_000)
  await enter(2)
  assert.equal(pace.perSecond, Number.POSITIVE_INFINITY, 'and what was long ago is forgotten')
})

test('writes have a pace of their own where the service counts them so, and hold no read back', async () => {
  const clock = new ManualClock()
  const pace = new Pace({ clock, rate: { perSecond: 15, burst: 30, writes: { perSecond: 5, burst: 2 } } })
  const { client, seen } = bench(
    'iam',
    Array.from({ length: 14 }, () => iamRole),
    { pace, clock },
  )
  const input = { RoleName: 'r', AssumeRolePolicyDocument: '{}' }
  const writes = Array.from({ length: 12 }, () => client.call('CreateRole', input))
  const reads = Array.from({ length: 2 }, () => client.call('GetRole', { RoleName: 'r' }))
  await finish(clock, Promise.all(reads))
  assert.ok(clock.monotonicMs() < 100, `${clock.monotonicMs()} ms for the reads`)
  await finish(clock, Promise.all(writes))
  assert.ok(clock.monotonicMs() >= 1_950 && clock.monotonicMs() <= 2_200, `${clock.monotonicMs()} ms for ten of twelve writes`)
  assert.equal(seen.length, 14)
  pace.throttled(true)
  assert.equal(pace.perSecond, 15)
})

test('the listener of a pace hears whether it is that of the writes', () => {
  const told: (readonly [perSecond: number, isOfWrites: boolean])[] = []
  const onChange = (perSecond: number, isOfWrites: boolean): void => void told.push([perSecond, isOfWrites])
  const clock = new ManualClock()
  const pace = new Pace({ clock, rate: { perSecond: 10, burst: 10, writes: { perSecond: 5, burst: 5 } }, onChange })
  pace.throttled(true)
  pace.throttled()
  assert.deepEqual(told, [
    [3.5, true],
    [7, false],
  ])
})

test('a pace that is slower than one call a second lets calls through all the same', async () => {
  const clock = new ManualClock()
  const pace = new Pace({ clock, rate: { perSecond: 0.5, burst: 1 } })
  pace.throttled()
  const perSecond = pace.perSecond
  assert.ok(perSecond < 1, `${perSecond} a second`)
  await finish(clock, pace.enter())
  assert.ok(clock.monotonicMs() <= (2 / perSecond) * 1_000)
})

test('calls of a client keep the pace, and throttling teaches it', async () => {
  const clock = new ManualClock()
  const pace = new Pace({ clock, rate: { perSecond: 10, burst: 10 } })
  const { client, seen } = bench('iam', [iamError('Throttling', 400), iamRole], { pace, clock })
  await finish(clock, client.call('GetRole', { RoleName: 'r' }))
  assert.ok(pace.perSecond < 8 && pace.perSecond >= 7, `${pace.perSecond} a second`)
  assert.equal(seen.length, 2)
})

test('a presigned URL carries its signature and needs no header', async () => {
  const { client } = bench('s3', [])
  const url = new URL(await client.presign('GetObject', { Bucket: 'bucket', Key: 'a b' }, { expiresInSeconds: 60 }))
  assert.equal(url.host, 'bucket.s3.eu-west-1.amazonaws.com')
  assert.equal(url.pathname, '/a%20b')
  assert.equal(url.searchParams.get('X-Amz-SignedHeaders'), 'host')
  assert.equal(url.searchParams.get('X-Amz-Expires'), '60')
})

test('a presigned GET leaves its body unsigned, as S3 asks, and no other operation does', async () => {
  const own = { accessKeyId: 'A', secretAccessKey: 's' }
  const clock = new ManualClock()
  const { client } = bench('s3', [], { clock, credentials: staticCredentials(own) })
  const hostname = 'bucket.s3.eu-west-1.amazonaws.com'
  for (const [operation, method, unsignedPayload] of [
    ['GetObject', 'GET', true],
    ['HeadObject', 'HEAD', undefined],
  ] as const) {
    const url = new URL(await client.presign(operation, { Bucket: 'bucket', Key: 'k' }, { expiresInSeconds: 60 }))
    const query = operation === 'GetObject' ? { 'x-id': 'GetObject' } : {}
    const { query: signed } = await presignRequest({ method, hostname, path: '/k', query, headers: { host: hostname } }, own, {
      service: 's3',
      region: 'eu-west-1',
      atMs: clock.now(),
      escapePath: false,
      expiresInSeconds: 60,
      ...(unsignedPayload === undefined ? {} : { unsignedPayload }),
    })
    assert.equal(url.searchParams.get('X-Amz-Signature'), signed['X-Amz-Signature'], operation)
  }
})
