// The vectors against a fresh real kube-apiserver: what was recorded must be what it answers again, or the vectors hold accidents.
import assert from 'node:assert/strict'
import { after, describe, it, type TestContext } from 'node:test'
import { replayFile, themes } from '../conformance/apiserver/replay-all.ts'
import { readVectors } from '../conformance/apiserver/vectors.ts'
import { type ControlPlane, startControlPlane } from './control-plane.ts'
import { realTarget } from './real-target.ts'
import { controlPlaneSkipped } from './shared.ts'

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

/**
 * With an etcd of its own: what other servers write into a shared one moves the revision that lists and their pages are told of. It writes
 * nothing for itself meanwhile either, neither the lease of its identity nor that of its endpoint.
 */
function start(): Promise<ControlPlane> {
  return startControlPlane({ flags: ['--endpoint-reconciler-type=none', '--feature-gates=APIServerIdentity=false'] })
}

/** A kube-apiserver that followed the parameters of policies, and lost the last policy that has some, does not follow those of a later one. */
function hasParameters(file: string): boolean {
  return readVectors(file).some(sequence => JSON.stringify(sequence).includes('"paramKind"'))
}
