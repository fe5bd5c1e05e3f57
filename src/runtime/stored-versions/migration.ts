// When objects are moved to the version that is stored now: at the start of each term of the leader, soon again while something is in the way,
// and every few minutes, since a definition may be applied after its operator.
import type { Clock, Log } from '#base'
import { type KubeClient, KubeError } from '#kube/client'
import type { Companion } from '../companion.ts'
import { pause } from '../scope.ts'
import { migrateStored } from './migrate.ts'

export interface MigrationOptions {
  readonly client: KubeClient
  readonly clock: Clock
  readonly log: Log
  /** Names of the definitions whose objects are moved. */
  readonly definitions: readonly string[]
}

/** All API servers of a cluster follow a changed definition by then; one that lags would store as before. */
const settledMs = 30_000
/** Something was in the way: a webhook that does not answer yet, a definition that was just changed. */
const againMs = 60_000
/** Reading one object is cheap; an hour would keep an old version in the definition for no reason. */
const restMs = 300_000

export function storageMigration(options: MigrationOptions): Companion {
  return {
    name: 'storage-migration',
    run: async (_context, signal) => {
      // Manifests of another release: nobody gives the right while the process runs, so that one which was refused is not asked for again.
      const forbidden = new Set<string>()
      for (let delayMs: number | undefined = settledMs; delayMs !== undefined; )
        delayMs = (await pause(options.clock, delayMs, signal)) ? await tryAll(options, forbidden, signal) : undefined
    },
  }
}

/** When to look again; undefined for never. */
async function tryAll(options: MigrationOptions, forbidden: Set<string>, signal: AbortSignal): Promise<number | undefined> {
  let delayMs = restMs
  for (const definition of options.definitions) {
    if (signal.aborted) return undefined
    if (forbidden.has(definition)) continue
    const tried = await tryOnce(options, definition, signal)
    if (tried === 'forbidden') forbidden.add(definition)
    if (tried === 'failed') delayMs = againMs
  }
  return signal.aborted || forbidden.size === options.definitions.length ? undefined : delayMs
}

async function tryOnce(
  { client, log }: MigrationOptions,
  definition: string,
  signal: AbortSignal,
): Promise<'done' | 'forbidden' | 'failed'> {
  try {
    const migrated = await migrateStored(client, definition, signal)
    if (migrated.kind === 'done' && migrated.objects > 0)
      log.info('all objects are stored in the version of today', { definition, ...migrated })
    if (migrated.kind === 'left')
      log.info('objects that the API server does not take stay stored in another version', {
        definition,
        refused: migrated.refused,
      })
    return 'done'
  } catch (error) {
    if (!signal.aborted) log.info('objects are not yet stored in the version of today', { definition, error: String(error) })
    return error instanceof KubeError && error.reason === 'Forbidden' ? 'forbidden' : 'failed'
  }
}
