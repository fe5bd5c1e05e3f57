import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fuzzParser, targets, tryLargeInputs } from './parser-fuzz.ts'

for (const name of Object.keys(targets))
  test(`no broken input makes the parser of a ${name} fail in another way than it says, or take long [X1]`, () => {
    assert.deepEqual(fuzzParser(name, { runs: 200, seed: 1 }), [])
  })

// `npm run fuzz -- parsers --large` shows that 50 ms are enough for most; what stalls takes many times that.
const largeCpuMsMax = 200

for (const name of Object.keys(targets))
  test(`a megabyte at the parser of a ${name} is read or refused without a stall [X1]`, () => {
    const { worst, found } = tryLargeInputs(name)
    assert.deepEqual(found, [])
    assert.ok(worst.cpuMs < largeCpuMsMax, `${worst.cpuMs.toFixed(0)} ms for ${JSON.stringify(worst.filling)}`)
  })
