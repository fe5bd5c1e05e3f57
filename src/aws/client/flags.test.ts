import assert from 'node:assert/strict'
import { test } from 'node:test'
import { FlagError, ManualClock, seededRandom, silentLog } from '#base'
import { serviceModel } from '../services/service-models.ts'
import { ambientClients, readAwsFlags } from './flags.ts'

const defaults: Readonly<Record<string, string>> = {
  'aws-account-id': '',
  'aws-region': '',
  'aws-identity-endpoint-url': '',
  'http-client-timeout': '60s',
}

function read(
  texts: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string>> = {},
): ReturnType<typeof readAwsFlags> {
  const values = {
    text: (name: string) => texts[name] ?? defaults[name] ?? '',
    boolean: (name: string) => texts[name] === 'true',
  }
  return readAwsFlags(values as unknown as Parameters<typeof readAwsFlags>[0], env)
}

test('the region is the flag, then the variable of tools, then that of SDKs', () => {
  const both = { AWS_REGION: 'eu-west-1', AWS_DEFAULT_REGION: 'eu-west-2' }
  assert.equal(read({ 'aws-region': 'eu-central-1' }, both).region, 'eu-central-1')
  assert.equal(read({}, both).region, 'eu-west-1')
  assert.equal(read({}, { AWS_DEFAULT_REGION: 'eu-west-2' }).region, 'eu-west-2')
  assert.equal(read({}).region, '')
})

test('a try may take a second or longer, and no less', () => {
  assert.equal(read({ 'http-client-timeout': '1s' }).timeoutMs, 1_000)
  for (const wrong of ['999ms', '0s', 'soon', '']) assert.throws(() => read({ 'http-client-timeout': wrong }), FlagError, wrong)
})

test('an account has twelve digits, and an address of AWS a host', () => {
  assert.equal(read({ 'aws-account-id': '111122223333' }).account, '111122223333')
  assert.throws(() => read({ 'aws-account-id': '11112222333' }), FlagError)
  assert.equal(read({ 'aws-identity-endpoint-url': 'https://sts.local:1' }).identityEndpoint, 'https://sts.local:1')
  for (const wrong of ['sts.local', 'ftp://sts.local', 'https://'])
    assert.throws(() => read({ 'aws-identity-endpoint-url': wrong }), FlagError, wrong)
})

test('an address over which credentials travel in the clear is taken only where that is asked for', () => {
  const texts = { 'aws-identity-endpoint-url': 'http://sts.local' }
  assert.throws(() => read(texts), /travel in the clear/)
  assert.equal(read({ ...texts, 'allow-unsafe-aws-endpoint-urls': 'true' }).identityEndpoint, 'http://sts.local')
  assert.equal(read({ 'aws-identity-endpoint-url': '' }).identityEndpoint, undefined)
})

const rates: readonly (readonly [text: string, rates: object])[] = [
  ['', {}],
  [' , ', {}],
  ['iam=15', { iam: { perSecond: 15, burst: 30 } }],
  ['iam=15/5', { iam: { perSecond: 15, burst: 30, writes: { perSecond: 5, burst: 10 } } }],
  ['iam=0.25', { iam: { perSecond: 0.25, burst: 1 } }],
  ['iam=1, s3=2', { iam: { perSecond: 1, burst: 2 }, s3: { perSecond: 2, burst: 4 } }],
]

for (const [text, expected] of rates)
  test(`the rates ${JSON.stringify(text)} are so many a second, and twice as many at once`, () =>
    assert.deepEqual(read({ 'aws-call-rates': text }).rates, expected))

for (const text of ['iam', 'iam=0', 'iam=-1', 'iam=fast', 'iam=15/0', 'IAM=1', 'iam=1 s3=2'])
  test(`the rate ${text} is refused`, () => assert.throws(() => read({ 'aws-call-rates': text }), FlagError))

const addresses: readonly (readonly [what: string, env: Record<string, string>, flag: string | undefined, origin: string])[] = [
  ['neither a flag nor a variable', {}, undefined, 'https://iam.amazonaws.com'],
  ['a variable of the service', { AWS_ENDPOINT_URL_IAM: 'https://env.local' }, undefined, 'https://env.local'],
  ['a flag and a variable', { AWS_ENDPOINT_URL_IAM: 'https://env.local' }, 'https://flag.local', 'https://flag.local'],
]

for (const [what, more, flag, origin] of addresses)
  test(`with ${what} a service is called at ${origin}`, async () => {
    const seen: string[] = []
    const exchange = async () => ({ status: 400, headers: {}, body: null })
    const transport = { to: (at: string) => (seen.push(at), exchange), close: async () => {} }
    const env = { AWS_ACCESS_KEY_ID: 'A', AWS_SECRET_ACCESS_KEY: 's', ...more }
    const files = { read: async () => undefined }
    const seams = { env, files, clock: new ManualClock(), random: seededRandom(1), log: silentLog, programs: {} }
    const endpointOf = (id: string): string | undefined => (id === 'IAM' ? flag : undefined)
    const clients = ambientClients({ seams: seams as never, transport, region: '', endpointOf })
    await assert.rejects(clients.for({ model: serviceModel('iam'), region: 'eu-west-1' }).call('ListRoles', {}))
    assert.deepEqual(seen, [origin])
  })

test('tokens are exchanged at the address that is named for STS, or in the first region where nobody says one', async () => {
  for (const [stsEndpoint, variable, origin] of [
    [undefined, undefined, 'https://sts.us-east-1.amazonaws.com'],
    [undefined, 'https://env.local', 'https://env.local'],
    ['https://sts.local', 'https://env.local', 'https://sts.local'],
  ] as const) {
    const seen: string[] = []
    const exchange = async () => ({ status: 400, headers: {}, body: null })
    const transport = { to: (at: string) => (seen.push(at), exchange), close: async () => {} }
    const env = {
      AWS_ROLE_ARN: 'arn:aws:iam::111122223333:role/r',
      AWS_WEB_IDENTITY_TOKEN_FILE: '/t',
      ...(variable && { AWS_ENDPOINT_URL_STS: variable }),
    }
    const files = { read: async () => Buffer.from('token') }
    const seams = { env, files, clock: new ManualClock(), random: seededRandom(1), log: silentLog, programs: {} }
    const clients = ambientClients({ seams: seams as never, transport, region: '', stsEndpoint, endpointOf: () => undefined })
    await assert.rejects(clients.for({ model: serviceModel('iam'), region: 'eu-west-1' }).call('ListRoles', {}))
    assert.deepEqual(seen, [origin])
  }
})
