// What goes wrong in the accounts themselves, and what is said of it: the emulator refuses, and nobody plays it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AwsError, serviceModel } from '#aws'
import { createAwsClient, inProcessTransport, staticCredentials } from '#aws/client'
import { seededRandom } from '#base'
import { secrets } from '#kube'
import { operatorNamespace } from '../testing/dns-world.ts'
import { speakingOperand } from '../testing/speaking-operand.ts'
import { type Accounts, clusterAccount, roleArn, twoAccounts } from '../testing/two-accounts.ts'

test('a zone that the account does not have is named [17.8]', async () => {
  await using accounts = await twoAccounts()
  await accounts.create({ arn: roleArn }, { zones: [accounts.zone, 'ZNOTTHERE00001'] })
  const said = await accounts.said()
  assert.deepEqual([said.ZonesAccessible, said.Available], ['False/NoSuchHostedZone', 'False/ZoneAccessDenied'])
  assert.equal(await accounts.message('ZonesAccessible'), 'The zone ZNOTTHERE00001 does not exist in the account.')
})

test('a label that is too long is told as AWS says it, with the name, and without the account [17.10]', async () => {
  const { accounts, say } = await speakingOperand()
  await using _ = accounts
  const Name = `${'a'.repeat(64)}.example.com`
  const ResourceRecordSet = { Name, Type: 'A', TTL: 300, ResourceRecords: [{ Value: '192.0.2.1' }] }
  const ChangeBatch = { Changes: [{ Action: 'CREATE', ResourceRecordSet }] }
  const refusal = await accounts.route53
    .call('ChangeResourceRecordSets', { HostedZoneId: accounts.zone, ChangeBatch })
    .then(() => assert.fail('AWS takes it'))
    .catch((error: unknown) => (error instanceof AwsError ? `${error.code}: ${error.message}` : Promise.reject(error)))
  await say(`time="2026" level=error msg="Failed submitting change (error: ${refusal}), it will be retried"`)
  const said = await accounts.said()
  assert.deepEqual([said.RecordsSynced, said.Available], ['False/DomainLabelTooLong', 'False/SyncFailing'])
  assert.match((await accounts.message('RecordsSynced')) ?? '', new RegExp(Name))
})

test('keys that nobody has, keys of another secret and a session that has run out are told apart, and new keys are taken up with one restart [17.11]', async () => {
  await using accounts = await twoAccounts()
  await accounts.create({ arn: roleArn })
  assert.equal((await accounts.said()).Available, 'True/Available')
  const good = await dataOf(accounts)
  const session = await sessionOf(accounts)
  const id = good['aws_access_key_id'] ?? ''
  for (const [keys, reason] of [
    [{ aws_access_key_id: 'AKIAIOSFODNN7EXAMPLE', aws_secret_access_key: 'nobody' }, 'InvalidClientToken'],
    [{ aws_access_key_id: id, aws_secret_access_key: 'another' }, 'SignatureMismatch'],
    [{ credentials: session }, 'ExpiredToken'],
  ] as const) {
    await put(accounts, keys)
    await accounts.later()
    const said = await accounts.said()
    assert.deepEqual([said.CredentialsValid, said.Available], [`False/${reason}`, 'False/AuthenticationFailed'])
  }
  const before = (await accounts.world.deployment())?.metadata.generation ?? 0
  await put(accounts, good)
  await accounts.later()
  assert.equal((await accounts.said()).Available, 'True/Available')
  assert.equal((await accounts.world.deployment())?.metadata.generation, before + 1)
})

const at = { namespace: operatorNamespace, name: 'dns-creds' }

async function dataOf({ world }: Accounts): Promise<Readonly<Record<string, string>>> {
  const { data } = (await world.client.get(secrets, at)) as unknown as { readonly data: Readonly<Record<string, string>> }
  return Object.fromEntries(Object.entries(data).map(([key, value]) => [key, Buffer.from(value, 'base64').toString()]))
}

/** In the place of all that the Secret held. */
async function put({ world }: Accounts, keys: Readonly<Record<string, string>>): Promise<void> {
  const held = await world.client.get(secrets, at)
  const data = Object.fromEntries(Object.entries(keys).map(([key, value]) => [key, Buffer.from(value).toString('base64')]))
  await world.client.update(secrets, { ...held, data } as typeof held)
  await world.settle()
}

/** A file with the shortest session that there is; the next try is later than its end. */
async function sessionOf({ aws, world }: Accounts): Promise<string> {
  const sts = createAwsClient({
    model: serviceModel('sts'),
    region: 'us-east-1',
    credentials: staticCredentials(aws.adminCredentials(clusterAccount)),
    transport: inProcessTransport(aws.handle),
    clock: world.world.clock,
    random: seededRandom(4),
  })
  const { Credentials } = await sts.call('GetSessionToken', { DurationSeconds: 900 })
  const field = (name: string): string => String(Reflect.get(Object(Credentials), name))
  return [
    '[default]',
    `aws_access_key_id = ${field('AccessKeyId')}`,
    `aws_secret_access_key = ${field('SecretAccessKey')}`,
    `aws_session_token = ${field('SessionToken')}`,
  ].join('\n')
}
