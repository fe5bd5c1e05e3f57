// Records what moto answers to the scenarios into test/conformance/aws-vectors: `node scripts/run.mjs scripts/vectors/aws-vectors-record.ts`.
// What may differ from the emulator is cut out by the table of differences; with `--compare` nothing is written and every disagreement
// that the table does not cover is printed.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createAws, sdkRequestHandler } from '#emulator'
import { disagreements } from '../../test/conformance/aws/vectors/compare.ts'
import { performer, type Reply, type Step } from '../../test/conformance/aws/vectors/perform.ts'
import { type Scenario, scenarios } from '../../test/conformance/aws/vectors/scenarios.ts'
import { vectorOf } from '../../test/conformance/aws/vectors/vectors.ts'
import { startMoto } from '../../test/real/programs/moto.ts'
import { pythonEnvironment } from '../../test/real/programs/python.ts'

const python = await pythonEnvironment()
if ('missing' in python) {
  console.error(python.missing)
  process.exit(1)
}
const folder = join(import.meta.dirname, '../..', 'test', 'conformance', 'aws-vectors')
const compareOnly = process.argv.includes('--compare')
const moto = await startMoto(python)
let count = 0
let differing = 0
try {
  mkdirSync(folder, { recursive: true })
  for (const scenario of scenarios) {
    await moto.reset()
    const recorded = await replies(scenario, { url: moto.url })
    const aws = createAws({ seed: 'vectors', signatures: 'parse', knobs: { defaultRegion: 'us-east-1' } })
    const ours = await replies(scenario, { requestHandler: sdkRequestHandler(aws.handle) })
    for (const [index, step] of scenario.steps.entries()) {
      const found = disagreements(step, recorded[index] as Reply, ours[index] as Reply)
      differing += found.length
      for (const { path, recorded: theirs, ours: own } of found) {
        console.log(`${scenario.name} #${index} ${step.operation} ${path}\n   moto ${shown(theirs)}\n   ours ${shown(own)}`)
      }
    }
    count += scenario.steps.length
    if (compareOnly) continue
    const lines = scenario.steps.map((step, index) => JSON.stringify(vectorOf(step, recorded[index] as Reply)))
    writeFileSync(join(folder, `${scenario.name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}.jsonl`), `${lines.join('\n')}\n`)
  }
} finally {
  await moto.stop()
}
console.log(`${count} requests in ${scenarios.length} scenarios, ${differing} disagreements that the table does not cover`)
process.exitCode = differing === 0 ? 0 : 1

async function replies(scenario: Scenario, endpoint: Parameters<typeof performer>[0]): Promise<readonly Reply[]> {
  const { perform, close } = performer(endpoint)
  const all: Reply[] = []
  try {
    for (const step of scenario.steps) all.push(await perform(step as Step))
  } finally {
    close()
  }
  return all
}

function shown(value: unknown): string {
  return (JSON.stringify(value) ?? 'absent').slice(0, 300)
}
