// Whether a list is enough of a look at what is at rest.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Resource } from '../api.ts'
import type { Equipment } from '../equipment.ts'
import type { Glance, Seen } from '../seen/seen.ts'
import { type Circumstances, claimOf, now, rulesOf, seenOf } from '../testing/situation.ts'
import { glanceAt } from './glance.ts'
import type { RollCall } from './list-prints.ts'

interface Asked extends Circumstances {
  readonly shown?: string
  readonly claims?: number
}

const place = { account: '111122223333', partition: 'aws', region: 'eu-west-1' }

async function glanced({
  shown = 'p',
  claims = 1,
  ...more
}: Asked = {}): Promise<{ glance: Glance | undefined; calls: RollCall[] }> {
  const circumstances = { ...more, settings: { cheapReadSeconds: 600, ...more.settings } }
  const calls: RollCall[] = []
  const rolls = {
    print: (call: RollCall) => {
      calls.push(call)
      return Promise.resolve(shown)
    },
  }
  const equipment = { ...rulesOf(circumstances), rolls, caller: () => ({}), nowMs: () => now } as unknown as Equipment
  const claim: Resource = claimOf(circumstances)
  const { signal } = new AbortController()
  const glance = await glanceAt(equipment, seenOf(circumstances), { claim, place: place as never, claims: () => claims, signal })
  return { glance, calls }
}

const restOf = async (
  more: Asked = {},
): Promise<{ basis: string; shown: string; lookedMs: number; idleLooks: number; disturbances: number }> => {
  const { glance } = await glanced(more)
  assert.ok(glance)
  return { basis: glance.basis, shown: 'p', lookedMs: now, idleLooks: 0, disturbances: 0 }
}

test('a list is not older than half a period, and has no more pages than there are claims, or five', async () => {
  const [call] = (await glanced({ claims: 4 })).calls
  assert.deepEqual([call?.ageMsMax, call?.pagesMax, call?.nowMs], [300_000, 5, now])
  assert.equal((await glanced({ claims: 6 })).calls[0]?.pagesMax, 6)
})

const unresolved = { kind: 'unresolved', how: 'wait', message: '', terminal: false } as const
const identifiers = { spec: {}, status: {} }
for (const [what, more, is] of [
  ['that is made', {}, true],
  ['that was adopted', { seen: { adoption: { kind: 'adopted', policy: undefined, identifiers } } }, true],
  ['that adopts', { seen: { adoption: { kind: 'adopt', identifiers } } }, false],
  ['that only looks', { seen: { adoption: { kind: 'read-only' } } }, false],
  ['that goes', { metadata: { deletionTimestamp: 'x' } }, false],
  ['whose references wait', { seen: { references: unresolved } }, false],
] as const)
  test(`at a claim ${what} a glance is ${is ? 'possible' : 'not possible'}`, async () =>
    assert.equal((await glanced(more)).glance !== undefined, is))

for (const [what, shown, rest, isUnchanged] of [
  ['shows as it did', 'p', {}, true],
  ['shows otherwise', 'q', {}, false],
  ['is named by no list', 'absent', { shown: 'absent' }, false],
  ['cannot be listed', 'unknown', { shown: 'q' }, true],
  ['rested on something else', 'p', { basis: 'other' }, false],
  ['was disturbed', 'p', { disturbances: 1 }, false],
  ['was looked at long ago', 'p', { lookedMs: now - 50_000_000 }, false],
] as const)
  test(`what ${what} is ${isUnchanged ? 'as it was' : 'looked at in full'}`, async () => {
    const notes = { rest: { ...(await restOf()), ...rest } }
    const { glance, calls } = await glanced({ shown, seen: { notes } })
    assert.deepEqual([glance?.isUnchanged, glance?.shown, calls.length], [isUnchanged, shown, 1])
  })

test('what was never looked at in full is not as it was', async () => {
  assert.equal((await glanced({ shown: 'unknown' })).glance?.isUnchanged, false)
})

test('after three looks for nothing no list is asked', async () => {
  const rest = await restOf()
  const after = (idleLooks: number) => glanced({ shown: 'q', seen: { notes: { rest: { ...rest, idleLooks } } } })
  const [two, three] = [await after(2), await after(3)]
  assert.deepEqual([two.calls.length, two.glance?.isUnchanged], [1, false])
  assert.deepEqual([three.calls.length, three.glance], [0, { basis: rest.basis, shown: 'unknown', isUnchanged: true }])
})

test('a look rests on all that may change what there is to do, by a print of 16 letters', async () => {
  const basisOf = async (more: Asked) => (await restOf(more)).basis
  const plain = await basisOf({})
  assert.match(plain, /^[\w-]{16}$/)
  const found = (resourceVersion: string): Partial<Seen> => ({
    output: {
      kind: 'found',
      target: { namespace: 'a', name: 'b', key: 'c' },
      secret: { metadata: { resourceVersion } } as never,
    },
  })
  const all = [
    plain,
    await basisOf({ metadata: { generation: 2 } }),
    await basisOf({ annotations: { a: 'b' } }),
    await basisOf({ metadata: { finalizers: [] } }),
    await basisOf({ seen: { namespaceAnnotations: { a: 'b' } } }),
    await basisOf({ seen: { olderOwner: 'a/b' } }),
    await basisOf({ seen: { secrets: { kind: 'unusable', message: '' } } }),
    await basisOf({ seen: { output: { kind: 'unusable', message: '' } } }),
    await basisOf({ seen: found('1') }),
    await basisOf({ seen: found('2') }),
  ]
  assert.equal(new Set(all).size, all.length)
  assert.equal(await basisOf({ status: {}, seen: { wanted: seenOf({}).wanted } }), plain)
})
