// Files of credentials as people write them, and roles that are not what they seem.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type StoredObject, secrets } from '#kube'
import { operatorNamespace } from '../testing/dns-world.ts'
import { type Accounts, roleArn, twoAccounts, zonesAccount } from '../testing/two-accounts.ts'

async function withFile(accounts: Accounts, render: (id: string, key: string) => string): Promise<void> {
  const at = { namespace: operatorNamespace, name: 'dns-creds' }
  const { data = {} } = await accounts.world.client.get<StoredObject & { data?: Record<string, string> }>(secrets, at)
  const plain = (name: string): string => Buffer.from(data[name] ?? '', 'base64').toString()
  const file = render(plain('aws_access_key_id'), plain('aws_secret_access_key'))
  const body = { data: { credentials: Buffer.from(file).toString('base64') } }
  await accounts.world.client.patch(secrets, at, 'merge', body)
  await accounts.world.settle()
}

test('line ends of Windows and a second profile do no harm', async () => {
  await using accounts = await twoAccounts()
  await withFile(
    accounts,
    (id, key) =>
      `[other]\r\naws_access_key_id = x\r\n\r\n[default]\r\naws_access_key_id = ${id}\r\naws_secret_access_key = ${key}\r\n`,
  )
  await accounts.create({ arn: roleArn })
  const said = await accounts.said()
  assert.deepEqual(
    [said.CredentialsValid, said.RoleAssumable, said.Available],
    ['True/Accepted', 'True/Assumed', 'True/Available'],
  )
})

test('a file without the profile default is of no use, and the profiles that it has are named', async () => {
  await using accounts = await twoAccounts()
  await withFile(accounts, (id, key) => `[one]\naws_access_key_id = ${id}\naws_secret_access_key = ${key}\n[two]\nregion = x\n`)
  await accounts.create({ arn: roleArn })
  assert.equal((await accounts.said()).CredentialsValid, 'False/InvalidSecret')
  assert.equal(
    await accounts.message('CredentialsValid'),
    'the key credentials has no usable profile default; it has one, two, which the operand does not look at',
  )
})

test('a role that does not exist is told as one that cannot be assumed, with all that it takes', async () => {
  await using accounts = await twoAccounts()
  await accounts.create({ arn: `arn:aws:iam::${zonesAccount}:role/nobody` })
  assert.equal((await accounts.said()).RoleAssumable, 'False/AccessDenied')
  assert.match(
    (await accounts.message('RoleAssumable')) ?? '',
    /^The role nobody cannot be assumed: it has to exist, its trust policy/,
  )
})
