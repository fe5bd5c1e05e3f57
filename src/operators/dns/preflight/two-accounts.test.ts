// Credentials of one account, a role and a zone of another, and what is said when a right is missing.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allow, clusterAccount, roleArn, twoAccounts, zonesAccount } from '../testing/two-accounts.ts'

test('a role of another account is tried and found good, and nothing of the account is told', async () => {
  await using accounts = await twoAccounts()
  await accounts.create({ arn: roleArn })
  const said = await accounts.said()
  assert.deepEqual(
    [said.CredentialsValid, said.RoleAssumable, said.ZonesAccessible, said.Available],
    ['True/Accepted', 'True/Assumed', 'True/Readable', 'True/Available'],
  )
  const { status } = await accounts.world.dns()
  assert.equal(status?.aws?.assumedRole, 'dns')
  assert.doesNotMatch(JSON.stringify(status), new RegExp(`${zonesAccount}|${clusterAccount}`))
})

test('a role whose trust names somebody else is no reason to touch the Deployment [#75, 17.2]', async () => {
  await using accounts = await twoAccounts('another')
  await accounts.create({ arn: roleArn })
  const said = await accounts.said()
  assert.deepEqual([said.RoleAssumable, said.Available], ['False/AccessDenied', 'False/AuthenticationFailed'])
  assert.ok((await accounts.world.deployment()) !== undefined)
})

test('an external id that the trust does not ask for is said to be one, and the right one works [17.3]', async () => {
  await using accounts = await twoAccounts('right')
  await accounts.create({ arn: roleArn, externalID: 'wrong' })
  assert.equal((await accounts.said()).RoleAssumable, 'False/ExternalIDMismatch')
  const dns = await accounts.world.dns('blue', 'v1beta2')
  const provider = { type: 'AWS', aws: { credentials: { name: 'dns-creds' }, assumeRole: { arn: roleArn, externalID: 'right' } } }
  const { kinds } = await import('../api/kinds.ts')
  await accounts.world.client.update(kinds.v1beta2.type, { ...dns, spec: { ...dns.spec, provider } })
  await accounts.world.settle()
  assert.equal((await accounts.said()).RoleAssumable, 'True/Assumed')
})

test('a right that the role lacks is named, and once it is given all is well without a restart [#76, #77]', async () => {
  await using accounts = await twoAccounts()
  await accounts.create({ arn: roleArn })
  const Statement = [{ Effect: 'Allow', Action: 'route53:ListResourceRecordSets', Resource: '*' }]
  await allow(accounts.iam, { Version: '2012-10-17', Statement })
  await accounts.later()
  const said = await accounts.said()
  assert.deepEqual([said.ZonesAccessible, said.Available], ['False/AccessDenied', 'False/ZoneAccessDenied'])
  const message = 'assumed role is not allowed to perform route53:ListHostedZones'
  assert.deepEqual([await accounts.message('ZonesAccessible'), await accounts.message('Available')], [message, message])
  await allow(accounts.iam)
  await accounts.later()
  assert.equal((await accounts.said()).Available, 'True/Available')
  const template = (await accounts.world.deployment())?.metadata.generation
  assert.equal(template, 1)
})
