// The vectors against a fresh real kube-apiserver: what was recorded must be what it answers again, or the vectors hold accidents.
import assert from 'node:assert/strict'
import { after, describe, it, type TestContext } from 'node:test'
import { replayFile, themes } from '../conformance/apiserver/replay-all.ts'
import { readVectors } from '../conformance/apiserver/vectors.ts'
import { type ControlPlane, startControlPlane } from './control-plane.ts'
import { realTarget } from './real-target.ts'
import { controlPlaneSkipped, sharedControlPlane } from './shared.ts'

const skip = (await controlPlaneSkipped()) ?? false
let fresh: Promise<ControlPlane> | undefined

describe('the vectors are what the real server answers', { skip }, () => {
  after(async () => (await fresh)?.stop())
  for (const file of themes()) {
    it(`in ${file}`, async (t: TestContext) => {
      const isAlone = hasParameters(file)
      const plane = isAlone ? await start() : await (fresh ??= start())
      try {
        const target = realTarget(plane)
        await replayFile(target, 'prelude.jsonl', {})
        const tally = await replayFile(target, file, {})
        t.diagnostic(`vectors ${file} on the real server: ${tally.steps} steps, ${tally.unknown.length} different`)
        assert.deepEqual(
          tally.unknown.map(found => `${found.key} (${found.what})\n${found.difference}`),
          [],
        )
      } finally {
        if (isAlone) await plane.stop()
      }
    })
  }
})

/** Beside the shared one, since the names of the sequences are taken there by the catalogue. */
async function start(): Promise<ControlPlane> {
  const { etcd, programs } = await sharedControlPlane()
  return startControlPlane({ etcd, programs })
}

/** A kube-apiserver that followed the parameters of policies, and lost the last policy that has some, does not follow those of a later one. */
function hasParameters(file: string): boolean {
  return readVectors(file).some(sequence => JSON.stringify(sequence).includes('"paramKind"'))
}
