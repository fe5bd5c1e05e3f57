import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RemoteCredentials } from '../assume-role.ts'
import { readProcessFlags } from './flags.ts'
import { renderCredentials, renderTrouble } from './render.ts'

const needed = [
  '--namespace=edge',
  '--service-account=apps/reader',
  '--session-name=me',
  '--clusterprofile-provider-file=providers.json',
  '--cluster-profile-namespaces=fleet, more,fleet',
]

test('the flags of the program that it stands in for, with their defaults [11.3]', () => {
  assert.deepEqual(readProcessFlags(needed), {
    namespace: 'edge',
    serviceAccount: { namespace: 'apps', name: 'reader' },
    sessionName: 'me',
    providerFile: 'providers.json',
    profileNamespaces: ['fleet', 'more'],
    roleName: '',
    region: '',
    tokenExpirationMs: 900_000,
    sessionDurationMs: 0,
  })
  const more = ['-aws-service-account-role', 'reader', '--region=eu-west-1', '--token-expiration', '10m', '--kubeconfig=k']
  const { roleName, region, tokenExpirationMs, kubeconfig } = readProcessFlags([...needed, ...more])
  assert.deepEqual([roleName, region, tokenExpirationMs, kubeconfig], ['reader', 'eu-west-1', 600_000, 'k'])
})

const without = (name: string): readonly string[] => needed.filter(flag => !flag.startsWith(`--${name}=`))

const wrong: readonly (readonly [args: readonly string[], trouble: RegExp])[] = [
  [[...needed, '--token-expiration=5m'], /^--token-expiration must be 10m or more$/],
  [[...needed, '--token-expiration=soon'], /argument 'soon' is invalid/],
  [[...needed, '--session-duration=-1s'], /^--session-duration must not be negative$/],
  [[...needed, 'more'], /^"more" is no flag/],
  [[...needed, '--nope=1'], /^unknown option '--nope'$/],
  [[...without('service-account'), '--service-account=reader'], /"reader" is no namespace\/name$/],
  [[...without('service-account'), '--service-account=a/b/c'], /"a\/b\/c" is no namespace\/name$/],
  [[...without('service-account'), '--service-account=a/'], /"a\/" is no namespace\/name$/],
  [[...without('cluster-profile-namespaces'), '--cluster-profile-namespaces=a,,b'], /has an empty entry/],
  // What a variable that holds blanks leaves there: it was taken for all namespaces.
  [[...without('cluster-profile-namespaces'), '--cluster-profile-namespaces= '], /^--cluster-profile-namespaces is required: /],
  [[...without('cluster-profile-namespaces'), '--cluster-profile-namespaces= , '], /has an empty entry/],
  ...['service-account', 'namespace', 'clusterprofile-provider-file', 'cluster-profile-namespaces', 'session-name'].map(
    (name): (typeof wrong)[number] => [without(name), new RegExp(`^--${name} is required$`)],
  ),
]

for (const [args, trouble] of wrong)
  test(`a wrong line is refused with one reason: ${trouble.source} [13.11 #244]`, () => {
    assert.throws(() => readProcessFlags(args), { name: 'FlagError', message: trouble })
  })

test('of several mistakes the first is told, in a fixed order [11.3]', () => {
  const told: string[] = []
  const mended = ['--token-expiration=5m', '--session-duration=-1s']
  const fixes = ['--service-account=a/b', '--cluster-profile-namespaces=a', '--namespace=a', '--clusterprofile-provider-file=a']
  for (const fix of [undefined, ...fixes, '--session-name=a', '--token-expiration=15m', '--session-duration=0']) {
    if (fix !== undefined) mended.push(fix)
    try {
      readProcessFlags(['--cluster-profile-namespaces=*,a', ...mended])
    } catch (error) {
      told.push((error as Error).message.split(' ')[0] ?? '')
    }
  }
  assert.deepEqual(told, [
    '--service-account',
    '--cluster-profile-namespaces',
    '--namespace',
    '--clusterprofile-provider-file',
    '--session-name',
    '--token-expiration',
    '--session-duration',
  ])
})

const credentials: RemoteCredentials = {
  accessKeyId: 'ASIA',
  secretAccessKey: 'a/b+c<&>',
  sessionToken: 't',
  expiration: new Date('2026-01-02T03:04:05.678Z'),
  accountId: '',
  source: 'RemoteIRSAAssumeRoleWithWebIdentity',
}

test('one line as every SDK reads it: seconds in UTC, no escapes, no end that is not known [11.3]', () => {
  const line = '{"Version":1,"AccessKeyId":"ASIA","SecretAccessKey":"a/b+c<&>","SessionToken":"t"'
  assert.equal(renderCredentials(credentials), `${line},"Expiration":"2026-01-02T03:04:05Z"}`)
  assert.equal(renderCredentials({ ...credentials, expiration: new Date(Number.NaN) }), `${line}}`)
})

for (const word of [
  'AccessKeyId',
  'Secret-Access_Key',
  'session token',
  'Bearer\ttoken',
  'web.identity.token',
  'Authorization: Bearer',
])
  test(`a line that speaks of ${JSON.stringify(word)} is not printed [13.11 #245]`, () => {
    assert.equal(renderTrouble(new Error(`what came was ${word}=abc`), 'vague'), 'vague')
  })

test('any other trouble is one line, with what looks like a secret taken out [11.3]', () => {
  assert.equal(renderTrouble(new Error('no such\nfile'), 'vague'), 'no such\\nfile')
  assert.throws(
    () => readProcessFlags([...needed, '--namespce=x']),
    error => renderTrouble(error, 'vague') === "unknown option '--namespce'; did you mean --namespace?",
  )
  assert.equal(renderTrouble('a token eyJhbGciOi.eyJzdWIiOi.c2ln', 'vague'), 'a token [token]')
})
