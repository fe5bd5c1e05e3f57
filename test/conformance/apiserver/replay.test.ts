// Every recorded answer of the real kube-apiserver, asked of the embedded one.
import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import { embeddedTarget } from './embedded-target.ts'
import { readKnown } from './known.ts'
import { type Found, idleDifferences, replayFile, type Tally, themes } from './replay-all.ts'

const known = readKnown()
const tallies: Tally[] = []

describe('the embedded API server answers as the real one did', () => {
  for (const file of themes()) {
    it(`in ${file}`, async (t: TestContext) => {
      const target = embeddedTarget()
      try {
        const prelude = await replayFile(target, 'prelude.jsonl', known)
        const tally = await replayFile(target, file, known)
        tallies.push(prelude, tally)
        t.diagnostic(
          `vectors ${file}: ${tally.steps} steps, ${tally.same} same, ${tally.forgiven} forgiven by the table, ${tally.known.length} known to differ`,
        )
        if (tally.mended.length > 0)
          t.diagnostic(`  no longer different: ${tally.mended.length}; run scripts/vectors/vectors-replay.ts --update`)
        assert.deepEqual(tally.unknown.map(render), [])
      } finally {
        await target.close()
      }
    })
  }

  it('with a table of differences in which every entry is needed', () => {
    assert.deepEqual(idleDifferences(tallies), [])
  })
})

function render(found: Found): string {
  return `${found.key} (${found.what})\n${found.difference}`
}
