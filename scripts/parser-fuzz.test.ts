import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fuzzParser, targets } from './parser-fuzz.ts'

for (const name of Object.keys(targets))
  test(`no broken input makes the parser of a ${name} fail in another way than it says, or take long [X1]`, () => {
    assert.deepEqual(fuzzParser(name, { runs: 200, seed: 1 }), [])
  })
