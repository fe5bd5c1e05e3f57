import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Age } from './listing.ts'

test('a list is older than what was seen before, were it on a stream, or not known to be', () => {
  const age = new Age()
  age.saw(undefined)
  age.saw('20')
  age.saw('15')
  assert.deepEqual(age.judge('19'), { kind: 'older', than: '20' })
  assert.deepEqual(age.judge('20'), { kind: 'taken', rewind: false })
  age.saw('30')
  assert.deepEqual(age.judge('29'), { kind: 'older', than: '30' })
  assert.deepEqual(age.judge('x'), { kind: 'taken', rewind: false })
})

test('a server that answers six times in a row with an older state went back for good, and the count begins anew [F11]', () => {
  const age = new Age()
  age.saw('20')
  const kinds = (): readonly unknown[] =>
    Array.from({ length: 6 }, () => age.judge('10')).map(one => (one.kind === 'older' ? 'older' : one.rewind))
  assert.deepEqual(kinds(), ['older', 'older', 'older', 'older', 'older', true])
  age.saw('20')
  assert.deepEqual(kinds(), ['older', 'older', 'older', 'older', 'older', true])
})
