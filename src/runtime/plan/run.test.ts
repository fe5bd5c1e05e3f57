// Each guard of the plan runner, by the one call that it must prevent or shape. The server here says what a test wants it to say; how
// the guards work together is shown against a whole server in test/engine.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StoredObject } from '#kube'
import { fenced } from '../election/fence.ts'
import { openGate } from '../election/gate.ts'
import type { Action, OwnAction } from './plan.ts'
import { reasonOf, refused, runner, type Scripted, widget, widgets } from './runner.fixture.ts'
import { writeStatus } from './status.ts'

const deletion = (object: StoredObject): Action => ({ kind: 'delete', type: widgets, object })
const finalizing = (object: StoredObject): Action => ({ kind: 'add-finalizer', type: widgets, object, finalizer: 'f' })

test('a process that wakes past its lease sends nothing, although no timer has told it yet [P13]', async () => {
  const gate = {
    ...openGate,
    check: () => {
      throw fenced('over')
    },
  }
  const { calls, act } = runner({ gate, live: widget(1) })
  for (const action of [finalizing(widget(1)), deletion(widget(1))]) assert.equal(reasonOf(await act(action)), 'NotLeader')
  assert.deepEqual(calls, [])
})

for (const [why, cached] of [
  ['is gone', { kind: 'absent' }],
  ['was made again', { kind: 'present', object: widget(9, { uid: 'u2' }), partial: false }],
] as const) {
  test(`nothing is made elsewhere for a claim that ${why} while its fence was waited for [S5]`, async () => {
    const script: Scripted = { claim: widget(1), cached: { kind: 'present', object: widget(1), partial: false } }
    script.gate = { ...openGate, enter: () => Promise.resolve().then(() => void (script.cached = cached)) }
    const { calls, act } = runner(script)
    assert.equal(reasonOf(await act({ kind: 'act:create', summary: 'make' })), 'Stale')
    assert.deepEqual(calls, [])
  })
}

const making: Action<OwnAction> = { kind: 'act:create', summary: 'make' }
const creating: Action<OwnAction> = { kind: 'create', type: widgets, object: widget(1) }

for (const [what, action] of [
  ['elsewhere', making],
  ['in the cluster', creating],
] as const) {
  for (const [why, live] of [
    ['is gone', undefined],
    ['was made again', widget(9, { uid: 'u2' })],
  ] as const) {
    test(`whoever took a claim over makes nothing ${what} for one that ${why}, whatever its cache says [S5]`, async () => {
      const seen = new Set<string>()
      const { calls, act } = runner({ claim: widget(1), live, seen, cached: { kind: 'absent' } })
      assert.equal(reasonOf(await act(action)), 'Stale')
      assert.deepEqual(calls, [])
      assert.equal(seen.size, 0)
    })
  }
}

test('a claim that was taken over is read once, before the first thing that is made for it [S5]', async () => {
  const script: Scripted = { claim: widget(1), live: widget(3), seen: new Set() }
  const { calls, reads, act } = runner(script)
  await act(making, making)
  await act(making)
  assert.deepEqual(reads, ['u1'])
  assert.deepEqual(calls, [
    ['act:create', undefined],
    ['act:create', undefined],
    ['act:create', undefined],
  ])
})

test('whoever has just written a finalizer to a claim needs not read it [S5]', async () => {
  const { reads, act } = runner({ claim: widget(1), live: widget(1), seen: new Set() })
  await act(finalizing(widget(1)), making)
  assert.deepEqual(reads, [])
})

test('a finalizer that stood there already says nothing of the claim now [S5]', async () => {
  const held = widget(1, { finalizers: ['f'] })
  const { calls, act } = runner({ claim: held, live: undefined, seen: new Set() })
  assert.equal(reasonOf(await act(finalizing(held), making)), 'Stale')
  assert.deepEqual(calls, [])
})

const lasting: Action<OwnAction> = { kind: 'act:create', summary: 'make what lasts', heldBy: 'f' }

for (const [why, live] of [
  ['is gone', undefined],
  ['was made again', widget(9, { uid: 'u2', finalizers: ['f'] })],
  ['has lost its finalizer', widget(9, { finalizers: ['theirs'] })],
  ['is being deleted', widget(9, { finalizers: ['f'], deletionTimestamp: 'now' })],
  ['wants something else by now', widget(9, { finalizers: ['f'], generation: 2 })],
] as const) {
  test(`nothing that outlives a claim is made for one that ${why}, whatever the cache says [S5]`, async () => {
    const held = widget(1, { finalizers: ['f'] })
    const { calls, act } = runner({
      claim: held,
      live,
      seen: new Set(['u1']),
      cached: { kind: 'present', object: held, partial: false },
    })
    assert.equal(reasonOf(await act(lasting)), 'Stale')
    assert.deepEqual(calls, [])
  })
}

test('what outlives a claim is made while the server has the claim with its finalizer, read right before [S5]', async () => {
  const { calls, reads, act } = runner({ claim: widget(1, { finalizers: ['f'] }), live: widget(3, { finalizers: ['f'] }) })
  await act(lasting)
  assert.deepEqual(reads, ['u1'])
  assert.deepEqual(calls, [['act:create', undefined]])
})

test('what is made for a claim that nobody else worked on costs no read', async () => {
  const { reads, act } = runner({ claim: widget(1), live: undefined })
  await act(making)
  assert.deepEqual(reads, [])
})

test('a delete carries the uid and version that were read a moment ago [P4]', async () => {
  const { calls, act } = runner({ live: widget(5) })
  await act(deletion(widget(5)))
  assert.deepEqual(calls, [['delete', { uid: 'u1', resourceVersion: '5' }]])
})

for (const [why, live, reason] of [
  ['is gone', undefined, undefined],
  ['has another uid', widget(9, { uid: 'u2' }), undefined],
  ['is being deleted', widget(9, { deletionTimestamp: 'now' }), undefined],
  ['changed since', widget(9), 'Stale'],
] as const) {
  test(`what ${why} is not deleted [P4]`, async () => {
    const { calls, act } = runner({ live })
    assert.equal(reasonOf(await act(deletion(widget(5)))), reason)
    assert.deepEqual(calls, [])
  })
}

for (const [why, live] of [
  ['has another generation', widget(9, { generation: 2 })],
  ['was made anew', widget(9, { uid: 'u2' })],
  ['is gone', undefined],
  ['is not being deleted after all', widget(9)],
] as const) {
  test(`nothing is destroyed for a claim that ${why} [S4]`, async () => {
    const claim = widget(5, { deletionTimestamp: 'then' })
    const { calls, act } = runner({ live, claim })
    const release: Action = { kind: 'remove-finalizer', type: widgets, object: widget(5, { finalizers: ['f'] }), finalizer: 'f' }
    assert.equal(reasonOf(await act(release)), 'Stale')
    assert.deepEqual(calls, [])
  })
}

for (const [what, answer, changed] of [
  ['the last finalizer, with the version that it had', widget(5, { deletionTimestamp: 'then' }), true],
  ['one of two, with another version', widget(6, { deletionTimestamp: 'then', finalizers: ['theirs'] }), true],
  ['nothing, with the version that it had', widget(5, { deletionTimestamp: 'then', finalizers: ['theirs'] }), false],
  ['nothing of an object that stays', widget(5), false],
] as const)
  test(`a server that took away ${what} has ${changed ? 'done something' : 'done nothing'}`, async () => {
    const held = widget(5, { deletionTimestamp: 'then', finalizers: ['f'] })
    const { act } = runner({ live: held, answer })
    const [outcome] = await act({ kind: 'remove-finalizer', type: widgets, object: held, finalizer: 'f' })
    assert.equal(outcome?.kind === 'done' && outcome.changed, changed)
  })

test('a finalizer is added to this uid only, and only while the others are as they were seen [P4]', async () => {
  const { calls, act } = runner({ live: widget(5) })
  await act(finalizing(widget(5, { finalizers: ['theirs'] })))
  assert.deepEqual(calls, [
    [
      'json',
      [
        { op: 'test', path: '/metadata/uid', value: 'u1' },
        { op: 'test', path: '/metadata/finalizers', value: ['theirs'] },
        { op: 'add', path: '/metadata/finalizers/-', value: 'f' },
      ],
    ],
  ])
})

for (const [what, finalizers, operations] of [
  [
    'is the second of two',
    ['theirs', 'f'],
    [
      ['test', 1],
      ['remove', 1],
    ],
  ],
  [
    'is the only one',
    ['f'],
    [
      ['test', 0],
      ['remove', 0],
    ],
  ],
  ['is not there', ['theirs'], undefined],
  ['is not there, as there are none', undefined, undefined],
] as const)
  test(`a finalizer that ${what} is ${operations === undefined ? 'not asked for' : 'taken away alone'}`, async () => {
    const held = widget(5, finalizers === undefined ? {} : { finalizers: [...finalizers] })
    const { calls, act } = runner({ live: held })
    assert.equal(reasonOf(await act({ kind: 'remove-finalizer', type: widgets, object: held, finalizer: 'f' })), undefined)
    const sent = calls.map(([, body]) =>
      (body as readonly { op: string; path: string }[]).slice(1).map(({ op, path }) => [op, path]),
    )
    assert.deepEqual(
      sent,
      operations === undefined ? [] : [operations.map(([op, index]) => [op, `/metadata/finalizers/${index}`])],
    )
  })

for (const [what, propagation, policy] of [
  ['nothing is said', undefined, 'Background'],
  ['that is said', 'Orphan', 'Orphan'],
] as const)
  test(`what depends on an object goes as ${policy} where ${what}`, async () => {
    const { target, act } = runner({ live: widget(5) })
    const policies: unknown[] = []
    const { client } = target as { client: { delete: unknown } }
    client.delete = async (_type: unknown, _key: unknown, options: { propagationPolicy: string }) => {
      policies.push(options.propagationPolicy)
      return widget(6)
    }
    await act({ kind: 'delete', type: widgets, object: widget(5), ...(propagation && { propagation }) })
    assert.deepEqual(policies, [policy])
  })

test('a failed test is followed by a fresh read and another try', async () => {
  const { calls, act } = runner({ live: widget(7, { finalizers: ['other'] }), errors: [refused(422, 'Invalid')] })
  assert.equal(reasonOf(await act(finalizing(widget(5)))), undefined)
  assert.deepEqual(
    calls.map(([, body]) => (body as { value: unknown }[])[1]?.value),
    ['5', ['other']],
  )
})

test('a patch that the server does not want is not taken for a failed test', async () => {
  const seen = widget(5, { finalizers: ['other'] })
  const { calls, act } = runner({ live: seen, errors: [refused(422, 'Invalid'), refused(422, 'Invalid')] })
  assert.equal(reasonOf(await act(finalizing(seen))), 'Rejected')
  assert.equal(calls.length, 1)
})

test('when the object was made anew meanwhile, its successor is left alone [W5]', async () => {
  const { calls, act } = runner({ live: widget(7, { uid: 'u2' }), errors: [refused(422, 'Invalid')] })
  await act(finalizing(widget(5)))
  assert.equal(calls.length, 1)
})

test('what comes after a failure is skipped, but not what runs beside it', async () => {
  const { act } = runner({ live: undefined, errors: [refused(403, 'Forbidden')] })
  const create = (name: string): Action => ({
    kind: 'create',
    type: widgets,
    object: { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { namespace: 'a', name } },
  })
  const outcomes = await act({ kind: 'together', branches: [[create('x'), create('x2')], [create('y')]] }, create('z'))
  assert.deepEqual(
    outcomes.map(({ kind, action }) => `${kind} ${action.kind === 'create' ? action.object.metadata.name : ''}`),
    ['failed x', 'skipped x2', 'done y', 'skipped z'],
  )
})

const report = { conditions: [{ type: 'Ready', status: 'True', reason: 'Done', message: '' }], status: { copies: 2 } } as const
const place = { kind: 'subresource', observedGeneration: true } as const
const still = { now: () => 0 }

test('a status is not written onto a generation that nobody looked at [S8]', async () => {
  const { calls, writer, target } = runner({ live: widget(9, { generation: 2 }), errors: [refused(422, 'Invalid')] })
  await assert.rejects(
    writeStatus(writer, { target, type: widgets, claim: widget(5), report, place, clock: still }),
    /the spec changed/,
  )
  assert.equal(calls.length, 1)
})

test('what was decided once is not decided again by who did not see it, and nothing else of that pass is told', async () => {
  const once = { kind: 'subresource', observedGeneration: true, decidedOnce: ['named', 'taken'] } as const
  const said = (taken: string | undefined) => ({ ...report, status: { copies: 2, taken } })
  const outcomeOf = async (now: object, decided: string | undefined): Promise<string> => {
    const live = widget(9, { status: { copies: 1, ...now } })
    const { calls, writer, target } = runner({ live, errors: [refused(422, 'Invalid')] })
    const claim = widget(5, { status: { copies: 0 } })
    const write = { target, type: widgets, claim, report: said(decided), place: once, clock: still }
    return await writeStatus(writer, write).then(
      () => `written by call ${calls.length}`,
      (error: Error) => error.message,
    )
  }
  assert.equal(await outcomeOf({ taken: 'earlier' }, 'later'), 'what was decided meanwhile has not been heard of yet')
  assert.equal(await outcomeOf({ taken: 'earlier' }, undefined), 'what was decided meanwhile has not been heard of yet')
  // Somebody came to the same, or nobody decided anything.
  assert.equal(await outcomeOf({ taken: 'later' }, 'later'), 'written by call 2')
  assert.equal(await outcomeOf({}, 'later'), 'written by call 2')
})

test('a status that was taken away meanwhile is not written in part: the next look sees that it is gone', async () => {
  const { calls, writer, target } = runner({ live: widget(9), errors: [refused(422, 'Invalid')] })
  const claim = widget(5, { status: { copies: 0, taken: 'earlier' } })
  await assert.rejects(
    writeStatus(writer, { target, type: widgets, claim, report, place, clock: still }),
    /the status was taken away/,
  )
  assert.equal(calls.length, 1)
})

test('only the fields that differ are sent, each with what it was [P7]', async () => {
  const held = { type: 'Ready', status: 'False', reason: 'X', message: '', observedGeneration: 1, lastTransitionTime: 't' }
  const foreign = { ...held, type: 'Foreign' }
  const claim = widget(5, { status: { copies: 1, foreign: 'x', observedGeneration: 1, conditions: [foreign, held] } })
  const { calls, writer, target } = runner({ live: claim })
  assert.equal(await writeStatus(writer, { target, type: widgets, claim, report, place, clock: still }), true)
  assert.deepEqual(calls[0]?.[1], [
    { op: 'test', path: '/metadata/uid', value: 'u1' },
    { op: 'test', path: '/metadata/generation', value: 1 },
    { op: 'test', path: '/status/copies', value: 1 },
    { op: 'replace', path: '/status/copies', value: 2 },
    { op: 'test', path: '/status/conditions/1', value: held },
    {
      op: 'replace',
      path: '/status/conditions/1',
      value: { ...held, status: 'True', reason: 'Done', lastTransitionTime: '1970-01-01T00:00:00Z' },
    },
  ])
})

test('a condition that turns by the second try turned when that was sent [S21]', async () => {
  const { calls, writer, target } = runner({ live: widget(9, { status: { copies: 1 } }), errors: [refused(422, 'Invalid')] })
  let tries = 0
  const clock = { now: () => tries++ * 1_000 }
  assert.equal(
    await writeStatus(writer, { target, type: widgets, claim: widget(5, { status: { copies: 0 } }), report, place, clock }),
    true,
  )
  const sentAt = calls.flatMap(([, body]) =>
    (Array.isArray(body) ? body : []).flatMap(
      ({ path, value }: { path: string; value: readonly { lastTransitionTime: string }[] }) =>
        path === '/status/conditions' ? [value[0]?.lastTransitionTime] : [],
    ),
  )
  assert.deepEqual(sentAt, ['1970-01-01T00:00:00Z', '1970-01-01T00:00:01Z'])
})

test('an equal status is not sent [P7]', async () => {
  const conditions = [{ ...report.conditions[0], observedGeneration: 1, lastTransitionTime: 't' }]
  const claim = widget(5, { status: { copies: 2, observedGeneration: 1, conditions } })
  const { calls, writer, target } = runner({ live: claim })
  assert.equal(await writeStatus(writer, { target, type: widgets, claim, report, place, clock: still }), false)
  assert.deepEqual(calls, [])
})

test('a whole-object update carries the version that was seen', async () => {
  const { calls, act } = runner({})
  await act({ kind: 'update', type: widgets, object: widget(5) })
  assert.deepEqual(calls, [['update', widget(5)]])
})

test('a patch carries its preconditions in whatever form it has', async () => {
  const { calls, act } = runner({})
  const patch = { kind: 'patch', type: widgets, key: { namespace: 'a', name: 'w' }, uid: 'u1', resourceVersion: '5' } as const
  await act({ ...patch, patch: 'merge', body: { spec: { x: 1 } } })
  await act({ ...patch, patch: 'json', body: [{ op: 'remove', path: '/spec/x' }] })
  assert.deepEqual(calls, [
    ['merge', { spec: { x: 1 }, metadata: { uid: 'u1', resourceVersion: '5' } }],
    [
      'json',
      [
        { op: 'test', path: '/metadata/uid', value: 'u1' },
        { op: 'test', path: '/metadata/resourceVersion', value: '5' },
        { op: 'remove', path: '/spec/x' },
      ],
    ],
  ])
})
