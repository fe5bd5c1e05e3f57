// When the version of the API server is read: again soon after a reading that failed, later and later, and each minute once it is known.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Log, ManualClock, type Random, silentLog } from '#base'
import { advanceTo } from '#runtime'
import { hasNativeSidecars, ServerVersion } from './server-version.ts'

/** Always draws this part; in the middle nothing is added and nothing taken away. */
const drawing = (part: number): Random => ({ float: () => part }) as unknown as Random

type Answer = string | Error

/** Follows the version for so long, while the API server gives these answers, the last one for ever. */
async function follow(answers: readonly Answer[], untilMs: number, random = drawing(0.5)) {
  const clock = new ManualClock()
  const readAtMs: number[] = []
  const illegal: string[] = []
  const told: string[] = []
  const log: Log = { ...silentLog, warn: text => void told.push(text), info: text => void told.push(text) }
  const timeouts = new Set<number | undefined>()
  const serverVersion = ({ timeoutMs }: { timeoutMs?: number }): Promise<{ gitVersion: string }> => {
    timeouts.add(timeoutMs)
    const answer = answers[Math.min(readAtMs.length, answers.length - 1)] ?? ''
    readAtMs.push(clock.monotonicMs())
    return answer instanceof Error ? Promise.reject(answer) : Promise.resolve({ gitVersion: answer })
  }
  const client = { serverVersion } as unknown as ConstructorParameters<typeof ServerVersion>[0]['client']
  const version = new ServerVersion({ client, clock, random, log, onIllegal: ({ message }) => illegal.push(message) })
  const stop = new AbortController()
  const running = version.source().run(stop.signal)
  const settle = (): Promise<void> => clock.advance(0)
  await advanceTo(clock, untilMs, { settle, between: settle })
  stop.abort()
  await running
  return { readAtMs, illegal, told, isNative: version.hasNativeSidecars, timeouts: [...timeouts] }
}

const down = new Error('it is down')

test('a version that could not be read is read again after a quarter of a second, and later and later', async () => {
  const { readAtMs, isNative, told, timeouts } = await follow([down], 46_000)
  assert.deepEqual(readAtMs, [0, 250, 750, 1_750, 3_750, 7_750, 15_750, 25_750, 35_750, 45_750])
  assert.deepEqual([isNative, told.length], [undefined, readAtMs.length])
  assert.deepEqual(timeouts, [5_000])
})

for (const [part, readAtMs] of [
  [0, [0, 200, 600, 1_400]],
  [1, [0, 300, 900, 2_100]],
] as const)
  test(`drawn at ${part}, each pause is a fifth ${part === 0 ? 'shorter' : 'longer'}`, async () => {
    assert.deepEqual((await follow([down], 2_500, drawing(part))).readAtMs.map(Math.round), readAtMs)
  })

test('once it is known it is read each minute, and a failure then is repeated soon again', async () => {
  const { readAtMs, isNative } = await follow(['v1.31.0', 'v1.32.1', down, down, 'v1.34.4'], 200_000)
  assert.deepEqual(readAtMs, [0, 60_000, 120_000, 120_250, 120_750, 180_750])
  assert.equal(isNative, true)
})

test('another version is told; text that is none ends the start, and later changes nothing', async () => {
  const { told, illegal, isNative } = await follow(['v1.32.0', 'v1.31.9', 'latest'], 130_000)
  assert.deepEqual([illegal, isNative], [[], false])
  assert.deepEqual(told, [
    'the API server is another version',
    'failed to check kubernetes version: illegal version string "latest"',
  ])
  const first = await follow(['latest'], 1_000)
  assert.deepEqual([first.illegal.length, first.isNative], [1, undefined])
  assert.deepEqual((await follow(['v1.32.0'], 1_000)).told, [], 'what is read first is no other version')
})

for (const [text, expected] of [
  ['v1.32.0', true],
  ['1.31.14-eks-1', false],
  ['v2.0.0', true],
  ['v0.99.0', false],
  ['v1.32', undefined],
  ['v1.032.0', undefined],
] as const)
  test(`of ${text} the init containers that go on running are ${expected ?? 'unknown'}`, () => {
    assert.equal(hasNativeSidecars(text), expected)
  })
