// What the operand meets and what is tried beside it, told as one.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pods } from '#kube'
import { speakingOperand, speakingPod } from '../testing/speaking-operand.ts'
import { allow } from '../testing/two-accounts.ts'

const denied =
  'time="2026" level=error msg="records retrieval failed: AccessDenied: User: arn:aws:sts::111111111111:assumed-role/dns/1 is not authorized to perform: route53:ListHostedZones"'

test('a refusal that the operand meets has the credentials tried at once, and so has its end [13.3, 19.9]', async () => {
  const { accounts, say } = await speakingOperand()
  await using _ = accounts
  await say('time="2026" level=info msg="All records are already up to date"')
  assert.equal((await accounts.said()).ZonesAccessible, 'True/Readable')
  const Statement = [{ Effect: 'Allow', Action: 'route53:ListResourceRecordSets', Resource: '*' }]
  await allow(accounts.iam, { Version: '2012-10-17', Statement })
  await say(denied)
  const said = await accounts.said()
  assert.deepEqual(
    [said.RecordsSynced, said.ZonesAccessible, said.Available],
    ['False/AccessDenied', 'False/AccessDenied', 'False/ZoneAccessDenied'],
  )
  await allow(accounts.iam)
  await say('time="2026" level=info msg="All records are already up to date"')
  const after = await accounts.said()
  assert.deepEqual(
    [after.RecordsSynced, after.ZonesAccessible, after.Available],
    ['True/UpToDate', 'True/Readable', 'True/Available'],
  )
})

test('an operand that ends at a refusal is told by what was refused, and one that ends by itself as a crash [#88]', async () => {
  const { accounts } = await speakingOperand()
  await using _ = accounts
  const { client } = accounts.world
  const endedWith = async (message: string): Promise<string | undefined> => {
    const terminated = { exitCode: 1, reason: 'Error', message, startedAt: null, finishedAt: null }
    const waiting = { waiting: { reason: 'CrashLoopBackOff' } }
    const status = {
      containerStatuses: [
        { name: 'main', image: 'x', imageID: '', ready: false, restartCount: 3, state: waiting, lastState: { terminated } },
      ],
    }
    await client.patch(pods, speakingPod, 'merge', { status }, { subresource: 'status' })
    await accounts.world.advance(61_000)
    return (await accounts.said()).RecordsSynced
  }
  assert.equal(await endedWith(denied.replace('level=error', 'level=fatal')), 'False/AccessDenied')
  assert.equal(await endedWith('panic: runtime error'), 'False/Crash')
  assert.equal(await endedWith('time="2026" level=fatal msg="flag parsing error: unknown long flag \'--x\'"'), 'False/Crash')
  const { status } = await accounts.world.dns()
  assert.equal(status?.conditions?.find(({ type }) => type === 'Available')?.reason, 'OperandIncompatible')
})
