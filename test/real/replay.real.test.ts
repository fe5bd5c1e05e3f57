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
      const first = hasParameters(file) ? await differencesAlone(file) : await differences(await (fresh ??= start()), file)
      // Pages and cached lists also tell of what the server writes for itself meanwhile: what differs has to differ twice.
      const again = first.unknown.length === 0 ? first : await differencesAlone(file)
      const keys = new Set(again.unknown.map(({ key }) => key))
      const both = first.unknown.filter(({ key }) => keys.has(key))
      const once = first.unknown.length - both.length
      t.diagnostic(`vectors ${file} on the real server: ${first.steps} steps, ${both.length} different, ${once} once`)
      assert.deepEqual(
        both.map(found => `${found.key} (${found.what})\n${found.difference}`),
        [],
      )
    })
  }
})

type Differences = Awaited<ReturnType<typeof replayFile>>

async function differences(plane: ControlPlane, file: string): Promise<Differences> {
  const target = realTarget(plane)
  await replayFile(target, 'prelude.jsonl', {})
  return replayFile(target, file, {})
}

async function differencesAlone(file: string): Promise<Differences> {
  const plane = await start()
  try {
    return await differences(plane, file)
  } finally {
    await plane.stop()
  }
}

/** Beside the shared one, since the names of the sequences are taken there by the catalogue. */
async function start(): Promise<ControlPlane> {
  const { etcd, programs } = await sharedControlPlane()
  return startControlPlane({ etcd, programs })
}

/** A kube-apiserver that followed the parameters of policies, and lost the last policy that has some, does not follow those of a later one. */
function hasParameters(file: string): boolean {
  return readVectors(file).some(sequence => JSON.stringify(sequence).includes('"paramKind"'))
}
