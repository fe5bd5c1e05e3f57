// In which order actions are carried out, what own actions get and say, and when an event has anything to tell.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { drain } from '#base'
import { openGate } from '../election/gate.ts'
import type { Action, ObjectAction, OwnAction } from './plan.ts'
import type { Act } from './run.ts'
import { reasonOf, refused, runner, widget, widgets } from './runner.fixture.ts'

const making = (summary: string): OwnAction => ({ kind: 'act:make', summary })
const creating = (name: string): ObjectAction => ({ kind: 'create', type: widgets, object: widget(1, { name }) })
const changing: Action = { kind: 'update', type: widgets, object: widget(5) }

test('what comes after branches that all succeeded is carried out', async () => {
  const { act } = runner({})
  const outcomes = await act({ kind: 'together', branches: [[making('a')], [making('b')]] }, making('c'))
  assert.deepEqual(
    outcomes.map(({ kind, action }) => [kind, 'summary' in action && action.summary]),
    [
      ['done', 'a'],
      ['done', 'b'],
      ['done', 'c'],
    ],
  )
})

test('eight branches run at once, and the next begins when one of them has ended', async () => {
  const begun: string[] = []
  const ends: (() => void)[] = []
  const slow: Act<OwnAction> = ({ summary }) => {
    begun.push(summary)
    return new Promise(resolve => ends.push(() => resolve({ changed: true })))
  }
  const { act } = runner({ act: slow })
  const running = act({ kind: 'together', branches: Array.from({ length: 10 }, (_, index) => [making(`${index}`)]) })
  await drain()
  assert.equal(begun.length, 8)
  ends[3]?.()
  await drain()
  assert.equal(begun.length, 9)
  for (let end = 0; end < 10; end++) {
    ends[end]?.()
    await drain()
  }
  assert.deepEqual(
    (await running).map(({ action }) => 'summary' in action && action.summary),
    begun.toSorted(),
  )
})

test('what is done elsewhere says what its result is, with what it depends on or without', async () => {
  const { act } = runner({ act: async ({ summary }) => ({ changed: summary === 'changes', value: summary }) })
  const actions = [making('changes'), making('keeps'), { ...making('changes'), dependency: 'cloud' }]
  assert.deepEqual(
    await act(...actions),
    actions.map(action => ({ kind: 'done', action, changed: action.summary === 'changes', value: action.summary })),
  )
})

test('where what is needed does not work nothing is done with it, and everything else is', async () => {
  const { calls, breakers, act } = runner({})
  breakers.failed('cloud', 60_000)
  assert.equal(reasonOf(await act({ ...making('there'), dependency: 'cloud' })), 'DependencyDown')
  assert.deepEqual(calls, [])
  assert.equal(reasonOf(await act({ ...making('there'), dependency: 'other cloud' }, making('anywhere'))), undefined)
  assert.equal(calls.length, 2)
})

test('a dry run does nothing elsewhere, and says that it would', async () => {
  const { calls, act } = runner({ pretend: true })
  const action = making('a')
  assert.deepEqual(await act(action), [{ kind: 'done', action, changed: true }])
  assert.deepEqual(calls, [])
})

test('an own action fails with a write that it has carried out, and comes after it', async () => {
  const order: string[] = []
  const act: Act<OwnAction> = async (_action, { carryOut }) => {
    await carryOut(creating('inner'))
    order.push('after')
    return { changed: true }
  }
  const good = runner({ act })
  assert.equal(reasonOf(await good.act(making('a'))), undefined)
  assert.deepEqual([good.calls.length, order], [1, ['after']])
  const bad = runner({ act, errors: [refused(403, 'Forbidden')] })
  assert.equal(reasonOf(await bad.act(making('a'))), 'Forbidden')
  assert.deepEqual(order, ['after'])
})

test('what is destroyed elsewhere is destroyed for the claim as the server has it, whatever the cache says', async () => {
  const destroying = { ...making('a'), destructive: true }
  const { reads, calls, act } = runner({ claim: widget(1), live: widget(1), cached: { kind: 'absent' } })
  assert.equal(reasonOf(await act(destroying, destroying)), undefined)
  assert.equal(calls.length, 2)
  assert.deepEqual(reads, ['u1'], 'the claim is read once for all')
})

const { generation: _, ...ungenerated } = widget(5).metadata

for (const [what, claim, live, reason] of [
  ['with a generation, whatever its version', widget(5), widget(9), undefined],
  [
    'without a generation, in its version',
    { ...widget(5), metadata: ungenerated },
    { ...widget(5), metadata: ungenerated },
    undefined,
  ],
  [
    'without a generation, in no other version',
    { ...widget(5), metadata: ungenerated },
    { ...widget(9), metadata: { ...ungenerated, resourceVersion: '9' } },
    'Stale',
  ],
] as const)
  test(`things are destroyed for a claim ${what} [S4]`, async () => {
    const { act } = runner({ claim, live })
    assert.equal(reasonOf(await act({ ...making('a'), destructive: true })), reason)
  })

test('whoever took a claim over reads it when its fence is open, and not before [S5]', async () => {
  const script: Parameters<typeof runner>[0] = { claim: widget(1), live: widget(1), seen: new Set() }
  script.gate = { ...openGate, enter: () => Promise.resolve().then(() => void (script.live = undefined)) }
  const { calls, act } = runner(script)
  assert.equal(reasonOf(await act(creating('x'))), 'Stale')
  assert.deepEqual(calls, [])
})

test('a write that took hold at the second try changed something, and one that changed nothing says so', async () => {
  const finalizing: Action = { kind: 'add-finalizer', type: widgets, object: widget(5), finalizer: 'f' }
  const again = runner({ live: widget(7, { finalizers: ['other'] }), errors: [refused(422, 'Invalid')] })
  assert.deepEqual(await again.act(finalizing), [{ kind: 'done', action: finalizing, changed: true }])
  const same = runner({ answer: widget(5) })
  assert.deepEqual(await same.act(changing), [{ kind: 'done', action: changing, changed: false, value: widget(5) }])
})

test('updates and patches go to a subresource where they name one', async () => {
  const patch = { kind: 'patch', type: widgets, key: { namespace: 'a', name: 'w' }, uid: 'u1', patch: 'merge', body: {} } as const
  const { subresources, act } = runner({})
  await act(changing, { ...changing, subresource: 'scale' }, patch, { ...patch, subresource: 'scale' })
  assert.deepEqual(subresources, [undefined, 'scale', undefined, 'scale'])
})

test('a patch for a version that is still the same afterwards changed nothing', async () => {
  const patch = { kind: 'patch', type: widgets, key: { namespace: 'a', name: 'w' }, uid: 'u1', patch: 'merge', body: {} } as const
  const { writes, act } = runner({ answer: widget(5) })
  await act(patch, { ...patch, resourceVersion: '5' }, { ...patch, resourceVersion: '4' })
  assert.deepEqual(
    writes.map(({ result }) => result),
    ['changed', 'unchanged', 'changed'],
  )
})

const regarding = { apiVersion: 'v1', kind: 'Widget', namespace: 'a', name: 'w', uid: 'u1' }
const telling: Action = { kind: 'record-event', regarding, type: 'Normal', reason: 'Made', message: 'it is made' }
const kept = making('keeps')
const made = making('changes')
/** The server answers with version 100. */
const same: Action = { kind: 'update', type: widgets, object: widget(100) }

for (const [what, before, isTold] of [
  ['nothing came', [], false],
  ['a write came that changed nothing', [same], false],
  ['a write came that changed something', [changing], true],
  ['one of two writes changed something', [same, changing], true],
  ['an own action came that changed nothing', [kept], false],
  ['an own action came that changed something', [made], true],
  ['one of two own actions changed something', [kept, made], true],
] as const)
  test(`an event is ${isTold ? 'told' : 'not told'} where before it ${what}`, async () => {
    let told = 0
    const record = async (): Promise<void> => {
      await drain()
      told++
    }
    const { act } = runner({ recorder: { record }, act: async ({ summary }) => ({ changed: summary === 'changes' }) })
    const outcomes = await act(...before, telling)
    assert.deepEqual(outcomes.at(-1), { kind: 'done', action: telling, changed: false })
    assert.equal(told, isTold ? 1 : 0)
  })
