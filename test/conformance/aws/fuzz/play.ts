// Plays one sequence to the emulator and to moto, as far as they go together.
import { createAws, sdkRequestHandler } from '#emulator'
import type { Moto } from '../../../real/programs/moto.ts'
import { type Disagreement, disagreements } from '../vectors/compare.ts'
import { type Endpoint, performer, type Reply, type Step } from '../vectors/perform.ts'
import { knownDifferences, knownPartings } from './sequences.ts'

export interface Parting {
  readonly at: number
  readonly step: Step
  readonly found: readonly Disagreement[]
}

/** Ends where they part: what comes after is of two worlds. A known parting ends it too, silently. */
export async function play(moto: Moto, steps: readonly Step[]): Promise<{ readonly calls: number; readonly parting?: Parting }> {
  await moto.reset()
  const aws = createAws({ seed: 'moto', signatures: 'parse' })
  const [theirs, ours] = [asked({ url: moto.url }), asked({ requestHandler: sdkRequestHandler(aws.handle) })]
  try {
    for (const [at, step] of steps.entries()) {
      const [recorded, met] = [await theirs.ask(step), await ours.ask(step)]
      if (recorded === undefined || met === undefined) continue
      if (isKnown(step, recorded, met)) return { calls: at + 1 }
      const found = disagreements(step, recorded, met).filter(one => !isKnownDifference(step, one.path))
      if (found.length > 0) return { calls: at + 1, parting: { at, step, found } }
      if (recorded.error !== met.error) return { calls: at + 1 }
    }
    return { calls: steps.length }
  } finally {
    theirs.close()
    ours.close()
    await aws.close()
  }
}

function isKnown({ operation }: Step, recorded: Reply, met: Reply): boolean {
  return knownPartings.some(
    one => one.operation.split(' ').includes(operation) && one.moto === recorded.error && one.ours === met.error,
  )
}

function isKnownDifference({ operation }: Step, path: string): boolean {
  return knownDifferences.some(
    one => one.operation === operation && one.paths.some(known => path === known || path.startsWith(`${known}.`)),
  )
}

function asked(endpoint: Endpoint): { ask(step: Step): Promise<Reply | undefined>; close(): void } {
  const { perform, close } = performer(endpoint)
  return {
    close,
    // A step that needs what an earlier one failed to make is left out.
    ask: step =>
      perform(step).catch((error: Error) => (error.message.startsWith('nothing was saved') ? undefined : Promise.reject(error))),
  }
}
