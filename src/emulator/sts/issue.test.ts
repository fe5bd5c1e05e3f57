import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { RoleView } from '../ports.ts'
import type { Context } from '../service.ts'
import { hashRandom } from '../state/hash-random.ts'
import { answered } from './answers.ts'
import { checkDuration, checkSessionPolicies, keepSession, newCredentials } from './issue.ts'
import { emptyState, type StoredSession, type StsState, withoutExpired } from './model.ts'

const role = { account: '123456789012', maxSessionDurationS: 7_200 } as unknown as RoleView
const known = 'arn:aws:iam::aws:policy/Known'
const policy = '{"Version":"2012-10-17","Statement":[{"Effect":"Allow","Action":"*","Resource":"*"}]}'

function context(state: StsState = emptyState): { readonly context: Context<StsState>; readonly timers: object[] } {
  const timers: object[] = []
  const made = {
    partition: 'aws',
    now: 5_000,
    store: { get: () => state, set: (next: StsState) => void (state = next) },
    schedule: (timer: object) => timers.push(timer),
    random: (name: string) => hashRandom(name),
    serial: () => 1,
    ports: { identities: { managedPolicy: (_account: string, arn: string) => (arn.startsWith(known) ? '{}' : undefined) } },
  }
  return { context: made as unknown as Context<StsState>, timers }
}
const sizeOf = (asked: object): number =>
  checkSessionPolicies(context().context, { policy: undefined, policyArns: [], tags: {}, role, ...asked })

test('a session lasts as long as its role allows, and one from another session an hour at most', () => {
  for (const [durationS, chained] of [
    [7_200, false],
    [3_600, true],
  ] as const)
    assert.doesNotThrow(() => checkDuration(role, durationS, chained))
  assert.throws(() => checkDuration(role, 7_201, false), {
    message: 'The requested DurationSeconds exceeds the MaxSessionDuration set for this role.',
  })
  assert.throws(() => checkDuration(role, 3_601, true), {
    message: 'The requested DurationSeconds exceeds the 1 hour session limit for roles assumed by role chaining',
  })
})

test('nothing takes no space, and everything that limits or names a session takes some', () => {
  assert.equal(sizeOf({}), 0)
  assert.equal(sizeOf({ policyArns: [known] }) > 0, true)
  assert.equal(sizeOf({ tags: { k: 'v' } }) > 0, true)
  assert.equal(sizeOf({ policy }) > sizeOf({ tags: { k: 'v' } }), true)
})

/** Digits do not pack well, and always alike. */
const noise = (length: number): string => Buffer.from(hashRandom('noise').bytes(length)).toString('hex').slice(0, length)

test('a session has no more than all of its space, in whole percent', () => {
  const percentOf = (length: number): number => {
    try {
      return sizeOf({ tags: { k: noise(length) } })
    } catch (error) {
      const { code, status, message } = error as { code: string; status: number; message: string }
      assert.deepEqual([code, status], ['PackedPolicyTooLarge', 400])
      const [, percent] = /^Packed policy consumes (\d+)% of allotted space, please use smaller policy\.$/.exec(message) ?? []
      return -Number(percent)
    }
  }
  let length = 2_000
  while (percentOf(length) > 0) length++
  assert.deepEqual([percentOf(length - 1), percentOf(length)], [100, -101])
  // Two hexadecimal digits are a byte at least, and twelve bytes a hundredth.
  assert.ok(length / 2 < 1_200 && length / 2 > 1_000, `${length}`)
})

test('the texts and names of session policies have 2048 characters together', () => {
  const sized = (length: number): string => policy.replace('}]}', `${' '.repeat(length - policy.length)}}]}`)
  assert.ok(sizeOf({ policy: sized(2_048) }) > 0)
  const refused = {
    code: 'ValidationError',
    message: 'The session policies together must have length less than or equal to 2048',
  }
  assert.throws(() => sizeOf({ policy: sized(2_049) }), refused)
  assert.ok(sizeOf({ policy: sized(2_048 - known.length), policyArns: [known] }) > 0)
  assert.throws(() => sizeOf({ policy: sized(2_049 - known.length), policyArns: [known] }), refused)
  const long = `${known}${'x'.repeat(1_024 - known.length)}`
  assert.ok(sizeOf({ policyArns: [long, long] }) > 0)
  assert.throws(() => sizeOf({ policyArns: [long, `${long}x`] }), refused)
})

test('a session policy is a policy, and a managed one is there', () => {
  assert.throws(() => sizeOf({ policy: '{}' }), {
    code: 'MalformedPolicyDocument',
    status: 400,
    message: 'Syntax errors in policy.',
  })
  assert.throws(() => sizeOf({ policyArns: [known, 'arn:aws:iam::aws:policy/None'] }), {
    code: 'ValidationError',
    message: 'Policy arn:aws:iam::aws:policy/None does not exist or is not attachable.',
  })
})

test('keys of a session have the form of AWS, and its token is long and has to be encoded', () => {
  const { accessKeyId, secretAccessKey, sessionToken } = newCredentials(context().context)
  assert.match(accessKeyId, /^ASIA[A-Z2-7]{16}$/)
  assert.match(secretAccessKey, /^[A-Za-z0-9+/]{40}$/)
  assert.match(sessionToken, /^IQoJb3JpZ2luX2Vj\+\/[A-Za-z0-9+/]{342}==$/)
})

const session = (accessKeyId: string, expiresAtMs: number): StoredSession =>
  ({ secretAccessKey: 's', sessionToken: 't', principal: { accessKeyId, expiresAtMs } }) as unknown as StoredSession

test('sessions are swept an hour after they ended, the first of them says when', () => {
  const { context: made, timers } = context()
  keepSession(made, session('a', 10_000))
  keepSession(made, session('b', 20_000))
  assert.deepEqual(timers, [{ kind: 'sweep', id: 'sessions', atMs: 3_610_000, class: 'limit' }])
  const left = (now: number): readonly string[] => [...withoutExpired(made.store.get(), now).sessions].map(([key]) => key)
  assert.deepEqual([left(3_609_999), left(3_610_000), left(3_620_000)], [['a', 'b'], ['b'], []])
})

test('the share of its space is told of a session that takes some', () => {
  const issued = { session: {} } as unknown as Parameters<typeof answered>[0]
  const told = (percent: number): unknown => (answered(issued, percent) as { PackedPolicySize?: number }).PackedPolicySize
  assert.deepEqual([told(0), told(1)], [undefined, 1])
})
