// Each right that it takes, taken away alone: one condition names it, the sum says where to look, and an operand of another object goes on.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { permissionPolicy } from '../policies/policies.ts'
import { type Accounts, allow, roleArn, twoAccounts } from '../testing/two-accounts.ts'

const all = [
  'route53:ChangeResourceRecordSets',
  'route53:ListHostedZones',
  'route53:ListResourceRecordSets',
  'route53:ListTagsForResources',
  'iam:SimulatePrincipalPolicy',
]
const but = (action: string): object => ({
  Version: '2012-10-17',
  Statement: [{ Effect: 'Allow', Action: all.filter(one => one !== action), Resource: '*' }],
})

interface Lacking {
  readonly action: string
  readonly spec?: (accounts: Accounts) => object
}

const byTags = (): object => ({
  provider: {
    type: 'AWS',
    aws: { credentials: { name: 'dns-creds' }, assumeRole: { arn: roleArn }, zoneTags: { team: 'a' } },
  },
  zoneDiscovery: { mode: 'AssumedRole' },
})
const simulating = ({ zone }: Accounts): object => ({ zones: [zone], preflight: { simulate: true } })

const lacking: readonly Lacking[] = [
  { action: 'route53:ListHostedZones' },
  { action: 'route53:ListResourceRecordSets' },
  { action: 'route53:ListTagsForResources', spec: byTags },
  { action: 'route53:ChangeResourceRecordSets', spec: simulating },
]

for (const { action, spec } of lacking)
  test(`a role that lacks ${action} alone is told so, and nobody else is [17.1]`, async () => {
    await using accounts = await twoAccounts()
    await another(accounts)
    await allow(accounts.iam, but(action))
    await accounts.create({ arn: roleArn }, spec?.(accounts))
    const said = await accounts.said()
    assert.deepEqual(
      [said.CredentialsValid, said.RoleAssumable, said.ZonesAccessible, said.Available],
      ['True/Accepted', 'True/Assumed', 'False/AccessDenied', 'False/ZoneAccessDenied'],
    )
    assert.equal(await accounts.message('ZonesAccessible'), `assumed role is not allowed to perform ${action}`)
    assert.equal((await accounts.world.said('green')).Available, 'True/Available')
    await allow(accounts.iam, but('nothing'))
    await accounts.later()
    assert.notEqual((await accounts.said()).ZonesAccessible, 'False/AccessDenied')
  })

test('credentials that lack sts:AssumeRole are told what it takes, and nobody else is', async () => {
  await using accounts = await twoAccounts()
  await another(accounts)
  await accounts.clusterIam.call('DeleteUserPolicy', { UserName: 'dns', PolicyName: 'assume' })
  await accounts.create({ arn: roleArn })
  const said = await accounts.said()
  assert.deepEqual(
    [said.CredentialsValid, said.RoleAssumable, said.Available],
    ['True/Accepted', 'False/AccessDenied', 'False/AuthenticationFailed'],
  )
  assert.match((await accounts.message('RoleAssumable')) ?? '', /^The role dns cannot be assumed: .*sts:AssumeRole/)
  assert.equal((await accounts.world.said('green')).Available, 'True/Available')
})

test('with the rights of the policy document that is shipped nothing is missing', async () => {
  await using accounts = await twoAccounts()
  await allow(accounts.iam, permissionPolicy('aws', [accounts.zone]))
  await accounts.create({ arn: roleArn })
  assert.equal((await accounts.said()).Available, 'True/Available')
})

/** An object of another provider, with names of its own. */
async function another({ world }: Accounts): Promise<void> {
  await world.secret('gcp', { 'gcp-credentials.json': '{}' })
  const spec = {
    provider: { type: 'GCP', gcp: { project: 'p', credentials: { name: 'gcp' } } },
    source: { type: 'Service', fqdnTemplate: ['{{.Name}}.example.org'] },
    domains: [{ filterType: 'Include', matchType: 'Exact', name: 'example.org' }],
  }
  await world.create(spec, 'green', 'v1beta2')
  await world.settle()
}
