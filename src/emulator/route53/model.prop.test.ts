import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { SortedMap } from '../state/sorted-map.ts'
import {
  changeById,
  emptyRoute53,
  newestSets,
  onlyVersion,
  type RecordSet,
  type SubmittedChange,
  visibleSets,
  withChange,
  withSets,
  type Zone,
} from './model.ts'

const setsNamed = (text: string): SortedMap<RecordSet> => SortedMap.from([[text, { Name: text, Type: 'A' }]])
const nameIn = (sets: SortedMap<RecordSet> | undefined): string | undefined => sets?.first()?.[0]

test('the DNS sees each version of a zone from its moment on, never an older one after a newer, and the API the newest', () => {
  const step = fc.record({ afterMs: fc.nat({ max: 20 }), delayMs: fc.nat({ max: 30 }) })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), steps => {
      const first = { submittedMs: 0, visibleMs: 0, sets: setsNamed('v0') }
      let zone = { versions: onlyVersion(first) } as Zone
      const model = [{ name: 'v0', visibleMs: 0 }]
      let now = 0
      for (const [index, { afterMs, delayMs }] of steps.entries()) {
        now += afterMs
        zone = withSets(zone, setsNamed(`v${index + 1}`), { now, delayMs })
        model.push({ name: `v${index + 1}`, visibleMs: Math.max(now + delayMs, model.at(-1)?.visibleMs ?? 0) })
        assert.equal(nameIn(newestSets(zone)), `v${index + 1}`)
        for (const at of [now, now + 1, now + 10, now + 100]) {
          assert.equal(nameIn(visibleSets(zone, at)), model.findLast(version => version.visibleMs <= at)?.name)
        }
      }
      const waiting = new Set(model.filter(version => version.visibleMs > now).map(version => version.visibleMs))
      assert.ok(zone.versions.size <= waiting.size + 2, 'what nobody sees any more is forgotten')
    }),
  )
})

test('the latest twenty thousand changes are known, and no more than twice as many are kept', () => {
  let state = emptyRoute53
  const change = (index: number): SubmittedChange => ({ id: `C${index}`, account: '1', submittedMs: index, insyncMs: index })
  for (let index = 0; index < 50_000; index++) state = withChange(state, change(index))
  assert.equal(changeById(state, 'C30000')?.submittedMs, 30_000)
  assert.equal(changeById(state, 'C49999')?.submittedMs, 49_999)
  assert.equal(changeById(state, 'C0'), undefined)
  assert.ok(state.changes.size + state.olderChanges.size <= 40_000)
})
