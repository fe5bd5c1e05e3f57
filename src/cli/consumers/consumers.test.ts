// The consumers of remote identities as processes, under both of their names, and a program that is not ours which is given what they give:
// the SDK of AWS, with the provider chain as it comes.
import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { serviceModel } from '#aws'
import { createAwsClient, inProcessTransport, staticCredentials } from '#aws/client'
import { seededRandom, systemClock } from '#base'
import { type CommandWorld, type Ended, openCommandWorld } from '../testing/command-world.ts'
import { remoteFlags, remoteRoleArn } from '../testing/remote-identity.ts'

const flags = [...remoteFlags, '--kubeconfig=hub.kubeconfig']
const sidecarFlags = '--kubeconfig=worker.kubeconfig --token-file=aws/token --aws-config-file=aws/config'
/** For a file that is started by a link to it. */
const node = `${process.execPath} --disable-warning=ExperimentalWarning`
const main = join(import.meta.dirname, '..', 'main.ts')

let world: CommandWorld
before(async () => {
  world = await openCommandWorld()
  // As an image has them: files of these names.
  for (const name of ['aws-remote-irsa-credential-process', 'aws-irsa-sidecar']) {
    mkdirSync(join(world.folder, 'plugins'), { recursive: true })
    symlinkSync(main, join(world.folder, 'plugins', name))
  }
  const s3 = createAwsClient({
    model: serviceModel('s3'),
    region: 'us-east-1',
    credentials: staticCredentials(world.aws.adminCredentials()),
    transport: inProcessTransport(world.aws.handle),
    clock: systemClock,
    random: seededRandom(1),
  })
  await s3.call('CreateBucket', { Bucket: 'remote' })
  await s3.call('PutObject', { Bucket: 'remote', Key: 'hello.txt', Body: new TextEncoder().encode('from afar') })
})
after(() => world[Symbol.asyncDispose]())

const credentialsBy = (args: readonly string[]): Promise<Ended> => world.run(`vouch credential-process ${args.join(' ')}`)
const named = (name: string, args: string, until?: RegExp): Promise<Ended> => world.run(`${node} plugins/${name} ${args}`, until)

test('one line of credentials on standard output, nothing else, and 0 [11.3]', async () => {
  const { code, stdout, stderr } = await credentialsBy(flags)
  assert.deepEqual([code, stderr], [0, ''])
  assert.match(
    stdout,
    /^\{"Version":1,"AccessKeyId":"ASIA[^"]+","SecretAccessKey":"[^"]+","SessionToken":"[^"]+","Expiration":"[^"]+Z"\}\n$/,
  )
  const { Expiration } = JSON.parse(stdout) as { readonly Expiration: string }
  assert.match(Expiration, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
})

for (const [what, args, trouble] of [
  ['a token that is too short', [...flags, '--token-expiration=5m'], /^--token-expiration must be 10m or more\n$/],
  ['an argument', [...flags, 'more'], /^"more" is no flag; flags look like --name=value\n$/],
  [
    'a ServiceAccount without a namespace',
    [...flags, '--service-account=reader'],
    /^--service-account: "reader" is no namespace\/name\n$/,
  ],
  ['a Role that is not there', [...flags, '--aws-service-account-role=nothing'], /^remoteirsa RoleNotFound: [^\n]*\n$/],
  [
    'a ServiceAccount of another namespace',
    [...flags, '--service-account=other/reader', '--aws-service-account-role=reader'],
    /^remoteirsa RoleServiceAccountMismatch: [^\n]*\n$/,
  ],
  [
    'a role of another account',
    [...flags, '--service-account=demo/elsewhere'],
    /^remoteirsa ExpiredOrInvalidToken: [^\n]*role=edge\/elsewhere [^\n]*\n$/,
  ],
  [
    'a program that may not ask for the token',
    [...flags, '--service-account=demo/elsewhere', '--clusterprofile-provider-file=own-providers.json'],
    /^remoteirsa RemoteTokenRequestForbidden: [^\n]*\n$/,
  ],
  [
    'a provider file that is not there',
    [...flags, '--clusterprofile-provider-file=none'],
    /^remoteirsa MissingInventoryAccess: [^\n]*none: there is no such file\n$/,
  ],
] as const)
  test(`${what} is one line on standard error, nothing on standard output, and 1 [13.11 #244]`, async () => {
    const { code, stdout, stderr } = await credentialsBy(args)
    assert.deepEqual([code, stdout], [1, ''])
    assert.match(stderr, trouble)
  })

test('trouble that speaks of a secret is not repeated [13.11 #245]', async () => {
  const { code, stdout, stderr } = await credentialsBy([...flags, '--aws-service-account-role=SecretAccessKey'])
  assert.deepEqual([code, stdout, stderr], [1, '', 'remote IRSA credential_process failed\n'])
})

test('help is on standard output and no failure, under either name [11.3, 11.4]', async () => {
  for (const [told, usage] of [
    [await credentialsBy(['-h']), /^Usage of vouch credential-process:\n {2}--namespace string\n/],
    [await named('aws-remote-irsa-credential-process', '--help'), /^Usage of aws-remote-irsa-credential-process:\n/],
    [await named('aws-irsa-sidecar', '--help'), /^Usage of aws-irsa-sidecar:\n {2}--kubeconfig string\n/],
  ] as const) {
    assert.deepEqual([told.code, told.stderr], [0, ''])
    assert.match(told.stdout, usage)
  }
})

/** The SDK of AWS, told nothing but where its configuration is. */
const bySdk = (config: string): Promise<Ended> =>
  world.run(
    `env -u AWS_ACCESS_KEY_ID -u AWS_SECRET_ACCESS_KEY AWS_CONFIG_FILE=${config} AWS_REGION=us-east-1 vouch aws-cli-stand-in s3 cp s3://remote/hello.txt -`,
  )

test('the SDK of AWS gets its credentials from the process, under the name that it has elsewhere [11.3]', async () => {
  const command = `${node} ${join(world.folder, 'plugins/aws-remote-irsa-credential-process')} ${flags.join(' ')}`
  writeFileSync(join(world.folder, 'config'), `[default]\ncredential_process = ${command}\n`)
  const { code, stdout, stderr } = await bySdk('config')
  assert.deepEqual([code, stdout, stderr], [0, 'from afar', ''])
})

test('the SDK of AWS uses what the sidecar keeps fresh, which ends with 1 where it stands in and with 0 by its own name [11.4]', async () => {
  const own = await world.run(`vouch sidecar ${sidecarFlags}`, /fresh/)
  assert.deepEqual([own.code, own.stdout, own.stderr], [0, '', 'aws/token and aws/config are fresh\n'])
  const other = await named('aws-irsa-sidecar', sidecarFlags, /fresh/)
  assert.deepEqual([other.code, other.stdout, other.stderr], [1, '', own.stderr])
  assert.match(readFileSync(join(world.folder, 'aws/config'), 'utf8'), new RegExp(`^role_arn = ${remoteRoleArn}$`, 'm'))
  const { code, stdout, stderr } = await bySdk('aws/config')
  assert.deepEqual([code, stdout, stderr], [0, 'from afar', ''])
})
