// What goes wrong between the real ExternalDNS, AWS and a cluster, and what is said of it; and the other ways to an identity and to a name.
import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { crossAccountTrust, permissionPolicy } from '#operators/dns'
import { newestKind } from '../../src/operators/dns/api.ts'
import { clusterAccount, domain, roleArn } from './dns-operand/accounts.ts'
import { embeddedCluster } from './dns-operand/cluster.ts'
import { runJob } from './dns-operand/jobs.ts'
import { type Made, makeEndpoint, makeIngress, makeRoute } from './dns-operand/sources.ts'
import { awsSpec, crossAccount } from './dns-operand/specs.ts'
import { type OperandWorld, openOperandWorld } from './dns-operand/world.ts'
import { comesAbout } from './eventually.ts'
import { gatewayDefinitions } from './gateway-api.ts'
import { ownAddress } from './own-address.ts'
import { externalDnsProgram, newestOperand, oldestOperand } from './programs/external-dns.ts'

const version = oldestOperand
const program = externalDnsProgram(version)
const skip =
  ('skipped' in program ? program.skipped : undefined) ??
  (ownAddress === undefined ? 'this machine has no IPv4 address but loopback' : false)
const path = 'path' in program ? program.path : ''
const user = `arn:aws:iam::${clusterAccount}:user/dns`

describe(`troubles and other ways of the real ExternalDNS ${version}`, { skip }, () => {
  let world: OperandWorld
  before(async () => {
    // A zone of ten thousand records of others, beside ours.
    world = await openOperandWorld({
      program: path,
      version,
      openCluster: embeddedCluster,
      knobs: { quotas: { recordsPerZone: 11_000 } },
    })
    const roles = ['dns', 'guarded'].map(roleArn)
    const base = `arn:aws:iam::${clusterAccount}:role/base`
    const keys = await world.accounts.userKeys('dns', [...roles, base])
    await world.secret('dns-keys', keys)
    await world.accounts.role({ name: 'dns', trust: crossAccountTrust(user), rights: permissionPolicy() })
    await world.accounts.role({ name: 'guarded', trust: crossAccountTrust(user, 'right/one'), rights: permissionPolicy() })
    const mayAssume = {
      Version: '2012-10-17',
      Statement: [{ Effect: 'Allow', Action: 'sts:AssumeRole', Resource: roleArn('chained') }],
    }
    await world.accounts.role({ name: 'base', account: clusterAccount, trust: crossAccountTrust(user), rights: mayAssume })
    await world.accounts.role({ name: 'chained', trust: crossAccountTrust(base), rights: permissionPolicy() })
    await world.secret('chain', {
      credentials: [
        '[default]',
        `role_arn = ${base}`,
        'source_profile = keys',
        '[keys]',
        `aws_access_key_id = ${keys['aws_access_key_id']}`,
        `aws_secret_access_key = ${keys['aws_secret_access_key']}`,
        '',
      ].join('\n'),
    })
  })
  after(async () => {
    await world?.[Symbol.asyncDispose]()
  })

  const recordsOf = async (name: string): Promise<readonly string[]> =>
    (await world.accounts.records()).filter(text => text.startsWith(`A ${name}.`))

  it('a wrong external id is told to be one, and the right one writes [20.7]', async () => {
    await world.loadBalancer('guarded', '192.0.2.10', { labels: { dns: 'guarded' } })
    const { zone } = world.accounts
    await world.create('guarded', crossAccount({ arn: roleArn('guarded'), externalID: 'wrong' }, zone, 'guarded'))
    await world.comesToSay('guarded', 'RoleAssumable', 'False/ExternalIDMismatch')
    await world.comesToSay('guarded', 'RecordsSynced', 'False/AccessDenied')
    await world.comesToSay('guarded', 'Available', 'False/AuthenticationFailed')
    assert.deepEqual(await recordsOf('guarded'), [])
    await world.change('guarded', crossAccount({ arn: roleArn('guarded'), externalID: 'right/one' }, zone, 'guarded'))
    await world.comesToSay('guarded', 'RoleAssumable', 'True/Assumed')
    await world.comesToSay('guarded', 'Available', 'True/Available')
    assert.deepEqual(await recordsOf('guarded'), [`A guarded.${domain}. 192.0.2.10`])
    await world.remove('guarded')
  })

  it('credentials that are a role themselves assume the role of the zone [20.7]', async () => {
    await world.loadBalancer('chained', '192.0.2.11', { labels: { dns: 'chained' } })
    const aws = { credentials: { name: 'chain' }, assumeRole: { arn: roleArn('chained') }, region: 'us-east-1' }
    await world.create('chained', awsSpec(aws, world.accounts.zone, 'chained'))
    await world.comesToSay('chained', 'Available', 'True/Available')
    await world.comesToSay('chained', 'RecordsSynced', 'True/UpToDate')
    assert.deepEqual(await recordsOf('chained'), [`A chained.${domain}. 192.0.2.11`])
    await world.remove('chained')
  })

  it('a throttled Route 53 is told to be one, and what waited is written once it answers again [20.7]', async () => {
    const fault = world.accounts.aws.faults.add({
      match: { service: 'route53', operation: 'ChangeResourceRecordSets' },
      effect: { kind: 'throttle' },
    })
    await world.loadBalancer('late', '192.0.2.12', { labels: { dns: 'late' } })
    await world.create('late', crossAccount({ arn: roleArn('dns') }, world.accounts.zone, 'late'))
    await world.comesToSay('late', 'RecordsSynced', 'False/Throttled')
    await world.comesToSay('late', 'Available', 'False/SyncFailing')
    fault.remove()
    await world.lookAgain('late')
    await world.comesToSay('late', 'Available', 'True/Available')
    assert.deepEqual(await recordsOf('late'), [`A late.${domain}. 192.0.2.12`])
    await world.remove('late')
  })

  it('a zone of ten thousand records of others is read to its end, and they stay [20.7]', async () => {
    await world.accounts.manyForeignRecords(10_000)
    await world.loadBalancer('beside', '192.0.2.13', { labels: { dns: 'beside' } })
    await world.create('beside', crossAccount({ arn: roleArn('dns') }, world.accounts.zone, 'beside'))
    await world.comesToSay('beside', 'RecordsSynced', 'True/UpToDate')
    assert.deepEqual(await world.accounts.resolve(`beside.${domain}`, 'A'), ['192.0.2.13'])
    assert.deepEqual(await world.accounts.resolve(`foreign-9999.${domain}`, 'A'), ['198.51.100.7'])
    await world.remove('beside')
  })

  const keysAndRole = { credentials: { name: 'dns-keys' }, assumeRole: { arn: roleArn('dns') }, region: 'us-east-1' }
  const byHost = (type: string): object => ({ type, hostnameAnnotation: 'Allow', fqdnTemplate: [] })

  /** The objects that bear its name as a label become one record each. */
  async function becomesRecord(type: string, { name, address }: Made): Promise<void> {
    await world.create(name, awsSpec(keysAndRole, world.accounts.zone, name, byHost(type)))
    await world.comesToSay(name, 'RecordsSynced', 'True/UpToDate')
    assert.deepEqual(await recordsOf(name), [`A ${name}.${domain}. ${address}`], await world.log(name))
    await world.remove(name)
  }

  it('an Ingress becomes records of its hosts', async () => {
    const made = { name: 'shop', address: '192.0.2.20' }
    await makeIngress(world, made)
    await becomesRecord('Ingress', made)
  })

  it('a DNSEndpoint becomes the records that it says', async () => {
    const made = { name: 'api', address: '192.0.2.21' }
    await makeEndpoint(world, made)
    await becomesRecord('CRD', made)
  })

  it('an HTTPRoute becomes a record of its host, at the address of its Gateway', async context => {
    const definitions = gatewayDefinitions(version)
    // The definitions come with the operand's own module: where Go cannot fetch it, the text says so, and there is nothing to try.
    if ('skipped' in definitions) return context.skip(definitions.skipped)
    const made = { name: 'route', address: '192.0.2.22' }
    await makeRoute(world, definitions, made)
    await becomesRecord('GatewayHTTPRoute', made)
  })

  it('on wish the records go with their object, by one last run of the operand, and those of others stay', async () => {
    await world.loadBalancer('going', '192.0.2.23', { labels: { dns: 'going' } })
    const spec = { ...awsSpec(keysAndRole, world.accounts.zone, 'going'), operand: { cleanup: true } }
    await world.create('going', spec)
    await world.comesToSay('going', 'RecordsSynced', 'True/UpToDate')
    const ours = async (): Promise<readonly string[]> =>
      (await world.accounts.records()).filter(text => text.includes('going.') || text.includes('owner=external-dns-going'))
    const others = async (): Promise<readonly string[]> => {
      const mine = await ours()
      return (await world.accounts.records()).filter(text => !mine.includes(text))
    }
    const before = await others()
    assert.equal((await ours()).length, 3)
    await world.remove('going')
    await runJob(world, 'external-dns-going-cleanup')
    const key = { namespace: '', name: 'going' }
    await comesAbout(
      async () => (await world.cluster.admin.find(newestKind.type, key)) === undefined,
      () => 'the object is still there',
    )
    assert.deepEqual(await ours(), [])
    assert.deepEqual(await others(), before)
  })
})

const newer = externalDnsProgram(newestOperand())

describe(`an operand that is newer than its operator was told`, { skip: 'skipped' in newer ? newer.skipped : skip }, () => {
  it('ends at a flag that it does not know, and the flag is named; an operand of another object goes on [#88]', async () => {
    const options = { program: 'path' in newer ? newer.path : '', version: '0.14.2', openCluster: embeddedCluster }
    await using other = await openOperandWorld(options)
    await other.secret('dns-keys', await other.accounts.userKeys('dns', [roleArn('dns')]))
    await other.accounts.role({ name: 'dns', trust: crossAccountTrust(user), rights: permissionPolicy() })
    const keys = { EXTERNAL_DNS_INFOBLOX_WAPI_USERNAME: 'u', EXTERNAL_DNS_INFOBLOX_WAPI_PASSWORD: 'p' }
    await other.secret('infoblox', keys)
    await other.create('well', crossAccount({ arn: roleArn('dns') }, other.accounts.zone))
    const infoblox = { credentials: { name: 'infoblox' }, gridHost: 'grid', wapiPort: 443, wapiVersion: '2.3.1' }
    await other.create('unwell', {
      provider: { type: 'Infoblox', infoblox },
      source: { type: 'Service', hostnameAnnotation: 'Allow' },
    })
    const { message } = await other.comesToSay('unwell', 'Available', 'False/OperandIncompatible')
    assert.match(message, /flag parsing error: unknown long flag '--infoblox-/)
    await other.comesToSay('well', 'Available', 'True/Available')
  })
})
