// What is decided about a resource that is not there: it is made, waited for, looked for once more, or left to somebody else.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { annotations } from '../api.ts'
import type { Deviation } from '../kinds/deviation.ts'
import type { Values } from '../model/request.ts'
import { tokenOf } from '../ownership/intent.ts'
import { renderIntent } from '../ownership/intent-text.ts'
import { recordCondition } from '../ownership/ownership-record.ts'
import { madeUpKind } from '../testing/made-up-kind.ts'
import { absent, type Circumstances, claimOf, inOneLine, now, situationOf } from '../testing/situation.ts'
import { decideAbsent } from './absent.ts'
import type { ResourcePlan } from './actions.ts'

const token = tokenOf({ claim: claimOf({ status: undefined }) })
/** As it stands after our first write. */
const intended = { [annotations.createIntent]: renderIntent({ token, atMs: now - 100, prints: [] }) }
const create =
  'note unsent refusedIntent absentMs deletedMs deletions calledMs, CreateRole, note createdMs madeGeneration creations'
const made = `${create}, event Created; again in 0`
const hidden = 'wait NotVisibleYet in'

const rows: readonly [said: string, circumstances: Circumstances, plan: string][] = [
  ['what is only looked at is not made', { seen: { adoption: { kind: 'read-only' } } }, 'backoff AdoptionFailed'],
  [
    'nor what is only adopted',
    { seen: { adoption: { kind: 'adopt', identifiers: { spec: {}, status: {} } } } },
    'backoff AdoptedResourceNotFound',
  ],
  [
    'nor what was adopted',
    { seen: { adoption: { kind: 'adopted', policy: undefined, identifiers: { spec: {}, status: {} } } } },
    'backoff AdoptedResourceNotFound',
  ],
  ['nor what another object has', { seen: { olderOwner: 'default/two' } }, 'stop DuplicateOwner'],
  ['the intent comes before the call', {}, `patch, ${made}`],
  ['and is written once', { annotations: intended, seen: { notes: { refusedIntent: token } } }, made],
  [
    'the finalizer comes with it',
    { annotations: intended, metadata: { finalizers: [] }, seen: { notes: { refusedIntent: token } } },
    `patch, ${made}`,
  ],
  ['a name is made again by its own call at once', { annotations: intended, seen: { notes: { calledMs: now - 1 } } }, made],
  [
    'what was made a moment ago is waited for',
    { annotations: intended, seen: { notes: { calledMs: now - 10_000, createdMs: now - 10_000 } } },
    `${hidden} 10000`,
  ],
  [
    'but a minute at most',
    { annotations: intended, seen: { notes: { calledMs: now - 55_000, createdMs: now - 55_000 } } },
    `${hidden} 5000`,
  ],
  [
    'what is made and never found is made once a minute',
    { annotations: intended, seen: { notes: { calledMs: now - 61_000, createdMs: now - 61_000, creations: 1 } } },
    `${hidden} 59000`,
  ],
  [
    'then ever more seldom',
    { annotations: intended, seen: { notes: { calledMs: now - 61_000, createdMs: now - 61_000, creations: 3 } } },
    `${hidden} ${8 * 60_000 - 61_000}`,
  ],
  [
    'once an hour at least',
    { annotations: intended, seen: { notes: { calledMs: now - 3_839_999, createdMs: now - 3_839_999, creations: 20 } } },
    `${hidden} 1`,
  ],
  [
    'and then it is made',
    { annotations: intended, seen: { notes: { calledMs: now - 3_840_000, createdMs: now - 3_840_000, creations: 20 } } },
    made,
  ],
]

for (const [said, circumstances, plan] of rows)
  test(`${said} [6.4]`, () => {
    const fresh: Circumstances = { status: undefined, ...circumstances, seen: { inAws: absent, ...circumstances.seen } }
    assert.equal(inOneLine(decideAbsent(situationOf(fresh))), plan)
  })

test('what was made, and bears no mark, is believed to be gone at the second look [6.4]', () => {
  const unmarked = { settings: { ownershipTags: false } }
  const at = (absentMs: number | undefined): string =>
    inOneLine(
      decideAbsent(situationOf({ ...unmarked, seen: { inAws: absent, notes: absentMs === undefined ? {} : { absentMs } } })),
    )
  assert.equal(at(undefined), 'note absentMs; again in 5000')
  assert.equal(at(now - 2_000), 'again in 3000')
  assert.match(at(now - 5_000), /^patch, note unsent; Ownership=Unknown Intended/)
  assert.match(at(now - 299_999), /^patch, note unsent; Ownership=Unknown Intended/)
  assert.equal(at(now - 300_000), 'note absentMs; again in 5000')
})

test('our record stands before the call of what bears no mark; where it was just written, the call goes out [6.4]', () => {
  const unmarked: Circumstances = { status: undefined, settings: { ownershipTags: false }, annotations: intended }
  const record = {
    reason: 'Intended',
    message: JSON.stringify({ intent: renderIntent({ token, atMs: now - 100, prints: [] }), is: { name: 'one' } }),
  }
  const status = { conditions: [{ type: 'ACK.Ownership', status: 'Unknown', lastTransitionTime: '', ...record }] }
  const plan = (more: Circumstances, unsentAt?: number): string =>
    inOneLine(
      decideAbsent(
        situationOf({
          ...unmarked,
          ...more,
          seen: { inAws: absent, ...(unsentAt === undefined ? {} : { notes: { unsent: { token, atMs: unsentAt } } }) },
        }),
      ),
    )
  assert.match(plan({}), /^Ownership=Unknown Intended, ResourceSynced=False Creating; again in 0$/)
  assert.match(plan({ status }, now - 100), new RegExp(`^${create}`))
  assert.match(plan({ status }, now - 2_999), new RegExp(`^${create}`))
})

test('a creation is counted, and takes the hash of its Secrets along [6.4]', () => {
  const plan = (circumstances: Circumstances) =>
    decideAbsent(situationOf({ status: undefined, ...circumstances, seen: { inAws: absent, ...circumstances.seen } }))
  const counted = (creations?: number): unknown => {
    const { actions } = plan({ seen: { notes: creations === undefined ? {} : { creations } } })
    return actions.flatMap(each => (each.kind === 'act:note' && each.notes !== 'forget' ? [each.notes.creations] : [])).at(-1)
  }
  assert.deepEqual([counted(), counted(3)], [1, 4])
  const notes = (hash: string | undefined): readonly string[] => {
    const [patch] = plan({ seen: { secrets: { kind: 'read', spec: {}, hash } } }).actions
    const { metadata } = (patch as unknown as { readonly body: { readonly metadata: { readonly annotations: object } } }).body
    return Object.keys(metadata.annotations)
  }
  assert.deepEqual(notes(undefined), [annotations.createIntent])
  assert.deepEqual(notes('h'), [annotations.createIntent, annotations.secretHash])
})

test('a call of which we know that it has not gone out is not waited for, for three seconds [6.4]', () => {
  const at = (atMs: number, of = token): string => {
    const notes = { createdMs: now - 10_000, calledMs: now - 10_000, unsent: { token: of, atMs } }
    return inOneLine(decideAbsent(situationOf({ status: undefined, annotations: intended, seen: { inAws: absent, notes } })))
  }
  assert.deepEqual([at(now), at(now - 2_999)], [made, made])
  assert.deepEqual([at(now - 3_000), at(now + 1), at(now, 'other')], [`${hidden} 10000`, `${hidden} 10000`, `${hidden} 10000`])
})

/** Made with an id that AWS chooses, without a mark and without a token, and found in a list alone. */
const listed = madeUpKind({
  operations: { create: 'CreateThing', readMany: 'ListThings' },
  spec: { Size: 'integer' },
  inputs: { CreateThing: { Size: 'Integer' } },
})

interface Recorded extends Circumstances {
  readonly atMs?: number
  readonly prints?: readonly string[]
  readonly before?: readonly string[]
}

/** Our record of a call stands in the status, its annotation on the object, and two looks have not found it. */
function recorded({ atMs = now - 100, prints = [], before, seen, ...more }: Recorded): ResourcePlan {
  const intent = { token, atMs, prints }
  const condition = recordCondition({ kind: 'intended', intent, identity: {}, ...(before === undefined ? {} : { before }) })
  const notes = { calledMs: now - 61_000, absentMs: now - 6_000, ...seen?.notes }
  const of: Circumstances = {
    model: listed,
    deviation: {},
    status: { conditions: [{ ...condition, lastTransitionTime: '' }] },
    annotations: { [annotations.createIntent]: renderIntent(intent) },
    ...more,
  }
  return decideAbsent(situationOf({ ...of, seen: { inAws: absent, ...seen, notes } }))
}

const thing = create.replace('CreateRole', 'CreateThing')
const twice = `${thing}, event Created, event MaybeMadeTwice; again in 0`
const once = `${thing}, event Created; again in 0`

test('where a second call may have made a second resource, the object says so [6.4]', () => {
  const line = (of: Recorded): string => inOneLine(recorded(of))
  assert.equal(line({}), twice)
  assert.equal(line({ before: [] }), once, 'a count tells them apart')
  assert.equal(line({ seen: { notes: { unsent: { token, atMs: now } } } }), once, 'no call went out')
  assert.equal(line({ seen: { notes: { refusedIntent: token } } }), once, 'the call was refused')
  assert.equal(line({ deviation: { repeatable: true } }), once, 'a second call makes no second one')
  assert.equal(line({ seen: { notes: { refusedIntent: 'other' } } }), twice)
})

test('what a second call cannot make twice is not looked for once more, unless it was there [6.4]', () => {
  const fresh = { seen: { notes: { absentMs: undefined } } }
  assert.equal(inOneLine(recorded({ ...fresh, deviation: { repeatable: true } })), once)
  assert.equal(inOneLine(recorded(fresh)), 'note absentMs; again in 5000')
  const reading = (operations: object): string =>
    inOneLine(recorded({ ...fresh, model: madeUpKind({ operations: { create: 'CreateThing', ...operations } }) }))
  assert.equal(reading({ getAttributes: 'GetThing', readMany: 'ListThings' }), twice, 'it is not looked for in lists')
  assert.equal(reading({}), twice, 'nor anywhere')
})

test('where the birth of what was made is the proof, our record is renewed after five minutes [6.4]', () => {
  const proves: Deviation = { proves: () => true }
  assert.equal(inOneLine(recorded({ deviation: proves, atMs: now - 300_000, now: now - 1 })), once)
  const renewed = 'Ownership=Unknown Intended, ResourceSynced=False Creating; again in 0'
  assert.equal(inOneLine(recorded({ deviation: proves, atMs: now - 300_000 })), renewed)
  assert.equal(inOneLine(recorded({ atMs: now - 300_000 })), twice, 'nothing else asks for that')
  assert.equal(inOneLine(recorded({ deviation: proves, status: undefined, annotations: {} })), `patch, note unsent; ${renewed}`)
})

const recordIn = (plan: ResourcePlan): { readonly intent: string; readonly before?: unknown } =>
  JSON.parse(plan.conditions.find(({ type }) => type === 'ACK.Ownership')?.message ?? '{}') as never

test('wishes that went out under one token are on record, the last eight of them [6.4]', () => {
  const deviation: Deviation = { print: ({ spec }) => String(spec['size']) }
  const printsOf = (of: Recorded): readonly string[] =>
    (recordIn(recorded({ deviation, ...of })).intent.split(' ')[2] ?? '').split(',')
  const [mine = ''] = printsOf({ spec: { size: 1 }, status: undefined, annotations: {} })
  assert.match(mine, /^[0-9a-f]{12}$/)
  assert.deepEqual(printsOf({ spec: { size: 1 }, prints: ['old'] }), ['old', mine])
  const many = ['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h']
  assert.deepEqual(printsOf({ spec: { size: 1 }, prints: many }), [...many.slice(1), mine])
  assert.equal(inOneLine(recorded({ deviation, spec: { size: 1 }, prints: [mine] })), once)
  const [patch] = recorded({ deviation, spec: { size: 1 }, prints: ['old'] }).actions as unknown as readonly {
    readonly key: object
    readonly body: { readonly metadata: { readonly annotations: Readonly<Record<string, string>> } }
  }[]
  assert.match(patch?.body.metadata.annotations[annotations.createIntent] ?? '', new RegExp(` old,${mine}$`))
  assert.deepEqual(patch?.key, { namespace: 'default', name: 'one' })
})

test('what looked alike before the call is on record, and stays there [6.4]', () => {
  const counted = (of: Recorded, alike?: readonly string[]): unknown => {
    const inAws = { kind: 'absent', ...(alike === undefined ? {} : { alike }) } as const
    return recordIn(recorded({ deviation: { proves: () => true }, atMs: now - 300_000, ...of, seen: { inAws } })).before
  }
  assert.deepEqual(counted({}, ['a']), ['a'])
  assert.deepEqual(counted({ before: ['b'] }), ['b'])
  assert.deepEqual(counted({ before: ['b'] }, ['a']), ['a'])
  assert.equal(counted({}), undefined)
})

test('a record that stands already was not written a moment ago [6.4]', () => {
  const plan = recorded({ deviation: { proves: () => true }, atMs: now - 300_000, annotations: {} })
  assert.doesNotMatch(inOneLine(plan), /note unsent/)
  assert.match(inOneLine(plan), /^patch; Ownership/)
})

test('code of the kind completes the create call, names another, or adds some after it [6.4]', () => {
  const calls = (deviation: Deviation): readonly (readonly [string, Values])[] =>
    recorded({ deviation: { repeatable: true, ...deviation }, spec: { size: 1 } }).actions.flatMap(each =>
      each.kind === 'act:aws' ? [[each.call.operation, each.call.input] as const] : [],
    )
  assert.deepEqual(calls({}), [['CreateThing', { Size: 1 }]])
  assert.deepEqual(calls({ create: input => ({ ...input, operation: 'x' }) }), [['CreateThing', { Size: 1, operation: 'x' }]])
  assert.deepEqual(calls({ create: input => ({ ...input, verb: 'x' }) }), [['CreateThing', { Size: 1, verb: 'x' }]])
  assert.deepEqual(calls({ create: input => ({ operation: 'ImportThing', input, verb: 'CREATE' }) }), [
    ['ImportThing', { Size: 1 }],
  ])
  const more = { operation: 'TuneThing', input: {}, verb: 'UPDATE' } as const
  assert.deepEqual(calls({ sync: ({ isNew }) => (isNew ? [more] : []) }), [
    ['CreateThing', { Size: 1 }],
    ['TuneThing', {}],
  ])
})
