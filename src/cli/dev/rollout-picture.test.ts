import assert from 'node:assert/strict'
import { test } from 'node:test'
import { rolloutPicture } from './rollout-picture.ts'

const groups = [
  { name: 'canary', clusters: ['a'] },
  { name: 'rest', clusters: ['b', 'c'] },
]
const cluster = (clusterName: string, phase: 'Pending' | 'Ready' | 'Conflict', reason: string) => ({ clusterName, phase, reason })

test('a rollout is drawn group by group: who has it, who is on the way, who has failed, who waits', () => {
  assert.equal(rolloutPicture(groups, undefined), 'canary [a ·] ─── rest [b ·, c ·]')
  const begun = [cluster('a', 'Pending', 'ChildrenPending'), cluster('b', 'Pending', 'RolloutPending')]
  assert.equal(rolloutPicture(groups, { clusters: begun }), 'canary [a …] ─── rest [b ·, c ·]')
  const ready = [cluster('a', 'Ready', 'Ready'), cluster('b', 'Conflict', 'ChildConflict')]
  assert.equal(rolloutPicture(groups, { clusters: ready }), 'canary [a ✓] ──> rest [b !, c ·]')
  assert.equal(
    rolloutPicture(groups, { clusters: [cluster('a', 'Conflict', 'ChildConflict')] }),
    'canary [a !] ─╳─ rest [b ·, c ·]',
  )
})
