// `npm run vectors:record [-- THEME ...]`: drives the real kube-apiserver with every sequence we have and keeps what it answers, in
// normal form, under test/conformance/vectors/. `npm test` replays them against the embedded server.
import { mkdirSync } from 'node:fs'
import { recordThemes } from '../../test/conformance/apiserver/record.ts'
import { vectorsFolder, writeVectors } from '../../test/conformance/apiserver/vectors.ts'
import { startControlPlane } from '../../test/real/control-plane.ts'
import { realTarget } from '../../test/real/real-target.ts'
import { commands } from '../flags/commands.ts'
import { takeFlags } from '../flags/flags.ts'

const { words: chosen } = takeFlags(commands['vectors:record'])
mkdirSync(vectorsFolder, { recursive: true })
const plane = await startControlPlane()
try {
  const target = realTarget(plane)
  for (const { file, sequences } of await recordThemes(target, plane, chosen)) {
    writeVectors(file, sequences)
    const pairs = sequences.flatMap(sequence => sequence.steps).length
    console.log(`${file}: ${sequences.length} sequences, ${pairs} steps`)
  }
} finally {
  await plane.stop()
}
