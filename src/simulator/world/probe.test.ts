import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CacheWatch } from './cache-watch.ts'
import { type ProbeInputs, probeOf, waitsMsMax } from './probe.ts'
import { WorldScheduler } from './scheduler.ts'
import { SimClock } from './sim-clock.ts'
import type { SimProcess } from './sim-process.ts'

function probed(healedForMs?: number) {
  const scheduler = new WorldScheduler({ held: () => false, faults: () => [] })
  const process: SimProcess = {
    name: 'p0',
    epoch: 1,
    version: 0,
    alive: true,
    paused: false,
    startedAtStep: 0,
    clock: new SimClock(scheduler, 'p0'),
    abort: new AbortController(),
    done: Promise.resolve(),
    reconciling: new Set(),
    caches: new CacheWatch(),
    holdsBack: () => undefined,
    provedMs: new Map(),
  }
  const broken: string[] = []
  const expect: ProbeInputs['expect'] = (code, text) => {
    if (text !== undefined) broken.push(`${code} ${text}`)
  }
  return { process, broken, probe: probeOf(process, { expect, passBegan: () => {}, healedForMs: () => healedForMs, waitsMsMax }) }
}

test('a key that is worked on twice at once breaks S17, one after the other does not', () => {
  const { probe, broken } = probed()
  probe.reconcileStarted('roles', 'a')
  probe.reconcileEnded('roles', 'a')
  probe.reconcileStarted('roles', 'a')
  assert.deepEqual(broken, [])
  probe.reconcileStarted('roles', 'a')
  assert.deepEqual(broken, ['S17 p0: reconciles roles a twice at once'])
})

test("what a dead process still does is nobody's fault", () => {
  const { probe, broken, process } = probed()
  probe.reconcileStarted('roles', 'a')
  process.alive = false
  probe.reconcileStarted('roles', 'a')
  probe.expected('S99', 'broken')
  assert.deepEqual(broken, [])
})

test('a key has to be taken in time only once nothing goes wrong, and only since then', () => {
  const wait = (healedForMs: number | undefined): readonly string[] => {
    const { probe, broken } = probed(healedForMs)
    probe.keyTaken('fresh', 5_000)
    return broken
  }
  assert.deepEqual(wait(undefined), [])
  assert.deepEqual(wait(1_000), [])
  assert.deepEqual(wait(1_001), ['L9 p0: a fresh key waited 1001 ms, more than 1000'])
})

test('a clock that changed its rate excuses its process', () => {
  const { probe, broken, process } = probed(10_000)
  process.clock.setRate(2)
  probe.keyTaken('fresh', 5_000)
  assert.deepEqual(broken, [])
})
