import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  CreatePolicyCommand,
  CreateRoleCommand,
  DeleteRoleCommand,
  GetRoleCommand,
  ListRolesCommand,
  PutRolePolicyCommand,
  TagRoleCommand,
} from '@aws-sdk/client-iam'
import { CreateBucketCommand, GetObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3'
import { AssumeRoleCommand, GetCallerIdentityCommand } from '@aws-sdk/client-sts'
import { ManualClock } from '#base'
import { createAws } from '#emulator'
import { accountA, type Clients, clients, refusal } from './clients.ts'

const trust = JSON.stringify({
  Version: '2012-10-17',
  Statement: [{ Effect: 'Allow', Principal: { AWS: accountA }, Action: 'sts:AssumeRole' }],
})
const make = ({ iam }: Pick<Clients, 'iam'>, RoleName = 'r'): Promise<{ Role?: { Arn?: string | undefined } | undefined }> =>
  iam.send(new CreateRoleCommand({ RoleName, AssumeRolePolicyDocument: trust }))
const RoleArn = `arn:aws:iam::${accountA}:role/r`
const assume = ({
  sts,
}: Pick<Clients, 'sts'>): Promise<{
  Credentials?:
    | { AccessKeyId?: string | undefined; SecretAccessKey?: string | undefined; SessionToken?: string | undefined }
    | undefined
}> => sts.send(new AssumeRoleCommand({ RoleArn, RoleSessionName: 'session' }))

/** Seconds until the new role can be assumed. */
async function secondsUntilSeen(seed: string): Promise<number> {
  const world = clients({ profile: 'async', seed })
  await make(world)
  for (let second = 0; second < 60; second++) {
    const found = await assume(world).then(
      () => 'ok',
      (error: Error) => error.name,
    )
    if (found === 'ok') return second
    assert.equal(found, 'AccessDenied')
    await world.clock.advance(1_000)
  }
  throw new Error('the role was never seen')
}

test('under delays a new role is refused first and works later, at the same instant for the same seed [#104]', async () => {
  const first = await secondsUntilSeen('one')
  assert.ok(first >= 4 && first <= 12)
  assert.equal(await secondsUntilSeen('one'), first)
  const others = await Promise.all(['two', 'three', 'four', 'five'].map(secondsUntilSeen))
  assert.ok(new Set([first, ...others]).size > 1, 'another seed draws other delays')
})

test('delays of one object do not shift when another is written before [#104]', async () => {
  const world = clients({ profile: 'async', seed: 'one' })
  await make(world, 'another')
  await make(world)
  const expected = await secondsUntilSeen('one')
  await world.clock.advance((expected - 1) * 1_000)
  assert.equal((await refusal(assume(world))).code, 'AccessDenied')
  await world.clock.advance(1_000)
  await assume(world)
})

test('when the answer to a create is lost, the retry meets what was made [#105]', async () => {
  const world = clients({ maxAttempts: 2 })
  world.aws.faults.add({ match: { operation: 'CreateRole' }, effect: { kind: 'timeout-after' }, times: 1 })
  const lost = await refusal(make(world))
  assert.ok(['EntityAlreadyExistsException', 'HttpFailure'].includes(lost.code))
  assert.equal((await refusal(make(world))).code, 'EntityAlreadyExistsException')
})

test('a request that is dropped before it arrives has no effect', async () => {
  const world = clients()
  world.aws.faults.add({ match: { operation: 'CreateRole' }, effect: { kind: 'timeout-before' }, times: 1 })
  await refusal(make(world))
  await make(world)
})

test('faults: an error, a throttle, html in place of an answer, a cut body and a doubled request', async () => {
  const world = clients()
  await make(world)
  const read = (): Promise<unknown> => world.iam.send(new GetRoleCommand({ RoleName: 'r' }))
  const once = async (effect: Parameters<typeof world.aws.faults.add>[0]['effect'], operation = 'GetRole'): Promise<void> =>
    void world.aws.faults.add({ match: { operation }, effect, times: 1 })
  await once({ kind: 'error', code: 'ServiceFailure', http: 500, message: 'broken' })
  assert.deepEqual(await refusal(read()), { code: 'ServiceFailureException', status: 500, message: 'broken' })
  await once({ kind: 'throttle' })
  assert.deepEqual(await refusal(read()), { code: 'Throttling', status: 400, message: 'Rate exceeded' })
  await once({ kind: 'html-502' })
  assert.equal((await refusal(read())).status, 502)
  await once({ kind: 'truncate-body' })
  await refusal(read())
  await once({ kind: 'duplicate' }, 'CreatePolicy')
  const PolicyDocument = JSON.stringify({ Statement: { Effect: 'Allow', Action: 's3:*', Resource: '*' } })
  await world.iam.send(new CreatePolicyCommand({ PolicyName: 'p', PolicyDocument }))
  await read()
})

test('a stale read sees what was there before, and a list may miss an item', async () => {
  const world = clients()
  await make(world)
  await world.clock.advance(5_000)
  await world.iam.send(new TagRoleCommand({ RoleName: 'r', Tags: [{ Key: 'a', Value: 'b' }] }))
  const tags = async (): Promise<unknown> => (await world.iam.send(new GetRoleCommand({ RoleName: 'r' }))).Role?.Tags
  world.aws.faults.add({ match: { operation: 'GetRole' }, effect: { kind: 'stale-read', ageMs: 1_000 }, times: 1 })
  assert.deepEqual([await tags(), await tags()], [undefined, [{ Key: 'a', Value: 'b' }]])
  world.aws.faults.add({ match: { operation: 'ListRoles' }, effect: { kind: 'partial-list' }, times: 1 })
  const count = async (): Promise<unknown> => (await world.iam.send(new ListRolesCommand({}))).Roles?.length
  assert.deepEqual([await count(), await count()], [0, 1])
})

test('a change that meets a stale state is refused as of then or made to what there is now, and never lost', async () => {
  const world = clients()
  await make(world)
  await world.clock.advance(5_000)
  const stale = (operation: string, ageMs: number): unknown =>
    world.aws.faults.add({ match: { operation }, effect: { kind: 'stale-read', ageMs }, times: 1 })
  const roles = async (): Promise<unknown> => (await world.iam.send(new ListRolesCommand({}))).Roles?.length
  await world.iam.send(new TagRoleCommand({ RoleName: 'r', Tags: [{ Key: 'a', Value: 'b' }] }))
  await make(world, 'second')
  await world.clock.advance(1_000)
  stale('DeleteRole', 2_000)
  assert.equal((await refusal(world.iam.send(new DeleteRoleCommand({ RoleName: 'second' })))).code, 'NoSuchEntityException')
  assert.equal(await roles(), 2, 'a replica that does not know the role yet deletes nothing')
  stale('DeleteRole', 2_000)
  await world.iam.send(new DeleteRoleCommand({ RoleName: 'r' }))
  assert.equal(await roles(), 1, 'what AWS says was deleted is gone')
})

test('a propagation fault makes one object late', async () => {
  const world = clients()
  world.aws.faults.add({ match: { service: 'iam', resource: 'roles/r' }, effect: { kind: 'propagation', extraMs: 3_000 } })
  await make(world)
  assert.equal((await refusal(assume(world))).code, 'AccessDenied')
  await world.clock.advance(3_000)
  await assume(world)
})

test('a snapshot keeps keys, sessions and what was under way; the original does not feel its fork [#107]', async () => {
  const world = clients({ profile: 'async' })
  await make(world)
  await world.clock.advance(15_000)
  const { Credentials: made } = await assume(world)
  await world.s3.send(new CreateBucketCommand({ Bucket: 'bucket-1' }))
  await world.s3.send(new PutObjectCommand({ Bucket: 'bucket-1', Key: 'k', Body: 'x' }))
  await world.clock.advance(5_000)
  const clock = new ManualClock(world.clock.now())
  const restored = createAws({ seed: 'catalogue', profile: 'async', signatures: 'verify', clock, data: world.aws.snapshot() })
  const credentials = {
    accessKeyId: made?.AccessKeyId ?? '',
    secretAccessKey: made?.SecretAccessKey ?? '',
    sessionToken: made?.SessionToken ?? '',
  }
  const after = clients({ profile: 'async' }, { aws: restored, clock })
  const { Arn } = await after.as({ credentials }).sts.send(new GetCallerIdentityCommand({}))
  assert.equal(Arn, `arn:aws:sts::${accountA}:assumed-role/r/session`)
  const read = await after.s3.send(new GetObjectCommand({ Bucket: 'bucket-1', Key: 'k' }))
  assert.equal(await read.Body?.transformToString(), 'x')
  assert.equal(restored.snapshot().length > 100, true)
  await after.iam.send(new DeleteRoleCommand({ RoleName: 'r' }))
  await world.iam.send(new GetRoleCommand({ RoleName: 'r' }))
})

test('a fork goes its own way from the same state [#107]', async () => {
  const world = clients()
  await make(world)
  const forked = clients({}, { aws: world.aws.fork(), clock: world.clock })
  await forked.iam.send(new DeleteRoleCommand({ RoleName: 'r' }))
  await world.iam.send(new GetRoleCommand({ RoleName: 'r' }))
  assert.equal((await refusal(forked.iam.send(new GetRoleCommand({ RoleName: 'r' })))).code, 'NoSuchEntityException')
  const [mine, theirs] = [world.aws.snapshot(), forked.aws.snapshot()]
  assert.notEqual(mine, theirs)
})

test('two runs with one seed are the same call by call, request ids and throttles included [#111]', async () => {
  const run = async (): Promise<readonly unknown[]> => {
    const world = clients({
      seed: 'same',
      clock: new ManualClock(Date.UTC(2026, 0, 1)),
      signatures: 'parse',
      knobs: { throttling: 'tight' },
    })
    for (let index = 0; index < 12; index++) await make(world, `r${index}`).catch(() => {})
    await world.iam.send(new PutRolePolicyCommand({ RoleName: 'r0', PolicyName: 'p', PolicyDocument: '{}' })).catch(() => {})
    return world.aws.calls.all().map(({ userAgent: _agent, ...call }) => call)
  }
  const first = await run()
  assert.deepEqual(await run(), first)
  assert.ok(first.some(call => (call as { throttled: boolean }).throttled))
  assert.equal(new Set(first.map(call => (call as { requestId: string }).requestId)).size, first.length)
})

test('two callers that write one role within 200 ms conflict, one caller alone does not', async () => {
  const world = clients({ profile: 'demo', signatures: 'parse' })
  await make(world)
  const root = world.as({ credentials: { accessKeyId: accountA, secretAccessKey: 'x' } })
  const tag = ({ iam }: Pick<Clients, 'iam'>, Key: string): Promise<unknown> =>
    iam.send(new TagRoleCommand({ RoleName: 'r', Tags: [{ Key, Value: '' }] }))
  await tag(world, 'a')
  const { code, status } = await refusal(tag(root, 'b'))
  assert.deepEqual([code, status], ['ConcurrentModificationException', 409])
  await world.clock.advance(200)
  await tag(root, 'b')
})
