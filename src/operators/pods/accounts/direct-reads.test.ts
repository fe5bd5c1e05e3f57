// §2.10.1: one read in flight per object, and whom its answer is good enough for.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { drain } from '#base'
import { type StoredObject, serviceAccounts } from '#kube'
import { KubeError } from '#kube/client'
import { type DirectAnswer, DirectReads } from './direct-reads.ts'
import { alwaysMyTurn, type ReadTurns } from './read-budget.ts'

const key = { namespace: 'ns', name: 'a' }
const object: StoredObject = {
  apiVersion: 'v1',
  kind: 'ServiceAccount',
  metadata: { namespace: 'ns', name: 'a', uid: 'u', resourceVersion: '1', creationTimestamp: '2026-01-01T00:00:00Z' },
}

interface Sent {
  readonly signal: AbortSignal
  readonly timeoutMs: number
  readonly answer: (found: StoredObject | undefined) => void
  readonly fail: (error: unknown) => void
}

/** An API server that answers when the test says so. */
function readsOf() {
  const sent: Sent[] = []
  const find = (_type: unknown, _key: unknown, { signal, timeoutMs }: Pick<Sent, 'signal' | 'timeoutMs'>) =>
    new Promise((answer, fail) => sent.push({ signal, timeoutMs, answer, fail }))
  const reads = new DirectReads({ find } as unknown as ConstructorParameters<typeof DirectReads>[0], serviceAccounts)
  const ask = (more: { signal?: AbortSignal; budget?: ReadTurns; isEnough?: (answer: DirectAnswer) => boolean } = {}) => {
    const told: DirectAnswer[] = []
    const signal = more.signal ?? new AbortController().signal
    void reads.ask({ key, budget: alwaysMyTurn, isEnough: () => false, ...more, signal }).then(answer => told.push(answer))
    return told
  }
  return { reads, sent, ask }
}

test('a read waits a second at most, and is counted [2.10.1]', async () => {
  const { reads, sent, ask } = readsOf()
  const told = ask()
  await drain()
  assert.deepEqual([sent.length, sent[0]?.timeoutMs, reads.reads, reads.inFlight], [1, 1_000, 1, 1])
  sent[0]?.answer(object)
  await drain()
  assert.deepEqual([told, reads.inFlight], [[{ kind: 'found', object }], 0])
})

test('those who asked before the read was sent share its answer [2.10.1]', async () => {
  const { sent, ask } = readsOf()
  let go = (_granted: boolean): void => undefined
  const budget: ReadTurns = { enter: () => new Promise(resolve => (go = resolve)) }
  const [first, second] = [ask({ budget }), ask({ budget })]
  await drain()
  assert.equal(sent.length, 0)
  go(true)
  await drain()
  sent[0]?.answer(undefined)
  await drain()
  assert.deepEqual([sent.length, first, second], [1, [{ kind: 'absent' }], [{ kind: 'absent' }]])
})

for (const [what, isEnough, reads] of [
  ['an answer that is enough', true, 1],
  ['one that is not', false, 2],
] as const)
  test(`whoever asks while a read is under way has ${what} after ${reads === 1 ? 'it' : 'a read of its own'} [S20]`, async () => {
    const { sent, ask } = readsOf()
    ask()
    await drain()
    const late = ask({ isEnough: () => isEnough })
    await drain()
    assert.equal(sent.length, 1)
    sent[0]?.answer(undefined)
    await drain()
    assert.equal(sent.length, reads)
    sent[1]?.answer(object)
    await drain()
    assert.deepEqual(late, [isEnough ? { kind: 'absent' } : { kind: 'found', object }])
  })

test('those who came while a read was under way share the next one [2.10.1]', async () => {
  const { sent, ask } = readsOf()
  ask()
  await drain()
  const late = [ask(), ask()]
  sent[0]?.answer(undefined)
  await drain()
  sent[1]?.answer(undefined)
  await drain()
  assert.deepEqual([sent.length, ...late], [2, [{ kind: 'absent' }], [{ kind: 'absent' }]])
})

test('whoever leaves is told at once; the read goes on for the others, and ends with the last', async () => {
  const { reads, sent, ask } = readsOf()
  const [one, other] = [new AbortController(), new AbortController()]
  const [first, second] = [ask({ signal: one.signal }), ask({ signal: other.signal })]
  await drain()
  one.abort()
  await drain()
  assert.deepEqual([first, second, sent[0]?.signal.aborted], [[{ kind: 'not-asked' }], [], false])
  other.abort()
  await drain()
  assert.deepEqual([second, sent[0]?.signal.aborted], [[{ kind: 'not-asked' }], true])
  // The read that nobody waits for has not come back yet: it answers nobody who comes now.
  const next = ask()
  await drain()
  assert.equal(sent.length, 2)
  sent[0]?.answer(undefined)
  await drain()
  assert.deepEqual([next, reads.inFlight], [[], 1])
  sent[1]?.answer(object)
  await drain()
  assert.deepEqual([next, reads.inFlight], [[{ kind: 'found', object }], 0])
})

test('whoever has left before it asked sends nothing', async () => {
  const { sent, ask } = readsOf()
  const told = ask({ signal: AbortSignal.abort() })
  await drain()
  assert.deepEqual([told, sent.length], [[{ kind: 'not-asked' }], 0])
})

test('without a turn nothing is read', async () => {
  const { reads, sent, ask } = readsOf()
  const told = ask({ budget: { enter: () => Promise.resolve(false) } })
  await drain()
  assert.deepEqual([told, sent.length, reads.reads], [[{ kind: 'not-asked' }], 0, 0])
})

for (const [error, message, again] of [
  [new KubeError('throttled', 'slow down'), 'slow down', true],
  [new KubeError('unreachable', 'no route'), 'no route', true],
  [new KubeError('refused', 'forbidden', { httpStatus: 403 }), 'forbidden', false],
  [new Error('a fault'), 'a fault', false],
  ['a text', 'a text', false],
] as const)
  test(`a read that failed with ${String(error)} is ${again ? '' : 'not '}worth another try`, async () => {
    const { sent, ask } = readsOf()
    const told = ask()
    await drain()
    sent[0]?.fail(error)
    await drain()
    assert.deepEqual(told, [{ kind: 'failed', message, again }])
  })
