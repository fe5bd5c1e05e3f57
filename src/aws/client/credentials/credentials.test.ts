import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  drain,
  type Files,
  type HttpExchange,
  type HttpRequest,
  type HttpResponse,
  ManualClock,
  type ProgramCall,
  seededRandom,
} from '#base'
import { inProcessTransport } from '../transport/transport.ts'
import { type ChainOptions, credentialChain } from './chain.ts'
import { anonymous, type Credentials, CredentialsError, type CredentialsProvider, staticCredentials } from './credentials.ts'
import { parseIni } from './ini.ts'
import { splitCommand } from './process.ts'
import { profileCredentials } from './profiles.ts'
import { renewing } from './renewing.ts'
import { RoleSessions } from './role-sessions.ts'
import { assumedRole, sessionName } from './sts.ts'

await Promise.all([import('@aws-sdk/core/protocols'), import('@smithy/signature-v4')])

interface World {
  readonly options: ChainOptions
  readonly clock: ManualClock
  readonly seen: HttpRequest[]
  readonly programs: ProgramCall[]
}

interface WorldOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly files?: Readonly<Record<string, string>>
  readonly answer?: (request: HttpRequest) => HttpResponse
  readonly program?: (call: ProgramCall) => { code: number; stdout: string }
  readonly browserProfile?: (profile: string) => CredentialsProvider
}

function world({ env = {}, files = {}, answer, program, browserProfile }: WorldOptions): World {
  const clock = new ManualClock()
  const seen: HttpRequest[] = []
  const programs: ProgramCall[] = []
  const handle: HttpExchange = async request => {
    seen.push(request)
    assert.ok(answer !== undefined, `unexpected call: ${String(request.headers['host'])}${request.target}`)
    return answer(request)
  }
  const reading: Pick<Files, 'read'> = {
    read: async path => (path in files ? Buffer.from(files[path] as string) : undefined),
  }
  const options: ChainOptions = {
    env: { HOME: '/home/u', AWS_EC2_METADATA_DISABLED: 'true', ...env },
    files: reading,
    programs: {
      run: async call => {
        programs.push(call)
        const { code, stdout } = program?.(call) ?? { code: 1, stdout: '' }
        return { code, stdout: Buffer.from(stdout), stderr: Buffer.from('secret words') }
      },
    },
    transport: inProcessTransport(handle),
    clock,
    random: seededRandom('credentials'),
    region: 'eu-west-1',
    ...(browserProfile && { browserProfile }),
  }
  return { options, clock, seen, programs }
}

/** STS's answer with keys named after the count of calls, good for an hour of virtual time. */
function sts(clock: () => ManualClock, action: string): (request: HttpRequest) => HttpResponse {
  let count = 0
  return () => {
    count += 1
    const end = new Date(clock().now() + 3_600_000).toISOString()
    const keys = `<AccessKeyId>ASIA${count}</AccessKeyId><SecretAccessKey>s</SecretAccessKey><SessionToken>t</SessionToken><Expiration>${end}</Expiration>`
    return {
      status: 200,
      headers: {},
      body: Buffer.from(
        `<${action}Response><${action}Result><Credentials>${keys}</Credentials></${action}Result></${action}Response>`,
      ),
    }
  }
}

const json = (value: unknown, status = 200, headers = {}): HttpResponse => ({
  status,
  headers,
  body: Buffer.from(JSON.stringify(value)),
})

async function keyOf(provider: CredentialsProvider): Promise<string> {
  const credentials = await provider.get()
  return credentials === anonymous ? anonymous : credentials.accessKeyId
}

test('keys of the environment come first', async () => {
  const { options } = world({
    env: {
      AWS_ACCESS_KEY_ID: 'AKIA1',
      AWS_SECRET_ACCESS_KEY: 's',
      AWS_SESSION_TOKEN: 't',
      AWS_WEB_IDENTITY_TOKEN_FILE: '/token',
      AWS_ROLE_ARN: 'arn:aws:iam::123456789012:role/r',
    },
  })
  assert.deepEqual(await credentialChain(options).get(), {
    accessKeyId: 'AKIA1',
    secretAccessKey: 's',
    sessionToken: 't',
    source: 'environment',
  })
})

test('half a pair of keys is an error and no reason to look further', async () => {
  const { options } = world({
    env: { AWS_ACCESS_KEY_ID: 'AKIA1' },
    files: { '/home/u/.aws/credentials': '[default]\naws_access_key_id=B\naws_secret_access_key=s' },
  })
  await assert.rejects(credentialChain(options).get(), /only one of AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY/)
})

test('a web identity is exchanged without a signature, renewed in time, with the token that is in the file then', async () => {
  const files: Record<string, string> = { '/token': 'jwt-1\n' }
  const { options, clock, seen } = world({
    env: { AWS_WEB_IDENTITY_TOKEN_FILE: '/token', AWS_ROLE_ARN: 'arn:aws:iam::123456789012:role/r', AWS_ROLE_SESSION_NAME: 'me' },
    files,
    answer: sts(() => clock, 'AssumeRoleWithWebIdentity'),
  })
  const chain = credentialChain(options)
  assert.equal(await keyOf(chain), 'ASIA1')
  assert.equal(seen[0]?.headers['authorization'], undefined)
  assert.equal(seen[0]?.headers['host'], 'sts.eu-west-1.amazonaws.com')
  assert.match(Buffer.from(seen[0]?.body as Uint8Array).toString(), /RoleSessionName=me&WebIdentityToken=jwt-1$/)
  await clock.advance(0.6 * 3_600_000)
  assert.equal(await keyOf(chain), 'ASIA1', 'still young')
  files['/token'] = 'jwt-2'
  await clock.advance(0.25 * 3_600_000)
  assert.equal(await keyOf(chain), 'ASIA1', 'nobody waits for a renewal while the old ones are good')
  for (let round = 0; seen.length < 2 && round < 100; round++) await drain()
  for (let round = 0; round < 20; round++) await drain()
  assert.equal(await keyOf(chain), 'ASIA2')
  assert.match(Buffer.from(seen[1]?.body as Uint8Array).toString(), /WebIdentityToken=jwt-2$/)
})

test('a web identity whose token file is missing says which file, and works once it is there', async () => {
  const files: Record<string, string> = {}
  const { options, clock } = world({
    env: { AWS_WEB_IDENTITY_TOKEN_FILE: '/token', AWS_ROLE_ARN: 'arn:aws:iam::123456789012:role/r' },
    files,
    answer: sts(() => clock, 'AssumeRoleWithWebIdentity'),
  })
  const chain = credentialChain(options)
  await assert.rejects(chain.get(), /token file \/token is not there/)
  files['/token'] = 'jwt'
  assert.equal(await keyOf(chain), 'ASIA1')
})

test('the container endpoint of EKS Pod Identity is asked with the token of its file', async () => {
  const { options, seen } = world({
    env: {
      AWS_CONTAINER_CREDENTIALS_FULL_URI: 'http://169.254.170.23/v1/credentials',
      AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE: '/var/token',
    },
    files: { '/var/token': 'jwt\n' },
    answer: () => json({ AccessKeyId: 'ASIAC', SecretAccessKey: 's', Token: 't', Expiration: '2026-01-01T06:00:00Z' }),
  })
  const credentials = (await credentialChain(options).get()) as Credentials
  assert.deepEqual([credentials.accessKeyId, credentials.sessionToken, credentials.source], ['ASIAC', 't', 'container'])
  assert.deepEqual(
    [seen[0]?.headers['host'], seen[0]?.target, seen[0]?.headers['authorization']],
    ['169.254.170.23', '/v1/credentials', 'jwt'],
  )
})

test('a container address that is neither https nor of this machine is refused', async () => {
  for (const uri of [
    'http://example.com/x',
    'http://169.254.169.254/x',
    'ftp://127.0.0.1/',
    'nonsense',
    'http://127.0.0.1.evil.example/',
  ]) {
    const { options } = world({ env: { AWS_CONTAINER_CREDENTIALS_FULL_URI: uri } })
    await assert.rejects(credentialChain(options).get(), CredentialsError, uri)
  }
})

test('the instance gives its role by version 2 of its metadata service', async () => {
  const answer = ({ method, target }: HttpRequest): HttpResponse => {
    if (method === 'PUT') return { status: 200, headers: {}, body: Buffer.from('session') }
    if (target.endsWith('/')) return { status: 200, headers: {}, body: Buffer.from('node-role') }
    return json({ Code: 'Success', AccessKeyId: 'ASIAI', SecretAccessKey: 's', Token: 't', Expiration: '2026-01-01T06:00:00Z' })
  }
  const { options, seen } = world({ env: { AWS_EC2_METADATA_DISABLED: 'false' }, answer })
  assert.equal(await keyOf(credentialChain(options)), 'ASIAI')
  assert.deepEqual(
    seen.map(({ method, target, headers }) => `${method} ${target} ${String(headers['x-aws-ec2-metadata-token'] ?? '')}`.trim()),
    [
      'PUT /latest/api/token',
      'GET /latest/meta-data/iam/security-credentials/ session',
      'GET /latest/meta-data/iam/security-credentials/node-role session',
    ],
  )
})

test('where there is nothing, the error says where was looked', async () => {
  const { options } = world({ env: { AWS_PROFILE: 'nobody' } })
  await assert.rejects(
    credentialChain(options).get(),
    /no AWS credentials: looked for AWS_ACCESS_KEY_ID.*the profile "nobody"; the instance metadata service is switched off/,
  )
})

const config = `
# people write comments
[default]
region = eu-west-1
[profile base]
aws_access_key_id = IGNORED
[profile admin]
role_arn = arn:aws:iam::123456789012:role/admin
source_profile = base
external_id = ext
duration_seconds = 900
role_session_name = me@example
[profile chained]
role_arn = arn:aws:iam::210987654321:role/far
source_profile = admin
[profile helper]
credential_process = /opt/helper --name "a b" 'c d'
[profile ring-a]
role_arn = arn:aws:iam::123456789012:role/a
source_profile = ring-b
[profile ring-b]
role_arn = arn:aws:iam::123456789012:role/b
source_profile = ring-a
[profile mfa]
role_arn = arn:aws:iam::123456789012:role/m
source_profile = base
mfa_serial = arn:aws:iam::123456789012:mfa/u
[profile sso]
sso_session = corp
[sso-session corp]
sso_region = eu-west-1
`
const keys = '[base]\naws_access_key_id=AKIABASE\naws_secret_access_key=s ; a comment\n'
const files = { '/home/u/.aws/config': config, '/home/u/.aws/credentials': keys }

test('a profile assumes its role with the keys of another, the credentials file winning over the config file', async () => {
  const { options, clock, seen } = world({ env: { AWS_PROFILE: 'admin' }, files, answer: sts(() => clock, 'AssumeRole') })
  assert.equal(await keyOf(credentialChain(options)), 'ASIA1')
  assert.match(String(seen[0]?.headers['authorization']), /Credential=AKIABASE\//)
  assert.match(
    Buffer.from(seen[0]?.body as Uint8Array).toString(),
    /RoleSessionName=me%40example&DurationSeconds=900&ExternalId=ext/,
  )
})

test('a profile may stand on one that assumes a role itself', async () => {
  const { options, clock, seen } = world({ env: { AWS_PROFILE: 'chained' }, files, answer: sts(() => clock, 'AssumeRole') })
  assert.equal(await keyOf(credentialChain(options)), 'ASIA2')
  assert.deepEqual(
    seen.map(({ headers }) => /Credential=(\w+)/.exec(String(headers['authorization']))?.[1]),
    ['AKIABASE', 'ASIA1'],
  )
})

test('profiles that cannot work say why', async () => {
  for (const [profile, message] of [
    ['ring-a', /ring-a -> ring-b -> ring-a stand on each other/],
    ['mfa', /asks for a code of a device/],
    ['sso', /signs in through a browser/],
  ] as const) {
    const { options } = world({ env: { AWS_PROFILE: profile }, files })
    await assert.rejects(credentialChain(options).get(), message)
  }
  const browser = world({
    env: { AWS_PROFILE: 'sso' },
    files,
    browserProfile: name => staticCredentials({ accessKeyId: name, secretAccessKey: 's' }),
  })
  assert.equal(await keyOf(credentialChain(browser.options)), 'sso')
})

test('a profile may stand on its own keys, sign in by a console, and name no session', async () => {
  const own = `[profile self]
role_arn = arn:aws:iam::123456789012:role/self
source_profile = self
aws_access_key_id = AKIASELF
aws_secret_access_key = s
[profile console]
region = eu-west-1
login_session = corp
[profile web]
role_arn = arn:aws:iam::123456789012:role/web
web_identity_token_file = /token
[profile empty]
region = eu-west-1
`
  const of = (profile: string): World => {
    const made: World = world({
      env: { AWS_PROFILE: profile },
      files: { '/home/u/.aws/config': own, '/token': 'jwt' },
      answer: request => sts(() => made.clock, profile === 'web' ? 'AssumeRoleWithWebIdentity' : 'AssumeRole')(request),
    })
    return made
  }
  const self = of('self')
  assert.equal(await keyOf(credentialChain(self.options)), 'ASIA1')
  assert.match(String(self.seen[0]?.headers['authorization']), /Credential=AKIASELF\//)
  await assert.rejects(credentialChain(of('console').options).get(), /signs in through a browser/)
  const web = of('web')
  assert.equal(await keyOf(credentialChain(web.options)), 'ASIA1')
  assert.match(Buffer.from(web.seen[0]?.body as Uint8Array).toString(), /RoleSessionName=vouch-web/)
  await assert.rejects(credentialChain(of('empty').options).get(), /no AWS credentials/)
})

test('a helper program that cannot be run may be tried again', async () => {
  const { options } = world({ env: { AWS_PROFILE: 'helper' }, files })
  const programs = { run: () => Promise.reject(new Error('no such file')) }
  const provider = credentialChain({ ...options, programs: programs as never })
  await assert.rejects(provider.get(), { message: /\/opt\/helper cannot be run/, retryable: true })
})

test('a helper program gets its words and no environment, and what it prints is taken', async () => {
  const program = (): { code: number; stdout: string } => ({
    code: 0,
    stdout: JSON.stringify({
      Version: 1,
      AccessKeyId: 'AKIAP',
      SecretAccessKey: 's',
      SessionToken: 't',
      Expiration: '2026-01-01T01:00:00Z',
    }),
  })
  const { options, programs } = world({ env: { AWS_PROFILE: 'helper', PATH: '/bin', TOKEN: 'secret' }, files, program })
  assert.equal(await keyOf(credentialChain(options)), 'AKIAP')
  const [call] = programs
  assert.deepEqual(
    [call?.command, call?.args, call?.env],
    ['/opt/helper', ['--name', 'a b', 'c d'], { PATH: '/bin', HOME: '/home/u' }],
  )
  assert.deepEqual(await credentialChain(options).get(), {
    accessKeyId: 'AKIAP',
    secretAccessKey: 's',
    sessionToken: 't',
    expiresAtMs: Date.parse('2026-01-01T01:00:00Z'),
    source: 'credential_process',
  })
})

test('an answer of STS that lacks a part of the credentials is none', async () => {
  for (const part of ['AccessKeyId', 'SecretAccessKey', 'SessionToken']) {
    const parts = ['AccessKeyId', 'SecretAccessKey', 'SessionToken'].filter(name => name !== part)
    const { options } = world({
      answer: () => ({
        status: 200,
        headers: {},
        body: Buffer.from(
          `<AssumeRoleResponse><AssumeRoleResult><Credentials>${parts.map(name => `<${name}>x</${name}>`).join('')}</Credentials></AssumeRoleResult></AssumeRoleResponse>`,
        ),
      }),
    })
    const source = staticCredentials({ accessKeyId: 'A', secretAccessKey: 's' })
    const role = assumedRole(source, { roleArn: 'arn:aws:iam::123456789012:role/r', sessionName: 'x' }, options)
    await assert.rejects(role.get(), { message: /without credentials/, retryable: true }, part)
  }
})

test('a role of a profile may be assumed with the keys of the environment, and not without them', async () => {
  const own = '[profile own]\nrole_arn = arn:aws:iam::123456789012:role/o\ncredential_source = Environment\n'
  const start = (env: Readonly<Record<string, string>>): World => {
    const made: World = world({
      env: { AWS_PROFILE: 'own', ...env },
      files: { '/home/u/.aws/config': own },
      answer: sts(() => made.clock, 'AssumeRole'),
    })
    return made
  }
  const { options, seen } = start({ AWS_ACCESS_KEY_ID: 'AKIAENV', AWS_SECRET_ACCESS_KEY: 's' })
  const provider = await profileCredentials('own', options)
  assert.equal((await provider?.get()) === anonymous, false)
  assert.match(String(seen[0]?.headers['authorization']), /Credential=AKIAENV\//)
  await assert.rejects(async () => (await profileCredentials('own', start({}).options))?.get(), /no usable source_profile/)
})

test('a helper program that fails says so without what it printed', async () => {
  for (const [result, message] of [
    [{ code: 3, stdout: 'secret' }, /ended with code 3/],
    [{ code: 0, stdout: 'secret' }, /printed no JSON/],
    [{ code: 0, stdout: '{"Version":2}' }, /must print "Version": 1/],
    [{ code: 0, stdout: '{"Version":1,"AccessKeyId":"secret"}' }, /printed no AccessKeyId and SecretAccessKey/],
  ] as const) {
    const { options } = world({ env: { AWS_PROFILE: 'helper' }, files, program: () => ({ ...result }) })
    const error = await credentialChain(options)
      .get()
      .then(
        () => assert.fail('it worked'),
        (failure: unknown) => failure as Error,
      )
    assert.match(error.message, message)
    assert.doesNotMatch(error.message, /secret words|secret"/)
  }
})

test('words of a command line are split as written', () => {
  assert.deepEqual(splitCommand(`/a/b  "c \\"d\\"" 'e f' g`), ['/a/b', 'c "d"', 'e f', 'g'])
  assert.deepEqual(splitCommand('  '), [])
})

test('sections of the shared files are read with comments, nesting and quotes', () => {
  const sections = parseIni(
    '[profile "a b"]\nx = 1 # no\ns3 =\n  addressing_style = path\ny=#2\n[sso-session c]\nz=3\n[ignored]\nq=1',
    'config',
  )
  assert.deepEqual(
    [...sections].map(([name, values]) => [name, { ...values }]),
    [
      ['a b', { x: '1', s3: '', 's3.addressing_style': 'path', y: '#2' }],
      ['sso-session c', { z: '3' }],
    ],
  )
})

test('many who need credentials at once cause one request', async () => {
  const { options, clock, seen } = world({ answer: sts(() => clock, 'AssumeRole') })
  const source = staticCredentials({ accessKeyId: 'A', secretAccessKey: 's' })
  const role = assumedRole(source, { roleArn: 'arn:aws:iam::123456789012:role/r', sessionName: 'x' }, options)
  const all = await Promise.all(Array.from({ length: 20 }, () => role.get()))
  assert.equal(new Set(all).size, 1)
  assert.equal(seen.length, 1)
})

test('one caller who gives up does not take the credentials from the others', async () => {
  let give: (key: string) => void = () => {}
  const provider = renewing(
    () => new Promise(resolve => (give = key => resolve({ credentials: { accessKeyId: key, secretAccessKey: 's' } }))),
    { clock: new ManualClock(), random: seededRandom(1) },
  )
  const stop = new AbortController()
  const impatient = provider.get(stop.signal)
  const patient = provider.get()
  stop.abort(new Error('enough'))
  await assert.rejects(impatient, /enough/)
  give('KEY')
  assert.equal(((await patient) as Credentials).accessKeyId, 'KEY')
})

test('credentials live by our monotonic clock, whatever the wall clocks say', async () => {
  // The service's clock is a day behind ours: by wall time its credentials ended yesterday.
  const { options, clock, seen } = world({
    answer: () => ({
      status: 200,
      headers: {},
      body: Buffer.from(
        '<AssumeRoleResponse><AssumeRoleResult><Credentials><AccessKeyId>ASIA</AccessKeyId><SecretAccessKey>s</SecretAccessKey><SessionToken>t</SessionToken>' +
          '<Expiration>2025-12-31T01:00:00Z</Expiration></Credentials></AssumeRoleResult></AssumeRoleResponse>',
      ),
    }),
  })
  const source = staticCredentials({ accessKeyId: 'A', secretAccessKey: 's' })
  const role = assumedRole(source, { roleArn: 'arn:aws:iam::123456789012:role/r', sessionName: 'x' }, options)
  await role.get()
  clock.jump(86_400_000)
  await role.get()
  assert.equal(seen.length, 1, 'neither the stated end nor the jump ends them')
  await clock.advance(3_600_000)
  await role.get()
  assert.equal(seen.length, 2)
})

test('a renewal that fails leaves the old credentials in use and is tried again later', async () => {
  let calls = 0
  const clock = new ManualClock()
  const provider = renewing(
    async () => {
      calls += 1
      if (calls === 2) throw new CredentialsError('down')
      return { credentials: { accessKeyId: `K${calls}`, secretAccessKey: 's' }, lifeMs: 1_000_000 }
    },
    { clock, random: seededRandom(1) },
  )
  await provider.get()
  await clock.advance(850_000)
  assert.equal(await keyOf(provider), 'K1')
  await drain()
  assert.equal(await keyOf(provider), 'K1')
  await drain()
  assert.equal(calls, 2, 'not hammered')
  await clock.advance(11_000)
  await provider.get()
  await drain()
  assert.equal(await keyOf(provider), 'K3')
})

test('sessions of roles are shared by role, told apart by what they may do, and bounded', async () => {
  const { options } = world({})
  const sessions = new RoleSessions(staticCredentials({ accessKeyId: 'A', secretAccessKey: 's' }), options)
  const role = { roleArn: 'arn:aws:iam::123456789012:role/r', sessionName: 'x' }
  assert.equal(sessions.for(role), sessions.for({ ...role }))
  assert.notEqual(sessions.for(role), sessions.for({ ...role, externalId: 'e' }))
  for (let index = 0; index < 5_000; index++) sessions.for({ ...role, roleArn: `${role.roleArn}${index}` })
  assert.equal(sessions.size, 4_096)
})

test('a session name is what STS takes', () => {
  assert.equal(sessionName('ack/iam:team a'), 'ack-iam-team-a')
  assert.equal(sessionName('x'), 'vouch')
  assert.equal(sessionName('n'.repeat(100)).length, 64)
})
