import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { leastProcessorMs } from '../limits/least-processor-ms.fixture.ts'
import { createLog } from '../system/log.ts'
import { ecKey } from '../x509/serving-pair.fixture.ts'
import { redact, redactText } from './redact.ts'

const canary = {
  jwt: 'eyJhbGciOiJSUzI1NiIsImtpZCI6ImEifQ.eyJzdWIiOiJjYW5hcnkifQ.c2lnbmF0dXJlLWNhbmFyeQ',
  pem: ecKey(),
  secretKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  sessionToken: `IQoJb3JpZ2luX2VjE${'aB3/'.repeat(40)}==`,
  bearer: 'opaque-canary-4711',
  bootstrap: 'abcdef.0123456789abcdef',
}
/** What must not be seen: the middle of each, in case only the ends are masked. */
const traces = [
  canary.jwt.slice(40, 60),
  ...canary.pem.split('\n').slice(1, 3),
  canary.secretKey.slice(5, 30),
  canary.sessionToken.slice(20, 60),
  canary.bearer,
  canary.bootstrap.slice(7),
]

const hidingPlaces: readonly (readonly [string, unknown])[] = [
  ['texts', Object.values({ ...canary, bearer: `Bearer ${canary.bearer}` })],
  [
    'fields by name',
    {
      token: canary.bearer,
      Authorization: canary.bearer,
      'client-key-data': canary.bearer,
      aws_secret_access_key: canary.bearer,
    },
  ],
  [
    'headers',
    { headers: { authorization: `Bearer ${canary.bearer}`, 'X-Amz-Security-Token': [canary.bearer], cookie: canary.bearer } },
  ],
  [
    'an error and its cause',
    new Error(`sent Bearer ${canary.bearer}`, { cause: Object.assign(new Error(canary.jwt), { password: canary.bearer }) }),
  ],
  ['a Secret', { kind: 'Secret', data: { anything: canary.bearer }, stringData: { other: canary.bearer } }],
  ['bytes', new TextEncoder().encode(canary.bearer)],
  ['a map and a set', [new Map([['password', canary.bearer]]), new Set([canary.jwt])]],
  [
    'XML and query strings',
    `<SecretAccessKey>${canary.bearer}</SecretAccessKey> ?X-Amz-Signature=${canary.bearer}&x=1 https://u:${canary.bearer}@host/`,
  ],
  ['JSON in a text', JSON.stringify({ SessionToken: canary.bearer, password: canary.bearer })],
  ['a key that is cut off', `trouble with ${canary.pem.slice(0, 150)}`],
  ['deep inside', { a: { b: { c: [{ d: { idToken: canary.bearer } }] } } }],
]

for (const form of ['json', 'console'] as const) {
  for (const [where, value] of hidingPlaces) {
    test(`a secret in ${where} does not reach the ${form} log [X11]`, () => {
      const lines: string[] = []
      const log = createLog({ clock: { now: () => 0 }, level: 'debug', form, write: line => lines.push(line) })
      log.with({ bound: value }).error(typeof value === 'string' ? value : 'message', { value })
      const written = lines.join('')
      assert.ok(written.length > 20)
      for (const trace of traces) assert.ok(!written.includes(trace), `${trace} in ${written}`)
    })
  }
}

test('what is no secret stays readable', () => {
  const plain = {
    message: 'get configmaps default/x at https://localhost:6443: not found',
    digest: 'da39a3ee5e6b4b0d3255bfef95601890afd80709',
    arn: 'arn:aws:iam::123456789012:role/team/some-application-role-for-tests',
    uid: '0189b1e2-7a4c-4b1e-9a51-2f6b6d1c8a11',
    image: 'registry.example.com/team/application:v1.2.3',
    secretName: 'database',
    tokens: 3,
    token: true,
  }
  assert.deepEqual(redact(plain), plain)
})

test('log lines have time, level and fields; an error is a value; what is below the level is not written', () => {
  const lines: string[] = []
  const json = createLog({ clock: { now: () => 0 }, write: line => lines.push(line) })
  json.debug('unseen')
  json.with({ room: 'base' }).info('hello', { count: 1 })
  assert.deepEqual(
    lines.map(line => JSON.parse(line)),
    [{ level: 'info', time: '1970-01-01T00:00:00.000Z', room: 'base', count: 1, msg: 'hello' }],
  )
  const console: string[] = []
  createLog({ clock: { now: () => 0 }, form: 'console', write: line => console.push(line) }).warn('hello', {
    name: 'a b',
    error: new TypeError('no'),
  })
  assert.deepEqual(console, ['00:00:00.000 warn  hello name="a b" error="no"\n'])
})

test('anything can be redacted: bounded, and at its second time unchanged', () => {
  const loop: Record<string, unknown> = {}
  loop.self = loop
  assert.ok(JSON.stringify(redact(loop)).length < 500)
  assert.ok(redactText('x'.repeat(1_000_000)).length < 20_000)
  fc.assert(
    fc.property(
      fc.anything({
        withBigInt: true,
        withDate: true,
        withMap: true,
        withSet: true,
        withNullPrototype: true,
        withTypedArray: true,
      }),
      value => {
        const once = redact(value)
        assert.deepEqual(redact(once), once)
      },
    ),
    { numRuns: 300 },
  )
})

test('no text stalls the masking [X1]', () => {
  for (const unit of ['-----BEGIN PRIVATE KEY-----', 'eyJaaaaaa.', 'password=', '://a:', 'a', 'IQoJ', 'aA1/', 'Bearer ']) {
    const text = unit.repeat(Math.ceil(1_000_000 / unit.length))
    assert.ok(leastProcessorMs(() => redactText(text), 250) < 250, unit)
  }
})

test('a short text is masked as a long one is', () => {
  const parts = [
    '-----BEGIN PRIVATE KEY-----',
    'eyJhbGciOi',
    '.',
    'basic ',
    'Bearer\t',
    'abcdef',
    '0123456789abcdef',
    '://u:',
    '@',
    '=',
    ':',
  ]
  const part = fc.oneof(
    fc.constantFrom(...parts, 'password', 'Credential', 'idtoken', '>', '"', ' '),
    fc.string({ maxLength: 6 }),
  )
  const text = fc.array(part, { maxLength: 6 }).map(all => all.join(''))
  fc.assert(
    fc.property(text, short => assert.equal(redactText(short).trimEnd(), redactText(short + ' '.repeat(60)).trimEnd())),
    { numRuns: 3_000 },
  )
})
