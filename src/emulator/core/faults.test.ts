import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Operation } from '#aws'
import type { Random } from '#base'
import type { AwsFaultEffect, AwsFaultRule } from '../aws.ts'
import { disturbedReply, withoutOneItem } from './disturb.ts'
import { ArmedFaults } from './faults.ts'

const subject = { service: 'iam', operation: 'GetRole', caller: 'arn:aws:iam::1:user/ann', resource: 'role/app' }
const latency = (ms: number): AwsFaultEffect => ({ kind: 'latency', ms })

/** A stream that gives these numbers, and notes for which rule it was forked. */
function random(floats: readonly number[] = [], names: string[] = []): Random {
  const left = [...floats]
  const made = { fork: (name: string) => (names.push(name), made), float: () => left.shift() ?? 0, integer: () => 1 }
  return made as unknown as Random
}
const armed = (...rules: readonly AwsFaultRule[]): ArmedFaults => new ArmedFaults(random(), rules)
const met = (faults: ArmedFaults, times: number, now = 0): readonly unknown[] =>
  Array.from({ length: times }, () => {
    const effect = faults.effectFor(subject, now)
    return effect?.kind === 'latency' ? effect.ms : effect?.kind
  })

const matches: readonly (readonly [match: AwsFaultRule['match'], met: boolean])[] = [
  [{}, true],
  [{ service: 'iam' }, true],
  [{ service: 's3' }, false],
  [{ operation: 'GetRole' }, true],
  [{ operation: 'GetUser' }, false],
  [{ caller: 'user/ann' }, true],
  [{ caller: 'user/bob' }, false],
  [{ resource: 'app' }, true],
  [{ resource: 'other' }, false],
  [{ service: 'iam', operation: 'GetUser' }, false],
  [{ service: 's3', operation: 'GetRole' }, false],
  [{ operation: 'GetRole', caller: 'user/bob' }, false],
  [{ caller: 'user/ann', resource: 'other' }, false],
  [{ caller: 'user/bob', resource: 'app' }, false],
]
for (const [match, expected] of matches) {
  test(`a fault for ${JSON.stringify(match)} is ${expected ? 'met' : 'not met'}`, () => {
    assert.deepEqual(met(armed({ match, effect: latency(5) }), 1), [expected ? 5 : undefined])
    const effect: AwsFaultEffect = { kind: 'propagation', extraMs: 7 }
    const mine = match.service !== 's3' && match.resource !== 'other'
    assert.equal(armed({ match, effect }).extraDelayMs('iam', 'role/app', 0), mine ? 7 : 0)
  })
}

test('a fault is met as often as it says, at the call that it says, and in its time', () => {
  assert.deepEqual(met(armed({ match: {}, effect: latency(5), times: 2 }), 3), [5, 5, undefined])
  assert.deepEqual(met(armed({ match: { nth: 2 }, effect: latency(5) }), 3), [undefined, 5, undefined])
  const timed = armed({ match: {}, effect: latency(5), fromMs: 10, untilMs: 20 })
  assert.deepEqual(
    [9, 10, 19, 20].map(now => met(timed, 1, now)[0]),
    [undefined, 5, 5, undefined],
  )
  assert.deepEqual(met(armed({ match: {}, effect: latency(5), fromMs: 10 }), 1, 99), [5])
  assert.deepEqual(met(armed({ match: {}, effect: latency(5), untilMs: 20 }), 1, 0), [5])
})

test('a probable fault is met when its draw is below', () => {
  const faults = new ArmedFaults(random([0.4, 0.5, 0.6, 0]), [{ match: { probability: 0.5 }, effect: latency(5) }])
  assert.deepEqual(met(faults, 4), [5, undefined, undefined, 5])
})

test('the first rule that is met wins, and a rule that was not wanted does not count', () => {
  const faults = armed(
    { match: { nth: 2 }, effect: latency(1) },
    { match: {}, effect: latency(2) },
    { match: {}, effect: { kind: 'throttle' } },
  )
  assert.deepEqual(met(faults, 3), [2, 1, 2])
  assert.deepEqual(
    faults.effectFor(subject, 0, effect => effect.kind === 'throttle'),
    { kind: 'throttle' },
  )
})

test('rules are taken away one by one or all together, and each has draws of its own', () => {
  const names: string[] = []
  const faults = new ArmedFaults(random([], names))
  assert.equal(faults.isEmpty, true)
  const [one, two] = [faults.add({ match: {}, effect: latency(1) }), faults.add({ match: {}, effect: latency(2) })]
  assert.deepEqual(names, ['fault/0', 'fault/1'])
  one.remove()
  one.remove()
  assert.deepEqual([met(faults, 1), faults.rules().length, faults.isEmpty], [[2], 1, false])
  two.remove()
  faults.add({ match: {}, effect: latency(3) })
  faults.clear()
  assert.deepEqual([faults.rules(), faults.isEmpty, names.at(-1)], [[], true, 'fault/2'])
})

test('of several late things the latest counts, also after it fell due', () => {
  const late = (extraMs: number, more: Partial<AwsFaultRule> = {}): AwsFaultRule => ({
    match: {},
    effect: { kind: 'propagation', extraMs },
    ...more,
  })
  const faults = armed(late(5), late(9, { untilMs: 10 }), late(7), { match: {}, effect: latency(99) })
  assert.deepEqual([faults.extraDelayMs('iam', 'x', 0), faults.extraDelayMs('iam', 'x', 10)], [9, 7])
  assert.equal(faults.longestExtraDelayMs(), 9)
  assert.deepEqual([armed().extraDelayMs('iam', 'x', 0), armed().longestExtraDelayMs()], [0, 0])
  const named = armed(late(3, { match: { operation: 'GetRole', caller: 'ann' } }))
  assert.equal(named.extraDelayMs('iam', 'x', 0), 3)
})

const response = { status: 200, headers: { 'content-type': 'text/xml' }, body: Uint8Array.of(1, 2, 3, 4, 5) }

test('an answer is cut in half, or has its middle byte turned', () => {
  assert.deepEqual(disturbedReply(response, { kind: 'truncate-body' }), {
    status: 200,
    headers: { 'content-type': 'text/xml', 'content-length': '2' },
    body: Uint8Array.of(1, 2),
  })
  assert.deepEqual(disturbedReply(response, { kind: 'corrupt-object' }).body, Uint8Array.of(1, 2, 252, 4, 5))
  assert.deepEqual(disturbedReply({ ...response, body: Uint8Array.of(1) }, { kind: 'corrupt-object' }).body, Uint8Array.of(254))
  for (const kind of ['truncate-body', 'corrupt-object'] as const)
    assert.deepEqual(disturbedReply({ ...response, body: null }, { kind }).body, Uint8Array.of(), kind)
  assert.equal(disturbedReply(response, { kind: 'throttle' }), response)
  assert.equal(disturbedReply(response, { kind: 'html-502' }).status, 502)
  assert.equal(disturbedReply(response, { kind: 'wrong-content-type' }).headers['content-type'], 'text/plain')
  assert.throws(() => disturbedReply(response, { kind: 'timeout-after' }))
})

test('a list misses one item of its own members, and an answer without one is left alone', () => {
  const operation = (items?: string): Operation =>
    ({ ...(items !== undefined && { paginated: { items } }) }) as unknown as Operation
  const output = { Name: 'x', Others: [7], Roles: [1, 2, 3] }
  assert.deepEqual(withoutOneItem(operation('Roles'), output, random()), { ...output, Roles: [1, 3] })
  assert.deepEqual(withoutOneItem(operation(), { Name: 'x', Roles: [1, 2] }, random()), { Name: 'x', Roles: [1] })
  for (const nothing of [{ Name: 'x' }, { Roles: [] }])
    assert.equal(withoutOneItem(operation('Roles'), nothing, random()), nothing)
})
