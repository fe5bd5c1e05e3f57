// What endpoints of credentials say when they give none, and whether it is worth asking them again.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { HttpFailure, type HttpRequest, type HttpResponse, ManualClock, seededRandom } from '#base'
import { inProcessTransport } from '../transport/transport.ts'
import { anonymous, CredentialsError, type CredentialsProvider } from './credentials.ts'
import { containerCredentials, instanceCredentials, type MetadataOptions } from './metadata.ts'

const keys = { AccessKeyId: 'ASIA1', SecretAccessKey: 's', Token: 't' }
const reply = (body: unknown, status = 200, headers = {}): HttpResponse => ({
  status,
  headers,
  body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
})

interface Asked {
  readonly env?: Readonly<Record<string, string>>
  readonly files?: Readonly<Record<string, string>>
  readonly answer?: (request: HttpRequest) => HttpResponse
}

function options({ env = {}, files = {}, answer = () => reply(keys) }: Asked, seen: HttpRequest[] = []): MetadataOptions {
  return {
    env: { AWS_CONTAINER_CREDENTIALS_FULL_URI: 'http://127.0.0.1/keys', ...env },
    files: { read: async path => (path in files ? Buffer.from(files[path] ?? '') : undefined) },
    transport: inProcessTransport(async request => {
      seen.push(request)
      return answer(request)
    }),
    clock: new ManualClock(),
    random: seededRandom(1),
  } as MetadataOptions
}

async function refusalOf(provider: CredentialsProvider | undefined): Promise<readonly [message: string, retryable: boolean]> {
  const error = await provider?.get().then(
    () => undefined,
    (failure: unknown) => failure,
  )
  assert.ok(error instanceof CredentialsError, String(error))
  return [error.message, error.retryable]
}

for (const [status, retryable] of [
  [400, false],
  [404, false],
  [428, false],
  [429, true],
  [430, false],
  [499, false],
  [500, true],
  [503, true],
] as const)
  test(`an endpoint that answers with ${status} is ${retryable ? 'asked again' : 'not asked again'}`, async () =>
    assert.deepEqual(await refusalOf(containerCredentials(options({ answer: () => reply('', status) }))), [
      `127.0.0.1 answered with ${status} instead of credentials`,
      retryable,
    ]))

test('an endpoint that cannot be reached, or that gives half of the keys, is asked again', async () => {
  const gone = (): never => {
    throw new HttpFailure('unreachable', 'gone')
  }
  assert.deepEqual(await refusalOf(containerCredentials(options({ answer: gone }))), ['no credentials from 127.0.0.1', true])
  for (const body of [{}, [], 'nonsense', { AccessKeyId: 'A' }, { SecretAccessKey: 's' }])
    assert.deepEqual(await refusalOf(containerCredentials(options({ answer: () => reply(body) }))), [
      'the answer of the container endpoint holds no credentials',
      true,
    ])
})

const file = 'AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE'
const tokens: readonly (readonly [what: string, asked: Asked, token: string | undefined])[] = [
  ['neither a file nor a variable', {}, undefined],
  ['an empty variable', { env: { AWS_CONTAINER_AUTHORIZATION_TOKEN: '' } }, undefined],
  ['a variable', { env: { AWS_CONTAINER_AUTHORIZATION_TOKEN: 'word' } }, 'word'],
  ['a file', { env: { [file]: '/t', AWS_CONTAINER_AUTHORIZATION_TOKEN: 'word' }, files: { '/t': 'held\n' } }, 'held'],
]

for (const [what, asked, token] of tokens)
  test(`with ${what} the endpoint is asked with ${token ?? 'no token'}`, async () => {
    const seen: HttpRequest[] = []
    await containerCredentials(options(asked, seen))?.get()
    assert.equal(seen[0]?.headers['authorization'], token)
  })

test('a token file that is missing is looked for again, and one of two lines is refused', async () => {
  const missing = await refusalOf(containerCredentials(options({ env: { [file]: '/t' } })))
  assert.deepEqual(missing, ['the authorization token file /t is not there', true])
  const long = await refusalOf(containerCredentials(options({ env: { [file]: '/t' }, files: { '/t': 'a\nb' } })))
  assert.deepEqual(long, ['the authorization token file /t has more than one line', false])
})

test('an instance without a role is asked again, and of several the first is taken', async () => {
  const roles = (body: string) => ({
    answer: ({ method, target }: HttpRequest) => reply(method === 'PUT' ? 'session' : target.endsWith('/') ? body : keys),
  })
  for (const body of ['', 'a b', '<html>', 'x'.repeat(65)])
    assert.deepEqual(await refusalOf(instanceCredentials(options(roles(body)))), ['the instance has no role', true])
  const given = await instanceCredentials(options(roles(`${'x'.repeat(64)}\nother`)))?.get()
  assert.equal(given === anonymous ? '' : given?.source, `instance role ${'x'.repeat(64)}`)
})

test('credentials last as long as the clock of the endpoint says, where it says it', async () => {
  const ends = { ...keys, Expiration: '2026-01-01T01:00:00Z' }
  const given = await containerCredentials(options({ answer: () => reply(ends) }))?.get()
  assert.deepEqual(given, {
    accessKeyId: 'ASIA1',
    secretAccessKey: 's',
    sessionToken: 't',
    expiresAtMs: Date.parse('2026-01-01T01:00:00Z'),
    source: 'container',
  })
  const over = { date: 'Thu, 01 Jan 2026 01:00:00 GMT' }
  await assert.rejects(
    async () => containerCredentials(options({ answer: () => reply(ends, 200, over) }))?.get(),
    /expired already/,
  )
})
