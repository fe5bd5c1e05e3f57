// What a status says after a pass: each case is a plan, what came of it, and the conditions that follow, in one line.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AwsError } from '#aws'
import type { Condition } from '#kube'
import { type Outcome, type Plan, type Report, Trouble, type TroubleKind } from '#runtime'
import { conditions, conditionTypes } from '../api.ts'
import type { ResourceAction } from '../decide/actions.ts'
import { type Deviation, noDeviation } from '../kinds/deviation.ts'
import { recordCondition } from '../ownership/ownership-record.ts'
import { type KindMadeUp, madeUpKind, map, structureShape } from '../testing/made-up-kind.ts'
import { arn, type Circumstances, rulesOf, seenOf } from '../testing/situation.ts'
import { report, troubleConditions } from './report.ts'
import { withoutRequestId, withRequestId } from './request-ids.ts'

const synced: Condition = { type: conditions.synced, status: 'True', reason: 'Synced', message: '' }
const ready: Condition = { type: conditions.ready, status: 'True', reason: 'Synced', message: '' }
const note: Condition = { type: conditions.sent, status: 'True', reason: 'Sent', message: '{}' }
const owned: Condition = { type: conditions.ownership, status: 'True', reason: 'Made', message: '{}' }

const plain: Plan<ResourceAction> = { actions: [], conditions: [], next: { kind: 'await-change' } }
const failed = (kind: TroubleKind, reason = 'Reason', message = 'm'): Outcome => ({
  kind: 'failed',
  action: { kind: 'act:test', summary: 'test' },
  trouble: new Trouble({ kind, reason, message }),
})

interface Pass extends Circumstances {
  readonly plan?: Partial<Plan<ResourceAction>>
  readonly outcomes?: readonly Outcome[]
  readonly failures?: number
}

function after({ plan = {}, outcomes = [], failures = 1, ...circumstances }: Pass): Report | undefined {
  const input = { plan: { ...plain, ...plan }, outcomes, failures, current: [], generation: 1, summary: 'Ready' }
  return report(rulesOf(circumstances), { ...input, seen: seenOf(circumstances) })
}

function line(found: Report | undefined): string {
  if (found === undefined) return 'nothing'
  const said = found.conditions.map(({ type, status, reason }) => `${type.replace('ACK.', '')}=${status} ${reason}`).join(', ')
  return `${said}${found.generation === undefined ? '' : ` @${found.generation}`}${found.forgotten?.includes(conditions.ownership) === true ? ', of no owner' : ''}`
}

const done = (action: object, value?: unknown): Outcome => ({ kind: 'done', action: action as never, changed: true, value })
const patched = (spec: object | undefined, generation: number | undefined): Outcome =>
  done({ kind: 'patch', body: { metadata: {}, spec } }, { metadata: { generation } })
const said = { plan: { conditions: [synced, ready] } }

for (const [what, pass, expected] of [
  ['of a claim that is gone nothing is said', { ...said, seen: { claim: undefined } }, 'nothing'],
  ['a plan without words says nothing', {}, 'nothing'],
  ['a plan is said in its own words', said, 'ResourceSynced=True Synced, Ready=True Synced'],
  ['a note alone leaves all else', { plan: { conditions: [note] } }, 'Sent=True Sent'],
  ['a note among others does not', { plan: { conditions: [note, synced] } }, 'Sent=True Sent, ResourceSynced=True Synced'],
  [
    'a plan with a status says who owns the resource',
    { plan: { conditions: [owned, synced], status: {} } },
    'ResourceSynced=True Synced, Ownership=True Made',
  ],
  ['and takes back that anybody does', { plan: { conditions: [synced], status: {} } }, 'ResourceSynced=True Synced, of no owner'],
  [
    'what is not ready goes on',
    { plan: { conditions: [{ ...ready, status: 'False' }] } },
    'Ready=False Synced, Reconciling=True Progressing',
  ],
  [
    'or fails, and why',
    {
      plan: {
        conditions: [
          { ...ready, status: 'False' },
          { ...synced, type: conditions.recoverable, reason: 'Weather' },
        ],
      },
    },
    'Ready=False Synced, Recoverable=True Weather, Reconciling=True Weather',
  ],
  [
    'not where what it recovered from is over',
    {
      plan: {
        conditions: [
          { ...ready, status: 'False' },
          { ...synced, type: conditions.recoverable, status: 'False', reason: 'Weather' },
        ],
      },
    },
    'Ready=False Synced, Recoverable=False Weather, Reconciling=True Progressing',
  ],
  [
    'or is stalled',
    {
      plan: {
        conditions: [
          { ...ready, status: 'False' },
          { ...synced, type: conditions.terminal, reason: 'Wrong' },
        ],
      },
    },
    'Ready=False Synced, Terminal=True Wrong, Stalled=True Wrong',
  ],
  [
    'not where what was terminal is over',
    { plan: { conditions: [{ ...synced, type: conditions.terminal, status: 'False' }] } },
    'Terminal=False Synced',
  ],
  [
    'a write of the spec moves the generation on',
    { ...said, outcomes: [patched({}, 2)] },
    'ResourceSynced=True Synced, Ready=True Synced @2',
  ],
  [
    'not one that somebody else wrote over',
    { ...said, outcomes: [patched({}, 3)] },
    'ResourceSynced=True Synced, Ready=True Synced',
  ],
  ['nor one of other things', { ...said, outcomes: [patched(undefined, 2)] }, 'ResourceSynced=True Synced, Ready=True Synced'],
  ['nor one without an answer', { ...said, outcomes: [patched({}, undefined)] }, 'ResourceSynced=True Synced, Ready=True Synced'],
  [
    'nor one of another action',
    { ...said, outcomes: [done({ kind: 'apply', body: { spec: {} } }, { metadata: { generation: 2 } })] },
    'ResourceSynced=True Synced, Ready=True Synced',
  ],
  [
    'a second write counts',
    { ...said, outcomes: [patched(undefined, 1), patched({}, 2)] },
    'ResourceSynced=True Synced, Ready=True Synced @2',
  ],
  [
    'the first generation of all is one',
    { ...said, metadata: { generation: undefined }, outcomes: [patched({}, 1)] },
    'ResourceSynced=True Synced, Ready=True Synced @1',
  ],
  ['of a note alone no generation is told', { plan: { conditions: [note] }, outcomes: [patched({}, 2)] }, 'Sent=True Sent'],
  [
    'what asks for a person is terminal',
    { outcomes: [failed('backoff', 'Weather'), failed('wait', 'Waits'), failed('stop', 'Wrong')] },
    'Terminal=True Wrong, ResourceSynced=False m, Ready=False ACK.Terminal, Stalled=True Wrong',
  ],
  [
    'what waits comes before weather',
    { outcomes: [failed('backoff', 'Weather'), failed('wait', 'Waits')] },
    'Recoverable=True Waits, ResourceSynced=Unknown m, Ready=False ACK.Recoverable, Reconciling=True Waits',
  ],
  ['a conflict is no news', { ...said, outcomes: [failed('soon', 'Conflict')] }, 'ResourceSynced=True Synced, Ready=True Synced'],
  ['weather is not told at once', { outcomes: [failed('backoff', 'Throttled')], failures: 2 }, 'nothing'],
  [
    'but the third time',
    { outcomes: [failed('backoff', 'Throttled')], failures: 3 },
    'Recoverable=True Throttled, ResourceSynced=Unknown m, Ready=False ACK.Recoverable, Reconciling=True Throttled',
  ],
  ['that another leads is never told', { outcomes: [failed('backoff', 'NotLeader')], failures: 9 }, 'nothing'],
  ['nor that we begin', { outcomes: [failed('backoff', 'CacheStarting')], failures: 9 }, 'nothing'],
  [
    'trouble after a write is told of what was written',
    { outcomes: [patched({}, 2), failed('stop', 'Wrong')] },
    'Terminal=True Wrong, ResourceSynced=False m, Ready=False ACK.Terminal, Stalled=True Wrong @2',
  ],
] as const satisfies readonly (readonly [string, Pass, string])[])
  test(`${what} [6.10]`, () => assert.equal(line(after(pass as Pass)), expected))

test('what is not said is not so any more', () => {
  const types = conditionTypes.filter(type => type !== conditions.synced && type !== conditions.ready)
  assert.deepEqual(after(said)?.forgotten, types)
  assert.deepEqual(after({ plan: { ...said.plan, status: {} } })?.forgotten, [...types, conditions.ownership])
})

test('trouble keeps the status that the plan would have written', () => {
  assert.deepEqual(after({ plan: { status: { a: 1 } }, outcomes: [failed('stop')] })?.status, { a: 1 })
  assert.equal(after({ outcomes: [failed('stop')] })?.status, undefined)
})

function told(trouble: Trouble, circumstances: Circumstances = {}, strict = true): string {
  return troubleConditions(trouble, { seen: seenOf(circumstances), strict })
    .map(({ type, status, reason, message }) => `${type.replace('ACK.', '')}=${status} ${reason} (${message})`)
    .join('\n')
}
const of = (kind: TroubleKind, reason: string, message = 'm'): Trouble => new Trouble({ kind, reason, message })
const unable = 'Unable to determine if desired resource state matches latest observed state'

test('a reason is one word where conditions are strict, and the whole error where they are as in ACK', () => {
  assert.equal(
    told(of('stop', 'Wrong')),
    'Terminal=True Wrong (m)\nResourceSynced=False Wrong (Resource not synced: m)\nReady=False ACK.Terminal (m)',
  )
  assert.equal(
    told(of('stop', 'Wrong'), {}, false),
    'Terminal=True Wrong (m)\nResourceSynced=False m (Resource not synced)\nReady=False ACK.Terminal (m)',
  )
  assert.equal(
    told(of('backoff', 'Weather', ''), {}, false),
    `Recoverable=True Weather ()\nResourceSynced=Unknown Weather (${unable})\nReady=False ACK.Recoverable ()`,
  )
  const long = told(of('stop', 'Wrong', 'x'.repeat(1_001)), {}, false)
  assert.ok(long.includes(`ResourceSynced=False ${'x'.repeat(1_000)} (`))
})

test('a missing role is only told as what is not in step', () => {
  const role =
    'ResourceSynced=False RoleMissing (IAM Role is not available: m)\nReady=False RoleMissing (IAM Role is not available: m)'
  assert.equal(told(of('wait', 'RoleMissing')), role)
})

test('references are told as far as they are resolved', () => {
  const first = (trouble: Trouble, references?: object): string =>
    told(trouble, references === undefined ? {} : { seen: { references: references as never } }).split('\n')[0] ?? ''
  const unresolved = { kind: 'unresolved', how: 'wait', message: 'm', terminal: false }
  const text = 'ReferenceUnresolved (Reference resolution failed: m)'
  assert.equal(first(of('wait', 'ReferenceUnresolved'), unresolved), `ReferencesResolved=Unknown ${text}`)
  assert.equal(first(of('wait', 'ReferenceUnresolved'), { ...unresolved, how: 'stop' }), `ReferencesResolved=False ${text}`)
  assert.equal(first(of('stop', 'ReferenceUnresolved'), unresolved), `ReferencesResolved=False ${text}`)
  assert.equal(first(of('wait', 'ReferenceUnresolved')), `ReferencesResolved=Unknown ${text}`)
  const resolved = { kind: 'resolved', spec: {}, notices: [], hasReferences: true }
  assert.equal(first(of('stop', 'Wrong'), resolved), 'ReferencesResolved=True Resolved ()')
  assert.equal(first(of('stop', 'Wrong'), { ...resolved, hasReferences: false }), 'Terminal=True Wrong (m)')
  assert.equal(first(of('stop', 'Wrong'), unresolved), 'Terminal=True Wrong (m)')
})

test('what is in the way of a deletion is told as that', () => {
  const going = { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } }
  assert.equal(told(of('backoff', 'Weather'), going).split('\n')[0], 'Deleting=True Blocked (Weather: m)')
})

const shapes = {
  Thing: structureShape({ Name: 'String', ThingId: 'String', Secret: 'String' }),
  TagMap: { type: 'map', key: { target: 'String' }, value: { target: 'String' } },
} as const
const named: KindMadeUp = {
  operations: { create: 'CreateThing', readOne: 'DescribeThing' },
  settings: { tags: { path: 'Tags', key: 'Key', value: 'Value' } },
  spec: { Name: { primaryKey: true }, Tags: map('string') },
  inputs: { CreateThing: { Name: 'String', Tags: 'TagMap' } },
  required: { DescribeThing: ['Name'] },
  outputs: { CreateThing: {}, DescribeThing: { Name: 'String', Tags: 'TagMap' } },
  shapes,
}
const byId: KindMadeUp = {
  ...named,
  status: { ThingId: 'string' },
  required: { DescribeThing: ['ThingId'] },
  outputs: { CreateThing: { ThingId: 'String' }, DescribeThing: { ThingId: 'String', Tags: 'TagMap' } },
}
const own: Deviation = { own: [] }

function made(
  parts: KindMadeUp,
  { value = {}, call = {}, deviation = own, ...more }: Pass & { readonly value?: object; readonly call?: object } = {},
): Report | undefined {
  const action = { kind: 'act:aws', call: { operation: 'CreateThing', verb: 'CREATE', input: {}, ...call }, intent: 't' }
  return after({
    model: madeUpKind(parts),
    deviation,
    status: undefined,
    ...more,
    outcomes: [done(action, value), ...(more.outcomes ?? [])],
  })
}
const creating = 'ResourceSynced=False Creating, Ready=False Creating, Reconciling=True Progressing'

test('what was made is on record at once where its manifest does not find it again [S3]', () => {
  const found = made(byId, { value: { ThingId: 't-1' } })
  assert.match(
    line(found),
    /^ResourceSynced=False Creating, Ready=False Creating, Reconciling=True Progressing, Ownership=Unknown Intended$/,
  )
  assert.equal(found?.status?.['thingId'], 't-1')
  assert.match(
    found?.conditions.find(({ type }) => type === conditions.synced)?.message ?? '',
    /^the resource was made and is looked at next$/,
  )
})

test('and left to the next look where the manifest finds it and its mark proves it', () => {
  assert.equal(line(made(named)), 'nothing')
  assert.equal(line(made(named, { call: { verb: 'UPDATE' } })), 'nothing', 'an update')
  assert.match(
    line(made(named, { call: { verb: 'UPDATE', records: true } })),
    new RegExp(`^${creating}`),
    'an update that tells what must not be lost',
  )
  assert.match(line(made(named, { call: { records: true } })), new RegExp(`^${creating}`), 'an answer that must not be lost')
  assert.match(line(made(named, { settings: { ownershipTags: false } })), new RegExp(`^${creating}`), 'no mark')
  assert.match(line(made(named, { deviation: noDeviation })), new RegExp(`^${creating}`), 'general rules')
  assert.match(
    line(
      made(
        { ...named, status: { Secret: 'string' }, outputs: { ...named.outputs, CreateThing: { Secret: 'String' } } },
        { value: { Secret: 's' } },
      ),
    ),
    new RegExp(`^${creating}`),
    'what no read tells',
  )
  assert.equal(
    line(made({ ...named, status: { Secret: 'string' }, outputs: { ...named.outputs, CreateThing: { Secret: 'String' } } })),
    'nothing',
    'which it does not have',
  )
  const troubled = made(named, { outcomes: [failed('stop', 'Wrong')] })
  assert.match(line(troubled), /^Terminal=True Wrong, /, 'what follows failed')
  assert.notEqual(troubled?.status, undefined)
  assert.equal(line(made(byId, { seen: { place: { kind: 'no-role', message: 'm' } as never } })), 'nothing')
  const byArn = { ...named, required: { DescribeThing: ['ThingArn'] } }
  const seen = { wanted: { spec: { name: 'one' }, status: {}, arn } }
  assert.equal(line(made(byArn, { seen, deviation: { arnOf: () => arn } })), 'nothing')
  assert.match(line(made(byArn, { seen })), new RegExp(`^${creating}`), 'nobody knows its ARN before')
  const Things = { type: 'list', member: { target: 'Thing' } } as const
  const operations = { create: 'CreateThing', readMany: 'ListThings' }
  const listed = {
    ...named,
    operations,
    required: {},
    outputs: { ListThings: { Things: 'Things' } },
    shapes: { ...shapes, Things },
  }
  const tagsAtCreate = { deviation: { tagsAtCreate: true } }
  assert.equal(line(made(listed, tagsAtCreate)), 'nothing', 'a list finds it')
  assert.match(
    line(made({ ...listed, operations: { create: 'CreateThing' } }, tagsAtCreate)),
    new RegExp(`^${creating}`),
    'nothing reads it',
  )
})

test('whose it is follows from what was handed out and from what a look will show', () => {
  const record = (found: Report | undefined): string => {
    const said = found?.conditions.find(({ type }) => type === conditions.ownership)
    return said === undefined ? 'none' : `${said.reason} ${said.message}`
  }
  const unmarked = { settings: { ownershipTags: false } }
  assert.equal(record(made(named, unmarked)), 'Made {"is":{"name":"one"}}')
  assert.equal(record(made(byId, { value: { ThingId: 't-1' }, ...unmarked })), 'none')
  assert.match(record(made(byId, { value: { ThingId: 't-1' } })), /^Intended \{"intent":"t 1970-01-01T00:00:00Z"/)
  assert.equal(record(made(byId, { value: { ThingId: 't-1' }, deviation: { read: async () => undefined } })), 'none')
  assert.equal(record(made(byId)), 'none', 'nothing was handed out')
  const withArn = { ...named, outputs: { ...named.outputs, CreateThing: { Arn: 'String' } } }
  assert.match(record(made(withArn, { value: { Arn: arn }, deviation: noDeviation })), /^Intended/)
  assert.equal(record(made(withArn, { value: { Arn: arn }, ...unmarked })), 'none', 'its ARN tells which it is')
  const silent = made(withArn, { value: { Arn: arn }, outcomes: [failed('backoff', 'Throttled')], deviation: noDeviation })
  assert.match(line(silent), /^Ownership=Unknown Intended$/)
  assert.equal(recordCondition({ kind: 'none' }), undefined)
})

test('a kind adds what only it reads of the answer', () => {
  const created: Deviation['created'] = (output, found) => ({
    ...found,
    status: { ...found.status, thingId: String(output['Id']) },
  })
  assert.equal(made(byId, { value: { Id: 7 }, deviation: { created } })?.status?.['thingId'], '7')
})

const refusal = (requestId: string | undefined): AwsError =>
  new AwsError({ service: 'iam', operation: 'GetRole', code: 'AccessDenied', message: 'no', httpStatus: 403, requestId } as never)
const refused = (cause: unknown, message = 'no'): Trouble => new Trouble({ kind: 'backoff', reason: 'Denied', message, cause })

test('the request id of a refusal is told, and stays that of the first of its kind', () => {
  const before = (status: string, reason: string, message: string) =>
    ({ status: { conditions: [{ type: 'T', status, reason, message }] } }) as never
  const id = (claim: unknown, trouble = refused(refusal('id-22222'))): string => withRequestId(trouble, claim as never, 'T')
  assert.equal(id(undefined), 'no (request id id-22222)')
  const first = 'no (request id id-11111)'
  assert.equal(id(before('True', 'Denied', first)), first)
  assert.equal(id(before('False', 'Denied', first)), 'no (request id id-22222)')
  assert.equal(id(before('True', 'Other', first)), 'no (request id id-22222)')
  assert.equal(id(before('True', 'Denied', 'never (request id id-11111)')), 'no (request id id-22222)')
  assert.equal(withoutRequestId(first), 'no')
})

test('an id that does not look like one is not told, and one that lies too deep is not looked for', () => {
  const id = (cause: unknown): string => withRequestId(refused(cause), undefined, 'T')
  const around = (times: number, cause: unknown): unknown =>
    times === 0 ? cause : new Error('x', { cause: around(times - 1, cause) })
  assert.equal(id(around(3, refusal('id-33333'))), 'no (request id id-33333)')
  assert.equal(id(around(4, refusal('id-33333'))), 'no')
  assert.deepEqual(
    [id(refusal(undefined)), id(refusal('a b c d e f g')), id(refusal('short')), id('text'), id(undefined)],
    Array(5).fill('no'),
  )
})
