// Who may be named in a trust policy, and what reads show of those who are gone.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CreateRoleCommand, GetRoleCommand } from '@aws-sdk/client-iam'
import { type Ask, asked, at } from './asked.ts'
import { accountA, accountB, clients, refusal } from './clients.ts'
import { placeholders } from './vectors/perform.ts'

const account = `arn:aws:iam::${accountA}`
const trust = (AWS: string): string =>
  JSON.stringify({ Version: '2012-10-17', Statement: [{ Effect: 'Allow', Principal: { AWS }, Action: 'sts:AssumeRole' }] })
const role = (iam: Ask, RoleName: string, principal: string = accountA, more: object = {}): Promise<unknown> =>
  iam('CreateRole', { RoleName, AssumeRolePolicyDocument: trust(principal), ...more })

const rows: readonly (readonly [principal: string, exists: boolean])[] = [
  [accountA, true],
  ['999999999999', false],
  [`${account}:root`, true],
  ['arn:aws:iam::999999999999:root', false],
  [`arn:aws:sts::${accountA}:root`, false],
  [`${account}:root/x`, false],
  [`arn:aws-cn:iam::${accountA}:root`, false],
  [`${account}:role/r`, true],
  [`${account}:role/x/pathed`, true],
  [`${account}:role/pathed`, false],
  [`${account}:role/nobody`, false],
  [`${account}:role/u`, false],
  [`arn:aws:sts::${accountA}:role/r`, false],
  [`${account}:user/u`, true],
  [`${account}:user/r`, false],
  [`${account}:user/emulator-admin`, true],
  [`${account}:group/g`, false],
  [`arn:aws:sts::${accountA}:assumed-role/r/session`, true],
  [`arn:aws:sts::${accountA}:assumed-role/nobody/session`, false],
  [`${account}:assumed-role/r/session`, false],
  ['AROAABCDEFGHIJKLMNOPQ', false],
  ['AIDAABCDEFGHIJKLMNOPQ', false],
  ['nobody', false],
]
for (const [principal, exists] of rows) {
  test(`a trust policy that names ${principal} is ${exists ? 'taken' : 'refused'}`, async () => {
    const { iam } = asked()
    await role(iam, 'r')
    await role(iam, 'pathed', accountA, { Path: '/x/' })
    await iam('CreateUser', { UserName: 'u' })
    await iam('CreateGroup', { GroupName: 'g' })
    const answer = await role(iam, 'target', principal)
    if (exists) assert.equal(at(answer, 'Role', 'AssumeRolePolicyDocument'), trust(principal))
    else
      assert.deepEqual(answer, [
        'MalformedPolicyDocumentException',
        400,
        placeholders(`Invalid principal in policy: "AWS":"${principal}"`),
      ])
  })
}

test('roles and users may be named by their ids, and are shown by their ARNs while they are there', async () => {
  const world = clients()
  const make = async (RoleName: string, principal: string): Promise<string> => {
    const input = { RoleName, AssumeRolePolicyDocument: trust(principal) }
    return (await world.iam.send(new CreateRoleCommand(input))).Role?.RoleId ?? ''
  }
  const id = await make('r', accountA)
  await make('target', id)
  const { Role } = await world.iam.send(new GetRoleCommand({ RoleName: 'target' }))
  assert.equal(decodeURIComponent(Role?.AssumeRolePolicyDocument ?? ''), trust(`${account}:role/r`))
})

test('a role of another account is found there, and an account exists once it was used', async () => {
  const world = clients({ accounts: [accountA] })
  const make = (iam: typeof world.iam, RoleName: string, principal: string): Promise<unknown> =>
    iam.send(new CreateRoleCommand({ RoleName, AssumeRolePolicyDocument: trust(principal) }))
  const other = `arn:aws:iam::${accountB}:role/theirs`
  for (const principal of [accountB, other])
    assert.equal((await refusal(make(world.iam, 'mine', principal))).code, 'MalformedPolicyDocumentException')
  const { iam } = world.as({ account: accountB })
  await make(iam, 'theirs', accountA)
  await make(world.iam, 'mine', other)
  await make(world.iam, 'mine-too', accountB)
})

test('a user of a new name is still who a trust policy named', async () => {
  const { iam } = asked()
  await iam('CreateUser', { UserName: 'u' })
  await role(iam, 'target', `${account}:user/u`)
  const shown = async (): Promise<unknown> => at(await iam('GetRole', { RoleName: 'target' }), 'Role', 'AssumeRolePolicyDocument')
  await iam('UpdateUser', { UserName: 'u', NewUserName: 'v', NewPath: '/x/' })
  assert.equal(await shown(), trust(`${account}:user/x/v`))
  await iam('UpdateUser', { UserName: 'v', NewUserName: 'V' })
  assert.equal(await shown(), trust(`${account}:user/x/V`))
})
