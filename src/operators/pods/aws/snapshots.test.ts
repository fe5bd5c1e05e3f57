// What one review is decided on: when what is known will do, when it is asked for, and who waits for a role that is promised.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLogTo, drain, ManualClock } from '#base'
import type { StoredObject } from '#kube'
import { Metrics } from '#runtime'
import type { Accounts } from '../accounts/accounts.ts'
import type { DirectAnswer, DirectReads } from '../accounts/direct-reads.ts'
import { type Hold, type PromiseHolds } from '../accounts/promise-holds.ts'
import { alwaysMyTurn } from '../accounts/read-budget.ts'
import type { SteadyAccounts } from '../accounts/steady.ts'
import { webhookMetrics } from '../serve/metrics.ts'
import type { RoleEntry } from '../sources/config-map.ts'
import { defaultAwsOptions } from './api.ts'
import { Snapshots, type TakenSnapshot } from './snapshots.ts'

const key = { namespace: 'ns', name: 'a' }
type Annotations = Readonly<Record<string, string>>
type Entries = Readonly<Record<string, Partial<RoleEntry>>>

interface Given {
  /** Of the ServiceAccount, without their prefix; absent: it is not known. */
  readonly account?: Annotations | undefined
  /** What its watch has brought, where that is something else. */
  readonly watched?: Annotations
  /** Of the ConfigMap; absent: none is followed. */
  readonly entries?: Entries
  readonly watchedEntries?: Entries
  /** In the credentials file; absent: none is followed. */
  readonly listed?: readonly string[]
  readonly confirms?: boolean
  /** Whether the watch is believed; absent: it never is. */
  readonly isSteady?: boolean
  readonly hasRoomBehind?: boolean
  readonly isPromised?: boolean
}

const asPrefixed = (annotations: Annotations): Annotations =>
  Object.fromEntries(Object.entries(annotations).map(([name, value]) => [`eks.amazonaws.com/${name}`, value]))
const accountOf = (annotations: Annotations | undefined): StoredObject | undefined =>
  annotations && {
    apiVersion: 'v1',
    kind: 'ServiceAccount',
    metadata: {
      ...key,
      uid: 'u',
      resourceVersion: '1',
      creationTimestamp: '2026-01-01T00:00:00Z',
      annotations: asPrefixed(annotations),
    },
  }
const entryOf = (entry: Partial<RoleEntry>): RoleEntry => ({
  roleArn: '',
  audience: '',
  regionalSts: false,
  expirationSeconds: 0n,
  isPromised: false,
  ...entry,
})
const entriesOf = (entries: Entries) => ({
  entries: new Map(Object.entries(entries).map(([name, entry]) => [name, entryOf(entry)])),
  ignored: [],
})

function snapshotsOf(given: Given, answer: () => Promise<DirectAnswer> = () => Promise.resolve({ kind: 'absent' })) {
  const clock = new ManualClock()
  const lines: string[] = []
  const metrics = new Metrics()
  const state = { account: accountOf(given.account) }
  const watched = given.watched === undefined ? state.account : accountOf(given.watched)
  let asked = 0
  const holds: Hold[] = []
  const added: string[] = []
  const accounts = {
    synced: true,
    find: () => state.account,
    watched: () => watched,
    onNews: () => () => undefined,
    learn: () => undefined,
  } as unknown as Accounts
  const ask = ({ signal }: { readonly signal: AbortSignal }): Promise<DirectAnswer> => {
    asked++
    const left = new Promise<DirectAnswer>(resolve =>
      signal.addEventListener('abort', () => resolve({ kind: 'not-asked' }), { once: true }),
    )
    return Promise.race([answer(), left])
  }
  const { entries, watchedEntries = entries, listed, confirms = true, isSteady, hasRoomBehind = true } = given
  const snapshots = new Snapshots({
    accounts,
    configMap: entries && { current: entriesOf(entries), watched: entriesOf(watchedEntries ?? {}) },
    credentialsFile: listed && { current: new Set(listed) },
    lookup: {
      accounts,
      reads: { ask } as unknown as DirectReads,
      clock,
      graceMs: 1_000,
      unknownBudget: alwaysMyTurn,
      confirmBudget: confirms ? alwaysMyTurn : undefined,
      others: [],
    },
    behind:
      isSteady === undefined
        ? undefined
        : {
            steady: { holds: () => isSteady } as unknown as SteadyAccounts,
            checks: { add: ({ name }) => (added.push(name), hasRoomBehind) },
          },
    flags: defaultAwsOptions,
    clock,
    log: createLogTo({ clock }, (_level, message) => lines.push(message)),
    metrics: webhookMetrics(metrics),
    isPromised: () => given.isPromised ?? false,
    holds: {
      hold: (hold: Hold) => {
        holds.push(hold)
        return Promise.resolve('timeout')
      },
    } as unknown as PromiseHolds,
  })
  const take = (requires = false, untilMs = 60_000): TakenSnapshot | Promise<TakenSnapshot> =>
    snapshots.take(key, requires, { signal: new AbortController().signal, untilMs })
  const counted = (name: string): number =>
    metrics
      .snapshot()
      .filter(family => family.name === name)
      .flatMap(({ points }) => points)
      .reduce((sum, point) => sum + ((point as { readonly value?: number }).value ?? 0), 0)
  return { clock, snapshots, take, lines, holds, added, counted, asked: () => asked, state }
}

const role = { 'role-arn': 'arn:aws:iam::111122223333:role/r' }
const required = { 'require-role': 'true' }
const asks = { outcome: 'not_found', asked: 1 }
const waits = { lacks: true, outcome: 'timeout', holds: 1 }

interface Expected {
  readonly atOnce?: boolean
  readonly lacks?: boolean
  readonly outcome?: string
  readonly asked?: number
  readonly holds?: number
  readonly believed?: number
  readonly missing?: number
}

for (const [what, given, requires, expected] of [
  ['a role of its own', { account: role }, false, { atOnce: true }],
  ['a role of its own, whatever is required', { account: { ...role, ...required }, isPromised: true }, true, { atOnce: true }],
  ['a role by an entry', { entries: { 'ns/a': { roleArn: 'r' } } }, false, { atOnce: true }],
  ['a place in the credentials file', { account: {}, listed: ['ns/a'] }, false, { atOnce: true }],
  ['no role, where the watch is believed', { account: {}, isSteady: true }, false, { atOnce: true, believed: 1 }],
  ['no role, where no room is left behind the answer', { account: {}, isSteady: true, hasRoomBehind: false }, false, asks],
  ['no role, where the watch is not believed', { account: {}, isSteady: false }, false, asks],
  ['no role, where no watch ever is', { account: {} }, false, asks],
  ['no role, where nothing is confirmed', { account: {}, confirms: false }, false, { atOnce: true }],
  ['nothing, as nobody knows it, though the watch is believed', { isSteady: true }, false, { ...asks, missing: 1 }],
  ['nothing, as nobody knows it, where nothing is confirmed', { confirms: false }, false, { ...asks, missing: 1 }],
  ['a pod that requires a role', { account: {}, isSteady: true }, true, { ...waits, asked: 1 }],
  ['a pod that requires a role, where nothing is confirmed', { account: {}, confirms: false }, true, waits],
  ['a promise', { account: {}, isSteady: true, isPromised: true }, false, { ...waits, asked: 1 }],
  ['a promise, where nothing is confirmed', { account: {}, confirms: false, isPromised: true }, false, waits],
  ['a promise, and nobody knows it', { isPromised: true }, false, { ...waits, asked: 1, missing: 1 }],
  ['a requirement of its own', { account: required, isSteady: true }, false, { ...waits, asked: 1 }],
  [
    'a requirement by another word',
    { account: { 'require-role': 'True' }, isSteady: true },
    false,
    { atOnce: true, believed: 1 },
  ],
  ['a promise by an entry', { account: {}, entries: { 'ns/a': { isPromised: true } } }, false, { ...waits, asked: 1 }],
  [
    'a promise by an entry for any namespace',
    { account: {}, entries: { '*/a': { isPromised: true } } },
    false,
    { ...waits, asked: 1 },
  ],
  [
    'an entry that promises nothing before one that does',
    { account: {}, entries: { 'ns/a': {}, '*/a': { isPromised: true } } },
    false,
    asks,
  ],
] as const satisfies readonly (readonly [string, Given, boolean, Expected])[])
  test(`of one that has ${what}: ${'atOnce' in expected ? 'answered at once' : 'holds' in expected ? 'it waits' : 'the API server is asked'} [S20]`, async () => {
    const { atOnce = false, lacks = false, outcome = 'hit', asked = 0, holds = 0, believed = 0, missing = 0 }: Expected = expected
    const world = snapshotsOf(given)
    const taken = world.take(requires)
    assert.equal(taken instanceof Promise, !atOnce)
    const { lacksPromisedRole, outcome: said } = await taken
    assert.deepEqual(
      {
        lacks: lacksPromisedRole,
        outcome: said,
        asked: world.asked(),
        holds: world.holds.length,
        believed: world.counted('identity_webhook_believed_total'),
        missing: world.counted('pod_identity_webhook_missing_sa_count'),
        lookups: world.counted('identity_webhook_sa_lookup_total'),
        timers: world.clock.pendingCount(),
      },
      { lacks, outcome, asked, holds, believed, missing, lookups: 1, timers: 0 },
    )
  })

test('a pod that waits lacks its role until it is there, and asks the API server for it [S20]', async () => {
  const failed: DirectAnswer = { kind: 'failed', message: 'busy', again: true }
  const answers: DirectAnswer[] = [{ kind: 'absent' }, failed]
  const world = snapshotsOf({ account: {} }, () => Promise.resolve(answers.shift() ?? { kind: 'absent' }))
  await world.take(true)
  const [{ lacks, ask } = assert.fail()] = world.holds
  assert.equal(lacks(), true)
  const asking = ask(new AbortController().signal)
  await world.clock.advance(20)
  await asking
  assert.equal(world.asked(), 3, 'once more where the API server could not answer')
  world.state.account = accountOf(role)
  assert.equal(lacks(), false)
})

const never = (): Promise<DirectAnswer> => new Promise(() => undefined)

for (const [leftMs, afterMs] of [
  [300, 300],
  [0, 0],
  [-5, 0],
] as const)
  test(`with ${leftMs} ms left for the answer the API server is waited for ${afterMs} ms [§5.1]`, async () => {
    const { clock, take } = snapshotsOf({}, never)
    await clock.advance(10_000)
    const outcomes: string[] = []
    void Promise.resolve(take(false, 10_000 + leftMs)).then(({ outcome }) => outcomes.push(outcome))
    if (afterMs > 0) {
      await clock.advance(afterMs - 1)
      assert.deepEqual(outcomes, [])
      await clock.advance(1)
    } else await clock.advance(0)
    await drain()
    assert.deepEqual([outcomes, clock.pendingCount()], [['timeout'], 0])
  })

for (const [what, given, known, watched] of [
  ['nothing at all', {}, 'nothing', 'nothing'],
  ['no role', { account: {} }, 'nothing', 'nothing'],
  ['a role', { account: role }, 'role', 'role'],
  ['a role that its watch has not brought', { account: role, watched: {} }, 'role', 'nothing'],
  ['a requirement that its watch has not brought', { account: required, watched: {} }, 'promise', 'nothing'],
  ['a role that its watch still has', { account: {}, watched: role }, 'nothing', 'role'],
  ['a role by an entry', { entries: { 'ns/a': { roleArn: 'r' } } }, 'role', 'role'],
  ['an entry that the watch has not brought', { entries: { 'ns/a': { roleArn: 'r' } }, watchedEntries: {} }, 'role', 'nothing'],
  ['a promise by an entry', { entries: { '*/a': { isPromised: true } }, watchedEntries: {} }, 'promise', 'nothing'],
  ['a promise of somebody else', { account: {}, isPromised: true }, 'promise', 'promise'],
  ['a place in the credentials file', { listed: ['ns/a'] }, 'role', 'role'],
  ['no place in the credentials file', { listed: ['ns/b', ''] }, 'nothing', 'nothing'],
] as const satisfies readonly (readonly [string, Given, string, string])[])
  test(`of one that has ${what} ${known} is known, and ${watched} by the watches alone [S20]`, () => {
    const { snapshots } = snapshotsOf(given)
    assert.deepEqual([snapshots.holding(key), snapshots.watchedHolding(key)], [known, watched])
  })

test('both entries are in the snapshot, and whether the file lists it', async () => {
  const entries = { 'ns/a': { roleArn: 'r' }, '*/a': { roleArn: 's' }, 'ns/b': { roleArn: 't' } }
  const of = async (given: Given) => {
    const { exactEntry, wildcardEntry, usesContainerCredentials, serviceAccount } = (await snapshotsOf(given).take()).snapshot
    return [exactEntry?.roleArn, wildcardEntry?.roleArn, usesContainerCredentials, serviceAccount]
  }
  assert.deepEqual(await of({ entries }), ['r', 's', false, undefined])
  assert.deepEqual(await of({ listed: ['ns/a'] }), [undefined, undefined, true, undefined])
  assert.deepEqual(await of({ entries, listed: ['ns/b'] }), ['r', 's', false, undefined])
})

test('what is odd about a ServiceAccount is logged once for each of its versions, and in the snapshot each time', async () => {
  const { take, lines, state } = snapshotsOf({ account: { 'role-arn': 'odd' } })
  const message = 'role-arn is no role ARN; it is used as it stands'
  const expected = [{ message, fields: { roleArn: 'odd' } }]
  for (let review = 0; review < 2; review++) assert.deepEqual((await take()).snapshot.oddities, expected)
  assert.deepEqual(lines, [message])
  state.account = accountOf({ 'role-arn': 'odd' })
  await take()
  assert.deepEqual(lines, [message, message])
})
