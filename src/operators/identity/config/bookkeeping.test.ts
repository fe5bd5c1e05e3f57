import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { WorkloadIdentityConfig } from '../api/kinds.ts'
import { settlingMsMax } from '../role/settling.ts'
import { bookkeepingMs, type Said } from './bookkeeping.ts'

const nowMs = Date.parse('2026-01-01T00:00:00Z')
const told = { type: 'Ready', status: 'False' as const, reason: 'Waiting', message: 'it waits' }
const stood = { ...told, observedGeneration: 3, lastTransitionTime: '2025-12-31T00:00:00Z' }

const config = (status: object): WorkloadIdentityConfig =>
  ({
    metadata: { name: 'default', generation: 3 },
    status: { conditions: [stood], ...status },
  }) as unknown as WorkloadIdentityConfig

const books = { status: { ackResources: [{ name: 'a' }] } }
const ageMs = (ms: number): number => nowMs - ms

interface Row {
  readonly what: string
  readonly held?: object
  readonly said?: Partial<Said>
  readonly madeAt?: readonly (number | undefined)[]
  readonly leftMs: number
}

const keys = (held: readonly string[], planned: readonly string[]): Said['status'] => ({ signingKeys: { held, planned } })
const ready = (more: object): Partial<Said> => ({ ...books, conditions: [{ ...told, ...more }] })

const rows: readonly Row[] = [
  { what: 'entries of a new child changed', leftMs: settlingMsMax },
  { what: 'entries of a child changed that is half a second old', madeAt: [ageMs(500)], leftMs: settlingMsMax - 500 },
  {
    what: 'entries of the youngest of several changed',
    madeAt: [ageMs(60_000), undefined, ageMs(500)],
    leftMs: settlingMsMax - 500,
  },
  { what: 'entries of a child changed whose moment is over in a millisecond', madeAt: [ageMs(settlingMsMax - 1)], leftMs: 1 },
  { what: 'entries of a child changed whose moment is over', madeAt: [ageMs(settlingMsMax)], leftMs: 0 },
  { what: 'entries of a child changed whose age is unknown', madeAt: [undefined], leftMs: 0 },
  { what: 'no child is told of', madeAt: [], leftMs: 0 },
  { what: 'our clock is a little behind', madeAt: [ageMs(-settlingMsMax)], leftMs: 2 * settlingMsMax },
  { what: 'our clock is far behind', madeAt: [ageMs(-settlingMsMax - 1)], leftMs: 0 },
  { what: 'nothing changed', held: books.status, leftMs: 0 },
  { what: 'something else changed as well', said: { status: { ...books.status, issuerHostPath: 'x' } }, leftMs: 0 },
  { what: 'a drawn key arrived', held: keys([], ['k']), said: { status: keys(['k'], []) }, leftMs: settlingMsMax },
  {
    what: 'a drawn key arrived and stands before another',
    held: keys(['l'], ['k']),
    said: { status: keys(['k', 'l'], []) },
    leftMs: settlingMsMax,
  },
  { what: 'a key came on record', held: keys(['k'], []), said: { status: keys(['k', 'l'], []) }, leftMs: 0 },
  { what: 'a key went off the record', held: keys(['k', 'l'], []), said: { status: keys(['k'], []) }, leftMs: 0 },
  { what: 'keys came on record for the first time', said: { status: keys(['k'], []) }, leftMs: 0 },
  { what: 'a condition says another thing', said: ready({ status: 'True' }), leftMs: 0 },
  { what: 'a condition has another reason', said: ready({ reason: 'Other' }), leftMs: 0 },
  { what: 'a condition has other words', said: ready({ message: 'other' }), leftMs: 0 },
  {
    what: 'one of two conditions has other words',
    held: { conditions: [stood, { ...stood, type: 'Other' }] },
    said: { ...books, conditions: [told, { ...told, type: 'Other', message: 'other' }] },
    leftMs: 0,
  },
  { what: 'a condition is new', said: ready({ type: 'New' }), leftMs: 0 },
  { what: 'a condition was told of an older spec', held: { conditions: [{ ...stood, observedGeneration: 2 }] }, leftMs: 0 },
]

for (const { what, held = {}, said = {}, madeAt = [nowMs], leftMs } of rows)
  test(`where ${what}, the status is ${leftMs === 0 ? 'written at once' : `left for ${leftMs} ms`} [M4]`, () =>
    assert.equal(bookkeepingMs(config(held), { conditions: [told], ...books, ...said }, madeAt, nowMs), leftMs))
