// What is decided about a resource that is not there: it is made, waited for, looked for once more, or left to somebody else.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { annotations } from '../api.ts'
import { tokenOf } from '../ownership/intent.ts'
import { renderIntent } from '../ownership/intent-text.ts'
import { absent, type Circumstances, claimOf, inOneLine, now, situationOf } from '../testing/situation.ts'
import { decideAbsent } from './absent.ts'

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
