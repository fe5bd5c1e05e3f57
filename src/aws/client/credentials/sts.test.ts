import assert from 'node:assert/strict'
import { test } from 'node:test'
import { grantedLifeMs, sessionName } from './sts.ts'

const now = Date.UTC(2026, 0, 1)
const hour = 3_600_000
const in_ = (ms: number): Date => new Date(now + ms)

for (const [what, expiration, seconds, lifeMs] of [
  ['it is what was asked for where no end is stated', undefined, 900, 900_000],
  ['it is an hour where nothing was asked for', undefined, undefined, hour],
  ['an earlier end that is stated counts', in_(600_000), 900, 600_000],
  ['a later end that is stated does not', in_(2 * hour), 900, 900_000],
  ['an end of now says that the clocks differ', in_(0), 900, 900_000],
  ['an end of yesterday says that the clocks differ', in_(-24 * hour), undefined, hour],
  ['the last millisecond is one', in_(1), 900, 1],
] as const)
  test(`of how long credentials last: ${what}`, () =>
    assert.equal(grantedLifeMs(expiration, seconds, { now: () => now }), lifeMs))

for (const [text, name] of [
  ['vouch@hub', 'vouch@hub'],
  ['a/b:c d', 'a-b-c-d'],
  ['a+=,.@-_9', 'a+=,.@-_9'],
  ['x'.repeat(65), 'x'.repeat(64)],
  ['ab', 'ab'],
  ['a', 'vouch'],
  ['', 'vouch'],
] as const)
  test(`a session of ${JSON.stringify(text.slice(0, 20))} is called ${JSON.stringify(name.slice(0, 20))}`, () =>
    assert.equal(sessionName(text), name))
