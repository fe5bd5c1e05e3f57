import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Random } from '#base'
import { acmDelays } from './acm/delays.ts'
import { pcaDelays } from './acm-pca/delays.ts'
import type { Profile } from './aws.ts'
import { credentialsDelay, type Delay, delayOf, listDelay, longestDelayOf } from './delays.ts'
import { eksDelays } from './eks/delays.ts'
import { iamDelays } from './iam/delays.ts'
import { defaultKnobs, type Knobs } from './knobs.ts'
import { route53Delays } from './route53/delays.ts'
import { s3Delays } from './s3/delays.ts'

type Seconds = number | readonly [min: number, max: number]

/** In seconds, as the table of §12.2 has them. */
const rows: readonly (readonly [delay: Delay, demo: Seconds, async: Seconds, hostile?: Seconds])[] = [
  [iamDelays.iam, 0.5, [4, 12]],
  [iamDelays.serviceLinkedRoleDeletion, 1, [5, 20]],
  [credentialsDelay, 0, [0, 2]],
  [eksDelays.association, 1, 5],
  [eksDelays.clusterReady, 2, 600],
  [eksDelays.clusterGone, 2, 600],
  [eksDelays.addonReady, 1, 60],
  [eksDelays.identityProviderReady, 1, 600],
  [s3Delays.bucketAccess, 0.5, [2, 10]],
  [route53Delays.dnsChange, 2, [30, 60]],
  [acmDelays.certificateVisible, 0, 0, [0, 10]],
  [acmDelays.certificateDetails, 0.5, 3],
  [acmDelays.certificateIssue, 1, [10, 120]],
  [acmDelays.certificateTaken, 0, [1, 5]],
  [acmDelays.certificateFreed, 0, [5, 60]],
  [pcaDelays.authorityCreated, 0, [2, 10]],
  [pcaDelays.authorityIssue, 0, [1, 3]],
  [listDelay, 0, [2, 3]],
]

/** Draws the same share every time, and notes for what. */
function drawing(share: number, names: string[] = []): Random {
  return { fork: (name: string) => drawing(share, (names.push(name), names)), float: () => share } as unknown as Random
}

function rangeOf(delay: Delay, profile: Profile, knobs: Partial<Knobs> = {}): readonly [min: number, max: number] {
  const from = { profile, knobs: { ...defaultKnobs, ...knobs } }
  const [min, max] = [0, 1].map(share => delayOf(delay, 'object', { ...from, random: drawing(share) })) as [number, number]
  assert.equal(longestDelayOf(delay, from), max)
  return [min, max]
}

const inMs = (given: Seconds, times = 1): readonly [number, number] =>
  (typeof given === 'number' ? [given, given] : given).map(seconds => seconds * 1_000 * times) as unknown as [number, number]

for (const [delay, demo, async, hostile] of rows) {
  test(`${delay.name} takes nothing, ${JSON.stringify(demo)} s, ${JSON.stringify(async)} s, and three times that under hostile [§12.2]`, () => {
    assert.deepEqual(rangeOf(delay, 'instant'), [0, 0])
    assert.deepEqual(rangeOf(delay, 'demo'), inMs(demo))
    assert.deepEqual(rangeOf(delay, 'async'), inMs(async))
    assert.deepEqual(rangeOf(delay, 'hostile'), hostile === undefined ? inMs(async, 3) : inMs(hostile))
  })
}

test('a knob outweighs the profile, as a number or a range, even where the profile is instant', () => {
  assert.deepEqual(rangeOf(listDelay, 'async', { delays: { list: 7 } }), [7, 7])
  assert.deepEqual(rangeOf(listDelay, 'instant', { delays: { list: [7, 9] } }), [7, 9])
  assert.deepEqual(rangeOf(listDelay, 'async', { delays: { other: 7 } }), [2_000, 3_000])
})

test('an object draws by its own name, in whole milliseconds', () => {
  const names: string[] = []
  const from = { profile: 'async', knobs: defaultKnobs, random: drawing(0.4999, names) } as const
  assert.equal(delayOf(listDelay, 'iam/r', from), 2_500)
  assert.deepEqual(names, ['delay/list/iam/r'])
})
